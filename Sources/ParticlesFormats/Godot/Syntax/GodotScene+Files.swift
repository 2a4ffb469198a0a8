internal import ParticlesCore
internal import ParticlesModel

// Other files that a scene refers to. They are found by the caller of the decoder, read when a value of them is
// asked for, and each only once.

extension GodotScene {
  /// The index of the file that a section is in.
  func fileIndex(of section: Int) -> Int {
    section < file.sections.count ? 0 : files.lastIndex { $0.first <= section } ?? 0
  }

  /// A section of a file.
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
      result = .success(try open(external))
    } catch let fault as GodotFileFault {
      result = .failure(fault)
    } catch {
      let message = (error as? Diagnostic)?.message ?? "\(error)"
      result = .failure(
        GodotFileFault(reason: "cannot be read: \(message)", hint: "repair the file in Godot"))
    }
    loads[external] = result
    return result
  }

  private func open(_ external: Int) throws -> Int {
    let above = fileIndex(of: external)
    guard let path = path(of: external) else { throw GodotFileFault.missing }
    let chain = Array(sequence(first: above) { self.files[$0].above })
    if let start = chain.firstIndex(where: { files[$0].path == path }) {
      throw GodotFileFault.cycle(chain[...start].reversed().compactMap { files[$0].path } + [path])
    }
    if let known = files.firstIndex(where: { $0.path == path }) { return known }
    // Opening a file takes as long as many steps of work.
    try EmitterCost.spend(onSearching: 20)
    guard let bytes = try find(path) else { throw GodotFileFault.missing }
    if bytes == file.bytes { throw GodotFileFault.cycle([path]) }
    let isBinary = [Array("RSRC".utf8), Array("RSCC".utf8)].contains { bytes.starts(with: $0) }
    if isBinary { throw GodotFileFault.binary }
    let count = files.reduce(bytes.count) { $0 + $1.text.bytes.count }
    try limits.checkText(count, "bytes of text of a scene and the files that it refers to")
    let text = try GodotText(bytes, limits: limits)
    let keys = text.sections.reduce(text.sections.count) { $0 + $1.properties.count }
    try spend(keys, at: path)
    guard let found = GodotGeneration(header: bytes) else {
      throw GodotFileFault(
        reason: "is no text file of Godot", hint: "save it as text in Godot")
    }
    guard found == generation else {
      throw GodotFileFault(
        reason: "is one of Godot \(found.rawValue)",
        hint: "save it in Godot \(generation.rawValue)")
    }
    let last = files[files.count - 1]
    files.append(
      GodotFile(text, path: path, first: last.first + last.text.sections.count, above: above))
    return files.count - 1
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

  /// The other files that were read, by their paths in a package.
  var related: [String: [UInt8]] {
    let pairs = files.compactMap { file in
      file.path.flatMap(Imported.relatedPath).map { ($0, file.text.bytes) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// The path of the file, other than the scene itself, that a value is in, or would be; nil for values of the scene.
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
  /// The path in a package of a file that the imported one refers to by its path in a project, or by its identifier in Unity;
  /// nil if a package cannot have the name.
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
