internal import ParticlesCore
internal import Synchronization

/// Writes a tree below a folder, with several threads: block by block where contents stand in an
/// open package, so that each block is unpacked once, and file by file otherwise.
struct TreeWriter: Sendable {
  /// A regular file that is not empty.
  private struct File: Sendable {
    var path: String
    var contents: FileContents
    var isExecutable: Bool
  }

  /// What a thread does at a time.
  private enum Job: Sendable {
    /// A block, and the files that have bytes in it.
    case block(StreamReader, Block, files: Range<Int>)
    case file(Int)
  }

  private let folder: FolderWriter
  private var files: [File] = []
  private var jobs: [Job] = []

  /// Writes what is in `root` below `folder`, where none of it may be yet.
  static func write(_ root: FileNode, to folder: FolderWriter, _ options: WorkOptions) throws {
    var writer = TreeWriter(folder: folder)
    let links = try writer.makeFolders(root)
    try writer.planJobs()
    try writer.run(options)
    // Last, so that nothing that is written here can pass through one.
    for (path, destination) in links { try folder.makeLink(path, to: destination) }
  }

  private init(folder: FolderWriter) { self.folder = folder }

  /// Makes folders and empty files, collects the others, and returns the links.
  private mutating func makeFolders(_ root: FileNode) throws -> [(String, String)] {
    var links: [(String, String)] = []
    try root.forEachDescendant { path, node in
      switch node.storage {
      case .directory: try folder.makeDirectory(path)
      case .link(let destination):
        try EntryPath.check(link: destination, from: path)
        links.append((path, destination))
      case .file(let contents, let isExecutable):
        if contents.size == 0 {
          _ = try folder.createFile(path, executable: isExecutable)
        } else {
          files.append(File(path: path, contents: contents, isExecutable: isExecutable))
        }
      }
    }
    return links
  }

  private mutating func planJobs() throws {
    // Files of a package in the order of its stream; the others behind them.
    func key(_ file: File) -> Int {
      file.contents.origin.map { $0.store is StreamReader ? $0.offset : .max } ?? .max
    }
    let isSorted = zip(files, files.dropFirst()).allSatisfy { key($0) <= key($1) }
    if !isSorted { files.sort { key($0) < key($1) } }
    var index = 0
    while index < files.count {
      guard let reader = files[index].contents.origin?.store as? StreamReader else {
        jobs.append(.file(index))
        index += 1
        continue
      }
      let end = files[index...].firstIndex { $0.contents.origin?.store !== reader } ?? files.count
      try planBlocks(of: reader, files: index..<end)
      index = end
    }
  }

  private mutating func planBlocks(of reader: StreamReader, files range: Range<Int>) throws {
    var first = range.lowerBound
    for block in try reader.blocks() {
      while first < range.upperBound, end(of: first) <= block.offset { first += 1 }
      var last = first
      while last < range.upperBound, offset(of: last) < block.end { last += 1 }
      if first < last { jobs.append(.block(reader, block, files: first..<last)) }
    }
    // Files behind the last block have nowhere to come from; reading them says so.
    let streamEnd = try reader.blocks().last?.end ?? 0
    jobs += range.filter { end(of: $0) > streamEnd }.map { .file($0) }
  }

  private func offset(of file: Int) -> Int { files[file].contents.origin?.offset ?? 0 }

  private func end(of file: Int) -> Int { offset(of: file) + files[file].contents.size }

  // MARK: Writing

  private func run(_ options: WorkOptions) throws {
    let work = SharedWork(total: files.reduce(0) { $0 + $1.contents.size }, options)
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
        case .file(let file): try writeWhole(files[file])
        case .block(let reader, let block, let range):
          try write(block, of: reader, files: range, unpacker, open)
        }
      done.withLock {
        $0 += count
        work.report($0)
      }
    }
  }

  private func writeWhole(_ file: File) throws -> Int {
    let target = try folder.createFile(file.path, executable: file.isExecutable)
    try file.contents.forEachPiece { try target.write($0) }
    return file.contents.size
  }

  /// Unpacks a block and writes what each file has of it.
  private func write(
    _ block: Block, of reader: StreamReader, files range: Range<Int>,
    _ unpacker: BlockUnpacker, _ open: OpenFiles
  ) throws -> Int {
    let bytes = try locating(Location(file: reader.source.name)) {
      try unpacker.unpack(block, from: reader.source)
    }
    var count = 0
    for index in range {
      let (start, end) = (max(offset(of: index), block.offset), min(self.end(of: index), block.end))
      let piece = UnsafeRawBufferPointer(
        rebasing: bytes[(start - block.offset)..<(end - block.offset)])
      let file = files[index]
      if piece.count == file.contents.size {
        try folder.createFile(file.path, executable: file.isExecutable).write(piece)
      } else {
        let target = try open.file(index) {
          try folder.createFile(file.path, executable: file.isExecutable)
        }
        try target.write(piece, at: start - offset(of: index))
        open.finished(index, piece.count, of: file.contents.size)
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
