internal import ParticlesCore

/// Walks through a flat package from frame to frame, reading only heads and footers.
struct FrameWalk {
  /// A frame of the walk.
  struct Frame: Sendable {
    var kind: FrameKind
    var reference: FrameReference
  }

  /// The frames in the order of the file, those with a bad payload included.
  private(set) var frames: [Frame] = []
  /// The blocks among them.
  private(set) var blocks: [Block] = []

  private let source: ByteSource
  private var previous: FrameKind = .done
  private var generation = 0
  private var lastRoot = 0
  private var lastFooter = 0

  init(_ source: ByteSource) { self.source = source }

  /// Follows the frames up to the end of `footer`.
  /// - Throws: the first fault, after which the positions of frames are unknown.
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

  /// Follows the frames up to the first fault.
  /// - Throws: errors of the source that are not diagnostics.
  mutating func runAsFarAsPossible() throws {
    var position = Layout.headerSize
    while let next = try Recovery.attempt({ try step(at: position, end: source.size) }) {
      position = next
    }
  }

  /// Checks the head of a frame and returns where the next one begins.
  private mutating func step(at position: Int, end: Int) throws -> Int {
    let rest = end - position
    guard rest >= Layout.frameHeaderSize else {
      throw Diagnostic(
        .coverage, at: .offset(position), found: "\(rest) bytes after the last frame")
    }
    let bytes = try source.bytes(at: position, count: Layout.frameHeaderSize)
    let head = try FrameHeader(bytes, at: position)
    guard head.frameLength <= rest else {
      throw Diagnostic(
        .coverage, at: .offset(position), "a \(head.kind.name) frame is too long",
        expected: "at most \(rest) bytes", found: "\(head.frameLength)")
    }
    frames.append(
      Frame(kind: head.kind, reference: .init(position: position, length: head.frameLength)))
    try check(order: head, at: position)
    try remember(head, at: position)
    return position + head.frameLength
  }

  private func check(order head: FrameHeader, at position: Int) throws {
    try head.kind.check(after: previous, at: position)
    let place = head.kind == .data ? blocks.last?.end ?? 0 : position
    guard head.place == place else {
      throw Diagnostic(
        .frame, at: .offset(position), "place of a \(head.kind.name) frame", expected: "\(place)",
        found: "\(head.place)")
    }
  }

  private mutating func remember(_ head: FrameHeader, at position: Int) throws {
    switch head.kind {
    case .data:
      blocks.append(
        Block(
          offset: blocks.last?.end ?? 0, rawLength: head.rawLength,
          frame: .init(position: position, length: head.frameLength)))
    case .tree, .blocks: break
    case .root: lastRoot = position
    case .done:
      let bytes = try source.bytes(at: position, count: head.frameLength)
      try check(Footer(decoding: bytes, at: position))
      generation += 1
      lastFooter = position
    }
    previous = head.kind
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
}
