public import ParticlesCore

extension Emitter {
  /// How particles are rendered.
  public struct Render: Sendable, Hashable {
    /// How particles are blended with the background. Default: by alpha.
    public var blend = Blend()

    /// The drawing order of particles. Default: the newest on top.
    public var sort = SortMode.oldestFirst

    /// How particles are oriented. Default: towards the screen.
    public var billboard = Billboard.screen

    /// The direction in which particles face if they are not oriented to the viewer. Default: nil (+z).
    public var billboardAxis: ParticleSystem.Vector?

    /// The z position in the drawing order. Greater values are on top. Default: 0.
    public var z: ParticleSystem.Track = 0

    /// Whether the lights of the scene illuminate particles. Default: false.
    public var lit = false

    /// Soft particles: how particles fade near surfaces of the scene. Default: nil (no fading).
    public var soft: Softness?

    /// Whether particles are drawn in black first. Default: false.
    public var blackPass = false

    /// Whether particles write to the depth buffer. Default: false.
    public var writesDepth = false

    /// The layer of the scene. Default: 0.
    public var layer = 0

    /// The position of the emitter in the drawing order. Greater values are on top. Default: 0.
    public var order = 0

    /// The trail of particles. Default: nil (none).
    public var trail: Trail?

    /// The lines between near particles. Default: nil (none).
    public var links: Links?

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Render: ModelObject {
  package static let title = "Render"
  package static let about = "How particles are rendered."

  package static let properties: [Property<Render>] = [
    .value("blend", { $1(&$0.blend) }, "How particles are blended with the background."),
    .value("sort", { $1(&$0.sort) }, label: "Draw order", "The drawing order of particles."),
    .value("billboard", { $1(&$0.billboard) }, label: "Facing", "How particles are oriented."),
    .optional(
      "billboardAxis", { $1(&$0.billboardAxis) },
      label: "Facing axis", "free: the direction in which particles face; +z if null."),
    .value(
      "z", { $1(&$0.z) }, label: "Depth order",
      "The z position in the drawing order; greater values are on top."),
    .value("lit", { $1(&$0.lit) }, "Whether the lights of the scene illuminate particles."),
    .optional(
      "soft", { $1(&$0.soft) }, "Soft particles: how particles fade near surfaces of the scene."),
    .value("blackPass", { $1(&$0.blackPass) }, "Whether particles are drawn in black first."),
    .value("writesDepth", { $1(&$0.writesDepth) }, "Whether particles write to the depth buffer."),
    .value("layer", { $1(&$0.layer) }, "The layer of the scene."),
    .value(
      "order", { $1(&$0.order) },
      "The position of the emitter in the drawing order; greater values are on top."),
    .optional("trail", { $1(&$0.trail) }, "The trail of particles."),
    .optional("links", { $1(&$0.links) }, "The lines between near particles."),
  ]
}

extension Emitter {
  /// The drawing order of particles. The last particle is on top.
  public enum SortMode: String, ClosedName {
    /// Unspecified.
    case none
    /// By age, the newest on top.
    case oldestFirst
    /// By age, the oldest on top.
    case youngestFirst
    /// By distance from the plane of the camera, the nearest on top.
    case depth
    /// By distance from the camera, the nearest on top.
    case distance
    /// By relative age, the newest on top.
    case lifetime
  }

  /// How particles are oriented.
  public enum Billboard: String, ClosedName {
    /// The plane of the screen.
    case screen
    /// The camera.
    case view
    /// Free: as rotated.
    case free
    /// The camera, rotating about the vertical only.
    case axisY
    /// The camera, along their velocity.
    case velocity
    /// Up.
    case horizontal
    /// The camera, upright.
    case vertical
    /// None: particles are 3D bodies.
    case mesh
  }

  /// Soft particles: how particles fade near surfaces of the scene.
  public struct Softness: Sendable, Hashable {
    /// The distance at which particles are invisible. Default: 0.
    public var near = 0.0

    /// The distance from which particles are fully opaque. Default: 1.
    public var far = 1.0

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Softness: ModelObject {
  package static let title = "Soft"
  package static let about = "Soft particles: how particles fade near surfaces of the scene."

  package static let properties: [Property<Softness>] = [
    .value(
      "near", { $1(&$0.near) }, unit: "unit", in: .nonNegative,
      label: "Soft near", "The distance at which particles are invisible."),
    .value(
      "far", { $1(&$0.far) }, unit: "unit", in: .nonNegative,
      label: "Soft far", "The distance from which particles are fully opaque."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard far < near else { return }
    diagnostics.add(
      .range, at: path.appending("far").location, expected: "at least near (\(near.plain))",
      found: far.plain)
  }
}

extension Emitter {
  /// The trail of a particle.
  public struct Trail: Sendable, Hashable {
    /// The duration that the trail covers, in seconds. Default: 0.
    public var length = 0.0

    /// The width from the particle to the end of the trail, as a factor of the width of the particle. Default: 1.
    public var width = Curve.constant(1)

    /// The colour factor from the particle to the end of the trail. Default: nil (none).
    public var color: ParticleSystem.Gradient?

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Trail: ModelObject {
  package static let title = "Trail"
  package static let about = "The trail of a particle."

  package static let properties: [Property<Trail>] = [
    .value(
      "length", { $1(&$0.length) }, unit: "s", in: .nonNegative,
      label: "Trail length", "The duration that the trail covers."),
    .value(
      "width", { $1(&$0.width) },
      label: "Trail width",
      "The width from the particle to the end of the trail, as a factor of that of the particle."),
    .optional(
      "color", { $1(&$0.color) }, label: "Trail colour",
      "The colour factor from the particle to the end of the trail."),
  ]
}

extension Emitter {
  /// Lines between near particles of an emitter, whose opacity falls linearly with the distance.
  public struct Links: Sendable, Hashable {
    /// The distance from which two particles have no line, in units. Default: 100.
    public var distance = 100.0

    /// The colour. Default: white. Its alpha is a factor of the opacity.
    public var color = ParticleSystem.Color.white

    /// The width of a line, in units. Default: 1.
    public var width = 1.0

    /// The opacity of the line between two particles at one place, from 0 to 1. Default: 1.
    public var opacity = 1.0

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Links: ModelObject {
  package static let title = "Links"
  package static let about = "Lines between near particles of an emitter."

  package static let properties: [Property<Links>] = [
    .value(
      "distance", { $1(&$0.distance) }, unit: "unit", in: .nonNegative,
      label: "Link distance", "The distance from which two particles have no line."),
    .value("color", { $1(&$0.color) }, label: "Link colour", "The colour of the lines."),
    .value(
      "width", { $1(&$0.width) }, unit: "unit", in: .nonNegative, label: "Link width",
      "The width of the lines."),
    .value(
      "opacity", { $1(&$0.opacity) }, in: .fraction,
      label: "Link opacity", "The opacity of the line between two particles in the same place."),
  ]
}

extension Emitter {
  /// How particles are blended with the background.
  public struct Blend: Sendable, Hashable {
    /// The mode. Default: by alpha.
    public var mode = BlendMode.alpha

    /// Custom: the source factor, as an OpenGL constant. Default: nil.
    public var source: Int?

    /// Custom: the destination factor, as an OpenGL constant. Default: nil.
    public var destination: Int?

    /// Custom: the blend equation. Default: addition.
    public var equation = BlendEquation.add

    /// Whether colours are premultiplied by alpha before blending. Default: decided by the mode.
    public var premultiply = Premultiply.auto

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates alpha blending.
    public init() {}

    /// Creates blending of a mode.
    public init(_ mode: BlendMode) { self.mode = mode }

    /// Creates blending by two OpenGL factors, such as 770 and 1.
    public init(source: Int, destination: Int) {
      mode = .custom
      self.source = source
      self.destination = destination
    }
  }
}

extension Blend: ModelObject {
  package static let title = "Blend"
  package static let about = "How particles are blended with the background."

  package static let properties: [Property<Blend>] = [
    .value("mode", { $1(&$0.mode) }, label: "Blend", "The mode."),
    .optional(
      "src", { $1(&$0.source) }, in: .nonNegative,
      label: "Source factor", "custom: the source factor, as an OpenGL constant."),
    .optional(
      "dst", { $1(&$0.destination) }, in: .nonNegative,
      label: "Destination factor", "custom: the destination factor, as an OpenGL constant."),
    .value("equation", { $1(&$0.equation) }, "custom: the blend equation."),
    .value(
      "premultiply", { $1(&$0.premultiply) },
      "Whether colours are premultiplied by alpha before blending."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    for (key, factor) in [("src", source), ("dst", destination)]
    where mode == .custom && factor == nil {
      diagnostics.add(
        .range, at: path.appending(key).location, expected: "a factor, because the mode is custom",
        found: "nothing")
    }
  }
}

extension Emitter {
  /// How a particle with colour S, alpha A and P = S · A is blended with the background D.
  public enum BlendMode: String, ClosedName {
    /// P + D · (1 − A)
    case alpha
    /// P + D
    case add
    /// D − P
    case subtract
    /// S · D
    case multiply
    /// D · (P + 1 − A)
    case multiplyAlpha
    /// 2 · S · D
    case multiplyX2
    /// P + D · (1 − P)
    case screen
    /// S
    case replace
    /// S + D · (1 − A), for images with premultiplied alpha.
    case premultiplied
    /// By the two factors.
    case custom
  }

  /// The blend equation: how two colours are combined after each was multiplied by its factor.
  public enum BlendEquation: String, ClosedName {
    /// Addition.
    case add
    /// The background is subtracted from the particle.
    case subtract
    /// The particle is subtracted from the background.
    case reverseSubtract
    /// The minimum of both.
    case min
    /// The maximum of both.
    case max
  }

  /// Whether colours are premultiplied by alpha before blending.
  public enum Premultiply: String, ClosedName {
    /// Decided by the mode.
    case auto
    /// Yes.
    case always
    /// No.
    case never
  }

  /// The colour of particles: `texel · lerp(1, base, mix) · intensity`, with the opacity `texel ·
  /// base · opacity`.
  public struct Tint: Sendable, Hashable {
    /// The colour. Default: white.
    public var base = ParticleSystem.ColorTrack()

    /// A factor of alpha, 0 to 1. Default: 1.
    public var opacity: ParticleSystem.Track = 1

    /// A factor of red, green and blue. Default: 1.
    public var intensity: ParticleSystem.Track = 1

    /// How far the colour is multiplied with the colour of the image, 0 to 1. Default: 1, fully.
    public var mix: ParticleSystem.Track = 1

    /// Unknown JSON members, preserved on save. See ``Extensible``.
    public var additions = JSONObject()

    /// Creates the defaults.
    public init() {}
  }
}

extension Tint: ModelObject {
  package static let title = "Color"
  package static let about = "The colour of particles."

  package static let properties: [Property<Tint>] = [
    .value("base", { $1(&$0.base) }, label: "Colour", "The colour."),
    .value("opacity", { $1(&$0.opacity) }, in: .fraction, "A factor of alpha."),
    .value(
      "intensity", { $1(&$0.intensity) }, in: .nonNegative, "A factor of red, green and blue."),
    .value(
      "mix", { $1(&$0.mix) }, in: .fraction,
      label: "Tint",
      "How far the colour is multiplied with that of the image: 0 not at all, 1 fully."),
  ]
}
