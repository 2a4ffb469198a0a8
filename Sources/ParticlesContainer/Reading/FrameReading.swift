package import ParticlesCore

/// A frame whose checksum was verified, valid as long as the memory that it is in.
package struct Frame {
  package let head: FrameHeader
  /// The payload as stored in the file.
  let stored: UnsafeRawBufferPointer
  private let position: Int

  /// Checks a frame.
  /// - Parameters:
  ///   - bytes: head and payload.
  ///   - position: the position of the frame in the file.
  ///   - confirm: throws unless the head is the expected head. Called before the checksum is computed.
  package init(
    _ bytes: UnsafeRawBufferPointer, at position: Int,
    confirm: (FrameHeader) throws(Failure) -> Void = { _ in }
  ) throws(Failure) {
    head = try FrameHeader(bytes, at: position)
    try confirm(head)
    stored = UnsafeRawBufferPointer(rebasing: bytes[Layout.frameHeaderSize...])
    self.position = position
    try head.check(payload: stored, at: position)
  }

  /// Calls `body` with the unpacked payload.
  package func withPayload<Result>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard head.isCompressed else { return try body(stored) }
    return try withUnsafeTemporaryAllocation(byteCount: head.rawLength, alignment: 16) {
      buffer throws(Failure) in
      try unpack(into: buffer)
      return try body(UnsafeRawBufferPointer(buffer))
    }
  }

  package func unpacked() throws(Failure) -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: head.rawLength) { buffer, count throws(Failure) in
      try unpack(
        into: UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[..<head.rawLength]))
      count = head.rawLength
    }
  }

  /// Unpacks the payload into a buffer of exactly its size.
  func unpack(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) {
    guard buffer.count == head.rawLength else {
      throw Diagnostic(
        .frame, at: .offset(position), "unpacked length of a \(head.kind.name) frame",
        expected: "\(buffer.count)", found: "\(head.rawLength)")
    }
    guard head.isCompressed else { return buffer.copyMemory(from: stored) }
    guard Inflate.zlib(stored, into: buffer) else {
      throw Diagnostic(
        .payload, at: .offset(position + Layout.frameHeaderSize), "\(head.kind.name) frame",
        expected: "a zlib stream of \(head.rawLength) bytes")
    }
  }
}

extension ByteSource {
  /// Calls `body` with a frame, after checking it against a reference to the frame.
  func withFrame<Result>(
    _ reference: FrameReference, _ kind: FrameKind, place: Int,
    _ body: (Frame) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Before memory is allocated: a sparse file can be larger than any memory.
    guard reference.length <= Layout.frameHeaderSize + kind.limit else {
      throw Diagnostic(
        .frame, at: .offset(reference.position), "length of a \(kind.name) frame",
        expected: "at most \(Layout.frameHeaderSize + kind.limit)", found: "\(reference.length)")
    }
    return try withBytes(at: reference.position, count: reference.length) { bytes throws(Failure) in
      let frame = try Frame(bytes, at: reference.position) { head throws(Failure) in
        guard head.kind == kind, head.frameLength == reference.length, head.place == place else {
          throw Diagnostic(
            .frame, at: .offset(reference.position), "not the frame that the index refers to",
            expected: "\(kind.name) of \(reference.length) bytes for \(place)",
            found: "\(head.kind.name) of \(head.frameLength) bytes for \(head.place)")
        }
      }
      return try body(frame)
    }
  }

  /// Calls `body` with the unpacked payload of a frame of the index.
  func withPayload<Result>(
    of reference: FrameReference, _ kind: FrameKind,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withFrame(reference, kind, place: reference.position) { frame throws(Failure) in
      try frame.withPayload(body)
    }
  }
}

extension RandomAccessCollection {
  /// Returns the first index whose element satisfies `belongsBehind`. All later elements have to satisfy it, too.
  func partitioningIndex(where belongsBehind: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = self.count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if belongsBehind(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}

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

  /// The frames in the order of the file, including frames with a bad payload.
  private(set) var frames: [Frame] = []
  private(set) var blocks: [Block] = []
  /// The last intact footer of the walk, or the footer after which it began.
  private(set) var footer: Footer?

  private let source: ByteSource
  /// Bytes that were read ahead: heads that follow each other closely are read at once.
  private var window: (start: Int, bytes: [UInt8]) = (0, [])
  private static let windowSize = 4 << 10
  private var position: Int
  private var previous: FrameKind = .done
  private var rootPosition = 0
  /// The place that the next block must have, or nil if any.
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
  /// - Returns: why the walk ended earlier, or nil if it did not.
  /// - Throws: ``Rule/frame`` for an intact footer that contradicts its neighbours, and errors of the source.
  mutating func run(to end: Int) throws(Failure) -> Stop? {
    while position < end {
      if let stop = try step(end: end) { return stop }
    }
    return nil
  }

  /// Takes one step.
  private mutating func step(end: Int) throws(Failure) -> Stop? {
    let rest = end - position
    guard rest >= Layout.frameHeaderSize else {
      return .cut(
        Diagnostic(.coverage, at: .offset(position), found: "\(rest) bytes after the last frame"))
    }
    let (position, previous, streamEnd) = (position, previous, streamEnd)
    let decoded = try withHead { bytes throws(Failure) -> Result<FrameHeader, Diagnostic> in
      do throws(Failure) {
        let head = try FrameHeader(bytes, at: position)
        try head.check(after: previous, at: position, streamEnd: streamEnd)
        return .success(head)
      } catch {
        guard let fault = Diagnostic.of(error) else { throw error }
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
    append(head, frame)
    return nil
  }

  /// Calls `body` with the head at the position. The position is inside the source.
  private mutating func withHead<Result>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let size = Layout.frameHeaderSize
    if position < window.start || window.start + window.bytes.count < position + size {
      let count = min(Self.windowSize, source.size - position)
      // Of a damaged disk, the head may be all that can be read.
      if let bytes = try? source.bytes(at: position, count: count) {
        window.bytes = bytes
      } else {
        window.bytes = try source.bytes(at: position, count: size)
      }
      window.start = position
    }
    let start = position - window.start
    return try window.bytes[start..<start + size].withBytes(body)
  }

  private mutating func append(_ head: FrameHeader, _ frame: FrameReference) {
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

/// The bytes after the first footer of a package that is read once, front to back: decides, as
/// ``Generation`` does with random access, whether they are an unfinished save or begin with another
/// generation.
package struct TrailingBytes {
  /// How many bytes to read at once.
  package static let pieceSize = 64 << 10

  private let first: Footer
  /// Bytes that were not examined completely, and the position of their first byte.
  private var pending: [UInt8] = []
  private var start: Int
  /// The position of the next head, or nil after a place without a valid frame.
  private var next: Int?
  private var previous: FrameKind = .done
  /// The end of the stream of contents: the place of the next `DATA` frame.
  private var streamEnd: Int
  private var fault: (error: Failure, position: Int)?
  /// Whether the frames lead to another intact footer. What follows it is not examined.
  package private(set) var hasGeneration = false
  /// Whether the frames lead to another intact footer, or may do so in the bytes that follow.
  package var mayHaveGeneration: Bool { fault == nil }
  /// Whether there is an intact footer after the fault.
  private var hasFooterAfterFault = false

  /// - Parameters:
  ///   - footer: the first footer.
  ///   - streamSize: the bytes of all blocks before it.
  package init(after footer: Footer, streamSize: Int) {
    first = footer
    streamEnd = streamSize
    start = footer.end
    next = footer.end
  }

  private var end: Int { start + pending.count }

  package mutating func append(_ bytes: [UInt8]) {
    guard !hasGeneration else { return }
    pending += bytes
    walk()
    search()
    // A footer or a head may be cut in two.
    let kept = min(pending.count, Layout.footerSize - 1)
    start += pending.count - kept
    pending.removeFirst(pending.count - kept)
  }

  /// Decides at the end of the bytes.
  /// - Returns: a diagnostic of ``Rule/torn`` for an unfinished save, or nil if there were no bytes.
  /// - Throws: the fault of a damaged frame that is followed by a footer.
  package mutating func finish() throws(Failure) -> Diagnostic? {
    guard end > first.end else { return nil }
    if hasFooterAfterFault, let fault { throw fault.error }
    return Diagnostic(.torn, at: .offset(first.end), found: "\(end - first.end) bytes")
  }

  /// Follows the frames as far as their heads are there.
  private mutating func walk() {
    while !hasGeneration, let position = next, position >= start,
      position + Layout.frameHeaderSize <= end
    {
      let bytes = pending[(position - start)...]
      do throws(Failure) {
        let head = try bytes.withBytes { bytes throws(Failure) in
          try FrameHeader(bytes, at: position)
        }
        try head.check(after: previous, at: position, streamEnd: streamEnd)
        if head.kind == .done {
          guard bytes.count >= Layout.footerSize else { return }
          let footer = bytes.prefix(Layout.footerSize).withBytes {
            Footer(intact: $0, at: position)
          }
          guard footer != nil else {
            throw Diagnostic(.checksum, at: .offset(position), "\(head.kind.name) frame")
          }
          hasGeneration = true
        }
        if head.kind == .data { streamEnd = head.place + head.rawLength }
        previous = head.kind
        next = position + head.frameLength
      } catch {
        fault = (error, position)
        next = nil
      }
    }
  }

  /// Looks for intact footers after a fault, wherever they are.
  private mutating func search() {
    guard let fault else { return }
    let lowest = max(start, fault.position)
    guard lowest < end else { return }
    if Footer.last(in: pending[(lowest - start)...], at: lowest) != nil {
      hasFooterAfterFault = true
    }
  }
}
