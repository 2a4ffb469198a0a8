import Testing

/// Errors that `make docs` would report, found in seconds.
@Suite("Documentation")
struct DocumentationTests {
  @Test("a public declaration documents all of its parameters by name, or none")
  func parameters() throws {
    var explained = 0
    for file in try SourceFile.all() {
      for declaration in Self.declarations(in: file.lines) where !declaration.explained.isEmpty {
        explained += 1
        #expect(
          declaration.explained == declaration.parameters, "\(file.path): \(declaration.first)")
      }
    }
    #expect(explained > 30)
  }

  private struct Declaration {
    var first: String
    var explained: [String]
    var parameters: [String]
  }

  /// The public functions and initializers of a file that have comments, in order.
  private static func declarations(in lines: [Substring]) -> [Declaration] {
    let lines = lines.map { $0.drop { $0 == " " } }
    var found: [Declaration] = []
    var comment: [Substring] = []
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("///") {
        comment.append(line.dropFirst(3))
      } else if !line.hasPrefix("@") {
        let word = line.split(separator: " ").first { ["func", "init"].contains($0.prefix(4)) }
        if word != nil, line.hasPrefix("public "), !comment.isEmpty {
          let rest = lines[number...].prefix(20).joined(separator: " ")
          found.append(
            Declaration(
              first: String(line), explained: explained(comment), parameters: names(rest)))
        }
        comment = []
      }
    }
    return found
  }

  /// The parameters that a comment names: `- Parameter name:`, or `- name:` below `- Parameters:`.
  private static func explained(_ comment: [Substring]) -> [String] {
    var names: [String] = []
    var isListed = false
    for line in comment {
      if line.hasPrefix(" - ") { isListed = line == " - Parameters:" }
      let words = line.split(separator: " ")
      if line.hasPrefix(" - Parameter "), words.count > 2 {
        names.append(String(words[2].dropLast()))
      } else if isListed, line.hasPrefix("   - "), words.count > 1 {
        names.append(String(words[1].dropLast()))
      }
    }
    return names
  }

  /// The names of the parameters behind the first parenthesis.
  private static func names(_ declaration: String) -> [String] {
    var depth = 0
    var parameters: [String] = [""]
    for character in declaration.drop(while: { $0 != "(" }) {
      if "([{<".contains(character) { depth += 1 }
      if ")]}".contains(character) || character == ">" && parameters.last?.last != "-" {
        depth -= 1
      }
      if depth == 0 { break }
      if character == ",", depth == 1 {
        parameters.append("")
      } else {
        parameters[parameters.count - 1].append(character)
      }
    }
    return parameters.compactMap { text in
      let label = text.drop { $0 == "(" }.prefix { $0 != ":" }
      return label.split(separator: " ").last.map(String.init)
    }
  }
}
