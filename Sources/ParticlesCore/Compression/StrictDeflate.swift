internal import CParticlesInflate

/// Rules of deflate (RFC 1951) that libdeflate does not check.
enum StrictDeflate {
  /// Whether a zlib stream that libdeflate has accepted uses only codes that the format defines.
  static func isStrict(zlib stream: UnsafeRawBufferPointer) -> Bool {
    guard stream.count > 2, let start = stream.bindMemory(to: UInt8.self).baseAddress else {
      return false
    }
    return particles_deflate_is_strict(start + 2, stream.count - 2)
  }
}
