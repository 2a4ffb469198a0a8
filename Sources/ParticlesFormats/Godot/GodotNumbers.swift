internal import ParticlesCore
internal import ParticlesModel

// Random numbers, along curves over life, and vectors.

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
}

extension GodotReader {
  /// A number that is randomised for each particle, in the units of the file.
  func range(_ key: String, _ standard: Double = 0) -> Value {
    if kind.generation == .three {
      return GodotRandom(key).range(number(key, standard), random: number("\(key)_random", 0))
    }
    let (low, high) = (number("\(key)_min", standard), number("\(key)_max", standard))
    return low == high ? .constant(low) : .range(min(low, high), max(low, high))
  }

  func value(
    _ key: String, width: String?, _ standard: Double, scope: Scope, times factor: Double
  ) -> Value {
    range(key, standard).scaled(by: factor)
  }

  /// A randomised number along a curve over life. The curve is multiplied with the number in Godot 4. In
  /// Godot 3 it is added to it, except for sizes.
  func track(_ key: String, _ standard: Double = 0) throws -> Track {
    guard var curve = try curve("\(key)_curve") else { return Track(range(key, standard)) }
    let law = GodotRandom(key)
    guard kind.generation == .three, law != .towardsOne else {
      return Track(from: 0, to: range(key, standard), curve: curve)
    }
    for index in curve.keys.indices { curve.keys[index].value += number(key, standard) }
    return Track(from: 0, to: law.range(1, random: number("\(key)_random", 0)), curve: curve)
  }
}

extension EmitterWriter<GodotFamily> {
  var kind: GodotClass { surroundings.kind }

  /// Writes a vector in the axes of the file; its y axis is that of the document.
  mutating func put(_ key: String, _ vector: Vector) {
    let isPlane = !kind.isSpace && !kind.isGPU
    set(key, self.vector(Vector(vector.x, vector.y * kind.y, vector.z), isPlane: isPlane))
  }

  func vector(_ vector: Vector, isPlane: Bool = false) -> GodotValue {
    let numbers = [vector.x, vector.y] + (isPlane ? [] : [vector.z])
    return call(isPlane ? "Vector2" : "Vector3", numbers)
  }

  /// A value of a type with numbers as arguments.
  func call(_ type: String, _ numbers: [Double]) -> GodotValue {
    .call(type, numbers.map(format.real))
  }

  /// Writes a random number, and reports any but a uniform range.
  mutating func put(_ key: String, _ value: Value, _ capability: Capability, at place: String) {
    explain(value, capability, at: place)
    let (center, half, _) = value.spread
    let (low, high) = ((center - half.magnitude).rounded, (center + half.magnitude).rounded)
    if kind.generation == .three {
      let (number, random) = GodotRandom(key).ratio(low, high)
      set(key, number)
      set("\(key)_random", random)
    } else {
      set("\(key)_min", low)
      set("\(key)_max", high)
    }
  }

  /// Writes a random number along a curve over life, and reports what differs.
  mutating func put(
    _ key: String, _ track: Track, _ capability: Capability, curved: Capability, at place: String
  ) {
    if track.isPlainValue { return put(key, track.from, capability, at: place) }
    let law = GodotRandom(key)
    var (range, curve) = (track.to ?? 1, track.curve)
    let isNative = track.to != nil && track == Track(from: 0, to: range, curve: curve)
    if !isNative {
      let isExact: Bool
      (curve, isExact) = track.curve(lifetime: lifetime)
      range = track.randomFactor
      lose(
        isExact ? .restated : .approximated, curved, at: place,
        isExact
          ? "the curve contains the values themselves"
          : "one random factor is multiplied with one curve",
        recipe: isExact
          ? nil : range == 1 ? "the curve of the means" : "that of the start or the end",
        level: range == 1 ? nil : .low)
    }
    if kind.generation == .three, law != .towardsOne {
      // The curve is added to a number of 0, and the sum is randomised.
      let (center, half, _) = range.spread
      let (factor, random) = law.ratio(center - half.magnitude, center + half.magnitude)
      if isNative, factor != 1 {
        lose(.restated, curved, at: place, "the curve contains the values themselves")
      }
      explain(range, capability, at: place)
      set(key, 0)
      set("\(key)_random", random)
      curve = curve.multiplied(by: factor)
    } else {
      put(key, range, capability, at: place)
    }
    put("\(key)_curve", curve: curve, curved, at: place)
  }
}

extension Track {
  /// The random factor of the start, or else of the end: a range around 1.
  fileprivate var randomFactor: Value {
    for value in [from, to ?? 0] {
      let (center, half, _) = value.spread
      guard half != 0, center != 0 else { continue }
      return Value(center: 1, halfWidth: min((half / center).magnitude, 1))
    }
    return 1
  }
}

extension Row<GodotFamily> {
  /// A property that only some classes have, and that effects do not use: kept.
  static func kept(_ keys: [String], _ note: String) -> Row { .ignored(keys, note, from: "files") }

  /// The keys of a random number in both generations.
  static func keys(_ key: String) -> [String] {
    ["", "_random", "_min", "_max", "_curve"].map { key + $0 }
  }
}
