import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Natural order of names")
struct NaturalOrderTests {
  private func sorted(_ names: [String]) -> [String] {
    names.map { ($0, NaturalOrder.Key($0)) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  @Test("numbers count by value, case and accents do not count")
  func order() {
    let names = [
      "a", "A 1", "a 2", "a 09", "a 10", "A 100", "a1b2", "a1b10", "élan", "elf",
      "fire.png", "fire.txt", "fire 2.png", "fireball.png", "Zebra",
      "zebra 2",
    ]
    for seed in 1...20 {
      var random = SeededGenerator(seed: UInt64(seed))
      #expect(sorted(names.shuffled(using: &random)) == names)
    }
  }

  @Test("names that differ in case or zeros alone have an order, whatever they are")
  func ties() {
    #expect(sorted(["b", "B", "a01", "a1", ""]) == ["", "a01", "a1", "B", "b"])
    let long = String(repeating: "9", count: 300)
    #expect(sorted(["x\(long)9", "x\(long)", "x1"]) == ["x1", "x\(long)", "x\(long)9"])
  }

  @Test("a search finds names without accents and case")
  func plain() {
    #expect(NaturalOrder.plain("Élan VITAL") == "elan vital")
  }
}

@Suite("Paths as URIs")
struct FileURITests {
  @Test("a path becomes a URI and comes back")
  func roundTrip() {
    for path in ["/a b/ä%#?.txt", "/", "/x:y", "/new\nline", "/\u{202E}x"] {
      #expect(FileURI.path(FileURI.reference(path)) == path)
    }
    #expect(FileURI.reference("/a b%") == "file:///a%20b%25")
    #expect(FileURI.path("file://localhost/a") == "/a")
    #expect(FileURI.path("file:/a") == "/a")
  }

  @Test("other texts are no paths")
  func others() {
    for uri in [
      "https://x/a", "file://host/a", "file:a", "file:///a%zz", "file:///a%2", "file:///%00", "/a",
      "file:///%FF", "file:///a?b",
    ] { #expect(FileURI.path(uri) == nil, "\(uri)") }
    #expect(FileURI.hasScheme("https://x"))
    #expect(FileURI.hasScheme("data:x"))
    #expect(!FileURI.hasScheme("/a:b"))
    #expect(!FileURI.hasScheme("c:"))
  }
}

@Suite("MD5")
struct MD5Tests {
  @Test("digests are those of RFC 1321")
  func vectors() {
    #expect(MD5.hexDigits([]) == "d41d8cd98f00b204e9800998ecf8427e")
    #expect(MD5.hexDigits(Array("message digest".utf8)) == "f96b697d7cb7938d525a2f31aaf161d0")
  }
}
