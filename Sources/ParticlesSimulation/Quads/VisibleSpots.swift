internal import ParticlesCore
internal import ParticlesModel

/// The visible parts of the frames of a sprite.
package struct SpriteLook {
  /// Half of the width and height of the visible part, about the middle of the frame: shares of its size.
  package var half = SIMD2(0.5, 0.5)
  /// Whether the visible part leaves out the corners.
  package var isRound = false
  /// A typical texel of the visible part: a straight colour in sRGB, and alpha.
  package var texel = SIMD4<Float>.one

  package init() {}
}

/// A particle as far as it can be seen.
package struct VisibleSpot {
  /// The middle, in units.
  package var place: SIMD3<Double>
  /// Half of the visible width and height in the plane of the picture, in units.
  package var half: SIMD2<Double>
  /// The difference from each of the backgrounds of a ``SpotLens``, 0…1, in the component that differs most.
  package var contrast: SIMD4<Float>
  /// The number of particles that it is a sample of.
  package var count: Double
  /// The number of the moment that it was seen in.
  package var moment: Int

  /// The visible area in square units.
  package var area: Double { 4 * half.x * half.y * count }
  /// The greatest contrast with any background.
  package var bestContrast: Double { Double(contrast.max()) }
}

/// How particles are looked at.
package struct SpotLens {
  package let frames: SpriteFrames
  /// The backgrounds, opaque colours in sRGB.
  package let backgrounds: [SIMD3<Float>]
  /// Returns the visible parts of a sprite. A nil sprite means a missing image. With `isLight`, only
  /// light parts are visible, because the particles are added to the picture.
  package let look: (_ sprite: Int?, _ isLight: Bool) -> SpriteLook
  /// The axes of the picture: to the right, and up.
  package let (right, up): (SIMD3<Double>, SIMD3<Double>)
  /// The particles of one emitter at a time.
  private let particles = Appearance()

  /// - Parameter backgrounds: at most four.
  package init(
    _ frames: SpriteFrames, isFlat: Bool, backgrounds: [SIMD3<Float>],
    look: @escaping (_ sprite: Int?, _ isLight: Bool) -> SpriteLook
  ) {
    (self.frames, self.backgrounds, self.look) = (frames, backgrounds, look)
    if isFlat {
      (right, up) = (SIMD3(1, 0, 0), SIMD3(0, 1, 0))
    } else {
      (right, up) = (Framing.right, Framing.up)
    }
  }

  /// Looks at the particles of a simulation as they are now.
  /// - Parameters:
  ///   - moment: the number that the spots have.
  ///   - most: the most particles of an emitter, at even distances.
  package func spots(of simulation: Simulation, moment: Int = 0, most: Int) -> [VisibleSpot] {
    var found: [VisibleSpot] = []
    let system = simulation.system
    let drawing = simulation.profile.drawing
    let look = particles
    for index in system.emitters.indices where system.emitters[index].enabled {
      guard simulation.population(ofEmitter: index).alive > 0 else { continue }
      simulation.appearance(ofEmitter: index, into: look)
      let batch = ParticleBatch(
        emitter: system.emitters[index], index: index, look: look,
        random: simulation.states[index].random)
      let viewer = SpotViewer(self, batch, drawing)
      let share = max(1, (look.count + most - 1) / most)
      for particle in stride(from: 0, to: look.count, by: share) {
        viewer.append(particle, count: Double(share), moment: moment, to: &found)
      }
    }
    return found
  }
}

/// Looks at the particles of an emitter.
private struct SpotViewer {
  private let lens: SpotLens
  private let batch: ParticleBatch
  private let look: ViewedColumns
  private let sizes: ParticleSizes
  private let state: BlendState
  private let ignoresTransparent: Bool
  private let isTexelPremultiplied: Bool
  /// The look of the only sprite, or nil if particles have different sprites.
  private let only: SpriteLook?
  private let isLinear: Bool
  private let isLight: Bool
  private let backgrounds: [SIMD4<Float>]
  private let stretch: Value?
  /// Whether particles turn in the plane of the picture.
  private let isScreen: Bool

  init(_ lens: SpotLens, _ batch: ParticleBatch, _ drawing: EngineLaw.Drawing) {
    (self.lens, self.batch) = (lens, batch)
    look = ViewedColumns(batch.look)
    sizes = ParticleSizes(batch, lens.frames)
    state = BlendState(batch.emitter.render.blend, drawing)
    ignoresTransparent = state.ignoresTransparent
    isTexelPremultiplied = state.texel == .premultiplied
    let isLinear = drawing.space == .linear
    self.isLinear = isLinear
    isLight = state.destination == .one && state.equation == .add
    only = sizes.sprites.count < 2 ? lens.look(sizes.sprites.first, isLight) : nil
    stretch = batch.stretchFactor
    switch batch.emitter.render.billboard {
    case .screen, .mesh, .view: isScreen = true
    case .free, .axisY, .velocity, .horizontal, .vertical: isScreen = false
    }
    backgrounds = lens.backgrounds.map { color in
      var color = color
      if isLinear { for channel in 0..<3 { color[channel] = LightCurve.light(color[channel]) } }
      return SIMD4(color, 1)
    }
  }

  func append(_ particle: Int, count: Double, moment: Int, to spots: inout [VisibleSpot]) {
    let sprite =
      sizes.sprites.count < 2
      ? sizes.sprites.first : batch.choice(particle, of: sizes.sprites, lens.frames).sprite
    let visible = only ?? lens.look(sprite, isLight)
    let part = ignoresTransparent ? visible : SpriteLook()
    let traits = sizes.traits(of: sprite)
    let size = sizes.size(of: particle, traits)
    guard size.x > 0, size.y > 0 else { return }
    let place = SIMD3(
      Double(look.x[particle]), Double(look.y[particle]), Double(look.z[particle]))
    var spot = VisibleSpot(
      place: place, half: SIMD2(size.x, size.y) * part.half,
      contrast: contrast(particle, texel: visible.texel), count: count, moment: moment)
    turn(&spot, particle, part, size, traits.pivot)
    guard spot.half.x.isFinite, spot.half.y.isFinite, spot.contrast.max() > 0.004,
      place.x.isFinite, place.y.isFinite, place.z.isFinite
    else { return }
    spots.append(spot)
    guard let trail = batch.emitter.render.trail, trail.length > 0 else { return }
    // The far end of the trail.
    let length = min(trail.length, Double(look.age[particle]))
    spot.place -= velocity(particle) * length
    spot.half *= 0.5
    if spot.place.x.isFinite, spot.place.y.isFinite, spot.place.z.isFinite { spots.append(spot) }
  }

  private func velocity(_ particle: Int) -> SIMD3<Double> {
    SIMD3(
      Double(look.velocityX[particle]), Double(look.velocityY[particle]),
      Double(look.velocityZ[particle]))
  }

  /// Turns, moves and stretches the rectangle of a particle as it is drawn.
  private func turn(
    _ spot: inout VisibleSpot, _ particle: Int, _ part: SpriteLook, _ size: SIMD2<Double>,
    _ pivot: SIMD2<Double>
  ) {
    guard isScreen else {
      let reach = max(spot.half.x, spot.half.y)
      spot.half = SIMD2(reach, reach)
      return
    }
    let degrees = Double(look.angle[particle])
    var (sine, cosine) = (0.0, 1.0)
    if degrees != 0 {
      (sine, cosine) = sineAndCosine(degrees: degrees)
      let (x, y) = (spot.half.x, spot.half.y)
      if part.isRound {
        spot.half.x = (x * x * cosine * cosine + y * y * sine * sine).squareRoot()
        spot.half.y = (x * x * sine * sine + y * y * cosine * cosine).squareRoot()
      } else {
        spot.half.x = x * cosine.magnitude + y * sine.magnitude
        spot.half.y = x * sine.magnitude + y * cosine.magnitude
      }
    }
    if pivot != SIMD2(0.5, 0.5) {
      let offset = SIMD2((0.5 - pivot.x) * size.x, (pivot.y - 0.5) * size.y)
      spot.place += lens.right * (offset.x * cosine - offset.y * sine)
      spot.place += lens.up * (offset.x * sine + offset.y * cosine)
    }
    guard let stretch else { return }
    let velocity = velocity(particle)
    let factor = batch.sample(stretch, .property("size.stretch.factor"), particle: particle) / 2
    spot.half.x += (velocity * lens.right).sum().magnitude * factor.magnitude
    spot.half.y += (velocity * lens.up).sum().magnitude * factor.magnitude
  }

  /// The contrast of a particle with the backgrounds.
  private func contrast(_ particle: Int, texel: SIMD4<Float>) -> SIMD4<Float> {
    var texel = texel
    let base = SIMD3(look.red[particle], look.green[particle], look.blue[particle])
    var tint = (SIMD3(repeating: 1) + (base - 1) * look.mix[particle]) * look.intensity[particle]
    if isLinear {
      for channel in 0..<3 {
        tint[channel] = LightCurve.quickLight(tint[channel])
        texel[channel] = LightCurve.quickLight(texel[channel])
      }
    }
    tint.replace(with: 0, where: tint .< 0)
    var color = SIMD4(tint, min(max(look.alpha[particle], 0), 1))
    if state.isTintPremultiplied {
      let alpha = color.w
      color *= alpha
      color.w = alpha
    }
    if isTexelPremultiplied {
      let alpha = texel.w
      texel *= alpha
      texel.w = alpha
    }
    let fragment = texel * color
    var result = SIMD4<Float>.zero
    for (index, background) in backgrounds.enumerated() {
      let picture = state(fragment, over: background)
      for channel in 0..<3 {
        let (now, before) =
          isLinear
          ? (LightCurve.quickEncoded(picture[channel]), lens.backgrounds[index][channel])
          : (picture[channel], background[channel])
        result[index] = max(result[index], (now - before).magnitude)
      }
    }
    return result
  }
}

/// The numbers of particles, without references to their memory, which would be counted for each one.
private struct ViewedColumns {
  let (x, y, z): (Numbers, Numbers, Numbers)
  let (velocityX, velocityY, velocityZ): (Numbers, Numbers, Numbers)
  let (angle, age): (Numbers, Numbers)
  let (red, green, blue, alpha): (Numbers, Numbers, Numbers, Numbers)
  let (intensity, mix): (Numbers, Numbers)

  typealias Numbers = UnsafeBufferPointer<Float>

  init(_ look: Appearance) {
    (x, y, z) = (look.x.numbers, look.y.numbers, look.z.numbers)
    (velocityX, velocityY) = (look.velocityX.numbers, look.velocityY.numbers)
    (velocityZ, angle, age) = (look.velocityZ.numbers, look.angle.numbers, look.age.numbers)
    (red, green, blue) = (look.red.numbers, look.green.numbers, look.blue.numbers)
    (alpha, intensity, mix) = (look.alpha.numbers, look.intensity.numbers, look.mix.numbers)
  }
}

extension LightCurve {
  private static let codes: [Float] = (0...1_024).map { encoded(Float($0) / 1_024) }

  /// As ``encoded(_:)`` for light of 0…1, to two digits.
  fileprivate static func quickEncoded(_ light: Float) -> Float {
    codes[Int(saturating: min(max(light, 0), 1) * 1_024 + 0.5)]
  }
}

extension Projection {
  /// Whether a part of the rectangle of a particle is in the picture.
  package func shows(_ spot: VisibleSpot) -> Bool {
    guard let point = self(spot.place) else { return false }
    let half = spot.half * point.scale
    return point.pixel.x + half.x > 0 && point.pixel.x - half.x < 2 * center.x
      && point.pixel.y + half.y > 0 && point.pixel.y - half.y < 2 * center.y
  }
}
