package import ParticlesCore
internal import ParticlesImages
package import ParticlesModel

extension Exported {
  /// Reads the files again as one effect, with its emitters in the order of the exported one.
  func effect(
    by decode: ParticleFormat.EffectDecoder, limits: Limits
  ) throws -> (system: ParticleSystem, images: [String: [UInt8]]) {
    var whole: ParticleSystem?
    var places: [Int] = []
    var images: [String: [UInt8]] = [:]
    for part in parts {
      var context = DecodingContext(fileName: part.name, limits: limits) { reference in
        beside[ImageFinder.baseName(of: reference)]
      }
      context.keepsSource = false
      let imported = try decode(part.model ?? part.bytes, context)
      images.merge(imported.images) { first, _ in first }
      let system = imported.system
      places += part.emitters
      if whole == nil { whole = system } else { whole?.append(system) }
    }
    var system = whole ?? ParticleSystem()
    system.arrangeEmitters(places)
    return (system, images)
  }
}

extension ParticleFormat {
  /// Reads exported files again as one effect with its images, by their paths in a package.
  /// - Throws: ``ParticlesCore/Rule/unknownFormat`` for archives; errors of decoding.
  package func effect(
    in exported: Exported, limits: Limits = .standard
  ) throws -> (system: ParticleSystem, images: [String: [UInt8]]) {
    guard case .effect(let decode, _) = content else {
      throw Diagnostic(.unknownFormat, expected: "a format of effects", found: title)
    }
    return try exported.effect(by: decode, limits: limits)
  }
}
