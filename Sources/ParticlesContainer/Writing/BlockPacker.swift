internal import ParticlesCore

/// The frames of blocks that are contiguous in the stream and in the file.
struct PackedBlocks: Sendable {
  /// The source of bytes of the frames.
  enum Piece: Sendable {
    case memory(ArraySlice<UInt8>)
    /// In the file that blocks are shared with.
    case file(Range<Int>)
  }

  var pieces: [Piece] = []
  /// The length of each block in the stream, and of its frame.
  var lengths: [(raw: Int, frame: Int)] = []
  /// Memory that is returned to a pool after writing.
  var borrowed: [UInt8]?
}

extension [Block] {
  /// Appends blocks whose frames are contiguous from `position` on.
  /// - Parameter place: the offset of the first block of the array in the stream.
  mutating func append(_ packed: PackedBlocks, at position: Int, from place: Int = 0) {
    var position = position
    for (raw, length) in packed.lengths {
      append(
        Block(
          offset: last?.end ?? place, rawLength: raw,
          frame: FrameReference(position: position, length: length)))
      position += length
    }
  }
}

/// Makes the frames of planned blocks. Each thread has its own.
final class BlockPacker {
  /// A unit of work for a thread.
  private enum Job: Sendable {
    case block(PlannedBlock, place: Int)
    case stored(StoredBlocks)
  }

  private let compressor: PayloadCompressor
  private let buffer = WorkBuffer()

  private init(level: CompressionLevel) { compressor = PayloadCompressor(level: level) }

  /// Makes all blocks of a stream, with several threads, and calls `emit` in order.
  /// - Parameters:
  ///   - place: the offset of the first block in the stream.
  ///   - shared: the file whose blocks are shared instead of copied.
  static func pack(
    _ files: [StreamFile], at place: Int = 0, _ options: PackingOptions,
    in shared: ForeignFile? = nil, emit: (PackedBlocks) throws(Failure) -> Void
  ) throws(Failure) {
    let blocks = PlannedBlock.plan(files)
    let jobs = try jobs(blocks, files, at: place, reusing: options.reusesBlocks)
    let pool = BytePool(size: StoredBlocks.limit)
    let work = SharedWork(total: blocks.reduce(0) { $0 + $1.rawLength }, options.work)
    var done = 0
    try Parallel.ordered(
      jobs.count, threads: work.threads, state: { BlockPacker(level: options.level) },
      work: { index, packer throws(Failure) in
        try work.checkCancellation()
        return switch jobs[index] {
        case .block(let block, let place): try packer.pack(block, files, at: place)
        case .stored(let blocks): try blocks.packed(in: shared, pool)
        }
      },
      emit: { (packed: PackedBlocks) throws(Failure) in
        try emit(packed)
        if let bytes = packed.borrowed { pool.giveBack(bytes) }
        done += packed.lengths.reduce(0) { $0 + $1.raw }
        work.report(done)
      })
    try work.checkCancellation()
  }

  private static func jobs(
    _ blocks: [PlannedBlock], _ files: [StreamFile], at place: Int, reusing: Bool
  ) throws(Failure) -> [Job] {
    var jobs: [Job] = []
    var stored: StoredBlocks?
    var place = place
    for block in blocks {
      defer { place += block.rawLength }
      let found = reusing ? try block.stored(of: files) : nil
      if let found, stored?.append(found.block, of: found.stream, at: place) == true {
        continue
      }
      if let stored { jobs.append(.stored(stored)) }
      stored = found.map { StoredBlocks($0.block, of: $0.stream, at: place) }
      if found == nil { jobs.append(.block(block, place: place)) }
    }
    if let stored { jobs.append(.stored(stored)) }
    return jobs
  }

  /// Reads and compresses a block.
  private func pack(
    _ block: PlannedBlock, _ files: [StreamFile], at place: Int
  ) throws(Failure) -> PackedBlocks {
    let raw = buffer[block.rawLength]
    try block.read(from: files, into: raw)
    let payload = compressor.compressBlock(UnsafeRawBufferPointer(raw))
    let head = try FrameHeader(.data, payload, place: place)
    return PackedBlocks(
      pieces: [.memory(head.bytes[...]), .memory(payload.stored[...])],
      lengths: [(block.rawLength, head.frameLength)])
  }
}

/// The contents of a file of the stream.
package struct StreamFile: Sendable {
  var contents: FileContents
  /// Whether the extension belongs to a compressed format, such as an image.
  var isCompressed: Bool

  /// The extensions of compressed formats (`Spec/container.md#duties-of-writers`).
  package static let compressedExtensions: Set = [
    "7z", "avif", "bz2", "gif", "gz", "heic", "jpeg", "jpg", "m4a", "mp3", "mp4", "ogg",
    "png", "tgz", "webm", "webp", "xz", "zip", "zst",
  ]

  init(_ contents: FileContents, path: [UInt8]) {
    self.contents = contents
    isCompressed = Self.hasCompressedExtension(path)
  }

  /// The most letters that fit into a number of 64 bits. No known extension is longer.
  private static let mostLetters = 9

  /// Returns an extension in lower case as one number, seven bits a letter, or nil if it is longer than ``mostLetters``
  /// or not ASCII.
  private static func number(of name: some Collection<UInt8>) -> UInt64? {
    guard name.count <= mostLetters, name.allSatisfy({ $0 < 0x80 }) else { return nil }
    return name.reduce(0) { $0 << 7 | UInt64($1 | 0x20) }
  }

  private static let compressedNumbers = Set(
    compressedExtensions.compactMap { number(of: $0.utf8) })

  private static func hasCompressedExtension(_ path: [UInt8]) -> Bool {
    // No known extension is longer than this suffix.
    guard let point = path.suffix(mostLetters + 1).lastIndex(of: UInt8(ascii: ".")), point > 0,
      path[point - 1] != EntryPath.slash
    else { return false }
    guard let number = number(of: path[(point + 1)...]) else { return false }
    return compressedNumbers.contains(number)
  }
}

/// A block as planned: large files get blocks of their own, small ones share blocks. Compressed files
/// do not share with others, so that reading the document does not unpack images.
struct PlannedBlock: Sendable {
  /// The files whose contents it holds, as indices of the files that are not empty.
  var files: Range<Int>
  /// The offset in the first file.
  var offset = 0
  var rawLength = 0

  static func plan(_ files: [StreamFile]) -> [PlannedBlock] {
    var blocks: [PlannedBlock] = []
    var pack = PlannedBlock(files: 0..<0)
    func flush(next: Int) {
      if pack.rawLength > 0 { blocks.append(pack) }
      pack = PlannedBlock(files: next..<next)
    }
    var packsCompressed = false
    for (index, file) in files.enumerated() {
      let size = file.contents.size
      if size >= Layout.packSize {
        flush(next: index + 1)
        for offset in stride(from: 0, to: size, by: Layout.blockSize) {
          let length = min(Layout.blockSize, size - offset)
          blocks.append(
            PlannedBlock(files: index..<index + 1, offset: offset, rawLength: length))
        }
      } else {
        if pack.rawLength + size > Layout.packSize || file.isCompressed != packsCompressed {
          flush(next: index)
        }
        packsCompressed = file.isCompressed
        pack.files = pack.files.lowerBound..<index + 1
        pack.rawLength += size
      }
    }
    flush(next: files.count)
    return blocks
  }

  /// Fills `buffer`. Its length is the length of the block.
  func read(from all: [StreamFile], into buffer: UnsafeMutableRawBufferPointer) throws(Failure) {
    guard files.count > 1 else {
      return try all[files.lowerBound].contents.read(at: offset, into: buffer)
    }
    var position = 0
    for file in all[files] {
      let end = position + file.contents.size
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[position..<end])
      try file.contents.read(at: 0, into: piece)
      position = end
    }
  }

  /// Returns the block of the source package that has exactly these contents, or nil if there is none.
  func stored(of all: [StreamFile]) throws(Failure) -> (
    stream: StreamReader, block: Block
  )? {
    guard let first = all[files.lowerBound].contents.origin else { return nil }
    var end = first.offset
    for index in files {
      guard all[index].contents.isStored(in: first.stream, at: end) else { return nil }
      end += all[index].contents.size
    }
    return try locating(first.location) { () throws(Failure) in
      let start = first.offset + offset
      let found = try first.stream.block(exactly: start..<start + rawLength)
      return found.map { (first.stream, $0) }
    }
  }
}

/// The payload of a new frame: compressed if `stored` is shorter than `rawLength`.
struct Payload: Sendable {
  let stored: [UInt8]
  let rawLength: Int
  /// CRC-32 of the stored bytes, computed here because several threads make payloads.
  let checksum: UInt32

  init(stored: [UInt8], rawLength: Int) {
    self.stored = stored
    self.rawLength = rawLength
    checksum = CRC32.checksum(stored)
  }
}

/// Compresses payloads that become smaller. To be used from one thread.
final class PayloadCompressor {
  private let level: CompressionLevel
  private let output = WorkBuffer()
  // Each takes 256 KiB, and few saves need more than one.
  private lazy var deflate = Deflate(level: level.deflateLevel)
  private lazy var probe = Deflate(level: 1)
  private lazy var thorough = Deflate(level: 8)
  private lazy var optimal = Deflate(level: 10)

  private static let probeSize = 16 << 10
  /// Up to this size, the size of shared blocks, probing costs more than it saves.
  private static let unprobedSize = Layout.packSize
  /// Up to this size, the time of a slower level does not matter.
  private static let smallSize = 16 << 10

  init(level: CompressionLevel) { self.level = level }

  /// Compresses part of the index at level `best` only: front-coded paths are short, and every reader
  /// needs them first.
  func compressIndex(_ raw: [UInt8]) -> Payload {
    guard level == .best else { return Payload(stored: raw, rawLength: raw.count) }
    let stored = raw.withBytes { deflate.zlib($0, limit: raw.count - 1) }
    return Payload(stored: stored ?? raw, rawLength: raw.count)
  }

  /// Compresses a block of at most 64 KiB, and at level `best` any block, if that saves a byte. Larger blocks are
  /// compressed if that saves at least one byte in 64. Their first 16 KiB are tried. If these do not compress, as in
  /// PNG or JPEG, the block is stored.
  func compressBlock(_ raw: UnsafeRawBufferPointer) -> Payload {
    let beginning = UnsafeRawBufferPointer(rebasing: raw.prefix(Self.probeSize))
    let takesAnySaving = raw.count <= Self.unprobedSize || level == .best
    let worthTrying =
      takesAnySaving
      || probe.zlib(beginning, into: output[beginning.count - beginning.count / 64]) != nil
    let isSmall = raw.count <= Self.smallSize && level == .standard
    guard worthTrying,
      let count = (isSmall ? thorough : deflate).zlib(
        raw, into: output[raw.count - (takesAnySaving ? 1 : raw.count / 64)])
    else { return Payload(stored: Array(raw), rawLength: raw.count) }
    let stored = Array(output[count])
    // Of a small block with an embedded image, `zip -6` finds a few bytes more than the levels up to 9.
    if isSmall, count > raw.count / 2,
      let better = optimal.zlib(raw, into: output[count - 1])
    {
      return Payload(stored: Array(output[better]), rawLength: raw.count)
    }
    return Payload(stored: stored, rawLength: raw.count)
  }
}

/// Blocks that are contiguous in the stream and in the file of a package, to be copied to another.
struct StoredBlocks: Sendable {
  /// The most bytes that are copied at a time: few system calls, little memory.
  static let limit = 128 << 10

  private let stream: StreamReader
  private var blocks: [Block]
  /// Their offset in the new package's stream minus their offset in this stream.
  private let shift: Int

  /// - Parameter place: the offset of the block in the stream of the new package.
  init(_ block: Block, of stream: StreamReader, at place: Int) {
    self.stream = stream
    blocks = [block]
    shift = place - block.offset
  }

  /// Appends a block if it is contiguous and the size stays below ``limit``.
  /// - Returns: whether it was added.
  mutating func append(_ block: Block, of stream: StreamReader, at place: Int) -> Bool {
    guard let last = blocks.last, stream === self.stream, block.offset == last.end,
      place - block.offset == shift, block.frame.position == last.frame.end,
      block.frame.end - blocks[0].frame.position <= Self.limit
    else { return false }
    blocks.append(block)
    return true
  }

  /// Returns the blocks as frames of the new package. Checks their checksums.
  /// - Parameter shared: the file whose blocks are shared instead of copied.
  func packed(in shared: ForeignFile?, _ pool: BytePool) throws(Failure) -> PackedBlocks {
    let source = stream.source
    let range = blocks[0].frame.position..<blocks[blocks.count - 1].frame.end
    var bytes = pool.borrow(range.count)
    try bytes.withUnsafeMutableBufferPointer { bytes throws(Failure) in
      let frames = UnsafeMutableRawBufferPointer(
        UnsafeMutableBufferPointer(rebasing: bytes[..<range.count]))
      try source.read(at: range.lowerBound, into: frames)
    }
    let stays = shared != nil && source.file === shared
    var packed = PackedBlocks()
    for block in blocks {
      packed.lengths.append((block.rawLength, block.frame.length))
      let start = block.frame.position - range.lowerBound
      let head = try bytes.withBytes { bytes throws(Failure) in
        try check(
          block, UnsafeRawBufferPointer(rebasing: bytes[start..<start + block.frame.length]))
      }
      // At an unchanged offset in the stream the head does not change.
      if shift == 0 { continue }
      let moved = head.moved(to: block.offset + shift).bytes
      if stays {
        let payload = block.frame.position + moved.count..<block.frame.end
        packed.pieces += [.memory(moved[...]), .file(payload)]
      } else {
        bytes.replaceSubrange(start..<start + moved.count, with: moved)
      }
    }
    if stays {
      pool.giveBack(bytes)
      if shift == 0 { packed.pieces = [.file(range)] }
    } else {
      packed.pieces = [.memory(bytes[..<range.count])]
      packed.borrowed = bytes
    }
    return packed
  }

  /// Returns the head of a frame after checking it against the table.
  private func check(_ block: Block, _ frame: UnsafeRawBufferPointer) throws(Failure) -> FrameHeader
  {
    try locating(stream.location(of: block.offset)) { () throws(Failure) in
      try Frame(frame, at: block.frame.position) { head throws(Failure) in
        try head.check(against: block)
      }.head
    }
  }
}
