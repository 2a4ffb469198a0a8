internal import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
public import ParticlesImages
internal import ParticlesModel

/// A small picture of a document that is made without running the effect: what its particles look
/// like, each emitter's first image in the colour that it has on average, large particles behind
/// small ones.
public struct EffectThumbnail {
  fileprivate struct Layer {
    var image: Bitmap
    var color: Color
    var isAdditive: Bool
    /// The share of the picture that the image spans.
    var extent: Double
  }

  private let layers: [Layer]
  private let background: Color

  /// How many emitters are looked at.
  private static let most = 8

  /// How small a particle may be shown, as a share of the picture.
  private static let leastExtent = 0.35

  /// Reads what the picture takes. An emitter without an image that can be read shows a soft dot.
  /// - Throws: what reading the document throws.
  public init(_ package: EffectPackage, limits: Limits = .standard) throws {
    let system = try package.system(limits: limits)
    var found: [(layer: Layer, size: Double)] = []
    for emitter in system.emitters.prefix(Self.most) {
      let image = Self.image(of: emitter, in: system, package, limits) ?? Self.dot
      let life = max(emitter.lifetime.mean, 1e-3)
      let opacity = emitter.color.opacity.curve(lifetime: life).curve
      var color = emitter.color.base.gradient(lifetime: life).gradient.color(at: 0.3)
      color.alpha *= min(max(opacity.value(at: 0.3), 0.25), 1)
      let layer = Layer(
        image: image, color: color, isAdditive: emitter.render.blend.mode == .add, extent: 1)
      found.append((layer, emitter.size.width.from.mean.magnitude))
    }
    let largest = found.map(\.size).max() ?? 0
    layers = found.sorted { $0.size > $1.size }.map { layer, size in
      var layer = layer
      layer.extent = largest > 0 ? max(size / largest, Self.leastExtent) : 1
      return layer
    }
    background = system.preview.background ?? Color(0.07, 0.07, 0.1)
  }

  private static func image(
    of emitter: Emitter, in system: ParticleSystem, _ package: EffectPackage, _ limits: Limits
  ) -> Bitmap? {
    guard let sprite = emitter.sprites.first, system.sprites.indices.contains(sprite),
      system.images.indices.contains(system.sprites[sprite].image)
    else { return nil }
    let path = system.images[system.sprites[sprite].image].uri
    guard let file = package.container.root[path]?.contents, file.size <= limits.fileBytes,
      let bytes = try? file.bytes()
    else { return nil }
    return try? PNG.decode(bytes, limits: limits)
  }

  private static let dot = Bitmap(width: 64, height: 64) { x, y in
    (1, 1, 1, max(0, 1 - x * x - y * y))
  }

  /// Draws the picture.
  /// - Parameter size: its width and height in pixels, 1 to 1024.
  public func bitmap(size: Int) -> Bitmap {
    Bitmap(width: size, height: size) { x, y in
      var sum = (red: 0.0, green: 0.0, blue: 0.0, alpha: 0.0)
      // Several samples of each pixel: images are seldom smaller than their picture.
      let step = 2 / Double(size * Self.samples)
      for row in 0..<Self.samples {
        for column in 0..<Self.samples {
          let color = color(
            x + (Double(column) - Self.middle) * step, y + (Double(row) - Self.middle) * step)
          sum.red += color.red
          sum.green += color.green
          sum.blue += color.blue
          sum.alpha += color.alpha
        }
      }
      let count = Double(Self.samples * Self.samples)
      return (sum.red / count, sum.green / count, sum.blue / count, sum.alpha / count)
    }
  }

  private static let samples = 3
  private static let middle = Double(samples - 1) / 2

  private func color(_ x: Double, _ y: Double) -> Color {
    var color = background
    for layer in layers {
      guard let texel = layer.texel(x, y) else { continue }
      let alpha = texel.alpha * layer.color.alpha
      let keep = layer.isAdditive ? 1 : 1 - alpha
      color.red = min(color.red * keep + texel.red * layer.color.red * alpha, 1)
      color.green = min(color.green * keep + texel.green * layer.color.green * alpha, 1)
      color.blue = min(color.blue * keep + texel.blue * layer.color.blue * alpha, 1)
      color.alpha = max(color.alpha, alpha)
    }
    return color
  }
}

extension EffectThumbnail.Layer {
  /// The pixel of the image at a place of the picture; nil beside it. The longer side of the image
  /// spans the extent.
  fileprivate func texel(_ x: Double, _ y: Double) -> Color? {
    let longest = Double(max(image.width, image.height))
    let column = (x / extent * longest + Double(image.width)) / 2
    let row = (Double(image.height) - y / extent * longest) / 2
    guard column >= 0, row >= 0, column < Double(image.width), row < Double(image.height) else {
      return nil
    }
    let index = (Int(row) * image.width + Int(column)) * 4
    let pixel = image.pixels[index..<index + 4].map { Double($0) / 255 }
    return Color(pixel[0], pixel[1], pixel[2], pixel[3])
  }
}
