public import ParticlesCore
public import ParticlesContainer
internal import ParticlesSystem

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

extension ContainerReader {
  /// Unpacks the package to a directory, whole or not at all. Checks the tree as ``entries()`` does
  /// before anything is written.
  /// - Parameters:
  ///   - path: the path of the new directory. Its parent must exist.
  ///   - replacing: whether an existing directory may be replaced.
  ///   - synchronizing: whether to wait until everything has reached the disk. If not, a loss of power soon afterwards
  ///     may truncate files.
  ///   - work: threads and progress.
  /// - Returns: the number of regular files.
  /// - Throws: the errors of ``entries()`` and of reading contents, ``ParticlesCore/Rule/fileExists`` and others of the
  ///   family `file`, and `CancellationError` if the current task is cancelled.
  @discardableResult
  public func unpack(
    toDirectory path: String, replacing: Bool = false, synchronizing: Bool = true,
    work: Container.WorkOptions = .init()
  ) throws(Failure) -> Int {
    let writer = try TreeWriter(self)
    try SafeSave.directory(path, replacing: replacing) { temporary in
      let folder = try FolderWriter(temporary)
      try writer.write(to: folder, work)
      if synchronizing { try folder.synchronize() }
    }
    return writer.fileCount
  }
}
