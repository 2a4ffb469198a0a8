internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesModel
internal import ParticlesRender

/// The lines of a report with what each contributes to a difference.
struct LineMeasurement {
  private let source: ParticleSystem
  private let result: ParticleSystem
  private let meter: EffectMeter
  private let isTurned: Bool
  private let whole: EffectDifference

  /// The lines, with differences and levels.
  private(set) var lines: [Diagnostic] = []
  /// The greatest difference of a line, by the aspect.
  private var explained = EffectDifference()

  /// The most lines whose differences are measured; the levels of others stay estimates.
  private static let mostLines = 12

  /// - Parameters:
  ///   - source: the effect.
  ///   - result: the effect after the conversion, in the unit of the source.
  ///   - meter: compares with the source.
  ///   - isTurned: whether one of them is in a plane, and the other in space.
  ///   - whole: the difference between them.
  init(
    _ source: ParticleSystem, _ result: ParticleSystem, _ meter: EffectMeter, isTurned: Bool,
    whole: EffectDifference
  ) {
    (self.source, self.result, self.meter) = (source, result, meter)
    (self.isTurned, self.whole) = (isTurned, whole)
  }

  /// Measures each line alone, those with the highest estimates first.
  mutating func measure(_ losses: [Diagnostic]) throws {
    lines = losses
    for (index, line) in losses.enumerated() {
      if let emitter = line.blendedEmitter {
        let blending = meter.blending(ofEmitter: emitter, of: result)
        take(EffectDifference([.blending: blending]), at: index)
      } else if line.isOfLaw {
        var changed = source
        changed.asset.profile = result.asset.profile
        take(try lawDifference(changed), at: index)
      }
    }
    let rest = losses.indices.filter { losses[$0].isMeasurable && !isMeasured($0) }
    try measure(rest.sorted { (losses[$1].lossLevel, $0) < (losses[$0].lossLevel, $1) })
  }

  /// Measures the lines that were not measured yet, and those about other forms of the same value, which
  /// engines can simulate differently.
  mutating func measureRest() throws {
    try measure(
      lines.indices.filter {
        !isMeasured($0) && (lines[$0].isMeasurable || lines[$0].isOfAnotherForm)
      })
  }

  /// Measures lines alone, at most ``mostLines`` that change anything.
  private mutating func measure(_ indices: [Int]) throws {
    let exchange = PropertyExchange(source, result)
    var count = 0
    for index in indices {
      guard let changed = exchange.replacing(paths(of: lines[index])) else { continue }
      guard changed != source else {
        if !lines[index].isOfAnotherForm { take(EffectDifference(), at: index) }
        continue
      }
      guard count < Self.mostLines else { return }
      count += 1
      let difference = try meter.difference(fromForm: changed)
      // Another form of the same value has no line of its own to show that nothing differs.
      guard !lines[index].isOfAnotherForm || explains(difference) else { continue }
      take(difference, at: index)
    }
  }

  private func isMeasured(_ index: Int) -> Bool { lines[index].loss?.difference != nil }

  private mutating func take(_ difference: EffectDifference, at index: Int) {
    explained.add(difference)
    lines[index] = lines[index].measured(difference, atMost: whole)
  }

  /// Whether a difference explains an aspect that nothing explains yet.
  private func explains(_ difference: EffectDifference) -> Bool {
    rest.contains { difference.aspects[$0] ?? 0 >= Self.explaining * (whole.aspects[$0] ?? 0) }
  }

  /// Measures all lines together.
  mutating func measureTogether() throws {
    let exchange = PropertyExchange(source, result)
    let changing = lines.filter { $0.isMeasurable && exchanged($0, exchange) != nil }
    guard let changed = exchange.replacing(changing.flatMap { paths(of: $0) }) else { return }
    explained.add(try meter.difference(fromForm: changed))
  }

  /// Adds a line about the laws of the engines if they explain what no line explains yet.
  /// - Parameter lawful: the source under the law of the result.
  mutating func measureLaw(_ lawful: ParticleSystem) throws {
    guard !lines.contains(where: \.isOfLaw) else { return }
    let difference = try lawDifference(lawful)
    let before = rest
    explained.add(difference)
    guard rest != before else { return }
    let names = (source.asset.profile.rawValue, lawful.asset.profile.rawValue)
    var line = Diagnostic(
      .approximated, at: .key("asset.profile"),
      "\(names.0) and \(names.1) simulate the same values differently")
    line.loss = Loss(
      feature: "law", level: Loss.Level(difference: difference.whole), path: "asset.profile")
    lines.append(line.measured(difference, atMost: whole))
  }

  /// Measures the lines under the law of the result, too. The greater difference counts.
  mutating func measureAgain(_ lawful: ParticleSystem, _ meter: EffectMeter) throws {
    let exchange = PropertyExchange(lawful, result)
    for (index, line) in lines.enumerated()
    where hasRest && (isMeasured(index) || line.isOfAnotherForm) {
      guard !line.isOfLaw, line.blendedEmitter == nil, let changed = exchanged(line, exchange),
        changed != lawful
      else { continue }
      let difference = try meter.difference(fromForm: changed)
      guard !line.isOfAnotherForm || explains(difference) else { continue }
      explained.add(difference)
      let again = line.measured(difference, atMost: whole)
      if again.loss?.difference ?? 0 > line.loss?.difference ?? 0 { lines[index] = again }
    }
  }

  private func lawDifference(_ lawful: ParticleSystem) throws -> EffectDifference {
    var difference = try meter.difference(fromForm: lawful)
    difference.aspects[.blending] = nil
    return difference
  }

  private func paths(of line: Diagnostic) -> [String] {
    guard let loss = line.loss else { return [] }
    // Cones are seen as fans in the plane.
    let dimension = isTurned && loss.path.contains("].launch") ? ["asset.dimension"] : []
    return [loss.path] + loss.alsoPaths + dimension
  }

  /// The effect after the change of a line; nil if it cannot be measured.
  private func exchanged(_ line: Diagnostic, _ exchange: PropertyExchange) -> ParticleSystem? {
    line.isMeasurable || line.isOfAnotherForm ? exchange.replacing(paths(of: line)) : nil
  }

  /// The difference of an aspect from which on there has to be a line about it.
  private static let visible = 0.05
  /// The share of the difference of an aspect that one line has to make alone to explain it.
  private static let explaining = 0.25

  /// The aspects that visibly differ, and that nothing explains.
  private var rest: [EffectDifference.Aspect] {
    EffectDifference.Aspect.allCases.filter { aspect in
      let difference = whole.aspects[aspect] ?? 0
      return difference >= Self.visible
        && explained.aspects[aspect] ?? 0 < Self.explaining * difference
    }
  }

  var hasRest: Bool { !rest.isEmpty }

  /// A line about visible differences that no other line explains.
  var unexplained: [Diagnostic] {
    guard hasRest else { return [] }
    let names = rest.map(\.rawValue).joined(separator: ", ")
    let greatest = rest.max { whole.aspects[$0] ?? 0 < whole.aspects[$1] ?? 0 }
    let difference = greatest.flatMap { whole.aspects[$0] } ?? 0
    var line = Diagnostic(
      .changed, at: .key("emitters"), "\(names) of the running effect, which no property explains")
    var loss = Loss(
      feature: "unexplained",
      level: Loss.Level(difference: difference), path: "emitters")
    loss.difference = difference
    loss.basis = .measured
    loss.aspect = greatest?.rawValue
    line.loss = loss
    return [line]
  }
}

extension EffectDifference {
  /// Takes the greater number of each aspect.
  fileprivate mutating func add(_ other: EffectDifference) {
    for (aspect, number) in other.aspects { aspects[aspect] = max(aspects[aspect] ?? 0, number) }
  }
}

extension Diagnostic {
  /// Whether the line is about the laws of the engines, not about a value.
  fileprivate var isOfLaw: Bool { loss?.feature == "law" }

  /// The line with the measured difference and its level. No aspect differs more than that of the effects, because
  /// other changes can make up for it.
  fileprivate func measured(
    _ difference: EffectDifference, atMost whole: EffectDifference
  ) -> Diagnostic {
    var limited = EffectDifference()
    for (aspect, number) in difference.aspects {
      limited.aspects[aspect] = min(number, whole.aspects[aspect] ?? whole.whole)
    }
    var line = self
    line.loss?.difference = limited.whole
    line.loss?.aspect = limited.whole > 0 ? limited.greatest?.rawValue : nil
    return line.leveled(Loss.Level(difference: limited.whole), .measured)
  }
}
