internal import ParticlesCore

/// The decimal commas in the arguments of calls.
///
/// A comma without a space behind it may be either. If a call has more arguments than it can take, and as many as it takes
/// without these commas, then they are decimal commas, and so are those of other calls of the file in which they leave a
/// number of arguments that the call takes.
struct CallCommas {
  /// How many numbers a call takes: a multiple of a count, up to a number of them.
  struct Arity {
    var count: Int
    var most = 1

    func takes(_ number: Int) -> Bool {
      number > 0 && number.isMultiple(of: count) && number / count <= most
    }
  }

  static let godot: [String: Arity] = [
    "Vector2": Arity(count: 2), "Vector3": Arity(count: 3), "Color": Arity(count: 4),
    "Rect2": Arity(count: 4), "Quat": Arity(count: 4), "Quaternion": Arity(count: 4),
    "AABB": Arity(count: 6), "Transform2D": Arity(count: 6),
  ]

  static let love: [String: Arity] = [
    "setEmissionRate": Arity(count: 1), "setEmitterLifetime": Arity(count: 1),
    "setSpread": Arity(count: 1), "setSizeVariation": Arity(count: 1),
    "setSpinVariation": Arity(count: 1), "setDirection": Arity(count: 1),
    "setSpeed": Arity(count: 1, most: 2), "setParticleLifetime": Arity(count: 1, most: 2),
    "setRadialAcceleration": Arity(count: 1, most: 2),
    "setTangentialAcceleration": Arity(count: 1, most: 2),
    "setLinearDamping": Arity(count: 1, most: 2), "setRotation": Arity(count: 1, most: 2),
    "setSpin": Arity(count: 1, most: 2), "setOffset": Arity(count: 2),
    "setPosition": Arity(count: 2), "setLinearAcceleration": Arity(count: 2, most: 2),
    "setSizes": Arity(count: 1, most: 8), "setColors": Arity(count: 4, most: 8),
  ]

  /// The places of the commas.
  private(set) var places: [Int] = []

  /// A call whose arguments are numbers.
  private struct Call {
    var arity: Arity
    /// The number of commas, and those without a space behind them.
    var count = 0
    var tight: [Int] = []

    /// Whether its tight commas can be decimal ones.
    var canHave: Bool { !tight.isEmpty && arity.takes(count + 1 - tight.count) }
    /// Whether they cannot be anything else.
    var isSure: Bool { canHave && !arity.takes(count + 1) }
  }

  /// - Parameter arities: of the calls that are looked at, by their names.
  init(_ bytes: [UInt8], _ arities: [String: Arity]) {
    var calls: [Call] = []
    var place = 0
    while let open = bytes[place...].firstIndex(of: UInt8(ascii: "(")) {
      place = open + 1
      let name = bytes[..<open].suffix(32).reversed().prefix { byte in
        TextScanner.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
      guard let arity = arities[String(decoding: name.reversed(), as: UTF8.self)],
        let call = Self.call(bytes, from: place, arity)
      else { continue }
      calls.append(call)
    }
    guard calls.contains(where: \.isSure) else { return }
    places = calls.lazy.filter(\.canHave).flatMap(\.tight)
  }

  /// The arguments of a call; nil if they are not numbers only.
  private static func call(_ bytes: [UInt8], from start: Int, _ arity: Arity) -> Call? {
    var call = Call(arity: arity)
    var place = start
    while place < bytes.count, bytes[place] != UInt8(ascii: ")") {
      let byte = bytes[place]
      if byte == UInt8(ascii: ",") {
        call.count += 1
        let isTight =
          place > start && TextScanner.isDigit(bytes[place - 1]) && place + 1 < bytes.count
          && TextScanner.isDigit(bytes[place + 1])
        if isTight { call.tight.append(place) }
      } else if !TextScanner.isDigit(byte), !" \t\r\n+-eE".utf8.contains(byte) {
        // A number with a point, or anything else.
        return nil
      }
      place += 1
    }
    return place < bytes.count ? call : nil
  }
}

/// The encoding of a text in UTF-16.
struct WideText {
  private let isBigEndian: Bool
  /// The bytes before the text.
  private let mark: Int

  /// nil for a text with another encoding.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0xFE, 0xFF, _, _): (isBigEndian, mark) = (true, 2)
    case (0xFF, 0xFE, _, _): (isBigEndian, mark) = (false, 2)
    case (0, UInt8(ascii: "<"), 0, UInt8(ascii: "?")): (isBigEndian, mark) = (true, 0)
    case (UInt8(ascii: "<"), 0, UInt8(ascii: "?"), 0): (isBigEndian, mark) = (false, 0)
    default: return nil
    }
  }

  /// The text with a byte for each unit; those that are not ASCII become `?`.
  func narrowed(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: mark, to: bytes.count - 1, by: 2).map { place in
      let (high, low) =
        isBigEndian ? (bytes[place], bytes[place + 1]) : (bytes[place + 1], bytes[place])
      return high == 0 && low < 0x80 ? low : UInt8(ascii: "?")
    }
  }

  /// The offset in the file of the byte that has the character at a place.
  func offset(of place: Int) -> Int { mark + 2 * place + (isBigEndian ? 1 : 0) }
}
