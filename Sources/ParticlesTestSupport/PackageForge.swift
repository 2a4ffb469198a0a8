package import ParticlesContainer
internal import ParticlesCore
internal import ParticlesSystem

/// Builds flat packages frame by frame, valid or not.
package struct PackageForge {
  package private(set) var bytes: [UInt8]

  /// Begins with a header. `version` can ask for a newer reader.
  package init(version: UInt8 = Layout.versionToRead) {
    var writer = ByteWriter()
    writer.write(Layout.signature)
    writer.write([version, version, 0])
    writer.u32(CRC32.checksum(writer.bytes))
    bytes = writer.bytes
  }

  /// Appends a frame with a correct checksum and the given header fields.
  @discardableResult
  package mutating func frame(
    _ kind: FrameKind, _ payload: [UInt8], rawLength: Int? = nil, place: Int? = nil
  ) -> FrameReference {
    let head = FrameHeader(
      kind, rawLength: rawLength ?? payload.count, payload: payload, place: place ?? bytes.count)
    let reference = FrameReference(position: bytes.count, length: head.frameLength)
    bytes += head.bytes + payload
    return reference
  }

  /// Appends a root for these, and a footer.
  package mutating func commit(
    _ root: Root, generation: Int = 1, previous: Int = 0
  ) {
    let position = frame(.root, root.encode()).position
    bytes += Footer(
      position: bytes.count, generation: generation, root: position, previous: previous
    ).encode()
  }

  package mutating func append(_ more: [UInt8]) { bytes += more }

  /// A package of one generation with these entries on one page and this stream in one block.
  package static func package(_ entries: [Entry], stream: [UInt8] = []) -> [UInt8] {
    package(page: TreePage.encode(entries), entries, stream: stream)
  }

  /// Like `package(_:stream:)`, with a page that need not match the entries.
  package static func package(
    page: [UInt8], _ entries: [Entry], stream: [UInt8] = []
  ) -> [UInt8] {
    var forge = PackageForge()
    var root = Root()
    let frame = forge.frame(.tree, page)
    root.pages = [.init(firstPath: entries.first?.path ?? "", frame: frame, entries: entries.count)]
    if !stream.isEmpty {
      let block = Block(
        offset: 0, rawLength: stream.count, frame: forge.frame(.data, stream, place: 0))
      let table = forge.frame(.blocks, BlockTable.encode([block]))
      root.tables = [.init(frame: table, bytes: stream.count)]
    }
    forge.commit(root)
    return forge.bytes
  }
}

extension PackageForge {
  /// A package of two generations: the first has this page and nothing else, the second this tree. The root of
  /// the second one does not list the page.
  package static func package(page: [UInt8], replacedBy tree: FileNode) throws -> [UInt8] {
    var forge = PackageForge()
    var root = Root()
    root.pages = [.init(firstPath: "a", frame: forge.frame(.tree, page), entries: 1)]
    forge.commit(root)
    let footer = forge.bytes.count - Layout.footerSize
    // In canonical form, the stream is the contents of all files in the order of the tree.
    let reader = try ContainerReader(.bytes(Container(root: tree).encoded()))
    let entries = try reader.entries()
    let stream = try entries.flatMap { try reader.contents(of: $0).bytes() }
    let pages = forge.frame(.tree, TreePage.encode(entries))
    root.pages = [
      .init(firstPath: entries.first?.path ?? "", frame: pages, entries: entries.count)
    ]
    let data = forge.frame(.data, stream, place: 0)
    let block = Block(offset: 0, rawLength: stream.count, frame: data)
    let table = forge.frame(.blocks, BlockTable.encode([block]))
    root.tables = [.init(frame: table, bytes: stream.count)]
    forge.commit(root, generation: 2, previous: footer)
    return forge.bytes
  }
}

extension Entry {
  package static func file(_ path: String, size: Int = 0, offset: Int = 0) -> Entry {
    Entry(path: path, kind: .file(isExecutable: false), size: size, offset: offset)
  }

  package static func directory(_ path: String) -> Entry { Entry(path: path, kind: .directory) }

  package static func link(_ path: String, to destination: String) -> Entry {
    Entry(path: path, kind: .symbolicLink(destination))
  }
}

/// Trees for tests.
package enum SampleTree {
  /// One of each kind of node, in 1.5 KB.
  package static func small() throws -> FileNode {
    var root = FileNode.emptyDirectory
    let json = Array("{\n  \"name\": \"spark\"\n}\n".utf8)
    try root.setFileNode(FileNode(regularFileWithContents: json), at: "document.json")
    try root.setFileNode(
      FileNode(regularFileWithContents: noise(700, seed: 1)), at: "Images/spark.png")
    try root.setFileNode(
      FileNode(regularFileWithContents: Array("#!/bin/sh\nexit 0\n".utf8), isExecutable: true),
      at: "Scripts/check")
    try root.setFileNode(
      FileNode(regularFileWithContents: [UInt8](repeating: 0x41, count: 3000)), at: "Notes/a-a.txt")
    try root.setFileNode(FileNode(regularFileWithContents: []), at: "Notes/a/empty")
    try root.setFileNode(.emptyDirectory, at: "Notes/größe")
    try root.setFileNode(
      FileNode(symbolicLinkWithDestination: "../Images/spark.png"), at: "Notes/latest")
    return root
  }

  /// Many small files, one large compressible one, one large noisy one.
  package static func large() throws -> FileNode { try made.get() }

  private static let made = Result { try make() }

  private static func make() throws -> FileNode {
    var root = try small()
    for index in 0..<1500 {
      let text = String(repeating: "particle \(index) ", count: index % 40)
      try root.setFileNode(
        FileNode(regularFileWithContents: Array(text.utf8)), at: "Frames/\(index % 7)/f\(index).txt"
      )
    }
    let text = Array((0..<150_000).map { "key \($0 % 977)\n" }.joined().utf8)
    try root.setFileNode(FileNode(regularFileWithContents: text), at: "Cache/keys.txt")
    try root.setFileNode(
      FileNode(regularFileWithContents: noise(1_200_000, seed: 2)), at: "Cache/noise.bin")
    return root
  }

  package static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }
}
