internal import ParticlesContainer
internal import ParticlesCore

/// Reads a tar archive from front to back. Contents are read on demand.
struct TarReader {
  /// The maximum size of an extended header in bytes.
  private static let extensionLimit = 1 << 20

  private let source: ByteSource
  private let limits: Limits
  private var position = 0
  private var tree: ArchiveTree

  /// The values of extended headers for the next entry.
  private struct Extension {
    var path: [UInt8]?
    var linkPath: [UInt8]?
    var size: Int?
    var isEmpty = true
  }

  /// - Parameter size: the size of the archive before it was unpacked from gzip.
  init(_ source: ByteSource, size: Int, limits: Limits) {
    self.source = source
    self.limits = limits
    tree = ArchiveTree(size: size, limits: limits)
  }

  mutating func read() throws -> Container {
    try locating(Location(file: source.name)) {
      var pending = Extension()
      while let (header, start) = try nextHeader() {
        try Task.checkCancellation()
        switch header.kind {
        case .extended: try readRecords(of: header, into: &pending)
        case .global: try readGlobal(header)
        case .longName:
          pending.path = try payload(of: header).prefixToZero
          pending.isEmpty = false
        case .longLink:
          pending.linkPath = try payload(of: header).prefixToZero
          pending.isEmpty = false
        default:
          try add(header, pending, at: .offset(start))
          pending = Extension()
        }
      }
      guard pending.isEmpty else { throw failure("an extended header is not followed by an entry") }
      let root = try tree.finish()
      return Container(
        root: root, warnings: tree.notes.map { $0.inside(Location(file: source.name)) })
    }
  }

  private func failure(_ detail: String, expected: String? = nil) -> Diagnostic {
    Diagnostic(.tar, at: .offset(position), detail, expected: expected)
  }

  /// The next header and its position, or nil at the end of the archive.
  private mutating func nextHeader() throws -> (TarHeader, Int)? {
    let start = position
    let block = try take(Tar.blockSize)
    if block.contains(where: { $0 != 0 }) { return (try TarHeader(block, at: start), start) }
    // Two zero blocks end the archive; zero padding of the last record may follow.
    _ = try take(Tar.blockSize, expected: "a second empty block")
    position -= Tar.blockSize
    while position < source.size {
      let piece = try take(min(64 << 10, source.size - position))
      guard piece.allSatisfy({ $0 == 0 }) else {
        throw Diagnostic(.tar, at: .offset(start), "data follows the end of the archive")
      }
    }
    return nil
  }

  private mutating func take(
    _ count: Int, expected: String = "another block, or two empty ones at the end"
  ) throws -> [UInt8] {
    guard count <= source.size - position else {
      throw failure("the archive is cut short", expected: expected)
    }
    defer { position += count }
    return try source.bytes(at: position, count: count)
  }

  /// Skips the contents of an entry and returns their offset.
  private mutating func skip(_ size: Int) throws -> Int {
    guard size <= source.size - position, Tar.padded(size) <= source.size - position else {
      throw failure("the archive is cut short", expected: "\(size) bytes of contents")
    }
    defer { position += Tar.padded(size) }
    return position
  }

  private mutating func payload(of header: TarHeader) throws -> [UInt8] {
    guard header.size <= Self.extensionLimit else {
      throw failure("an extended header of \(header.size) bytes")
    }
    return try source.bytes(at: skip(header.size), count: header.size)
  }

  private mutating func add(
    _ header: TarHeader, _ extra: Extension, at location: Location
  ) throws {
    let size = extra.size ?? header.size
    let path = try tree.path(extra.path ?? header.name, at: location)
    guard size == 0 || header.kind == .file else {
      throw Diagnostic(.tar, at: .entry(path), "an entry that is not a file has contents")
    }
    switch header.kind {
    case .directory: try tree.add(path, .directory)
    case .symbolicLink:
      let target = extra.linkPath ?? header.linkName
      guard let destination = String(validating: target, as: UTF8.self) else {
        throw Diagnostic(.link, at: .entry(path), expected: "UTF-8")
      }
      try tree.add(path, .symbolicLink(destination))
    case .hardLink:
      let target = try tree.path(
        (extra.linkPath ?? header.linkName), at: .entry(path))
      guard let file = tree.file(at: target) else {
        throw Diagnostic(
          .tar, at: .entry(path), "a hard link to '\(target)', which is not an earlier file")
      }
      try tree.add(path, file.kind, file.contents)
    case .file:
      let start = try skip(size)
      let contents = FileContents(size: size) { [source] offset, buffer in
        try source.read(at: start + offset, into: buffer)
      }
      try tree.add(path, .file(isExecutable: header.mode & 0o100 != 0), contents)
    default: throw Diagnostic(.special, at: .entry(path))
    }
  }

  private mutating func readRecords(of header: TarHeader, into next: inout Extension) throws {
    next.isEmpty = false
    for (key, value) in try records(of: header) {
      switch key {
      case "path": next.path = value
      case "linkpath": next.linkPath = value
      case "size":
        guard let size = Int(String(decoding: value, as: UTF8.self)), size >= 0 else {
          throw failure("the size in an extended header is not a number")
        }
        next.size = size
      case _ where key.hasPrefix("GNU.sparse."):
        throw Diagnostic(.tarUnsupported, at: .offset(position), "a sparse file")
      default: break
      }
    }
  }

  /// Reads a global header. Comments, times and owners are ignored; paths and sizes are not supported.
  private mutating func readGlobal(_ header: TarHeader) throws {
    for (key, _) in try records(of: header) where ["path", "linkpath", "size"].contains(key) {
      throw Diagnostic(.tarUnsupported, at: .offset(position), "a global header with '\(key)'")
    }
  }

  /// Returns the records of an extended header: length, space, key, equals sign, value, line feed.
  private mutating func records(
    of header: TarHeader
  ) throws -> [(key: String, value: [UInt8])] {
    var rest = try payload(of: header)[...]
    var records: [(String, [UInt8])] = []
    while !rest.isEmpty {
      let digits = rest.prefix { $0 != 0x20 }
      guard digits.count < 8, let length = Int(String(decoding: digits, as: UTF8.self)),
        length > digits.count + 2, length <= rest.count
      else { throw failure("invalid length of a record in an extended header") }
      let record = rest.prefix(length).dropFirst(digits.count + 1)
      guard record.last == 0x0A, let sign = record.firstIndex(of: UInt8(ascii: "=")) else {
        throw failure("invalid record in an extended header")
      }
      records.append(
        (String(decoding: record[..<sign], as: UTF8.self), Array(record[(sign + 1)...].dropLast())))
      rest = rest.dropFirst(length)
    }
    return records
  }
}

extension [UInt8] {
  /// The bytes before the first zero.
  fileprivate var prefixToZero: [UInt8] { Array(prefix { $0 != 0 }) }
}
