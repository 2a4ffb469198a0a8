package import ParticlesCore

extension BinaryPropertyList {
  /// Reads a whole property list.
  /// - Throws: a ``Diagnostic`` of ``Rule/plist`` with the offset of the first fault, or of
  ///   ``Rule/limit``. Time and memory are bounded by a small multiple of the size of the file.
  package init(_ bytes: [UInt8], limits: Limits = .standard) throws {
    try limits.check(bytes.count, \.fileBytes, "bytes of a property list")
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

  private let bytes: [UInt8]
  private let trailer: PropertyListTrailer
  private var reader: ByteReader
  private var objects: [Object] = []
  private var offsets: [Int] = []
  private var strings: [String: Index] = [:]
  private let limits: Limits
  /// Bytes that no object has been read from yet. Objects must not overlap: overlapping ones could
  /// expand to far more than the size of the file.
  private var unclaimed: Int

  init(_ bytes: [UInt8], limits: Limits) throws {
    self.bytes = bytes
    self.limits = limits
    trailer = try PropertyListTrailer(bytes, limits: limits)
    reader = ByteReader(bytes, rule: .plist)
    unclaimed = trailer.tableOffset - BinaryPropertyList.signature.count
  }

  var result: BinaryPropertyList {
    BinaryPropertyList(
      objects: objects, offsets: offsets, strings: strings, root: Index(trailer.root))
  }

  mutating func readObjects() throws {
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

  /// Makes equal keys refer to the same string. Keys must be unique strings.
  private mutating func finishKeys(of number: Int) throws {
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
  private mutating func object() throws -> Object {
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
  private mutating func unsigned(_ count: Int) throws -> UInt64 {
    let place = reader.position
    for _ in 0..<max(count - 8, 0) {
      guard try reader.byte() == 0 else {
        throw Diagnostic(.plist, at: .offset(place), "an integer of more than 64 bits")
      }
    }
    return try reader.bigEndian(min(count, 8))
  }

  /// Integers of up to four bytes are unsigned, those of eight are signed, and those of sixteen hold
  /// numbers above the signed range.
  private mutating func integer(_ count: Int) throws -> Object {
    let value = try unsigned(count)
    if count == 8 { return .integer(Int(truncatingIfNeeded: value)) }
    return Int(exactly: value).map { .integer($0) } ?? .unsigned(value)
  }

  private mutating func real(_ count: Int) throws -> Double {
    let pattern = try reader.bigEndian(count)
    return count == 4
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern))) : Double(bitPattern: pattern)
  }

  /// The count in a marker or in the integer after it, checked against the rest of the file.
  private mutating func count(_ low: Int, unit: Int) throws -> Int {
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

  private mutating func ascii(_ count: Int, at start: Int) throws -> String {
    let units = try reader.read(count)
    guard units.allSatisfy({ $0 < 0x80 }) else {
      throw Diagnostic(.plist, at: .offset(start), "a string", expected: "ASCII")
    }
    try limits.checkScalar(units, at: .offset(start))
    return String(decoding: units, as: UTF8.self)
  }

  private mutating func utf16(_ count: Int, at start: Int) throws -> String {
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

  private mutating func references(_ count: Int) throws -> [Index] {
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
  func checkNesting() throws {
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
          max(path.count - 1, top.height), \.nesting, "levels of a property list",
          at: .offset(offsets[top.object]))
      }
    }
  }
}

extension BinaryPropertyList.Object {
  /// A direct child by number; nil after the last one.
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
func checkName(_ name: String, at location: @autoclosure () -> Location) throws {
  guard name.utf8.count <= 1024 else {
    throw Diagnostic(
      .limit, at: location(), "bytes of a name", expected: "at most 1024",
      found: "\(name.utf8.count)")
  }
}
