internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPlatform

extension EffectTemplate {
  static let bubbles = EffectTemplate(
    "bubbles", "Bubbles that rise, wobble and burst.", background: Color(0.08, 0.33, 0.48),
    pictures: [
      Picture(name: "bubble.png") { .bubble() },
      Picture(name: "burst.png") { .burstBubble() },
    ]
  ) { [fizz, rising, popping] }

  private static var rising: Emitter {
    var bubbles = Emitter("Bubbles", sprite: 0, y: -250)
    bubbles.timing.prewarm = 6
    bubbles.emission.rate = 6
    bubbles.emission.jitter = 1
    bubbles.lifetime = .range(3.6, 6)
    bubbles.shape = .line(length: 420)
    bubbles.launch = Launch(spread: 12, speed: .range(45, 85))
    bubbles.forces = [
      .gravity(Vector(0, 26)), .wind(70, scale: 60, speed: 0.4), .drag(.exponential, strength: 0.3),
    ]
    bubbles.size.width = .times(.range(22, 66), (0, 0.5), (0.25, 0.9), (1, 1))
    bubbles.rotation.angle = Track(.range(-12, 12))
    bubbles.color.opacity = .times(.range(0.75, 1), (0, 0), (0.1, 1), (1, 1))
    var pop = Trigger.death(of: 2, count: 1)
    pop.inherit = [.position, .size]
    bubbles.triggers = [pop]
    return bubbles
  }

  private static var fizz: Emitter {
    var fizz = Emitter("Fizz", sprite: 0, y: -255)
    fizz.timing.prewarm = 5
    fizz.emission.rate = 20
    fizz.emission.jitter = 1
    fizz.lifetime = .range(2.5, 4.5)
    fizz.shape = .line(length: 460)
    fizz.launch = Launch(spread: 6, speed: .range(80, 130))
    fizz.forces = [.wind(60, scale: 40, speed: 0.6)]
    fizz.size.width = Track(.range(4, 10))
    fizz.color.opacity = .times(.range(0.4, 0.7), (0, 0), (0.1, 1), (0.9, 1), (1, 0))
    return fizz
  }

  private static var popping: Emitter {
    var pop = Emitter("Burst", sprite: 1)
    pop.lifetime = 0.22
    pop.size.width = Track(from: .range(30, 50), to: .range(60, 80))
    pop.rotation.angle = Track(.range(0, 360))
    pop.color.opacity = .times(0.9, (0, 1), (1, 0))
    return pop
  }
}

extension Bitmap {
  /// A bubble: clear, with a rim in the colours of thin films and two reflections.
  fileprivate static func bubble() -> Bitmap {
    painting(128, 128) { point in
      let radius = point.length
      let rim = pow(min(radius / 0.94, 1), 5)
      let film = Color(
        0.82 + 0.18 * cos((point.angle + 300 * radius) * .pi / 180),
        0.88 + 0.12 * cos((point.angle + 120 + 300 * radius) * .pi / 180),
        0.94 + 0.06 * cos((point.angle - 120 + 300 * radius) * .pi / 180))
      let light = point.distance(to: Vector2(-0.36, 0.4)).smooth(0.24, 0.04)
      let arc =
        exp(-pow((radius - 0.76) / 0.06, 2))
        * point.distance(to: .polar(0.76, -48)).smooth(0.55, 0.1)
      let alpha = 0.08 + 0.72 * rim + 0.95 * light + 0.45 * arc
      let white = min(1, light + arc)
      return Color(
        film.red + (1 - film.red) * white, film.green + (1 - film.green) * white,
        film.blue + (1 - film.blue) * white, alpha * radius.smooth(0.97, 0.92))
    }
  }

  /// Droplets on a ring, after a bubble has burst.
  fileprivate static func burstBubble() -> Bitmap {
    mask(64, 64) { point in
      (0..<12).reduce(0.0) { sum, index in
        let reach = index.isMultiple(of: 2) ? 0.8 : 0.64
        let place = Vector2.polar(reach, Double(index) * 30)
        return sum + point.distance(to: place).smooth(index.isMultiple(of: 3) ? 0.15 : 0.1, 0.02)
      }
    }
  }
}
