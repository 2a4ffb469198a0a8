internal import ParticlesCore

/// The last 32 bytes of a binary property list, with the location of its tables.
struct PropertyListTrailer {
  static let size = 32

  /// Bytes of an entry of the offset table.
  let offsetSize: Int
  /// Bytes of a reference to another object.
  let referenceSize: Int
  /// The number of objects.
  let count: Int
  /// The root object.
  let root: Int
  /// The offset of the offset table; objects end before it.
  let tableOffset: Int

  init(_ bytes: [UInt8], limits: Limits) throws {
    let signature = BinaryPropertyList.signature
    guard bytes.starts(with: signature) else {
      throw Diagnostic(
        .plist, at: .offset(0), expected: "'bplist00'",
        found: bytes.isEmpty ? "nothing" : "0x\(bytes.prefix(8).hexDigits)")
    }
    guard bytes.count >= signature.count + Self.size else {
      throw Diagnostic(
        .plist, at: .offset(bytes.count), "cut short",
        expected: "at least \(signature.count + Self.size) bytes", found: "\(bytes.count)")
    }
    let start = bytes.count - Self.size
    var reader = ByteReader(bytes, rule: .plist)
    try reader.seek(to: start + 6)
    offsetSize = Int(try reader.byte())
    referenceSize = Int(try reader.byte())
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else {
      throw Diagnostic(
        .plist, at: .offset(start + 6), "sizes of offsets and references", expected: "1 to 8",
        found: "\(offsetSize) and \(referenceSize)")
    }
    count = Int(clamping: try reader.bigEndian(8))
    root = Int(clamping: try reader.bigEndian(8))
    tableOffset = Int(clamping: try reader.bigEndian(8))
    // Each object has at least one byte, so a greater number is damage.
    guard count <= bytes.count, count <= Int(UInt32.max) else {
      throw Diagnostic(
        .plist, at: .offset(start + 8), "the number of objects",
        expected: "at most \(bytes.count)", found: "\(count)")
    }
    try limits.check(count, \.objects, "objects of a property list", at: .offset(start + 8))
    try WorkBudget.spend(
      work: count / 4, memory: 64 * count, on: "the objects of a property list",
      at: .offset(start + 8))
    guard root < count else {
      throw Diagnostic(
        .plist, at: .offset(start + 16), "the root object", expected: "below \(count)",
        found: "\(root)")
    }
    // The table ends where the trailer begins, so every byte of the file is read.
    guard tableOffset > signature.count, tableOffset <= start,
      (start - tableOffset).isMultiple(of: offsetSize), (start - tableOffset) / offsetSize == count
    else {
      throw Diagnostic(
        .plist, at: .offset(start + 24), "the offset table",
        expected: "\(count) entries of \(offsetSize) bytes that end at byte \(start)",
        found: "a table at byte \(tableOffset)")
    }
  }
}
