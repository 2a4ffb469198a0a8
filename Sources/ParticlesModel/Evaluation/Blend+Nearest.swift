extension Blend {
  /// The named mode that is closest to OpenGL factors.
  package var nearestMode: BlendMode {
    switch (source, destination) {
    case (770?, 771?), (1?, 771?): .alpha
    case (_, 1?), (_, 772?): equation == .reverseSubtract ? .subtract : .add
    case (1?, 769?), (775?, 1?), (770?, 769?): .screen
    case (0?, 768?), (774?, _): .multiply
    case (_, 0?): .replace
    default: .alpha
    }
  }
}
