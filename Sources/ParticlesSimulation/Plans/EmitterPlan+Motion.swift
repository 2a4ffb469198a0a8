internal import ParticlesModel

extension EmitterPlan {
  typealias StepTime = EmitterState.StepTime

  /// Moves the particles of a chunk.
  /// - Returns: whether a particle has reached its lifetime.
  func move(
    _ chunk: Chunk, time: StepTime, ageTime: Float?, clock: Double
  ) -> Bool {
    let rest = chunk.column(Fixed.rest).operand
    var time: Operand =
      switch time {
      case .whole(let time): .constant(time)
      case .rest: rest
      }
    let isBefore = law.evaluation == .before
    if isBefore { chunk.setInputs(self) }
    let hasDead: Bool
    if law.death == .afterLastFrame {
      hasDead = chunk.age.grow(life: chunk.life, time: time, limited: chunk[.time])
      time = chunk[.time].operand
    } else {
      hasDead = chunk.age.grow(life: chunk.life, time: ageTime.map { .constant($0) } ?? time)
    }
    let isTrapezoid = law.integrator == .trapezoid
    if let fall, turned == nil {
      self.fall(chunk, fall, time: time, isTrapezoid: isTrapezoid)
      return hasDead
    }
    if !isBefore { chunk.setInputs(self) }
    if let turned {
      let velocity = chunk[.value]
      angularVelocity.evaluate(chunk, into: velocity)
      chunk.column(turned).addProduct(velocity.operand, time)
    }
    if let orbit {
      let radius = chunk[.value]
      orbit.radius.evaluate(chunk, into: radius)
      chunk.places.setOrbit(
        start: chunk.operand(orbit.angle), turn: chunk.operand(orbit.angularVelocity),
        age: chunk.age, phase: orbit.phase, radius: radius, origin: origin)
    } else if let path {
      follow(path, chunk, time: time)
    } else if let fall {
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
    if isFlat { return }
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
    if isFlat {
      kept.z.set(places.z.operand)
      kept.velocity.set(velocities.z.operand)
    }
    noise.set(0)
    if !forces.isEmpty {
      sum.set(0)
      for force in forces {
        force.accelerate(chunk, clock: clock, into: force.movesPlaces ? noise : sum)
      }
      velocities.addProduct(sum, time)
    }
    switch law.motion {
    case .dragSpeedOrbit, .keptSpeed, .placeOrbit: slowAndTurn(chunk, effective, time: time)
    case .orbitSpeedDrag: turnAndSlow(chunk, effective, time: time)
    }
    if isTrapezoid {
      effective.x.average(before.x)
      effective.y.average(before.y)
      effective.z.average(before.z)
    }
    if let drift {
      let value = chunk[.value]
      for (track, out) in [(drift.x, effective.x), (drift.y, effective.y), (drift.z, effective.z)] {
        track.evaluate(chunk, into: value)
        out.add(value.operand)
      }
    }
    places.x.integrate(effective.x, noise.x, time: time)
    places.y.integrate(effective.y, noise.y, time: time)
    if isFlat {
      places.z.set(kept.z.operand)
      velocities.z.set(kept.velocity.operand)
    } else {
      places.z.integrate(effective.z, noise.z, time: time)
    }
  }

  /// Drag, speed and orbit in the order of the specification.
  private func slowAndTurn(_ chunk: Chunk, _ effective: Slices, time: Operand) {
    let (places, velocities) = (chunk.places, chunk.velocities)
    for drag in drags { drag.slow(chunk, time: time) }
    effective.set(velocities)
    // A negative speed is opposite to the direction.
    let headsFirst = law.alignment == .direction && isReplacingSpeed
    if headsFirst, let heading { head(heading, chunk, [velocities, effective]) }
    if let speed {
      let factor = chunk[.value]
      speed.evaluate(chunk, into: factor)
      if isReplacingSpeed {
        effective.setSpeed(factor, isLimit: false)
      } else {
        effective.scale(factor.operand)
      }
    }
    if let greatest = greatestSpeed {
      let limit = chunk[.value]
      greatest.evaluate(chunk, into: limit)
      effective.setSpeed(limit, isLimit: true)
    }
    if !headsFirst, let heading { head(heading, chunk, [velocities, effective]) }
    if law.motion == .keptSpeed { velocities.set(effective) }
    if let orbitVelocity {
      let angle = chunk[.value]
      orbitVelocity.evaluate(chunk, into: angle)
      angle.multiply(time)
      let turn = sineAndCosine(angle, chunk)
      guard law.motion != .placeOrbit else {
        let isInWorld = emitter.space == .world
        return places.turn(by: turn, about: orbitAxis, origin: isInWorld ? .zero : origin)
      }
      places.turn(by: turn, about: orbitAxis, origin: origin)
      velocities.turn(by: turn, about: orbitAxis, origin: .zero)
      effective.turn(by: turn, about: orbitAxis, origin: .zero)
    }
  }

  /// Orbit, speed and drag in the order of Godot: the position turns alone, and the speed is that of
  /// the particle from then on.
  private func turnAndSlow(_ chunk: Chunk, _ effective: Slices, time: Operand) {
    let velocities = chunk.velocities
    let value = chunk[.value]
    if let orbitVelocity {
      orbitVelocity.evaluate(chunk, into: value)
      value.multiply(time)
      chunk.places.turn(by: sineAndCosine(value, chunk), about: orbitAxis, origin: origin)
    }
    if let speed {
      speed.evaluate(chunk, into: value)
      if isReplacingSpeed {
        velocities.setSpeed(value, isLimit: false)
      } else {
        velocities.scale(value.operand)
      }
    }
    for drag in drags { drag.slow(chunk, time: time) }
    if let heading { head(heading, chunk, [velocities]) }
    effective.set(velocities)
    if let greatest = greatestSpeed {
      greatest.evaluate(chunk, into: value)
      effective.setSpeed(value, isLimit: true)
    }
  }

  /// The sines and cosines of angles in degrees, in columns that are free once the velocities have the sum of forces.
  private func sineAndCosine(_ degrees: Slice, _ chunk: Chunk) -> (sine: Slice, cosine: Slice) {
    let (sine, cosine) = (chunk[.sumX], chunk[.sumY])
    sine.setSineAndCosine(degrees, cosine: cosine)
    return (sine, cosine)
  }

  /// Gives velocities the direction that the track over life states.
  private func head(_ heading: HeadingPlan, _ chunk: Chunk, _ velocities: [Slices]) {
    let angle = chunk[.value]
    heading.angle.evaluate(chunk, into: angle)
    // The sum of forces is in the velocities already.
    let (sine, cosine) = (chunk[.sumX], chunk[.sumY])
    sine.setRoundedSineAndCosine(angle, cosine: cosine)
    for velocity in velocities {
      velocity.head(sine: sine, cosine: cosine, right: heading.right, up: heading.up)
    }
  }

  /// Puts particles on their path.
  private func follow(_ path: PathPlan, _ chunk: Chunk, time: Operand) {
    guard let launchAngle else { return }
    if let way = path.way, let speed {
      let value = chunk[.value]
      speed.evaluate(chunk, into: value)
      if !isReplacingSpeed { value.multiply(chunk.column(path.speed).operand) }
      chunk.column(way).addProduct(value.operand, time)
    }
    let ways = path.way.map(chunk.column)
    let (age, places, angles) = (chunk.age, chunk.places, chunk.column(launchAngle))
    let origins = chunk.columns(path.x, path.y, path.z)
    let speeds = chunk.column(path.speed)
    for index in 0..<chunk.count {
      let way = ways.map { $0[index] } ?? speeds[index] * age[index]
      let point = path.point(at: Double(way))
        .turned(about: Vector(0, 0, 1), degrees: Double(angles[index]))
      places.x[index] = origins.x[index] + Float(point.x)
      places.y[index] = origins.y[index] + Float(point.y)
      places.z[index] = origins.z[index] + Float(point.z)
    }
  }
}
