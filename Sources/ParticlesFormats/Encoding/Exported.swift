package import ParticlesCore
internal import ParticlesImages
package import ParticlesModel

extension Exported {
  /// Reads the files again as one effect, with its emitters in the order of the exported one.
  /// - Parameters:
  ///   - engine: the engine that they were written for, or nil for the usual engine.
  ///   - find: returns further files that they refer to. Without it there are none.
  func effect(
    by decode: ParticleFormat.EffectDecoder, engine: ParticleSystem.Profile?, limits: Limits,
    find: @escaping @Sendable (_ reference: String) throws(Failure) -> [UInt8]? = {
      _ in nil
    }
  ) throws(Failure) -> (system: ParticleSystem, images: [String: [UInt8]]) {
    var whole: ParticleSystem?
    var places: [Int] = []
    var images: [String: [UInt8]] = [:]
    let identified = self.identified
    for part in parts {
      var context = DecodingContext(fileName: part.name, limits: limits) {
        reference throws(Failure) in
        if let known = beside[FoundImage.baseName(of: reference)] ?? identified[reference] {
          return known
        }
        return try find(reference)
      }
      context.keepsSource = false
      context.engine = engine
      let imported = try decode(part.model ?? part.bytes, context)
      images.addMissing(imported.images)
      let system = imported.system
      places += part.emitters
      if whole == nil { whole = system } else { whole?.append(system) }
    }
    var system = whole ?? ParticleSystem()
    system.arrangeEmitters(places)
    return (system, images)
  }

  /// The files beside by the references that files of Unity have for them.
  private var identified: [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for (name, bytes) in beside where name.hasSuffix(".meta") {
      guard let guid = UnityMeta.guid(ofMeta: bytes) else { continue }
      files[UnityReference.fileName(guid)] = beside[String(name.dropLast(5))]
    }
    return files
  }
}

extension ParticleFormat {
  /// The engine that files for an effect are written for: the engine of the effect, if it is one of
  /// several that read the format. Nil otherwise.
  func engine(for profile: ParticleSystem.Profile) -> ParticleSystem.Profile? {
    guard let profiles = capabilities?.profiles, profiles.count > 1 else { return nil }
    return profiles.contains(profile) ? profile : nil
  }

  /// Reads exported files again as one effect with its images, by their paths in a package.
  /// - Parameter profile: the profile of the exported effect.
  /// - Throws: ``ParticlesCore/Rule/unknownFormat`` for archives, and errors of decoding.
  package func effect(
    in exported: Exported, of profile: ParticleSystem.Profile? = nil, limits: Limits = .standard
  ) throws(Failure) -> (system: ParticleSystem, images: [String: [UInt8]]) {
    guard case .effect(let decode, _) = content else {
      throw Diagnostic(.unknownFormat, expected: "a format of effects", found: title)
    }
    return try exported.effect(
      by: decode, engine: profile.flatMap(engine(for:)), limits: limits)
  }
}

// Reports of formats about an effect as a whole, and the images that they write beside it.

extension Diagnostic {
  /// The error for an effect without an emitter to write.
  static func noEmitter(_ expected: String) -> Diagnostic {
    Diagnostic(
      .lost, at: .key("emitters"), "an effect without emitters", expected: expected,
      severity: .error)
  }
}

extension Exported {
  /// Reports that emitters start by themselves, for formats whose emitters all do.
  /// - Parameter holdsAll: whether a file holds all emitters.
  mutating func loseRoots(of system: ParticleSystem, holdsAll: Bool) {
    guard parts.count > 1 || system.roots != nil else { return }
    losses.append(
      Diagnostic(
        .restated, .severalEmitters, at: "roots",
        holdsAll
          ? "every emitter of a file starts by itself"
          : "each file has one emitter, which starts by itself"))
  }

  /// Reports a seed, for formats that have none.
  mutating func loseSeed(of system: ParticleSystem) {
    guard system.seed != 0 else { return }
    losses.append(Diagnostic(.lost, .seed, at: "seed", "random numbers differ in every run"))
  }

  /// Reports meshes, and how images state their colours, for engines that load both from other files.
  mutating func loseResources(of system: ParticleSystem, engine: String) {
    if !system.meshes.isEmpty {
      losses.append(Diagnostic(.lost, .shapeMesh, at: "meshes", "meshes belong to the scene"))
    }
    if system.images.contains(where: { $0.alpha != .straight || $0.colorSpace != .srgb }) {
      losses.append(
        Diagnostic(
          .assumed, .premultipliedAlpha, at: "images", "\(engine) decides from the image file"))
    }
  }

  /// Adds the files of the images that emitters show.
  /// - Parameters:
  ///   - key: the key that names an image.
  ///   - properties: the properties of emitters that the absence of one changes, besides their sprites.
  mutating func addImages(
    _ images: inout ExportedImages, of system: ParticleSystem, _ context: EncodingContext,
    key: String, also properties: [String]
  ) throws(Failure) {
    for index in images.shown {
      let name = images.name(of: index)
      if let bytes = try context.readImage(system.images[index].uri) {
        beside[name] = bytes
      } else {
        losses.append(images.missing(index, named: name, key: key, also: properties))
      }
    }
  }

  /// Reports that images are files, if they were to be in the file of the effect.
  mutating func explainPlacement(_ context: EncodingContext, engine: String) {
    guard context.images == .embedded, !beside.isEmpty else { return }
    losses.append(
      Diagnostic(
        .restated, .embeddedImage, at: "images",
        "\(engine) refers to image files. They are next to the file"))
  }
}

/// Merges an effect into the file that it was imported from, so that only edited values change.
///
/// An encoder lists the keys of its format with their values twice: `then` for the effect in the
/// source file, decoded and encoded again, and `now` for the current effect. Where both agree, the
/// value of the source is kept with its type and position. Unknown keys are kept too.
package struct FieldMerge<Key: Hashable, Value: Equatable> {
  /// Keys with their values, in order.
  package typealias Fields = [(key: Key, value: Value)]

  /// Whether the effect equals the source: then the bytes of the source are the result.
  package let isUnchanged: Bool

  /// The fields of the result: the fields of the source in their order, then new fields.
  package let fields: Fields

  /// The keys whose values were changed, added or removed.
  package let changed: [Key]

  /// Merges the fields.
  /// - Parameters:
  ///   - source: the fields of the file, with their types.
  ///   - then: the fields that the encoder writes for the effect in the file.
  ///   - now: the fields that the encoder writes for the current effect.
  ///   - adapt: converts a new value to the type of the value that it replaces, if possible.
  package init(
    source: Fields, then: Fields, now: Fields,
    adapt: (_ new: Value, _ old: Value) -> Value = { new, _ in new }
  ) {
    func dictionary(_ fields: Fields) -> [Key: Value] {
      Dictionary(first: fields.map { ($0.key, $0.value) })
    }
    let (before, after) = (dictionary(then), dictionary(now))
    var fields: Fields = []
    var changed: [Key] = []
    for (key, value) in source {
      switch (before[key], after[key]) {
      case (let old, let new?) where old != new:
        fields.append((key, adapt(new, value)))
        changed.append(key)
      case (.some, nil): changed.append(key)
      default: fields.append((key, value))
      }
    }
    let known = Set(source.map { $0.key })
    // A key that the file leaves out is still left out if its value has not changed.
    for (key, value) in now where !known.contains(key) && before[key] != value {
      fields.append((key, value))
      changed.append(key)
    }
    self.fields = fields
    self.changed = changed
    isUnchanged = changed.isEmpty
  }
}
