internal import ParticlesCore
internal import ParticlesModel

// Values of several properties: ranges, curves and gradients.

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

  /// Whether a property has a resource that can be read; one in another file is reported.
  private func hasResource(_ key: String, _ path: String) -> Bool {
    guard let value = value(key), value != .null else { return false }
    if scene.resolve("\(path)/_data", from: node) != nil { return true }
    if let fault = fault(key) ?? fault(path) {
      scene.report(fault)
    } else {
      note(
        .uninterpreted, kind.path(key) ?? key, "only a resource of the usual type is read",
        found: value.excerpt)
    }
    return false
  }

  /// The curve of a property over relative age; nil if it has none.
  func curve(_ key: String) throws -> Curve? {
    guard let path = kind.curvePath(key), hasResource(key, path) else { return nil }
    guard case .array(let points)? = value("\(path)/_data") else { return .constant(0) }
    try scene.spend(points.count, at: place(of: path))
    let curve = Curve(godot: points)
    if curve == nil { note(.emitterValue, "\(path)/_data", "a point of a curve is damaged") }
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
    let keys = Gradient.keys(offsets, colors)
    guard !keys.isEmpty else { return nil }
    return Gradient(
      keys, choice("\(path)/interpolation_mode", GodotGeneration.modes) ?? .linear,
      space: choice("\(path)/interpolation_color_space", GodotGeneration.spaces) ?? .srgb)
  }
}
