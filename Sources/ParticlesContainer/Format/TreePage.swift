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

  /// Reads the entries of a page; names, order and extents within the page are checked.
  /// - Parameter offset: the position of the page in the file, for messages.
  package static func decode(_ payload: [UInt8], at offset: Int, limits: Limits) throws -> [Entry] {
    var reader = ByteReader(payload, rule: .index)
    var entries: [Entry] = []
    var path: [UInt8] = []
    var end = 0
    while !reader.isAtEnd {
      let previous = path
      try locating(.offset(offset)) { try reader.frontCoded(&path) }
      let name = try EntryPath.validated(path, limits: limits, at: .offset(offset))
      guard previous.isEmpty || EntryPath.precedes(previous, path) else {
        throw Diagnostic(
          .order, at: .offset(offset), expected: "a path behind '\(entries.last?.path ?? "")'",
          found: "'\(name)'")
      }
      let entry = try locating(Location(entry: name, position: .offset(offset))) {
        try decode(&reader, path: name, end: &end, limits: limits)
      }
      entries.append(entry)
    }
    return entries
  }

  private static func decode(
    _ reader: inout ByteReader, path: String, end: inout Int, limits: Limits
  ) throws -> Entry {
    let code = try reader.byte()
    switch code {
    case Entry.Kind.directory.code:
      return Entry(path: path, kind: .directory)
    case Entry.Kind.file(isExecutable: false).code, Entry.Kind.file(isExecutable: true).code:
      let size = try reader.varint()
      try limits.check(size, \.entryBytes, "bytes of an entry")
      var entry = Entry(
        path: path, kind: .file(isExecutable: code == Entry.Kind.file(isExecutable: true).code),
        size: size)
      if size > 0 {
        let (offset, overflow) = end.addingReportingOverflow(try reader.signedVarint())
        guard !overflow, offset >= 0, offset <= Int.max - size else {
          throw Diagnostic(.extent, "the contents begin nowhere")
        }
        entry.offset = offset
        end = offset + size
      }
      return entry
    case Entry.Kind.symbolicLink("").code:
      let bytes = try reader.read(try reader.varint())
      guard let destination = String(validating: bytes, as: UTF8.self) else {
        throw Diagnostic(.name, "the target of the link", expected: "UTF-8")
      }
      try EntryPath.check(link: destination, from: path)
      return Entry(path: path, kind: .symbolicLink(destination))
    default:
      throw Diagnostic(.index, "kind of an entry", expected: "0 to 3", found: "\(code)")
    }
  }
}

extension ByteWriter {
  /// How many bytes the path shares with the previous one, and the rest.
  mutating func frontCoded(_ path: [UInt8], after previous: [UInt8]) {
    let shared = zip(path, previous).prefix { $0 == $1 }.count
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
