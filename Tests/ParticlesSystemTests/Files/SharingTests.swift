import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Where the file system shares nothing, as in most places where tests run, all blocks are copied.
@Suite("Sharing blocks between files")
struct SharingTests {
  @Test("ranges of another file are the same there, wherever they begin and end")
  func ranges() throws {
    let scratch = try Scratch()
    let bytes = SampleTree.noise(700_000, seed: 1)
    try Files.create(scratch.file("a"), bytes)
    let source = try OpenFile(reading: scratch.file("a"))
    let target = try OpenFile(creating: scratch.file("b"))
    _ = try target.canShare(blocksOf: source)
    #expect(try target.status().size == 0, "finding out leaves nothing behind")
    var expected: [UInt8] = []
    for range in [
      0..<5000, 5000..<9000, 100..<100, 1..<600_000, 12_288..<20_480, 699_999..<700_000,
    ] {
      try target.write(range, of: source, at: expected.count)
      expected += bytes[range]
    }
    #expect(try Files.read(scratch.file("b")) == expected)
    expectThrows(.fileChanged) { try target.write(699_000..<700_001, of: source, at: 0) }
  }
}
