import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Checksums and digests")
struct ChecksumTests {
  @Test(
    "CRC-32",
    arguments: [
      ("", 0), ("a", 0xE8B7_BE43), ("abc", 0x3524_41C2), ("123456789", 0xCBF4_3926),
      ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ] as [(String, UInt32)])
  func crc(text: String, value: UInt32) {
    #expect(CRC32.checksum(Array(text.utf8)) == value)
    #expect(CRC32.checksum(text.utf8) == value)
    #expect(Array(text.utf8).withUnsafeBytes { CRC32.checksum($0) } == value)
  }

  @Test("CRC-32 of bytes that are no text")
  func crcOfRuns() {
    #expect(CRC32.checksum([UInt8](repeating: 0, count: 32)) == 0x190A_55AD)
    #expect(CRC32.checksum([UInt8](repeating: 0xFF, count: 32)) == 0xFF6C_AB0B)
  }

  @Test("CRC-32 of pieces is that of the whole, also where a piece is empty")
  func crcInPieces() {
    let bytes = SampleTree.noise(1000, seed: 4)
    let whole = CRC32.checksum(bytes)
    for cut in [0, 1, 7, 500, 999, 1000] {
      let first = CRC32.checksum(bytes[..<cut])
      #expect(CRC32.checksum(bytes[cut...], seed: first) == whole, "\(cut)")
    }
    #expect(CRC32.checksum([UInt8](), seed: whole) == whole)
  }

  /// FIPS 180-4 and the examples that NIST publishes with it.
  @Test(
    "SHA-256",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
          + "lmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func sha256(text: String, digits: String) {
    let digest = SHA256.digest(text.utf8)
    #expect(digest.description == digits)
    #expect(digest.bytes.count == ContentDigest.size)
  }

  @Test("SHA-256 of a million bytes, in pieces")
  func sha256InPieces() {
    var hash = SHA256()
    var rest = 1_000_000
    for size in (1...).lazy.map({ $0 * 37 % 4096 }) {
      hash.update([UInt8](repeating: UInt8(ascii: "a"), count: min(size, rest)))
      rest -= min(size, rest)
      if rest == 0 { break }
    }
    #expect(
      hash.finalize().description
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }
}
