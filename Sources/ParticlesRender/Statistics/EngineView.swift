internal import ParticlesModel

/// The units and axes in which an engine states places and angles.
struct EngineView {
  /// Whether y points down.
  var isDown = false
  /// Whether places count from the emitter.
  var isRelative = false
  /// Whether angles count clockwise.
  var isClockwise = false
  /// The name of the column with the size.
  var size = "size"

  init(_ profile: ParticleSystem.Profile) {
    switch profile {
    case .cocos2d: (isRelative, isClockwise) = (true, true)
    case .starling: (isDown, isRelative, isClockwise) = (true, true, true)
    case .love: (isDown, isRelative, isClockwise, size) = (true, true, true, "scale")
    default: break
    }
  }
}
