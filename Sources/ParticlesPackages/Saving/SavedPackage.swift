internal import ParticlesCore
package import ParticlesContainer
internal import ParticlesSystem

/// A package at its path, as this process opened or last saved it. All copies of a ``Container`` share
/// it, so that a copy that was kept can be saved again: it is compared with the last save of any copy.
/// Not internal, as ``FoundFile``.
package final class SavedPackage: SavedPlace, @unchecked Sendable {
  /// The state on the disk.
  struct State: Sendable {
    /// The state of the file, or nil for a directory.
    var file: FileState?
    var root: FileNode
    /// The size of all files in bytes.
    var liveBytes: Int
    /// The open flat package, or nil for a directory.
    var reader: ContainerReader?
  }

  private let current: Lock<State>
  private let saving = Lock(())
  private let kept = Lock<[Kept]>([])
  private let memory = Lock<(sum: FrameSum?, isOfFiles: Bool)>((nil, false))

  private let late = Lock(false)

  /// Whether the name of the saved file could not be flushed to the disk.
  var isUnflushed: Bool {
    get { late.withLock({ $0 }) }
    set { late.withLock { $0 = newValue } }
  }

  init(path: String, form: Container.Form, _ state: State) {
    current = Lock(state)
    super.init(path: path, form: form)
  }

  package override var reader: ContainerReader? { state.reader }

  var state: State {
    get { current.withLock({ $0 }) }
    set { current.withLock { $0 = newValue } }
  }

  /// The remembered contents of a flat package, or nil if they are not remembered.
  var remembered: FrameSum? {
    get { memory.withLock { $0.sum } }
    set { memory.withLock { $0.sum = newValue } }
  }

  /// Whether the contents of the files of a directory are remembered.
  var remembersFiles: Bool {
    get { memory.withLock { $0.isOfFiles } }
    set { memory.withLock { $0.isOfFiles = newValue } }
  }

  /// Runs a save. Saves of several copies by several threads run in turn.
  func whileSaving<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try saving.withLock { _ in try body() }
  }

  // MARK: Kept values

  private struct Kept: Sendable { weak var holder: Container.Holder? }

  /// A holder for the copies of a value that was just opened or saved.
  func makeHolder() -> Container.Holder {
    let holder = Container.Holder()
    kept.withLock { kept in
      kept.removeAll { $0.holder == nil }
      kept.append(Kept(holder: holder))
    }
    return holder
  }

  /// Whether values of other holders are in use.
  func hasValues(besides holder: Container.Holder?) -> Bool {
    kept.withLock { kept in kept.contains { $0.holder != nil && $0.holder !== holder } }
  }

  // MARK: Directories

  /// Copies the contents of files of the directory that are in no file of `new` to a temporary file,
  /// because the directory is about to be replaced.
  func keepFiles(missingIn new: FileNode) throws(Failure) {
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

  /// Returns a written tree with the files that were written. Files of the replaced directory keep their identity.
  /// - Parameter found: the files, as they were when they were complete.
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

  /// This tree with the files that were found in its place, or nil if nothing changes.
  /// - Parameter old: the files that keep their identity and move. Each moves once.
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

extension SavedPackage {
  /// Throws unless the file or directory at the path is the opened file or directory in its opened state, and its
  /// version may be changed. Metadata of operating systems in a directory does not count. Another time of a file does
  /// not count if its remembered contents are equal.
  /// - Returns: the directory as it is now, or nil for a file.
  func checkUnchanged() throws(Failure) -> FileNode? {
    let state = state
    guard let reader = state.reader else {
      let now = try FileNode(readingDirectory: path, limits: .none)
      try state.root.checkUnchanged(now, in: path, at: "")
      return now
    }
    let now = try ByteSource.file(path)
    let status = now.fileState
    // Time stamps may be too coarse to tell two saves apart, so the footer is compared, too.
    guard now.size >= reader.footer.end,
      try now.bytes(at: reader.footer.position, count: Layout.footerSize) == reader.footer.encode(),
      try status == state.file || isTouched(now, status, since: state)
    else { throw Diagnostic(.fileChanged, at: Location(file: path)) }
    let version = try now.bytes(at: 0, count: Layout.headerSize)[Layout.signature.count + 1]
    guard version <= Layout.versionToWrite else {
      throw Diagnostic(
        .containerVersion, at: Location(file: path, position: .offset(Layout.signature.count + 1)),
        "the package can be read, but not changed",
        expected: "version \(Layout.versionToWrite) or less",
        found: "version \(version)")
    }
    return nil
  }

  /// Whether a file that has another time has the remembered contents.
  private func isTouched(_ now: ByteSource, _ status: FileState?, since old: State)
    throws(Failure) -> Bool
  {
    guard let remembered, let status, let file = old.file, status.isSameFile(as: file),
      now.size == remembered.end, try FrameSum(now, to: now.size) == remembered
    else { return false }
    self.state.file = status
    return true
  }

  /// Remembers the contents of the package: another time of a file is no change then.
  func remember() throws(Failure) {
    let state = state
    if let reader = state.reader {
      // Read from the open file, which may have been written in place since it was opened.
      let sum = try FrameSum(reader.source, to: reader.footer.end)
      guard try reader.source.diskFile?.status().state == state.file else { return }
      remembered = sum
    } else {
      remembersFiles = true
      try state.root.rememberFiles()
    }
  }

  /// Remembers the contents after a save, if they were remembered before it.
  func rememberAgain() {
    let state = state
    do {
      if remembersFiles { try state.root.rememberFiles() }
      guard let old = remembered, let reader = state.reader else { return }
      let isAppended = old.source === reader.source.diskFile && old.end <= reader.footer.end
      remembered = nil
      remembered = try FrameSum(reader.source, to: reader.footer.end, from: isAppended ? old : nil)
    } catch {
      // Another program may be writing to it, which the next save reports.
      remembered = nil
    }
  }
}

/// The checksums of all frames of a flat package, made into one. Two files with equal sums have equal contents.
struct FrameSum: Sendable, Equatable {
  /// The size of the part that it covers.
  private(set) var end = Layout.headerSize
  private var sum: UInt32 = 0
  /// The file that it was made of.
  fileprivate private(set) var source: OpenFile?

  static func == (a: FrameSum, b: FrameSum) -> Bool { a.end == b.end && a.sum == b.sum }

  /// - Parameter start: the sum of the beginning of this file, or nil if there is none.
  init(_ source: ByteSource, to size: Int, from start: FrameSum? = nil) throws(Failure) {
    if let start { self = start }
    self.source = source.diskFile
    while end < size {
      let bytes = try source.bytes(at: end, count: Layout.frameHeaderSize)
      sum = CRC32.checksum(bytes, seed: sum)
      end += try FrameHeader(bytes, at: end).frameLength
    }
  }
}

extension FileNode {
  /// Throws unless `now`, which was just read from a folder, has the state that this was read in.
  fileprivate func checkUnchanged(_ now: FileNode, in folder: String, at path: String)
    throws(Failure)
  {
    func fault(_ detail: String? = nil, at path: String) -> Diagnostic {
      Diagnostic(.fileChanged, at: Location(file: folder, entry: path), detail)
    }
    switch (storage, now.storage) {
    case (.directory(let old), .directory(let new)):
      for child in old.children {
        let childPath = Files.joined(path, child.name)
        guard let now = new[child.name] else {
          if SystemFiles.isMetadata(child.name) { continue }
          throw fault("it is gone", at: childPath)
        }
        try child.node.checkUnchanged(now, in: folder, at: childPath)
      }
      for child in new.children
      where old[child.name] == nil && !SystemFiles.isMetadata(child.name) {
        throw fault("it is new", at: Files.joined(path, child.name))
      }
    case (.link(let old), .link(let new)):
      guard old == new else { throw fault(at: path) }
    case (.file(let old, let wasExecutable), .file(let new, let isExecutable)):
      guard wasExecutable == isExecutable else { throw fault(at: path) }
      guard old.foundFile?.state != new.foundFile?.state else { return }
      if SystemFiles.isMetadata(EntryPath.name(of: path)) { return }
      guard let old = old.foundFile, let new = new.foundFile, try old.adoptIfEqual(new) else {
        throw fault(at: path)
      }
    default: throw fault(at: path)
    }
  }

  /// Remembers the contents of all files of the file system below this node.
  fileprivate func rememberFiles() throws(Failure) {
    try forEachDescendant { _, _, node in try node.contents?.foundFile?.remember() }
  }

  /// This tree with the metadata of operating systems from another tree.
  fileprivate func addingMetadata(below other: FileNode, _ result: inout FileNode, at path: String)
    throws
  {
    for child in other.children ?? [] {
      let childPath = Files.joined(path, child.name)
      if SystemFiles.isMetadata(child.name) {
        if result[childPath] == nil { try result.setFileNode(child.node, at: childPath) }
      } else if child.node.isDirectory, result[childPath]?.isDirectory == true {
        try addingMetadata(below: child.node, &result, at: childPath)
      }
    }
  }

  func addingMetadata(of other: FileNode) throws(Failure) -> FileNode {
    var result = self
    try addingMetadata(below: other, &result, at: "")
    return result
  }
}
