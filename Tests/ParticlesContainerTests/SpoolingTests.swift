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

  @Test("a stream that comes in one piece costs what it costs in many")
  func onePiece() throws {
    let bytes = [UInt8](repeating: 7, count: 128 << 20)
    func time(piece: Int) throws -> Duration {
      var position = 0
      return try ContinuousClock().measure {
        _ = try FileContents.spooling {
          guard position < bytes.count else { return nil }
          defer { position += piece }
          return piece == bytes.count ? bytes : Array(bytes[position..<position + piece])
        }
      }
    }
    let many = try time(piece: Layout.blockSize)
    let one = try time(piece: bytes.count)
    #expect(one < many * 3, "\(one) instead of \(many)")
  }

  @Test("an error of the stream is passed on")
  func failure() {
    struct Broken: Error {}
    #expect(throws: Broken.self) { try FileContents.spooling { throw Broken() } }
  }
}
