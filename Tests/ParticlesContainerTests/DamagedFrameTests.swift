import ParticlesContainer
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// `Spec/container.md#recovery`: of a damaged block, contents with a check of their own are kept.
@Suite("Recovery of damaged frames")
struct DamagedFrameTests {
  /// Three images in an uncompressed block, and text in a compressed block.
  private static func tree() throws -> FileNode {
    var root = FileNode.emptyDirectory
    for (name, seed) in [("a.png", 1), ("b.png", 2), ("c.png", 3)] {
      let bytes = SampleTree.noise(3000, seed: UInt64(seed))
      try root.setFileNode(FileNode(regularFileWithContents: bytes), at: name)
    }
    let text = Array(String(repeating: "{\"particles\": true}\n", count: 200).utf8)
    try root.setFileNode(FileNode(regularFileWithContents: text), at: "document.json")
    return root
  }

  private func frames(_ bytes: [UInt8]) throws -> [(position: Int, head: FrameHeader)] {
    var frames: [(Int, FrameHeader)] = []
    var position = Layout.headerSize
    while position < bytes.count {
      let head = try FrameHeader(Array(bytes[position...].prefix(24)), at: position)
      frames.append((position, head))
      position += head.frameLength
    }
    return frames
  }

  @Test(
    "after one changed byte, wherever it is, what is recovered is right, and the rest is reported",
    arguments: [0x01, 0x80, 0xFF] as [UInt8])
  func anyByte(change: UInt8) throws {
    let tree = try Self.tree()
    let bytes = try Container(root: tree).encoded()
    let heads = try frames(bytes).flatMap { Array($0.position..<$0.position + 26) }
    let others = stride(from: Layout.headerSize, to: bytes.count, by: 41)
    let all = Set(heads).union(others).filter { $0 < bytes.count }.sorted()
    var found = 0
    // Each change at other places.
    for position in Sample.of(Array(all.dropFirst(Int(change) % 7)), 150) {
      var damaged = bytes
      damaged[position] ^= change
      let recovery = try Recovery(.bytes(damaged))
      #expect(!recovery.diagnostics.isEmpty, "byte \(position)")
      let lost = recovery.diagnostics.filter { $0.rule == .unrecovered }
      try recovery.root.forEachDescendant { path, node throws in
        #expect(
          try node.regularFileContents() == tree[path]?.regularFileContents(),
          "byte \(position): \(path)")
        found += 1
      }
      #expect(recovery.root.children?.count == 4 || !lost.isEmpty, "byte \(position)")
    }
    // Most bytes belong to a block with three of the four files.
    #expect(found > 100)
  }

  @Test("of a damaged block, contents that prove themselves are kept")
  func confirmed() throws {
    let tree = try Self.tree()
    let bytes = try Container(root: tree).encoded()
    let block = try #require(
      frames(bytes).first { $0.head.kind == .data && !$0.head.isCompressed })
    var damaged = bytes
    // In the second of the three.
    for offset in 4000..<4020 { damaged[block.position + offset] ^= 0x55 }
    let sums = try ["a.png", "b.png", "c.png"].map {
      ($0, SHA256.digest(try #require(try tree[$0]?.regularFileContents())))
    }
    let known = Dictionary(uniqueKeysWithValues: sums)
    let recovery = try Recovery(.bytes(damaged)) { known[$0] == SHA256.digest($1) }
    #expect(recovery.root.children?.map(\.name) == ["a.png", "c.png", "document.json"])
    for name in ["a.png", "c.png"] {
      #expect(try recovery.root[name]?.regularFileContents() == tree[name]?.regularFileContents())
    }
    let lost = recovery.diagnostics.filter { $0.rule == .unrecovered }
    #expect(lost.compactMap(\.location.entry) == ["b.png"])
    #expect(lost.last?.detail == "its block is damaged, and nothing tells whether its bytes are")
    // Nobody confirms anything: all three are lost.
    #expect(try Recovery(.bytes(damaged)).root.children?.map(\.name) == ["document.json"])
  }

  @Test("a damaged block that is compressed is read as far as it can be decompressed")
  func compressed() throws {
    var root = FileNode.emptyDirectory
    var contents: [String: [UInt8]] = [:]
    for index in 0..<10 {
      let lines = (0..<400).map { "line \($0 &* (index + 7) % 1009) of file \(index)\n" }
      contents["\(index).txt"] = Array(lines.joined().utf8)
      try root.setFileNode(
        FileNode(regularFileWithContents: Array(lines.joined().utf8)), at: "\(index).txt")
    }
    let bytes = try Container(root: root).encoded()
    let block = try #require(frames(bytes).first { $0.head.kind == .data })
    try #require(block.head.isCompressed && block.head.rawLength < Layout.packSize + 1)
    var damaged = bytes
    let start = block.position + Layout.frameHeaderSize
    let middle = start + block.head.storedLength / 2
    for offset in middle..<middle + 200 { damaged[offset] = 0xFF }
    let recovery = try Recovery(.bytes(damaged)) { contents[$0] == $1 }
    let found = recovery.root.children?.map(\.name) ?? []
    #expect(found.starts(with: ["0.txt", "1.txt", "2.txt"]) && found.count < 10, "\(found)")
    for name in found {
      #expect(try recovery.root[name]?.regularFileContents() == contents[name])
    }
    let lost = recovery.diagnostics.compactMap(\.location.entry)
    #expect(lost.count == 10 - found.count)
  }

  @Test("a footer whose root is behind it, or before the file, is no footer to recover from")
  func rootBehindFooter() throws {
    let bytes = try Files.read(Fixture.path("hostile/root-behind-footer.particles"))
    let recovery = try Recovery(.bytes(bytes))
    #expect(recovery.root.children?.map(\.name) == ["a"])
    #expect(recovery.diagnostics.contains { $0.rule == .frame })
    for root in [0, 1, bytes.count, Int.max, bytes.count - Layout.footerSize] {
      let position = bytes.count - Layout.footerSize
      let footer = Footer(position: position, generation: 1, root: root, previous: 0)
      let forged = Array(bytes[..<position]) + footer.encode()
      #expect(try Recovery(.bytes(forged)).root["a"] != nil)
      expectThrows(.frame) { try ContainerReader(.bytes(forged)) }
    }
  }

  @Test("bytes outside of a source are an error, not a trap")
  func outside() {
    let source = ByteSource.bytes([1, 2, 3])
    for (offset, count) in [(-1, 1), (0, 4), (3, 1), (2, -1), (.max, 1), (1, .max)] {
      expectThrows(.truncated) { try source.bytes(at: offset, count: count) }
    }
    #expect(throws: Never.self) { try source.bytes(at: 3, count: 0) }
  }
}
