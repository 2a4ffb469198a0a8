package import ParticlesCore
internal import ParticlesImages
package import ParticlesModel

extension Exported {
  /// Reads the files again as one effect, with its emitters in the order of the exported one.
  /// - Parameters:
  ///   - engine: the engine that they were written for; nil for the usual one.
  ///   - find: returns other files that they refer to; without it there are none.
  func effect(
    by decode: ParticleFormat.EffectDecoder, engine: ParticleSystem.Profile?, limits: Limits,
    find: @escaping @Sendable (_ reference: String) throws -> [UInt8]? = { _ in nil }
  ) throws -> (system: ParticleSystem, images: [String: [UInt8]]) {
    var whole: ParticleSystem?
    var places: [Int] = []
    var images: [String: [UInt8]] = [:]
    let identified = self.identified
    for part in parts {
      var context = DecodingContext(fileName: part.name, limits: limits) { reference in
        try beside[ImageFinder.baseName(of: reference)] ?? identified[reference] ?? find(reference)
      }
      context.keepsSource = false
      context.engine = engine
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

extension Exported {
  /// The files beside by the references that files of Unity have for them.
  private var identified: [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for (name, bytes) in beside where name.hasSuffix(".meta") {
      guard let guid = ImageFinder.guid(ofMeta: bytes) else { continue }
      files[UnityReference.fileName(guid)] = beside[String(name.dropLast(5))]
    }
    return files
  }
}

extension ParticleFormat {
  /// The engine that files for an effect are written for: that of the effect, if it is one of several that
  /// read the format; nil otherwise.
  func engine(for profile: ParticleSystem.Profile) -> ParticleSystem.Profile? {
    guard let profiles = capabilities?.profiles, profiles.count > 1 else { return nil }
    return profiles.contains(profile) ? profile : nil
  }

  /// Reads exported files again as one effect with its images, by their paths in a package.
  /// - Parameter profile: that of the exported effect.
  /// - Throws: ``ParticlesCore/Rule/unknownFormat`` for archives; errors of decoding.
  package func effect(
    in exported: Exported, of profile: ParticleSystem.Profile? = nil, limits: Limits = .standard
  ) throws -> (system: ParticleSystem, images: [String: [UInt8]]) {
    guard case .effect(let decode, _) = content else {
      throw Diagnostic(.unknownFormat, expected: "a format of effects", found: title)
    }
    return try exported.effect(
      by: decode, engine: profile.flatMap(engine(for:)), limits: limits)
  }
}
