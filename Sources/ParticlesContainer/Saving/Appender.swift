package import ParticlesCore

/// The changes of a tree: entries that were added or changed, and paths that were removed.
///
/// Unchanged directories share their memory with the old tree and are skipped at once, so the cost depends on the
/// changes, not on the size of the tree. Contents that were made anew with equal bytes are no change. To find that out,
/// both are read.
package struct TreeChanges {
  /// New and changed entries with their nodes, in canonical order. The children of a directory have
  /// entries of their own.
  package private(set) var written: [(path: String, node: FileNode)] = []
  /// Removed paths, each with everything below it.
  package private(set) var removed: [String] = []
  /// Unchanged files of the old tree whose contents the new tree reads from elsewhere.
  package private(set) var equal: [(path: String, node: FileNode)] = []
  /// The growth of the contents of all files in bytes.
  package private(set) var growth = 0

  package init(from old: FileNode, to new: FileNode) {
    compare(old.children ?? [], new.children ?? [], prefix: "")
  }

  package var isEmpty: Bool { written.isEmpty && removed.isEmpty }

  /// Returns the written files with their offsets in a stream that they are appended to. The offset of an empty file is
  /// 0.
  package func files(
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
    let entries = try changes.written.map { path, node throws(Failure) in
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
    try BlockPacker.pack(files, at: place, options) { packed throws(Failure) in
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
    try pending.withBytes { bytes throws(Failure) in
      try target.write(bytes, position - pending.count)
    }
    pending.removeAll(keepingCapacity: true)
  }
}
