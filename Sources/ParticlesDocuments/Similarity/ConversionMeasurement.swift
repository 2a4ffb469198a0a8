package import ParticlesCore
package import ParticlesFormats
package import ParticlesModel
package import ParticlesRender

/// The measured difference between an effect and the result of a conversion, and what each line of the
/// loss report contributes.
package struct ConversionMeasurement {
  /// The difference between the effects; nil if the source emits nothing.
  package let difference: EffectDifference?

  /// The lines, with differences and levels.
  package let losses: [Diagnostic]

  /// The most lines whose differences are measured; the levels of others stay estimates.
  private static let mostLines = 12

  /// Measures a conversion.
  /// - Parameters:
  ///   - system: the effect.
  ///   - exported: the files that it became.
  ///   - format: their format.
  ///   - limits: for reading the files, and for living particles.
  package init(
    of system: ParticleSystem, exported: Exported, as format: ParticleFormat, firstSeed: UInt64 = 1,
    limits: Limits = .standard
  ) throws {
    let (source, factor) = format.inOwnUnit(system)
    let result = try format.effect(in: exported, limits: limits).system
    let meter = EffectMeter(system, length: factor, firstSeed: firstSeed, limits: limits)
    guard meter.isEmitting else {
      (difference, losses) = (nil, exported.losses)
      return
    }
    let whole = meter.difference(from: result)
    difference = whole
    let exchange = PropertyExchange(source, result)
    var count = 0
    var lines = exported.losses.map { line -> Diagnostic in
      guard let loss = line.loss, line.isMeasured else { return line }
      guard count < Self.mostLines, let changed = exchange.replacing([loss.path] + loss.alsoPaths)
      else { return line }
      guard changed != source else { return line.measured(EffectDifference(), atMost: whole) }
      count += 1
      return line.measured(meter.difference(from: changed), atMost: whole)
    }
    if whole.whole >= Self.visible, !lines.contains(where: { $0.isVisibleLoss }) {
      lines.append(Self.unexplained(whole))
    }
    losses = lines
  }

  /// The difference from which on there has to be a line about it.
  private static let visible = 0.05

  /// The line for a visible difference that no line explains.
  private static func unexplained(_ difference: EffectDifference) -> Diagnostic {
    let aspect = difference.greatest?.rawValue ?? "effect"
    var line = Diagnostic(.changed, at: .key("emitters"), "the running effect differs in \(aspect)")
    line.severity = .warning
    var loss = Loss(
      feature: "unexplained", level: Loss.Level(difference: difference.whole), path: "emitters")
    loss.difference = difference.whole
    loss.aspect = aspect
    line.loss = loss
    return line
  }
}

extension Diagnostic {
  /// Whether its change can be measured.
  fileprivate var isMeasured: Bool {
    guard let loss, loss.path.hasPrefix("emitters[") else { return false }
    guard let capability = Capability.all.first(where: { $0.id == loss.feature }) else {
      return rule == .changed
    }
    return capability.isMeasurable
      && [Rule.lost, .approximated, .assumed, .clamped, .changed, .uninterpreted].contains(rule)
  }

  /// Whether it tells of something that can be seen.
  fileprivate var isVisibleLoss: Bool {
    lossLevel > .info && rule != .missingImage
  }

  /// The line with the measured difference and its level. It is at most that of the effects, because
  /// other changes can make up for it.
  fileprivate func measured(
    _ difference: EffectDifference, atMost whole: EffectDifference
  ) -> Diagnostic {
    var line = self
    let amount = min(difference.whole, whole.whole)
    line.loss?.difference = amount
    line.loss?.aspect = amount > 0 ? difference.greatest?.rawValue : nil
    let level = Loss.Level(difference: amount)
    line.loss?.level = level
    line.severity = level == .info ? .note : .warning
    return line
  }
}
