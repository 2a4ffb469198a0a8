internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let rain = EffectTemplate(
    "rain", "Heavy rain that splashes on the ground.", background: Color(0.2, 0.24, 0.29),
    pictures: [
      Picture(name: "streak.png") { .streak() },
      Picture(name: "ripple.png") { .ring(size: 64, width: 0.16) },
      Picture(name: "drop.png") { .spot(size: 16, hardness: 0.9) },
    ]
  ) { [drops, ripples, droplets] }

  private static let drops = Emitter("Rain", sprite: 0, x: 40, y: 300).with {
    $0.timing.prewarm = 1
    $0.emission.rate = 190
    $0.emission.jitter = 1
    $0.lifetime = .range(0.56, 0.68)
    $0.shape = .line(length: 640)
    $0.launch = Launch(angle: 264, spread: 1, speed: .range(780, 800))
    // The streak points along +x, the direction of flight.
    $0.rotation.align = .velocity
    $0.size.width = Track(.range(34, 64))
    $0.size.height = Track(.range(2.2, 3.6))
    $0.color.base = ColorTrack(.constant(Color(0.78, 0.86, 0.95)))
    $0.color.opacity = Track(.range(0.35, 0.8))
    $0.triggers = [
      .death(of: 1, count: 1, probability: 0.5),
      .death(of: 2, count: .range(1, 3), probability: 0.7),
    ]
  }

  private static let ripples = Emitter("Ripples", sprite: 1).with {
    $0.lifetime = .range(0.3, 0.5)
    $0.size.width = Track(from: 3, to: .range(20, 34))
    $0.size.aspect = .ratio(3.2)
    $0.color.base = ColorTrack(.constant(Color(0.8, 0.88, 0.96)))
    $0.color.opacity = .times(.range(0.45, 0.75), (0, 1), (1, 0))
  }

  private static let droplets = Emitter("Droplets", sprite: 2).with {
    $0.lifetime = .range(0.18, 0.32)
    $0.launch = Launch(spread: 55, speed: .range(50, 120))
    $0.forces = [.gravity(Vector(0, -520))]
    $0.size.width = Track(.range(2.4, 4.2))
    $0.color.base = ColorTrack(.constant(Color(0.85, 0.92, 1)))
    $0.color.opacity = .times(0.8, (0, 1), (1, 0.2))
  }
}

extension Bitmap {
  /// A streak, brightest at its front on the right.
  fileprivate static func streak() -> Bitmap {
    mask(64, 8) { point in
      let along = (point.x + 1) / 2
      return exponential(-3.4 * point.y * point.y) * power(along, 1.4) * along.smooth(1, 0.93)
    }
  }
}
