internal import ParticlesCore
internal import ParticlesModel

/// What hardly any format says: names, and what stands around an effect rather than in it. One
/// line for all of its kind, so that no encoder has to write it.
enum CommonLoss {
  private static let kinds:
    [(
      rule: Rule, of: Capability, detail: String, level: Loss.Level,
      covers: @Sendable (String) -> Bool
    )] = [
      (
        .lost, .meta, "names and comments", .info,
        {
          $0.hasSuffix("].name") && $0.hasPrefix("emitters[")
            || [
              "asset.name", "asset.author", "asset.copyright", "asset.comment", "asset.minVersion",
            ].contains($0)
        }
      ),
      (.lost, .preview, "how the effect is shown", .info, { $0.isPath(at: "preview") }),
      (
        .assumed, .frame2D, "the format has space where there was a plane, or the other way round",
        .low, { $0 == "asset.dimension" }
      ),
      (
        .assumed, .frame2D, "the format has its own idea of units and of the simulation", .info,
        { ["asset.unit", "asset.unitsPerMeter", "asset.profile"].contains($0) }
      ),
      (
        .lost, .extra, "data of other programs", .low,
        { path in
          path.split(separator: ".").contains { $0 == "extras" || $0 == "extensions" }
            || path.hasPrefix("extensionsUsed") || path.hasPrefix("extensionsRequired")
        }
      ),
    ]

  /// A line for each kind that differences are of.
  static func lines(for differences: [PropertyDifference]) -> [Diagnostic] {
    kinds.compactMap { kind in
      let paths = differences.map(\.path).filter(kind.covers)
      return paths.first.map {
        Diagnostic(
          kind.rule, kind.of, at: $0, also: Array(paths.dropFirst()), kind.detail, level: kind.level
        )
      }
    }
  }
}
