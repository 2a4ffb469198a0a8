internal import ParticlesCore

/// The constants of the format (`Spec/container.md`), sizes in bytes.
package enum Layout {
  /// The signature: a byte that is not ASCII, `PTCL`, and bytes that a transfer as text changes.
  package static let signature: [UInt8] = [0x89] + Array("PTCL".utf8) + [0x0D, 0x0A, 0x1A, 0x0A]

  /// The newest version that this library reads, and that it states in new files.
  package static let versionToRead: UInt8 = 1
  /// The newest version that this library changes in place, and that it states in new files.
  package static let versionToWrite: UInt8 = 1

  package static let headerSize = 16
  package static let frameHeaderSize = 24
  package static let footerPayloadSize = 24
  package static let footerSize = frameHeaderSize + footerPayloadSize

  /// The largest unpacked tree page or block.
  package static let pageLimit = 1 << 20
  /// The largest unpacked block table or root.
  package static let indexLimit = 16 << 20

  /// The most bytes that one byte of deflate unpacks to.
  package static let packingLimit = 1032

  /// Files of at least this size get blocks of their own; smaller ones share blocks up to it.
  package static let packSize = 64 << 10
  /// The size of the blocks of large files.
  package static let blockSize = 512 << 10
  /// The most entries that the writer puts on a tree page.
  package static let pageEntries = 256
  /// The size at which the writer begins a new tree page.
  package static let pageBytes = 16 << 10
}

/// The header of a flat package.
enum Header {
  static func encode() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(Layout.signature)
    writer.write([Layout.versionToRead, Layout.versionToWrite, 0])
    writer.u32(CRC32.checksum(writer.bytes))
    return writer.bytes
  }

  /// Whether these bytes, the first of a file, begin a flat package.
  static func isSignature(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: Layout.signature)
  }

  static func check(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try check($0) } }

  static func check(_ bytes: UnsafeRawBufferPointer) throws {
    guard isSignature(bytes) else {
      throw Diagnostic(
        .signature, at: .offset(0), expected: Layout.signature.hexDigits,
        found: bytes.isEmpty ? "nothing" : bytes.prefix(Layout.signature.count).hexDigits)
    }
    guard bytes.count >= Layout.headerSize else {
      throw Diagnostic(
        .truncated, at: .offset(bytes.count), "header", expected: "\(Layout.headerSize) bytes",
        found: "\(bytes.count)")
    }
    let versionToRead = bytes[Layout.signature.count]
    let stated: UInt32 = bytes.number(at: Layout.headerSize - 4)
    let checksum = CRC32.checksum(
      UnsafeRawBufferPointer(rebasing: bytes[..<(Layout.headerSize - 4)]))
    guard stated == checksum else {
      throw Diagnostic(
        .checksum, at: .offset(0), "header", expected: stated.hex, found: checksum.hex)
    }
    guard versionToRead <= Layout.versionToRead else {
      throw Diagnostic(
        .containerVersion, at: .offset(Layout.signature.count),
        expected: "version \(Layout.versionToRead) or less", found: "version \(versionToRead)")
    }
    guard bytes[Layout.headerSize - 5] == 0 else {
      throw Diagnostic(
        .frame, at: .offset(Layout.headerSize - 5), "header", expected: "a zero byte")
    }
  }
}
