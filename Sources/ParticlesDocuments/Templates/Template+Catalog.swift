internal import ParticlesModel

extension Template {
  /// Every template, in the order in which they are listed.
  public static let all: [Template] = [.blank, .fire, .smoke, .snow, .sparks]

  static let blank = Template(
    "blank", "An emitter that emits nothing yet.", background: Color(0.13, 0.13, 0.13)
  ) { Emitter() }

  static let fire = Template(
    "fire", "A fire that burns upwards.", background: Color(0.05, 0.04, 0.06),
    picture: ("spark.png", { .spot(size: 64, hardness: 2) })
  ) {
    var fire = Emitter()
    fire.transform.translation = Vector(0, -140, 0)
    fire.emission.rate = 160
    fire.lifetime = .range(0.7, 1.6)
    fire.shape = .ellipse(46, 10)
    fire.launch.spread = 7
    fire.launch.speed = .range(110, 250)
    fire.forces = [.drag(.exponential, strength: 0.4)]
    fire.size.width = Track(
      from: 0, to: .range(60, 95),
      curve: Curve(through: [(0, 0.5), (0.2, 1), (1, 0.15)]))
    fire.rotation.angle = Track(.range(0, 360))
    fire.color.base = ColorTrack(
      gradient: Gradient([
        GradientKey(0, Color(1, 0.92, 0.6, 0)),
        GradientKey(0.12, Color(1, 0.72, 0.3, 0.34)),
        GradientKey(0.45, Color(1, 0.4, 0.08, 0.3)),
        GradientKey(0.8, Color(0.75, 0.14, 0.02, 0.18)),
        GradientKey(1, Color(0.2, 0.02, 0, 0)),
      ]))
    fire.render.blend = Blend(.add)
    return fire
  }

  static let smoke = Template(
    "smoke", "Smoke that rises and spreads.", background: Color(0.55, 0.62, 0.7),
    picture: ("smoke.png", { .puff(size: 128) })
  ) {
    var smoke = Emitter()
    smoke.transform.translation = Vector(0, -170, 0)
    smoke.emission.rate = 18
    smoke.lifetime = .range(3, 4.5)
    smoke.shape = .ellipse(14, 6)
    smoke.launch.spread = 12
    smoke.launch.speed = .range(70, 110)
    smoke.forces = [.gravity(Vector(10, 0, 0)), .drag(.exponential, strength: 0.25)]
    smoke.size.width = Track(from: .range(40, 60), to: .range(170, 240))
    smoke.rotation.angle = Track(.range(0, 360))
    smoke.rotation.velocity = Track(.range(-25, 25))
    smoke.color.base = ColorTrack(
      gradient: Gradient([
        GradientKey(0, Color(0.3, 0.3, 0.31, 0)),
        GradientKey(0.12, Color(0.36, 0.36, 0.37, 0.55)),
        GradientKey(0.6, Color(0.52, 0.52, 0.53, 0.3)),
        GradientKey(1, Color(0.66, 0.66, 0.67, 0)),
      ]))
    return smoke
  }

  static let snow = Template(
    "snow", "Snow that falls across the view.", background: Color(0.16, 0.21, 0.31),
    picture: ("flake.png", { .spot(size: 32, hardness: 1.2) })
  ) {
    var snow = Emitter()
    snow.transform.translation = Vector(0, 260, 0)
    snow.timing.prewarm = 9
    snow.emission.rate = 45
    snow.lifetime = .range(7, 10)
    snow.shape = .line(length: 560)
    snow.launch.direction = Direction(angle: 270)
    snow.launch.spread = 10
    snow.launch.speed = .range(45, 85)
    var wind = Force(.noise, strength: 14)
    wind.scale = 120
    wind.speed = 0.3
    snow.forces = [wind]
    snow.size.width = Track(.range(4, 13))
    snow.color.opacity = Track(
      from: 0, to: .range(0.55, 1), curve: Curve(through: [(0, 0), (0.05, 1), (0.9, 1), (1, 0)]))
    return snow
  }

  static let sparks = Template(
    "sparks", "Sparks that spray and fall.", background: Color(0.05, 0.05, 0.07),
    picture: ("spark.png", { .spot(size: 32, hardness: 1.6) })
  ) {
    var sparks = Emitter()
    sparks.emission.rate = 130
    sparks.lifetime = .range(0.5, 1.3)
    sparks.launch.spread = 38
    sparks.launch.speed = .range(150, 380)
    sparks.forces = [.gravity(Vector(0, -420, 0)), .drag(.exponential, strength: 0.5)]
    sparks.size.width = Track(
      from: 0, to: .range(5, 10), curve: Curve(through: [(0, 1), (0.7, 0.8), (1, 0)]))
    var stretch = Stretch()
    stretch.factor = 0.05
    sparks.size.stretch = stretch
    sparks.color.base = ColorTrack(
      gradient: Gradient([
        GradientKey(0, Color(1, 1, 0.9, 1)),
        GradientKey(0.35, Color(1, 0.85, 0.4, 1)),
        GradientKey(1, Color(1, 0.3, 0.05, 0)),
      ]))
    sparks.render.blend = Blend(.add)
    return sparks
  }
}
