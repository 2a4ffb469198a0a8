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
  /// The camera in use. If it is automatic, the camera that was found.
  public internal(set) var camera: ParticleSystem.Camera {
    didSet { composer.projection = Self.projection(camera, system, settings, canvas) }
  }
  /// The background in use, or nil if it is transparent. It comes from the settings, or if they leave it
  /// open, it was chosen by the renderer.
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
  /// The backgrounds to choose from, first the background of the settings.
  let candidates: [ParticleSystem.Color]
  let lens: SpotLens
  let sheets: SpriteSheets
  /// The most samples to paint in a picture, and the limit that they come from.
  private var mostPaint: (samples: Int, limit: String)
  let composer: EffectQuads
  /// The number of sprites of the last picture, and how many were left out because drawing would take too long.
  package private(set) var drawn = (sprites: 0, omitted: 0)

  /// Creates a renderer.
  /// - Parameters:
  ///   - system: the effect.
  ///   - textures: the images of the effect, by their index in `images`. A white square is shown for a
  ///     missing one.
  ///   - settings: size, background and camera.
  ///   - profile: the engine whose law the automatic camera assumes. By default, the effect names it.
  ///     Pictures follow the law of the simulation.
  ///   - limits: the greatest picture (`pixels`, each sample counts) and the work for one picture
  ///     (`paint`).
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/limit`` if the picture is too
  ///   large.
  public convenience init(
    _ system: ParticleSystem, textures: [Int: Bitmap] = [:], settings: Settings = Settings(),
    profile: ParticleSystem.Profile? = nil, limits: Limits = .standard
  ) throws(Failure) {
    try self.init(unaimed: system, textures: textures, settings: settings, limits: limits)
    guard isFree else { return }
    let span = VisibleSpan(system, from: 0, to: VisibleSpan.firstSeconds(of: system))
    aim(at: try spots(in: span, profile: profile))
  }

  /// Creates a renderer for an effect whose frame and background are chosen later, by ``aim(at:)`` or
  /// ``drawAimed(_:)``, unless the settings or the document state them.
  package init(
    unaimed system: ParticleSystem, textures: [Int: Bitmap], settings: Settings, limits: Limits
  ) throws(Failure) {
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
  /// - Parameter system: this effect with changed emitters. Nothing else may differ.
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

  /// Bounds the work for each picture of an animation, see ``Limits/animationPaint`` and
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
  /// Trails show where particles were when this renderer drew them before. Their earlier motion is
  /// assumed to be a straight line.
  /// - Parameter simulation: of ``system``.
  /// - Returns: the picture, with straight alpha if the background is transparent.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if drawing was stopped.
  public func draw(_ simulation: Simulation) throws(Failure) -> Bitmap {
    try draw([simulation])
  }

  /// Draws several simulations of the effect into one picture, for seamless loops. The particles of
  /// an emitter in an earlier simulation are below its particles in a later simulation.
  ///
  /// The law of the first one decides how all are drawn. Trails follow the places in the list.
  public func draw(_ simulations: [Simulation]) throws(Failure) -> Bitmap {
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

extension EffectRenderer {
  /// Settings of a picture.
  public struct Settings: Sendable, Hashable {
    /// The width in pixels, at least 1. The default is 512.
    public var width = 512
    /// The height in pixels, at least 1. The default is 512.
    public var height = 512
    /// The background colour. With nil, the default, the picture is transparent.
    public var background: ParticleSystem.Color?
    /// Whether another background may be chosen if this one does not show the effect well. The default is
    /// false.
    public var isBackgroundOpen = false
    /// The camera. The default is automatic.
    public var view = View.automatic
    /// A factor of the size at which everything is shown, about the middle of the picture. The default is 1.
    public var scale = 1.0
    /// Samples of a pixel in each direction, 1 to 4. The default is 1. With 2, edges are smoother, and
    /// drawing takes up to four times as long.
    public var samples = 1
    /// The number of threads. The default is the number of processors.
    package var threads: Int?
    /// The most texels that all textures keep at one resolution, of 16 bytes each.
    package var mostTexels = SpriteTexture.mostTexels

    /// Creates settings.
    public init(
      width: Int = 512, height: Int = 512, background: ParticleSystem.Color? = nil,
      view: View = .automatic
    ) {
      (self.width, self.height) = (width, height)
      (self.background, self.view) = (background, view)
    }
  }

  /// The camera of a picture.
  public enum View: Sendable, Hashable {
    /// The camera of the document (`preview.camera`, `preview.size`). Without one, it shows everything
    /// visible, except outliers.
    case automatic
    /// The plane z = 0 from the front, so that all that is visible is in it.
    case plane
    /// Space, in perspective, from above: at (0, 3, 6), looking at the origin with a vertical field of
    /// view of 60°, as in the scene that SceneKit's templates come with.
    case space
    /// The plane z = 0 from the front, one unit to a pixel, with the origin in the middle.
    case pixels
    /// A given camera. Without `fov` and `orthoHeight`, it is one of 60° for effects in space, and shows
    /// as many units as pixels otherwise.
    case camera(ParticleSystem.Camera)
  }
}

extension EffectRenderer.View {
  /// The camera that the view or the document states, or nil if it is chosen.
  /// - Parameter height: of the picture in pixels.
  func given(for system: ParticleSystem, height: Double) -> Camera? {
    let isFlat = system.asset.dimension == .plane
    var camera = Camera()
    switch self {
    case .automatic:
      if let camera = system.preview.camera {
        return camera.completed(isFlat: isFlat, height: system.preview.size?.y ?? height)
      }
      guard isFlat, let size = system.preview.size else { return nil }
      camera.orthoHeight = size.y
      return camera
    case .plane: return nil
    case .space: return Framing.scene
    case .pixels:
      camera.orthoHeight = height
      return camera
    case .camera(let camera): return camera.completed(isFlat: isFlat, height: height)
    }
  }
}

extension Camera {
  /// This camera with a field of view or a height.
  fileprivate func completed(isFlat: Bool, height: Double) -> Camera {
    guard fov == nil, orthoHeight == nil else { return self }
    var camera = self
    if isFlat { camera.orthoHeight = height } else { camera.fov = 60 }
    return camera
  }
}

extension EffectRenderer {
  /// A background that is chosen where a document states none: nearly black.
  public static let dark = ParticleSystem.Color(0.07, 0.07, 0.1)
  /// A background for effects that are both darker and brighter.
  public static let middle = ParticleSystem.Color(0.45, 0.45, 0.48)
  /// A background for dark effects.
  public static let light = ParticleSystem.Color(0.93, 0.93, 0.95)

  /// Looks at the particles of a simulation of the effect.
  /// - Parameters:
  ///   - moment: a number for the moment.
  ///   - most: the most particles of an emitter that are looked at.
  package func spots(of simulation: Simulation, moment: Int = 0, most: Int) -> [VisibleSpot] {
    lens.spots(of: simulation, moment: moment, most: most)
  }

  /// The size in units of a square frame for visible particles, without outliers.
  package func extent(of spots: [VisibleSpot]) -> Double {
    Framing.extent(of: spots, right: lens.right, up: lens.up)
  }

  /// Chooses the frame for visible particles, unless the view or the document states one. Also chooses the
  /// background, if the settings leave it open.
  /// - Parameter spots: the visible particles at the moments that are drawn.
  package func aim(at spots: [VisibleSpot]) {
    let index = settings.isBackgroundOpen ? bestBackground(for: spots) : 0
    if settings.isBackgroundOpen { background = candidates[index] }
    guard isFree else { return }
    let size = (canvas.width, canvas.height)
    let framing = Framing(spots, background: index, isFlat: isFlat, size: size)
    isWhole = framing.isWhole
    camera = framing.camera
    var floor = QuadFloor()
    floor.size = 2
    // So many that they would cover the picture are fainter.
    let clear = min(1, Self.mostDust / max(framing.dust, 1e-9)).squareRoot()
    floor.faintest = max(floor.faintest, clear)
    composer.floor = floor
  }

  /// The share of the picture that particles thinner than the floor may cover without being fainter.
  private static let mostDust = 0.15

  /// `own`: if the document's background shows at least this share of the visible part on the best
  /// background, it stays. `darker`: a darker background needs at least this share of the best contrast.
  private static let enough = (own: 0.62, darker: 0.9)
  /// Below the first contrast, next to nothing can be seen. Beyond the second, all can be seen. Beyond the
  /// third, no more contrast is needed.
  private static let contrasts = (none: 0.06, clear: 0.26, most: 0.5)

  /// The index of the background that shows most. The document's background wins if it shows nearly as much,
  /// then the first (darkest) one with nearly as much contrast.
  private func bestBackground(for spots: [VisibleSpot]) -> Int {
    func scores(to clear: Double) -> [Double] {
      candidates.indices.map { index in
        spots.reduce(0) { sum, spot in
          let contrast = Double(spot.contrast[index])
          let share = (contrast - Self.contrasts.none) / (clear - Self.contrasts.none)
          return sum + spot.area * (min(1, max(0, share)) + contrast / 100)
        }
      }
    }
    let seen = scores(to: Self.contrasts.clear)
    guard let best = seen.max(), best > 0, best.isFinite, seen[0] < best * Self.enough.own
    else { return 0 }
    let clear = scores(to: Self.contrasts.most)
    let most = clear.max() ?? 0
    return clear.firstIndex { $0 >= most * Self.enough.darker } ?? 0
  }

  /// Chooses the frame and the background, and draws the particles as they are now. Then it checks the picture
  /// and corrects it at most a few times: wider if a border cuts the effect, closer if the effect fills a small
  /// part, and with another background if next to nothing can be seen.
  /// - Returns: the picture, and what can be seen in it.
  package func drawAimed(_ simulation: Simulation) throws(Failure) -> (
    Bitmap, PictureLook
  ) {
    aim(at: spots(of: simulation, most: 2_000))
    let before = WorkBudget.left
    var picture = try draw(simulation)
    let cost = (before ?? 0) - (WorkBudget.left ?? 0)
    /// Whether the work that is left suffices for more pictures.
    func affords(_ pictures: Int) -> Bool { (WorkBudget.left ?? .max) / 2 >= cost * pictures }
    var look = PictureLook(picture, background: background)
    if isFree, settings.scale == 1 {
      for _ in 0..<Self.mostCorrections {
        guard affords(2), let box = correction(of: look) else { break }
        show(box)
        picture = try draw(simulation)
        look = PictureLook(picture, background: background)
      }
    }
    guard settings.isBackgroundOpen, look.isPoor, affords(candidates.count) else {
      return (picture, look)
    }
    var best = (picture, look, background)
    for candidate in candidates where candidate != best.2 {
      background = candidate
      picture = try draw(simulation)
      look = PictureLook(picture, background: background)
      if look.visible > 2 * best.1.visible { best = (picture, look, background) }
    }
    background = best.2
    return (best.0, best.1)
  }

  private static let mostCorrections = 4
  /// The share of the picture by which it becomes wider at a side.
  private static let widening = 0.15

  /// A rectangle in pixels, y down.
  private typealias Box = (left: Double, right: Double, top: Double, bottom: Double)

  /// The rectangle that a better frame shows, or nil if this frame is good.
  private func correction(of look: PictureLook) -> Box? {
    guard look.visible > 0 else { return nil }
    let (width, height) = (Double(look.width), Double(look.height))
    if look.isCut {
      guard isWhole else { return nil }
      var box: Box = (0, width, 0, height)
      if look.left == 0 { box.left -= width * Self.widening }
      if look.right == look.width - 1 { box.right += width * Self.widening }
      if look.top == 0 { box.top -= height * Self.widening }
      if look.bottom == look.height - 1 { box.bottom += height * Self.widening }
      return box
    }
    var box: Box = (
      Double(look.left), Double(look.right + 1), Double(look.top), Double(look.bottom + 1)
    )
    guard box.right - box.left < width / 2, box.bottom - box.top < height / 2 else { return nil }
    let margin = (0.15 * (box.right - box.left) + 2, 0.15 * (box.bottom - box.top) + 2)
    box.left -= margin.0
    box.right += margin.0
    box.top -= margin.1
    box.bottom += margin.1
    return box
  }

  /// Shows a rectangle of the present picture.
  private func show(_ box: Box) {
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    let factor = max((box.right - box.left) / width, (box.bottom - box.top) / height)
    let across = (box.left + box.right) / 2 - width / 2
    let up = height / 2 - (box.top + box.bottom) / 2
    camera = camera.showing(across: across, up: up, factor: factor, of: height)
  }

  /// Why particles cannot be seen.
  package enum Hiding: CaseIterable {
    case outside, transparent, likeBackground, small
  }

  /// The reason for which most of the particles of simulations cannot be seen.
  package func hiding(of simulations: [Simulation]) -> Hiding {
    var counts: [Hiding: Double] = [:]
    let index = candidates.firstIndex { $0 == background } ?? 0
    var seen = 0.0
    for simulation in simulations {
      for spot in spots(of: simulation, most: 1_000) {
        seen += spot.count
        var hiding = Hiding.small
        if !composer.projection.shows(spot) {
          hiding = .outside
        } else if spot.bestContrast < Framing.least {
          hiding = .transparent
        } else if Double(spot.contrast[index]) < Framing.least, background != nil {
          hiding = .likeBackground
        }
        counts[hiding, default: 0] += spot.count
      }
    }
    // Spots without any contrast are left out.
    let living = simulations.reduce(0) { $0 + $1.count }
    counts[.transparent, default: 0] += max(0, Double(living) - seen)
    return Hiding.allCases.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? .small
  }
}

extension Camera {
  /// This camera, moved by pixels of a picture, and showing `factor` times as much.
  fileprivate func showing(across: Double, up: Double, factor: Double, of height: Double) -> Camera
  {
    var camera = self
    if let shown = orthoHeight {
      let unit = shown / height
      camera.position = Vector(
        position.x + across * unit, position.y + up * unit, position.z)
      camera.target = Vector(target.x + across * unit, target.y + up * unit, target.z)
      camera.orthoHeight = shown * factor
      return camera
    }
    return Framing.moved(camera, across: across / height, up: up / height, factor: factor)
  }
}

/// The part of an image that a texture shows, for a program that draws quads itself.
package struct ShownTexture {
  /// The index of its image in `images`, or nil for a white square.
  package var image: Int?
  /// The rectangle of the image, in pixels. It may exceed the image.
  package var region: (x: Int, y: Int, width: Int, height: Int) = (0, 0, 1, 1)
  /// Whether it is stored turned by 90° clockwise.
  package var isRotated = false
  /// Whether its colours are stored multiplied by alpha, and in linear light.
  package var (isStoredPremultiplied, isLight) = (false, false)
}

extension EffectRenderer {
  /// The quads of simulations as they are now, the lowest first, and their blend states, for a program that draws
  /// them itself.
  package func quads(of simulations: [Simulation]) -> (quads: [Quad], states: [BlendState]) {
    composer.make(of: simulations, (simulations.first?.profile ?? system.asset.profile).drawing)
  }

  /// The textures whose numbers the quads have so far.
  package var shownTextures: [ShownTexture] {
    let frames = sheets.frames
    return [ShownTexture()]
      + frames.cells.map { cell in
        let sprite = frames[cell.sprite]
        let reference =
          system.images.indices.contains(sprite.image) ? system.images[sprite.image] : nil
        return ShownTexture(
          image: sprite.image, region: frames.region(of: cell), isRotated: sprite.rotated,
          isStoredPremultiplied: reference?.alpha == .premultiplied,
          isLight: reference?.colorSpace == .linear)
      }
  }
}
