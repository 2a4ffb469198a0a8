internal import ParticlesCore

/// The block before the contents of an entry.
struct TarHeader {
  /// The supported types of entries.
  enum Kind: Equatable {
    case file, hardLink, symbolicLink, directory, special
    /// Extended headers of pax, for the next entry and for all following entries.
    case extended, global
    /// The long names of GNU, for the next entry.
    case longName, longLink
  }

  var kind: Kind
  var name: [UInt8]
  var linkName: [UInt8]
  var mode: Int
  var size: Int

  /// Parses a header block at an offset of the archive.
  init(_ block: [UInt8], at position: Int) throws {
    func failure(_ detail: String, expected: String? = nil, found: String? = nil) -> Diagnostic {
      Diagnostic(.tar, at: .offset(position), detail, expected: expected, found: found)
    }
    func number(_ range: Range<Int>, _ what: String) throws -> Int {
      guard let number = Self.number(block[range]) else {
        throw failure("the \(what) is not a number")
      }
      return number
    }
    func text(_ range: Range<Int>) -> [UInt8] { Array(block[range].prefix { $0 != 0 }) }

    let checksum = try number(148..<156, "checksum")
    let sum = Self.checksum(of: block)
    guard checksum == sum else {
      throw failure("the checksum of a header", expected: "\(sum)", found: "\(checksum)")
    }
    mode = try number(100..<108, "mode")
    size = try number(124..<136, "size")
    linkName = text(157..<257)
    name = text(0..<100)
    // POSIX stores a prefix of the path here; GNU stores times.
    if block[257..<263].elementsEqual(Array("ustar\0".utf8)) {
      let prefix = text(345..<500)
      if !prefix.isEmpty { name = prefix + [UInt8(ascii: "/")] + name }
    }
    kind = try Self.kind(block[156], name: name, at: position)
  }

  private static func kind(_ code: UInt8, name: [UInt8], at position: Int) throws -> Kind {
    switch Character(Unicode.Scalar(code)) {
    case "\0", "0", "7": name.last == UInt8(ascii: "/") ? .directory : .file
    case "1": .hardLink
    case "2": .symbolicLink
    case "3", "4", "6": .special
    case "5": .directory
    case "x": .extended
    case "g": .global
    case "L": .longName
    case "K": .longLink
    default:
      throw Diagnostic(
        .tarUnsupported, at: .offset(position), "an entry of type \(code.hex)",
        expected: "a file, directory or link")
    }
  }

  /// Returns a number in octal digits between spaces, or in binary if the first bit is set.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    guard let first = field.first else { return nil }
    if first & 0x80 != 0 {
      // Negative numbers and numbers above 2^63 are not valid here.
      guard first == 0x80, field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
      return Int(
        exactly: field.suffix(min(8, field.count - 1)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
    return digits.isEmpty
      ? 0 : Int(String(decoding: digits, as: UTF8.self), radix: 8).flatMap { $0 < 0 ? nil : $0 }
  }

  /// Returns the sum of all bytes, with spaces in place of the checksum.
  static func checksum(of block: [UInt8]) -> Int {
    block.enumerated().reduce(0) { $0 + (148..<156 ~= $1.offset ? 0x20 : Int($1.element)) }
  }
}
