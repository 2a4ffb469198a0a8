import ParticlesTestSupport
import ParticlesTypes
import Testing

@Suite("Dynamic identifiers")
struct DynamicIdentifierTests {
  /// Identifiers that real systems made up, and the payloads in them.
  static let seen: [(identifier: String, payload: String)] = [
    ("dyn.age8u", "1="),
    ("dyn.age80s52", "1=go"),
    ("dyn.age81e62", "1=rs"),
    ("dyn.age80835h", "1=ogg"),
    ("dyn.age80n8ddqz0a", "1=excel"),
    ("dyn.age80k551r30g82pe", "1=download"),
    ("dyn.age81a5dzq7y066dbtf0g82peqf4hk2pdrb00n5xy", "1=pluginpayloadattachment"),
    ("dyn.agq80c6durvy0g2pyrf106p5rsa4a", "3=application/mp4"),
    ("dyn.ah62d4rv4ge81e5pe", "?0=6:1=rmd"),
    ("dyn.ah62d4rv4ge81k5pu", "?0=6:1=tmp"),
    ("dyn.ah62d4rv4ge81g6xy", "?0=6:1=srt"),
    ("dyn.ah62d4rv4ge81g6pq", "?0=6:1=sql"),
    ("dyn.ah62d4rv4ge81gqm0", "?0=6:1=s16"),
    ("dyn.ah62d4rv4ge80s6d2", "?0=6:1=gpx"),
    ("dyn.ah62d4rv4ge8063xt", "?0=6:1=nfo"),
    ("dyn.ah62d4rv4ge80u2prru", "?0=6:1=haml"),
    ("dyn.ah62d4rv4ge80425uqk", "?0=6:1=mcpb"),
    ("dyn.ah62d4rv4ge8024p0sa", "?0=6:1=livp"),
    ("dyn.ah62d4rv4ge80g55sq2", "?0=6:1=conf"),
    ("dyn.ah62d4rv4ge80e7dxr31086a", "?0=6:1=btsnoop"),
    ("dyn.ah62d4rv4ge8004pdqfwf86dwr6", "?0=6:1=kicad_pro"),
    ("dyn.ah62d4sb4ge81e62", "?0=8:1=rs"),
    ("dyn.ah62d4uv4ge804550", "?0=B:1=mov"),
    ("dyn.ah62d4uv4gq80w5pbq7ww88brq3108", "?0=B:3=image/x-foo"),
    ("dyn.ah62d4rv4gq80c6durvy0g2pyrf106p52fzxg852", "?0=6:3=application/x-foo"),
    ("dyn.ah62d4rv4gq80c6durvy0g2pyrf106p52fz3gk6a", "?0=6:3=application/x-rdp"),
    ("dyn.ah62d4rv4gq80k3p0f3z0c8pbf71g87df", "?0=6:3=dev.kaya/note"),
    ("dyn.ah62d4rv4gu80k3p0f3z0c8pbf71g87df", "?0=6:4=dev.kaya/note"),
    ("dyn.ah62d4rv4gq81up5sr71hg3pssrwu", "?0=6:3=x/nonsense"),
    ("dyn.ah62d4rv4gk81n65yru", "?0=6:2=ustl"),
    ("dyn.ah62d4rv4gk81g7d3ru", "?0=6:2=styl"),
    ("dyn.ah62d4rv4gk81a6dysk", "?0=6:2=pptr"),
    ("dyn.ah62d4rv4gk8zgzwhea", "?0=6:2=SVG "),
    ("dyn.ah62d4rv4gk8ycwnxn2", "?0=6:2=AISV"),
    ("dyn.ah62d4rv4gk81g45upuaa", "?0=6:2=skp\\\0"),
    ("dyn.ah62d4rv4gk80s252puaa", "?0=6:2=gcx\\\0"),
    ("dyn.ah62d4rv4gk8wy1aapuaf2aa", "?0=6:2=*\\\0\\\0\\\0"),
    ("dyn.ah62d4qmuhk2x43d0qv00n3dmqe", "?0=10:1=dvdmedia"),
    ("dyn.ah62d4qmxhk2x44psq31u", "?0=13:1=info"),
    ("dyn.ah62d4qmxhk2x48xmsa", "?0=13:1=zip"),
    (
      "dyn.ah62d46dzqm0gw23srf4gn5m4ge81e3pbrv0z82xpp63daqvxfy2dcpmwg60xarvrga5w4rm3",
      "?0=public.item:1=realm_bk_2023-01-27-06-07-59"
    ),
    (
      "dyn.ah62d46dzqm0gw23srf4gn5m4ge8068dytf2gn3dgrf0gn25tr34gn5xysr2ge55bsmwhk8puqzsdy4xuq6",
      "?0=public.item:1=nxtypedfilecontentspboardtype\\:jpg"
    ),
    (
      "dyn.ah62d4rv4gu8yc6durvwwa3xmrvw1gkdusm1044pxqyuha2pxsvw0e55bsmwca7d3sbwu",
      "?0=6:4=Apple files promise pasteboard type"
    ),
    (
      "dyn.ah62d4rv4gu8y6y4usm1044pxqzb085xyqz1hk64uqm10c6xenv61a3k",
      "?0=6:4=NSPromiseContentsPboardType"
    ),
  ]

  /// The meaning of payloads, written by hand for some identifiers.
  static let meanings: [(identifier: String, supertypes: [String], TagClass, tag: String)] = [
    ("dyn.age8u", [], .filenameExtension, ""),
    ("dyn.age81e62", [], .filenameExtension, "rs"),
    ("dyn.agq80c6durvy0g2pyrf106p5rsa4a", [], .mimeType, "application/mp4"),
    ("dyn.ah62d4rv4ge81g6pq", ["public.data"], .filenameExtension, "sql"),
    ("dyn.ah62d4sb4ge81e62", ["public.plain-text"], .filenameExtension, "rs"),
    ("dyn.ah62d4uv4gq80w5pbq7ww88brq3108", ["public.image"], .mimeType, "image/x-foo"),
    (
      "dyn.ah62d4rv4gu8y6y4usm1044pxqzb085xyqz1hk64uqm10c6xenv61a3k", ["public.data"],
      .pasteboardType, "NSPromiseContentsPboardType"
    ),
    ("dyn.ah62d4rv4gk81g45upuaa", ["public.data"], .osType, "skp\0"),
    ("dyn.ah62d4rv4gk8wy1aapuaf2aa", ["public.data"], .osType, "*\0\0\0"),
    ("dyn.ah62d4qmuhk2x43d0qv00n3dmqe", ["com.apple.package"], .filenameExtension, "dvdmedia"),
    ("dyn.ah62d4qmxhk2x44psq31u", ["public.content"], .filenameExtension, "info"),
    (
      "dyn.ah62d46dzqm0gw23srf4gn5m4ge8068dytf2gn3dgrf0gn25tr34gn5xysr2ge55bsmwhk8puqzsdy4xuq6",
      ["public.item"], .filenameExtension, "nxtypedfilecontentspboardtype:jpg"
    ),
  ]

  /// The payload as text, decoded without the code under test.
  static func payload(of identifier: String) -> String {
    let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789")
    let bits = identifier.dropFirst("dyn.a".count).flatMap { character -> [Int] in
      let value = alphabet.firstIndex(of: character) ?? 0
      return (0..<5).reversed().map { value >> $0 & 1 }
    }
    let bytes = stride(from: 0, to: bits.count - 7, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("what real systems made up is read, and written as it was", arguments: seen)
  func roundTrip(_ vector: (identifier: String, payload: String)) throws {
    #expect(Self.payload(of: vector.identifier) == vector.payload)
    let dynamic = try #require(DynamicIdentifier(vector.identifier))
    #expect(dynamic.identifier == vector.identifier)
    let type = try #require(UniformType(vector.identifier))
    #expect(type.isDynamic && !type.isDeclared && type.declaration == nil)
    #expect(type.identifier == vector.identifier)
  }

  @Test("all of them are there")
  func count() { #expect(Self.seen.count == 44) }

  @Test(
    "an identifier means its tag and its supertype; made of them, it is the same",
    arguments: meanings)
  func meaning(
    _ row: (identifier: String, supertypes: [String], tagClass: TagClass, tag: String)
  ) throws {
    let dynamic = try #require(DynamicIdentifier(row.identifier))
    #expect(dynamic.supertypes == row.supertypes)
    #expect(dynamic.tags.dictionary == [row.tagClass: [row.tag]])
    let made = DynamicIdentifier(
      tag: row.tag, tagClass: row.tagClass, conformingTo: row.supertypes)
    #expect(made.identifier == row.identifier)
    let type = try #require(UniformType(row.identifier))
    for supertype in row.supertypes {
      #expect(type.isSubtype(of: UniformType(importedAs: supertype)))
    }
    #expect(
      type.conforms(to: .item) == !row.supertypes.isEmpty || row.supertypes == ["public.content"])
  }

  @Test("unknown tags become dynamic types, in the case in which they are compared")
  func made() throws {
    let type = try #require(UniformType(filenameExtension: "Kicad_PRO"))
    #expect(type.identifier == "dyn.ah62d4rv4ge8004pdqfwf86dwr6")
    #expect(type.preferredFilenameExtension == "kicad_pro")
    #expect(type.conforms(to: .data) && !type.conforms(to: .content))
    #expect(type == UniformType(filenameExtension: "kicad_pro"))
    let code = try #require(UniformType(tag: "styl", tagClass: .osType, conformingTo: .data))
    #expect(code.identifier == "dyn.ah62d4rv4gk81g7d3ru")
    let short = try #require(UniformType(tag: "skp", tagClass: .osType, conformingTo: .data))
    #expect(short.identifier == "dyn.ah62d4rv4gk81g45upuaa")
    let free = try #require(UniformType(tag: "go", tagClass: .filenameExtension, conformingTo: nil))
    #expect(free.identifier == "dyn.age80s52" && free.supertypes.isEmpty)
  }

  @Test(
    "an extension that no file can have has no type",
    arguments: ["", ".png", "foo.bar", "a/b", "a\0"])
  func impossible(_ name: String) { #expect(UniformType(filenameExtension: name) == nil) }

  @Test(
    "damaged identifiers are none",
    arguments: [
      "dyn.", "dyn.a", "dyn.b", "dyn.age81e6i", "dyn.age81e63", "dyn.ah62d4rv4",
      "dyn.aaaaaaaa",
      "dyn.ah62d4rv4ge81g6p ", "dyn.ah62d4", "dyn.ah",
    ])
  func damaged(_ identifier: String) {
    #expect(DynamicIdentifier(identifier) == nil)
    #expect(UniformType(identifier) == nil)
  }

  @Test("whatever is read can be written, and means the same")
  func random() {
    var generator = SeededGenerator(seed: 44)
    let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789")
    var read = 0
    for _ in 0..<20_000 {
      // Cut and changed at random places: most are damaged, and none may do harm.
      var text = Array(Self.seen.randomElement(using: &generator)?.identifier ?? "")
      for _ in 0..<Int.random(in: 0..<3, using: &generator) {
        let place = Int.random(in: 5..<text.count, using: &generator)
        text[place] = alphabet.randomElement(using: &generator) ?? "a"
      }
      guard let dynamic = DynamicIdentifier(String(text)) else { continue }
      read += 1
      let again = DynamicIdentifier(dynamic.identifier)
      #expect(again == dynamic, "\(String(text))")
    }
    #expect(read > 1000)
  }

  @Test("two dynamic types are compatible where one has all tags of the other")
  func compatible() throws {
    let hinted = try #require(UniformType("dyn.ah62d4rv4ge81g6pq"))
    let free = try #require(
      UniformType(tag: "sql", tagClass: .filenameExtension, conformingTo: nil))
    #expect(hinted != free && hinted.isCompatible(with: free) && free.isCompatible(with: hinted))
    let other = try #require(UniformType("dyn.ah62d4rv4ge81k5pu"))
    #expect(!hinted.isCompatible(with: other))
    #expect(!hinted.isCompatible(with: .png) && UniformType.png.isCompatible(with: .png))
  }
}
