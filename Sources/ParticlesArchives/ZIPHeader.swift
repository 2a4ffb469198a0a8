internal import ParticlesCore

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
