package import ParticlesCore

/// A page of the tree: entries in order, with front-coded paths.
package struct TreePage: Sendable {
  package var firstPath: String
  /// The number of entries on the page.
  package var entries: Int
  /// The payload of the frame.
  package var bytes: [UInt8]
}

extension TreePage {
  /// Encodes entries as one page of any size.
  package static func encode(_ entries: some Sequence<Entry>) -> [UInt8] {
    var writer = TreePageWriter(pageEntries: .max, pageBytes: .max)
    for entry in entries { writer.append(entry) }
    return writer.finish().first?.bytes ?? []
  }

  /// Encodes entries as pages of canonical size.
  static func pages(of entries: some Sequence<Entry>) -> [TreePage] {
    var writer = TreePageWriter()
    for entry in entries { writer.append(entry) }
    return writer.finish()
  }

  /// Decodes one page and checks names, order and links.
  /// - Parameter offset: the position of the page in the file, for messages.
  package static func decode(
    _ payload: some Collection<UInt8>, at offset: Int, limits: Limits
  ) throws(Failure) -> [Entry] {
    var reader = TreePageReader(limits: limits)
    var entries: [Entry] = []
    try reader.forEachEntry(of: payload, at: offset) { entries.append($0.entry) }
    return entries
  }
}

/// Decodes successive pages of the tree. Checks names, links and order, also from page to page.
package struct TreePageReader: ~Copyable {
  private let limits: Limits
  private var entry = RawEntry()
  private var bytes = 0
  private var pathBytes = 0

  package init(limits: Limits) { self.limits = limits }

  /// Reads the next page and checks it against the root.
  mutating func forEachEntry(
    of payload: some Collection<UInt8>, _ page: Root.Page,
    _ body: (borrowing RawEntry) throws(Failure) -> Void
  ) throws(Failure) {
    func mismatch(_ found: String) -> Diagnostic {
      Diagnostic(
        .index, at: .offset(page.frame.position), "not the tree page that the root refers to",
        expected: "\(page.entries) entries from '\(page.firstPath)' on", found: found)
    }
    var count = 0
    try forEachEntry(of: payload, at: page.frame.position) { entry throws(Failure) in
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
    of payload: some Collection<UInt8>, at offset: Int,
    _ body: (borrowing RawEntry) throws(Failure) -> Void
  ) throws(Failure) {
    try locating(.offset(offset)) { () throws(Failure) in
      bytes += payload.count
      try limits.check(bytes, { $0.indexBytes }, "bytes of the index")
      try IndexReader.reading(payload, at: offset) { reader throws(Failure) in
        entry.beginPage()
        while !reader.isAtEnd {
          try entry.readNext(from: &reader, limits: limits)
          // Front coding can express a path of kilobytes in three bytes.
          pathBytes += entry.path.count
          try limits.check(pathBytes, { $0.indexBytes }, "bytes of all paths")
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

  /// How many first bytes the path shares with the path of the entry before, also across pages.
  package var shared: Int { pathBytes.shared }

  package var pathText: String { pathBytes.text }

  /// The last name of the path as text.
  var name: String {
    String(decoding: UnsafeBufferPointer(rebasing: path[nameStart...]), as: UTF8.self)
  }

  package var kind: Entry.Kind {
    switch code {
    case 0: .directory
    case 1: .file(isExecutable: false)
    case 2: .file(isExecutable: true)
    default: .symbolicLink(destination)
    }
  }

  package var entry: Entry { Entry(path: pathText, kind: kind, size: size, offset: offset) }

  fileprivate mutating func beginPage() {
    isFirst = true
    end = 0
  }

  fileprivate mutating func readNext(from reader: inout IndexReader, limits: Limits) throws(Failure)
  {
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

  private mutating func readExtent(from reader: inout IndexReader, limits: Limits) throws(Failure) {
    size = try reader.varint()
    guard size <= limits.entryBytes else {
      return try limits.check(size, { $0.entryBytes }, "bytes of an entry", at: .entry(pathText))
    }
    guard size > 0 else { return }
    let (start, overflow) = end.addingReportingOverflow(try reader.signedVarint())
    guard !overflow, start >= 0, start <= Int.max - size else {
      throw Diagnostic(.extent, at: .entry(pathText), "the contents are not in the stream")
    }
    offset = start
    end = start + size
  }

  private mutating func readDestination(from reader: inout IndexReader) throws(Failure) {
    let bytes = try reader.read(try reader.varint())
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Diagnostic(.link, at: .entry(pathText), expected: "a target in UTF-8")
    }
    try EntryPath.check(link: text, from: pathText)
    destination = text
  }
}

/// Distributes entries in canonical order over pages: a new page begins when the current one has
/// `pageEntries` entries or `pageBytes` bytes.
struct TreePageWriter {
  private let pageEntries: Int
  private let pageBytes: Int
  private var pages: [TreePage] = []

  private var writer = ByteWriter()
  private var firstPath = ""
  private var count = 0
  /// The length of all paths and link targets on the page in bytes.
  private var bytes = 0
  /// The end of the contents of the last non-empty file before on the page.
  private var end = 0
  private var path = SuccessivePath()

  init(pageEntries: Int = Layout.pageEntries, pageBytes: Int = Layout.pageBytes) {
    self.pageEntries = pageEntries
    self.pageBytes = pageBytes
  }

  mutating func append(_ entry: Entry) {
    path.replace(from: 0, with: entry.path)
    append(path, entry.kind, size: entry.size, offset: entry.offset)
  }

  /// Appends an entry of another page.
  mutating func append(_ entry: borrowing RawEntry) {
    path.replace(from: 0, with: entry.path)
    append(path, entry.kind, size: entry.size, offset: entry.offset)
  }

  /// Appends an entry whose path was built from the previous path.
  mutating func append(_ path: borrowing SuccessivePath, _ kind: Entry.Kind, size: Int, offset: Int)
  {
    if count >= pageEntries || bytes >= pageBytes { closePage() }
    if count == 0 { firstPath = path.text }
    writer.frontCoded(path, isFirst: count == 0)
    writer.byte(kind.code)
    count += 1
    bytes += path.bytes.count
    switch kind {
    case .directory: break
    case .file:
      writer.varint(size)
      if size > 0 {
        writer.signedVarint(offset - end)
        end = offset + size
      }
    case .symbolicLink(let destination):
      writer.varint(destination.utf8.count)
      writer.write(destination.utf8)
      bytes += destination.utf8.count
    }
  }

  /// Closes the last page and returns all pages.
  mutating func finish() -> [TreePage] {
    if count > 0 { closePage() }
    return pages
  }

  private mutating func closePage() {
    pages.append(TreePage(firstPath: firstPath, entries: count, bytes: writer.bytes))
    writer = ByteWriter()
    (count, bytes, end) = (0, 0, 0)
  }
}

/// Decodes front-coded paths: each is given as the bytes shared with the path before and the rest.
///
/// All are built in one buffer of ``EntryPath/pathLimit`` bytes.
struct FrontCodedPath: ~Copyable {
  private let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: EntryPath.pathLimit)
  private var count = 0

  /// The offset of the last name of the path.
  private(set) var nameStart = 0

  /// How many first bytes the path shares with the previous path.
  private(set) var shared = 0

  /// Whether the path is greater than the previous path.
  private(set) var ascends = true

  deinit { memory.deallocate() }

  /// The bytes of the path, valid until the next one is read.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: memory, count: count) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Reads and checks the next path. After an error, the value must not be used.
  /// - Parameter isFirst: whether it is the first of a page or root, stored in full.
  mutating func readNext(
    from reader: inout IndexReader, isFirst: Bool, limits: Limits
  ) throws(Failure) {
    var kept = try reader.varint()
    let most = isFirst ? 0 : count
    guard kept <= most else {
      throw reader.failure(
        "bytes shared with the path before", expected: "at most \(most)", found: "\(kept)")
    }
    let rest = try reader.read(try reader.varint())
    guard rest.count <= EntryPath.pathLimit - kept else {
      throw EntryPath.tooLong(Array(bytes[..<kept]) + rest)
    }
    // `shared` need not be maximal.
    var next = 0
    while kept < count, next < rest.count, memory[kept] == rest[next] {
      kept += 1
      next += 1
    }
    ascends =
      next < rest.count
      && (kept == count || EntryPath.rank(memory[kept]) < EntryPath.rank(rest[next]))
    shared = kept
    var isPlain = shared == 0 || memory[shared - 1] < 0x80
    if next < rest.count, let start = rest.baseAddress {
      let new = UnsafeBufferPointer(start: start + next, count: rest.count - next)
      isPlain = isPlain && Self.isPlain(new, readable: new.count + reader.remaining)
      (memory + kept).update(from: start + next, count: new.count)
    }
    count = kept + rest.count - next
    // The last name that begins in the shared bytes may continue differently.
    nameStart = min(nameStart, shared)
    while nameStart > 0, memory[nameStart - 1] != EntryPath.slash { nameStart -= 1 }
    let nameCount = count - nameStart
    isPlain = isPlain && nameCount > 2 && nameCount <= EntryPath.nameLimit
    if !isPlain || count >= 2 * limits.depth {
      nameStart = try EntryPath.check(bytes, from: shared, nameStart: nameStart, limits: limits)
    }
  }

  /// Whether all bytes are valid anywhere in a name, which holds for nearly all paths: then only the
  /// length of the name remains to be checked.
  /// - Parameter readable: how many bytes of memory may be read. The result is false if there are too few to tell.
  @inline(__always)
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>, readable: Int) -> Bool {
    guard let start = UnsafeRawPointer(bytes.baseAddress) else { return true }
    var index = 0
    while index < bytes.count {
      guard index + 8 <= readable else { return false }
      var word = PackedText(start + index)
      if bytes.count - index < 8 { word.keep(bytes.count - index) }
      if word.hasSpecial { return false }
      index += 8
    }
    return true
  }
}

extension ByteWriter {
  /// Writes how many first bytes the path shares with the previous path, and the rest.
  /// - Parameter isFirst: whether it is the first of a page or root, stored in full.
  mutating func frontCoded(_ path: borrowing SuccessivePath, isFirst: Bool) {
    let shared = isFirst ? 0 : path.shared
    varint(shared)
    varint(path.bytes.count - shared)
    write(path.bytes[shared...])
  }
}

/// Builds each path of the index from the previous path: the counterpart of ``FrontCodedPath``.
struct SuccessivePath {
  private(set) var bytes: [UInt8] = []

  /// How many first bytes the path shares with the previous path.
  private(set) var shared = 0

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Replaces the path by the next.
  /// - Parameters:
  ///   - start: the offset of `rest`. The bytes before it are kept. If the previous path ends there, a slash is
  ///     inserted.
  ///   - rest: a path, or a name in the directory that the previous path is or is in.
  mutating func replace(from start: Int, with rest: String) {
    var rest = rest
    rest.withUTF8 { replace(from: start, with: $0) }
  }

  /// Replaces the path by the next, as above.
  mutating func replace(from start: Int, with rest: UnsafeBufferPointer<UInt8>) {
    shared = min(start, bytes.count)
    if shared < start { bytes.append(EntryPath.slash) }
    let most = min(bytes.count - start, rest.count)
    var same = 0
    while same < most, bytes[start + same] == rest[same] { same += 1 }
    shared += same
    bytes.removeLast(bytes.count - start - same)
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: rest[same...]))
  }
}

/// A bounds-checked cursor over the payload of a frame of the index.
///
/// The payload is borrowed, so reading an entry neither copies nor retains. Faults are located at the
/// frame, because an offset in an unpacked payload is not one in the file.
package struct IndexReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let frame: Int
  private var position = 0

  /// Creates a reader at the beginning of a payload.
  /// - Parameters:
  ///   - bytes: the payload. It has to outlive the reader.
  ///   - frame: the position of the frame in the file.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, at frame: Int) {
    self.bytes = bytes
    self.frame = frame
  }

  /// Calls `body` with a reader at the beginning of a payload.
  package static func reading<Result>(
    _ payload: some Collection<UInt8>, at frame: Int,
    _ body: (inout IndexReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // A closure that is passed here cannot throw errors of a type.
    let result = payload.withContiguousStorageIfAvailable { bytes in
      var reader = IndexReader(bytes, at: frame)
      return Swift.Result { () throws(Failure) in try body(&reader) }
    }
    guard let result else { return try reading(Array(payload), at: frame, body) }
    return try result.get()
  }

  /// The number of bytes that were not read yet.
  package var remaining: Int { bytes.count - position }

  package var isAtEnd: Bool { position == bytes.count }

  /// Returns a fault in this payload.
  package func failure(
    _ detail: String, expected: String? = nil, found: String? = nil
  ) -> Diagnostic {
    Diagnostic(.index, at: .offset(frame), detail, expected: expected, found: found)
  }

  @inline(__always)
  package mutating func byte() throws(Failure) -> UInt8 { try read(1)[0] }

  /// Reads the next bytes, valid as long as the payload.
  @inline(__always)
  package mutating func read(_ count: Int) throws(Failure) -> UnsafeBufferPointer<
    UInt8
  > {
    guard count >= 0, count <= remaining else {
      throw shortage(count)
    }
    defer { position += count }
    return UnsafeBufferPointer(rebasing: bytes[position..<position + count])
  }

  @inline(never)
  private func shortage(_ count: Int) -> Diagnostic {
    failure("too few bytes", expected: "\(count)", found: "\(remaining)")
  }

  /// Reads a base-128 integer: seven bits a byte, lowest first, the high bit set on all but the last.
  ///
  /// Only the shortest form of a number is accepted, and only numbers below 2^63.
  @inline(__always)
  package mutating func varint() throws(Failure) -> Int {
    // Nearly all have up to three bytes: read without a loop.
    guard remaining >= 3 else { return try longVarint() }
    let first = Int(bytes[position])
    if first < 0x80 {
      position += 1
      return first
    }
    let second = Int(bytes[position + 1])
    if second < 0x80, second > 0 {
      position += 2
      return first & 0x7F | second << 7
    }
    let third = Int(bytes[position + 2])
    guard second >= 0x80, third < 0x80, third > 0 else { return try longVarint() }
    position += 3
    return first & 0x7F | (second & 0x7F) << 7 | third << 14
  }

  private mutating func longVarint() throws(Failure) -> Int {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      let next = try byte()
      value |= UInt64(next & 0x7F) << UInt64(shift)
      if next < 0x80 {
        guard next > 0 || shift == 0, let number = Int(exactly: value) else { break }
        return number
      }
    }
    throw failure("an integer is longer than 9 bytes or not in its shortest form")
  }

  /// Reads a signed base-128 integer: 0, −1, 1, −2, … are stored as 0, 1, 2, 3, …
  @inline(__always)
  package mutating func signedVarint() throws(Failure) -> Int {
    let value = try varint()
    return value >> 1 ^ -(value & 1)
  }
}
