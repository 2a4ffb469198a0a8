internal import ParticlesModel

/// New particles that one thread samples.
struct SpawnBatch {
  let spawned: UnsafeBufferPointer<Spawn>
  let sources: UnsafeBufferPointer<Activation>
  let random: RandomNumbers
  let table: UnsafePointer<UnsafeMutablePointer<Float>>
  /// The place of the first one.
  let first: Int
  /// How the effect moves; nil if it rests.
  let travel: Travel?

  func column(_ column: Int) -> Slice {
    Slice(base: table[column] + first, count: spawned.count)
  }

  func columns(_ three: (Int, Int, Int)) -> Slices {
    Slices(x: column(three.0), y: column(three.1), z: column(three.2))
  }
}

/// Sines and cosines of the angles by which directions deviate in the plane.
private struct Deviations {
  let sines: UnsafePointer<Double>
  let cosines: UnsafePointer<Double>

  init(sines: UnsafeMutablePointer<Double>, cosines: UnsafeMutablePointer<Double>) {
    (self.sines, self.cosines) = (UnsafePointer(sines), UnsafePointer(cosines))
  }
}

extension EmitterPlan {
  /// The lifetime of a particle.
  /// - Parameter index: its number among those emitted at the same time.
  func lifetime(_ draws: Draws, _ index: Int) -> Double {
    lifetime.sample(law.lifetimes == .emission ? draws.first(of: index) : draws)
  }

  /// Sets all columns of new particles.
  func sample(_ batch: SpawnBatch) {
    let spawned = batch.spawned
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: spawned.count) { hashes in
      guard let base = hashes.baseAddress else { return }
      for index in spawned.indices {
        hashes[index] = batch.random.hash(emitter: self.index, particle: spawned[index].ordinal)
      }
      func draws(_ number: Int) -> Draws {
        let spawn = spawned[number]
        return Draws(
          random: batch.random, emitter: index, particle: spawn.ordinal,
          period: batch.sources[spawn.source].period, progress: spawn.progress,
          hash: base[number])
      }
      for sample in samples { sample.sample(into: batch.column(sample.column), base, draws) }
      lifetime.sample(into: batch.column(lifetime.column), base, draws)
      startAge.sample(into: batch.column(startAge.column), base, draws)
      for sample in colorSamples { sample.sample(into: batch.column, base, draws) }
      if law.ages == .milliseconds {
        // Whole milliseconds; less a part of one, so that rounded sums of ages reach it.
        let lives = batch.column(Fixed.life)
        for number in spawned.indices {
          lives[number] = ((lives[number] * 1_000 + 0.01).rounded(.down) - 0.3) / 1_000
        }
      }
      if law.evaluation == .before {
        // Ages are sums of steps in double precision there.
        let lives = batch.column(Fixed.life)
        for number in spawned.indices { lives[number] -= 1e-5 }
      }
      if law.lifetimes == .emission {
        let lives = batch.column(Fixed.life)
        for number in spawned.indices {
          lives[number] = Float(lifetime(draws(number), spawned[number].index.0))
        }
      }
      withUnsafeTemporaryAllocation(of: Double.self, capacity: 3 * spawned.count) { numbers in
        guard let numbers = numbers.baseAddress, isDeviatingInPlane
        else { return place(batch, draws, deviations: nil) }
        let (sines, cosines) = (numbers + spawned.count, numbers + 2 * spawned.count)
        for number in spawned.indices {
          numbers[number] = launch.deviation(RandomNumbers.unit(base[number], .direction))
        }
        setSinesAndCosines(spawned.count, degrees: numbers, sines, cosines)
        place(batch, draws, deviations: Deviations(sines: sines, cosines: cosines))
      }
    }
    let rests = batch.column(Fixed.rest)
    for number in spawned.indices { rests[number] = Float(spawned[number].rest) }
    if let turned { batch.column(turned).set(.constant(0)) }
  }

  /// Sets place, velocity and what is inherited.
  /// - Parameter deviations: sines and cosines of angles, where directions deviate in the plane.
  private func place(
    _ batch: SpawnBatch, _ draws: (Int) -> Draws,
    deviations: Deviations?
  ) {
    let isPoint = shape.kind == .point
    let center = ShapePoint(place: .zero, normal: .up)
    let isTurned = launch.direction.mode == .angle
    let places = batch.columns((Fixed.x, Fixed.y, Fixed.z))
    let velocities = batch.columns((Fixed.vx, Fixed.vy, Fixed.vz))
    for (index, spawn) in batch.spawned.enumerated() {
      let draws = draws(index)
      let activation = batch.sources.baseAddress.map { $0 + spawn.source }
      let point =
        isPoint
        ? center
        : polyline?.point(at: draws.unit(.shapePart))
          ?? shape.sample(
            swept(draws, spawn, activation?.pointee.clock ?? 0),
            part: draws.unit(.shapePart), ellipse: law.ellipse)
      var place = shape.transform.moved(point.place)
      if let variation { place = variation.applied(to: place, draws) }
      var origin = transform.moved(place)
      if let base = activation?.pointee.origin {
        origin = origin - transform.translation + base
      } else if let travel = batch.travel {
        origin = travel.place(origin, rest: spawn.rest)
      }
      var velocity = Vector.zero
      var (speed, aim) = (0.0, Vector.zero)
      let normal = shape.transform.rotated(point.normal)
      let deviation = deviations.map { (sine: $0.sines[index], cosine: $0.cosines[index]) }
      if let direction = launch.sample(
        draws, normal: normal, isFlat: isFlat, fixed: fixedDirection, deviation: deviation)
      {
        speed = draws.sample(launch.speed, .speed)
        aim = transform.turned(direction)
        velocity = aim * speed
      }
      if let launchAngle {
        if speed != 0, law.alignment == .velocity { aim = velocity }
        let angle = angleInDegrees(aim.y, aim.x)
        // As many turns as the document states.
        let stated = isTurned ? draws.sample(launch.direction.angle, .directionAngle) : 0
        let turns = isTurned ? ((stated + transform.angle - angle) / 360).rounded() : 0
        batch.column(launchAngle)[index] = Float(angle + 360 * turns)
      }
      if let path {
        batch.columns((path.x, path.y, path.z)).set(origin, at: index)
        batch.column(path.speed)[index] = Float(speed)
        if let way = path.way { batch.column(way)[index] = 0 }
      }
      if let parent = activation?.pointee.inheritedVelocity { velocity = velocity + parent }
      if let travel = batch.travel { velocity = velocity + travel.velocity }
      places.set(origin, at: index)
      velocities.set(velocity, at: index)
      if let inherited, let activation {
        inherit(inherited, activation.pointee, point, in: batch, at: index)
      }
    }
  }

  /// Sets what a particle takes over from the one that triggered it, and from its shape.
  private func inherit(
    _ inherited: InheritedColumns, _ activation: Activation, _ point: ShapePoint,
    in batch: SpawnBatch, at index: Int
  ) {
    let own = point.color ?? .white
    let color = activation.inheritedColor.map { own.multiplied(by: $0) } ?? own
    batch.column(inherited.red)[index] = Float(color.red)
    batch.column(inherited.green)[index] = Float(color.green)
    batch.column(inherited.blue)[index] = Float(color.blue)
    batch.column(inherited.alpha)[index] = Float(color.alpha)
    batch.column(inherited.angle)[index] = Float(activation.inheritedAngle)
    batch.column(inherited.size)[index] = Float(activation.inheritedSize)
  }

  /// The random numbers of a place in the shape.
  private func swept(
    _ draws: Draws, _ spawn: Spawn, _ clock: Double
  ) -> (Double, Double, Double) {
    var u = (draws.unit(.position(0)), draws.unit(.position(1)), draws.unit(.position(2)))
    switch shape.sweep {
    case .random: break
    case .loop: u.0 = clock - clock.rounded(.down)
    case .pingpong:
      let half = clock / 2
      u.0 = (1 - (2 * (half - half.rounded(.down)) - 1).magnitude)
    case .spread: u.0 = (Double(spawn.index.0) + 0.5) / Double(max(spawn.index.of, 1))
    }
    return u
  }
}

extension Slices {
  fileprivate func set(_ vector: Vector, at index: Int) {
    x[index] = Float(vector.x)
    y[index] = Float(vector.y)
    z[index] = Float(vector.z)
  }
}
