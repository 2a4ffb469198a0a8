internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// The image of an emitter in a text file: one key for its name, optionally another for its bytes.
struct FieldImage {
  let name: String
  /// nil if the image cannot be found, or is no picture: programs of the family would not start.
  let bytes: [UInt8]?
  /// The index of the image in the document; nil for a blank one.
  let index: Int?
  /// The identity of the image: its SHA-256, or the name of a missing one.
  let identity: String
  let losses: [Diagnostic]

  init?<Format: FieldFormat>(
    _ writer: EmitterWriter<Format>, _ images: inout ExportedImages, _ context: EncodingContext
  ) throws {
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
    digest ?? ImageFinder.baseName(of: image.uri)
  }

  /// The white square for an emitter without image, for programs that require one.
  /// - Parameter emitter: the place of the emitter in the document.
  init(blankFor emitter: Int, _ images: ExportedImages) throws {
    name = "square.png"
    bytes = try PNG.encode(Bitmap(width: 8, height: 8) { _, _ in (1, 1, 1, 1) })
    index = nil
    identity = ""
    var line = Diagnostic(
      .restated, .texture, at: "emitters[\(emitter)].sprites",
      "programs require an image; a white square is added")
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
          "image regions are not supported; the whole image is shown"))
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

  /// Writes the image next to a file that names it, unless the same image is embedded.
  func putBeside<Format: FieldFormat>(
    _ reader: FieldReader<Format>, _ images: inout ExportedImages, _ context: EncodingContext,
    _ beside: inout [String: [UInt8]]
  ) throws {
    guard let bytes, let index,
      let keys = reader.format.imageKeys,
      let name = reader.text(keys.name).map(ImageFinder.baseName),
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
  /// Adds the image to the document and returns its index; nil if the file names none. The named
  /// file takes precedence, as in the programs of the family; the embedded image is decoded anyway,
  /// to report damage. A missing image is recorded by its name.
  func addImage(
    to system: inout ParticleSystem, _ images: inout ImportedImages, _ context: DecodingContext
  ) throws -> Int? {
    guard let keys = format.imageKeys else { return nil }
    let name = text(keys.name)
    let embedded = try text(keys.data).flatMap { text -> [UInt8]? in
      do {
        return try format.unpack(text, limits: context.limits)
      } catch let fault as Diagnostic {
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
    let fileName = name.map(ImageFinder.baseName) ?? "particle.\(kind)"
    // The embedded image may have another type than its name.
    let isNamedRight = Files.pathExtension(of: fileName) == kind
    return try images.add(
      embedded, named: isNamedRight ? fileName : "\(Files.stem(of: fileName)).\(kind)",
      at: keys.data, to: &system)
  }
}
