internal import ParticlesModel
internal import ParticlesSimulation

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
}

/// The particles of an emitter at a moment, in the units and axes of an engine.
///
/// Columns and settings are looked up once: references to their memory, counted for each particle, take
/// longer than everything else.
struct ViewedParticles {
  private let look: Appearance
  private let (x, y, z): (Numbers, Numbers, Numbers)
  private let (velocityX, velocityY, velocityZ): (Numbers, Numbers, Numbers)
  private let (angle, width, height): (Numbers, Numbers, Numbers)
  private let (red, green, blue, alpha): (Numbers, Numbers, Numbers, Numbers)
  private let (intensity, age, life): (Numbers, Numbers, Numbers)

  private typealias Numbers = UnsafeBufferPointer<Float>

  private let up: Double
  private let handedness: Double
  private let turn: EngineView.Turn
  /// The origin of places, and whether the transform of the emitter is undone.
  private let (origin, isLocal): (Vector?, Bool)
  private let transform: Transform

  /// - Parameter emitter: that of the particles.
  init(_ look: Appearance, view: EngineView, emitter: Emitter) {
    self.look = look
    (x, y, z) = (look.x.numbers, look.y.numbers, look.z.numbers)
    (velocityX, velocityY) = (look.velocityX.numbers, look.velocityY.numbers)
    velocityZ = look.velocityZ.numbers
    (angle, width, height) = (look.angle.numbers, look.width.numbers, look.height.numbers)
    (red, green, blue) = (look.red.numbers, look.green.numbers, look.blue.numbers)
    (alpha, intensity) = (look.alpha.numbers, look.intensity.numbers)
    (age, life) = (look.age.numbers, look.life.numbers)
    up = view.isDown ? -1 : 1
    handedness = view.isClockwise ? -1 : 1
    turn = view.turn
    transform = emitter.transform
    origin = view.isRelative ? emitter.transform.translation : nil
    isLocal = !view.isRelative && view.isLocal && emitter.space == .local
  }

  var count: Int { look.count }

  @inline(__always)
  subscript(index: Int) -> ViewedParticle {
    var seen = Vector(Double(x[index]), Double(y[index]), Double(z[index]))
    var moving = Vector(
      Double(velocityX[index]), Double(velocityY[index]), Double(velocityZ[index]))
    if let origin {
      seen = Vector(seen.x - origin.x, seen.y - origin.y, seen.z - origin.z)
    } else if isLocal {
      (seen, moving) = (transform.unmoved(seen), transform.unturned(moving))
    }
    let velocity = SIMD4(moving.x, moving.y * up, moving.z, 0)
    var angle = Double(angle[index]) * handedness
    switch turn {
    case .stated: break
    case .nearest: angle -= 360 * (angle / 360).rounded()
    case .fromZero:
      // Below the x axis of the engine the arc tangent is negative.
      if velocity.y < 0 || velocity.y == 0 && velocity.x < 0 { angle += 360 }
    }
    let intensity = Double(intensity[index])
    return ViewedParticle(
      place: SIMD4(seen.x, seen.y * up, seen.z, 0), velocity: velocity, angle: angle,
      color: SIMD4(
        Double(red[index]) * intensity, Double(green[index]) * intensity,
        Double(blue[index]) * intensity, Double(alpha[index])),
      width: Double(width[index]), height: Double(height[index]), age: Double(age[index]),
      life: Double(life[index]))
  }
}
