public import ParticlesCore
public import ParticlesEffects
public import ParticlesImages
public import ParticlesRender
internal import ParticlesSystem

// Pictures for tasks: drawn on a separate thread, and cancelled with the task that waits.

extension EffectAnimation {
  /// Draws the frames of an animation beside the tasks of the process.
  ///
  /// ```swift
  /// let problems = try await EffectAnimation.draw(package, plan: plan) { frame, timing in
  ///   try pictures.write(frame)
  /// }
  /// ```
  /// - Parameters:
  ///   - package: the effect.
  ///   - plan: the settings of the pictures.
  ///   - limits: for reading, for the number and the size of frames, and for living particles.
  ///   - body: receives the frames in order, one at a time, on a thread of the library.
  /// - Returns: warnings about the pictures. See ``problems``.
  /// - Throws: the error that makes the document unreadable, ``ParticlesCore/Rule/limit`` for too many frames or
  ///   pixels, errors of `body`, or `CancellationError` if the current task is cancelled.
  public static func draw(
    _ package: EffectPackage, plan: Plan = Plan(), limits: Limits = .standard,
    _ body: @Sendable (_ frame: Bitmap, _ timing: FrameTiming) throws -> Void
  ) async throws -> [Diagnostic] {
    // So that a program does not depend on the folder of the build. See `WorkerTeam`.
    #sourceLocation(file:"EffectAnimation",line:1)
    try await withoutActuallyEscaping(body) { body in
      try await BackgroundWork().run {
        let animation = try EffectAnimation(package, plan: plan, limits: limits)
        try animation.draw { try body($0, animation.timing) }
        return animation.problems
      }
    }
  }
  #sourceLocation()

  /// Draws one picture beside the tasks of the process.
  /// - Parameters:
  ///   - package: the effect.
  ///   - plan: the settings. `duration`, `framesPerSecond` and `loop` are not used.
  ///   - limits: for reading, for the size of the picture, and for living particles.
  /// - Returns: the picture, and warnings about it. See ``problems``.
  /// - Throws: the error that makes the document unreadable, ``ParticlesCore/Rule/limit`` for too many pixels, or
  ///   `CancellationError` if the current task is cancelled.
  public static func picture(
    of package: EffectPackage, plan: Plan = Plan(), limits: Limits = .standard
  ) async throws -> (bitmap: Bitmap, problems: [Diagnostic]) {
    try await BackgroundWork().run {
      let animation = try EffectAnimation(package, plan: plan, isStill: true, limits: limits)
      var picture: Bitmap?
      try animation.draw { picture = $0 }
      guard let picture else { throw CancellationError() }
      return (picture, animation.problems)
    }
  }
}

extension EffectThumbnail {
  /// Returns the picture as ``bitmap(size:)`` does, drawn beside the tasks of the process.
  /// - Parameter size: the width and height in pixels, 1 to 1024.
  /// - Throws: the errors of ``bitmap(size:)``, or `CancellationError` if the current task is cancelled.
  public func picture(ofSize size: Int) async throws -> Bitmap {
    try await BackgroundWork().run { try bitmap(size: size) }
  }
}
