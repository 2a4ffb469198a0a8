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
  private let deflate: Deflate
  private let output = WorkBuffer(capacity: Layout.blockSize)
  private lazy var probe = Deflate(level: 1)

  private static let probeSize = 16 << 10
  /// Up to this, which is that of small files packed together, probing costs more than it saves.
  private static let unprobedSize = Layout.packSize

  init(level: CompressionLevel) { deflate = Deflate(level: level.deflateLevel) }

  /// Compresses whatever becomes shorter by it.
  func compress(_ raw: [UInt8]) -> Payload {
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
    guard worthTrying,
      let count = deflate.zlib(raw, into: output[raw.count - max(1, raw.count / 64)])
    else { return Payload(stored: Array(raw), rawLength: raw.count) }
    return Payload(stored: Array(output[count]), rawLength: raw.count)
  }
}
