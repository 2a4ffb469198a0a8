internal import ParticlesCore
internal import Synchronization

/// Writes a tree below a folder, with several threads: block by block where contents stand in an
/// open package, so that each block is unpacked once, and file by file otherwise.
struct TreeWriter: Sendable {
  /// A regular file that is not empty.
  private struct File: Sendable {
    var path: String
    var isExecutable: Bool
    var size: Int
    /// Where its contents begin in the stream that they come from; `.max` if they come from none.
    var offset = Int.max

    var end: Int { offset + size }
  }

  /// What a thread does at a time.
  private enum Job: Sendable {
    /// A block, and the files that have bytes in it.
    case block(StreamReader, Block, files: Range<Int>)
    case file(Int, FileContents)
  }

  private var folders: [String] = []
  private var emptyFiles: [(path: String, isExecutable: Bool)] = []
  private var links: [(path: String, destination: String)] = []
  private var files: [File] = []
  private var jobs: [Job] = []

  /// Plans to write what is in a directory.
  /// - Throws: faults of paths and links; what finding the blocks of an open package throws.
  init(_ root: FileNode) throws {
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
    // Files of a package in the order of its stream; the others behind them.
    let isSorted = zip(found, found.dropFirst()).allSatisfy { $0.file.offset <= $1.file.offset }
    if !isSorted { found.sort { $0.file.offset < $1.file.offset } }
    files = found.map(\.file)
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

  /// Plans to write all of an open package, whose tree is checked.
  /// - Throws: what ``ContainerReader/entries()`` throws; what finding the blocks throws.
  init(_ reader: ContainerReader) throws {
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
    // None are behind the last block: the tree was checked, and the table says how long the stream is.
    _ = try locating(Location(file: reader.source.name)) {
      try planBlocks(of: reader.stream, files: 0..<files.count)
    }
  }

  /// How many regular files there are.
  var fileCount: Int { files.count + emptyFiles.count }

  /// Plans jobs for the blocks that these files have bytes in, and returns the files that the blocks
  /// do not hold to their end. These have nowhere to come from; reading them says so.
  private mutating func planBlocks(
    of reader: StreamReader, files range: Range<Int>
  ) throws -> [Int] {
    let blocks = try reader.blocks()
    var first = range.lowerBound
    for block in blocks {
      while first < range.upperBound, files[first].end <= block.offset { first += 1 }
      var last = first
      while last < range.upperBound, files[last].offset < block.end { last += 1 }
      if first < last { jobs.append(.block(reader, block, files: first..<last)) }
    }
    let streamEnd = blocks.last?.end ?? 0
    return range.filter { files[$0].end > streamEnd }
  }

  // MARK: Writing

  /// Writes everything below `folder`, where none of it may be yet.
  func write(to folder: FolderWriter, _ options: WorkOptions) throws {
    for path in folders { try folder.makeDirectory(path) }
    for file in emptyFiles { _ = try folder.createFile(file.path, executable: file.isExecutable) }
    try writeFiles(to: folder, options)
    // Last, so that nothing that is written here can pass through one.
    for link in links { try folder.makeLink(link.path, to: link.destination) }
  }

  private func writeFiles(to folder: FolderWriter, _ options: WorkOptions) throws {
    let work = SharedWork(total: files.reduce(0) { $0 + $1.size }, options)
    let open = OpenFiles()
    let done = Mutex(0)
    // Threads that create files in the same folder wait for each other, so each begins elsewhere.
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
        case .block(let reader, let block, let range):
          try write(block, of: reader, files: range, unpacker, open, to: folder)
        }
      done.withLock {
        $0 += count
        work.report($0)
      }
    }
  }

  private func write(
    _ file: File, holding contents: FileContents, to folder: FolderWriter
  ) throws -> Int {
    let target = try folder.createFile(file.path, executable: file.isExecutable)
    try contents.forEachPiece { try target.write($0) }
    return file.size
  }

  /// Unpacks a block and writes what each file has of it.
  private func write(
    _ block: Block, of reader: StreamReader, files range: Range<Int>,
    _ unpacker: BlockUnpacker, _ open: OpenFiles, to folder: FolderWriter
  ) throws -> Int {
    let bytes = try locating(Location(file: reader.source.name)) {
      try unpacker.unpack(block, from: reader.source)
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

/// Files that several threads write to, open until all their bytes are there.
private final class OpenFiles: Sendable {
  private let files = Mutex<[Int: (file: OpenFile, done: Int)]>([:])

  func file(_ index: Int, create: () throws -> OpenFile) throws -> OpenFile {
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
