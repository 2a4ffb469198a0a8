internal import ParticlesCore
internal import ParticlesRender

/// A small animation of an effect, as a WebP: much smaller than a picture for each frame.
struct MovingPreview {
  /// The file.
  let bytes: [UInt8]
  /// Problems: parts that could not be drawn as the document asks.
  let problems: [Diagnostic]
  /// Its moment, frame and background.
  let view: PictureView

  /// The longest one, in seconds.
  static let longest = 2.5

  /// The default: 256 × 256 pixels, 15 frames per second.
  private static let plan: EffectAnimation.Plan = {
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.framesPerSecond) = (256, 256, 15)
    return plan
  }()

  /// Draws the animation.
  /// - Parameters:
  ///   - quality: of the pictures, 0 to 100.
  ///   - longest: the greatest duration in seconds, if the plan has none.
  init(
    _ package: EffectPackage, plan: EffectAnimation.Plan = plan, quality: Double = 70,
    longest: Double = longest, limits: Limits = .standard
  ) throws {
    var plan = plan
    if plan.duration == nil {
      plan.duration = min(
        EffectPace(try package.system(limits: limits), profile: plan.profile, limits: limits)
          .duration, longest)
    }
    let animation = try EffectAnimation(package, plan: plan, limits: limits)
    var options = AnimationWriter.Options()
    options.quality = .lossy(quality)
    var bytes: [UInt8] = []
    let writer = try AnimationWriter(
      .webp, width: plan.width, height: plan.height, timing: animation.timing, options: options
    ) { bytes += $0 }
    try animation.draw { try writer.append($0) }
    try writer.finish()
    self.bytes = bytes
    problems = animation.problems
    view = animation.view
  }
}
