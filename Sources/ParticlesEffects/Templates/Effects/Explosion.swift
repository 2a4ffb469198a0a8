internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let explosion = EffectTemplate(
    "explosion", "An explosion with flash, fireball, debris and smoke, again and again.",
    background: Color(0.1, 0.1, 0.12),
    pictures: [
      Picture(name: "smoke.png") { .cloud(size: 128, noise: Noise(seed: 7)) },
      Picture(name: "fireball.png") { .cloud(size: 128, noise: Noise(seed: 19)) },
      Picture(name: "flash.png") { .spot(size: 128, hardness: 1.5) },
      Picture(name: "shock.png") { .ring(size: 128, width: 0.11) },
      Picture(name: "debris.png") { .shard() },
      Picture(name: "spark.png") { .spot(size: 16, hardness: 1.2) },
    ]
  ) { [lingering, fireball, shock, debris, trail, sparksOfExplosion, flash] }

  /// All emitters emit at the beginning of a period of three seconds.
  private static func sudden(_ name: String, sprite: Int, _ bursts: Burst...) -> Emitter {
    var emitter = Emitter(name, sprite: sprite)
    emitter.timing.duration = 3
    emitter.timing.loop = true
    emitter.emission.bursts = bursts
    return emitter
  }

  private static let flash = sudden("Flash", sprite: 2, Burst(count: 1)).with {
    $0.lifetime = 0.26
    $0.size.width = .times(560, (0, 0.35), (0.25, 1), (1, 0.7))
    $0.color.base = .over(
      (0, Color(1, 1, 0.95, 0.9)), (0.3, Color(1, 0.88, 0.55, 0.6)), (1, Color(1, 0.6, 0.2, 0)))
    $0.render.blend = Blend(.add)
  }

  private static let fireball = sudden(
    "Fireball", sprite: 1, Burst(count: 26), Burst(time: 0.06, count: 18)
  ).with {
    $0.lifetime = .range(0.45, 1.1)
    $0.shape = .ellipse(22, 22)
    $0.launch = .everywhere(speed: .range(20, 260))
    $0.forces = [.gravity(Vector(0, 30)), .drag(.exponential, strength: 3.2)]
    $0.size.width = .times(.range(90, 170), (0, 0.3), (0.15, 0.8), (1, 1.1))
    $0.rotation.angle = Track(.range(0, 360))
    $0.rotation.velocity = Track(.range(-90, 90))
    $0.color.base = .over(
      (0, Color(1, 0.97, 0.75, 0.9)), (0.2, Color(1, 0.75, 0.3, 0.75)),
      (0.5, Color(0.95, 0.35, 0.06, 0.5)), (1, Color(0.25, 0.04, 0.01, 0)))
    $0.render.blend = Blend(.add)
  }

  private static let lingering = sudden("Smoke", sprite: 0, Burst(time: 0.08, count: 26)).with {
    $0.lifetime = .range(1.4, 2.6)
    $0.shape = .ellipse(40, 40)
    $0.launch = .everywhere(speed: .range(10, 170))
    $0.forces = [.gravity(Vector(0, 22)), .drag(.exponential, strength: 2.4)]
    $0.size.width = Track(
      from: .range(60, 90), to: .range(150, 220),
      curve: Curve(through: [(0, 0), (0.3, 0.7), (1, 1)]))
    $0.rotation.angle = Track(.range(0, 360))
    $0.rotation.velocity = Track(.range(-30, 30))
    $0.color.base = .over(
      (0, Color(0.1, 0.08, 0.07, 0)), (0.15, Color(0.2, 0.17, 0.16, 0.7)),
      (0.5, Color(0.3, 0.28, 0.28, 0.45)), (1, Color(0.38, 0.37, 0.38, 0)))
  }

  private static let shock = sudden("Shock wave", sprite: 3, Burst(count: 1)).with {
    $0.lifetime = 0.5
    $0.size.width = .times(520, (0, 0.05), (0.3, 0.62), (1, 1))
    $0.color.base = ColorTrack(.constant(Color(1, 0.85, 0.65)))
    $0.color.opacity = .times(0.5, (0, 1), (1, 0))
    $0.render.blend = Blend(.add)
  }

  private static let debris = sudden("Debris", sprite: 4, Burst(count: 16)).with {
    $0.lifetime = .range(1.1, 1.9)
    $0.launch = Launch(spread: 105, speed: .range(200, 420))
    $0.forces = [.gravity(Vector(0, -380)), .drag(.exponential, strength: 0.6)]
    $0.size.width = Track(.range(7, 16))
    $0.rotation.angle = Track(.range(0, 360))
    $0.rotation.velocity = Track(.range(-540, 540))
    $0.color.base = .over(
      (0, Color(1, 0.75, 0.35)), (0.25, Color(0.5, 0.28, 0.16)), (1, Color(0.16, 0.14, 0.14)))
    $0.color.opacity = .times(1, (0, 1), (0.85, 1), (1, 0))
    var smoking = Trigger(.interval, emitter: 4, count: 1)
    smoking.interval = 0.03
    smoking.inherit = [.position]
    $0.triggers = [smoking]
  }

  private static let trail = Emitter("Trails", sprite: 0).with {
    $0.lifetime = .range(0.4, 0.8)
    $0.size.width = Track(from: .range(12, 18), to: .range(26, 40))
    $0.rotation.angle = Track(.range(0, 360))
    $0.color.base = .over(
      (0, Color(0.8, 0.45, 0.2, 0.45)), (0.2, Color(0.34, 0.29, 0.27, 0.3)),
      (1, Color(0.35, 0.34, 0.35, 0)))
  }

  private static let sparksOfExplosion = sudden("Sparks", sprite: 5, Burst(count: 70)).with {
    $0.lifetime = .range(0.4, 1.2)
    $0.launch = .everywhere(speed: .range(160, 640))
    $0.forces = [.gravity(Vector(0, -260)), .drag(.exponential, strength: 2.2)]
    $0.size.width = .times(.range(3, 5.5), (0, 1), (1, 0.3))
    $0.size.stretch = .flight(0.05)
    $0.color.base = .over(
      (0, Color(1, 1, 0.85)), (0.4, Color(1, 0.75, 0.3)), (1, Color(0.9, 0.25, 0.03, 0)))
    $0.render.blend = Blend(.add)
  }
}

extension Bitmap {
  /// A splinter with five corners, lit from above.
  fileprivate static func shard() -> Bitmap {
    let corners = [(0.8, 10.0), (0.6, 95), (0.9, 150), (0.7, 230), (0.85, 300)].map(Vector2.polar)
    return painting(32, 32) { point in
      // Inside of all edges. Corners go round counter-clockwise.
      let ends = zip(corners, corners.dropFirst() + corners.prefix(1))
      let depth =
        ends.map { start, end in
          let (dx, dy) = (end.x - start.x, end.y - start.y)
          return (dx * (point.y - start.y) - dy * (point.x - start.x)) / Vector2(dx, dy).length
        }.min() ?? 0
      let light = 0.7 + 0.3 * (point.y - 0.4 * point.x).smooth(-0.6, 0.6)
      return Color(light, light, light, depth.smooth(-0.04, 0.06))
    }
  }
}
