package import ParticlesCore

/// A page of the tree: entries in order, each path given by what differs from the one before.
package enum TreePage {
  package static func encode(_ entries: some Sequence<Entry>) -> [UInt8] {
    var writer = ByteWriter()
    var previous: [UInt8] = []
    var end = 0
    for entry in entries {
      let path = Array(entry.path.utf8)
      writer.frontCoded(path, after: previous)
      previous = path
      writer.byte(entry.kind.code)
      switch entry.kind {
      case .directory: break
      case .file:
        writer.varint(entry.size)
        if entry.size > 0 {
          writer.signedVarint(entry.offset - end)
          end = entry.offset + entry.size
        }
      case .symbolicLink(let destination):
        writer.varint(destination.utf8.count)
        writer.write(destination.utf8)
      }
    }
    return writer.bytes
  }

  /// Cuts entries into pages: a new one begins where one has enough entries, or enough bytes.
  package static func split(_ entries: ArraySlice<Entry>) -> [ArraySlice<Entry>] {
    var pages: [ArraySlice<Entry>] = []
    var start = entries.startIndex
    var bytes = 0
    for (index, entry) in zip(entries.indices, entries) {
      if index - start >= Layout.pageEntries || bytes >= Layout.pageBytes {
        pages.append(entries[start..<index])
        start = index
        bytes = 0
      }
      bytes += entry.path.utf8.count
      if case .symbolicLink(let destination) = entry.kind { bytes += destination.utf8.count }
    }
    if start < entries.endIndex { pages.append(entries[start...]) }
    return pages
  }

  /// Reads the entries of a page; names, order and links are checked.
  /// - Parameters:
  ///   - offset: the position of the page in the file, for messages.
  ///   - body: takes each entry as it stands in the page, without the cost of making it a value.
  package static func forEach(
    _ payload: [UInt8], at offset: Int, limits: Limits, _ body: (borrowing RawEntry) throws -> Void
  ) throws {
    var reader = ByteReader(payload, base: 0, rule: .index)
    var entry = RawEntry()
    var end = 0
    var pathBytes = 0
    while !reader.isAtEnd {
      do {
        try entry.read(from: &reader, end: &end, limits: limits)
        // A path of kilobytes can stand in three bytes, if it is like the one before.
        pathBytes += entry.path.count
        try limits.check(pathBytes, \.indexBytes, "bytes of the paths on a page")
      } catch var diagnostic as Diagnostic {
        // The offset in an unpacked page helps nobody; that of the page does.
        diagnostic.location.position = .offset(offset)
        throw diagnostic
      }
      try body(entry)
    }
  }

  /// The entries of a page.
  package static func decode(_ payload: [UInt8], at offset: Int, limits: Limits) throws -> [Entry] {
    var entries: [Entry] = []
    try forEach(payload, at: offset, limits: limits) { entries.append($0.entry) }
    return entries
  }
}

/// An entry as it stands in a page.
package struct RawEntry: Sendable {
  /// The bytes of the path.
  package private(set) var path: [UInt8] = []
  /// How many bytes the path has in common with that of the entry before on the page.
  package private(set) var shared = 0
  package private(set) var code: UInt8 = 0
  package private(set) var size = 0
  package private(set) var offset = 0
  package private(set) var destination = ""

  package init() {}

  /// The path as text.
  package var pathText: String { String(decoding: path, as: UTF8.self) }

  /// The entry as a value.
  package var entry: Entry {
    let kind: Entry.Kind =
      switch code {
      case 0: .directory
      case 1: .file(isExecutable: false)
      case 2: .file(isExecutable: true)
      default: .symbolicLink(destination)
      }
    return Entry(path: pathText, kind: kind, size: size, offset: offset)
  }

  fileprivate mutating func read(
    from reader: inout ByteReader, end: inout Int, limits: Limits
  ) throws {
    let isFirst = path.isEmpty
    let before = try readPath(from: &reader, limits: limits)
    guard isFirst || before else {
      throw Diagnostic(.order, expected: "paths in ascending order", found: "'\(pathText)'")
    }
    (size, offset, destination) = (0, 0, "")
    code = try reader.byte()
    switch code {
    case 0: break
    case 1, 2: try readExtent(from: &reader, end: &end, limits: limits)
    case 3:
      let bytes = try reader.read(try reader.varint())
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Diagnostic(
          .name, at: .entry(pathText), "the target of the link", expected: "UTF-8")
      }
      try EntryPath.check(link: text, from: pathText)
      destination = text
    default:
      throw Diagnostic(
        .index, at: .entry(pathText), "kind of an entry", expected: "0 to 3", found: "\(code)")
    }
  }

  /// Reads the path, checks it, and returns whether it stands behind the one before.
  private mutating func readPath(from reader: inout ByteReader, limits: Limits) throws -> Bool {
    var shared = try reader.varint()
    guard shared <= path.count else {
      throw reader.failure(
        "bytes shared with the path before", expected: "at most \(path.count)", found: "\(shared)")
    }
    let rest = try reader.read(try reader.varint())
    var next = rest.startIndex
    while shared < path.count, next < rest.endIndex, path[shared] == rest[next] {
      shared += 1
      next += 1
    }
    let ascends =
      next < rest.endIndex
      && (shared == path.count || EntryPath.rank(path[shared]) < EntryPath.rank(rest[next]))
    path.removeLast(path.count - shared)
    path.append(contentsOf: rest[next...])
    self.shared = shared
    try EntryPath.check(path, from: shared, limits: limits)
    return ascends
  }

  private mutating func readExtent(
    from reader: inout ByteReader, end: inout Int, limits: Limits
  ) throws {
    size = try reader.varint()
    guard size <= limits.entryBytes else {
      return try limits.check(
        size, \.entryBytes, "bytes of an entry", at: .entry(pathText))
    }
    guard size > 0 else { return }
    let (start, overflow) = end.addingReportingOverflow(try reader.signedVarint())
    guard !overflow, start >= 0, start <= Int.max - size else {
      throw Diagnostic(.extent, at: .entry(pathText), "the contents begin nowhere")
    }
    offset = start
    end = start + size
  }
}

extension ByteWriter {
  /// How many bytes the path shares with the previous one, and the rest.
  mutating func frontCoded(_ path: [UInt8], after previous: [UInt8]) {
    var shared = 0
    while shared < path.count, shared < previous.count, path[shared] == previous[shared] {
      shared += 1
    }
    varint(shared)
    varint(path.count - shared)
    write(path[shared...])
  }
}

extension ByteReader {
  /// Turns the previous path into the next.
  mutating func frontCoded(_ path: inout [UInt8]) throws {
    let shared = try varint()
    guard shared <= path.count else {
      throw failure(
        "bytes shared with the path before", expected: "at most \(path.count)", found: "\(shared)")
    }
    let rest = try read(try varint())
    path.removeLast(path.count - shared)
    path += rest
  }
}
