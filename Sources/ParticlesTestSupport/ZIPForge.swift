internal import ParticlesCore

/// Builds ZIP archives header by header, valid or not. Contents are stored as they are given.
package struct ZIPForge {
  /// An entry with every field of its local header and of its central directory header.
  package struct Entry: Sendable {
    package var name: [UInt8]
    package var contents: [UInt8]
    package var mode: UInt32 = 0o100644
    package var flags: UInt16 = 0
    package var method: UInt16 = 0
    package var checksum: UInt32
    package var size: Int
    package var localName: [UInt8]
    package var localSize: Int
    package var localChecksum: UInt32
    /// Bytes between the contents and the next entry, such as a data descriptor.
    package var trailer: [UInt8] = []
    /// The extra fields of the central directory header.
    package var extra: [UInt8] = []

    package init(_ name: String, _ contents: [UInt8] = []) {
      self.init(Array(name.utf8), contents)
    }

    package init(_ name: [UInt8], _ contents: [UInt8] = []) {
      (self.name, localName, self.contents) = (name, name, contents)
      (size, localSize) = (contents.count, contents.count)
      checksum = CRC32.checksum(contents)
      localChecksum = checksum
    }

    /// The same entry with something changed.
    package func with(_ change: (inout Entry) -> Void) -> Entry {
      var copy = self
      change(&copy)
      return copy
    }

    /// A symbolic link.
    package static func link(_ name: String, to target: String) -> Entry {
      Entry(name, Array(target.utf8)).with { $0.mode = 0o120777 }
    }
  }

  /// An archive of these entries, with `count` instead of their number if given.
  package static func archive(
    _ entries: [Entry], count: Int? = nil, prefix: [UInt8] = [], comment: [UInt8] = []
  ) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write(prefix)
    var directory = ByteWriter()
    for entry in entries {
      let position = bytes.bytes.count
      bytes.write([0x50, 0x4B, 3, 4, 20, 0])
      common(entry, entry.localName, entry.localSize, entry.localChecksum, to: &bytes)
      bytes.littleEndian(0, 2)
      bytes.write(entry.localName)
      bytes.write(entry.contents)
      bytes.write(entry.trailer)
      directory.write([0x50, 0x4B, 1, 2, 20, 3, 20, 0])
      common(entry, entry.name, entry.size, entry.checksum, to: &directory)
      directory.littleEndian(UInt64(entry.extra.count), 2)
      directory.littleEndian(0, 6)
      directory.u32(entry.mode << 16)
      directory.u32(UInt32(position))
      directory.write(entry.name)
      directory.write(entry.extra)
    }
    let start = bytes.bytes.count
    bytes.write(directory.bytes)
    bytes.write([0x50, 0x4B, 5, 6, 0, 0, 0, 0])
    bytes.littleEndian(UInt64(count ?? entries.count), 2)
    bytes.littleEndian(UInt64(count ?? entries.count), 2)
    bytes.u32(UInt32(directory.bytes.count))
    bytes.u32(UInt32(start))
    bytes.littleEndian(UInt64(comment.count), 2)
    bytes.write(comment)
    return bytes.bytes
  }

  private static func common(
    _ entry: Entry, _ name: [UInt8], _ size: Int, _ checksum: UInt32, to writer: inout ByteWriter
  ) {
    writer.littleEndian(UInt64(entry.flags), 2)
    writer.littleEndian(UInt64(entry.method), 2)
    writer.u32(0x21_0000)
    writer.u32(checksum)
    writer.u32(UInt32(entry.contents.count))
    writer.u32(UInt32(size))
    writer.littleEndian(UInt64(name.count), 2)
  }
}
