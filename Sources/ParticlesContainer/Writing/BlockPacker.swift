internal import ParticlesCore

/// What a thread needs to make payloads of planned blocks.
final class BlockPacker {
  let compressor: PayloadCompressor
  private let buffer = WorkBuffer(capacity: Layout.packSize)

  init(level: CompressionLevel) { compressor = PayloadCompressor(level: level) }

  /// The payload of a block: as a package has it already, or read and compressed.
  private func payload(
    of block: PlannedBlock, _ files: [StreamFile], reusing: Bool, in shared: OpenFile?
  ) throws -> Payload {
    if reusing, let payload = try block.storedPayload(of: files, in: shared) { return payload }
    let raw = buffer[block.rawLength]
    try block.read(from: files, into: raw)
    return compressor.compressBlock(UnsafeRawBufferPointer(raw))
  }

  /// Makes the payloads of all blocks of a stream, with several threads, and hands them on in order.
  /// - Parameter shared: the file in which the bytes of blocks may stay that it has already.
  static func pack(
    _ files: [StreamFile], _ options: PackingOptions, in shared: OpenFile? = nil,
    emit: (Payload) throws -> Void
  ) throws {
    let plan = PlannedBlock.plan(files)
    let work = SharedWork(total: plan.reduce(0) { $0 + $1.rawLength }, options.work)
    var done = 0
    try Parallel.ordered(
      plan.count, threads: work.threads, state: { BlockPacker(level: options.level) },
      work: { index, packer in
        try work.checkCancellation()
        return try packer.payload(
          of: plan[index], files, reusing: options.reusesBlocks, in: shared)
      },
      emit: { payload in
        try emit(payload)
        done += payload.rawLength
        work.report(done)
      })
  }
}
