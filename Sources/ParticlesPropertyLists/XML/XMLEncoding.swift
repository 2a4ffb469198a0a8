package import ParticlesCore

/// The encodings in which XML is read.
///
/// The bytes take precedence over the declaration: a byte order mark, or `<` in two bytes, means UTF-16. Editors often
/// change only the bytes or only the declaration.
package enum XMLEncoding: String, Sendable, CaseIterable {
  case utf8 = "UTF-8"
  case wideLittle = "UTF-16LE"
  case wideBig = "UTF-16BE"
  case latin1 = "ISO-8859-1"
  case windows = "windows-1252"
  case ascii = "US-ASCII"

  /// The names in declarations, in lower case.
  private static let names: [String: XMLEncoding] = [
    "utf-8": .utf8, "utf8": .utf8,
    "iso-8859-1": .latin1, "iso8859-1": .latin1, "iso_8859-1": .latin1, "latin1": .latin1,
    "latin-1": .latin1, "l1": .latin1,
    "windows-1252": .windows, "cp1252": .windows, "cp-1252": .windows, "x-cp1252": .windows,
    "us-ascii": .ascii, "ascii": .ascii,
  ]

  /// Beginnings of documents in UTF-32, an unsupported encoding.
  private static let widest: [[UInt8]] = [
    [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF], [0x3C, 0, 0, 0], [0, 0, 0, 0x3C],
  ]

  /// Finds the encoding of a document.
  /// - Parameters:
  ///   - bytes: the whole document.
  ///   - report: called if the bytes do not fit the declared encoding, and are read in another encoding. Without it,
  ///     they are read as declared.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/xml`` that names an unsupported encoding.
  package init(of bytes: [UInt8], reporting report: ((Diagnostic) -> Void)?) throws(Diagnostic) {
    if Self.widest.contains(where: { bytes.starts(with: $0) }) {
      throw Self.unknown("UTF-32", at: 0)
    }
    let (little, big): ([UInt8], [UInt8]) = ([0x3C, 0], [0, 0x3C])
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: little) {
      self = .wideLittle
    } else if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: big) {
      self = .wideBig
    } else {
      self = try Self.narrow(bytes, reporting: report)
    }
  }

  private static func narrow(
    _ bytes: [UInt8], reporting report: ((Diagnostic) -> Void)?
  ) throws(Diagnostic) -> XMLEncoding {
    let declared = declaration(in: bytes)
    let name = declared?.name ?? utf8.rawValue
    let isWide = name.lowercased().hasPrefix("utf-16") || name.lowercased() == "ucs-2"
    guard let encoding = isWide ? utf8 : names[name.lowercased()] else {
      throw unknown(name, at: declared?.place ?? 0)
    }
    // A mark decides before the declaration does.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
    guard let report else { return encoding }
    var (used, fault) = (encoding, isWide ? declared?.place : nil)
    let wrong = encoding.firstWrongByte(of: bytes)
    if let wrong { (used, fault) = (.windows, wrong) }
    if let fault {
      report(
        Diagnostic(
          .xmlEncoding, at: .offset(fault), "read as \(used.rawValue)", expected: name.excerpt,
          found: wrong.map { "byte \([bytes[$0]].hexDigits)" } ?? "text in single bytes"))
    }
    return used
  }

  private static func unknown(_ name: String, at place: Int) -> Diagnostic {
    Diagnostic(
      .xml, at: .offset(place), "the encoding '\(name.excerpt)' is not known",
      expected: "UTF-8, UTF-16, ISO-8859-1, windows-1252 or US-ASCII",
      hint: "save the file in UTF-8")
  }

  private static func declaration(in bytes: [UInt8]) -> (name: String, place: Int)? {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let head = bytes[start...].prefix(1024)
    guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) else {
      return nil
    }
    let text = head[..<end]
    let word = Array("encoding".utf8)
    guard var place = text.indices.first(where: { text[$0...].starts(with: word) }) else {
      return nil
    }
    func skipSpace() { while place < end, TextEdits.isSpace(bytes[place]) { place += 1 } }
    place += word.count
    skipSpace()
    // At the end there is `>`.
    guard bytes[place] == UInt8(ascii: "=") else { return nil }
    place += 1
    skipSpace()
    guard "\"'".utf8.contains(bytes[place]) else { return nil }
    let (quote, first) = (bytes[place], place + 1)
    guard let last = text[first...].firstIndex(of: quote) else { return nil }
    return (String(decoding: text[first..<last], as: UTF8.self), first)
  }

  /// The first byte that is invalid in this encoding, or nil.
  private func firstWrongByte(of bytes: [UInt8]) -> Int? {
    guard self == .utf8 || self == .ascii,
      let first = bytes.firstIndex(where: { $0 >= 0x80 })
    else { return nil }
    guard self == .utf8 else { return first }
    var decoder = UTF8()
    var rest = bytes[first...].makeIterator()
    var place = first
    while true {
      switch decoder.decode(&rest) {
      case .scalarValue(let scalar): place += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return place
      }
    }
  }

  /// Code points of the bytes 0x80 to 0x9F in windows-1252. Bytes without a character are control characters.
  private static let marks: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  /// A document in UTF-8.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/xml`` with the offset of bytes without a meaning.
  func decoded(_ bytes: [UInt8]) throws(Diagnostic) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    var place = 0
    while place < bytes.count {
      let (scalar, length) = decode(bytes, at: place)
      guard let scalar else {
        throw Diagnostic(.xml, at: .offset(place), "bytes that are not \(rawValue)")
      }
      text += scalar.utf8
      place += length
    }
    return text
  }

  /// The character at a place, and the number of its bytes.
  private func decode(_ bytes: [UInt8], at place: Int) -> (scalar: Unicode.Scalar?, length: Int) {
    switch self {
    case .utf8, .latin1: return (Unicode.Scalar(bytes[place]), 1)
    case .ascii: return (bytes[place] < 0x80 ? Unicode.Scalar(bytes[place]) : nil, 1)
    case .windows:
      let byte = bytes[place]
      return (Unicode.Scalar(0x80...0x9F ~= byte ? Self.marks[Int(byte) - 0x80] : UInt32(byte)), 1)
    case .wideLittle, .wideBig:
      let first = unit(bytes, at: place)
      guard let first, 0xD800...0xDFFF ~= first else {
        return (first.flatMap(Unicode.Scalar.init), 2)
      }
      guard first < 0xDC00, let second = unit(bytes, at: place + 2), 0xDC00...0xDFFF ~= second
      else {
        return (nil, 2)
      }
      return (Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)), 4)
    }
  }

  /// A code unit of two bytes. Nil at the end.
  private func unit(_ bytes: [UInt8], at place: Int) -> UInt32? {
    guard place + 1 < bytes.count else { return nil }
    let (first, second) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
    return self == .wideLittle ? second << 8 | first : first << 8 | second
  }
}
