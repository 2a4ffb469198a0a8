/// The contents of a dynamic identifier (`dyn.…`): tags that no declared type has, and supertypes.
///
/// Two programs that meet an unknown extension make equal identifiers for it. Layout:
/// `Spec/types.md`.
package struct DynamicIdentifier: Sendable, Hashable {
  package var supertypes: [String]

  package var tags: TypeTags

  /// Creates a type for a tag.
  package init(tag: String, tagClass: TagClass, conformingTo supertypes: [String] = []) {
    self.supertypes = supertypes
    tags = [tagClass: [Self.padded(tagClass.folded(tag), tagClass)]]
  }

  /// Whether the tags of one type include all tags of the second.
  package func isCompatible(with other: DynamicIdentifier) -> Bool {
    tags.isSubset(of: other.tags) || other.tags.isSubset(of: tags)
  }

  private static let prefix = "dyn.a"

  /// The greatest length of an identifier, in bytes. File names have at most 255.
  private static let longest = 4096

  /// The key of the supertypes, and the first byte of a payload that has them.
  private static let conformance = "UTTypeConformsTo"
  private static let conformanceMark = UInt8(ascii: "?")

  /// The abbreviations of well-known strings. Unknown abbreviations are preserved.
  private static let abbreviations: [(number: String, text: String)] = [
    ("0", conformance), ("1", "public.filename-extension"), ("2", "com.apple.ostype"),
    ("3", "public.mime-type"), ("4", "com.apple.nspboard-type"), ("5", "public.url-scheme"),
    ("6", "public.data"), ("7", "public.text"), ("8", "public.plain-text"),
    ("9", "public.utf16-plain-text"), ("A", "com.apple.traditional-mac-plain-text"),
    ("B", "public.image"), ("C", "public.video"), ("D", "public.audio"),
    ("E", "public.directory"), ("F", "public.folder"), ("10", "com.apple.package"),
    ("13", "public.content"),
  ]

  private static func abbreviated(_ text: String) -> String {
    abbreviations.first { $0.text == text }?.number ?? escaped(text)
  }

  private static func expanded(_ text: String) -> String {
    abbreviations.first { $0.number == text }?.text ?? text
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if "\\:=,\0".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
  }

  package var identifier: String {
    var entries: [String] = []
    if !supertypes.isEmpty {
      let list = supertypes.map(Self.abbreviated).joined(separator: ",")
      entries.append("\(Self.abbreviated(Self.conformance))=\(list)")
    }
    for entry in tags.entries {
      let list = entry.values.map(Self.escaped).joined(separator: ",")
      entries.append("\(Self.abbreviated(entry.tagClass.rawValue))=\(list)")
    }
    let mark = supertypes.isEmpty ? [] : [Self.conformanceMark]
    return Self.prefix + Base32.encode(mark + Array(entries.joined(separator: ":").utf8))
  }

  /// An OSType has exactly four characters.
  private static func padded(_ value: String, _ tagClass: TagClass) -> String {
    guard tagClass == .osType else { return value }
    let count = value.unicodeScalars.count
    return count < 4
      ? value + String(repeating: "\0", count: 4 - count)
      : String(String.UnicodeScalarView(value.unicodeScalars.prefix(4)))
  }

  /// Reads an identifier. Returns nil if it is not dynamic, is damaged, or is longer than 4096 bytes.
  package init?(_ identifier: String) {
    guard identifier.hasPrefix(Self.prefix), identifier.utf8.count <= Self.longest,
      let bytes = Base32.decode(identifier.utf8.dropFirst(Self.prefix.utf8.count))
    else { return nil }
    let isMarked = bytes.first == Self.conformanceMark
    guard let payload = String(validating: isMarked ? bytes.dropFirst() : bytes[...], as: UTF8.self)
    else { return nil }
    supertypes = []
    tags = TypeTags()
    var hasTags = false
    for (key, values) in Self.entries(of: payload) {
      guard let key, !values.isEmpty else { return nil }
      if key == Self.conformance {
        supertypes += values.map(Self.expanded)
      } else {
        for value in values { tags.append(value, to: TagClass(rawValue: key)) }
        hasTags = true
      }
    }
    guard hasTags, isMarked == !supertypes.isEmpty else { return nil }
  }

  /// The entries between colons. A missing key is nil.
  private static func entries(of payload: String) -> [(key: String?, values: [String])] {
    var entries: [(key: String?, values: [String])] = []
    var (key, values, text, isEscaped) = (String?.none, [String](), "", false)
    for scalar in payload.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        text.unicodeScalars.append(scalar)
        isEscaped = false
      case "\\": isEscaped = true
      case "=" where key == nil:
        key = expanded(text)
        text = ""
      case ",":
        values.append(text)
        text = ""
      case ":":
        entries.append((key, values + [text]))
        (key, values, text) = (nil, [], "")
      default: text.unicodeScalars.append(scalar)
      }
    }
    return entries + [(key, values + [text])]
  }
}

extension TypeTags {
  fileprivate func isSubset(of other: TypeTags) -> Bool {
    entries.allSatisfy { Set($0.values).isSubset(of: other[$0.tagClass]) }
  }
}

/// The base-32 code of dynamic identifiers: an alphabet without ambiguous characters, high bits first,
/// no padding characters.
private enum Base32 {
  private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var (text, buffer, count) = ([UInt8](), UInt32(0), 0)
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(alphabet[Int(buffer >> count & 31)])
      }
      buffer &= 1 << count - 1
    }
    if count > 0 { text.append(alphabet[Int(buffer << (5 - count) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns nil for other characters, and if unused bits are not zero.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var (bytes, buffer, count) = ([UInt8](), UInt32(0), 0)
    for character in text {
      guard let digit = alphabet.firstIndex(of: character) else { return nil }
      buffer = buffer << 5 | UInt32(digit)
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> count))
        buffer &= 1 << count - 1
      }
    }
    return count < 5 && buffer == 0 ? bytes : nil
  }
}
