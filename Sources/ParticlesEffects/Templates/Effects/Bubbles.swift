internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let bubbles = EffectTemplate(
    "bubbles", "Bubbles that rise, wobble and burst.", background: Color(0.08, 0.33, 0.48),
    pictures: [
      Picture(name: "bubble.png") { .bubble() },
      Picture(name: "burst.png") { .burstBubble() },
    ]
  ) { [fizz, rising, popping] }

  private static let rising = Emitter("Bubbles", sprite: 0, y: -250).with {
    $0.timing.prewarm = 6
    $0.emission.rate = 6
    $0.emission.jitter = 1
    $0.lifetime = .range(3.6, 6)
    $0.shape = .line(length: 420)
    $0.launch = Launch(spread: 12, speed: .range(45, 85))
    $0.forces = [
      .gravity(Vector(0, 26)), .wind(70, scale: 60, speed: 0.4), .drag(.exponential, strength: 0.3),
    ]
    $0.size.width = .times(.range(22, 66), (0, 0.5), (0.25, 0.9), (1, 1))
    $0.rotation.angle = Track(.range(-12, 12))
    $0.color.opacity = .times(.range(0.75, 1), (0, 0), (0.1, 1), (1, 1))
    var pop = Trigger.death(of: 2, count: 1)
    pop.inherit = [.position, .size]
    $0.triggers = [pop]
  }

  private static let fizz = Emitter("Fizz", sprite: 0, y: -255).with {
    $0.timing.prewarm = 5
    $0.emission.rate = 20
    $0.emission.jitter = 1
    $0.lifetime = .range(2.5, 4.5)
    $0.shape = .line(length: 460)
    $0.launch = Launch(spread: 6, speed: .range(80, 130))
    $0.forces = [.wind(60, scale: 40, speed: 0.6)]
    $0.size.width = Track(.range(4, 10))
    $0.color.opacity = .times(.range(0.4, 0.7), (0, 0), (0.1, 1), (0.9, 1), (1, 0))
  }

  private static let popping = Emitter("Burst", sprite: 1).with {
    $0.lifetime = 0.22
    $0.size.width = Track(from: .range(30, 50), to: .range(60, 80))
    $0.rotation.angle = Track(.range(0, 360))
    $0.color.opacity = .times(0.9, (0, 1), (1, 0))
  }
}

extension Bitmap {
  /// A bubble: clear, with a rim in the colours of thin films and two reflections.
  fileprivate static func bubble() -> Bitmap {
    painting(128, 128) { point in
      let radius = point.length
      let rim = power(min(radius / 0.94, 1), 5)
      let film = Color(
        0.82 + 0.18 * sineAndCosine(degrees: point.angle + 300 * radius).cosine,
        0.88 + 0.12 * sineAndCosine(degrees: point.angle + 120 + 300 * radius).cosine,
        0.94 + 0.06 * sineAndCosine(degrees: point.angle - 120 + 300 * radius).cosine)
      let light = point.distance(to: Vector2(-0.36, 0.4)).smooth(0.24, 0.04)
      let arc =
        exponential(-power((radius - 0.76) / 0.06, 2))
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
