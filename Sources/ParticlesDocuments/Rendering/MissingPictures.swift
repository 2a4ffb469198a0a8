internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesSimulation

/// The pictures that are shown in place of missing ones: soft dots, as most images of particles are. A flip-book has
/// a whole dot in each frame, and a sprite that shows a region has one there.
struct MissingPictures {
  /// The width and height of a dot, in pixels, where a document does not state the region.
  private static let side = EffectTextures.dot.width

  private let system: ParticleSystem
  /// The indices of the sprites that show an image.
  private let sprites: [Int: [Int]]
  /// The most pixels of all pictures with several dots. After them, a picture is a single dot.
  private var restOfPixels = 4 << 20
  /// The most pixels that are painted, because frames may overlap.
  private var restOfPaint = 16 << 20

  init(_ system: ParticleSystem) {
    self.system = system
    sprites = Dictionary(grouping: system.sprites.indices) { system.sprites[$0].image }
  }

  /// Draws the picture for the image at an index of the document.
  mutating func bitmap(for image: Int) -> Bitmap {
    let sprites = sprites[image] ?? []
    let hasFrames = sprites.contains {
      system.sprites[$0].grid != nil || system.sprites[$0].region != nil
    }
    let (width, height) = hasFrames ? size(for: sprites) : (0, 0)
    guard width > 0, height > 0, width <= restOfPixels, height <= restOfPixels / width else {
      return EffectTextures.dot
    }
    restOfPixels -= width * height
    var bitmap = Bitmap(width: width, height: height) { _, _ in (1, 1, 1, 0) }
    let frames = SpriteFrames(system, images: [image: (width, height)])
    for sprite in sprites {
      for frame in 0..<frames.frameCount(of: sprite) {
        restOfPaint -= 1 + bitmap.paintDot(in: frames.region(of: sprite, frame: frame))
        guard restOfPaint > 0 else { return bitmap }
      }
    }
    return bitmap
  }

  /// The size of a picture: all regions are inside, and a frame of a grid has the size of a dot.
  private func size(for sprites: [Int]) -> (width: Int, height: Int) {
    var (width, height) = (0, 0)
    for sprite in sprites.map({ system.sprites[$0] }) {
      if let region = sprite.region, region.width > 0, region.height > 0 {
        width = max(width, Int(saturating: (region.x + region.width).rounded(.up)))
        height = max(height, Int(saturating: (region.y + region.height).rounded(.up)))
      } else {
        width = max(width, min(max(1, sprite.grid?.columns ?? 1), 1 << 20) * Self.side)
        height = max(height, min(max(1, sprite.grid?.rows ?? 1), 1 << 20) * Self.side)
      }
    }
    return (width, height)
  }
}

extension Bitmap {
  /// Makes the pixels of a rectangle opaque as a soft dot that fills it.
  /// - Returns: the number of pixels.
  fileprivate mutating func paintDot(in place: (x: Int, y: Int, width: Int, height: Int)) -> Int {
    let columns = max(0, place.x)..<max(0, place.x, min(width, place.x + place.width))
    let rows = max(0, place.y)..<max(0, place.y, min(height, place.y + place.height))
    for row in rows {
      let down = (Double(row - place.y) + 0.5) / Double(place.height) * 2 - 1
      for column in columns {
        let across = (Double(column - place.x) + 0.5) / Double(place.width) * 2 - 1
        let light = max(0, 1 - across * across - down * down)
        pixels[(row * width + column) * 4 + 3] = UInt8(saturating: (light * 255).rounded())
      }
    }
    return columns.count * rows.count
  }
}
