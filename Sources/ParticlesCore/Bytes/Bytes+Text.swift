extension [UInt8] {
  /// Whether these bytes begin with `beginning`, after a byte order mark and white space.
  package func beginsWithText(_ beginning: String) -> Bool {
    let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    return text.drop { $0 <= 0x20 }.starts(with: beginning.utf8)
  }

  /// These bytes, or the ASCII characters of a text in UTF-16 with a byte order mark or `<` at its beginning; others
  /// become `?`.
  package var asASCII: [UInt8] {
    let isMarked = starts(with: [0xFF, 0xFE]) || starts(with: [0xFE, 0xFF])
    let isLittle = starts(with: isMarked ? [0xFF, 0xFE] : [0x3C, 0])
    guard isMarked || isLittle || starts(with: [0, 0x3C]) else { return self }
    return stride(from: isMarked ? 2 : 0, to: count - 1, by: 2).map { index in
      let (low, high) = isLittle ? (self[index], self[index + 1]) : (self[index + 1], self[index])
      return high == 0 && low < 0x80 ? low : UInt8(ascii: "?")
    }
  }

  /// Whether these bytes contain the UTF-8 of a text.
  package func contains(_ text: String) -> Bool {
    let text = Array(text.utf8)
    guard let first = text.first else { return true }
    return withUnsafeBufferPointer { bytes in
      var index = 0
      while index + text.count <= bytes.count {
        if bytes[index] == first, bytes[index...].starts(with: text) { return true }
        index += 1
      }
      return false
    }
  }
}
