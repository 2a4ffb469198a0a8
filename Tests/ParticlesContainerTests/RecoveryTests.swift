import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
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
    for offset in 100..<110 { bytes[block.lowerBound + offset] ^= 1 }
    let recovery = try Recovery(.bytes(bytes))
    let lost = recovery.diagnostics.filter { $0.rule == .unrecovered }
    #expect(lost.count == 2 && recovery.diagnostics[0].rule == .checksum)
    // The block, by its position and its entries. Then each entry.
    #expect(lost[0].location.position == .offset(block.lowerBound) && lost[0].location.entry == nil)
    let entry = try #require(lost[1].location.entry)
    #expect(lost[0].detail?.hasSuffix("bytes with contents of '\(entry)'") == true)
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
    let recovery = try Recovery(.bytes(overlapping), limits: limits)
    #expect(recovery.root.children?.map(\.name) == ["10"])
    #expect(recovery.diagnostics.count { $0.rule == .unrecovered } == 49)
    limits.totalBytes = 99
    expectThrows(.limit) { try Recovery(.bytes(overlapping), limits: limits) }
  }

  /// The positions of the frames of a kind.
  private func frames(_ kind: FrameKind, of bytes: [UInt8]) throws -> [Int] {
    var positions: [Int] = []
    var position = Layout.headerSize
    while position < bytes.count {
      let head = try FrameHeader(Array(bytes[position...].prefix(24)), at: position)
      if head.kind == kind { positions.append(position) }
      position += head.frameLength
    }
    return positions
  }

  /// Two pages: the first holds 256 entries, the folder `d` and a part of its files. The second
  /// holds the rest.
  private func pages() throws -> FileNode {
    var tree = FileNode.emptyDirectory
    for index in 0..<300 {
      let file = FileNode(regularFileWithContents: Array("\(index)".utf8))
      try tree.setFileNode(file, at: "d/\(1000 + index)")
    }
    return tree
  }

  @Test(
    "a damaged page of the tree costs what is on it, and that is said", arguments: [0, 1],
    [false, true])
  func page(number: Int, headIsDamaged: Bool) throws {
    let tree = try pages()
    let bytes = try Container(root: tree).encoded()
    var damaged = bytes
    let page = try frames(.tree, of: bytes)[number]
    for offset in 0..<4 { damaged[page + (headIsDamaged ? 0 : 30) + offset] ^= 1 }
    let recovery = try Recovery(.bytes(damaged))
    var found: [String] = []
    try recovery.root.forEachDescendant { path, node throws in
      found.append(path)
      #expect(try node.regularFileContents() == tree[path]?.regularFileContents())
    }
    // The folder was on the first page. The paths of its files prove that it was there.
    let (first, rest) = (255, 45)
    #expect(found.count == 1 + (number == 0 ? rest : first))
    #expect(recovery.diagnostics.first?.rule == (headIsDamaged ? .frame : .checksum))
    let lost = recovery.diagnostics.filter { $0.rule == .unrecovered }
    #expect(lost.count == 1 && lost[0].location.position == .offset(page))
    #expect(lost[0].detail == "\(number == 0 ? 256 : 45) entries on a page of the tree")
    // Without footer and root, too: then their numbers are not known.
    let root = try #require(try frames(.root, of: bytes).last)
    let cut = try Recovery(.bytes(Array(damaged[..<root])))
    if !headIsDamaged {
      #expect(try cut.root.treeDigest() == recovery.root.treeDigest())
      #expect(cut.diagnostics.contains { $0.rule == .unrecovered && $0.location.entry == nil })
    }
  }

  @Test("behind a damaged root stands the generation before it, not the first")
  func generations() throws {
    let scratch = try Scratch()
    let path = scratch.file("a.particles")
    var package = Container(root: try SampleTree.small())
    try package.save(to: path)
    var digests: [ContentDigest] = []
    for number in 1...3 {
      let file = FileNode(regularFileWithContents: SampleTree.noise(number * 1000, seed: 3))
      try package.root.setFileNode(file, at: "document.json")
      try package.save(mode: .append, synchronizing: false)
      digests.append(try package.root.treeDigest())
    }
    let bytes = try Files.read(path)
    let roots = try frames(.root, of: bytes)
    for count in 1...2 {
      var damaged = bytes
      for root in roots.suffix(count) { for at in 25..<29 { damaged[root + at] ^= 1 } }
      let recovery = try Recovery(.bytes(damaged))
      #expect(try recovery.root.treeDigest() == digests[2 - count])
      #expect(recovery.diagnostics.map(\.rule).contains(.torn), "what is left out is said")
      #expect(recovery.diagnostics.first?.rule == .checksum)
    }
  }

  @Test("a damaged table of blocks costs nothing: the blocks say where they are")
  func table() throws {
    let tree = try SampleTree.large()
    var bytes = try Container(root: tree).encoded()
    for offset in 24..<27 { bytes[try frames(.blocks, of: bytes)[0] + offset] ^= 1 }
    let recovery = try Recovery(.bytes(bytes))
    #expect(try recovery.root.treeDigest() == tree.treeDigest())
    #expect(recovery.diagnostics.map(\.rule) == [.checksum])
  }

  @Test("what cannot be read is lost, and what is beside it is not")
  func unreadable() throws {
    let tree = try SampleTree.large()
    let bytes = try Container(root: tree).encoded()
    let bad = try frames(.data, of: bytes)[1] + 100
    func source(_ error: any Error) -> ByteSource {
      ByteSource(size: bytes.count) { offset, buffer in
        if (offset..<offset + buffer.count).contains(bad) { throw error }
        buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
      }
    }
    let fault = Diagnostic(.fileUnreadable, at: .unknown, "input/output error")
    let recovery = try Recovery(source(fault))
    #expect(recovery.diagnostics.contains { $0.rule == .fileUnreadable })
    let lost = recovery.diagnostics.filter { $0.rule == .unrecovered }
    #expect(lost.count >= 1)
    try recovery.root.forEachDescendant { path, node throws in
      #expect(try node.regularFileContents() == tree[path]?.regularFileContents())
    }
    // An error that is not of the disk is no damage: it is passed on.
    struct Offline: Error {}
    #expect(throws: Offline.self) { try Recovery(source(Offline())) }
  }

  @Test("behind a damaged frame, the last footer is searched for by the megabyte")
  func windows() throws {
    let noise = FileNode(regularFileWithContents: SampleTree.noise(1_200_000, seed: 3))
    let small = FileNode(regularFileWithContents: [1, 2, 3])
    let tree = try FileNode(directoryWithFileNodes: ["a": noise, "b": small])
    var bytes = try Container(root: tree).encoded()
    bytes[try frames(.data, of: bytes)[0]] ^= 1
    bytes += [0, 0, 0]
    let longest = Lock(0)
    let source = ByteSource(size: bytes.count) { [bytes] offset, buffer in
      longest.withLock { $0 = max($0, buffer.count) }
      buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    }
    let recovery = try Recovery(source)
    #expect(try recovery.root["b"]?.regularFileContents() == [1, 2, 3])
    #expect(longest.withLock(\.self) == 1 << 20)
  }

  @Test("a block that does not unpack is lost, even if its checksum is right")
  func payload() throws {
    var forge = PackageForge()
    let page = forge.frame(.tree, TreePage.encode([.file("a", size: 40), .file("b")]))
    let data = forge.frame(.data, [0x78, 0x9C, 0xFF, 0xFF], rawLength: 40, place: 0)
    let table = forge.frame(
      .blocks, BlockTable.encode([Block(offset: 0, rawLength: 40, frame: data)]))
    var root = Root()
    root.pages = [.init(firstPath: "a", frame: page, entries: 2)]
    root.tables = [.init(frame: table, bytes: 40)]
    forge.commit(root)
    let recovery = try Recovery(.bytes(forge.bytes))
    #expect(recovery.root.children?.map(\.name) == ["b"])
    #expect(recovery.diagnostics.map(\.rule) == [.payload, .unrecovered, .unrecovered])
  }

  @Test("long paths are counted over all pages")
  func paths() throws {
    var forge = PackageForge()
    for page in 0..<6 {
      let start =
        String(repeating: "d", count: 200) + "/" + String(repeating: "\(page)", count: 250)
      forge.frame(
        .tree, TreePage.encode((1000..<2000).map { .directory("\(start)/\($0)") }))
    }
    var limits = Limits()
    limits.indexBytes = 1 << 20
    expectThrows(.limit) { try Recovery(.bytes(forge.bytes), limits: limits) }
  }

  @Test("any bytes overwritten never crash it, nor give contents that were not there")
  func mutations() throws {
    let tree = try SampleTree.small()
    let bytes = try Container(root: tree).encoded()
    for seed in Sample.of(Array(0..<1_500), 300) {
      var random = SeededGenerator(seed: UInt64(seed))
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
    // An unfinished save is ignored.
    guard fault.rule != .torn else { return _ = try unpack(try fault.make()) }
    let error = #expect(throws: Diagnostic.self) { try unpack(try fault.make()) }
    let expected: Set<Rule> = [fault.rule, .index, .coverage, .truncated, .order]
    #expect(expected.contains(try #require(error).rule), "\(String(describing: error))")
  }

  @Test("a package that was saved by appending comes out of a pipe as from a file")
  func generations() throws {
    let file = scratch.file("a.particles")
    try Container(root: try SampleTree.small()).write(to: file, as: .flat)
    var package = try Container(contentsOf: file)
    try package.root.setFileNode(FileNode(regularFileWithContents: [1]), at: "new")
    try package.save(mode: .append)
    let bytes = try Files.read(file)
    try Files.removeAll(file)
    let path = "Fixtures/hostile/two-generations.particles"
    if Repository.isRecording {
      try SafeSave.file(Repository.path(path), replacing: true) { try $0.write(bytes) }
    }
    #expect(try Files.read(Repository.path(path)) == bytes)
    #expect(try unpack(bytes).matchesContents(of: package.root))
  }
}
