import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Extracting into a folder that others change")
struct ExtractionTests {
  @Test("thousands of files, and not one outside")
  func race() throws {
    let scratch = try Scratch()
    for name in ["in", "in/a", "out", "out/b"] { try Files.makeDirectory(scratch.file(name)) }
    try Files.makeLink(scratch.file("link"), to: "out")
    var tree = FileNode.emptyDirectory
    for number in 0..<2000 {
      let file = FileNode(regularFileWithContents: Array("\(number)".utf8))
      try tree.setFileNode(file, at: "a/b/f\(number)")
    }
    let swapper = Swapper(scratch.file("in/a"), scratch.file("link"))
    var attempts = 0
    let start = ContinuousClock.now
    while start.duration(to: .now) < .seconds(2)
      || min(swapper.swaps, attempts * 10) <= 100 && start.duration(to: .now) < .seconds(20)
    {
      attempts += 1
      // Ends at the first link that it finds in its way; the next attempt goes on.
      try? tree.extract(into: scratch.file("in"), replacing: true)
    }
    let swaps = swapper.stop()
    #expect(try Files.list(scratch.file("out")) == ["b"])
    #expect(try Files.list(scratch.file("out/b")) == [])
    #expect(swaps > 100 && attempts > 10, "\(swaps) swaps, \(attempts) attempts")
  }
}
