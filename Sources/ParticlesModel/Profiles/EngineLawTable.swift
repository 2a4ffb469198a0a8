extension ParticleSystem.EngineLaw {
  /// How a property of an engine is known.
  package enum Evidence: String, Sendable, Hashable, CaseIterable {
    /// It is what the specification states.
    case specified
    /// The engine ran. Its behaviour was recorded and compared.
    case recorded
    /// The published source of the engine was read, but the engine was not run.
    case read
    /// Neither recorded nor read. The value of `neutral` is used until the value is known.
    case assumed
    /// Files of the engine have nothing that depends on it.
    case unused
  }

  /// A named law.
  package struct Row: Sendable {
    /// The profile: the name in `asset.profile`.
    package let profile: ParticleSystem.Profile
    /// The switches.
    package let law: ParticleSystem.EngineLaw
    /// The engine, and how its switches are known.
    let grounds: Grounds
  }

  /// The laws that are known by name, `neutral` first.
  package static let all: [Row] = [
    row(.neutral, "none", .specified, "Spec/document.md, Simulation") { _ in },
    row(
      .cocos2d, "cocos2d-html5 3.17", .recorded, "`CCParticleSystem.js`, `update`, 64 files",
      except: [
        .init(.read, "`initParticle`, `update`", "clamping"),
        .init(.unused, "", "motion", "drag", "ellipse", "leastSize"),
      ], setCocos),
    row(
      .cocos2dX, "cocos2d-x 3.7", .read,
      "`CCParticleSystem.cpp`, `addParticles` and `update`, 3.7 and 3.16",
      except: [.init(.unused, "", "motion", "drag", "ellipse", "leastSize")], setCocos),
    row(
      .cocosCreator, "Cocos Creator 3.0", .read,
      "`particle-simulator-2d.ts`, `emitParticle` and `step`",
      except: [.init(.unused, "", "motion", "drag", "ellipse", "leastSize")], setCocos),
    row(
      .starling, "Starling particle extension 2.x, July 2024", .recorded,
      "`ParticleSystem.as`, `advanceTime`, 11 files",
      except: [
        .init(.read, "`PDParticleSystem.as`, `initParticle`", "clamping", "leastSize", "clock"),
        .init(.unused, "", "motion", "drag", "ellipse"),
      ]
    ) {
      $0.account = .stretched
      $0.death = .afterLastFrame
      $0.clock = .afterEmission
      $0.clamping = .sizeSamples
      $0.leastSize = 0.1
    },
    row(
      .libgdx, "libGDX 1.9.8", .recorded,
      "`ParticleEmitter.java`, `update`, 14 files, 24 generated effects",
      except: [
        .init(.read, "`activateParticle`, `updateParticle`", "death", "clock"),
        .init(.unused, "", "integrator", "motion", "clamping", "drag", "leastSize"),
      ]
    ) {
      $0.order = .emissionFirst
      $0.firstStep = .whole
      $0.account = .milliseconds
      $0.ages = .milliseconds
      $0.clock = .afterEmission
      $0.ellipse = .cutDisc
      $0.initialAge = .moved
      $0.alignment = .direction
    },
    row(
      .pixi3, "PixiJS particle emitter 3.2.0", .recorded,
      "`Emitter.ts` and `Particle.ts`, `update`, 8 files, generated effects",
      except: [.init(.unused, "", "clamping", "drag", "leastSize")]
    ) {
      $0.account = .intervals
      $0.clock = .perEmission
      $0.lifetimes = .emission
      $0.motion = .keptSpeed
      $0.spreading = .tried
    },
    row(
      .pixi5, "PixiJS particle emitter 5.0.8", .recorded,
      "`Emitter.ts`, `update`, and the behaviours, 18 files, generated effects",
      except: [.init(.unused, "", "clamping", "drag", "leastSize")]
    ) {
      $0.account = .intervals
      $0.clock = .perEmission
      $0.death = .pastLifetime
      $0.integrator = .trapezoid
      $0.motion = .keptSpeed
    },
    row(
      .godot3, "Godot 3.2.3, CPUParticles2D", .recorded,
      "`cpu_particles_2d.cpp`, `_particles_process`, 13 files, 40 generated effects",
      except: [
        .init(.read, "`_particles_process`", "clamping"),
        .init(.unused, "", "leastSize"),
      ]
    ) {
      $0.firstStep = .shifted
      $0.account = .slots
      $0.death = .nextStep
      $0.motion = .orbitSpeedDrag
      $0.share = .emitter
    },
    row(
      .godot4, "Godot 4.3, CPUParticles2D", .read, "`cpu_particles_2d.cpp`, `_particles_process`",
      except: [.init(.unused, "", "leastSize")]
    ) {
      $0.firstStep = .shifted
      $0.account = .slots
      $0.death = .nextStep
      $0.motion = .orbitSpeedDrag
    },
    row(
      .love, "LÖVE 11.4", .recorded,
      "`ParticleSystem.cpp`, `update`, 10 effects, 40 generated effects",
      except: [
        .init(.read, "`addParticle`", "clamping"), .init(.unused, "", "motion", "leastSize"),
      ]
    ) {
      $0.firstStep = .none
      $0.account = .counter
      $0.clock = .afterEmission
      $0.drag = .implicit
      $0.ellipse = .squareMapped
    },
    row(
      .quarks, "three.quarks 0.17.0", .recorded,
      "`ParticleSystem.ts`, `update`, and the behaviours, 4 files, generated effects",
      except: [.init(.unused, "", "ellipse", "clamping", "leastSize")]
    ) {
      $0.order = .emissionFirst
      $0.firstStep = .whole
      $0.account = .roundedUp
      $0.clock = .afterEmission
      $0.evaluation = .before
      $0.motion = .placeOrbit
    },
    row(
      .phaser, "Phaser 3.90", .recorded,
      "`ParticleEmitter.js`, `preUpdate`, and `Particle.js`, `update`, generated effects",
      except: [
        .init(.read, "`Particle.js`, `update`", "clamping"),
        .init(.unused, "", "motion", "drag", "leastSize"),
      ]
    ) {
      $0.firstStep = .none
      $0.account = .reaching
      $0.clock = .afterEmission
      $0.evaluation = .before
    },
    row(
      .tsParticles, "tsParticles 3.1.0", .recorded,
      "`EmitterInstance.ts`, `update`, `Particles.ts`, `update`, and the updaters, generated effects",
      except: [
        .init(.read, "`NumberUtils.ts`, `updateAnimation`", "clamping"),
        .init(.unused, "", "motion", "leastSize"),
      ]
    ) {
      $0.order = .emissionFirst
      $0.firstStep = .whole
      $0.account = .perStep
      $0.clock = .beforeStep
    },
    row(
      .particlesJS, "particles.js 2.0.0", .recorded,
      "`particles.js`, `particlesUpdate` and `particle`, generated effects",
      except: [
        .init(
          .unused, "", "account", "clock", "death", "integrator", "motion", "share", "lifetimes",
          "clamping", "drag", "ellipse", "leastSize")
      ]
    ) {
      $0.order = .emissionFirst
      $0.firstStep = .whole
    },
    row(.spriteKit, "SpriteKit", .assumed, "the documentation leaves it open") { _ in },
    row(.sceneKit, "SceneKit", .assumed, "the documentation leaves it open") { _ in },
    row(
      .unity, "Unity 2022.3", .assumed, "the documentation leaves it open, and Unity was not run",
      except: [
        .init(.read, "the scripting reference, `MainModule.startLifetime`", "lifetimes"),
        .init(.unused, "", "leastSize"),
      ]
    ) { _ in },
  ]

  /// The switches of cocos2d-html5, cocos2d-x and Cocos Creator.
  private static func setCocos(_ law: inout Self) {
    law.order = .emissionFirst
    law.firstStep = .whole
    law.account = .whileRoom
    law.clock = .afterEmission
    law.clamping = .samples
  }

  /// Switches that were found in one engine. Only files of libGDX have an offset of the age, and only libGDX was
  /// recorded with the angle of particles that do not move. Only PixiJS spreads the particles of a burst.
  private static func others(_ profile: ParticleSystem.Profile) -> [Exception] {
    let spreading =
      profile == .pixi3 || profile == .pixi5 ? [] : [Exception(.unused, "", "spreading")]
    if profile == .libgdx { return spreading }
    return spreading + [
      .init(.unused, "", "initialAge"), .init(.assumed, "as in `neutral`", "alignment"),
    ]
  }

  private static func row(
    _ profile: ParticleSystem.Profile, _ engine: String, _ evidence: Evidence, _ source: String,
    except exceptions: @escaping @Sendable @autoclosure () -> [Exception] = [],
    _ set: (inout Self) -> Void
  ) -> Row {
    var law = Self()
    set(&law)
    return Row(
      profile: profile, law: law,
      grounds: Grounds(
        engine, evidence, source,
        exceptions() + (evidence == .specified ? [] : others(profile))))
  }
}

extension ParticleSystem.Profile {
  /// The law of this profile, or nil if the name is not known.
  package var law: ParticleSystem.EngineLaw? {
    ParticleSystem.EngineLaw.all.first { $0.profile == self }?.law
  }
}
