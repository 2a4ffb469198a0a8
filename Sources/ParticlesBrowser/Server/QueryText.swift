internal import ParticlesCore

/// The values of a query.
enum QueryText {
  /// - Returns: nil for text that is no query in UTF-8, or names a value twice.
  static func values(_ query: String) -> [String: String]? {
    var values: [String: String] = [:]
    for part in query.split(separator: "&") {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let name = decoded(halves[0]), let value = decoded(halves[1]),
        values.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    return values
  }

  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard rest.count >= 2,
          let number = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(number)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// A text in percent-encoding, for headers and addresses.
  static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let isPlain =
        byte < 0x80
        && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
        || "-._~".utf8.contains(byte)
      result += isPlain ? String(Unicode.Scalar(byte)) : "%" + [byte].hexDigits.uppercased()
    }
  }
}
