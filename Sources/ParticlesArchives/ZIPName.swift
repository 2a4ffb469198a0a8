internal import ParticlesCore

extension ZIP {
  /// Returns the first extra field of a kind; nil if there is none. An incomplete field is treated as
  /// padding.
  static func field(_ kind: UInt16, of extra: [UInt8]) -> [UInt8]? {
    var rest = extra[...]
    while rest.count >= 4 {
      let bytes = Array(rest.prefix(4))
      let length = Int(bytes[2]) | Int(bytes[3]) << 8
      rest = rest.dropFirst(4)
      if UInt16(bytes[0]) | UInt16(bytes[1]) << 8 == kind { return Array(rest.prefix(length)) }
      rest = rest.dropFirst(length)
    }
    return nil
  }
}

/// The encodings of names in ZIP archives.
enum ZIPName {
  /// Returns a name in UTF-8.
  ///
  /// With the flag for UTF-8, or if the bytes are valid UTF-8, they are returned unchanged. Otherwise,
  /// the name is in the Unicode path field, if there is one for these bytes, or in code page 437.
  /// - Throws: ``Rule/zipDisagreement`` if the flag and the field give different names.
  static func decoded(
    _ name: [UInt8], flags: UInt16, extra: [UInt8], at location: Location
  ) throws -> [UInt8] {
    let isUTF8 = flags & ZIP.isUnicode != 0 || String(validating: name, as: UTF8.self) != nil
    if let unicode = unicodePath(of: name, extra) {
      let isSame = flags & ZIP.isUnicode == 0 || unicode == name
      guard isSame else {
        throw Diagnostic(
          .zipDisagreement, at: location, "the name and the Unicode path of an entry")
      }
      return unicode
    }
    return isUTF8
      ? name : name.flatMap { $0 < 0x80 ? [$0] : Array(String(upperHalf[Int($0) - 0x80]).utf8) }
  }

  /// Returns the contents of the Unicode path field: a version, the checksum of the name that it
  /// replaces, and UTF-8. A field for another name is out of date and ignored, as the format demands.
  private static func unicodePath(of name: [UInt8], _ extra: [UInt8]) -> [UInt8]? {
    guard let field = ZIP.field(ZIP.unicodePathExtra, of: extra), field.count > 5, field[0] == 1
    else { return nil }
    let checksum = field[1..<5].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return checksum == CRC32.checksum(name) ? Array(field[5...]) : nil
  }

  /// Code page 437 from 0x80.
  private static let upperHalf = Array(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"
      .unicodeScalars)
}
