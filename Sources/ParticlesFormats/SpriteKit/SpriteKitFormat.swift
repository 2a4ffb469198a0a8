internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists

struct SpriteKitFamily: KeyedFormat {
  typealias Place = SpriteKitPlace

  let table: MappingTable<SpriteKitFamily>
  let name = "spritekit"
  let engine = "SpriteKit"
  let rootsDetail = "every emitter of a file starts by itself"
  let triggeredDetail: String? = "only triggers start it"
  let holdsAll = true
  let bagHoldsAll = false
  let plainNumbers = ["_opacity": [1.0]]
  let imageKey = (key: "_imgName", properties: ["sprites", "size"])
  let imageFormats: [ImageFormat]? = [.png, .jpeg]
  let imageSuffixes: [Double: String] = [2: "@2x", 3: "@3x"]
  let impliedExtensions = ["png", "jpg", "jpeg"]
  let classes = ["SKEmitterNode"] + nodeClasses

  static let nodeClasses = ["SKNode", "NSResponder", "NSObject"]

  static let spriteKit = SpriteKitFamily(
    table: MappingTable(
      unit: .point, profile: .spriteKit, exact: [.severalEmitters],
      approximated: [.speed, .metadata, .frame2D, .preview], rows))

  /// Numbers are 64 bits wide and store floats.
  func real(_ number: Double) -> Archivable { .double(Double(Float(number))) }

  func adapt(_ writer: inout EmitterWriter<SpriteKitFamily>) {
    writer.leaveOrbit()
    writer.leaveLimit()
    writer.turnLaunch(toPlane: true)
    writer.straightenForces()
  }

  func emitters(below root: ArchivedObject, fileName: String) throws(Failure) -> [KeyedEmitter<
    SpriteKitFamily
  >] {
    let nodes = try SpriteKitNodes(of: self, below: root, fileName: fileName)
    guard !nodes.emitters.isEmpty else { throw nodes.fault }
    nodes.report()
    return nodes.emitters
  }

  func place(below above: [Int], over origin: SpriteKitPlace?) -> SpriteKitPlace {
    origin ?? SpriteKitPlace()
  }
}

extension ParticleFormat {
  /// SpriteKit emitters: the files of Xcode's particle editor, and scenes with emitters.
  ///
  /// Any SpriteKit archive is accepted, and any property list with its extension: the reader names
  /// the contents if there is no emitter.
  public static let spriteKit = ParticleFormat(
    SpriteKitFamily.spriteKit, title: "SpriteKit emitter", extensions: ["sks"]
  ) { bytes, fileName in
    guard bytes.starts(with: BinaryPropertyList.signature) else { return false }
    if Files.pathExtension(of: fileName) == "sks" { return true }
    guard let archive = try? OpenKeyedArchives.archive(bytes) else { return false }
    return ["SKNode", "SKAction", "SKTileSet", "GKScene"].contains {
      archive.object(archive.root, isA: $0)
    }
  }.declaring(.spriteKit)
}

// The background of an archive, set by the editor or the scene.

extension SpriteKitFamily {
  /// The SpriteKit version that archives state.
  static let version = 50_004_002

  private static let editorVersion = 2_000_000
  private static let background = "_PB_previewBackgroundColor"

  func read(_ root: ArchivedObject, into system: inout ParticleSystem) throws(Failure) {
    system.asset.dimension = .plane
    system.asset.unit = .point
    system.asset.profile = .spriteKit
    guard !root.isA("SKScene") else {
      let color = ["R", "G", "B", "A"].map { root.number("_backgroundColor\($0)", 1) }
      if root.index(of: "_backgroundColorR") != nil { system.preview.background = Color(color) }
      return
    }
    // Older archives store it in the node, newer ones next to it.
    var places = [try root.dictionary("_info")]
    if let beside = root.archive.top.first(where: { $0.key == "_info" }),
      case .dictionary = root.archive.value(at: beside.index)
    {
      places.append(try root.object(at: beside.index, "$top._info"))
    }
    for info in places.compactMap({ $0 }) {
      guard let color = try info.object(Self.background)?.color() else { continue }
      system.preview.background = color
    }
  }

  /// A single emitter is the root itself. Several are the children of a node.
  func root(of emitters: [Archivable]) -> Archivable {
    guard emitters.count != 1 else { return emitters[0] }
    let node = EmitterWriter(
      SpriteKitFamily(table: MappingTable(unit: .point, Self.nodeRows)), ParticleSystem(),
      emitter: 0, KeyedSurroundings(place: SpriteKitPlace(), standardName: "", imageName: nil))
    var object = ArchivableObject(Self.nodeClasses, node.fields.map { .init($0.key, $0.value) })
    object["_originalClass"] = nil
    object["_info"] = .null
    object["_position"] = .point(0, 0)
    for (key, value) in [("_xScale", 1.0), ("_yScale", 1), ("_zRotation", 0), ("_zPosition", 0)] {
      object[key] = .sharedReal(value)
    }
    object["_children"] = .array(emitters)
    return .object(object)
  }

  func top(of system: ParticleSystem) -> [ArchivableObject.Member] {
    var info: [ArchivableObject.Member] = [
      .init("_particleEditorVersion", .shared(.integer(Int64(Self.editorVersion)))),
      .init("_spriteKitVersion", .string("\(Self.version)")),
      .init("_PB_previewParticlePosition", .point(0, 0)),
    ]
    if let color = system.preview.background {
      info.append(.init(Self.background, .deviceColor(color)))
    }
    return [.init("_info", .dictionary(info, mutable: false))]
  }

  /// The editor data, if it has a background colour and that has changed.
  func changes(in original: OpenedKeyedArchive<SpriteKitFamily>, for system: ParticleSystem)
    -> [KeyedArchive.Index: ArchivableObject]
  {
    let archive = original.archive
    guard let color = system.preview.background, color != original.system.preview.background
    else { return [:] }
    let places =
      [archive.plist.value(of: "_info", in: archive.root)]
      + archive.top.filter { $0.key == "_info" }.map { $0.index }
    for place in places.compactMap({ $0.map(archive.resolve) }).reversed() {
      guard case .dictionary(let keys, let values) = archive.value(at: place),
        let names = archive.classNames(of: place),
        let number = keys.firstIndex(where: { archive.value(at: $0) == .string(Self.background) })
      else { continue }
      var objects = values.map { Archivable.kept($0) }
      objects[number] = .deviceColor(color)
      return [
        place: ArchivableObject(
          names,
          [.init("NS.keys", .list(keys.map { .kept($0) })), .init("NS.objects", .list(objects))])
      ]
    }
    return [:]
  }
}

/// The nodes of an archived scene: the emitters with their positions, and the number of other
/// nodes.
struct SpriteKitNodes {
  private(set) var emitters: [KeyedEmitter<SpriteKitFamily>] = []

  /// The number of other nodes, by class.
  private var others: [String: Int] = [:]

  private let format: SpriteKitFamily
  private let root: ArchivedObject
  private let fileName: String
  private var visited: Set<KeyedArchive.Index> = []

  init(of format: SpriteKitFamily, below root: ArchivedObject, fileName: String) throws(Failure) {
    self.format = format
    self.root = root
    self.fileName = fileName
    var start = root
    // A GameplayKit scene contains a SpriteKit scene.
    if root.isA("GKScene"), let scene = try root.object("_rootNode") { start = scene }
    guard start.isA("SKNode") else { return }
    // The position of a scene does not affect its contents.
    let isScene = start.isA("SKScene")
    let place = isScene ? SpriteKitPlace() : try SpriteKitPlace().node(start)
    try visit(start, at: place, level: 0)
  }

  private mutating func visit(_ node: ArchivedObject, at place: SpriteKitPlace, level: Int)
    throws(Failure)
  {
    try node.reader.limits.check(level, { $0.nesting }, "levels of nodes", at: .key(node.path))
    guard visited.insert(node.index).inserted else {
      return node.note(.uninterpreted, "a node that occurs twice in the scene")
    }
    if node.isA(format.classes[0]) {
      var name = node.string("_name") ?? ""
      if name.isEmpty {
        name = format.standardName(emitters.count, isAlone: node === root, fileName: fileName)
      }
      emitters.append(KeyedEmitter(format: format, object: node, name: name, place: place))
      if place.z != Double(place.order) {
        node.note(
          .approximated, "_zPosition", "the order of emitters is an integer",
          found: "\(place.z)")
      }
    } else if !node.isA("SKScene") {
      others[node.className?.excerpt ?? "a node", default: 0] += 1
    }
    for (number, index) in (try node.array("_children") ?? []).enumerated() {
      let path = "\(node.path(of: "_children"))[\(number)]"
      guard case .object = node.archive.value(at: index) else { continue }
      let child = try node.object(at: index, path)
      guard child.isA("SKNode") else { continue }
      try visit(child, at: place.node(child), level: level + 1)
    }
  }

  func report() {
    guard !others.isEmpty else { return }
    root.note(
      .uninterpreted, "_children", "other nodes of the scene are not imported",
      found: list)
  }

  /// The classes with counts: "3 SKSpriteNode, 1 SKScene".
  private var list: String {
    let sorted = others.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
    let shown = sorted.prefix(6).map { "\($0.value) \($0.key)" }
    return (shown + (sorted.count > 6 ? ["others"] : [])).joined(separator: ", ")
  }

  var fault: Diagnostic {
    let location = Location.key("$top.root")
    let what: String
    if root.isA("SKReferenceNode") {
      what = "a reference to another file"
    } else if root.isA("SKScene") || root.isA("GKScene") {
      what = others.isEmpty ? "a scene without nodes" : "a scene of \(list)"
    } else if root.isA("SKNode") {
      what = "nodes: \(list)"
    } else if root.isA("SKTileSet") {
      what = "a tile set"
    } else if let actions = Self.actions(in: root), actions > 0 {
      what = actions == 1 ? "an action" : "\(actions) actions"
    } else {
      return Diagnostic(
        .archiveRoot, at: location, expected: "\(format.classes[0]), or a node with one",
        found: root.className?.excerpt ?? root.archive.value(at: root.index).kind)
    }
    return Diagnostic(.lookAlike, at: location, expected: "an \(format.classes[0])", found: what)
  }

  /// The number of actions of an archive: one as its root, or several in dictionaries and lists, as
  /// the editor stores them. Nil for other contents.
  private static func actions(in root: ArchivedObject) -> Int? {
    var waiting = [root.index]
    var count = 0
    var looked = 0
    while let index = waiting.popLast() {
      looked += 1
      guard looked < 10_000 else { return nil }
      switch root.archive.value(at: index) {
      case .array(let elements): waiting += elements
      case .dictionary(_, let values): waiting += values
      default:
        guard root.archive.object(index, isA: "SKAction") else { return nil }
        count += 1
      }
    }
    return count
  }
}
