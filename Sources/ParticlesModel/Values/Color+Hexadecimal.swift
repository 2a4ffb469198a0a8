internal import ParticlesCore

extension ParticleSystem.Color {
  /// Reads `#ff8800`, `#f80`, or with alpha `#ff8800cc`, `#f80c`; nil for anything else.
  package init?(hexadecimal text: String) {
    // The length comes first: the text of an untrusted file may be as long as the file.
    guard text.hasPrefix("#"), [4, 5, 7, 9].contains(text.utf8.count),
      text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    let isShort = text.utf8.count < 6
    let digits = text.dropFirst().flatMap { isShort ? [$0, $0] : [$0] }
    let components = stride(from: 0, to: digits.count, by: 2).compactMap { start in
      Int(String(digits[start...(start + 1)]), radix: 16)
    }
    // Four decimals are enough to restore the same byte.
    .map { (Double($0) / 255 * 10000).rounded() / 10000 }
    self.init(
      components[0], components[1], components[2], components.count == 4 ? components[3] : 1)
  }

  /// `#ff8800`, without alpha. Components are clamped to 0 and 1, and rounded to 8 bits.
  package var hexadecimal: String {
    let bytes = [red, green, blue].map { component in
      UInt8((min(max(component.isNaN ? 0 : component, 0), 1) * 255).rounded())
    }
    return "#" + bytes.hexDigits
  }
}
