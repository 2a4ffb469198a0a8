internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let galaxy = EffectTemplate(
    "galaxy", "A galaxy whose stars stream through its arms.", background: Color(0.02, 0.02, 0.05),
    pictures: [
      Picture(name: "star.png") { .glow(size: 32) },
      Picture(name: "nebula.png") { .cloud(size: 128, noise: Noise(seed: 31)) },
      Picture(name: "core.png") { .spot(size: 64, hardness: 2.2) },
    ]
  ) { [nebulae, disc, armStars, core] }

  /// Points on two logarithmic spirals, the arms.
  private static var arms: Shape {
    var shape = Shape(.polyline)
    shape.points = [0.0, 180].map { start in
      (0...24).map { step in
        let turn = Double(step) * 15
        let point = Vector2.polar(26 * exponential(turn * .pi / 180 * 0.34), start + turn)
        return Vector((10 * point.x).rounded() / 10, (10 * point.y).rounded() / 10)
      }
    }
    return shape
  }

  private static func orbiting(_ name: String, sprite: Int) -> Emitter {
    var emitter = Emitter(name, sprite: sprite)
    emitter.timing.prewarm = 8
    emitter.render.blend = Blend(.add)
    return emitter
  }

  private static let armStars = orbiting("Arms", sprite: 0).with {
    $0.emission.rate = 120
    $0.lifetime = .range(2.5, 5)
    $0.shape = arms
    $0.launch = .everywhere(speed: .range(0, 7))
    $0.motion.orbitVelocity = -9
    $0.size.width = Track(.range(6, 17))
    $0.color.base = .oneOf(
      Color(0.7, 0.82, 1), Color(0.85, 0.9, 1), Color(1, 0.95, 0.9), Color(0.6, 0.72, 1),
      Color(1, 0.75, 0.8))
    $0.color.opacity = .times(.range(0.5, 1), (0, 0), (0.25, 1), (0.6, 0.8), (1, 0))
  }

  private static let nebulae = orbiting("Nebulae", sprite: 1).with {
    $0.emission.rate = 22
    $0.lifetime = .range(4, 7)
    $0.shape = arms
    $0.launch = .everywhere(speed: .range(0, 6))
    $0.motion.orbitVelocity = -6
    $0.size.width = Track(.range(46, 100))
    $0.rotation.angle = Track(.range(0, 360))
    $0.color.base = .oneOf(
      Color(0.25, 0.3, 0.75), Color(0.45, 0.22, 0.6), Color(0.7, 0.25, 0.42), Color(0.2, 0.4, 0.7))
    $0.color.opacity = .times(.range(0.08, 0.18), (0, 0), (0.4, 1), (0.6, 1), (1, 0))
  }

  private static let disc = orbiting("Disc", sprite: 0).with {
    $0.emission.rate = 40
    $0.lifetime = .range(4, 8)
    $0.shape = .ellipse(215, 215)
    $0.shape.distribution = .radialLinear
    $0.motion.orbitVelocity = Track(.range(-14, -8))
    $0.size.width = Track(.range(4, 9))
    $0.color.base = ColorTrack(.range(Color(1, 0.85, 0.65), Color(0.8, 0.85, 1), .line))
    $0.color.opacity = .times(.range(0.25, 0.8), (0, 0), (0.2, 1), (0.8, 1), (1, 0))
  }

  private static let core = orbiting("Core", sprite: 2).with {
    $0.emission.rate = 6
    $0.lifetime = .range(1.5, 2.5)
    $0.shape = .ellipse(5, 5)
    $0.size.width = .times(.range(70, 170), (0, 0.9), (0.5, 1), (1, 0.9))
    $0.color.base = ColorTrack(.range(Color(1, 0.82, 0.55), Color(1, 0.93, 0.8), .line))
    $0.color.opacity = .times(0.28, (0, 0), (0.5, 1), (1, 0))
  }
}
