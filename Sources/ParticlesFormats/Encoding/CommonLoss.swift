internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Losses that are common to most formats: names and other data about an effect. One line for each
/// kind, so that encoders need not report them.
enum CommonLoss {
  private static let kinds:
    [(
      rule: Rule, of: Capability, detail: String, level: Loss.Level,
      covers: @Sendable (PropertyDifference) -> Bool
    )] = [
      (
        .approximated, .metadata,
        "files of the format cannot hold control characters in texts, so that they were replaced",
        .info,
        { $0.isOfControls }
      ),
      (
        .lost, .metadata, "files of the format have no such texts", .info,
        {
          $0.path.hasSuffix("].name") && $0.path.hasPrefix("emitters[")
            || [
              "asset.name", "asset.author", "asset.copyright", "asset.comment", "asset.minVersion",
            ].contains($0.path)
        }
      ),
      (
        .lost, .preview, "the format has no settings of a preview", .info,
        { $0.path.isPath(at: "preview") }
      ),
      (
        .assumed, .frame2D, "the format is 3D and the effect 2D, or the reverse",
        .low, { $0.path == "asset.dimension" }
      ),
      (
        .assumed, .frame2D, "units and simulation may differ", .info,
        { ["asset.unit", "asset.unitsPerMeter", "asset.profile"].contains($0.path) }
      ),
      (
        .lost, .extra, "data of other programs are not part of the format", .low,
        { difference in
          let path = difference.path
          return path.split(separator: ".").contains { $0 == "extras" || $0 == "extensions" }
            || path.hasPrefix("extensionsUsed") || path.hasPrefix("extensionsRequired")
        }
      ),
    ]

  /// A line for each kind of difference.
  static func lines(for differences: [PropertyDifference]) -> [Diagnostic] {
    var rest = differences
    return kinds.compactMap { kind in
      let paths = rest.filter(kind.covers).map(\.path)
      rest.removeAll(where: kind.covers)
      return paths.first.map {
        Diagnostic(
          kind.rule, kind.of, at: $0, also: Array(paths.dropFirst()), kind.detail, level: kind.level
        )
      }
    }
  }
}

extension PropertyDifference {
  /// Whether the new text lacks the control characters of the old one, and nothing else.
  fileprivate var isOfControls: Bool {
    guard let old = old?.string, let new = new?.string, old.hasControls else { return false }
    // XML has U+FFFD in place of some.
    return !new.hasControls
      && old.onOneLine.trimmed == new.replacing("\u{FFFD}", with: " ").onOneLine.trimmed
  }
}
