internal import ParticlesCore

/// A frame whose checksum was verified; valid as long as the memory that it is in.
struct Frame {
  let head: FrameHeader
  /// The payload as stored in the file.
  let stored: UnsafeRawBufferPointer
  private let position: Int

  /// Checks a frame.
  /// - Parameters:
  ///   - bytes: head and payload.
  ///   - position: the position of the frame in the file.
  ///   - confirm: throws unless the head is the expected one; called before the checksum is computed.
  init(
    _ bytes: UnsafeRawBufferPointer, at position: Int,
    confirm: (FrameHeader) throws -> Void = { _ in }
  ) throws {
    head = try FrameHeader(bytes, at: position)
    try confirm(head)
    stored = UnsafeRawBufferPointer(rebasing: bytes[Layout.frameHeaderSize...])
    self.position = position
    try head.check(payload: stored, at: position)
  }

  /// Calls `body` with the unpacked payload.
  func withPayload<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    guard head.isCompressed else { return try body(stored) }
    return try withUnsafeTemporaryAllocation(byteCount: head.rawLength, alignment: 16) {
      try unpack(into: $0)
      return try body(UnsafeRawBufferPointer($0))
    }
  }

  /// Returns the unpacked payload.
  func unpacked() throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: head.rawLength) { buffer, count in
      try unpack(
        into: UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[..<head.rawLength]))
      count = head.rawLength
    }
  }

  /// Unpacks the payload into a buffer of exactly its size.
  func unpack(into buffer: UnsafeMutableRawBufferPointer) throws {
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
  /// Calls `body` with a frame, which is checked against a reference to it.
  func withFrame<Result>(
    _ reference: FrameReference, _ kind: FrameKind, place: Int, _ body: (Frame) throws -> Result
  ) throws -> Result {
    // Before memory is allocated: a sparse file can be larger than any memory.
    guard reference.length <= Layout.frameHeaderSize + kind.limit else {
      throw Diagnostic(
        .frame, at: .offset(reference.position), "length of a \(kind.name) frame",
        expected: "at most \(Layout.frameHeaderSize + kind.limit)", found: "\(reference.length)")
    }
    return try withBytes(at: reference.position, count: reference.length) { bytes in
      let frame = try Frame(bytes, at: reference.position) { head in
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
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    try withFrame(reference, kind, place: reference.position) { try $0.withPayload(body) }
  }
}

extension RandomAccessCollection {
  /// Returns the first index whose element satisfies `belongsBehind`; all elements after such a one
  /// have to satisfy it, too.
  func partitioningIndex(where belongsBehind: (Element) throws -> Bool) rethrows -> Index {
    var low = startIndex
    var count = self.count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if try belongsBehind(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
