extension [UInt8] {
  /// Whether these bytes begin with `beginning`, after a byte order mark and white space.
  package func beginsWithText(_ beginning: String) -> Bool {
    let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    return text.drop { $0 <= 0x20 }.starts(with: beginning.utf8)
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
