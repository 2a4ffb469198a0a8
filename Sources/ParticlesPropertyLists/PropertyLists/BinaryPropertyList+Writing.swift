internal import ParticlesCore

extension BinaryPropertyList {
  /// The list as a file, with its objects in order, as Apple's writers place them. Integers have the
  /// fewest bytes; reals keep their width.
  ///
  /// A file of such a writer, read and written again, is identical unless equal keys were different
  /// strings, which reading unifies.
  package func encoded() -> [UInt8] { Self.encode(objects, root: root) }

  static func encode(_ objects: [Object], root: Index) -> [UInt8] {
    var writer = PropertyListWriter(referenceSize: PropertyListWriter.width(objects.count - 1))
    for object in objects { writer.append(object) }
    return writer.finish(root: root)
  }
}

/// Writes objects one by one, then the table of their offsets and the trailer.
private struct PropertyListWriter {
  private var writer = ByteWriter()
  private var offsets: [Int] = []
  private let referenceSize: Int

  init(referenceSize: Int) {
    self.referenceSize = referenceSize
    writer.write(BinaryPropertyList.signature)
  }

  /// The fewest bytes, 1, 2, 4 or 8, that hold a number from 0 on.
  static func width(_ number: Int) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
  }

  mutating func append(_ object: BinaryPropertyList.Object) {
    offsets.append(writer.bytes.count)
    switch object {
    case .scalar(let value): append(value)
    case .uid(let number):
      let width = Self.width(number)
      writer.byte(0x80 | UInt8(width - 1))
      writer.bigEndian(UInt64(number), width)
    case .array(let elements):
      marker(0xA0, count: elements.count)
      references(elements)
    case .set(let elements):
      marker(0xC0, count: elements.count)
      references(elements)
    case .dictionary(let keys, let values):
      marker(0xD0, count: keys.count)
      references(keys)
      references(values)
    }
  }

  private mutating func append(_ scalar: PropertyListScalar) {
    switch scalar {
    case .null: writer.byte(0x00)
    case .bool(let value): writer.byte(value ? 0x09 : 0x08)
    case .integer(let value): integer(value)
    case .unsigned(let value):
      writer.byte(0x14)
      writer.bigEndian(0, 8)
      writer.bigEndian(value, 8)
    case .real(let value, width: 4):
      writer.byte(0x22)
      writer.bigEndian(UInt64(Float(value).bitPattern), 4)
    case .real(let value, _):
      writer.byte(0x23)
      writer.bigEndian(value.bitPattern, 8)
    case .date(let seconds):
      writer.byte(0x33)
      writer.bigEndian(seconds.bitPattern, 8)
    case .data(let bytes):
      marker(0x40, count: bytes.count)
      writer.write(bytes)
    case .string(let text): string(text)
    }
  }

  /// Integers of up to four bytes are unsigned; negative ones take eight.
  private mutating func integer(_ value: Int) {
    let width = value < 0 ? 8 : Self.width(value)
    writer.byte(0x10 | UInt8(width.trailingZeroBitCount))
    writer.bigEndian(UInt64(bitPattern: Int64(value)), width)
  }

  /// A count of 15 or more is written after the marker.
  private mutating func marker(_ kind: UInt8, count: Int) {
    guard count >= 0x0F else { return writer.byte(kind | UInt8(count)) }
    writer.byte(kind | 0x0F)
    integer(count)
  }

  private mutating func string(_ text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      marker(0x50, count: text.utf8.count)
      writer.write(text.utf8)
    } else {
      marker(0x60, count: text.utf16.count)
      for unit in text.utf16 { writer.bigEndian(UInt64(unit), 2) }
    }
  }

  private mutating func references(_ indices: [BinaryPropertyList.Index]) {
    for index in indices { writer.bigEndian(UInt64(index), referenceSize) }
  }

  mutating func finish(root: BinaryPropertyList.Index) -> [UInt8] {
    let table = writer.bytes.count
    let offsetSize = Self.width(table)
    for offset in offsets { writer.bigEndian(UInt64(offset), offsetSize) }
    writer.write([UInt8](repeating: 0, count: 6))
    writer.byte(UInt8(offsetSize))
    writer.byte(UInt8(referenceSize))
    for number in [offsets.count, Int(root), table] { writer.bigEndian(UInt64(number), 8) }
    return writer.bytes
  }
}
