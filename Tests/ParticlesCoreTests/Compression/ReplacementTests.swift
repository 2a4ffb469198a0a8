import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// What builds without the trait `FastLibraries` have is in all builds, so that it is compared here with
/// the library.
@Suite("Compression without libdeflate")
struct ReplacementTests {
  @Test("streams of our own unpack, and what does not fit is not written", arguments: 0...12)
  func streams(level: Int) throws {
    let deflate = Deflate(level: level, isPlain: true)
    var random = SeededGenerator(seed: UInt64(level))
    for bytes in DeflateTests.samples + [DeflateTests.mixture(150_000, &random)] {
      // 5 bytes for each block of plain ones, of 64 KiB.
      let room = bytes.count + bytes.count / 1000 + 64
      try bytes.withUnsafeBytes { plain in
        let zlib = try #require(deflate.zlib(plain, limit: room))
        #expect(ZlibReferee.inflate(zlib, as: .zlib, limit: bytes.count)?.bytes == bytes)
        #expect(deflate.zlib(plain, limit: zlib.count) == zlib)
        #expect(deflate.zlib(plain, limit: zlib.count - 1) == nil)
        let bare = try #require(deflate.bare(plain, limit: room))
        #expect(ZlibReferee.inflate(bare, as: .bare, limit: bytes.count)?.bytes == bytes)
        #expect(deflate.bare(plain, limit: bare.count) == bare)
        #expect(deflate.bare(plain, limit: bare.count - 1) == nil)
      }
      let gzip = deflate.gzip(bytes)
      #expect(ZlibReferee.inflate(gzip, as: .gzip, limit: bytes.count)?.bytes == bytes)
      #expect(try Zlib.inflate(gzip, limit: bytes.count, rule: .payload) == bytes)
    }
  }

  @Test("streams of our own are at most a hundredth longer than those of zlib")
  func sizes() throws {
    let text = try Files.read(Repository.path("CHANGELOG.md"))
    let zlib = try #require(ZlibReferee.deflate(text, as: .zlib, level: 6))
    let own = text.withUnsafeBytes {
      Deflate(level: 6, isPlain: true).zlib($0, limit: text.count) ?? text
    }
    #expect(own.count * 100 <= zlib.count * 101, "\(own.count) bytes, \(zlib.count) by zlib")
  }

  @Test("checksums", arguments: [0, 1, 7, 8, 63, 64, 65, 1000, 100_001])
  func checksums(length: Int) {
    let bytes = SampleTree.noise(length, seed: 9)
    let expected = ZlibReferee.crc32(bytes, seed: 5)
    bytes.withUnsafeBytes {
      #expect(CRC32.checksum($0, seed: 5) == expected)
      #expect(CRC32.checksum($0, seed: 5, isPlain: true) == expected)
    }
    let half = CRC32.checksum(bytes[..<(length / 2)])
    let rest = CRC32.checksum(bytes[(length / 2)...])
    let count = length - length / 2
    #expect(CRC32.combine(half, rest, count: count) == ZlibReferee.crc32(bytes, seed: 0))
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
