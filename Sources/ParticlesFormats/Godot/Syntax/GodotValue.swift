internal import ParticlesCore
internal import ParticlesModel

/// A value of a text file of Godot.
enum GodotValue: Hashable, Sendable {
  case null
  case flag(Bool)
  case integer(Int)
  case real(Double)
  case text(String)
  /// A name: `&"name"`.
  case name(String)
  /// A type with its arguments, such as `Vector2(0, 1)` or `SubResource("id")`.
  case call(String, [GodotValue])
  case array([GodotValue])
  /// A value that effects do not use, by its kind: "a dictionary".
  case other(String)

  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// The elements of an array, or the arguments of a type.
  var elements: [GodotValue]? {
    switch self {
    case .array(let values), .call(_, let values): values
    default: nil
    }
  }

  /// The arguments of a type, if all are finite numbers.
  var components: [Double]? {
    guard case .call(_, let values) = self else { return nil }
    return values.numbers
  }

  /// The numbers in the value that are infinite, not a number, or too large for a double.
  var infiniteNumbers: [GodotValue] {
    switch self {
    case .real(let number): number.isFinite ? [] : [self]
    case .call(_, let values), .array(let values): values.flatMap { $0.infiniteNumbers }
    default: []
    }
  }

  /// The identifier that a reference to a resource states.
  func reference(_ kind: String) -> String? {
    guard case .call(kind, let values) = self, values.count == 1 else { return nil }
    switch values[0] {
    case .text(let text): return text
    case .integer(let number): return "\(number)"
    default: return nil
    }
  }

  /// The value for messages, on one line.
  var excerpt: String {
    switch self {
    case .other(let kind): kind
    default: text(.four).excerpt
    }
  }

  /// The text of the value, as the editor writes it.
  func text(_ generation: GodotGeneration, isArgument: Bool = false) -> String {
    switch self {
    case .null: return "null"
    case .flag(let flag): return "\(flag)"
    case .integer(let number): return "\(number)"
    case .real(let number):
      guard number.isFinite else { return number.isNaN ? "nan" : number < 0 ? "inf_neg" : "inf" }
      let text = shortText(number)
      let isWhole = !text.contains(".") && !text.contains("e")
      return isWhole && !isArgument ? text + ".0" : text
    case .text(let text): return TextEscapes.godot.quoted(text)
    case .name(let text): return "&" + TextEscapes.godot.quoted(text)
    case .call(let name, let values):
      let list = values.map { $0.text(generation, isArgument: true) }.joined(separator: ", ")
      return generation == .three ? "\(name)( \(list) )" : "\(name)(\(list))"
    case .array(let values):
      let list = values.map { $0.text(generation) }.joined(separator: ", ")
      return generation == .three ? "[ \(list) ]" : "[\(list)]"
    case .other(let text): return text
    }
  }

  /// Whether two values are equal but for the type of their numbers.
  func isSame(as other: GodotValue) -> Bool {
    if let number, let second = other.number { return number == second }
    switch (self, other) {
    case (.call(let name, let a), .call(let second, let b)):
      return name == second && a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    default: return self == other
    }
  }
}

extension [GodotValue] {
  /// The numbers, if all elements are finite ones.
  var numbers: [Double]? {
    var numbers: [Double] = []
    numbers.reserveCapacity(count)
    for value in self {
      guard let number = value.number, number.magnitude < 1e15 else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}

/// The two generations of the text format, which differ in names and spelling.
enum GodotGeneration: Int, Sendable {
  case three = 3
  case four = 4

  /// The generation of a file by its first bytes. Nil for a file of another program.
  init?(header bytes: [UInt8]) {
    guard bytes.beginsWithText("[gd_scene") || bytes.beginsWithText("[gd_resource") else {
      return nil
    }
    switch Self.format(of: bytes) {
    case 0, 1: return nil
    case nil, 2: self = .three
    default: self = .four
    }
  }

  /// Whether a file is one of Godot 2, whose properties have other names.
  static func isTwo(_ bytes: [UInt8]) -> Bool {
    guard bytes.beginsWithText("[gd_scene") || bytes.beginsWithText("[gd_resource") else {
      return false
    }
    return [0, 1].contains(format(of: bytes))
  }

  /// The version of the text format in the header. Nil without a header.
  private static func format(of bytes: [UInt8]) -> Int? {
    let header = Array(bytes.prefix { $0 != UInt8(ascii: "]") }.prefix(1024)).asASCII
    let text = String(decoding: header, as: UTF8.self)
    guard let key = text.firstRange(of: " format=") else { return nil }
    return Int(text[key.upperBound...].prefix { $0.isASCII && $0.isNumber }.prefix(9))
  }
}

/// Reads values from a range of a text.
struct GodotParser {
  private let text: UnsafeBufferPointer<UInt8>
  private var place: Int
  private let end: Int
  private let limits: Limits
  private var count = 0

  init(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, limits: Limits) {
    self.text = text
    place = range.lowerBound
    end = range.upperBound
    self.limits = limits
  }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return place >= end
    }
  }

  private mutating func skipSpace() {
    while place < end {
      if text[place] == UInt8(ascii: ";") {
        while place < end, text[place] != 0x0A { place += 1 }
      } else if TextEdits.isSpace(text[place]) {
        place += 1
      } else {
        return
      }
    }
  }

  /// The next letters, digits and underscores.
  mutating func word() throws(Failure) -> String {
    skipSpace()
    let start = place
    while place < end, Self.isLetter(text[place]) { place += 1 }
    try limits.checkWord(place - start, at: .offset(start))
    return String(decoding: text[start..<place], as: UTF8.self)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == 0x5F
  }

  /// The name of the next attribute of a header, whose value follows. Nil at its end.
  mutating func attributeName() throws(Failure) -> String? {
    let name = try word()
    guard !name.isEmpty, consume("=") else { return nil }
    return name
  }

  private mutating func consume(_ sign: Character) -> Bool {
    skipSpace()
    guard place < end, let byte = sign.asciiValue, text[place] == byte else { return false }
    place += 1
    return true
  }

  /// The next value. Nil if there is none that follows the grammar.
  mutating func value(level: Int = 0) throws(Failure) -> GodotValue? {
    try limits.check(level, { $0.nesting }, "levels of values")
    count += 1
    try limits.check(count, { $0.objects }, "elements of a value")
    skipSpace()
    guard place < end else { return nil }
    switch text[place] {
    case UInt8(ascii: "\""): return try string().map(GodotValue.text)
    case UInt8(ascii: "&"), UInt8(ascii: "^"), UInt8(ascii: "@"):
      place += 1
      return try string().map(GodotValue.name)
    case UInt8(ascii: "["):
      place += 1
      return try elements(until: "]", level).map(GodotValue.array)
    case UInt8(ascii: "{"):
      try skipBrackets()
      return .other("a dictionary")
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), 0x30...0x39: return try number()
    default: return try named(level)
    }
  }

  private mutating func named(_ level: Int) throws(Failure) -> GodotValue? {
    let name = try word()
    switch name {
    case "": return nil
    case "true": return .flag(true)
    case "false": return .flag(false)
    case "null", "nil": return .null
    case "inf": return .real(.infinity)
    case "inf_neg": return .real(-.infinity)
    case "nan": return .real(.nan)
    default: break
    }
    skipSpace()
    // Arrays with a type: Array[int]([1, 2]).
    if place < end, text[place] == UInt8(ascii: "[") {
      try skipBrackets()
      skipSpace()
    }
    guard place < end, text[place] == UInt8(ascii: "(") else { return nil }
    let start = place
    place += 1
    if let arguments = try elements(until: ")", level) { return .call(name, arguments) }
    // Objects have keys, and effects contain no objects.
    place = start
    try skipBrackets()
    return .other("an object")
  }

  private mutating func elements(until bracket: Character, _ level: Int)
    throws(Failure) -> [GodotValue]?
  {
    var values: [GodotValue] = []
    if consume(bracket) { return values }
    while let value = try value(level: level + 1) {
      values.append(value)
      if consume(bracket) { return values }
      guard consume(",") else { return nil }
      if consume(bracket) { return values }
    }
    return nil
  }

  private mutating func number() throws(Failure) -> GodotValue? {
    let start = place
    while place < end, Self.isLetter(text[place]) || [0x2B, 0x2D, 0x2E].contains(text[place]) {
      place += 1
    }
    try limits.checkWord(place - start, at: .offset(start))
    let digits = String(decoding: text[start..<place], as: UTF8.self)
    if let number = Int(digits) { return .integer(number) }
    if digits == "-inf" { return .real(-.infinity) }
    return Double(digits).map(GodotValue.real)
  }

  private mutating func string() throws(Failure) -> String? {
    let start = place
    guard place < end, text[place] == UInt8(ascii: "\"") else { return nil }
    var bytes: [UInt8] = []
    place += 1
    while place < end {
      switch text[place] {
      case UInt8(ascii: "\""):
        place += 1
        try limits.checkScalar(bytes, at: .offset(start))
        return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\") where place + 1 < end:
        place += 1
        bytes += TextEscapes.godot.read(text[..<end], at: &place)
      case let byte:
        bytes.append(byte)
        place += 1
      }
    }
    return nil
  }

  /// Skips brackets with everything in them.
  private mutating func skipBrackets() throws(Failure) {
    var depth = 0
    while place < end {
      switch text[place] {
      case UInt8(ascii: "\""):
        _ = try string()
        continue
      case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      place += 1
      if depth <= 0 { return }
    }
  }
}

// Numbers, vectors and lists, as files spell them.

extension GodotValue {
  /// A number, within the limit of readers.
  static func number(_ number: Double) -> GodotValue { .real(number.inLimit) }

  /// A value of a type with numbers as arguments.
  static func call(_ type: String, numbers: [Double]) -> GodotValue {
    .call(type, numbers.map(GodotValue.number))
  }

  /// A vector of two or three numbers.
  static func vector(_ vector: Vector, isPlane: Bool = false) -> GodotValue {
    isPlane
      ? call("Vector2", numbers: [vector.x, vector.y])
      : call("Vector3", numbers: [vector.x, vector.y, vector.z])
  }

  /// The axes of a node in space.
  static func transform(_ axes: AffineTransform, _ generation: GodotGeneration) -> GodotValue {
    let (x, y, z, origin) = (axes.x, axes.y, axes.z, axes.origin)
    return call(
      generation == .three ? "Transform" : "Transform3D",
      numbers: [x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z, origin.x, origin.y, origin.z])
  }

  /// A packed list of numbers.
  static func list(_ numbers: [Double], _ generation: GodotGeneration) -> GodotValue {
    call(generation == .three ? "PoolRealArray" : "PackedFloat32Array", numbers: numbers)
  }

  /// A packed list of colours.
  static func list(_ colors: [Color], _ generation: GodotGeneration) -> GodotValue {
    call(
      generation == .three ? "PoolColorArray" : "PackedColorArray",
      numbers: colors.flatMap { $0.channels })
  }

  /// A packed list of points, in the axes of a node.
  static func list(_ points: [Vector], _ kind: GodotClass) -> GodotValue {
    call(
      "\(kind.generation == .three ? "Pool" : "Packed")Vector\(kind.isSpace ? 3 : 2)Array",
      numbers: points.flatMap { [$0.x, $0.y * kind.y + 0] + (kind.isSpace ? [$0.z] : []) })
  }
}

/// How Godot 3 randomises a number v by a ratio r with a random number u.
enum GodotRandom {
  /// v · lerp(1, u, r): from (1 − r) · v to v.
  case down
  /// v · lerp(1, 2u − 1, r): from (1 − 2r) · v to v.
  case bothWays
  /// lerp(v, 1, u · r): from v to v + (1 − v) · r.
  case towardsOne

  init(_ key: String) {
    switch key {
    case "scale_amount": self = .towardsOne
    case "angular_velocity", "hue_variation": self = .bothWays
    default: self = .down
    }
  }

  func range(_ value: Double, random: Double) -> Value {
    let end: Double =
      switch self {
      case .down: value * (1 - random)
      case .bothWays: value * (1 - 2 * random)
      case .towardsOne: value + (1 - value) * random
      }
    return end == value
      ? .constant(value) : .range(min(value, end.rounded), max(value, end.rounded))
  }

  /// The number and the ratio of a range.
  func ratio(_ low: Double, _ high: Double) -> (value: Double, random: Double) {
    guard low != high else { return (low, 0) }
    if self == .towardsOne {
      let value = (low - 1).magnitude > (high - 1).magnitude ? low : high
      let end = value == low ? high : low
      return (value, ((end - value) / (1 - value)).rounded)
    }
    let value = low.magnitude > high.magnitude ? low : high
    let ratio = 1 - (value == low ? high : low) / value
    return (value, (self == .down ? ratio : ratio / 2).rounded)
  }

  /// The properties of a range: its bounds, or in Godot 3 a number and a ratio.
  static func properties(
    _ key: String, _ low: Double, _ high: Double, _ generation: GodotGeneration
  ) -> [(key: String, number: Double)] {
    guard generation == .three else { return [("\(key)_min", low), ("\(key)_max", high)] }
    let (number, random) = GodotRandom(key).ratio(low, high)
    return [(key, number), ("\(key)_random", random)]
  }
}
