internal import ParticlesEffects
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesSystem

/// A program that has a document open.
public struct DocumentPresenter: Sendable, Hashable {
  /// The identifier of its process.
  public var process: Int

  /// The names of the program and of its machine.
  public var program: String, host: String

  /// When it opened the document, in seconds since 1970.
  public var seconds: Double

  /// Whether it has unsaved changes.
  public var hasChanges: Bool
}

/// A record for other programs that this program has a document open. It is valid while the program runs and holds
/// the lock whose name begins the name of the record. See ``ProgramLock``.
package final class DocumentPresence: Sendable {
  private let lock: ProgramLock
  private let path: String
  private let seconds = WallClock.seconds

  private static let next = Lock(0)

  /// The folder for the records of a document, in the folder for running programs, or in the data folder.
  private static func folder(of path: String, in base: String) throws -> String {
    Files.joined(base, "particles/open/\(try VersionStore.key(path))")
  }

  /// Creates the record, and removes the records of programs that have ended.
  /// - Parameter base: the folder for files of running programs.
  init(of document: String, in base: String) throws {
    let folder = try Self.folder(of: document, in: base)
    try Files.makeDirectories(folder)
    Self.removeLeft(in: folder, base)
    lock = try ProgramLock.current(in: base)
    let number = Self.next.withLock { next in
      next += 1
      return next
    }
    path = Files.joined(folder, "\(lock.name)-\(number).json")
    try update(hasChanges: false)
  }

  func update(hasChanges: Bool) throws {
    let json: JSONValue = [
      "process": .int(RunningProcess.identifier), "program": .string(RunningProcess.name),
      "host": .string(RunningProcess.host), "since": .double(seconds),
      "changes": .bool(hasChanges),
    ]
    // Complete at any time: other programs read it without a lock.
    let new = Files.temporaryName(beside: path)
    try Files.create(new, json.bytes)
    try Files.rename(new, path)
  }

  deinit { try? Files.removeAll(path) }

  /// Whether the program of a record is running: it holds the lock that the record names. Programs of earlier
  /// versions lock the record itself.
  private static func isAlive(_ name: String, in folder: String, _ base: String) -> Bool {
    let parts = name.split(separator: "-")
    if parts.count == 3 {
      return ProgramLock.isHeld(parts.prefix(2).joined(separator: "-"), in: base)
    }
    guard let file = try? OpenFile(readingAtOnce: Files.joined(folder, name)) else { return false }
    return !file.tryShare()
  }

  /// Removes the records of programs that have ended.
  private static func removeLeft(in folder: String, _ base: String) {
    for name in (try? Files.list(folder, passingOver: { _ in })) ?? []
    where !name.hasPrefix(".") && !isAlive(name, in: folder, base) {
      try? Files.removeAll(Files.joined(folder, name))
    }
  }

  /// Whether programs have left records at all: one system call.
  package static func hasRecords(in base: String) -> Bool {
    ((try? Files.status(Files.joined(base, "particles/open"))) ?? nil) != nil
  }

  /// A running program that has a document open with unsaved changes, or nil. Writes nothing.
  package static func unsaved(_ document: String, in base: String) -> DocumentPresenter? {
    guard let folder = try? folder(of: document, in: base),
      let names = try? Files.list(folder, passingOver: { _ in })
    else { return nil }
    for name in names where !name.hasPrefix(".") {
      if let presenter = presenter(Files.joined(folder, name)), presenter.hasChanges,
        isAlive(name, in: folder, base)
      {
        return presenter
      }
    }
    return nil
  }

  private static func presenter(_ record: String) -> DocumentPresenter? {
    guard let file = try? OpenFile(readingAtOnce: record),
      let object = try? JSONParser.parse(file.readToEnd(limits: .standard)).object,
      let process = object["process"]?.int
    else { return nil }
    return DocumentPresenter(
      process: process, program: object["program"]?.string ?? "program",
      host: object["host"]?.string ?? "", seconds: object["since"]?.double ?? 0,
      hasChanges: object["changes"]?.bool ?? false)
  }

  /// The programs that have a document open. Records of processes that have ended are removed.
  static func presenters(of document: String, in base: String) throws -> [DocumentPresenter] {
    let folder = try folder(of: document, in: base)
    guard try Files.status(folder) != nil else { return [] }
    removeLeft(in: folder, base)
    return try Files.list(folder).filter { !$0.hasPrefix(".") }.compactMap {
      presenter(Files.joined(folder, $0))
    }
  }
}

/// A locked file that tells other programs that this one is running: `particles/programs/PROCESS-RANDOM.lock`
/// below a folder. The system ends the lock with the process. All records of the program there name it by
/// their own names, and all entries of the recovery journal in their descriptions, so that it needs one
/// descriptor, however many documents are open.
final class ProgramLock: Sendable {
  /// The name without the extension.
  let name: String

  private let path: String
  private let file: OpenFile

  private struct Weak: Sendable { weak var lock: ProgramLock? }

  private static let known = Lock<[String: Weak]>([:])

  private static func folder(in base: String) -> String { Files.joined(base, "particles/programs") }

  private static func path(of name: String, in base: String) -> String {
    Files.joined(folder(in: base), "\(name).lock")
  }

  /// The lock of this program below a folder. It is removed with the last record.
  static func current(in base: String) throws -> ProgramLock {
    try known.withLock { known in
      if let lock = known[base]?.lock { return lock }
      let new = try ProgramLock(base)
      known[base] = Weak(lock: new)
      return new
    }
  }

  private init(_ base: String) throws {
    try Files.makeDirectories(Self.folder(in: base))
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    name = "\(RunningProcess.identifier)-\(number)"
    path = Self.path(of: name, in: base)
    file = try OpenFile(creating: path, mode: 0o600)
    _ = file.tryLock()
    Self.removeOthers(in: base)
  }

  deinit { try? Files.removeAll(path) }

  /// Whether the program of a lock is running.
  static func isHeld(_ name: String, in base: String) -> Bool {
    guard !name.contains("/"),
      let file = try? OpenFile(readingAtOnce: path(of: name, in: base))
    else { return false }
    return !file.tryShare()
  }

  /// Removes the locks of programs that have ended.
  private static func removeOthers(in base: String) {
    for name in (try? Files.list(folder(in: base), passingOver: { _ in })) ?? [] {
      guard name.hasSuffix(".lock") else { continue }
      // Its program may have created it, but not locked it yet.
      let path = Files.joined(folder(in: base), name)
      guard let status = try? Files.status(path), WallClock.seconds - status.state.modified > 10,
        !isHeld(String(name.dropLast(5)), in: base)
      else { continue }
      try? Files.removeAll(path)
    }
  }
}

/// Waits for changes of a document by other programs, without opening it.
public final class DocumentWatcher: Sendable {
  private let storage: PathStorage
  private let seen: Lock<ContentDigest>
  private let changes = Signal()
  private let watch: Lock<FolderWatch>

  /// Begins to watch a document.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound``, or read errors.
  public init(_ path: String) throws {
    storage = PathStorage(path)
    // Before the document is read, so that no change is missed.
    watch = Lock(try FolderWatch(document: path) { [changes] in changes.send() })
    seen = Lock(try Self.digest(storage))
    // Other time stamps are no changes.
    try? storage.remember()
  }

  private static func digest(_ storage: PathStorage) throws -> ContentDigest {
    try storage.read(limits: .standard, progress: { _, _ in }).contents.contentDigest()
  }

  /// The current path of the document.
  public var path: String { storage.path ?? "" }

  /// Blocks the thread until the contents have changed.
  /// - Returns: false if the document was deleted.
  /// - Throws: read errors. A document that another program is just replacing is read again later.
  public func wait() throws -> Bool {
    while true {
      changes.wait()
      switch storage.inspect() {
      case .unchanged: continue
      // If it has moved again, the read below fails.
      case .moved(let path): try? storage.relocate(to: path)
      case .missing:
        // Some programs delete a file before they write the new one.
        MonotonicClock.wait(seconds: 0.2)
        if storage.inspect() == .missing { return false }
      case .changed: break
      }
      // The document has another name, or a save has replaced its folders. It is read after this, so that no
      // change is missed.
      let now = try FolderWatch(document: path) { [changes] in changes.send() }
      watch.withLock { $0 = now }
      guard let digest = try? Self.digest(storage) else {
        // Another program is still writing: it is looked at again soon.
        MonotonicClock.wait(seconds: 0.1)
        changes.send()
        continue
      }
      let isNew = seen.withLock { seen in
        defer { seen = digest }
        return seen != digest
      }
      try? storage.remember()
      if isNew { return true }
    }
  }
}

extension FileNode {
  /// The tree digest of a directory, or the SHA-256 digest of the bytes of a file.
  func contentDigest() throws -> ContentDigest {
    guard let contents else { return try treeDigest() }
    var hash = SHA256()
    try contents.forEachPiece { hash.update($0) }
    return hash.finalize()
  }
}

/// The folders that are watched for a directory package.
enum DocumentFolders {
  /// The greatest number of folders that are watched.
  private static let limit = 200

  /// A folder and its subfolders, at most `limit`.
  static func all(in place: String) -> [String] {
    var folders = [place]
    var index = 0
    while index < folders.count, folders.count < limit {
      let folder = folders[index]
      let names = (try? Files.list(folder, passingOver: { _ in })) ?? []
      folders += names.map { Files.joined(folder, $0) }.filter {
        (try? Files.status($0, followingLinks: false))??.kind == .directory
      }
      index += 1
    }
    return folders
  }
}

extension FolderWatch {
  /// Begins to watch a document: the name at its path, and the folders of a directory package.
  convenience init(document path: String, _ change: @escaping @Sendable () -> Void) throws {
    let place = (try? Files.target(of: path)) ?? path
    let isFolder = (try? Files.status(place))??.kind == .directory
    try self.init(isFolder ? DocumentFolders.all(in: place) : [], item: place, change)
  }
}
