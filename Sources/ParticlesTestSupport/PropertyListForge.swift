internal import ParticlesCore

/// A property list to be written, as a tree. It accepts everything, so that tests can build invalid
/// files.
package indirect enum ForgedPropertyList: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int)
  case float(Float)
  case real(Double)
  case date(Double)
  case data([UInt8])
  case string(String)
  case uid(Int)
  case array([ForgedPropertyList])
  case set([ForgedPropertyList])
  case dictionary([Entry])

  /// A key and its value.
  package struct Entry: Sendable, Hashable {
    package var key: String
    package var value: ForgedPropertyList

    package init(_ key: String, _ value: ForgedPropertyList) {
      self.key = key
      self.value = value
    }
  }

  /// The binary property list.
  package var bytes: [UInt8] {
    var writer = PropertyListForge()
    let root = writer.add(self)
    return writer.file(root: root)
  }
}

/// Lays out the objects of a property list in order. Equal strings are written once.
package struct PropertyListForge {
  /// An object whose references are not yet bytes.
  private struct Piece {
    var head: [UInt8]
    var references: [Int] = []
  }

  private var pieces: [Piece] = []
  private var strings: [String: Int] = [:]

  package init() {}

  mutating func add(_ value: ForgedPropertyList) -> Int {
    if case .string(let text) = value, let known = strings[text] { return known }
    let index = pieces.count
    pieces.append(Piece(head: []))
    switch value {
    case .null: pieces[index].head = [0x00]
    case .bool(let value): pieces[index].head = [value ? 0x09 : 0x08]
    case .int(let value): pieces[index].head = Self.integer(value)
    case .float(let value): pieces[index].head = [0x22] + Self.bigEndian(value.bitPattern)
    case .real(let value): pieces[index].head = [0x23] + Self.bigEndian(value.bitPattern)
    case .date(let value): pieces[index].head = [0x33] + Self.bigEndian(value.bitPattern)
    case .data(let bytes): pieces[index].head = Self.marker(0x40, bytes.count) + bytes
    case .string(let text):
      strings[text] = index
      pieces[index].head = Self.string(text)
    case .uid(let value): pieces[index].head = Self.uid(value)
    case .array(let elements): addContainer(index, 0xA0, elements)
    case .set(let elements): addContainer(index, 0xC0, elements)
    case .dictionary(let entries):
      pieces[index].head = Self.marker(0xD0, entries.count)
      pieces[index].references = entries.map { add(.string($0.key)) }
      pieces[index].references += entries.map { add($0.value) }
    }
    return index
  }

  private mutating func addContainer(
    _ index: Int, _ marker: UInt8, _ elements: [ForgedPropertyList]
  ) {
    pieces[index].head = Self.marker(marker, elements.count)
    pieces[index].references = elements.map { add($0) }
  }

  func file(root: Int) -> [UInt8] {
    let width = pieces.count < 1 << 8 ? 1 : pieces.count < 1 << 16 ? 2 : 4
    return Self.file(
      pieces.map { piece in
        piece.head + piece.references.flatMap { Self.bigEndian(UInt32($0)).suffix(width) }
      }, root: root, referenceSize: width)
  }
}

extension PropertyListForge {
  /// The file with these objects, each given as bytes.
  package static func file(_ objects: [[UInt8]], root: Int = 0, referenceSize: Int = 1) -> [UInt8] {
    var writer = ByteWriter()
    writer.write("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(writer.bytes.count)
      writer.write(object)
    }
    let table = writer.bytes.count
    let width = table < 1 << 8 ? 1 : table < 1 << 16 ? 2 : 4
    for offset in offsets { writer.write(bigEndian(UInt32(offset)).suffix(width)) }
    writer.write(
      trailer(
        offsetSize: width, referenceSize: referenceSize, count: objects.count, root: root,
        table: table))
    return writer.bytes
  }

  /// The last 32 bytes.
  package static func trailer(
    offsetSize: Int, referenceSize: Int, count: Int, root: Int, table: Int
  ) -> [UInt8] {
    [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
      + [count, root, table].flatMap { bigEndian($0) }
  }

  package static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0x0F] + integer(count)
  }

  package static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    stride(from: value.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: value >> $0)
    }
  }

  static func integer(_ value: Int) -> [UInt8] {
    switch value {
    case 0..<1 << 8: [0x10, UInt8(value)]
    case 0..<1 << 16: [0x11] + bigEndian(UInt16(value))
    case 0..<1 << 32: [0x12] + bigEndian(UInt32(value))
    default: [0x13] + bigEndian(value)
    }
  }

  private static func uid(_ value: Int) -> [UInt8] {
    switch value {
    case 0..<1 << 8: [0x80, UInt8(value)]
    case 0..<1 << 16: [0x81] + bigEndian(UInt16(value))
    default: [0x83] + bigEndian(UInt32(truncatingIfNeeded: value))
    }
  }

  private static func string(_ text: String) -> [UInt8] {
    let ascii = Array(text.utf8)
    if ascii.allSatisfy({ $0 < 0x80 }) { return marker(0x50, ascii.count) + ascii }
    let units = Array(text.utf16)
    return marker(0x60, units.count) + units.flatMap { bigEndian($0) }
  }
}
