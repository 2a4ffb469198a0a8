import Testing

@testable import ParticlesDesktop

@Suite("Patterns of file names")
struct GlobPatternTests {
  @Test(
    "stars, question marks and brackets stand for what they stand for",
    arguments: [
      ("*.png", "a.png", true), ("*.png", ".png", true), ("*.png", "a.png.txt", false),
      ("readme*", "readme", true), ("readme*", "readme.md", true), ("readme*", "a-readme", false),
      ("*.so.[0-9]*", "libz.so.1.2", true), ("*.so.[0-9]*", "libz.so.x", false),
      ("*.anim[1-9j]", "a.animj", true), ("*.anim[1-9j]", "a.anim0", false),
      ("[!a-c]x", "dx", true), ("[!a-c]x", "bx", false), ("[]]", "]", true),
      ("a?c", "abc", true), ("a?c", "ac", false), ("*~", "a~", true), ("*,v", "x,v", true),
      ("[abc", "[abc", true), ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false),
      ("core", "core", true), ("core", "core2", false), ("", "", true),
    ])
  func matching(pattern: String, name: String, fits: Bool) {
    #expect(GlobPattern(pattern).matches(name) == fits)
  }

  @Test("what is only an extension or a name is known as such")
  func kinds() {
    #expect(GlobPattern("*.tar.gz").fileExtension == "tar.gz")
    #expect(GlobPattern("*.[1-9]").fileExtension == nil)
    #expect(GlobPattern("*").fileExtension == nil)
    #expect(GlobPattern("*.").fileExtension == nil)
    #expect(GlobPattern("makefile").isLiteral)
    #expect(!GlobPattern("*.c").isLiteral)
  }

  @Test("many stars cost no more than the product of the lengths")
  func stars() {
    let pattern = String(repeating: "*a", count: 200) + "b"
    #expect(!GlobPattern(pattern).matches(String(repeating: "a", count: 20_000)))
  }
}
