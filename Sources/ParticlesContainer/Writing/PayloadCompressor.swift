internal import ParticlesCore

/// Decides whether a payload is worth compressing, and does it.
final class PayloadCompressor {
  /// A payload as it will stand in a frame: compressed if `stored` is shorter than `rawLength`.
  struct Payload {
    var stored: [UInt8]
    var rawLength: Int
  }

  private let deflate = Deflate(level: 5)
  private lazy var probe = Deflate(level: 1)

  private static let probeSize = 16 << 10

  /// Compresses whatever becomes shorter by it.
  func compress(_ raw: [UInt8]) -> Payload {
    let stored = raw.withUnsafeBytes { deflate.zlib($0, limit: raw.count - 1) }
    return Payload(stored: stored ?? raw, rawLength: raw.count)
  }

  /// Compresses a block if that saves at least one byte in 64. Where the beginning of a long block
  /// shows no sign of that, as with PNG or JPEG, the rest is not tried: reading it back is faster.
  func compressBlock(_ raw: [UInt8]) -> Payload {
    raw.withUnsafeBytes { bytes in
      let beginning = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.probeSize))
      let worthTrying =
        raw.count < 2 * Self.probeSize
        || probe.zlib(beginning, limit: beginning.count - beginning.count / 64) != nil
      guard worthTrying,
        let stored = deflate.zlib(bytes, limit: raw.count - max(1, raw.count / 64))
      else { return Payload(stored: raw, rawLength: raw.count) }
      return Payload(stored: stored, rawLength: raw.count)
    }
  }
}
