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

  init(_ system: ParticleSystem, _ images: [Int: Bitmap]) {
    (self.system, self.images) = (system, images)
    frames = SpriteFrames(system, images: images.mapValues { ($0.width, $0.height) })
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
      convert: isLight == isLinear ? nil : isLight ? LightCurve.encoded : LightCurve.light)
  }
}
