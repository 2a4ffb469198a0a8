import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Replacing")
struct ReplacingTests {
  private let scratch: Scratch
  private var path: String { scratch.file("a.particles") }

  init() throws { scratch = try Scratch() }

  private func noise(_ count: Int, seed: Int) -> FileNode {
    FileNode(regularFileWithContents: SampleTree.noise(count, seed: UInt64(seed)))
  }

  /// Small files that fill many blocks.
  private static let tree = Result {
    var root = FileNode.emptyDirectory
    let bytes = SampleTree.noise(1_100_000, seed: 1)
    for index in 0..<300 {
      let contents = Array(bytes[(index * 3600)...].prefix(3000 + index * 37 % 1000))
      try root.setFileNode(FileNode(regularFileWithContents: contents), at: Self.name(index))
    }
    return root
  }

  private func tree() throws -> FileNode { try Self.tree.get() }

  private static func name(_ index: Int) -> String { "folder \(index % 7)/file \(index)" }

  private func name(_ index: Int) -> String { Self.name(index) }

  private func open(_ tree: FileNode) throws -> Container {
    try Container(root: tree).write(to: path, as: .flat, replacing: true)
    return try Container(contentsOf: path)
  }

  /// The heads of all frames with their positions.
  private func frames(_ bytes: [UInt8]) throws -> [(position: Int, head: FrameHeader)] {
    var frames: [(Int, FrameHeader)] = []
    var position = Layout.headerSize
    while position < bytes.count {
      let head = try FrameHeader(
        Array(bytes[position..<position + Layout.frameHeaderSize]), at: position)
      frames.append((position, head))
      position += head.frameLength
    }
    return frames
  }

  @Test(
    "blocks that others stand before and behind of now are taken as they are, with new heads",
    arguments: [1, 4])
  func rows(threads: Int) throws {
    var package = try open(try tree())
    let changes: [(Int, FileNode?)] = [
      (150, noise(2000, seed: 1000)), (7, nil), (299, noise(100_000, seed: 1001)),
      (299, noise(1, seed: 1002)), (0, noise(3000, seed: 1003)), (0, noise(3000, seed: 1004)),
    ]
    for (index, node) in changes {
      if let node {
        try package.root.setFileNode(node, at: name(index))
      } else {
        package.root.removeFileNode(at: name(index))
      }
      let digest = try package.root.treeDigest()
      let expected = try Container(root: package.root).encoded()
      try package.save(mode: .replace, work: WorkOptions(threads: threads))
      #expect(try Files.read(path) == expected)
      #expect(try package.root.treeDigest() == digest, "read from where it was written")
      #expect(try Container(contentsOf: path).root.treeDigest() == digest)
    }
  }

  @Test("contents that the package had before stay what they were")
  func generations() throws {
    var package = try open(try tree())
    let before = package
    let kept = try #require(package.root[name(200)]?.contents)
    let digest = try before.root.treeDigest()
    try package.root.setFileNode(noise(9000, seed: 2000), at: name(0))
    try package.save(mode: .replace)
    #expect(try before.root.treeDigest() == digest)
    #expect(try kept.bytes() == package.root[name(200)]?.regularFileContents())
    // And can be put into what replaced it.
    try package.root.setFileNode(FileNode(regularFileWithContents: kept), at: "again")
    try package.save(mode: .replace)
    #expect(try Files.read(path) == Container(root: package.root).encoded())
  }

  @Test("afterwards it is read from what was written, whatever stands at the path by then")
  func replacedByOthers() throws {
    var package = try open(try tree())
    try package.root.setFileNode(noise(9000, seed: 2000), at: name(0))
    try package.save(mode: .replace)
    let digest = try package.root.treeDigest()
    try Container(root: try SampleTree.small()).write(to: path, as: .flat, replacing: true)
    #expect(try package.root.treeDigest() == digest)
    try package.root.setFileNode(noise(9, seed: 2001), at: name(0))
    expectThrows(.fileChanged) { try package.save(mode: .replace) }
    expectThrows(.fileChanged) { try package.save(mode: .append) }
  }

  @Test("afterwards nobody has to wait for its lock")
  func lock() throws {
    var package = try open(try SampleTree.small())
    try package.root.setFileNode(noise(9, seed: 1), at: "new")
    try package.save(mode: .replace)
    #expect(try OpenFile(updating: path).tryLock())
    #expect(try package.root["new"]?.regularFileContents()?.count == 9)
  }

  @Test("a damaged block is not copied, and the message says whose it is")
  func damage() throws {
    let bytes = try Container(root: try tree()).encoded()
    let block = try #require(frames(bytes).filter { $0.head.kind == .data }.dropFirst(5).first)
    for offset in [9, 13, Layout.frameHeaderSize + 1000] {
      try Container(root: try tree()).write(to: path, as: .flat, replacing: true)
      let file = try OpenFile(updating: path)
      try [~bytes[block.position + offset]].withUnsafeBytes {
        try file.write($0, at: block.position + offset)
      }
      let damaged = try Files.read(path)
      // With all generations, a damaged head is found at once.
      if offset < Layout.frameHeaderSize {
        expectThrows(.frame) { try Container(contentsOf: path) }
      }
      var package = try Container(contentsOf: path, scope: .lastGeneration)
      try package.root.setFileNode(noise(9000, seed: 2000), at: name(0))
      do {
        try package.save(mode: .replace)
        Issue.record("byte \(offset) of a frame went unnoticed")
      } catch let diagnostic as Diagnostic {
        #expect(diagnostic.rule.family == "container")
        let entry = try #require(diagnostic.location.entry)
        #expect(throws: Diagnostic.self) { try package.root[entry]?.regularFileContents() }
      }
      #expect(try Files.read(path) == damaged)
      #expect(try Files.list(scratch.path) == ["a.particles"])
    }
  }

  @Test("who cannot be read is named")
  func names() throws {
    let bytes = try Container(root: try tree()).encoded()
    let block = try #require(frames(bytes).last { $0.head.kind == .data })
    var damaged = bytes
    damaged[block.position + Layout.frameHeaderSize] ^= 1
    let root = try Container(decoding: damaged).root
    var unreadable: [String] = []
    root.forEachDescendant { path, node in
      do {
        _ = try node.regularFileContents()
      } catch {
        #expect((error as? Diagnostic)?.location.entry == path)
        unreadable.append(path)
      }
    }
    #expect(unreadable.count > 1 && unreadable.last == "folder 6/file 97", "the end of the stream")
  }

  @Test("pages say of each path what differs from the one before, and are cut where they are full")
  func pages() throws {
    var root = try tree()
    let long = String(repeating: "long name ", count: 20)
    for index in 0..<100 { try root.setFileNode(noise(0, seed: 1), at: "\(long)/\(long)\(index)") }
    for name in ["a", "a/b", "a/b/c", "a/bc", "a.b", "ä", "äb/ü", "äc"] {
      try root.setFileNode(.emptyDirectory, at: name)
    }
    try root.setFileNode(FileNode(symbolicLinkWithDestination: "../a"), at: "a/b/link")
    let bytes = try Container(root: root).encoded()
    var rest = try ContainerReader(.bytes(bytes)).entries()[...]
    for frame in try frames(bytes) where frame.head.kind == .tree {
      let raw = Array(bytes[frame.position...].prefix(frame.head.frameLength).dropFirst(24))
      var page: [Entry] = []
      var length = 0
      while let entry = rest.first, page.count < 256, length < 16 << 10 {
        page.append(rest.removeFirst())
        length += entry.path.utf8.count
        if case .symbolicLink(let target) = entry.kind { length += target.utf8.count }
      }
      #expect(raw == encoded(page), "the page that begins with '\(page.first?.path ?? "")'")
    }
    #expect(rest.isEmpty)
  }

  /// A page, as the specification has it.
  private func encoded(_ entries: [Entry]) -> [UInt8] {
    var writer = ByteWriter()
    var previous: [UInt8] = []
    var end = 0
    for entry in entries {
      let path = Array(entry.path.utf8)
      let shared = zip(path, previous).prefix { $0 == $1 }.count
      writer.varint(shared)
      writer.varint(path.count - shared)
      writer.write(path[shared...])
      writer.byte(entry.kind.code)
      previous = path
      if entry.isFile { writer.varint(entry.size) }
      if entry.size > 0 {
        writer.signedVarint(entry.offset - end)
        end = entry.offset + entry.size
      }
      if case .symbolicLink(let target) = entry.kind {
        writer.varint(target.utf8.count)
        writer.write(target.utf8)
      }
    }
    return writer.bytes
  }

  @Test(
    "files whose extension says that they are compressed stand apart",
    arguments: [
      ("x.png", true), ("x.PNG", true), ("x.y.Jpeg", true), ("x.particles", false), ("x.7z", true),
      ("x.json", false), ("x", false), ("x.", false), (".png", false), ("png", false),
      ("x.pngs", false), ("x.particlest", false), ("x.zip/y", false), ("x/.zip", false),
      ("x.pn\u{e7}", false),
    ])
  func extensions(name: String, isCompressed: Bool) throws {
    var root = try FileNode(directoryWithFileNodes: ["a": noise(10, seed: 1)])
    try root.setFileNode(noise(10, seed: 2), at: name)
    let blocks = try frames(Container(root: root).encoded()).filter { $0.head.kind == .data }
    #expect(blocks.count == (isCompressed ? 2 : 1))
  }
}
