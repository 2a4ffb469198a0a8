import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// What builds without the trait `FastLibraries` have is in all builds, so that it is compared here with
/// the library.
@Suite("Compression without libdeflate")
struct ReplacementTests {
  @Test("streams of zlib unpack, and what does not fit is not written", arguments: [0, 1, 6, 12])
  func streams(level: Int) throws {
    let compressor = ZlibCompressor(level: level)
    for bytes in DeflateTests.samples {
      for wrapping in [DeflateWrapping.zlib, .bare, .gzip] {
        let room = compressor.longestGzip(of: bytes.count)
        func pack(_ room: Int) -> [UInt8] {
          [UInt8](unsafeUninitializedCapacity: room) { output, count in
            count = bytes.withUnsafeBytes {
              compressor.compress(
                $0, as: wrapping,
                into: UnsafeMutableRawBufferPointer(start: output.baseAddress, count: room))
            }
          }
        }
        let stream = pack(room)
        #expect(!stream.isEmpty)
        let unpacked = try Zlib.inflate(
          stream, as: wrapping == .bare ? .deflate : .automatic, limit: bytes.count, rule: .payload)
        #expect(unpacked == bytes)
        #expect(pack(stream.count + (wrapping == .bare ? 1 : 0)) == stream)
        #expect(pack(stream.count - 1).isEmpty)
        #expect(pack(0).isEmpty)
      }
    }
  }

  @Test("checksums", arguments: [0, 1, 63, 64, 65, 1000, 100_001])
  func checksums(length: Int) {
    let bytes = SampleTree.noise(length, seed: 9)
    bytes.withUnsafeBytes {
      if length > 0 { #expect(ZlibCompressor.crc32($0, 5) == CRC32.checksum($0, seed: 5)) }
    }
  }

  // Near the largest sums that fit, and at the ends of pieces.
  @Test("Adler-32 of streams of libdeflate", arguments: [0, 1, 31, 5535, 5536, 5537, 100_001])
  func adler(length: Int) {
    for bytes in [SampleTree.noise(length, seed: 9), [UInt8](repeating: 255, count: length)] {
      var stream =
        bytes.withUnsafeBytes { Deflate(level: 1).zlib($0, limit: length + 1000) } ?? []
      var output = [UInt8](repeating: 0, count: length)
      func isSound() -> Bool {
        stream.withUnsafeBytes { stream in
          output.withUnsafeMutableBytes { Inflate.zlib(stream, into: $0) }
        }
      }
      #expect(isSound())
      for place in 1...4 {
        stream[stream.count - place] ^= 1
        #expect(!isSound())
        stream[stream.count - place] ^= 1
      }
    }
  }
}
