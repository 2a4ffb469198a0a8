package import ParticlesCore
package import ParticlesFormats
internal import ParticlesModel
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
  ///   - package: the effect.
  ///   - exported: the files that it became.
  ///   - format: their format.
  ///   - firstSeed: the seed of the first run.
  ///   - measuresLines: whether each line is measured alone.
  ///   - limits: for reading the files, and for living particles.
  package init(
    of package: EffectPackage, exported: Exported, as format: ParticleFormat,
    firstSeed: UInt64 = 1, measuresLines: Bool = true, limits: Limits = .standard
  ) throws {
    let source = try package.system(limits: limits)
    let result = try format.effect(in: exported, limits: limits).system
    let length = UnitConversion.factor(from: source.asset, to: result.asset)
    let meter = EffectMeter(
      source, length: length, turning: package.turning(of: source, limits: limits),
      firstSeed: firstSeed, limits: limits)
    guard meter.isEmitting else {
      (difference, losses) = (nil, exported.losses)
      return
    }
    let whole = meter.difference(from: result)
    difference = whole
    guard measuresLines else {
      losses = exported.losses
      return
    }
    // Laws have lengths of their own, such as the smallest size: the source keeps its unit.
    let exchange = PropertyExchange(source, result.scaled(by: 1 / length))
    var (count, explained) = (0, EffectDifference())
    let lines = exported.losses.map { line -> Diagnostic in
      guard line.isMeasurable, let loss = line.loss, count < Self.mostLines,
        let changed = exchange.replacing([loss.path] + loss.alsoPaths)
      else { return line }
      var difference = EffectDifference()
      if changed != source {
        count += 1
        difference = meter.difference(fromForm: changed)
        for (aspect, number) in difference.aspects {
          explained.aspects[aspect] = max(explained.aspects[aspect] ?? 0, number)
        }
      }
      return line.measured(difference, atMost: whole)
    }
    let engines = (source.asset.profile, result.asset.profile)
    losses = lines + Self.unexplained(whole, but: explained, engines)
  }

  /// The difference of an aspect from which on there has to be a line about it.
  private static let visible = 0.05
  /// The share of the difference of an aspect that one line has to make alone to explain it.
  private static let explaining = 0.25

  /// Lines about visible differences that no other line explains.
  private static func unexplained(
    _ whole: EffectDifference, but explained: EffectDifference,
    _ engines: (ParticleSystem.Profile, ParticleSystem.Profile)
  ) -> [Diagnostic] {
    let rest = EffectDifference.Aspect.allCases.filter { aspect in
      let difference = whole.aspects[aspect] ?? 0
      return difference >= visible && explained.aspects[aspect] ?? 0 < explaining * difference
    }
    var lines: [Diagnostic] = []
    if rest.contains(.blending) {
      lines.append(line([.blending], of: whole, Self.blending(engines.0, engines.1)))
    }
    let others = rest.filter { $0 != .blending }
    if !others.isEmpty {
      let names = others.map(\.rawValue).joined(separator: ", ")
      lines.append(
        line(others, of: whole, "\(names) of the running effect, which no single property explains")
      )
    }
    return lines
  }

  private static func blending(
    _ a: ParticleSystem.Profile, _ b: ParticleSystem.Profile
  ) -> String {
    func light(_ engine: ParticleSystem.Profile) -> String {
      "\(engine.rawValue) in \(engine.drawing.space == .linear ? "linear light" : "sRGB")"
    }
    return a.drawing.space == b.drawing.space
      ? "blending: \(a.rawValue) and \(b.rawValue) combine colour and alpha in different ways"
      : "blending: \(light(a)), \(light(b))"
  }

  private static func line(
    _ aspects: [EffectDifference.Aspect], of whole: EffectDifference, _ detail: String
  ) -> Diagnostic {
    let greatest = aspects.max { whole.aspects[$0] ?? 0 < whole.aspects[$1] ?? 0 }
    let difference = greatest.flatMap { whole.aspects[$0] } ?? 0
    var line = Diagnostic(.changed, at: .key("emitters"), detail)
    var loss = Loss(
      feature: greatest == .blending ? "blending" : "unexplained",
      level: Loss.Level(difference: difference), path: "emitters")
    loss.difference = difference
    loss.aspect = greatest?.rawValue
    line.loss = loss
    return line
  }
}

extension Diagnostic {
  /// Whether its change can be measured.
  fileprivate var isMeasurable: Bool {
    guard let loss, loss.path.hasPrefix("emitters[") else { return false }
    guard let capability = Capability.all.first(where: { $0.id == loss.feature }) else {
      return rule == .changed
    }
    return capability.isMeasurable
      && [Rule.lost, .approximated, .assumed, .clamped, .changed, .uninterpreted].contains(rule)
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
