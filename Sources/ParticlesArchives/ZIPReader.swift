internal import ParticlesContainer
internal import ParticlesCore

/// Reads a ZIP archive: the central directory, then each local header, which must agree with it. An
/// archive that two programs could read differently is rejected.
struct ZIPReader {
  private let source: ByteSource
  private let limits: Limits
  private let unpacker: ZIPUnpacker
  private var warnings: [Diagnostic] = []

  init(_ source: ByteSource, limits: Limits) {
    self.source = source
    self.limits = limits
    unpacker = ZIPUnpacker(source)
  }

  /// Returns the files, with contents that are decompressed on demand.
  mutating func read() throws -> Container {
    try locating(Location(file: source.name)) {
      let directory = try ZIPDirectory(source)
      if directory.commentLength > 0 { leaveOut("a comment", directory.commentLength, .note) }
      if directory.paddingLength > 0 { leaveOut("padding", directory.paddingLength, .note) }
      var tree = ArchiveTree(size: source.size, limits: limits)
      let entries = try entries(in: directory, naming: tree)
      for entry in entries {
        try Task.checkCancellation()
        try add(entry, to: &tree)
      }
      let root = try tree.finish()
      warnings += tree.notes.map { $0.inside(Location(file: source.name)) }
      return Container(root: root, warnings: warnings)
    }
  }

  private mutating func leaveOut(_ what: String, _ bytes: Int, _ severity: Severity) {
    warnings.append(
      Diagnostic(
        .zipIgnored, at: Location(file: source.name), "\(what) (\(bytes) bytes)",
        severity: severity))
  }

  /// Returns the entries in the order of the directory, each compared with its local header.
  private mutating func entries(
    in directory: ZIPDirectory, naming tree: ArchiveTree
  ) throws -> [ZIPEntry] {
    try limits.check(directory.count, \.entries, "entries")
    try limits.check(directory.size, \.indexBytes, "bytes of the central directory")
    var reader = ByteReader(
      try source.bytes(at: directory.offset, count: directory.size), base: directory.offset,
      rule: .zip)
    var entries: [ZIPEntry] = []
    var comments = 0
    while !reader.isAtEnd {
      try Task.checkCancellation()
      let location = reader.location
      var entry = try ZIPEntry(&reader)
      entry.path = try tree.path(entry.unicodeName, at: location)
      comments += entry.commentLength
      entries.append(entry)
    }
    guard entries.count == directory.count else {
      throw Diagnostic(
        .zip, at: .offset(directory.offset), "entries of the central directory",
        expected: "\(directory.count)", found: "\(entries.count)")
    }
    if comments > 0 { leaveOut("comments on entries", comments, .note) }
    try locate(&entries, before: directory.offset)
    return entries
  }

  /// Finds the contents of all entries. Overlapping entries are rejected, because a small archive
  /// could unpack to very large contents otherwise.
  private mutating func locate(_ entries: inout [ZIPEntry], before directory: Int) throws {
    var end = 0
    var unclaimed = 0
    let inFileOrder = entries.indices.sorted { entries[$0].header < entries[$1].header }
    for index in inFileOrder {
      let entry = entries[index]
      guard entry.header >= end else {
        throw Diagnostic(
          .zip, at: .entry(entry.path), "it overlaps another entry",
          expected: "a position from \(end)",
          found: "\(entry.header)")
      }
      unclaimed += entry.header - end
      let local = try locating(.entry(entry.path)) {
        try ZIPLocalHeader(of: entry, in: source, before: directory)
      }
      entries[index].contents = local.contents
      end = local.end
    }
    unclaimed += directory - end
    if unclaimed > 0 { leaveOut("bytes that belong to no entry", unclaimed, .warning) }
  }

  private func add(_ entry: ZIPEntry, to tree: inout ArchiveTree) throws {
    switch try entry.kind() {
    case .directory:
      guard entry.size == 0 else {
        throw Diagnostic(.zip, at: .entry(entry.path), "a directory with contents")
      }
      try unpacker.check(entry)
      try tree.add(entry.path, .directory)
    case .file(let isExecutable):
      // Checked here, because empty contents are never read.
      if entry.size == 0 { try unpacker.check(entry) }
      let contents = FileContents(size: entry.size) { [unpacker] offset, buffer in
        try unpacker.read(entry, at: offset, into: buffer)
      }
      try tree.add(entry.path, .file(isExecutable: isExecutable), contents)
    case .symbolicLink:
      guard entry.size <= EntryPath.pathLimit else {
        throw Diagnostic(
          .link, at: .entry(entry.path), expected: "at most \(EntryPath.pathLimit) bytes",
          found: "\(entry.size)")
      }
      let bytes = try [UInt8](unsafeUninitializedCapacity: entry.size) { buffer, count in
        try unpacker.read(entry, at: 0, into: UnsafeMutableRawBufferPointer(buffer))
        count = entry.size
      }
      guard let destination = String(validating: bytes, as: UTF8.self) else {
        throw Diagnostic(.link, at: .entry(entry.path), expected: "UTF-8")
      }
      try tree.add(entry.path, .symbolicLink(destination))
    }
  }
}
