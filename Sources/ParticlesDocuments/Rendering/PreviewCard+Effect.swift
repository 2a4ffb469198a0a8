internal import ParticlesCore
internal import ParticlesModel
package import ParticlesRender

extension PreviewCard {
  /// The name, the format and the facts of an effect, without a picture.
  package init(_ opened: OpenedEffect, at path: String) throws {
    let summary = try EffectSummary(opened.package)
    let status = try? Files.status(path)
    let size = status?.kind == .file ? status?.size : nil
    let description = EffectDescription(summary, of: opened, at: path, size: size)
    self.init(
      name: summary.system.asset.name ?? RawPath.readable(Files.lastComponent(of: path)),
      format: opened.kindName)
    parameters = description.facts
      .filter { !["file", "kind", "digest"].contains($0.label) }
      .map { Parameter(name: $0.label, value: $0.value) }
    bytes = size ?? summary.contentBytes
    particles =
      summary.peak < 1e9 ? Int(saturating: max(summary.peak, 0).rounded(.up)) : 1_000_000_000
    add(opened.diagnostics.filter { $0.severity > .note })
  }

  /// Adds problems with their places.
  mutating func add(_ problems: [Diagnostic]) {
    for problem in problems {
      add(problem: problem.message, at: problem.location.position.map { "\($0)" })
    }
  }
}
