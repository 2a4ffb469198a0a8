internal import ParticlesModel

/// The particles of an emitter and its running activations.
final class EmitterState {
  typealias Fixed = EmitterPlan.Fixed

  let plan: EmitterPlan
  let columns: ParticleColumns
  let random: RandomNumbers
  /// How many particles were emitted, including those that the probability left out.
  var ordinal: UInt64 = 0
  /// How many particles came to life.
  var born = 0
  /// The particles in the slots of the law `slots`.
  var slots: [UInt64?] = []
  /// The slots that restart in this step because their particle has died.
  var freed: Set<Int> = []
  /// Part of a millisecond that the law `milliseconds` has not counted yet.
  var fraction = 0.0
  /// Particles that wait for room.
  var waiting = 0
  /// One if the emitter starts with the effect; one more for each copy that a trigger starts.
  var activations: [Activation] = []
  /// The most particles that may live at once, over all reasons.
  let capacity: Int
  /// Whether particles were left out because of `capacity`.
  private(set) var isOverCapacity = false
  /// Events of this step that trigger other emitters, in the order in which they happened.
  var events: [Event] = []

  init(_ plan: EmitterPlan, random: RandomNumbers, capacity: Int) {
    self.plan = plan
    self.random = random
    self.capacity = capacity
    columns = ParticleColumns(width: plan.layoutWidth)
  }

  /// Something that happened to a particle.
  struct Event {
    let trigger: Trigger
    /// Seconds before the end of the step.
    let rest: Double
    let particle: ParticleSnapshot
  }

  var emission: Emission { plan.emitter.emission }

  /// Whether another particle may live.
  var hasRoom: Bool { columns.count < (emission.maxAlive ?? .max) && columns.count < capacity }

  /// Emits a particle.
  /// - Parameters:
  ///   - rest: seconds from now to the end of the step.
  ///   - index: its number among those emitted at the same time, and how many these are.
  /// - Returns: its number; nil if it did not come to life.
  @discardableResult
  func emit(
    rest: Double, in activation: Activation, index: (Int, of: Int) = (0, of: 1)
  ) -> UInt64? {
    if let total = emission.total, born >= total { return nil }
    let draws = Draws(
      random: random, emitter: plan.index, particle: ordinal, period: activation.period,
      progress: activation.progress)
    if emission.probability < 1, draws.unit(.probability) >= emission.probability {
      ordinal += 1
      return nil
    }
    if !hasRoom {
      if columns.count >= capacity { isOverCapacity = true }
      switch emission.whenFull {
      case .skip, .spread: return nil
      case .wait:
        waiting = min(waiting + 1, capacity)
        return nil
      case .recycle:
        guard columns.count > 0 else { return nil }
        columns.remove([0])
      }
    }
    ordinal += 1
    return create(draws, rest: rest, in: activation, index: index) ? draws.particle : nil
  }

  private func create(
    _ draws: Draws, rest: Double, in activation: Activation, index: (Int, of: Int)
  ) -> Bool {
    let emitter = plan.emitter
    let life =
      plan.law.lifetimes == .emission
      ? draws.first(of: index.0).sample(emitter.lifetime, .lifetime)
      : draws.sample(emitter.lifetime, .lifetime)
    let age = max(0, draws.sample(emission.lifeOffset, .lifeOffset))
    // Where particles are emitted first, one that lives no time takes up room until it is moved.
    guard life > age || plan.law.order == .emissionFirst else { return false }
    born += 1
    let place = columns.append(ordinal: draws.particle)
    columns[Fixed.life][place] = Float(life)
    columns[Fixed.age][place] = Float(age)
    columns[Fixed.rest][place] = Float(rest)
    for sample in plan.samples {
      columns[sample.column][place] = Float(sample.sample(draws))
    }
    for sample in plan.colorSamples {
      let color = sample.sample(draws)
      columns[sample.columns.red][place] = Float(color.red)
      columns[sample.columns.green][place] = Float(color.green)
      columns[sample.columns.blue][place] = Float(color.blue)
      columns[sample.columns.alpha][place] = Float(color.alpha)
    }
    launch(place, draws, activation, index)
    for trigger in emitter.triggers where [.birth, .living].contains(trigger.event) {
      raise(trigger, place: place, rest: rest)
    }
    return true
  }

  /// Sets place, velocity and what is inherited.
  private func launch(
    _ place: Int, _ draws: Draws, _ activation: Activation, _ index: (Int, of: Int)
  ) {
    let emitter = plan.emitter
    let shape = emitter.shape
    var u = (draws.unit(.position(0)), draws.unit(.position(1)), draws.unit(.position(2)))
    switch shape.sweep {
    case .random: break
    case .loop: u.0 = activation.clock - activation.clock.rounded(.down)
    case .pingpong:
      let half = activation.clock / 2
      u.0 = (1 - (2 * (half - half.rounded(.down)) - 1).magnitude)
    case .spread: u.0 = (Double(index.0) + 0.5) / Double(max(index.of, 1))
    }
    let point = shape.sample(
      u, part: draws.unit(.shapePart), ellipse: plan.law.ellipse)
    let transform = emitter.transform
    var origin = transform.moved(shape.transform.moved(point.place))
    if let base = activation.origin { origin = origin - transform.translation + base }
    let normal = shape.transform.rotated(point.normal)
    var velocity = Vector.zero
    var speed = 0.0
    if let direction = emitter.launch.sample(draws, normal: normal, isFlat: plan.isFlat) {
      speed = draws.sample(emitter.launch.speed, .speed)
      velocity =
        transform.rotated(
          emitter.launch.direction.mode == .normal ? direction : direction) * speed
    }
    if let column = plan.launchAngle {
      columns[column][place] = Float(angleInDegrees(velocity.y, velocity.x))
    }
    if let path = plan.path {
      (columns[path.x][place], columns[path.y][place]) = (Float(origin.x), Float(origin.y))
      columns[path.z][place] = Float(origin.z)
      columns[path.speed][place] = Float(speed)
    }
    if let parent = activation.inheritedVelocity { velocity = velocity + parent }
    columns[Fixed.x][place] = Float(origin.x)
    columns[Fixed.y][place] = Float(origin.y)
    columns[Fixed.z][place] = Float(origin.z)
    columns[Fixed.vx][place] = Float(velocity.x)
    columns[Fixed.vy][place] = Float(velocity.y)
    columns[Fixed.vz][place] = Float(velocity.z)
    guard let inherited = plan.inherited else { return }
    let own = point.color ?? .white
    let color = activation.inheritedColor.map { own.multiplied(by: $0) } ?? own
    columns[inherited.red][place] = Float(color.red)
    columns[inherited.green][place] = Float(color.green)
    columns[inherited.blue][place] = Float(color.blue)
    columns[inherited.alpha][place] = Float(color.alpha)
    columns[inherited.angle][place] = Float(activation.inheritedAngle)
    columns[inherited.size][place] = Float(activation.inheritedSize)
  }

  /// Notes an event of a particle, if its trigger is as likely as that.
  func raise(_ trigger: Trigger, place: Int, rest: Double) {
    if trigger.probability < 1 {
      let unit = random.unit(
        emitter: plan.index, particle: columns.ordinals[place], channel: .trigger)
      guard unit < trigger.probability else { return }
    }
    events.append(Event(trigger: trigger, rest: rest, particle: snapshot(place)))
  }
}
