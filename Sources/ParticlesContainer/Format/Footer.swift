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

  /// Reads and checks a footer of ``Layout/footerSize`` bytes.
  package init(decoding bytes: [UInt8], at position: Int) throws {
    let head = try FrameHeader(bytes, at: position)
    guard head.kind == .done, head.frameLength == bytes.count else {
      throw Diagnostic(
        .frame, at: .offset(position), expected: "a \(FrameKind.done.name) frame",
        found: head.kind.name)
    }
    let payload = Array(bytes[Layout.frameHeaderSize...])
    try payload.withUnsafeBytes { try head.check(payload: $0, at: position) }
    var reader = ByteReader(payload, base: position + Layout.frameHeaderSize, rule: .frame)
    generation = try reader.size()
    root = try reader.size()
    previous = try reader.size()
    self.position = position
    guard head.place == position, generation > 0, root >= Layout.headerSize,
      root < position - Layout.frameHeaderSize, previous < root,
      (previous == 0) == (generation == 1),
      // Each earlier generation has a footer of its own.
      generation - 1 <= position / Layout.footerSize
    else {
      throw Diagnostic(
        .frame, at: .offset(position), "the footer contradicts itself",
        found: "place \(head.place), generation \(generation), root \(root), previous \(previous)")
    }
  }
}
