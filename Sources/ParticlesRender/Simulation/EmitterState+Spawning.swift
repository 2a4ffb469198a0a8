internal import ParticlesCore
internal import ParticlesModel

/// A particle that is emitted in this step.
struct Spawn {
  let ordinal: UInt64
  /// Seconds from its emission to the end of the step.
  let rest: Double
  /// Its number among those emitted at the same time, and how many these are.
  let index: (Int, of: Int)
  let activation: Activation
}

extension EmitterState {
  /// Gives a particle its place, if it comes to life.
  /// - Returns: whether it does.
  func add(_ spawn: Spawn) -> Bool {
    // Where particles are emitted first, one that lives no time takes up room until it is moved.
    if !plan.isSurelyLiving, plan.law.order == .motionFirst {
      let draws = draws(spawn)
      guard lifetime(draws, spawn) > plan.startAge.sample(draws) else { return false }
    }
    born += 1
    _ = columns.append(ordinal: spawn.ordinal)
    spawned.append(spawn)
    return true
  }

  private func lifetime(_ draws: Draws, _ spawn: Spawn) -> Double {
    plan.lifetime.sample(
      plan.law.lifetimes == .emission ? draws.first(of: spawn.index.0) : draws)
  }

  private func draws(_ spawn: Spawn) -> Draws {
    Draws(
      random: random, emitter: plan.index, particle: spawn.ordinal,
      period: spawn.activation.period, progress: spawn.activation.progress)
  }

  /// Samples the numbers of the particles that have a place only.
  func sampleSpawned() {
    guard !spawned.isEmpty else { return }
    let (count, first) = (spawned.count, columns.count - spawned.count)
    let size = 64
    let pieces = (count + size - 1) / size
    nonisolated(unsafe) let state = self
    spawned.withUnsafeBufferPointer { spawned in
      nonisolated(unsafe) let spawned = spawned
      WorkerTeam.run(pieces, on: team) { piece, _ in
        let range = piece * size..<min(count, (piece + 1) * size)
        state.sample(UnsafeBufferPointer(rebasing: spawned[range]), at: first + piece * size)
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
  }

  /// Sets all columns of new particles.
  /// - Parameter first: the place of the first one.
  private func sample(_ spawned: UnsafeBufferPointer<Spawn>, at first: Int) {
    let plan = plan
    func column(_ column: Int) -> Slice {
      Slice(base: columns[column] + first, count: spawned.count)
    }
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: spawned.count) { hashes in
      for index in spawned.indices {
        hashes[index] = random.hash(emitter: plan.index, particle: spawned[index].ordinal)
      }
      guard let base = hashes.baseAddress else { return }
      for sample in plan.samples {
        sample.sample(into: column(sample.column), base) { draws(spawned[$0]) }
      }
      for sample in [plan.lifetime, plan.startAge] {
        sample.sample(into: column(sample.column), base) { draws(spawned[$0]) }
      }
      for sample in plan.colorSamples {
        sample.sample(into: column, base) { draws(spawned[$0]) }
      }
    }
    if plan.law.lifetimes == .emission {
      let lives = column(Fixed.life)
      for index in spawned.indices {
        lives[index] = Float(lifetime(draws(spawned[index]), spawned[index]))
      }
    }
    let rests = column(Fixed.rest)
    for index in spawned.indices { rests[index] = Float(spawned[index].rest) }
    if let turned = plan.turned { column(turned).set(.constant(0)) }
    launch(spawned, at: first)
  }

  /// Sets place, velocity and what is inherited.
  private func launch(_ spawned: UnsafeBufferPointer<Spawn>, at first: Int) {
    let shape = plan.emitter.shape
    let launch = plan.emitter.launch
    let transform = plan.emitter.transform
    let fixed = launch.fixedDirection
    let isPoint = shape.kind == .point
    let center = ShapePoint(place: .zero, normal: .up)
    let places = columns(at: first, spawned.count, (Fixed.x, Fixed.y, Fixed.z))
    let velocities = columns(at: first, spawned.count, (Fixed.vx, Fixed.vy, Fixed.vz))
    let (path, launchAngle, inherited) = (plan.path, plan.launchAngle, plan.inherited)
    for (index, spawn) in spawned.enumerated() {
      let place = first + index
      let (draws, activation) = (draws(spawn), spawn.activation)
      let point =
        isPoint
        ? center
        : shape.sample(
          swept(shape, draws, spawn), part: draws.unit(.shapePart), ellipse: plan.law.ellipse)
      var origin = transform.moved(shape.transform.moved(point.place))
      if let base = activation.origin { origin = origin - transform.translation + base }
      var velocity = Vector.zero
      var speed = 0.0
      let normal = shape.transform.rotated(point.normal)
      if let direction = launch.sample(draws, normal: normal, isFlat: plan.isFlat, fixed: fixed) {
        speed = draws.sample(launch.speed, .speed)
        velocity = transform.rotated(direction) * speed
      }
      if let column = launchAngle {
        columns[column][place] = Float(angleInDegrees(velocity.y, velocity.x))
      }
      if let path {
        columns(at: place, 1, (path.x, path.y, path.z)).set(origin, at: 0)
        columns[path.speed][place] = Float(speed)
      }
      if let parent = activation.inheritedVelocity { velocity = velocity + parent }
      places.set(origin, at: index)
      velocities.set(velocity, at: index)
      guard let inherited else { continue }
      let own = point.color ?? .white
      let color = activation.inheritedColor.map { own.multiplied(by: $0) } ?? own
      columns[inherited.red][place] = Float(color.red)
      columns[inherited.green][place] = Float(color.green)
      columns[inherited.blue][place] = Float(color.blue)
      columns[inherited.alpha][place] = Float(color.alpha)
      columns[inherited.angle][place] = Float(activation.inheritedAngle)
      columns[inherited.size][place] = Float(activation.inheritedSize)
    }
  }

  private func columns(at first: Int, _ count: Int, _ three: (Int, Int, Int)) -> Slices {
    Slices(
      x: Slice(base: columns[three.0] + first, count: count),
      y: Slice(base: columns[three.1] + first, count: count),
      z: Slice(base: columns[three.2] + first, count: count))
  }

  /// The random numbers of a place in the shape.
  private func swept(
    _ shape: Shape, _ draws: Draws, _ spawn: Spawn
  ) -> (Double, Double, Double) {
    var u = (draws.unit(.position(0)), draws.unit(.position(1)), draws.unit(.position(2)))
    let clock = spawn.activation.clock
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
