internal import ParticlesCore

/// The footer of a generation: the record that commits the generation.
package struct Footer: Sendable, Hashable {
  /// Its own position.
  package var position: Int
  /// 1 for the first generation of a file, one more for each later one.
  package var generation: Int
  /// The position of the root, which ends where the footer begins.
  package var root: Int
  /// The position of the previous footer; 0 in the first generation.
  package var previous: Int

  package var end: Int { position + Layout.footerSize }

  /// The position of the first frame of the generation.
  var start: Int { previous > 0 ? previous + Layout.footerSize : Layout.headerSize }

  /// The first bytes of every footer: its tag and its lengths.
  static let beginning: [UInt8] = {
    var writer = ByteWriter()
    writer.u32(FrameKind.done.rawValue)
    for _ in 0..<2 { writer.u32(UInt32(Layout.footerPayloadSize)) }
    return writer.bytes
  }()

  package func encode() -> [UInt8] {
    var payload = ByteWriter()
    payload.size(generation)
    payload.size(root)
    payload.size(previous)
    let head = FrameHeader(
      .done, rawLength: payload.bytes.count, payload: payload.bytes, place: position)
    return head.bytes + payload.bytes
  }

  package init(position: Int, generation: Int, root: Int, previous: Int) {
    self.position = position
    self.generation = generation
    self.root = root
    self.previous = previous
  }

  /// Decodes a footer of ``Layout/footerSize`` bytes and checks it.
  /// - Throws: ``Rule/checksum`` or ``Rule/frame`` if it is not intact or contradicts itself.
  package init(decoding bytes: [UInt8], at position: Int) throws {
    self = try bytes.withUnsafeBytes { try Footer(decoding: $0, at: position) }
  }

  private init(decoding bytes: UnsafeRawBufferPointer, at position: Int) throws {
    let frame = try Frame(bytes, at: position) { head in
      guard head.kind == .done, head.storedLength == Layout.footerPayloadSize,
        bytes.count == Layout.footerSize, head.place == position
      else {
        throw Diagnostic(
          .frame, at: .offset(position),
          expected: "a \(FrameKind.done.name) frame at \(position)",
          found: "\(head.kind.name) at \(head.place)")
      }
    }
    generation = Int(clamping: frame.stored.number(at: 0) as UInt64)
    root = Int(clamping: frame.stored.number(at: 8) as UInt64)
    previous = Int(clamping: frame.stored.number(at: 16) as UInt64)
    self.position = position
  }

  /// Decodes a footer; nil unless the bytes are an intact one: a frame of the right kind, length and
  /// place with a right checksum. It may contradict itself or its neighbours.
  init?(intact bytes: UnsafeRawBufferPointer, at position: Int) {
    guard bytes.starts(with: Self.beginning),
      let footer = try? Footer(decoding: bytes, at: position)
    else { return nil }
    self = footer
  }

  /// Returns the last intact footer that is completely in `bytes`, wherever it begins; nil if there is
  /// none.
  /// - Parameter start: the position of the first byte in the file.
  package static func last(in bytes: ArraySlice<UInt8>, at start: Int) -> Footer? {
    bytes.withUnsafeBytes { bytes in
      for index in stride(from: bytes.count - Layout.footerSize, through: 0, by: -1)
      where bytes[index] == UInt8(ascii: "D") {
        let candidate = UnsafeRawBufferPointer(rebasing: bytes[index..<index + Layout.footerSize])
        if let footer = Footer(intact: candidate, at: start + index) { return footer }
      }
      return nil
    }
  }

  /// Throws unless the root is at a position, where the last `ROOT` frame before the footer begins.
  func check(root found: Int) throws {
    guard root == found else {
      throw Diagnostic(
        .frame, at: .offset(position), "footer", expected: "root \(found)", found: "root \(root)")
    }
  }

  /// Throws if the footer contradicts itself or the footer before it.
  /// - Parameter before: the footer of the previous generation; nil if this is the first.
  package func check(after before: Footer?) throws {
    let isRootInside = root >= before?.end ?? Layout.headerSize
    guard isRootInside, root < position - Layout.frameHeaderSize,
      generation == (before?.generation ?? 0) &+ 1, previous == before?.position ?? 0
    else {
      throw Diagnostic(
        .frame, at: .offset(position), "the footer contradicts the one before it",
        expected:
          "generation \((before?.generation ?? 0) &+ 1), previous \(before?.position ?? 0)",
        found: "generation \(generation), root \(root), previous \(previous)")
    }
  }
}
