internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPlatform

/// The scenes of three.js that three.quarks exports: a tree of objects, some of which are emitters, with
/// materials, textures and images.
struct QuarksFamily: TreeFormat {
  static let sources = [
    (name: "src", title: "three.quarks 0.17.0, `ParticleSystem.ts`, `shape/` and `behaviors/`"),
    (name: "run", title: "recordings of three.quarks 0.17.0"),
    (name: "files", title: "6 published files"),
  ]

  static let shared = QuarksFamily()

  let name = "quarks"
  let engine = "three.quarks"
  let holdsAll = true
  let clampsLives = true
  let writesRegions = true
  let table = MappingTable<QuarksFamily>(
    unit: .unit, profile: .quarks, exact: [.multi, .tex, .flip], approximated: [.embed], rows)

  var asset: Asset {
    var asset = Asset()
    asset.unit = .unit
    asset.dimension = .space
    asset.profile = .quarks
    return asset
  }

  /// An emitter of the tree: its node, the steps to it, and the transform of the nodes above.
  private struct Node {
    var value: JSONValue
    var place: [Int]
    var axes: AffineTransform
  }

  private func nodes(in root: JSONValue) -> [Node] {
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

  func emitters(in root: JSONValue) throws -> [TreeEmitter] {
    let nodes = nodes(in: root)
    guard !nodes.isEmpty else {
      throw Diagnostic(.emitterRoot, expected: "an object with 'ps'")
    }
    let lists = Lists(root)
    return nodes.map { node in
      var value: JSONObject = [
        "ps": node.value["ps"] ?? .null, "uuid": node.value["uuid"] ?? .null,
      ]
      value["matrix"] = node.axes.matrix
      if let material = material(of: node.value, in: lists) { value["material"] = material }
      let name = node.value["name"]?.string ?? ""
      return TreeEmitter(
        path: "object" + node.place.map { ".children[\($0)]" }.joined(), value: .object(value),
        name: name.isEmpty ? nil : name)
    }
  }

  /// The elements of the lists of a scene, by their identifiers.
  private struct Lists {
    private var elements: [String: [JSONValue: JSONValue]] = [:]

    init(_ root: JSONValue) {
      for list in ["materials", "textures", "images"] {
        elements[list] = Dictionary(
          (root[list]?.array ?? []).compactMap { element in element["uuid"].map { ($0, element) } },
          uniquingKeysWith: { first, _ in first })
      }
    }

    subscript(list: String, uuid: JSONValue?) -> JSONValue? { uuid.flatMap { elements[list]?[$0] } }
  }

  /// Blending and image of an emitter; older files state them in the emitter.
  private func material(of node: JSONValue, in lists: Lists) -> JSONValue? {
    let material = lists["materials", node["ps.material"]]
    let texture = lists["textures", material?["map"] ?? node["ps.texture"]]
    let image = lists["images", texture?["image"]]
    var value = JSONObject()
    value["blending"] =
      material?["blending"] ?? node["ps.blending"] ?? (material.map { _ in .int(1) })
    value["image"] = image?["url"]
    value["name"] = texture?["name"]
    return value.isEmpty ? nil : .object(value)
  }

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    let old = origin.map(nodes) ?? []
    guard let origin, old.count == emitters.count else { return newRoot(of: emitters, system) }
    var root = origin
    let materials = Dictionary(
      (origin["materials"]?.array ?? []).enumerated().compactMap { index, material in
        material["uuid"].map { ($0, index) }
      }, uniquingKeysWith: { first, _ in first })
    for (node, emitter) in zip(old, emitters) {
      root.change(at: ["object"] + node.place.flatMap { ["children", "\($0)"] }) {
        $0["ps"] = emitter["ps"] ?? .null
      }
      guard let blending = emitter["material.blending"],
        let index = node.value["ps.material"].flatMap({ materials[$0] })
      else { continue }
      root.change(at: ["materials", "\(index)"]) { $0["blending"] = blending }
    }
    return root
  }

  private func newRoot(of emitters: [JSONValue], _ system: ParticleSystem) -> JSONValue {
    var lists: [String: [JSONValue]] = [:]
    var children: [JSONValue] = []
    func uuid(_ kind: Int, _ number: Int) -> JSONValue {
      // Not random, so that the same effect gives the same file.
      let digits = String(number + 1, radix: 16)
      let padding = String(repeating: "0", count: max(12 - digits.count, 0))
      return .string("00000000-0000-4000-800\(kind)-\(padding)\(digits)")
    }
    for (index, emitter) in emitters.enumerated() {
      var ps = emitter["ps"]?.object ?? JSONObject()
      ps["material"] = uuid(1, index)
      ps["instancingGeometry"] = uuid(0, 0)
      var material: JSONObject = [
        "uuid": uuid(1, index), "type": "MeshBasicMaterial",
        "blending": emitter["material.blending"] ?? .int(1), "transparent": .bool(true),
        "depthWrite": .bool(false), "side": .int(2),
      ]
      if let image = emitter["material.image"] {
        material["map"] = uuid(2, index)
        lists["textures", default: []].append(["uuid": uuid(2, index), "image": uuid(3, index)])
        lists["images", default: []].append(["uuid": uuid(3, index), "url": image])
      }
      lists["materials", default: []].append(.object(material))
      children.append([
        "uuid": uuid(4, index), "type": "ParticleEmitter",
        "name": emitter["name"] ?? .string(""), "matrix": emitter["matrix"] ?? .null,
        "ps": .object(ps),
      ])
    }
    // References of triggers are to the nodes of this file.
    let geometry: JSONValue = [
      "uuid": uuid(0, 0), "type": "PlaneGeometry", "width": .int(1), "height": .int(1),
    ]
    return [
      "metadata": ["version": .double(4.6), "type": "Object", "generator": "Object3D.toJSON"],
      "geometries": .array([geometry]), "materials": .array(lists["materials"] ?? []),
      "textures": .array(lists["textures"] ?? []), "images": .array(lists["images"] ?? []),
      "object": [
        "uuid": uuid(5, 0), "type": "Group", "name": .string(system.asset.name ?? ""),
        "children": .array(children),
      ],
    ]
  }

  func sprites(of reader: TreeReader<QuarksFamily>) throws -> [TreeSprite] {
    guard let url = reader.value["material.image"]?.string, !url.isEmpty else { return [] }
    var image = TreeSprite(path: "material.image", references: [url])
    if url.hasPrefix("data:"), let comma = url.firstIndex(of: ",") {
      let bytes = try? [UInt8](
        base64: String(url[url.index(after: comma)...]), rule: .embeddedImage)
      let name = reader.value["material.name"]?.string ?? ""
      image.references = [name.isEmpty ? "image.png" : name]
      if let bytes {
        let base = ImageFinder.baseName(of: name)
        image.inside = FoundImage(name: base.isEmpty ? "image.png" : base, bytes: bytes)
      }
    }
    let (columns, rows) = (reader.number("ps.uTileCount", 1), reader.number("ps.vTileCount", 1))
    if columns * rows > 1, columns >= 1, rows >= 1, columns < 1000, rows < 1000 {
      image.sprite.grid = SpriteGrid(columns: Int(columns), rows: Int(rows))
    }
    return [image]
  }

  /// Sub-emitters are named by the identifiers of their nodes.
  func complete(_ system: inout ParticleSystem, _ readers: [TreeReader<QuarksFamily>]) throws {
    let places = Dictionary(
      readers.enumerated().compactMap { index, reader in
        reader.value["uuid"]?.string.map { ($0, index) }
      }, uniquingKeysWith: { first, _ in first })
    for (index, reader) in readers.enumerated() {
      for behavior in reader.array("ps.behaviors") ?? []
      where behavior["type"]?.string == "EmitSubParticleSystem" {
        guard let target = behavior["subParticleSystem"]?.string.flatMap({ places[$0] }) else {
          reader.note(
            .uninterpreted, "ps.behaviors[EmitSubParticleSystem]",
            "the other emitter is not in the file")
          continue
        }
        let events: [TriggerEvent] = [.death, .birth, .frame]
        let mode = behavior["mode"]?.int ?? 0
        var trigger = Trigger(
          events.indices.contains(mode) ? events[mode] : .death, emitter: target)
        trigger.probability = min(max(behavior["emitProbability"]?.double ?? 1, 0), 1)
        trigger.inherit = [.position]
        system.emitters[index].triggers.append(trigger)
      }
    }
    let starting = readers.indices.filter { !(readers[$0].flag("ps.onlyUsedByOther", false)) }
    if starting.count < readers.count { system.roots = starting }
  }
}

extension AffineTransform {
  /// A transform of three.js: 16 numbers, by columns.
  init(matrix: JSONValue?) {
    self.init()
    let e = matrix?.array?.compactMap(\.double) ?? []
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

  /// The transform of an emitter, without what the product of matrices changes in the last digits.
  var transform: Transform {
    func short(_ number: Double) -> Double { (number * 1e9).rounded() / 1e9 + 0 }
    var transform = transformInSpace
    let (scale, turn) = (transform.scale, transform.rotation)
    transform.scale = Scale(short(scale.x), short(scale.y), short(scale.z))
    transform.rotation = Quaternion(short(turn.x), short(turn.y), short(turn.z), short(turn.w))
    return transform
  }
}

extension ParticleFormat {
  /// Scenes of three.js with emitters of three.quarks.
  public static let quarks = ParticleFormat(
    QuarksFamily.shared, in: JSONTree.self, title: "three.quarks particle effect",
    extensions: ["json"]
  ) { bytes, _ in
    bytes.contains("\"ps\"") && bytes.contains("\"metadata\"") && bytes.contains("\"startLife\"")
  }.declaring(.quarks)
}
