internal import ParticlesCore
package import ParticlesModel

/// The least size of particles in a picture. Thinner ones would flicker, and dust and stars would vanish from
/// small pictures.
package struct QuadFloor: Equatable {
  /// The least width and height in pixels. The default is 1.
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
  /// The projection of world coordinates, in which the points of trails are kept.
  let world: Projection
  let frames: SpriteFrames
  let drawing: EngineLaw.Drawing
  let floor: QuadFloor
  /// Samples of a pixel in each direction.
  let samples: Double

  /// The longest side of a quad, in samples. Longer sides look no different.
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
    // Most particles show the texture of the previous particle.
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

/// A convex quadrilateral that shows a texture: the unit in which everything is drawn.
package struct Quad {
  /// Corners in pixels from the top left of the picture, with y down. They belong to the top left, top
  /// right, bottom right and bottom left of the texture.
  package var corners: (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>, SIMD2<Float>)
  /// The inverse of the distance to the camera at the first, second and fourth corner. Without
  /// perspective, all are equal.
  package var nearness = SIMD3<Float>(repeating: 1)
  /// The part of the texture that is shown: left, top, right and bottom, from 0 to 1.
  package var part = SIMD4<Float>(0, 0, 1, 1)
  /// The colour: red, green and blue, not multiplied by alpha, and alpha.
  package var color: SIMD4<Float>
  /// The index of the texture, and of a second texture that is mixed in with a weight.
  package var texture: Int32
  package var next: Int32 = -1
  package var share: Float = 0
  /// The index of the blend state.
  package var state: Int32
  package var isNearest = false
  /// Whether there are only three corners. The third corner then equals the second.
  package var isTriangle = false

  init(
    _ topLeft: SIMD2<Float>, _ topRight: SIMD2<Float>, _ bottomRight: SIMD2<Float>,
    _ bottomLeft: SIMD2<Float>, color: SIMD4<Float>, texture: Int32, state: Int32
  ) {
    corners = (topLeft, topRight, bottomRight, bottomLeft)
    (self.color, self.texture, self.state) = (color, texture, state)
  }
}

/// Turns the particles of an effect into quads.
package final class EffectQuads {
  /// About the most points of all trails.
  package var mostTrailSamples = 500_000
  /// The most lines between near particles in a picture.
  package static let mostLinks = LinkLines.most
  /// The least size of particles.
  package var floor = QuadFloor()

  private var system: ParticleSystem
  private let frames: SpriteFrames
  package var projection: Projection
  private let samples: Double
  /// The trails of each emitter, for each of the simulations that are drawn together.
  private var trails: [[TrailHistory?]] = []
  /// The simulations that they belong to.
  private var owners: [ObjectIdentifier] = []
  private var looks: [Appearance]
  /// The lines between particles that the picture may still get.
  private var linksLeft = 0
  /// Whether a picture has lines between some of the near particles only.
  package private(set) var hasCutLinks = false

  /// - Parameter samples: samples of a pixel in each direction.
  package init(
    _ system: ParticleSystem, _ frames: SpriteFrames, _ projection: Projection, samples: Double
  ) {
    (self.system, self.frames, self.projection) = (system, frames, projection)
    self.samples = samples
    looks = system.emitters.map { _ in Appearance() }
  }

  /// Composes the effect with changed emitters from now on, with unchanged sprites. A trail goes on if its new
  /// length covers as much time as before.
  package func change(to system: ParticleSystem) {
    let isSameCount = system.emitters.count == self.system.emitters.count
    self.system = system
    if !isSameCount { looks = system.emitters.map { _ in Appearance() } }
    let old = trails
    trails = old.indices.map { place in
      let new = histories()
      guard isSameCount else { return new }
      return zip(new, old[place]).map { history, before in
        history.flatMap { before?.continued(as: $0) ?? $0 }
      }
    }
  }

  /// Trails begin anew.
  package func forgetTrails() { (trails, owners) = ([], []) }

  /// A history for each emitter that has trails.
  private func histories() -> [TrailHistory?] {
    let trailed = system.emitters.count { $0.enabled && $0.render.trail != nil }
    return system.emitters.map { emitter in
      emitter.render.trail.flatMap { trail in
        trail.length > 0
          ? TrailHistory(
            trail, longestLife: emitter.lifetime.bounds.upper / max(emitter.timing.speed, 1e-6),
            mostOfAll: mostTrailSamples / max(1, trailed))
          : nil
      }
    }
  }

  /// Whether trails have fewer points because there are many particles.
  package var hasReducedTrails: Bool {
    trails.contains { $0.contains { $0?.isReduced == true } }
  }

  /// Returns the quads of simulations as they are now, the lowest first, and their blend states.
  ///
  /// A simulation continues its trails of earlier calls, or if all are new, the trails at its place in the list.
  package func make(
    of simulations: [Simulation], _ drawing: EngineLaw.Drawing
  ) -> (quads: [Quad], states: [BlendState]) {
    let builder = QuadBuilder(
      projection: projection, world: projection, frames: frames, drawing: drawing, floor: floor,
      samples: samples)
    var quads: [Quad] = []
    var states: [BlendState] = []
    let present = simulations.map { ObjectIdentifier($0) }
    if present != owners, present.contains(where: owners.contains) {
      trails = present.map { owner in
        owners.firstIndex(of: owner).map { trails[$0] } ?? histories()
      }
    }
    while trails.count < simulations.count { trails.append(histories()) }
    owners = present
    linksLeft = LinkLines.most
    for index in system.emitters.indices.sorted(by: isBelow) where system.emitters[index].enabled {
      for (place, simulation) in simulations.enumerated()
      where simulation.states.indices.contains(index) {
        append(index, of: simulation, trails[place][index], builder, &states, &quads)
      }
    }
    return (quads, states)
  }

  /// Adds the particles of an emitter.
  private func append(
    _ index: Int, of simulation: Simulation, _ trail: TrailHistory?, _ builder: QuadBuilder,
    _ states: inout [BlendState], _ quads: inout [Quad]
  ) {
    let (emitter, look) = (system.emitters[index], looks[index])
    simulation.appearance(ofEmitter: index, into: look)
    guard look.count > 0 else { return }
    var builder = builder
    let place = SIMD3(simulation.place)
    if place != .zero { builder.projection = projection.relative(to: place) }
    trail?.record(look, at: simulation.time, from: place)
    let batch = ParticleBatch(
      emitter: emitter, index: index, look: look, random: simulation.states[index].random)
    if emitter.render.blackPass {
      states.append(BlendState(Blend(.alpha), builder.drawing))
      builder.append(
        batch, isBlack: true, state: Int32(states.count - 1), states: states, trail: trail,
        at: simulation.time, to: &quads)
    }
    states.append(BlendState(emitter.render.blend, builder.drawing))
    if let links = emitter.render.links {
      let lines = LinkLines(links: links, look: look).append(
        atMost: linksLeft, state: Int32(states.count - 1),
        isLinear: builder.drawing.space == .linear, floor: floor, least: floor.size * samples,
        builder.projection, to: &quads)
      linksLeft -= lines.count
      if lines.isCut { hasCutLinks = true }
    }
    builder.append(
      batch, isBlack: false, state: Int32(states.count - 1), states: states, trail: trail,
      at: simulation.time, to: &quads)
  }

  private func isBelow(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (system.emitters[a].render.order, system.emitters[b].render.order)
    return first != second ? first < second : a < b
  }
}

/// The particles of an emitter at a moment.
final class ParticleBatch {
  let emitter: Emitter
  let index: Int
  let look: Appearance
  let random: RandomNumbers

  init(emitter: Emitter, index: Int, look: Appearance, random: RandomNumbers) {
    (self.emitter, self.index, self.look, self.random) = (emitter, index, look, random)
  }

  /// A sample of a value, equal at every call. It is taken for progress 0 and period 0 of the
  /// emission.
  func sample(_ value: Value, _ channel: RandomChannel, particle: Int) -> Double {
    ParticleRandoms(
      random: random, emitter: UInt64(index), particle: look.ordinal[particle], period: 0,
      progress: 0
    ).sample(value, channel)
  }

  func unit(_ channel: RandomChannel, particle: Int) -> Double {
    random.unit(emitter: UInt64(index), particle: look.ordinal[particle], channel: channel)
  }

  /// The factor of the stretching along the motion, or nil if there is none.
  var stretchFactor: Value? {
    guard let stretch = emitter.size.stretch, case .velocity = stretch.axis else { return nil }
    return stretch.factor
  }

  /// Age ÷ lifetime, 0…1.
  func share(_ particle: Int) -> Double {
    let (age, life) = (Double(look.age[particle]), Double(look.life[particle]))
    return life > 0 ? min(max(age / life, 0), 1) : 1
  }
}

extension ParticleBatch {
  /// The particles in drawing order, lowest first, or nil for the order of emission.
  /// - Parameter depth: the distance from the plane of the camera, and that from the camera.
  func order(
    _ drawing: EngineLaw.Drawing, depth: (Int) -> (plane: Double, camera: Double)
  ) -> [Int]? {
    let count = look.count
    var keys: [Double]?
    switch emitter.render.sort {
    case .none:
      guard drawing.order == .slots, let slots = emitter.emission.maxAlive, slots > 0 else { break }
      keys = (0..<count).map { Double(look.ordinal[$0] % UInt64(slots)) }
    case .oldestFirst: break
    case .youngestFirst: keys = (0..<count).map { -Double($0) }
    case .depth: keys = (0..<count).map { -depth($0).plane }
    case .distance: keys = (0..<count).map { -depth($0).camera }
    case .lifetime: keys = (0..<count).map { -share($0) }
    }
    let isLayered = !emitter.render.z.isConstantOverLife || !emitter.render.z.from.isConstant
    guard keys != nil || isLayered else { return nil }
    var order = Array(0..<count)
    order.sort { a, b in
      let (z, other) = (look.depth[a], look.depth[b])
      if z < other { return true }
      if other < z { return false }
      guard let keys else { return a < b }
      if keys[a] < keys[b] { return true }
      if keys[b] < keys[a] { return false }
      return a < b
    }
    return order
  }
}

/// The sizes of the particles of an emitter in units, and the traits of their sprites.
struct ParticleSizes {
  /// Properties of a sprite that all of its particles share.
  struct SpriteTraits {
    /// The size in units of a frame.
    var size: SIMD2<Double>
    /// Width divided by height.
    var aspect: Double
    /// From the top left, 0…1.
    var pivot = SIMD2(0.5, 0.5)
    var isNearest = false
  }

  let sprites: [Int]
  private let traits: [Int: SpriteTraits]
  private let plain: SpriteTraits
  private let batch: ParticleBatch
  private let (widths, heights): (UnsafeBufferPointer<Float>, UnsafeBufferPointer<Float>)
  private let isScale: Bool
  private let hasHeight: Bool
  private let scale: SIMD2<Double>
  private let factors: VectorTrack?

  init(_ batch: ParticleBatch, _ frames: SpriteFrames) {
    self.batch = batch
    (widths, heights) = (batch.look.width.numbers, batch.look.height.numbers)
    let emitter = batch.emitter
    sprites = frames.sprites(of: emitter)
    isScale = emitter.size.mode == .textureScale
    hasHeight = emitter.size.height != nil
    let transform = emitter.transform.scale
    scale =
      emitter.space == .local ? SIMD2(transform.x.magnitude, transform.y.magnitude) : SIMD2(1, 1)
    if case .factors(let tracks)? = emitter.size.stretch?.axis {
      factors = tracks
    } else {
      factors = nil
    }
    func aspect(_ size: SIMD2<Double>) -> Double {
      let ratio = emitter.size.aspect.ratio(of: size.y > 0 ? size.x / size.y : 1)
      return ratio > 0 && ratio.isFinite ? ratio : 1
    }
    let unknown = frames.size(of: nil)
    plain = SpriteTraits(size: unknown, aspect: aspect(unknown))
    var traits: [Int: SpriteTraits] = [:]
    for sprite in sprites {
      let (info, pixels) = (frames[sprite], frames.size(of: sprite))
      traits[sprite] = SpriteTraits(
        size: info.scale > 0 ? pixels / info.scale : pixels, aspect: aspect(pixels),
        pivot: SIMD2(info.pivot.x, info.pivot.y), isNearest: info.filter == .nearest)
    }
    self.traits = traits
  }

  func traits(of sprite: Int?) -> SpriteTraits { sprite.flatMap { traits[$0] } ?? plain }

  /// The width and height of a particle in units.
  func size(of particle: Int, _ traits: SpriteTraits) -> SIMD2<Double> {
    var size = SIMD2(Double(widths[particle]), Double(heights[particle]))
    if isScale {
      size *= traits.size
    } else if !hasHeight {
      size.y = size.x / traits.aspect
    }
    if let factors { size *= SIMD2(amount(factors.x, 0, particle), amount(factors.y, 1, particle)) }
    return size * scale
  }

  /// A factor that grows with a track.
  private func amount(_ track: Track, _ axis: Int, _ particle: Int) -> Double {
    func sample(_ value: Value, _ part: String) -> Double {
      if case .constant(let number) = value { return number }
      return batch.sample(
        value, .property("size.stretch.axis[\(axis)].\(part)"), particle: particle)
    }
    let age = Double(batch.look.age[particle])
    let input: Double =
      switch track.over {
      case .age: age
      case .life, .speed, .distance, .emitter: batch.share(particle)
      }
    return 1
      + track.value(
        at: input, age: age, from: sample(track.from, "from"),
        to: track.to.map { sample($0, "to") } ?? 0, rate: sample(track.rate, "rate"))
  }
}
