internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let confetti = EffectTemplate(
    "confetti", "Confetti from two cannons, again and again.", background: Color(0.96, 0.95, 0.92),
    pictures: [
      Picture(name: "paper.png") { .paper() },
      Picture(name: "dot.png") { .dot() },
      Picture(name: "streamer.png") { .streamer() },
    ]
  ) {
    [cannon("Left cannon", x: -250, angle: 62), cannon("Right cannon", x: 250, angle: 118)]
  }

  private static func cannon(_ name: String, x: Double, angle: Double) -> Emitter {
    var confetti = Emitter(name, sprite: 0, x: x, y: -215)
    confetti.sprites = [0, 1, 2]
    confetti.spriteSelection = .random
    confetti.timing.duration = 5
    confetti.timing.loop = true
    confetti.emission.bursts = [Burst(count: 70), Burst(time: 0.12, count: 50)]
    confetti.lifetime = .range(3.2, 4.8)
    confetti.shape = .ellipse(8, 8)
    confetti.launch = Launch(angle: .constant(angle), spread: 20, speed: .range(300, 980))
    confetti.forces = [
      .gravity(Vector(0, -190)), .drag(.exponential, strength: 1.7),
      .wind(70, scale: 90, speed: 0.5),
    ]
    confetti.size.width = Track(.range(9, 17))
    // Tumbling paper is seen edge-on at times.
    var tumble = Track(from: 1.5, to: .range(9, 15))
    tumble.curve = Curve([CurveKey(0, 0), CurveKey(1, 1)], .linear, extend: .mirror)
    tumble.over = .age
    tumble.domain = Interval(0, 0.34)
    confetti.size.height = tumble
    confetti.rotation.angle = Track(.range(0, 360))
    confetti.rotation.velocity = Track(.range(-320, 320))
    confetti.color.base = .oneOf(
      Color(0.93, 0.26, 0.27), Color(0.98, 0.7, 0.15), Color(0.16, 0.68, 0.45),
      Color(0.16, 0.5, 0.9), Color(0.62, 0.3, 0.8), Color(0.97, 0.42, 0.65))
    confetti.color.opacity = .times(1, (0, 1), (0.85, 1), (1, 0))
    return confetti
  }
}

extension Bitmap {
  /// A piece of paper, bent a little, so that one half is in the shade.
  fileprivate static func paper() -> Bitmap {
    painting(32, 32) { point in
      let edge = max(point.x.magnitude, point.y.magnitude).smooth(0.95, 0.78)
      let light = 0.86 + 0.14 * point.y.smooth(-0.5, 0.5)
      return Color(light, light, light, edge)
    }
  }

  /// A round piece.
  fileprivate static func dot() -> Bitmap {
    painting(32, 32) { point in
      let light = 0.88 + 0.12 * (point.x + point.y).smooth(-0.8, 0.8)
      return Color(light, light, light, point.length.smooth(0.96, 0.86))
    }
  }

  /// A curled streamer.
  fileprivate static func streamer() -> Bitmap {
    painting(64, 32) { point in
      let center = 0.45 * sine(point.x * 7.2)
      let slope = cosine(point.x * 7.2)
      let light = 0.84 + 0.16 * (slope + 1) / 2
      let distance = (point.y - center).magnitude
      return Color(
        light, light, light, distance.smooth(0.42, 0.3) * point.x.magnitude.smooth(1, 0.9))
    }
  }
}
