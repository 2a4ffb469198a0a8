internal import ParticlesCore

/// The payload of a new frame: compressed if `stored` is shorter than `rawLength`.
struct Payload: Sendable {
  let stored: [UInt8]
  let rawLength: Int
  /// CRC-32 of the stored bytes, computed here because several threads make payloads.
  let checksum: UInt32

  init(stored: [UInt8], rawLength: Int) {
    self.stored = stored
    self.rawLength = rawLength
    checksum = CRC32.checksum(stored)
  }
}

/// Compresses payloads that become smaller. To be used from one thread.
final class PayloadCompressor {
  private let level: CompressionLevel
  private let output = WorkBuffer()
  // Each takes 256 KiB; few saves need more than one of them.
  private lazy var deflate = Deflate(level: level.deflateLevel)
  private lazy var probe = Deflate(level: 1)
  private lazy var thorough = Deflate(level: 8)
  private lazy var optimal = Deflate(level: 10)

  private static let probeSize = 16 << 10
  /// Up to this size, that of shared blocks, probing costs more than it saves.
  private static let unprobedSize = Layout.packSize
  /// Up to this size, the time of a slower level does not matter.
  private static let smallSize = 16 << 10

  init(level: CompressionLevel) { self.level = level }

  /// Compresses part of the index at level `best` only: front-coded paths are short, and every reader
  /// needs them first.
  func compressIndex(_ raw: [UInt8]) -> Payload {
    guard level == .best else { return Payload(stored: raw, rawLength: raw.count) }
    let stored = raw.withUnsafeBytes { deflate.zlib($0, limit: raw.count - 1) }
    return Payload(stored: stored ?? raw, rawLength: raw.count)
  }

  /// Compresses a block of at most 64 KiB, and at level `best` any block, if that saves a byte; others if
  /// that saves at least one byte in 64. Of those the first 16 KiB are tried; if they do not compress, as
  /// in PNG or JPEG, the block is stored.
  func compressBlock(_ raw: UnsafeRawBufferPointer) -> Payload {
    let beginning = UnsafeRawBufferPointer(rebasing: raw.prefix(Self.probeSize))
    let takesAnySaving = raw.count <= Self.unprobedSize || level == .best
    let worthTrying =
      takesAnySaving
      || probe.zlib(beginning, into: output[beginning.count - beginning.count / 64]) != nil
    let isSmall = raw.count <= Self.smallSize && level == .standard
    guard worthTrying,
      let count = (isSmall ? thorough : deflate).zlib(
        raw, into: output[raw.count - (takesAnySaving ? 1 : raw.count / 64)])
    else { return Payload(stored: Array(raw), rawLength: raw.count) }
    let stored = Array(output[count])
    // Of a small block with an embedded image, `zip -6` finds a few bytes more than the levels up to 9.
    if isSmall, count > raw.count / 2,
      let better = optimal.zlib(raw, into: output[count - 1])
    {
      return Payload(stored: Array(output[better]), rawLength: raw.count)
    }
    return Payload(stored: stored, rawLength: raw.count)
  }
}
