internal import ParticlesCore

// Desktop entries (`.desktop`): which MIME types a program opens.

extension TypesFile {
  /// Reads a desktop entry. A MIME type becomes the declared type that has it, or else a dynamic one.
  /// - Parameters:
  ///   - text: the contents of the file.
  ///   - identifier: the identifier of the entry: its file name, such as `org.example.app.desktop`.
  ///   - registry: the declared types.
  ///   - path: the path of the file.
  package init(
    desktopEntry text: String, identifier: String, types registry: TypeRegistry = .standard,
    path: String? = nil
  ) {
    let file = KeyFile(text)
    let group = "Desktop Entry"
    self.init(
      handler: Handler(identifier, name: file["Name", in: group]),
      source: DeclarationSource(.desktop, owner: identifier, path: path))
    guard file.groups.contains(group) else {
      faults.append(Diagnostic(.typesStructure, expected: "a group [Desktop Entry]"))
      return
    }
    if file["Name", in: group]?.isEmpty ?? true {
      faults.add(.typesStructure, at: .key("Name"), expected: "the name of the program")
    }
    if file["Type", in: group]?.isEmpty ?? true {
      faults.add(.typesStructure, at: .key("Type"), expected: "Application, for a program")
    }
    let names = file.list("MimeType", in: group)
    guard !names.isEmpty else { return }
    let types = names.map { name in
      name.caseFolded == "inode/directory"
        ? "public.folder"
        : UniformType(tag: name, tagClass: .mimeType, conformingTo: .data, in: registry)?.identifier
          ?? DynamicIdentifier(tag: name, tagClass: .mimeType, conformingTo: ["public.data"])
          .identifier
    }
    // A desktop entry does not state whether the program writes such files.
    let claim = HandlerClaim(
      by: handler, to: types, name: file["Name", in: group], role: .viewer, source: source)
    let keys = names.indices.map { "MimeType[\($0)]" }
    let form = ClaimForm(claim: claim, role: claim.role.rawValue, typeKeys: keys, namesTypes: false)
    claims.append(.init(form, at: "MimeType"))
  }
}

/// A file of groups of keys, as desktops use for entries and associations.
///
/// Malformed lines are skipped.
package struct KeyFile: Sendable {
  /// The groups, in the order in which they begin.
  package private(set) var groups: [String] = []

  private var values: [String: [String: String]] = [:]

  /// Reads a file.
  package init(_ text: String) {
    var current: String?
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("["), let end = line.lastIndex(of: "]") {
        let name = String(line[line.index(after: line.startIndex)..<end])
        if values[name] == nil {
          groups.append(name)
          values[name] = [:]
        }
        current = name
      } else if !line.hasPrefix("#"), let equals = line.firstIndex(of: "="), let current {
        let key = Self.trimmed(line[..<equals])
        values[current, default: [:]][key] = Self.trimmed(line[line.index(after: equals)...])
      }
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let text = text.drop(while: \.isWhitespace)
    return String(text.reversed().drop(while: \.isWhitespace).reversed())
  }

  /// The value of a key, not unescaped.
  package subscript(key: String, in group: String) -> String? { values[group]?[key] }

  /// The keys of a group in byte order.
  package func keys(of group: String) -> [String] { (values[group] ?? [:]).keys.sorted() }

  /// The parts of a value between semicolons, without empty ones.
  package func list(_ key: String, in group: String) -> [String] {
    (self[key, in: group] ?? "").split(separator: ";").map { Self.trimmed($0) }
      .filter { !$0.isEmpty }
  }
}
