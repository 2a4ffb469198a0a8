public import ParticlesCore
public import ParticlesImages
public import ParticlesModel

/// Draws the particles of a simulation on the CPU.
///
/// Create one renderer for an effect, and use it for all frames of its simulations. Equal
/// simulations give equal pictures on every machine, with any number of threads.
///
/// ```swift
/// let simulation = Simulation(system)
/// let renderer = try EffectRenderer(system, textures: [0: spark])
/// simulation.advance(by: 2)
/// let picture = try renderer.draw(simulation)
/// ```
public final class EffectRenderer {
  /// The effect that is drawn.
  public let system: ParticleSystem
  /// The settings.
  public let settings: Settings
  /// The camera in use; for an automatic one, the one that was found.
  public let camera: ParticleSystem.Camera
  /// Warnings about particles that were left out because of limits, each kind once.
  public private(set) var problems: [Diagnostic] = []

  private let canvas: Canvas
  private let projection: Projection
  private let limits: Limits
  private let sheets: SpriteSheets
  /// The trails of each emitter, for each of the simulations that are drawn together.
  private var trails: [[TrailHistory?]] = []
  /// The most samples to paint in a picture, and the limit that they come from.
  private var mostPaint: (samples: Int, limit: String)
  /// About the most points of the trails of an emitter.
  private var mostTrailSamples = 1_000_000
  private let looks: [Appearance]

  /// Creates a renderer.
  /// - Parameters:
  ///   - system: the effect.
  ///   - textures: the images of the effect, by their index in `images`. A white square is shown for a
  ///     missing one.
  ///   - settings: size, background and camera.
  ///   - profile: the engine whose law the automatic camera assumes; by default the one that the effect
  ///     names. Pictures follow the law of the simulation.
  ///   - limits: the greatest picture (`pixels`, each sample counts) and the work for one picture
  ///     (`paint`).
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/limit`` if the picture is too
  ///   large.
  public init(
    _ system: ParticleSystem, textures: [Int: Bitmap] = [:], settings: Settings = Settings(),
    profile: ParticleSystem.Profile? = nil, limits: Limits = .standard
  ) throws {
    self.system = system
    self.settings = settings
    self.limits = limits
    mostPaint = (limits.paint, "paint")
    var canvas = try Canvas(
      width: max(1, settings.width), height: max(1, settings.height),
      samples: min(max(1, settings.samples), 4), limits: limits)
    canvas.threads = settings.threads
    self.canvas = canvas
    sheets = SpriteSheets(system, textures)
    camera = settings.view.camera(
      for: system, sheets, width: canvas.width, height: canvas.height, profile: profile,
      capacity: limits.particles, threads: settings.threads)
    projection = Projection(
      camera, of: system, columns: canvas.columns, rows: canvas.rows,
      scale: settings.scale, isFitting: settings.view == .automatic,
      pixel: settings.view == .pixels ? Double(canvas.samples) : nil)
    looks = system.emitters.map { _ in Appearance() }
  }

  /// Bounds the work for each picture of an animation; see ``Limits/animationPaint``.
  package func limitWork(pictures: Int) {
    if pictures > 1 { mostTrailSamples = Self.mostTrailSamplesOfFrames }
    let own = canvas.columns * canvas.rows
    let share = max(limits.animationPaint / max(1, pictures), Self.leastLayers * own)
    if share < mostPaint.samples { mostPaint = (share, "animationPaint") }
  }

  /// The layers of particles that the pictures of any animation may have on average.
  private static let leastLayers = 64
  /// With more, quads take longer than pixels.
  private static let mostTrailSamplesOfFrames = 100_000

  /// Draws the particles of a simulation as they are now.
  ///
  /// Trails show where particles were when this renderer drew them before; their earlier motion is
  /// assumed to be a straight line.
  /// - Parameter simulation: of the same effect.
  /// - Returns: the picture; where the background is transparent, with straight alpha.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if drawing was stopped.
  public func draw(_ simulation: Simulation) throws -> Bitmap { try draw([simulation]) }

  /// Draws several simulations of the effect into one picture, as a seamless loop needs it: of each
  /// emitter, the particles of an earlier simulation are below those of a later one.
  ///
  /// The law of the first one decides how all are drawn. Trails follow the places in the list.
  public func draw(_ simulations: [Simulation]) throws -> Bitmap {
    let drawing = (simulations.first?.profile ?? system.asset.profile).drawing
    var canvas = canvas
    canvas.isLinear = drawing.space == .linear
    canvas.background = background(drawing)
    sheets.isLinear = canvas.isLinear
    let builder = QuadBuilder(
      projection: projection, sheets: sheets, drawing: drawing, samples: Double(canvas.samples))
    var quads: [Quad] = []
    var states: [BlendState] = []
    while trails.count < simulations.count {
      trails.append(
        system.emitters.map { emitter in
          emitter.render.trail.flatMap { trail in
            trail.length > 0
              ? TrailHistory(
                trail, longestLife: emitter.lifetime.bounds.upper / max(emitter.timing.speed, 1e-6),
                mostOfAll: mostTrailSamples)
              : nil
          }
        })
    }
    for index in system.emitters.indices.sorted(by: isBelow) where system.emitters[index].enabled {
      for (place, simulation) in simulations.enumerated()
      where simulation.states.indices.contains(index) {
        draw(index, of: simulation, place, builder, drawing, &states, &quads)
      }
    }
    let (bitmap, omitted) = try canvas.draw(
      quads, textures: sheets.textures, states: states, most: mostPaint.samples)
    if omitted > 0 {
      note(
        "\(omitted) of \(quads.count) sprites of a picture are left out",
        expected: "at most \(mostPaint.samples) painted samples (limit '\(mostPaint.limit)')")
    }
    if trails.contains(where: { $0.contains { $0?.isReduced == true } }) {
      note(
        "trails are drawn with fewer points",
        expected: "at most \(mostTrailSamples) points of the trails of an emitter")
    }
    if sheets.textures.contains(where: \.isLarge),
      quads.contains(where: { sheets.textures[Int($0.texture)].isReduced(for: $0) })
    {
      note(
        "an image is drawn at a lower resolution",
        expected: "at most \(SpriteTexture.mostTexels) pixels of an image for sprites of this size")
    }
    if simulations.contains(where: \.isOverCapacity) {
      note(
        "particles are not emitted",
        expected: "at most \(simulations[0].capacity) living particles of an emitter (limit "
          + "'particles') and \(limits.particleSteps) particle steps (limit 'particleSteps')")
    }
    return bitmap
  }

  /// Adds the particles of an emitter.
  /// - Parameter place: of the simulation among those that are drawn together.
  private func draw(
    _ index: Int, of simulation: Simulation, _ place: Int, _ builder: QuadBuilder,
    _ drawing: EngineLaw.Drawing, _ states: inout [BlendState], _ quads: inout [Quad]
  ) {
    let (emitter, look) = (system.emitters[index], looks[index])
    simulation.appearance(ofEmitter: index, into: look)
    guard look.count > 0 else { return }
    trails[place][index]?.record(look, at: simulation.time)
    let state = BlendState(emitter.render.blend, drawing)
    let batch = ParticleBatch(
      emitter: emitter, index: index, look: look, random: simulation.states[index].random)
    if emitter.render.blackPass {
      states.append(BlendState(Blend(.alpha), drawing))
      builder.append(
        batch, isBlack: true, state: Int32(states.count - 1), states: states,
        trail: trails[place][index], at: simulation.time, to: &quads)
    }
    states.append(state)
    builder.append(
      batch, isBlack: false, state: Int32(states.count - 1), states: states,
      trail: trails[place][index], at: simulation.time, to: &quads)
  }

  private func note(_ detail: String, expected: String) {
    guard !problems.contains(where: { $0.expected == expected }) else { return }
    problems.append(
      Diagnostic(
        .limit, detail, expected: expected, severity: .warning,
        hint: "draw a smaller picture, or lower rates, lifetimes or sizes"))
  }

  private func isBelow(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (system.emitters[a].render.order, system.emitters[b].render.order)
    return first != second ? first < second : a < b
  }

  private func background(_ drawing: EngineLaw.Drawing) -> SIMD4<Float> {
    guard let color = settings.background else { return .zero }
    func component(_ value: Double) -> Float {
      let unit = Float(value.isNaN ? 0 : min(max(value, 0), 1))
      return drawing.space == .linear ? LightCurve.light(unit) : unit
    }
    let alpha = Float(color.alpha.isNaN ? 0 : min(max(color.alpha, 0), 1))
    return SIMD4(
      component(color.red) * alpha, component(color.green) * alpha, component(color.blue) * alpha,
      alpha)
  }
}
