internal import ParticlesContainer
internal import ParticlesCore

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
  init(of entry: ZIPEntry, in source: ByteSource, before bound: Int) throws {
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

    try compare("name", entry.name, Array(rest.prefix(nameLength)))
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

  private func bytes(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, offset <= bound, count <= bound - offset else {
      throw Diagnostic(.zip, "the header", expected: "an end before \(bound)", found: "\(offset)")
    }
    return try source.bytes(at: offset, count: count)
  }

  private func compare<Value: Equatable>(
    _ what: String, _ central: Value, _ local: Value
  ) throws {
    guard central != local else { return }
    func text(_ value: Value) -> String {
      (value as? [UInt8]).map { "'\(String(decoding: $0.prefix(300), as: UTF8.self))'" }
        ?? "\(value)"
    }
    throw Diagnostic(
      .zipDisagreement, "the \(what) of an entry", expected: text(central), found: text(local))
  }

  private func checkSupport() throws {
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
  private mutating func checkDescriptor(isNeeded: Bool) throws {
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
