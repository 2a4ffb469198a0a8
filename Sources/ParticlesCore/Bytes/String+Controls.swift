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
