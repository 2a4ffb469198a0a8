internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let magic = EffectTemplate(
    "magic", "Stars and dust that swirl around a light.", background: Color(0.06, 0.03, 0.12),
    pictures: [
      Picture(name: "star.png") { .star(size: 64) },
      Picture(name: "dust.png") { .glow(size: 32) },
      Picture(name: "light.png") { .spot(size: 64, hardness: 2) },
    ]
  ) { [light, dust, stars] }

  private static let light = Emitter("Light", sprite: 2).with {
    $0.timing.prewarm = 2
    $0.emission.rate = 5
    $0.lifetime = .range(1.2, 1.8)
    $0.shape = .ellipse(16, 16)
    $0.size.width = .times(.range(220, 360), (0, 0.7), (0.5, 1), (1, 0.8))
    $0.color.base = ColorTrack(.range(Color(0.35, 0.2, 0.9), Color(0.75, 0.25, 0.8), .line))
    $0.color.opacity = .times(0.16, (0, 0), (0.5, 1), (1, 0))
    $0.render.blend = Blend(.add)
  }

  private static let dust = swirl("Dust", sprite: 1).with {
    $0.emission.rate = 150
    $0.lifetime = .range(2, 2.4)
    // Particles start on three spirals.
    $0.motion.orbit?.angle = .oneOf([90, 210, 330])
    $0.motion.orbit?.angularVelocity = .range(128, 140)
    $0.size.width = .times(.range(10, 24), (0, 0), (0.15, 1), (0.75, 0.8), (1, 0))
    $0.color.base = .over(
      (0, Color(0.55, 0.95, 1)), (0.4, Color(0.6, 0.5, 1)), (1, Color(1, 0.35, 0.85, 0)))
  }

  private static let stars = swirl("Stars", sprite: 0).with {
    $0.emission.rate = 11
    $0.lifetime = .range(1.4, 2.6)
    $0.size.width = .times(.range(30, 72), (0, 0), (0.2, 1), (0.8, 0.7), (1, 0))
    $0.rotation.angle = Track(.range(-20, 20))
    $0.rotation.velocity = Track(.range(-50, 50))
    $0.color.base = .oneOf(
      Color(1, 0.95, 0.8), Color(0.7, 0.95, 1), Color(1, 0.75, 0.95), Color(0.85, 0.8, 1))
    // Particles twinkle.
    $0.color.opacity = .times(
      1, (0, 0), (0.15, 1), (0.25, 0.3), (0.4, 1), (0.5, 0.35), (0.65, 1), (0.78, 0.3), (0.88, 1),
      (1, 0))
  }

  /// Points on spirals that end at the light.
  private static func swirl(_ name: String, sprite: Int) -> Emitter {
    var swirl = Emitter(name, sprite: sprite)
    swirl.timing.prewarm = 3
    var orbit = Orbit()
    orbit.angle = .range(0, 360)
    orbit.angularVelocity = .range(90, 170)
    orbit.radius = Track(from: .range(160, 195), to: .range(8, 40))
    swirl.motion.mode = .orbit
    swirl.motion.orbit = orbit
    swirl.render.blend = Blend(.add)
    return swirl
  }
}
