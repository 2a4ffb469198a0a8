public import ParticlesCore
public import ParticlesImages
public import ParticlesModel
public import ParticlesSimulation

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
  public private(set) var system: ParticleSystem
  /// The settings.
  public private(set) var settings: Settings
  /// The camera in use; for an automatic one, the one that was found.
  public internal(set) var camera: ParticleSystem.Camera {
    didSet { composer.projection = Self.projection(camera, system, settings, canvas) }
  }
  /// The background in use; nil if it is transparent. It is that of the settings, or, if they leave it open,
  /// the one that was found.
  public internal(set) var background: ParticleSystem.Color?
  /// Warnings about particles that were left out because of limits, each kind once.
  public private(set) var problems: [Diagnostic] = []

  let canvas: Canvas
  let limits: Limits
  /// Whether neither the view nor the document states the frame.
  package private(set) var isFree: Bool
  /// Whether the frame or the background is chosen.
  package var isOpen: Bool { isFree || settings.isBackgroundOpen }
  /// Whether all that can be seen is meant to be in the frame that was chosen.
  var isWhole = true
  /// Whether the plane is seen from the front.
  let isFlat: Bool
  /// The backgrounds to choose from, that of the settings first.
  let candidates: [ParticleSystem.Color]
  let lens: SpotLens
  let sheets: SpriteSheets
  /// The most samples to paint in a picture, and the limit that they come from.
  private var mostPaint: (samples: Int, limit: String)
  let composer: EffectQuads
  /// The sprites of the last picture, and those of them that were left out because it would take too long.
  package private(set) var drawn = (sprites: 0, omitted: 0)

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
  public convenience init(
    _ system: ParticleSystem, textures: [Int: Bitmap] = [:], settings: Settings = Settings(),
    profile: ParticleSystem.Profile? = nil, limits: Limits = .standard
  ) throws(AnyFailure) {
    try self.init(unaimed: system, textures: textures, settings: settings, limits: limits)
    guard isFree else { return }
    let span = VisibleSpan(system, from: 0, to: VisibleSpan.firstSeconds(of: system))
    aim(at: try spots(in: span, profile: profile))
  }

  /// Creates a renderer for an effect whose frame and background are chosen later, by ``aim(at:)`` or
  /// ``drawAimed(_:)``, unless the settings or the document state them.
  package init(
    unaimed system: ParticleSystem, textures: [Int: Bitmap], settings: Settings, limits: Limits
  ) throws(AnyFailure) {
    self.system = system
    self.settings = settings
    self.limits = limits
    mostPaint = (limits.paint, "paint")
    var canvas = try Canvas(
      width: max(1, settings.width), height: max(1, settings.height),
      samples: min(max(1, settings.samples), 4), limits: limits)
    canvas.threads = settings.threads
    self.canvas = canvas
    let sheets = SpriteSheets(system, textures, mostTexels: settings.mostTexels)
    self.sheets = sheets
    let given = settings.view.given(for: system, height: Double(canvas.height))
    isFree = given == nil
    isFlat = system.asset.dimension == .plane || settings.view == .plane
    let own = settings.background ?? Self.dark
    background = settings.background
    candidates = [own] + [Self.dark, Self.middle, Self.light].filter { $0 != own }
    lens = SpotLens(
      sheets.frames, isFlat: isFlat,
      backgrounds: candidates.map { SIMD3(Float($0.red), Float($0.green), Float($0.blue)) }
    ) { [sheets] in sheets.look(of: $0, isLight: $1) }
    camera = given ?? Self.waiting(height: Double(canvas.height))
    let projection = Self.projection(camera, system, settings, canvas)
    composer = EffectQuads(system, sheets.frames, projection, samples: Double(canvas.samples))
  }

  /// Draws the effect with changed emitters from now on. Textures, camera and background stay.
  /// - Parameter system: the same effect but for its emitters.
  package func change(to system: ParticleSystem) {
    self.system = system
    composer.change(to: system)
  }

  /// Trails begin anew, as for a simulation that begins again.
  package func forgetTrails() { composer.forgetTrails() }

  /// Uses a given camera from now on.
  package func hold(_ camera: ParticleSystem.Camera) {
    isFree = false
    settings.view = .camera(camera)
    self.camera = camera
  }

  /// A camera until one is chosen.
  private static func waiting(height: Double) -> Camera {
    var camera = Camera()
    camera.orthoHeight = height
    return camera
  }

  private static func projection(
    _ camera: Camera, _ system: ParticleSystem, _ settings: Settings, _ canvas: Canvas
  ) -> Projection {
    Projection(
      camera, of: system, columns: canvas.columns, rows: canvas.rows, scale: settings.scale,
      isFitting: settings.view == .automatic,
      pixel: settings.view == .pixels ? Double(canvas.samples) : nil)
  }

  /// Bounds the work for each picture of an animation; see ``Limits/animationPaint`` and
  /// ``Limits/framePaint``.
  package func limitWork(pictures: Int) {
    if pictures > 1 { composer.mostTrailSamples = Self.mostTrailSamplesOfFrames }
    let own = canvas.columns * canvas.rows
    let equal = limits.animationPaint / max(1, pictures)
    let isOfFrame = pictures > 1 && limits.framePaint < equal
    let share = max(isOfFrame ? limits.framePaint : equal, Self.leastLayers * own)
    if share < mostPaint.samples {
      mostPaint = (share, isOfFrame ? "framePaint" : "animationPaint")
    }
  }

  /// The layers of particles that the pictures of any animation may have on average.
  package static let leastLayers = 64
  /// So many sprites are placed in a step of work.
  private static let quadsOfStep = 50
  /// With more, quads take longer than pixels.
  private static let mostTrailSamplesOfFrames = 100_000

  /// Draws the particles of a simulation as they are now.
  ///
  /// Trails show where particles were when this renderer drew them before; their earlier motion is
  /// assumed to be a straight line.
  /// - Parameter simulation: of the same effect.
  /// - Returns: the picture; where the background is transparent, with straight alpha.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if drawing was stopped.
  public func draw(_ simulation: Simulation) throws(AnyFailure) -> Bitmap { try draw([simulation]) }

  /// Draws several simulations of the effect into one picture, as a seamless loop needs it: of each
  /// emitter, the particles of an earlier simulation are below those of a later one.
  ///
  /// The law of the first one decides how all are drawn. Trails follow the places in the list.
  public func draw(_ simulations: [Simulation]) throws(AnyFailure) -> Bitmap {
    let drawing = (simulations.first?.profile ?? system.asset.profile).drawing
    var canvas = canvas
    canvas.isLinear = drawing.space == .linear
    canvas.background = light(of: background, drawing)
    let (quads, states) = composer.make(of: simulations, drawing)
    try WorkBudget.spend(
      work: system.emitters.count + quads.count / Self.quadsOfStep, memory: 0,
      on: "the sprites of a picture")
    let textures = sheets.textures(isLinear: canvas.isLinear)
    let (bitmap, omitted) = try canvas.draw(
      quads, textures: textures, states: states, most: mostPaint.samples)
    drawn = (quads.count, omitted)
    if omitted > 0 {
      note(
        "\(omitted) of \(quads.count) sprites of a picture are left out",
        expected: "at most \(mostPaint.samples) painted samples (limit '\(mostPaint.limit)')")
    }
    if composer.hasReducedTrails {
      note(
        "trails are drawn with fewer points",
        expected: "at most \(composer.mostTrailSamples) points of all trails")
    }
    if composer.hasCutLinks {
      note(
        "some near particles have no line between them",
        expected: "at most \(EffectQuads.mostLinks) lines in a picture")
    }
    if textures.contains(where: { $0.isLarge }),
      quads.contains(where: { textures[Int($0.texture)].isReduced(for: $0) })
    {
      note(
        "an image is drawn at a lower resolution",
        expected: "at most \(sheets.most) pixels of all images for sprites of this size")
    }
    if simulations.contains(where: { $0.isOverCapacity }) {
      note(
        "particles are not emitted",
        expected: "at most \(simulations[0].capacity) living particles of an emitter (limit "
          + "'particles'), \(limits.particleSteps) particle steps (limit 'particleSteps') and "
          + "\(limits.frameSteps) of them for a frame (limit 'frameSteps')")
    }
    return bitmap
  }

  /// Notes where particles are, for their trails, without drawing them.
  package func follow(_ simulations: [Simulation]) {
    guard let first = simulations.first else { return }
    _ = composer.make(of: simulations, first.profile.drawing)
  }

  private func note(_ detail: String, expected: String) {
    guard !problems.contains(where: { $0.expected == expected }) else { return }
    problems.append(
      Diagnostic(
        .limit, detail, expected: expected, severity: .warning,
        hint: "draw a smaller picture, lower rates, lifetimes or sizes, or allow more with --work"))
  }

  private func light(
    of background: ParticleSystem.Color?, _ drawing: EngineLaw.Drawing
  ) -> SIMD4<Float> {
    guard let color = background else { return .zero }
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
