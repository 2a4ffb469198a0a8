internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Compares an effect with the result of reading its exported files again.
struct Audit {
  private let system: ParticleSystem

  private var values: StatedValues

  /// The values that it states at changed paths.
  private let old: [String: JSONValue]

  /// Lines for changes that no line of the report covers.
  let unexplained: [Diagnostic]

  /// The effect that the exported files are read as.
  let result: ParticleSystem

  /// The number of look-ups that were needed to match lines with changes.
  let lookups: Int

  init(
    of exported: Exported, from system: ParticleSystem, decode: ParticleFormat.EffectDecoder,
    _ context: EncodingContext
  ) throws {
    let original = system
    var system = system
    for index in system.images.indices where system.images[index].sha256 == nil {
      system.images[index].sha256 = try context.readImage(system.images[index].uri)
        .map { SHA256.digest($0).description }
    }
    system.prepareForAudit()
    var read = try exported.effect(
      by: decode, engine: context.engine, limits: context.limits,
      find: {
        try exported.others[$0] ?? context.related($0) ?? context.picture($0, of: original)
      }
    ).system
    result = read
    read.prepareForAudit()
    var told = PathIndex(exported.losses)
    let unused = system.forgetUnusedDirections(alsoOf: &read).filter { !told.covers($0) }
    let differences = system.differences(from: read)
    var (values, readValues) = (StatedValues(of: system), StatedValues(of: read))
    var (dead, rest): ([Diagnostic], [PropertyDifference]) = ([], [])
    for difference in differences where !told.covers(difference.path) {
      if values.isFactorElsewhere(at: difference.path, in: &readValues) { continue }
      if let capability = system.unusedCapability(at: difference.path, of: &values) {
        dead.append(
          Diagnostic(.dead, capability, at: difference.path, "its kind does not use it"))
      } else {
        rest.append(difference)
      }
    }
    let common = CommonLoss.lines(for: rest)
    var covering = PathIndex(common)
    unexplained =
      unused.map {
        Diagnostic(.dead, .spread2D, at: $0, "the mode of the direction does not use it")
      } + dead + common
      + rest.filter { !covering.covers($0.path) }.map { Diagnostic(changed: $0, in: system) }
    lookups = told.lookups + covering.lookups
    old = Dictionary(
      differences.compactMap { change in change.old.map { (change.path, $0) } },
      uniquingKeysWith: { first, _ in first })
    (self.system, self.values) = (system, values)
  }

  /// Completes the lines with the name of the emitter and the value in the effect.
  mutating func explained(_ losses: [Diagnostic]) -> [Diagnostic] {
    losses.map { line in
      guard var loss = line.loss else { return line }
      loss.emitter = loss.emitter ?? system.emitterName(at: loss.path)
      var source =
        loss.source ?? Loss.Side(loss.path, old[loss.path] ?? values.value(at: loss.path))
      if let value = source.value {
        let unit =
          ValueText.takesUnit(value) ? ValueText.unit(of: loss.path, system.asset) : nil
        source.text = ValueText(unit: unit).text(of: value)
      }
      loss.source = source
      var line = line
      line.loss = loss
      return line
    }
  }
}

extension Diagnostic {
  fileprivate init(changed difference: PropertyDifference, in system: ParticleSystem) {
    self.init(.changed, at: .key(difference.path))
    expected = difference.old?.excerpt
    found = difference.new?.excerpt ?? "nothing"
    var loss = Loss(
      feature: "unexplained", level: .medium, path: difference.path,
      target: Loss.Side(nil, difference.new))
    loss.source = Loss.Side(difference.path, difference.old)
    loss.emitter = system.emitterName(at: difference.path)
    self.loss = loss
  }
}

extension JSONValue {
  /// This value on one line, truncated if long.
  fileprivate var excerpt: String {
    let line = text.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    return line.utf8.count <= 60 ? line : String(line.prefix(57)) + "..."
  }
}
