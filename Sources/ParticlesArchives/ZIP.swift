package import ParticlesContainer
package import ParticlesCore

/// The four-byte signatures of the records.
enum ZIPSignature {
  static let entry: [UInt8] = [0x50, 0x4B, 3, 4]
  static let central: [UInt8] = [0x50, 0x4B, 1, 2]
  static let end: [UInt8] = [0x50, 0x4B, 5, 6]
  static let longEnd: [UInt8] = [0x50, 0x4B, 6, 6]
  static let locator: [UInt8] = [0x50, 0x4B, 6, 7]
  static let descriptor: [UInt8] = [0x50, 0x4B, 7, 8]
}

/// ZIP archives, and the bits and numbers of their headers.
package enum ZIP {
  /// The mark in a field of 32 bits that the size is in a field of 64 bits, and the smallest size that needs it.
  package static let long = Int(size: UInt32.max)

  /// Whether these bytes begin a ZIP archive.
  package static func isArchive(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: ZIPSignature.entry) || bytes.starts(with: ZIPSignature.end)
  }

  /// Opens an archive. Contents are read on demand.
  package static func unpack(_ source: ByteSource, limits: Limits) throws(Failure) -> Container {
    var reader = ZIPReader(source, limits: limits)
    return try reader.read()
  }

  /// Writes the contents of a directory. Returns notes on parts that some programs ignore, and warnings
  /// on names that are not portable.
  package static func pack(
    _ root: FileNode,
    _ sink: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> [Diagnostic] {
    var writer = ZIPWriter(sink)
    return try writer.write(root) + root.portabilityWarnings()
  }

  // The lengths of the records, without name, extra field and comment.
  static let localLength = 30
  static let centralLength = 46
  static let endLength = 22
  static let longEndLength = 56
  static let locatorLength = 20

  static let stored: UInt16 = 0
  static let deflated: UInt16 = 8

  /// Lengths and checksum follow the contents.
  static let hasDescriptor: UInt16 = 1 << 3
  /// The name is UTF-8.
  static let isUnicode: UInt16 = 1 << 11
  /// Encrypted, or a patch.
  static let unsupportedFlags: UInt16 = 1 << 0 | 1 << 5 | 1 << 6 | 1 << 13

  /// The extra field that holds lengths of 64 bits.
  static let longExtra: UInt16 = 1
  /// The extra field of Info-ZIP with the name in UTF-8.
  static let unicodePathExtra: UInt16 = 0x7075
  /// January 1, 1980, the earliest date of the format.
  static let firstDay: UInt16 = 0x21
  /// The host systems whose attributes have a Unix mode in the upper half: Unix and macOS.
  static let unixHosts: [UInt8] = [3, 19]
}

/// An entry as the central directory describes it.
struct ZIPEntry: Sendable {
  var name: [UInt8] = []
  /// The name in UTF-8, or bytes that are not valid UTF-8.
  var unicodeName: [UInt8] = []
  var path = ""
  var flags: UInt16 = 0
  var method: UInt16 = 0
  var checksum: UInt32 = 0
  var packedSize = 0
  var size = 0
  var host: UInt8 = 0
  var attributes: UInt32 = 0
  var commentLength = 0
  /// The offset of the local header.
  var header = 0
  /// The offset of the contents.
  var contents = 0

  /// Reads a header of the central directory.
  init(_ reader: inout ByteReader) throws(Failure) {
    guard try reader.read(4).elementsEqual(ZIPSignature.central) else {
      throw reader.failure("a header of the central directory is missing")
    }
    _ = try reader.byte()
    host = try reader.byte()
    _ = try reader.u16()
    flags = try reader.u16()
    method = try reader.u16()
    _ = try reader.u32()
    checksum = try reader.u32()
    let (packed, unpacked) = (try reader.u32(), try reader.u32())
    let nameLength = Int(try reader.u16())
    let extraLength = Int(try reader.u16())
    commentLength = Int(try reader.u16())
    let disk = try reader.u16()
    _ = try reader.u16()
    attributes = try reader.u32()
    let position = try reader.u32()
    let location = reader.location
    name = Array(try reader.read(nameLength))
    let extra = Array(try reader.read(extraLength))
    var long = ZIPLongFields(extra)
    unicodeName = try ZIPName.decoded(name, flags: flags, extra: extra, at: location)
    _ = try reader.read(commentLength)
    guard disk == 0 || disk == .max else {
      throw Diagnostic(.zipUnsupported, at: location, "several disks")
    }
    size = try long.value(unpacked, at: location)
    packedSize = try long.value(packed, at: location)
    header = try long.value(position, at: location)
  }

  /// Returns the kind of the entry. The target of a symbolic link is left empty.
  /// - Throws: ``Rule/special`` if a package cannot hold it.
  func kind() throws(Failure) -> Entry.Kind {
    let mode = ZIP.unixHosts.contains(host) ? attributes >> 16 : 0
    let endsInSlash = unicodeName.last == UInt8(ascii: "/")
    switch mode & 0o170000 {
    case 0 where endsInSlash, 0o040000: return .directory
    case 0, 0o100000:
      return endsInSlash ? .directory : .file(isExecutable: mode & 0o100 != 0)
    case 0o120000 where !endsInSlash: return .symbolicLink("")
    default: throw Diagnostic(.special, at: .entry(path), found: "mode \(String(mode, radix: 8))")
    }
  }
}

/// The 64-bit lengths in an extra field, in the order of the header fields that they replace.
struct ZIPLongFields {
  private var fields: [UInt8] = []
  private var position = 0

  init(_ extra: [UInt8]) { fields = ZIP.field(ZIP.longExtra, of: extra) ?? [] }

  /// Returns a 32-bit field, or the next 64-bit value if the field is 0xFFFFFFFF.
  mutating func value(_ short: UInt32, at location: Location) throws(Failure) -> Int {
    guard short == .max, position + 8 <= fields.count else { return Int(short) }
    let value = fields[position..<position + 8].reversed().reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    position += 8
    guard let size = Int(exactly: value) else {
      throw Diagnostic(.zip, at: location, "a length is too large", found: "\(value)")
    }
    return size
  }
}

extension ByteReader {
  mutating func u16() throws(Failure) -> UInt16 {
    UInt16(truncatingIfNeeded: try littleEndian(2))
  }
}

/// Writes the two headers of an entry.
struct ZIPHeader {
  var name: [UInt8]
  var isPacked: Bool
  var checksum: UInt32
  var packedSize: Int
  var size: Int
  var position: Int
  var mode: UInt32
  var isDirectory: Bool
  var longFrom: Int

  private var hasLongSizes: Bool { max(size, packedSize) >= longFrom }
  private var hasLongPosition: Bool { position >= longFrom }

  /// The local header, before the contents.
  var local: [UInt8] {
    var writer = ByteWriter()
    writer.write(ZIPSignature.entry)
    writeCommon(to: &writer, isLong: hasLongSizes)
    let extra = extra(hasLongSizes ? [size, packedSize] : [])
    writer.littleEndian(UInt64(extra.count), 2)
    writer.write(name)
    writer.write(extra)
    return writer.bytes
  }

  /// The header in the central directory.
  var central: [UInt8] {
    var writer = ByteWriter()
    writer.write(ZIPSignature.central)
    let isLong = hasLongSizes || hasLongPosition
    writer.littleEndian(3 << 8 | (isLong ? 45 : 20), 2)
    writeCommon(to: &writer, isLong: isLong)
    let extra = extra(
      (hasLongSizes ? [size, packedSize] : []) + (hasLongPosition ? [position] : []))
    writer.littleEndian(UInt64(extra.count), 2)
    // No comment, first disk, no internal attributes.
    writer.littleEndian(0, 6)
    // The directory bit of MS-DOS.
    writer.u32(mode << 16 | (isDirectory ? 0x10 : 0))
    writer.u32(hasLongPosition ? .max : UInt32(position))
    writer.write(name)
    writer.write(extra)
    return writer.bytes
  }

  /// Writes the fields from the required version to the length of the name.
  private func writeCommon(to writer: inout ByteWriter, isLong: Bool) {
    writer.littleEndian(isLong ? 45 : 20, 2)
    writer.littleEndian(UInt64(name.allSatisfy { $0 < 0x80 } ? 0 : ZIP.isUnicode), 2)
    writer.littleEndian(UInt64(isPacked ? ZIP.deflated : ZIP.stored), 2)
    writer.littleEndian(0, 2)
    writer.littleEndian(UInt64(ZIP.firstDay), 2)
    writer.u32(checksum)
    writer.u32(hasLongSizes ? .max : UInt32(packedSize))
    writer.u32(hasLongSizes ? .max : UInt32(size))
    writer.littleEndian(UInt64(name.count), 2)
  }

  private func extra(_ values: [Int]) -> [UInt8] {
    guard !values.isEmpty else { return [] }
    var writer = ByteWriter()
    writer.littleEndian(UInt64(ZIP.longExtra), 2)
    writer.littleEndian(UInt64(8 * values.count), 2)
    for value in values { writer.size(value) }
    return writer.bytes
  }
}

/// The local header of an entry. It must agree with the header in the central directory.
struct ZIPLocalHeader {
  /// The offset of the contents.
  private(set) var contents = 0
  /// The end of the entry, including its data descriptor.
  private(set) var end = 0

  private let entry: ZIPEntry
  private let source: ByteSource
  private let bound: Int

  /// - Parameter bound: the end of the region of entries.
  init(of entry: ZIPEntry, in source: ByteSource, before bound: Int) throws(Failure) {
    (self.entry, self.source, self.bound) = (entry, source, bound)
    var reader = ByteReader(
      try bytes(at: entry.header, count: ZIP.localLength), base: entry.header, rule: .zip)
    guard try reader.read(4).elementsEqual(ZIPSignature.entry) else {
      throw reader.failure("there is no header at \(entry.header)")
    }
    _ = try reader.u16()
    let (flags, method) = (try reader.u16(), try reader.u16())
    _ = try reader.u32()
    let (checksum, packed, size) = (try reader.u32(), try reader.u32(), try reader.u32())
    let (nameLength, extraLength) = (Int(try reader.u16()), Int(try reader.u16()))
    let rest = try bytes(at: entry.header + ZIP.localLength, count: nameLength + extraLength)

    let name = rest.prefix(nameLength)
    if !name.elementsEqual(entry.name) {
      func text(_ name: some Sequence<UInt8>) -> String {
        "'\(String(decoding: Array(name.prefix(300)), as: UTF8.self))'"
      }
      throw Diagnostic(
        .zipDisagreement, "the name of an entry", expected: text(entry.name), found: text(name))
    }
    try compare("flags", entry.flags & ~ZIP.isUnicode, flags & ~ZIP.isUnicode)
    try compare("method", entry.method, method)
    try checkSupport()
    contents = entry.header + ZIP.localLength + rest.count
    guard entry.packedSize <= bound - contents else {
      throw Diagnostic(
        .zip, "the contents", expected: "an end before \(bound)",
        found: "\(entry.packedSize) bytes at \(contents)")
    }
    end = contents + entry.packedSize

    var long = ZIPLongFields(Array(rest.dropFirst(nameLength)))
    let stated = (
      checksum, try long.value(size, at: .unknown), try long.value(packed, at: .unknown)
    )
    let isSame = stated == (entry.checksum, entry.size, entry.packedSize)
    if flags & ZIP.hasDescriptor != 0 {
      try checkDescriptor(isNeeded: !isSame)
    } else if !isSame {
      try compare("checksum", entry.checksum.hex, checksum.hex)
      try compare("size", entry.size, stated.1)
      try compare("packed size", entry.packedSize, stated.2)
    }
  }

  private func bytes(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    guard offset >= 0, offset <= bound, count <= bound - offset else {
      throw Diagnostic(.zip, "the header", expected: "an end before \(bound)", found: "\(offset)")
    }
    return try source.bytes(at: offset, count: count)
  }

  private func compare(
    _ what: String, _ central: some CustomStringConvertible,
    _ local: some CustomStringConvertible
  ) throws(Failure) {
    guard central.description != local.description else { return }
    throw Diagnostic(
      .zipDisagreement, "the \(what) of an entry", expected: central.description,
      found: local.description)
  }

  private func checkSupport() throws(Failure) {
    guard entry.flags & ZIP.unsupportedFlags == 0 else {
      throw Diagnostic(.zipUnsupported, "the entry is encrypted or a patch")
    }
    // Deflate reaches at most 1032 : 1. Checked before memory is allocated.
    let isPossible: Bool
    switch entry.method {
    case ZIP.stored: isPossible = entry.size == entry.packedSize
    case ZIP.deflated: isPossible = entry.size / 1032 <= entry.packedSize
    default: throw Diagnostic(.zipUnsupported, "method \(entry.method)")
    }
    guard isPossible else {
      throw Diagnostic(
        .zip, "the contents cannot have this size", found: "\(entry.size) from \(entry.packedSize)")
    }
  }

  /// Checks the data descriptor after the contents, which streaming writers use: with or without
  /// signature, with lengths of 32 or 64 bits.
  private mutating func checkDescriptor(isNeeded: Bool) throws(Failure) {
    let found = try source.bytes(at: end, count: min(24, bound - end))
    for signature in [ZIPSignature.descriptor, []] {
      for width in [4, 8] {
        var writer = ByteWriter()
        writer.write(signature)
        writer.u32(entry.checksum)
        writer.littleEndian(UInt64(entry.packedSize), width)
        writer.littleEndian(UInt64(entry.size), width)
        let isWhole = width == 8 || max(entry.size, entry.packedSize) <= UInt32.max
        if isWhole, found.starts(with: writer.bytes) {
          end += writer.bytes.count
          return
        }
      }
    }
    if isNeeded {
      throw Diagnostic(
        .zipDisagreement, "the data descriptor of an entry",
        expected: "its checksum and size")
    }
  }
}

extension ZIP {
  /// Returns the first extra field of a kind, or nil. An incomplete field is treated as padding.
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
  ) throws(Failure) -> [UInt8] {
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
