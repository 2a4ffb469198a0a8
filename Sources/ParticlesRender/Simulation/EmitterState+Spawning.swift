internal import ParticlesCore
internal import ParticlesModel

/// A particle that is emitted in this step.
struct Spawn {
  let ordinal: UInt64
  /// Seconds from its emission to the end of the step.
  let rest: Double
  /// Its number among those emitted at the same time, and how many these are.
  let index: (Int, of: Int)
  /// How far the emission of the period is, 0…1.
  let progress: Double
  /// The place of its activation in `sources`.
  let source: Int
}

extension EmitterState {
  /// Gives a particle its place, if it comes to life.
  /// - Returns: whether it does.
  func add(rest: Double, index: (Int, of: Int), _ activation: Activation) -> Bool {
    let number = ordinal - 1
    // Where particles are emitted first, one that lives no time takes up room until it is moved.
    if !plan.isSurelyLiving, plan.law.order == .motionFirst {
      let draws = Draws(
        random: random, emitter: plan.index, particle: number, period: activation.period,
        progress: activation.progress)
      guard plan.lifetime(draws, index.0) > plan.startAge.sample(draws) else { return false }
    }
    born += 1
    _ = columns.append(ordinal: number)
    if !hasSource || sources.last?.clock != activation.clock
      || sources.last?.period != activation.period
    {
      sources.append(activation)
      hasSource = true
    }
    spawned.append(
      Spawn(
        ordinal: number, rest: rest, index: index, progress: activation.progress,
        source: sources.count - 1))
    return true
  }

  /// Samples the numbers of the particles that have a place only. Another thread may close the columns
  /// up meanwhile.
  func sampleSpawned() {
    guard !spawned.isEmpty else { return columns.closeUp() }
    let (count, first) = (spawned.count, columns.count - spawned.count)
    let size = 64
    let closing = columns.hasHoles ? 1 : 0
    let pieces = (count + size - 1) / size
    let own = thread
    plans.withUnsafeBufferPointer { plans in
      spawned.withUnsafeBufferPointer { spawned in
        sources.withUnsafeBufferPointer { sources in
          WorkerTeam.share(pieces + closing, on: team) { share in
            let plan = plans[max(own, share.thread)]
            while let number = share.next() {
              if number < closing {
                columns.closeUp()
                continue
              }
              let start = (number - closing) * size
              let batch = SpawnBatch(
                spawned: UnsafeBufferPointer(
                  rebasing: spawned[start..<min(count, start + size)]),
                sources: sources, random: random, table: columns.table, first: first + start)
              plan.sample(batch)
            }
          }
        }
      }
    }
    if !columns.hasDepth {
      columns.hasDepth = (first..<columns.count).contains {
        columns[Fixed.z][$0] != 0 || columns[Fixed.vz][$0] != 0
      }
    }
    if plan.emitter.emission.lifeOffset != 0 { suspect(first..<columns.count) }
    if plan.isTriggeringOnEmission {
      for index in 0..<count {
        for trigger in plan.emitter.triggers where [.birth, .living].contains(trigger.event) {
          raise(trigger, place: first + index, rest: spawned[index].rest)
        }
      }
    }
    spawned.removeAll(keepingCapacity: true)
    sources.removeAll(keepingCapacity: true)
    hasSource = false
  }
}

/// New particles that one thread samples.
struct SpawnBatch {
  let spawned: UnsafeBufferPointer<Spawn>
  let sources: UnsafeBufferPointer<Activation>
  let random: RandomNumbers
  let table: UnsafePointer<UnsafeMutablePointer<Float>>
  /// The place of the first one.
  let first: Int

  func column(_ column: Int) -> Slice {
    Slice(base: table[column] + first, count: spawned.count)
  }

  func columns(_ three: (Int, Int, Int)) -> Slices {
    Slices(x: column(three.0), y: column(three.1), z: column(three.2))
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
      if law.lifetimes == .emission {
        let lives = batch.column(Fixed.life)
        for number in spawned.indices {
          lives[number] = Float(lifetime(draws(number), spawned[number].index.0))
        }
      }
      launch(batch, draws)
    }
    let rests = batch.column(Fixed.rest)
    for number in spawned.indices { rests[number] = Float(spawned[number].rest) }
    if let turned { batch.column(turned).set(.constant(0)) }
  }

  /// Sets place, velocity and what is inherited.
  private func launch(_ batch: SpawnBatch, _ draws: (Int) -> Draws) {
    let shape = emitter.shape
    let launch = emitter.launch
    let transform = emitter.transform
    let fixed = launch.fixedDirection
    let isPoint = shape.kind == .point
    let center = ShapePoint(place: .zero, normal: .up)
    let places = batch.columns((Fixed.x, Fixed.y, Fixed.z))
    let velocities = batch.columns((Fixed.vx, Fixed.vy, Fixed.vz))
    for (index, spawn) in batch.spawned.enumerated() {
      let draws = draws(index)
      let activation = batch.sources.baseAddress.map { $0 + spawn.source }
      let point =
        isPoint
        ? center
        : shape.sample(
          swept(shape, draws, spawn, activation?.pointee.clock ?? 0),
          part: draws.unit(.shapePart), ellipse: law.ellipse)
      var origin = transform.moved(shape.transform.moved(point.place))
      if let base = activation?.pointee.origin { origin = origin - transform.translation + base }
      var velocity = Vector.zero
      var speed = 0.0
      let normal = shape.transform.rotated(point.normal)
      if let direction = launch.sample(draws, normal: normal, isFlat: isFlat, fixed: fixed) {
        speed = draws.sample(launch.speed, .speed)
        velocity = transform.rotated(direction) * speed
      }
      if let launchAngle {
        batch.column(launchAngle)[index] = Float(angleInDegrees(velocity.y, velocity.x))
      }
      if let path {
        batch.columns((path.x, path.y, path.z)).set(origin, at: index)
        batch.column(path.speed)[index] = Float(speed)
      }
      if let parent = activation?.pointee.inheritedVelocity { velocity = velocity + parent }
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
    _ shape: Shape, _ draws: Draws, _ spawn: Spawn, _ clock: Double
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
