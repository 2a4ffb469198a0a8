internal import ParticlesCore
internal import ParticlesModel

// Curves and gradients, which are resources: of nodes for the CPU directly, of materials in a texture.

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
    set(curve.properties(kind.generation), below: path)
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
        .approximated, .gradient, at: place, "Godot has no such interpolation of colours",
        recipe: "linear between 33 colours", level: .low)
    }
    let smooth = gradient.keys.withoutJumps
    if smooth != gradient.keys {
      gradient.keys = smooth
      lose(
        .approximated, .gradient, at: place, "a gradient has no jumps",
        recipe: "a steep piece of a ten-thousandth of the life", level: .low)
    }
    set(gradient.properties(kind.generation), below: path)
  }

  private mutating func set(_ properties: [(key: String, value: GodotValue)], below path: String) {
    for (key, value) in properties { set("\(path)/\(key)", value) }
  }
}
