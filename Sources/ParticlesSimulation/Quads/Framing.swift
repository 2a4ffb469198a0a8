package import ParticlesModel

/// The visible part of an effect over time, for a camera that shows all of it in every frame.
package struct Framing {
  /// The longest time that is looked at, in seconds.
  private static let longest = 4.0
  /// The share of what is visible that may be outside at each edge.
  private static let outliers = 0.02
  private static let margin = 1.08
  /// The most particles of all emitters.
  private static let mostLiving = 100_000
  /// The most particles that are looked at, of an emitter and of all.
  private static let (most, mostOfAll) = (6_000, 600_000)

  /// A particle: where it is, half its size, and how visible it is.
  private struct Spot {
    var place: SIMD3<Double>
    var radius: Double
    var weight: Double
  }

  private var spots: [Spot] = []

  /// The particle steps that were simulated.
  package let usedSteps: Int

  /// The camera of SceneKit's scenes with an effect.
  package static let scene: Camera = {
    var camera = Camera()
    camera.position = Vector(0, 3, 6)
    camera.fov = 60
    return camera
  }()

  /// - Parameters:
  ///   - capacity: the most living particles of an emitter; no more than 20,000 are needed.
  ///   - mostSteps: the most particle steps.
  package init(
    _ system: ParticleSystem, _ frames: SpriteFrames, profile: Profile?, capacity: Int,
    steps mostSteps: Int, threads: Int?
  ) {
    let duration = min(system.preview.duration ?? Self.duration(of: system), Self.longest)
    let steps = 24
    let interval = max(duration, 0.05) / Double(steps)
    let simulation = Simulation(
      system, profile: profile, capacity: min(capacity, 20_000), threads: threads,
      budget: SimulationBudget(
        steps: mostSteps, particles: Self.mostLiving,
        duration: steps * Simulation.stepCount(of: interval)))
    let look = Appearance()
    var found: [Spot] = []
    for _ in 0..<steps {
      simulation.advance(by: interval)
      for index in system.emitters.indices where system.emitters[index].enabled {
        simulation.appearance(ofEmitter: index, into: look)
        let batch = ParticleBatch(
          emitter: system.emitters[index], index: index, look: look,
          random: simulation.states[index].random)
        let sizes = ParticleSizes(batch, frames)
        let stride = max(
          1, look.count * steps / Self.most,
          look.count * steps * system.emitters.count / Self.mostOfAll)
        for particle in Swift.stride(from: 0, to: look.count, by: stride) {
          let size = sizes.size(of: particle, sizes.traits(of: sizes.sprites.first))
          let spot = Spot(
            place: SIMD3(
              Double(look.x[particle]), Double(look.y[particle]), Double(look.z[particle])),
            // The outermost parts of textures are mostly transparent.
            radius: 0.4 * max(size.x, size.y),
            weight: Double(min(max(look.alpha[particle], 0), 1)) * Double(stride))
          guard spot.weight > 0.01, spot.radius >= 0, spot.radius.isFinite,
            spot.place.x.isFinite, spot.place.y.isFinite, spot.place.z.isFinite
          else { continue }
          found.append(spot)
        }
      }
    }
    (spots, usedSteps) = (found, simulation.usedSteps)
  }

  /// The time in which everything shows that there is: the longest first period, and a life.
  private static func duration(of system: ParticleSystem) -> Double {
    let ends = system.emitters.filter(\.enabled).map { emitter in
      let timing = emitter.timing
      let speed = timing.speed > 0 ? timing.speed : 1
      let life = max(0, emitter.lifetime.bounds.upper)
      let active = timing.duration.map { max(0, $0.bounds.upper) } ?? life
      return (max(0, timing.delay.bounds.upper) + min(active, 2 * life) + life) / speed
    }
    return max(ends.max() ?? 1, 0.5)
  }

  /// The value below which a share of all visible things is.
  private static func quantile(_ values: [(value: Double, weight: Double)], _ share: Double)
    -> Double
  {
    let sorted = values.sorted { $0.value < $1.value }
    let total = sorted.reduce(0) { $0 + $1.weight }
    var sum = 0.0
    for (value, weight) in sorted {
      sum += weight
      if sum >= share * total { return value }
    }
    return sorted.last?.value ?? 0
  }

  private func bounds(_ coordinate: (Spot) -> Double) -> (lower: Double, upper: Double) {
    (
      Self.quantile(spots.map { (coordinate($0) - $0.radius, $0.weight) }, Self.outliers),
      Self.quantile(spots.map { (coordinate($0) + $0.radius, $0.weight) }, 1 - Self.outliers)
    )
  }

  package func camera(isFlat: Bool, width: Int, height: Int) -> Camera {
    isFlat ? frontal(width: width, height: height) : perspective(width: width, height: height)
  }

  /// A view of the plane from the front.
  private func frontal(width: Int, height: Int) -> Camera {
    var camera = Camera()
    guard !spots.isEmpty else {
      camera.orthoHeight = Double(height)
      return camera
    }
    let (x, y) = (bounds { $0.place.x }, bounds { $0.place.y })
    let needed = max(y.upper - y.lower, (x.upper - x.lower) * Double(height) / Double(width))
    camera.position = Vector((x.lower + x.upper) / 2, (y.lower + y.upper) / 2, 0)
    camera.target = camera.position
    camera.orthoHeight = max(needed * Self.margin, 1e-6)
    return camera
  }

  /// The camera of SceneKit's templates; if that shows too little, or things too small, one in the same
  /// direction at another distance.
  private func perspective(width: Int, height: Int) -> Camera {
    var camera = Self.scene
    guard !spots.isEmpty else { return camera }
    let back = SIMD3(camera.position).direction ?? SIMD3(0, 0, 1)
    let right = SIMD3(1, 0, 0.0)
    let up = back.cross(right)
    let (sine, cosine) = sineAndCosine(degrees: 30)
    let vertical = sine / cosine
    let horizontal = vertical * Double(width) / Double(height)
    func distance(from target: SIMD3<Double>) -> Double {
      let needs = spots.map { spot in
        let offset = spot.place - target
        let (x, y) = ((offset * right).sum().magnitude, (offset * up).sum().magnitude)
        return (
          value: (offset * back).sum()
            + max((x + spot.radius) / horizontal, (y + spot.radius) / vertical),
          weight: spot.weight
        )
      }
      return Self.quantile(needs, 1 - 2 * Self.outliers)
    }
    let usual = (SIMD3(camera.position) * SIMD3(camera.position)).sum().squareRoot()
    if usual * 0.4...usual ~= distance(from: .zero) { return camera }
    let (x, y, z) = (bounds { $0.place.x }, bounds { $0.place.y }, bounds { $0.place.z })
    let target = SIMD3(x.lower + x.upper, y.lower + y.upper, z.lower + z.upper) / 2
    let place = target + back * max(distance(from: target) * Self.margin, 0.05)
    camera.position = Vector(place.x, place.y, place.z)
    camera.target = Vector(target.x, target.y, target.z)
    return camera
  }
}
