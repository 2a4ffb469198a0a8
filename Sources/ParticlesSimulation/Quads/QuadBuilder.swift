internal import ParticlesCore
internal import ParticlesModel

/// The least size of particles in a picture. Thinner ones would flicker, and dust and stars would vanish from
/// small pictures.
package struct QuadFloor: Equatable {
  /// The least width and height in pixels; 1 by default.
  package var size = 1.0
  /// The least factor of alpha for each side of a particle that is thinner. Below, it is as much fainter as it
  /// is wider than it should be.
  package var faintest = 0.35

  package init() {}
}

/// Turns particles into quads.
struct QuadBuilder {
  /// The projection of the coordinates of particles.
  var projection: Projection
  /// That of the world, which the points of trails are in.
  let world: Projection
  let frames: SpriteFrames
  let drawing: EngineLaw.Drawing
  let floor: QuadFloor
  /// Samples of a pixel in each direction.
  let samples: Double

  /// The longest side of a quad, in samples. Longer ones look the same.
  private static let longest = 1e6

  /// Appends the quads of an emitter, the lowest first.
  /// - Parameters:
  ///   - isBlack: whether colours are replaced by black.
  ///   - state: the index of the blend state, in `states`.
  func append(
    _ batch: ParticleBatch, isBlack: Bool, state: Int32, states: [BlendState],
    trail: TrailHistory?, at time: Double, to quads: inout [Quad]
  ) {
    let look = batch.look
    let sizes = ParticleSizes(batch, frames)
    let isFading = states[Int(state)].ignoresTransparent
    let plane = PlaneChoice(batch, projection)
    let isTurning = batch.emitter.rotation.align == .velocity && !projection.isFrontal
    let stretch = batch.stretchFactor
    let order = batch.order(drawing) { particle in
      let offset = place(look, particle) - projection.position
      return ((offset * projection.forward).sum(), (offset * offset).sum())
    }
    // Most particles show the same texture as the one before.
    var known: (sprite: Int?, frame: Int, texture: Int32, traits: ParticleSizes.SpriteTraits) = (
      nil, 0, 0, sizes.traits(of: nil)
    )
    for index in 0..<look.count {
      let particle = order?[index] ?? index
      var color = color(look, particle)
      if isBlack { (color.x, color.y, color.z) = (0, 0, 0) }
      if isFading, color.w <= 0 { continue }
      let choice = batch.choice(particle, of: sizes.sprites, frames)
      if choice.sprite != known.sprite || choice.frame != known.frame {
        known = (
          choice.sprite, choice.frame, frames.texture(choice.sprite, frame: choice.frame),
          sizes.traits(of: choice.sprite)
        )
      }
      let (texture, traits) = (known.texture, known.traits)
      let size = sizes.size(of: particle, traits)
      guard size.x > 0, size.y > 0 else { continue }
      let place = place(look, particle)
      if let trail {
        trail.append(
          particle, of: look, at: time, width: size.x, color: color, texture: texture,
          state: state, isLinear: drawing.space == .linear, world, to: &quads)
      }
      guard
        var quad = plane.isScreen
          ? flat(
            batch, particle, place, size, traits, &color, isFading: isFading,
            isTurning: isTurning, stretch: stretch)
          : plane.quad(particle, at: place, size: size, pivot: traits.pivot, projection)
      else { continue }
      quad.color = color
      quad.texture = texture
      quad.state = state
      quad.isNearest = traits.isNearest
      if choice.share > 0, choice.next != choice.frame {
        quad.next = frames.texture(choice.sprite, frame: choice.next)
        quad.share = Float(choice.share)
      }
      quads.append(quad)
    }
  }

  @inline(__always)
  private func place(_ look: Appearance, _ particle: Int) -> SIMD3<Double> {
    SIMD3(Double(look.x[particle]), Double(look.y[particle]), Double(look.z[particle]))
  }

  /// The colour of a particle in the space of blending, with straight alpha.
  @inline(__always)
  private func color(_ look: Appearance, _ particle: Int) -> SIMD4<Float> {
    let base = SIMD3(look.red[particle], look.green[particle], look.blue[particle])
    var tint = (SIMD3(repeating: 1) + (base - 1) * look.mix[particle]) * look.intensity[particle]
    if drawing.space == .linear {
      for channel in 0..<3 { tint[channel] = LightCurve.quickLight(tint[channel]) }
    }
    tint.replace(with: 0, where: tint .< 0)
    return SIMD4(tint, min(max(look.alpha[particle], 0), 1))
  }

  /// A quad in the plane of the screen.
  private func flat(
    _ batch: ParticleBatch, _ particle: Int, _ place: SIMD3<Double>, _ size: SIMD2<Double>,
    _ traits: ParticleSizes.SpriteTraits, _ color: inout SIMD4<Float>, isFading: Bool,
    isTurning: Bool, stretch: Value?
  ) -> Quad? {
    guard let point = projection(place) else { return nil }
    var size = size * point.scale
    size.replace(with: Self.longest, where: size .> Self.longest)
    if isFading {
      let least = floor.size * samples
      for axis in 0..<2 where size[axis] < least {
        color.w *= Float(max(size[axis] / least, floor.faintest))
        size[axis] = least
      }
    }
    let look = batch.look
    var degrees = Double(look.angle[particle])
    let velocity = SIMD3(
      Double(look.velocityX[particle]), Double(look.velocityY[particle]),
      Double(look.velocityZ[particle]))
    if isTurning {
      degrees += angleInDegrees(
        (velocity * projection.up).sum(), (velocity * projection.right).sum())
      degrees -= angleInDegrees(velocity.y, velocity.x)
    }
    var (right, down) = (SIMD2(size.x, 0), SIMD2(0, size.y))
    if degrees != 0 {
      let (sine, cosine) = sineAndCosine(degrees: degrees)
      right = SIMD2(cosine, -sine) * size.x
      down = SIMD2(sine, cosine) * size.y
    }
    if let stretch {
      let motion = SIMD2(
        (velocity * projection.right).sum(), -(velocity * projection.up).sum())
      let speed = (motion * motion).sum().squareRoot()
      if speed > 0 {
        let factor = batch.sample(stretch, .property("size.stretch.factor"), particle: particle)
        let along = motion / speed
        let (x, y) = ((right * along).sum(), (down * along).sum())
        let length = x.magnitude + y.magnitude
        let more = min(max(speed * factor * point.scale, 0), Self.longest) / length
        right += along * (x * more)
        down += along * (y * more)
      }
    }
    let corner = point.pixel - right * traits.pivot.x - down * traits.pivot.y
    return Quad(
      SIMD2<Float>(corner), SIMD2<Float>(corner + right), SIMD2<Float>(corner + right + down),
      SIMD2<Float>(corner + down), color: .zero, texture: 0, state: 0)
  }
}

extension LightCurve {
  private static let lights: [Float] = (0...1_024).map { light(Float($0) / 1_024) }

  /// As ``light(_:)``, to five digits and faster up to 1.
  static func quickLight(_ encoded: Float) -> Float {
    guard encoded >= 0, encoded < 1 else { return light(encoded) }
    let place = encoded * 1_024
    let index = Int(saturating: place)
    return lights[index] + (lights[index + 1] - lights[index]) * (place - Float(index))
  }
}
