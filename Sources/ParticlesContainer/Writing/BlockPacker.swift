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

/// Makes the frames of planned blocks; one for each thread.
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
    in shared: OpenFile? = nil, emit: (PackedBlocks) throws -> Void
  ) throws {
    let blocks = PlannedBlock.plan(files)
    let jobs = try jobs(blocks, files, at: place, reusing: options.reusesBlocks)
    let pool = BytePool(size: StoredBlocks.limit)
    let work = SharedWork(total: blocks.reduce(0) { $0 + $1.rawLength }, options.work)
    var done = 0
    try Parallel.ordered(
      jobs.count, threads: work.threads, state: { BlockPacker(level: options.level) },
      work: { index, packer in
        try work.checkCancellation()
        return switch jobs[index] {
        case .block(let block, let place): try packer.pack(block, files, at: place)
        case .stored(let blocks): try blocks.packed(in: shared, pool)
        }
      },
      emit: { (packed: PackedBlocks) in
        try emit(packed)
        if let bytes = packed.borrowed { pool.giveBack(bytes) }
        done += packed.lengths.reduce(0) { $0 + $1.raw }
        work.report(done)
      })
    try work.checkCancellation()
  }

  private static func jobs(
    _ blocks: [PlannedBlock], _ files: [StreamFile], at place: Int, reusing: Bool
  ) throws -> [Job] {
    var jobs: [Job] = []
    var stored: StoredBlocks?
    var place = place
    for block in blocks {
      defer { place += block.rawLength }
      let found = reusing ? try block.stored(of: files) : nil
      if let found, stored?.append(found.block, of: found.stream, found.source, at: place) == true {
        continue
      }
      if let stored { jobs.append(.stored(stored)) }
      stored = found.map { StoredBlocks($0.block, of: $0.stream, $0.source, at: place) }
      if found == nil { jobs.append(.block(block, place: place)) }
    }
    if let stored { jobs.append(.stored(stored)) }
    return jobs
  }

  /// Reads and compresses a block.
  private func pack(
    _ block: PlannedBlock, _ files: [StreamFile], at place: Int
  ) throws -> PackedBlocks {
    let raw = buffer[block.rawLength]
    try block.read(from: files, into: raw)
    let payload = compressor.compressBlock(UnsafeRawBufferPointer(raw))
    let head = try FrameHeader(.data, payload, place: place)
    return PackedBlocks(
      pieces: [.memory(head.bytes[...]), .memory(payload.stored[...])],
      lengths: [(block.rawLength, head.frameLength)])
  }
}
