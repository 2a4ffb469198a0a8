import ParticlesEffects
import ParticlesFormats
import Testing

/// The packages of all templates, drawn once for all tests: that takes its time without optimisation.
enum DrawnTemplates {
  private static let packages = Result {
    try Dictionary(
      uniqueKeysWithValues: EffectTemplate.all.map { ($0.name, try $0.package()) })
  }

  static func package(_ name: String) throws -> EffectPackage {
    try #require(try packages.get()[name])
  }
}
