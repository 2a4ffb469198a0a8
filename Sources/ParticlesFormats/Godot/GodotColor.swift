internal import ParticlesCore
internal import ParticlesModel

// Colours: a start colour, its random change, and a ramp over life.

extension GodotReader {
  func decodeColor(of emitter: inout Emitter) throws(Failure) {
    let color = Color(numbers("color", 4...4) ?? [1, 1, 1, 1])
    var base = ColorTrack(.constant(color))
    base.gradient = try gradient("color_ramp")
    if let ramp = try gradient("color_initial_ramp") {
      base.from = .gradient(
        .init(color == .white ? ramp : ramp.mapped { $0.multiplied(by: color) }))
    }
    turnHue(of: &base, color)
    if node.position.ownTint != .white { base.from = base.from.tinted(by: node.position.ownTint) }
    // Components beyond 0…1 are not clamped.
    base.clamp = base.from.componentBounds
    emitter.color.base = base
    guard let curve = try curve("alpha_curve") else { return }
    emitter.color.opacity = Track(from: 0, to: 1, curve: curve)
  }

  /// The hue is turned by a matrix that also changes the brightness, and tints white. A random turn
  /// is a gradient of the colours that result. The engine turns the product with the ramp. The
  /// colours of the ramp are changed so that this does not change the means over all turns.
  private func turnHue(of base: inout ColorTrack, _ color: Color) {
    let range = range("hue_variation")
    guard range != 0 else { return }
    guard base.from.isColor else {
      return note(.uninterpreted, "hue_variation", "the initial ramp is used without it")
    }
    let turns = GodotHueTurns(range)
    let colors = turns.colors(of: color)
    base.from =
      colors.count == 1
      ? .constant(colors[0])
      : .gradient(.init(Gradient(zip(turns.shares, colors).map { GradientKey($0, $1) })))
    guard let gradient = base.gradient else { return }
    base.gradient = gradient.mapped { turns.ramp($0, of: color) }
    guard !gradient.keys.allSatisfy({ $0.color.isGrey }) else { return }
    // The greatest difference of a channel as it is shown, over all turns and keys.
    var most = 0.0
    func shown(_ channel: Double) -> Double { min(max(channel, 0), 1) }
    for (old, new) in zip(gradient.keys, base.gradient?.keys ?? []) {
      for (whole, start) in zip(turns.colors(of: old.color.multiplied(by: color)), colors) {
        for (exact, own) in zip(whole.channels, start.multiplied(by: new.color).channels) {
          most = max(most, (shown(exact) - shown(own)).magnitude)
        }
      }
    }
    note(
      .approximated, "hue_variation",
      "hues are turned before the ramp, with equal means. Colours differ by up to "
        + shortText((most * 100).rounded() / 100),
      severity: most < 0.02 ? .note : nil)
  }
}

extension ColorValue {
  /// The colours that a node with a tint shows.
  fileprivate func tinted(by tint: Color) -> ColorValue {
    switch self {
    case .constant(let color): .constant(color.multiplied(by: tint))
    case .gradient(let pick):
      .gradient(.init(pick.gradient.mapped { $0.multiplied(by: tint) }))
    default: self
    }
  }
}

extension Color {
  /// The colour that, with a tint, shows as this colour. A channel with the tint 0 becomes 1.
  fileprivate func untinted(by tint: Color) -> Color {
    guard tint != .white else { return self }
    return Color(zip(channels, tint.channels).map { $1 == 0 ? 1 : ($0 / $1).rounded })
  }
}

extension EmitterWriter<GodotFamily> {
  mutating func encodeColor() {
    let tint = emitter.color
    var base = tint.base
    let opacity = tint.opacity
    let isOwnAlpha =
      kind.path("alpha_curve") != nil && opacity.to == 1
      && opacity == Track(from: 0, to: 1, curve: opacity.curve)
    if isOwnAlpha {
      put("alpha_curve", curve: opacity.curve, .opacityCurve, at: "color.opacity")
    }
    let isFolded = !isOwnAlpha && opacity != 1 || tint.intensity != 1 || tint.mix != 1
    if isFolded || base.to != nil || base.rate != .zero { fold(&base, isFolded: isFolded) }
    let turned = encodeTurns(of: base.from)
    let start = turned?.color ?? encodeStart(base.from).untinted(by: surroundings.tint)
    set("color", .call("Color", numbers: start.channels))
    if var gradient = base.gradient {
      if let turned { unturn(&gradient, turned) }
      put("color_ramp", gradient: gradient, at: "color.base.gradient")
    }
    let clamp = base.from.componentBounds
    guard !isFolded, base.clamp != clamp else { return }
    lose(.restated, .gradient, at: "color.base.clamp", "components are not clamped")
  }

  /// Multiplies everything that changes over life into the gradient.
  private mutating func fold(_ base: inout ColorTrack, isFolded: Bool) {
    var tint = emitter.color
    let keepsStart = base.to == nil && base.rate == .zero
    if keepsStart { tint.base.from = .white }
    let (points, isExact) = tint.seen(lifetime: lifetime)
    let (own, isPlain) = tint.base.gradient(lifetime: lifetime)
    var folded = ColorTrack(
      gradient: isFolded
        ? Gradient(points.enumerated().map { GradientKey(Double($0) / 16, $1) }) : own)
    if keepsStart { folded.from = base.from }
    let isSame = isFolded ? isExact : isPlain
    let isRandom = ![tint.opacity.from, tint.opacity.to ?? 0].allSatisfy { $0.isConstant }
    lose(
      isSame ? .restated : .approximated,
      tint.opacity != 1
        ? .opacityCurve : tint.mix != 1 ? .mix : base.to != nil ? .randomEndColor : .gradient,
      at: "color", "one gradient holds all changes of the colour over life",
      recipe: isSame ? nil : "the means, at 17 points",
      level: isSame ? nil : isRandom ? .medium : .low)
    base = folded
  }

  /// Writes a gradient that has turns of one hue, and returns that colour. Nil for any other value.
  private mutating func encodeTurns(of value: ColorValue) -> GodotHueTurns.Found? {
    guard case .gradient(let pick) = value, pick.jitter == nil,
      let found = GodotHueTurns.found(
        in: pick.gradient.mapped { $0.untinted(by: surroundings.tint) }),
      found.isExact || kind.path("color_initial_ramp") == nil
    else { return nil }
    put("hue_variation", found.turns.range, .randomHueSaturationBrightness, at: "color.base")
    if !found.isExact {
      lose(
        .approximated, .startGradient, at: "color.base", "random colours are turns of a hue",
        recipe: "the nearest range of turns", level: .low)
    }
    return found
  }

  /// Changes a ramp, because the engine turns the hue of its product with the start colour.
  private mutating func unturn(_ gradient: inout Gradient, _ start: GodotHueTurns.Found) {
    let keys = gradient.keys.map { start.turns.key($0.color, of: start.color) }
    guard keys.allSatisfy({ $0 != nil }) else {
      return lose(
        .approximated, .gradient, at: "color.base.gradient", "Godot turns the hue of a ramp, too",
        level: .medium)
    }
    for (index, key) in keys.enumerated() { gradient.keys[index].color = key ?? .white }
  }

  /// Writes a random start colour, and returns the constant part.
  private mutating func encodeStart(_ value: ColorValue) -> Color {
    var ramp: Gradient?
    var (start, jitter) = (Color.white, nil as ColorJitter?)
    switch value {
    case .constant(let color): start = color
    case .varied(let varied): (start, jitter) = (varied.color, varied.jitter)
    case .gradient(let pick): (ramp, jitter) = (pick.gradient, pick.jitter)
    case .range(let range):
      ramp = Gradient([GradientKey(0, range.min), GradientKey(1, range.max)])
      jitter = range.jitter
      lose(
        range.mode == .line ? .restated : .approximated, .randomColor, at: "color.base",
        "a random colour is on a line of colours", level: range.mode == .line ? nil : .medium)
    case .choice(let choice):
      let count = Double(max(choice.colors.count, 1))
      ramp = Gradient(
        choice.colors.enumerated().map { GradientKey(Double($0) / count, $1) }, .step)
      lose(
        choice.weights.isEmpty ? .restated : .approximated, .randomColor, at: "color.base",
        "a random colour is in a gradient")
    }
    putHue(jitter)
    guard let ramp else { return start }
    if kind.path("color_initial_ramp") == nil {
      lose(
        .approximated, .startGradient, at: "color.base", "random colours are not supported",
        recipe: "the mean colour", level: .medium)
      return value.mean
    }
    put("color_initial_ramp", gradient: ramp, at: "color.base")
    return start
  }

  private mutating func putHue(_ jitter: ColorJitter?) {
    let half = (jitter?.hue ?? 0) / 360
    put(
      "hue_variation", half == 0 ? 0 : .range(-half, half), .randomHueSaturationBrightness,
      at: "color.base")
    guard let jitter else { return }
    if jitter.saturation != 0 || jitter.brightness != 0 || jitter.alpha != 0 {
      lose(
        .approximated, .randomHueSaturationBrightness, at: "color.base",
        "only the hue is randomised",
        recipe: "the mean saturation, brightness and alpha", level: .medium)
    }
  }
}

// Curves and gradients are resources. Nodes for the CPU have them directly, materials in a texture.

extension EmitterWriter<GodotFamily> {
  /// Writes a curve as points, and reports features that curves of Godot do not have.
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
