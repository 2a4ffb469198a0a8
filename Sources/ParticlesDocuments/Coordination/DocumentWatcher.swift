internal import ParticlesContainer
internal import ParticlesCore

/// Waits for changes of a document by other programs, without opening it.
public final class DocumentWatcher: Sendable {
  private let storage: PathStorage
  private let seen: Lock<ContentDigest>
  private let changes = Signal()
  private let watch: Lock<FolderWatch>

  /// Begins to watch a document.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound``; read errors.
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

  /// The present path of the document.
  public var path: String { storage.path ?? "" }

  /// Blocks the thread until the contents have changed.
  /// - Returns: false if the document was deleted.
  /// - Throws: read errors; a document that is just being replaced by another program is read again
  ///   later.
  public func wait() throws -> Bool {
    while true {
      changes.wait()
      switch storage.inspect() {
      case .unchanged: continue
      // Where it is elsewhere by now, it cannot be read below.
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
