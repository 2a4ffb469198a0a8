internal import ParticlesCore
public import ParticlesModel

extension ParticleFormat {
  /// Writes an effect, and accounts for all that is not the same afterwards.
  ///
  /// What was written is read again and compared with the effect, property by property. Whatever
  /// differs and is spoken for by no line of the encoder's gets a line of its own
  /// (``ParticlesCore/Rule/changed``), so that nothing changes in silence, whoever wrote the
  /// encoder.
  /// - Throws: ``ParticlesCore/Rule/unknownFormat`` if files of the format cannot be written, and
  ///   what keeps the encoder from writing or us from reading what it wrote.
  public func encode(
    _ system: ParticleSystem, _ context: EncodingContext
  ) throws -> Exported {
    guard case .effect(let decode, let encode?) = content else {
      throw Diagnostic(
        .unknownFormat, expected: "a format of effects that can be written", found: title,
        hint: "'particles formats' tells which can")
    }
    var exported = try encode(system, context)
    let audit = try Audit(of: exported, from: system, decode: decode, limits: context.limits)
    exported.losses = audit.explained(exported.losses + audit.unexplained)
    return exported
  }
}
