import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Recovery")
struct RecoveryTests {
  /// Where each entry of a package ends: the end of the last block that it needs.
  private func ends(_ bytes: [UInt8]) throws -> [(path: String, end: Int)] {
    let reader = try ContainerReader(.bytes(bytes))
    var blocks: [Block] = []
    var position = 16
    while position < bytes.count {
      let head = try FrameHeader(Array(bytes[position...].prefix(24)), at: position)
      if head.kind == .data {
        blocks.append(
          Block(
            offset: head.place, rawLength: head.rawLength,
            frame: .init(position: position, length: head.frameLength)))
      }
      position += head.frameLength
    }
    let treeEnd = blocks.first?.frame.position ?? 0
    return try reader.entries().map { entry in
      let last = blocks.last { $0.offset < entry.offset + entry.size }
      return (entry.path, entry.size > 0 ? last?.frame.end ?? 0 : treeEnd)
    }
  }

  @Test("a file cut at any byte gives back every entry that lies wholly before the cut")
  func cut() throws {
    var tree = try SampleTree.small()
    for (index, name) in ["a", "m", "z"].enumerated() {
      try tree.setFileNode(
        FileNode(regularFileWithContents: SampleTree.noise(70_000, seed: UInt64(index))), at: name)
    }
    let bytes = try Container(root: tree).encoded()
    let ends = try ends(bytes)
    let treeEnd = try #require(ends.map(\.end).min())
    for length in stride(from: treeEnd, to: bytes.count, by: 1501) {
      let recovery = try Recovery(.bytes(Array(bytes[..<length])))
      let expected = ends.filter { $0.end <= length }.map(\.path)
      var found: [String] = []
      try recovery.root.forEachDescendant { path, node throws in
        found.append(path)
        #expect(try node.regularFileContents() == tree[path]?.regularFileContents())
      }
      #expect(found == expected, "cut after \(length) bytes")
      let lost = recovery.diagnostics.filter { $0.rule == .unrecovered }.compactMap(
        \.location.entry)
      #expect(lost == ends.filter { $0.end > length }.map(\.path))
      #expect(recovery.diagnostics.first?.rule == .truncated)
    }
  }

  @Test("a damaged block costs the entries in it and no other")
  func damage() throws {
    let tree = try SampleTree.large()
    var bytes = try Container(root: tree).encoded()
    let block = try #require(bytes.firstRange(of: Array("DATA".utf8)))
    bytes[block.lowerBound + 100] ^= 1
    let recovery = try Recovery(.bytes(bytes))
    let lost = recovery.diagnostics.filter { $0.rule == .unrecovered }
    #expect(lost.count == 1 && recovery.diagnostics[0].rule == .checksum)
    try recovery.root.forEachDescendant { path, node throws in
      #expect(try node.regularFileContents() == tree[path]?.regularFileContents())
    }
  }

  @Test("nothing is lost of what is whole, and what is no package is refused")
  func bounds() throws {
    let tree = try SampleTree.small()
    let recovery = try Recovery(.bytes(try Container(root: tree).encoded()))
    #expect(recovery.diagnostics.isEmpty)
    #expect(try recovery.root.matchesContents(of: tree))
    expectThrows(.signature) { try Recovery(.bytes(Array("hello, world, hello".utf8))) }
  }

  @Test("what is recovered can be written: without twins, and within limits")
  func twins() throws {
    let twins = try Recovery(
      .bytes(PackageForge.package([.file("A", size: 1), .file("a", size: 1)], stream: [1, 2])))
    #expect(twins.root.children?.map(\.name) == ["A"])
    #expect(twins.diagnostics.contains { $0.rule == .unrecovered && $0.location.entry == "a" })
    let overlapping = PackageForge.package(
      (10..<60).map { .file("\($0)", size: 100) }, stream: SampleTree.noise(100, seed: 1))
    var limits = Limits()
    limits.totalBytes = 1000
    expectThrows(.limit) { try Recovery(.bytes(overlapping), limits: limits) }
  }

  @Test("any bytes overwritten never crash it, nor give contents that were not there")
  func mutations() throws {
    let tree = try SampleTree.small()
    let bytes = try Container(root: tree).encoded()
    var random = SeededGenerator(seed: 21)
    for _ in 0..<1500 {
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        mutant[Int.random(in: 16..<mutant.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      guard let recovery = try? Recovery(.bytes(mutant)) else { continue }
      try recovery.root.forEachDescendant { path, node throws in
        #expect(try node.regularFileContents() == tree[path]?.regularFileContents())
      }
    }
  }
}

@Suite("Unpacking from a pipe")
struct SequentialTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func unpack(_ bytes: [UInt8], pieces: Int = 777) throws -> FileNode {
    var rest = bytes[...]
    try Container.unpack(name: "-", toDirectory: scratch.file("out"), replacing: true) { count in
      defer { rest = rest.dropFirst(min(count, pieces)) }
      return Array(rest.prefix(min(count, pieces)))
    }
    return try Container(contentsOf: scratch.file("out")).root
  }

  @Test("what arrives in pieces of any size comes out whole", arguments: [1, 100, 1 << 20])
  func pieces(size: Int) throws {
    let tree = try size == 1 ? SampleTree.small() : SampleTree.large()
    let root = try unpack(try Container(root: tree).encoded(), pieces: size)
    #expect(try root.matchesContents(of: tree))
  }

  @Test("a pipe that ends too early, or brings damage, leaves nothing")
  func damage() throws {
    let bytes = try Container(root: try SampleTree.small()).encoded()
    for length in stride(from: 0, to: bytes.count, by: 37) {
      expectThrows(.truncated) { try unpack(Array(bytes[..<length])) }
    }
    for offset in stride(from: 0, to: bytes.count, by: 7) {
      var damaged = bytes
      damaged[offset] ^= 0x20
      do {
        _ = try unpack(damaged)
        Issue.record("byte \(offset)")
      } catch {
        #expect(error is Diagnostic)
      }
    }
    #expect(try Files.list(scratch.path).isEmpty)
  }

  @Test("the faults that fixtures have are found here, too", arguments: RuleFixtureTests.faults)
  func faults(_ fault: RuleFixtureTests.Fault) throws {
    let error = #expect(throws: Diagnostic.self) { try unpack(try fault.make()) }
    let expected: Set<Rule> = [fault.rule, .generations, .index, .coverage, .truncated]
    #expect(expected.contains(try #require(error).rule), "\(String(describing: error))")
  }

  @Test("a package that was saved by appending is refused, with the way out")
  func generations() throws {
    let file = scratch.file("a.particles")
    try Container(root: try SampleTree.small()).write(to: file, as: .flat)
    var package = try Container(contentsOf: file)
    try package.root.setFileNode(FileNode(regularFileWithContents: [1]), at: "new")
    try package.save(mode: .append)
    let bytes = try Files.read(file)
    try Files.removeAll(file)
    let path = "Fixtures/rules/container/generations.particles"
    if Repository.isRecording {
      try SafeSave.file(Repository.path(path), replacing: true) { try $0.write(bytes) }
    }
    #expect(try Files.read(Repository.path(path)) == bytes)
    expectThrows(.generations) { try unpack(bytes) }
  }
}
