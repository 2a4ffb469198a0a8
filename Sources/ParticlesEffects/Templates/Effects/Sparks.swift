internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let sparks = EffectTemplate(
    "sparks", "Sparks that spray, fall and crackle.", background: Color(0.05, 0.05, 0.07),
    pictures: [Picture(name: "spark.png") { .spot(size: 32, hardness: 1.6) }]
  ) { [spray, crackle, glare] }

  private static let spray = Emitter("Sparks", sprite: 0, y: -130).with {
    $0.emission.rate = 150
    $0.emission.jitter = 1
    $0.lifetime = .range(0.6, 1.5)
    $0.launch = Launch(spread: 38, speed: .range(220, 600))
    $0.forces = [.gravity(Vector(0, -430)), .drag(.exponential, strength: 0.5)]
    $0.size.width = .times(.range(5, 8), (0, 1), (0.7, 0.8), (1, 0.2))
    $0.size.stretch = .flight(0.07)
    $0.color.base = .over(
      (0, Color(1, 1, 0.92)), (0.3, Color(1, 0.86, 0.42)), (0.8, Color(1, 0.42, 0.08)),
      (1, Color(0.8, 0.15, 0.02, 0.2)))
    $0.render.blend = Blend(.add)
    $0.triggers = [.death(of: 1, count: .range(3, 6), probability: 0.3)]
  }

  private static let crackle = Emitter("Crackle", sprite: 0).with {
    $0.lifetime = .range(0.12, 0.34)
    $0.launch = .everywhere(speed: .range(80, 240))
    $0.forces = [.gravity(Vector(0, -200)), .drag(.exponential, strength: 3)]
    $0.size.width = .times(.range(3.5, 5.5), (0, 1), (1, 0.3))
    $0.size.stretch = .flight(0.05)
    $0.color.base = .over((0, Color(1, 0.95, 0.75)), (1, Color(1, 0.5, 0.1, 0)))
    $0.render.blend = Blend(.add)
  }

  private static let glare = Emitter("Glare", sprite: 0, y: -130).with {
    $0.emission.rate = 24
    $0.lifetime = .range(0.1, 0.2)
    $0.shape = .ellipse(4, 4)
    $0.size.width = .times(.range(60, 180), (0, 0.7), (0.3, 1), (1, 0.4))
    $0.color.base = .over(
      (0, Color(1, 0.8, 0.45, 0)), (0.3, Color(1, 0.72, 0.35, 0.34)), (1, Color(1, 0.4, 0.1, 0)))
    $0.render.blend = Blend(.add)
  }
}
