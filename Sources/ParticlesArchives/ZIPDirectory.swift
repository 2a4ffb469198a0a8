internal import ParticlesContainer
internal import ParticlesCore

/// Where the central directory is, as the records at the end of the archive say.
struct ZIPDirectory {
  var offset = 0
  var size = 0
  var count = 0
  var commentLength = 0

  init(_ source: ByteSource) throws {
    let (position, bytes) = try Self.findEnd(source)
    var reader = ByteReader(bytes, base: position, rule: .zip)
    _ = try reader.read(4)
    let (disk, firstDisk) = (try reader.u16(), try reader.u16())
    let (countHere, total) = (try reader.u16(), try reader.u16())
    (size, offset) = (Int(try reader.u32()), Int(try reader.u32()))
    commentLength = Int(try reader.u16())
    count = Int(total)
    let short = (count, size, offset)
    let isSplit = disk != firstDisk || disk != 0 && disk != .max || countHere != total
    var end = position
    if let long = try Self.longEnd(before: position, in: source) {
      (end, count, size, offset) = long
      // What the short record says must be the same, or "look there".
      let agrees =
        (short.0 == count || short.0 == 0xFFFF)
        && (short.1 == size || short.1 == 0xFFFF_FFFF)
        && (short.2 == offset || short.2 == 0xFFFF_FFFF)
      guard agrees else {
        throw Diagnostic(.zipDisagreement, at: .offset(position), "the two records at the end")
      }
    }
    guard !isSplit else {
      throw Diagnostic(.zipUnsupported, at: .offset(position), "several disks")
    }
    guard offset <= end, size == end - offset else {
      throw Diagnostic(
        .zip, at: .offset(position), "the central directory",
        expected: "an end at \(end)", found: "\(size) bytes at \(offset)")
    }
    // Each entry takes this much at least, so a count cannot promise more than there is.
    guard count <= size / ZIP.centralLength else {
      throw Diagnostic(.zip, at: .offset(position), "\(count) entries in \(size) bytes")
    }
  }

  /// The record that ends the archive, and its position. It is searched backwards, because a
  /// comment may follow it.
  private static func findEnd(_ source: ByteSource) throws -> (Int, [UInt8]) {
    let length = min(source.size, ZIP.endLength + 0xFFFF)
    let start = source.size - length
    let tail = try source.bytes(at: start, count: length)
    let found = stride(from: length - ZIP.endLength, through: 0, by: -1).filter { index in
      guard tail[index] == 0x50, tail[index..<index + 4].elementsEqual(ZIPSignature.end) else {
        return false
      }
      let comment = Int(tail[index + 20]) | Int(tail[index + 21]) << 8
      return index + ZIP.endLength + comment == length
    }
    guard let index = found.first else {
      throw Diagnostic(
        .zip, at: .offset(source.size), "the record at the end is missing or not at the end",
        hint: "the archive is cut short; fetch it again")
    }
    guard found.count == 1 else {
      throw Diagnostic(.zipDisagreement, at: .offset(start + index), "there are two ends")
    }
    return (start + index, Array(tail[index...]))
  }

  /// What the ZIP64 record says, if there is one, and its position.
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
      throw locator.failure("the long record at the end", expected: "a position before this one")
    }
    var reader = ByteReader(
      try source.bytes(at: start, count: ZIP.longEndLength), base: start, rule: .zip)
    guard try reader.read(4).elementsEqual(ZIPSignature.longEnd),
      try reader.size() == position - start - 12
    else { throw reader.failure("the long record at the end is missing") }
    _ = try reader.read(4)
    let disks = try reader.read(8)
    let (countHere, count) = (try reader.size(), try reader.size())
    guard disks.allSatisfy({ $0 == 0 }), countHere == count else {
      throw Diagnostic(.zipUnsupported, at: .offset(start), "several disks")
    }
    return (start, count, try reader.size(), try reader.size())
  }
}
