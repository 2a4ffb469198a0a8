package import ParticlesModel

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

  /// Composes the effect with changed emitters from now on, with the same sprites. Trails go on where they cover as
  /// much time as before.
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
  /// Trails begin where particles were in the calls before, for each simulation; if all are new, for each place in the list.
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
