internal import ParticlesPropertyLists
internal import ParticlesCore

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

  init(of format: SpriteKitFamily, below root: ArchivedObject, fileName: String) throws {
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

  private mutating func visit(_ node: ArchivedObject, at place: SpriteKitPlace, level: Int) throws {
    try node.reader.limits.check(level, \.nesting, "levels of nodes", at: .key(node.path))
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
  /// the editor stores them; nil for other contents.
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
