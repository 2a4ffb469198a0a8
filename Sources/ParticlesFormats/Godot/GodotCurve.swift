internal import ParticlesCore
internal import ParticlesModel

// Curves and gradients, which are resources: of nodes for the CPU directly, of materials in a texture.

extension GodotClass {
  /// The interpolations and colour spaces of gradients, by their numbers. Godot 3 has the first only.
  fileprivate static let modes: [Interpolation] = [.linear, .step, .cubic]
  fileprivate static let spaces: [MixingSpace] = [.srgb, .linear, .oklab]
}

extension GodotReader {
  /// Whether a property has a resource that can be read; one in another file is reported.
  private func hasResource(_ key: String, _ path: String) -> Bool {
    guard let value = value(key), value != .null else { return false }
    if scene.resolve("\(path)/_data", from: node) != nil { return true }
    note(
      .uninterpreted, kind.path(key) ?? key,
      "only a resource of the usual type in the same file is read", found: value.excerpt)
    return false
  }

  /// The curve of a property over relative age; nil if it has none.
  func curve(_ key: String) throws -> Curve? {
    guard let path = kind.curvePath(key), hasResource(key, path) else { return nil }
    guard case .array(let points)? = value("\(path)/_data") else { return .constant(0) }
    try scene.spend(points.count, at: place(of: path))
    // The tangents of a key, and whether they are those of the lines to its neighbours.
    var keys: [(key: CurveKey, isLeftLinear: Bool, isRightLinear: Bool)] = []
    for start in stride(from: 0, to: points.count - 4, by: 5) {
      guard let point = points[start].components, point.count == 2,
        let rest = Array(points[start + 1...start + 4]).numbers
      else {
        note(.emitterValue, "\(path)/_data", "a point of a curve is damaged")
        return nil
      }
      let key = CurveKey(
        point[0].tidy, point[1].tidy, inSlope: rest[0].tidy, outSlope: rest[1].tidy)
      keys.append((key, rest[2] == 1, rest[3] == 1))
    }
    if keys.isEmpty { return .constant(0) }
    keys.sort { $0.key.time < $1.key.time }
    if zip(keys, keys.dropFirst()).allSatisfy({ $0.isRightLinear && $1.isLeftLinear }) {
      return Curve(keys.map { CurveKey($0.key.time, $0.key.value) })
    }
    var curve = Curve(keys.map(\.key), .cubic)
    for index in keys.indices {
      if keys[index].isLeftLinear, index > 0 { curve.keys[index].inSlope = curve.chord(index - 1) }
      if keys[index].isRightLinear, index + 1 < keys.count {
        curve.keys[index].outSlope = curve.chord(index)
      }
    }
    return curve
  }

  /// The gradient of a property; nil if it has none.
  func gradient(_ key: String) throws -> Gradient? {
    guard let path = kind.gradientPath(key), hasResource(key, path) else { return nil }
    let offsets = try list("\(path)/offsets") ?? [0, 1]
    let colors = try list("\(path)/colors") ?? [0, 0, 0, 1, 1, 1, 1, 1]
    if colors.count != 4 * offsets.count {
      note(
        .emitterValue, "\(path)/colors", "a gradient needs four numbers for each offset",
        found: "\(colors.count) for \(offsets.count)")
    }
    let keys = zip(offsets, offsets.indices).filter { 4 * $1 + 3 < colors.count }.map {
      GradientKey($0, Color(Array(colors[4 * $1...4 * $1 + 3])))
    }
    guard !keys.isEmpty else { return nil }
    return Gradient(
      keys.sorted { $0.time < $1.time },
      choice("\(path)/interpolation_mode", GodotClass.modes) ?? .linear,
      space: choice("\(path)/interpolation_color_space", GodotClass.spaces) ?? .srgb)
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
        call("Vector2", [key.time, key.value]),
        format.real(isLinear(index - 1) ? curve.chord(index - 1) : curve.inSlope(index)),
        format.real(isLinear(index) ? curve.chord(index) : curve.outSlope(index)),
        .integer(isLinear(index - 1) ? 1 : 0), .integer(isLinear(index) ? 1 : 0),
      ]
    }
    let range = curve.keyRange ?? .unit
    let isThree = kind.generation == .three
    if isThree, range.lower < 0 { set("\(path)/min_value", range.lower) }
    if isThree, range.upper > 1 { set("\(path)/max_value", range.upper) }
    if !isThree, range.lower < 0 || range.upper > 1 {
      let limits = [min(range.lower, 0), max(range.upper, 1), 0, 1]
      set("\(path)/_limits", .array(limits.map(format.real)))
    }
    set("\(path)/_data", .array(points))
    if !isThree { set("\(path)/point_count", integer: curve.keys.count) }
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
    if gradient.interpolation != .linear {
      set("\(path)/interpolation_mode", gradient.interpolation, of: GodotClass.modes)
    }
    if gradient.space != .srgb {
      set("\(path)/interpolation_color_space", gradient.space, of: GodotClass.spaces)
    }
    let reals = kind.generation == .three ? "PoolRealArray" : "PackedFloat32Array"
    set("\(path)/offsets", call(reals, gradient.keys.map(\.time)))
    set("\(path)/colors", colors(gradient.keys.map(\.color)))
  }

  /// A list of colours.
  func colors(_ colors: [Color]) -> GodotValue {
    call(
      kind.generation == .three ? "PoolColorArray" : "PackedColorArray", colors.flatMap(\.channels))
  }
}
