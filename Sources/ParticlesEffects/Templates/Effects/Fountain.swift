internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let fountain = EffectTemplate(
    "fountain", "A fountain whose water splashes back.", background: Color(0.09, 0.16, 0.24),
    pictures: [
      Picture(name: "drop.png") { .drop() },
      Picture(name: "mist.png") { .spot(size: 64, hardness: 1.3) },
      Picture(name: "ripple.png") { .ring(size: 64, width: 0.2) },
    ]
  ) { [mist, ripplesOfFountain, crown, jet, splash] }

  /// The level of the water below.
  private static let level = -190.0

  private static let jet = water("Jet", rate: 120, spread: 4, speed: 505).with {
    $0.triggers = falling
  }

  private static let crown = water("Crown", rate: 130, spread: 24, speed: 365).with {
    $0.triggers = falling
  }

  /// The ripple where a drop meets the water.
  private static let falling = [
    Trigger.death(of: 4, count: .range(1, 3), probability: 0.5),
    Trigger.death(of: 1, count: 1, probability: 0.25),
  ]

  private static let gravity = 490.0

  private static func water(
    _ name: String, rate: Value, spread: Double, speed: Double
  ) -> Emitter {
    var water = Emitter(name, sprite: 0, y: level)
    water.timing.prewarm = 2
    water.emission.rate = rate
    water.emission.jitter = 1
    // Particles rise and fall.
    let flight = 2 * speed / gravity
    water.lifetime = .range(0.96 * flight, 1.01 * flight)
    water.shape = .ellipse(4, 2)
    water.launch = Launch(spread: spread, speed: .range(0.93 * speed, 1.02 * speed))
    water.forces = [.gravity(Vector(0, -gravity))]
    water.size.width = .times(.range(4, 8), (0, 0.7), (0.5, 1), (1, 0.9))
    water.size.stretch = .flight(0.03)
    water.color.base = .over(
      (0, Color(0.85, 0.96, 1, 0.8)), (0.5, Color(0.75, 0.92, 1, 0.75)),
      (1, Color(0.68, 0.88, 1, 0.65)))
    return water
  }

  private static let splash = Emitter("Splash", sprite: 0).with {
    $0.lifetime = .range(0.2, 0.42)
    $0.launch = Launch(spread: 48, speed: .range(40, 125))
    $0.forces = [.gravity(Vector(0, -490))]
    $0.size.width = .times(.range(2.5, 5), (0, 1), (1, 0.4))
    $0.color.base = ColorTrack(.constant(Color(0.8, 0.93, 1, 0.8)))
  }

  private static let mist = Emitter("Mist", sprite: 1, y: level + 8).with {
    $0.timing.prewarm = 2
    $0.emission.rate = 14
    $0.lifetime = .range(0.9, 1.6)
    $0.shape = .ellipse(115, 8)
    $0.launch = Launch(spread: 40, speed: .range(8, 30))
    $0.size.width = Track(from: .range(34, 50), to: .range(70, 110))
    $0.color.base = ColorTrack(.constant(Color(0.7, 0.85, 0.95)))
    $0.color.opacity = .times(0.13, (0, 0), (0.3, 1), (1, 0))
  }

  private static let ripplesOfFountain = Emitter("Ripples", sprite: 2).with {
    $0.lifetime = .range(0.5, 0.9)
    $0.size.width = Track(from: 5, to: .range(34, 60))
    $0.size.aspect = .ratio(3.4)
    $0.color.base = ColorTrack(.constant(Color(0.65, 0.85, 1)))
    $0.color.opacity = .times(.range(0.25, 0.5), (0, 1), (1, 0))
  }
}

extension Bitmap {
  /// A drop of water, lit from the top left.
  fileprivate static func drop() -> Bitmap {
    painting(32, 32) { point in
      let shine = point.distance(to: Vector2(-0.28, 0.3)).smooth(0.5, 0)
      let body = 0.78 + 0.22 * point.y.smooth(-0.8, 0.8)
      return Color(body + shine, body + shine, 1, point.length.smooth(0.95, 0.35))
    }
  }
}
