internal import ParticlesCore

/// A payload as it will stand in a frame: compressed if `stored` is shorter than `rawLength`.
struct Payload: Sendable {
  let stored: [UInt8]
  let rawLength: Int
  /// CRC-32 of the stored bytes, taken here because here several threads are at work.
  let checksum: UInt32

  init(stored: [UInt8], rawLength: Int) {
    self.stored = stored
    self.rawLength = rawLength
    checksum = CRC32.checksum(stored)
  }
}

/// Decides whether a payload is worth compressing, and does it. To be used from one thread.
final class PayloadCompressor {
  private let level: CompressionLevel
  private let output = WorkBuffer(capacity: Layout.blockSize)
  // Each takes a quarter of a megabyte; few saves need more than one of them.
  private lazy var deflate = Deflate(level: level.deflateLevel)
  private lazy var probe = Deflate(level: 1)
  private lazy var thorough = Deflate(level: 8)

  private static let probeSize = 16 << 10
  /// Up to this, which is that of small files packed together, probing costs more than it saves.
  private static let unprobedSize = Layout.packSize
  /// Up to this, all that a small document has is one block, and a level that takes three times as
  /// long takes no time.
  private static let smallSize = 8 << 10

  init(level: CompressionLevel) { self.level = level }

  /// Compresses part of the index only where size is all that matters: paths are short already, being
  /// given as what differs, and whoever opens a package reads them before anything else.
  func compressIndex(_ raw: [UInt8]) -> Payload {
    guard level == .best else { return Payload(stored: raw, rawLength: raw.count) }
    let stored = raw.withUnsafeBytes { deflate.zlib($0, limit: raw.count - 1) }
    return Payload(stored: stored ?? raw, rawLength: raw.count)
  }

  /// Compresses a block if that saves at least one byte in 64. Where the beginning of a long block
  /// shows no sign of that, as with PNG or JPEG, the rest is not tried: reading it back is faster.
  func compressBlock(_ raw: UnsafeRawBufferPointer) -> Payload {
    let beginning = UnsafeRawBufferPointer(rebasing: raw.prefix(Self.probeSize))
    let worthTrying =
      raw.count <= Self.unprobedSize
      || probe.zlib(beginning, into: output[beginning.count - beginning.count / 64]) != nil
    let isSmall = raw.count <= Self.smallSize && level == .standard
    guard worthTrying,
      let count = (isSmall ? thorough : deflate).zlib(
        raw, into: output[raw.count - max(1, raw.count / 64)])
    else { return Payload(stored: Array(raw), rawLength: raw.count) }
    return Payload(stored: Array(output[count]), rawLength: raw.count)
  }
}
