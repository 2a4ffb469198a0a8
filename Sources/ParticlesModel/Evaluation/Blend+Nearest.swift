internal import ParticlesCore

extension Blend {
  /// This blending by the name of its mode, if it is stated by factors that mean the same by the
  /// formulas of the specification.
  package var named: Blend {
    guard mode == .custom, equation == .add, additions.isEmpty,
      let known = Self.names.first(where: {
        ($0.source, $0.destination) == (source, destination) && $0.premultiply == premultiply
      })
    else { return self }
    return Blend(known.mode)
  }

  private static let names:
    [(source: Int, destination: Int, premultiply: Emitter.Premultiply, mode: BlendMode)] = [
      (1, 771, .always, .alpha), (1, 1, .always, .add), (1, 769, .always, .screen),
      (775, 1, .always, .screen), (770, 771, .auto, .alpha), (770, 1, .auto, .add),
    ]

  /// The named mode that is closest to OpenGL factors.
  package var nearestMode: BlendMode {
    if named.mode != .custom { return named.mode }
    return switch (source, destination) {
    case (770?, 771?), (1?, 771?): .alpha
    case (_, 1?), (_, 772?): equation == .reverseSubtract ? .subtract : .add
    case (1?, 769?), (775?, 1?), (770?, 769?): .screen
    case (0?, 768?), (774?, _): .multiply
    case (_, 0?): .replace
    default: .alpha
    }
  }
}
