internal import ParticlesCore

/// A desktop entry (`.desktop`): a program in the menus of a desktop, and the MIME types that it opens.
package struct DesktopEntry: Sendable, Hashable {
  /// The name of the program for users.
  package var name: String
  /// Its purpose, in one line.
  package var comment: String?
  /// Its purpose in other languages, by their codes.
  package var comments: [String: String]
  /// The command line, with a field code such as `%F` for the files to open.
  package var command: String
  /// The executable that is present if the program is installed.
  package var program: String?
  package var icon: String?
  package var mimeTypes: [String]

  package init(
    name: String, comment: String? = nil, comments: [String: String] = [:], command: String,
    program: String? = nil, icon: String? = nil, mimeTypes: [String] = []
  ) {
    self.name = name
    self.comment = comment
    self.comments = comments
    self.command = command
    self.program = program
    self.icon = icon
    self.mimeTypes = mimeTypes
  }

  /// Creates an entry from the claims of a program. Types of directories are left out, because desktops
  /// do not distinguish them from folders and the program would open all folders. Claims of rank None,
  /// and types without a MIME type, are left out, too, see ``typesWithoutName(in:types:)``.
  package init(
    _ file: TypesFile, types: TypeRegistry, command: String, program: String? = nil
  ) {
    var names: [String] = []
    for type in Self.claimed(by: file, types) where !type.conforms(to: .directory) {
      if let name = SharedMIMEInfo.name(of: type), !names.contains(name) { names.append(name) }
    }
    // An entry must have a name.
    let title = [file.handler.name ?? "", file.handler.identifier].first { !$0.isEmpty }
    self.init(
      name: title ?? String(command.prefix { $0 != " " }), command: command, program: program,
      mimeTypes: names)
  }

  /// Returns the claimed types that an entry leaves out because they have no MIME type on desktops.
  package static func typesWithoutName(
    in file: TypesFile, types: TypeRegistry
  ) -> [UniformType] {
    claimed(by: file, types).filter {
      !$0.conforms(to: .directory) && SharedMIMEInfo.name(of: $0) == nil
    }
  }

  private static func claimed(by file: TypesFile, _ types: TypeRegistry) -> [UniformType] {
    file.claims.map { $0.value.claim }.filter { $0.rank != .none && $0.role.satisfies(nil) }
      .flatMap { $0.types }.map { UniformType(importedAs: $0, in: types) }
  }

  /// The contents of the file.
  package var text: String {
    var lines = ["[Desktop Entry]", "Type=Application", "Name=\(name.inKeyFile)"]
    if let comment { lines += Self.lines("Comment", comment, comments) }
    lines.append("Exec=\(command.inKeyFile)")
    if let program { lines.append("TryExec=\(program.inKeyFile)") }
    if let icon { lines.append("Icon=\(icon.inKeyFile)") }
    lines.append("Terminal=false")
    if !mimeTypes.isEmpty { lines.append("MimeType=\(Self.list(mimeTypes))") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The lines of a key with its value in each language.
  package static func lines(
    _ key: String, _ value: String, _ translations: [String: String]
  ) -> [String] {
    ["\(key)=\(value.inKeyFile)"]
      + translations.sorted { $0.key < $1.key }.map { "\(key)[\($0.key)]=\($0.value.inKeyFile)" }
  }

  package static func list(_ values: [String]) -> String {
    values.map { $0.inKeyFile.replacing(";", with: "\\;") + ";" }.joined()
  }
}

extension String {
  /// This text as the value of a key, escaped.
  package var inKeyFile: String {
    replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\r", with: "\\r")
      .replacing("\t", with: "\\t")
  }
}
