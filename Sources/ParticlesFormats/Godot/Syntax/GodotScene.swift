internal import ParticlesCore
internal import ParticlesModel

/// An open scene or resource of Godot: its resources and its particle nodes.
///
/// This is a class, because everything that is read from one file shares a budget: a few bytes may
/// refer to a large curve often.
final class GodotScene {
  /// The text of the scene itself.
  let file: GodotText
  let generation: GodotGeneration
  let limits: Limits
  /// The bytes of another file by its path in the project. Nil if there is none.
  let find: (String) throws(Failure) -> [UInt8]?

  /// The files that were read: the scene itself, and files that it refers to.
  var files: [GodotFile]
  /// The indices of files, by the sections that refer to them.
  var loads: [Int: Result<Int, GodotFileFault>] = [:]

  /// The particle nodes, in the order of the file.
  private(set) var emitters: [GodotNode] = []

  /// The number of other nodes, by class.
  private(set) var others: [String: Int] = [:]

  private(set) var diagnostics: [Diagnostic] = []
  /// The sections of nodes that several scenes state, by −1 and less.
  private var layers: [[Int]] = []
  private var reported: Set<String> = []
  private var spent = 0

  /// Opens a file and finds its particle nodes.
  /// - Throws: ``ParticlesCore/Rule/lookAlike`` with the contents, if there is none, and
  ///   ``ParticlesCore/Rule/foreign`` for a file of Godot 2.
  init(
    _ bytes: [UInt8], limits: Limits,
    find: @escaping (String) throws(Failure) -> [UInt8]? = { _ in nil }
  ) throws(Failure) {
    file = try GodotText(bytes, limits: limits)
    (self.limits, self.find) = (limits, find)
    files = [GodotFile(file)]
    let header = file.sections.first
    guard let header, ["gd_scene", "gd_resource"].contains(header.tag) else {
      throw Diagnostic(.emitterRoot, expected: "[gd_scene] or [gd_resource]", found: "neither")
    }
    let format = header.attribute("format")?.number ?? 2
    guard format >= 2 else { throw ForeignKind.godot2.diagnostic() }
    generation = format < 3 ? .three : .four
    for (index, section) in file.sections.enumerated() {
      switch section.tag {
      case "resource":
        guard let type = header.text("type"), GodotClass.processes.contains(type) else { continue }
        let flags = ["particle_flag_disable_z", "flag_disable_z"]
        let isPlane = flags.contains { value($0, in: index) == .flag(true) }
        let kind = GodotClass.material(generation, isSpace: !isPlane)
        emitters.append(GodotNode(section: nil, resource: index, name: "", kind: kind))
      default: break
      }
    }
    try addNodes()
    guard emitters.isEmpty else { return }
    throw Diagnostic(
      .lookAlike, expected: "a particle node, such as CPUParticles2D", found: contents(header))
  }

  /// The contents of a file without particles, for a message.
  private func contents(_ header: GodotText.Section) -> String {
    guard header.tag == "gd_scene" else {
      return "a resource of type \(header.text("type")?.excerpt ?? "unknown")"
    }
    return others.isEmpty ? "a scene without nodes" : "a scene of \(list(others))"
  }

  /// Classes with counts, the most frequent first: "3 Sprite2D, 1 Camera2D".
  func list(_ classes: [String: Int]) -> String {
    let sorted = classes.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
    let shown = sorted.prefix(6).map { "\($0.value) \($0.key)" }
    return (shown + (sorted.count > 6 ? ["others"] : [])).joined(separator: ", ")
  }

  /// Reports the nodes that are not particles and hold more than other nodes.
  func reportOthers() {
    let containers = ["Node", "Node2D", "Node3D", "Spatial", "CanvasLayer"]
    let others = others.filter { !containers.contains($0.key) }
    guard !others.isEmpty else { return }
    report(
      Diagnostic(
        .uninterpreted, at: .key("node"), "other nodes of the scene are not imported",
        found: list(others)))
  }

  // MARK: Nodes

  private func addNodes() throws(Failure) {
    let nodes = try GodotTree(self).nodes
    var positions: [GodotPosition] = []
    for node in nodes {
      let above = node.parent.map { positions[$0] } ?? GodotPosition()
      var section = node.sections[0]
      if node.sections.count > 1 {
        layers.append(node.sections)
        section = -layers.count
      }
      positions.append(GodotPosition(above: above, in: self, section: section, type: node.type))
      guard let kind = GodotClass(node.type, generation) else {
        others[node.type.isEmpty ? "instance" : node.type.excerpt, default: 0] += 1
        continue
      }
      // An emitter takes up more memory than its line.
      try spend(64, at: node.name)
      var emitter = GodotNode(section: section, resource: nil, name: node.name, kind: kind)
      (emitter.position, emitter.above) = (positions[positions.count - 1], above)
      if let base = node.sections.last, isElsewhere(base) {
        emitter.file = files[fileIndex(of: base)].path
      }
      emitters.append(emitter)
      try limits.checkEmitters(emitters.count, at: .key(node.name.excerpt))
    }
  }

  // MARK: Values

  /// Spends a part of the budget.
  func spend(_ count: Int, at key: String) throws(Failure) {
    spent += count
    try limits.check(spent, { $0.objects }, "elements of resources", at: .key(key))
  }

  /// The section that states a key: `section`, or the first section of a node that several scenes state. Or nil.
  private func owner(of key: String, in section: Int) -> (
    section: Int, property: GodotText.Property
  )? {
    guard section >= 0 else {
      for layer in layers[-1 - section] {
        if let found = owner(of: key, in: layer) { return found }
      }
      return nil
    }
    let file = files[fileIndex(of: section)]
    return file.text.property(key, in: section - file.first).map { (section, $0) }
  }

  /// A value of a section. Nil if it is absent, or, after a report, if it does not follow the grammar.
  func value(_ key: String, in section: Int) -> GodotValue? { located(key, in: section)?.value }

  private func located(_ key: String, in section: Int) -> (value: GodotValue, file: GodotFile)? {
    guard let (owner, property) = owner(of: key, in: section) else { return nil }
    let file = files[fileIndex(of: owner)]
    if let value = (try? file.text.value(property.value, limits: limits)) ?? nil {
      return (value, file)
    }
    report(
      Diagnostic(
        .emitterValue, at: .key(key), expected: "a value",
        found: file.text.text(property.value.prefix(60)).excerpt))
    return nil
  }

  /// The text of a value, at most 4096 bytes. Empty if it is absent.
  func text(_ key: String, in section: Int) -> String {
    guard let (owner, property) = owner(of: key, in: section) else { return "" }
    return files[fileIndex(of: owner)].text.text(property.value.prefix(4096))
  }

  func keys(of section: Int) -> [String] {
    guard section >= 0 else { return layers[-1 - section].flatMap(keys) }
    let file = files[fileIndex(of: section)]
    return file.text.sections[section - file.first].properties.map { file.text.text($0.key) }
  }

  /// Reports the numbers that are not finite and that no row has reported: a default takes their place.
  func reportInfiniteNumbers() {
    for file in files {
      for (index, section) in file.text.sections.enumerated() {
        for property in section.properties {
          // Each finding is compared with the earlier findings.
          guard diagnostics.count < Self.mostFindings else { return }
          guard file.text.mayHaveInfiniteNumbers(property.value) else { continue }
          let key = file.text.text(property.key)
          guard let found = value(key, in: file.first + index)?.infiniteNumbers.first,
            !hasReported(found.excerpt, at: key)
          else { continue }
          let owner = section.tag == "node" ? section.text("name") : section.id
          report(
            Diagnostic(
              .emitterValue, at: .key(owner.map { "\($0.excerpt).\(key)" } ?? key),
              expected: "finite numbers", found: found.excerpt))
        }
      }
    }
  }

  private func hasReported(_ value: String, at key: String) -> Bool {
    diagnostics.contains { finding in
      finding.rule == .emitterValue
        && finding.location.position?.description.hasSuffix(key) == true
        && finding.found?.contains(value) == true
    }
  }

  /// A key may be asked for more than once.
  func report(_ finding: Diagnostic) {
    let isNew = reported.insert("\(finding.rule.code) \(finding)").inserted
    if isNew, diagnostics.count < Self.mostFindings { diagnostics.append(finding) }
  }

  private static let mostFindings = 1000

  /// The section of the resource that a property refers to, in this file or another file. Nil for
  /// other values, and for a file that cannot be read.
  func resource(_ key: String, in section: Int) -> Int? {
    guard let (value, file) = located(key, in: section) else { return nil }
    if let id = value.reference("SubResource") { return file.subResources[id] }
    guard let external = value.reference("ExtResource").flatMap({ file.externals[$0] }),
      let path = path(of: external), GodotFile.isResource(path),
      case .success(let other) = load(external)
    else { return nil }
    return files[other].resource
  }

  /// The section with the path of the resource in another file that a property refers to.
  func external(_ key: String, in section: Int) -> Int? {
    guard let (value, file) = located(key, in: section) else { return nil }
    return value.reference("ExtResource").flatMap { file.externals[$0] }
  }

  /// The section and the key of a path from a node: every part but the last names a resource. nil if there is no such
  /// resource.
  func resolve(_ path: String, from node: GodotNode) -> (section: Int, key: String)? {
    var steps = path.split(separator: "/", omittingEmptySubsequences: false)
    guard var section = node.section ?? node.resource, let key = steps.popLast() else { return nil }
    if node.section == nil {
      // The process material is the file itself.
      guard !steps.isEmpty else { return nil }
      steps.removeFirst()
    }
    for step in steps {
      guard let next = resource(String(step), in: section) else { return nil }
      section = next
    }
    return (section, String(key))
  }

  /// The type of the resource in a section.
  func type(of section: Int) -> String {
    let own = self.section(section)
    return own.tag == "resource"
      ? files[fileIndex(of: section)].text.sections[0].text("type") ?? "" : own.text("type") ?? ""
  }
}

/// A particle node, or a material of particles that is a file of its own.
struct GodotNode {
  /// Its section. Nil for a material.
  let section: Int?
  /// The section of a material that is a file of its own.
  let resource: Int?
  let name: String
  let kind: GodotClass
  var position = GodotPosition()
  /// The position of its parent.
  var above = GodotPosition()
  /// The path of the scene that it is in, or nil for the opened scene.
  var file: String?
}

// Other files that a scene refers to. The caller of the decoder finds them. Each is read once, when
// one of its values is needed.

extension GodotScene {
  func fileIndex(of section: Int) -> Int {
    section < file.sections.count ? 0 : files.lastIndex { $0.first <= section } ?? 0
  }

  func section(_ number: Int) -> GodotText.Section {
    let file = files[fileIndex(of: number)]
    return file.text.sections[number - file.first]
  }

  /// Whether a section is in another file.
  func isElsewhere(_ section: Int) -> Bool { section >= file.sections.count }

  /// The path of a resource in another file, from the root of the project.
  func path(of external: Int) -> String? {
    section(external).text("path").map { files[fileIndex(of: external)].absolute($0) }
  }

  /// The index of the file that an external resource is.
  /// - Parameter external: the section that states its path.
  func load(_ external: Int) -> Result<Int, GodotFileFault> {
    if let known = loads[external] { return known }
    let result: Result<Int, GodotFileFault>
    do {
      result = try open(external)
    } catch {
      let message = Diagnostic.of(error)?.message ?? "the task was cancelled"
      result = .failure(
        GodotFileFault(reason: "cannot be read: \(message)", hint: "repair the file in Godot"))
    }
    loads[external] = result
    return result
  }

  private func open(_ external: Int) throws(Failure) -> Result<Int, GodotFileFault> {
    let above = fileIndex(of: external)
    guard let path = path(of: external) else { return .failure(.missing) }
    let chain = Array(sequence(first: above) { self.files[$0].above })
    if let start = chain.firstIndex(where: { files[$0].path == path }) {
      return .failure(
        .cycle(chain[...start].reversed().compactMap { files[$0].path } + [path]))
    }
    if let known = files.firstIndex(where: { $0.path == path }) { return .success(known) }
    // Opening a file takes as long as many steps of work.
    try EmitterCost.spend(onSearching: 20)
    guard let bytes = try find(path) else { return .failure(.missing) }
    if bytes == file.bytes { return .failure(.cycle([path])) }
    let isBinary = [Array("RSRC".utf8), Array("RSCC".utf8)].contains { bytes.starts(with: $0) }
    if isBinary { return .failure(.binary) }
    let count = files.reduce(bytes.count) { $0 + $1.text.bytes.count }
    try limits.checkText(count, "bytes of text of a scene and the files that it refers to")
    let text = try GodotText(bytes, limits: limits)
    let keys = text.sections.reduce(text.sections.count) { $0 + $1.properties.count }
    try spend(keys, at: path)
    guard let found = GodotGeneration(header: bytes) else {
      return .failure(
        GodotFileFault(reason: "is no text file of Godot", hint: "save it as text in Godot"))
    }
    guard found == generation else {
      return .failure(
        GodotFileFault(
          reason: "is one of Godot \(found.rawValue)",
          hint: "save it in Godot \(generation.rawValue)"))
    }
    let last = files[files.count - 1]
    files.append(
      GodotFile(text, path: path, first: last.first + last.text.sections.count, above: above))
    return .success(files.count - 1)
  }

  /// Reports references to resources that the file does not have, such as after it was cut off. The engine does not open it.
  func reportLostReferences() {
    let (kinds, scene) = (["SubResource", "ExtResource"], files[0])
    for section in file.sections {
      let owner = (section.text("name") ?? section.id)?.excerpt
      func check(_ kind: String, _ id: String, _ key: String) {
        let known = kind == kinds[0] ? scene.subResources : scene.externals
        guard known[id] == nil else { return }
        report(
          Diagnostic(
            .emitterValue, at: .key(owner.map { "\($0).\(key)" } ?? key),
            "the file has no such resource, and Godot does not open it",
            expected: "a section of this resource", found: "\(kind)(\"\(id.excerpt)\")"))
      }
      for (name, value) in section.attributes {
        for kind in kinds { value.reference(kind).map { check(kind, $0, name) } }
      }
      for property in section.properties where file.mayHaveReferences(property.value) {
        for reference in file.references(kinds, in: property.value) {
          check(reference.kind, reference.id, file.text(property.key))
        }
      }
    }
  }

  /// The files that were read besides the scene, by their paths in a package.
  var related: [String: [UInt8]] {
    let pairs = files.compactMap { file in
      file.path.flatMap(Imported.relatedPath).map { ($0, file.text.bytes) }
    }
    return Dictionary(first: pairs)
  }

  /// The path of the file, other than the scene itself, that a value is in, or would be. Nil for values of the scene.
  /// - Parameter path: the path of the value from the node.
  func holder(of path: String, from node: GodotNode) -> String? {
    if let file = node.file { return file }
    var steps = path.split(separator: "/").map(String.init)
    guard var section = node.section ?? node.resource, steps.popLast() != nil else { return nil }
    if node.section == nil, !steps.isEmpty { steps.removeFirst() }
    for step in steps {
      guard let next = resource(step, in: section) else {
        return external(step, in: section).flatMap(self.path)
      }
      section = next
      if isElsewhere(section) { return files[fileIndex(of: section)].path }
    }
    return nil
  }
}

extension Imported {
  /// The path in a package for a file that the imported file refers to, by its path in a project or
  /// by its identifier in Unity. Nil if a package cannot have the name.
  package static func relatedPath(of reference: String) -> String? {
    let mark = ["res://", "/", "guid:"].first { reference.hasPrefix($0) } ?? ""
    let path = String(reference.dropFirst(mark.count))
    let steps = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard steps.count <= 8, steps.allSatisfy({ ImportedImage.packageName($0) == $0 }) else {
      return nil
    }
    return "\(relatedFolder)/\(path)"
  }

  /// The folder of a package with the files that the imported one refers to.
  private static let relatedFolder = "Source/project"
}

/// The nodes of a scene, with the nodes of scenes that it instances or inherits.
struct GodotTree {
  struct Node {
    var name: String
    var type: String
    /// The sections with its properties. The first section that has a property counts: scenes override their instances.
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
  /// The scenes that nodes instance. The root has the scene that a scene inherits.
  private var instances: [Key: Int] = [:]
  private var sceneCount = 0
  /// The limit of scenes, and of nodes in a scene, that a path leads through.
  private static let mostSteps = 32
  private let scene: GodotScene

  init(_ scene: GodotScene) throws(Failure) {
    self.scene = scene
    try add(0, as: nil, below: [])
  }

  /// Adds the nodes of a file.
  /// - Parameters:
  ///   - root: the node that instances the file, and becomes its root. Nil for the scene itself.
  ///   - above: the files that are being added.
  /// - Returns: the number of the scene.
  @discardableResult
  private mutating func add(_ index: Int, as root: Int?, below above: [Int]) throws(Failure) -> Int
  {
    try scene.limits.check(above.count, { $0.nesting }, "levels of scenes in scenes")
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
        // Each value is searched for in all sections.
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

  /// The index of the file that a node instances. Nil if it cannot be read, with a report unless it is just missing.
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

/// The references of a particle node: the paths of its material, mesh and image, and its parent.
struct GodotPlace {
  let kind: GodotClass
  /// The position of the parent of the node.
  let above: GodotPosition
  /// The colour that the node is tinted with.
  let tint: Color
  /// The path of the material that is drawn with, and of the mesh in 3D.
  var look: String
  var mesh: String
  /// Width and height of the mesh.
  var meshSize = Vector2(1, 1)
  /// The mesh, if it is not a rectangle.
  var body: String?
  /// The share of the slots that are used.
  var share = 1.0
  /// Whether particles are launched away from the centre only.
  var isRadial = false

  init(_ scene: GodotScene, _ node: GodotNode) {
    (kind, above, tint) = (node.kind, node.above, node.position.ownTint)
    mesh = kind.isGPU ? "draw_pass_1" : "mesh"
    look = kind.isSpace ? "\(mesh)/material" : "material"
    if let mesh = scene.resolve("\(mesh)/size", from: node)?.section { readMesh(scene, mesh) }
    guard let section = node.section else { return }
    if kind.isSpace, scene.value("material_override", in: section) != nil {
      look = "material_override"
    }
    if kind.isGPU, kind.generation == .four,
      let share = scene.value("amount_ratio", in: section)?.number, 0.0001...1 ~= share
    {
      self.share = share
    }
  }

  /// The path of a property of the material that is drawn with, which in Godot 3 has a prefix in 3D.
  func key(_ mode: String) -> String {
    "\(look)/\(kind.isSpace && kind.generation == .three ? "params_" : "")\(mode)"
  }

  /// The path of the image.
  var image: String { kind.isSpace ? "\(look)/albedo_texture" : "texture" }

  /// Reads the size and the type of the mesh.
  private mutating func readMesh(_ scene: GodotScene, _ section: Int) {
    func number(_ key: String, _ standard: Double) -> Double {
      let number = scene.value(key, in: section)?.number ?? standard
      return 1e-6..<1e6 ~= number ? number : standard
    }
    let type = scene.type(of: section)
    if ["SphereMesh", "CapsuleMesh", "CylinderMesh"].contains(type) {
      let radius = number("radius", number("top_radius", 0.5))
      meshSize = Vector2(2 * radius, number("height", type == "SphereMesh" ? 1 : 2))
    }
    let size = scene.value("size", in: section)?.components ?? []
    if size.count >= 2, size.allSatisfy({ 1e-6..<1e6 ~= $0 }) {
      meshSize = Vector2(size[0], size[1])
    }
    if type != "QuadMesh" { body = type }
  }
}
