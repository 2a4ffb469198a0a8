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

  /// The MIME types of the files that it opens.
  package let mimeTypes: [String]

  /// Whether the entry marks the program as deleted.
  package let isHidden: Bool

  static let group = "Desktop Entry"

  init?(_ file: KeyFile, identifier: String, path: String) {
    guard file.groups.contains(Self.group) else { return nil }
    self.identifier = identifier
    self.path = path
    name = file["Name", in: Self.group] ?? identifier
    exec = file["Exec", in: Self.group] ?? ""
    tryExec = file["TryExec", in: Self.group]
    mimeTypes = file.list("MimeType", in: Self.group).map(\.caseFolded)
    isHidden = file["Hidden", in: Self.group] == "true"
  }

  /// Whether the command line has a field for the file to open.
  package var takesFiles: Bool {
    ["%f", "%F", "%u", "%U"].contains { exec.contains($0) }
  }
}

extension DesktopProgram {
  /// Returns the entries below some data folders. Of several with one identifier, that of the
  /// folder with the highest precedence is used, even if it marks the program as deleted.
  static func all(in folders: [String], _ limits: Limits) throws -> [DesktopProgram] {
    var seen: Set<String> = []
    var entries: [DesktopProgram] = []
    for folder in folders {
      try collect(
        Files.joined(folder, "applications"), prefix: "", depth: 0, limits, &seen, &entries)
    }
    return entries.filter { !$0.isHidden }
  }

  /// The maximum depth of nested folders.
  private static let levels = 8

  private static func collect(
    _ folder: String, prefix: String, depth: Int, _ limits: Limits, _ seen: inout Set<String>,
    _ entries: inout [DesktopProgram]
  ) throws {
    guard depth < levels, try Files.status(folder)?.kind == .directory else { return }
    // Identifiers are text, so names that are not UTF-8 are skipped.
    for name in try Files.list(folder, passingOver: { _ in }) {
      let path = Files.joined(folder, name)
      switch try Files.status(path)?.kind {
      case .directory:
        try collect(path, prefix: "\(prefix)\(name)-", depth: depth + 1, limits, &seen, &entries)
      case .file where Files.pathExtension(of: name) == "desktop":
        let identifier = prefix + name
        guard seen.insert(identifier).inserted else { continue }
        let text = String(decoding: try Files.read(path, limits: limits), as: UTF8.self)
        if let entry = DesktopProgram(KeyFile(text), identifier: identifier, path: path) {
          entries.append(entry)
        }
      default: break
      }
    }
  }
}
