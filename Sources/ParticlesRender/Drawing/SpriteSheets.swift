internal import ParticlesCore
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
  /// The most texels of all sprites together.
  let most: Int

  /// - Parameter mostTexels: the most texels that all textures keep at one resolution.
  init(
    _ system: ParticleSystem, _ images: [Int: Bitmap], mostTexels: Int = SpriteTexture.mostTexels
  ) {
    (self.system, self.images, most) = (system, images, mostTexels)
    frames = SpriteFrames(system, images: images.mapValues { ($0.width, $0.height) })
    mostOfTexture = Self.mostOfTexture(system, frames, images, most: mostTexels)
  }

  /// A sprite with its own texels for each way in which emitters blend it.
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

extension SpriteSheets {
  /// The visible parts of a sprite. If its image is missing, a whole white square.
  /// - Parameter isLight: whether only light counts, not cover.
  func look(of sprite: Int?, isLight: Bool) -> SpriteLook {
    guard let sprite else { return SpriteLook() }
    let key = LookKey(sprite: sprite, isLight: isLight)
    if let look = looks[key] { return look }
    let look = makeLook(key)
    looks[key] = look
    return look
  }

  struct LookKey: Hashable {
    var sprite: Int
    var isLight: Bool
  }

  /// The most frames that are looked at, and the most texels of a frame in each direction.
  private static let (mostFrames, mostTexels) = (3, 24)
  /// The share of the strongest texel from which on a texel is visible.
  private static let leastStrength: Float = 0.08

  /// A texel: its place from the middle of the frame, in shares of the size, and how visible it is.
  private struct SeenTexel {
    var place: SIMD2<Double>
    var color: SIMD4<Float>
    var strength: Float
  }

  private func append(
    _ frame: Int, of key: LookKey, _ image: Bitmap, to texels: inout [SeenTexel]
  ) {
    let region = frames.region(of: key.sprite, frame: frame)
    let (columns, rows) = (min(region.width, Self.mostTexels), min(region.height, Self.mostTexels))
    for row in 0..<rows {
      let down = (Double(row) + 0.5) / Double(rows)
      let y = region.y + Int(saturating: down * Double(region.height))
      guard y >= 0, y < image.height else { continue }
      for column in 0..<columns {
        let across = (Double(column) + 0.5) / Double(columns)
        let x = region.x + Int(saturating: across * Double(region.width))
        guard x >= 0, x < image.width else { continue }
        let color = image.texel(x, y)
        let light = max(color.x, color.y, color.z)
        texels.append(
          SeenTexel(
            place: SIMD2(across - 0.5, down - 0.5), color: color,
            strength: key.isLight ? color.w * light : color.w))
      }
    }
  }

  private func makeLook(_ key: LookKey) -> SpriteLook {
    var look = SpriteLook()
    let info = frames[key.sprite]
    guard let image = images[info.image] else { return look }
    var texels: [SeenTexel] = []
    let count = frames.frameCount(of: key.sprite)
    let step = max(1, (count + Self.mostFrames - 1) / Self.mostFrames)
    for frame in stride(from: step / 2, to: count, by: step) {
      append(frame, of: key, image, to: &texels)
    }
    let most = texels.reduce(0) { max($0, $1.strength) }
    guard most > 0 else {
      look.texel = .zero
      return look
    }
    let visible = texels.filter { $0.strength >= Self.leastStrength * most }
    let reach = visible.reduce(SIMD2(0, 0.0)) {
      SIMD2(max($0.x, $1.place.x.magnitude), max($0.y, $1.place.y.magnitude))
    }
    // Texels that are looked at are apart.
    let half = SIMD2(
      min(reach.x + 0.5 / Double(Self.mostTexels), 0.5),
      min(reach.y + 0.5 / Double(Self.mostTexels), 0.5))
    look.half = info.rotated ? SIMD2(half.y, half.x) : half
    look.isRound = !visible.contains { texel in
      let share = texel.place / half
      return (share * share).sum() > 1.2
    }
    // The root of the mean square: the middle of a soft dot counts for more than its edge.
    var (sum, weight, squares) = (SIMD3<Float>.zero, Float(0), Float(0))
    for texel in visible {
      sum += SIMD3(texel.color.x, texel.color.y, texel.color.z) * texel.strength
      weight += texel.strength
      squares += texel.color.w * texel.color.w
    }
    look.texel = SIMD4(sum / weight, (squares / Float(visible.count)).squareRoot())
    return look
  }
}

extension Bitmap {
  /// The components of a pixel, 0…1.
  fileprivate func texel(_ x: Int, _ y: Int) -> SIMD4<Float> {
    let index = (y * width + x) * 4
    return SIMD4(
      Float(pixels[index]), Float(pixels[index + 1]), Float(pixels[index + 2]),
      Float(pixels[index + 3])) / 255
  }
}
