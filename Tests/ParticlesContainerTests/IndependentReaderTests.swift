import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

/// The Python reader in Spec/ shares nothing with ours but the specification.
@Suite("The independent reader", .enabled(if: Run.find("python3") != nil, "python3 is not here"))
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
