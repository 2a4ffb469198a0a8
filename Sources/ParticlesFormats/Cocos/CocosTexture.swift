internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// The image of an emitter that is written.
struct CocosTexture {
  /// An image with its name; without bytes if nobody has it.
  typealias File = (name: String, bytes: [UInt8]?)

  let pair: (sprite: Sprite, image: ImageReference)
  let file: File
  /// The index of the image.
  let index: Int
  /// What tells the image apart from others: the SHA-256, or the name if nobody has it.
  let identity: String
  /// What of the sprites is not said.
  let losses: [Diagnostic]

  /// The image that an emitter shows; nil if it shows none.
  init?(
    _ emitter: Emitter, at place: Int, of system: ParticleSystem,
    _ images: inout ExportedImages, _ context: EncodingContext
  ) throws {
    guard system.emitters.indices.contains(place), let index = system.shownImage(of: place),
      let sprite = emitter.sprites.first
    else { return nil }
    self.index = index
    let image = system.images[index]
    let bytes = try context.readImage(image.uri)
    pair = (system.sprites[sprite], image)
    file = (images.name(of: index), bytes)
    identity = Self.identity(of: image, digest: bytes.map { SHA256.digest($0).description })
    losses =
      Self.losses(of: emitter, in: system)
      + (bytes == nil
        ? [images.missing(index, named: file.name, key: "textureFileName")] : [])
  }

  static func identity(of image: ImageReference, digest: String?) -> String {
    digest ?? ImageFinder.baseName(of: image.uri)
  }

  private static func losses(of emitter: Emitter, in system: ParticleSystem) -> [Diagnostic] {
    // In the audit, sprites stand in the order in which emitters show them.
    var shown: [Int] = []
    for index in system.emitters.flatMap(\.sprites) where !shown.contains(index) {
      shown.append(index)
    }
    guard let first = emitter.sprites.first, let place = shown.firstIndex(of: first) else {
      return []
    }
    var losses: [Diagnostic] = []
    let index = system.emitters.firstIndex(of: emitter) ?? 0
    if emitter.sprites.count > 1 {
      losses.append(
        Diagnostic(
          .lost, .randSpr, at: "emitters[\(index)].sprites",
          also: ["emitters[\(index)].spriteSelection"]
            + emitter.sprites.dropFirst().compactMap { shown.firstIndex(of: $0) }
            .flatMap { ["sprites[\($0)]", "images[\($0)]"] },
          "particles show one image"))
    }
    let sprite = system.sprites[first]
    var plain = Sprite(image: sprite.image)
    plain.additions = sprite.additions
    plain.scale = sprite.scale
    if sprite != plain {
      losses.append(
        Diagnostic(
          .lost, sprite.grid == nil ? .tex : .flip, at: "sprites[\(place)]",
          "particles show the whole image"))
    } else if sprite.scale != 1 {
      losses.append(
        Diagnostic(.dead, .tex, at: "sprites[\(place)].scale", "sizes are lengths"))
    }
    return losses
  }

  // MARK: Fields

  /// The keys that name or hold an image.
  static func fields(
    of file: File?, placement: EncodingContext.ImagePlacement?, stem: String,
    beside: inout [String: [UInt8]]
  ) -> [(key: CocosKey, value: CocosValue)] {
    let isEmbedded = placement != .beside
    if let file, let bytes = file.bytes, !isEmbedded { beside[file.name] = bytes }
    return [
      (CocosKey("textureFileName"), .text(file?.name ?? "")),
      (
        CocosKey("textureImageData"),
        .text(isEmbedded ? file?.bytes.map(CocosImage.pack) ?? "" : "")
      ),
    ]
  }

  /// The white square that an emitter without image shows, since cocos2d does not start without
  /// one. Starling is given its image by the program.
  static func blank(_ dialect: CocosDialect) -> File? {
    guard dialect != .starling else { return nil }
    let white = Bitmap(width: 8, height: 8) { _, _ in (1, 1, 1, 1) }
    return (try? PNG.encode(white)).map { ("square.png", $0) }
  }

  static func blankLine(_ index: Int) -> Diagnostic {
    Diagnostic(
      .restated, .tex, at: "emitters[\(index)].sprites", also: ["sprites[0]", "images[0]"],
      "without image programs do not start; the white square becomes one")
  }
}
