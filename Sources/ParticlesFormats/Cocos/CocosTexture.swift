internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// The image of an emitter that is written.
struct CocosTexture {
  /// An image with its name.
  typealias File = (name: String, bytes: [UInt8])

  let pair: (sprite: Sprite, image: ImageReference)
  let file: File
  /// The SHA-256 of the image.
  let digest: String
  /// What of the sprites is not said.
  let losses: [Diagnostic]

  /// The image that an emitter shows; nil if it shows none.
  /// - Parameter shown: the sprites of all emitters in the order in which they show them, each with
  ///   its place there.
  init?(
    _ emitter: Emitter, at number: Int, of system: ParticleSystem, shown: [Int: Int],
    _ context: EncodingContext
  ) throws {
    guard let index = emitter.sprites.first, system.sprites.indices.contains(index),
      system.images.indices.contains(system.sprites[index].image)
    else { return nil }
    let sprite = system.sprites[index]
    let image = system.images[sprite.image]
    guard let bytes = try context.readImage(image.uri) else { return nil }
    pair = (sprite, image)
    file = (Files.lastComponent(of: image.uri), bytes)
    digest = SHA256.digest(bytes).description
    losses = Self.losses(of: emitter, at: number, in: system, shown: shown)
  }

  /// The sprites that emitters show with their places in the audit, where they stand in the order in
  /// which emitters show them.
  static func shown(in system: ParticleSystem) -> [Int: Int] {
    var shown: [Int: Int] = [:]
    for index in system.emitters.lazy.flatMap(\.sprites) where shown[index] == nil {
      shown[index] = shown.count
    }
    return shown
  }

  private static func losses(
    of emitter: Emitter, at index: Int, in system: ParticleSystem, shown: [Int: Int]
  ) -> [Diagnostic] {
    guard let first = emitter.sprites.first, let place = shown[first] else { return [] }
    var losses: [Diagnostic] = []
    if emitter.sprites.count > 1 {
      losses.append(
        Diagnostic(
          .lost, .randSpr, at: "emitters[\(index)].sprites",
          also: ["emitters[\(index)].spriteSelection"]
            + emitter.sprites.dropFirst().compactMap { shown[$0] }
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

  static let keys = ["textureFileName", "textureImageData"]

  /// The keys that name or hold an image.
  static func fields(
    of file: File?, placement: EncodingContext.ImagePlacement?, stem: String,
    beside: inout [String: [UInt8]]
  ) -> [(key: CocosKey, value: CocosValue)] {
    let isEmbedded = placement != .beside
    if let file, !isEmbedded { beside[file.name] = file.bytes }
    return [
      (CocosKey("textureFileName"), .text(file?.name ?? "")),
      (
        CocosKey("textureImageData"),
        .text(isEmbedded ? file.map { CocosImage.pack($0.bytes) } ?? "" : "")
      ),
    ]
  }

  /// The white square that an emitter without image shows.
  static var blank: File? {
    let white = Bitmap(width: 8, height: 8) { _, _ in (1, 1, 1, 1) }
    return (try? PNG.encode(white)).map { ("square.png", $0) }
  }

  static func blankLine(_ index: Int) -> Diagnostic {
    Diagnostic(
      .restated, .tex, at: "emitters[\(index)].sprites", also: ["sprites[0]", "images[0]"],
      "without image programs do not start; the white square becomes one")
  }

  /// Puts the image beside a file that names it and does not hold the same.
  func putBeside<Format: FieldFormat>(
    _ reader: FieldReader<Format>, _ context: EncodingContext, _ beside: inout [String: [UInt8]]
  ) throws {
    guard let name = reader.text(Self.keys[0]).map(ImageFinder.baseName), beside[name] == nil
    else { return }
    let alone = try CocosImage.find(
      reader, DecodingContext(fileName: context.fileName, limits: context.limits))
    guard alone?.reference.sha256 != digest else { return }
    // What was converted for the package was something else before.
    let original = try context.readImage("Source/\(ImportedImage.packageName(name))")
    beside[name] = original ?? file.bytes
  }
}
