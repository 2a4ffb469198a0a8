internal import ParticlesCore
internal import ParticlesModel

// Colours of new particles, and the gradient over life that is a factor of them.

extension TreeReader<QuarksFamily> {
  func decodeStartColor(of emitter: inout Emitter) {
    var color = ColorValue.white
    if let value = self["ps.startColor"] {
      if let known = QuarksValue.colorValue(of: value) {
        color = known
      } else {
        note(
          .uninterpreted, "ps.startColor", "a colour that is not known",
          found: value["type"]?.shortExcerpt)
      }
    }
    emitter.color.base = ColorTrack(color)
    emitter.color.base.clamp = color.componentBounds
  }

  /// The colour over life; nil for one that is not known.
  func gradient(_ value: JSONValue, _ key: String) -> Gradient? {
    let type = value["type"]?.string ?? ""
    let isRandom = ["ColorRange", "RandomColor", "RandomColorBetweenGradient"].contains(type)
    if isRandom { note(.approximated, key, "colours over life are the same for all particles") }
    if let points = isRandom ? value["gradient1"] : type == "Gradient" ? value : nil {
      let gradient = QuarksValue.gradient(of: points)
      if gradient == nil { note(.uninterpreted, key, "a gradient that is not known") }
      return gradient
    }
    if isRandom || type == "ConstantColor" {
      return QuarksValue.colorValue(of: value).map { Gradient([GradientKey(0, $0.mean)]) }
    }
    note(.uninterpreted, key, "a colour that is not known")
    return nil
  }
}

extension EmitterWriter<QuarksFamily> {
  mutating func encodeStartColor() {
    let base = emitter.color.base
    if base.clamp != base.from.componentBounds {
      lose(.restated, .grad, at: "color.base.clamp", "components are not clamped")
    }
    let isLine = if case .range(let range) = base.from { range.mode == .line } else { false }
    if let parts = colorParts() {
      return set(
        "ps.startColor",
        parts.low == parts.high
          ? QuarksValue.constant(parts.low)
          : QuarksValue.generator(parts.low, parts.high, isLine: isLine))
    }
    if isLine, case .range(let range) = base.from, range.jitter == nil {
      return set("ps.startColor", QuarksValue.generator(range.min, range.max, isLine: true))
    }
    let ends = startColors()
    set(
      "ps.startColor",
      base.from.isColor
        ? QuarksValue.constant(ends.low) : QuarksValue.generator(ends.low, ends.high, isLine: false)
    )
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
