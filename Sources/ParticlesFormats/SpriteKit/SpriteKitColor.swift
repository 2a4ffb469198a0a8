internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Colour: a sequence, or a random start colour with a constant change. Opacity and colour mix:
// numbers from 0 to 1.

extension KeyedEmitter<SpriteKitFamily> {
  func tint(lifetime: Value) throws(Failure) -> Tint {
    var tint = Tint()
    tint.opacity = try fraction(.opacity, 1, lifetime)
    tint.mix = try fraction(.mix, 0, lifetime)
    tint.base = try color()
    weighAlpha(of: &tint)
    return tint
  }

  /// A number that is clamped to 0…1.
  private func fraction(_ keys: SpriteKitTrackKeys, _ standard: Double, _ lifetime: Value)
    throws(Failure) -> Track
  {
    var track = try track(keys, standard)
    let leaves =
      track.isStraight
      ? track.leavesUnit(over: lifetime)
      : track.curve.keys.contains { !(0...1).contains($0.value) }
    if leaves { track.range = .unit }
    return track
  }

  private func color() throws(Failure) -> ColorTrack {
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

  /// If the colour is mixed only in part, so is its alpha.
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
    // With a mix of 0 no assumption was needed.
    guard tint.base != before, share > 0 else { return }
    note(
      .assumed, "_startColorMix",
      "the alpha of a partly mixed colour is assumed to be applied in part")
  }
}

extension Track {
  /// Whether the number leaves 0…1 within the lifetime by more than rounding errors.
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
    splitAlpha(of: &color)
    encode(color.opacity, .opacity, .opacityCurve, at: "color.opacity")
    encode(color.mix, .mix, .mix, at: "color.mix")
    if let (least, most) = box(of: color.base) {
      encodeStart(least, most, rate: color.base.rate)
      set("_particleColorSequence", .null)
    } else if let ramp = ramp(of: color.base) {
      encodeStart(ramp.least, ramp.most, rate: ramp.rate)
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
      "all particles change equally per second")
    if whole.isStraight, track.rate.isNumber,
      track.leavesUnit(over: emitter.lifetime) != (track.range != nil)
    {
      lose(.restated, capability, at: "\(place).range", also: [place], "the range is 0 to 1")
    }
  }

  /// Writes a random alpha as opacity, because opacity has separate keys. Then the colour needs no
  /// random start for alpha, and alpha can be a sequence if the colour has one.
  private mutating func splitAlpha(of color: inout Tint) {
    let base = color.base
    guard color.opacity == 1, base.gradient == nil, base.rate == .zero, base.clamp == .unit,
      let to = base.to, let start = base.from.channels, let end = to.channels,
      start.low != start.high,
      [start.low, start.high, end.low, end.high].contains(where: { $0.alpha != 1 })
    else { return }
    func range(_ ends: (low: Color, high: Color)) -> Value {
      let (low, high) = (ends.low.alpha, ends.high.alpha)
      return low == high ? .constant(low) : .range(min(low, high), max(low, high))
    }
    func opaque(_ ends: (low: Color, high: Color)) -> ColorValue {
      let (low, high) = (ends.low.opaque, ends.high.opaque)
      return low == high ? .constant(low) : .range(low, high)
    }
    color.opacity = Track(from: range(start), to: range(end), curve: base.curve)
    if range(start) == range(end), color.opacity.from.isNumber {
      color.opacity = Track(color.opacity.from)
    }
    (color.base.from, color.base.to) = (opaque(start), opaque(end))
    if color.base.from == color.base.to, color.base.from.isColor { color.base.to = nil }
    lose(
      .restated, .opacityCurve, at: "color.base", also: ["color.opacity"],
      "alpha is written as opacity")
  }

  /// A random start colour with a change per second. Nil if a sequence of the mean colours keeps more.
  private mutating func ramp(of base: ColorTrack) -> (least: Color, most: Color, rate: ColorRate)? {
    guard base.gradient == nil, base.rate == .zero, base.clamp == .unit, let to = base.to,
      let start = base.from.channels, let end = to.channels, start.low != start.high
    else { return nil }
    let shapes = (0..<4).compactMap { channel in
      func value(_ ends: (low: Color, high: Color)) -> Value {
        let (low, high) = (ends.low.channels[channel], ends.high.channels[channel])
        return low == high ? .constant(low) : .range(min(low, high), max(low, high))
      }
      return RampShape(
        Track(from: value(start), to: value(end), curve: base.curve), lifetime: emitter.lifetime)
    }
    guard shapes.count == 4, RampShape.areBetter(shapes) else { return nil }
    lose(
      .approximated, .randomEndColor, at: "color.base",
      "all particles change equally per second",
      recipe: "start, range and speed")
    let bounds = base.from.channelBounds
    return (
      bounds.least, bounds.most,
      ColorRate(shapes[0].rate, shapes[1].rate, shapes[2].rate, shapes[3].rate)
    )
  }

  /// The bounds of a start colour. Nil if a sequence is needed.
  private mutating func box(of base: ColorTrack) -> (least: Color, most: Color)? {
    guard base.to == nil, base.gradient == nil, base.clamp == .unit else { return nil }
    if base.curve != .linear, !base.from.isColor || base.rate != .zero {
      lose(
        .dead, .gradient, at: "color.base.curve", "without an end colour the curve has no effect")
    }
    let detail = "channels are randomised independently"
    switch base.from {
    case .constant: guard base.rate != .zero else { return nil }
    case .range(let range):
      if range.mode != .channels || range.jitter != nil {
        lose(
          .approximated, range.jitter == nil ? .randomColor : .randomHueSaturationBrightness,
          at: "color.base", detail,
          recipe: "channels")
      }
      if range.min == range.max || zip(range.min.channels, range.max.channels).contains(where: >) {
        lose(
          .restated, .randomColor, at: "color.base",
          "written as minimum and maximum of each channel")
      }
    case .varied(let varied) where varied.jitter == nil:
      lose(
        .restated, .randomHueSaturationBrightness, at: "color.base",
        "a random colour with one possible value is written as a constant")
    case .varied, .gradient, .choice:
      var capability = Capability.startGradient
      if case .varied = base.from { capability = .randomHueSaturationBrightness }
      lose(
        .approximated, capability, at: "color.base", detail, recipe: "the range of each channel",
        level: .medium)
    }
    return base.from.channelBounds
  }

  private mutating func encodeStart(_ least: Color, _ most: Color, rate: ColorRate) {
    let speeds = [rate.red, rate.green, rate.blue, rate.alpha]
    for (channel, name) in ["R", "G", "B", "A"].enumerated() {
      let (low, high) = (least.channels[channel], most.channels[channel])
      set("_startColor\(name)", (low + high) / 2)
      set("_startColorVariance\(name)", high - low)
      set("_colorSpeed\(name)", speeds[channel])
    }
  }

  /// Writes a sequence (with one key if the colour is constant) and its first colour as start
  /// colour.
  private mutating func encodeGradient(_ base: ColorTrack) {
    var (gradient, isExact) = base.gradient(lifetime: lifetime)
    if base == ColorTrack(base.from), case .constant(let color) = base.from {
      gradient = Gradient([GradientKey(0, color)])
    } else if !isExact {
      let isRandom = !base.from.isColor || !(base.to ?? .white).isColor
      lose(
        .approximated, isRandom ? .randomEndColor : .gradient, at: "color.base",
        "all particles have equal sequences",
        recipe: isRandom ? "the means" : "colours sampled over life")
    } else if gradient.keys.count == 1 {
      lose(
        .restated, .gradient, at: "color.base",
        "a constant colour is written as a sequence of one key")
    } else if base != ColorTrack(gradient: gradient) {
      lose(.restated, .gradient, at: "color.base", "a sequence contains the colours themselves")
    }
    if gradient.interpolation == .cubic {
      lose(.assumed, .gradient, at: "color.base", "a spline with automatic slopes is assumed")
    }
    gradient = gradient.mapped { clamped($0, to: .unit, "components are from 0 to 1") }
    set(
      "_particleColorSequence",
      .sequence(
        gradient.keys.map { $0.time }, gradient.keys.map { .deviceColor($0.color) },
        gradient.interpolation))
    let first = gradient.keys.first?.color ?? .white
    encodeStart(first, first, rate: .zero)
  }

  /// Applies the intensity to the colour, up to white.
  private mutating func brighten(_ color: inout Tint) {
    guard color.intensity != 1 else { return }
    let factor = color.intensity.mean(lifetime: lifetime)
    lose(
      .approximated, .gradient, at: "color.intensity", also: ["color.base"],
      "intensity is not supported",
      recipe: "colours are multiplied, up to white")
    color.base = ColorTrack(
      gradient: color.base.gradient(lifetime: lifetime).gradient.mapped {
        Color(
          Interval.unit.clamp($0.red * factor), Interval.unit.clamp($0.green * factor),
          Interval.unit.clamp($0.blue * factor), $0.alpha)
      })
  }

  /// The alpha of a partly mixed colour is applied in part, so full alpha is written as opacity.
  private mutating func moveAlpha(of color: inout Tint) {
    guard case .constant(let mix) = color.mix.from, color.mix.isConstantOverLife, mix < 1 else {
      return
    }
    let base = color.base
    let gradient = base.gradient(lifetime: lifetime).gradient
    let alphas = Set(gradient.keys.map { $0.color.alpha })
    guard let alpha = alphas.first, alphas != [1] else { return }
    let isPlain = alphas.count == 1 && base.from.isColor && base.rate == .zero
    lose(
      isPlain ? .restated : .approximated, .mix, at: "color.base", also: ["color.opacity"],
      "the alpha of a partly mixed colour is written as opacity",
      recipe: isPlain ? nil : "its mean")
    color.opacity = color.opacity.scaled(
      by: isPlain ? alpha : alphas.reduce(0, +) / Double(alphas.count))
    color.base = ColorTrack(gradient: gradient.mapped { Color($0.red, $0.green, $0.blue, 1) })
    if base == ColorTrack(base.from), let key = color.base.gradient?.keys.first {
      color.base = ColorTrack(.constant(key.color))
    }
  }
}

extension Color {
  fileprivate var opaque: Color { Color(red, green, blue, 1) }
}

// An archived `SKKeyframeSequence`: values over life.

/// The keys of a number with a start value and a constant change, or a sequence.
struct SpriteKitTrackKeys {
  let start, width, speed, sequence: String

  static let opacity = SpriteKitTrackKeys(
    start: "_startOpacity", width: "_startOpacityVariance", speed: "_opacitySpeed",
    sequence: "_particleAlphaSequence")
  static let mix = SpriteKitTrackKeys(
    start: "_startColorMix", width: "_startColorBlendVariance", speed: "_colorBlendSpeed",
    sequence: "_particleColorBlendFactorSequence")
  static let scale = SpriteKitTrackKeys(
    start: "_startScale", width: "_startScaleVariance", speed: "_scaleSpeed",
    sequence: "_particleScaleSequence")

  var all: [String] { [start, width, speed, sequence] }
}

extension KeyedEmitter<SpriteKitFamily> {
  func track(_ keys: SpriteKitTrackKeys, _ standard: Double, times factor: Double = 1)
    throws(Failure) -> Track
  {
    if let curve = try sequence(keys.sequence)?.curve(times: factor) {
      return Track(from: 0, to: 1, curve: curve)
    }
    return Track(
      from: value(keys.start, width: keys.width, standard, times: factor),
      rate: .constant((number(keys.speed) * factor).rounded))
  }

  /// The sequence under a key. Nil, after a report, if there is none that can be used.
  func sequence(_ name: String) throws(Failure) -> KeyFrames? {
    let key = key(name)
    guard let sequence = try object.object(key) else { return nil }
    guard sequence.isA("SKKeyframeSequence") else {
      object.mismatch(
        key, expected: "an SKKeyframeSequence", found: sequence.className?.excerpt ?? "an object")
      return nil
    }
    return try sequence.keyFrames()
  }
}

extension ArchivedObject {
  fileprivate func keyFrames() throws(Failure) -> KeyFrames? {
    func key(_ archived: String, _ name: String) -> String {
      index(of: archived) == nil ? name : archived
    }
    let (valuesKey, timesKey) = (key("_values", "keyframeValues"), key("_times", "keyframeTimes"))
    guard let values = try keyFrameValues(valuesKey) else { return nil }
    let times = try numbers(timesKey, below: 1e6) ?? []
    guard times.count == values.count else {
      mismatch(timesKey, expected: "\(values.count) times", found: "\(times.count)")
      return nil
    }
    var frames = KeyFrames(times: times, values: values)
    frames.interpolation = choice("_interpolationMode", [.linear, .linear, .cubic, .step], .linear)
    if frames.interpolation == .cubic, times.count > 1 {
      note(
        .assumed, "_interpolationMode", "a spline is assumed to have automatic slopes"
      )
    }
    frames.extend = choice("_repeatMode", [.clamp, .clamp, .loop], .clamp)
    if !frames.isSorted { note(.approximated, "_times", "unsorted keys are sorted by time") }
    if frames.extend == .loop, frames.gradient != nil, times.count > 1 {
      note(.approximated, "_repeatMode", "repetition of colour sequences is not supported")
    }
    reportUnasked()
    return frames
  }
}

extension EmitterWriter<SpriteKitFamily> {
  /// Writes a track as a start value with a constant change, or as a sequence.
  /// - Parameters:
  ///   - curve: the capability for a change over life.
  ///   - detail: the report text if the change differs between particles.
  mutating func set(
    _ keys: SpriteKitTrackKeys, _ track: Track, _ capability: Capability, _ curve: Capability,
    at place: String, _ detail: String, times factor: Double = 1
  ) {
    var track = track
    if let ramp = TrackRamp(track, lifetime: emitter.lifetime) {
      lose(
        .approximated, capability, at: place, "all particles change equally per second",
        recipe: "start, range and speed")
      track = Track(from: ramp.from, rate: .constant(ramp.rate))
    }
    let isStraight = track.isStraight
    set(
      keys.start, width: keys.width, isStraight ? track.from : 1, capability, at: place,
      times: factor)
    set(keys.speed, isStraight ? track.rate.mean * factor : 0)
    guard isStraight else {
      return set(keys.sequence, over: track, curve, at: place, times: factor)
    }
    set(keys.sequence, .null)
    if !track.rate.isNumber {
      lose(.approximated, curve, at: place, detail, recipe: "the mean")
    }
  }

  /// Writes the values of a track over life as a sequence, and reports differences.
  mutating func set(
    _ key: String, over track: Track, _ capability: Capability, at place: String,
    times factor: Double = 1
  ) {
    var (curve, isExact) = track.curve(lifetime: lifetime)
    if track.over != .life { isExact = false }
    if !curve.hasOneInterpolation {
      (curve, isExact) = (.through(16) { [curve] in curve.value(at: $0) }, false)
    }
    if !isExact {
      lose(
        .approximated, capability, at: place,
        "sequences are over life and equal for all particles",
        recipe: "the mean, sampled over life")
    } else if track != Track(from: 0, to: 1, curve: curve) {
      lose(.restated, capability, at: place, "a sequence contains the values themselves")
    }
    if curve.interpolation == .cubic {
      lose(.assumed, capability, at: place, "a spline with automatic slopes is assumed")
    }
    set(
      key,
      .sequence(
        curve.keys.map { $0.time }, curve.keys.map { .sharedReal($0.value * factor) },
        curve.keys.first?.interpolation ?? curve.interpolation))
  }
}

extension Archivable {
  /// A number behind a reference, as in properties of nodes.
  static func sharedReal(_ number: Double) -> Archivable {
    .shared(.real(Double(Float(number)), width: 8))
  }

  static func sequence(_ times: [Double], _ values: [Archivable], _ mode: Interpolation)
    -> Archivable
  {
    .object(
      ["SKKeyframeSequence", "NSObject"],
      [
        .init("_values", .array(values)), .init("_times", .array(times.map(sharedReal))),
        .init("_interpolationMode", .integer(mode == .cubic ? 2 : mode == .step ? 3 : 1)),
        .init("_repeatMode", .integer(1)),
      ])
  }
}
