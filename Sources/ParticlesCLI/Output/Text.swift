extension String {
  /// The paragraphs of this text, separated by empty lines, each as one line.
  var paragraphs: [String] {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    return lines.split { $0.allSatisfy(\.isWhitespace) }.map { lines in
      lines.flatMap { $0.split(separator: " ") }.joined(separator: " ")
    }
  }

  /// The words of this text on lines of at most `width` columns; a longer word is a line of its own.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let line = lines.last, line.count + 1 + word.count <= width {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension StringProtocol {
  /// This text with some characters replaced.
  func writing(_ spellings: [Character: String]) -> String {
    reduce(into: "") { text, character in
      if let spelling = spellings[character] {
        text += spelling
      } else {
        text.append(character)
      }
    }
  }
}
