import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Heads of frames, and footers")
struct FrameTests {
  @Test("a footer with the greatest generation has no successor")
  func greatestGeneration() {
    let before = Footer(position: 200, generation: .max, root: 100, previous: 0)
    for generation in [0, 1, Int.max] {
      let footer = Footer(position: 400, generation: generation, root: 300, previous: 200)
      expectThrows(.frame) { try footer.check(after: before) }
    }
  }

  @Test("a footer without a predecessor is that of generation 1, and no other is")
  func firstGeneration() throws {
    func check(generation: Int, root: Int = 300, previous: Int, after position: Int?) throws {
      let footer = Footer(position: 400, generation: generation, root: root, previous: previous)
      let before = position.map { Footer(position: $0, generation: 1, root: 100, previous: 0) }
      try Footer(decoding: footer.encode(), at: 400).check(after: before)
    }
    try check(generation: 1, previous: 0, after: nil)
    try check(generation: 2, previous: 200, after: 200)
    expectThrows(.frame) { try check(generation: 2, previous: 0, after: nil) }
    expectThrows(.frame) { try check(generation: 1, previous: 200, after: 200) }
    expectThrows(.frame) { try check(generation: 3, previous: 200, after: 200) }
    expectThrows(.frame) { try check(generation: 2, previous: 201, after: 200) }
    expectThrows(.frame) { try check(generation: 2, previous: 200, after: nil) }
    // The root ends where the footer begins, and begins after the footer before.
    expectThrows(.frame) { try check(generation: 2, root: 247, previous: 200, after: 200) }
    expectThrows(.frame) { try check(generation: 1, root: 376, previous: 0, after: nil) }
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
