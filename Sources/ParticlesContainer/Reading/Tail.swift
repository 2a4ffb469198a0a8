internal import ParticlesCore

/// The bytes after the first footer of a package that is read once, front to back: decides, as
/// ``Generation`` does with random access, whether they are an unfinished save or begin with another
/// generation.
struct Tail {
  /// How many bytes to read at once.
  static let pieceSize = 64 << 10

  private let first: Footer
  /// Bytes that were not examined completely, and the position of the first of them.
  private var pending: [UInt8] = []
  private var start: Int
  /// The position of the next head; nil after a place without a valid frame.
  private var next: Int?
  private var previous: FrameKind = .done
  /// The end of the stream of contents, which is the place of the next `DATA` frame.
  private var streamEnd: Int
  private var fault: (error: any Error, position: Int)?
  /// Whether the frames lead to another intact footer. What follows it is not examined.
  private(set) var hasGeneration = false
  /// Whether the frames lead to another intact footer, or may do so in the bytes that follow.
  var mayHaveGeneration: Bool { fault == nil }
  /// Whether there is an intact footer after the fault.
  private var hasFooterAfterFault = false

  /// - Parameters:
  ///   - footer: the first footer.
  ///   - streamSize: the bytes of all blocks before it.
  init(after footer: Footer, streamSize: Int) {
    first = footer
    streamEnd = streamSize
    start = footer.end
    next = footer.end
  }

  private var end: Int { start + pending.count }

  mutating func append(_ bytes: [UInt8]) {
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
  /// - Returns: a diagnostic of ``Rule/torn`` for an unfinished save; nil if there were no bytes.
  /// - Throws: the fault of a damaged frame that is followed by a footer.
  mutating func finish() throws -> Diagnostic? {
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
      do {
        let head = try bytes.withUnsafeBytes { try FrameHeader($0, at: position) }
        try head.check(after: previous, at: position, streamEnd: streamEnd)
        if head.kind == .done {
          guard bytes.count >= Layout.footerSize else { return }
          let footer = bytes.prefix(Layout.footerSize).withUnsafeBytes {
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
