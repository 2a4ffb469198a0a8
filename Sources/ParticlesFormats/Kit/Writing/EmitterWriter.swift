internal import ParticlesCore
internal import ParticlesModel

/// An emitter as keys and values of a format, and its losses.
///
/// The rows of the format's table fill it, in their order. Idioms are functions in an extension for
/// the format.
struct EmitterWriter<Format: EmitterFormat> {
  let format: Format
  let system: ParticleSystem

  let index: Int

  /// The emitter, as ``EmitterFormat/adapt(_:)`` restates it.
  var emitter: Emitter

  /// The angle in degrees by which the emitter has been turned, to aim its particles.
  var turnedBy = 0.0

  let surroundings: Format.Surroundings

  /// The keys with their values, in the order in which they were written.
  var fields: [(key: String, value: Format.Field)] = []

  /// The entries of ``KeyedFormat/dictionaryKey``, which are merged one by one.
  var entries: [(key: String, value: Format.Field)] = []

  /// The emitters that are inside of this one in an archive, by keys, in the order of reading.
  var inner: [(key: String, emitter: Int)] = []

  /// The losses.
  var losses: [Diagnostic] = []

  init(
    _ format: Format, _ system: ParticleSystem, emitter index: Int,
    _ surroundings: Format.Surroundings
  ) {
    self.format = format
    self.system = system
    self.index = index
    emitter = system.emitters.indices.contains(index) ? system.emitters[index] : Emitter()
    self.surroundings = surroundings
    restate()
    format.adapt(&self)
    for row in format.table.rows { row.encode?(&self) }
  }

  var path: String { "emitters[\(index)]" }

  /// The mean lifetime in seconds.
  var lifetime: Double { emitter.lifetime.mean }

  /// The first sprite that particles show; nil if they show none.
  var sprite: Sprite? {
    emitter.sprites.first.flatMap {
      system.sprites.indices.contains($0) ? system.sprites[$0] : nil
    }
  }

  var image: ImageReference? {
    sprite.flatMap { system.images.indices.contains($0.image) ? system.images[$0.image] : nil }
  }

  /// Returns the part of the emitter that an accessor lends.
  /// - Parameter part: any value of its type.
  mutating func value<T>(_ access: Accessor<Emitter, T>, over part: T) -> T {
    var part = part
    access(&emitter) { part = $0 }
    return part
  }

  mutating func set(_ key: String, _ value: Format.Field) { fields.append((key, value)) }

  mutating func set(_ key: String, _ number: Double) { set(key, format.real(number)) }

  mutating func set(_ key: String, integer: Int) { set(key, format.integer(integer)) }

  mutating func set(_ key: String, flag: Bool) { set(key, format.flag(flag)) }

  mutating func remove(_ key: String) { fields.removeAll { $0.key == key } }

  /// Writes a number and the width of the uniform range around it, and reports any other
  /// distribution.
  /// - Parameters:
  ///   - scope: how often the engine samples it.
  ///   - factor: −1 for the opposite sign, or a conversion of units.
  mutating func set(
    _ key: String, width: String? = nil, _ value: Value, _ capability: Capability, at place: String,
    scope: Scope = .particle, times factor: Double = 1
  ) {
    explain(value, capability, at: place, scope: scope)
    let spread = value.spread
    let (center, half) = clamped(
      (spread.center * factor, spread.half * factor.magnitude), key, capability, at: place)
    set(key, center)
    set(width ?? key + Format.widthSuffix, format.randomness.width(ofHalf: half))
  }

  /// The centre and half width of a range within that to which the engine clamps samples of a key. A
  /// range that is partly inside stays, since the engine clamps its samples itself.
  mutating func clamped(
    _ ends: (center: Double, half: Double), _ key: String, _ capability: Capability,
    at place: String
  ) -> (center: Double, half: Double) {
    guard let range = format.table.range(of: key) else { return ends }
    let inside = range.clamp(ends.center)
    guard ends.center != inside,
      ends.half == 0 || (ends.center - inside).magnitude >= ends.half
    else { return ends }
    lose(
      .clamped, capability, at: place,
      "\(format.engine) clamps it to \(shortText(inside))",
      level: (ends.center - inside).magnitude <= 0.1 ? .info : nil)
    return (inside, 0)
  }

  /// Reports a value that is not uniformly distributed around a number.
  mutating func explain(
    _ value: Value, _ capability: Capability, at place: String, scope: Scope = .particle
  ) {
    let (_, half, isExact) = value.spread
    if !isExact {
      lose(
        .approximated, capability, at: place, "\(format.engine) supports uniform ranges only",
        recipe: half == 0 ? "the mean" : "minimum and maximum")
    } else if half != 0, value.scope != scope {
      lose(
        .approximated, capability, at: place,
        "\(format.engine) samples it for each \(scope == .particle ? "particle" : "period")")
    } else if half == 0, !value.isNumber {
      lose(.restated, capability, at: place, "a range of one number is written as a constant")
    }
  }

  /// Writes a value as its index in the list of supported values.
  /// - Returns: whether the list contains it; the first is written otherwise.
  @discardableResult
  mutating func set<Choice: Equatable>(_ key: String, _ choice: Choice, of choices: [Choice])
    -> Bool
  {
    let place = choices.firstIndex(of: choice)
    set(key, integer: place ?? 0)
    return place != nil
  }

  /// Adds a line to the report. Paths are relative to the emitter.
  mutating func lose(
    _ rule: Rule, _ capability: Capability, at place: String, also places: [String] = [],
    _ detail: String, recipe: String? = nil, target: Loss.Side? = nil, metric: Loss.Metric? = nil,
    level: Loss.Level? = nil
  ) {
    losses.append(
      Diagnostic(
        rule, capability, at: "\(path).\(place)", also: places.map { "\(path).\($0)" }, detail,
        target: target, recipe: recipe, metric: metric, level: level))
  }

  mutating func lose(_ rule: Rule, _ capability: Capability, atRoot place: String, _ detail: String)
  {
    losses.append(Diagnostic(rule, capability, at: place, detail))
  }

  /// Reports a property that is left out, unless it has its default.
  mutating func drop(_ property: LostProperty) {
    guard property.isUsed(emitter) else { return }
    if property.path == "size.aspect" { return loseAspect(unless: .sprite, property.detail) }
    lose(
      property.rule, property.capability, at: property.path, property.detail, level: property.level)
  }

  mutating func drop(
    _ path: String, _ detail: String? = nil, rule: Rule? = nil, as capability: Capability? = nil,
    level: Loss.Level? = nil
  ) {
    drop(LostProperty(path, detail, rule, capability, level))
  }

  /// The losses that the emitter in its source file does not have: values that the file did not state
  /// either are not lost now.
  func losses(besides source: EmitterWriter) -> [Diagnostic] {
    let known = Set(source.losses)
    return losses.filter { !known.contains($0) }
  }

  /// Whether the table has no keys for a property.
  func lacks(_ property: String) -> Bool {
    format.table.rows.contains { $0.keys.isEmpty && $0.property == property }
  }

  func hasLine(at place: String) -> Bool { losses.contains { $0.loss?.path == "\(path).\(place)" } }
}

extension Emitter {
  static let standard = Emitter()
}
