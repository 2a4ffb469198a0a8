// Search in text. The functions of the same names in the standard library bring in its regular
// expressions: one megabyte in a static executable.

extension StringProtocol {
  /// The first place of a text that is not empty. It begins and ends between characters, and is compared by
  /// its bytes; nil if there is none.
  package func firstRange(of text: String) -> Range<Index>? {
    var start = utf8.startIndex
    while let first = text.utf8.first, let place = utf8[start...].firstIndex(of: first) {
      guard let end = utf8.index(place, offsetBy: text.utf8.count, limitedBy: utf8.endIndex) else {
        return nil
      }
      if utf8[place..<end].elementsEqual(text.utf8), Index(place, within: self) != nil,
        Index(end, within: self) != nil
      {
        return place..<end
      }
      start = utf8.index(after: place)
    }
    return nil
  }

  /// Whether a text is in this one; see ``firstRange(of:)``. The empty one is in every text.
  package func contains(_ text: String) -> Bool { text.isEmpty || firstRange(of: text) != nil }

  /// The text with another one in each place of a text that is not empty; see ``firstRange(of:)``.
  package func replacing(_ text: String, with other: String) -> String {
    var (result, rest) = ("", self[...])
    while let place = rest.firstRange(of: text) {
      result += rest[..<place.lowerBound] + other
      rest = rest[place.upperBound...]
    }
    return result + rest
  }
}
