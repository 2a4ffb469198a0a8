package import ParticlesCore

/// The position and length of a frame in the file.
package struct FrameReference: Sendable, Hashable {
  package var position: Int
  /// The length of head and payload.
  package var length: Int

  package var end: Int { position + length }

  package init(position: Int, length: Int) {
    self.position = position
    self.length = length
  }
}

/// The root: the tree pages and block tables that make up a generation.
package struct Root: Sendable, Hashable {
  /// A page of the tree.
  package struct Page: Sendable, Hashable {
    package var firstPath: String
    package var frame: FrameReference
    package var entries: Int

    package init(firstPath: String, frame: FrameReference, entries: Int) {
      self.firstPath = firstPath
      self.frame = frame
      self.entries = entries
    }

    init(_ page: TreePage, _ frame: FrameReference) {
      self.init(firstPath: page.firstPath, frame: frame, entries: page.entries)
    }
  }

  /// The block table of a generation.
  package struct Table: Sendable, Hashable {
    package var frame: FrameReference
    /// The number of bytes of the stream that its blocks hold.
    package var bytes: Int

    package init(frame: FrameReference, bytes: Int) {
      self.frame = frame
      self.bytes = bytes
    }
  }

  /// The tree pages, in the order of their first paths.
  package var pages: [Page] = []
  /// The block tables, in the order of their generations.
  package var tables: [Table] = []

  package init() {}

  package func encode() -> [UInt8] {
    var writer = ByteWriter()
    var path = SuccessivePath()
    var end = Layout.headerSize
    writer.varint(pages.count)
    for (number, page) in pages.enumerated() {
      path.replace(from: 0, with: page.firstPath)
      writer.frontCoded(path, isFirst: number == 0)
      writer.reference(page.frame, &end)
      writer.varint(page.entries)
    }
    writer.varint(tables.count)
    for table in tables {
      writer.reference(table.frame, &end)
      writer.varint(table.bytes)
    }
    return writer.bytes
  }

  /// - Parameter offset: the position of the root in the file. All frames referred to end before it.
  package init(decoding payload: some Collection<UInt8>, at offset: Int, limits: Limits)
    throws(Failure)
  {
    self = try locating(.offset(offset)) { () throws(Failure) in
      try IndexReader.reading(payload, at: offset) { reader throws(Failure) in
        try Root(&reader, before: offset, limits: limits)
      }
    }
  }

  private init(_ reader: inout IndexReader, before offset: Int, limits: Limits) throws(Failure) {
    var path = FrontCodedPath()
    var end = Layout.headerSize
    var entries = 0
    var pathBytes = 0
    for number in 0..<(try reader.count()) {
      try path.readNext(from: &reader, isFirst: number == 0, limits: limits)
      // Front coding can express a path of kilobytes in three bytes.
      pathBytes += path.bytes.count
      try limits.check(pathBytes, { $0.indexBytes }, "bytes of all paths")
      let frame = try reader.reference(&end, before: offset)
      let count = try reader.varint()
      guard count > 0, count <= Layout.pageLimit else {
        throw reader.failure("entries of a page", found: "\(count)")
      }
      entries += count
      try limits.check(entries, { $0.entries }, "entries")
      pages.append(Page(firstPath: path.text, frame: frame, entries: count))
    }
    var bytes = 0
    let count = try reader.count()
    // A generation has at most one table, and each earlier generation has a footer.
    guard count <= offset / Layout.footerSize + 1 else {
      throw reader.failure(
        "number of tables", expected: "at most \(offset / Layout.footerSize + 1)",
        found: "\(count)")
    }
    for _ in 0..<count {
      let frame = try reader.reference(&end, before: offset)
      let count = try reader.varint()
      // All blocks precede the root. This bounds their unpacked size.
      guard count > 0, count <= Int.max - bytes, (bytes + count) / Layout.packingLimit <= offset
      else {
        throw reader.failure("bytes of a table", found: "\(count)")
      }
      bytes += count
      tables.append(Table(frame: frame, bytes: count))
    }
    guard reader.isAtEnd else { throw reader.failure("bytes after the last table") }
  }
}

extension ByteWriter {
  /// Writes the distance from the end of the frame referred to before, and the length.
  fileprivate mutating func reference(_ frame: FrameReference, _ end: inout Int) {
    signedVarint(frame.position - end)
    varint(frame.length)
    end = frame.end
  }
}

extension IndexReader {
  /// Reads a number of items, each of which takes at least one byte.
  fileprivate mutating func count() throws(Failure) -> Int {
    let count = try varint()
    guard count <= remaining else {
      throw failure("number of items", expected: "at most \(remaining)", found: "\(count)")
    }
    return count
  }

  fileprivate mutating func reference(_ end: inout Int, before limit: Int)
    throws(Failure) -> FrameReference
  {
    let (position, overflow) = end.addingReportingOverflow(try signedVarint())
    let length = try varint()
    guard !overflow, position >= Layout.headerSize, position < limit,
      length > Layout.frameHeaderSize, length <= limit - position
    else {
      throw failure(
        "a reference", expected: "a frame before byte \(limit)",
        found: "\(length) bytes at \(position)")
    }
    end = position + length
    return FrameReference(position: position, length: length)
  }
}

extension Container {
  /// A node of the tree as the index of a flat package describes it.
  public struct Entry: Sendable, Hashable {
    /// The kind of a node.
    public enum Kind: Sendable, Hashable {
      /// A directory. Its children are entries of their own.
      case directory
      /// A regular file.
      case file(isExecutable: Bool)
      /// A symbolic link to a relative path inside the package.
      case symbolicLink(String)
    }

    /// The path from the root of the package, components separated by `/`.
    public var path: String

    /// The kind of the node.
    public var kind: Kind

    /// The size of a file in bytes, 0 for other kinds.
    public var size: Int

    /// The offset of the contents in the stream of contents, 0 if there are none.
    package var offset: Int

    package init(path: String, kind: Kind, size: Int = 0, offset: Int = 0) {
      self.path = path
      self.kind = kind
      self.size = size
      self.offset = offset
    }

    /// Whether this is a regular file.
    public var isFile: Bool {
      if case .file = kind { true } else { false }
    }
  }
}

extension Entry.Kind {
  /// The number of the kind in the index and in the tree digest.
  package var code: UInt8 {
    switch self {
    case .directory: 0
    case .file(isExecutable: false): 1
    case .file(isExecutable: true): 2
    case .symbolicLink: 3
    }
  }
}
