internal import ParticlesCore
internal import ParticlesModel

/// What hardly any format says: names, and what stands around an effect rather than in it. One
/// line for all of its kind, so that no encoder has to write it.
struct CommonLoss {
  private let rule: Rule
  private let capability: Capability
  private let detail: String
  private let level: Loss.Level
  private let covers: @Sendable (_ path: String) -> Bool

  static let all = [
    CommonLoss(
      rule: .lost, capability: .meta, detail: "names and comments", level: .info,
      covers: { path in
        path.hasSuffix("].name") && path.hasPrefix("emitters[")
          || ["name", "author", "copyright", "comment", "minVersion"].contains {
            path == "asset.\($0)"
          }
      }),
    CommonLoss(
      rule: .lost, capability: .preview, detail: "how the effect is shown", level: .info,
      covers: { $0.isPath(at: "preview") }),
    CommonLoss(
      rule: .assumed, capability: .frame2D,
      detail: "the format has space where there was a plane, or the other way round", level: .low,
      covers: { $0 == "asset.dimension" }),
    CommonLoss(
      rule: .assumed, capability: .frame2D,
      detail: "the format has its own idea of units and of the simulation", level: .info,
      covers: { path in ["unit", "unitsPerMeter", "profile"].contains { path == "asset.\($0)" } }),
    CommonLoss(
      rule: .lost, capability: .extra, detail: "data of other programs", level: .low,
      covers: { path in
        path.split(separator: ".").contains { $0 == "extras" || $0 == "extensions" }
          || path.hasPrefix("extensionsUsed") || path.hasPrefix("extensionsRequired")
      }),
  ]

  /// The line that speaks for all differences of this kind; nil if there are none.
  func line(for differences: [PropertyDifference]) -> Diagnostic? {
    let paths = differences.map(\.path).filter(covers)
    guard let first = paths.first else { return nil }
    return Diagnostic(
      rule, capability, at: first, also: Array(paths.dropFirst()), detail, level: level)
  }
}
