internal import ParticlesModel

extension EmitterState {
  /// The time that a step gives to particles.
  enum StepTime {
    /// The same to all.
    case whole(Float)
    /// To each what is in the column `rest`.
    case rest
  }

  /// Moves particles by a step, in the order of the specification: age, forces, drag, speed, orbit
  /// velocity, place.
  func move(from first: Int, time: StepTime, clock: Double, progress: Double) {
    guard first < columns.count else { return }
    let (c, plan) = (columns, plan)
    let law = plan.law
    let range = first / Lanes.width..<(columns.count + Lanes.width - 1) / Lanes.width
    let (xs, ys, zs) = (c.lanes(Fixed.x), c.lanes(Fixed.y), c.lanes(Fixed.z))
    let (vxs, vys, vzs) = (c.lanes(Fixed.vx), c.lanes(Fixed.vy), c.lanes(Fixed.vz))
    let (ages, lives) = (c.lanes(Fixed.age), c.lanes(Fixed.life))
    let rests = c.lanes(Fixed.rest)
    let origin = plan.emitter.transform.translation
    let isTrapezoid = law.integrator == .trapezoid
    for lane in range {
      var h =
        switch time {
        case .whole(let time): Lanes(repeating: time)
        case .rest: rests[lane]
        }
      let life = lives[lane]
      if law.death == .afterLastFrame { h = h.clamped(.zeros, life - ages[lane]) }
      let age = ages[lane] + h
      ages[lane] = age
      var share = age / life
      share.replace(with: .ones, where: (share .> 1) .| (life .<= 0))
      var inputs = TrackInputs(share: share, age: age, progress: Float(progress))
      var m = MotionLanes(
        x: xs[lane], y: ys[lane], z: zs[lane], vx: vxs[lane], vy: vys[lane], vz: vzs[lane])
      if plan.needsSpeed { inputs.speed = m.speed }
      if plan.needsDistance {
        let (x, y, z) = (m.x - Float(origin.x), m.y - Float(origin.y), m.z - Float(origin.z))
        inputs.distance = (x * x + y * y + z * z).squareRoot()
      }
      if let turned = plan.turned {
        c.lanes(turned)[lane] += plan.angularVelocity(c, lane, inputs) * h
      }
      if let orbit = plan.orbit {
        let angle =
          orbit.angle.lanes(c, lane) + orbit.angularVelocity.lanes(c, lane) * age + orbit.phase
        let radius = orbit.radius(c, lane, inputs)
        let (sine, cosine) = sineAndCosine(degrees: angle)
        xs[lane] = Float(origin.x) + radius * cosine
        ys[lane] = Float(origin.y) + radius * sine
        continue
      }
      if let path = plan.path {
        follow(path, lane: lane, age: age)
        continue
      }
      let before = (x: m.vx, y: m.vy, z: m.vz)
      var noise = (x: Lanes.zeros, y: Lanes.zeros, z: Lanes.zeros)
      var sum = (x: Lanes.zeros, y: Lanes.zeros, z: Lanes.zeros)
      for force in plan.forces {
        let a = force.acceleration(m, c, lane, inputs, clock: clock)
        if force.movesPlaces {
          noise = (noise.x + a.x, noise.y + a.y, noise.z + a.z)
        } else {
          sum = (sum.x + a.x, sum.y + a.y, sum.z + a.z)
        }
      }
      m.vx += sum.x * h
      m.vy += sum.y * h
      m.vz += sum.z * h
      for drag in plan.drags { drag.slow(&m, c, lane, inputs, time: h) }
      var effective = m
      if let speed = plan.speed {
        let s = speed(c, lane, inputs)
        let factor = plan.isReplacingSpeed ? s * Self.inverse(m.speed) : s
        effective.vx *= factor
        effective.vy *= factor
        effective.vz *= factor
      }
      if let greatest = plan.greatestSpeed?(c, lane, inputs) {
        let factor = pointwiseMin(.ones, greatest * Self.inverse(effective.speed))
        effective.vx *= factor
        effective.vy *= factor
        effective.vz *= factor
      }
      if let orbitVelocity = plan.orbitVelocity {
        turn(&m, &effective, by: orbitVelocity(c, lane, inputs) * h, about: origin)
      }
      if isTrapezoid {
        effective.vx = (effective.vx + before.x) * 0.5
        effective.vy = (effective.vy + before.y) * 0.5
        effective.vz = (effective.vz + before.z) * 0.5
      }
      if let drift = plan.drift {
        effective.vx += drift.x(c, lane, inputs)
        effective.vy += drift.y(c, lane, inputs)
        effective.vz += drift.z(c, lane, inputs)
      }
      xs[lane] = m.x + (effective.vx + noise.x) * h
      ys[lane] = m.y + (effective.vy + noise.y) * h
      vxs[lane] = m.vx
      vys[lane] = m.vy
      if plan.isFlat { continue }
      zs[lane] = m.z + (effective.vz + noise.z) * h
      vzs[lane] = m.vz
    }
  }

  /// 1 ÷ a length, 0 for no length.
  @inline(__always)
  private static func inverse(_ length: Lanes) -> Lanes {
    var inverse = Lanes.ones / length
    inverse.replace(with: .zeros, where: length .== 0)
    return inverse
  }

  /// Turns place and velocities about the emitter by an angle in degrees.
  private func turn(
    _ m: inout MotionLanes, _ effective: inout MotionLanes, by angle: Lanes, about origin: Vector
  ) {
    let (sine, cosine) = sineAndCosine(degrees: angle)
    let axis = plan.orbitAxis
    let (ax, ay, az) = (Float(axis.x), Float(axis.y), Float(axis.z))
    func turned(_ x: Lanes, _ y: Lanes, _ z: Lanes) -> (Lanes, Lanes, Lanes) {
      let along = (x * ax + y * ay + z * az) * (1 - cosine)
      return (
        x * cosine + (ay * z - az * y) * sine + ax * along,
        y * cosine + (az * x - ax * z) * sine + ay * along,
        z * cosine + (ax * y - ay * x) * sine + az * along
      )
    }
    let (ox, oy, oz) = (Float(origin.x), Float(origin.y), Float(origin.z))
    let place = turned(m.x - ox, m.y - oy, m.z - oz)
    (m.x, m.y, m.z) = (ox + place.0, oy + place.1, oz + place.2)
    (m.vx, m.vy, m.vz) = turned(m.vx, m.vy, m.vz)
    (effective.vx, effective.vy, effective.vz) = turned(effective.vx, effective.vy, effective.vz)
  }

  /// Puts eight particles on their path.
  private func follow(_ path: PathPlan, lane: Int, age: Lanes) {
    guard let launchAngle = plan.launchAngle else { return }
    for index in 0..<Lanes.width {
      let place = lane * Lanes.width + index
      guard place < columns.count else { return }
      let point = path.point(at: Double(columns[path.speed][place] * age[index]))
        .turned(about: Vector(0, 0, 1), degrees: Double(columns[launchAngle][place]))
      columns[Fixed.x][place] = columns[path.x][place] + Float(point.x)
      columns[Fixed.y][place] = columns[path.y][place] + Float(point.y)
      columns[Fixed.z][place] = columns[path.z][place] + Float(point.z)
    }
  }

  /// The places of particles that have reached their lifetime.
  func dead() -> [Int] {
    let (ages, lives) = (columns.lanes(Fixed.age), columns.lanes(Fixed.life))
    let isLate = plan.law.death == .pastLifetime || plan.law.death == .nextStep
    var places: [Int] = []
    for lane in 0..<(columns.count + Lanes.width - 1) / Lanes.width {
      let isDead = isLate ? ages[lane] .> lives[lane] : ages[lane] .>= lives[lane]
      guard any(isDead) else { continue }
      for index in 0..<Lanes.width where isDead[index] {
        let place = lane * Lanes.width + index
        if place < columns.count { places.append(place) }
      }
    }
    return places
  }
}
