import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport

/// A page of the specification, cut into its parts.
struct SpecificationPage: Sendable {
  /// A paragraph, an item of a list or a row of a table, with the heading above it.
  struct Block: Sendable {
    var line: Int
    var heading: String
    var text: String
  }

  /// The path inside Spec.
  var name: String
  var headings: [String] = []
  var blocks: [Block] = []

  static func all() throws -> [SpecificationPage] {
    try SourceFile.files(under: "Spec").filter { $0.hasSuffix(".md") }
      .map { SpecificationPage(name: String($0.dropFirst("Spec/".count)), text: try text(of: $0)) }
  }

  static func text(of path: String) throws -> String {
    String(decoding: try Files.read(Repository.path(path)), as: UTF8.self)
  }

  init(name: String, text: String) {
    self.name = name
    var isOpen = false
    for (number, line) in zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
      if let match = line.wholeMatch(of: /#+ (.+)/) {
        headings.append(String(match.1))
        isOpen = false
      } else if line.isEmpty {
        isOpen = false
      } else if isOpen && line.prefixMatch(of: /\s*([-*]|\d+\.) |\|/) == nil {
        blocks[blocks.count - 1].text += "\n" + line
      } else {
        blocks.append(.init(line: number, heading: headings.last ?? "", text: String(line)))
        isOpen = true
      }
    }
  }

  /// The fragment of a link to each heading, as GitHub derives it.
  var anchors: [String] {
    headings.map { heading in
      String(heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) })
        .replacing(" ", with: "-")
    }
  }
}
