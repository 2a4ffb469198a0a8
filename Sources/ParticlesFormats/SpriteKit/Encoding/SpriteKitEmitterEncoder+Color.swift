internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Colour: a sequence, or a colour at birth that varies and changes evenly; and two numbers that
// count from 0 to 1, how visible particles are and how much of the colour they take on.

extension SpriteKitEmitterEncoder {
  mutating func encodeColor() {
    var color = emitter.color
    brighten(&color)
    moveAlpha(of: &color)
    encode(
      color.opacity, key: "_startOpacity", width: "_startOpacityVariance", speed: "_opacitySpeed",
      sequence: "_particleAlphaSequence", .alphaCv, at: "color.opacity")
    encode(
      color.mix, key: "_startColorMix", width: "_startColorBlendVariance",
      speed: "_colorBlendSpeed", sequence: "_particleColorBlendFactorSequence", .mix,
      at: "color.mix")
    if let (least, most) = box(of: color.base) {
      encodeBirth(least, most, rate: color.base.rate)
      set("_particleColorSequence", .null)
    } else {
      let colors = encodeGradient(color.base)
      encodeBirth(colors, colors, rate: .zero)
    }
  }

  // MARK: Numbers

  private mutating func encode(
    _ track: Track, key: String, width: String, speed: String, sequence sequenceKey: String,
    _ capability: Capability, at place: String
  ) {
    var straight = Track(from: track.from, rate: track.rate)
    straight.range = track.range
    guard track == straight, track.range == nil || track.range == .unit else {
      set(key, 1)
      set(width, 0)
      set(speed, 0)
      return set(sequenceKey, sequence: sequence(of: track, capability, at: place))
    }
    set(key, width: width, track.from, capability, at: place)
    set(speed, track.rate.mean)
    set(sequenceKey, .null)
    if !track.rate.isConstant {
      lose(
        .approximated, capability, at: place, "it changes equally fast for all particles",
        recipe: "the mean")
    } else {
      if track.leavesUnit(over: emitter.lifetime) != (track.range != nil) {
        lose(.restated, capability, at: "\(place).range", also: [place], "it counts from 0 to 1")
      }
    }
  }

  // MARK: Colours

  /// What a colour at birth lies between; nil if it needs a sequence.
  private mutating func box(of base: ColorTrack) -> (least: Color, most: Color)? {
    guard base.to == nil, base.gradient == nil, base.clamp == .unit else { return nil }
    if base.curve != .linear, !isConstant(base) {
      lose(.dead, .grad, at: "color.base.curve", "the curve leads nowhere")
    }
    switch base.from {
    case .constant(let color):
      return base.rate == .zero ? nil : (color, color)
    case .range(let range):
      if range.mode != .channels || range.jitter != nil {
        lose(
          .approximated, range.jitter == nil ? .colRand : .colHSB, at: "color.base",
          "each channel varies by itself", recipe: "channels")
      }
      let pairs = zip(range.min.channels, range.max.channels)
      if range.min == range.max || pairs.contains(where: { $0 > $1 }) {
        lose(.restated, .colRand, at: "color.base", "channels lie between least and greatest")
      }
      return (range.min, range.max)
    case .varied(let varied):
      guard let jitter = varied.jitter else {
        lose(.restated, .colHSB, at: "color.base", "a colour that does not vary")
        return (varied.color, varied.color)
      }
      lose(
        .approximated, .colHSB, at: "color.base", "each channel varies by itself",
        recipe: "the box around the colours", level: .medium)
      return varied.color.box(jitter)
    case .gradient(let pick):
      lose(
        .approximated, .initRamp, at: "color.base", "each channel varies by itself",
        recipe: "the box around the colours", level: .medium)
      return Color.box((0...16).map { pick.gradient.color(at: Double($0) / 16) })
    case .choice(let choice):
      lose(
        .approximated, .initRamp, at: "color.base", "each channel varies by itself",
        recipe: "the box around the colours", level: .medium)
      return Color.box(choice.colors)
    }
  }

  private func isConstant(_ base: ColorTrack) -> Bool {
    base.from.isConstant && base.rate == .zero
  }

  private mutating func encodeBirth(_ least: Color, _ most: Color, rate: ColorRate) {
    let channels: [(String, KeyPath<Color, Double>, Double)] = [
      ("R", \.red, rate.red), ("G", \.green, rate.green), ("B", \.blue, rate.blue),
      ("A", \.alpha, rate.alpha),
    ]
    for (name, path, speed) in channels {
      set("_startColor\(name)", (least[keyPath: path] + most[keyPath: path]) / 2)
      set("_startColorVariance\(name)", (most[keyPath: path] - least[keyPath: path]).magnitude)
      set("_colorSpeed\(name)", speed)
    }
  }

  /// Writes a sequence, of one key if the colour stays the same, and gives its first colour.
  private mutating func encodeGradient(_ base: ColorTrack) -> Color {
    var (gradient, isExact) = base.gradient(lifetime: lifetime)
    if base == ColorTrack(base.from), case .constant(let color) = base.from {
      gradient = Gradient([GradientKey(0, color)])
      isExact = true
    } else if !isExact {
      let isRandom = !base.from.isConstant || !(base.to ?? .white).isConstant
      lose(
        .approximated, isRandom ? .colSE : .grad, at: "color.base",
        "a sequence has the same colours for all particles",
        recipe: isRandom ? "the means" : "colours at points on the way")
    } else if gradient.keys.count == 1 {
      lose(.restated, .grad, at: "color.base", "it is the same colour all the time")
    } else if base != ColorTrack(gradient: gradient) {
      lose(.restated, .grad, at: "color.base", "a sequence goes through the colours themselves")
    }
    if gradient.interpolation == .cubic {
      lose(.assumed, .grad, at: "color.base", "a spline is as steep as between its neighbours")
    }
    let colors = gradient.keys.map { clamped($0.color) }
    set(
      "_particleColorSequence",
      SpriteKitArchive.sequence(
        gradient.keys.map(\.time), colors.map(Archivable.deviceColor), gradient.interpolation))
    return colors.first ?? .white
  }

  private mutating func clamped(_ color: Color) -> Color {
    let inside = Color(
      Interval.unit.clamp(color.red), Interval.unit.clamp(color.green),
      Interval.unit.clamp(color.blue), Interval.unit.clamp(color.alpha))
    if inside != color {
      lose(.clamped, .grad, at: "color.base", "components are from 0 to 1")
    }
    return inside
  }

  /// Brighter than an image is a colour that is brighter, as far as there is one.
  private mutating func brighten(_ color: inout Tint) {
    guard color.intensity != 1 else { return }
    let factor = color.intensity.mean(lifetime: lifetime)
    lose(
      .approximated, .grad, at: "color.intensity", also: ["color.base"],
      "there is no intensity", recipe: "colours are multiplied, up to white")
    var (gradient, _) = color.base.gradient(lifetime: lifetime)
    for index in gradient.keys.indices {
      let old = gradient.keys[index].color
      gradient.keys[index].color = Color(
        Interval.unit.clamp(old.red * factor), Interval.unit.clamp(old.green * factor),
        Interval.unit.clamp(old.blue * factor), old.alpha)
    }
    color.base = ColorTrack(gradient: gradient)
  }

  /// Of a colour that counts in part, alpha counts in part too: where all of it is meant to count,
  /// it is a matter of opacity.
  private mutating func moveAlpha(of color: inout Tint) {
    guard case .constant(let mix) = color.mix.from, color.mix.isConstantOverLife, mix < 1 else {
      return
    }
    var (gradient, _) = color.base.gradient(lifetime: lifetime)
    let alphas = Set(gradient.keys.map(\.color.alpha))
    guard let alpha = alphas.first, alphas != [1] else { return }
    let isPlain = alphas.count == 1 && color.base.from.isConstant && color.base.rate == .zero
    lose(
      isPlain ? .restated : .approximated, .mix, at: "color.base", also: ["color.opacity"],
      "the alpha of a colour that counts in part is a matter of opacity",
      recipe: isPlain ? nil : "its mean")
    let mean = isPlain ? alpha : alphas.reduce(0, +) / Double(alphas.count)
    color.opacity = color.opacity.scaled(by: mean)
    for index in gradient.keys.indices { gradient.keys[index].color.alpha = 1 }
    if color.base == ColorTrack(color.base.from), let key = gradient.keys.first {
      color.base = ColorTrack(.constant(key.color))
    } else {
      color.base = ColorTrack(gradient: gradient)
    }
  }
}

extension Color {
  fileprivate var channels: [Double] { [red, green, blue, alpha] }

  /// What colours lie between, channel by channel.
  fileprivate static func box(_ colors: [Color]) -> (least: Color, most: Color) {
    func extreme(_ choose: ([Double]) -> Double?) -> Color {
      Color(
        choose(colors.map(\.red)) ?? 1, choose(colors.map(\.green)) ?? 1,
        choose(colors.map(\.blue)) ?? 1, choose(colors.map(\.alpha)) ?? 1)
    }
    return (extreme { $0.min() }, extreme { $0.max() })
  }

  /// What the colours lie between that half widths of hue, saturation, brightness and alpha make of
  /// this one.
  fileprivate func box(_ jitter: ColorJitter) -> (least: Color, most: Color) {
    let (hue, saturation, brightness) = hsb
    var colors: [Color] = []
    for step in -4...4 {
      for (s, b) in [(-1.0, -1.0), (-1, 1), (1, -1), (1, 1)] {
        colors.append(
          Color(
            hue: hue + jitter.hue * Double(step) / 4,
            saturation: Interval.unit.clamp(saturation + jitter.saturation * s),
            brightness: Interval.unit.clamp(brightness + jitter.brightness * b),
            alpha: Interval.unit.clamp(alpha + jitter.alpha * s)))
      }
    }
    return Color.box(colors)
  }

  /// Hue in degrees, saturation and brightness.
  private var hsb: (Double, Double, Double) {
    let (most, least) = (max(red, green, blue), min(red, green, blue))
    let span = most - least
    guard span > 0 else { return (0, 0, most) }
    let hue =
      most == red
      ? (green - blue) / span : most == green ? 2 + (blue - red) / span : 4 + (red - green) / span
    return (hue * 60, span / most, most)
  }

  private init(hue: Double, saturation: Double, brightness: Double, alpha: Double) {
    func channel(_ offset: Double) -> Double {
      var place = (hue / 60 + offset).truncatingRemainder(dividingBy: 6)
      if place < 0 { place += 6 }
      return brightness * (1 - saturation * max(0, min(place, 4 - place, 1)))
    }
    self.init(channel(5), channel(3), channel(1), alpha)
  }
}
