import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Heads of frames, and footers")
struct FrameTests {
  @Test("a footer without a predecessor is that of generation 1, and no other is")
  func firstGeneration() throws {
    func decode(generation: Int, previous: Int) throws -> Footer {
      let footer = Footer(position: 400, generation: generation, root: 300, previous: previous)
      return try Footer(decoding: footer.encode(), at: 400)
    }
    #expect(try decode(generation: 1, previous: 0).generation == 1)
    #expect(try decode(generation: 2, previous: 200).previous == 200)
    expectThrows(.frame) { try decode(generation: 2, previous: 0) }
    expectThrows(.frame) { try decode(generation: 1, previous: 200) }
  }

  @Test("a payload unpacks to at most 1032 times its size and 64 bytes more")
  func packingLimit() throws {
    func decode(rawLength: Int, stored: Int) throws -> FrameHeader {
      let payload = [UInt8](repeating: 0, count: stored)
      let head = FrameHeader(.data, rawLength: rawLength, payload: payload, place: 0)
      return try FrameHeader(head.bytes, at: 12)
    }
    #expect(try decode(rawLength: 1032 + 64, stored: 1).isCompressed)
    #expect(try decode(rawLength: 2 * 1032 + 64, stored: 2).rawLength == 2128)
    expectThrows(.frame) { try decode(rawLength: 1032 + 65, stored: 1) }
    expectThrows(.frame) { try decode(rawLength: 2 * 1032 + 65, stored: 2) }
    expectThrows(.frame) { try decode(rawLength: 1, stored: 2) }
  }

  @Test("a root ends behind its last table")
  func endOfRoot() throws {
    var root = Root()
    let frame = FrameReference(position: Layout.headerSize, length: 30)
    root.pages = [.init(firstPath: "a", frame: frame, entries: 1)]
    let bytes = root.encode()
    #expect(try Root(decoding: bytes, at: 100, limits: .standard) == root)
    expectThrows(.index) { try Root(decoding: bytes + [0], at: 100, limits: .standard) }
    expectThrows(.index) { try Root(decoding: bytes.dropLast(), at: 100, limits: .standard) }
  }
}
