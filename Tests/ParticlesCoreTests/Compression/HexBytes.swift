/// Decodes hexadecimal digits with optional spaces, as in published test vectors.
struct HexBytes: ExpressibleByStringLiteral {
  var bytes: [UInt8]

  init(stringLiteral text: String) {
    let digits = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
    bytes = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
    }
  }
}
