internal import ParticlesModel

extension EmitterPlan {
  /// Evaluates what particles look like; see `Spec/document.md`, section Appearance.
  /// - Parameters:
  ///   - lastStep: the seconds of the last step.
  ///   - target: the place of a column; nil if it is not needed.
  func evaluate(
    _ chunk: Chunk, lastStep: Float, into target: (AppearanceStorage.Part) -> Slice?
  ) {
    chunk.setInputs(self)
    if law.evaluation == .before {
      // The visible values are those of the last step, at the age before it.
      let share = chunk[.share]
      for index in 0..<chunk.count where chunk.life[index] > 0 {
        share[index] = max(0, chunk.age[index] - lastStep) / chunk.life[index]
      }
    }
    let (width, height, alpha) = (target(.width), target(.height), target(.alpha))
    if let width { self.width.evaluate(chunk, into: width) }
    if let height { self.height?.evaluate(chunk, into: height) }
    if let angle = target(.angle) { turn(chunk, into: angle) }
    let channels = (target(.red), target(.green), target(.blue), alpha)
    color.evaluate(chunk, into: channels)
    if let alpha {
      if let opacity = opacity.constant {
        if opacity != 1 { alpha.multiply(.constant(opacity)) }
      } else {
        let value = chunk[.value]
        opacity.evaluate(chunk, into: value)
        alpha.multiply(value.operand)
      }
    }
    if let out = target(.intensity) { intensity.evaluate(chunk, into: out) }
    if let out = target(.mix) { mix.evaluate(chunk, into: out) }
    if let out = target(.depth) { depth.evaluate(chunk, into: out) }
    guard let inherited else { return }
    channels.0?.multiply(chunk.column(inherited.red).operand)
    channels.1?.multiply(chunk.column(inherited.green).operand)
    channels.2?.multiply(chunk.column(inherited.blue).operand)
    channels.3?.multiply(chunk.column(inherited.alpha).operand)
    target(.angle)?.add(chunk.column(inherited.angle).operand)
    width?.multiply(chunk.column(inherited.size).operand)
    height?.multiply(chunk.column(inherited.size).operand)
  }

  /// Evaluates angles.
  private func turn(_ chunk: Chunk, into out: Slice) {
    let value = chunk[.value]
    if let start = angle.source, let turn = angularVelocity.source, turned == nil {
      out.setLinear(chunk.operand(start), chunk.operand(turn), chunk.age)
    } else {
      angle.evaluate(chunk, into: out)
      if let turned {
        out.add(chunk.column(turned).operand)
      } else {
        angularVelocity.evaluate(chunk, into: value)
        out.addProduct(value.operand, chunk.age.operand)
      }
    }
    if angularAcceleration.number != 0 {
      value.set(chunk.operand(angularAcceleration))
      value.multiply(chunk.age.operand)
      value.multiply(chunk.age.operand)
      out.addProduct(value.operand, .constant(0.5))
    }
    switch align {
    case .none: break
    case .birth:
      guard let launchAngle else { break }
      value.set(chunk.column(launchAngle).operand)
      value.add(.constant(Float(alignOffset)))
      out.add(value.operand)
    case .velocity:
      if law.alignment == .direction, let heading {
        heading.angle.evaluate(chunk, into: value)
        value.add(.constant(Float(alignOffset + emitter.transform.angle)))
        return out.add(value.operand)
      }
      out.addAngle(of: chunk.velocities, offset: alignOffset)
    }
  }
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
