internal import ParticlesCore
internal import ParticlesModel

// Start colours, and the gradient over life.

extension EmitterWriter<UnityFamily> {
  private var place: UnityPlace { surroundings }

  mutating func encodeColor() {
    let base = emitter.color.base
    // The brightness is in the material.
    if emitter.color.hasPlainIntensity { emitter.color.intensity = 1 }
    if case .constant(let opacity) = emitter.color.opacity.from,
      emitter.color.opacity.isPlainValue, opacity != 1, base.to == nil, base.rate == .zero
    {
      emitter.color.opacity = 1
      emitter.color.base.from = base.from.multiplied(by: Color(1, 1, 1, opacity))
      lose(
        .restated, .opacityCurve, at: "color.opacity", also: ["color.base.from"],
        "opacity is that of the colour")
    }
    let parts = colorParts()
    var start = emitter.color.base.from
    if let parts {
      start = parts.low == parts.high ? .constant(parts.low) : .range(parts.low, parts.high, .line)
      loseColorParts()
    }
    set("InitialModule.startColor", startColor(start))
    var gradient: JSONValue?
    if let parts {
      let keys = parts.shares.enumerated().map { GradientKey(Double($0) / 16, $1) }
      gradient = written(keys, keys.map { ($0.time, $0.color.alpha) }, isStepped: false)
    } else if let stated = emitter.color.base.gradient {
      let isStepped =
        stated.interpolation == .step && stated.keys.count <= 8
        && stated.keys.first?.time == 0 && stated.alpha == nil && !stated.hasChannels
      if isStepped {
        gradient = written(
          stated.keys, stated.keys.map { ($0.time, $0.color.alpha) }, isStepped: true)
      } else if let lines = gradientLines() {
        if stated.hasChannels, place.isNew, !hasLine(at: "color.base.gradient") {
          lose(
            .restated, .gradient, at: "color.base.gradient",
            "channels are points of colour and of opacity")
        }
        gradient = written(lines.colors, lines.alpha, isStepped: false)
      }
    }
    turn("ColorModule", gradient != nil)
    if let gradient {
      set("ColorModule.gradient", UnityCurves.color(of: 1, ["maxGradient": gradient]))
    }
  }

  private mutating func written(
    _ colors: [GradientKey], _ alpha: [(time: Double, value: Double)], isStepped: Bool
  ) -> JSONValue {
    let (json, error) = UnityCurves.gradient(colors, alpha: alpha, isStepped: isStepped)
    if error > 1e-3, !hasLine(at: "color") {
      lose(
        .approximated, .gradient, at: "color.base.gradient",
        "a gradient has at most eight colours and eight opacities", level: .low)
    }
    return json
  }

  /// The start colour without the factor of the material.
  private mutating func startColor(_ value: ColorValue) -> JSONValue {
    func plain(_ color: Color) -> JSONValue {
      let parts = zip(color.components, place.tint.components).map { part, tint in
        tint > 0 ? (part / tint).rounded : part
      }
      return UnityCurves.color(Color(parts))
    }
    let path = "color.base.from"
    switch value {
    case .constant(let color): return UnityCurves.color(of: 0, ["maxColor": plain(color)])
    case .range(let range) where range.mode == .line && range.jitter == nil:
      return UnityCurves.color(
        of: 2, ["minColor": plain(range.min), "maxColor": plain(range.max)])
    case .gradient(let pick)
    where pick.gradient.interpolation == .linear && !pick.gradient.hasChannels
      && !pick.gradient.keys.isEmpty:
      let tint = place.tint
      let keys = pick.gradient.keys.map { key in
        GradientKey(
          key.time,
          Color(
            zip(key.color.components, tint.components).map { $1 > 0 ? ($0 / $1).rounded : $0 }))
      }
      return UnityCurves.color(
        of: 4,
        ["maxGradient": written(keys, keys.map { ($0.time, $0.color.alpha) }, isStepped: false)])
    default:
      let (low, high) = startColors()
      if !hasLine(at: path) {
        lose(
          .approximated, .randomColor, at: path, "one random number mixes two colours",
          recipe: "the bounds of the channels")
      }
      return UnityCurves.color(of: 2, ["minColor": plain(low), "maxColor": plain(high)])
    }
  }
}

extension Emitter.Tint {
  /// Whether the brightness is one number of at least 1, which a material can have.
  var hasPlainIntensity: Bool {
    guard case .constant(let number) = intensity.from, intensity.isPlainValue else { return false }
    return number >= 1
  }
}
