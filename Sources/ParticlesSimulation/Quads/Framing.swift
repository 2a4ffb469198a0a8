internal import ParticlesCore
package import ParticlesModel

/// A frame for the visible part of an effect.
///
/// The frame holds the whole effect, unless a few distant particles would make the rest small. If the
/// visible part would be almost too small to see, the frame is closer.
package struct Framing {
  /// The camera.
  package let camera: Camera
  /// Whether all that can be seen is meant to be in the frame.
  package let isWhole: Bool
  /// The share of the picture that the particles cover, each as large as a floor at least.
  package let cover: Double
  /// The share of the picture that particles thinner than two pixels cover if they are as wide.
  package let dust: Double

  /// The contrast that can just be seen.
  package static let least = 24.0 / 255
  /// The shares of the visible particles that each edge of the frame may cut off. The first share applies
  /// whose frame exceeds the frame of the ``usual`` share by no more than `ratio`, greater if particles
  /// cover much of the picture.
  private static let outliers = [0, 0.005, usual]
  private static let usual = 0.02
  private static let ratio = (sparse: 1.3, dense: 1.7)
  private static let denseCover = 0.15
  private static let margin = 1.1
  /// The least size of a frame, as a multiple of the largest particle.
  private static let leastFrame = 1.35
  /// The share of a picture that is too little to see.
  private static let leastCover = 0.006
  /// The least width of a particle, as a share of the width of the picture.
  private static let floor = 2.0 / 128

  /// The camera of SceneKit's scenes with an effect.
  package static let scene: Camera = {
    var camera = Camera()
    camera.position = Vector(0, 3, 6)
    camera.fov = 60
    return camera
  }()

  /// The axes of a camera that looks as ``scene`` does.
  static let back = SIMD3(scene.position).direction ?? SIMD3(0, 0, 1)
  static let right = SIMD3(1, 0, 0.0)
  static let up = back.cross(right)

  /// - Parameters:
  ///   - all: the visible particles, at any number of moments.
  ///   - background: the index of the background.
  ///   - isFlat: whether the plane is seen from the front.
  ///   - size: of the picture in pixels.
  package init(
    _ all: [VisibleSpot], background: Int, isFlat: Bool, size: (width: Int, height: Int)
  ) {
    let moments = Self.moments(of: all)
    var best = Framing(part: all, background, isFlat, size)
    // If the whole would be too small to see, the beginning is shown.
    var share = moments.count / 2
    while best.cover < Self.leastCover, share > 0 {
      let last = moments[share - 1]
      let closer = Framing(part: all.filter { $0.moment <= last }, background, isFlat, size)
      if closer.cover > best.cover { best = closer }
      share /= 2
    }
    self = best
  }

  private init(
    part all: [VisibleSpot], _ background: Int, _ isFlat: Bool, _ size: (width: Int, height: Int)
  ) {
    let clear = all.filter { Double($0.contrast[background]) >= Self.least / 2 }
    let spots = clear.isEmpty ? all : clear
    let weights = spots.map { spot in
      let contrast = clear.isEmpty ? spot.bestContrast : Double(spot.contrast[background])
      return contrast * (4 * spot.half.x * spot.half.y).squareRoot() * spot.count
    }
    let result =
      isFlat ? Self.frontal(spots, weights, size) : Self.perspective(spots, weights, size)
    (camera, isWhole) = (result.camera, result.isWhole)
    cover = Self.cover(of: spots, pixels: result.pixels, size)
    let moments = Double(max(1, Self.moments(of: spots).count))
    dust =
      spots.reduce(0) { sum, spot in
        let (x, y) = (spot.half.x * result.pixels(spot), spot.half.y * result.pixels(spot))
        return min(x, y) < 1 ? sum + 4 * max(x, 1) * max(y, 1) * spot.count : sum
      } / (moments * Double(size.width * size.height))
  }

  /// The size in units of a square frame for visible particles, without outliers.
  package static func extent(
    of spots: [VisibleSpot], right: SIMD3<Double>, up: SIMD3<Double>
  ) -> Double {
    guard !spots.isEmpty else { return 0 }
    let weights = spots.map { $0.bestContrast * $0.area.squareRoot() }
    func extent(_ axis: SIMD3<Double>, _ half: (VisibleSpot) -> Double) -> Double {
      let places = spots.map { ($0.place * axis).sum() }
      let lower = Quantiles(zip(places, spots).map { $0 - half($1) }, weights)
      let upper = Quantiles(zip(places, spots).map { $0 + half($1) }, weights)
      return upper(1 - usual) - lower(usual)
    }
    return max(extent(right) { $0.half.x }, extent(up) { $0.half.y })
  }

  /// A camera in perspective, moved by shares of the height of the picture, and at a multiple of its distance.
  package static func moved(
    _ camera: Camera, across: Double, up: Double, factor: Double
  ) -> Camera {
    var camera = camera
    let offset = SIMD3(camera.position) - SIMD3(camera.target)
    let distance = (offset * offset).sum().squareRoot()
    let (sine, cosine) = sineAndCosine(degrees: (camera.fov ?? 60) / 2)
    let unit = 2 * distance * sine / cosine
    let target = SIMD3(camera.target) + (right * across + Self.up * up) * unit
    let place = target + back * (distance * factor)
    camera.target = Vector(target.x, target.y, target.z)
    camera.position = Vector(place.x, place.y, place.z)
    return camera
  }

  /// The values below which, and above which, shares of all visible things are.
  private struct Quantiles {
    private let values: [Double]
    private let sums: [Double]

    init(_ values: [Double], _ weights: [Double]) {
      var pairs = zip(values, weights).map { SIMD2($0, $1) }
      pairs.sort { $0.x < $1.x }
      self.values = pairs.map { $0.x }
      var sum = 0.0
      sums = pairs.map { pair in
        sum += pair.y
        return sum
      }
    }

    /// The value below which a share of the weight lies, or the greatest value for a share of 1.
    func callAsFunction(_ share: Double) -> Double {
      guard let total = sums.last, share < 1 else { return values.last ?? 0 }
      guard share > 0 else { return values[0] }
      return values[sums.firstIndex { $0 >= share * total } ?? values.count - 1]
    }
  }

  /// The numbers of the moments of spots, ascending as these are.
  private static func moments(of spots: [VisibleSpot]) -> [Int] {
    spots.reduce(into: []) { moments, spot in
      if moments.last != spot.moment { moments.append(spot.moment) }
    }
  }

  /// The share of the picture that is covered in a moment, without overlaps.
  private static func cover(
    of spots: [VisibleSpot], pixels: (VisibleSpot) -> Double, _ size: (width: Int, height: Int)
  ) -> Double {
    let moments = Double(max(1, moments(of: spots).count))
    let (width, height) = (Double(size.width), Double(size.height))
    let least = floor * width
    let sum = spots.reduce(0) { sum, spot in
      let scale = pixels(spot)
      let (x, y) = (max(2 * spot.half.x * scale, least), max(2 * spot.half.y * scale, least))
      return sum + min(x, width) * min(y, height) * spot.count
    }
    return sum / (width * height * moments)
  }

  /// The first share of outliers that needs an extent not much larger than the ``usual`` share needs.
  /// - Parameter cover: the share of the picture that is covered with an extent.
  private static func excluded(
    _ extent: (Double) -> Double, cover: (_ extent: Double) -> Double
  ) -> Double {
    let core = extent(usual)
    return outliers.first { share in
      let needed = extent(share)
      return needed <= core * ratio.sparse
        || needed <= core * ratio.dense && cover(needed) >= denseCover
    } ?? usual
  }

  /// The size of the largest particles, without the few that are larger than 98 % of what can be seen.
  private static func largest(_ spots: [VisibleSpot], _ weights: [Double]) -> SIMD2<Double> {
    SIMD2(
      2 * Quantiles(spots.map { $0.half.x }, weights)(1 - usual),
      2 * Quantiles(spots.map { $0.half.y }, weights)(1 - usual))
  }

  private typealias Result = (camera: Camera, isWhole: Bool, pixels: (VisibleSpot) -> Double)

  /// A view of the plane from the front.
  private static func frontal(
    _ spots: [VisibleSpot], _ weights: [Double], _ size: (width: Int, height: Int)
  ) -> Result {
    let (width, height) = (Double(size.width), Double(size.height))
    var camera = Camera()
    guard !spots.isEmpty else {
      camera.orthoHeight = height
      return (camera, true, { _ in 1 })
    }
    let left = Quantiles(spots.map { $0.place.x - $0.half.x }, weights)
    let right = Quantiles(spots.map { $0.place.x + $0.half.x }, weights)
    let bottom = Quantiles(spots.map { $0.place.y - $0.half.y }, weights)
    let top = Quantiles(spots.map { $0.place.y + $0.half.y }, weights)
    func needed(_ share: Double) -> Double {
      max(top(1 - share) - bottom(share), (right(1 - share) - left(share)) * height / width)
    }
    let share = excluded(needed) { extent in
      cover(of: spots, pixels: { _ in height / extent }, size)
    }
    let largest = largest(spots, weights)
    let shown = max(
      needed(share) * margin, max(largest.y, largest.x * height / width) * leastFrame, 1e-6)
    camera.position = Vector(
      (left(share) + right(1 - share)) / 2, (bottom(share) + top(1 - share)) / 2, 0)
    camera.target = camera.position
    camera.orthoHeight = shown
    return (camera, share == 0, { _ in height / shown })
  }

  /// The camera of SceneKit's templates. If it shows too little, or things too small, a camera in this
  /// direction at another distance.
  private static func perspective(
    _ spots: [VisibleSpot], _ weights: [Double], _ size: (width: Int, height: Int)
  ) -> Result {
    var camera = scene
    let (sine, cosine) = sineAndCosine(degrees: 30)
    let vertical = sine / cosine
    let horizontal = vertical * Double(size.width) / Double(size.height)
    let focus = Double(size.height) / 2 / vertical
    guard !spots.isEmpty else { return (camera, true, { _ in 1 }) }
    func distances(from target: SIMD3<Double>) -> Quantiles {
      Quantiles(
        spots.map { spot in
          let offset = spot.place - target
          let (x, y) = ((offset * right).sum().magnitude, (offset * up).sum().magnitude)
          return (offset * back).sum()
            + max((x + spot.half.x) / horizontal, (y + spot.half.y) / vertical)
        }, weights)
    }
    func result(_ place: SIMD3<Double>, isWhole: Bool) -> Result {
      (camera, isWhole, { focus / max(((place - $0.place) * back).sum(), 0.01) })
    }
    let usualPlace = SIMD3(scene.position)
    let usualDistance = (usualPlace * usualPlace).sum().squareRoot()
    let around = distances(from: .zero)
    func covered(_ distance: Double) -> Double {
      cover(of: spots, pixels: { _ in focus / distance }, size)
    }
    let needed = around(1 - 2 * excluded({ max(around(1 - 2 * $0), 1e-6) }, cover: covered))
    if usualDistance * 0.5...usualDistance ~= needed * margin {
      let usual = result(usualPlace, isWhole: around(1) <= usualDistance)
      if cover(of: spots, pixels: usual.pixels, size) >= leastCover { return usual }
    }
    let (x, y, z) = (
      Quantiles(spots.map { $0.place.x }, weights), Quantiles(spots.map { $0.place.y }, weights),
      Quantiles(spots.map { $0.place.z }, weights)
    )
    func middle(_ share: Double) -> SIMD3<Double> {
      SIMD3(x(share) + x(1 - share), y(share) + y(1 - share), z(share) + z(1 - share)) / 2
    }
    let share = excluded(
      { max(distances(from: middle($0))(1 - 2 * $0), 1e-6) }, cover: covered)
    let target = middle(share)
    let largest = largest(spots, weights)
    let distance = max(
      distances(from: target)(1 - 2 * share) * margin,
      max(largest.x / horizontal, largest.y / vertical) / 2 * leastFrame, 0.05)
    let place = target + back * distance
    camera.position = Vector(place.x, place.y, place.z)
    camera.target = Vector(target.x, target.y, target.z)
    return result(place, isWhole: share == 0)
  }
}
