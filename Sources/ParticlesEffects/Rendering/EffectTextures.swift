internal import ParticlesContainer
package import ParticlesCore
package import ParticlesImages
package import ParticlesModel
internal import ParticlesSimulation

/// The decoded images of an effect, and their faults.
package struct EffectTextures {
  /// The images by their index in the document.
  private(set) var bitmaps: [Int: Bitmap] = [:]
  /// A warning for each image that is replaced by a soft dot.
  private(set) var problems: [Diagnostic] = []

  init(_ package: EffectPackage, of system: ParticleSystem, limits: Limits) {
    let sprites = system.emitters.filter { $0.enabled }.flatMap { $0.sprites }
    let used = Set(
      sprites.filter { system.sprites.indices.contains($0) }.map { system.sprites[$0].image })
    var images = DecodedImages(package, limits: limits)
    var missing: MissingPictures?
    for index in used.sorted() where system.images.indices.contains(index) {
      let path = system.images[index].uri
      do throws(Failure) {
        bitmaps[index] = try images.bitmap(at: path)
      } catch {
        var pictures = missing ?? MissingPictures(system)
        bitmaps[index] = pictures.bitmap(for: index)
        missing = pictures
        problems.append(Self.problem(error, at: path))
      }
    }
  }

  /// The warning for an image that cannot be shown.
  private static func problem(_ error: Failure, at path: String) -> Diagnostic {
    var fault = Diagnostic.of(error) ?? Diagnostic(.image, found: "\(error)")
    if fault.rule == .absentImage { fault.hint = "--images names a folder with images" }
    fault.location = .entry(path)
    fault.severity = .warning
    let instead = "a soft dot is drawn instead"
    fault.detail = fault.detail.map { "\($0); \(instead)" } ?? instead
    return fault
  }

  /// The images of an effect in a package by their index in its document. A missing image is a soft dot.
  package static func bitmaps(
    of system: ParticleSystem, in package: EffectPackage, limits: Limits
  ) -> [Int: Bitmap] {
    EffectTextures(package, of: system, limits: limits).bitmaps
  }

  /// A soft dot, like most images of particles. Its size is the size that conversions assume for unknown images.
  static let dot = Bitmap(width: 32, height: 32) { x, y in
    (1, 1, 1, max(0, 1 - x * x - y * y))
  }
}

/// The decoded images of a package. An image that an effect shows in several places is decoded once.
struct DecodedImages {
  private let package: EffectPackage
  private var limits: Limits
  private var known: [String: Bitmap] = [:]

  /// - Parameter limits: the limit of pixels is for all images together.
  init(_ package: EffectPackage, limits: Limits) {
    self.package = package
    self.limits = limits
  }

  /// Reads an image of the package.
  /// - Throws: ``ParticlesCore/Rule/limit`` if it has more pixels than are left of the limit.
  mutating func bitmap(at path: String) throws(Failure) -> Bitmap {
    if let bitmap = known[path] { return bitmap }
    guard let file = package.container.root[path]?.contents else {
      throw Diagnostic(.absentImage, at: .entry(path))
    }
    try limits.check(file.size, { $0.fileBytes }, "bytes of an image")
    let bytes = try file.bytes()
    let bitmap = try Bitmap(decoding: bytes, limits: limits)
    limits.imagePixels =
      min(limits.pixels, limits.imagePixels) - bitmap.width * bitmap.height
    known[path] = bitmap
    return bitmap
  }
}

/// The pictures that replace missing images: soft dots, like most images of particles. A flip-book has a whole dot in
/// each frame, and a sprite that shows a region has one there.
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
