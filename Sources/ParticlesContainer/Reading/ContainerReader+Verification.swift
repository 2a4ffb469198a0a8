public import ParticlesCore

extension ContainerReader {
  /// How thoroughly to verify.
  public enum Depth: Sendable {
    /// Every checksum, every position and length, the whole index.
    case quick
    /// All that, and every payload unpacked.
    case full
  }

  /// Checks every byte of the package and returns what is wrong; nothing if all is well.
  ///
  /// Frames are checked one after the other from the header to the footer, so that every byte
  /// belongs to exactly one; then the index is checked against the frames that were found.
  /// - Throws: only what reading the source throws.
  public func verify(_ depth: Depth = .full) throws -> [Diagnostic] {
    var walk = FrameWalk(source: source, unpacking: depth == .full)
    do {
      try walk.run(to: footer)
    } catch let diagnostic as Diagnostic where diagnostic.rule.family != "file" {
      walk.findings.append(diagnostic)
    }
    var findings = walk.findings
    if findings.isEmpty {
      do {
        _ = try entries()
        try check(against: walk)
      } catch let diagnostic as Diagnostic where diagnostic.rule.family != "file" {
        findings.append(diagnostic)
      }
    }
    return warnings + findings.map { $0.inside(Location(file: source.name)) }
  }

  /// The blocks that the tables tell of must be those that stand in the file.
  private func check(against walk: FrameWalk) throws {
    for (told, found) in zip(try blocks(), walk.blocks) where told != found {
      throw Diagnostic(
        .index, at: .offset(found.frame.position), "a block is not the one in the table",
        expected: "\(told.rawLength) bytes in \(told.frame.length)",
        found: "\(found.rawLength) in \(found.frame.length)")
    }
    guard try blocks().count == walk.blocks.count else {
      throw Diagnostic(
        .index, at: .offset(footer.root), "number of blocks in the tables",
        expected: "\(walk.blocks.count)", found: "\(try blocks().count)")
    }
    for reference in root.pages.map(\.frame) + root.tables.map(\.frame)
    where !walk.indexFrames.contains(reference) {
      throw Diagnostic(
        .index, at: .offset(reference.position), "a reference leads to no frame of the index")
    }
  }
}

/// Goes through a flat package frame by frame.
struct FrameWalk {
  let source: ByteSource
  let unpacking: Bool

  var findings: [Diagnostic] = []
  private(set) var blocks: [Block] = []
  private(set) var indexFrames: Set<FrameReference> = []

  private var previous: FrameKind = .done
  private var generation = 0
  private var lastRoot = 0
  private var lastFooter = 0
  private let inflate = Inflate()

  init(source: ByteSource, unpacking: Bool) {
    self.source = source
    self.unpacking = unpacking
  }

  /// Checks all frames up to the end of `footer`. Damage inside a frame is noted and passed over;
  /// what makes the next frame impossible to find is thrown.
  mutating func run(to footer: Footer) throws {
    var position = Layout.headerSize
    while position < footer.end {
      position = try step(at: position, end: footer.end)
    }
    guard lastFooter == footer.position, generation == footer.generation else {
      throw Diagnostic(
        .coverage, at: .offset(position), expected: "generation \(footer.generation)",
        found: "\(generation) finished ones")
    }
  }

  /// Checks one frame and returns where the next one begins.
  private mutating func step(at position: Int, end: Int) throws -> Int {
    let rest = end - position
    guard rest >= Layout.frameHeaderSize else {
      throw Diagnostic(.coverage, at: .offset(position), found: "\(rest) bytes that are no frame")
    }
    let bytes = try source.bytes(at: position, count: Layout.frameHeaderSize)
    let head = try FrameHeader(bytes, at: position)
    guard head.frameLength <= rest else {
      throw Diagnostic(
        .coverage, at: .offset(position), "a \(head.kind.name) frame reaches too far",
        expected: "at most \(rest) bytes", found: "\(head.frameLength)")
    }
    let all = try source.bytes(at: position, count: head.frameLength)
    do {
      let frame = try Frame(all, head, at: position)
      try check(order: head, at: position)
      if unpacking { _ = try frame.unpacked(inflate) }
      if head.kind == .done { try check(Footer(decoding: all, at: position)) }
    } catch let diagnostic as Diagnostic {
      findings.append(diagnostic)
    }
    remember(head, at: position)
    return position + head.frameLength
  }

  /// A generation is: pages, blocks, the table of the blocks if there are any, root, footer.
  private func check(order head: FrameHeader, at position: Int) throws {
    let allowed: [FrameKind] =
      switch previous {
      case .done, .tree: [.tree, .data, .root]
      case .data: [.data, .blocks]
      case .blocks: [.root]
      case .root: [.done]
      }
    guard allowed.contains(head.kind) else {
      throw Diagnostic(
        .coverage, at: .offset(position), "order of frames",
        expected: allowed.map(\.name).joined(separator: " or "), found: head.kind.name)
    }
    let place = head.kind == .data ? blocks.last?.end ?? 0 : position
    guard head.place == place else {
      throw Diagnostic(
        .frame, at: .offset(position), "place of a \(head.kind.name) frame", expected: "\(place)",
        found: "\(head.place)")
    }
  }

  private func check(_ footer: Footer) throws {
    guard footer.generation == generation + 1, footer.root == lastRoot,
      footer.previous == lastFooter
    else {
      throw Diagnostic(
        .frame, at: .offset(footer.position), "footer",
        expected: "generation \(generation + 1), root \(lastRoot), previous \(lastFooter)",
        found: "generation \(footer.generation), root \(footer.root), previous \(footer.previous)")
    }
  }

  private mutating func remember(_ head: FrameHeader, at position: Int) {
    let reference = FrameReference(position: position, length: head.frameLength)
    switch head.kind {
    case .data:
      blocks.append(
        Block(offset: blocks.last?.end ?? 0, rawLength: head.rawLength, frame: reference))
    case .tree, .blocks: indexFrames.insert(reference)
    case .root: lastRoot = position
    case .done:
      generation += 1
      lastFooter = position
    }
    previous = head.kind
  }
}
