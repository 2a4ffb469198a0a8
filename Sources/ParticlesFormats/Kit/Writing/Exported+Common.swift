internal import ParticlesCore
internal import ParticlesModel

// What formats report of an effect as a whole, and the images that they write beside it.

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
  ) throws {
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
        "\(engine) refers to image files; they are written next to the file"))
  }
}
