internal import ParticlesImages
internal import ParticlesModel

/// The textures of all sprites of an effect and their frames, each cut out of its image when it is first
/// shown.
final class SpriteSheets {
  /// All textures so far; the first is a white square.
  private(set) var textures = [SpriteTexture()]
  /// Whether textures are in light instead of encoded by sRGB.
  var isLinear = false {
    didSet { if isLinear != oldValue { (textures, cells) = ([SpriteTexture()], [:]) } }
  }

  private let system: ParticleSystem
  private let images: [Int: Bitmap]
  private var cells: [Cell: Int32] = [:]

  private struct Cell: Hashable {
    var sprite: Int
    var frame: Int
  }

  /// The width and height of a sprite whose image is missing and of unknown size, in pixels.
  static let unknownSize = 32.0

  init(_ system: ParticleSystem, _ images: [Int: Bitmap]) {
    (self.system, self.images) = (system, images)
  }

  /// The sprites of an emitter that exist.
  func sprites(of emitter: Emitter) -> [Int] {
    emitter.sprites.filter { system.sprites.indices.contains($0) }
  }

  subscript(sprite: Int) -> Sprite { system.sprites[sprite] }

  /// The number of frames of a sprite, at least 1.
  func frameCount(of sprite: Int) -> Int {
    guard let grid = system.sprites[sprite].grid else { return 1 }
    let (columns, rows) = (max(1, grid.columns), max(1, grid.rows))
    let (places, isTooMany) = columns.multipliedReportingOverflow(by: rows)
    return max(1, min(grid.count ?? .max, isTooMany ? 1 << 30 : places))
  }

  /// The size in pixels of a frame of a sprite, as it is shown.
  func size(of sprite: Int?) -> SIMD2<Double> {
    guard let sprite, system.sprites.indices.contains(sprite) else {
      return SIMD2(Self.unknownSize, Self.unknownSize)
    }
    let info = system.sprites[sprite]
    let size = stored(info)
    let shown = info.rotated ? SIMD2(size.y, size.x) : size
    guard let grid = info.grid else { return shown }
    return shown / SIMD2(Double(max(1, grid.columns)), Double(max(1, grid.rows)))
  }

  /// The size of the region of a sprite as it is stored.
  private func stored(_ info: Sprite) -> SIMD2<Double> {
    if let region = info.region, region.width > 0, region.height > 0 {
      return SIMD2(region.width, region.height)
    }
    if let image = images[info.image] {
      return SIMD2(Double(image.width), Double(image.height))
    }
    if system.images.indices.contains(info.image), let width = system.images[info.image].width,
      let height = system.images[info.image].height, width > 0, height > 0
    {
      return SIMD2(Double(width), Double(height))
    }
    return SIMD2(Self.unknownSize, Self.unknownSize)
  }

  /// The index of the texture of a frame of a sprite.
  func texture(_ sprite: Int?, frame: Int) -> Int32 {
    guard let sprite, let image = images[system.sprites[sprite].image] else { return 0 }
    let cell = Cell(sprite: sprite, frame: frame)
    if let known = cells[cell] { return known }
    let made = cut(system.sprites[sprite], frame, out: image)
    if let made { textures.append(made) }
    let index = made == nil ? 0 : Int32(textures.count - 1)
    cells[cell] = index
    return index
  }

  private func cut(_ info: Sprite, _ frame: Int, out image: Bitmap) -> SpriteTexture? {
    let size = stored(info)
    let whole = info.rotated ? SIMD2(size.y, size.x) : size
    var (left, top, right, bottom) = (0.0, 0.0, whole.x, whole.y)
    if let grid = info.grid {
      let (columns, rows) = (max(1, grid.columns), max(1, grid.rows))
      let (column, row) =
        grid.order == .row
        ? (frame % columns, frame / columns) : (frame / rows, frame % rows)
      (left, right) = (Double(column), Double(column + 1))
      (left, right) = (left * whole.x / Double(columns), right * whole.x / Double(columns))
      (top, bottom) = (Double(row), Double(row + 1))
      (top, bottom) = (top * whole.y / Double(rows), bottom * whole.y / Double(rows))
    }
    if info.rotated {
      // A picture that is stored turned clockwise has its left edge at the top.
      (left, top, right, bottom) = (whole.y - bottom, left, whole.y - top, right)
    }
    let origin = SIMD2(info.region?.x ?? 0, info.region?.y ?? 0)
    func pixel(_ place: Double) -> Int {
      place.isNaN ? 0 : Int(min(max(place, -1e6), 1e6).rounded())
    }
    let (x, y) = (pixel(origin.x + left), pixel(origin.y + top))
    let reference =
      system.images.indices.contains(info.image) ? system.images[info.image] : ImageReference()
    let isLight = reference.colorSpace == .linear
    return SpriteTexture(
      image,
      region: (x, y, max(1, pixel(origin.x + right) - x), max(1, pixel(origin.y + bottom) - y)),
      isRotated: info.rotated, isStoredPremultiplied: reference.alpha == .premultiplied,
      convert: isLight == isLinear ? nil : isLight ? LightCurve.encoded : LightCurve.light)
  }
}
