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
  mutating func read() throws(Failure) -> Container {
    try locating(Location(file: source.name)) {
      let directory = try ZIPDirectory(source)
      if directory.commentLength > 0 { leaveOut("a comment", directory.commentLength, .note) }
      if directory.paddingLength > 0 { leaveOut("padding", directory.paddingLength, .note) }
      var tree = ArchiveTree(size: source.size, limits: limits)
      let entries = try entries(in: directory, naming: tree)
      for entry in entries {
        try WorkBudget.checkCancellation()
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
  ) throws(Failure) -> [ZIPEntry] {
    try limits.check(directory.count, { $0.entries }, "entries")
    try limits.check(directory.size, { $0.indexBytes }, "bytes of the central directory")
    var reader = ByteReader(
      try source.bytes(at: directory.offset, count: directory.size), base: directory.offset,
      rule: .zip)
    var entries: [ZIPEntry] = []
    var comments = 0
    while !reader.isAtEnd {
      try WorkBudget.checkCancellation()
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
  private mutating func locate(_ entries: inout [ZIPEntry], before directory: Int) throws(Failure) {
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

  private func add(_ entry: ZIPEntry, to tree: inout ArchiveTree) throws(Failure) {
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

/// The position of the central directory, from the records at the end of the archive.
struct ZIPDirectory {
  var offset = 0
  var size = 0
  var count = 0
  var commentLength = 0
  /// The number of zero bytes after the end record.
  var paddingLength = 0

  /// The most padding that is accepted. Archivers pad to their block size, usually 10 KiB.
  private static let paddingLimit = 1 << 20

  init(_ source: ByteSource) throws(Failure) {
    let (position, bytes) = try Self.findEnd(source)
    var reader = ByteReader(bytes, base: position, rule: .zip)
    _ = try reader.read(4)
    let (disk, firstDisk) = (try reader.u16(), try reader.u16())
    let (countHere, total) = (try reader.u16(), try reader.u16())
    (size, offset) = (Int(try reader.u32()), Int(try reader.u32()))
    commentLength = Int(try reader.u16())
    paddingLength = bytes.count - ZIP.endLength - commentLength
    count = Int(total)
    let short = (count, size, offset)
    let isSplit = disk != firstDisk || disk != 0 && disk != .max || countHere != total
    var end = position
    if let long = try Self.longEnd(before: position, in: source) {
      (end, count, size, offset) = long
      // Each field of the short record must have an equal value, or the marker of ZIP64.
      let agrees =
        (short.0 == count || short.0 == 0xFFFF)
        && (short.1 == size || short.1 == 0xFFFF_FFFF)
        && (short.2 == offset || short.2 == 0xFFFF_FFFF)
      guard agrees else {
        throw Diagnostic(
          .zipDisagreement, at: .offset(position), "the end record and the ZIP64 end record")
      }
    }
    guard !isSplit else {
      throw Self.split(at: position)
    }
    guard offset <= end, size == end - offset else {
      throw Diagnostic(
        .zip, at: .offset(position), "the central directory",
        expected: "an end at \(end)", found: "\(size) bytes at \(offset)")
    }
    // Each entry has at least this size, which bounds the count before memory is allocated.
    guard count <= size / ZIP.centralLength else {
      throw Diagnostic(.zip, at: .offset(position), "\(count) entries in \(size) bytes")
    }
  }

  private static func split(at position: Int) -> Diagnostic {
    Diagnostic(
      .zipUnsupported, at: .offset(position), "a part of a split archive",
      hint: "join the parts first: zip -s 0 PART.zip --out WHOLE.zip")
  }

  /// Returns the end record and its position. The search is backwards, because a comment may follow.
  private static func findEnd(_ source: ByteSource) throws(Failure) -> (
    Int, [UInt8]
  ) {
    let length = min(source.size, ZIP.endLength + 0xFFFF + paddingLimit)
    let start = source.size - length
    let tail = try source.bytes(at: start, count: length)
    let padding = tail.count - ((tail.lastIndex { $0 != 0 } ?? -1) + 1)
    let found = stride(from: length - ZIP.endLength, through: 0, by: -1).filter { index in
      guard tail[index] == 0x50, tail[index..<index + 4].elementsEqual(ZIPSignature.end) else {
        return false
      }
      let comment = Int(tail[index + 20]) | Int(tail[index + 21]) << 8
      let end = index + ZIP.endLength + comment
      return end <= length && length - end <= min(padding, paddingLimit)
    }
    guard let index = found.first else {
      throw Diagnostic(
        .zip, at: .offset(source.size), "the end record is missing",
        hint: "the archive is truncated; fetch it again")
    }
    guard found.count == 1 else {
      throw Diagnostic(.zipDisagreement, at: .offset(start + index), "there are two end records")
    }
    return (start + index, Array(tail[index...]))
  }

  /// Returns the ZIP64 end record and its position, or nil.
  private static func longEnd(
    before end: Int, in source: ByteSource
  ) throws(Failure) -> (position: Int, count: Int, size: Int, offset: Int)? {
    let position = end - ZIP.locatorLength
    guard position >= ZIP.longEndLength else { return nil }
    let bytes = try source.bytes(at: position, count: ZIP.locatorLength)
    guard bytes.starts(with: ZIPSignature.locator) else { return nil }
    var locator = ByteReader(bytes, base: position, rule: .zip)
    _ = try locator.read(8)
    let start = try locator.size()
    guard start <= position - ZIP.longEndLength else {
      throw locator.failure("the ZIP64 end record", expected: "a position before this one")
    }
    var reader = ByteReader(
      try source.bytes(at: start, count: ZIP.longEndLength), base: start, rule: .zip)
    guard try reader.read(4).elementsEqual(ZIPSignature.longEnd),
      try reader.size() == position - start - 12
    else { throw reader.failure("the ZIP64 end record is missing") }
    _ = try reader.read(4)
    let disks = try reader.read(8)
    let (countHere, count) = (try reader.size(), try reader.size())
    guard disks.allSatisfy({ $0 == 0 }), countHere == count else {
      throw split(at: start)
    }
    return (start, count, try reader.size(), try reader.size())
  }
}

/// Decompresses the contents of entries on demand. It keeps the state and the last pieces of a few
/// entries, so that sequential reads, also by several threads, need one pass and little memory.
/// Reading further back restarts the decompression. The checksum is verified at the end.
///
/// Unpacks entries. Thread-safe: calls are serialised.
final class ZIPUnpacker: Sendable {
  /// The maximum number of open entries.
  private static let openLimit = 4

  private let source: ByteSource
  private let turn = Lock(())
  // Protected by `turn`. The most recently used entry is the last.
  nonisolated(unsafe) private var open: [Progress] = []

  init(_ source: ByteSource) { self.source = source }

  /// Fills a buffer with the contents at `offset`. The range must be inside the contents.
  func read(
    _ entry: ZIPEntry, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Failure) {
    try turn.withLock { _ in
      try locating(Location(file: source.name, entry: entry.path)) {
        var done = 0
        while done < buffer.count {
          let (index, start) = (offset + done).quotientAndRemainder(dividingBy: Progress.pieceSize)
          let piece = try piece(index, of: entry)[start...].prefix(buffer.count - done)
          UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyBytes(from: piece)
          done += piece.count
        }
      }
    }
  }

  private func piece(_ index: Int, of entry: ZIPEntry) throws(Failure) -> [UInt8] {
    let known = open.firstIndex { $0.entry.contents == entry.contents }.map { open.remove(at: $0) }
    let progress =
      known.flatMap { $0.canReach(index) ? $0 : nil } ?? Progress(entry, source)
    let piece = try progress.piece(index)
    // Kept only without an error, so that a damaged entry fails at every read.
    if open.count == Self.openLimit { open.removeFirst() }
    open.append(progress)
    return piece
  }

  /// Verifies an entry without contents.
  func check(_ entry: ZIPEntry) throws(Failure) {
    try locating(Location(file: source.name, entry: entry.path)) {
      try Progress(entry, source).finish()
    }
  }

  /// The state of the decompression of an entry.
  private final class Progress {
    static let pieceSize = 512 << 10
    /// The maximum distance of threads, in pieces.
    private static let keptLimit = 32

    let entry: ZIPEntry
    private var position = 0
    private var next = 0
    private var kept: [Int: [UInt8]] = [:]
    private let source: ByteSource
    private let stream: InflateStream?
    private var checksum: UInt32 = 0

    init(_ entry: ZIPEntry, _ source: ByteSource) {
      self.entry = entry
      self.source = source
      var taken = 0
      stream =
        entry.method == ZIP.stored
        ? nil
        : InflateStream(.deflate, rule: .zip) { buffer in
          let count = min(buffer.count, entry.packedSize - taken)
          try source.read(
            at: entry.contents + taken,
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
          taken += count
          return count
        }
    }

    func canReach(_ index: Int) -> Bool { index >= next || kept[index] != nil }

    /// Returns a piece for which ``canReach(_:)`` is true. All but the last have the full size.
    func piece(_ index: Int) throws(Failure) -> [UInt8] {
      if let piece = kept[index] { return piece }
      while true {
        let piece = try [UInt8](
          unsafeUninitializedCapacity: min(Self.pieceSize, entry.size - position)
        ) { buffer, count in
          count = min(Self.pieceSize, entry.size - position)
          try read(
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
          )
        }
        if position == entry.size { try finish() }
        kept[next] = piece
        kept[next - Self.keptLimit] = nil
        next += 1
        if next > index { return piece }
      }
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) throws(Failure) {
      if let stream {
        let count = try stream.read(into: buffer)
        guard count == buffer.count else { throw wrongSize(found: "\(position + count)") }
      } else {
        try source.read(at: entry.contents + position, into: buffer)
      }
      checksum = CRC32.checksum(UnsafeRawBufferPointer(buffer), seed: checksum)
      position += buffer.count
    }

    /// Verifies that the stream ends here, and the checksum.
    func finish() throws(Failure) {
      if let stream {
        var extra: UInt8 = 0
        let count = try withUnsafeMutableBytes(of: &extra) { try stream.read(into: $0) }
        guard count == 0 else { throw wrongSize(found: "more") }
        guard stream.consumed == entry.packedSize else {
          throw Diagnostic(
            .zipContents, "packed bytes", expected: "\(entry.packedSize)",
            found: "\(stream.consumed)")
        }
      }
      guard checksum == entry.checksum else {
        throw Diagnostic(
          .zipContents, "CRC-32", expected: entry.checksum.hex, found: checksum.hex)
      }
    }

    private func wrongSize(found: String) -> Diagnostic {
      Diagnostic(.zipContents, "bytes", expected: "\(entry.size)", found: found)
    }
  }
}
