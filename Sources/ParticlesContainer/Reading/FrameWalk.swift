internal import ParticlesCore

/// Walks through a flat package from frame to frame, reading only heads and footers.
struct FrameWalk {
  /// A frame of the walk.
  struct Frame: Sendable {
    var kind: FrameKind
    var reference: FrameReference
  }

  /// The reason why a walk ended before the end that was asked for.
  enum Stop {
    /// The frame at a position continues after the end.
    case cut(Diagnostic)
    /// There is no valid frame at a position.
    case fault(Diagnostic, at: Int)

    var diagnostic: Diagnostic {
      switch self {
      case .cut(let diagnostic), .fault(let diagnostic, _): diagnostic
      }
    }
  }

  /// The frames in the order of the file, those with a bad payload included.
  private(set) var frames: [Frame] = []
  /// The blocks among them.
  private(set) var blocks: [Block] = []
  /// The last intact footer of the walk, or the one after which it began.
  private(set) var footer: Footer?

  private let source: ByteSource
  /// Bytes that were read ahead: heads that follow each other closely are read at once.
  private var window: (start: Int, bytes: [UInt8]) = (0, [])
  private static let windowSize = 4 << 10
  private var position: Int
  private var previous: FrameKind = .done
  private var rootPosition = 0
  /// The place that the next block must have; nil if any.
  private var streamEnd: Int?

  /// Begins at the first frame of a file.
  init(_ source: ByteSource) {
    self.source = source
    position = Layout.headerSize
    streamEnd = 0
  }

  /// Begins at the first frame after a footer.
  init(_ source: ByteSource, after footer: Footer) {
    self.source = source
    self.footer = footer
    position = footer.end
  }

  /// Follows the frames up to a position.
  /// - Returns: why the walk ended earlier; nil if it did not.
  /// - Throws: ``Rule/frame`` for an intact footer that contradicts its neighbours; errors of the
  ///   source.
  mutating func run(to end: Int) throws -> Stop? {
    while position < end {
      if let stop = try step(end: end) { return stop }
    }
    return nil
  }

  /// Takes one step.
  private mutating func step(end: Int) throws -> Stop? {
    let rest = end - position
    guard rest >= Layout.frameHeaderSize else {
      return .cut(
        Diagnostic(.coverage, at: .offset(position), found: "\(rest) bytes after the last frame"))
    }
    let (position, previous, streamEnd) = (position, previous, streamEnd)
    let decoded = try withHead { bytes -> Result<FrameHeader, Diagnostic> in
      do {
        let head = try FrameHeader(bytes, at: position)
        try head.check(after: previous, at: position, streamEnd: streamEnd)
        return .success(head)
      } catch let fault as Diagnostic {
        return .failure(fault)
      }
    }
    let head: FrameHeader
    switch decoded {
    case .success(let decoded): head = decoded
    case .failure(let fault): return .fault(fault, at: position)
    }
    let frame = FrameReference(position: position, length: head.frameLength)
    guard head.frameLength <= rest else {
      return .cut(
        Diagnostic(
          .coverage, at: .offset(position), "a \(head.kind.name) frame is too long",
          expected: "at most \(rest) bytes", found: "\(head.frameLength)"))
    }
    if head.kind == .done {
      guard let next = try Generation.intactFooter(at: position, of: source) else {
        return .fault(
          Diagnostic(.checksum, at: .offset(position), "\(head.kind.name) frame"), at: position)
      }
      try next.check(after: footer)
      try next.check(root: rootPosition)
      footer = next
    }
    take(head, frame)
    return nil
  }

  /// Calls `body` with the head at the position, which is inside the source.
  private mutating func withHead<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let size = Layout.frameHeaderSize
    if position < window.start || window.start + window.bytes.count < position + size {
      let count = min(Self.windowSize, source.size - position)
      // Of a damaged disk, the head may be all that can be read.
      window.bytes =
        try (try? source.bytes(at: position, count: count))
        ?? source.bytes(at: position, count: size)
      window.start = position
    }
    let start = position - window.start
    return try window.bytes[start..<start + size].withUnsafeBytes(body)
  }

  private mutating func take(_ head: FrameHeader, _ frame: FrameReference) {
    frames.append(Frame(kind: head.kind, reference: frame))
    if head.kind == .root { rootPosition = position }
    if head.kind == .data {
      blocks.append(Block(offset: head.place, rawLength: head.rawLength, frame: frame))
      streamEnd = head.place + head.rawLength
    }
    previous = head.kind
    position = frame.end
  }
}
