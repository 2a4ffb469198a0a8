internal import ParticlesContainer
internal import ParticlesCore

/// The small contents of a document in one file, to which new ones are appended. So hundreds of states of an
/// effect are a few files.
///
/// Records follow each other: a header, and the contents as a zlib stream, or as they are if that is not
/// shorter. A header is written after its contents, so that an interrupted write leaves bytes that are no
/// record; they are passed over. Of several records of the same contents, the last one counts.
final class ObjectPack: Sendable {
  private enum Layout {
    /// A byte that is not part of UTF-8 texts, and `obj`.
    static let signature: [UInt8] = [0x89, 0x6F, 0x62, 0x6A]
    /// Signature, stored size, size, digest, and the checksum of these.
    static let (sizes, digest, checksum, header) = (4, 12, 44, 48)
    static let window = 64 << 10
  }

  /// The greatest size of contents that are tried, and of what is stored of them, in bytes. Larger ones are
  /// shared with other documents as files.
  static let (largestContents, largestStored) = (256 << 10, 32 << 10)

  /// The same for lists of files, which no other document has.
  static let largestList = 1 << 20

  private struct Record {
    /// The place of the stored bytes.
    var offset: Int
    var stored: Int
    var size: Int
    var end: Int { offset + stored }
  }

  private struct State {
    var identity: FileIdentity?
    /// The end of the last record, and the size of the file, when it was read.
    var (end, size) = (0, 0)
    /// Where a record begins, behind all others, that is longer than the file.
    var torn: Int?
    var records: [ObjectKey: Record] = [:]
    /// The file that was read last to keep contents of it.
    var kept: OpenFile?
  }

  let path: String
  private let state = Lock(State())

  init(_ path: String) { self.path = path }

  // MARK: Reading

  /// Whether there is a record of contents.
  func contains(_ digest: String) throws -> Bool {
    guard let key = ObjectKey(digest) else { return false }
    return try record(key) != nil
  }

  /// Returns contents; nil if there is no record of them.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if they are damaged.
  func bytes(_ digest: String) throws -> [UInt8]? { try contents(digest)?.bytes() }

  /// Returns contents that are read on access, also after the file was renamed, written again without them,
  /// or removed; nil if there is no record of them. Damaged contents throw ``ParticlesCore/Rule/fileVersion``
  /// on access.
  func contents(_ digest: String) throws -> FileContents? {
    guard let key = ObjectKey(digest), let (record, file) = try kept(key) else { return nil }
    return FileContents(
      size: record.size,
      whole: { [self] in
        try bytes(of: record, digest, in: file)
      })
  }

  /// The record of contents, and the file in which it is.
  private func kept(_ key: ObjectKey) throws -> (Record, OpenFile)? {
    // Another program may write the file again between a look at its records and its opening.
    while let record = try record(key) {
      let identity = state.withLock(\.identity)
      if let file = state.withLock(\.kept), file.identity == identity { return (record, file) }
      let file = try OpenFile(readingRegular: path)
      guard file.identity == identity else { continue }
      file.makeParkable()
      state.withLock { $0.kept = file }
      return (record, file)
    }
    return nil
  }

  private func bytes(of record: Record, _ digest: String, in file: OpenFile) throws -> [UInt8] {
    let stored = try [UInt8](unsafeUninitializedCapacity: record.stored) { buffer, count in
      try file.read(at: record.offset, into: UnsafeMutableRawBufferPointer(buffer))
      count = record.stored
    }
    var bytes = stored
    var isSound = true
    if record.stored != record.size {
      bytes = [UInt8](unsafeUninitializedCapacity: record.size) { buffer, count in
        isSound = stored.withUnsafeBytes {
          Inflate.zlib($0, into: UnsafeMutableRawBufferPointer(buffer))
        }
        count = isSound ? record.size : 0
      }
    }
    guard isSound, SHA256.digest(bytes).description == digest else {
      throw Diagnostic(
        .fileVersion, at: Location(file: path, position: .offset(record.offset)),
        "its contents are damaged")
    }
    return bytes
  }

  /// The digests of all contents, and the room that each needs, in bytes.
  func all() throws -> [(digest: String, size: Int)] {
    try state.withLock { state in
      try refresh(&state)
      return state.records.map { ($0.key.description, $0.value.stored + Layout.header) }
    }
  }

  private func record(_ key: ObjectKey) throws -> Record? {
    try state.withLock { state in
      if let record = state.records[key], try isCurrent(state) { return record }
      try refresh(&state)
      return state.records[key]
    }
  }

  /// Whether the file is the one that was read; it may have become longer.
  private func isCurrent(_ state: State) throws -> Bool {
    guard let status = try Files.status(path) else { return false }
    return status.state.identity == state.identity && status.size >= state.size
  }

  /// Reads the records that other programs have appended, or all of them if the file is another one.
  private func refresh(_ state: inout State) throws {
    guard let size = try Files.regularSize(path) else {
      state = State()
      return
    }
    if size == state.size, try isCurrent(state) { return }
    let file = try OpenFile(readingRegular: path)
    let status = try file.status()
    if status.state.identity != state.identity || status.size < state.size { state = State() }
    (state.identity, state.size) = (status.state.identity, status.size)
    try Self.scan(file, &state)
  }

  /// Reads the records from the end of the last one.
  private static func scan(_ file: OpenFile, _ state: inout State) throws {
    let size = state.size
    var position = state.end
    state.torn = nil
    var (window, windowStart) = ([UInt8](), position)
    while position + Layout.header <= size {
      if position + Layout.header > windowStart + window.count {
        windowStart = position
        window = try [UInt8](unsafeUninitializedCapacity: min(Layout.window, size - position)) {
          try file.read(at: position, into: UnsafeMutableRawBufferPointer($0))
          $1 = $0.count
        }
      }
      let index = position - windowStart
      if let (key, record) = record(in: window, at: index, position) {
        if record.end <= size {
          state.records[key] = record
          (position, state.end, state.torn) = (record.end, record.end, nil)
          continue
        }
        state.torn = state.torn ?? position
      }
      // An interrupted write, or damage: what follows is looked for.
      let next = window[(index + 1)...].firstIndex(of: Layout.signature[0]) ?? window.count
      position = windowStart + next
    }
  }

  private static func record(
    in window: [UInt8], at index: Int, _ position: Int
  ) -> (ObjectKey, Record)? {
    let header = window[index..<index + Layout.header]
    guard header.starts(with: Layout.signature) else { return nil }
    return header.withUnsafeBytes { header in
      func number(_ offset: Int) -> Int {
        Int(UInt32(littleEndian: header.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      }
      let record = Record(
        offset: position + Layout.header, stored: number(Layout.sizes),
        size: number(Layout.sizes + 4))
      let checked = UnsafeRawBufferPointer(rebasing: header[..<Layout.checksum])
      guard number(Layout.checksum) == Int(CRC32.checksum(checked)),
        record.stored <= record.size, record.size <= max(largestContents, largestList)
      else { return nil }
      return (ObjectKey(header, at: Layout.digest), record)
    }
  }

  // MARK: Writing, while the list of versions is locked

  /// Returns what is stored of contents; nil if it is more than `limit` bytes.
  static func packed(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    // A stream of the same length would be taken for the contents.
    let stream = bytes.withUnsafeBytes {
      Deflate(level: 6).zlib($0, limit: min(limit, bytes.count - 1))
    }
    return stream ?? (bytes.count <= limit ? bytes : nil)
  }

  /// Appends contents.
  /// - Parameters:
  ///   - stored: the result of ``packed(_:limit:)``.
  ///   - size: the size of the contents.
  ///   - digest: their digest.
  func append(
    _ stored: [UInt8], size: Int, _ digest: ContentDigest, durably isDurable: Bool
  ) throws {
    var header = ByteWriter()
    header.write(Layout.signature)
    header.u32(UInt32(stored.count))
    header.u32(UInt32(size))
    header.write(digest.bytes)
    header.u32(CRC32.checksum(header.bytes))
    let file: OpenFile
    do {
      file = try OpenFile(updatingRegular: path)
    } catch Rule.fileNotFound {
      file = try OpenFile(creating: path, mode: 0o600)
    }
    try state.withLock { try refresh(&$0) }
    var start = try file.status().size
    if let torn = state.withLock(\.torn) {
      // A power failure has cut it off. With what follows, it would be taken for a record.
      start = torn
      try file.truncate(to: start)
    }
    do {
      try stored.withUnsafeBytes { try file.write($0, at: start + Layout.header) }
      try header.bytes.withUnsafeBytes { try file.write($0, at: start) }
      if isDurable { try file.synchronize() }
    } catch {
      try? file.truncate(to: start)
      throw error
    }
    let identity = try file.status().state.identity
    let record = Record(offset: start + Layout.header, stored: stored.count, size: size)
    state.withLock { state in
      // Otherwise other records may be in front of it, which are read first.
      guard state.size == start || state.torn == start, state.identity == identity || start == 0
      else { return }
      (state.identity, state.size, state.end) = (identity, record.end, record.end)
      state.torn = nil
      state.records[digest.bytes.withUnsafeBytes { ObjectKey($0, at: 0) }] = record
    }
  }

  /// Removes contents. The file is written again if more than half of it is not needed.
  func keep(only needed: Set<String>) throws {
    let (records, size) = try state.withLock { state in
      try refresh(&state)
      return (state.records.filter { needed.contains($0.key.description) }, state.size)
    }
    if size == 0 { return }
    if records.isEmpty { return try Files.removeAll(path) }
    let room = records.values.reduce(0) { $0 + $1.stored + Layout.header }
    guard size > 2 * room else { return }
    let old = try OpenFile(readingRegular: path)
    let temporary = Files.temporaryName(beside: path)
    let new = try OpenFile(creating: temporary, mode: 0o600)
    do {
      var end = 0
      for record in records.values.sorted(by: { $0.offset < $1.offset }) {
        let start = record.offset - Layout.header
        try new.write(start..<record.end, of: old, at: end)
        end += record.end - start
      }
      // The old file was on the disk, perhaps.
      try new.synchronize()
      try Files.rename(temporary, path)
    } catch {
      try? Files.removeAll(temporary)
      throw error
    }
  }
}

/// A digest as a key, without memory of its own.
private struct ObjectKey: Hashable, CustomStringConvertible {
  private var words: SIMD4<UInt64>

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    words = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
  }

  /// Nil for anything but 64 hexadecimal digits, in any case.
  init?(_ digest: String) {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digest.utf8 {
      guard let value = digit.hexDigitValue else { return nil }
      if let first = high { bytes.append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    guard bytes.count == ContentDigest.size, high == nil else { return nil }
    self = bytes.withUnsafeBytes { ObjectKey($0, at: 0) }
  }

  /// 64 lower-case hexadecimal digits.
  var description: String { withUnsafeBytes(of: words) { $0.hexDigits } }
}
