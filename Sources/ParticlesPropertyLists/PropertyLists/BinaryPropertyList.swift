package import ParticlesCore

/// A binary property list (`bplist00`) as a graph: an array of objects that refer to each other by
/// index.
///
/// It is never expanded to a tree, so shared children cannot grow to a huge one. The width of reals,
/// the kind of numbers and the order of keys are preserved. Foundation's reader is not used, since it
/// crashes on damaged archives.
package struct BinaryPropertyList: Sendable {
  /// The place of an object in ``objects``.
  package typealias Index = UInt32

  /// An object.
  package enum Object: Sendable, Hashable, PropertyListScalarConvertible {
    case scalar(PropertyListScalar)
    /// A reference of a keyed archive: an index in its `$objects`.
    case uid(Int)
    case array([Index])
    case set([Index])
    /// Keys and values in the order of the file. Equal keys refer to one string.
    case dictionary(keys: [Index], values: [Index])
  }

  /// The objects, in the order of the offset table.
  package let objects: [Object]

  package let root: Index

  private let offsets: [Int]
  private let strings: [String: Index]
  /// For large dictionaries: the indices of their keys, sorted, for binary search. Without it, many
  /// references to one huge dictionary would take quadratic time.
  private let orders: [Index: [UInt32]]

  init(objects: [Object], offsets: [Int], strings: [String: Index], root: Index) {
    self.objects = objects
    self.offsets = offsets
    self.strings = strings
    self.root = root
    var orders: [Index: [UInt32]] = [:]
    for (index, object) in objects.enumerated() {
      guard case .dictionary(let keys, _) = object, keys.count > Self.scanned else { continue }
      orders[Index(index)] = keys.indices.sorted { keys[$0] < keys[$1] }.map { UInt32($0) }
    }
    self.orders = orders
  }

  /// The greatest number of keys that are searched one after another.
  private static let scanned = 32

  /// The first bytes of every binary property list.
  package static let signature = Array("bplist00".utf8)

  /// The object at a place.
  package subscript(index: Index) -> Object { objects[Int(index)] }

  /// The offset of an object in the file.
  package func location(of index: Index) -> Location { .offset(offsets[Int(index)]) }

  /// The index of the first string object with this value.
  package func index(of string: String) -> Index? { strings[string] }

  /// The value of a key, or nil if `index` is no dictionary or has no such key.
  package func value(of key: String, in index: Index) -> Index? {
    strings[key].flatMap { value(of: $0, in: index) }
  }

  /// Finds a value like `value(of:in:)`, for a key by the index of its string, see ``index(of:)``.
  package func value(of key: Index, in index: Index) -> Index? {
    guard case .dictionary(let keys, let values) = self[index] else { return nil }
    guard keys.count > Self.scanned, let order = orders[index] else {
      return keys.firstIndex(of: key).map { values[$0] }
    }
    var range = order.indices
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range =
        keys[Int(order[middle])] > key ? range.lowerBound..<middle : middle..<range.upperBound
    }
    let place = Int(order[range.lowerBound])
    return keys[place] == key ? values[place] : nil
  }
}

extension BinaryPropertyList.Object {
  /// The kind of the object, for messages: "a string", "an array".
  package var kind: String {
    switch self {
    case .scalar(let value): value.kind
    case .uid: "a reference"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}

extension BinaryPropertyList {
  /// Reads a whole property list.
  /// - Throws: a ``Diagnostic`` of ``Rule/plist`` with the offset of the first fault, or of
  ///   ``Rule/limit``. Time and memory are bounded by a small multiple of the size of the file.
  package init(_ bytes: [UInt8], limits: Limits = .standard) throws(Diagnostic) {
    try limits.check(bytes.count, { $0.fileBytes }, "bytes of a property list")
    var reader = try PropertyListReader(bytes, limits: limits)
    try reader.readObjects()
    try reader.checkNesting()
    self = reader.result
  }
}

/// Reads the objects one by one and checks each against the bounds of the file.
private struct PropertyListReader {
  private typealias Index = BinaryPropertyList.Index
  private typealias Object = BinaryPropertyList.Object

  private let trailer: PropertyListTrailer
  private var reader: ByteReader
  private var objects: [Object] = []
  private var offsets: [Int] = []
  private var strings: [String: Index] = [:]
  private let limits: Limits
  /// Bytes that no object has been read from yet. Objects must not overlap: overlapping ones could
  /// expand to far more than the size of the file.
  private var unclaimed: Int

  init(_ bytes: [UInt8], limits: Limits) throws(Diagnostic) {
    self.limits = limits
    trailer = try PropertyListTrailer(bytes, limits: limits)
    reader = ByteReader(bytes, rule: .plist)
    unclaimed = trailer.tableOffset - BinaryPropertyList.signature.count
  }

  var result: BinaryPropertyList {
    BinaryPropertyList(
      objects: objects, offsets: offsets, strings: strings, root: Index(trailer.root))
  }

  mutating func readObjects() throws(Diagnostic) {
    objects.reserveCapacity(trailer.count)
    offsets.reserveCapacity(trailer.count)
    for number in 0..<trailer.count {
      let place = trailer.tableOffset + number * trailer.offsetSize
      try reader.seek(to: place)
      let offset = try unsigned(trailer.offsetSize)
      guard offset >= UInt64(BinaryPropertyList.signature.count),
        offset < UInt64(trailer.tableOffset)
      else {
        throw Diagnostic(
          .plist, at: .offset(place), "an object outside of the file",
          expected: "an offset below \(trailer.tableOffset)", found: "\(offset)")
      }
      try reader.seek(to: Int(offset))
      let object = try self.object()
      unclaimed -= reader.position - Int(offset)
      guard reader.position <= trailer.tableOffset, unclaimed >= 0 else {
        throw Diagnostic(.plist, at: .offset(Int(offset)), "objects overlap")
      }
      if case .scalar(.string(let string)) = object, strings[string] == nil {
        strings[string] = Index(number)
      }
      objects.append(object)
      offsets.append(Int(offset))
    }
    for number in objects.indices { try finishKeys(of: number) }
  }

  /// Makes equal keys refer to one string. Keys must be unique strings.
  private mutating func finishKeys(of number: Int) throws(Diagnostic) {
    guard case .dictionary(var keys, let values) = objects[number] else { return }
    // Emptied first, so that the keys are changed in place.
    objects[number] = .null
    var seen: Set<Index> = []
    for place in keys.indices {
      guard case .scalar(.string(let key)) = objects[Int(keys[place])] else {
        throw failure(number, "a key", expected: "a string", found: objects[Int(keys[place])].kind)
      }
      try checkName(key, at: .offset(offsets[number]))
      keys[place] = strings[key] ?? keys[place]
      guard seen.insert(keys[place]).inserted else {
        throw failure(number, "the key '\(key.excerpt)' occurs twice in a dictionary")
      }
    }
    objects[number] = .dictionary(keys: keys, values: values)
  }

  private func failure(
    _ number: Int, _ detail: String, expected: String? = nil, found: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      .plist, at: .offset(offsets[number]), detail, expected: expected, found: found)
  }
}

// MARK: - One object

extension PropertyListReader {
  private mutating func object() throws(Diagnostic) -> Object {
    let start = reader.position
    let marker = try reader.byte()
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0 where low == 0: return .null
    case 0x0 where low == 8 || low == 9: return .bool(low == 9)
    case 0x1 where low <= 4: return try integer(1 << low)
    case 0x2 where low == 2 || low == 3: return .real(try real(1 << low), width: 1 << low)
    case 0x3 where low == 3:
      let seconds = try real(8)
      guard seconds.isFinite else {
        throw Diagnostic(.plist, at: .offset(start), "a date that is not finite")
      }
      return .date(seconds)
    case 0x4: return .data(Array(try reader.read(try count(low, unit: 1))))
    case 0x5: return .string(try ascii(try count(low, unit: 1), at: start))
    case 0x6: return .string(try utf16(try count(low, unit: 2), at: start))
    case 0x8:
      let value = try unsigned(low + 1)
      guard let uid = Int(exactly: value) else {
        throw Diagnostic(
          .plist, at: .offset(start), "a reference that is too large", found: "\(value)")
      }
      return .uid(uid)
    case 0xA: return .array(try references(try count(low, unit: trailer.referenceSize)))
    case 0xC: return .set(try references(try count(low, unit: trailer.referenceSize)))
    case 0xD:
      let count = try count(low, unit: 2 * trailer.referenceSize)
      return .dictionary(keys: try references(count), values: try references(count))
    default:
      throw Diagnostic(
        .plist, at: .offset(start), expected: "an object marker", found: marker.hex)
    }
  }

  /// An integer of 1 to 16 bytes. Bytes beyond the last eight must be zero.
  private mutating func unsigned(_ count: Int) throws(Diagnostic) -> UInt64 {
    let place = reader.position
    for _ in 0..<max(count - 8, 0) {
      guard try reader.byte() == 0 else {
        throw Diagnostic(.plist, at: .offset(place), "an integer of more than 64 bits")
      }
    }
    return try reader.bigEndian(min(count, 8))
  }

  /// Integers of up to four bytes are unsigned. Eight bytes are signed. Sixteen bytes hold numbers above the signed
  /// range.
  private mutating func integer(_ count: Int) throws(Diagnostic) -> Object {
    let value = try unsigned(count)
    if count == 8 { return .scalar(.integer(Int64(bitPattern: value))) }
    return Int64(exactly: value).map { .scalar(.integer($0)) } ?? .unsigned(value)
  }

  private mutating func real(_ count: Int) throws(Diagnostic) -> Double {
    let pattern = try reader.bigEndian(count)
    return count == 4
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern))) : Double(bitPattern: pattern)
  }

  /// The count in a marker or in the integer after it, checked against the rest of the file.
  private mutating func count(_ low: Int, unit: Int) throws(Diagnostic) -> Int {
    var count = UInt64(low)
    if low == 0x0F {
      let marker = try reader.byte()
      guard marker >> 4 == 1, marker & 0x0F <= 3 else {
        throw Diagnostic(
          .plist, at: .offset(reader.position - 1), expected: "an integer as count",
          found: marker.hex)
      }
      count = try unsigned(1 << Int(marker & 0x0F))
    }
    let room = max(trailer.tableOffset - reader.position, 0) / unit
    guard count <= UInt64(room) else {
      throw reader.failure(
        "more elements than bytes", expected: "at most \(room)", found: "\(count)")
    }
    return Int(count)
  }

  private mutating func ascii(_ count: Int, at start: Int) throws(Diagnostic) -> String {
    let units = try reader.read(count)
    guard units.allSatisfy({ $0 < 0x80 }) else {
      throw Diagnostic(.plist, at: .offset(start), "a string", expected: "ASCII")
    }
    try limits.checkScalar(units, at: .offset(start))
    return String(decoding: units, as: UTF8.self)
  }

  private mutating func utf16(_ count: Int, at start: Int) throws(Diagnostic) -> String {
    let pairs = try reader.read(2 * count)
    try limits.checkScalar(pairs, at: .offset(start))
    let units = stride(from: pairs.startIndex, to: pairs.endIndex, by: 2).map {
      UInt16(pairs[$0]) << 8 | UInt16(pairs[$0 + 1])
    }
    guard let string = String(validating: units, as: UTF16.self) else {
      throw Diagnostic(.plist, at: .offset(start), "a string", expected: "UTF-16")
    }
    return string
  }

  private mutating func references(_ count: Int) throws(Diagnostic) -> [Index] {
    var references: [Index] = []
    references.reserveCapacity(count)
    for _ in 0..<count {
      let place = reader.position
      let reference = try unsigned(trailer.referenceSize)
      guard reference < UInt64(trailer.count) else {
        throw Diagnostic(
          .plist, at: .offset(place), "a reference", expected: "below \(trailer.count)",
          found: "\(reference)")
      }
      references.append(Index(reference))
    }
    return references
  }
}

// MARK: - Nesting

extension PropertyListReader {
  /// Throws if an object contains itself, or if containers are nested too deeply. Visits every object
  /// once.
  func checkNesting() throws(Diagnostic) {
    let unvisited = -1
    let open = -2
    var heights = [Int](repeating: unvisited, count: objects.count)
    var path: [(object: Int, next: Int, height: Int)] = []
    for start in objects.indices where heights[start] == unvisited {
      path.append((start, 0, 0))
      heights[start] = open
      while var top = path.popLast() {
        guard let child = objects[top.object].child(top.next) else {
          heights[top.object] = top.height
          if let last = path.indices.last {
            path[last].height = max(path[last].height, top.height + 1)
          }
          continue
        }
        top.next += 1
        let height = heights[Int(child)]
        if height == open { throw failure(Int(child), "an object contains itself") }
        top.height = max(top.height, height + 1)
        path.append(top)
        if height == unvisited {
          path.append((Int(child), 0, 0))
          heights[Int(child)] = open
        }
        try limits.check(
          max(path.count - 1, top.height), { $0.nesting }, "levels of a property list",
          at: .offset(offsets[top.object]))
      }
    }
  }
}

extension BinaryPropertyList.Object {
  /// A direct child by number. Nil after the last child.
  fileprivate func child(_ number: Int) -> BinaryPropertyList.Index? {
    switch self {
    case .array(let elements), .set(let elements):
      number < elements.count ? elements[number] : nil
    case .dictionary(let keys, let values):
      number < keys.count
        ? keys[number] : number < 2 * keys.count ? values[number - keys.count] : nil
    default: nil
    }
  }
}

/// Throws if the name of a key or class is longer than 1024 bytes. A name may be used very often, each
/// time at a cost that grows with its length.
func checkName(_ name: String, at location: @autoclosure () -> Location) throws(Diagnostic) {
  guard name.utf8.count <= 1024 else {
    throw Diagnostic(
      .limit, at: location(), "bytes of a name", expected: "at most 1024",
      found: "\(name.utf8.count)")
  }
}

extension BinaryPropertyList {
  /// The list as a file, with its objects in order, as Apple's writers place them. Integers have the fewest bytes.
  /// Reals keep their width.
  ///
  /// A file of such a writer, read and written again, is identical unless equal keys were different
  /// strings, which reading unifies.
  package func encoded() -> [UInt8] { Self.encode(objects, root: root) }

  static func encode(_ objects: [Object], root: Index) -> [UInt8] {
    var writer = PropertyListWriter(
      referenceSize: PropertyListWriter.width(Int64(objects.count - 1)))
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
  static func width(_ number: Int64) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
  }

  mutating func append(_ object: BinaryPropertyList.Object) {
    offsets.append(writer.bytes.count)
    switch object {
    case .scalar(let value): append(value)
    case .uid(let number):
      let width = Self.width(Int64(number))
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

  /// Integers of up to four bytes are unsigned. Negative integers take eight.
  private mutating func integer(_ value: Int64) {
    let width = value < 0 ? 8 : Self.width(value)
    writer.byte(0x10 | UInt8(width.trailingZeroBitCount))
    writer.bigEndian(UInt64(bitPattern: value), width)
  }

  /// A count of 15 or more is written after the marker.
  private mutating func marker(_ kind: UInt8, count: Int) {
    guard count >= 0x0F else { return writer.byte(kind | UInt8(count)) }
    writer.byte(kind | 0x0F)
    integer(Int64(count))
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
    let offsetSize = Self.width(Int64(table))
    for offset in offsets { writer.bigEndian(UInt64(offset), offsetSize) }
    writer.write([UInt8](repeating: 0, count: 6))
    writer.byte(UInt8(offsetSize))
    writer.byte(UInt8(referenceSize))
    for number in [offsets.count, Int(root), table] { writer.bigEndian(UInt64(number), 8) }
    return writer.bytes
  }
}

/// The last 32 bytes of a binary property list, with the location of its tables.
struct PropertyListTrailer {
  static let size = 32

  /// Bytes of an entry of the offset table.
  let offsetSize: Int
  /// Bytes of a reference to another object.
  let referenceSize: Int
  /// The number of objects.
  let count: Int
  let root: Int
  /// The offset of the offset table. Objects end before it.
  let tableOffset: Int

  init(_ bytes: [UInt8], limits: Limits) throws(Diagnostic) {
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
    guard count <= bytes.count, UInt64(count) <= UInt64(UInt32.max) else {
      throw Diagnostic(
        .plist, at: .offset(start + 8), "the number of objects",
        expected: "at most \(bytes.count)", found: "\(count)")
    }
    try limits.check(count, { $0.objects }, "objects of a property list", at: .offset(start + 8))
    try WorkBudget.spendReading(
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
