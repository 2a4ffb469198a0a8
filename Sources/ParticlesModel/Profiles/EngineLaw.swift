extension ParticleSystem {
  /// The law by which an engine moves particles: the switches in which engines differ from the
  /// simulation that the specification describes, as plain data.
  ///
  /// `Spec/profiles.md` explains every switch, with the version of the engine and the source.
  package struct EngineLaw: Sendable, Hashable {
    /// Whether particles are emitted before or after the living ones are moved.
    package var order = Order.motionFirst
    /// The part of the step that a particle lives through in the step in which it is emitted.
    package var firstStep = FirstStep.rest
    /// How the number of particles to emit is counted.
    package var account = Account.exact
    /// When a period of emission ends.
    package var clock = Clock.beforeEmission
    /// When a particle dies.
    package var death = Death.atLifetime
    /// In which unit ages and the account advance.
    package var ages = Ages.exact
    /// How positions are advanced.
    package var integrator = Integrator.semiImplicit
    /// The order of drag, speed and orbit in a step.
    package var motion = MotionOrder.dragSpeedOrbit
    /// The age at which tracks are evaluated in a step.
    package var evaluation = Evaluation.after
    /// The lifetime that relative ages refer to.
    package var share = Share.particle
    /// How often lifetimes are sampled.
    package var lifetimes = Lifetimes.particle
    /// Where sizes and colours are clamped.
    package var clamping = Clamping.result
    /// The least size that is sampled, in units. Nil: the lower end of the property's range.
    package var leastSize: Double?
    /// The law that replaces `exponential` and `euler` drag.
    package var drag = Drag.own
    /// How points are distributed over an ellipse.
    package var ellipse = Ellipse.uniform
    /// The effect of an initial age on a particle.
    package var initialAge = InitialAge.counted
    /// The vector that particles follow that are aligned when they are emitted.
    package var alignment = Alignment.velocity
    /// How the particles of a burst are counted whose places are spread over it.
    package var spreading = Spreading.emitted

    /// Creates the law of the specification, `neutral`.
    package init() {}
  }
}

/// A switch of a law: its values and their meanings.
package protocol EngineSwitch: RawRepresentable<String>, CaseIterable {
  /// The meaning of the value, for the specification.
  var meaning: String { get }
}

extension ParticleSystem.EngineLaw {
  /// See ``order``.
  package enum Order: String, Sendable, Hashable, EngineSwitch {
    /// The living are moved, then particles are emitted.
    case motionFirst
    /// Particles are emitted, then all are moved.
    case emissionFirst

    package var meaning: String {
      switch self {
      case .motionFirst: "living particles are moved, then particles are emitted"
      case .emissionFirst: "particles are emitted, then all are moved"
      }
    }
  }

  /// See ``firstStep``.
  package enum FirstStep: String, Sendable, Hashable, EngineSwitch {
    /// From the moment of its emission to the end of the step.
    case rest
    /// The whole step, whenever it was emitted.
    case whole
    /// Nothing: its age is 0 at the end of the step. Particles of a burst were emitted before it.
    case none
    /// Its age is 0 at the end of the step, and its velocity moves it for the rest of the step.
    case shifted

    package var meaning: String {
      switch self {
      case .rest: "a new particle lives from the moment of its emission to the end of the step"
      case .whole: "it lives through the whole step"
      case .none: "its age is 0 at the end of the step. A burst was emitted before the step"
      case .shifted:
        "its age is 0 at the end of the step. It moves by its velocity, without forces, for the "
          + "rest of the step"
      }
    }
  }

  /// See ``account``.
  package enum Account: String, Sendable, Hashable, EngineSwitch {
    /// A particle whenever rate × time reaches a whole number.
    case exact
    /// Time is counted only while there is room. A particle is emitted while the counter exceeds 1 ÷ rate.
    case whileRoom
    /// A particle at the start and then every 1 ÷ rate. The interval is stretched in a step that would exceed the
    /// limit.
    case stretched
    /// Time is always counted. A particle is emitted while the counter exceeds 1 ÷ rate, or lost without room.
    case counter
    /// Time is always counted. A particle is emitted while the counter reaches 1 ÷ rate, or lost without room.
    case reaching
    /// A particle at the start and then every 1 ÷ rate, lost if there is no room.
    case intervals
    /// Whole milliseconds, with a particle at the start.
    case milliseconds
    /// The counter of the previous step, rounded up.
    case roundedUp
    /// A particle, or a burst that repeats for ever, at the start and then every interval, at most once in a step. The
    /// counter goes on in the next period.
    case perStep
    /// `maxAlive` places, each of which emits at its own time of the period.
    case slots

    package var meaning: String {
      switch self {
      case .exact: "a particle at each moment at which rate × time reaches a whole number"
      case .whileRoom:
        "time counts only while there is room. A particle while the counter exceeds 1 ÷ rate"
      case .stretched:
        "a particle at the start and then every 1 ÷ rate. If the limit would be exceeded in a "
          + "step, the interval of this step is longer"
      case .counter:
        "time always counts. A particle while the counter exceeds 1 ÷ rate, lost without "
          + "room. Counter and period are numbers of single precision"
      case .reaching:
        "time always counts. A particle, or a burst, as soon as the counter reaches 1 ÷ rate, or its time, "
          + "lost without room"
      case .intervals: "a particle at the start and then every 1 ÷ rate, lost without room"
      case .milliseconds:
        "one particle at the start. Then the counter, in whole milliseconds, emits its quotient by "
          + "1000 ÷ rate and keeps the remainder, cut to a whole number. The first period lasts a "
          + "millisecond longer. The step that begins a further period is not counted in it, and a delay "
          + "ends with a step"
      case .roundedUp:
        "the counter of the steps before, rounded up. The excess is subtracted from the next, in the next "
          + "period, too"
      case .perStep:
        "a particle, or a burst without an end, at the start and then every 1 ÷ rate, or its interval, "
          + "at most once in a step. The counter goes on in the next period, and does not count in pauses, "
          + "which last whole steps"
      case .slots:
        "slot i of `maxAlive` emits at the fraction (i + `jitter` · random) ÷ `maxAlive` · (1 − "
          + "`explosiveness`) of a lifetime, whether its particle lives or not, and as soon as its "
          + "particle has died. After the end of the emission, its particle is removed then"
      }
    }
  }

  /// See ``clock``.
  package enum Clock: String, Sendable, Hashable, EngineSwitch {
    /// Emission ends exactly at the end of the period.
    case beforeEmission
    /// After the emission of a step, the clock is compared with the duration. The step is emitted whole.
    case afterEmission
    /// The rest of the period falls by 1 ÷ rate for each emission.
    case perEmission
    /// The clock is compared with the duration before the emission of a step: the step that reaches it does
    /// not emit.
    case beforeStep

    package var meaning: String {
      switch self {
      case .beforeEmission: "emission ends exactly at the end of the period"
      case .afterEmission:
        "the clock is compared with the duration after the emission of a step"
      case .beforeStep: "the step that reaches the end of the period does not emit"
      case .perEmission: "the rest of the period falls by 1 ÷ rate for each emission"
      }
    }
  }

  /// See ``death``.
  package enum Death: String, Sendable, Hashable, EngineSwitch {
    /// In the step in which its age reaches the lifetime.
    case atLifetime
    /// In the step in which its age exceeds the lifetime.
    case pastLifetime
    /// One step later: the step in which it reaches the lifetime ends exactly there, and shows it.
    case afterLastFrame
    /// In the step after its age exceeded the lifetime.
    case nextStep

    /// Whether particles are removed in the step in which they die.
    package var isAtOnce: Bool { self == .atLifetime || self == .pastLifetime }

    package var meaning: String {
      switch self {
      case .atLifetime: "in the step in which the age reaches the lifetime"
      case .pastLifetime: "in the step in which the age exceeds the lifetime"
      case .afterLastFrame:
        "one step later. The step that reaches the lifetime ends exactly there and shows it"
      case .nextStep: "one step later than `pastLifetime`"
      }
    }
  }

  /// See ``ages``.
  package enum Ages: String, Sendable, Hashable, EngineSwitch {
    /// Seconds.
    case exact
    /// Whole milliseconds. The fraction is kept for the next step.
    case milliseconds

    package var meaning: String {
      switch self {
      case .exact: "in seconds"
      case .milliseconds:
        "in whole milliseconds, and the fraction is kept for the next step. Movement uses the exact "
          + "time"
      }
    }
  }

  /// See ``integrator``.
  package enum Integrator: String, Sendable, Hashable, EngineSwitch {
    /// The velocity is advanced first. The position then moves with the new velocity.
    case semiImplicit
    /// The position moves with the mean of the old and the new velocity.
    case trapezoid

    package var meaning: String {
      switch self {
      case .semiImplicit: "the velocity first, then the position with the new velocity"
      case .trapezoid: "the position with the mean of the old and the new velocity"
      }
    }
  }

  /// See ``motion``.
  package enum MotionOrder: String, Sendable, Hashable, EngineSwitch {
    /// Forces, drag, speed, orbit.
    case dragSpeedOrbit
    /// Forces, orbit of the position alone, speed, drag.
    case orbitSpeedDrag
    /// As `dragSpeedOrbit`, and the particle keeps the changed speed and its limit from then on.
    case keptSpeed
    /// As `dragSpeedOrbit`, but velocities are not rotated. Particles in the space of the world turn about its origin,
    /// and others about the axis of the emitter.
    case placeOrbit

    package var meaning: String {
      switch self {
      case .dragSpeedOrbit:
        "after forces: drag, `motion.speed`, then position and velocity are rotated"
      case .orbitSpeedDrag:
        "after forces: the position is rotated and the velocity is not, `motion.speed` replaces the "
          + "velocity, then drag"
      case .keptSpeed:
        "as `dragSpeedOrbit`, but the particle keeps the speed that `motion.speed` and "
          + "`motion.maxSpeed` give it"
      case .placeOrbit:
        "as `dragSpeedOrbit`, but the velocity is not rotated, and origin and axis belong to the particle's "
          + "space"
      }
    }
  }

  /// See ``evaluation``.
  package enum Evaluation: String, Sendable, Hashable, EngineSwitch {
    /// The age at the end of the step.
    case after
    /// The age at the start of the step.
    case before

    package var meaning: String {
      switch self {
      case .after: "tracks are evaluated at the age at the end of the step"
      case .before: "tracks are evaluated at the age at the start of the step"
      }
    }
  }

  /// See ``share``.
  package enum Share: String, Sendable, Hashable, EngineSwitch {
    /// The lifetime of the particle.
    case particle
    /// The greatest lifetime of the emitter.
    case emitter

    package var meaning: String {
      switch self {
      case .particle: "relative ages are fractions of the lifetime of the particle"
      case .emitter: "relative ages are fractions of the greatest lifetime of the emitter"
      }
    }
  }

  /// See ``lifetimes``.
  package enum Lifetimes: String, Sendable, Hashable, EngineSwitch {
    /// For each particle.
    case particle
    /// For all particles that are emitted at one time.
    case emission

    package var meaning: String {
      switch self {
      case .particle: "lifetimes are sampled as `scope` states"
      case .emission: "particles that are emitted together share a lifetime"
      }
    }
  }

  /// See ``clamping``.
  package enum Clamping: String, Sendable, Hashable, EngineSwitch {
    /// Sampled values are not clamped, the result at each moment is.
    case result
    /// Start and end are clamped when they are sampled. The result is not clamped, but sizes stay ≥ 0.
    case samples
    /// Sizes are clamped when they are sampled. Colours are never clamped.
    case sizeSamples

    package var meaning: String {
      switch self {
      case .result: "samples are not clamped, the result at each moment is"
      case .samples: "start and end are clamped when they are sampled, results are not"
      case .sizeSamples: "sizes are clamped when they are sampled, colours are not"
      }
    }
  }

  /// See ``drag``.
  package enum Drag: String, Sendable, Hashable, EngineSwitch {
    /// As the force states.
    case own
    /// v ÷ (1 + s · h).
    case implicit

    package var meaning: String {
      switch self {
      case .own: "as the force states"
      case .implicit: "v ÷ (1 + s · h) in place of `exponential` and `euler`"
      }
    }
  }
}

/// The switches of where and how particles start.
extension ParticleSystem.EngineLaw {
  /// See ``ellipse``.
  package enum Ellipse: String, Sendable, Hashable, EngineSwitch {
    /// As the distribution of the shape states.
    case uniform
    /// A square, mapped to the disc.
    case squareMapped
    /// A disc of the radius along x, cut at the radius along y, and then scaled to it.
    case cutDisc

    package var meaning: String {
      switch self {
      case .uniform: "as `shape.distribution` states"
      case .cutDisc:
        "for the radii a and b, a point (x, y) with |y| ≤ b of the disc of the radius a, as (x, y · b ÷ a), "
          + "uniform unless a > b. The normal of an edge is (cos φ, sin φ)"
      case .squareMapped:
        "x · √(1 − y² ÷ 2) and y · √(1 − x² ÷ 2) of a point (x, y) of the square from −1 to 1"
      }
    }
  }

  /// See ``initialAge``.
  package enum InitialAge: String, Sendable, Hashable, EngineSwitch {
    /// It counts as age only.
    case counted
    /// The particle moves for as long, in one step.
    case moved

    package var meaning: String {
      switch self {
      case .counted: "`emission.lifeOffset` is an age"
      case .moved: "the particle is also moved, by one step of that length, when it is emitted"
      }
    }
  }

  /// See ``alignment``.
  package enum Alignment: String, Sendable, Hashable, EngineSwitch {
    /// The velocity, which points against the direction where the speed is negative.
    case velocity
    /// The direction.
    case direction

    package var meaning: String {
      switch self {
      case .velocity:
        "`rotation.align` follows the velocity, and the direction where the speed is 0"
      case .direction: "it follows the direction of the launch or of `motion.direction`"
      }
    }
  }

  /// See ``spreading``.
  package enum Spreading: String, Sendable, Hashable, EngineSwitch {
    /// Particles that come to life, without gaps.
    case emitted
    /// All scheduled particles. A particle that `probability` leaves out leaves its place empty.
    case tried

    package var meaning: String {
      switch self {
      case .emitted: "`shape.sweep` `spread` counts the particles of a burst that come to life"
      case .tried:
        "`shape.sweep` `spread` counts all particles of a burst: a particle that `probability` leaves out leaves a gap"
      }
    }
  }
}

extension ParticleSystem.EngineLaw {
  /// The way in which an engine draws particles, as plain data beside its motion.
  ///
  /// `Spec/profiles.md` explains every switch. Readers of foreign formats translate axes, senses and shapes to the
  /// model. The renderer uses the remaining switches.
  package struct Drawing: Sendable, Hashable {
    /// The form of textures when they are filtered and blended.
    package var texture = TextureForm.premultiplied
    /// Where the alpha of a particle takes effect.
    package var tintAlpha = TintAlpha.premultiplied
    /// How a blend mode becomes factors.
    package var blending = Blending.formula
    /// The values that are blended.
    package var space = Space.srgb
    /// The order of particles if an effect leaves it open.
    package var order = Order.newestOnTop
    /// The shape of a particle whose texture is not square, if the file states one size.
    package var shape = Shape.texture
    /// The edge of the texture that points ahead if particles are aligned with their motion.
    package var ahead = Edge.right
    /// The direction of the y axis in files.
    package var y = Axis.up
    /// The sense of a positive rotation in files.
    package var rotation = Sense.counterclockwise

    /// Creates the drawing of the specification, `neutral`.
    package init() {}
  }
}

extension ParticleSystem.EngineLaw.Drawing {
  /// See ``texture``.
  package enum TextureForm: String, Sendable, Hashable, CaseIterable {
    /// Colours are multiplied by alpha, so texels without alpha do not darken filtered edges.
    case premultiplied
    /// Colours are as in the file, also in transparent texels.
    case straight
  }

  /// See ``tintAlpha``.
  package enum TintAlpha: String, Sendable, Hashable, CaseIterable {
    /// The colour of the particle is multiplied by its alpha.
    case premultiplied
    /// Alpha is in the blend factors only.
    case inBlend
  }

  /// See ``blending``.
  package enum Blending: String, Sendable, Hashable, CaseIterable {
    /// By the formula of the mode.
    case formula
    /// By a pair of factors for each mode, applied to what texture and particle make.
    case factors
    /// As `factors`, but the source factor of colours is always source alpha.
    case sourceAlpha
  }

  /// See ``space``.
  package enum Space: String, Sendable, Hashable, CaseIterable {
    /// Values as encoded by sRGB.
    case srgb
    /// Values linear in light.
    case linear
  }

  /// See ``order``.
  package enum Order: String, Sendable, Hashable, CaseIterable {
    /// By time of emission.
    case newestOnTop
    /// By the place in a fixed array that is filled in turn.
    case slots
  }

  /// See ``shape``.
  package enum Shape: String, Sendable, Hashable, CaseIterable {
    /// The shape of the texture.
    case texture
    /// A square.
    case square
  }

  /// See ``ahead``.
  package enum Edge: String, Sendable, Hashable, CaseIterable {
    case right, bottom, left
  }

  /// See ``y``.
  package enum Axis: String, Sendable, Hashable, CaseIterable {
    case up, down
  }

  /// See ``rotation``.
  package enum Sense: String, Sendable, Hashable, CaseIterable {
    case counterclockwise, clockwise
  }
}

extension ParticleSystem.EngineLaw.Drawing {
  /// The drawing of a profile.
  package struct Row: Sendable {
    /// The profile: the name in `asset.profile`.
    package let profile: ParticleSystem.Profile
    /// The switches.
    package let drawing: ParticleSystem.EngineLaw.Drawing
    /// How they are known.
    let grounds: ParticleSystem.EngineLaw.Grounds
  }

  /// The drawing of profiles, `neutral` first. Profiles without a row are drawn as `neutral`.
  package static let all: [Row] = [
    row("neutral", .specified, "Spec/document.md, Rendering") { _ in },
    row("cocos2d", .recorded, "pictures of cocos2d-html5 3.17") {
      $0.tintAlpha = .inBlend
      $0.blending = .sourceAlpha
      $0.shape = .square
      $0.rotation = .clockwise
    },
    row(
      "cocos2d-x", .read,
      "cocos2d-x 3.7 and 3.16 as published, `updateBlendFunc`, `updateParticleQuads`"
    ) {
      $0.tintAlpha = .inBlend
      $0.blending = .factors
      $0.shape = .square
      $0.rotation = .clockwise
    },
    row("cocos-creator", .read, "Cocos Creator 3.0 as published, `builtin-sprite.effect`") {
      $0 = straight
      $0.rotation = .clockwise
    },
    row("starling", .read, "the engine as published") {
      $0.tintAlpha = .inBlend
      $0.blending = .factors
      $0.y = .down
      $0.rotation = .clockwise
    },
    row("love", .recorded, "pictures of LÖVE 11.4") {
      $0 = straight
      $0.y = .down
      $0.rotation = .clockwise
    },
    row("libgdx", .read, "the engine as published") { $0 = straight },
    row("pixi-3", .recorded, "pictures of pixi-particles 3.2.0 on PixiJS 4.5.4") {
      $0.blending = .factors
      $0.y = .down
      $0.rotation = .clockwise
    },
    row("pixi-5", .recorded, "pictures of pixi-particles 5.0.8 on PixiJS 5.3.8") {
      $0.blending = .factors
      $0.y = .down
      $0.rotation = .clockwise
    },
    row("godot3", .recorded, "pictures of Godot 3.2.3") {
      $0 = straight
      $0.order = .slots
      $0.ahead = .bottom
      $0.y = .down
    },
    row("godot4", .read, "the engine as published") {
      $0 = straight
      $0.order = .slots
      $0.ahead = .bottom
      $0.y = .down
    },
    row("quarks", .recorded, "pictures of three.quarks 0.17.0 on three.js r180") {
      $0 = straight
      $0.shape = .square
      $0.ahead = .left
    },
    row("tsparticles", .read, "tsParticles 3.1.0 as published, on a canvas") {
      $0.y = .down
      $0.rotation = .clockwise
    },
    row("particlesjs", .read, "particles.js 2.0.0 as published, on a canvas") {
      $0.y = .down
      $0.rotation = .clockwise
    },
    row("spritekit", .assumed, "documentation") { _ in },
    row("scenekit", .assumed, "documentation") { $0.space = .linear },
  ]

  /// Textures as in the file, and alpha in the blend factors.
  private static let straight: Self = {
    var drawing = Self()
    drawing.texture = .straight
    drawing.tintAlpha = .inBlend
    drawing.blending = .factors
    return drawing
  }()

  private static func row(
    _ profile: String, _ evidence: ParticleSystem.EngineLaw.Evidence, _ source: String,
    _ set: (inout Self) -> Void
  ) -> Row {
    var drawing = Self()
    set(&drawing)
    return Row(
      profile: ParticleSystem.Profile(rawValue: profile), drawing: drawing,
      grounds: .init("", evidence, source, []))
  }
}

extension ParticleSystem.EngineLaw.Drawing {
  /// Whether the engine multiplies the colour of particles by their alpha for a blend mode.
  ///
  /// Engines whose alpha takes effect in the factors make an exception for the pair (1, 771), if
  /// their textures are premultiplied: it would leave out the alpha of the particle.
  package func multipliesTint(for blend: Emitter.Blend) -> Bool {
    if tintAlpha == .premultiplied { return true }
    return texture == .premultiplied && blend.mode == .custom
      && (blend.source, blend.destination) == (1, 771)
  }
}

extension ParticleSystem.EngineLaw.Drawing {
  /// How many times the alpha of an image is a factor of the light that particles add: 1 by the
  /// formulas of the specification, 2 if texels are premultiplied and multiplied by the source alpha
  /// again. nil for blend modes that do not add light.
  package func imageAlphas(for blend: Blend) -> Int? {
    let isNamed = [.alpha, .add, .screen, .subtract].contains(blend.mode)
    let isLight = [1, 770, 775].contains(blend.source ?? 0) && blend.mode == .custom
    guard isNamed || isLight else { return nil }
    let premultiplied = texture == .premultiplied ? 1 : 0
    switch blending {
    case .formula: return 1
    case .sourceAlpha: return premultiplied + 1
    case .factors where isNamed:
      return premultiplied == 1 && tintAlpha == .premultiplied ? 1 : premultiplied + 1
    case .factors: return premultiplied + (blend.source == 770 ? 1 : 0)
    }
  }
}

extension ParticleSystem.Profile {
  /// How this profile draws. Names without a row draw as `neutral`.
  package var drawing: ParticleSystem.EngineLaw.Drawing {
    ParticleSystem.EngineLaw.Drawing.all.first { $0.profile == self }?.drawing
      ?? ParticleSystem.EngineLaw.Drawing()
  }
}
