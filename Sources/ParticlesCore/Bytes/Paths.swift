/// The parts of paths. The module ParticlesSystem adds what reads and writes files.
package enum Files {
  // By scalars, because a slash or full stop with a combining mark is another character.

  package static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty || folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
  }

  /// Returns the path without its last component, or `.` if it has only one.
  package static func folder(of path: String) -> String {
    let trimmed = trimmingSlashes(path)
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }

  package static func lastComponent(of path: String) -> String {
    let trimmed = trimmingSlashes(path)
    let start = trimmed.lastIndex(of: "/").map(trimmed.index(after:)) ?? trimmed.startIndex
    return start == trimmed.endIndex ? "/" : String(trimmed[start...])
  }

  /// Returns the text after the last full stop of the last component, in lower case. Empty if there
  /// is none.
  package static func pathExtension(of path: String) -> String {
    let name = lastComponent(of: path).unicodeScalars
    guard let point = name.lastIndex(of: "."), point != name.startIndex else { return "" }
    return String(name[name.index(after: point)...]).lowercased()
  }

  /// Returns the last component without its extension.
  package static func stem(of path: String) -> String {
    let name = lastComponent(of: path).unicodeScalars
    guard let point = name.lastIndex(of: "."), point != name.startIndex else { return String(name) }
    return String(name[..<point])
  }

  private static func trimmingSlashes(_ path: String) -> Substring.UnicodeScalarView {
    var rest = path.unicodeScalars[...]
    while rest.last == "/", rest.dropFirst().first != nil { rest.removeLast() }
    return rest
  }
}

/// Paths whose bytes are not UTF-8, as text. Archives of other systems have file names in Latin-1 or Shift-JIS.
///
/// Each byte that is not part of a character is a zero, which no path has, and two hexadecimal digits. Calls of ``Files``,
/// ``OpenFile``, ``FolderReader`` and ``SafeSave`` take such texts. Messages show them as `\xE9`.
package enum RawPath {
  package static func text(_ bytes: [UInt8]) -> String {
    bytes.replacingInvalidUTF8 { "\0" + [$0].hexDigits }
  }

  /// Whether the bytes of a path are not UTF-8.
  package static func isRaw(_ path: String) -> Bool { path.utf8.contains(0) }

  /// Returns the bytes of a path, or nil if a zero in the path is not an escape.
  package static func bytes(_ path: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0 else {
        bytes.append(byte)
        continue
      }
      // A byte of ASCII, such as a slash, is never an escape.
      guard rest.count >= 2, let high = digit(rest.removeFirst()), high >= 8,
        let low = digit(rest.removeFirst())
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// A path with U+FFFD in place of bytes that are not UTF-8, for names in documents and pages.
  package static func readable(_ path: String) -> String {
    isRaw(path) ? String(decoding: bytes(path) ?? [], as: UTF8.self) : path
  }

  /// A path with `\xE9` in place of bytes that are not UTF-8, for reports.
  package static func shown(_ path: String) -> String {
    isRaw(path) ? bytes(path)?.escapingInvalidUTF8 ?? path : path
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

/// A path as the key of a set or dictionary: equal if all bytes are.
///
/// Equal strings may differ in the normalisation of their characters. On Linux, they are paths of two files.
package struct PathKey: Hashable, Comparable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package static func == (a: PathKey, b: PathKey) -> Bool { a.path.utf8.elementsEqual(b.path.utf8) }

  /// In the order of the bytes.
  package static func < (a: PathKey, b: PathKey) -> Bool {
    a.path.utf8.lexicographicallyPrecedes(b.path.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var path = path
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Whether the path leads to something in a folder.
  /// - Parameter folder: a path in this form, without a slash at its end unless it is the root.
  package func isInside(_ folder: String) -> Bool {
    let start = folder == "/" ? 0 : folder.utf8.count
    guard path.utf8.count > start + 1 else { return false }
    // Most paths of a list end here.
    let slash = path.utf8.index(path.utf8.startIndex, offsetBy: start)
    return path.utf8[slash] == UInt8(ascii: "/") && path.utf8.starts(with: folder.utf8)
  }

  /// The part of the path below a folder, or nil if it is not inside.
  package func below(_ folder: String) -> String? {
    guard isInside(folder) else { return nil }
    return String(
      decoding: path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1), as: UTF8.self)
  }
}

/// Paths as URIs (RFC 3986, RFC 8089).
package enum FileURI {
  /// A path as a URI reference. An absolute path gets its scheme, a relative path does not. Special characters
  /// are percent-encoded.
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

  /// Returns a percent-encoded text decoded, or nil if two digits do not follow a percent sign, or the result is not
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

  /// Returns the path of a `file:` URI without a host, or with `localhost`. Nil for any other URI.
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
