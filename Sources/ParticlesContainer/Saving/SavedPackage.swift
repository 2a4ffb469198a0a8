internal import ParticlesCore

/// A package at its path, as this process opened or last saved it. All copies of a ``Container`` share
/// it, so that a copy that was kept can be saved again: it is compared with the last save of any copy.
final class SavedPackage: Sendable {
  let path: String
  let form: Container.Form

  /// The state on the disk.
  struct State: Sendable {
    /// The state of the file; nil for a directory.
    var file: FileState?
    var root: FileNode
    /// The size of all files in bytes.
    var liveBytes: Int
    /// The open flat package; nil for a directory.
    var reader: ContainerReader?
  }

  private let current: Lock<State>
  private let saving = Lock(())
  private let kept = Lock<[Kept]>([])
  private let memory = Lock<(sum: FrameSum?, isOfFiles: Bool)>((nil, false))

  /// The streams of flat files that were replaced.
  let keptStreams: KeptStreams

  private let late = Lock(false)

  /// Whether the name of the saved file could not be flushed to the disk.
  var isUnflushed: Bool {
    get { late.withLock(\.self) }
    set { late.withLock { $0 = newValue } }
  }

  init(
    path: String, form: Container.Form, _ state: State, keeping streams: KeptStreams = KeptStreams()
  ) {
    self.path = path
    self.form = form
    keptStreams = streams
    current = Lock(state)
  }

  var state: State {
    get { current.withLock(\.self) }
    set { current.withLock { $0 = newValue } }
  }

  /// The remembered contents of a flat package; nil if they are not remembered.
  var remembered: FrameSum? {
    get { memory.withLock { $0.sum } }
    set { memory.withLock { $0.sum = newValue } }
  }

  /// Whether the contents of the files of a directory are remembered.
  var remembersFiles: Bool {
    get { memory.withLock { $0.isOfFiles } }
    set { memory.withLock { $0.isOfFiles = newValue } }
  }

  /// Runs a save; saves of several copies by several threads run one after the other.
  func whileSaving<Result>(_ body: () throws -> Result) throws -> Result {
    try saving.withLock { _ in try body() }
  }

  // MARK: Kept values

  /// The identity of the copies of a value between two saves.
  final class Holder: Sendable {}

  private struct Kept: Sendable { weak var holder: Holder? }

  /// A holder for the copies of a value that was just opened or saved.
  func makeHolder() -> Holder {
    let holder = Holder()
    kept.withLock { kept in
      kept.removeAll { $0.holder == nil }
      kept.append(Kept(holder: holder))
    }
    return holder
  }

  /// Whether values other than those of a holder are in use.
  func hasValues(besides holder: Holder?) -> Bool {
    kept.withLock { kept in kept.contains { $0.holder != nil && $0.holder !== holder } }
  }

  // MARK: Directories

  /// Copies the contents of files of the directory that are in no file of `new` to a temporary file,
  /// because the directory is about to be replaced.
  func keepFiles(missingIn new: FileNode) throws {
    let remaining = Set(new.foundFiles.map(ObjectIdentifier.init))
    // One for each save: a file that has given up its descriptor is not written again.
    var spool: OpenFile?
    for file in state.root.foundFiles where !remaining.contains(ObjectIdentifier(file)) {
      let target = try spool ?? Files.createAnonymous()
      spool = target
      try file.keep(in: target)
    }
    spool?.makeParkable()
  }

  /// Returns the tree that was written, as it is on the disk now: files of the directory that was
  /// replaced keep their identity, others are those that were found.
  func adopt(_ written: FileNode, _ found: FileNode) -> FileNode {
    var old = Set(state.root.foundFiles.map(ObjectIdentifier.init))
    return written.adopting(found, &old) ?? written
  }
}

extension FileNode {
  /// The files of the file system below this node.
  fileprivate var foundFiles: [FoundFile] {
    var files: [FoundFile] = []
    if let file = contents?.foundFile { files.append(file) }
    forEachDescendant { _, _, node in
      if let file = node.contents?.foundFile { files.append(file) }
    }
    return files
  }

  /// The same tree with the files that were found in its place; nil if it stays as it is.
  /// - Parameter old: the files that keep their identity and move; each moves once.
  fileprivate func adopting(_ found: FileNode, _ old: inout Set<ObjectIdentifier>) -> FileNode? {
    switch (storage, found.storage) {
    case (.file(let contents, let isExecutable), .file(let new, _)):
      guard let file = new.foundFile else { return nil }
      if let known = contents.foundFile, old.remove(ObjectIdentifier(known)) != nil {
        known.move(to: file)
        return nil
      }
      contents.remember(savedAs: new)
      return FileNode(regularFileWithContents: new, isExecutable: isExecutable)
    case (.directory(var directory), .directory(let other)):
      var changed = false
      for child in directory.children {
        guard let found = other[child.name],
          let node = child.node.adopting(found, &old)
        else { continue }
        _ = directory.replace(child.name, with: node)
        changed = true
      }
      return changed ? FileNode(storage: .directory(directory)) : nil
    default: return nil
    }
  }
}
