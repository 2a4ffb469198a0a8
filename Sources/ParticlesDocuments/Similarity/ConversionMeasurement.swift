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
    let isTurned = source.asset.dimension != result.asset.dimension
    var (count, explained) = (0, EffectDifference())
    var together: [String] = []
    var lines = exported.losses.map { line -> Diagnostic in
      guard let loss = line.loss else { return line }
      if let index = line.blendedEmitter {
        let difference = meter.blending(ofEmitter: index, of: result)
        explained.add(EffectDifference([.blending: difference]))
        return line.measured(EffectDifference([.blending: difference]), atMost: whole)
      }
      if line.isOfLaw {
        var changed = source
        changed.asset.profile = result.asset.profile
        var difference = meter.difference(fromForm: changed)
        difference.aspects[.blending] = nil
        explained.add(difference)
        return line.measured(difference, atMost: whole)
      }
      guard line.isMeasurable, count < Self.mostLines else { return line }
      // Cones are seen as fans in the plane.
      let dimension = isTurned && loss.path.contains("].launch") ? ["asset.dimension"] : []
      let paths = [loss.path] + loss.alsoPaths + dimension
      guard let changed = exchange.replacing(paths) else { return line }
      together += paths
      var difference = EffectDifference()
      if changed != source {
        count += 1
        difference = meter.difference(fromForm: changed)
        explained.add(difference)
      }
      return line.measured(difference, atMost: whole)
    }
    // Changes can amplify each other.
    if !Self.rest(whole, but: explained).isEmpty, let changed = exchange.replacing(together) {
      explained.add(meter.difference(fromForm: changed))
    }
    lines += Self.unexplained(whole, but: explained)
    losses = lines
  }

  /// The difference of an aspect from which on there has to be a line about it.
  private static let visible = 0.05
  /// The share of the difference of an aspect that one line has to make alone to explain it.
  private static let explaining = 0.25

  /// The aspects that visibly differ, and that nothing explains.
  private static func rest(
    _ whole: EffectDifference, but explained: EffectDifference
  ) -> [EffectDifference.Aspect] {
    EffectDifference.Aspect.allCases.filter { aspect in
      let difference = whole.aspects[aspect] ?? 0
      return difference >= visible && explained.aspects[aspect] ?? 0 < explaining * difference
    }
  }

  /// A line about visible differences that no other line explains.
  private static func unexplained(
    _ whole: EffectDifference, but explained: EffectDifference
  ) -> [Diagnostic] {
    let rest = rest(whole, but: explained)
    guard !rest.isEmpty else { return [] }
    let names = rest.map(\.rawValue).joined(separator: ", ")
    return [
      line(rest, of: whole, "\(names) of the running effect, which no property explains")
    ]
  }

  private static func line(
    _ aspects: [EffectDifference.Aspect], of whole: EffectDifference, _ detail: String
  ) -> Diagnostic {
    let greatest = aspects.max { whole.aspects[$0] ?? 0 < whole.aspects[$1] ?? 0 }
    let difference = greatest.flatMap { whole.aspects[$0] } ?? 0
    var line = Diagnostic(.changed, at: .key("emitters"), detail)
    var loss = Loss(
      feature: "unexplained",
      level: Loss.Level(difference: difference), path: "emitters")
    loss.difference = difference
    loss.aspect = greatest?.rawValue
    line.loss = loss
    return line
  }
}

extension EffectDifference {
  /// Takes the greater number of each aspect.
  fileprivate mutating func add(_ other: EffectDifference) {
    for (aspect, number) in other.aspects { aspects[aspect] = max(aspects[aspect] ?? 0, number) }
  }
}

extension Diagnostic {
  /// The index of the emitter whose blend mode the line is about; nil for other lines.
  fileprivate var blendedEmitter: Int? {
    guard let path = loss?.path, path.hasPrefix("emitters["), path.hasSuffix("].render.blend"),
      [Rule.lost, .approximated].contains(rule)
    else { return nil }
    return Int(path.dropFirst("emitters[".count).dropLast("].render.blend".count))
  }

  /// Whether the line is about the laws of the engines, not about a value.
  fileprivate var isOfLaw: Bool { loss?.feature == "law" }

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
