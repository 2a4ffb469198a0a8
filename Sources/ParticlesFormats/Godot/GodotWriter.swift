internal import ParticlesCore
internal import ParticlesModel

// Properties as rows write them: by their paths from the node.

extension EmitterWriter<GodotFamily> {
  var kind: GodotClass { surroundings.kind }

  /// Writes a property of the node or its process material; nothing if the class has no such property.
  mutating func put(_ key: String, _ value: GodotValue) {
    guard let path = kind.path(key), kind.hasNode || path.hasPrefix("process_material/") else {
      return
    }
    set(path, value)
  }

  mutating func put(_ key: String, _ number: Double) { put(key, format.real(number)) }

  /// Writes a vector in the axes of the file.
  mutating func put(_ key: String, _ vector: Vector) {
    let isPlane = !kind.isSpace && !kind.isGPU
    put(key, self.vector(Vector(vector.x, vector.y * kind.y, vector.z), isPlane: isPlane))
  }

  func vector(_ vector: Vector, isPlane: Bool) -> GodotValue {
    let numbers = [vector.x, vector.y] + (isPlane ? [] : [vector.z])
    return .call(isPlane ? "Vector2" : "Vector3", numbers.map(format.real))
  }

  func color(_ color: Color) -> GodotValue { .call("Color", color.channels.map(format.real)) }

  /// Writes a random number, and reports any but a uniform range.
  mutating func put(
    _ key: String, _ value: Value, _ capability: Capability, at place: String,
    _ law: GodotRandom = .down
  ) {
    explain(value, capability, at: place)
    let (center, half, _) = value.spread
    let ends = ((center - half.magnitude).rounded, (center + half.magnitude).rounded)
    guard kind.generation == .three else {
      put("\(key)_min", ends.0)
      return put("\(key)_max", ends.1)
    }
    let (number, random) = law.ratio(ends.0, ends.1)
    put(key, number)
    put("\(key)_random", random)
  }

  /// Writes a random number along a curve over life, and reports what differs.
  mutating func put(
    _ key: String, _ track: Track, _ capability: Capability, curved: Capability, at place: String,
    _ law: GodotRandom = .down
  ) {
    if track.isPlainValue { return put(key, track.from, capability, at: place, law) }
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
      put(key, 0)
      put("\(key)_random", random)
      curve = curve.multiplied(by: factor)
    } else {
      put(key, range, capability, at: place, law)
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
