import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport

/// A Swift file of the project, read as text.
struct SourceFile: Sendable {
  /// The path from the root of the repository.
  var path: String
  /// The target: the folder under Sources or Tests.
  var module: String
  var lines: [Substring]
  /// The modules it imports, however it does so.
  let imports: [String]

  init(path: String, module: String, lines: [Substring]) {
    (self.path, self.module, self.lines) = (path, module, lines)
    imports = lines.compactMap { line in
      // An import has few words. Most lines end the search at their first word.
      let words = line.split(separator: " ", maxSplits: 5)
      let rest = words.drop { $0.hasPrefix("@") || Self.modifiers.contains($0) }
      guard rest.first == "import" else { return nil }
      return rest.dropFirst().first { !Self.modifiers.contains($0) }.map {
        String($0.prefix { $0 != "." })
      }
    }
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private", "struct", "enum", "class", "func",
    "protocol",
  ]

  var name: String { Files.lastComponent(of: path) }

  /// The lines that are not comments, with their numbers.
  var code: [(number: Int, text: Substring)] {
    zip(1..., lines).filter { !$0.1.drop { $0 == " " }.hasPrefix("//") }
  }

  /// All files in a folder. Files of the libraries are read once.
  static func all(under folder: String = "Sources") throws -> [SourceFile] {
    folder == "Sources" ? try sources.get() : try read(folder)
  }

  private static let sources = Result { try read("Sources") }

  private static func read(_ folder: String) throws -> [SourceFile] {
    try files(under: folder).filter { $0.hasSuffix(".swift") }.map { path in
      let text = String(decoding: try Files.read(Repository.path(path)), as: UTF8.self)
      return SourceFile(
        path: path, module: String(path.split(separator: "/")[1]),
        lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  /// The paths of all files in a folder of the repository.
  static func files(under folder: String) throws -> [String] {
    try Files.list(Repository.path(folder)).flatMap { name in
      let path = "\(folder)/\(name)"
      let kind = try Files.status(Repository.path(path), followingLinks: false)?.kind
      return kind == .directory ? try files(under: path) : [path]
    }
  }
}
