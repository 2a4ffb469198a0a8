import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Streams of unknown length")
struct SpoolingTests {
  private func spool(_ bytes: [UInt8], piece: Int) throws -> FileContents {
    var rest = bytes[...]
    return try FileContents.spooling {
      defer { rest = rest.dropFirst(piece) }
      return rest.isEmpty ? nil : Array(rest.prefix(piece))
    }
  }

  @Test(
    "what went in comes out, and packs to the same bytes as if it had been there all along",
    arguments: [0, 1, 65_535, 65_536, 524_288, 524_289, 1_700_000])
  func roundTrip(size: Int) throws {
    let text = Array((0...size / 6).flatMap { Array("\($0 % 977) key ".utf8) }.prefix(size))
    let contents = try spool(text, piece: 70_001)
    #expect(contents.size == size)
    #expect(try contents.bytes() == text)
    var tree = try SampleTree.small()
    try tree.setFileNode(FileNode(regularFileWithContents: text), at: "stream")
    let expected = try Container(root: tree).encoded()
    try tree.setFileNode(FileNode(regularFileWithContents: contents), at: "stream")
    for reuses in [false, true] {
      let options = PackingOptions(reusesBlocks: reuses)
      #expect(try Container(root: tree).encoded(options) == expected)
    }
  }

  @Test("a stream without end meets the limit")
  func limit() throws {
    var limits = Limits()
    limits.entryBytes = 3_000_000
    expectThrows(.limit) {
      try FileContents.spooling(limits: limits) { [UInt8](repeating: 7, count: 100_000) }
    }
  }

  @Test("an error of the stream is passed on")
  func failure() {
    struct Broken: Error {}
    #expect(throws: Broken.self) { try FileContents.spooling { throw Broken() } }
  }
}
