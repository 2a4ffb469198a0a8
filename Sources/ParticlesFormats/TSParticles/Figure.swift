internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPlatform

/// A figure that an engine fills with the colour of a particle, and its picture: white, so that particles
/// tint it. Lengths are in radii of the particle.
struct Figure: Hashable, Sendable {
  /// The outline of a figure.
  enum Shape: Hashable, Sendable {
    case circle
    case square(half: Double)
    /// Those that both engines draw along their sides, from a corner beside the centre.
    case triangle
    case polygon(sides: Int)
    /// The star of particles.js: sides that cross each other.
    case turnedStar(points: Int)
    /// The star of tsParticles: the inner corners are at the radius, the outer ones at so many radii.
    case star(points: Int, inset: Double)
    /// Characters in the font of this project, as the engine places those of its own.
    case text(String)

    /// The name of its picture.
    var name: String {
      switch self {
      case .circle: "circle.png"
      case .square: "square.png"
      case .triangle: "triangle.png"
      case .polygon(let sides): "polygon-\(sides).png"
      case .turnedStar(let points), .star(let points, _): "star-\(points).png"
      case .text(let text):
        "char-\(text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: "-")).png"
      }
    }
  }

  let shape: Shape
  /// The width of the stroke around the outline; 0 for none.
  let stroke: Double
  /// The colour of the stroke where particles are white, as `#rrggbb`.
  let color: String

  init(_ shape: Shape, stroke: Double, color: String) {
    (self.shape, self.stroke) = (shape, stroke)
    self.color = stroke > 0 ? color : "#ffffff"
  }

  /// Characters have no stroke.
  init(text: String) { self.init(.text(text), stroke: 0, color: "#ffffff") }

  /// The greatest distance from the centre along an axis, rounded up to hundredths.
  var extent: Double {
    if case .text(let text) = shape {
      return max(0.9, Double(text.count * PixelFont.advance) / 2 * Self.pixel)
    }
    if stroke == 0 {
      if case .circle = shape { return 1 }
      if case .square(let half) = shape { return half }
    }
    let most = outline.reduce(0) { max($0, $1.x.magnitude, $1.y.magnitude) } + stroke / 2
    return max((most * 100 - 1e-6).rounded(.up) / 100, 0.01)
  }

  /// The corners, with y down.
  private var outline: [Vector2] {
    switch shape {
    case .text: return []
    case .circle:
      return (0..<96).map { index in
        let angle = Double(index) / 48 * .pi
        return Vector2(cos(angle), sin(angle))
      }
    case .square(let half):
      return [
        Vector2(-half, -half), Vector2(half, -half), Vector2(half, half), Vector2(-half, half),
      ]
    case .triangle: return walk(from: Vector2(-1, 1 / 1.66), side: 2, corners: 3, turn: 240)
    case .polygon(let sides):
      let n = Double(sides)
      return walk(
        from: Vector2(-3.5 / n, -3.5 / 2.66), side: 7.98 / n, corners: sides, turn: 360 / n)
    case .turnedStar(let points):
      let n = Double(points)
      return walk(
        from: Vector2(-8 / n, -3.5 / 5.32), side: 15.96 / n, corners: 2 * points, turn: 720 / n)
    case .star(let points, let inset):
      return (0..<2 * points).map { index in
        let (angle, radius) = (
          Double(index) / Double(points) * .pi, index.isMultiple(of: 2) ? 1 : inset
        )
        return Vector2(radius * sin(angle), -radius * cos(angle))
      }
    }
  }

  /// Corners along sides of equal length, the first one to the right, each turned clockwise from the last.
  private func walk(from start: Vector2, side: Double, corners: Int, turn: Double) -> [Vector2] {
    var points = [start]
    for index in 0..<max(corners - 1, 0) {
      let angle = Angle.radians(Double(index) * turn)
      points.append(
        Vector2(
          points[index].x + side * cos(angle), points[index].y + side * sin(angle)))
    }
    return points
  }
}

extension Figure {
  /// Pictures that were made, as files show the same figures again and again.
  private static let pictures = Lock<[Key: [UInt8]]>([:])

  private struct Key: Hashable {
    var figure: Figure
    var extent: Double
  }

  /// The edge of a picture in pixels, and the lines of samples in a pixel.
  private static let (size, fineness) = (64, 4)

  /// The picture as a PNG file.
  /// - Parameter extent: the distance of its edges from the centre.
  /// - Throws: ``ParticlesCore/Rule/limit`` for a picture too many.
  func picture(extent: Double) throws -> [UInt8] {
    let key = Key(figure: self, extent: extent)
    if let known = Self.pictures.withLock({ $0[key] }) { return known }
    try WorkBudget.spend(work: 4_000, memory: 20_000, on: "the figures that are drawn")
    let bytes = try PNG.encode(bitmap(extent: extent))
    Self.pictures.withLock { pictures in
      if pictures.count >= 64 { pictures = [:] }
      pictures[key] = bytes
    }
    return bytes
  }

  /// The pixel of the font in radii: a font of two radii has capital letters of about seven tenths of its size.
  private static let pixel = 0.2

  /// The share of each pixel that characters cover. The engine writes them from half of a radius to the left for each one,
  /// on a line half of a radius below the centre (tsParticles 2.12 `TextDrawer.draw`).
  private func coverage(of text: String, extent: Double) -> [Double] {
    let (size, fine) = (Self.size, Self.size * Self.fineness)
    let rows = text.map { PixelFont.rows(of: $0) }
    let left = -Double(text.count) / 2
    var counts = [Int](repeating: 0, count: size * size)
    for y in 0..<fine {
      let down = ((Double(y) + 0.5) / Double(fine) * 2 - 1) * extent
      let row = Int(saturating: ((down + 0.9) / Self.pixel).rounded(.down))
      guard (0..<PixelFont.height).contains(row) else { continue }
      for x in 0..<fine {
        let across = ((Double(x) + 0.5) / Double(fine) * 2 - 1) * extent
        let column = Int(saturating: ((across - left) / Self.pixel).rounded(.down))
        guard column >= 0 else { continue }
        let (letter, bit) = column.quotientAndRemainder(dividingBy: PixelFont.advance)
        guard letter < rows.count, bit < 5, rows[letter][row] >> (4 - bit) & 1 == 1 else {
          continue
        }
        counts[y / Self.fineness * size + x / Self.fineness] += 1
      }
    }
    return counts.map { Double($0) / Double(Self.fineness * Self.fineness) }
  }

  private func bitmap(extent: Double) -> Bitmap {
    let (size, corners) = (Self.size, outline)
    let filled: [Double]
    if case .text(let text) = shape {
      filled = coverage(of: text, extent: extent)
    } else {
      filled = coverage(of: corners, extent: extent)
    }
    let ink = Color(hexadecimal: color) ?? .white
    let pixel = 2 * extent / Double(size)
    var index = 0
    // Pictures are made row by row, from the top.
    return Bitmap(width: size, height: size) { x, y in
      let fill = filled[index]
      index += 1
      guard stroke > 0 else { return (1, 1, 1, fill) }
      let distance = Self.distance(from: Vector2(x * extent, -y * extent), to: corners)
      let line = min(max((stroke / 2 - distance) / pixel + 0.5, 0), 1) * (1 - fill)
      let alpha = fill + line
      guard alpha > 0 else { return (1, 1, 1, 0) }
      func mixed(_ channel: Double) -> Double { (fill + channel * line) / alpha }
      return (mixed(ink.red), mixed(ink.green), mixed(ink.blue), alpha)
    }
  }

  /// The share of each pixel that is inside, where outlines wind around it.
  private func coverage(of corners: [Vector2], extent: Double) -> [Double] {
    let (size, fine) = (Self.size, Self.size * Self.fineness)
    var counts = [Int](repeating: 0, count: size * size)
    func place(_ coordinate: Double) -> Int {
      min(max(Int(saturating: ((coordinate / extent + 1) / 2 * Double(fine)).rounded()), 0), fine)
    }
    for row in 0..<fine {
      let y = ((Double(row) + 0.5) / Double(fine) * 2 - 1) * extent
      var crossings: [(x: Double, winding: Int)] = []
      for (index, a) in corners.enumerated() {
        let b = corners[(index + 1) % corners.count]
        guard (a.y <= y) != (b.y <= y) else { continue }
        crossings.append(
          (a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x), b.y > a.y ? 1 : -1))
      }
      crossings.sort { $0.x < $1.x }
      var winding = 0
      for (left, right) in zip(crossings, crossings.dropFirst()) {
        winding += left.winding
        guard winding != 0 else { continue }
        for column in place(left.x)..<max(place(right.x), place(left.x)) {
          counts[row / Self.fineness * size + column / Self.fineness] += 1
        }
      }
    }
    return counts.map { Double($0) / Double(Self.fineness * Self.fineness) }
  }

  /// The distance of a point from the nearest side.
  private static func distance(from point: Vector2, to corners: [Vector2]) -> Double {
    var least = Double.infinity
    for (index, a) in corners.enumerated() {
      let b = corners[(index + 1) % corners.count]
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let square = dx * dx + dy * dy
      let along = square > 0 ? ((point.x - a.x) * dx + (point.y - a.y) * dy) / square : 0
      let share = min(max(along, 0), 1)
      let (x, y) = (point.x - a.x - share * dx, point.y - a.y - share * dy)
      least = min(least, x * x + y * y)
    }
    return least.squareRoot()
  }
}
