/// The matching of names and patterns with asterisks.
package enum Wildcards {
  /// Returns whether a pattern fits a whole name. The time is at most proportional to the product of both
  /// lengths.
  /// - Parameters:
  ///   - tokens: the pattern.
  ///   - name: the characters or bytes of a name.
  ///   - many: the token that fits any number of characters or bytes.
  ///   - fits: whether any other token fits one character or byte.
  @inlinable
  package static func match<Token: Equatable, Unit>(
    _ tokens: [Token], _ name: [Unit], many: Token, fits: (Token, Unit) -> Bool
  ) -> Bool {
    var (token, index) = (0, 0)
    // The last asterisk, and where the text that it fits ends.
    var star: (token: Int, end: Int)?
    while index < name.count {
      if token < tokens.count, tokens[token] == many {
        star = (token, index)
        token += 1
      } else if token < tokens.count, fits(tokens[token], name[index]) {
        (token, index) = (token + 1, index + 1)
      } else if let last = star {
        // It fits one more.
        star = (last.token, last.end + 1)
        (token, index) = (last.token + 1, last.end + 1)
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { $0 == many }
  }
}
