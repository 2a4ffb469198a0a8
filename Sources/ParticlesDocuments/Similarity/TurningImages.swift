package import ParticlesCore
internal import ParticlesFormats
internal import ParticlesImages
package import ParticlesModel

/// How much it shows that particles are turned: a soft dot looks the same at every angle.
struct TurningImages {
  /// A number for each emitter, 0 for round images to 1. It is 1 if an image is missing or the emitter
  /// has none, for nothing is known then.
  let visibility: [Double]

  init(_ package: EffectPackage, of system: ParticleSystem, limits: Limits) {
    var known: [Int: Double] = [:]
    var images = DecodedImages(package, limits: limits)
    for sprite in Set(system.emitters.flatMap(\.sprites)).sorted()
    where system.sprites.indices.contains(sprite) {
      let info = system.sprites[sprite]
      guard info.grid == nil, info.region == nil, system.images.indices.contains(info.image),
        let bitmap = try? images.bitmap(at: system.images[info.image].uri)
      else { continue }
      known[sprite] = bitmap.unevenness
    }
    visibility = system.emitters.map { emitter in
      emitter.sprites.map { known[$0] ?? 1 }.max() ?? 1
    }
  }
}

extension EffectPackage {
  /// How much it shows that the particles of each emitter are turned, 0 to 1.
  package func turning(of system: ParticleSystem, limits: Limits = .standard) -> [Double] {
    TurningImages(self, of: system, limits: limits).visibility
  }
}
