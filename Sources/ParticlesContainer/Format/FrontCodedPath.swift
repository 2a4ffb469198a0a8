internal import ParticlesCore

/// Decodes front-coded paths: each is given as the bytes shared with the path before and the rest.
///
/// All are built in one buffer of ``EntryPath/pathLimit`` bytes.
struct FrontCodedPath: ~Copyable {
  private let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: EntryPath.pathLimit)
  private var count = 0

  /// The offset of the last name of the path.
  private(set) var nameStart = 0

  /// How many bytes the path has in common with the one before.
  private(set) var shared = 0

  /// Whether the path is greater than the one before.
  private(set) var ascends = true

  deinit { memory.deallocate() }

  /// The bytes of the path, valid until the next one is read.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: memory, count: count) }

  /// The path as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Reads and checks the next path. After an error, the value must not be used.
  /// - Parameter isFirst: whether it is the first of a page or root, which is given in full.
  mutating func readNext(
    from reader: inout IndexReader, isFirst: Bool, limits: Limits
  ) throws {
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
  /// - Parameter readable: how many bytes of memory may be read; false if they are too few to tell.
  @inline(__always)
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>, readable: Int) -> Bool {
    guard let start = UnsafeRawPointer(bytes.baseAddress) else { return true }
    var index = 0
    while index < bytes.count {
      guard index + 8 <= readable else { return false }
      var word = EightBytes(start + index)
      if bytes.count - index < 8 { word.keep(bytes.count - index) }
      if word.hasSpecial { return false }
      index += 8
    }
    return true
  }
}

extension ByteWriter {
  /// Writes how many bytes the path shares with the one before, and the rest.
  /// - Parameter isFirst: whether it is the first of a page or root, which is given in full.
  mutating func frontCoded(_ path: borrowing SuccessivePath, isFirst: Bool) {
    let shared = isFirst ? 0 : path.shared
    varint(shared)
    varint(path.bytes.count - shared)
    write(path.bytes[shared...])
  }
}

/// Builds each path of the index from the one before: the counterpart of ``FrontCodedPath``.
struct SuccessivePath {
  private(set) var bytes: [UInt8] = []

  /// How many bytes the path has in common with the one before.
  private(set) var shared = 0

  /// The path as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Replaces the path by the next.
  /// - Parameters:
  ///   - start: the offset of `rest`. The bytes before it are kept; if the previous path ends there,
  ///     a slash is inserted.
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
