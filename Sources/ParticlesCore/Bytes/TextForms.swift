extension [UInt8] {
  /// Whether these bytes begin with `beginning`, after a byte order mark and white space.
  package func beginsWithText(_ beginning: String) -> Bool {
    let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    return text.drop { $0 <= 0x20 }.starts(with: beginning.utf8)
  }

  /// These bytes, or the ASCII characters of a text in UTF-16 with a byte order mark or `<` at its beginning. Its
  /// other characters become `?`.
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

extension Unicode.Scalar {
  /// Whether this is a control character, a line separator, or a character that changes the
  /// direction of text. Such characters are not allowed in names. They are escaped on terminals and in
  /// the texts that are written, so that a reader sees what a program reads.
  package var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The value in four hexadecimal digits, which follow `\u` in several languages. Every control
  /// character fits.
  package var fourDigits: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

extension String {
  /// Whether a control character is in this text.
  package var hasControls: Bool {
    // Most texts are printable ASCII, and lists have many.
    let isPlain = utf8.withContiguousStorageIfAvailable { bytes in
      // Without a way out, so that the loop is of vectors.
      !bytes.reduce(false) { $0 || $1 &- 0x20 >= 0x5F }
    }
    return isPlain != true && unicodeScalars.contains { $0.isControl }
  }

  /// This text with another text in place of each control character.
  package func replacingControls(_ replacement: (Unicode.Scalar) -> String) -> String {
    guard hasControls else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isControl {
        text += replacement(scalar)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// This text with control characters, which could forge lines or drive a terminal, shown as
  /// escapes, and so are the bytes of a ``RawPath``.
  package var escapingControls: String {
    guard hasControls else { return self }
    return RawPath.shown(self).replacingControls { "\\u{\(String($0.value, radix: 16))}" }
  }
}

// Search in text. The equally named functions of the standard library bring in its regular
// expressions: one megabyte in a static executable. Generic code of another module is slow unless it is inlinable.

extension StringProtocol {
  /// The first place of a text that is not empty, or nil if there is none. It begins and ends between
  /// characters, and is compared by its bytes.
  @inlinable
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

  /// Whether this text contains another text, see ``firstRange(of:)``. Every text contains the empty text.
  @inlinable
  package func contains(_ text: String) -> Bool { text.isEmpty || firstRange(of: text) != nil }

  /// This text with `other` in each place of a text that is not empty, see ``firstRange(of:)``.
  @inlinable
  package func replacing(_ text: String, with other: String) -> String {
    var (result, rest) = ("", self[...])
    while let place = rest.firstRange(of: text) {
      result += rest[..<place.lowerBound] + other
      rest = rest[place.upperBound...]
    }
    return result + rest
  }
}

extension Double {
  /// This number rounded to twelve decimals, which removes rounding errors of arithmetic. Unchanged if
  /// that does not make its text at least five digits shorter.
  package var rounded: Double {
    let short = (self * 1e12).rounded() / 1e12
    guard short != self, short.isFinite,
      short.description.utf8.count + 5 < description.utf8.count
    else { return self }
    return short
  }

  /// The shortest decimal number that rounds to this 32-bit float, if this number is a float with a
  /// longer text. Returned unchanged otherwise.
  package var tidy: Double {
    guard magnitude > 1e-30 else { return 0 }
    let float = Float(self)
    guard (Double(float) - self).magnitude <= 1e-15 * magnitude, description.utf8.count > 14 else {
      return self
    }
    return Double(float.description) ?? self
  }
}
