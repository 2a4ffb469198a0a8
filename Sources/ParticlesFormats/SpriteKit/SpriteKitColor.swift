internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Colour: a sequence, or a colour at birth that varies and changes evenly; and two numbers that
// count from 0 to 1, how visible particles are and how much of the colour they take on.

extension KeyedEmitter<SpriteKitFamily> {
  func tint(lifetime: Value) throws -> Tint {
    var tint = Tint()
    tint.opacity = try fraction(.opacity, 1, lifetime)
    tint.mix = try fraction(.mix, 0, lifetime)
    tint.base = try color()
    weighAlpha(of: &tint)
    return tint
  }

  /// A number that counts from 0 to 1 only, whatever it is.
  private func fraction(_ keys: SpriteKitTrackKeys, _ standard: Double, _ lifetime: Value) throws
    -> Track
  {
    var track = try track(keys, standard)
    let leaves =
      track.isStraight
      ? track.leavesUnit(over: lifetime)
      : track.curve.keys.contains { !(0...1).contains($0.value) }
    if leaves { track.range = .unit }
    return track
  }

  private func color() throws -> ColorTrack {
    if let keys = try sequence("_particleColorSequence")?.gradient {
      return keys.keys.count == 1
        ? ColorTrack(.constant(keys.keys[0].color)) : ColorTrack(gradient: keys)
    }
    let channels = ["R", "G", "B", "A"]
    var start = channels.map { number("_startColor\($0)") }
    if object.index(of: "_startColorR") == nil, let color = try object.object("particleColor"),
      let rgba = try ArchivedColor.sRGB(of: color)
    {
      start = rgba
    }
    let half = channels.map { number("_startColorVariance\($0)").magnitude / 2 }
    let speed = channels.map { number("_colorSpeed\($0)") }
    let least = Color(zip(start, half).map { ($0 - $1).rounded })
    let most = Color(zip(start, half).map { ($0 + $1).rounded })
    var track = ColorTrack(least == most ? .constant(least) : .range(least, most))
    track.rate = ColorRate(speed[0], speed[1], speed[2], speed[3])
    return track
  }

  /// Where the colour plays no part, or only some, its alpha does not either.
  private func weighAlpha(of tint: inout Tint) {
    guard case .constant(let mix) = tint.mix.from, tint.mix.isConstantOverLife, mix < 1 else {
      return
    }
    let share = max(mix, 0)
    func weighed(_ color: Color) -> Color {
      Color(color.red, color.green, color.blue, (1 + (color.alpha - 1) * share).rounded)
    }
    let before = tint.base
    switch tint.base.from {
    case .constant(let color): tint.base.from = .constant(weighed(color))
    case .range(let range): tint.base.from = .range(weighed(range.min), weighed(range.max))
    default: break
    }
    tint.base.rate.alpha = (tint.base.rate.alpha * share).rounded
    tint.base.gradient = tint.base.gradient?.mapped(weighed)
    // Where it plays no part at all, nothing had to be assumed.
    guard tint.base != before, share > 0 else { return }
    note(
      .assumed, "_startColorMix",
      "the alpha of a colour that is blended in part is taken to count in part")
  }
}

extension Track {
  /// Whether the number leaves 0 to 1, as old as particles get, by more than rounding takes.
  fileprivate func leavesUnit(over lifetime: Value) -> Bool {
    let change = rate.mean * max(lifetime.bounds.upper, 0)
    let (least, most) = (from.bounds.lower, from.bounds.upper)
    return least + min(change, 0) < -1e-6 || most + max(change, 0) > 1 + 1e-6
  }
}

extension EmitterWriter<SpriteKitFamily> {
  mutating func encodeColor() {
    var color = emitter.color
    brighten(&color)
    moveAlpha(of: &color)
    encode(color.opacity, .opacity, .alphaCv, at: "color.opacity")
    encode(color.mix, .mix, .mix, at: "color.mix")
    if let (least, most) = box(of: color.base) {
      encodeBirth(least, most, rate: color.base.rate)
      set("_particleColorSequence", .null)
    } else {
      encodeGradient(color.base)
    }
  }

  private mutating func encode(
    _ track: Track, _ keys: SpriteKitTrackKeys, _ capability: Capability, at place: String
  ) {
    var whole = track
    if track.range == .unit { whole.range = nil }
    set(
      keys, whole.isStraight ? whole : track, capability, capability, at: place,
      "it changes equally fast for all particles")
    if whole.isStraight, track.rate.isNumber,
      track.leavesUnit(over: emitter.lifetime) != (track.range != nil)
    {
      lose(.restated, capability, at: "\(place).range", also: [place], "it counts from 0 to 1")
    }
  }

  /// What a colour at birth lies between; nil if it needs a sequence.
  private mutating func box(of base: ColorTrack) -> (least: Color, most: Color)? {
    guard base.to == nil, base.gradient == nil, base.clamp == .unit else { return nil }
    if base.curve != .linear, !base.from.isColor || base.rate != .zero {
      lose(.dead, .grad, at: "color.base.curve", "the curve leads nowhere")
    }
    let detail = "each channel varies by itself"
    switch base.from {
    case .constant: guard base.rate != .zero else { return nil }
    case .range(let range):
      if range.mode != .channels || range.jitter != nil {
        lose(
          .approximated, range.jitter == nil ? .colRand : .colHSB, at: "color.base", detail,
          recipe: "channels")
      }
      if range.min == range.max || zip(range.min.channels, range.max.channels).contains(where: >) {
        lose(.restated, .colRand, at: "color.base", "channels lie between least and greatest")
      }
    case .varied(let varied) where varied.jitter == nil:
      lose(.restated, .colHSB, at: "color.base", "a colour that does not vary")
    case .varied, .gradient, .choice:
      var capability = Capability.initRamp
      if case .varied = base.from { capability = .colHSB }
      lose(
        .approximated, capability, at: "color.base", detail, recipe: "the box around the colours",
        level: .medium)
    }
    return base.from.channelBounds
  }

  private mutating func encodeBirth(_ least: Color, _ most: Color, rate: ColorRate) {
    let speeds = [rate.red, rate.green, rate.blue, rate.alpha]
    for (channel, name) in ["R", "G", "B", "A"].enumerated() {
      let (low, high) = (least.channels[channel], most.channels[channel])
      set("_startColor\(name)", (low + high) / 2)
      set("_startColorVariance\(name)", high - low)
      set("_colorSpeed\(name)", speeds[channel])
    }
  }

  /// Writes a sequence, of one key if the colour stays the same, and its first colour at birth.
  private mutating func encodeGradient(_ base: ColorTrack) {
    var (gradient, isExact) = base.gradient(lifetime: lifetime)
    if base == ColorTrack(base.from), case .constant(let color) = base.from {
      gradient = Gradient([GradientKey(0, color)])
    } else if !isExact {
      let isRandom = !base.from.isColor || !(base.to ?? .white).isColor
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
    gradient = gradient.mapped { clamped($0, to: .unit, "components are from 0 to 1") }
    set(
      "_particleColorSequence",
      .sequence(
        gradient.keys.map(\.time), gradient.keys.map { .deviceColor($0.color) },
        gradient.interpolation))
    let first = gradient.keys.first?.color ?? .white
    encodeBirth(first, first, rate: .zero)
  }

  /// Brighter than an image is a colour that is brighter, as far as there is one.
  private mutating func brighten(_ color: inout Tint) {
    guard color.intensity != 1 else { return }
    let factor = color.intensity.mean(lifetime: lifetime)
    lose(
      .approximated, .grad, at: "color.intensity", also: ["color.base"], "there is no intensity",
      recipe: "colours are multiplied, up to white")
    color.base = ColorTrack(
      gradient: color.base.gradient(lifetime: lifetime).gradient.mapped {
        Color(
          Interval.unit.clamp($0.red * factor), Interval.unit.clamp($0.green * factor),
          Interval.unit.clamp($0.blue * factor), $0.alpha)
      })
  }

  /// Of a colour that counts in part, alpha counts in part too: where all of it is meant to count,
  /// it is a matter of opacity.
  private mutating func moveAlpha(of color: inout Tint) {
    guard case .constant(let mix) = color.mix.from, color.mix.isConstantOverLife, mix < 1 else {
      return
    }
    let base = color.base
    let gradient = base.gradient(lifetime: lifetime).gradient
    let alphas = Set(gradient.keys.map(\.color.alpha))
    guard let alpha = alphas.first, alphas != [1] else { return }
    let isPlain = alphas.count == 1 && base.from.isColor && base.rate == .zero
    lose(
      isPlain ? .restated : .approximated, .mix, at: "color.base", also: ["color.opacity"],
      "the alpha of a colour that counts in part is a matter of opacity",
      recipe: isPlain ? nil : "its mean")
    color.opacity = color.opacity.scaled(
      by: isPlain ? alpha : alphas.reduce(0, +) / Double(alphas.count))
    color.base = ColorTrack(gradient: gradient.mapped { Color($0.red, $0.green, $0.blue, 1) })
    if base == ColorTrack(base.from), let key = color.base.gradient?.keys.first {
      color.base = ColorTrack(.constant(key.color))
    }
  }
}
