internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// The image files of an export, each with a unique name.
struct ExportedImages {
  private let system: ParticleSystem

  /// The emitters whose particles show an image, by its index.
  private let emitters: [Int: [Int]]

  /// The sprites that emitters show, each with its position in the order of emitters.
  let spritePlaces: [Int: Int]

  /// How many sprites the emitters before each one show, and at the end all emitters.
  let spriteCounts: [Int]

  /// The effect of each missing image. Every emitter that shows one has a line, with all of them.
  private final class MissingPlaces {
    struct Key: Hashable {
      var image: Int
      var properties: [String]
    }

    var lists: [Key: [String]] = [:]
  }

  private let missingPlaces = MissingPlaces()

  private var names = UniqueNames()
  private var stems: [Key: String] = [:]

  private struct Key: Hashable {
    var image: Int
    var stem: String
    var endings: [String]
  }

  init(_ system: ParticleSystem) {
    self.system = system
    var emitters: [Int: [Int]] = [:]
    for index in system.emitters.indices {
      if let image = system.shownImage(of: index) { emitters[image, default: []].append(index) }
    }
    self.emitters = emitters
    spritePlaces = system.spritePlaces
    var seen: Set<Int> = []
    spriteCounts =
      [0]
      + system.emitters.map { emitter in
        seen.formUnion(emitter.sprites)
        return seen.count
      }
  }

  /// The indices of the images that emitters show, in ascending order.
  var shown: [Int] { emitters.keys.sorted() }

  mutating func name(of image: Int) -> String {
    let name = ImageFinder.baseName(of: system.images[image].uri)
    let ending = ImportedImage.ending(of: name)
    return stem(Files.stem(of: name), endings: [ending], for: image) + ending
  }

  /// Reserves a name for this image.
  mutating func reserve(_ name: String, for image: Int) {
    _ = stem(Files.stem(of: name), endings: [ImportedImage.ending(of: name)], for: image)
  }

  /// Reserves a stem for an image, so that its names with all suffixes are unique. The same image
  /// gets the same stem again.
  mutating func stem(_ stem: String, endings: [String], for image: Int) -> String {
    let key = Key(image: image, stem: stem, endings: endings)
    if let known = stems[key] { return known }
    let unique = names.claim(stem, endings: endings)
    stems[key] = unique
    return unique
  }

  /// The line for an image whose file is not in the package.
  /// - Parameters:
  ///   - target: the key of the result that names it.
  ///   - properties: the properties of emitters that depend on it, in addition to their sprites.
  func missing(
    _ image: Int, named name: String, key target: String, also properties: [String] = []
  ) -> Diagnostic {
    let key = MissingPlaces.Key(image: image, properties: properties)
    let places =
      missingPlaces.lists[key]
      ?? ["sprites"]
      + (emitters[image] ?? []).flatMap { emitter in
        (["sprites"] + properties).map { "emitters[\(emitter)].\($0)" }
      }
    missingPlaces.lists[key] = places
    return Diagnostic(
      .missingImage, .texture, at: "images", also: places, system.images[image].uri,
      target: .init(target, .string(name)))
  }
}

extension ParticleSystem {
  /// The index of the image that the particles of an emitter show; nil if they show none.
  func shownImage(of emitter: Int) -> Int? {
    guard let sprite = emitters[emitter].sprites.first, sprites.indices.contains(sprite),
      images.indices.contains(sprites[sprite].image)
    else { return nil }
    return sprites[sprite].image
  }
}

extension EncodingContext {
  /// The bytes of a picture that the source of an effect names by an identifier, as files of Unity do.
  func picture(_ reference: String, of system: ParticleSystem) throws -> [UInt8]? {
    guard reference.hasPrefix("guid:") else { return nil }
    let files = system.extensions[ParticleSystem.sourceExtension]?.object?["files"]?.object
    return try files?[String(reference.dropFirst(5))]?.string.flatMap(readImage)
  }

  /// The context for reading the source of `system` again: its images are those in the package,
  /// before conversion. Images that were missing are missing again.
  func rereading(_ source: Source, of system: ParticleSystem) -> DecodingContext {
    let unresolved = Set(
      system.images.filter { $0.sha256 == nil }.compactMap { image in
        (try? readImage(image.uri)) == nil ? image.name : nil
      })
    let paths = Dictionary(
      system.images.map { (UnicodeForms.folded(Files.lastComponent(of: $0.uri)), $0.uri) },
      uniquingKeysWith: { first, _ in first })
    var context = DecodingContext(fileName: source.name, limits: limits) {
      [self, readImage] reference in
      if let file = try related(reference) { return file }
      if reference.hasPrefix("guid:") { return try picture(reference, of: system) }
      if unresolved.contains(reference) { return nil }
      let name = ImportedImage.packageName(ImageFinder.baseName(of: reference))
      return try readImage("Source/\(name)")
        ?? readImage("\(Imported.imageDirectory)/\(name)")
        ?? paths[UnicodeForms.folded(name)].flatMap(readImage)
    }
    context.keepsSource = false
    context.engine = engine
    return context
  }
}

extension ParticleSystem {
  /// The place of each sprite that emitters show, in the order in which they show them.
  var spritePlaces: [Int: Int] {
    var places: [Int: Int] = [:]
    for sprite in emitters.lazy.flatMap(\.sprites) where places[sprite] == nil {
      places[sprite] = places.count
    }
    return places
  }
}
