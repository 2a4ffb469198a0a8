internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let sparks = EffectTemplate(
    "sparks", "Sparks that spray, fall and crackle.", background: Color(0.05, 0.05, 0.07),
    pictures: [Picture(name: "spark.png") { .spot(size: 32, hardness: 1.6) }]
  ) { [spray, crackle, glare] }

  private static var spray: Emitter {
    var sparks = Emitter("Sparks", sprite: 0, y: -130)
    sparks.emission.rate = 150
    sparks.emission.jitter = 1
    sparks.lifetime = .range(0.6, 1.5)
    sparks.launch = Launch(spread: 38, speed: .range(220, 600))
    sparks.forces = [.gravity(Vector(0, -430)), .drag(.exponential, strength: 0.5)]
    sparks.size.width = .times(.range(5, 8), (0, 1), (0.7, 0.8), (1, 0.2))
    sparks.size.stretch = .flight(0.07)
    sparks.color.base = .over(
      (0, Color(1, 1, 0.92)), (0.3, Color(1, 0.86, 0.42)), (0.8, Color(1, 0.42, 0.08)),
      (1, Color(0.8, 0.15, 0.02, 0.2)))
    sparks.render.blend = Blend(.add)
    sparks.triggers = [.death(of: 1, count: .range(3, 6), probability: 0.3)]
    return sparks
  }

  private static var crackle: Emitter {
    var crackle = Emitter("Crackle", sprite: 0)
    crackle.lifetime = .range(0.12, 0.34)
    crackle.launch = .everywhere(speed: .range(80, 240))
    crackle.forces = [.gravity(Vector(0, -200)), .drag(.exponential, strength: 3)]
    crackle.size.width = .times(.range(3.5, 5.5), (0, 1), (1, 0.3))
    crackle.size.stretch = .flight(0.05)
    crackle.color.base = .over((0, Color(1, 0.95, 0.75)), (1, Color(1, 0.5, 0.1, 0)))
    crackle.render.blend = Blend(.add)
    return crackle
  }

  private static var glare: Emitter {
    var glare = Emitter("Glare", sprite: 0, y: -130)
    glare.emission.rate = 24
    glare.lifetime = .range(0.1, 0.2)
    glare.shape = .ellipse(4, 4)
    glare.size.width = .times(.range(60, 180), (0, 0.7), (0.3, 1), (1, 0.4))
    glare.color.base = .over(
      (0, Color(1, 0.8, 0.45, 0)), (0.3, Color(1, 0.72, 0.35, 0.34)), (1, Color(1, 0.4, 0.1, 0)))
    glare.render.blend = Blend(.add)
    return glare
  }
}
