internal import ParticlesCore
public import ParticlesModel

extension ParticleFormat {
  /// Exports an effect and reports every difference.
  ///
  /// The encoder gets the effect in the unit of length of the format, with its clocks converted if
  /// necessary. The result is read again and compared with the effect, property by property. A
  /// difference that no line of the encoder covers gets its own line
  /// (``ParticlesCore/Rule/changed``), so that no encoder can change anything without a report.
  /// - Throws: the first error of the effect, if it is not valid;
  ///   ``ParticlesCore/Rule/unknownFormat`` if the format cannot be written; errors of
  ///   encoding, or of reading the result again; ``ParticlesCore/Rule/limit`` if the effect needs more
  ///   than ``ParticlesCore/Limits/work`` or ``ParticlesCore/Limits/memory``; `CancellationError` if the
  ///   current task is cancelled.
  public func export(_ system: ParticleSystem, _ context: EncodingContext) throws -> Exported {
    try WorkBudget.run(context.limits) {
      try EmitterCost.spend(onWriting: system.emitters)
      return try exportWithinBudget(system, context)
    }
  }

  private func exportWithinBudget(_ system: ParticleSystem, _ context: EncodingContext) throws
    -> Exported
  {
    guard case .effect(let decode, let encode?) = content else {
      throw Diagnostic(
        .unknownFormat, expected: "a format of effects that can be written", found: title,
        hint: "choose a format that can be written")
    }
    if let fault = system.diagnostics().first(where: { $0.severity == .error }) { throw fault }
    var system = system
    let (capabilities, typesetter) = (capabilities, makeTypesetter?())
    let unit = capabilities.map { capabilities in
      system.asset.dimension == .space
        ? capabilities.unitInSpace ?? capabilities.unit : capabilities.unit
    }
    let conversion = unit.flatMap { UnitConversion(of: system.asset, to: $0) }
    if let conversion { system = conversion.convert(system) }
    let original = system
    let paceLines = capabilities?[.speed] == .approximated ? system.takePlainPace() : []
    let shapeLines =
      capabilities.map { system.settleShapes(for: $0) + system.settleEmission(for: $0) } ?? []
    let source = system
    var context = context
    context.engine = engine(for: system.asset.profile)
    let lawLines =
      capabilities.map { system.leaveLaw(for: context.engine ?? $0.profile) } ?? []
    var exported = try encode(system, context)
    exported.losses += typesetter?.losses(of: system) ?? []
    try EmitterCost.spend(
      onReadingAgain: exported.parts.reduce(0) { $0 + ($1.model ?? $1.bytes).count })
    var audit = try Audit(of: exported, from: system, decode: decode, context)
    exported.losses = audit.explained(exported.losses + audit.unexplained).map(\.leveled)
    if let conversion { exported.losses.append(conversion.line) }
    exported.losses += paceLines + shapeLines + lawLines
    var estimates =
      context.isEstimating ? EstimatedLosses(original, audit.result, context) : nil
    exported.losses = estimates?.leveled(exported.losses) ?? exported.losses
    if var line = source.lawLine(of: audit.result) {
      let level = Loss.Level(difference: estimates?.differenceOfLaw() ?? 0)
      if level > line.lossLevel { line = line.leveled(level, .estimated) }
      exported.losses.append(line)
    }
    exported.losses = source.quietingUnseen(
      source.addingBlending(of: audit.result, to: exported.losses, &estimates))
    try typesetter?.typeset(&exported, system, limits: context.limits)
    return exported
  }
}

extension ParticleSystem {
  /// Converts all clocks to speed 1, for formats without a playback speed. A stopped clock is not
  /// changed; the encoder reports it.
  /// - Returns: a line for each changed emitter.
  fileprivate mutating func takePlainPace() -> [Diagnostic] {
    emitters.indices.compactMap { index in
      let (emitter, path) = (emitters[index], "emitters[\(index)].timing.speed")
      guard emitter.timing.speed != 1, let plain = emitter.atPlainPace else { return nil }
      emitters[index] = plain
      var line = Diagnostic(
        .restated, .speed, at: path, "a playback speed is not supported",
        recipe: "times divided by the speed; rates and velocities multiplied by it, "
          + "accelerations by its square")
      line.loss?.emitter = emitter.name
      line.loss?.source = Loss.Side(path, .finite(emitter.timing.speed))
      return line
    }
  }
}

extension Diagnostic {
  /// The line with a level that is not above that of its known error. An approximation without any
  /// error is another form of the same value.
  fileprivate var leveled: Diagnostic {
    guard let loss, let share = loss.metric?.share else { return self }
    var line = self
    let level = min(loss.level, Loss.Level(difference: share.magnitude))
    line.loss?.level = level
    if level == .info { line.severity = .note }
    if share == 0, rule == .approximated { line.rule = .restated }
    return line
  }
}
