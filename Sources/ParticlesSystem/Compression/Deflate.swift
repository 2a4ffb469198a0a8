internal import ParticlesCore

/// Compresses bytes in memory with libdeflate, or with zlib without the trait `FastLibraries`.
///
/// Levels are 0…12, as in libdeflate. The output may change between versions of the library, so
/// nothing may be identified by its compressed bytes.
package final class Deflate {
  #if FastLibraries
    private typealias Compressor = LibdeflateCompressor
  #else
    private typealias Compressor = ZlibCompressor
  #endif

  private let compressor: Compressor

  /// Creates a compressor, to be used from one thread at a time.
  package init(level: Int) { compressor = Compressor(level: level) }

  /// Writes a zlib stream (RFC 1950) of `bytes` to `output` and returns its length, or nil if it does
  /// not fit.
  package func zlib(
    _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    let count = compressor.compress(bytes, as: .zlib, into: output)
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
      count = compressor.compress(bytes, as: .bare, into: UnsafeMutableRawBufferPointer(output))
    }
    return stream.isEmpty ? nil : stream
  }

  /// Returns a gzip stream (RFC 1952) of `bytes` without name and time, so that equal bytes give
  /// equal streams.
  package func gzip(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: compressor.longestGzip(of: bytes.count)) { output, count in
      count = bytes.withUnsafeBytes {
        compressor.compress($0, as: .gzip, into: UnsafeMutableRawBufferPointer(output))
      }
    }
  }
}

/// The header and trailer around compressed data in memory.
package enum DeflateWrapping: CInt {
  /// The header and trailer of zlib (RFC 1950).
  case zlib = 15
  /// None: a raw deflate stream (RFC 1951).
  case bare = -15
  /// The header and trailer of gzip (RFC 1952), without name and time.
  case gzip = 31
}

/// The CRC-32 of ISO 3309, as in PNG and gzip.
package enum CRC32 {
  /// Returns the checksum of `bytes`, continuing from `seed`, the checksum of earlier bytes (0 at
  /// the beginning).
  package static func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
    // libdeflate and zlib return the initial value, not the seed, for a null pointer.
    guard !bytes.isEmpty else { return seed }
    #if FastLibraries
      return LibdeflateCompressor.crc32(bytes, seed)
    #else
      return ZlibCompressor.crc32(bytes, seed)
    #endif
  }

  /// Returns the checksum of `bytes`, continuing from `seed`, the checksum of earlier bytes (0 at
  /// the beginning).
  package static func checksum(_ bytes: some Collection<UInt8>, seed: UInt32 = 0) -> UInt32 {
    bytes.withContiguousStorageIfAvailable { checksum(UnsafeRawBufferPointer($0), seed: seed) }
      ?? Array(bytes).withUnsafeBytes { checksum($0, seed: seed) }
  }
}
