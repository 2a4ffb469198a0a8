/// A desktop entry (`.desktop`): a program as the menus of a desktop show it, and what it opens.
package struct DesktopEntry: Sendable, Hashable {
  /// What people call the program.
  package var name: String
  /// What it is for, in a line.
  package var comment: String?
  /// How it is run, with a field code such as `%F` for what is to be opened.
  package var command: String
  /// The program whose presence shows that it is installed.
  package var program: String?
  /// The name of its icon.
  package var icon: String?
  /// The MIME types that it opens.
  package var mimeTypes: [String]
  /// Other ways to run it, for its menu: an identifier, what people read, and a command.
  package var actions: [Action]
  /// Whether it talks to a terminal.
  package var needsTerminal: Bool
  /// Whether menus leave it out, since it is only run to open something.
  package var isHidden: Bool

  /// Another way to run the program.
  package struct Action: Sendable, Hashable {
    /// The name among the actions.
    package var identifier: String
    /// What people read.
    package var name: String
    /// How it is run.
    package var command: String

    /// Creates an action.
    package init(_ identifier: String, name: String, command: String) {
      self.identifier = identifier
      self.name = name
      self.command = command
    }
  }

  /// Creates an entry.
  package init(
    name: String, comment: String? = nil, command: String, program: String? = nil,
    icon: String? = nil, mimeTypes: [String] = [], actions: [Action] = [],
    needsTerminal: Bool = false, isHidden: Bool = false
  ) {
    self.name = name
    self.comment = comment
    self.command = command
    self.program = program
    self.icon = icon
    self.mimeTypes = mimeTypes
    self.actions = actions
    self.needsTerminal = needsTerminal
    self.isHidden = isHidden
  }

  /// An entry for what a program claims. Types that are directories are left out: there is no telling
  /// them from folders, and the program would become the one that opens all of those. So are those
  /// that the program ranks as None.
  package init(
    _ file: TypesFile, types: TypeRegistry, command: String, program: String? = nil,
    icon: String? = nil, needsTerminal: Bool = false
  ) {
    let claims = file.claims.map(\.value.claim).filter {
      $0.rank != .none && $0.role.satisfies(nil)
    }
    let claimed = claims.flatMap(\.types).map { UniformType(importedAs: $0, in: types) }
    var names: [String] = []
    for type in claimed where !type.conforms(to: .directory) {
      let name = SharedMIMEInfo.name(of: type)
      if !names.contains(name) { names.append(name) }
    }
    self.init(
      name: file.handler.name ?? file.handler.identifier, command: command, program: program,
      icon: icon, mimeTypes: names, needsTerminal: needsTerminal)
  }

  /// The file.
  package var text: String {
    var lines = ["[Desktop Entry]", "Type=Application", "Name=\(name.inKeyFile)"]
    if let comment { lines.append("Comment=\(comment.inKeyFile)") }
    lines.append("Exec=\(command.inKeyFile)")
    if let program { lines.append("TryExec=\(program.inKeyFile)") }
    if let icon { lines.append("Icon=\(icon.inKeyFile)") }
    lines.append("Terminal=\(needsTerminal)")
    if isHidden { lines.append("NoDisplay=true") }
    if !mimeTypes.isEmpty { lines.append("MimeType=\(Self.list(mimeTypes))") }
    if !actions.isEmpty { lines.append("Actions=\(Self.list(actions.map(\.identifier)))") }
    for action in actions {
      lines += ["", "[Desktop Action \(action.identifier)]"]
      lines += ["Name=\(action.name.inKeyFile)", "Exec=\(action.command.inKeyFile)"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  package static func list(_ values: [String]) -> String {
    values.map { $0.inKeyFile.replacing(";", with: "\\;") + ";" }.joined()
  }
}

extension String {
  /// This text as the value of a key in the files of a desktop.
  package var inKeyFile: String {
    replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\r", with: "\\r")
      .replacing("\t", with: "\\t")
  }
}
