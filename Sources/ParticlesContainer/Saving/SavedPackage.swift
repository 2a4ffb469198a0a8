package import ParticlesCore
internal import ParticlesSystem

/// A package at its path, as this process opened or last saved it. All copies of a ``Container`` share
/// it, so that a copy that was kept can be saved again: it is compared with the last save of any copy.
final class SavedPackage: Sendable {
  let path: String
  let form: Container.Form

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
    self.path = path
    self.form = form
    current = Lock(state)
  }

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

  /// Whether values of other holders are in use.
  func hasValues(besides holder: Holder?) -> Bool {
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

  /// Returns the written tree as it is on the disk now. Files of the replaced directory keep their identity, and other
  /// files are the files that were found.
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
    let status = try now.file?.status().state
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
      guard try reader.source.file?.status().state == state.file else { return }
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
      let isAppended = old.source === reader.source.file && old.end <= reader.footer.end
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
    self.source = source.file
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

extension Container {
  /// Remembers the contents of the package at its path. A later save then ignores a new time of a file, as `touch`
  /// leaves it, instead of reporting a change by another program. Reads the heads of all frames, or all files of a
  /// directory.
  package func rememberContents() throws(Failure) { try saved?.remember() }
}

/// The changes of a tree: entries that were added or changed, and paths that were removed.
///
/// Unchanged directories share their memory with the old tree and are skipped at once, so the cost depends on the
/// changes, not on the size of the tree. Contents that were made anew with equal bytes are no change. To find that out,
/// both are read.
package struct TreeChanges {
  /// New and changed entries with their nodes, in canonical order. The children of a directory have
  /// entries of their own.
  private(set) var written: [(path: String, node: FileNode)] = []
  /// Removed paths, each with everything below it.
  private(set) var removed: [String] = []
  /// Unchanged files of the old tree whose contents the new tree reads from elsewhere.
  private(set) var equal: [(path: String, node: FileNode)] = []
  /// The growth of the contents of all files in bytes.
  private(set) var growth = 0

  package init(from old: FileNode, to new: FileNode) {
    compare(old.children ?? [], new.children ?? [], prefix: "")
  }

  var isEmpty: Bool { written.isEmpty && removed.isEmpty }

  /// Returns the written files with their offsets in a stream that they are appended to. The offset of an empty file is
  /// 0.
  func files(
    after end: Int
  ) -> [(offset: Int, path: String, contents: FileContents, isExecutable: Bool)] {
    var end = end
    return written.compactMap { path, node in
      guard let contents = node.contents else { return nil }
      defer { end += contents.size }
      return (contents.size > 0 ? end : 0, path, contents, node.isExecutable)
    }
  }

  private mutating func compare(
    _ old: [FileNode.Child], _ new: [FileNode.Child], prefix: String
  ) {
    if old.sharesMemory(with: new) { return }
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if i < old.count, j < new.count, old[i].name.utf8.elementsEqual(new[j].name.utf8) {
        compare(old[i].node, new[j].node, at: prefix + new[j].name)
        (i, j) = (i + 1, j + 1)
      } else if j == new.count || i < old.count && old[i].precedes(new[j]) {
        remove(old[i].node, at: prefix + old[i].name)
        i += 1
      } else {
        add(new[j].node, at: prefix + new[j].name)
        j += 1
      }
    }
  }

  private mutating func compare(
    _ old: FileNode, _ new: FileNode, at path: @autoclosure () -> String
  ) {
    switch (old.storage, new.storage) {
    case (.directory(let a), .directory(let b)):
      compare(a.children, b.children, prefix: path() + "/")
    case (.link(let a), .link(let b)):
      if a != b { written.append((path(), new)) }
    case (.file(let a, let executableA), .file(let b, let executableB)):
      let isSame = a.isSame(as: b)
      if executableA == executableB, isSame || a == b {
        b.remember(savedAs: a)
        if !isSame { equal.append((path(), old)) }
        return
      }
      growth += b.size - a.size
      written.append((path(), new))
    default:
      remove(old, at: path())
      add(new, at: path())
    }
  }

  private mutating func add(_ node: FileNode, at path: String) {
    growth += node.contents?.size ?? 0
    written.append((path, node))
    for child in node.children ?? [] { add(child.node, at: "\(path)/\(child.name)") }
  }

  private mutating func remove(_ node: FileNode, at path: String) {
    growth -= node.contentBytes
    removed.append(path)
  }
}

extension FileNode.Child {
  package func precedes(_ other: FileNode.Child) -> Bool {
    name.utf8.lexicographicallyPrecedes(other.name.utf8)
  }
}

extension [FileNode.Child] {
  /// Whether both share their storage, which implies that they are equal.
  package func isSame(as other: [FileNode.Child]) -> Bool { sharesMemory(with: other) }

  func sharesMemory(with other: [FileNode.Child]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { a in
        other.withUnsafeBufferPointer { a.baseAddress == $0.baseAddress }
      }
  }
}

/// The pages of a tree after changes. Pages without changes are kept.
struct PageEdits {
  /// A page of the new tree.
  enum Page {
    case kept(Root.Page)
    case new(TreePage)
  }

  private(set) var pages: [Page] = []

  /// - Parameters:
  ///   - written: new and changed entries in canonical order, with their places in the stream.
  ///   - removed: removed paths, each with everything below it.
  init(_ reader: ContainerReader, written: [Entry], removed: [String]) throws(Failure) {
    var written = written[...]
    let old = reader.root.pages
    guard !old.isEmpty else {
      pages = TreePage.pages(of: written).map(Page.new)
      return
    }
    for (index, page) in old.enumerated() {
      // Entries before the first page go to the first page, others to the page that precedes them.
      let next = index + 1 < old.count ? old[index + 1].firstPath : nil
      let end =
        next.map { next in
          written.firstIndex { !EntryPath.precedes($0.path.utf8, next.utf8) } ?? written.endIndex
        } ?? written.endIndex
      let edits = written[..<end]
      written = written[end...]
      let isTouched =
        !edits.isEmpty
        || removed.contains { Self.touches($0, from: page.firstPath, before: next) }
      guard isTouched else {
        pages.append(.kept(page))
        continue
      }
      pages += try Self.pages(of: reader, index, edits, removed).map(Page.new)
    }
  }

  /// Whether a path or anything below it may be on a page that begins with `first`.
  private static func touches(_ path: String, from first: String, before next: String?) -> Bool {
    // The entries below a path follow it without a gap.
    let startsBeforeNext = next.map { EntryPath.precedes(path.utf8, $0.utf8) } ?? true
    let endsBehindFirst =
      !EntryPath.precedes(path.utf8, first.utf8) || first.utf8.starts(with: "\(path)/".utf8)
    return startsBeforeNext && endsBehindFirst
  }

  /// Returns a page after changes. Returns several if it has become too large, and none if it is empty.
  private static func pages(
    of reader: ContainerReader, _ index: Int, _ edits: ArraySlice<Entry>, _ removed: [String]
  ) throws(Failure) -> [TreePage] {
    let gone = Set(removed)
    var writer = TreePageWriter()
    var edits = edits
    var next = edits.first.map { Array($0.path.utf8) }
    func appendEdit() {
      writer.append(edits.removeFirst())
      next = edits.first.map { Array($0.path.utf8) }
    }
    try reader.forEachEntry(ofPage: index) { entry in
      while let path = next, EntryPath.precedes(path, entry.path) { appendEdit() }
      if let next, next.elementsEqual(entry.path) {
        appendEdit()
      } else if gone.isEmpty || !isGone(entry.pathText, gone) {
        writer.append(entry)
      }
    }
    while next != nil { appendEdit() }
    return writer.finish()
  }

  /// Whether the path or a directory that it is in was removed.
  private static func isGone(_ path: String, _ gone: Set<String>) -> Bool {
    var path = path[...]
    while !path.isEmpty {
      if gone.contains(String(path)) { return true }
      path = EntryPath.parent(of: String(path))
    }
    return false
  }
}

/// The operations on the file that a generation is appended to. Tests replace them.
package struct AppendTarget {
  /// Writes bytes at a position.
  package var write: (UnsafeRawBufferPointer, _ position: Int) throws(Failure) -> Void
  package var truncate: (_ size: Int) throws(Failure) -> Void
  /// Waits until everything has reached the disk.
  package var synchronize: () throws(Failure) -> Void

  package init(
    write:
      @escaping (UnsafeRawBufferPointer, _ position: Int) throws(Failure) -> Void,
    truncate: @escaping (_ size: Int) throws(Failure) -> Void,
    synchronize: @escaping () throws(Failure) -> Void
  ) {
    self.write = write
    self.truncate = truncate
    self.synchronize = synchronize
  }
}

/// Appends a generation to a flat package: changed pages and blocks, a root that refers to them and
/// to the unchanged ones, and a footer that commits them.
package struct Appender {
  private let reader: ContainerReader
  private let target: AppendTarget
  private let options: PackingOptions
  private let compressor: PayloadCompressor
  private var position: Int
  private var pending: [UInt8] = []

  /// - Parameters:
  ///   - options: level, threads and progress.
  ///   - synchronizing: whether to wait for the disk before the footer is written, and after. If
  ///     not, a loss of power may damage the package.
  /// - Returns: the size of the file in bytes.
  package static func append(
    _ changes: TreeChanges, to reader: ContainerReader, _ target: AppendTarget,
    _ options: PackingOptions = PackingOptions(), synchronizing: Bool
  ) throws(Failure) -> Int {
    var appender = Appender(reader: reader, target: target, options)
    return try appender.append(changes, synchronizing: synchronizing)
  }

  private init(reader: ContainerReader, target: AppendTarget, _ options: PackingOptions) {
    self.reader = reader
    self.target = target
    self.options = options
    compressor = PayloadCompressor(level: options.level)
    position = reader.footer.end
  }

  private mutating func append(_ changes: TreeChanges, synchronizing: Bool) throws(Failure) -> Int {
    // Removes an unfinished save after the last finished one.
    if reader.source.size > position { try target.truncate(position) }
    if changes.isEmpty {
      if synchronizing { try target.synchronize() }
      return position
    }
    let (entries, files) = try plan(changes)
    let edits = try PageEdits(reader, written: entries, removed: changes.removed)
    var root = Root()
    for page in edits.pages {
      switch page {
      case .kept(let page): root.pages.append(page)
      case .new(let page):
        root.pages.append(.init(page, try emit(.tree, compressor.compressIndex(page.bytes))))
      }
    }
    root.tables = reader.root.tables
    let blocks = try emitBlocks(files)
    if let last = blocks.last {
      let frame = try emit(.blocks, compressor.compressIndex(BlockTable.encode(blocks)))
      root.tables.append(.init(frame: frame, bytes: last.end - reader.streamSize))
    }
    let rootPosition = try emit(.root, compressor.compressIndex(root.encode())).position
    try flush()
    // The footer commits everything before it, so the earlier bytes have to be on the disk first.
    if synchronizing { try target.synchronize() }
    let footer = Footer(
      position: position, generation: reader.generation + 1, root: rootPosition,
      previous: reader.footer.position)
    try emit(footer.encode())
    try flush()
    if synchronizing { try target.synchronize() }
    return position
  }

  /// Returns the entries with their offsets: new contents are appended to the stream.
  private func plan(_ changes: TreeChanges) throws(Failure) -> (
    [Entry], [StreamFile]
  ) {
    var files: [StreamFile] = []
    var end = reader.streamSize
    let entries = try changes.written.map { path, node in
      var entry = try Entry(path: path, node: node)
      if let file = node.contents, file.size > 0 {
        entry.offset = end
        end += file.size
        files.append(StreamFile(file, path: Array(path.utf8)))
      }
      return entry
    }
    return (entries, files)
  }

  private mutating func emitBlocks(_ files: [StreamFile]) throws(Failure) -> [Block] {
    var blocks: [Block] = []
    let place = reader.streamSize
    try BlockPacker.pack(files, at: place, options) { packed in
      blocks.append(packed, at: position, from: place)
      for case .memory(let bytes) in packed.pieces { try emit(bytes) }
    }
    return blocks
  }

  private mutating func emit(_ kind: FrameKind, _ payload: Payload) throws(Failure)
    -> FrameReference
  {
    let head = try FrameHeader(kind, payload, place: position)
    let reference = FrameReference(position: position, length: head.frameLength)
    try emit(head.bytes + payload.stored)
    return reference
  }

  private mutating func emit(_ bytes: some Collection<UInt8>) throws(Failure) {
    pending += bytes
    position += bytes.count
    if pending.count >= Layout.blockSize { try flush() }
  }

  private mutating func flush() throws(Failure) {
    try pending.withUnsafeBytes { try target.write($0, position - pending.count) }
    pending.removeAll(keepingCapacity: true)
  }
}
