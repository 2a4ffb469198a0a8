internal import ParticlesCore
internal import ParticlesModel

// Curves and gradients, which are resources: of nodes for the CPU directly, of materials in a texture.

extension GodotReader {
  /// Whether a property has a resource that can be read; one in another file is reported.
  private func hasResource(_ key: String, _ path: String) -> Bool {
    guard let value = value(key), value != .null else { return false }
    if scene.resolve("\(path)/_data", from: node) != nil { return true }
    note(
      .uninterpreted, kind.path(key) ?? key,
      "only a resource of the usual type in the same file is read",
      found: value.excerpt)
    return false
  }

  /// The curve of a property over relative age; nil if it has none.
  func curve(_ key: String) throws -> Curve? {
    guard let path = kind.curvePath(key), hasResource(key, path) else { return nil }
    guard case .array(let points)? = value(at: "\(path)/_data") else { return .constant(0) }
    try scene.spend(points.count, at: place(of: path))
    var keys: [GodotCurveKey] = []
    for start in stride(from: 0, to: points.count - 4, by: 5) {
      guard let point = points[start].components, point.count == 2,
        let rest = Array(points[start + 1...start + 4]).numbers
      else {
        note(.emitterValue, "\(path)/_data", "a point of a curve is damaged")
        return nil
      }
      keys.append(
        GodotCurveKey(
          x: point[0].tidy, y: point[1].tidy, left: rest[0].tidy, right: rest[1].tidy,
          isLeftLinear: rest[2] == 1, isRightLinear: rest[3] == 1))
    }
    return keys.isEmpty ? .constant(0) : GodotCurveKey.curve(keys.sorted { $0.x < $1.x })
  }

  /// The gradient of a property; nil if it has none.
  func gradient(_ key: String) throws -> Gradient? {
    guard let path = kind.gradientPath(key), hasResource(key, path) else { return nil }
    let offsets = try list(at: "\(path)/offsets") ?? [0, 1]
    let colors = try list(at: "\(path)/colors") ?? [0, 0, 0, 1, 1, 1, 1, 1]
    if colors.count != 4 * offsets.count {
      note(
        .emitterValue, "\(path)/colors", "a gradient needs four numbers for each offset",
        found: "\(colors.count) for \(offsets.count)")
    }
    var keys: [GradientKey] = []
    for (index, offset) in offsets.enumerated() where 4 * index + 3 < colors.count {
      keys.append(GradientKey(offset, Color(Array(colors[4 * index...4 * index + 3]))))
    }
    guard !keys.isEmpty else { return nil }
    let modes: [Interpolation] = [.linear, .step, .cubic]
    let spaces: [MixingSpace] = [.srgb, .linear, .oklab]
    func choice<T>(_ key: String, _ choices: [T]) -> T {
      let number = Int(min(max(number(at: "\(path)/\(key)") ?? 0, 0), 9))
      return choices.indices.contains(number) ? choices[number] : choices[0]
    }
    return Gradient(
      keys.sorted { $0.time < $1.time }, choice("interpolation_mode", modes),
      space: choice("interpolation_color_space", spaces))
  }
}

/// A point of a curve of Godot.
private struct GodotCurveKey {
  var x, y, left, right: Double
  /// Whether the tangent is that of the line to the neighbour.
  var isLeftLinear, isRightLinear: Bool

  static func curve(_ points: [GodotCurveKey]) -> Curve {
    let pairs = zip(points, points.dropFirst())
    if pairs.allSatisfy({ $0.isRightLinear && $1.isLeftLinear }) {
      return Curve(points.map { CurveKey($0.x, $0.y) })
    }
    func chord(_ a: Int, _ b: Int) -> Double {
      let width = points[b].x - points[a].x
      return width > 0 ? (points[b].y - points[a].y) / width : 0
    }
    return Curve(
      points.indices.map { index in
        let point = points[index]
        let left = point.isLeftLinear && index > 0 ? chord(index - 1, index) : point.left
        let right =
          point.isRightLinear && index + 1 < points.count ? chord(index, index + 1) : point.right
        return CurveKey(point.x, point.y, inSlope: left, outSlope: right)
      }, .cubic)
  }
}

extension EmitterWriter<GodotFamily> {
  /// Writes a curve as points, and reports what a curve of Godot cannot express.
  mutating func put(_ key: String, curve: Curve, _ capability: Capability, at place: String) {
    guard let path = kind.curvePath(key) else { return }
    var curve = curve
    let isStepped = zip(curve.keys, curve.keys.dropFirst()).contains { a, b in
      a.time == b.time || (a.interpolation ?? curve.interpolation) == .step
    }
    let isInside = curve.keys.allSatisfy { 0...1 ~= $0.time }
    if curve.extend != .clamp || !isInside || curve.keys.count < 2 && curve.keys.first?.time != 0 {
      let way = curve
      curve = .through(32) { way.value(at: $0) }
      lose(
        .approximated, capability, at: place, "a curve has keys from 0 to 1",
        recipe: "linear between 33 points", level: .low)
    } else if isStepped {
      curve = curve.withoutJumps
      lose(
        .approximated, capability, at: place, "a curve has no jumps",
        recipe: "a steep piece of a ten-thousandth of the life", level: .low)
    }
    var points: [GodotValue] = []
    for (index, key) in curve.keys.enumerated() {
      let isLinear = { (_ index: Int) in
        curve.keys.indices.contains(index)
          && (curve.keys[index].interpolation ?? curve.interpolation) == .linear
      }
      points += [
        .call("Vector2", [format.real(key.time), format.real(key.value)]),
        format.real(isLinear(index - 1) ? curve.chord(index - 1) : curve.inSlope(index)),
        format.real(isLinear(index) ? curve.chord(index) : curve.outSlope(index)),
        .integer(isLinear(index - 1) ? 1 : 0), .integer(isLinear(index) ? 1 : 0),
      ]
    }
    let range = curve.keyRange ?? .unit
    if kind.generation == .three {
      if range.lower < 0 { set("\(path)/min_value", range.lower) }
      if range.upper > 1 { set("\(path)/max_value", range.upper) }
      set("\(path)/_data", .array(points))
    } else {
      if range.lower < 0 || range.upper > 1 {
        let limits = [min(range.lower, 0), max(range.upper, 1), 0, 1].map(format.real)
        set("\(path)/_limits", .array(limits))
      }
      set("\(path)/_data", .array(points))
      set("\(path)/point_count", integer: curve.keys.count)
    }
  }

  /// Writes a gradient. Godot 3 interpolates linearly between encoded colours only.
  mutating func put(_ key: String, gradient: Gradient, at place: String) {
    guard let path = kind.gradientPath(key) else { return }
    var gradient = gradient
    let isPlain = gradient.interpolation == .linear && gradient.space == .srgb
    let isSorted = gradient.keys.allSatisfy { 0...1 ~= $0.time }
    if gradient.hasChannels || !isSorted || kind.generation == .three && !isPlain {
      let way = gradient
      gradient = Gradient(
        (0...32).map { GradientKey(Double($0) / 32, way.color(at: Double($0) / 32)) })
      lose(
        .approximated, .grad, at: place, "Godot has no such interpolation of colours",
        recipe: "linear between 33 colours", level: .low)
    }
    let smooth = gradient.keys.withoutJumps
    if smooth != gradient.keys {
      gradient.keys = smooth
      lose(
        .approximated, .grad, at: place, "a gradient has no jumps",
        recipe: "a steep piece of a ten-thousandth of the life", level: .low)
    }
    let (reals, colors) =
      kind.generation == .three
      ? ("PoolRealArray", "PoolColorArray") : ("PackedFloat32Array", "PackedColorArray")
    if kind.generation == .four {
      let modes: [Interpolation] = [.linear, .step, .cubic]
      let spaces: [MixingSpace] = [.srgb, .linear, .oklab]
      let mode = modes.firstIndex(of: gradient.interpolation) ?? 0
      let space = spaces.firstIndex(of: gradient.space) ?? 0
      if mode != 0 { set("\(path)/interpolation_mode", integer: mode) }
      if space != 0 { set("\(path)/interpolation_color_space", integer: space) }
    }
    set("\(path)/offsets", .call(reals, gradient.keys.map { format.real($0.time) }))
    set(
      "\(path)/colors",
      .call(colors, gradient.keys.flatMap { $0.color.channels.map(format.real) }))
  }
}
