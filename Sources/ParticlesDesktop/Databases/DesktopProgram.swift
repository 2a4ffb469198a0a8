internal import ParticlesCore
internal import ParticlesTypes

/// A desktop entry of a program (Desktop Entry Specification 1.5).
package struct DesktopProgram: Sendable, Hashable {
  /// The identifier: the path below `applications` with hyphens instead of slashes, such as
  /// `org.gimp.desktop`.
  package let identifier: String

  /// The path of the entry.
  package let path: String

  /// The name for users.
  package let name: String

  /// The command line; empty if there is none.
  package let exec: String

  /// The program that must be installed; nil if none is named.
  package let tryExec: String?

  /// The folder that the program is started in; nil if none is named.
  private let folder: String?

  /// The MIME types of the files that it opens.
  package let mimeTypes: [String]

  /// Whether the entry marks the program as deleted.
  package let isHidden: Bool

  /// Whether the entry is one of an application.
  private let isApplication: Bool

  static let group = "Desktop Entry"

  init?(_ file: KeyFile, identifier: String, path: String) {
    guard file.groups.contains(Self.group) else { return nil }
    self.identifier = identifier
    self.path = path
    name = file["Name", in: Self.group] ?? identifier
    exec = (file["Exec", in: Self.group] ?? "").outOfKeyFile
    tryExec = file["TryExec", in: Self.group]?.outOfKeyFile
    folder = file["Path", in: Self.group]?.outOfKeyFile
    mimeTypes = file.list("MimeType", in: Self.group).map(\.caseFolded)
    isHidden = file["Hidden", in: Self.group] == "true"
    isApplication =
      file["Type", in: Self.group] == "Application" && file.groups.first == Self.group
  }

  /// Whether the command line has a field for the file to open.
  package var takesFiles: Bool {
    ["%f", "%F", "%u", "%U"].contains { exec.contains($0) }
  }

  /// Whether it is an application whose programs are installed. An entry without a command line is
  /// started over D-Bus.
  func canStart(searchPath: [String]) -> Bool {
    guard isApplication else { return false }
    if let tryExec, !tryExec.isEmpty, !isExecutable(tryExec, searchPath) { return false }
    if exec.isEmpty { return true }
    guard let word = ExecLine(exec)?.words.first else { return false }
    return isExecutable(word, searchPath)
  }

  private func isExecutable(_ program: String, _ searchPath: [String]) -> Bool {
    let places =
      program.contains("/")
      ? [program.hasPrefix("/") ? program : Files.joined(folder ?? "", program)]
      : searchPath.map { Files.joined($0, program) }
    return places.contains {
      let status = try? Files.status($0)
      return status?.kind == .file && status?.isExecutable == true
    }
  }
}

extension DesktopProgram {
  /// Returns the entries in the folder `applications` of each data folder.
  static func all(in folders: [String], _ limits: Limits) throws -> [[DesktopProgram]] {
    try folders.map { folder in
      var entries: [DesktopProgram] = []
      try collect(Files.joined(folder, "applications"), prefix: "", depth: 0, limits, &entries)
      return entries
    }
  }

  /// Of several entries with one identifier, returns that of the folder with the highest precedence,
  /// without those that mark a program as deleted.
  static func effective(_ folders: [[DesktopProgram]]) -> [DesktopProgram] {
    var seen: Set<String> = []
    return folders.joined().filter { seen.insert($0.identifier).inserted }.filter { !$0.isHidden }
  }

  /// The maximum depth of nested folders.
  private static let levels = 8

  private static func collect(
    _ folder: String, prefix: String, depth: Int, _ limits: Limits,
    _ entries: inout [DesktopProgram]
  ) throws {
    guard depth < levels, try Files.status(folder)?.kind == .directory else { return }
    // Identifiers are text, so names that are not UTF-8 are skipped.
    for name in try Files.list(folder, passingOver: { _ in }) {
      let path = Files.joined(folder, name)
      switch try Files.status(path)?.kind {
      case .directory:
        try collect(path, prefix: "\(prefix)\(name)-", depth: depth + 1, limits, &entries)
      case .file where Files.pathExtension(of: name) == "desktop":
        let text = String(decoding: try Files.read(path, limits: limits), as: UTF8.self)
        if let entry = DesktopProgram(KeyFile(text), identifier: prefix + name, path: path) {
          entries.append(entry)
        }
      default: break
      }
    }
  }
}

extension String {
  /// The text of the value of a key, without escapes.
  fileprivate var outOfKeyFile: String {
    var text = ""
    var rest = self[...]
    while let character = rest.popFirst() {
      guard character == "\\", let escaped = rest.popFirst() else {
        text.append(character)
        continue
      }
      switch escaped {
      case "s": text.append(" ")
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "\\": text.append("\\")
      default: text += "\\\(escaped)"
      }
    }
    return text
  }
}
