internal import ParticlesModel

extension EmitterState {
  typealias Part = AppearanceStorage.Part

  /// Evaluates all that is drawn.
  func appearance(into result: Appearance, progress: Double) {
    let count = columns.count
    if result.storage.capacity < count {
      result.storage = AppearanceStorage(count + count / 4)
    }
    let storage = result.storage
    let look = plan.look
    for part in Part.allCases {
      if let constant = look.constants[part.rawValue] {
        storage.fill(part, with: constant, count: count)
      } else {
        storage.empty(part)
      }
    }
    if !look.isConstant {
      nonisolated(unsafe) let target = storage
      forEachChunk(from: 0, progress: progress) { [self] chunk, _ in
        evaluate(chunk) {
          look.isComputed($0) ? Slice(base: target[$0] + chunk.first, count: chunk.count) : nil
        }
      }
    }
    func computed(_ part: Part) -> AppearanceColumn<Float> {
      AppearanceColumn(storage[part], count: count, of: storage)
    }
    func kept(_ column: Int) -> AppearanceColumn<Float> {
      AppearanceColumn(columns[column], count: count, of: columns)
    }
    result.count = count
    (result.x, result.y, result.z) = (kept(Fixed.x), kept(Fixed.y), kept(Fixed.z))
    (result.velocityX, result.velocityY) = (kept(Fixed.vx), kept(Fixed.vy))
    result.velocityZ = kept(Fixed.vz)
    (result.age, result.life) = (kept(Fixed.age), kept(Fixed.life))
    result.ordinal = AppearanceColumn(columns.ordinals, count: count, of: columns)
    result.width = computed(.width)
    result.height = look.isSquare ? result.width : computed(.height)
    result.angle = computed(.angle)
    (result.red, result.green) = (computed(.red), computed(.green))
    (result.blue, result.alpha) = (computed(.blue), computed(.alpha))
    (result.intensity, result.mix) = (computed(.intensity), computed(.mix))
    result.depth = computed(.depth)
  }

  /// Evaluates what particles look like; see `Spec/document.md`, section Appearance.
  /// - Parameter target: the place of a column; nil if it is not needed.
  private func evaluate(_ chunk: Chunk, into target: (Part) -> Slice?) {
    let plan = plan
    chunk.setInputs(plan)
    let (width, height, alpha) = (target(.width), target(.height), target(.alpha))
    if let width { plan.width.evaluate(chunk, into: width) }
    if let height { plan.height?.evaluate(chunk, into: height) }
    if let angle = target(.angle) { turn(chunk, into: angle) }
    let color = (target(.red), target(.green), target(.blue), alpha)
    plan.color.evaluate(chunk, into: color)
    if let alpha {
      if let opacity = plan.opacity.constant {
        if opacity != 1 { alpha.multiply(.constant(opacity)) }
      } else {
        let value = chunk[.value]
        plan.opacity.evaluate(chunk, into: value)
        alpha.multiply(value.operand)
      }
    }
    if let intensity = target(.intensity) { plan.intensity.evaluate(chunk, into: intensity) }
    if let mix = target(.mix) { plan.mix.evaluate(chunk, into: mix) }
    if let depth = target(.depth) { plan.depth.evaluate(chunk, into: depth) }
    guard let inherited = plan.inherited else { return }
    color.0?.multiply(chunk.column(inherited.red).operand)
    color.1?.multiply(chunk.column(inherited.green).operand)
    color.2?.multiply(chunk.column(inherited.blue).operand)
    color.3?.multiply(chunk.column(inherited.alpha).operand)
    target(.angle)?.add(chunk.column(inherited.angle).operand)
    width?.multiply(chunk.column(inherited.size).operand)
    height?.multiply(chunk.column(inherited.size).operand)
  }

  /// Evaluates angles.
  private func turn(_ chunk: Chunk, into angle: Slice) {
    let plan = plan
    let value = chunk[.value]
    if let start = plan.angle.source, let turn = plan.angularVelocity.source, plan.turned == nil {
      angle.setLinear(chunk.operand(start), chunk.operand(turn), chunk.age)
    } else {
      plan.angle.evaluate(chunk, into: angle)
      if let turned = plan.turned {
        angle.add(chunk.column(turned).operand)
      } else {
        plan.angularVelocity.evaluate(chunk, into: value)
        angle.addProduct(value.operand, chunk.age.operand)
      }
    }
    if plan.angularAcceleration.number != 0 {
      value.set(chunk.operand(plan.angularAcceleration))
      value.multiply(chunk.age.operand)
      value.multiply(chunk.age.operand)
      angle.addProduct(value.operand, .constant(0.5))
    }
    switch plan.align {
    case .none: break
    case .birth:
      guard let launchAngle = plan.launchAngle else { break }
      value.set(chunk.column(launchAngle).operand)
      value.add(.constant(Float(plan.alignOffset)))
      angle.add(value.operand)
    case .velocity:
      let velocities = chunk.velocities
      for index in 0..<chunk.count {
        let (x, y) = (Double(velocities.x[index]), Double(velocities.y[index]))
        angle[index] += Float(angleInDegrees(y, x) + plan.alignOffset)
      }
    }
  }

  /// One particle, as it is now.
  func snapshot(_ place: Int) -> ParticleSnapshot {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Part.allCases.count) { numbers in
      let base = numbers.baseAddress
      Chunk.forEach(
        place..<place + 1, of: columns, progress: activations.first?.progress ?? 0,
        scratch: scratch[thread]
      ) { chunk in
        evaluate(chunk) { part in base.map { Slice(base: $0 + part.rawValue, count: 1) } }
      }
      func look(_ part: Part) -> Double { Double(numbers[part.rawValue]) }
      func vector(_ x: Int, _ y: Int, _ z: Int) -> Vector {
        Vector(Double(columns[x][place]), Double(columns[y][place]), Double(columns[z][place]))
      }
      return ParticleSnapshot(
        emitter: Int(plan.index), ordinal: columns.ordinals[place],
        place: vector(Fixed.x, Fixed.y, Fixed.z),
        velocity: vector(Fixed.vx, Fixed.vy, Fixed.vz),
        color: Color(look(.red), look(.green), look(.blue), look(.alpha)),
        angle: look(.angle), size: look(.width))
    }
  }
}

/// The state of a particle that other emitters may inherit.
struct ParticleSnapshot {
  var emitter: Int
  var ordinal: UInt64
  var place: Vector
  var velocity: Vector
  var color: Color
  var angle: Double
  var size: Double
}

/// The parts of the appearance that are the same for all particles at all times.
struct LookPlan {
  /// For each part the number, if it is one.
  var constants = [Float?](repeating: nil, count: AppearanceStorage.Part.allCases.count)
  /// Whether the height is the width.
  let isSquare: Bool

  init(_ plan: EmitterPlan) {
    isSquare = plan.height == nil
    constants[AppearanceStorage.Part.intensity.rawValue] = plan.intensity.constant
    constants[AppearanceStorage.Part.mix.rawValue] = plan.mix.constant
    constants[AppearanceStorage.Part.depth.rawValue] = plan.depth.constant
    guard plan.inherited == nil else { return }
    constants[AppearanceStorage.Part.width.rawValue] = plan.width.constant
    constants[AppearanceStorage.Part.height.rawValue] = plan.height?.constant
    for (channel, part) in [AppearanceStorage.Part.red, .green, .blue].enumerated() {
      constants[part.rawValue] = plan.color.constant(channel)
    }
    if let alpha = plan.color.constant(3), let opacity = plan.opacity.constant {
      constants[AppearanceStorage.Part.alpha.rawValue] = alpha * opacity
    }
    if let angle = plan.angle.constant, plan.turned == nil, plan.angularVelocity.constant == 0,
      plan.angularAcceleration.number == 0, plan.align == .none
    {
      constants[AppearanceStorage.Part.angle.rawValue] = angle
    }
  }

  func isComputed(_ part: AppearanceStorage.Part) -> Bool {
    constants[part.rawValue] == nil && !(part == .height && isSquare)
  }

  /// Whether nothing has to be computed.
  var isConstant: Bool { !AppearanceStorage.Part.allCases.contains(where: isComputed) }
}
