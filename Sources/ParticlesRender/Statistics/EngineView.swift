internal import ParticlesModel

/// The units and axes in which an engine states places, angles and sizes.
struct EngineView {
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
    case .cocos2d: (isRelative, isClockwise) = (true, true)
    case .starling: (isDown, isRelative, isClockwise) = (true, true, true)
    case .libgdx: size = .sides
    case .pixi3, .pixi5: (isDown, isClockwise, size) = (true, true, .factor)
    case .godot3, .godot4: (isDown, isLocal, size) = (dimension == .plane, true, .factor)
    case .love: (isDown, isRelative, isClockwise, size) = (true, true, true, .factor)
    case .quarks: size = .sides
    default: break
    }
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
      + (isRelative ? ", relative to the emitter" : "")
  }

  /// The names of the columns of width and height.
  var sizeNames: [String] {
    switch size {
    case .pixels: ["size", "sizeY"]
    case .factor: ["scale", "scaleY"]
    case .sides: ["w", "h"]
    }
  }
}

/// A particle in the units and axes of an engine.
struct ViewedParticle {
  var place: SIMD4<Double>
  var velocity: SIMD4<Double>
  /// Degrees.
  var angle: Double
  var color: SIMD4<Double>
  var width: Double
  var height: Double
  var age: Double
  var life: Double

  /// - Parameter emitter: that of the particle.
  init(_ look: Appearance, _ index: Int, view: EngineView, emitter: Emitter) {
    let up = view.isDown ? -1.0 : 1.0
    var seen = Vector(Double(look.x[index]), Double(look.y[index]), Double(look.z[index]))
    if view.isRelative {
      seen = seen - emitter.transform.translation
    } else if view.isLocal, emitter.space == .local {
      seen = emitter.transform.unmoved(seen)
    }
    place = [seen.x, seen.y * up, seen.z, 0]
    velocity = [
      Double(look.velocityX[index]), Double(look.velocityY[index]) * up,
      Double(look.velocityZ[index]), 0,
    ]
    angle = Double(look.angle[index]) * (view.isClockwise ? -1 : 1)
    let intensity = Double(look.intensity[index])
    color = [
      Double(look.red[index]) * intensity, Double(look.green[index]) * intensity,
      Double(look.blue[index]) * intensity, Double(look.alpha[index]),
    ]
    (width, height) = (Double(look.width[index]), Double(look.height[index]))
    (age, life) = (Double(look.age[index]), Double(look.life[index]))
  }
}

extension Double {
  /// The number with some significant digits; 0 for a number that is not finite.
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
