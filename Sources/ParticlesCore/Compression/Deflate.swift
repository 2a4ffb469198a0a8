internal import CParticlesDeflate

/// Compresses bytes in memory with libdeflate.
///
/// Levels are those of libdeflate, 0…12. The output may change between versions of the library, so
/// nothing may be identified by its compressed bytes.
package final class Deflate {
  private let compressor: OpaquePointer

  /// Creates a compressor, to be used from one thread at a time.
  package init(level: Int) {
    guard let compressor = libdeflate_alloc_compressor(CInt(level)) else {
      fatalError("out of memory, or no compression level \(level)")
    }
    self.compressor = compressor
  }

  deinit { libdeflate_free_compressor(compressor) }

  /// Writes a zlib stream (RFC 1950) of `bytes` to `output` and returns its length, or nil if it does
  /// not fit.
  package func zlib(
    _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    let count = libdeflate_zlib_compress(
      compressor, bytes.baseAddress, bytes.count, output.baseAddress, output.count)
    return count > 0 ? count : nil
  }

  /// Returns a zlib stream of `bytes`, or nil if it would be longer than `limit` bytes.
  package func zlib(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    guard limit > 0 else { return nil }
    let stream = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      count = zlib(bytes, into: UnsafeMutableRawBufferPointer(output)) ?? 0
    }
    return stream.isEmpty ? nil : stream
  }

  /// Returns a raw deflate stream (RFC 1951) of `bytes`, as in ZIP archives, or nil if it would be
  /// longer than `limit` bytes.
  package func bare(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    guard limit > 0 else { return nil }
    let stream = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      count = libdeflate_deflate_compress(
        compressor, bytes.baseAddress, bytes.count, output.baseAddress, limit)
    }
    return stream.isEmpty ? nil : stream
  }

  /// Returns a gzip stream (RFC 1952) of `bytes` without name and time, so that equal bytes give
  /// equal streams.
  package func gzip(_ bytes: [UInt8]) -> [UInt8] {
    let limit = libdeflate_gzip_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      count = libdeflate_gzip_compress(
        compressor, bytes, bytes.count, output.baseAddress, limit)
    }
  }
}

/// The CRC-32 of ISO 3309, as in PNG and gzip.
package enum CRC32 {
  /// Returns the checksum of `bytes`, continuing from `seed`, the checksum of the bytes before; 0 at
  /// the beginning.
  package static func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
    // libdeflate returns the initial value, not the seed, for a null pointer.
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return seed }
    return libdeflate_crc32(seed, start, bytes.count)
  }

  /// Returns the checksum of `bytes`, continuing from `seed`, the checksum of the bytes before; 0 at
  /// the beginning.
  package static func checksum(_ bytes: some Collection<UInt8>, seed: UInt32 = 0) -> UInt32 {
    bytes.withContiguousStorageIfAvailable { checksum(UnsafeRawBufferPointer($0), seed: seed) }
      ?? Array(bytes).withUnsafeBytes { checksum($0, seed: seed) }
  }
}

/// The Adler-32 of RFC 1950.
enum Adler32 {
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    // libdeflate returns the initial value for a null pointer.
    libdeflate_adler32(1, bytes.baseAddress, bytes.count)
  }
}
