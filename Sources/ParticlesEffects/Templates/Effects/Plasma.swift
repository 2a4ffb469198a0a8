internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let plasma = EffectTemplate(
    "plasma", "A ball of plasma that throws lightning.", background: Color(0.03, 0.02, 0.07),
    pictures: [
      Picture(name: "gas.png") { .cloud(size: 128, noise: Noise(seed: 23)) },
      Picture(name: "bolt-1.png", pivot: Vector2(0, 0.5)) { .bolt(seed: 1) },
      Picture(name: "bolt-2.png", pivot: Vector2(0, 0.5)) { .bolt(seed: 2) },
      Picture(name: "bolt-3.png", pivot: Vector2(0, 0.5)) { .bolt(seed: 5) },
      Picture(name: "glow.png") { .spot(size: 64, hardness: 1.6) },
    ]
  ) { [gas, lightning, motes, heart] }

  private static let gas = Emitter("Gas", sprite: 0).with {
    $0.timing.prewarm = 3
    $0.emission.rate = 22
    $0.lifetime = .range(1.2, 2.2)
    $0.shape = .ellipse(58, 58)
    $0.launch = .everywhere(speed: .range(4, 22))
    $0.motion.orbitVelocity = Track(.range(-40, 70))
    $0.size.width = .times(.range(90, 150), (0, 0.6), (0.5, 1), (1, 0.8))
    $0.rotation.angle = Track(.range(0, 360))
    $0.rotation.velocity = Track(.oneOf([-70, -40, 40, 70]))
    $0.color.base = .over(
      (0, Color(0.2, 0.5, 1)), (0.5, Color(0.55, 0.2, 1)), (1, Color(1, 0.15, 0.7)))
    $0.color.opacity = .times(.range(0.2, 0.38), (0, 0), (0.4, 1), (1, 0))
    $0.render.blend = Blend(.add)
  }

  private static let lightning = Emitter("Lightning", sprite: 1).with {
    $0.sprites = [1, 2, 3]
    $0.spriteSelection = .random
    $0.emission.rate = 26
    $0.emission.jitter = 1
    $0.lifetime = .range(0.12, 0.3)
    $0.size.width = .times(.range(120, 215), (0, 0.8), (0.3, 1), (1, 1))
    $0.rotation.angle = Track(.range(0, 360))
    $0.rotation.velocity = Track(.range(-60, 60))
    $0.color.base = ColorTrack(.range(Color(0.6, 0.75, 1), Color(0.95, 0.65, 1), .line))
    $0.color.opacity = .times(
      .range(0.6, 1), (0, 0), (0.15, 1), (0.4, 0.4), (0.55, 1), (1, 0))
    $0.render.blend = Blend(.add)
  }

  private static let motes = Emitter("Motes", sprite: 4).with {
    $0.emission.rate = 34
    $0.lifetime = .range(0.6, 1.4)
    $0.shape = .ellipse(60, 60)
    $0.launch.direction = Direction(.normal)
    $0.launch.speed = .range(30, 120)
    $0.motion.orbitVelocity = Track(.range(30, 90))
    $0.forces = [.drag(.exponential, strength: 0.8)]
    $0.size.width = .times(.range(4, 9), (0, 1), (1, 0))
    $0.color.base = .over((0, Color(0.85, 0.9, 1)), (1, Color(0.6, 0.25, 1)))
    $0.render.blend = Blend(.add)
  }

  private static let heart = Emitter("Heart", sprite: 4).with {
    $0.timing.prewarm = 1
    $0.emission.rate = 12
    $0.lifetime = .range(0.3, 0.6)
    $0.shape = .ellipse(5, 5)
    $0.size.width = .times(.range(60, 150), (0, 0.8), (0.5, 1), (1, 0.8))
    $0.color.base = ColorTrack(.range(Color(0.75, 0.7, 1), Color(1, 0.85, 1), .line))
    $0.color.opacity = .times(.range(0.2, 0.45), (0, 0), (0.4, 1), (1, 0))
    $0.render.blend = Blend(.add)
  }
}

extension Bitmap {
  /// A stroke of lightning from the middle of the left edge, with two branches.
  fileprivate static func bolt(seed: UInt64) -> Bitmap {
    let noise = Noise(seed: seed)
    func stroke(from start: Vector2, to end: Vector2, steps: Int, salt: Double) -> [Vector2] {
      (0...steps).map { step in
        let share = Double(step) / Double(steps)
        // The ends do not move.
        let swing = 1.5 * min(share, 0.35) * (noise.fractal(share * 5, salt, octaves: 3) - 0.5)
        return Vector2(
          start.x + share * (end.x - start.x), start.y + share * (end.y - start.y) + 2 * swing)
      }
    }
    let trunk = stroke(from: Vector2(-1, 0), to: Vector2(0.95, 0), steps: 16, salt: 0.5)
    let twigs = [(6, 0.5, 0.75), (10, 0.62, -0.7)].map { joint, reach, height in
      stroke(
        from: trunk[joint], to: Vector2(trunk[joint].x + reach, height), steps: 7, salt: height * 9)
    }
    // The picture is twice as wide as high.
    func flat(_ path: [Vector2]) -> [Vector2] { path.map { Vector2($0.x, $0.y / 2) } }
    let (flatTrunk, flatTwigs) = (flat(trunk), twigs.map(flat))
    return mask(192, 96) { point in
      let place = Vector2(point.x, point.y / 2)
      func light(_ path: [Vector2], _ width: Double) -> Double {
        let distance = place.distance(toPath: path)
        return exponential(-power(distance / width, 2)) + 0.28
          * exponential(-distance / (5 * width))
      }
      let fade = point.x.smooth(1, 0.4) * point.y.magnitude.smooth(1, 0.7)
      let rays = flatTwigs.reduce(light(flatTrunk, 0.014)) { max($0, 0.75 * light($1, 0.01)) }
      return rays * fade
    }
  }
}
