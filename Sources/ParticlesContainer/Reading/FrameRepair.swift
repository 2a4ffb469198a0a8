internal import ParticlesCore

/// Restores frames of which a single byte was changed, as `Spec/container.md#recovery` describes: the
/// checksum tells which byte it was and what it has been.
struct FrameRepair {
  /// Bytes to replace, by their positions.
  private(set) var patches: [Int: UInt8] = [:]
  /// A diagnostic for each restored frame.
  private(set) var diagnostics: [Diagnostic] = []

  private let source: ByteSource
  /// Damaged frames that cannot be restored; each costs a search.
  private var failures = 0
  private static let mostFailures = 64

  /// The longest payload without compression that is restored. Of the damage of many bytes, the share that
  /// looks like that of one grows with the length; here it is 1 of 250.
  static let storedLimit = Layout.packSize

  /// Searches a file from the front, from frame to frame, as far as their heads can be read or restored.
  init(_ source: ByteSource) throws {
    self.source = source
    var position = Layout.headerSize
    var previous = FrameKind.done
    var streamEnd = 0
    while source.size - position >= Layout.frameHeaderSize, failures < Self.mostFailures {
      let place = Place(position: position, previous: previous, streamEnd: streamEnd)
      guard let head = try frame(at: place) else { return }
      position += head.frameLength
      if head.kind == .data { streamEnd = head.place + head.rawLength }
      previous = head.kind
    }
  }

  /// Facts about a frame that are known without reading it.
  private struct Place {
    var position: Int
    var previous: FrameKind
    var streamEnd: Int

    /// The head in these bytes, if a frame with it may be here.
    func head(_ bytes: UnsafeRawBufferPointer, before end: Int) -> FrameHeader? {
      guard let kind = FrameKind(rawValue: bytes.number(at: 0)), previous.followers.contains(kind)
      else { return nil }
      let raw = Int(bytes.number(at: 4) as UInt32)
      let stored = Int(bytes.number(at: 8) as UInt32)
      let due = kind == .data ? streamEnd : position
      guard raw >= 1, raw <= kind.limit, stored >= 1, stored <= raw,
        raw <= stored * Layout.packingLimit + 64, bytes.number(at: 12) == UInt64(due),
        kind != .done || raw == Layout.footerPayloadSize && stored == raw,
        Layout.frameHeaderSize + stored <= end - position
      else { return nil }
      return try? FrameHeader(bytes, at: position)
    }
  }

  /// A frame as it may have been.
  private struct Candidate {
    var head: FrameHeader
    /// The changed byte, from the beginning of the frame.
    var offset: Int
    var byte: UInt8
  }

  /// Checks a frame, and restores it if it is damaged and that is possible.
  /// - Returns: its head; nil if it is unknown where the next frame begins.
  private mutating func frame(at place: Place) throws -> FrameHeader? {
    let start = try bytes(at: place.position, count: Layout.frameHeaderSize)
    guard let start else { return nil }
    let head = start.withUnsafeBytes { place.head($0, before: source.size) }
    if let head {
      guard let payload = try bytes(at: place.position + start.count, count: head.storedLength)
      else { return head }
      if Self.checksum(head, payload) == head.checksum { return head }
    }
    var found = try headCandidates(start, place)
    if let head { found += try payloadCandidates(head, place) }
    guard found.count == 1, let only = found.first else {
      failures += 1
      return head
    }
    let position = place.position + only.offset
    patches[position] = only.byte
    let isProven = only.head.kind != .data || only.head.isCompressed
    diagnostics.append(
      Diagnostic(
        .restored, at: .offset(position),
        "a byte of a \(only.head.kind.name) frame"
          + (isProven ? "" : ", whose contents have no second check"),
        expected: "\(only.byte)", found: try bytes(at: position, count: 1).map { "\($0[0])" }))
    return only.head
  }

  /// Bytes of the file; nil if the disk cannot read them.
  private func bytes(at position: Int, count: Int) throws -> [UInt8]? {
    try Container.Recovery.attempt { try source.bytes(at: position, count: count) }
  }

  private static func checksum(_ head: FrameHeader, _ payload: [UInt8]) -> UInt32 {
    FrameHeader(
      head.kind, rawLength: head.rawLength, payload: payload, place: head.place
    ).checksum
  }

  /// Whether a payload has the form that its head states, as far as that has a check of its own.
  private static func isSound(_ head: FrameHeader, _ payload: [UInt8]) -> Bool {
    guard head.isCompressed else { return true }
    return payload.withUnsafeBytes { stored in
      withUnsafeTemporaryAllocation(byteCount: head.rawLength, alignment: 16) {
        Inflate.zlib(stored, into: $0)
      }
    }
  }

  // MARK: The head

  /// Changes each byte of a head, in turn, to each value.
  private func headCandidates(_ start: [UInt8], _ place: Place) throws -> [Candidate] {
    var candidates: [Candidate] = []
    // The payloads that were read, by their lengths.
    var payloads: [Int: (bytes: [UInt8], checksum: UInt32)] = [:]
    let stated: UInt32 = start.withUnsafeBytes { $0.number(at: 8) }
    var changed = start
    for offset in start.indices {
      defer { changed[offset] = start[offset] }
      for byte in UInt8.min...UInt8.max where byte != start[offset] {
        changed[offset] = byte
        let head = changed.withUnsafeBytes { place.head($0, before: source.size) }
        guard let head else { continue }
        if payloads[head.storedLength] == nil {
          // Few of the lengths that it may have had lead to another frame.
          guard try head.storedLength == Int(stated) || isFollowed(head, place) else { continue }
          let payload = try bytes(at: place.position + start.count, count: head.storedLength)
          payloads[head.storedLength] = payload.map { ($0, CRC32.checksum($0)) }
        }
        guard let (payload, checksum) = payloads[head.storedLength],
          FrameHeader(
            head.kind, rawLength: head.rawLength, storedLength: head.storedLength,
            payloadChecksum: checksum, place: head.place
          ).checksum == head.checksum,
          Self.isSound(head, payload)
        else { continue }
        candidates.append(Candidate(head: head, offset: offset, byte: byte))
      }
    }
    return candidates
  }

  /// Whether the file ends behind a frame, or goes on with the head of another one.
  private func isFollowed(_ head: FrameHeader, _ place: Place) throws -> Bool {
    let end = place.position + head.frameLength
    if end == source.size { return head.kind == .done }
    guard source.size - end >= Layout.frameHeaderSize,
      let next = try bytes(at: end, count: Layout.frameHeaderSize)
    else { return false }
    let streamEnd = head.kind == .data ? head.place + head.rawLength : place.streamEnd
    return next.withUnsafeBytes {
      Place(position: end, previous: head.kind, streamEnd: streamEnd).head($0, before: .max) != nil
    }
  }

  // MARK: The payload

  /// Finds the bytes of the payload that explain the checksum if they alone were changed.
  private func payloadCandidates(_ head: FrameHeader, _ place: Place) throws -> [Candidate] {
    let start = place.position + Layout.frameHeaderSize
    guard var payload = try bytes(at: start, count: head.storedLength), Self.isRestored(head)
    else { return [] }
    let difference = Self.checksum(head, payload) ^ head.checksum
    var candidates: [Candidate] = []
    for (index, change) in Self.changes(difference, count: payload.count) {
      payload[index] ^= change
      if Self.isSound(head, payload) {
        candidates.append(
          Candidate(
            head: head, offset: Layout.frameHeaderSize + index, byte: payload[index]))
      }
      payload[index] ^= change
    }
    return candidates
  }

  private static func isRestored(_ head: FrameHeader) -> Bool {
    head.kind != .data || head.isCompressed || head.storedLength <= storedLimit
  }

  /// The checksums of single bytes without the inversions of CRC-32: what a change of a byte adds to the
  /// checksum if it is the last one.
  private static let contributions: [UInt32] = (UInt32(0)..<256).map { byte in
    (0..<8).reduce(byte) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  /// The byte whose contribution has a highest byte; each value occurs once.
  private static let bytes: [UInt8] = {
    var bytes = [UInt8](repeating: 0, count: 256)
    for byte in 0..<256 { bytes[Int(contributions[byte] >> 24)] = UInt8(byte) }
    return bytes
  }()

  /// The changes of one byte that change the checksum by a difference. Follows the difference back from the
  /// end of the bytes to each place.
  private static func changes(
    _ difference: UInt32, count: Int
  ) -> [(index: Int, change: UInt8)] {
    var found: [(Int, UInt8)] = []
    var rest = difference
    for index in stride(from: count - 1, through: 0, by: -1) {
      let byte = bytes[Int(rest >> 24)]
      let contribution = contributions[Int(byte)]
      if contribution == rest, byte != 0 { found.append((index, byte)) }
      rest = (rest ^ contribution) << 8 | UInt32(byte)
    }
    return found
  }
}

extension ByteSource {
  /// The same bytes but for some.
  func patched(_ patches: [Int: UInt8]) -> ByteSource {
    let positions = patches.keys.sorted()
    return ByteSource(size: size, name: name) { offset, buffer in
      try self.read(at: offset, into: buffer)
      var index = positions.partitioningIndex { $0 >= offset }
      while index < positions.count, positions[index] < offset + buffer.count {
        buffer[positions[index] - offset] = patches[positions[index]] ?? 0
        index += 1
      }
    }
  }

  /// The same bytes, and others behind them.
  func followed(by bytes: [UInt8]) -> ByteSource {
    let end = size
    return ByteSource(size: end + bytes.count, name: name) { offset, buffer in
      let count = min(max(0, end - offset), buffer.count)
      if count > 0 {
        try self.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      }
      if count < buffer.count {
        let start = offset + count - end
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
          .copyBytes(from: bytes[start..<start + buffer.count - count])
      }
    }
  }
}
