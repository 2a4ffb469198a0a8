extension ParticleSystem.EngineLaw {
  /// The way in which an engine draws particles, as plain data beside its motion.
  ///
  /// `Spec/profiles.md` explains every switch. Readers of foreign formats translate axes, senses and
  /// shapes to those of the model; the others are used when an effect is drawn.
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
    /// Colours are multiplied by alpha; texels without alpha do not darken filtered edges.
    case premultiplied
    /// Colours are as in the file, those of transparent texels included.
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
    /// By the place in a fixed array, which is filled in turn.
    case slots
  }

  /// See ``shape``.
  package enum Shape: String, Sendable, Hashable, CaseIterable {
    /// That of the texture.
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

  /// The drawing of profiles, `neutral` first; profiles without a row are drawn as `neutral`.
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
  /// How this profile draws; as `neutral` if the name has no row.
  package var drawing: ParticleSystem.EngineLaw.Drawing {
    ParticleSystem.EngineLaw.Drawing.all.first { $0.profile == self }?.drawing
      ?? ParticleSystem.EngineLaw.Drawing()
  }
}
