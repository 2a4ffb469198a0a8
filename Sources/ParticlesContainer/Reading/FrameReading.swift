internal import ParticlesCore

/// A frame in memory whose checksum was verified.
struct Frame {
  let head: FrameHeader
  private let position: Int
  private let bytes: [UInt8]

  /// Reads a frame and checks it against a reference to it.
  init(
    _ source: ByteSource, _ reference: FrameReference, _ kind: FrameKind, place: Int
  ) throws {
    // Before memory is allocated: a sparse file can be larger than any memory.
    guard reference.length <= Layout.frameHeaderSize + kind.limit else {
      throw Diagnostic(
        .frame, at: .offset(reference.position), "length of a \(kind.name) frame",
        expected: "at most \(Layout.frameHeaderSize + kind.limit)", found: "\(reference.length)")
    }
    try self.init(
      source.bytes(at: reference.position, count: reference.length), reference, kind, place: place)
  }

  /// Checks a frame against a reference to it.
  /// - Parameters:
  ///   - bytes: head and payload.
  ///   - reference: the position and length that the frame has to have.
  init(
    _ bytes: [UInt8], _ reference: FrameReference, _ kind: FrameKind, place: Int
  ) throws {
    let head = try FrameHeader(bytes, at: reference.position)
    guard head.kind == kind, head.frameLength == reference.length, head.place == place else {
      throw Diagnostic(
        .frame, at: .offset(reference.position), "not the frame that the index refers to",
        expected: "\(kind.name) of \(reference.length) bytes for \(place)",
        found: "\(head.kind.name) of \(head.frameLength) bytes for \(head.place)")
    }
    try self.init(bytes, head, at: reference.position)
  }

  /// Checks a frame whose head was decoded.
  init(_ bytes: [UInt8], _ head: FrameHeader, at position: Int) throws {
    self.head = head
    self.position = position
    self.bytes = bytes
    try withPayload { try head.check(payload: $0, at: position) }
  }

  /// Head and payload.
  var whole: [UInt8] { bytes }

  private func withPayload<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[Layout.frameHeaderSize...]))
    }
  }

  /// The payload as stored in the file.
  var stored: [UInt8] { Array(bytes[Layout.frameHeaderSize...]) }

  /// Returns the unpacked payload.
  func unpacked() throws -> [UInt8] {
    guard head.isCompressed else { return stored }
    return try [UInt8](unsafeUninitializedCapacity: head.rawLength) { buffer, count in
      let whole = UnsafeMutableRawBufferPointer(buffer)
      try unpack(into: UnsafeMutableRawBufferPointer(rebasing: whole[..<head.rawLength]))
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
    guard
      withPayload({ payload in
        if head.isCompressed { return Inflate.zlib(payload, into: buffer) }
        buffer.copyMemory(from: payload)
        return true
      })
    else {
      throw Diagnostic(
        .payload, at: .offset(position + Layout.frameHeaderSize), "\(head.kind.name) frame",
        expected: "a zlib stream of \(head.rawLength) bytes")
    }
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
