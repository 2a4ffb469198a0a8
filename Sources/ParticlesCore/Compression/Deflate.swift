internal import CParticlesDeflate
internal import Synchronization

/// zlib streams (RFC 1950) made and read in memory by libdeflate, where the unpacked size is known.
///
/// Levels are libdeflate's, 0…12. Its output is stable for one version of the library only, which
/// is why nothing is ever identified by its compressed bytes.
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

  /// Makes a zlib stream of `bytes` in `output`, and returns its length; nil if it does not fit.
  package func zlib(
    _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    let count = libdeflate_zlib_compress(
      compressor, bytes.baseAddress, bytes.count, output.baseAddress, output.count)
    return count > 0 ? count : nil
  }

  /// A zlib stream of `bytes` that is at most `limit` bytes long, or nil if it would be longer.
  package func zlib(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    guard limit > 0 else { return nil }
    let stream = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      count = zlib(bytes, into: UnsafeMutableRawBufferPointer(output)) ?? 0
    }
    return stream.isEmpty ? nil : stream
  }

  /// The same as a bare deflate stream (RFC 1951), which is what ZIP holds.
  package func bare(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    guard limit > 0 else { return nil }
    let stream = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      count = libdeflate_deflate_compress(
        compressor, bytes.baseAddress, bytes.count, output.baseAddress, limit)
    }
    return stream.isEmpty ? nil : stream
  }

  /// A gzip stream (RFC 1952) of `bytes`, without name and time, so that equal bytes give equal
  /// streams.
  package func gzip(_ bytes: [UInt8]) -> [UInt8] {
    let limit = libdeflate_gzip_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      count = libdeflate_gzip_compress(
        compressor, bytes, bytes.count, output.baseAddress, limit)
    }
  }
}

/// Reads zlib streams whose unpacked size is known. Threads that share one take turns.
package final class Inflate: Sendable {
  // Only touched by whoever has the turn; made when there is something to unpack.
  nonisolated(unsafe) private var decompressor: OpaquePointer?
  private let turn = Mutex(())

  package init() {}

  deinit { if let decompressor { libdeflate_free_decompressor(decompressor) } }

  /// Unpacks a zlib stream that fills `output` exactly.
  /// - Returns: false if the stream is damaged, shorter or longer, or if bytes follow it.
  package func zlib(
    _ stream: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var consumed = 0
    var produced = 0
    let result = turn.withLock { _ in
      decompressor = decompressor ?? libdeflate_alloc_decompressor()
      guard let decompressor else { fatalError("out of memory") }
      return libdeflate_zlib_decompress_ex(
        decompressor, stream.baseAddress, stream.count, output.baseAddress, output.count, &consumed,
        &produced)
    }
    return result == LIBDEFLATE_SUCCESS && consumed == stream.count && produced == output.count
  }
}

/// The CRC-32 of ISO 3309, as in PNG and gzip.
package enum CRC32 {
  /// The checksum of `bytes` behind those that gave `seed`; 0 begins.
  package static func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
    // libdeflate begins anew where it is given no bytes at all.
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return seed }
    return libdeflate_crc32(seed, start, bytes.count)
  }

  /// The checksum of `bytes` behind those that gave `seed`; 0 begins.
  package static func checksum(_ bytes: some Collection<UInt8>, seed: UInt32 = 0) -> UInt32 {
    bytes.withContiguousStorageIfAvailable { checksum(UnsafeRawBufferPointer($0), seed: seed) }
      ?? Array(bytes).withUnsafeBytes { checksum($0, seed: seed) }
  }
}
