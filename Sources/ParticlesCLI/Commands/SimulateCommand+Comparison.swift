internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesModel
internal import ParticlesRender

extension Option {
  static let against = Option(
    "against", value: .file("other"),
    "Print how different the effect is from another effect, or from statistics of a run.")
}

extension Invocation {
  /// Runs `simulate --against`.
  func compare(
    _ input: String, with other: String, profile: ParticleSystem.Profile?
  ) throws -> ExitStatus {
    for option in Option.excludedByComparison
    where value(option) != nil || flag(option) {
      throw UsageError("'--against' and '\(option.spelling)' exclude each other")
    }
    guard input != Self.standardStream || other != Self.standardStream else {
      throw UsageError("only one of the two can be standard input")
    }
    let limits = try pictureLimits()
    let (difference, isOverCapacity) = try difference(
      of: try side(at: input, profile), try side(at: other, nil), limits)
    if isOverCapacity { note([.particlesLeftOut(input, limits, orRun: nil)]) }
    if flag(.json) {
      guard var object = difference.json.object else { return .failed }
      object["source"] = .string(input)
      object["against"] = .string(other)
      try print(.object(object))
    } else {
      var table = Table(.left, .right)
      for aspect in EffectDifference.Aspect.allCases {
        if let number = difference.aspects[aspect] { table.add(aspect.rawValue, number.text) }
      }
      try console.write(table.text)
      let greatest = difference.greatest.map { " (\($0.rawValue))" } ?? ""
      try console.print("difference \(difference.whole.text)\(greatest)")
    }
    return .done
  }

  private enum Side {
    case effect(ParticleSystem, ParticleSystem.Profile?, turning: [Double])
    case record(EffectRecord)
  }

  private func side(at path: String, _ profile: ParticleSystem.Profile?) throws -> Side {
    if path != Self.standardStream, try Files.status(path)?.kind == .file {
      let bytes = try Files.read(path)
      if let json = try? JSONValue(parsing: bytes), EffectRecord.isRecord(json) {
        return .record(try locating(Location(file: path)) { try EffectRecord(json: json) })
      }
    }
    let package = try effect(at: path).package
    let system = try locating(Location(file: path)) { try package.system() }
    return .effect(system, profile, turning: package.turning(of: system))
  }

  /// The factor from the unit of an effect to that of a recording.
  private static func length(_ system: ParticleSystem, _ record: EffectRecord) -> Double {
    var asset = system.asset
    asset.unit = record.unit ?? asset.unit
    return UnitConversion.factor(from: system.asset, to: asset)
  }

  private func difference(
    of a: Side, _ b: Side, _ limits: Limits
  ) throws -> (difference: EffectDifference, isOverCapacity: Bool) {
    switch (a, b) {
    case (.effect(var system, let profile, let turning), .effect(let other, _, _)):
      system.asset.profile = profile ?? system.asset.profile
      let length = UnitConversion.factor(from: system.asset, to: other.asset)
      var plan = ParticleStatistics.Plan()
      plan.limits = limits
      for system in [system, other] {
        try plan.check(system, hint: ParticleStatistics.Plan.hintOfComparison)
      }
      let meter = try EffectMeter(system, length: length, turning: turning, limits: limits)
      return (try meter.difference(from: other), meter.isOverCapacity)
    case (.effect(let system, let profile, let turning), .record(let record)):
      return try record.measured(
        system, profile: profile ?? system.asset.profile, length: Self.length(system, record),
        turning: turning, limits: limits)
    case (.record(let record), .effect(let system, _, let turning)):
      return try record.measured(
        system, profile: system.asset.profile, length: Self.length(system, record),
        turning: turning, limits: limits)
    case (.record(let one), .record(let other)):
      guard one.plan.sampledFrames == other.plan.sampledFrames else {
        throw UsageError(
          "the recordings have different frames",
          hint: "print the statistics with the same --frames and --every")
      }
      return (EffectDifference([one], [other]), false)
    }
  }
}

extension Double {
  /// Three digits after the point.
  fileprivate var text: String {
    let thousandths = String(Int(saturating: (self * 1000).rounded()) + 1000)
    return "\(thousandths.first == "2" ? 1 : 0).\(thousandths.dropFirst())"
  }
}
