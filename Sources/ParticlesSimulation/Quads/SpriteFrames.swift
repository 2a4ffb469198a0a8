internal import ParticlesCore
package import ParticlesModel

/// The sizes of the sprites of an effect and their frames, and the numbers of the textures that quads show.
package final class SpriteFrames {
  /// A frame of a sprite.
  package struct Cell: Hashable {
    package var sprite: Int
    package var frame: Int
  }

  /// The frames that textures from 1 on show. Texture 0 is a white square.
  package private(set) var cells: [Cell] = []

  private let system: ParticleSystem
  private let images: [Int: (width: Int, height: Int)]
  private var textures: [Cell: Int32] = [:]

  /// The width and height of a frame whose image is missing and of unknown size, in pixels.
  private static let unknownSize = 32.0

  /// - Parameter images: the sizes in pixels of the images that there are, by their index in `images`.
  package init(_ system: ParticleSystem, images: [Int: (width: Int, height: Int)]) {
    (self.system, self.images) = (system, images)
  }

  /// The sprites of an emitter that exist.
  package func sprites(of emitter: Emitter) -> [Int] {
    emitter.sprites.filter { system.sprites.indices.contains($0) }
  }

  package subscript(sprite: Int) -> Sprite { system.sprites[sprite] }

  /// The number of frames of a sprite, at least 1.
  package func frameCount(of sprite: Int) -> Int {
    guard let grid = system.sprites[sprite].grid else { return 1 }
    let (columns, rows) = (max(1, grid.columns), max(1, grid.rows))
    let (places, isTooMany) = columns.multipliedReportingOverflow(by: rows)
    return max(1, min(grid.count ?? .max, isTooMany ? 1 << 30 : places))
  }

  /// The size in pixels of a frame of a sprite, as it is shown. The frames of an image of unknown size are as large as
  /// a whole one.
  package func size(of sprite: Int?) -> SIMD2<Double> {
    guard let sprite, system.sprites.indices.contains(sprite) else {
      return SIMD2(Self.unknownSize, Self.unknownSize)
    }
    let info = system.sprites[sprite]
    guard let size = known(info) else { return SIMD2(Self.unknownSize, Self.unknownSize) }
    let shown = info.rotated ? SIMD2(size.y, size.x) : size
    guard let grid = info.grid else { return shown }
    return shown / SIMD2(Double(max(1, grid.columns)), Double(max(1, grid.rows)))
  }

  /// The size of the region of a sprite as it is stored.
  private func stored(_ info: Sprite) -> SIMD2<Double> {
    known(info) ?? SIMD2(Self.unknownSize, Self.unknownSize)
  }

  private func known(_ info: Sprite) -> SIMD2<Double>? {
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
    return nil
  }

  /// The number of the texture of a frame of a sprite.
  func texture(_ sprite: Int?, frame: Int) -> Int32 {
    guard let sprite, images[system.sprites[sprite].image] != nil else { return 0 }
    let cell = Cell(sprite: sprite, frame: frame)
    if let known = textures[cell] { return known }
    cells.append(cell)
    textures[cell] = Int32(cells.count)
    return Int32(cells.count)
  }

  /// The rectangle of a frame in its image, in pixels from the top left corner. It may exceed the image.
  package func region(of cell: Cell) -> (x: Int, y: Int, width: Int, height: Int) {
    region(of: cell.sprite, frame: cell.frame)
  }

  package func region(
    of sprite: Int, frame: Int
  ) -> (x: Int, y: Int, width: Int, height: Int) {
    let info = system.sprites[sprite]
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
      place.isNaN ? 0 : Int(saturating: min(max(place, -1e6), 1e6).rounded())
    }
    let (x, y) = (pixel(origin.x + left), pixel(origin.y + top))
    return (x, y, max(1, pixel(origin.x + right) - x), max(1, pixel(origin.y + bottom) - y))
  }
}

/// Which picture of a sprite a particle shows.
struct FrameChoice {
  var sprite: Int?
  var frame = 0
  /// The frame that is mixed in, with its weight.
  var next = 0
  var share = 0.0
}

extension ParticleBatch {
  /// The picture that a particle shows, see `Spec/document.md`, section Appearance.
  func choice(_ particle: Int, of sprites: [Int], _ frames: SpriteFrames) -> FrameChoice {
    guard !sprites.isEmpty else { return FrameChoice() }
    var choice = FrameChoice()
    let count = sprites.count
    choice.sprite =
      switch emitter.spriteSelection {
      case _ where count == 1: sprites[0]
      case .first: sprites[0]
      case .random:
        sprites[min(count - 1, Int(saturating: unit(.sprite, particle: particle) * Double(count)))]
      case .sequence: sprites[Int(look.ordinal[particle] % UInt64(count))]
      case .life: sprites[min(count - 1, Int(saturating: share(particle) * Double(count)))]
      }
    guard let flipbook = emitter.flipbook, let sprite = choice.sprite else { return choice }
    let length = frames.frameCount(of: sprite)
    guard length > 1 else { return choice }
    var place =
      flipbook.startRandom
      ? (unit(.frame, particle: particle) * Double(length)).rounded(.down)
      : sample(flipbook.start, .frame, particle: particle)
    switch flipbook.fps {
    case .life: place += share(particle) * Double(length)
    case .fixed(let rate):
      place += sample(rate, .frameRate, particle: particle) * Double(look.age[particle])
    }
    (choice.frame, choice.next) = flipbook.mode.frames(at: place, of: length)
    if flipbook.crossfade, place.isFinite { choice.share = place - place.rounded(.down) }
    return choice
  }
}

extension FlipbookMode {
  /// The frame at a place in the sequence, and the next frame.
  func frames(at place: Double, of count: Int) -> (frame: Int, next: Int) {
    // Whole numbers up to 2⁵³ are exact, and so are their remainders.
    let whole = place.isFinite ? place.rounded(.down) : 0
    func frame(_ whole: Double) -> Int {
      switch self {
      case .once: return Int(saturating: min(max(whole, 0), Double(count - 1)))
      case .loop:
        let rest = Int(saturating: whole.truncatingRemainder(dividingBy: Double(count)))
        return rest < 0 ? rest + count : rest
      case .pingpong:
        let period = 2 * count - 2
        var rest = Int(saturating: whole.truncatingRemainder(dividingBy: Double(period)))
        if rest < 0 { rest += period }
        return rest < count ? rest : period - rest
      }
    }
    return (frame(whole), frame(whole + 1))
  }
}
