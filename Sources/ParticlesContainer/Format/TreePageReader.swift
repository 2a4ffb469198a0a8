package import ParticlesCore

/// Decodes successive pages of the tree; checks names, links and order, also from page to page.
package struct TreePageReader: ~Copyable {
  private let limits: Limits
  private var entry = RawEntry()
  private var bytes = 0
  private var pathBytes = 0

  package init(limits: Limits) { self.limits = limits }

  /// Reads the next page and checks it against the root.
  mutating func forEachEntry(
    of payload: some Collection<UInt8>, _ page: Root.Page,
    _ body: (borrowing RawEntry) throws -> Void
  ) throws {
    func mismatch(_ found: String) -> Diagnostic {
      Diagnostic(
        .index, at: .offset(page.frame.position), "not the tree page that the root refers to",
        expected: "\(page.entries) entries from '\(page.firstPath)' on", found: found)
    }
    var count = 0
    try forEachEntry(of: payload, at: page.frame.position) { entry in
      guard count > 0 || entry.path.elementsEqual(page.firstPath.utf8) else {
        throw mismatch("'\(entry.pathText)' first")
      }
      count += 1
      try body(entry)
    }
    guard count == page.entries else { throw mismatch("\(count) entries") }
  }

  /// Reads the next page.
  /// - Parameters:
  ///   - offset: the position of the page in the file, for messages.
  ///   - body: called with each entry, without the cost of creating an ``Entry``.
  package mutating func forEachEntry(
    of payload: some Collection<UInt8>, at offset: Int, _ body: (borrowing RawEntry) throws -> Void
  ) throws {
    try locating(.offset(offset)) {
      bytes += payload.count
      try limits.check(bytes, \.indexBytes, "bytes of the index")
      try IndexReader.reading(payload, at: offset) { reader in
        entry.beginPage()
        while !reader.isAtEnd {
          try entry.readNext(from: &reader, limits: limits)
          // Front coding can express a path of kilobytes in three bytes.
          pathBytes += entry.path.count
          try limits.check(pathBytes, \.indexBytes, "bytes of all paths")
          try body(entry)
        }
      }
    }
  }
}

/// An entry as decoded from a page.
package struct RawEntry: ~Copyable {
  private var pathBytes = FrontCodedPath()
  private var isFirst = true
  /// The end of the contents of the last non-empty file before on the page.
  private var end = 0

  package private(set) var code: UInt8 = 0
  package private(set) var size = 0
  package private(set) var offset = 0
  package private(set) var destination = ""

  fileprivate init() {}

  /// The bytes of the path, valid until the next entry is read.
  package var path: UnsafeBufferPointer<UInt8> { pathBytes.bytes }

  /// The offset of the last name of the path.
  package var nameStart: Int { pathBytes.nameStart }

  /// How many bytes the path has in common with that of the entry before, also across pages.
  package var shared: Int { pathBytes.shared }

  /// The path as text.
  package var pathText: String { pathBytes.text }

  /// The last name of the path as text.
  var name: String {
    String(decoding: UnsafeBufferPointer(rebasing: path[nameStart...]), as: UTF8.self)
  }

  /// The kind of the entry.
  package var kind: Entry.Kind {
    switch code {
    case 0: .directory
    case 1: .file(isExecutable: false)
    case 2: .file(isExecutable: true)
    default: .symbolicLink(destination)
    }
  }

  /// The entry as a value.
  package var entry: Entry { Entry(path: pathText, kind: kind, size: size, offset: offset) }

  fileprivate mutating func beginPage() {
    isFirst = true
    end = 0
  }

  fileprivate mutating func readNext(from reader: inout IndexReader, limits: Limits) throws {
    try pathBytes.readNext(from: &reader, isFirst: isFirst, limits: limits)
    isFirst = false
    guard pathBytes.ascends else {
      throw Diagnostic(.order, expected: "paths in ascending order", found: "'\(pathText)'")
    }
    (size, offset) = (0, 0)
    code = try reader.byte()
    switch code {
    case 0: break
    case 1, 2: try readExtent(from: &reader, limits: limits)
    case 3: try readDestination(from: &reader)
    default:
      throw Diagnostic(
        .index, at: .entry(pathText), "kind of an entry", expected: "0 to 3", found: "\(code)")
    }
  }

  private mutating func readExtent(from reader: inout IndexReader, limits: Limits) throws {
    size = try reader.varint()
    guard size <= limits.entryBytes else {
      return try limits.check(size, \.entryBytes, "bytes of an entry", at: .entry(pathText))
    }
    guard size > 0 else { return }
    let (start, overflow) = end.addingReportingOverflow(try reader.signedVarint())
    guard !overflow, start >= 0, start <= Int.max - size else {
      throw Diagnostic(.extent, at: .entry(pathText), "the contents are not in the stream")
    }
    offset = start
    end = start + size
  }

  private mutating func readDestination(from reader: inout IndexReader) throws {
    let bytes = try reader.read(try reader.varint())
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Diagnostic(.link, at: .entry(pathText), expected: "a target in UTF-8")
    }
    try EntryPath.check(link: text, from: pathText)
    destination = text
  }
}
