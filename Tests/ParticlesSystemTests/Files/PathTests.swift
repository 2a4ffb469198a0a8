import ParticlesCore
import ParticlesSystem
import Testing

@Suite("Paths as text")
struct PathTests {
  @Test(
    "the parts of a path",
    arguments: [
      ("a", ".", "a"), ("a/b", "a", "b"), ("/a", "/", "a"), ("/a/b", "/a", "b"), ("a/", ".", "a"),
      ("a/b//", "a", "b"), ("/", "/", "/"), ("///", "/", "/"), ("./a", ".", "a"),
      ("../a", "..", "a"),
      ("a/.b", "a", ".b"), ("x/\u{301}a", "x", "\u{301}a"), ("x/é/", "x", "é"), (".", ".", "."),
    ])
  func parts(path: String, folder: String, last: String) {
    #expect(Files.folder(of: path) == folder)
    #expect(Files.lastComponent(of: path) == last)
  }

  @Test(
    "stem and extension",
    arguments: [
      ("a.particles", "a", "particles"), ("a.PNG", "a", "png"), ("a", "a", ""), ("a.", "a", ""),
      (".hidden", ".hidden", ""), (".hidden.txt", ".hidden", "txt"), ("a.tar.gz", "a.tar", "gz"),
      ("b.c/a", "a", ""), ("b.c/a.d/", "a", "d"), ("a.\u{301}x", "a", "\u{301}x"),
    ])
  func extensions(path: String, stem: String, pathExtension: String) {
    #expect(Files.stem(of: path) == stem)
    #expect(Files.pathExtension(of: path) == pathExtension)
  }

  @Test("joining adds one slash at most")
  func joining() {
    #expect(Files.joined("", "a") == "a")
    #expect(Files.joined("b", "a") == "b/a")
    #expect(Files.joined("b/", "a") == "b/a")
    #expect(Files.joined("/", "a") == "/a")
    #expect(Files.joined("b/", "\u{301}a").unicodeScalars.count == 4)
  }

  @Test("temporary names are hidden, beside the file, never twice the same and never too long")
  func temporaryNames() {
    let name = Files.temporaryName(beside: "/x/fire.particles")
    #expect(name.hasPrefix("/x/.fire.particles.") && name.hasSuffix(".tmp"))
    #expect(Files.temporaryName(beside: "/x/fire.particles") != name)
    #expect(Files.temporaryName(beside: "fire").hasPrefix("./.fire."))
    let long = Files.temporaryName(beside: String(repeating: "𝄞", count: 63))
    #expect(Files.lastComponent(of: long).utf8.count < 255)
    #expect(!Files.isAside(name) && !Files.isAside(".old-.0123456789abc.tmp"))
    #expect(Files.isAside(Files.temporaryName(beside: "fire", isAside: true)))
  }
}
