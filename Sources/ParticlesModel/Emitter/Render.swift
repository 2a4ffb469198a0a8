public import ParticlesCore

extension Emitter {
  /// How particles are drawn.
  public struct Render: Sendable, Hashable {
    /// How particles mix with what is behind them; by alpha by default.
    public var blend = Blend()

    /// The order in which particles are drawn; the youngest on top by default.
    public var sort = SortMode.oldestFirst

    /// Which way particles face; the screen by default.
    public var billboard = Billboard.screen

    /// The direction in which particles face, for those that do not turn to the viewer; nil, the
    /// default, for +z.
    public var billboardAxis: ParticleSystem.Vector?

    /// The place in the order of drawing, greater on top; 0 by default.
    public var z: ParticleSystem.Track = 0

    /// Whether the lights of the scene shine on them; false by default.
    public var lit = false

    /// How particles fade where they touch the scene; nil, the default, for not at all.
    public var soft: Softness?

    /// Whether particles are drawn in black first; false by default.
    public var blackPass = false

    /// Whether particles hide what is drawn behind them later; false by default.
    public var writesDepth = false

    /// The layer of the scene; 0 by default.
    public var layer = 0

    /// The place of the emitter among the others, greater on top; 0 by default.
    public var order = 0

    /// What particles leave behind; nil, the default, for nothing.
    public var trail: Trail?

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Render: ModelObject {
  package static let title = "Render"
  package static let about = "How particles are drawn."

  package static let properties: [Property<Render>] = [
    .value("blend", \.blend, "How particles mix with what is behind them."),
    .value("sort", \.sort, "The order in which particles are drawn."),
    .value("billboard", \.billboard, "Which way particles face."),
    .optional(
      "billboardAxis", \.billboardAxis,
      "free: the direction in which particles face; +z if null."),
    .value("z", \.z, "The place in the order of drawing, greater on top."),
    .value("lit", \.lit, "Whether the lights of the scene shine on them."),
    .optional("soft", \.soft, "How particles fade where they touch the scene."),
    .value("blackPass", \.blackPass, "Whether particles are drawn in black first."),
    .value("writesDepth", \.writesDepth, "Whether particles hide what is drawn behind them later."),
    .value("layer", \.layer, "The layer of the scene."),
    .value("order", \.order, "The place of the emitter among the others, greater on top."),
    .optional("trail", \.trail, "What particles leave behind."),
  ]
}

extension Emitter {
  /// The order in which particles are drawn, the last on top.
  public enum SortMode: String, ClosedName {
    /// Any.
    case none
    /// By age, the youngest on top.
    case oldestFirst
    /// By age, the oldest on top.
    case youngestFirst
    /// By distance from the plane of the camera, the nearest on top.
    case depth
    /// By distance from the camera, the nearest on top.
    case distance
    /// By the share of life lived, the youngest on top.
    case lifetime
  }

  /// Which way particles face.
  public enum Billboard: String, ClosedName {
    /// The plane of the screen.
    case screen
    /// The camera.
    case view
    /// Where they are turned to.
    case free
    /// The camera, turning about the vertical only.
    case axisY
    /// The camera, along their velocity.
    case velocity
    /// Up.
    case horizontal
    /// The camera, standing upright.
    case vertical
    /// They are bodies, not pictures.
    case mesh
  }

  /// How particles fade where they touch the scene.
  public struct Softness: Sendable, Hashable {
    /// The distance at which they are gone; 0 by default.
    public var near = 0.0

    /// The distance from which on they are whole; 1 by default.
    public var far = 1.0

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Softness: ModelObject {
  package static let title = "Soft"
  package static let about = "How particles fade where they touch the scene."

  package static let properties: [Property<Softness>] = [
    .value("near", \.near, unit: "unit", in: .nonNegative, "The distance at which they are gone."),
    .value(
      "far", \.far, unit: "unit", in: .nonNegative,
      "The distance from which on they are whole."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard far < near else { return }
    diagnostics.append(
      Diagnostic(
        .range, at: path.appending("far").location, expected: "at least near (\(near.plain))",
        found: far.plain))
  }
}

extension Emitter {
  /// What a particle leaves behind.
  public struct Trail: Sendable, Hashable {
    /// How far back it reaches, in seconds; 0 by default.
    public var length = 0.0

    /// Its width from the particle to its end, as a factor of that of the particle; 1 by default.
    public var width = Curve.constant(1)

    /// What the colour is multiplied by, from the particle to its end; nil, the default, for
    /// nothing.
    public var color: ParticleSystem.Gradient?

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Trail: ModelObject {
  package static let title = "Trail"
  package static let about = "What a particle leaves behind."

  package static let properties: [Property<Trail>] = [
    .value("length", \.length, unit: "s", in: .nonNegative, "How far back it reaches."),
    .value(
      "width", \.width,
      "Its width from the particle to its end, as a factor of that of the particle."),
    .optional("color", \.color, "What the colour is multiplied by, from the particle to its end."),
  ]
}
