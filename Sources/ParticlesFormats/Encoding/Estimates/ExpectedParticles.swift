internal import ParticlesCore
internal import ParticlesModel

/// Sums over particles of one age, or of one moment: how many live, how they look and where they are.
struct ExpectedSums {
  var count = 0.0
  /// Width and height, and the square of the width.
  var size = SIMD4<Double>.zero
  var color = SIMD4<Double>.zero
  var colorSquares = SIMD4<Double>.zero
  /// Cosine and sine of the angle.
  var direction = SIMD2<Double>.zero
  var place = SIMD4<Double>.zero
  var placeSquares = SIMD4<Double>.zero

  mutating func add(_ other: ExpectedSums, times weight: Double) {
    count += other.count * weight
    size += other.size * weight
    color += other.color * weight
    colorSquares += other.colorSquares * weight
    direction += other.direction * weight
    place += other.place * weight
    placeSquares += other.placeSquares * weight
  }
}

/// The expected particles of an emitter, by age: a sample of a few particles, whose random numbers are spread
/// evenly.
///
/// It is an estimate that costs about as much as writing the effect. `--measure` simulates.
struct ExpectedParticles {
  /// The computed properties of particles.
  struct Parts: OptionSet {
    let rawValue: Int
    static let size = Parts(rawValue: 1)
    static let color = Parts(rawValue: 2)
    static let rotation = Parts(rawValue: 4)
    static let place = Parts(rawValue: 8)
    static let all: Parts = [.size, .color, .rotation, .place]
  }

  /// The number of particles. It is prime, so that multiples of their numbers are spread evenly.
  static let particles = 23
  /// The number of ages.
  static let ages = 8

  /// The length of an age in seconds.
  let step: Double
  /// Sums over all particles, as shares of them, at the middle of each age.
  private(set) var sums: [ExpectedSums]

  /// - Parameters:
  ///   - emitter: the emitter.
  ///   - law: the law of its engine.
  ///   - isFlat: whether directions are in the plane.
  ///   - offset: the place of the emitter.
  ///   - picture: width and height of the picture, for sizes that are factors of it.
  ///   - parts: the computed properties; others are 0.
  init(
    _ emitter: Emitter, _ law: EngineLaw, isFlat: Bool, offset: SIMD4<Double>,
    picture: SIMD2<Double>,
    parts: Parts
  ) {
    let longest = max(emitter.lifetime.bounds.upper, 0)
    step = longest / Double(Self.ages)
    sums = [ExpectedSums](repeating: ExpectedSums(), count: Self.ages)
    guard longest > 0, longest.isFinite else { return }
    let scale = emitter.size.mode == .textureScale ? picture.x : 1
    let isAligned = parts.contains(.rotation) && emitter.rotation.align != .none
    let motion =
      parts.contains(.place) || isAligned ? ExpectedMotion(emitter, law, isFlat: isFlat) : nil
    let look = ExpectedLook(
      emitter, law, scale: scale, ratio: picture.y > 0 ? picture.x / picture.y : 1)
    let (lifetime, share) = emitter.lifetime.aboveZero
    for number in 0..<Self.particles {
      let draw = ExpectedDraw(number: number)
      let life = lifetime.sample(draw.life)
      guard life > 0 else { continue }
      let particle = look.particle(draw)
      var moving = motion?.particle(draw)
      for index in 0..<Self.ages {
        let age = (Double(index) + 0.5) * step
        guard age < life else { break }
        let x = age / (law.share == .emitter ? longest : life)
        if let motion { motion.advance(&moving, to: age, life: life) }
        var sum = ExpectedSums()
        sum.count = 1
        if parts.contains(.size) { sum.size = look.size(of: particle, x, age) }
        if parts.contains(.color) {
          let color = look.color(of: particle, x, age)
          (sum.color, sum.colorSquares) = (color, color * color)
        }
        if parts.contains(.rotation) {
          sum.direction = look.direction(of: particle, x, age, along: moving?.angle ?? 0)
        }
        if let place = moving.map({ $0.place + offset }), parts.contains(.place) {
          (sum.place, sum.placeSquares) = (place, place * place)
        }
        sums[index].add(sum, times: share / Double(Self.particles))
      }
    }
  }
}

/// The random numbers of one of the particles, at least 0 and less than 1. Each is spread evenly over all of
/// them, and no two follow each other.
struct ExpectedDraw {
  let life, first, second, third, fourth: Double

  init(number: Int) {
    func unit(_ factor: Int) -> Double {
      (Double((number + 1) * factor % ExpectedParticles.particles) + 0.5)
        / Double(ExpectedParticles.particles)
    }
    (life, first, second, third, fourth) = (unit(1), unit(5), unit(16), unit(6), unit(19))
  }

  /// Samples of a track.
  func ends(_ track: Track) -> ExpectedTrack {
    ExpectedTrack(
      track: track, from: track.from.sample(first), to: track.to?.sample(second) ?? 0,
      rate: track.rate.sample(third))
  }

  /// The number of a track at a moment.
  func value(of track: Track, _ x: Double, _ age: Double) -> Double {
    track.isPlainValue ? track.from.sample(first) : ends(track).value(x, age)
  }
}

/// A track of one particle.
struct ExpectedTrack {
  private let track: Track
  private let isPlain: Bool
  private var from, to: Double
  private let rate: Double

  fileprivate init(track: Track, from: Double, to: Double, rate: Double) {
    (self.track, self.from, self.to, self.rate) = (track, from, to, rate)
    isPlain = track.isPlainValue
  }

  /// Limits the samples of start and end.
  mutating func clamp(_ limited: (Double) -> Double) {
    from = limited(from)
    if !track.relative { to = limited(to) }
  }

  func value(_ x: Double, _ age: Double) -> Double {
    guard !isPlain else { return from }
    return track.value(
      at: track.over == .age ? age : x, age: age, from: from, to: to, rate: rate)
  }
}

extension Value {
  /// The part of a range that is above 0, and how likely it is: particles with other lifetimes are not emitted.
  fileprivate var aboveZero: (value: Value, share: Double) {
    guard case .uniform(let range) = self, range.min < 0, range.max > 0 else { return (self, 1) }
    return (.range(0, range.max), range.max / (range.max - range.min))
  }
}
