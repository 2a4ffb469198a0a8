/// A command line of a desktop entry or a thumbnailer entry, in words (Desktop Entry Specification 1.5,
/// "The Exec key").
package struct ExecLine: Sendable, Hashable {
  /// The command line.
  package let text: String

  /// The words without their quotes.
  package let words: [String]

  /// The letters behind the percent signs, in order; a space for a sign at the end.
  package var fieldCodes: [Character] {
    var codes: [Character] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "%" { codes.append(rest.popFirst() ?? " ") }
    }
    return codes
  }

  /// Splits a command line; nil if a quote is not closed, or if there is no word.
  ///
  /// - Parameter checkingReserved: whether a reserved character outside of quotes is an error, as for
  ///   `desktop-file-validate`; GLib accepts it.
  ///
  /// Words may be in double quotes with backslashes, as the specification requires, or in single
  /// quotes, which GLib accepts as well.
  package init?(_ text: String, checkingReserved: Bool = false) {
    self.text = text
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch (quote, character) {
      case (let open?, _) where character == open: quote = nil
      case ("\""?, "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        let isEscape = ["\"", "\\", "$", "`"].contains(escaped)
        word = (word ?? "") + (isEscape ? "" : "\\") + String(escaped)
      case (_?, _): word = (word ?? "") + String(character)
      case (nil, "\""), (nil, "'"):
        quote = character
        word = word ?? ""
      case (nil, "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        word = (word ?? "") + String(escaped)
      case (nil, _) where character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      case (nil, _) where checkingReserved && Self.reserved.contains(character): return nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    if let word { words.append(word) }
    guard !words.isEmpty else { return nil }
    self.words = words
  }

  /// Characters that the specification allows in quotes only.
  private static let reserved: Set<Character> = [
    ">", "<", "~", "|", "&", ";", "$", "*", "?", "#", "(", ")", "`",
  ]
}
