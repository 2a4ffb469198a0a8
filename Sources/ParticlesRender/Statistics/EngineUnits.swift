internal import ParticlesModel

/// The units and axes in which an engine states places, angles and sizes.
struct EngineUnits {
  /// Whether y points down.
  var isDown = false
  /// Whether places count from the emitter.
  var isRelative = false
  /// Whether places of particles that follow their emitter are seen from it.
  var isLocal = false
  /// Whether angles count clockwise.
  var isClockwise = false
  /// The meaning of sizes.
  var size = Size.pixels
  /// The selection of particles for a comparison, or nil for all particles.
  var lens: ParticleSelection?

  /// The turn that the angles of particles are in.
  var turn = Turn.stated

  /// Angles that differ by whole turns look equal, and engines count turns in different ways.
  enum Turn {
    /// As the document states it.
    case stated
    /// Between −180° and 180°.
    case nearest
    /// The direction of a particle is between 0° and 360°.
    case fromZero
  }

  enum Size {
    /// An edge in pixels, column `size`.
    case pixels
    /// A factor of the image, columns `scale` and `scaleY`.
    case factor
    /// Width and height in units, columns `w` and `h`.
    case sides
  }

  init(_ profile: ParticleSystem.Profile, _ dimension: Dimension) {
    switch profile {
    case .cocos2d, .cocos2dX, .cocosCreator: (isRelative, isClockwise) = (true, true)
    case .starling: (isDown, isRelative, isClockwise) = (true, true, true)
    case .libgdx: size = .sides
    case .pixi3, .pixi5, .phaser: (isDown, isClockwise, size) = (true, true, .factor)
    case .godot3, .godot4: (isDown, isLocal, size) = (dimension == .plane, true, .factor)
    case .love: (isDown, isClockwise, size) = (true, true, .factor)
    case .quarks: size = .sides
    case .tsParticles, .particlesJS: (isDown, isClockwise, size) = (true, true, .sides)
    default: break
    }
  }

  /// The view in which effects are compared: y up, angles anticlockwise.
  /// - Parameter other: the view of a recorded effect, whose origin of places is used. With nil, places
  ///   count from the emitters.
  init(comparing lens: ParticleSelection, with other: EngineUnits?) {
    isRelative = other?.isRelative ?? true
    isLocal = other?.isLocal ?? false
    self.lens = lens
  }

  /// The view of an emitter: PixiJS turns particles without spin by the arc tangent of their
  /// velocity up to version 4, and by an angle from 0 if they leave a ring.
  func view(of emitter: Emitter, _ profile: ParticleSystem.Profile) -> EngineUnits {
    guard lens == nil else { return self }
    var view = self
    if profile == .pixi3, emitter.rotation.align != .none, emitter.rotation.velocity == 0 {
      view.turn = .nearest
    } else if profile == .pixi5, emitter.launch.direction.mode == .normal,
      emitter.rotation.align != .none
    {
      view.turn = .fromZero
    }
    return view
  }

  /// The units, in words.
  var units: String {
    switch size {
    case .pixels: "units of the document, degrees; size is an edge"
    case .factor: "units of the document, degrees; scale is a factor of the image"
    case .sides: "units of the document, degrees; w and h are edges"
    }
  }

  /// The axes, in words.
  var axis: String {
    (isDown ? "y down" : "y up") + (isClockwise ? ", angles clockwise" : ", angles anticlockwise")
      + (isRelative ? Self.relativeAxis : "")
  }

  /// The end of the axes if places count from the emitter.
  static let relativeAxis = ", relative to the emitter"

  /// The names of the columns of width and height.
  var sizeNames: [String] {
    switch size {
    case .pixels: ["size", "sizeY"]
    case .factor: ["scale", "scaleY"]
    case .sides: ["w", "h"]
    }
  }
}

extension Double {
  /// The number with some significant digits, or 0 for a number that is not finite.
  func significant(_ digits: Int) -> Double {
    guard self != 0, isFinite else { return 0 }
    var least = 1.0
    for _ in 1..<digits { least *= 10 }
    var scale = 1.0
    while magnitude * scale < least, scale < 1e30 { scale *= 10 }
    // Dividing by whole powers of ten gives the nearest decimal fraction.
    var divisor = 1.0
    while magnitude / divisor >= least * 10, divisor < 1e30 { divisor *= 10 }
    return divisor > 1 ? (self / divisor).rounded() * divisor : (self * scale).rounded() / scale
  }
}
