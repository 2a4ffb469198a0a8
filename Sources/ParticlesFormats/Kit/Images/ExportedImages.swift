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

  /// The paths that each missing image affects, shared by the lines of all emitters that show it.
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
    let name = FoundImage.baseName(of: system.images[image].uri)
    let ending = ImportedImage.ending(of: name)
    return stem(Files.stem(of: name), endings: [ending], for: image) + ending
  }

  mutating func reserve(_ name: String, for image: Int) {
    _ = stem(Files.stem(of: name), endings: [ImportedImage.ending(of: name)], for: image)
  }

  /// Reserves a stem for an image, so that its names with all suffixes are unique. An image gets
  /// its stem again when asked again.
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
  /// The index of the image that the particles of an emitter show. Nil if they show none.
  func shownImage(of emitter: Int) -> Int? {
    guard let sprite = emitters[emitter].sprites.first, sprites.indices.contains(sprite),
      images.indices.contains(sprites[sprite].image)
    else { return nil }
    return sprites[sprite].image
  }
}

extension EncodingContext {
  /// The bytes of a picture that the source of an effect names by an identifier, as files of Unity do.
  func picture(_ reference: String, of system: ParticleSystem) throws(Failure) -> [UInt8]? {
    guard reference.hasPrefix("guid:") else { return nil }
    let files = system.extensions[ParticleSystem.sourceExtension]?.object?["files"]?.object
    return try files?[String(reference.dropFirst(5))]?.string.flatMap(readImage)
  }

  /// The context for reading the source of `system` again, with the images of the package before
  /// conversion. Images that were missing are missing again.
  func rereading(_ source: Source, of system: ParticleSystem) -> DecodingContext {
    let unresolved = Set(
      system.images.filter { $0.sha256 == nil }.compactMap { image in
        (try? readImage(image.uri)) == nil ? image.name : nil
      })
    let paths = Dictionary(
      first: system.images.map { (UnicodeForms.folded(Files.lastComponent(of: $0.uri)), $0.uri) })
    var context = DecodingContext(fileName: source.name, limits: limits) {
      [self, readImage] reference throws(Failure) in
      if let file = try related(reference) { return file }
      if reference.hasPrefix("guid:") { return try picture(reference, of: system) }
      if unresolved.contains(reference) { return nil }
      let name = ImportedImage.packageName(FoundImage.baseName(of: reference))
      for path in ["Source/\(name)", "\(Imported.imageDirectory)/\(name)"] {
        if let image = try readImage(path) { return image }
      }
      return if let path = paths[UnicodeForms.folded(name)] { try readImage(path) } else { nil }
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
    for sprite in emitters.lazy.flatMap({ $0.sprites }) where places[sprite] == nil {
      places[sprite] = places.count
    }
    return places
  }
}

/// The image of an emitter in a text file: one key for its name, optionally another for its bytes.
struct FieldImage {
  let name: String
  /// nil if the image cannot be found, or is no picture: programs of the family would not start.
  let bytes: [UInt8]?
  /// The index of the image in the document. Nil for a blank image.
  let index: Int?
  /// The identity of the image: its SHA-256, or the name of a missing one.
  let identity: String
  let losses: [Diagnostic]

  init?<Format: FieldFormat>(
    _ writer: EmitterWriter<Format>, _ images: inout ExportedImages, _ context: EncodingContext
  ) throws(Failure) {
    let (system, emitter) = (writer.system, writer.index)
    guard let keys = writer.format.imageKeys, system.emitters.indices.contains(emitter),
      let image = system.shownImage(of: emitter)
    else { return nil }
    index = image
    name = images.name(of: image)
    bytes = try context.readImage(system.images[image].uri).flatMap {
      ImageFormat(of: $0) == nil ? nil : $0
    }
    identity = Self.identity(
      of: system.images[image], digest: bytes.map { SHA256.digest($0).description })
    let missing = images.missing(image, named: name, key: keys.name)
    losses = Self.losses(of: writer, images) + (bytes == nil ? [missing] : [])
  }

  static func identity(of image: ImageReference, digest: String?) -> String {
    digest ?? FoundImage.baseName(of: image.uri)
  }

  /// The white square for an emitter without image, for programs that require one.
  /// - Parameter emitter: the place of the emitter in the document.
  init(blankFor emitter: Int, _ images: ExportedImages) throws(Failure) {
    name = "square.png"
    bytes = try PNG.encode(Bitmap(width: 8, height: 8) { _, _ in (1, 1, 1, 1) })
    index = nil
    identity = ""
    var line = Diagnostic(
      .restated, .texture, at: "emitters[\(emitter)].sprites",
      "programs require an image, so that a white square is added")
    // Sprites of later emitters are counted from one on.
    let (counts, last) = (images.spriteCounts, images.spriteCounts.count - 1)
    line.loss?.moved = MovedSprites(
      sprites: counts[min(emitter, last)]...counts[last],
      emitters: emitter + 1..<max(last, emitter + 1))
    losses = [line]
  }

  private static func losses<Format: FieldFormat>(
    of writer: EmitterWriter<Format>, _ images: ExportedImages
  ) -> [Diagnostic] {
    guard let sprite = writer.sprite, let first = writer.emitter.sprites.first,
      let place = images.spritePlaces[first]
    else { return [] }
    var losses: [Diagnostic] = []
    if writer.emitter.sprites.count > 1 {
      losses.append(
        Diagnostic(
          .lost, .randomSprites, at: "\(writer.path).sprites",
          also: ["\(writer.path).spriteSelection"]
            + writer.emitter.sprites.dropFirst().compactMap { images.spritePlaces[$0] }.flatMap {
              ["sprites[\($0)]", "images[\($0)]"]
            }, "only one image is supported"))
    }
    var plain = Sprite(image: sprite.image)
    (plain.additions, plain.scale) = (sprite.additions, sprite.scale)
    let grid = sprite.region == nil ? sprite.grid.flatMap(writer.format.grid) : nil
    plain.grid = sprite.grid
    if sprite == plain, let grid, grid != sprite.grid {
      losses.append(
        Diagnostic(
          .approximated, .flipbook, at: "sprites[\(place)]",
          "all frames of the grid are shown, row by row"))
    }
    if grid == nil { plain.grid = nil }
    if sprite != plain {
      losses.append(
        Diagnostic(
          .lost, sprite.grid == nil ? .texture : .flipbook, at: "sprites[\(place)]",
          "image regions are not supported. The whole image is shown"))
    } else if sprite.scale != 1 {
      losses.append(Diagnostic(.dead, .texture, at: "sprites[\(place)].scale", "sizes are lengths"))
    }
    return losses
  }

  /// The values of the keys that name or hold an image, empty for no image.
  static func fields<Format: FieldFormat>(
    of image: FieldImage?, _ format: Format, placement: EncodingContext.ImagePlacement?,
    beside: inout [String: [UInt8]]
  ) -> [(key: String, value: FieldValue)] {
    guard let keys = format.imageKeys else { return [] }
    let isEmbedded = placement != .beside
    if let image, let bytes = image.bytes, !isEmbedded { beside[image.name] = bytes }
    let packed = isEmbedded ? image?.bytes.map(format.pack) : nil
    return [(keys.name, .text(image?.name ?? "")), (keys.data, .text(packed ?? ""))]
  }

  /// Writes the image next to a file that names it, unless the file embeds an equal image.
  func putBeside<Format: FieldFormat>(
    _ reader: FieldReader<Format>, _ images: inout ExportedImages, _ context: EncodingContext,
    _ beside: inout [String: [UInt8]]
  ) throws(Failure) {
    guard let bytes, let index,
      let keys = reader.format.imageKeys,
      let name = reader.text(keys.name).map(FoundImage.baseName),
      beside[name] == nil
    else { return }
    let alone = DecodingContext(fileName: context.fileName, limits: context.limits)
    var (embedded, system) = (ImportedImages(context: alone), ParticleSystem())
    _ = try reader.addImage(to: &system, &embedded, alone)
    guard system.images.first?.sha256 != identity else { return }
    // An image that was converted for the package has its original name.
    beside[name] = try context.readImage("Source/\(ImportedImage.packageName(name))") ?? bytes
    images.reserve(name, for: index)
  }
}

extension FieldReader {
  /// Adds the image to the document and returns its index, or nil if the file names none. The named
  /// file takes precedence, as in the programs of the family. The embedded image is decoded anyway,
  /// to report damage. A missing image is recorded by its name.
  func addImage(
    to system: inout ParticleSystem, _ images: inout ImportedImages, _ context: DecodingContext
  ) throws(Failure) -> Int? {
    guard let keys = format.imageKeys else { return nil }
    let name = text(keys.name)
    let embedded = try text(keys.data).flatMap { text throws(Failure) -> [UInt8]? in
      do throws(Failure) { return try format.unpack(text, limits: context.limits) } catch {
        guard let fault = Diagnostic.of(error) else { throw error }
        note(fault, keys.data)
        return nil
      }
    }
    if let name {
      switch try images.search([name]) {
      case .success(let found):
        return try images.add(found.bytes, named: found.name, at: keys.name, to: &system)
      case .failure(let finding) where embedded == nil:
        note(missing: finding, keys.name)
        return images.addUnresolved(name, to: &system)
      default: break
      }
    }
    guard let embedded else { return nil }
    let kind = ImageFormat(of: embedded)?.fileExtension ?? "bin"
    let fileName = name.map(FoundImage.baseName) ?? "particle.\(kind)"
    // The embedded image may have another type than its name.
    let isNamedRight = Files.pathExtension(of: fileName) == kind
    return try images.add(
      embedded, named: isNamedRight ? fileName : "\(Files.stem(of: fileName)).\(kind)",
      at: keys.data, to: &system)
  }
}

/// One picture with the frames of an animation whose images are files of their own, for the grid of a sprite.
struct ComposedFrames {
  let picture: [UInt8]
  /// The size of a frame. Smaller images are in its middle.
  let (width, height): (Int, Int)
  let grid: SpriteGrid

  private static let mostFrames = 1_000

  /// Composes frames row by row, in nearly as many rows as columns.
  /// - Parameter frames: the bytes of the images, in their order.
  /// - Returns: nil if a frame is no picture, or if there are too many pixels.
  init?(_ frames: [[UInt8]], limits: Limits) throws(Failure) {
    guard (2...Self.mostFrames).contains(frames.count) else { return nil }
    let columns = Int(saturating: Double(frames.count).squareRoot().rounded(.up))
    let rows = (frames.count + columns - 1) / columns
    let most = min(limits.pixels, limits.imagePixels)
    var (pictures, width, height) = ([Bitmap](), 0, 0)
    for frame in frames {
      guard let bitmap = try? Bitmap(decoding: frame, limits: limits) else {
        try WorkBudget.checkCancellation()
        return nil
      }
      (width, height) = (max(width, bitmap.width), max(height, bitmap.height))
      let (line, isWide) = (columns * width).multipliedReportingOverflow(by: rows * height)
      guard !isWide, line <= most else { return nil }
      pictures.append(bitmap)
    }
    var whole = Bitmap(width: columns * width, height: rows * height)
    for (index, bitmap) in pictures.enumerated() {
      whole.place(
        bitmap, x: index % columns * width + (width - bitmap.width) / 2,
        y: index / columns * height + (height - bitmap.height) / 2)
    }
    picture = try PNG.encode(whole)
    (self.width, self.height) = (width, height)
    let isFull = columns * rows == frames.count
    grid = SpriteGrid(columns: columns, rows: rows, count: isFull ? nil : frames.count)
  }
}
