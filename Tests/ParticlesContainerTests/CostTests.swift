import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// A few bytes must not cost more than they are worth, whatever they claim.
@Suite("What a package may cost")
struct CostTests {
  /// A file of a tebibyte that has holes everywhere but at both ends.
  private func hollow(_ end: [UInt8]) -> ByteSource {
    let size = 1 << 40
    let head = PackageForge().bytes
    return ByteSource(size: size) { offset, buffer in
      for index in buffer.indices {
        let place = offset + index
        let fromEnd = place - (size - end.count)
        buffer[index] = place < head.count ? head[place] : fromEnd >= 0 ? end[fromEnd] : 0
      }
    }
  }

  @Test("a footer cannot make a root of all that stands before it")
  func root() {
    let footer = Footer(
      position: 1 << 40 - Layout.footerSize, generation: 1, root: Layout.headerSize, previous: 0)
    expectThrows(.frame) { try ContainerReader(hollow(footer.encode())) }
  }

  @Test("a root cannot make a page of all that stands before it")
  func page() throws {
    var root = Root()
    let frame = FrameReference(position: Layout.headerSize, length: 1 << 39)
    root.pages = [.init(firstPath: "a", frame: frame, entries: 1)]
    let payload = root.encode()
    let position = 1 << 40 - Layout.footerSize - payload.count - Layout.frameHeaderSize
    let head = FrameHeader(.root, rawLength: payload.count, payload: payload, place: position)
    let footer = Footer(
      position: 1 << 40 - Layout.footerSize, generation: 1, root: position, previous: 0)
    expectThrows(.frame) { try ContainerReader(hollow(head.bytes + payload + footer.encode())) }
  }

  @Test("long paths that stand in a few bytes each are counted as they are written out")
  func paths() throws {
    var folders = (1...16).map { Array(repeating: String(repeating: "d", count: 200), count: $0) }
    folders += (1000..<1500).map { folders[15] + ["\($0)"] }
    let entries = folders.map { Entry.directory($0.joined(separator: "/")) }
    let bytes = PackageForge.package(entries)
    #expect(bytes.count < 20_000)
    #expect(try ContainerReader(.bytes(bytes)).entries().count == entries.count)
    var limits = Limits()
    limits.indexBytes = 1 << 20
    let reader = try ContainerReader(.bytes(bytes), limits: limits)
    expectThrows(.limit) { try reader.entries() }
    expectThrows(.limit) { try reader.entry(folders[0][0]) }
    // The package was not checked, and this is no finding about the package.
    expectThrows(.limit) { try reader.verify() }
  }

  @Test("sums of what a package claims do not overflow, whatever is done with it next")
  func sums() throws {
    var forge = PackageForge()
    let page = forge.frame(.tree, TreePage.encode([.file("a")]))
    var root = Root()
    root.pages = [.init(firstPath: "a", frame: page, entries: 1)]
    root.tables = [.init(frame: page, bytes: .max)]
    forge.commit(root)
    expectThrows(.index) { try Container(decoding: forge.bytes) }

    var late = PackageForge()
    late.commit(Root(), generation: .max, previous: 1)
    expectThrows(.frame) { try Container(decoding: late.bytes) }
  }

  @Test("blocks that stand in the file once count once, however often they are referred to")
  func tables() throws {
    var forge = PackageForge()
    let page = forge.frame(.tree, TreePage.encode([.file("a", size: 1)]))
    var blocks: [Block] = []
    for offset in 0..<10 {
      let frame = forge.frame(.data, [7], place: offset)
      blocks.append(Block(offset: offset, rawLength: 1, frame: frame))
    }
    let table = forge.frame(.blocks, BlockTable.encode(blocks))
    var root = Root()
    root.pages = [.init(firstPath: "a", frame: page, entries: 1)]
    let start = forge
    root.tables = Array(repeating: .init(frame: table, bytes: 10), count: 5)
    forge.commit(root)
    expectThrows(.index) { try Container(decoding: forge.bytes) }
    // No more tables than possible generations. A root of a few bytes can name millions.
    forge = start
    root.tables = Array(repeating: .init(frame: table, bytes: 10), count: 1000)
    forge.commit(root)
    expectThrows(.index) { try Container(decoding: forge.bytes) }
  }

  @Test("paths that stand in a few bytes of the root are counted, too")
  func firstPaths() throws {
    var forge = PackageForge()
    let folder = Array(repeating: String(repeating: "d", count: 200), count: 16)
    let start = folder.joined(separator: "/")
    let frame = forge.frame(.tree, TreePage.encode([.directory("\(start)/1000")]))
    var root = Root()
    root.pages = (1000..<3000).map { .init(firstPath: "\(start)/\($0)", frame: frame, entries: 1) }
    forge.commit(root)
    #expect(forge.bytes.count < 40_000)
    var limits = Limits()
    limits.indexBytes = 1 << 20
    expectThrows(.limit) { try ContainerReader(.bytes(forge.bytes), limits: limits) }
  }

  @Test("a block that files share is read once for all of them, one after the other")
  func sharedBlock() throws {
    // More than is read at once where a package is opened.
    func contents(_ name: String) -> [UInt8] { SampleTree.noise(3_000, seed: UInt64(name) ?? 0) }
    var root = FileNode.emptyDirectory
    for name in (0..<200).map(String.init) {
      try root.setFileNode(FileNode(regularFileWithContents: contents(name)), at: name)
    }
    let bytes = try Container(root: root).encoded()
    let reads = Lock(0)
    let source = ByteSource(size: bytes.count) { offset, buffer in
      reads.withLock { $0 += 1 }
      buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    }
    let reader = try ContainerReader(source)
    let entries = try reader.entries()
    let before = reads.withLock(\.self)
    for entry in entries {
      #expect(try reader.contents(of: entry).bytes() == contents(entry.path))
    }
    #expect(entries.count == 200)
    // Ten blocks of 64 kB.
    #expect(1...40 ~= reads.withLock(\.self) - before)
  }

  @Test("blocks of a byte are counted by what their tables take")
  func blocks() throws {
    var forge = PackageForge()
    let page = forge.frame(.tree, TreePage.encode([.file("a", size: 1)]))
    var blocks: [Block] = []
    for offset in 0..<200 {
      let frame = forge.frame(.data, [7], place: offset)
      blocks.append(Block(offset: offset, rawLength: 1, frame: frame))
    }
    let unfinished = forge.bytes
    let table = forge.frame(.blocks, BlockTable.encode(blocks))
    var root = Root()
    root.pages = [.init(firstPath: "a", frame: page, entries: 1)]
    root.tables = [.init(frame: table, bytes: 200)]
    forge.commit(root)
    var limits = Limits()
    limits.indexBytes = 300
    expectThrows(.limit) { try Container(decoding: forge.bytes, limits: limits) }
    let package = try Container(
      decoding: forge.bytes, limits: limits, scope: .lastGeneration)
    expectThrows(.limit) { try package.root["a"]?.regularFileContents() }
    // Nobody waits for the end of a pipe to count them.
    let scratch = try Scratch()
    var rest = unfinished[...]
    expectThrows(.limit) {
      try Container.unpack(name: "-", toDirectory: scratch.file("out"), limits: limits) { count in
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      }
    }
    #expect(try Container(decoding: forge.bytes).root["a"]?.regularFileContents() == [7])
  }

  @Test("names for messages are looked up once, however many files cannot be read")
  func names() throws {
    let small = FileNode(regularFileWithContents: SampleTree.noise(1000, seed: 1))
    let large = FileNode(regularFileWithContents: SampleTree.noise(100_000, seed: 2))
    let names = (0..<10).map { "file \($0)" }
    var root = try FileNode(directoryWithFileNodes: ["large": large])
    for name in names { try root.setFileNode(small, at: name) }
    var bytes = try Container(root: root).encoded()
    let block = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("DATA".utf8)) })
    bytes[block + Layout.frameHeaderSize] ^= 1
    let reads = Lock(0)
    let source = ByteSource(size: bytes.count) { [bytes] offset, buffer in
      reads.withLock { $0 += 1 }
      buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    }
    let package = try Container(decoding: source)
    let before = reads.withLock(\.self)
    for name in names {
      let diagnostic = expectThrows(.checksum) { try package.root[name]?.regularFileContents() }
      #expect(diagnostic?.location.entry == name)
    }
    #expect(
      reads.withLock(\.self) - before == names.count + 1, "the block each time, the tree once")
  }

  @Test("entries are bounded by the bytes that list them, in every reader")
  func crowd() throws {
    var bytes = RuleFixtureTests.crowd(folders: 100, entries: 990)
    #expect(bytes.count < 8000)
    let scratch = try Scratch()
    func unpack(_ bytes: [UInt8], _ limits: Limits = .standard) throws {
      var rest = bytes[...]
      try Container.unpack(name: "-", toDirectory: scratch.file("out"), limits: limits) { count in
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      }
    }
    let fault = expectThrows(.limit) { try ContainerReader(.bytes(bytes)) }
    #expect(fault?.detail?.contains("bytes of pages of ") == true)
    expectThrows(.limit) { try Container(decoding: bytes) }
    expectThrows(.limit) { try Recovery(.bytes(bytes)) }
    expectThrows(.limit) { try Recovery(.bytes(bytes.dropLast(40))) }
    expectThrows(.limit) { try unpack(bytes) }
    #expect(try Files.list(scratch.path).isEmpty)
    var limits = Limits()
    limits.amplification = 100_000
    #expect(try ContainerReader(.bytes(bytes), limits: limits).entries().count == 99_100)
    // At the edge, all readers agree: 256 bytes for each entry, less the first MiB.
    bytes = RuleFixtureTests.crowd(folders: 6, entries: 990)
    let page = try FrameHeader(Array(bytes[16..<40]), at: 16).frameLength
    limits.amplification = (256 * 5_946 - (1 << 20) + page - 1) / page
    #expect(try Container(decoding: bytes, limits: limits).root.children?.count == 6)
    #expect(try Recovery(.bytes(bytes.dropLast(40)), limits: limits).root.children?.count == 6)
    try unpack(bytes, limits)
    limits.amplification -= 1
    expectThrows(.limit) { try Container(decoding: bytes, limits: limits) }
    expectThrows(.limit) { try Recovery(.bytes(bytes.dropLast(40)), limits: limits) }
    try Files.removeAll(scratch.file("out"))
    expectThrows(.limit) { try unpack(bytes, limits) }
  }

  @Test("packages of many folders with numbers as names stay below the limit")
  func numbered() throws {
    var root = FileNode.emptyDirectory
    for folder in 0..<20 {
      var children: [String: FileNode] = [:]
      for number in 0..<1000 { children["folder \(10_000 + number)"] = .emptyDirectory }
      try root.setFileNode(
        FileNode(directoryWithFileNodes: children), at: "folder \(100 + folder)")
    }
    let bytes = try Container(root: root).encoded(PackingOptions(level: .best))
    #expect(try Container(decoding: bytes).root.children?.count == 20)
  }

  @Test("a lower limit bounds contents, too")
  func contents() throws {
    let zeros = FileNode(regularFileWithContents: [UInt8](repeating: 0, count: 4 << 20))
    let bytes = try Container(root: FileNode(directoryWithFileNodes: ["zeros": zeros])).encoded()
    #expect(try Container(decoding: bytes).root["zeros"] != nil)
    var limits = Limits()
    // 4 MiB, less the first one, for each byte of the file.
    limits.amplification = ((3 << 20) + bytes.count - 1) / bytes.count
    #expect(try Container(decoding: bytes, limits: limits).root["zeros"] != nil)
    limits.amplification -= 1
    expectThrows(.limit) { try Container(decoding: bytes, limits: limits) }
    expectThrows(.limit) { try Recovery(.bytes(bytes.dropLast(60)), limits: limits) }
    let scratch = try Scratch()
    var rest = bytes[...]
    expectThrows(.limit) {
      try Container.unpack(name: "-", toDirectory: scratch.file("out"), limits: limits) { count in
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      }
    }
  }
}
