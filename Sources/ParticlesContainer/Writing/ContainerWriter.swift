internal import ParticlesCore
internal import ParticlesSystem

/// Writes a tree as a flat package of one generation, front to back, in the canonical layout. The bytes
/// do not depend on the number of threads.
struct ContainerWriter {
  private let sink: PackageSink
  private let options: PackingOptions
  private let compressor: PayloadCompressor
  private var position = 0

  /// Writes `root`, which must be a directory.
  /// - Throws: ``Rule/name``, ``Rule/link`` or ``Rule/parent`` before anything is written. Later, errors of reading the
  ///   contents and of the sink.
  static func write(_ root: FileNode, options: PackingOptions, to sink: PackageSink) throws(Failure)
  {
    var writer = ContainerWriter(
      sink: sink, options: options, compressor: PayloadCompressor(level: options.level))
    try writer.write(root)
  }

  private mutating func write(_ tree: FileNode) throws(Failure) {
    let plan = try TreePlan(tree)
    try emit(Header.encode()[...])
    var root = Root()
    for page in plan.pages {
      root.pages.append(.init(page, try emit(.tree, compressor.compressIndex(page.bytes))))
    }
    var blocks: [Block] = []
    try BlockPacker.pack(plan.files, options, in: sink.shared?.file) { packed in
      blocks.append(packed, at: position)
      for piece in packed.pieces { try emit(piece) }
    }
    if let last = blocks.last {
      let frame = try emit(.blocks, compressor.compressIndex(BlockTable.encode(blocks)))
      root.tables.append(.init(frame: frame, bytes: last.end))
    }
    let rootPosition = try emit(.root, compressor.compressIndex(root.encode())).position
    let footer = Footer(position: position, generation: 1, root: rootPosition, previous: 0)
    try emit(footer.encode()[...])
  }

  private mutating func emit(_ kind: FrameKind, _ payload: Payload) throws(Failure)
    -> FrameReference
  {
    let head = try FrameHeader(kind, payload, place: position)
    let reference = FrameReference(position: position, length: head.frameLength)
    try emit(head.bytes[...])
    try emit(payload.stored[...])
    return reference
  }

  private mutating func emit(_ piece: PackedBlocks.Piece) throws(Failure) {
    switch piece {
    case .memory(let bytes): try emit(bytes)
    case .file(let range):
      try sink.shared?.append(range)
      position += range.count
    }
  }

  private mutating func emit(_ bytes: ArraySlice<UInt8>) throws(Failure) {
    try bytes.withUnsafeBytes(sink.write)
    position += bytes.count
  }
}

extension FrameHeader {
  /// Creates the head of a frame. Throws if the payload is longer than the format allows.
  init(_ kind: FrameKind, _ payload: Payload, place: Int) throws(Failure) {
    guard payload.rawLength <= kind.limit else {
      throw Diagnostic(
        .limit, "bytes of a \(kind.name) frame", expected: "at most \(kind.limit)",
        found: "\(payload.rawLength)")
    }
    self.init(
      kind, rawLength: payload.rawLength, storedLength: payload.stored.count,
      payloadChecksum: payload.checksum, place: place)
  }
}

extension Entry {
  /// Creates the entry of a node, without the offset of its contents.
  /// - Throws: faults of the path or of the target of a link.
  init(path: String, node: FileNode) throws(Failure) {
    try EntryPath.check(Array(path.utf8), limits: .standard, at: .entry(path))
    switch node.storage {
    case .directory: self.init(path: path, kind: .directory)
    case .file(let contents, let isExecutable):
      self.init(path: path, kind: .file(isExecutable: isExecutable), size: contents.size)
    case .link(let destination):
      try EntryPath.check(link: destination, from: path)
      self.init(path: path, kind: .symbolicLink(destination))
    }
  }
}

/// Writes a tree to a folder, with several threads: contents of an open package block by block, so that
/// each block is unpacked once, and other contents file by file.
struct TreeWriter: Sendable {
  /// A regular file that is not empty.
  private struct File: Sendable {
    var path: String
    var isExecutable: Bool
    var size: Int
    /// The offset of its contents in their stream, or `.max` if they are not in a stream.
    var offset = Int.max

    var end: Int { offset + size }
  }

  /// A unit of work for a thread.
  private enum Job: Sendable {
    /// A block, and the files that have bytes in it.
    case block(ByteSource, Block, files: Range<Int>)
    case file(Int, FileContents)
  }

  private var folders: [String] = []
  private var emptyFiles: [(path: String, isExecutable: Bool)] = []
  private var links: [(path: String, destination: String)] = []
  private var files: [File] = []
  private var jobs: [Job] = []

  /// Plans to write the contents of a directory.
  /// - Throws: faults of paths and links, and errors of reading block tables.
  init(_ root: FileNode) throws(Failure) {
    var found: [(file: File, contents: FileContents)] = []
    try root.forEachDescendant { path, node in
      _ = try Entry(path: path, node: node)
      switch node.storage {
      case .directory: folders.append(path)
      case .link(let destination): links.append((path, destination))
      case .file(let contents, let isExecutable):
        guard contents.size > 0 else { return emptyFiles.append((path, isExecutable)) }
        var file = File(path: path, isExecutable: isExecutable, size: contents.size)
        if let origin = contents.origin { file.offset = origin.offset }
        found.append((file, contents))
      }
    }
    // Files of a package come in the order of its stream, and before other files.
    let isSorted = zip(found, found.dropFirst()).allSatisfy { $0.file.offset <= $1.file.offset }
    if !isSorted { found.sort { $0.file.offset < $1.file.offset } }
    files = found.map { $0.file }
    var index = 0
    while index < found.count {
      guard let reader = found[index].contents.origin?.stream else {
        jobs.append(.file(index, found[index].contents))
        index += 1
        continue
      }
      let end = found[index...].firstIndex { $0.contents.origin?.stream !== reader } ?? found.count
      let behind = try planBlocks(of: reader, files: index..<end)
      jobs += behind.map { .file($0, found[$0].contents) }
      index = end
    }
  }

  /// Checks the tree of an open package and plans to write the whole tree.
  /// - Throws: the errors of ``ContainerReader/entries()`` and of reading block tables.
  init(_ reader: ContainerReader) throws(Failure) {
    try reader.forEachEntry { entry in
      switch entry.kind {
      case .directory: folders.append(entry.pathText)
      case .symbolicLink(let destination): links.append((entry.pathText, destination))
      case .file(let isExecutable):
        guard entry.size > 0 else { return emptyFiles.append((entry.pathText, isExecutable)) }
        files.append(
          File(
            path: entry.pathText, isExecutable: isExecutable, size: entry.size,
            offset: entry.offset))
      }
    }
    let isSorted = zip(files, files.dropFirst()).allSatisfy { $0.offset <= $1.offset }
    if !isSorted { files.sort { $0.offset < $1.offset } }
    // The tree check has ensured that no file ends after the last block.
    _ = try locating(Location(file: reader.source.name)) {
      try planBlocks(of: reader.stream, files: 0..<files.count)
    }
  }

  /// The number of regular files.
  var fileCount: Int { files.count + emptyFiles.count }

  /// Plans jobs for the blocks with bytes of these files. Returns the files that end after the last block, where reading
  /// throws.
  private mutating func planBlocks(
    of reader: StreamReader, files range: Range<Int>
  ) throws(Failure) -> [Int] {
    let (blocks, source) = try reader.blocks()
    var first = range.lowerBound
    for block in blocks {
      while first < range.upperBound, files[first].end <= block.offset { first += 1 }
      var last = first
      while last < range.upperBound, files[last].offset < block.end { last += 1 }
      if first < last { jobs.append(.block(source, block, files: first..<last)) }
    }
    let streamEnd = blocks.last?.end ?? 0
    return range.filter { files[$0].end > streamEnd }
  }

  /// Writes everything to `folder`, where none of the paths may exist.
  func write(to folder: FolderWriter, _ options: WorkOptions) throws(Failure) {
    for path in folders { try folder.makeDirectory(path) }
    for file in emptyFiles { _ = try folder.createFile(file.path, executable: file.isExecutable) }
    try writeFiles(to: folder, options)
    // Last, so that no file is written through a link.
    for link in links { try folder.makeLink(link.path, to: link.destination) }
  }

  private func writeFiles(to folder: FolderWriter, _ options: WorkOptions) throws(Failure) {
    let work = SharedWork(total: files.reduce(0) { $0 + $1.size }, options)
    let open = OpenFiles()
    let done = Lock(0)
    // Creating files in one folder serialises threads, so each begins in another part of the tree.
    let stride = (jobs.count + work.threads - 1) / work.threads
    try Parallel.forEach(
      stride * work.threads, threads: work.threads, state: { BlockUnpacker() }
    ) { number, unpacker in
      try work.checkCancellation()
      let index = number % work.threads * stride + number / work.threads
      guard index < jobs.count else { return }
      let count =
        switch jobs[index] {
        case .file(let file, let contents): try write(files[file], holding: contents, to: folder)
        case .block(let source, let block, let range):
          try write(block, of: source, files: range, unpacker, open, to: folder)
        }
      done.withLock {
        $0 += count
        work.report($0)
      }
    }
    try work.checkCancellation()
  }

  private func write(
    _ file: File, holding contents: FileContents, to folder: FolderWriter
  ) throws(Failure) -> Int {
    let target = try folder.createFile(file.path, executable: file.isExecutable)
    try contents.forEachPiece { try target.write($0) }
    return file.size
  }

  /// Unpacks a block and writes the part of each file in it.
  private func write(
    _ block: Block, of source: ByteSource, files range: Range<Int>,
    _ unpacker: BlockUnpacker, _ open: OpenFiles, to folder: FolderWriter
  ) throws(Failure) -> Int {
    let bytes = try locating(Location(file: source.name)) {
      try unpacker.unpack(block, from: source)
    }
    var count = 0
    for index in range {
      let file = files[index]
      let (start, end) = (max(file.offset, block.offset), min(file.end, block.end))
      let piece = UnsafeRawBufferPointer(
        rebasing: bytes[(start - block.offset)..<(end - block.offset)])
      if piece.count == file.size {
        try folder.createFile(file.path, holding: piece, executable: file.isExecutable)
      } else {
        let target = try open.file(index) {
          try folder.createFile(file.path, executable: file.isExecutable)
        }
        try target.write(piece, at: start - file.offset)
        open.finished(index, piece.count, of: file.size)
      }
      count += piece.count
    }
    return count
  }
}

/// Files that several threads write to, open until they are complete.
private final class OpenFiles: Sendable {
  private let files = Lock<[Int: (file: OpenFile, done: Int)]>([:])

  func file(_ index: Int, create: () throws(Failure) -> OpenFile) throws(Failure) -> OpenFile {
    try files.withLock { files in
      if let known = files[index] { return known.file }
      let file = try create()
      files[index] = (file, 0)
      return file
    }
  }

  func finished(_ index: Int, _ count: Int, of size: Int) {
    files.withLock { files in
      files[index]?.done += count
      if files[index]?.done == size { files[index] = nil }
    }
  }
}

/// The pages and the stream of a tree in a package of one generation.
struct TreePlan {
  private(set) var pages: [TreePage] = []
  private(set) var files: [StreamFile] = []

  private var writer = TreePageWriter()
  private var path = SuccessivePath()
  private var end = 0

  /// - Throws: ``Rule/parent`` if `root` is not a directory, and faults of names and links.
  init(_ root: FileNode) throws(Failure) {
    guard case .directory(let directory) = root.storage else { throw FileNode.rootFault }
    try add(directory, at: 0)
    pages = writer.finish()
  }

  /// Adds the children of a directory.
  /// - Parameter start: the offset of their names in a path.
  private mutating func add(_ directory: FileNode.Directory, at start: Int) throws(Failure) {
    for child in directory.children {
      path.replace(from: start, with: child.name)
      // Every name in a directory is valid, so only a long path can break a rule.
      if path.bytes.count >= 2 * Limits.standard.depth {
        try EntryPath.check(path.bytes, limits: .standard, at: .entry(path.text))
      }
      switch child.node.storage {
      case .directory(let directory):
        writer.append(path, .directory, size: 0, offset: 0)
        try add(directory, at: path.bytes.count + 1)
      case .file(let contents, let isExecutable):
        writer.append(
          path, .file(isExecutable: isExecutable), size: contents.size, offset: end)
        guard contents.size > 0 else { continue }
        files.append(StreamFile(contents, path: path.bytes))
        end += contents.size
      case .link(let destination):
        try EntryPath.check(link: destination, from: path.text)
        writer.append(path, .symbolicLink(destination), size: 0, offset: 0)
      }
    }
  }
}

extension FileNode {
  /// Returns this tree with contents in a stream at the offsets of a ``TreePlan``.
  /// - Parameter end: the offset of the first contents, and afterwards the end of the last contents.
  func stored(in stream: StreamReader, from end: inout Int) -> FileNode {
    switch storage {
    case .link: return self
    case .directory(let directory):
      return FileNode(storage: .directory(directory.mapped { $0.stored(in: stream, from: &end) }))
    case .file(let contents, let isExecutable):
      defer { end += contents.size }
      let stored = FileContents(size: contents.size, origin: .init(stream: stream, offset: end))
      contents.remember(savedAs: stored)
      return FileNode(regularFileWithContents: stored, isExecutable: isExecutable)
    }
  }
}

/// The destination of a package that is written front to back.
struct PackageSink {
  /// Writes the next bytes, valid during the call only.
  let write: (UnsafeRawBufferPointer) throws(Failure) -> Void

  /// A file that blocks can be shared with, and a closure that appends one of its ranges. Nil if all bytes have to be
  /// written.
  var shared: (file: OpenFile, append: (Range<Int>) throws(Failure) -> Void)?
}

/// Writes a package to a file with few system calls: collects small pieces and adjacent shared ranges.
final class FileSink {
  private let file: OpenFile
  /// The file that blocks are shared with, if the file system supports it.
  private let shared: OpenFile?

  private var position = 0
  private var pending: [UInt8] = []
  private var taken = 0..<0

  /// - Parameter other: a file that already has blocks of the package.
  init(_ file: OpenFile, sharingWith other: OpenFile?) throws(Failure) {
    self.file = file
    shared = try other.flatMap { try file.canShare(blocksOf: $0) ? $0 : nil }
  }

  var sink: PackageSink { PackageSink(write: write, shared: shared.map { ($0, appendRange) }) }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try flushTaken()
    // Large pieces are written without another copy.
    if bytes.count < Layout.packSize { pending += bytes }
    guard bytes.count >= Layout.packSize || pending.count >= Layout.blockSize else { return }
    try flushPending()
    if bytes.count >= Layout.packSize {
      try file.write(bytes, at: position)
      position += bytes.count
    }
  }

  private func appendRange(_ range: Range<Int>) throws(Failure) {
    try flushPending()
    if taken.upperBound == range.lowerBound {
      taken = taken.lowerBound..<range.upperBound
    } else {
      try flushTaken()
      taken = range
    }
  }

  /// Writes the pending pieces.
  /// - Returns: the size of the file in bytes.
  func finish() throws(Failure) -> Int {
    try flushPending()
    try flushTaken()
    return position
  }

  private func flushPending() throws(Failure) {
    try pending.withUnsafeBytes { try file.write($0, at: position) }
    position += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  private func flushTaken() throws(Failure) {
    if let shared, !taken.isEmpty { try file.write(taken, of: shared, at: position) }
    position += taken.count
    taken = 0..<0
  }
}
