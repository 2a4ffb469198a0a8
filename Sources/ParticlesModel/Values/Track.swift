public import ParticlesCore

extension ParticleSystem {
  /// A number of a particle over its life:
  ///
  ///     from + (relative ? to : to − from) · curve(warp(x)) + rate · age
  ///
  /// clamped to ``range``, where x is the input that ``over`` selects. In JSON a ``Value`` is the
  /// short form of a track that has only ``from``.
  public struct Track: Sendable, Hashable {
    /// The number where the curve is 0. Default: 0, even if the track as a whole has another default.
    public var from: Value = 0

    /// The number where the curve is 1. Default: nil (the curve is not used).
    public var to: Value? {
      get { change.storage.contents.to }
      _modify { yield &change.contents.to }
    }

    /// Whether ``to`` is added to ``from`` instead of replacing it. Default: false.
    public var relative: Bool {
      get { change.storage.contents.relative }
      _modify { yield &change.contents.relative }
    }

    /// The curve from ``from`` to ``to``. Default: linear.
    public var curve: Curve {
      get { change.storage.contents.curve }
      _modify { yield &change.contents.curve }
    }

    /// Easing: a curve applied to x first. Default: none.
    public var warp: Curve {
      get { change.storage.contents.warp }
      _modify { yield &change.contents.warp }
    }

    /// The change per second of age. Default: 0.
    public var rate: Value {
      get { change.storage.contents.rate }
      _modify { yield &change.contents.rate }
    }

    /// The bounds of the result. Default: nil (none).
    public var range: Interval? {
      get { change.storage.contents.range }
      _modify { yield &change.contents.range }
    }

    /// The input x. Default: relative age.
    public var over: TrackInput {
      get { change.storage.contents.over }
      _modify { yield &change.contents.over }
    }

    /// The inputs that map to x = 0 and x = 1. Default: nil (0 and 1). Not used for ``TrackInput/life``.
    public var domain: Interval? {
      get { change.storage.contents.domain }
      _modify { yield &change.contents.domain }
    }

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions: JSONObject {
      get { change.storage.contents.additions }
      _modify { yield &change.contents.additions }
    }

    private var change = Self.none

    private static let none = CopyOnWrite(TrackChange())

    /// Creates a track that is 0.
    public init() {}

    /// Creates a track that keeps the initial value of the particle.
    public init(_ from: Value) { self.from = from }

    /// Creates a track.
    public init(
      from: Value, to: Value? = nil, relative: Bool = false, curve: Curve = .linear,
      rate: Value = 0
    ) {
      self.from = from
      self.to = to
      self.relative = relative
      self.curve = curve
      self.rate = rate
    }

    /// A track that keeps a constant.
    public static func constant(_ value: Double) -> Track { Track(.constant(value)) }

    /// Whether there is nothing but ``from``.
    package var isPlainValue: Bool { change == Self.none }

    /// Whether particles keep their initial value.
    public var isConstantOverLife: Bool { to == nil && rate == 0 }
  }

  /// The part of a track besides its start. Most tracks have only a start, and share one default of this part.
  fileprivate struct TrackChange: Hashable {
    var to: Value?
    var relative = false
    var curve = Curve.linear
    var warp = Curve.linear
    var rate: Value = 0
    var range: Interval?
    var over = TrackInput.life
    var domain: Interval?
    var additions = JSONObject()
  }

  /// The input of a track.
  public enum TrackInput: String, ClosedName {
    /// The relative age of the particle: age divided by lifetime, 0 to 1.
    case life
    /// The age of the particle in seconds.
    case age
    /// The speed of the particle in units per second.
    case speed
    /// The distance of the particle from the emitter in units.
    case distance
    /// The progress of the emission, 0 to 1.
    case emitter
  }
}

extension Track: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A constant.
  public init(floatLiteral value: Double) { self.init(.constant(value)) }

  /// A constant.
  public init(integerLiteral value: Int) { self.init(.constant(Double(value))) }
}

extension Track: ModelObject {
  package static let title = "Track"
  package static let about = "A number of a particle over its life."

  package static let properties: [Property<Track>] = [
    .value("from", { $1(&$0.from) }, "The number where the curve is 0."),
    .optional(
      "to", { $1(&$0.to) }, "The number where the curve is 1; without it the curve is not used."),
    .value(
      "relative", { $1(&$0.relative) }, "Whether `to` is added to `from` instead of replacing it."),
    .value("curve", { $1(&$0.curve) }, "The curve from `from` to `to`."),
    .value("warp", { $1(&$0.warp) }, "Easing: a curve applied to x first."),
    .value("rate", { $1(&$0.rate) }, unit: "1/s", "The change per second of age."),
    .optional("range", { $1(&$0.range) }, "The bounds of the result."),
    .value("over", { $1(&$0.over) }, "The input x."),
    .optional(
      "domain", { $1(&$0.domain) }, "The inputs that map to x = 0 and x = 1; not for `life`."),
  ]

  package static let schemaName = "Track.object"

  package static func schema(_ bounds: Bounds?) -> JSONSchema { .reference(title) }

  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    guard case .object(let object) = json else {
      guard case .number = json else { throw json.mismatch("a value or a track", at: path) }
      self.init(try Value(json: json, at: path))
      return
    }
    if Self.isValue(object) {
      self.init(try Value(json: json, at: path))
    } else {
      try self.init(object: json, at: path)
    }
  }

  package var json: JSONValue {
    guard isPlainValue else { return objectJSON }
    let value = from.json
    return value.object.map(Self.isValue) ?? true ? value : objectJSON
  }

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard let domain, domain.lower == domain.upper else { return }
    diagnostics.append(
      Diagnostic(
        .range, at: path.appending("domain").location, expected: "two numbers that differ",
        found: domain.json.line))
  }

  /// Whether an object is a value. One with properties that only a track has is none.
  private static func isValue(_ object: JSONObject) -> Bool {
    let keys = object.members.map { $0.key }
    return keys.contains(where: valueKeys.contains) && !keys.contains(where: ownKeys.contains)
  }

  /// The keys that identify a value.
  package static let valueKeys = ["min", "max", "oneOf", "low", "high"]
  static let ownKeys = ["from", "to", "rate", "warp", "over", "range", "domain"]

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    if isPlainValue {
      from.check(bounds, at: path, into: &diagnostics)
    } else {
      checkObject(at: path, into: &diagnostics)
    }
  }
}

/// A value that copies share until one copy changes it.
///
/// An effect is a large structure, and most of its properties are at their defaults. With the rare properties in shared
/// storage, a copy takes one reference for all of these.
///
/// It is not in Core, where diagnostics could use it, too: the runtime would look up the metadata of a generic type of
/// another module at each use, which makes an export 3 to 12 % more instructions.
struct CopyOnWrite<Contents: Sendable>: Sendable {
  /// Only a unique reference to it is changed.
  final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) fileprivate(set) var contents: Contents

    init(_ contents: Contents) { self.contents = contents }
  }

  /// The value whose properties are read. A coroutine that yields a large value would be shorter to call, but
  /// Swift 6.3 may use such a value after its end.
  private(set) var storage: Storage

  init(_ contents: Contents) { storage = Storage(contents) }

  /// The contents, to be changed in place.
  var contents: Contents {
    get { storage.contents }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.contents) }
      yield &storage.contents
    }
  }
}

extension CopyOnWrite: Equatable where Contents: Equatable {
  static func == (a: CopyOnWrite, b: CopyOnWrite) -> Bool {
    a.storage === b.storage || a.storage.contents == b.storage.contents
  }
}

extension CopyOnWrite: Hashable where Contents: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(storage.contents) }
}
