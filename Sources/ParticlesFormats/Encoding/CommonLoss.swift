internal import ParticlesCore
internal import ParticlesModel

/// Losses that are common to most formats: names and other data about an effect. One line for each
/// kind, so that encoders need not report them.
enum CommonLoss {
  private static let kinds:
    [(
      rule: Rule, of: Capability, detail: String, level: Loss.Level,
      covers: @Sendable (String) -> Bool
    )] = [
      (
        .lost, .metadata, "files of the format have no such texts", .info,
        {
          $0.hasSuffix("].name") && $0.hasPrefix("emitters[")
            || [
              "asset.name", "asset.author", "asset.copyright", "asset.comment", "asset.minVersion",
            ].contains($0)
        }
      ),
      (
        .lost, .preview, "the format has no settings of a preview", .info,
        { $0.isPath(at: "preview") }
      ),
      (
        .assumed, .frame2D, "the format is 3D and the effect 2D, or the reverse",
        .low, { $0 == "asset.dimension" }
      ),
      (
        .assumed, .frame2D, "units and simulation may differ", .info,
        { ["asset.unit", "asset.unitsPerMeter", "asset.profile"].contains($0) }
      ),
      (
        .lost, .extra, "data of other programs are not part of the format", .low,
        { path in
          path.split(separator: ".").contains { $0 == "extras" || $0 == "extensions" }
            || path.hasPrefix("extensionsUsed") || path.hasPrefix("extensionsRequired")
        }
      ),
    ]

  /// A line for each kind of difference.
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
