import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The Python reader in Spec/ shares nothing with ours but the specification.
@Suite("The independent reader", .needs("python3"))
struct IndependentReaderTests {
  @Test("reads what we write and finds the same digest", arguments: [false, true])
  func reads(large: Bool) throws {
    let python = try #require(Run.find("python3"))
    let scratch = try Scratch()
    let package = Container(root: try large ? SampleTree.large() : SampleTree.small())
    try package.write(to: scratch.file("a.particles"), as: .flat)
    let run = try Run(
      python, [Repository.path("Spec/read_particles.py"), "a.particles", "out"], in: scratch.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.hasSuffix("digest \(try package.root.treeDigest())\n"))
    let unpacked = try Container(contentsOf: scratch.file("out"))
    #expect(try unpacked.root.matchesContents(of: package.root))
  }

  @Test("refuses a tree that is none, and writes nothing of it", arguments: Self.trees)
  func refuses(_ tree: (rule: Rule, entries: [Entry])) throws {
    let python = try #require(Run.find("python3"))
    let scratch = try Scratch()
    try Files.makeDirectory(scratch.file("victim"))
    let bytes = PackageForge.package(tree.entries, stream: [1, 2, 3, 4])
    expectThrows(tree.rule) { try Container(decoding: bytes) }
    try Files.create(scratch.file("a.particles"), bytes)
    let run = try Run(
      python, [Repository.path("Spec/read_particles.py"), "a.particles", "out"], in: scratch.path)
    #expect(run.status != 0 && run.errors.hasPrefix("not a valid package"), "\(run.errors)")
    #expect(try Files.list(scratch.path) == ["a.particles", "victim"])
    #expect(try Files.list(scratch.file("victim")) == [])
  }

  static let trees: [(rule: Rule, entries: [Entry])] = [
    (.parent, [.link("a", to: "victim"), .file("a/x", size: 4)]),
    (.parent, [.file("a"), .file("a/x", size: 4)]), (.parent, [.file("a/x", size: 4)]),
    (.link, [.file("a", size: 4), .link("b", to: "../victim")]),
    (.link, [.file("a", size: 4), .link("b", to: "/")]),
    (.link, [.file("a", size: 4), .link("b", to: "c/../../a")]),
    (.order, [.file("b", size: 4), .file("a")]), (.order, [.file("a", size: 4), .file("a")]),
    (.twins, [.file("A", size: 4), .file("a")]), (.twins, [.file("Ä", size: 4), .file("ä")]),
    (.name, [.file("a\\b", size: 4)]), (.name, [.file("a\u{7}", size: 4)]),
    (.name, [.file("a\u{202E}", size: 4)]), (.name, [.file("..", size: 4)]),
    (.name, [.file("e\u{301}", size: 4)]),
    (.name, [.file(String(repeating: "n", count: 256), size: 4)]),
    (.extent, [.file("a", size: 4), .file("b", size: 1, offset: 3)]),
    (.extent, [.file("a", size: 4), .file("b", size: 1, offset: 4)]),
  ]

  @Test("refuses what we refuse", arguments: [20, 60, 400, 800])
  func refuses(offset: Int) throws {
    let python = try #require(Run.find("python3"))
    let scratch = try Scratch()
    var bytes = try Container(root: try SampleTree.small()).encoded()
    bytes[offset] ^= 0x10
    try Files.create(scratch.file("a.particles"), bytes)
    let run = try Run(
      python, [Repository.path("Spec/read_particles.py"), "a.particles"], in: scratch.path)
    #expect(run.status != 0)
  }
}
