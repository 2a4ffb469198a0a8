import ParticlesCore
import ParticlesFormats
import ParticlesTestSupport
import Testing

@Suite struct ImageFinderTests {
  /// A folder with these files in it, each holding its own path.
  private func inFolder(_ names: [String], _ body: (String) throws -> Void) throws {
    let folder = "/tmp/particles-finder-\(UInt64.random(in: 0...UInt64.max))"
    try Files.makeDirectory(folder)
    defer { try? Files.removeAll(folder) }
    for name in names {
      var path = folder
      for component in name.split(separator: "/").dropLast() {
        path += "/\(component)"
        if try Files.status(path) == nil { try Files.makeDirectory(path) }
      }
      try Files.create("\(folder)/\(name)", Array(name.utf8))
    }
    try body(folder)
  }

  @Test(arguments: [
    ("a.png", "fx/a.png"), ("/Users/somebody/a.png", "fx/a.png"), ("C:\\art\\a.png", "fx/a.png"),
    ("file:///art/a.png", "fx/a.png"), ("art/b.png", "fx/art/b.png"), ("c.png", "more/c.png"),
    ("d.png", "fx/textures/d.png"), ("e.png", "fx/Images/e.png"), ("f.PNG", "fx/f.png"),
    ("g.png", "fx/textures/G.png"),
  ])
  func places(reference: String, expected: String) throws {
    let names = [
      "fx/a.png", "fx/art/b.png", "more/c.png", "fx/textures/d.png", "fx/Images/e.png",
      "fx/f.png", "fx/textures/G.png", "secret.png", "fx/textures/a.png", "more/a.png",
    ]
    try inFolder(names) { (folder: String) throws in
      let finder = ImageFinder(besides: "\(folder)/fx/test.scnp", folders: ["\(folder)/more"])
      #expect(try finder.find(reference) == Array(expected.utf8))
    }
  }

  @Test(arguments: [
    "secret.png", "../secret.png", "textures/../../secret.png", "", "..", ".", "art", "/",
    "art/", "x\0y.png", String(repeating: "x", count: 300) + ".png",
  ])
  func nothingOutside(reference: String) throws {
    try inFolder(["secret.png", "fx/art/b.png"]) { (folder: String) throws in
      #expect(try ImageFinder(besides: "\(folder)/fx/test.scnp").find(reference) == nil)
    }
  }

  @Test func aNameThatIsNoTextHidesNoOther() throws {
    try inFolder(["G.png"]) { (folder: String) throws in
      _ = try Run("/bin/sh", ["-c", "touch \"$(printf 'gr\\374n.png')\""], in: folder)
      let finder = ImageFinder(besides: "\(folder)/test.scnp", folders: [])
      #expect(try finder.find("g.png") == Array("G.png".utf8))
    }
  }

  @Test func theExactNameComesFirst() throws {
    try inFolder(["a.PNG", "textures/a.png"]) { (folder: String) throws in
      let finder = ImageFinder(besides: "\(folder)/test.scnp")
      #expect(try finder.path(of: "a.png") == "\(folder)/textures/a.png")
    }
  }

  @Test func imagesHaveALimit() throws {
    try inFolder(["a.png"]) { (folder: String) throws in
      var limits = Limits()
      limits.fileBytes = 2
      let finder = ImageFinder(besides: "\(folder)/test.scnp", limits: limits)
      #expect(throws: Diagnostic.self) { try finder.find("a.png") }
    }
  }
}
