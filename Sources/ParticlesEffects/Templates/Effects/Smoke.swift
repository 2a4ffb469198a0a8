internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let smoke = EffectTemplate(
    "smoke", "Smoke that rises and spreads.", background: Color(0.55, 0.62, 0.7),
    pictures: [
      Picture(name: "smoke-1.png") { .cloud(size: 128, noise: Noise(seed: 7)) },
      Picture(name: "smoke-2.png") { .cloud(size: 128, noise: Noise(seed: 11)) },
    ]
  ) { [column] }

  private static let column = Emitter("Smoke", sprite: 0, y: -200).with {
    $0.sprites = [0, 1]
    $0.spriteSelection = .random
    $0.timing.prewarm = 4
    $0.emission.rate = 20
    $0.lifetime = .range(3.2, 4.6)
    $0.shape = .ellipse(12, 6)
    $0.launch = Launch(spread: 9, speed: .range(85, 125))
    $0.forces = [
      .gravity(Vector(9, 0)), .wind(46, scale: 130, speed: 0.35),
      .drag(.exponential, strength: 0.12),
    ]
    $0.size.width = Track(
      from: .range(34, 48), to: .range(190, 260),
      curve: Curve(through: [(0, 0), (0.3, 0.42), (1, 1)]))
    $0.rotation.angle = Track(.range(0, 360))
    $0.rotation.velocity = Track(.range(-24, 24))
    $0.color.base = .over(
      (0, Color(0.2, 0.2, 0.21, 0)), (0.08, Color(0.24, 0.24, 0.25, 0.7)),
      (0.5, Color(0.42, 0.42, 0.43, 0.36)), (1, Color(0.62, 0.63, 0.64, 0)))
  }
}
