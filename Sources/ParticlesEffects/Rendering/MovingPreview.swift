package import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesRender

/// A small animation of an effect, or a still picture, as a WebP: much smaller than a picture for each frame.
package struct MovingPreview {
  /// The file.
  package let bytes: [UInt8]
  /// Problems: parts that could not be drawn as the document asks.
  package let problems: [Diagnostic]
  /// Its moment, frame and background.
  package let view: PictureView

  /// The most frames: of a longer cycle, there are fewer in a second.
  package static let mostFrames = 38

  /// The default: 256 × 256 pixels, 15 frames per second.
  package static let plan: EffectAnimation.Plan = {
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.framesPerSecond) = (256, 256, 15)
    return plan
  }()

  /// Draws the animation.
  /// - Parameters:
  ///   - isStill: whether one picture is drawn, of the moment at which most is visible.
  ///   - quality: of the pictures, 0 to 100.
  ///   - mostFrames: the most frames of a whole cycle, used if the plan has no duration. Nil for any number.
  package init(
    _ package: EffectPackage, plan: EffectAnimation.Plan = plan, isStill: Bool = false,
    quality: Double = 70, mostFrames: Int? = mostFrames, limits: Limits = .standard
  ) throws(Failure) {
    var plan = plan
    if !isStill, plan.duration == nil, let mostFrames {
      let pace = EffectPace(
        try package.system(limits: limits), profile: plan.profile, limits: limits)
      plan.showWhole(pace, mostFrames: mostFrames)
    }
    let animation = try EffectAnimation(package, plan: plan, isStill: isStill, limits: limits)
    var options = AnimationWriter.Options()
    options.quality = .lossy(quality)
    var bytes: [UInt8] = []
    try animation.write(.webp, options) { bytes += $0 }
    self.bytes = bytes
    problems = animation.problems
    view = animation.view
  }
}

extension EffectAnimation.Plan {
  /// Shows a whole cycle, or all of an effect that ends, at as many frames per second as there may be frames.
  package mutating func showWhole(_ pace: EffectPace, mostFrames: Int) {
    let longest = EffectCycle.longest
    let whole = pace.cycle.isEndless ? pace.cycle.duration : longest
    let seconds = max(pace.duration <= longest ? pace.duration : whole, 0.1)
    duration = seconds
    framesPerSecond = min(framesPerSecond, Double(mostFrames) / seconds)
  }
}
