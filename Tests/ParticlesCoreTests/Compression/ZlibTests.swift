import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Foreign compressed streams")
struct ZlibTests {
  static let text = Array("particles, particles, particles\n".utf8)

  /// Written by Python's zlib and gzip.
  static let zlib: HexBytes = "78da2b482c2ac94cce492dd65128c0c2e40200cb020bf8"
  static let gzip: HexBytes = """
    1f8b08000000000002032b482c2ac94cce492dd65128c0c2e40200c2dcf47f20000000
    """
  static let namedGzip: HexBytes = """
    1f8b08080000000002ff737061726b2e747874002b482c2ac94cce492dd65128c0c2e40200c2dcf47f20000000
    """

  private func inflate(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> [UInt8] {
    try Zlib.inflate(bytes, limit: limit, rule: .image)
  }

  @Test("zlib and gzip are told apart by themselves")
  func forms() throws {
    for stream in [Self.zlib, Self.gzip, Self.namedGzip] {
      #expect(try inflate(stream.bytes) == Self.text)
    }
    let empty: HexBytes = "789c030000000001"
    #expect(try inflate(empty.bytes) == [])
    let stored: HexBytes = "7801010300fcff616263024d0127"
    #expect(try inflate(stored.bytes) == Array("abc".utf8))
  }

  @Test("as many bytes as the limit are unpacked, and not one more")
  func limit() throws {
    #expect(try inflate(Self.zlib.bytes, limit: Self.text.count) == Self.text)
    let error = expectThrows(.limit) { try inflate(Self.zlib.bytes, limit: Self.text.count - 1) }
    #expect(error?.expected == "at most 31")

    let bomb = [UInt8](repeating: 0, count: 10_000_000)
    let packed = try #require(
      bomb.withUnsafeBytes { Deflate(level: 12).zlib($0, limit: 100_000) })
    #expect(try inflate(packed, limit: bomb.count) == bomb)
    let stopped = expectThrows(.limit) { try inflate(packed, limit: 1000) }
    guard case .offset(let offset) = stopped?.location.position else {
      Issue.record("no offset")
      return
    }
    #expect(offset < packed.count / 10, "it stops long before the end")
  }

  @Test("a stream cut anywhere is refused where it ends")
  func cut() {
    for stream in [Self.zlib.bytes, Self.gzip.bytes, Self.namedGzip.bytes] {
      for length in 0..<stream.count {
        let error = expectThrows(.image) { try inflate(Array(stream[..<length])) }
        #expect(error?.location == .offset(length))
        #expect(error?.detail == "it ends too early")
      }
    }
  }

  @Test("bytes behind a stream are not passed over, be they a second one")
  func followed() {
    for stream in [Self.zlib.bytes, Self.gzip.bytes] {
      for rest in [[0], stream] {
        let error = expectThrows(.image) { try inflate(stream + rest) }
        #expect(error?.location == .offset(stream.count))
        #expect(error?.detail == "bytes follow the compressed stream")
      }
    }
  }

  @Test("a damaged stream is refused, with zlib's own words")
  func damaged() {
    var bytes = Self.zlib.bytes
    bytes[bytes.count - 1] ^= 1
    let check = expectThrows(.image) { try inflate(bytes) }
    #expect(check?.detail == "incorrect data check")
    #expect(check?.location == .offset(bytes.count))
    bytes = Self.zlib.bytes
    bytes[1] ^= 1
    let header = expectThrows(.image) { try inflate(bytes) }
    #expect(header?.detail == "incorrect header check")
    #expect(header?.location == .offset(2))
    expectThrows(.image) { try inflate(Array("no stream at all".utf8)) }
    let dictionary: HexBytes = "78f912f103c82b80317414b031b900cb020bf8"
    #expect(
      expectThrows(.image) { try inflate(dictionary.bytes) }?.detail == "it needs a dictionary")
  }
}
