package import ParticlesCore
package import ParticlesFormats
internal import ParticlesModel
package import ParticlesRender

/// The measured difference between an effect and the result of a conversion, and the contribution of each line of the
/// loss report.
package struct ConversionMeasurement {
  /// The difference between the effects. Nil if the source emits nothing, or if both are invisible.
  package let difference: EffectDifference?

  /// The lines, with differences and levels.
  package let losses: [Diagnostic]

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
  ) throws(Failure) {
    let source = try package.system(limits: limits)
    var result = try format.effect(
      in: exported, of: source.asset.profile, limits: limits
    ).system
    let length = UnitConversion.factor(from: source.asset, to: result.asset)
    result.showImages(of: source)
    result.placeEmitters(as: source, length: length)
    let meter = try EffectMeter(
      source, length: length, turning: package.turning(of: source, limits: limits),
      firstSeed: firstSeed, limits: limits)
    var isVisible = meter.isVisible
    if !isVisible {
      isVisible = try EffectMeter(result, firstSeed: firstSeed, limits: limits).isVisible
    }
    guard isVisible else {
      (difference, losses) = (nil, exported.losses + [Self.unseen])
      return
    }
    let whole = try meter.stableDifference(from: result)
    difference = whole
    guard measuresLines else {
      losses = exported.losses
      return
    }
    // Laws have lengths of their own, such as the smallest size: the source keeps its unit.
    var lines = LineMeasurement(
      source, result.scaled(by: 1 / length), meter,
      isTurned: source.asset.dimension != result.asset.dimension,
      whole: whole)
    try lines.measure(exported.losses)
    // Changes can amplify each other.
    if lines.hasRest { try lines.measureTogether() }
    if lines.hasRest { try lines.measureRest() }
    if lines.hasRest, source.asset.profile != result.asset.profile {
      var lawful = source
      lawful.asset.profile = result.asset.profile
      try lines.measureLaw(lawful)
      // A value can be harmless under one law only: colours that leave 0 to 1, if nothing clamps them.
      if lines.hasRest {
        let other = try EffectMeter(
          lawful, length: length, turning: package.turning(of: source, limits: limits),
          firstSeed: firstSeed, limits: limits)
        try lines.measureAgain(lawful, other)
      }
    }
    losses = lines.lines + lines.unexplained
  }

  /// Two empty pictures are equal, but not similar.
  private static var unseen: Diagnostic {
    var line = Diagnostic(
      .assumed, at: .key("emitters"),
      "nothing of the effect can be seen, neither before nor after the conversion",
      hint: "look at its emission, lifetimes, sizes and opacities")
    line.loss = Loss(feature: "unseen", level: .high, path: "emitters")
    return line
  }
}

extension ParticleSystem {
  /// Takes the images of the source where a format names none, or where they are missing: the program that
  /// plays the files shows them, and sizes that are factors count by them.
  fileprivate mutating func showImages(of source: ParticleSystem) {
    let (firstImage, firstSprite) = (images.count, sprites.count)
    images += source.images
    for (index, old) in zip(emitters.indices, source.emitters) where !old.sprites.isEmpty {
      let shown = emitters[index].sprites.first.flatMap { $0 < firstSprite ? sprites[$0] : nil }
      guard shown.map({ images[$0.image].width == nil }) ?? true else { continue }
      emitters[index].sprites = old.sprites.filter(source.sprites.indices.contains).map { place in
        var sprite = source.sprites[place]
        // A file that shows the whole image has no frames.
        if let shown { (sprite.grid, sprite.region) = (shown.grid, shown.region) }
        sprite.image += firstImage
        // Pixels are drawn as they are, unless the file states a scale.
        sprite.scale = shown?.scale ?? 1
        sprites.append(sprite)
        return sprites.count - 1
      }
    }
  }
}

/// The lines of a report with their contributions to a difference.
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

  /// The most lines whose differences are measured. The levels of others stay estimates.
  private static let mostLines = 12

  /// - Parameters:
  ///   - source: the effect.
  ///   - result: the effect after the conversion, in the unit of the source.
  ///   - meter: compares with the source.
  ///   - isTurned: whether one effect is in a plane, and its counterpart in space.
  ///   - whole: the difference between them.
  init(
    _ source: ParticleSystem, _ result: ParticleSystem, _ meter: EffectMeter, isTurned: Bool,
    whole: EffectDifference
  ) {
    (self.source, self.result, self.meter) = (source, result, meter)
    (self.isTurned, self.whole) = (isTurned, whole)
  }

  /// Measures each line alone, those with the highest estimates first.
  mutating func measure(_ losses: [Diagnostic]) throws(Failure) {
    lines = losses
    for (index, line) in losses.enumerated() {
      if let emitter = line.blendedEmitter {
        let blending = meter.blending(ofEmitter: emitter, of: result)
        record(EffectDifference([.blending: blending]), at: index)
      } else if line.isOfLaw {
        var changed = source
        changed.asset.profile = result.asset.profile
        record(try lawDifference(changed), at: index)
      }
    }
    let rest = losses.indices.filter { losses[$0].isMeasurable && !isMeasured($0) }
    try measure(rest.sorted { (losses[$1].lossLevel, $0) < (losses[$0].lossLevel, $1) })
  }

  /// Measures the lines that were not measured yet, and lines about another form of one value, which engines can
  /// simulate differently.
  mutating func measureRest() throws(Failure) {
    try measure(
      lines.indices.filter {
        !isMeasured($0) && (lines[$0].isMeasurable || lines[$0].isOfAnotherForm)
      })
  }

  /// Measures lines alone, at most ``mostLines`` that change anything.
  private mutating func measure(_ indices: [Int]) throws(Failure) {
    let exchange = PropertyExchange(source, result)
    var count = 0
    for index in indices {
      guard let changed = exchange.replacing(paths(of: lines[index])) else { continue }
      guard changed != source else {
        if !lines[index].isOfAnotherForm { record(EffectDifference(), at: index) }
        continue
      }
      guard count < Self.mostLines else { return }
      count += 1
      let difference = try meter.difference(
        fromForm: changed, onlyEmitter: onlyEmitter(of: lines[index]), isFlat: isTurned)
      // Another form of a value needs no line if nothing differs.
      guard !lines[index].isOfAnotherForm || explains(difference) else { continue }
      record(difference, at: index)
    }
  }

  private func isMeasured(_ index: Int) -> Bool { lines[index].loss?.difference != nil }

  private mutating func record(_ difference: EffectDifference, at index: Int) {
    explained.add(difference)
    lines[index] = lines[index].measured(difference, atMost: whole)
  }

  /// Whether a difference explains an aspect that nothing explains yet.
  private func explains(_ difference: EffectDifference) -> Bool {
    rest.contains { difference.aspects[$0] ?? 0 >= Self.explaining * (whole.aspects[$0] ?? 0) }
  }

  /// Measures all lines together.
  mutating func measureTogether() throws(Failure) {
    let exchange = PropertyExchange(source, result)
    let changing = lines.filter { $0.isMeasurable && exchanged($0, exchange) != nil }
    guard let changed = exchange.replacing(changing.flatMap { paths(of: $0) }) else { return }
    explained.add(try meter.difference(fromForm: changed, isFlat: isTurned))
  }

  /// Adds a line about the laws of the engines if they explain differences that no line explains yet.
  /// - Parameter lawful: the source under the law of the result.
  mutating func measureLaw(_ lawful: ParticleSystem) throws(Failure) {
    guard !lines.contains(where: { $0.isOfLaw }) else { return }
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
  mutating func measureAgain(_ lawful: ParticleSystem, _ meter: EffectMeter) throws(Failure) {
    let exchange = PropertyExchange(lawful, result)
    for (index, line) in lines.enumerated()
    where hasRest && (isMeasured(index) || line.isOfAnotherForm) {
      guard !line.isOfLaw, line.blendedEmitter == nil, let changed = exchanged(line, exchange),
        changed != lawful
      else { continue }
      let difference = try meter.difference(
        fromForm: changed, onlyEmitter: onlyEmitter(of: line), isFlat: isTurned)
      guard !line.isOfAnotherForm || explains(difference) else { continue }
      explained.add(difference)
      let again = line.measured(difference, atMost: whole)
      if again.loss?.difference ?? 0 > line.loss?.difference ?? 0 { lines[index] = again }
    }
  }

  private func lawDifference(_ lawful: ParticleSystem) throws(Failure) -> EffectDifference {
    var difference = try meter.difference(fromForm: lawful, isFlat: isTurned)
    difference.aspects[.blending] = nil
    return difference
  }

  private func paths(of line: Diagnostic) -> [String] {
    guard let loss = line.loss else { return [] }
    return [loss.path] + loss.alsoPaths + (isTurned(line) ? ["asset.dimension"] : [])
  }

  /// Whether the dimension changes with a line: cones are seen as fans in the plane.
  private func isTurned(_ line: Diagnostic) -> Bool {
    isTurned && line.loss?.path.contains("].launch") == true
  }

  /// The only emitter that a line is about, where the change of the line also changes others.
  private func onlyEmitter(of line: Diagnostic) -> Int? {
    isTurned(line)
      ? line.loss.flatMap { ParticleSystem.emitterIndex(at: $0.path) } : nil
  }

  /// The effect after the change of a line, or nil if it cannot be measured.
  private func exchanged(_ line: Diagnostic, _ exchange: PropertyExchange) -> ParticleSystem? {
    line.isMeasurable || line.isOfAnotherForm ? exchange.replacing(paths(of: line)) : nil
  }

  /// The least difference of an aspect that needs a line.
  private static let visible = 0.05
  /// The least share of the difference of an aspect with which a single line explains it.
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
    let names = rest.map { $0.rawValue }.joined(separator: ", ")
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

  /// The line with the measured difference and its level. No aspect differs more than between the effects, because
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

/// Replaces some properties of an effect by their values in a second effect, to measure these changes alone.
struct PropertyExchange {
  private let old: ParticleSystem
  private let source: JSONValue
  private let result: JSONValue

  /// - Parameters:
  ///   - source: the effect.
  ///   - result: the second effect, in the unit of the first.
  init(_ source: ParticleSystem, _ result: ParticleSystem) {
    old = source
    (self.source, self.result) = (source.json, result.json)
  }

  /// The effect with the values of the second effect at some paths. Nil if the result is no valid effect.
  func replacing(_ paths: [String]) -> ParticleSystem? {
    let changed = paths.reduce(source) { json, path in
      Self.replaced(json, by: result, at: Self.steps(of: whole(path))[...])
    }
    guard changed != source else { return old }
    guard let system = try? ParticleSystem(json: changed),
      !system.diagnostics().contains(where: { $0.severity == .error })
    else { return nil }
    return system
  }

  /// The path of the part that makes sense by itself: a width is a length or a factor by the mode of the size, so
  /// that another mode takes all of the size with it. Alpha can move between colour and opacity.
  private func whole(_ path: String) -> String {
    if let size = part("size", of: path), differ(size + ".mode") { return size }
    if let color = part("color", of: path), differ(color + ".base"), differ(color + ".opacity") {
      return color
    }
    return path
  }

  /// The path of a part of an emitter, if a path leads below it.
  private func part(_ name: String, of path: String) -> String? {
    path.firstRange(of: ".\(name).").map { path[..<$0.lowerBound] + ".\(name)" }
  }

  private func differ(_ path: String) -> Bool {
    let steps = Self.steps(of: path)
    return Self.value(at: steps, in: source) != Self.value(at: steps, in: result)
  }

  private static func value(at steps: [Substring], in json: JSONValue) -> JSONValue? {
    steps.reduce(json as JSONValue?) { value, step in
      guard let index = Int(step), let array = value?.array else {
        return value?.object?[String(step)]
      }
      return array.indices.contains(index) ? array[index] : nil
    }
  }

  private static func steps(of path: String) -> [Substring] {
    path.split { $0 == "." || $0 == "[" || $0 == "]" }
  }

  /// The value with the part at `steps` taken from `new`, or without this part if `new` has none.
  private static func replaced(
    _ old: JSONValue, by new: JSONValue?, at steps: ArraySlice<Substring>
  ) -> JSONValue {
    guard let step = steps.first else { return new ?? old }
    let rest = steps.dropFirst()
    if let index = Int(step), var elements = old.array, elements.indices.contains(index) {
      let other = partner(of: index, in: elements, among: new?.array ?? [])
      if rest.isEmpty, other == nil {
        elements.remove(at: index)
      } else {
        elements[index] = replaced(elements[index], by: other, at: rest)
      }
      return .array(elements)
    }
    // A value in its short form, such as a number for a track, has no members.
    guard var object = old.object else { return new ?? old }
    let key = String(step)
    var other = new?.object?[key]
    if key == "from", rest.isEmpty {
      if isShort(object) { return (isShort(new) ? new : other) ?? old }
      if isShort(new) { other = new }
    }
    if rest.isEmpty {
      object[key] = other
    } else if let part = object[key] {
      object[key] = replaced(part, by: other, at: rest)
    } else if sections.contains(key) {
      // A section with only defaults is not there.
      object[key] = replaced(.object(JSONObject()), by: other, at: rest)
    } else {
      object[key] = other
    }
    return .object(object)
  }

  /// Whether a track is in its short form: the value that it begins with.
  private static func isShort(_ track: JSONValue?) -> Bool {
    guard let track else { return false }
    return track.object.map(isShort) ?? true
  }

  private static func isShort(_ track: JSONObject) -> Bool {
    (Track.valueKeys + ColorTrack.valueKeys).contains { track[$0] != nil }
  }

  /// The members of an emitter that are objects.
  private static let sections: Set<String> = [
    "transform", "timing", "emission", "shape", "launch", "motion", "rotation", "size", "color",
    "render", "physics",
  ]

  /// The element that an element became: forces by their kind, others by their index.
  private static func partner(
    of index: Int, in elements: [JSONValue], among others: [JSONValue]
  ) -> JSONValue? {
    guard let kind = elements[index].object?["type"] else {
      return others.indices.contains(index) ? others[index] : nil
    }
    let place = elements[..<index].count { $0.object?["type"] == kind }
    let same = others.filter { $0.object?["type"] == kind }
    return same.indices.contains(place) ? same[place] : nil
  }
}
