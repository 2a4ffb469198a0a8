internal import ParticlesCore
internal import ParticlesModel

// Curves and gradients, which are resources with lists of points.

extension GodotGeneration {
  /// The interpolations and colour spaces of gradients, by their numbers. Godot 3 has the first only.
  static let modes: [Interpolation] = [.linear, .step, .cubic]
  static let spaces: [MixingSpace] = [.srgb, .linear, .oklab]
}

extension Curve {
  /// The curve of a list of points: each has a place, the slopes before and after it, and the numbers 1
  /// for slopes of the lines to its neighbours. nil if a point is damaged.
  init?(godot points: [GodotValue]) {
    var keys: [(key: CurveKey, isLeftLinear: Bool, isRightLinear: Bool)] = []
    for start in stride(from: 0, to: points.count - 4, by: 5) {
      guard let point = points[start].components, point.count == 2,
        let rest = Array(points[start + 1...start + 4]).numbers
      else { return nil }
      let key = CurveKey(
        point[0].tidy, point[1].tidy, inSlope: rest[0].tidy, outSlope: rest[1].tidy)
      keys.append((key, rest[2] == 1, rest[3] == 1))
    }
    guard !keys.isEmpty else {
      self = .constant(0)
      return
    }
    keys.sort { $0.key.time < $1.key.time }
    if zip(keys, keys.dropFirst()).allSatisfy({ $0.isRightLinear && $1.isLeftLinear }) {
      self = Curve(keys.map { CurveKey($0.key.time, $0.key.value) })
      return
    }
    self = Curve(keys.map(\.key), .cubic)
    for index in keys.indices {
      if keys[index].isLeftLinear, index > 0 { self.keys[index].inSlope = chord(index - 1) }
      if keys[index].isRightLinear, index + 1 < keys.count {
        self.keys[index].outSlope = chord(index)
      }
    }
  }

  /// The properties of a resource with this curve, whose keys are from 0 to 1 and at different times.
  func properties(_ generation: GodotGeneration) -> [(key: String, value: GodotValue)] {
    var points: [GodotValue] = []
    for (index, key) in keys.enumerated() {
      let (isLeftLinear, isRightLinear) = (isLinear(after: index - 1), isLinear(after: index))
      points += [
        .call("Vector2", numbers: [key.time, key.value]),
        .number(isLeftLinear ? chord(index - 1) : inSlope(index)),
        .number(isRightLinear ? chord(index) : outSlope(index)),
        .integer(isLeftLinear ? 1 : 0), .integer(isRightLinear ? 1 : 0),
      ]
    }
    let (range, data) = (keyRange ?? .unit, ("_data", GodotValue.array(points)))
    if generation == .three {
      return (range.lower < 0 ? [("min_value", .number(range.lower))] : [])
        + (range.upper > 1 ? [("max_value", .number(range.upper))] : []) + [data]
    }
    let limits = [min(range.lower, 0), max(range.upper, 1), 0, 1]
    let isWide = range.lower < 0 || range.upper > 1
    return (isWide ? [("_limits", .array(limits.map(GodotValue.number)))] : [])
      + [data, ("point_count", .integer(keys.count))]
  }

  /// Whether there is a line from this key to the next.
  private func isLinear(after index: Int) -> Bool {
    keys.indices.contains(index) && (keys[index].interpolation ?? interpolation) == .linear
  }
}

extension Gradient {
  /// The keys of a list of times and one of channels, four for each of them.
  static func keys(_ offsets: [Double], _ channels: [Double]) -> [GradientKey] {
    zip(offsets, offsets.indices).filter { 4 * $1 + 3 < channels.count }
      .map { GradientKey($0, Color(Array(channels[4 * $1...4 * $1 + 3]))) }
      .sorted { $0.time < $1.time }
  }

  /// The properties of a resource with this gradient, whose keys are from 0 to 1.
  func properties(_ generation: GodotGeneration) -> [(key: String, value: GodotValue)] {
    func number<Choice: Equatable>(_ choice: Choice, of choices: [Choice]) -> GodotValue {
      .integer(choices.firstIndex(of: choice) ?? 0)
    }
    var properties: [(key: String, value: GodotValue)] = []
    if interpolation != .linear {
      properties.append(
        ("interpolation_mode", number(interpolation, of: GodotGeneration.modes)))
    }
    if space != .srgb {
      properties.append(
        ("interpolation_color_space", number(space, of: GodotGeneration.spaces)))
    }
    properties.append(("offsets", .list(keys.map(\.time), generation)))
    properties.append(("colors", .list(keys.map(\.color), generation)))
    return properties
  }
}
