internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesSimulation

/// Sums over the particles of an emitter at one frame, of one run or several.
struct FrameSums: Sendable {
  private var runs = 0.0
  private var count = 0.0
  private var countSquares = 0.0
  private var emitted = 0.0
  private var place = SIMD4<Double>.zero
  private var placeSquares = SIMD4<Double>.zero
  private var color = SIMD4<Double>.zero
  private var colorSquares = SIMD4<Double>.zero
  private var speed = 0.0
  private var angle = 0.0
  private var direction = SIMD2<Double>.zero
  private var share = 0.0
  private var size = SIMD2<Double>.zero
  private var sizeSquares = 0.0
  /// Whether particles that cannot be seen were left out.
  private(set) var hidesAny = false

  /// The sums over nothing.
  init() {}

  /// The particles whose sums one thread computes. They do not depend on the number of threads, and neither does the
  /// order of the additions.
  private static let part = 8_192

  /// The sums of one run, over the particles of the emitter at an index.
  /// - Parameter team: shares the work. With nil, the calling thread works alone.
  init(
    _ look: Appearance, emitted: Int, view: EngineUnits, index: Int, emitter: Emitter,
    team: Workers?
  ) {
    let lens = view.lens.map { $0.emitters[index] }
    let particles = ViewedParticles(look, view: view, emitter: emitter)
    let parts = (particles.count + Self.part - 1) / Self.part
    withUnsafeTemporaryAllocation(of: FrameSums.self, capacity: parts) { sums in
      sums.initialize(repeating: FrameSums())
      Workers.share(parts, on: team) { _, next in
        while let part = next() {
          let first = part * Self.part
          sums[part].add(first..<min(particles.count, first + Self.part), of: particles, lens)
        }
      }
      for sum in sums { add(sum) }
    }
    runs = 1
    self.emitted = Double(emitted)
    countSquares = count * count
  }

  private mutating func add(
    _ range: Range<Int>, of particles: ViewedParticles, _ lens: ParticleSelection.EmitterLens?
  ) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 3 * Self.block) { memory in
      var directions = Directions(memory)
      for number in range {
        var particle = particles[number]
        if let lens {
          guard lens.shows(particle) else {
            hidesAny = true
            continue
          }
          lens.adjust(&particle)
        }
        add(particle)
        directions.add(particle.angle, to: &direction)
      }
      directions.finish(&direction)
    }
  }

  @inline(__always)
  private mutating func add(_ particle: ViewedParticle) {
    count += 1
    place += particle.place
    placeSquares += particle.place * particle.place
    color += particle.color
    colorSquares += particle.color * particle.color
    speed += (particle.velocity * particle.velocity).sum().squareRoot()
    angle += particle.angle
    share += particle.age / particle.life
    size += SIMD2(particle.width, particle.height)
    sizeSquares += particle.width * particle.width
  }

  /// The number of angles whose directions are computed together.
  private static let block = 256

  /// Angles whose directions are not in the sum yet.
  private struct Directions {
    private let (angles, sines, cosines): (Memory, Memory, Memory)
    private var count = 0

    private typealias Memory = UnsafeMutablePointer<Double>

    /// - Parameter memory: for three times as many numbers as a block has.
    init(_ memory: UnsafeMutableBufferPointer<Double>) {
      memory.initialize(repeating: 0)
      // It is not empty.
      angles = memory.baseAddress.unsafelyUnwrapped
      (sines, cosines) = (angles + FrameSums.block, angles + 2 * FrameSums.block)
    }

    @inline(__always)
    mutating func add(_ angle: Double, to sum: inout SIMD2<Double>) {
      angles[count] = angle
      count += 1
      if count == FrameSums.block { finish(&sum) }
    }

    mutating func finish(_ sum: inout SIMD2<Double>) {
      setSinesAndCosines(count, degrees: angles, sines, cosines)
      for index in 0..<count { sum += SIMD2(cosines[index], sines[index]) }
      count = 0
    }
  }

  mutating func add(_ other: FrameSums) {
    runs += other.runs
    count += other.count
    countSquares += other.countSquares
    emitted += other.emitted
    place += other.place
    placeSquares += other.placeSquares
    color += other.color
    colorSquares += other.colorSquares
    speed += other.speed
    angle += other.angle
    direction += other.direction
    share += other.share
    size += other.size
    sizeSquares += other.sizeSquares
    hidesAny = hidesAny || other.hidesAny
  }

  /// The names of the columns, in the order of ``values``.
  static func names(_ view: EngineUnits) -> [String] {
    [
      "count", "countSd", "births", "x", "xSd", "y", "ySd", "z", "zSd", "speed", "rot",
      "rotCircSd", "r", "g", "b", "a", "age",
    ] + view.sizeNames + ["\(view.sizeNames[0])Sd", "rSd", "gSd", "bSd", "aSd"]
  }

  /// The number of columns.
  private static let width = 24

  /// Means and standard deviations, with nil where no particle lived.
  var values: [Double?] {
    let mean = count / runs
    var result: [Double?] = [mean, Self.deviation(countSquares / runs, mean), emitted / runs]
    guard count > 0 else {
      return result + [Double?](repeating: nil, count: Self.width - result.count)
    }
    for axis in 0..<3 {
      let mean = place[axis] / count
      result.append(mean)
      result.append(Self.deviation(placeSquares[axis] / count, mean))
    }
    let length = min((direction * direction).sum().squareRoot() / count, 1)
    let logarithm = logarithmToBaseTwo(max(length, 1e-12)) * 0.693_147_180_559_945_3
    result.append(speed / count)
    result.append(angle / count)
    result.append((-2 * logarithm).squareRoot() * 180 / Double.pi)
    for channel in 0..<4 { result.append(color[channel] / count) }
    result += [share / count, size.x / count, size.y / count]
    result.append(Self.deviation(sizeSquares / count, size.x / count))
    for channel in 0..<4 {
      result.append(Self.deviation(colorSquares[channel] / count, color[channel] / count))
    }
    return result
  }

  /// The mean of the unit vectors of all angles, or nil if no particle lived. Unlike the mean of angles,
  /// it does not depend on whole turns.
  var heading: SIMD2<Double>? { count > 0 ? direction / count : nil }

  private static func deviation(_ square: Double, _ mean: Double) -> Double {
    max(0, square - mean * mean).squareRoot()
  }
}
