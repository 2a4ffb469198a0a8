internal import ParticlesCore
internal import ParticlesModel

/// What a file of the family says of an emitter, property by property, and what it cannot say.
struct CocosWriter {
  let emitter: Emitter
  let dialect: CocosDialect

  /// Which way the axes of the file point.
  let axes: CocosAxes

  /// The sprite that particles show, with its image; nil if they show none.
  let sprite: (sprite: Sprite, image: ImageReference)?

  /// Whether the effect lives in space.
  let isInSpace: Bool

  /// Where the emitter stands in the document: `emitters[0]`.
  let path: String

  /// The keys and values.
  private(set) var fields: [(key: CocosKey, value: CocosValue)] = []

  /// What is not said exactly.
  private(set) var losses: [Diagnostic] = []

  init(
    _ emitter: Emitter, at path: String, sprite: (sprite: Sprite, image: ImageReference)?,
    isInSpace: Bool, dialect: CocosDialect, axes: CocosAxes
  ) {
    self.emitter = emitter
    self.path = path
    self.sprite = sprite
    self.isInSpace = isInSpace
    self.dialect = dialect
    self.axes = axes
    let isOrbit = emitter.motion.mode == .orbit
    set("emitterType", integer: isOrbit ? 1 : 0)
    writeTiming()
    writeEmission()
    writePlace()
    if isOrbit { writeOrbit() } else { writeFlight() }
    checkMotion(isOrbit: isOrbit)
    writeRotation()
    writeSize()
    writeColor()
    writeBlend()
    checkRendering()
    sortFields()
  }

  /// The mean lifetime in seconds.
  var life: Double {
    let mean = emitter.lifetime.mean
    return dialect == .starling ? max(mean, 0.01) : max(mean, 0)
  }

  // MARK: Fields

  /// Numbers beyond all measure, which arithmetic with others of their kind may lead to, become the
  /// greatest that is read again.
  mutating func set(_ name: String, _ number: Double) {
    let number = number.isNaN ? 0 : min(max(number, -Self.greatest), Self.greatest)
    fields.append((CocosKey(name), .real((number + 0).rounded)))
  }

  private static let greatest = 1e14

  /// A number of particles.
  static func count(_ number: Double) -> Int {
    number.isNaN ? 0 : Int(min(max(number, 0), 1e9))
  }

  mutating func set(_ name: String, integer: Int) {
    fields.append((CocosKey(name), .integer(integer)))
  }

  mutating func set(_ name: String, flag: Bool) {
    fields.append((CocosKey(name), .flag(flag)))
  }

  mutating func remove(_ name: String) { fields.removeAll { $0.key == CocosKey(name) } }

  /// A value as a number and its variance.
  /// - Parameter factor: −1 where the file counts the other way.
  mutating func set(
    _ name: String, _ variance: String, _ value: Value, times factor: Double = 1,
    _ capability: Capability, at property: String
  ) {
    let spread = value.spread
    set(name, spread.center * factor)
    set(variance, spread.half)
    explain(value, capability, at: property)
  }

  /// Notes that a value is not drawn as a number and its variance are.
  mutating func explain(_ value: Value, _ capability: Capability, at property: String) {
    switch value {
    case .constant: return
    case .uniform(let range) where range.scope == .particle && range.min < range.max: return
    default: break
    }
    let spread = value.spread
    lose(
      spread.isExact && (value.scope == .particle || spread.half == 0) ? .restated : .approximated,
      capability, property,
      "there is a number and its variance, drawn for each particle",
      recipe: "the middle between the least and the greatest")
  }

  /// Properties in the order of the table.
  private mutating func sortFields() {
    let places = Dictionary(
      CocosProperty.all.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    fields.sort { places[$0.key, default: 0] < places[$1.key, default: 0] }
  }

  // MARK: Losses

  /// Notes that a property of the emitter is not said exactly.
  mutating func lose(
    _ rule: Rule, _ capability: Capability, _ property: String, also others: [String] = [],
    _ detail: String, recipe: String? = nil, metric: Loss.Metric? = nil, level: Loss.Level? = nil,
    hint: String? = nil
  ) {
    losses.append(
      Diagnostic(
        rule, capability, at: "\(path).\(property)", also: others.map { "\(path).\($0)" }, detail,
        recipe: recipe, metric: metric, level: level, hint: hint))
  }

  /// Notes that a property is left out, unless it has its default.
  mutating func drop<T: Equatable>(
    _ value: KeyPath<Emitter, T>, _ capability: Capability, _ property: String, _ detail: String,
    _ rule: Rule = .lost, level: Loss.Level? = nil
  ) {
    guard emitter[keyPath: value] != Emitter()[keyPath: value] else { return }
    lose(rule, capability, property, detail, level: level)
  }
}
