internal import ParticlesPlatform

/// Files without a descriptor: a process may have few of those, and many documents open.
///
/// A parked file is kept by a mapping, as it is by a descriptor: it exists and can be read, after it was
/// deleted or replaced, too. Nothing reads through the mapping directly, because that would end the process
/// after another one has made the file shorter.
extension OpenFile {
  /// Whether the file is kept without a descriptor.
  package var isParked: Bool { descriptor < 0 }

  /// Whether the first `size` bytes can be read, even if the file loses its name.
  package func isKept(to size: Int) -> Bool { hold.withLock(\.pin)?.covers(size) ?? true }

  /// Lets the file give up its descriptor when others need theirs. It must only be read from now on, and
  /// not be locked. Does nothing where the system cannot keep files otherwise.
  package func makeParkable() {
    hold.withLock { $0.isParkable = true }
    AwakeFiles.add(self)
  }

  /// Gives up the descriptor, if the file is parkable and is not being read.
  package func park() {
    hold.withLock { hold in
      guard hold.isParkable, hold.descriptor >= 0, hold.users == 0 else { return }
      guard let pin = FilePin(hold.descriptor) else {
        hold.isParkable = false
        return
      }
      close(hold.descriptor)
      (hold.descriptor, hold.pin) = (-1, pin)
    }
  }

  /// The identity of the file.
  package var identity: FileIdentity? {
    hold.withLock(\.pin)?.identity ?? (try? status().state.identity)
  }

  /// Opens a parked file for the time of a call.
  func whileReopened<Result>(_ body: (CInt) throws -> Result) throws -> Result {
    guard let pin = hold.withLock(\.pin) else { throw Diagnostic(.fileClosed) }
    for place in [path, pin.path] {
      guard let place, let file = try? OpenFile(readingAtOnce: place),
        try file.status().state.identity == pin.identity
      else { continue }
      return try file.withDescriptor(body)
    }
    throw Diagnostic(.fileChanged, at: Location(file: path), "it was replaced or deleted")
  }

  /// The path that the open file has now, after renames; nil if it was deleted, or if the system does not
  /// tell.
  package var currentPath: String? {
    guard let identity, let path = linkedPath, (try? Files.status(path))?.state.identity == identity
    else { return nil }
    return path
  }

  private var linkedPath: String? {
    if let pin = hold.withLock(\.pin) { return pin.path }
    return try? withDescriptor { descriptor -> String? in
      #if canImport(Darwin)
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard fcntl(descriptor, F_GETPATH, &buffer) == 0 else { return nil }
        let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return String(decoding: bytes, as: UTF8.self)
      #else
        return try? Files.destination(ofLink: "/proc/self/fd/\(descriptor)")
      #endif
    }
  }

  /// Opens a file or folder to follow it through renames. It is not read.
  package static func following(_ path: String) throws -> OpenFile {
    #if canImport(Darwin)
      let flags = O_EVTONLY | O_CLOEXEC
    #else
      let flags = CInt(O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    #endif
    let descriptor = try SystemError.open(path, writing: false) {
      Places.target(path) { open($0, flags | $1) }
    }
    let file = OpenFile(path: path, descriptor: descriptor)
    if try file.status().kind == .file { file.makeParkable() }
    return file
  }
}

/// A mapping that keeps a file.
final class FilePin: Sendable {
  private nonisolated(unsafe) let start: UnsafeMutableRawPointer
  private let size: Int
  let identity: FileIdentity

  /// How many bytes behind the end are mapped, too, because files grow when something is appended.
  private static let slack = 64 << 20

  /// - Returns: nil if the system cannot keep, read and follow the file in this way.
  init?(_ descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    let found = FileStatus(status)
    guard found.kind == .file else { return nil }
    identity = found.state.identity
    let page = 1 << 16
    let whole = (found.size + page) / page * page
    var mapped: (UnsafeMutableRawPointer, Int)?
    for size in [whole + Self.slack, whole] where mapped == nil {
      mapped = SystemCalls.pin(descriptor, size).map { ($0, size) }
    }
    guard let mapped else { return nil }
    (start, size) = mapped
    var byte: UInt8 = 0
    let isReadable =
      found.size == 0
      || withUnsafeMutableBytes(of: &byte) { read(at: 0, into: $0) }
    // Where the system does not tell the path, as in some sandboxes, the descriptor is of more use.
    guard isReadable, (try? Files.destination(ofLink: link)) != nil else { return nil }
  }

  deinit { SystemCalls.unpin(start, size) }

  /// Whether all bytes before an offset are mapped.
  func covers(_ end: Int) -> Bool { end <= size }

  /// Fills `buffer` with bytes of the file.
  /// - Returns: false if the file is too short.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    buffer.isEmpty || SystemCalls.read(pinned: start, at: offset, into: buffer) == 0
  }

  private var link: String {
    let first = UInt(bitPattern: start)
    return "/proc/self/map_files/\(String(first, radix: 16))-"
      + String(first + UInt(size), radix: 16)
  }

  /// The present path of the file, which is of no use if it was deleted.
  var path: String? { try? Files.destination(ofLink: link) }
}

/// The parkable files that have descriptors. Few of them: a program that reads one file after the other
/// parks none.
enum AwakeFiles {
  private struct Weak: Sendable { weak var file: OpenFile? }

  private static let awake = Lock<[Weak]>([])

  /// The greatest number of them.
  private static let limit = 12

  /// Adds a file, and parks the oldest ones.
  static func add(_ file: OpenFile) {
    park(beyond: limit, adding: file)
  }

  /// Parks all files that are not being read.
  static func park() { park(beyond: 0, adding: nil) }

  private static func park(beyond limit: Int, adding new: OpenFile?) {
    let files = awake.withLock { list in
      let files = list.compactMap(\.file) + (new.map { [$0] } ?? [])
      list = files.map { Weak(file: $0) }
      return files
    }
    guard files.count > limit else { return }
    var excess = files.count(where: { !$0.isParked }) - limit
    for file in files where excess > 0 && !file.isParked {
      file.park()
      if file.isParked { excess -= 1 }
    }
    awake.withLock { list in list.removeAll { $0.file?.isParked ?? true } }
  }
}
