internal import ParticlesCore
internal import ParticlesModel

extension EmitterState {
  /// Seconds of the effect that have passed when it is first seen.
  var prewarm: Double {
    let timing = plan.emitter.timing
    return plan.emitter.enabled && timing.speed > 0 ? timing.prewarm / timing.speed : 0
  }

  /// Starts the emitter with the effect.
  func start() { activations.append(Activation(plan.emitter, numbers)) }

  /// Advances clock, particles and emission.
  /// - Parameter dt: seconds of the effect.
  func step(_ dt: Double) {
    guard isEnabled else { return }
    let h = dt * speed
    guard h > 0 else { return }
    lastStep = Float(h)
    var time = h
    if plan.law.ages == .milliseconds {
      fraction += h * 1_000
      time = fraction.rounded(.down) / 1_000
      fraction -= time * 1_000
      guard time > 0 else { return }
    }
    let (clock, progress) = (activations.first?.clock ?? 0, activations.first?.progress ?? 0)
    if !plan.law.death.isAtOnce { bury() }
    if plan.law.order == .emissionFirst {
      emitParticles(time)
      if plan.law.initialAge == .moved, emission.lifeOffset != 0 {
        moveByAge(from: max(0, columns.count - lastEmitted), clock: clock, progress: progress)
      }
      move(
        from: 0, time: .whole(Float(h)), ageTime: Float(time), clock: clock, progress: progress)
      raiseEvents(h)
      bury()
      return
    }
    move(
      from: 0, time: .whole(Float(h)), ageTime: Float(time), clock: clock, progress: progress)
    raiseEvents(h)
    if plan.law.death.isAtOnce { bury() }
    firstNew = columns.count
    emitParticles(time)
    moveNew(from: firstNew, h, clock: clock, progress: progress)
  }

  /// Moves new particles by their initial age, in whole milliseconds, but not to their end.
  private func moveByAge(from first: Int, clock: Double, progress: Double) {
    let (ages, lives, rests) = (columns[Fixed.age], columns[Fixed.life], columns[Fixed.rest])
    for place in first..<columns.count {
      let age = (ages[place] * 1_000 + 0.01).rounded(.down) / 1_000
      rests[place] = max(0, min(age, lives[place] - 0.001))
      ages[place] = 0
    }
    move(from: first, time: .rest, clock: clock, progress: progress)
  }

  /// Moves the particles that were emitted in this step through the part of it that is theirs.
  func moveNew(from first: Int, _ h: Double, clock: Double, progress: Double) {
    let rests = columns[Fixed.rest]
    switch plan.law.firstStep {
    case .none:
      // The rest of a particle of the account is 0, that of a burst the step.
      guard (first..<columns.count).contains(where: { rests[$0] > 0 }) else { return }
    case .shifted:
      for place in first..<columns.count {
        for (axis, velocity) in [(Fixed.x, Fixed.vx), (Fixed.y, Fixed.vy), (Fixed.z, Fixed.vz)] {
          columns[axis][place] += columns[velocity][place] * rests[place]
        }
        rests[place] = 0
      }
      return
    case .whole: for place in first..<columns.count { rests[place] = Float(h) }
    case .rest: break
    }
    move(from: first, time: .rest, clock: clock, progress: progress)
    for place in first..<columns.count { rests[place] = 0 }
    if plan.law.death.isAtOnce { bury() }
  }

  /// Removes the dead, and notes what their death triggers.
  private func bury() {
    lastBuried = 0
    withDead { dead in
      lastBuried = dead.count
      if !deathTriggers.isEmpty {
        for place in dead {
          let over = columns[Fixed.age][place] - columns[Fixed.life][place]
          for trigger in deathTriggers { raise(trigger, place: place, rest: max(0, Double(over))) }
        }
      }
      freeSlots(dead)
      columns.remove(
        dead, on: teamForMoving(min(dead[dead.count - 1], columns.count - dead[0])))
    }
  }

  /// The threads that share moving so many particles to other places; nil for the calling thread alone.
  func teamForMoving(_ count: Int) -> WorkerTeam? { count < Self.leastShared ? nil : team }

  /// Notes the events of living particles that come with time.
  private func raiseEvents(_ h: Double) {
    for trigger in timedTriggers {
      switch trigger.event {
      case .frame:
        for place in 0..<columns.count { raise(trigger, place: place, rest: 0) }
      case .interval:
        guard trigger.interval > 0 else { continue }
        for place in 0..<columns.count {
          let age = Double(columns[Fixed.age][place])
          let before = ((age - h) / trigger.interval).rounded(.down)
          let now = (age / trigger.interval).rounded(.down)
          guard now > max(before, 0) else { continue }
          raise(trigger, place: place, rest: age - now * trigger.interval)
        }
      case .birth, .death, .collision, .living: break
      }
    }
  }

  /// Ends the activations whose particle is gone.
  /// - Parameter lives: whether a particle of an emitter lives.
  func endOrphans(_ lives: (Int, UInt64) -> Bool) {
    for index in activations.indices where activations[index].endsWithParent {
      guard let parent = activations[index].parent, !lives(parent.emitter, parent.ordinal) else {
        continue
      }
      activations[index].finish()
    }
  }

  /// Whether a particle lives. Particles are in the order of their numbers.
  func lives(_ ordinal: UInt64) -> Bool { place(of: ordinal) != nil }

  /// The place of a particle; nil if it does not live.
  func place(of ordinal: UInt64) -> Int? {
    let place = firstPlace(since: ordinal)
    return place < columns.count && columns.ordinals[place] == ordinal ? place : nil
  }

  /// The place of the first particle with a number or a greater one.
  private func firstPlace(since ordinal: UInt64) -> Int {
    var (low, high) = (0, columns.count)
    while low < high {
      let middle = (low + high) / 2
      if columns.ordinals[middle] < ordinal { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Emits what an event asks for.
  func react(to event: Event) {
    guard isEnabled else { return }
    let (trigger, particle) = (event.trigger, event.particle)
    let numbers = numbers
    var activation =
      trigger.count == nil ? Activation(plan.emitter, numbers) : .single(plan.emitter, numbers)
    for inheritance in trigger.inherit {
      switch inheritance {
      case .position: activation.origin = particle.place
      case .velocity: activation.inheritedVelocity = particle.velocity * trigger.velocityFactor
      case .color: activation.inheritedColor = particle.color
      case .rotation: activation.inheritedAngle = particle.angle
      case .size: activation.inheritedSize = particle.size
      }
    }
    guard let count = trigger.count else {
      activation.parent = (particle.emitter, particle.ordinal)
      activation.endsWithParent = trigger.event == .living
      // Copies without end would pile up.
      if activations.count < 10_000 { activations.append(activation) }
      return
    }
    let draws = Draws(
      random: random, emitter: UInt64(particle.emitter), particle: particle.ordinal, period: 0,
      progress: 0)
    let sampled = draws.sample(count, .property("triggers.count"))
    let size = Int(saturating: min(max(0, sampled), mostTried).rounded())
    firstNew = columns.count
    lastSource = nil
    emit(size, rest: event.rest * speed, in: activation)
    sampleSpawned()
    moveNew(
      from: firstNew, event.rest, clock: activation.clock, progress: 0)
  }
}
