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
  /// Whether these bytes begin a ZIP archive.
  package static func isArchive(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: ZIPSignature.entry) || bytes.starts(with: ZIPSignature.end)
  }

  /// Opens an archive. Contents are read on demand.
  package static func unpack(_ source: ByteSource, limits: Limits) throws -> Container {
    var reader = ZIPReader(source, limits: limits)
    return try reader.read()
  }

  /// Writes the contents of a directory. Returns notes on parts that some programs ignore, and warnings
  /// on names that are not portable.
  package static func pack(
    _ root: FileNode, _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> [Diagnostic] {
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
