internal import ParticlesCore
package import ParticlesModel

/// Conversion from the unit of length of an effect to that of a format.
package struct UnitConversion {
  /// The number of points assumed for one 3D unit, and for a metre, if an effect has no
  /// `unitsPerMeter`.
  private static let pointsPerUnit = 100.0

  private let old: LengthUnit
  private let new: LengthUnit
  /// One old unit in new ones.
  let factor: Double

  /// The conversion; nil if both units are the same, or one of them has no defined length.
  init?(of asset: Asset, to unit: LengthUnit) {
    guard asset.unit != unit,
      let present = Self.perMeter(asset.unit), let wanted = Self.perMeter(unit)
    else { return nil }
    old = asset.unit
    new = unit
    factor = wanted / (asset.unitsPerMeter ?? present)
  }

  /// The factor of lengths from the unit of one effect to that of another; 1 if either has no defined
  /// length.
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
