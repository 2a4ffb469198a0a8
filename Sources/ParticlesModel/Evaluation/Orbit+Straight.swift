// Orbits for formats that have none: where particles are, without their circling.

internal import ParticlesCore

extension Emitter {
  /// An emitter that replaces an orbit.
  package struct Straightened: Sendable {
    /// The emitter, whose particles set off from a rectangle in straight lines.
    package var emitter: Emitter
    /// The remaining difference of the places, as a share of their deviation: 0 for the same.
    package var rest: Double
  }

  /// The emitter with particles in straight lines, whose mean place and deviation at each age are nearest
  /// to those of its orbit; nil if it has none.
  package var straightened: Straightened? {
    guard motion.mode == .orbit, let orbit = motion.orbit, lifetime.mean > 0 else { return nil }
    let life = lifetime.mean
    let places = (0...Self.ages).map { orbit.places(at: Double($0) / Double(Self.ages), life) }
    let times = (0...Self.ages).map { Double($0) / Double(Self.ages) * life }
    let x = PlaceFit(times, places.map { (mean: $0.x, square: $0.squareX) })
    let y = PlaceFit(times, places.map { (mean: $0.y, square: $0.squareY) })
    var emitter = self
    emitter.motion.mode = .ballistic
    emitter.motion.orbit = nil
    emitter.forces = []
    let speed = max(0, (x.squareSpeed + y.squareSpeed)).squareRoot()
    let drift = (x.speed * x.speed + y.speed * y.speed).squareRoot()
    emitter.launch.speed = .constant(max(speed, drift).rounded)
    emitter.launch.direction = Direction(
      angle: drift > speed ? .constant((Angle.direction(x.speed, y.speed) ?? 0).rounded) : 0)
    emitter.launch.spread = drift > speed || speed == 0 ? 0 : 180
    let (width, height) = (x.width.rounded, y.width.rounded)
    emitter.shape = width > 0 || height > 0 ? .rect(width: width, height: height) : Shape()
    emitter.shape.transform.translation = Vector(x.start.rounded, y.start.rounded)
    let scale = max(x.scale, y.scale)
    return Straightened(emitter: emitter, rest: scale > 0 ? max(x.rest, y.rest) / scale : 0)
  }

  private static let ages = 12
}

extension Orbit {
  private static let shares = [1.0 / 6, 0.5, 5.0 / 6]
  private static let turns = 24

  /// Means and mean squares of the places of particles at a share of their life.
  fileprivate func places(
    at share: Double, _ life: Double
  ) -> (x: Double, y: Double, squareX: Double, squareY: Double) {
    // They are the same for each turn.
    let distances = Self.shares.flatMap { first in
      Self.shares.map { last in
        radius.value(
          at: radius.over == .age ? share * life : share, age: share * life,
          from: radius.from.sample(first), to: radius.to?.sample(last) ?? 0,
          rate: radius.rate.mean)
      }
    }
    var (x, y, squareX, squareY, count) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var (before, cosine, sine) = (Double.nan, 0.0, 0.0)
    for turn in 0..<Self.turns {
      for spin in Self.shares {
        let start = angle.sample((Double(turn) + 0.5) / Double(Self.turns))
        let degrees = start + angularVelocity.sample(spin) * share * life
        if degrees != before {
          (cosine, sine) = Angle.turned(phase180 ? -1 : 1, 0, by: degrees)
          before = degrees
        }
        for distance in distances {
          x += cosine * distance
          y += sine * distance
          squareX += cosine * cosine * distance * distance
          squareY += sine * sine * distance * distance
          count += 1
        }
      }
    }
    return (x / count, y / count, squareX / count, squareY / count)
  }
}

/// The line of means, and the even start with a random speed, that are nearest to places over life.
private struct PlaceFit {
  var start = 0.0
  var speed = 0.0
  /// The extent of the places at the start.
  var width = 0.0
  /// The mean square of the random speed along this axis.
  var squareSpeed = 0.0
  /// The remaining difference, and the deviation of the places, both as lengths.
  var rest = 0.0
  var scale = 0.0

  init(_ times: [Double], _ places: [(mean: Double, square: Double)]) {
    let count = Double(times.count)
    let (time, mean) = (times.reduce(0, +) / count, places.reduce(0) { $0 + $1.mean } / count)
    let spread = times.reduce(0) { $0 + ($1 - time) * ($1 - time) }
    let slope = zip(times, places).reduce(0) { $0 + ($1.0 - time) * ($1.1.mean - mean) } / spread
    (start, speed) = (mean - slope * time, slope)
    let variances = places.map { max($0.square - $0.mean * $0.mean, 0) }
    // Places vary by a² + b² t².
    let squares = times.map { $0 * $0 }
    let (middle, level) = (squares.reduce(0, +) / count, variances.reduce(0, +) / count)
    let wide = squares.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
    let growth = zip(squares, variances).reduce(0) { $0 + ($1.0 - middle) * ($1.1 - level) } / wide
    var even = level - growth * middle
    squareSpeed = max(growth, 0)
    if growth < 0 {
      even = level
    } else if even < 0 {
      even = 0
      squareSpeed =
        zip(squares, variances).reduce(0) { $0 + $1.0 * $1.1 }
        / squares.reduce(0) { $0 + $1 * $1 }
    }
    width = 2 * (3 * max(even, 0)).squareRoot()
    scale = (variances + places.map { ($0.mean - mean) * ($0.mean - mean) }).reduce(0, +) / count
    scale = scale.squareRoot()
    let errors = zip(times, places).map { time, place -> Double in
      let found = (max(even, 0) + squareSpeed * time * time).squareRoot()
      let wanted = max(place.square - place.mean * place.mean, 0).squareRoot()
      let moved = place.mean - start - speed * time
      return (found - wanted) * (found - wanted) + moved * moved
    }
    rest = (errors.reduce(0, +) / count).squareRoot()
  }
}
