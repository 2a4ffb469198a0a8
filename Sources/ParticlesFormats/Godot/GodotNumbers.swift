internal import ParticlesCore
internal import ParticlesModel

// Random numbers, along curves over life, and vectors.

extension EmitterWriter<GodotFamily> {
  var kind: GodotClass { surroundings.kind }

  /// Writes a vector in the axes of the file; its y axis is that of the document.
  mutating func put(_ key: String, _ vector: Vector) {
    let isPlane = !kind.isSpace && !kind.isGPU
    set(key, .vector(Vector(vector.x, vector.y * kind.y, vector.z), isPlane: isPlane))
  }

  /// Writes a random number, and reports any but a uniform range.
  mutating func put(_ key: String, _ value: Value, _ capability: Capability, at place: String) {
    explain(value, capability, at: place)
    let (center, half, _) = value.spread
    let (low, high) = ((center - half.magnitude).rounded, (center + half.magnitude).rounded)
    for (key, number) in GodotRandom.properties(key, low, high, kind.generation) {
      set(key, number)
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

extension Row<GodotFamily> {
  /// A property that only some classes have, and that effects do not use: kept.
  static func kept(_ keys: [String], _ note: String) -> Row { .ignored(keys, note, from: "files") }

  /// The keys of a random number in both generations.
  static func keys(_ key: String) -> [String] {
    ["", "_random", "_min", "_max", "_curve"].map { key + $0 }
  }
}
