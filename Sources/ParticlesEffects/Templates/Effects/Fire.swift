internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  /// A fire that burns upwards, with embers and smoke.
  public static let fire = EffectTemplate(
    "fire", "A fire that burns upwards, with embers and smoke.",
    background: Color(0.05, 0.04, 0.06),
    pictures: [
      Picture(name: "flame.png") { .flame() },
      Picture(name: "ember.png") { .glow(size: 32) },
      Picture(name: "smoke.png") { .cloud(size: 128, noise: Noise(seed: 7)) },
    ]
  ) { [flames, embers, smokeOfFire] }

  private static let smokeOfFire = Emitter("Smoke", sprite: 2, y: -20).with {
    $0.render.order = -1
    $0.emission.rate = 9
    $0.lifetime = .range(1.8, 2.8)
    $0.shape = .ellipse(30, 20)
    $0.launch = Launch(spread: 10, speed: .range(70, 110))
    $0.forces = [.wind(24, scale: 140, speed: 0.4)]
    $0.size.width = Track(from: .range(50, 70), to: .range(130, 190))
    $0.rotation.angle = Track(.range(0, 360))
    $0.rotation.velocity = Track(.range(-30, 30))
    $0.color.base = .over(
      (0, Color(0.3, 0.14, 0.08, 0)), (0.25, Color(0.24, 0.17, 0.15, 0.4)),
      (1, Color(0.16, 0.15, 0.16, 0)))
  }

  private static let flames = Emitter("Flames", sprite: 0, y: -165).with {
    $0.emission.rate = 95
    $0.lifetime = .range(0.7, 1.7)
    $0.shape = .ellipse(58, 12)
    $0.launch = Launch(spread: 6, speed: .range(120, 260))
    // Flames start close together.
    var draught = Force(.radial, strength: -90)
    draught.center = Vector(0, 190)
    $0.forces = [draught, .wind(90, scale: 70, speed: 1.2), .drag(.exponential, strength: 0.5)]
    $0.size.width = .times(.range(76, 122), (0, 0.4), (0.22, 1), (1, 0.22))
    $0.rotation.angle = Track(.range(-18, 18))
    $0.rotation.velocity = Track(.range(-40, 40))
    $0.color.base = .over(
      (0, Color(1, 0.9, 0.55, 0)), (0.14, Color(1, 0.7, 0.28, 0.36)),
      (0.45, Color(1, 0.38, 0.07, 0.42)), (0.8, Color(0.8, 0.15, 0.02, 0.28)),
      (1, Color(0.2, 0.02, 0, 0)))
    $0.render.blend = Blend(.add)
  }

  private static let embers = Emitter("Embers", sprite: 1, y: -140).with {
    $0.emission.rate = 16
    $0.lifetime = .range(1.2, 2.6)
    $0.shape = .ellipse(50, 10)
    $0.launch = Launch(spread: 16, speed: .range(110, 230))
    $0.forces = [.wind(260, scale: 60, speed: 0.8), .drag(.exponential, strength: 0.7)]
    $0.size.width = .times(.range(8, 16), (0, 1), (0.7, 0.8), (1, 0))
    $0.color.base = .over(
      (0, Color(1, 0.86, 0.5)), (0.5, Color(1, 0.5, 0.12)), (1, Color(0.9, 0.15, 0.02, 0)))
    $0.color.opacity = .times(
      1, (0, 0), (0.1, 1), (0.3, 0.6), (0.4, 1), (0.6, 0.5), (0.7, 1), (1, 0.4))
    $0.render.blend = Blend(.add)
  }
}

extension Bitmap {
  /// A tongue of flame, pointed at the top.
  fileprivate static func flame() -> Bitmap {
    let noise = Noise(seed: 3)
    return mask(96, 96) { point in
      // Displacement grows with height.
      let height = (point.y + 1) / 2
      let waver = 0.5 * height * (noise.fractal(1.7 * point.x + 9, 1.4 * point.y, octaves: 3) - 0.5)
      let half = 0.78 * power(sine(.pi * power(height, 0.62)), 0.9) * (1 - 0.45 * height)
      guard half > 0.01 else { return 0 }
      let across = (point.x + waver).magnitude / half
      let detail = noise.fractal(2.6 * point.x, 1.8 * point.y + 4, octaves: 4)
      return across.smooth(1, 0.05) * (0.35 + 0.9 * detail) * height.smooth(0, 0.16)
        * height.smooth(1, 0.62)
    }
  }
}
