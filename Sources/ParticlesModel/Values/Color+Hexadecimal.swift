internal import ParticlesCore

extension ParticleSystem.Color {
  /// Reads `#ff8800`, `#f80`, or with alpha `#ff8800cc`, `#f80c`; nil for anything else.
  package init?(hexadecimal text: String) {
    // The length comes first: the text of an untrusted file may be as long as the file.
    let count = text.utf8.count
    guard count == 4 || count == 5 || count == 7 || count == 9 else { return nil }
    let isShort = count < 6
    var (components, byte, isHalf) = ([Double](), 0, false)
    for (place, character) in text.utf8.enumerated() {
      guard place > 0 else {
        guard character == UInt8(ascii: "#") else { return nil }
        continue
      }
      guard let digit = character.hexDigitValue else { return nil }
      byte = isShort ? Int(digit) * 17 : byte * 16 + Int(digit)
      isHalf = !isShort && !isHalf
      guard !isHalf else { continue }
      // Four decimals are enough to restore the same byte.
      components.append((Double(byte) / 255 * 10000).rounded() / 10000)
      byte = 0
    }
    self.init(
      components[0], components[1], components[2], components.count == 4 ? components[3] : 1)
  }

  /// `#ff8800`, without alpha. Components are clamped to 0 and 1, and rounded to 8 bits.
  package var hexadecimal: String {
    let bytes = [red, green, blue].map { component in
      UInt8(saturating: (min(max(component.isNaN ? 0 : component, 0), 1) * 255).rounded())
    }
    return "#" + bytes.hexDigits
  }
}
