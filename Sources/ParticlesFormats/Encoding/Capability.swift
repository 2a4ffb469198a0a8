public import ParticlesCore
public import ParticlesModel

/// A feature of effects that formats may support: a row of the capability matrix.
public struct Capability: Sendable, Hashable {
  /// The name in JSON, such as `radial`.
  public let id: String

  /// The level of a loss if the difference was not measured.
  public let weight: Loss.Level

  /// The name in reports for people: "radial acceleration".
  public let title: String

  /// Creates a capability.
  public init(_ id: String, _ weight: Loss.Level, _ title: String) {
    self.id = id
    self.weight = weight
    self.title = title
  }

  /// Whether statistics of a run in an empty scene show it. They do not show images, the order of
  /// drawing, trails, or features that need a scene or a moving emitter.
  package var isMeasurable: Bool { !Self.unmeasurable.contains(self) }

  private static let unmeasurable: Set<Capability> = [
    .rateOverDistance, .space, .inherit, .collide, .emissionAtCollision, .stretch, .rotation3D,
    .mix, .texture, .embeddedImage,
    .flipbook, .randomSprites, .premultipliedAlpha, .sort, .billboard, .soft, .trail, .links, .seed,
    .metadata, .frame2D, .preview,
    .extra,
  ]
}

/// The features that a format supports: its column of the capability matrix.
public struct Capabilities: Sendable {
  /// How well a format supports a feature.
  public enum Support: String, Sendable {
    /// Exactly.
    case exact
    /// Approximately.
    case approximated
    /// Not supported.
    case lost
  }

  /// The features that are written exactly.
  public var exact: Set<Capability>

  /// The features that are approximated, or exact in some cases only.
  public var approximated: Set<Capability>

  /// The unit of length of its files. Effects in another are converted before they are encoded.
  public var unit: ParticleSystem.LengthUnit

  /// The engine whose law effects of the format follow. Neutral by default.
  public var profile: ParticleSystem.Profile

  /// The engines that read its files, each by a law of its own. ``profile`` alone by default. An
  /// effect made for a listed engine is written for this engine.
  public var profiles: [ParticleSystem.Profile]

  /// The unit of length of its files for effects in space, or nil, the default, for ``unit``.
  public var unitInSpace: ParticleSystem.LengthUnit?

  /// Whether the engine divides the capacity by the lifetime to get the rate of emission: a file has no rate of its own.
  /// False by default.
  public var derivesRate = false

  /// Creates a column. Features in neither list are lost.
  public init(
    unit: ParticleSystem.LengthUnit = .point, profile: ParticleSystem.Profile = .neutral,
    exact: Set<Capability>, approximated: Set<Capability>
  ) {
    (self.unit, self.profile, profiles) = (unit, profile, [profile])
    self.exact = exact
    self.approximated = approximated
  }

  /// How well the format supports a feature.
  public subscript(capability: Capability) -> Support {
    if exact.contains(capability) { return .exact }
    return approximated.contains(capability) ? .approximated : .lost
  }
}

extension Diagnostic {
  /// A line of the loss report.
  ///
  ///     Diagnostic(
  ///       .lost, .radial, at: "emitters[0].forces[1]",
  ///       "SpriteKit has no radial acceleration")
  ///
  /// - Parameters:
  ///   - rule: what happened: ``ParticlesCore/Rule/lost``, `approximated`, `assumed`, `clamped`,
  ///     `dead`, `restated`, `uninterpreted` or `missingImage`.
  ///   - capability: the row of the matrix that it is about.
  ///   - path: the path in the document. The line covers everything below.
  ///   - alsoPaths: other paths that it covers.
  ///   - detail: the effect of the loss.
  ///   - target: key and value in the result, if there is one.
  ///   - recipe: the replacement, in a few words.
  ///   - metric: the error, if it was measured.
  ///   - level: the severity of the loss. By default it follows from the rule and the capability.
  ///   - hint: the next step.
  public init(
    _ rule: Rule, _ capability: Capability, at path: String, also alsoPaths: [String] = [],
    _ detail: String, target: Loss.Side? = nil, recipe: String? = nil, metric: Loss.Metric? = nil,
    level: Loss.Level? = nil, hint: String? = nil
  ) {
    let level = level ?? Self.level(of: rule, weight: capability.weight)
    let isNote = level == .info && rule != .missingImage
    self.init(rule, at: .key(path), detail, severity: isNote ? .note : .warning, hint: hint)
    loss = Loss(
      feature: capability.id, level: level, path: path, alsoPaths: alsoPaths, target: target,
      recipe: recipe, metric: metric)
  }

  /// The level of the loss: the level of the line, or of its rule, as for findings of an import.
  /// Missing or unreadable images are no loss of the effect, nor are keys that their own engine
  /// does not read. Their level is `info`.
  public var lossLevel: Loss.Level {
    if let loss { return loss.level }
    guard severity > .note else { return .info }
    return [.missingImage, .image, .imageUnchecked, .ignoredKey].contains(rule) ? .info : .medium
  }

  /// Whether ``lossLevel`` follows from the feature only, because the loss in this effect is not known.
  public var isOfUnknownLevel: Bool {
    lossLevel > .info && loss?.basis ?? .feature == .feature
  }

  private static func level(of rule: Rule, weight: Loss.Level) -> Loss.Level {
    switch rule {
    case .missingImage: .info
    case .lost, .uninterpreted: weight
    case .approximated, .clamped: weight == .high ? .medium : min(weight, .low)
    default: .info
    }
  }
}

// Report texts for forces and triggers that a format does not support.

extension ForceKind {
  var capability: Capability {
    switch self {
    case .gravity: .gravity
    case .linear: .linearAcceleration
    case .radial: .radial
    case .tangential: .tangent
    case .vortex, .field: .attract
    case .drag: .exponentialDrag
    case .noise: .noise
    }
  }

  var consequence: String {
    switch self {
    case .linear: "acceleration along the velocity is not supported"
    case .radial: "radial forces are not supported"
    case .tangential, .vortex: "tangential forces are not supported"
    case .noise: "noise is not supported"
    default: "fields belong to the scene"
    }
  }
}

extension TriggerEvent {
  /// The row of the capability matrix that an event belongs to.
  package var capability: Capability {
    switch self {
    case .birth: .emissionAtSpawn
    case .death: .emissionAtDeath
    case .collision: .emissionAtCollision
    case .interval, .frame, .living: .emissionWhileAlive
    }
  }
}

// The rows of the capability matrix. Each format states its column. See
// ``ParticleFormat/capabilities``.
extension Capability {
  // MARK: Emission
  /// A constant emission rate, in particles per second.
  public static let rate = Capability("rate", .high, "emission rate")
  /// An emission rate that is sampled again for each period.
  public static let randomRate = Capability("rateRand", .medium, "random rate of each period")
  /// An emission rate that changes over the period.
  public static let rateCurve = Capability("rateCurve", .medium, "rate that changes over time")
  /// Emission by the distance that the emitter has moved.
  public static let rateOverDistance = Capability("rateWay", .high, "emission by distance moved")
  /// A number of particles emitted at one moment.
  public static let burst = Capability("burst", .high, "burst")
  /// Several bursts, or a burst that repeats.
  public static let burstList = Capability("burstList", .high, "several bursts")
  /// The length of a period of emission, in seconds.
  public static let duration = Capability("duration", .medium, "duration")
  /// Periods that repeat.
  public static let loop = Capability("loop", .high, "looping")
  /// A pause between two periods.
  public static let idle = Capability("idle", .high, "pause between periods")
  /// A delay before the first period.
  public static let delay = Capability("delay", .medium, "start delay")
  /// An effect that begins as if it had run before.
  public static let prewarm = Capability("prewarm", .high, "prewarm")
  /// The playback speed of the whole effect.
  public static let speed = Capability("speed", .high, "playback speed")
  /// The end of an emitter after a number of particles.
  public static let total = Capability("total", .high, "end after a number of particles")
  /// The greatest number of living particles.
  public static let aliveLimit = Capability("maxAlive", .low, "limit of living particles")
  /// Emission gathered at the beginning of a period.
  public static let explosiveness = Capability("explos", .low, "emission gathered within a period")
  /// The probability that a particle is spawned at all.
  public static let probability = Capability("prob", .medium, "spawn probability")

  // MARK: Space and shape
  /// Whether particles that were spawned move with their emitter.
  public static let space = Capability("space", .medium, "coordinate space")
  /// The place and the rotation of an emitter in its effect.
  public static let place = Capability("place", .medium, "place and rotation of the emitter")
  /// A rectangle in which particles are spawned.
  public static let shapeRectangle = Capability("shRect", .medium, "rectangle as shape")
  /// A disc in which particles are spawned.
  public static let shapeDisc = Capability("shDisc", .medium, "disc as shape")
  /// A ring in which particles are spawned.
  public static let shapeRing = Capability("shRing", .high, "ring as shape")
  /// A line on which particles are spawned.
  public static let shapeLine = Capability("shLine", .medium, "line as shape")
  /// Points at which particles are spawned.
  public static let shapePoints = Capability("shPoly", .high, "points as shape")
  /// A shape in space in which particles are spawned: box, sphere, cone and others.
  public static let shape3D = Capability("sh3D", .high, "shape in space (box, sphere, cone …)")
  /// A mesh on which particles are spawned.
  public static let shapeMesh = Capability("shMesh", .high, "mesh as shape")
  /// A shape whose measures change over the period.
  public static let shapeCurve = Capability("shCurve", .medium, "shape that changes over time")
  /// A random offset of the place in the shape.
  public static let shapeOffset = Capability("shOffset", .low, "random offset of a shape")

  // MARK: Launch and motion
  /// A launch direction away from the shape.
  public static let directionNormal = Capability(
    "dirNormal", .high, "direction away from the shape")
  /// A spread of launch directions in the plane.
  public static let spread2D = Capability("spread2D", .high, "spread of directions in the plane")
  /// A cone of launch directions in space.
  public static let cone3D = Capability("cone3D", .high, "cone of directions")
  /// The launch speed, in units per second.
  public static let speedRange = Capability("speedRange", .high, "launch speed")
  /// A constant acceleration in one direction.
  public static let gravity = Capability("gravity", .high, "gravity")
  /// An acceleration away from the emitter.
  public static let radial = Capability("radial", .high, "radial acceleration")
  /// An acceleration across the direction to the emitter.
  public static let tangent = Capability("tangent", .high, "tangential acceleration")
  /// An acceleration along the velocity.
  public static let linearAcceleration = Capability(
    "linAcc", .medium, "acceleration along the velocity")
  /// Drag that takes a share of the speed.
  public static let exponentialDrag = Capability("dragExp", .high, "drag by a share of the speed")
  /// Drag that reduces the speed by a constant amount in each second.
  public static let constantDrag = Capability("dragConst", .high, "constant deceleration")
  /// Drag whose deceleration grows linearly with the speed.
  public static let linearDrag = Capability("dragLin", .high, "linear drag")
  /// A speed that changes over the life of a particle.
  public static let speedCurve = Capability("speedCurve", .high, "speed over life")
  /// A direction that changes over the life of a particle.
  public static let directionCurve = Capability("dirCurve", .high, "direction over life")
  /// A velocity that is added to the velocity of every particle, such as wind.
  public static let drift = Capability("drift", .medium, "wind")
  /// A path around the emitter, at an angle that changes over life.
  public static let orbit = Capability("orbit", .high, "orbit")
  /// A velocity around the emitter.
  public static let orbitalVelocity = Capability("orbitVel", .high, "orbital velocity")
  /// An attraction to a point.
  public static let attract = Capability("attract", .high, "attraction to a point")
  /// Turbulence.
  public static let noise = Capability("noise", .high, "turbulence")
  /// A path that particles follow.
  public static let path = Capability("path", .high, "path")
  /// The share of the velocity of the emitter that particles begin with.
  public static let inherit = Capability("inherit", .medium, "inherited velocity")
  /// Collision with the scene.
  public static let collide = Capability("collide", .high, "collision")

  // MARK: Life, size and rotation
  /// The lifetime, in seconds.
  public static let life = Capability("life", .high, "lifetime")
  /// The size of a particle at its beginning.
  public static let size = Capability("size", .high, "size")
  /// An end size that is sampled independently of the first one.
  public static let randomEndSize = Capability("sizeSE", .high, "random end size")
  /// A size that changes over the life of a particle.
  public static let sizeCurve = Capability("sizeCurve", .high, "size over life")
  /// Width and height that are stated separately.
  public static let widthAndHeight = Capability("sizeXY", .high, "width and height")
  /// A size in units of length, independent of the image.
  public static let absoluteSize = Capability("sizeAbs", .medium, "size in units")
  /// Stretching along the motion.
  public static let stretch = Capability("stretch", .medium, "stretching along the motion")
  /// The rotation of a particle at its beginning.
  public static let rotation = Capability("rot", .medium, "start rotation")
  /// The speed of the rotation.
  public static let rotationSpeed = Capability("rotVel", .high, "rotation speed")
  /// An end rotation that is sampled independently of the first one.
  public static let randomEndRotation = Capability("rotSE", .high, "random end rotation")
  /// A rotation that changes over the life of a particle.
  public static let rotationCurve = Capability("rotCurve", .high, "rotation over life")
  /// An acceleration of the rotation.
  public static let angularAcceleration = Capability("rotAcc", .low, "angular acceleration")
  /// Alignment with the direction of the motion.
  public static let align = Capability("align", .low, "alignment with the motion")
  /// Rotation about an axis in space.
  public static let rotation3D = Capability("rot3D", .medium, "rotation in space")

  // MARK: Colour
  /// A colour that is sampled for each particle.
  public static let randomColor = Capability("colRand", .medium, "random colour")
  /// A colour whose hue, saturation and brightness are sampled for each particle.
  public static let randomHueSaturationBrightness = Capability(
    "colHSB", .high, "random hue, saturation and brightness")
  /// An end colour that is sampled independently of the first one.
  public static let randomEndColor = Capability("colSE", .high, "random end colour")
  /// Colours that change over the life of a particle.
  public static let gradient = Capability("grad", .high, "colours over life")
  /// An opacity that changes over the life of a particle.
  public static let opacityCurve = Capability("alphaCv", .high, "opacity over life")
  /// The mixture of the colours of image and particle.
  public static let mix = Capability("mix", .low, "mix of image and colour")
  /// A start colour that is sampled from a gradient.
  public static let startGradient = Capability(
    "initRamp", .medium, "random start colour from a gradient")

  // MARK: Image
  /// An image for the particles.
  public static let texture = Capability("tex", .high, "image")
  /// An image in the file of the effect itself.
  public static let embeddedImage = Capability("embed", .low, "embedded image")
  /// A flip-book animation: frames of one image.
  public static let flipbook = Capability("flip", .medium, "flip-book animation")
  /// An image that is sampled for each particle.
  public static let randomSprites = Capability("randSpr", .low, "random images")

  // MARK: Render
  /// Alpha blending.
  public static let blendAlpha = Capability("blAlpha", .high, "alpha blending")
  /// Additive blending.
  public static let blendAdditive = Capability("blAdd", .high, "additive blending")
  /// Multiply blending.
  public static let blendMultiply = Capability("blMul", .high, "multiply blending")
  /// Screen blending.
  public static let blendScreen = Capability("blScr", .high, "screen blending")
  /// Subtractive blending.
  public static let blendSubtractive = Capability("blSub", .high, "subtractive blending")
  /// Blending by source and destination factors.
  public static let blendFactors = Capability("blCustom", .high, "blending by factors")
  /// Images whose colours are multiplied by their opacity.
  public static let premultipliedAlpha = Capability("premult", .medium, "premultiplied alpha")
  /// The order in which particles are drawn.
  public static let sort = Capability("sort", .low, "drawing order")
  /// The orientation of particles towards the camera.
  public static let billboard = Capability("billb", .low, "orientation towards the camera")
  /// Particles that fade where they touch the scene.
  public static let soft = Capability("soft", .low, "soft particles")
  /// Trails behind particles.
  public static let trail = Capability("trail", .high, "trails")
  /// Lines between near particles.
  public static let links = Capability("links", .high, "lines between near particles")

  // MARK: Several emitters
  /// Another emitter that is triggered when a particle dies.
  public static let emissionAtDeath = Capability("subDeath", .high, "emission when a particle dies")
  /// Another emitter that is triggered when a particle is spawned.
  public static let emissionAtSpawn = Capability(
    "subBirth", .high, "emission when a particle is spawned")
  /// Another emitter that is triggered by living particles.
  public static let emissionWhileAlive = Capability(
    "subLive", .high, "emission by living particles")
  /// Another emitter that is triggered when a particle collides.
  public static let emissionAtCollision = Capability("subColl", .high, "emission at a collision")
  /// Several emitters in one file.
  public static let severalEmitters = Capability("multi", .high, "several emitters")
  /// The seed of random numbers.
  public static let seed = Capability("seed", .low, "seed")

  // MARK: Document
  /// Names and comments.
  public static let metadata = Capability("meta", .low, "names and comments")
  /// The number of dimensions, and the unit of length.
  public static let frame2D = Capability(
    "frame2D", .medium, "2D or 3D, and the unit of length")
  /// Settings of the preview.
  public static let preview = Capability("preview", .low, "preview settings")
  /// Other settings.
  public static let extra = Capability("extra", .low, "other settings")

  /// Every capability, in the order of the matrix.
  public static let all: [Capability] = [
    rate, randomRate, rateCurve, rateOverDistance, burst, burstList, duration, loop, idle,
    delay, prewarm, speed, total, aliveLimit, explosiveness, probability, space, place,
    shapeRectangle, shapeDisc, shapeRing, shapeLine, shapePoints, shape3D, shapeMesh,
    shapeCurve, shapeOffset, directionNormal, spread2D, cone3D, speedRange, gravity, radial,
    tangent, linearAcceleration, exponentialDrag, constantDrag, linearDrag, speedCurve,
    directionCurve, drift, orbit, orbitalVelocity, attract, noise, path, inherit, collide,
    life, size, randomEndSize, sizeCurve, widthAndHeight, absoluteSize, stretch, rotation,
    rotationSpeed, randomEndRotation, rotationCurve, angularAcceleration, align, rotation3D,
    randomColor, randomHueSaturationBrightness, randomEndColor, gradient, opacityCurve, mix,
    startGradient, texture, embeddedImage, flipbook, randomSprites, blendAlpha, blendAdditive,
    blendMultiply, blendScreen, blendSubtractive, blendFactors, premultipliedAlpha, sort,
    billboard, soft, trail, links, emissionAtDeath, emissionAtSpawn, emissionWhileAlive,
    emissionAtCollision, severalEmitters, seed, metadata, frame2D, preview, extra,
  ]
}
