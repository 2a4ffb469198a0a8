internal import ParticlesCore

/// Reads and unpacks frames in buffers that it reuses; one for each thread.
final class BlockUnpacker {
  private let frame = WorkBuffer()
  private let raw = WorkBuffer()

  /// Returns the bytes of a block, valid until the next call. Checks the checksum.
  func unpack(_ block: Block, from source: ByteSource) throws -> UnsafeRawBufferPointer {
    let frame = try read(block.frame, from: source)
    try frame.head.check(against: block)
    return try unpack(frame)
  }

  /// Reads a frame and checks its checksum.
  func read(_ reference: FrameReference, from source: ByteSource) throws -> Frame {
    let bytes = frame[reference.length]
    try source.read(at: reference.position, into: bytes)
    return try Frame(UnsafeRawBufferPointer(bytes), at: reference.position) { head in
      guard head.frameLength == reference.length else {
        throw Diagnostic(
          .frame, at: .offset(reference.position), "length of a frame",
          expected: "\(reference.length)", found: "\(head.frameLength)")
      }
    }
  }

  /// Returns the unpacked payload, valid until the next call.
  func unpack(_ frame: Frame) throws -> UnsafeRawBufferPointer {
    guard frame.head.isCompressed else { return frame.stored }
    let output = raw[frame.head.rawLength]
    try frame.unpack(into: output)
    return UnsafeRawBufferPointer(output)
  }
}
