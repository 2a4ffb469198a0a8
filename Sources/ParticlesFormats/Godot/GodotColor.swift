internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform

// Colours: a start colour, its random change, and a ramp over life.

extension GodotReader {
  func decodeColor(of emitter: inout Emitter) throws {
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
    let (least, width) = (range.bounds.lower, range.bounds.upper - range.bounds.lower)
    let steps = range.isNumber ? 0 : Int(saturating: min(max(24 * width, 16), 64))
    let shares = (0...steps).map { Double($0) / Double(max(steps, 1)) }
    func turned(_ color: Color) -> [Color] {
      shares.map { color.hueTurned(by: 360 * (least + width * $0)) }
    }
    func mean(_ colors: [Color]) -> Color {
      steps == 0
        ? colors[0] : .mean(zip(colors, colors.dropFirst()).map { $0.mixed(with: $1, 0.5) })
    }
    let colors = turned(color)
    base.from =
      steps == 0
      ? .constant(colors[0])
      : .gradient(.init(Gradient(zip(shares, colors).map { GradientKey($0, $1) })))
    guard let gradient = base.gradient else { return }
    let whole = mean(colors)
    base.gradient = gradient.mapped { key in
      let part = mean(turned(key.multiplied(by: color)))
      func share(_ channel: (Color) -> Double) -> Double {
        let (part, whole) = (channel(part), channel(whole))
        return whole.magnitude < 1e-6 ? channel(key) : (part / whole).rounded
      }
      return Color(share(\.red), share(\.green), share(\.blue), key.alpha)
    }
    guard !gradient.keys.allSatisfy(\.color.isGrey) else { return }
    // The greatest difference of a channel as it is shown, over all turns and keys.
    var most = 0.0
    func shown(_ channel: Double) -> Double { min(max(channel, 0), 1) }
    for (old, new) in zip(gradient.keys, base.gradient?.keys ?? []) {
      for (whole, start) in zip(turned(old.color.multiplied(by: color)), colors) {
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

/// A colour whose hue is turned by a random part of a range. A gradient has the resulting colours.
private struct HueTurn {
  let color: Color
  /// In turns.
  let range: Value

  /// nil for any other gradient. The range begins, ends or has its middle at the colour itself.
  init?(_ gradient: Gradient) {
    let keys = gradient.keys
    let steps = keys.count - 1
    guard (16...64).contains(steps), gradient.interpolation == .linear,
      keys.enumerated().allSatisfy({ ($1.time - Double($0) / Double(steps)).magnitude < 1e-6 })
    else { return nil }
    // The sums of both neighbours are an affine function of a colour, whose factor is twice the cosine of a step.
    var (product, square) = (0.0, 0.0)
    for place in 1..<steps - 1 {
      for channel in 0..<3 {
        func value(_ offset: Int) -> Double { keys[place + offset].color.channels[channel] }
        let difference = value(0) - value(1)
        product += (value(-1) + value(1) - value(0) - value(2)) * difference
        square += difference * difference
      }
    }
    guard square > 1e-6 else { return nil }
    let width = acos(min(max(product / square / 2, -1), 1)) / (2 * .pi) * Double(steps)
    // Colours beyond 0 to 1 result from a turn.
    func isPlain(_ key: Int) -> Bool { keys[key].color.channels.allSatisfy { 0...1 ~= $0 } }
    let all = [(0.5, steps / 2), (0.0, 0), (1.0, steps)].filter { $0.0 != 0.5 || steps % 2 == 0 }
    for (share, zero) in all.filter({ isPlain($0.1) }) + all.filter({ !isPlain($0.1) }) {
      let (color, least) = (keys[zero].color, -share * width)
      let isSame = keys.allSatisfy { key in
        let turned = color.hueTurned(by: 360 * (least + width * key.time))
        return zip(turned.channels, key.color.channels).allSatisfy { ($0 - $1).magnitude < 2e-3 }
      }
      guard isSame else { continue }
      func tidy(_ number: Double) -> Double { (number * 10_000).rounded() / 10_000 }
      self.color = color
      range = .range(tidy(least), tidy(least + width))
      return
    }
    return nil
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

  fileprivate var isGrey: Bool { red == green && green == blue }

  /// The colour with another hue, by the matrix of Godot, which the engine applies transposed.
  fileprivate func hueTurned(by degrees: Double) -> Color {
    let (c, s) = Angle.turned(1, 0, by: degrees)
    let rows = [
      [0.701, -0.587, -0.114, 0.168, 0.330, -0.497], [-0.299, 0.413, -0.114, -0.328, 0.035, 0.292],
      [-0.300, -0.588, 0.886, 1.250, -1.050, -0.203],
    ]
    let rgb = [red, green, blue]
    let turned = zip([0.299, 0.587, 0.114], 0..<3).map { luma, column in
      (0..<3).reduce(0) {
        $0 + (luma + rows[$1][column] * c + rows[$1][column + 3] * s) * rgb[$1]
      }.rounded
    }
    return Color(turned[0], turned[1], turned[2], alpha)
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
    let start = encodeStart(base.from).untinted(by: surroundings.tint)
    set("color", .call("Color", numbers: start.channels))
    if let gradient = base.gradient {
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
    let isRandom = ![tint.opacity.from, tint.opacity.to ?? 0].allSatisfy(\.isConstant)
    lose(
      isSame ? .restated : .approximated,
      tint.opacity != 1
        ? .opacityCurve : tint.mix != 1 ? .mix : base.to != nil ? .randomEndColor : .gradient,
      at: "color", "one gradient holds all changes of the colour over life",
      recipe: isSame ? nil : "the means, at 17 points",
      level: isSame ? nil : isRandom ? .medium : .low)
    base = folded
  }

  /// Writes a random start colour, and returns the constant part.
  private mutating func encodeStart(_ value: ColorValue) -> Color {
    var ramp: Gradient?
    var (start, jitter) = (Color.white, nil as ColorJitter?)
    switch value {
    case .constant(let color): start = color
    case .varied(let varied): (start, jitter) = (varied.color, varied.jitter)
    case .gradient(let pick):
      if pick.jitter == nil, let turn = HueTurn(pick.gradient) {
        put(
          "hue_variation", turn.range, .randomHueSaturationBrightness, at: "color.base")
        return turn.color
      }
      (ramp, jitter) = (pick.gradient, pick.jitter)
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
