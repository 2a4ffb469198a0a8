internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesSimulation

/// The textures of the frames of sprites, each cut out of its image when it is first shown.
final class SpriteSheets {
  let frames: SpriteFrames
  private let system: ParticleSystem
  let images: [Int: Bitmap]
  private let white = SpriteTexture()
  private var isLinear = false
  private var textures: [SpriteTexture] = []
  /// The visible parts of sprites.
  var looks: [LookKey: SpriteLook] = [:]
  /// The most texels of a texture that are kept at one resolution.
  let mostOfTexture: Int
  /// The most texels of all of them.
  let most: Int

  /// - Parameter mostTexels: the most texels that all textures keep at one resolution.
  init(
    _ system: ParticleSystem, _ images: [Int: Bitmap], mostTexels: Int = SpriteTexture.mostTexels
  ) {
    (self.system, self.images, most) = (system, images, mostTexels)
    frames = SpriteFrames(system, images: images.mapValues { ($0.width, $0.height) })
    mostOfTexture = Self.mostOfTexture(system, frames, images, most: mostTexels)
  }

  /// A sprite, which has texels of its own for each way in which emitters blend it.
  private struct Use: Hashable {
    var sprite: Int
    var blend: BlendMode
  }

  /// The most texels of each texture with which all together have no more than a number: large ones are reduced first.
  private static func mostOfTexture(
    _ system: ParticleSystem, _ frames: SpriteFrames, _ images: [Int: Bitmap], most: Int
  ) -> Int {
    var uses: Set<Use> = []
    for emitter in system.emitters where emitter.enabled {
      for sprite in frames.sprites(of: emitter) {
        uses.insert(Use(sprite: sprite, blend: emitter.render.blend.mode))
      }
    }
    let parts = uses.compactMap { use -> (texels: Int, frames: Int)? in
      guard let image = images[system.sprites[use.sprite].image] else { return nil }
      let region = frames.region(of: use.sprite, frame: 0)
      let texels = min(region.width, image.width) * min(region.height, image.height)
      return (texels, min(frames.frameCount(of: use.sprite), image.width * image.height))
    }
    var cap = most
    func isTooMuch() -> Bool {
      parts.reduce(0.0) { $0 + Double(min($1.texels, cap)) * Double($1.frames) } > Double(most)
    }
    while cap > 1, isTooMuch() { cap /= 2 }
    return cap
  }

  /// The textures by the numbers that quads have.
  /// - Parameter isLinear: whether they are in light instead of encoded by sRGB.
  func textures(isLinear: Bool) -> [SpriteTexture] {
    if textures.isEmpty || isLinear != self.isLinear {
      (textures, self.isLinear) = ([white], isLinear)
    }
    for cell in frames.cells[(textures.count - 1)...] { textures.append(cut(cell) ?? white) }
    return textures
  }

  private func cut(_ cell: SpriteFrames.Cell) -> SpriteTexture? {
    let info = frames[cell.sprite]
    guard let image = images[info.image] else { return nil }
    let reference =
      system.images.indices.contains(info.image) ? system.images[info.image] : ImageReference()
    let isLight = reference.colorSpace == .linear
    return SpriteTexture(
      image, region: frames.region(of: cell), isRotated: info.rotated,
      isStoredPremultiplied: reference.alpha == .premultiplied,
      convert: isLight == isLinear ? nil : isLight ? LightCurve.encoded : LightCurve.light,
      most: mostOfTexture)
  }
}
