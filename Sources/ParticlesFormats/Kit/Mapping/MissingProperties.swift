internal import ParticlesCore

extension ParticleFormat {
  /// The properties of emitters that the format does not hold, by their paths in an emitter, with what it does instead.
  /// Empty for archives and formats that are only read.
  package var missingProperties: [(path: String, detail: String)] {
    guard canWrite, let capabilities else { return [] }
    return LostProperty.all.filter { capabilities[$0.capability] == .lost && $0.rule == .lost }
      .map { ($0.path, $0.detail) }
  }
}
