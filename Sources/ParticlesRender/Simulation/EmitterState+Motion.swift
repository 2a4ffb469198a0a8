internal import ParticlesCore
internal import ParticlesModel

extension EmitterState {
  /// The time that a step gives to particles.
  enum StepTime {
    /// The same to all.
    case whole(Float)
    /// To each what is in the column `rest`.
    case rest
  }

  /// Particles that one thread moves or evaluates at a time.
  static let pieceSize = 2 * Chunk.size

  /// Runs `body` for all chunks from a particle on, on several threads if there are many.
  /// - Parameter body: gets the number of the piece, too; pieces are in order, as are the chunks in
  ///   them.
  func forEachChunk(
    from first: Int, progress: Double, _ body: @escaping (Chunk, _ piece: Int) -> Void
  ) {
    let end = columns.count
    guard first < end else { return }
    let size = Self.pieceSize
    let pieces = (end - first + size - 1) / size
    nonisolated(unsafe) let columns = columns
    nonisolated(unsafe) let body = body
    // Pieces end where chunks do.
    let origin = columns.end(ofChunkAt: first) - Chunk.size
    let (scratch, own) = (scratch, thread)
    WorkerTeam.run(pieces, on: team) { piece, thread in
      let start = max(first, origin + piece * size)
      let stop = piece == pieces - 1 ? end : min(end, origin + (piece + 1) * size)
      guard start < stop else { return }
      Chunk.forEach(
        start..<stop, of: columns, progress: progress, scratch: scratch[max(own, thread)]
      ) { body($0, piece) }
    }
  }

  /// Moves particles by a step, in the order of the specification: age, forces, drag, speed, orbit
  /// velocity, place.
  /// - Parameter ageTime: what ages grow by, where that is not the time of the step.
  func move(
    from first: Int, time: StepTime, ageTime: Float? = nil, clock: Double, progress: Double
  ) {
    guard first < columns.count else { return }
    let pieces = (columns.count - first + Self.pieceSize - 1) / Self.pieceSize
    withUnsafeTemporaryAllocation(of: Bool.self, capacity: pieces) { found in
      found.initialize(repeating: false)
      forEachChunk(from: first, progress: progress) { [self] chunk, piece in
        if move(chunk, time: time, ageTime: ageTime, clock: clock) { found[piece] = true }
      }
      guard let low = found.firstIndex(of: true), let high = found.lastIndex(of: true) else {
        return
      }
      // Pieces begin a few particles earlier than this.
      suspect(
        max(
          first, first + low * Self.pieceSize - 16)..<(high == pieces - 1
          ? columns.count : first + (high + 1) * Self.pieceSize))
    }
  }

  /// - Returns: whether a particle has reached its lifetime.
  private func move(
    _ chunk: Chunk, time: StepTime, ageTime: Float?, clock: Double
  ) -> Bool {
    let plan = plan
    let rest = chunk.column(Fixed.rest).operand
    var time: Operand =
      switch time {
      case .whole(let time): .constant(time)
      case .rest: rest
      }
    let isBefore = plan.law.evaluation == .before
    if isBefore { chunk.setInputs(plan) }
    let hasDead: Bool
    if plan.law.death == .afterLastFrame {
      hasDead = chunk.age.grow(life: chunk.life, time: time, limited: chunk[.time])
      time = chunk[.time].operand
    } else {
      hasDead = chunk.age.grow(life: chunk.life, time: ageTime.map { .constant($0) } ?? time)
    }
    let isTrapezoid = plan.law.integrator == .trapezoid
    if let fall = plan.fall, plan.turned == nil {
      self.fall(chunk, fall, time: time, isTrapezoid: isTrapezoid)
      return hasDead
    }
    if !isBefore { chunk.setInputs(plan) }
    if let turned = plan.turned {
      let velocity = chunk[.value]
      plan.angularVelocity.evaluate(chunk, into: velocity)
      chunk.column(turned).addProduct(velocity.operand, time)
    }
    if let orbit = plan.orbit {
      let radius = chunk[.value]
      orbit.radius.evaluate(chunk, into: radius)
      chunk.places.setOrbit(
        start: chunk.operand(orbit.angle), turn: chunk.operand(orbit.angularVelocity),
        age: chunk.age, phase: orbit.phase, radius: radius, origin: plan.origin)
    } else if let path = plan.path {
      follow(path, chunk)
    } else if let fall = plan.fall {
      self.fall(chunk, fall, time: time, isTrapezoid: isTrapezoid)
    } else {
      push(chunk, time: time, clock: clock, isTrapezoid: isTrapezoid)
    }
    return hasDead
  }

  /// Moves particles under a constant acceleration.
  private func fall(
    _ chunk: Chunk, _ acceleration: FloatVector, time: Operand, isTrapezoid: Bool
  ) {
    let (places, velocities) = (chunk.places, chunk.velocities)
    places.x.fall(velocities.x, acceleration.x, time: time, isTrapezoid: isTrapezoid)
    places.y.fall(velocities.y, acceleration.y, time: time, isTrapezoid: isTrapezoid)
    if plan.isFlat { return }
    places.z.fall(velocities.z, acceleration.z, time: time, isTrapezoid: isTrapezoid)
  }

  /// Moves particles under any forces.
  private func push(_ chunk: Chunk, time: Operand, clock: Double, isTrapezoid: Bool) {
    let (places, velocities) = (chunk.places, chunk.velocities)
    let noise = chunk[.noiseX, .noiseY, .noiseZ]
    let sum = chunk[.sumX, .sumY, .sumZ]
    let before = chunk[.oldX, .oldY, .oldZ]
    let effective = chunk[.moveX, .moveY, .moveZ]
    if isTrapezoid { before.set(velocities) }
    // In the plane, z and the velocity along it take part but do not change.
    let kept = (z: chunk[.keptZ], velocity: chunk[.keptVZ])
    if plan.isFlat {
      kept.z.set(places.z.operand)
      kept.velocity.set(velocities.z.operand)
    }
    noise.set(0)
    if !plan.forces.isEmpty {
      sum.set(0)
      for force in plan.forces {
        force.accelerate(chunk, clock: clock, into: force.movesPlaces ? noise : sum)
      }
      velocities.addProduct(sum, time)
    }
    switch plan.law.motion {
    case .dragSpeedOrbit: slowAndTurn(chunk, effective, time: time)
    case .orbitSpeedDrag: turnAndSlow(chunk, effective, time: time)
    }
    if isTrapezoid {
      effective.x.average(before.x)
      effective.y.average(before.y)
      effective.z.average(before.z)
    }
    if let drift = plan.drift {
      let value = chunk[.value]
      for (track, out) in [(drift.x, effective.x), (drift.y, effective.y), (drift.z, effective.z)] {
        track.evaluate(chunk, into: value)
        out.add(value.operand)
      }
    }
    places.x.integrate(effective.x, noise.x, time: time)
    places.y.integrate(effective.y, noise.y, time: time)
    if plan.isFlat {
      places.z.set(kept.z.operand)
      velocities.z.set(kept.velocity.operand)
    } else {
      places.z.integrate(effective.z, noise.z, time: time)
    }
  }

  /// Drag, speed and orbit in the order of the specification.
  private func slowAndTurn(_ chunk: Chunk, _ effective: Slices, time: Operand) {
    let (places, velocities) = (chunk.places, chunk.velocities)
    for drag in plan.drags { drag.slow(chunk, time: time) }
    effective.set(velocities)
    if let speed = plan.speed {
      let factor = chunk[.value]
      speed.evaluate(chunk, into: factor)
      if plan.isReplacingSpeed {
        effective.setSpeed(factor, isLimit: false)
      } else {
        effective.scale(factor.operand)
      }
    }
    if let greatest = plan.greatestSpeed {
      let limit = chunk[.value]
      greatest.evaluate(chunk, into: limit)
      effective.setSpeed(limit, isLimit: true)
    }
    if let orbitVelocity = plan.orbitVelocity {
      let angle = chunk[.value]
      orbitVelocity.evaluate(chunk, into: angle)
      angle.multiply(time)
      places.turn(angle, about: plan.orbitAxis, origin: plan.origin)
      velocities.turn(angle, about: plan.orbitAxis, origin: .zero)
      effective.turn(angle, about: plan.orbitAxis, origin: .zero)
    }
  }

  /// Orbit, speed and drag in the order of Godot: the position turns alone, and the speed is that of
  /// the particle from then on.
  private func turnAndSlow(_ chunk: Chunk, _ effective: Slices, time: Operand) {
    let velocities = chunk.velocities
    let value = chunk[.value]
    if let orbitVelocity = plan.orbitVelocity {
      orbitVelocity.evaluate(chunk, into: value)
      value.multiply(time)
      chunk.places.turn(value, about: plan.orbitAxis, origin: plan.origin)
    }
    if let speed = plan.speed {
      speed.evaluate(chunk, into: value)
      if plan.isReplacingSpeed {
        velocities.setSpeed(value, isLimit: false)
      } else {
        velocities.scale(value.operand)
      }
    }
    for drag in plan.drags { drag.slow(chunk, time: time) }
    effective.set(velocities)
    if let greatest = plan.greatestSpeed {
      greatest.evaluate(chunk, into: value)
      effective.setSpeed(value, isLimit: true)
    }
  }

  /// Puts particles on their path.
  private func follow(_ path: PathPlan, _ chunk: Chunk) {
    guard let launchAngle = plan.launchAngle else { return }
    let (age, places, angles) = (chunk.age, chunk.places, chunk.column(launchAngle))
    let origins = chunk.columns(path.x, path.y, path.z)
    let speeds = chunk.column(path.speed)
    for index in 0..<chunk.count {
      let point = path.point(at: Double(speeds[index] * age[index]))
        .turned(about: Vector(0, 0, 1), degrees: Double(angles[index]))
      places.x[index] = origins.x[index] + Float(point.x)
      places.y[index] = origins.y[index] + Float(point.y)
      places.z[index] = origins.z[index] + Float(point.z)
    }
  }

  /// Notes that there may be dead particles in a range.
  func suspect(_ places: Range<Int>) {
    suspects =
      suspects.isEmpty
      ? places
      : min(suspects.lowerBound, places.lowerBound)..<max(suspects.upperBound, places.upperBound)
  }

  /// Runs `body` with the places of particles that have reached their lifetime, if there are any.
  func withDead(_ body: (UnsafeBufferPointer<Int>) -> Void) {
    let range = suspects.clamped(to: 0..<columns.count)
    suspects = 0..<0
    guard !range.isEmpty else { return }
    withUnsafeTemporaryAllocation(of: Int.self, capacity: range.count + 1) { places in
      guard let base = places.baseAddress else { return }
      let age = Slice(base: columns[Fixed.age] + range.lowerBound, count: range.count)
      let life = Slice(base: columns[Fixed.life] + range.lowerBound, count: range.count)
      var dead = age.dead(life: life, first: range.lowerBound, into: base)
      if plan.law.death == .pastLifetime || plan.law.death == .nextStep {
        dead = keep(dead, of: base) { columns[Fixed.age][$0] > columns[Fixed.life][$0] }
      }
      if dead > 0 { body(UnsafeBufferPointer(start: base, count: dead)) }
    }
  }

  /// Moves the places that fulfil a condition to the front.
  /// - Returns: their number.
  private func keep(
    _ count: Int, of places: UnsafeMutablePointer<Int>, where isKept: (Int) -> Bool
  ) -> Int {
    var kept = 0
    for index in 0..<count where isKept(places[index]) {
      places[kept] = places[index]
      kept += 1
    }
    return kept
  }
}
