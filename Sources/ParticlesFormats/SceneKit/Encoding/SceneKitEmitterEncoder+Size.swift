internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesModel

// Numbers and colours over life: property controllers.

extension SceneKitEmitterEncoder {
  /// The size at birth, and a curve that it is multiplied by.
  mutating func encodeWidth(_ width: Track) {
    let place = "size.width"
    if width.isPlainValue {
      return set("particleSize", width.from, .size, at: "\(place).from")
    }
    if let size = width.to, width == width.factorOnly(to: size) {
      set("particleSize", size, .size, at: "\(place).to")
      return encodeController("Size", width, .sizeCurve, at: place, of: .linear)
    }
    let (curve, isExact) = width.curve(lifetime: lifetime)
    // The greatest size is that at birth, so that the curve lies between 0 and 1.
    let most = curve.keys.map(\.value.magnitude).max() ?? 0
    let start = curve.value(at: 0)
    let isRandom = !width.from.isNumber && start != 0
    let base = isRandom ? start : most
    set("particleSize", isRandom ? width.from : .constant(most), .size, at: place)
    var factor = Track(
      from: 0, to: 1, curve: base == 0 ? .constant(0) : curve.multiplied(by: 1 / base))
    (factor.over, factor.domain) = (width.over, width.domain)
    let isSpread = !(width.to ?? 0).isNumber || !width.rate.isNumber || isRandom
    lose(
      isExact && !isRandom ? .restated : .approximated, isSpread ? .sizeSE : .sizeCurve, at: place,
      "the size at birth is multiplied by a curve",
      recipe: isRandom ? "the spread of the start; the curve of the means" : nil)
    encodeController("Size", factor, .sizeCurve, at: place)
  }

  // MARK: Controllers

  /// A controller that gives a number a curve. `kind` is what the numbers of the track count as.
  mutating func encodeController(
    _ name: String, _ track: Track, _ capability: Capability, at place: String,
    of kind: Curve? = nil
  ) {
    var curve: Curve
    if kind != nil {
      curve = track.curve
    } else {
      let reduced = track.curve(lifetime: lifetime)
      curve = reduced.curve
      if !reduced.isExact, track.over == .life {
        lose(
          .approximated, capability, at: place, "a curve has the same values for all particles",
          recipe: "the mean, at points on the way")
      } else if track != Track(from: 0, to: 1, curve: curve).over(track) {
        lose(.restated, capability, at: place, "a curve goes through the values themselves")
      }
    }
    if let plain = curve.sampledForCoreAnimation {
      curve = plain
      lose(
        .approximated, capability, at: place, "curves have one kind of way between keys",
        recipe: "straight lines through points on the way")
    }
    let animation = SceneKitArchive.animation(
      times: curve.keys.map(\.time), values: curve.keys.map { .shared(.real($0.value, width: 8)) },
      mode: curve.keys.first?.interpolation ?? curve.interpolation)
    addController(name, animation, over: track, capability, at: place)
  }

  /// Adds a controller over what a track looks at.
  private mutating func addController(
    _ name: String, _ animation: Archivable, over track: Track, _ capability: Capability,
    at place: String
  ) {
    var (mode, property) = (0, nil as String?)
    var (scale, bias) = (1.0, 0.0)
    switch track.over {
    case .life: break
    case .distance: mode = 1
    case .speed: (mode, property) = (2, "Velocity")
    case .age, .emitter:
      lose(
        .approximated, capability, at: "\(place).over", also: ["\(place).domain"],
        "controllers look at life, distance or speed", recipe: "over life")
    }
    if mode != 0, let domain = track.domain, domain.upper > domain.lower {
      scale = 1 / (domain.upper - domain.lower)
      bias = -domain.lower * scale
    }
    controllers.append(
      (
        name,
        SceneKitArchive.controller(
          animation, mode: mode, property: property, scale: scale, bias: bias)
      ))
  }

  // MARK: Colour

  mutating func encodeColor() {
    let color = emitter.color
    let base = mixed(color.base)
    var jitter: ColorJitter?
    var birth = Color.white
    if base == ColorTrack(base.from) {
      (birth, jitter) = encodeBirth(base.from)
    } else {
      encodeGradient(base)
    }
    set("particleColor", SceneKitArchive.colorData(birth))
    set(
      "particleColorVariation",
      vector: jitter.map { [2 * $0.hue, 2 * $0.saturation, 2 * $0.brightness, 2 * $0.alpha] }
        ?? [0, 0, 0, 0])
    if let jitter, jitter.hue > 0, 2 * jitter.hue <= 1 {
      lose(
        .clamped, .colHSB, at: "color.base", "a hue of up to one degree is taken for turns",
        level: .low)
    }
    if color.opacity != 1 {
      encodeController("Opacity", color.opacity, .alphaCv, at: "color.opacity")
    }
    encodeIntensity(color.intensity)
  }

  private mutating func encodeIntensity(_ intensity: Track) {
    if intensity.isPlainValue {
      return set("particleIntensity", intensity.from, .grad, at: "color.intensity")
    }
    lose(
      .approximated, .grad, at: "color.intensity", "the intensity does not change over life",
      recipe: "the mean")
    set(
      "particleIntensity", .constant(intensity.mean(lifetime: lifetime)), .grad,
      at: "color.intensity")
  }

  /// The colour at birth and how it varies.
  private mutating func encodeBirth(_ value: ColorValue) -> (Color, ColorJitter?) {
    switch value {
    case .constant(let color): return (color.checked(&self), nil)
    case .varied(let varied):
      if varied.jitter == nil {
        lose(.restated, .colHSB, at: "color.base", "a colour that does not vary")
      }
      return (varied.color.checked(&self), varied.jitter)
    case .range, .gradient, .choice:
      var capability = Capability.colRand
      if case .gradient = value { capability = .initRamp }
      lose(
        .approximated, capability, at: "color.base",
        "colours vary in hue, saturation and brightness",
        recipe: "the mean colour", level: .medium)
      return (value.mean.checked(&self), nil)
    }
  }

  private mutating func encodeGradient(_ base: ColorTrack) {
    let (gradient, isExact) = base.gradient(lifetime: lifetime)
    let isSpread = !base.from.isColor || !(base.to ?? .white).isColor
    if !isExact || base != ColorTrack(gradient: gradient) {
      lose(
        isExact ? .restated : .approximated, isSpread ? .colSE : .grad, at: "color.base",
        "a controller gives the colour at each time of life",
        recipe: isExact ? nil : isSpread ? "the means" : "colours at points on the way")
    }
    let colors = gradient.keys.map { $0.color.checked(&self) }
    let animation = SceneKitArchive.animation(
      times: gradient.keys.map(\.time), values: colors.map(Archivable.sRGBColor),
      mode: gradient.interpolation)
    addController("Color", animation, over: Track(), .grad, at: "color.base")
  }

  /// The colour with how much of it counts: SceneKit has tinted images only.
  private mutating func mixed(_ base: ColorTrack) -> ColorTrack {
    let mix = emitter.color.mix
    guard mix != 1 else { return base }
    let share = mix.mean(lifetime: lifetime)
    lose(
      mix.isPlainValue && mix.from.isNumber ? .restated : .approximated, .mix, at: "color.mix",
      also: ["color.base"], "images are tinted", recipe: "colours are mixed with white")
    func mixed(_ color: Color) -> Color {
      let mixed = Color.white.mixed(with: color, share)
      return Color(mixed.red, mixed.green, mixed.blue, color.alpha)
    }
    if base == ColorTrack(base.from), case .constant(let color) = base.from {
      return ColorTrack(.constant(mixed(color)))
    }
    var (gradient, _) = base.gradient(lifetime: lifetime)
    for index in gradient.keys.indices {
      gradient.keys[index].color = mixed(gradient.keys[index].color)
    }
    return ColorTrack(gradient: gradient)
  }
}

extension Color {
  /// This colour, after a line about it if it is outside of what a file can hold.
  fileprivate func checked(_ encoder: inout SceneKitEmitterEncoder) -> Color {
    let inside = [max(red, 0), max(green, 0), max(blue, 0), min(max(alpha, 0), 1)]
    if [red, green, blue, alpha] != inside {
      encoder.lose(.clamped, .grad, at: "color.base", "components are not below 0")
    }
    return Color(inside[0], inside[1], inside[2], inside[3])
  }
}

extension Track {
  /// A track that is 0 at first and a value where its curve is 1.
  fileprivate func factorOnly(to value: Value) -> Track {
    Track(from: 0, to: value, curve: curve).over(self)
  }
}

extension Curve {
  /// Points on the way, if the animation cannot go it: it has one kind of way between all keys, and
  /// no slopes of its own. Nil if it can.
  fileprivate var sampledForCoreAnimation: Curve? {
    guard !hasOneInterpolation, let first = keys.first?.time, let last = keys.last?.time else {
      return nil
    }
    let (from, to) = extend == .clamp ? (first, last) : (min(first, 0), max(last, 1))
    let points = (0...32).map { index in
      let time = from + (to - from) * Double(index) / 32
      return (time: time, value: value(at: time))
    }
    return Curve(through: points)
  }
}
