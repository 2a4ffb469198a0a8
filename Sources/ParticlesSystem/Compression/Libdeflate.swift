#if FastLibraries
  internal import CParticlesDeflate

  /// Compression and checksums by libdeflate.
  final class LibdeflateCompressor {
    private let compressor: OpaquePointer

    init(level: Int) {
      guard let compressor = libdeflate_alloc_compressor(CInt(level)) else {
        fatalError("out of memory, or no compression level \(level)")
      }
      self.compressor = compressor
    }

    deinit { libdeflate_free_compressor(compressor) }

    /// Writes a stream of `bytes` to `output` and returns its length, or 0 if it does not fit.
    func compress(
      _ bytes: UnsafeRawBufferPointer, as wrapping: DeflateWrapping,
      into output: UnsafeMutableRawBufferPointer
    ) -> Int {
      let compress =
        switch wrapping {
        case .zlib: libdeflate_zlib_compress
        case .bare: libdeflate_deflate_compress
        case .gzip: libdeflate_gzip_compress
        }
      return compress(
        compressor, bytes.baseAddress, bytes.count, output.baseAddress, output.count)
    }

    /// The most bytes that a gzip stream of `count` bytes has.
    func longestGzip(of count: Int) -> Int { libdeflate_gzip_compress_bound(compressor, count) }

    static func crc32(_ bytes: UnsafeRawBufferPointer, _ seed: UInt32) -> UInt32 {
      libdeflate_crc32(seed, bytes.baseAddress, bytes.count)
    }
  }
#endif
