internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Colours: a start colour with variation, or a controller.

extension KeyedEmitter<SceneKitFamily> {
  func decodeColor(of emitter: inout Emitter) throws {
    let color = try color("particleColor") ?? .white
    emitter.color.base = ColorTrack(
      jitter.map { .varied(.init(color, jitter: $0)) } ?? .constant(color))
  }

  private func color(_ key: String) throws -> Color? {
    switch object.value(key) {
    case nil: return nil
    case .scalar(.data)?: return try object.archive(key)?.color()
    default: return try object.object(key)?.color()
    }
  }

  /// Full widths. Documented with a hue in turns; Xcode writes degrees.
  private var jitter: ColorJitter? {
    guard let widths = object.floats("particleColorVariation", count: 4)?.map(\.magnitude),
      widths.contains(where: { $0 != 0 })
    else { return nil }
    let hue = widths[0] > 1 ? widths[0] : widths[0] * 360
    return ColorJitter(
      hue: (hue / 2).rounded, saturation: (widths[1] / 2).rounded,
      brightness: (widths[2] / 2).rounded, alpha: (widths[3] / 2).rounded)
  }
}

extension EmitterWriter<SceneKitFamily> {
  mutating func encodeColor() {
    let base = mixed(emitter.color.base)
    var jitter: ColorJitter?
    var start = Color.white
    if base == ColorTrack(base.from) {
      (start, jitter) = encodeStart(base.from)
    } else {
      encodeGradient(base)
    }
    set("particleColor", .data(KeyedArchiver.encode(.sRGBColor(start))))
    set(
      "particleColorVariation",
      floats: jitter.map { [$0.hue, $0.saturation, $0.brightness, $0.alpha].map { 2 * $0 } } ?? [
        0, 0, 0, 0,
      ])
    if let jitter, jitter.hue > 0, 2 * jitter.hue <= 1 {
      lose(
        .clamped, .randomHueSaturationBrightness, at: "color.base",
        "a hue of up to one degree is read as turns",
        level: .low)
    }
    if emitter.color.opacity != 1 {
      encodeController("Opacity", emitter.color.opacity, .opacityCurve, at: "color.opacity")
    }
  }

  mutating func encodeIntensity() {
    let (track, place) = (emitter.color.intensity, "color.intensity")
    let intensity = start(of: track, .gradient, at: place, "the intensity is constant")
    set("particleIntensity", intensity, .gradient, at: place)
  }

  private mutating func encodeStart(_ value: ColorValue) -> (Color, ColorJitter?) {
    switch value {
    case .constant(let color): return (checked(color), nil)
    case .varied(let varied):
      if varied.jitter == nil {
        lose(
          .restated, .randomHueSaturationBrightness, at: "color.base",
          "a random colour with one possible value is written as a constant")
      }
      return (checked(varied.color), varied.jitter)
    case .range, .gradient, .choice:
      var capability = Capability.randomColor
      if case .gradient = value { capability = .startGradient }
      lose(
        .approximated, capability, at: "color.base",
        "only variation in hue, saturation and brightness is supported", recipe: "the mean colour",
        level: .medium)
      return (checked(value.mean), nil)
    }
  }

  private mutating func encodeGradient(_ base: ColorTrack) {
    let (gradient, isExact) = base.gradient(lifetime: lifetime)
    let isSpread = !base.from.isColor || !(base.to ?? .white).isColor
    if !isExact || base != ColorTrack(gradient: gradient) {
      lose(
        isExact ? .restated : .approximated, isSpread ? .randomEndColor : .gradient,
        at: "color.base",
        "a controller has one colour for each time of life",
        recipe: isExact ? nil : isSpread ? "the means" : "colours sampled over life")
    }
    let colors = gradient.keys.map { Archivable.sRGBColor(checked($0.color)) }
    addController(
      "Color", gradient.keys.map(\.time), colors, gradient.interpolation, over: Track(), .gradient,
      at: "color.base")
  }

  /// The colour with the mix applied: SceneKit always multiplies images with the colour.
  private mutating func mixed(_ base: ColorTrack) -> ColorTrack {
    let mix = emitter.color.mix
    guard mix != 1 else { return base }
    let share = mix.mean(lifetime: lifetime)
    lose(
      mix.isPlainValue && mix.from.isNumber ? .restated : .approximated, .mix, at: "color.mix",
      also: ["color.base"], "the colour is always multiplied with the image",
      recipe: "colours blended towards white")
    func mixed(_ color: Color) -> Color {
      let mixed = Color.white.mixed(with: color, share)
      return Color(mixed.red, mixed.green, mixed.blue, color.alpha)
    }
    if base == ColorTrack(base.from), case .constant(let color) = base.from {
      return ColorTrack(.constant(mixed(color)))
    }
    return ColorTrack(gradient: base.gradient(lifetime: lifetime).gradient.mapped(mixed))
  }

  private mutating func checked(_ color: Color) -> Color {
    clamped(color, to: Interval(0, .infinity), "components are not below 0")
  }
}
