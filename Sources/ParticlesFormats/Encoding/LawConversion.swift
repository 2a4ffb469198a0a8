internal import ParticlesCore
package import ParticlesModel

// Conversion from the law of the engine that an effect was made for to the law of a new engine:
// values state the behaviour that the old law implies.

extension ParticleSystem {
  /// Restates the implications of the profile of the effect for a format of another engine. For
  /// example, numbers are clamped when they are sampled, and blending leaves out alpha.
  /// - Returns: a line for each changed property.
  mutating func leaveLaw(for profile: Profile) -> [Diagnostic] {
    guard asset.profile != profile, let law = asset.profile.law, let target = profile.law else {
      return []
    }
    var lines: [Diagnostic] = []
    for index in emitters.indices {
      let old = emitters[index]
      func add(
        _ capability: Capability, _ path: String, _ detail: String, recipe: String?,
        level: Loss.Level? = nil
      ) {
        var line = Diagnostic(
          recipe == nil ? .restated : .approximated, capability, at: "emitters[\(index)].\(path)",
          detail, recipe: recipe, level: level)
        line.loss?.emitter = old.name
        lines.append(line)
      }
      let recipe = "a range of equal mean and deviation"
      if law.clamping != .result, target.clamping == .result || target.leastSize != law.leastSize {
        let range = Interval(law.leastSize ?? 0, .infinity)
        emitters[index].size.clampSamples(to: range)
        if emitters[index].size != old.size {
          let cut = [old.size.width, old.size.height].compactMap { $0?.share(outside: range) }.max()
          add(
            .randomEndSize, "size", "sizes are clamped when they are sampled", recipe: recipe,
            level: cut ?? 0 > 0.1 ? .medium : .low)
        }
      }
      if law.clamping == .samples, target.clamping != .samples {
        emitters[index].color.base.clampSamples()
        if emitters[index].color.base != old.color.base {
          add(
            .randomEndColor, "color.base", "colours are clamped when they are sampled",
            recipe: recipe,
            level: .low)
        }
      }
      if profile.drawing.blending == .formula,
        asset.profile.drawing.leavesOutAlpha(old.render.blend)
      {
        emitters[index].removeAlpha()
        if emitters[index].color != old.color {
          add(
            .opacityCurve, "color",
            "\(asset.profile.rawValue) leaves out alpha with these blend factors",
            recipe: nil)
        }
      }
    }
    return lines
  }
}

extension EngineLaw.Drawing {
  /// Whether the alpha of particles has no effect on the light that they add.
  fileprivate func leavesOutAlpha(_ blend: Blend) -> Bool {
    blending == .factors && tintAlpha == .inBlend && blend.mode == .custom
      && [1, 775].contains(blend.source ?? 0) && blend.destination == 1
      && !multipliesTint(for: blend)
  }
}

extension Emitter {
  fileprivate mutating func removeAlpha() {
    color.opacity = 1
    color.base = color.base.opaque
  }
}

extension Size {
  fileprivate mutating func clampSamples(to range: Interval) {
    width.clampSamples(to: range)
    height?.clampSamples(to: range)
  }
}

extension Track {
  /// The largest part of a range of samples that lies outside another.
  fileprivate func share(outside range: Interval) -> Double {
    [from.bounds, relative ? nil : to?.bounds].compactMap { bounds in
      guard let bounds, bounds.lower < bounds.upper else { return nil }
      let inside = min(bounds.upper, range.upper) - max(bounds.lower, range.lower)
      return 1 - max(inside, 0) / (bounds.upper - bounds.lower)
    }.max() ?? 0
  }

  fileprivate mutating func clampSamples(to range: Interval) {
    from = from.clampedSamples(to: range)
    if !relative { to = to?.clampedSamples(to: range) }
  }
}

/// Conversion from the unit of length of an effect to the unit of a format.
package struct UnitConversion {
  /// The number of points assumed for one 3D unit, and for a metre, if an effect has no
  /// `unitsPerMeter`.
  private static let pointsPerUnit = 100.0

  private let old: LengthUnit
  private let new: LengthUnit
  /// One old unit in new ones.
  let factor: Double

  /// The conversion. Nil if both units are equal, or if a unit has no defined length.
  init?(of asset: Asset, to unit: LengthUnit) {
    guard asset.unit != unit,
      let present = Self.perMeter(asset.unit), let wanted = Self.perMeter(unit)
    else { return nil }
    old = asset.unit
    new = unit
    factor = wanted / (asset.unitsPerMeter ?? present)
  }

  /// The factor of lengths from the unit of `asset` to the unit of `other`. 1 if either has no
  /// defined length.
  package static func factor(from asset: Asset, to other: Asset) -> Double {
    UnitConversion(of: asset, to: other.unit)?.factor ?? 1
  }

  private static func perMeter(_ unit: LengthUnit) -> Double? {
    switch unit {
    case .point, .pixel: pointsPerUnit
    case .unit, .meter: 1
    default: nil
    }
  }

  func convert(_ system: ParticleSystem) -> ParticleSystem {
    var system = system.scaled(by: factor)
    system.asset.unit = new
    return system
  }

  var line: Diagnostic {
    let detail =
      factor >= 1
      ? "1 \(old.rawValue) becomes \(Self.text(factor, new))"
      : "\(Self.text(1 / factor, old)) become 1 \(new.rawValue)"
    return Diagnostic(
      .assumed, .frame2D, at: "asset.unit", detail, recipe: "lengths are multiplied",
      hint: "set asset.unitsPerMeter to state the scale")
  }

  /// A number with its unit: `100 points`.
  private static func text(_ count: Double, _ unit: LengthUnit) -> String {
    let number = (count * 1000).rounded() / 1000
    let text = Int(exactly: number).map(String.init) ?? "\(number)"
    return "\(text) \(unit.rawValue)\(number == 1 ? "" : "s")"
  }
}
