extension [UInt8] {
  /// These bytes in base64 (RFC 4648), on one line.
  package var base64: String {
    var text: [UInt8] = []
    text.reserveCapacity((count + 2) / 3 * 4)
    for start in stride(from: 0, to: count, by: 3) {
      let group = self[start..<Swift.min(start + 3, count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(
          place <= group.count ? base64Letters[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes base64. White space is ignored, and padding may be missing.
  /// - Throws: `rule` with the offset of the first invalid byte.
  package init(base64 text: String, rule: Rule) throws(Diagnostic) {
    self.init()
    reserveCapacity(text.utf8.count / 4 * 3)
    var (bits, letters) = (UInt32(0), 0)
    var isPadded = false
    for (offset, byte) in text.utf8.enumerated() {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      case UInt8(ascii: "="):
        isPadded = true
        continue
      default: break
      }
      let value = base64Values[Int(byte)]
      guard value < 64, !isPadded else {
        throw Diagnostic(
          rule, at: .offset(offset), expected: "base64",
          found: isPadded ? "more after the padding" : "byte \(byte.hex)")
      }
      bits = bits << 6 | UInt32(value)
      letters += 1
      guard letters % 4 == 0 else { continue }
      for shift in [16, 8, 0] { append(UInt8(truncatingIfNeeded: bits >> UInt32(shift))) }
    }
    switch letters % 4 {
    case 2: append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3:
      append(UInt8(truncatingIfNeeded: bits >> 10))
      append(UInt8(truncatingIfNeeded: bits >> 2))
    case 1:
      throw Diagnostic(
        rule, at: .offset(text.utf8.count), expected: "base64", found: "one letter too many")
    default: break
    }
  }
}

private let base64Letters = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// The value of each byte as a base64 digit, or 64 for any other byte.
private let base64Values: [UInt8] = {
  var values = [UInt8](repeating: 64, count: 256)
  for (value, letter) in base64Letters.enumerated() { values[Int(letter)] = UInt8(value) }
  return values
}()

extension [UInt8] {
  /// These bytes in base 85, on one line: four bytes as five letters, and one letter more than bytes for the last ones.
  /// The letters are printable characters of ASCII, without characters with a meaning in HTML, JavaScript or our
  /// templates: `" & ' < > \ ` { }`. The text is a sixteenth shorter than base64.
  package var base85: String {
    var text: [UInt8] = []
    text.reserveCapacity((count + 3) / 4 * 5)
    for start in stride(from: 0, to: count, by: 4) {
      let group = self[start..<Swift.min(start + 4, count)]
      var bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * (4 - UInt32(group.count)))
      let place = text.count
      for _ in 0...4 {
        text.append(base85Letters[Int(bits % 85)])
        bits /= 85
      }
      text[place...].reverse()
      text.removeLast(4 - group.count)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

private let base85Letters = (33...126 as ClosedRange<UInt8>).filter { byte in
  !"\"&'<>\\`{}".utf8.contains(byte)
}
