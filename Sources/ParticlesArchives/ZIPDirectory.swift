internal import ParticlesContainer
internal import ParticlesCore

/// The position of the central directory, from the records at the end of the archive.
struct ZIPDirectory {
  var offset = 0
  var size = 0
  var count = 0
  var commentLength = 0
  /// The number of zero bytes after the end record.
  var paddingLength = 0

  /// The most padding that is accepted. Archivers pad to their block size, usually 10 KiB.
  private static let paddingLimit = 1 << 20

  init(_ source: ByteSource) throws {
    let (position, bytes) = try Self.findEnd(source)
    var reader = ByteReader(bytes, base: position, rule: .zip)
    _ = try reader.read(4)
    let (disk, firstDisk) = (try reader.u16(), try reader.u16())
    let (countHere, total) = (try reader.u16(), try reader.u16())
    (size, offset) = (Int(try reader.u32()), Int(try reader.u32()))
    commentLength = Int(try reader.u16())
    paddingLength = bytes.count - ZIP.endLength - commentLength
    count = Int(total)
    let short = (count, size, offset)
    let isSplit = disk != firstDisk || disk != 0 && disk != .max || countHere != total
    var end = position
    if let long = try Self.longEnd(before: position, in: source) {
      (end, count, size, offset) = long
      // Each field of the short record must have the same value, or the marker of ZIP64.
      let agrees =
        (short.0 == count || short.0 == 0xFFFF)
        && (short.1 == size || short.1 == 0xFFFF_FFFF)
        && (short.2 == offset || short.2 == 0xFFFF_FFFF)
      guard agrees else {
        throw Diagnostic(
          .zipDisagreement, at: .offset(position), "the end record and the ZIP64 end record")
      }
    }
    guard !isSplit else {
      throw Self.split(at: position)
    }
    guard offset <= end, size == end - offset else {
      throw Diagnostic(
        .zip, at: .offset(position), "the central directory",
        expected: "an end at \(end)", found: "\(size) bytes at \(offset)")
    }
    // Each entry has at least this size, which bounds the count before memory is allocated.
    guard count <= size / ZIP.centralLength else {
      throw Diagnostic(.zip, at: .offset(position), "\(count) entries in \(size) bytes")
    }
  }

  private static func split(at position: Int) -> Diagnostic {
    Diagnostic(
      .zipUnsupported, at: .offset(position), "a part of a split archive",
      hint: "join the parts first: zip -s 0 PART.zip --out WHOLE.zip")
  }

  /// Returns the end record and its position. The search is backwards, because a comment may follow.
  private static func findEnd(_ source: ByteSource) throws -> (Int, [UInt8]) {
    let length = min(source.size, ZIP.endLength + 0xFFFF + paddingLimit)
    let start = source.size - length
    let tail = try source.bytes(at: start, count: length)
    let padding = tail.count - ((tail.lastIndex { $0 != 0 } ?? -1) + 1)
    let found = stride(from: length - ZIP.endLength, through: 0, by: -1).filter { index in
      guard tail[index] == 0x50, tail[index..<index + 4].elementsEqual(ZIPSignature.end) else {
        return false
      }
      let comment = Int(tail[index + 20]) | Int(tail[index + 21]) << 8
      let end = index + ZIP.endLength + comment
      return end <= length && length - end <= min(padding, paddingLimit)
    }
    guard let index = found.first else {
      throw Diagnostic(
        .zip, at: .offset(source.size), "the end record is missing",
        hint: "the archive is truncated; fetch it again")
    }
    guard found.count == 1 else {
      throw Diagnostic(.zipDisagreement, at: .offset(start + index), "there are two end records")
    }
    return (start + index, Array(tail[index...]))
  }

  /// Returns the ZIP64 end record and its position; nil if there is none.
  private static func longEnd(
    before end: Int, in source: ByteSource
  ) throws -> (position: Int, count: Int, size: Int, offset: Int)? {
    let position = end - ZIP.locatorLength
    guard position >= ZIP.longEndLength else { return nil }
    let bytes = try source.bytes(at: position, count: ZIP.locatorLength)
    guard bytes.starts(with: ZIPSignature.locator) else { return nil }
    var locator = ByteReader(bytes, base: position, rule: .zip)
    _ = try locator.read(8)
    let start = try locator.size()
    guard start <= position - ZIP.longEndLength else {
      throw locator.failure("the ZIP64 end record", expected: "a position before this one")
    }
    var reader = ByteReader(
      try source.bytes(at: start, count: ZIP.longEndLength), base: start, rule: .zip)
    guard try reader.read(4).elementsEqual(ZIPSignature.longEnd),
      try reader.size() == position - start - 12
    else { throw reader.failure("the ZIP64 end record is missing") }
    _ = try reader.read(4)
    let disks = try reader.read(8)
    let (countHere, count) = (try reader.size(), try reader.size())
    guard disks.allSatisfy({ $0 == 0 }), countHere == count else {
      throw split(at: start)
    }
    return (start, count, try reader.size(), try reader.size())
  }
}
