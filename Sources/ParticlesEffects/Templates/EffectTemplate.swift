public import ParticlesCore
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

/// A built-in template: an effect and its textures.
///
/// Templates are code, not files, so that the tool needs no data folder. Textures are drawn when
/// ``package()`` is called.
public struct EffectTemplate: Sendable {
  /// The name: one word in lower case.
  public let name: String

  /// A description, one line.
  public let summary: String

  /// A texture and its drawing function. Each texture has one sprite.
  struct Picture: Sendable {
    var name: String
    /// The pivot, as a fraction of width and height from the top left.
    var pivot = Vector2(0.5, 0.5)
    var draw: @Sendable () -> Bitmap
  }

  private let background: Color
  private let pictures: [Picture]
  private let emitters: @Sendable () -> [Emitter]

  /// Creates a template.
  /// - Parameters:
  ///   - background: the background of the preview. Additive blending needs a dark background.
  ///   - pictures: the textures, to which emitters refer by index.
  ///   - emitters: creates the emitters.
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

  /// Returns the template with this name, without regard to case.
  public static func named(_ name: String) -> EffectTemplate? {
    all.first { $0.name == name.lowercased() }
  }

  /// The width and height of the effects, in points.
  private static let extent = 480.0

  /// Returns a new package. Each call returns equal contents.
  public func package() throws(Failure) -> EffectPackage {
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

extension EffectTemplate {
  /// All built-in templates, in the order of lists.
  public static let all: [EffectTemplate] = [
    .blank, .fire, .smoke, .snow, .rain, .sparks, .magic, .bokeh, .fireflies, .confetti, .explosion,
    .fountain, .galaxy, .bubbles, .leaves, .plasma,
  ]

  static let blank = EffectTemplate(
    "blank", "An emitter that emits nothing yet.", background: Color(0.13, 0.13, 0.13)
  ) { [Emitter(name: "Emitter")] }
}
