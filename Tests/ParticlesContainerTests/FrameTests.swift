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

  @Test("a head is checked for order and place, as all readers do")
  func orderAndPlace() throws {
    func check(
      _ kind: FrameKind, after previous: FrameKind, place: Int, streamEnd: Int? = 500
    ) throws {
      try FrameHeader(kind, rawLength: 10, payload: [1, 2], place: place)
        .check(after: previous, at: 100, streamEnd: streamEnd)
    }
    let followers: [FrameKind: [FrameKind]] = [
      .tree: [.tree, .data, .root], .data: [.data, .blocks], .blocks: [.root], .root: [.done],
      .done: [.tree, .data, .root],
    ]
    for previous in FrameKind.allCases {
      for kind in FrameKind.allCases {
        let place = kind == .data ? 500 : 100
        if followers[previous]?.contains(kind) == true {
          try check(kind, after: previous, place: place)
          for wrong in [place - 1, place + 1, 600 - place, .max] {
            let fault = expectThrows(.frame) { try check(kind, after: previous, place: wrong) }
            #expect(fault?.detail == "place of a \(kind.name) frame")
            #expect(fault?.expected == "\(place)" && fault?.found == "\(wrong)")
          }
        } else {
          let fault = expectThrows(.coverage) { try check(kind, after: previous, place: place) }
          #expect(fault?.found == kind.name)
        }
      }
    }
    // After a footer whose stream is unknown, a block may have any place whose end can be counted.
    try check(.data, after: .tree, place: .max - 10, streamEnd: nil)
    expectThrows(.frame) { try check(.data, after: .tree, place: .max - 9, streamEnd: nil) }
    expectThrows(.frame) { try check(.data, after: .tree, place: .max, streamEnd: .max) }
  }

  @Test("the last intact footer is found at any position, and only whole")
  func footerInBytes() throws {
    let footer = Footer(position: 1000, generation: 2, root: 900, previous: 700)
    let bytes = footer.encode()
    for (before, after) in [(0, 0), (1, 0), (0, 47), (100, 100)] {
      let all =
        [UInt8](repeating: UInt8(ascii: "D"), count: before) + bytes
        + [UInt8](repeating: UInt8(ascii: "D"), count: after)
      #expect(Footer.last(in: all[...], at: 1000 - before) == footer)
      // At another position it is not intact.
      #expect(Footer.last(in: all[...], at: 1001 - before) == nil)
      #expect(Footer.last(in: all.dropFirst(before + 1), at: 1001) == nil)
      #expect(Footer.last(in: all.dropLast(after + 1), at: 1000 - before) == nil)
    }
    let second = Footer(position: 1048, generation: 3, root: 900, previous: 1000)
    #expect(Footer.last(in: (bytes + second.encode())[...], at: 1000) == second)
    #expect(Footer.last(in: [], at: 0) == nil)
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
