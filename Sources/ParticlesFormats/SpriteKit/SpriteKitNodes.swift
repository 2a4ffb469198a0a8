internal import ParticlesCore
internal import ParticlesModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The nodes of an archived scene: the emitters among them with their places, and how many there
/// are of the others.
struct SpriteKitNodes {
  static let emitterClass = "SKEmitterNode"

  struct Node {
    let object: ArchivedObject
    /// Where it is in the scene; for the root itself, where it says to be.
    var transform: Transform
    /// Its place in the order of drawing.
    var order: Int
  }

  private(set) var emitters: [Node] = []

  /// How many nodes of other classes there are, by class.
  private(set) var others: [String: Int] = [:]

  private let root: ArchivedObject
  private var visited: Set<KeyedArchive.Index> = []

  /// Walks through the nodes from a root on.
  init(below root: ArchivedObject) throws {
    self.root = root
    var start = root
    // The scene of GameplayKit has that of SpriteKit inside.
    if root.isA("GKScene"), let scene = try root.object("_rootNode") { start = scene }
    guard start.isA("SKNode") else { return }
    // Where a scene is says nothing of what is in it.
    let isScene = start.isA("SKScene")
    let place = isScene ? Place() : try Place().moved(by: start)
    try visit(start, at: place, level: 0)
  }

  // MARK: Walking

  /// Where a node is: what the transforms of the nodes above make of it.
  private struct Place {
    var transform = Transform()
    var z = 0.0

    func moved(by node: ArchivedObject) throws -> Place {
      var place = self
      let position = try node.geometry("_position", count: 2) ?? [0, 0]
      let (x, y) = (position[0] * transform.scale.x, position[1] * transform.scale.y)
      let turn = Angle.radians(transform.angle)
      place.transform.translation.x += (x * cos(turn) - y * sin(turn)).rounded
      place.transform.translation.y += (x * sin(turn) + y * cos(turn)).rounded
      let angle = SpriteKitEmitter(node).angle("_zRotation")
      if angle != 0, transform.scale.x != transform.scale.y {
        node.note(
          .approximated, "_zRotation", "what is turned inside of something stretched is not skewed")
      }
      place.transform.angle = (transform.angle + angle).rounded
      place.transform.scale.x = (transform.scale.x * node.number("_xScale", 1)).rounded
      place.transform.scale.y = (transform.scale.y * node.number("_yScale", 1)).rounded
      place.z += node.number("_zPosition", 0)
      return place
    }
  }

  private mutating func visit(_ node: ArchivedObject, at place: Place, level: Int) throws {
    let location = Location.key(node.path)
    try node.reader.limits.check(level, \.nesting, "levels of nodes", at: location)
    guard visited.insert(node.index).inserted else {
      node.reader.report(
        Diagnostic(.uninterpreted, at: location, "a node that is in the scene twice"))
      return
    }
    if node.isA(Self.emitterClass) {
      let order = place.z.rounded(.toNearestOrAwayFromZero)
      if order != place.z {
        node.note(
          .approximated, "_zPosition", "the order of emitters is a whole number",
          found: "\(place.z)")
      }
      let limit = 1e9
      emitters.append(
        Node(
          object: node, transform: place.transform, order: Int(min(max(order, -limit), limit))))
    } else if !node.isA("SKScene") {
      others[node.className?.excerpt ?? "a node", default: 0] += 1
    }
    for (number, index) in (try node.array("_children") ?? []).enumerated() {
      let path = "\(node.path(of: "_children"))[\(number)]"
      guard case .object = node.archive.value(at: index) else { continue }
      let child = try node.object(at: index, path)
      guard child.isA("SKNode") else { continue }
      try visit(child, at: place.moved(by: child), level: level + 1)
    }
  }

  // MARK: What is no emitter

  /// Notes the nodes that are left out of the effect.
  func report() {
    guard !others.isEmpty else { return }
    root.reader.report(
      Diagnostic(
        .uninterpreted, at: .key(root.path(of: "_children")),
        "the other nodes of the scene are no part of the effect", found: list))
  }

  /// The classes with their numbers: "3 SKSpriteNode, 1 SKScene".
  private var list: String {
    let sorted = others.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
    let shown = sorted.prefix(6).map { "\($0.value) \($0.key)" }
    return (shown + (sorted.count > 6 ? ["others"] : [])).joined(separator: ", ")
  }

  /// What to say of an archive without emitters.
  static func fault(of root: ArchivedObject, _ nodes: SpriteKitNodes) -> Diagnostic {
    let location = Location.key("$top.root")
    let what: String
    if root.isA("SKReferenceNode") {
      what = "a reference to another file"
    } else if root.isA("SKScene") || root.isA("GKScene") {
      what = nodes.others.isEmpty ? "a scene without nodes" : "a scene of \(nodes.list)"
    } else if root.isA("SKNode") {
      what = "nodes: \(nodes.list)"
    } else if root.isA("SKTileSet") {
      what = "a tile set"
    } else if let actions = actions(in: root), actions > 0 {
      what = actions == 1 ? "an action" : "\(actions) actions"
    } else {
      return Diagnostic(
        .archiveRoot, at: location, expected: "\(emitterClass), or a node with one",
        found: root.className?.excerpt ?? root.archive.value(at: root.index).kind)
    }
    return Diagnostic(
      .lookAlike, at: location, expected: "an \(emitterClass)", found: what)
  }

  /// How many actions an archive of actions has: one as its root, or some in dictionaries and lists
  /// by their names, as the editor has them; nil if it holds anything else.
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
