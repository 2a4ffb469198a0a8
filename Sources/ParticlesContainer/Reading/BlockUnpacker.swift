internal import ParticlesCore

/// Reads and unpacks frames in buffers that it reuses; one for each thread.
final class BlockUnpacker {
  private let frame = WorkBuffer()
  private let raw = WorkBuffer()

  /// Returns the bytes of a block, valid until the next call. Checks the checksum.
  func unpack(_ block: Block, from source: ByteSource) throws -> UnsafeRawBufferPointer {
    let (head, payload) = try read(block.frame, from: source)
    try head.check(against: block)
    return try unpack(head, payload, at: block.frame.position)
  }

  /// Reads a frame and checks its checksum.
  func read(
    _ reference: FrameReference, from source: ByteSource
  ) throws -> (FrameHeader, UnsafeRawBufferPointer) {
    let bytes = frame[reference.length]
    try source.read(at: reference.position, into: bytes)
    let head = try FrameHeader(
      Array(bytes.prefix(Layout.frameHeaderSize)), at: reference.position)
    guard head.frameLength == reference.length else {
      throw Diagnostic(
        .frame, at: .offset(reference.position), "length of a frame",
        expected: "\(reference.length)", found: "\(head.frameLength)")
    }
    let payload = UnsafeRawBufferPointer(rebasing: bytes[Layout.frameHeaderSize...])
    try head.check(payload: payload, at: reference.position)
    return (head, payload)
  }

  /// Returns the unpacked payload, valid until the next call.
  func unpack(
    _ head: FrameHeader, _ payload: UnsafeRawBufferPointer, at position: Int
  ) throws -> UnsafeRawBufferPointer {
    guard head.isCompressed else { return payload }
    let output = raw[head.rawLength]
    guard Inflate.zlib(payload, into: output) else {
      throw Diagnostic(
        .payload, at: .offset(position + Layout.frameHeaderSize), "\(head.kind.name) frame",
        expected: "a zlib stream of \(head.rawLength) bytes")
    }
    return UnsafeRawBufferPointer(output)
  }
}
