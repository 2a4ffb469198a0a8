package import ParticlesCore
internal import ParticlesImages
public import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

/// An option of pictures and animations, as it is written in a command line, in a request of a page, and as texts of C and Python:
/// its name, its help, and how its text is checked and read. `Spec/cli.md` lists them below `render`.
package struct PictureOption: Sendable {
  typealias Reading =
    @Sendable (_ text: String, _ plan: inout EffectAnimation.Plan) throws(Failure) -> Void

  /// The name, without dashes.
  package let name: String
  /// The short form in a command line.
  package let short: Character?
  /// The place of the value in help, such as `number`.
  package let placeholder: String
  /// The values that it takes. Empty if they cannot be listed.
  package let choices: [String]
  /// The default, in words, or nil if there is none.
  package let initial: String?
  /// The effect of the option, in the imperative.
  package let summary: String
  /// Whether a command line may name a file that contains the text.
  package let mayNameFile: Bool
  private let read: Reading

  private init(
    _ name: String, short: Character? = nil, _ placeholder: String, choices: [String] = [],
    initial: String? = nil, mayNameFile: Bool = false, _ summary: String, read: @escaping Reading
  ) {
    (self.name, self.short, self.placeholder) = (name, short, placeholder)
    self.mayNameFile = mayNameFile
    (self.choices, self.initial, self.summary, self.read) = (choices, initial, summary, read)
  }

  /// The fault of a text that an option does not take.
  /// - Parameters:
  ///   - expected: the values that it takes, such as `a number from 1 to 240`.
  ///   - hint: how it is written.
  private static func fault(expected: String, hint: String? = nil) -> Diagnostic {
    Diagnostic(.usage, expected: expected, hint: hint)
  }

  /// Reads a text into a plan.
  /// - Parameter rule: the rule of the error for a text that the option does not take. Default: usage.
  /// - Throws: a diagnostic of `rule` with the expected values, or ``ParticlesCore/Rule/imageOutput`` for a path with an
  ///   error.
  package func set(
    _ text: String, in plan: inout EffectAnimation.Plan, or rule: Rule = .usage
  ) throws(Failure) {
    do throws(Failure) {
      try read(text, &plan)
    } catch {
      guard let fault = Diagnostic.of(error), fault.rule == .usage else { throw error }
      throw Diagnostic(
        rule, "'\(name)'", expected: fault.expected, found: text, hint: fault.hint)
    }
  }

  /// An option whose value is a number.
  private static func number(
    _ name: String, _ placeholder: String = "number", in bounds: ClosedRange<Double>,
    initial: String? = nil, _ summary: String,
    set: @escaping @Sendable (inout EffectAnimation.Plan, Double) -> Void
  ) -> PictureOption {
    PictureOption(name, placeholder, initial: initial, summary) { text, plan throws(Failure) in
      guard let value = Double(text), bounds.contains(value) else {
        let (low, high) = (JSONNumber(bounds.lowerBound).text, JSONNumber(bounds.upperBound).text)
        throw Self.fault(expected: "a number from \(low) to \(high)")
      }
      set(&plan, value)
    }
  }

  /// An option whose value is a whole number.
  private static func whole(
    _ name: String, in bounds: ClosedRange<Int>, initial: String? = nil, _ summary: String,
    set: @escaping @Sendable (inout EffectAnimation.Plan, Int) -> Void
  ) -> PictureOption {
    PictureOption(name, "number", initial: initial, summary) { text, plan throws(Failure) in
      guard let value = Int(text), bounds.contains(value) else {
        throw Self.fault(
          expected: "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
      }
      set(&plan, value)
    }
  }
}

extension PictureOption {
  package static let size = PictureOption(
    "size", short: "s", "pixels", initial: "512", "Width and height of a picture: 512, or 640x360."
  ) { text, plan throws(Failure) in
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    let sides = parts.compactMap { $0 }
    guard sides.count == parts.count, (1...2).contains(sides.count),
      sides.allSatisfy({ (1...16_384).contains($0) })
    else { throw Self.fault(expected: "a size of 1 to 16384 pixels, such as 512 or 640x360") }
    (plan.width, plan.height) = (sides[0], sides[sides.count - 1])
  }
  package static let at = number(
    "at", "seconds", in: 0...3_600,
    initial: "when most is visible; for an animation, once the effect is complete",
    "The time of the picture, or of the first frame."
  ) { $0.start = $1 }
  package static let duration = number(
    "duration", "seconds", in: 0.001...3_600,
    initial: "that of the preview, or a visible cycle: the lives of particles, in whole periods",
    "The duration of the animation, without the pause."
  ) { $0.duration = $1 }
  package static let framesPerSecond = number(
    "fps", in: 1...240, initial: "30", "Frames per second, 1 to 240."
  ) { $0.framesPerSecond = $1 }
  package static let loop = PictureOption(
    "loop", "how", choices: EffectAnimation.Loop.allCases.map { $0.rawValue },
    initial: "seamless for endless effects, once for others",
    "How the animation ends. With seamless, it begins complete, and the last frame leads into the first: "
      + "particles that live past the end are shown at the beginning. With forever, it begins again "
      + "at once."
  ) { text, plan throws(Failure) in
    guard let loop = EffectAnimation.Loop(rawValue: text) else {
      throw Self.fault(expected: "forever, once or seamless")
    }
    plan.loop = loop
  }
  package static let pause = number(
    "pause", "seconds", in: 0...600,
    initial: "1 if the effect ends and --loop is not given, or 0",
    "Show the last frame longer, at most 600 s."
  ) { $0.pause = $1 }
  package static let move = PictureOption(
    "move", "path", mayNameFile: true,
    "Move the effect, so that trails are seen: line, circle, points in its units such as "
      + "'0,0 100,0 100,50' (x to the right, y up), or a file of lines 'seconds x y' or 'seconds x y z', or "
      + "of JSON such as [[0, 0, 0], [1, 100, 0]]. Line, circle and points take as long as the animation, "
      + "and the view contains the way."
  ) { text, plan throws(Failure) in
    // Lines, as in a file. Points in one line may be without commas, too.
    if text.hasPrefix("[") || text.contains("\n") {
      plan.path = try EffectPath(lines: Array(text.utf8))
    } else if let path = try EffectPath(text) {
      plan.path = path
    } else {
      throw Self.fault(
        expected: "a path",
        hint: "use line, circle, points such as '0,0 100,0', or lines 'seconds x y'")
    }
  }
  package static let background = PictureOption(
    "background", "colour",
    initial: "that of the preview, dark, middle or light: what shows most",
    "The colour behind the particles: a name of CSS such as black, #202028, dark, middle, light, or "
      + "transparent."
  ) { text, plan throws(Failure) in
    switch text {
    case "automatic": plan.background = .automatic
    case "transparent": plan.background = .transparent
    case "dark": plan.background = .color(EffectRenderer.dark)
    case "middle": plan.background = .color(EffectRenderer.middle)
    case "light": plan.background = .color(EffectRenderer.light)
    default:
      guard let color = ParticleSystem.Color(text: text) else {
        throw Self.fault(
          expected: "a colour",
          hint: "use dark, middle, light, transparent, a name of CSS such as black, or #202028")
      }
      plan.background = .color(color)
    }
  }
  package static let seed = PictureOption(
    "seed", "number", initial: "that of the effect", "Choose other random numbers."
  ) { text, plan throws(Failure) in
    guard let seed = Int64(text), seed >= 0 else {
      throw Self.fault(expected: "a whole number from 0 to \(Int64.max)")
    }
    plan.seed = UInt64(seed)
  }
  package static let scale = number(
    "scale", "factor", in: 0.01...100, initial: "1",
    "Show everything larger or smaller, 0.01 to 100."
  ) { $0.scale = $1 }
  package static let camera = PictureOption(
    "camera", "view", initial: "automatic",
    "What is in view: all that can be seen (automatic), the plane from the front (plane), space as "
      + "SceneKit's templates show it (space), one unit to a pixel (pixels); or a camera: the middle and "
      + "the height of what it shows of the plane (X,Y,HEIGHT), or as --json states it."
  ) { text, plan throws(Failure) in
    switch text {
    case "automatic": plan.view = .automatic
    case "plane": plan.view = .plane
    case "space": plan.view = .space
    case "pixels": plan.view = .pixels
    default: plan.view = .camera(try namedCamera(text))
    }
  }
  package static let samples = whole(
    "samples", in: 1...4, initial: "1",
    "Samples of a pixel in each direction, 1 to 4. More are smoother and slower."
  ) { $0.samples = $1 }

  /// A camera as JSON, or as the middle and the height of its view.
  private static func namedCamera(_ text: String) throws(Failure) -> ParticleSystem.Camera {
    if text.hasPrefix("{"), let json = try? JSONParser.parse(Array(text.utf8)) {
      do throws(Failure) {
        return try ParticleSystem.Camera(json: json, at: .root)
      } catch {
        throw Self.fault(
          expected: "a camera (\(Diagnostic.of(error)?.message ?? ""))",
          hint: "use a camera as --json states it")
      }
    }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let values = numbers.compactMap { $0 }
    guard values.count == 3, numbers.count == 3, values.allSatisfy({ $0.isFinite }), values[2] > 0
    else {
      throw Self.fault(
        expected: "a camera",
        hint: "use automatic, plane, space, pixels, X,Y,HEIGHT such as 0,100,300, or a camera as "
          + "--json states it")
    }
    var camera = ParticleSystem.Camera()
    camera.position = ParticleSystem.Vector(values[0], values[1], 0)
    camera.target = camera.position
    camera.orthoHeight = values[2]
    return camera
  }

  /// The options of pictures and animations.
  package static let all = [
    size, at, background, seed, scale, camera, samples, duration, framesPerSecond, loop, pause,
    move,
  ]
}

/// The moment, the frame and the background of a picture.
public struct PictureView: Sendable, Hashable {
  /// The time of the picture, or of the first frame, in seconds.
  public var start: Double
  /// The camera.
  public var camera: ParticleSystem.Camera
  /// The background, or nil if it is transparent.
  public var background: ParticleSystem.Color?
  /// The speed of the effect in the picture if its own speed is 0, so that nothing would be visible. Nil otherwise.
  public var speed: Double?
}

extension EffectAnimation {
  /// The view of the pictures. For a still picture, known once it is drawn.
  public var view: PictureView {
    PictureView(start: start, camera: camera, background: background, speed: speed)
  }

  /// The camera. For a still picture, known once it is drawn.
  public var camera: ParticleSystem.Camera { renderer.camera }

  /// The background, or nil if it is transparent. For a still picture, known once it is drawn.
  public var background: ParticleSystem.Color? { renderer.background }

  /// Chooses the frame and the background of an animation for the particles that are visible in a part of the time.
  func aim(from start: Double, to end: Double) throws(Failure) {
    guard renderer.isOpen else { return }
    let span = VisibleSpan(system, from: start, to: end, seed: plan.seed)
    renderer.aim(at: try renderer.spots(in: span, profile: plan.profile))
  }

  /// The effect. If its speed is 0, so that nothing ever moves, the effect at speed 1.
  static func running(_ system: ParticleSystem) -> (ParticleSystem, speed: Double?) {
    let emitters = system.emitters.filter { $0.enabled }
    guard !emitters.isEmpty, emitters.allSatisfy({ $0.timing.speed == 0 && $0.timing.prewarm == 0 })
    else { return (system, nil) }
    var system = system
    for index in system.emitters.indices { system.emitters[index].timing.speed = 1 }
    return (system, 1)
  }

  /// Draws a still picture, with a frame and a background that fit the visible particles.
  func drawStill(_ body: (Bitmap) throws(Failure) -> Void) throws(Failure) {
    let simulation = simulation(frames: 0)
    advance(simulation, by: start)
    try WorkBudget.spend(particleSteps: simulation.usedSteps)
    let (bitmap, look) = try renderer.drawAimed(simulation)
    emptiness.look(at: look, of: [simulation], by: renderer)
    try body(bitmap)
  }
}

extension EffectAnimation.Background {
  /// The colour to begin with, or nil for a transparent picture.
  func color(for system: ParticleSystem) -> ParticleSystem.Color? {
    switch self {
    case .automatic:
      let color = system.preview.background ?? EffectAnimation.darkness
      return Color(color.red, color.green, color.blue)
    case .transparent: return nil
    case .color(let color): return color
    }
  }
}
