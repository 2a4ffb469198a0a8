public import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// The effect of a conversion on a property: the part of a ``ParticlesCore/Diagnostic`` that only
/// conversions have. The rule of the diagnostic is the kind (``ParticlesCore/Rule/lost``,
/// ``ParticlesCore/Rule/approximated``, …), its detail the text for people.
public struct Loss: DiagnosticDetail {
  /// "loss"
  public static let key = "loss"

  /// The severity of a loss.
  public enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
    /// No visible difference.
    case info
    /// Hardly visible.
    case low
    /// Visible side by side.
    case medium
    /// Looks different.
    case high

    /// From info to high.
    public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

    private var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }

    /// The level of a measured difference: `info` below 0.01, `low` below 0.05, `medium` below 0.2,
    /// `high` otherwise.
    /// - Parameter difference: from 0 for equal to 1 for nothing in common.
    public init(difference: Double) {
      self = Self.limits.first { difference < $0.below }?.level ?? .high
    }

    /// The levels below `high`, and the differences that they end at.
    package static let limits: [(level: Level, below: Double)] = [
      (.info, 0.01), (.low, 0.05), (.medium, 0.2),
    ]
  }

  /// The basis of a level.
  public enum Basis: String, Sendable, Hashable {
    /// Simulations of the effect before and after the change.
    case measured
    /// The expected particles of the effect.
    case estimated
    /// The feature alone: how much it shows in this effect is not known.
    case feature
  }

  /// A key and its value, as text, on one side of a conversion.
  public struct Side: Sendable, Hashable {
    /// The key, or the path of keys.
    public var key: String?
    /// The value.
    public var value: JSONValue?
    /// The value with its unit, in words: "10 to 20 px". Nil if it takes more than a few words.
    public var text: String?

    /// Creates a side.
    public init(_ key: String? = nil, _ value: JSONValue? = nil) {
      self.key = key
      self.value = value
    }
  }

  /// A measure of the error.
  public struct Metric: Sendable, Hashable {
    /// The measured quantity, such as "rate error".
    public var name: String
    /// The value.
    public var value: Double
    /// The unit.
    public var unit: String

    /// Creates a measure.
    public init(_ name: String, _ value: Double, _ unit: String) {
      self.name = name
      self.value = value
      self.unit = unit
    }

    /// The error as a share of the whole, if it follows from the unit.
    var share: Double? {
      switch unit {
      case "%": value / 100
      case "of 1": value
      default: value == 0 ? 0 : nil
      }
    }
  }

  /// The row of the capability matrix, such as `radial`.
  public var feature: String

  /// The severity.
  public var level: Level

  /// The basis of ``level``. The feature alone by default.
  public var basis = Basis.feature

  /// The path in the document: `emitters[0].forces[1]`. The line covers everything below.
  public var path: String

  /// Further paths in the document that the line covers. None by default.
  public var alsoPaths: [String] {
    get { ownPaths + (moved?.paths ?? []) }
    set { (ownPaths, moved) = (newValue, nil) }
  }

  /// The paths of ``alsoPaths`` that are stated one by one.
  private(set) var ownPaths: [String] = []

  /// The remaining paths, as ranges of sprites and emitters.
  var moved: MovedSprites?

  /// The name of the emitter. Nil if the loss concerns the whole effect.
  public var emitter: String?

  /// The source value, usually key and value of the document.
  public var source: Side?

  /// The value in the result.
  public var target: Side?

  /// The replacement, in a few words: "mean of the range".
  public var recipe: String?

  /// The error of the value itself, if the encoder knows it.
  public var metric: Metric?

  /// The difference that this change alone makes to the running effect, 0 to 1. Nil if it was not
  /// measured, so that ``level`` is an estimate.
  public var difference: Double?

  /// The aspect of the effect with the greatest difference, such as "position". Nil if nothing was
  /// measured.
  public var aspect: String?

  /// Creates a loss.
  public init(
    feature: String, level: Level, path: String, alsoPaths: [String] = [], target: Side? = nil,
    recipe: String? = nil, metric: Metric? = nil
  ) {
    self.feature = feature
    self.level = level
    self.path = path
    ownPaths = alsoPaths
    self.target = target
    self.recipe = recipe
    self.metric = metric
  }

  /// Whether the line covers a property of the document: one at or below one of its paths.
  public func covers(_ path: String) -> Bool {
    ([self.path] + ownPaths).contains { path.isPath(at: $0) } || moved?.covers(path) ?? false
  }
}

extension Loss {
  /// This loss as JSON: a part of the JSON of its diagnostic.
  public var json: JSONValue {
    var object: JSONObject = [
      "feature": .string(feature), "level": .string(level.rawValue), "path": .string(path),
    ]
    if !alsoPaths.isEmpty { object["alsoPaths"] = .array(alsoPaths.map(JSONValue.string)) }
    object["emitter"] = emitter.map(JSONValue.string)
    object["source"] = source?.json
    object["target"] = target?.json
    object["recipe"] = recipe.map(JSONValue.string)
    object["metric"] = metric.map {
      ["name": .string($0.name), "value": .double($0.value), "unit": .string($0.unit)]
    }
    object["difference"] = difference.map { .double(($0 * 10_000).rounded() / 10_000) }
    object["aspect"] = aspect.map(JSONValue.string)
    object["estimated"] = .bool(basis != .measured)
    object["basis"] = .string(basis.rawValue)
    return .object(object)
  }
}

extension Loss.Side {
  /// The key and the value, `null` where there is none.
  fileprivate var json: JSONValue {
    var object: JSONObject = ["key": key.map(JSONValue.string) ?? .null, "value": value ?? .null]
    object["text"] = text.map(JSONValue.string)
    return .object(object)
  }
}

extension Diagnostic {
  /// The loss, if the diagnostic is a line of a conversion. Otherwise nil.
  public var loss: Loss? {
    get { detail() }
    set { setDetail(newValue) }
  }
}

// Blend modes under the laws of two engines, which may draw equal factors differently.

extension ParticleSystem {
  /// Completes a report with how differently the emitters of the result are blended. The level
  /// follows from the difference for a particle of the mean colour, by the share of the emitter in
  /// the picture. A difference of nothing has no line.
  /// - Parameters:
  ///   - result: the effect that the files of the target format are read as.
  ///   - losses: the lines of the encoder. Lines about blend modes get the level.
  ///   - estimates: know the share. If nil, lines about one of several emitters are not measured.
  func addingBlending(
    of result: ParticleSystem, to losses: [Diagnostic], _ estimates: inout EstimatedLosses?
  ) -> [Diagnostic] {
    guard asset.profile != result.asset.profile else { return losses }
    var losses = losses
    var told: [Int: Int] = [:]
    for (place, line) in losses.enumerated() {
      if let emitter = line.blendedEmitter, told[emitter] == nil { told[emitter] = place }
    }
    for (index, pair) in zip(emitters, result.emitters).enumerated() {
      let known = estimates?.blending(ofEmitter: index)
      // Of several emitters, the share of each in the picture counts.
      let basis: Loss.Basis = known == nil && emitters.count > 1 ? .feature : .estimated
      let difference =
        known
        ?? BlendDifference.between(
          (pair.0.render.blend, asset.profile), (pair.1.render.blend, result.asset.profile),
          color: pair.0.meanLook)
      let path = "emitters[\(index)].render.blend"
      let level = Loss.Level(difference: difference)
      if let told = told[index] {
        losses[told] = losses[told].leveled(level, basis)
      } else if level > .info {
        var line = Diagnostic(
          .approximated, at: .key(path), BlendDifference.reason(asset.profile, result.asset.profile)
        )
        line.loss = Loss(feature: "blending", level: level, path: path)
        line.loss?.basis = basis
        line.loss?.emitter = pair.0.name
        losses.append(line)
      }
    }
    return losses
  }
}

extension Diagnostic {
  /// The index of the emitter whose blend mode the line is about. Nil for other lines.
  package var blendedEmitter: Int? {
    guard let path = loss?.path, path.hasSuffix("].render.blend"),
      [Rule.lost, .approximated].contains(rule)
    else { return nil }
    return ParticleSystem.emitterIndex(at: path)
  }
}

extension Emitter {
  /// The mean colour and opacity of particles, as much as they take of the picture.
  fileprivate var meanLook: SIMD4<Float> {
    let life = lifetime.mean
    let points = color.seen(lifetime: life).points
    let sizes = size.width.curve(lifetime: life).curve
    var (sum, whole) = (SIMD4<Double>.zero, 0.0)
    for (index, point) in points.enumerated() {
      let weight = max(sizes.value(at: Double(index) / Double(points.count - 1)), 0)
      sum += SIMD4(point.red, point.green, point.blue, point.alpha) * weight
      whole += weight
    }
    guard whole > 0 else { return SIMD4(1, 1, 1, 1) }
    return SIMD4<Float>(sum / whole)
  }
}

/// Losses that are common to most formats: names and other data about an effect. One line for each
/// kind, so that encoders need not report them.
enum CommonLoss {
  private static let kinds:
    [(
      rule: Rule, of: Capability, detail: String, level: Loss.Level,
      covers: @Sendable (PropertyDifference) -> Bool
    )] = [
      (
        .approximated, .metadata,
        "files of the format cannot hold control characters in texts, so that they were replaced",
        .info,
        { $0.isOfControls }
      ),
      (
        .lost, .metadata, "files of the format have no such texts", .info,
        {
          $0.path.hasSuffix("].name") && $0.path.hasPrefix("emitters[")
            || [
              "asset.name", "asset.author", "asset.copyright", "asset.comment", "asset.minVersion",
            ].contains($0.path)
        }
      ),
      (
        .lost, .preview, "the format has no settings of a preview", .info,
        { $0.path.isPath(at: "preview") }
      ),
      (
        .assumed, .frame2D, "the format is 3D and the effect 2D, or the reverse",
        .low, { $0.path == "asset.dimension" }
      ),
      (
        .assumed, .frame2D, "units and simulation may differ", .info,
        { ["asset.unit", "asset.unitsPerMeter", "asset.profile"].contains($0.path) }
      ),
      (
        .lost, .extra, "data of other programs are not part of the format", .low,
        { difference in
          let path = difference.path
          return path.split(separator: ".").contains { $0 == "extras" || $0 == "extensions" }
            || path.hasPrefix("extensionsUsed") || path.hasPrefix("extensionsRequired")
        }
      ),
    ]

  /// A line for each kind of difference.
  static func lines(for differences: [PropertyDifference]) -> [Diagnostic] {
    var rest = differences
    return kinds.compactMap { kind in
      let paths = rest.filter(kind.covers).map { $0.path }
      rest.removeAll(where: kind.covers)
      return paths.first.map {
        Diagnostic(
          kind.rule, kind.of, at: $0, also: Array(paths.dropFirst()), kind.detail, level: kind.level
        )
      }
    }
  }
}

extension PropertyDifference {
  /// Whether the new text lacks the control characters of the old one, and nothing else.
  fileprivate var isOfControls: Bool {
    guard let old = old?.string, let new = new?.string, old.hasControls else { return false }
    // XML has U+FFFD in place of some.
    return !new.hasControls
      && old.onOneLine.trimmed == new.replacing("\u{FFFD}", with: " ").onOneLine.trimmed
  }
}

// Differences between engines that interpret equal values, apart from blending.

extension ParticleSystem {
  /// A line about the laws of two engines. Nil if their difference does not show.
  /// - Parameter result: the effect that the files of the target format are read as.
  func lawLine(of result: ParticleSystem) -> Diagnostic? {
    guard let own = asset.profile.law, let other = result.asset.profile.law, own != other else {
      return nil
    }
    var reasons: [String] = []
    var greatest = 0.0
    func add(_ difference: Double, _ reason: String) {
      guard Loss.Level(difference: difference) > .info else { return }
      greatest = max(greatest, difference)
      if !reasons.contains(reason) { reasons.append(reason) }
    }
    for (source, written) in zip(emitters, result.emitters) where !source.isInvisible {
      // Differences in the values have lines of their own.
      let whole = LawNumbers(source, own).difference(from: LawNumbers(written, other))
      let byValues = LawNumbers(source, own).difference(from: LawNumbers(written, own))
      if byValues < whole / 2 {
        add(
          whole,
          "\(asset.profile.rawValue) and \(result.asset.profile.rawValue) emit the first particles at "
            + "different times")
      }
      if own.clamping != other.clamping {
        add(
          written.color.base.clampingDifference(own.clamping, other.clamping),
          "\(asset.profile.rawValue) and \(result.asset.profile.rawValue) clamp colours at different "
            + "times")
      }
    }
    guard !reasons.isEmpty else { return nil }
    var line = Diagnostic(
      .approximated, at: .key("asset.profile"), reasons.joined(separator: ", and "))
    line.loss = Loss(
      feature: "law", level: Loss.Level(difference: greatest), path: "asset.profile")
    line.loss?.basis = .estimated
    return line
  }
}

/// The expected numbers of living particles in the first five seconds.
private struct LawNumbers {
  /// One number for each twelfth of a second. Empty for uneven emission.
  let counts: [Double]

  init(_ emitter: Emitter, _ law: EngineLaw) {
    let (emission, timing) = (emitter.emission, emitter.timing)
    let (rate, life) = (emission.rate.mean * emission.probability, emitter.lifetime.mean)
    let duration = timing.loop ? nil : timing.duration?.mean
    guard emission.bursts.isEmpty, emission.minAlive == 0, emission.total == nil, rate > 0, life > 0
    else {
      counts = []
      return
    }
    let isAtOnce = [.stretched, .intervals, .milliseconds].contains(law.account)
    let end = duration.map {
      law.clock == .beforeEmission ? $0 : (($0 * 60).rounded(.down) + 1) / 60
    }
    func emitted(_ time: Double) -> Double {
      guard time > 0 else { return 0 }
      let seconds = min(time, end ?? time)
      return (rate * seconds - 1e-9).rounded(.down) + (isAtOnce ? 1 : 0)
    }
    let most = Double(emission.maxAlive ?? .max)
    counts = (1...60).map { index in
      let time = Double(index) / 12
      return min(emitted(time) - emitted(time - life), most)
    }
  }

  func difference(from other: LawNumbers) -> Double {
    let pairs = zip(counts, other.counts)
    let scale = pairs.reduce(0) { $0 + max($1.0, $1.1) * max($1.0, $1.1) }
    let square = pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    return scale > 0 ? (square / scale).squareRoot() : 0
  }
}

extension ColorTrack {
  /// How much mean and deviation of the visible colour depend on whether samples or results are clamped.
  fileprivate func clampingDifference(
    _ own: EngineLaw.Clamping, _ other: EngineLaw.Clamping
  ) -> Double {
    guard (own == .samples) != (other == .samples), gradient == nil, let start = from.channels,
      let end = (to ?? from).channels
    else { return 0 }
    let shares = (0..<6).map { (Double($0) + 0.5) / 6 }
    var (means, deviations) = (0.0, 0.0)
    for channel in 0..<4 {
      let range = (start.low.channels[channel], start.high.channels[channel])
      let last = (end.low.channels[channel], end.high.channels[channel])
      for age in shares {
        var (sums, squares) = ([0.0, 0.0], [0.0, 0.0])
        for a in shares {
          for b in to == nil ? [a] : shares {
            let first = range.0 + (range.1 - range.0) * a
            let second = to == nil ? first : last.0 + (last.1 - last.0) * b
            let late = Interval.unit.clamp(first + (second - first) * age)
            let clamped = (Interval.unit.clamp(first), Interval.unit.clamp(second))
            let early = clamped.0 + (clamped.1 - clamped.0) * age
            for (index, value) in [late, early].enumerated() {
              sums[index] += value
              squares[index] += value * value
            }
          }
        }
        let count = Double(shares.count * (to == nil ? 1 : shares.count))
        let mean = sums.map { $0 / count }
        let deviation = zip(squares, mean).map { max($0 / count - $1 * $1, 0).squareRoot() }
        means += (mean[0] - mean[1]) * (mean[0] - mean[1]) / 6
        deviations += (deviation[0] - deviation[1]) * (deviation[0] - deviation[1]) / 6
      }
    }
    return max(means, deviations).squareRoot()
  }
}

// Losses of invisible particles.

extension ParticleSystem {
  /// Lines about invisible particles, of level info: their look changes nothing, and without the emitters that
  /// they start nothing else does either.
  func quietingUnseen(_ losses: [Diagnostic]) -> [Diagnostic] {
    let unseen = emitters.map { $0.isInvisible }
    guard unseen.contains(true) else { return losses }
    func isOfTriggers(_ path: String, _ emitter: Int) -> Bool {
      path.hasPrefix("emitters[\(emitter)].triggers")
    }
    let starting = emitters.indices.map { index in
      !emitters[index].triggers.isEmpty
        && !losses.contains { $0.rule == .lost && isOfTriggers($0.loss?.path ?? "", index) }
    }
    return losses.map { line in
      guard let loss = line.loss, loss.level > .info, line.rule != .missingImage,
        let index = Self.emitterIndex(at: loss.path), unseen.indices.contains(index), unseen[index],
        !isOfTriggers(loss.path, index),
        !starting[index] || emitters[index].isOfLook(loss.path)
      else { return line }
      var line = line
      line.loss?.level = .info
      line.severity = .note
      return line
    }
  }
}

extension Emitter {
  /// Whether all particles are transparent, in a blend mode that draws them so.
  var isInvisible: Bool {
    color.opacity.isPlainValue && color.opacity.from.bounds.upper <= 0
      && [.alpha, .add, .subtract, .multiplyAlpha, .screen].contains(render.blend.mode)
  }

  /// Whether a path belongs to the look, and emitters that particles start do not inherit this part of the look.
  fileprivate func isOfLook(_ path: String) -> Bool {
    let inherited = Set(triggers.flatMap { $0.inherit })
    let parts: [(name: String, inheritance: Inheritance?)] = [
      ("size", .size), ("color", .color), ("rotation", .rotation), ("sprite", nil),
      ("flipbook", nil), ("render", nil),
    ]
    return parts.contains { part in
      path.contains("].\(part.name)") && part.inheritance.map { !inherited.contains($0) } ?? true
    }
  }
}
