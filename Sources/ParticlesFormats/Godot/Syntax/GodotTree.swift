internal import ParticlesCore

/// The nodes of a scene, with those of scenes that it instances or inherits.
struct GodotTree {
  struct Node {
    var name: String
    var type: String
    /// The sections with its properties. The first one that has a property counts: scenes override those that they instance.
    var sections: [Int]
    var parent: Int?
  }

  /// A node in one of the scenes of the tree.
  private struct Key: Hashable {
    /// The number of the scene: a scene that is instanced twice has two.
    var scene: Int
    var path: String
  }

  private(set) var nodes: [Node] = []
  private var places: [Key: Int] = [:]
  /// The scenes that nodes instance; at the root, the scene that a scene inherits.
  private var instances: [Key: Int] = [:]
  private var sceneCount = 0
  /// How many scenes, and how many nodes in one of them, a path leads through at most.
  private static let mostSteps = 32
  private let scene: GodotScene

  init(_ scene: GodotScene) throws {
    self.scene = scene
    try add(0, as: nil, below: [])
  }

  /// Adds the nodes of a file.
  /// - Parameters:
  ///   - root: the node that instances it, which is its root; nil for the scene itself.
  ///   - above: the files that are being added.
  /// - Returns: the number of the scene.
  @discardableResult
  private mutating func add(_ index: Int, as root: Int?, below above: [Int]) throws -> Int {
    try scene.limits.check(above.count, \.nesting, "levels of scenes in scenes")
    let number = sceneCount
    sceneCount += 1
    let file = scene.files[index]
    for (offset, section) in file.text.sections.enumerated() where section.tag == "node" {
      let parent = section.text("parent")
      let name = section.text("name") ?? ""
      let path =
        switch parent {
        case nil: ""
        case "."?: name
        case let parent?: "\(parent)/\(name)"
        }
      let node = file.first + offset
      let instance = section.attribute("instance")
      if section.attribute("type") == nil, instance == nil, let known = find(path, in: number) {
        // Each value is looked for in all of them.
        try scene.spend(nodes[known].sections.count, at: name)
        nodes[known].sections.insert(node, at: 0)
        continue
      }
      if index != 0 { try scene.spend(8, at: name) }
      let own: Int
      if parent == nil, let root {
        own = root
        nodes[root].type = section.text("type") ?? ""
        nodes[root].sections.append(node)
      } else {
        own = nodes.count
        nodes.append(
          Node(
            name: name, type: section.text("type") ?? "", sections: [node],
            parent: parent.flatMap { find($0 == "." ? "" : $0, in: number) }))
      }
      places[Key(scene: number, path: path)] = own
      if let instance, let other = open(instance, in: file, at: name, below: above + [index]) {
        instances[Key(scene: number, path: path)] = try add(other, as: own, below: above + [index])
      }
    }
    return number
  }

  /// The index of the file that a node instances; nil, after a report of what is not just missing, if it cannot be read.
  private func open(
    _ instance: GodotValue, in file: GodotFile, at name: String, below above: [Int]
  ) -> Int? {
    guard let external = instance.reference("ExtResource").flatMap({ file.externals[$0] }) else {
      return nil
    }
    let path = scene.path(of: external) ?? ""
    var fault: GodotFileFault?
    switch scene.load(external) {
    case .success(let other) where !above.contains(other): return other
    case .success: fault = .cycle([path])
    case .failure(let found): fault = found
    }
    if let fault, !fault.isMissing {
      scene.report(
        Diagnostic(
          .uninterpreted, at: .key(name.excerpt),
          "the node is an instance of another scene, which \(fault.reason)", found: path,
          hint: fault.hint))
    }
    return nil
  }

  /// The node at a path from the root of a scene, which may lead into instanced scenes.
  private func find(_ path: String, in number: Int) -> Int? {
    var (number, path) = (number, path)
    for _ in 0..<Self.mostSteps {
      if let known = places[Key(scene: number, path: path)] { return known }
      guard let (instance, rest) = instance(on: path, in: number) else { return nil }
      (number, path) = (instance, rest)
    }
    return nil
  }

  /// The instanced scene that a path leads into, and the rest of the path.
  private func instance(on path: String, in number: Int) -> (scene: Int, rest: String)? {
    guard !instances.isEmpty else { return nil }
    var end = path.endIndex
    for _ in 0..<Self.mostSteps {
      guard let slash = path[..<end].lastIndex(of: "/") else { break }
      let start = String(path[..<slash])
      if let instance = instances[Key(scene: number, path: start)] {
        return (instance, String(path[path.index(after: slash)...]))
      }
      end = slash
    }
    return path.isEmpty ? nil : instances[Key(scene: number, path: "")].map { ($0, path) }
  }
}
