internal import CParticlesInflate

/// Decompresses zlib streams of known size. Accepts every stream that zlib accepts, at about three
/// times its speed.
package enum Inflate {
  /// The header of two bytes and the checksum of four.
  private static let (headerSize, trailerSize) = (2, 4)

  /// Decompresses a zlib stream (RFC 1950) that fills `output` exactly.
  /// - Returns: false if the stream is damaged, needs a dictionary, unpacks to another length, or is
  ///   followed by more bytes. The contents of `output` are then undefined.
  package static func zlib(
    _ stream: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let size = stream.count - headerSize - trailerSize
    guard size > 0, isHeader(stream[0], stream[1]), let start = stream.baseAddress else {
      return false
    }
    // C needs an address also where there is nothing to write.
    var nothing: UInt8 = 0
    let isSound = withUnsafeMutablePointer(to: &nothing) { nothing in
      particles_inflate(
        start.assumingMemoryBound(to: UInt8.self) + headerSize, size,
        output.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nothing, output.count)
    }
    let checksum = stream.loadUnaligned(fromByteOffset: headerSize + size, as: UInt32.self)
    return isSound
      && particles_adler32(
        output.baseAddress?.assumingMemoryBound(to: UInt8.self), output.count)
        == UInt32(bigEndian: checksum)
  }

  /// Whether these are the first bytes of a stream: the method is deflate, the window has at most
  /// 32 KiB, no dictionary is needed, and the check bits are right.
  private static func isHeader(_ method: UInt8, _ flags: UInt8) -> Bool {
    method & 0x0F == 8 && method >> 4 <= 7 && flags & 0x20 == 0
      && (Int(method) << 8 | Int(flags)).isMultiple(of: 31)
  }
}
