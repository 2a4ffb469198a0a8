import ParticlesCore
import ParticlesTestSupport

/// A Swift file of the project, read as text.
struct SourceFile: Sendable {
  /// The path from the root of the repository.
  var path: String
  /// The target: the folder under Sources or Tests.
  var module: String
  var lines: [Substring]

  var name: String { Files.lastComponent(of: path) }

  /// The lines that are not comments, with their numbers.
  var code: [(number: Int, text: Substring)] {
    zip(1..., lines).filter { !$0.1.drop { $0 == " " }.hasPrefix("//") }
  }

  /// The modules it imports, however it does so.
  var imports: [String] {
    let word = /(@\w+|public|package|internal|fileprivate|private|struct|enum|class|func|protocol)/
    return lines.compactMap { line in
      var words = line.split(separator: " ").filter { $0.wholeMatch(of: word) == nil }[...]
      guard words.popFirst() == "import" else { return nil }
      return words.first.map { String($0.prefix { $0 != "." }) }
    }
  }

  /// All files in a folder.
  static func all(under folder: String = "Sources") throws -> [SourceFile] {
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
