internal import ParticlesCore
internal import ParticlesModel

// Colours of new particles, and the gradient over life that is a factor of them.

extension TreeReader<QuarksFamily> {
  func decodeStartColor(of emitter: inout Emitter) {
    let color = self["ps.startColor"].flatMap(QuarksValue.colorValue)
    if color == nil, has("ps.startColor") {
      note(
        .uninterpreted, "ps.startColor", "a colour that is not known",
        found: self["ps.startColor.type"]?.shortExcerpt)
    }
    emitter.color.base = ColorTrack(color ?? .white)
    emitter.color.base.clamp = emitter.color.base.from.componentBounds
  }

  /// The colour over life; nil for one that is not known.
  func gradient(_ value: JSONValue, _ key: String) -> Gradient? {
    guard let (gradient, isMean) = QuarksValue.colorOverLife(of: value) else {
      note(.uninterpreted, key, "a colour that is not known", found: value["type"]?.shortExcerpt)
      return nil
    }
    if isMean { note(.approximated, key, "colours over life are the same for all particles") }
    return gradient
  }
}

extension EmitterWriter<QuarksFamily> {
  mutating func encodeStartColor() {
    let base = emitter.color.base
    if base.clamp != base.from.componentBounds {
      lose(.restated, .gradient, at: "color.base.clamp", "components are not clamped")
    }
    var (ends, isLine) = (colorParts().map { ($0.low, $0.high) }, false)
    if case .range(let range) = base.from, range.mode == .line {
      isLine = ends != nil || range.jitter == nil
      if isLine { ends = ends ?? (range.min, range.max) }
    }
    let (low, high) = ends ?? startColors()
    set("ps.startColor", QuarksValue.generator(low, high, isLine: isLine))
  }

  /// The colour over life as a factor of the start colour; nil if it does not change.
  mutating func colorOverLife() -> JSONValue? {
    if let parts = colorParts() {
      loseColorParts()
      let keys = parts.shares.enumerated().map { GradientKey(Double($0) / 16, $1) }
      return QuarksValue.gradient(keys, alpha: keys.map { ($0.time, $0.color.alpha) })
    }
    guard let lines = gradientLines() else { return nil }
    return QuarksValue.gradient(lines.colors, alpha: lines.alpha)
  }
}
