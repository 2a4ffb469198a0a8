internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesModel
internal import ParticlesRender

/// The options of the commands that draw running effects.
extension Option {
  static let pictureSize = Option(
    "size", short: "s", value: .text("pixels"), default: "512",
    "Width and height of a picture: 512, or 640x360.")
  static let at = Option(
    "at", value: .text("seconds"),
    default: "when most is visible; for an animation, once the effect is complete",
    "The time of the picture, or of the first frame.")
  static let duration = Option(
    "duration", value: .text("seconds"),
    default: "that of the preview, or a visible cycle: the lives of particles, in whole periods",
    "The duration of the animation, without the pause.")
  static let framesPerSecond = Option(
    "fps", value: .text("number"), default: "30", "Frames per second, 1 to 240.")
  static let loop = Option(
    "loop", value: .choice("how", EffectAnimation.Loop.allCases.map(\.rawValue)),
    default: "seamless for endless effects, once for others",
    "How the animation ends. With seamless, it begins complete, and the last frame leads into the first: "
      + "particles that live past the end are shown at the beginning. With forever, it begins again "
      + "at once.")
  static let pause = Option(
    "pause", value: .text("seconds"), default: "1 if the effect ends and --loop is not given, or 0",
    "Show the last frame longer, at most 600 s.")
  static let move = Option(
    "move", value: .text("path"),
    "Move the effect, so that trails are seen: line, circle, points in its units such as "
      + "'0,0 100,0 100,50' (x to the right, y up), or a file of lines 'seconds x y' or 'seconds x y z', or "
      + "of JSON such as [[0, 0, 0], [1, 100, 0]]. Line, circle and points take as long as the animation, "
      + "and the view contains the way.")
  static let seed = Option(
    "seed", value: .text("number"), default: "that of the effect",
    "Choose other random numbers.")
  static let scale = Option(
    "scale", value: .text("factor"), default: "1",
    "Show everything larger or smaller, 0.01 to 100.")
  static let engine = Option(
    "profile", value: .choice("engine") { ParticleSystem.EngineLaw.all.map(\.profile.rawValue) },
    default: "that of the effect",
    "The engine whose law is followed, and by which a file is read that several engines read.")
  static let samples = Option(
    "samples", value: .text("number"), default: "1",
    "Samples of a pixel in each direction, 1 to 4. More are smoother and slower.")

  static let work = Option(
    "work", value: .text("factor"), default: "1",
    "How much work and memory an effect may take: 1 to 1,000 times the usual. Messages name the limits, such as "
      + "'work' and 'memory', which count emitters, frames and pixels.")

  /// All of them that a still picture needs.
  static let forPictures: [Option] = [
    .pictureSize, .at, .background, .seed, .scale, .engine, .camera, .samples,
    .work,
  ]
  /// All of them that an animation needs.
  static let forAnimations: [Option] =
    forPictures + [.duration, .framesPerSecond, .loop, .pause, .move]
}

extension Invocation {
  /// The plan that the options describe.
  func animationPlan() throws -> EffectAnimation.Plan {
    var plan = EffectAnimation.Plan()
    if let size = value(.pictureSize) { (plan.width, plan.height) = try Self.size(size) }
    plan.start = try number(.at, in: 0...3_600)
    plan.duration = try number(.duration, in: 0.001...3_600)
    plan.framesPerSecond = try number(.framesPerSecond, in: 1...240) ?? plan.framesPerSecond
    plan.loop = value(.loop).flatMap(EffectAnimation.Loop.init)
    plan.pause = try number(.pause, in: 0...600)
    plan.path = try value(.move).map { try effectPath($0) }
    plan.background = try pictureBackground() ?? plan.background
    plan.seed = try integer(.seed, in: 0...Int.max).map { UInt64($0) }
    plan.scale = try number(.scale, in: 0.01...100) ?? plan.scale
    plan.profile = engine
    plan.view = try pictureView() ?? plan.view
    plan.samples = try integer(.samples, in: 1...4) ?? plan.samples
    return plan
  }

  /// The limits of pictures and runs, with those of `--work`.
  func pictureLimits() throws -> Limits {
    Limits.standard.times(try integer(.work, in: 1...1_000) ?? 1)
  }

  /// The path that `--move` names.
  private func effectPath(_ text: String) throws -> EffectPath {
    if let path = try EffectPath(text) { return path }
    do {
      let file = try OpenFile(reading: text)
      return try locating(Location(file: text)) {
        try EffectPath(lines: file.readToEnd(limits: .standard))
      }
    } catch Rule.fileNotFound {
      throw UsageError(
        "'\(text)' is neither a path nor a file",
        hint: "use line, circle, points such as '0,0 100,0', or a file of lines 'seconds x y'")
    }
  }

  /// `512` or `640x360`.
  private static func size(_ text: String) throws -> (width: Int, height: Int) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    let sides = parts.compactMap(\.self)
    guard sides.count == parts.count, (1...2).contains(sides.count),
      sides.allSatisfy({ (1...16_384).contains($0) })
    else {
      throw UsageError(
        "'\(text)' is not a size", hint: "1 to 16384 pixels, such as 512 or 640x360")
    }
    return (sides[0], sides[sides.count - 1])
  }
}
