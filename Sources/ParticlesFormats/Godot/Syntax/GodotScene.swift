internal import ParticlesCore

/// An open scene or resource of Godot: its resources and its particle nodes.
///
/// This is a class, because everything that is read from one file shares a budget: a few bytes may
/// refer to a large curve often.
final class GodotScene {
  /// The text of the scene itself.
  let file: GodotText
  let generation: GodotGeneration
  let limits: Limits
  /// The bytes of another file by its path in the project; nil if there is none.
  let find: (String) throws -> [UInt8]?

  /// The files that were read: the scene itself, and those that it refers to.
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
  /// - Throws: ``ParticlesCore/Rule/lookAlike`` with the contents, if there is none; ``ParticlesCore/Rule/foreign`` for a
  ///   file of Godot 2.
  init(
    _ bytes: [UInt8], limits: Limits, find: @escaping (String) throws -> [UInt8]? = { _ in nil }
  ) throws {
    file = try GodotText(bytes, limits: limits)
    (self.limits, self.find) = (limits, find)
    files = [GodotFile(file)]
    let header = file.sections.first
    guard let header, ["gd_scene", "gd_resource"].contains(header.tag) else {
      throw Diagnostic(.emitterRoot, expected: "[gd_scene] or [gd_resource]", found: "neither")
    }
    let format = header.attribute("format")?.number ?? 2
    guard format >= 2 else { throw LookAlike.godot2.diagnostic() }
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

  private func addNodes() throws {
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
  func spend(_ count: Int, at key: String) throws {
    spent += count
    try limits.check(spent, \.objects, "elements of resources", at: .key(key))
  }

  /// The section that states a key: the section itself, or the first one of a node that several scenes state; nil if none does.
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

  /// A value of a section; nil if it is absent, or, after a report, if it does not follow the grammar.
  func value(_ key: String, in section: Int) -> GodotValue? { located(key, in: section)?.value }

  /// The same with the file that it is in.
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

  /// The text of a value, at most 4096 bytes of it; empty if it is absent.
  func text(_ key: String, in section: Int) -> String {
    guard let (owner, property) = owner(of: key, in: section) else { return "" }
    return files[fileIndex(of: owner)].text.text(property.value.prefix(4096))
  }

  /// The keys of a section.
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
          // Each finding is compared with those before it.
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

  /// The section of the resource that a property refers to, in this file or another one; nil for other values, and for a
  /// file that cannot be read.
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
  /// Its section; nil for a material.
  let section: Int?
  /// The section of a material that is a file of its own.
  let resource: Int?
  let name: String
  let kind: GodotClass
  var position = GodotPosition()
  /// The position of its parent.
  var above = GodotPosition()
  /// The path of the scene that it is in, if that is not the one that was opened.
  var file: String?
}
