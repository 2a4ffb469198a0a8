import ParticlesCore
import ParticlesTestSupport
import Testing

/// What builds without the trait `FastLibraries` have is in all builds, so that it is compared here with
/// the libraries.
@Suite("Compression and digests without libdeflate and libmd")
struct ReplacementTests {
  /// Lengths around the ends of blocks of 64 bytes.
  private static let lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 100_001]

  @Test("SHA-256 and MD5, whole and in pieces", arguments: lengths)
  func digests(length: Int) {
    let bytes = SampleTree.noise(length, seed: 8)
    for size in [1, 7, 64, 129, 200, 1 << 20] where size > 1 || length <= 1000 {
      var (sha256, md5, usual) = (PlainSHA256(), PlainMD5(), SHA256())
      for start in stride(from: 0, to: length, by: size) {
        bytes[start..<min(start + size, length)].withUnsafeBytes {
          sha256.update($0)
          usual.update($0)
          md5.update($0)
        }
      }
      let digest = [UInt8](unsafeUninitializedCapacity: 32) { output, count in
        sha256.finish(into: output)
        count = 32
      }
      #expect(digest == SHA256.digest(bytes).bytes && digest == usual.finalize().bytes)
      let other = [UInt8](unsafeUninitializedCapacity: 16) { output, count in
        md5.finish(into: output)
        count = 16
      }
      #expect(other.hexDigits == MD5.hexDigits(bytes))
    }
  }

  @Test("the digests of the RFC and of NIST")
  func published() {
    #expect(MD5.hexDigits(Array("message digest".utf8)) == "f96b697d7cb7938d525a2f31aaf161d0")
    #expect(
      SHA256.digest("abc".utf8).description
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

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

  @Test("checksums", arguments: lengths)
  func checksums(length: Int) {
    let bytes = SampleTree.noise(length, seed: 9)
    bytes.withUnsafeBytes {
      if length > 0 { #expect(ZlibCompressor.crc32($0, 5) == CRC32.checksum($0, seed: 5)) }
      // The checksum at the end of a stream of libdeflate.
      let stream = Deflate(level: 1).zlib($0, limit: length + 1000) ?? []
      let end = stream.suffix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      if length > 0 { #expect(ZlibCompressor.adler32($0) == end) }
    }
  }
}
