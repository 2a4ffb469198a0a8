/// Paths as URIs (RFC 3986, RFC 8089).
package enum FileURI {
  /// A path as a URI reference: an absolute path with its scheme, a relative one without; other characters are
  /// percent-encoded.
  package static func reference(_ path: String) -> String {
    let text = encoded(path)
    return text.hasPrefix("/") ? "file://" + text : text
  }

  /// Returns the bytes of a text with `%XX` for all that may not be in the path of a reference. A colon may not,
  /// because it could end a scheme.
  package static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { text, byte in
      if isPlain(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
  }

  /// Returns a percent-encoded text as it was; nil if a percent sign has no two digits behind it, or the result is not
  /// UTF-8 or has a zero.
  package static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, !digits.hasPrefix("+"), let value = UInt8(digits, radix: 16),
        value != 0
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns the path of a `file:` URI without a host, or with `localhost`; nil for others.
  package static func path(_ uri: String) -> String? {
    guard uri.utf8.count > 5, uri.prefix(5).lowercased() == "file:" else { return nil }
    var rest = uri.dropFirst(5)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      guard let slash = rest.firstIndex(of: "/") else { return nil }
      guard ["", "localhost"].contains(rest[..<slash].lowercased()) else { return nil }
      rest = rest[slash...]
    }
    guard rest.hasPrefix("/"), !rest.contains("?"), !rest.contains("#") else { return nil }
    return decoded(rest)
  }

  /// Whether a text begins with a scheme, such as `https:`.
  package static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let first = text.first,
      first.isASCII, first.isLetter
    else { return false }
    return text[..<colon].allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
    }
      && text[..<colon].utf8.count > 1
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
