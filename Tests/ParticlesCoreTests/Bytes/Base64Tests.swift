import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Base64")
struct Base64Tests {
  @Test(
    "the examples of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func examples(text: String, encoded: String) throws {
    #expect(Array(text.utf8).base64 == encoded)
    #expect(try [UInt8](base64: encoded, rule: .json) == Array(text.utf8))
    // Padding may be missing, and white space is ignored.
    let bare = encoded.filter { $0 != "=" }
    #expect(try [UInt8](base64: bare, rule: .json) == Array(text.utf8))
    let spaced = " \n" + encoded.map(String.init).joined(separator: "\r\n\t")
    #expect(try [UInt8](base64: spaced, rule: .json) == Array(text.utf8))
  }

  @Test("every byte")
  func everyByte() throws {
    let bytes = (0...255).map { UInt8($0) }
    #expect(try [UInt8](base64: bytes.base64, rule: .json) == bytes)
  }

  @Test("what is none", arguments: ["A", "ABCDE", "Zg==Zg==", "Z*", "Zg=x", "ä"])
  func faults(text: String) {
    expectThrows(.json) { try [UInt8](base64: text, rule: .json) }
  }

  @Test("gzip has no date and no name, and unpacks")
  func gzip() throws {
    let bytes = Array("particles, particles\n".utf8)
    let stream = Deflate(level: 9).gzip(bytes)
    #expect(stream.prefix(8) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    #expect(try Zlib.inflate(stream, limit: 100, rule: .json) == bytes)
  }
}
