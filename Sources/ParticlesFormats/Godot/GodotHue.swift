internal import ParticlesCore
internal import ParticlesModel

/// Turns of a hue by a random part of a range, in equal steps, or by one number.
struct GodotHueTurns {
  /// In turns.
  private let least, width: Double
  private let steps: Int
  /// Cosine and sine of each turn.
  private let directions: [(x: Double, y: Double)]
  /// Where the turns are in the range, from 0 to 1.
  let shares: [Double]

  init(_ range: ParticleSystem.Value) {
    (least, width) = (range.bounds.lower, range.bounds.upper - range.bounds.lower)
    // A width of exact turns may be less by a rounding error.
    steps = range.isNumber ? 0 : Int(saturating: min(max(24 * width + 1e-6, 16), 64))
    shares = (0...steps).map { [steps] in Double($0) / Double(max(steps, 1)) }
    directions = shares.map { [least, width] in Angle.turned(1, 0, by: 360 * (least + width * $0)) }
  }

  var range: ParticleSystem.Value { .range(least, least + width) }

  /// The colours that result from each turn.
  func colors(of color: Color) -> [Color] {
    directions.map { color.changed(by: .hueTurn($0.x, $0.y)) }
  }

  /// The matrix that gives the mean colour over all turns.
  private var mean: AffineTransform {
    var (x, y) = (0.0, 0.0)
    for (index, direction) in directions.enumerated() {
      let weight = steps == 0 ? 1 : (index % steps == 0 ? 0.5 : 1) / Double(steps)
      (x, y) = (x + weight * direction.x, y + weight * direction.y)
    }
    return .hueTurn(x, y)
  }

  /// The colour of a ramp that has equal means over all turns if only the start colour is turned.
  /// - Parameter key: The colour of a ramp whose product with the start colour is turned.
  func ramp(_ key: Color, of start: Color) -> Color {
    let (part, whole) = (key.multiplied(by: start).changed(by: mean), start.changed(by: mean))
    let shares = zip(key.channels, zip(part.channels, whole.channels)).map { own, mean in
      mean.1.magnitude < 1e-6 ? own : (mean.0 / mean.1).rounded
    }
    return Color(shares[0], shares[1], shares[2], key.alpha)
  }

  /// The colour that ``ramp(_:of:)`` changes into this one. Nil if no colour from 0 to 1 does.
  func key(_ ramp: Color, of start: Color) -> Color? {
    if ramp.isGrey { return ramp }
    let product = start.changed(by: mean).multiplied(by: ramp)
    guard let own = mean.unrotated(product.vector) else { return nil }
    let shares = zip([own.x, own.y, own.z], zip(start.channels, ramp.channels)).map { own, whole in
      // Two calculations have greater errors of rounding than one.
      whole.0 == 0 ? whole.1 : (own / whole.0 * 1e9).rounded() / 1e9
    }
    let key = Color(shares[0], shares[1], shares[2], ramp.alpha)
    let isSame = zip(self.ramp(key, of: start).channels, ramp.channels)
      .allSatisfy { ($0 - $1).magnitude < 1e-6 }
    return isSame && shares.allSatisfy { 0...1 ~= $0 } ? key : nil
  }
}

extension GodotHueTurns {
  /// A colour whose turns are the colours of a gradient.
  struct Found {
    let color: Color
    let turns: GodotHueTurns
    /// The greatest difference of a channel.
    fileprivate let error: Double

    var isExact: Bool { error < 1e-6 }
  }

  /// Finds the turns that give the colours of a gradient, up to 0.002. Nil if there are none.
  static func found(in gradient: Gradient) -> Found? {
    let keys = gradient.keys
    let steps = keys.count - 1
    guard (16...64).contains(steps), gradient.interpolation == .linear,
      keys.enumerated().allSatisfy({ ($1.time - Double($0) / Double(steps)).magnitude < 1e-6 })
    else { return nil }
    let colors = keys.map { $0.color.vector }
    // The sums of both neighbours are an affine function of a colour, whose factor is twice the cosine of a step.
    var (product, square) = (0.0, 0.0)
    for place in 1..<steps - 1 {
      let difference = colors[place].minus(colors[place + 1])
      let sums = colors[place - 1].minus(colors[place + 2]).minus(difference)
      product += sums.dot(difference)
      square += difference.dot(difference)
    }
    guard square > 1e-6 else { return nil }
    let cosine = min(max(product / square / 2, -1), 1)
    let step = angleInDegrees((1 - cosine * cosine).squareRoot(), cosine) * (.pi / 180)
    guard step > 0 else { return nil }
    let width = step / (2 * .pi) * Double(steps)
    // The range begins, ends or has its middle without a turn, or its place follows from the colours.
    let all = [-width / 2, 0, -width, beginning(of: colors, step)].compactMap { $0 }
    return all.compactMap { (least) -> Found? in
      func tidy(_ number: Double) -> Double { (number * 1e6).rounded() / 1e6 }
      let turns = GodotHueTurns(.range(tidy(least), tidy(least + width)))
      let first = turns.directions[0]
      guard turns.steps == steps,
        let start = AffineTransform.hueTurn(first.x, first.y).unrotated(colors[0])
      else { return nil }
      let color = Color(start.x, start.y, start.z, keys[0].color.alpha)
      let errors = zip(turns.colors(of: color), keys).flatMap { turned, key in
        zip(turned.channels, key.color.channels).map { ($0 - $1).magnitude / max($1.magnitude, 1) }
      }
      return Found(color: color, turns: turns, error: errors.max() ?? 0)
    }.filter { $0.error < 2e-3 }.min { $0.error < $1.error }
  }

  /// How far the first of these colours is turned. It is found, because turns of the engine are not
  /// quite rotations. Nil for grey.
  /// - Parameter step: The angle between two colours, in radians.
  private static func beginning(of colors: [Vector], _ step: Double) -> Double? {
    // Each turn is `still` + cos(angle) · `along` + sin(angle) · `across`, from `middle` on.
    let half = min((colors.count - 1) / 2, Int(saturating: .pi / 2 / step))
    let (middle, angle) = (colors[half], step * Double(half))
    let along = middle.minus(colors[0].plus(colors[2 * half]).times(0.5))
      .times(1 / (1 - ParticlesCore.cosine(angle)))
    let across = colors[2 * half].minus(colors[0]).times(0.5 / ParticlesCore.sine(angle))
    let still = middle.minus(along)
    // Three equations are linear in the cosine and the sine of the turn of `middle`. Least squares solve them.
    let (none, quarter) = (AffineTransform.hueTurn(1, 0), AffineTransform.hueTurn(0, 1))
    func sine(_ part: Vector) -> Vector {
      guard let color = none.unrotated(part) else { return .zero }
      return quarter.rotated(color).minus(AffineTransform.hueTurn(0, 0).rotated(color))
    }
    let (a, b) = (sine(along).minus(across), sine(across).plus(along).times(-1))
    let c = sine(still).times(-1)
    return Angle.direction(
      a.dot(c) * b.dot(b) - b.dot(c) * a.dot(b), b.dot(c) * a.dot(a) - a.dot(c) * a.dot(b)
    ).map { $0 / 360 - angle / (2 * .pi) }
  }
}

extension Color {
  var isGrey: Bool { red == green && green == blue }

  fileprivate var vector: Vector { Vector(red, green, blue) }

  fileprivate func changed(by matrix: AffineTransform) -> Color {
    let changed = matrix.rotated(vector)
    return Color(changed.x.rounded, changed.y.rounded, changed.z.rounded, alpha)
  }
}

extension AffineTransform {
  /// The matrix of Godot that turns a hue, which the engine applies transposed. It also changes the
  /// brightness.
  /// - Parameters:
  ///   - c: The cosine of the angle.
  ///   - s: The sine of the angle.
  fileprivate static func hueTurn(_ c: Double, _ s: Double) -> AffineTransform {
    var matrix = AffineTransform()
    matrix.x = Vector(
      0.299 + 0.701 * c + 0.168 * s, 0.587 - 0.587 * c + 0.330 * s, 0.114 - 0.114 * c - 0.497 * s)
    matrix.y = Vector(
      0.299 - 0.299 * c - 0.328 * s, 0.587 + 0.413 * c + 0.035 * s, 0.114 - 0.114 * c + 0.292 * s)
    matrix.z = Vector(
      0.299 - 0.300 * c + 1.250 * s, 0.587 - 0.588 * c - 1.050 * s, 0.114 + 0.886 * c - 0.203 * s)
    return matrix
  }
}

extension Vector {
  fileprivate func minus(_ other: Vector) -> Vector { plus(other.times(-1)) }
}
