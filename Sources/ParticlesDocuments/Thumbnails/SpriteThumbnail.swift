internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// A picture of an effect without simulation, for effects that show no particles: the first image of
/// each emitter in its colour at 30 % of the lifetime, large particles behind small ones.
struct SpriteThumbnail {
  private struct Layer {
    var image: Bitmap
    var tint: Pixel
    var isAdditive: Bool
    /// The size of the image as a fraction of the thumbnail.
    var extent: Double
  }

  private let layers: [Layer]
  private let background: Pixel

  /// The number of emitters that are drawn.
  private static let most = 8

  /// The least size of an image, as a fraction of the thumbnail.
  private static let leastExtent = 0.35

  /// Reads the images. A soft dot replaces an image that cannot be read.
  init(_ system: ParticleSystem, of package: EffectPackage, limits: Limits) {
    var found: [(layer: Layer, size: Double)] = []
    var images = DecodedImages(package, limits: limits)
    for emitter in system.emitters.prefix(Self.most) {
      let image = Self.image(of: emitter, in: system, &images) ?? EffectTextures.dot
      let life = max(emitter.lifetime.mean, 1e-3)
      let opacity = emitter.color.opacity.curve(lifetime: life).curve
      var color = emitter.color.base.gradient(lifetime: life).gradient.color(at: 0.3)
      color.alpha *= min(max(opacity.value(at: 0.3), 0.25), 1)
      let layer = Layer(
        image: image, tint: Pixel(color), isAdditive: emitter.render.blend.mode == .add, extent: 1)
      found.append((layer, emitter.size.width.from.mean.magnitude))
    }
    let largest = found.map(\.size).max() ?? 0
    layers = found.sorted { $0.size > $1.size }.map { layer, size in
      var layer = layer
      layer.extent = largest > 0 ? max(size / largest, Self.leastExtent) : 1
      return layer
    }
    background = Pixel(system.preview.background ?? EffectAnimation.darkness)
  }

  private static func image(
    of emitter: Emitter, in system: ParticleSystem, _ images: inout DecodedImages
  ) -> Bitmap? {
    guard let sprite = emitter.sprites.first, system.sprites.indices.contains(sprite),
      system.images.indices.contains(system.sprites[sprite].image)
    else { return nil }
    return try? images.bitmap(at: system.images[system.sprites[sprite].image].uri)
  }

  /// Draws the picture.
  /// - Parameter size: the width and height in pixels, 1 to 1024.
  func bitmap(size: Int) -> Bitmap {
    // Supersample: images are usually larger than the thumbnail.
    Bitmap(width: size, height: size, samples: 3) { x, y in
      var color = background
      for layer in layers {
        // The longer side of the image has this extent.
        guard let texel = layer.image.pixel(atX: x / layer.extent, y: y / layer.extent) else {
          continue
        }
        color.blend(texel.tinted(by: layer.tint), isAdditive: layer.isAdditive)
      }
      return color
    }
  }
}

extension Pixel {
  fileprivate init(_ color: Color) { self.init(color.red, color.green, color.blue, color.alpha) }
}
