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
    let type = value["type"]?.string
    if ["ColorRange", "RandomColor", "RandomColorBetweenGradient"].contains(type) {
      note(.approximated, key, "colours over life are the same for all particles")
      guard let first = value["gradient1"] else {
        return QuarksValue.colorValue(of: value).map { Gradient([GradientKey(0, $0.mean)]) }
      }
      return points(first, key)
    }
    switch type {
    case "Gradient": return points(value, key)
    case "ConstantColor":
      return QuarksValue.colorValue(of: value).map { Gradient([GradientKey(0, $0.mean)]) }
    default:
      note(.uninterpreted, key, "a colour that is not known")
      return nil
    }
  }

  private func points(_ value: JSONValue, _ key: String) -> Gradient? {
    let gradient = QuarksValue.gradient(of: value)
    if gradient == nil { note(.uninterpreted, key, "a gradient that is not known") }
    return gradient
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
    switch base.from {
    case .constant(let plain): set("ps.startColor", QuarksValue.constant(plain))
    case .range(let range) where range.mode != .hsb && range.jitter == nil:
      set("ps.startColor", QuarksValue.generator(range.min, range.max, isLine: isLine))
    default:
      let ends = base.from.displayedRange
      set("ps.startColor", QuarksValue.generator(ends.low, ends.high, isLine: false))
      lose(
        .approximated, .colHSB, at: "color.base.from", also: ["color.base.clamp"],
        "colours are between two", recipe: "a range of the same mean")
    }
  }

  /// The colour over life as a factor of the start colour; nil if it does not change.
  mutating func colorOverLife() -> JSONValue? {
    let color = emitter.color
    if let parts = colorParts() {
      lose(
        .approximated, color.opacity != 1 ? .alphaCv : .grad, at: "color",
        "colour and opacity are one gradient", recipe: "17 points", level: .low)
      let keys = parts.shares.enumerated().map { GradientKey(Double($0) / 16, $1) }
      return QuarksValue.gradient(keys, alpha: keys.map { ($0.time, $0.color.alpha) })
    }
    guard let gradient = color.base.gradient else { return nil }
    var keys = gradient.keys
    if gradient.interpolation != .linear || gradient.space != .srgb || keys.isEmpty
      || [gradient.red, gradient.green, gradient.blue].contains(where: { $0 != nil })
    {
      keys = (0...16).map { GradientKey(Double($0) / 16, gradient.color(at: Double($0) / 16)) }
      lose(
        .approximated, .grad, at: "color.base.gradient", "colours are on lines",
        recipe: "17 points")
    }
    let lines = gradient.alpha?.linearPoints
    if lines == nil, !hasLine(at: "color.base.gradient") {
      lose(
        .restated, .alphaCv, at: "color.base.gradient", "alpha is written as points of its own")
    }
    let sampled = gradient.alpha.map { alpha in
      (0...16).map { (time: Double($0) / 16, value: alpha.value(at: Double($0) / 16)) }
    }
    return QuarksValue.gradient(
      keys, alpha: lines ?? sampled ?? keys.map { ($0.time, $0.color.alpha) })
  }
}
