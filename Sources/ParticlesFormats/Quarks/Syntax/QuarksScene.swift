internal import ParticlesCore
internal import ParticlesModel

/// A scene of three.js: a tree of nodes, and lists of the materials, textures and images that nodes name.
/// A node with `ps` is an emitter.
struct QuarksScene {
  /// An emitter of the tree: its node, the steps to it, and the combined transform of the node and the nodes above.
  struct Node {
    fileprivate let value: JSONValue
    fileprivate let place: [Int]
    fileprivate let axes: AffineTransform

    /// Its path in the file: `object.children[0]`.
    var path: String { "object" + place.map { ".children[\($0)]" }.joined() }

    /// Its name, or nil if it has none.
    var name: String? { value["name"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// The kinds of objects of a new scene, as a digit of their identifiers.
  enum Kind: Int { case geometry, material, texture, image, node, scene }

  /// The emitters, in the order of the tree.
  let nodes: [Node]
  private let root: JSONValue
  /// The elements of the lists, and their places by their identifiers.
  private let lists: [String: (elements: [JSONValue], places: [JSONValue: Int])]
  /// The places of emitters among all, by their identifiers.
  private let places: [JSONValue: Int]

  init(_ root: JSONValue) {
    self.root = root
    nodes = Self.nodes(in: root)
    places = Self.places(of: nodes.map { $0.value })
    lists = ["materials", "textures", "images"].reduce(into: [:]) { lists, list in
      let elements = root[list]?.array ?? []
      lists[list] = (elements, Self.places(of: elements))
    }
  }

  /// The places of objects by their identifiers. Of equal identifiers, the first counts.
  private static func places(of objects: [JSONValue]) -> [JSONValue: Int] {
    Dictionary(
      first: objects.enumerated().compactMap { index, object in object["uuid"].map { ($0, index) } }
    )
  }

  private static func nodes(in root: JSONValue) -> [Node] {
    var found: [Node] = []
    func walk(_ node: JSONValue, _ place: [Int], _ above: AffineTransform) {
      guard place.count < 64, found.count < 10_000 else { return }
      let axes = above.combined(with: AffineTransform(matrix: node["matrix"]))
      if node["ps"]?.object != nil {
        found.append(Node(value: node, place: place, axes: axes))
      }
      for (index, child) in (node["children"]?.array ?? []).enumerated() {
        walk(child, place + [index], axes)
      }
    }
    walk(root["object"] ?? .null, [], AffineTransform())
    return found
  }

  // MARK: Emitters

  /// An emitter with its material and image in place of their identifiers, the places of sub-emitters in
  /// place of theirs, and the matrix of all nodes above it.
  func emitter(_ node: Node) -> JSONValue {
    var value = JSONObject()
    value["ps"] = Self.settings(node.value["ps"] ?? .null) { places[$0].map { .int($0) } ?? .null }
    value["matrix"] = node.axes.matrix
    value["material"] = material(of: node.value)
    return .object(value)
  }

  /// The type of the behaviour that names another emitter.
  static let subEmitter = "EmitSubParticleSystem"

  /// The settings of an emitter with other names for its sub-emitters.
  private static func settings(_ ps: JSONValue, _ name: (JSONValue) -> JSONValue) -> JSONValue {
    guard var object = ps.object, let behaviors = object["behaviors"]?.array,
      behaviors.contains(where: { $0["type"]?.string == subEmitter })
    else { return ps }
    object["behaviors"] = .array(
      behaviors.map { behavior in
        guard var renamed = behavior.object, renamed["type"]?.string == subEmitter else {
          return behavior
        }
        renamed["subParticleSystem"] = renamed["subParticleSystem"].map(name)
        return .object(renamed)
      })
    return .object(object)
  }

  private func element(_ list: String, _ uuid: JSONValue?) -> JSONValue? {
    place(in: list, uuid).flatMap { lists[list]?.elements[$0] }
  }

  private func place(in list: String, _ uuid: JSONValue?) -> Int? {
    uuid.flatMap { lists[list]?.places[$0] }
  }

  private func texture(of node: JSONValue) -> JSONValue? {
    let material = element("materials", node["ps.material"])
    return element("textures", material?["map"] ?? node["ps.texture"])
  }

  /// Blending and image of an emitter. Older files state them in the emitter.
  private func material(of node: JSONValue) -> JSONValue? {
    let material = element("materials", node["ps.material"])
    let texture = texture(of: node)
    let image = element("images", texture?["image"])
    var value = JSONObject()
    value["blending"] =
      material?["blending"] ?? node["ps.blending"] ?? (material.map { _ in .int(1) })
    value["image"] = image?["url"]
    value["name"] = texture?["name"]
    return value.isEmpty ? nil : .object(value)
  }

  /// The scene with changed emitters. Nil if the number of emitters differs.
  func replacing(with emitters: [JSONValue]) -> JSONValue? {
    guard nodes.count == emitters.count else { return nil }
    var root = root
    for (node, emitter) in zip(nodes, emitters) {
      root.change(at: ["object"] + node.place.flatMap { ["children", "\($0)"] }) {
        $0["ps"] = Self.settings(emitter["ps"] ?? .null) { place in
          place.int.flatMap { nodes.indices.contains($0) ? nodes[$0].value["uuid"] : nil } ?? .null
        }
      }
      if let blending = emitter["material.blending"],
        let index = place(in: "materials", node.value["ps.material"])
      {
        root.change(at: ["materials", "\(index)"]) { $0["blending"] = blending }
      }
      if let image = emitter["material.image"],
        let index = place(in: "images", texture(of: node.value)?["image"])
      {
        root.change(at: ["images", "\(index)"]) { $0["url"] = image }
      }
    }
    return root
  }

  // MARK: New scenes

  /// The identifier of an object of a new scene. It is not random, so that equal effects give equal
  /// files.
  static func identifier(_ kind: Kind, _ number: Int) -> String {
    let digits = String(number + 1, radix: 16)
    let padding = String(repeating: "0", count: max(12 - digits.count, 0))
    return "00000000-0000-4000-800\(kind.rawValue)-\(padding)\(digits)"
  }

  /// A new scene with these emitters side by side.
  static func scene(of emitters: [JSONValue], name: String) -> JSONValue {
    var lists: [String: [JSONValue]] = [:]
    var children: [JSONValue] = []
    func uuid(_ kind: Kind, _ number: Int = 0) -> JSONValue { .string(identifier(kind, number)) }
    for (index, emitter) in emitters.enumerated() {
      let settings = settings(emitter["ps"] ?? .null) { uuid(.node, $0.int ?? 0) }
      var ps = settings.object ?? JSONObject()
      ps["material"] = uuid(.material, index)
      ps["instancingGeometry"] = uuid(.geometry)
      var material: JSONObject = [
        "uuid": uuid(.material, index), "type": "MeshBasicMaterial",
        "blending": emitter["material.blending"] ?? .int(1), "transparent": .bool(true),
        "depthWrite": .bool(false), "side": .int(2),
      ]
      if let image = emitter["material.image"] {
        material["map"] = uuid(.texture, index)
        lists["textures", default: []].append([
          "uuid": uuid(.texture, index), "image": uuid(.image, index),
        ])
        lists["images", default: []].append(["uuid": uuid(.image, index), "url": image])
      }
      lists["materials", default: []].append(.object(material))
      children.append([
        "uuid": uuid(.node, index), "type": "ParticleEmitter",
        "name": emitter["name"] ?? .string(""), "matrix": emitter["matrix"] ?? .null,
        "ps": .object(ps),
      ])
    }
    let geometry: JSONValue = [
      "uuid": uuid(.geometry), "type": "PlaneGeometry", "width": .int(1), "height": .int(1),
    ]
    return [
      "metadata": ["version": .double(4.6), "type": "Object", "generator": "Object3D.toJSON"],
      "geometries": .array([geometry]), "materials": .array(lists["materials"] ?? []),
      "textures": .array(lists["textures"] ?? []), "images": .array(lists["images"] ?? []),
      "object": [
        "uuid": uuid(.scene), "type": "Group", "name": .string(name),
        "children": .array(children),
      ],
    ]
  }
}

extension AffineTransform {
  /// A transform of three.js: 16 numbers, by columns.
  init(matrix: JSONValue?) {
    self.init()
    let e = matrix?.array?.compactMap { $0.double } ?? []
    guard e.count == 16 else { return }
    (x, y) = (Vector(e[0], e[1], e[2]), Vector(e[4], e[5], e[6]))
    (z, origin) = (Vector(e[8], e[9], e[10]), Vector(e[12], e[13], e[14]))
  }

  var matrix: JSONValue {
    .array(
      zip([x, y, z, origin], [0.0, 0, 0, 1]).flatMap { column, last in
        [column.x, column.y, column.z, last].map { .double($0.isFinite ? $0.rounded + 0 : 0) }
      })
  }

  /// The transform of an emitter, rounded to remove errors of the product of matrices.
  var transform: Transform {
    func short(_ number: Double) -> Double { (number * 1e9).rounded() / 1e9 + 0 }
    var transform = transformInSpace
    let (scale, turn) = (transform.scale, transform.rotation)
    transform.scale = Scale(short(scale.x), short(scale.y), short(scale.z))
    transform.rotation = Quaternion(short(turn.x), short(turn.y), short(turn.z), short(turn.w))
    return transform
  }
}
