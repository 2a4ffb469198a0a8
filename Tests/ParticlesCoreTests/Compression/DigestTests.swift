import ParticlesCore
import Testing

@Suite("SHA-256 and MD5")
struct DigestTests {
  /// Lengths around the ends of blocks of 64 bytes, with the digests that Python's `hashlib` has for their bytes.
  private static let known: [(length: Int, sha256: String, md5: String)] = [
    (
      0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "d41d8cd98f00b204e9800998ecf8427e"
    ),
    (
      1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "93b885adfe0da089cdf634904fd59f71"
    ),
    (
      55, "576a1bf8d4478657e6dc4af9398544765c2a92cde28478b019235cfed315fc09",
      "8d24280288a696559fd8d5aa1b6d8c6e"
    ),
    (
      56, "9b20501dfd1d99161c257950f3444f3e49230c351c5c8e0943ef369f85f5205d",
      "ef2c72b7254c92459e498eddd4ace573"
    ),
    (
      63, "30b345906b493f06f69444b6521113511c242f30e29840462950035043682f1e",
      "c4c8c6d513f4e1604eb18508a1769364"
    ),
    (
      64, "d8bc63b4fc1156e5e7d95a418b9bf54cd3174bedbc2db40f74895349b229b3c0",
      "a2fcb39a253b9b785b1f97518fa37683"
    ),
    (
      65, "1ee23b0fbcaecc1aff4a9e8f1645f35ab2c8e13609cd73b68df8b5e3f63ce073",
      "e49fe82d0bb12967a196c85de313e446"
    ),
    (
      119, "7a6589821178918ca8d9edaba5abfc1e9b2669564f4469b66885379c1530b2c8",
      "1640deea49ebb258ec6ede18d4b2d2d7"
    ),
    (
      120, "655250427d56b1b0eeb8497d21428704273458a01772d6881b65c0abac0f8a98",
      "05f879f7b542a7ebf0605adff67d4423"
    ),
    (
      128, "54c9eb041badfd7064645067b107661fed6113197ce2dd066ba69618abd3732f",
      "fe942895e9aae953f3e246e5fd00739d"
    ),
    (
      1000, "c85a431e0fe575b2609289d3a4042414715f400612575a125d2ce5573d608732",
      "bd8c10439abeb42fb5c19745991e360e"
    ),
    (
      100001, "7377bd9a05774b2d5f18e32420ecdd089bea3b1222c2f991e35dff89be109bd2",
      "842e460452664b53767da3985ce90677"
    ),
  ]

  @Test(
    "whole and in pieces, with the instructions of the processor and without", arguments: known)
  func digests(length: Int, sha256: String, md5: String) {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: 7 * $0 + $0 / 256) }
    #expect(SHA256.digest(bytes).description == sha256)
    #expect(MD5.hexDigits(bytes) == md5)
    for size in [1, 7, 64, 129, 200] where size > 1 || length <= 1000 {
      for usesInstructions in [false, true] {
        var digest = SHA256(usesInstructions: usesInstructions)
        for start in stride(from: 0, to: length, by: size) {
          digest.update(bytes[start..<min(start + size, length)])
        }
        #expect(digest.finalize().description == sha256, "\(size), \(usesInstructions)")
      }
    }
  }

  @Test("the digests of the RFC and of NIST")
  func published() {
    #expect(MD5.hexDigits(Array("message digest".utf8)) == "f96b697d7cb7938d525a2f31aaf161d0")
    #expect(
      SHA256.digest("abc".utf8).description
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA256.digest(repeatElement(UInt8(ascii: "a"), count: 1_000_000)).description
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }
}
