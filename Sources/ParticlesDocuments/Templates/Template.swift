public import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

/// A document to begin with: an effect and the picture that its particles show.
///
/// Templates are values, not files, so that the tool can be put anywhere.
public struct Template: Sendable {
  /// The name it is asked for by: one word in lower case.
  public let name: String

  /// What it looks like, in one line.
  public let summary: String

  private let picture: (name: String, bitmap: @Sendable () -> Bitmap)?
  private let emitter: @Sendable () -> Emitter
  private let background: Color

  /// Creates a template.
  /// - Parameters:
  ///   - picture: the file name of the texture, and a closure that draws it.
  ///   - background: what the effect is seen before; colours that add up want a dark one.
  init(
    _ name: String, _ summary: String, background: Color,
    picture: (name: String, bitmap: @Sendable () -> Bitmap)? = nil,
    emitter: @escaping @Sendable () -> Emitter
  ) {
    self.name = name
    self.summary = summary
    self.background = background
    self.picture = picture
    self.emitter = emitter
  }

  /// The template of this name, whatever its case.
  public static func named(_ name: String) -> Template? {
    all.first { $0.name == name.lowercased() }
  }

  /// A new package made from the template; the same each time.
  public func package() throws -> EffectPackage {
    var system = ParticleSystem()
    system.asset.name = name.prefix(1).uppercased() + name.dropFirst()
    system.asset.generator = "particles"
    var emitter = emitter()
    emitter.name = system.asset.name ?? name
    system.preview.size = Vector2(480, 480)
    system.preview.background = background
    var images: [String: [UInt8]] = [:]
    if let picture {
      let path = "\(EffectPackage.imageDirectory)/\(picture.name)"
      let bytes = try PNG.encode(picture.bitmap())
      images[path] = bytes
      system.images = [ImageReference(describing: bytes, at: path)]
      system.sprites = [Sprite(image: 0)]
      emitter.sprites = [0]
    }
    system.emitters = [emitter]
    return try EffectPackage(system, images: images)
  }
}
