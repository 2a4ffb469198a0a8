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
  /// frames, also that of earlier generations. A reader ignores what pages and roots of earlier generations
  /// contain, so a package may be read that has findings here.
  /// - Throws: errors of the source; ``ParticlesCore/Rule/limit``, which means that the package was not
  ///   checked; `CancellationError` if the current task is cancelled.
  public func verify(
    _ depth: Depth = .full, work: Container.WorkOptions = .init()
  ) throws -> [Diagnostic] {
    try verify(depth, earlier: .error, work: work)
  }

  /// Checks as ``verify(_:work:)`` does.
  /// - Parameter earlier: the severity of faults in the index of earlier generations, which no reader needs;
  ///   nil to leave them out.
  package func verify(
    _ depth: Depth = .full, earlier: Diagnostic.Severity?, work: Container.WorkOptions = .init()
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
        _ = try Self.check(last, against: walk, source, limits)
      }
      if let earlier, findings.isEmpty {
        var history = History(self, walk)
        for var fault in try history.faults() {
          fault.severity = earlier
          findings.append(fault)
        }
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
    try work.checkCancellation()
    return findings.withLock { $0.sorted { $0.position < $1.position }.map(\.1) }
  }
}
