internal import ParticlesImages
internal import ParticlesFormats
internal import ParticlesModel

/// A document to begin with: an effect and the pictures that its particles show.
///
/// Templates are values, not files, so that the tool can be put anywhere. Nothing of one is made
/// before it is asked for its package.
public struct EffectTemplate: Sendable {
  /// The name it is asked for by: one word in lower case.
  public let name: String

  /// What it looks like, in one line.
  public let summary: String

  /// A texture: the file name, and how it is drawn. There is one sprite for each.
  struct Picture: Sendable {
    var name: String
    /// The point that sits on the particle, as a share of width and height from the top left.
    var pivot = Vector2(0.5, 0.5)
    var draw: @Sendable () -> Bitmap
  }

  private let background: Color
  private let pictures: [Picture]
  private let emitters: @Sendable () -> [Emitter]

  /// Creates a template.
  /// - Parameters:
  ///   - background: what the effect is seen before; colours that add up want a dark one.
  ///   - pictures: the textures, to which emitters refer by their indices.
  ///   - emitters: makes the emitters.
  init(
    _ name: String, _ summary: String, background: Color, pictures: [Picture] = [],
    emitters: @escaping @Sendable () -> [Emitter]
  ) {
    self.name = name
    self.summary = summary
    self.background = background
    self.pictures = pictures
    self.emitters = emitters
  }

  /// The template of this name, whatever its case.
  public static func named(_ name: String) -> EffectTemplate? {
    all.first { $0.name == name.lowercased() }
  }

  /// The width and height that the effects are made for, in points.
  private static let extent = 480.0

  /// A new package made from the template; the same each time.
  public func package() throws -> EffectPackage {
    var system = ParticleSystem()
    system.asset.name = name.prefix(1).uppercased() + name.dropFirst()
    system.asset.generator = "particles"
    system.preview.size = Vector2(Self.extent, Self.extent)
    system.preview.background = background
    var camera = Camera()
    camera.orthoHeight = Self.extent
    system.preview.camera = camera
    var images: [String: [UInt8]] = [:]
    for (index, picture) in pictures.enumerated() {
      let path = "\(EffectPackage.imageDirectory)/\(picture.name)"
      let bytes = try PNG.encode(picture.draw())
      images[path] = bytes
      system.images.append(ImageReference(describing: bytes, at: path))
      var sprite = Sprite(image: index)
      sprite.pivot = picture.pivot
      system.sprites.append(sprite)
    }
    system.emitters = emitters()
    return try EffectPackage(system, images: images)
  }
}
