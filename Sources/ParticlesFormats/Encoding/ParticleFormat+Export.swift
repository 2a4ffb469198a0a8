internal import ParticlesCore
public import ParticlesModel

extension ParticleFormat {
  /// Writes an effect, and accounts for all that is not the same afterwards.
  ///
  /// The encoder gets the effect in the unit of length of the format, and with the clocks that it
  /// has.
  /// What was written is read again and compared with the effect, property by property. Whatever
  /// differs and is spoken for by no line of the encoder's gets a line of its own
  /// (``ParticlesCore/Rule/changed``), so that nothing changes in silence, whoever wrote the
  /// encoder.
  /// - Throws: what is wrong with the effect, if it is not valid: nobody could say what it means;
  ///   ``ParticlesCore/Rule/unknownFormat`` if files of the format cannot be written, and
  ///   what keeps the encoder from writing or us from reading what it wrote.
  public func export(_ system: ParticleSystem, _ context: EncodingContext) throws -> Exported {
    guard case .effect(let decode, let encode?) = content else {
      throw Diagnostic(
        .unknownFormat, expected: "a format of effects that can be written", found: title,
        hint: "choose one that can")
    }
    if let fault = system.diagnostics().first(where: { $0.severity == .error }) { throw fault }
    var system = system
    let conversion = capabilities.flatMap { UnitConversion(of: system.asset, to: $0.unit) }
    if let conversion { system = conversion.convert(system) }
    let paceLines = capabilities?[.speed] == .approximated ? system.takePlainPace() : []
    var exported = try encode(system, context)
    var audit = try Audit(of: exported, from: system, decode: decode, context)
    exported.losses = audit.explained(exported.losses + audit.unexplained)
    if let conversion { exported.losses.append(conversion.line) }
    exported.losses += paceLines
    return exported
  }
}

extension ParticleSystem {
  /// Gives all clocks the speed 1, for a format where all run alike. What stands still stays as it
  /// is, and is for the encoder to report.
  /// - Returns: a line for each emitter that has changed.
  fileprivate mutating func takePlainPace() -> [Diagnostic] {
    emitters.indices.compactMap { index in
      let (emitter, path) = (emitters[index], "emitters[\(index)].timing.speed")
      guard emitter.timing.speed != 1, let plain = emitter.atPlainPace else { return nil }
      emitters[index] = plain
      var line = Diagnostic(
        .restated, .speed, at: path, "there is one clock for all",
        recipe: "times divided by the speed; rates and velocities multiplied by it, "
          + "accelerations by its square")
      line.loss?.emitter = emitter.name
      line.loss?.source = Loss.Side(path, .finite(emitter.timing.speed))
      return line
    }
  }
}
