extension String {
  /// The paragraphs of this text, separated by empty lines, each as one line.
  var paragraphs: [String] {
    let lines = utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.split { $0.allSatisfy { $0 <= UInt8(ascii: " ") } }.map { lines in
      lines.flatMap { $0.words }.joined(separator: " ")
    }
  }

  /// The words of this text on lines of at most `width` columns; a longer word is a line of its own.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var (line, columns) = ("", 0)
    for word in utf8[...].words {
      let length = word.utf8.allSatisfy { $0 < 0x80 } ? word.utf8.count : word.count
      if columns > 0, columns + 1 + length <= width {
        line += " "
        line += word
        columns += 1 + length
      } else {
        if columns > 0 { lines.append(line) }
        (line, columns) = (String(word), length)
      }
    }
    if columns > 0 { lines.append(line) }
    return lines
  }
}

extension Substring.UTF8View {
  /// The parts between spaces, which are not parts of other characters in this encoding.
  fileprivate var words: [Substring] {
    split(separator: UInt8(ascii: " ")).map { Substring($0) }
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
