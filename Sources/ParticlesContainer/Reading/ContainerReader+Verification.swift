public import ParticlesCore

extension ContainerReader {
  /// How thoroughly to verify.
  public enum Depth: Sendable {
    /// Every checksum, every position and length, the whole index.
    case quick
    /// The quick checks, and every payload unpacked.
    case full
  }

  /// Checks every byte of the package and returns all findings, ``warnings`` included; an empty array
  /// if there are none.
  ///
  /// Follows the heads of the frames from the header to the footer, so that every byte belongs to
  /// exactly one frame; checks each frame, with several threads; then checks the index against the
  /// frames.
  /// - Throws: errors of the source; ``ParticlesCore/Rule/limit``, which means that the package was not
  ///   checked; `CancellationError` if the current task is cancelled.
  public func verify(
    _ depth: Depth = .full, work: Container.WorkOptions = .init()
  ) throws -> [Diagnostic] {
    var findings: [Diagnostic] = []
    var walk = FrameWalk(source)
    func noting(_ body: () throws -> Void) throws {
      do {
        try body()
      } catch let diagnostic as Diagnostic where Self.isOfFile(diagnostic) {
        findings.append(diagnostic)
      }
    }
    try noting {
      if let stop = try walk.run(to: footer.end) { throw stop.diagnostic }
      guard walk.footer == footer else {
        throw Diagnostic(
          .coverage, at: .offset(footer.position), expected: "generation \(footer.generation)",
          found: "\(walk.footer?.generation ?? 0) finished ones")
      }
    }
    let damaged = try check(walk.frames, unpacking: depth == .full, work)
    if !damaged.isEmpty {
      // After a damaged head the walk is out of step: its finding is a consequence, not another fault.
      findings = damaged
    } else if findings.isEmpty {
      try noting {
        try forEachEntry { _ in }
        try check(against: walk)
      }
    }
    return warnings + findings.map { $0.inside(Location(file: source.name)) }
  }

  /// Whether a diagnostic is about the package, and not about the system or the limits of the caller.
  private static func isOfFile(_ diagnostic: Diagnostic) -> Bool {
    diagnostic.rule.family != "file" && diagnostic.rule != .limit
  }

  /// Returns the faults inside frames, in the order of their positions.
  private func check(
    _ frames: [FrameWalk.Frame], unpacking: Bool, _ options: WorkOptions
  ) throws -> [Diagnostic] {
    let work = SharedWork(total: frames.reduce(0) { $0 + $1.reference.length }, options)
    let source = source
    let findings = Lock<[(position: Int, Diagnostic)]>([])
    let done = Lock(0)
    try Parallel.forEach(frames.count, threads: work.threads, state: { BlockUnpacker() }) {
      index, unpacker in
      try work.checkCancellation()
      let frame = frames[index]
      do {
        let read = try unpacker.read(frame.reference, from: source)
        if unpacking { _ = try unpacker.unpack(read) }
      } catch let diagnostic as Diagnostic where Self.isOfFile(diagnostic) {
        findings.withLock { $0.append((frame.reference.position, diagnostic)) }
      }
      done.withLock {
        $0 += frame.reference.length
        work.report($0)
      }
    }
    return findings.withLock { $0.sorted { $0.position < $1.position }.map(\.1) }
  }

  /// Throws unless the tables list exactly the blocks of the file, and all references lead to frames.
  private func check(against walk: FrameWalk) throws {
    try last.check(against: walk)
    let told = try blocks()
    for (told, found) in zip(told, walk.blocks) where told != found {
      throw Diagnostic(
        .index, at: .offset(found.frame.position), "not the block that the table lists",
        expected: "\(told.rawLength) bytes in \(told.frame.length)",
        found: "\(found.rawLength) in \(found.frame.length)")
    }
    guard told.count == walk.blocks.count else {
      throw Diagnostic(
        .index, at: .offset(footer.root), "number of blocks in the tables",
        expected: "\(walk.blocks.count)", found: "\(told.count)")
    }
    func isFrame(_ reference: FrameReference, _ kind: FrameKind) -> Bool {
      let index = walk.frames.partitioningIndex { $0.reference.position >= reference.position }
      guard index < walk.frames.count else { return false }
      return walk.frames[index].reference == reference && walk.frames[index].kind == kind
    }
    let references =
      root.pages.map { ($0.frame, FrameKind.tree) } + root.tables.map { ($0.frame, .blocks) }
    for (reference, kind) in references where !isFrame(reference, kind) {
      throw Diagnostic(
        .index, at: .offset(reference.position), "the root refers to no page or table")
    }
  }
}
