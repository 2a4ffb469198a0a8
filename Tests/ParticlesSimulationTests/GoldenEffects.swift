import ParticlesModel

/// Effects that use every part of the simulation, for comparisons to the bit.
enum GoldenEffects {
  static let all: [(name: String, system: ParticleSystem)] = [
    ("ballistic", system(ballistic())), ("drags", system(drags())), ("forces", system(forces())),
    ("turned-forces", system(turnedForces())), ("noise", system(noise())),
    ("orbit", system(orbit())), ("orbit-velocity", system(orbitVelocity())),
    ("path", system(path())), ("speeds", system(speeds())), ("inputs", system(inputs())),
    ("curves", system(curves())), ("gradients", system(gradients())),
    ("colors", system(colors())), ("angles", system(angles())), ("emission", system(emission())),
    ("space", space()), ("fireworks", fireworks()), ("trails", trails()),
  ]

  private static func system(_ emitters: Emitter...) -> ParticleSystem {
    ParticleSystem(name: "golden", emitters: emitters)
  }

  private static func space() -> ParticleSystem {
    var emitter = drags()
    emitter.shape = Shape(.sphere)
    emitter.shape.radius = 20
    emitter.launch.direction = Direction(.normal)
    emitter.forces += forces().forces
    emitter.motion = speeds().motion
    var system = system(emitter)
    system.asset.dimension = .space
    return system
  }

  /// Everything random, over life.
  static func ballistic() -> Emitter {
    var emitter = Emitter(name: "ballistic")
    emitter.emission.rate = 120
    emitter.lifetime = .range(0.5, 2)
    emitter.launch.speed = .range(50, 120)
    emitter.launch.spread = 40
    emitter.forces = [.gravity(Vector(3, -60))]
    emitter.size.width = Track(from: .range(4, 8), to: .range(0, 3))
    emitter.rotation.angle = Track(.range(0, 360))
    emitter.rotation.velocity = Track(.range(-90, 90))
    emitter.color.base = ColorTrack(
      from: .range(Color(0.8, 0.2, 0, 0.7), Color(1, 0.6, 0.3, 1)),
      to: .range(Color(0, 0, 0, 0), Color(0.5, 0, 0.6, 0.3)))
    return emitter
  }

  private static func drags() -> Emitter {
    var emitter = ballistic()
    emitter.forces = [
      .drag(.exponential, strength: 0.5), .drag(.euler, strength: Track(.range(0.1, 0.7))),
      .drag(.constant, strength: 7), .drag(.perFrame60, strength: Track(from: 0.001, to: 0.02)),
      .drag(.limit, strength: 2), .gravity(Vector(0, -100)),
    ]
    emitter.forces[4].limit = 60
    emitter.forces[0].direction = Vector(1, 0.5)
    emitter.forces[2].direction = Vector(0, 1)
    return emitter
  }

  private static func forces() -> Emitter {
    var emitter = ballistic()
    emitter.transform.translation = Vector(13, -7)
    emitter.forces = [
      Force(.radial, strength: Track(.range(-50, 90))), Force(.tangential, strength: 60),
      Force(.vortex, strength: Track(from: 40, to: -40)),
      Force(.linear, strength: Track(.range(-10, 30))), .gravity(Vector(0, -20)),
    ]
    emitter.forces[0].center = Vector(20, 30)
    emitter.forces[0].falloff = 0.5
    emitter.forces[1].maxDistance = 60
    emitter.forces[2].axis = Vector(0.1, 0.2, 1)
    return emitter
  }

  private static func turnedForces() -> Emitter {
    var emitter = forces()
    emitter.transform.angle = 30
    for index in emitter.forces.indices { emitter.forces[index].space = .local }
    emitter.forces[4].vector = VectorTrack(Track(.range(-9, 9)), Track(from: -50, to: 40))
    return emitter
  }

  private static func noise() -> Emitter {
    var emitter = ballistic()
    var first = Force(.noise, strength: Track(.range(20, 60)))
    (first.scale, first.speed, first.octaves) = (30, 0.7, 3)
    var second = Force(.noise, strength: 15)
    (second.scale, second.target) = (11, .position)
    emitter.forces = [first, second]
    return emitter
  }

  private static func orbit() -> Emitter {
    var emitter = ballistic()
    emitter.transform.translation = Vector(5, 9)
    emitter.motion.mode = .orbit
    var orbit = Orbit()
    orbit.angle = .range(0, 360)
    orbit.angularVelocity = .range(-200, 200)
    orbit.radius = Track(from: .range(30, 60), to: .range(0, 10))
    orbit.phase180 = true
    emitter.motion.orbit = orbit
    return emitter
  }

  private static func orbitVelocity() -> Emitter {
    var emitter = ballistic()
    emitter.motion.orbitVelocity = Track(from: .range(10, 90), to: -50)
    emitter.motion.orbitAxis = Vector(0.2, 0, 1)
    return emitter
  }

  private static func path() -> Emitter {
    var emitter = ballistic()
    emitter.motion.mode = .path
    var path = MotionPath()
    path.points = [Vector(0, 0), Vector(30, 5), Vector(60, -20), Vector(90, 40)]
    emitter.motion.path = path
    emitter.rotation.align = .birth
    emitter.rotation.alignOffset = 12
    return emitter
  }

  private static func speeds() -> Emitter {
    var emitter = ballistic()
    emitter.motion.speed = Track(from: .range(0.5, 1.5), to: 0.1)
    emitter.motion.maxSpeed = Track(.range(40, 80))
    emitter.motion.drift = VectorTrack(Track(.range(-20, 20)), Track(from: 0, to: 30))
    return emitter
  }

  private static func inputs() -> Emitter {
    var emitter = speeds()
    emitter.motion.speedMode = .replace
    emitter.motion.speed = Track(from: 20, to: .range(50, 90))
    emitter.timing.duration = 0.8
    emitter.timing.loop = true
    var width = Track(from: 2, to: .range(8, 12))
    width.over = .speed
    width.domain = Interval(10, 90)
    emitter.size.width = width
    var height = Track(from: .range(1, 2), to: 9)
    height.over = .distance
    height.domain = Interval(0, 50)
    height.warp = Curve([CurveKey(0, 1), CurveKey(1, 0)])
    emitter.size.height = height
    var opacity = Track(from: 0.2, to: 1)
    opacity.over = .emitter
    emitter.color.opacity = opacity
    var mix = Track(from: .range(0, 0.5), to: .range(0.2, 0.5))
    mix.over = .age
    mix.relative = true
    mix.range = Interval(0.1, 0.8)
    emitter.color.mix = mix
    var intensity = Track(from: 1, rate: .range(-1, 3))
    intensity.range = Interval(0.5, 2)
    emitter.color.intensity = intensity
    return emitter
  }

  private static func curves() -> Emitter {
    var emitter = ballistic()
    let keys = [
      CurveKey(0.1, 0.3), CurveKey(0.25, 1.2), CurveKey(0.25, 0.1), CurveKey(0.6, 0.8),
      CurveKey(0.9, -0.2),
    ]
    func track(_ interpolation: Interpolation, _ extend: Extend) -> Track {
      var curve = Curve(keys, interpolation)
      curve.extend = extend
      var track = Track(from: .range(2, 3), to: .range(10, 20))
      track.curve = curve
      return track
    }
    emitter.size.width = track(.linear, .clamp)
    emitter.size.height = track(.cubic, .mirror)
    emitter.color.opacity = track(.step, .clamp)
    emitter.color.intensity = track(.cubic, .clamp)
    emitter.render.z = track(.linear, .loop)
    emitter.render.z.over = .age
    emitter.rotation.velocity = track(.linear, .mirror)
    emitter.rotation.velocity.over = .age
    return emitter
  }

  private static func gradients() -> Emitter {
    var emitter = ballistic()
    let keys = [
      GradientKey(0, Color(1, 1, 0.5, 0)), GradientKey(0.2, Color(1, 0.6, 0)),
      GradientKey(0.7, Color(0.4, 0, 0.1, 0.7)), GradientKey(1, Color(0, 0, 0.3, 0)),
    ]
    var gradient = Gradient(keys)
    gradient.space = .oklab
    gradient.alpha = Curve([CurveKey(0, 0), CurveKey(0.3, 1), CurveKey(1, 0)])
    emitter.color.base.gradient = gradient
    return emitter
  }

  private static func colors() -> Emitter {
    var emitter = ballistic()
    let jitter = ColorJitter(hue: 40, saturation: 0, brightness: 0.3, alpha: 0)
    emitter.color.base.from = .varied(ColorValue.Varied(Color(0.2, 0.7, 0.4), jitter: jitter))
    emitter.color.base.to = .choice(
      ColorValue.Choice([Color(1, 0, 0), Color(0, 1, 0, 0.5)], weights: [1, 3]))
    emitter.color.base.rate = ColorRate(0.3, -0.4, 0.7, -0.1)
    emitter.color.base.curve = Curve([CurveKey(0, 0), CurveKey(0.4, 1), CurveKey(1, 0.2)])
    emitter.color.opacity = Track(from: .range(0.3, 1), to: 0)
    return emitter
  }

  private static func angles() -> Emitter {
    var emitter = ballistic()
    emitter.rotation.angle = Track(from: .range(0, 90), to: 180)
    emitter.rotation.velocity = Track(from: .range(-90, 90), to: 20, rate: 11)
    emitter.rotation.acceleration = .range(-50, 50)
    emitter.rotation.align = .velocity
    emitter.rotation.alignOffset = -90
    return emitter
  }

  /// Everything that decides which particles are emitted.
  private static func emission() -> Emitter {
    var emitter = ballistic()
    emitter.emission.rate = .range(100, 300, scope: .cycle)
    emitter.emission.probability = 0.7
    emitter.emission.jitter = 0.8
    emitter.emission.maxAlive = 90
    emitter.emission.whenFull = .recycle
    emitter.emission.lifeOffset = .range(0, 0.7)
    emitter.emission.bursts = [Burst(time: 0.2, count: .range(3, 9))]
    emitter.emission.minAlive = 12
    emitter.timing.delay = 0.1
    emitter.timing.duration = 0.4
    emitter.timing.idle = 0.3
    emitter.timing.loop = true
    emitter.timing.speed = 1.3
    emitter.timing.prewarm = 1
    emitter.shape = Shape(.ellipse)
    emitter.shape.radii = Vector2(30, 10)
    emitter.shape.sweep = .loop
    emitter.transform.angle = 20
    return emitter
  }

  /// Deaths and births that start other emitters, which take over everything.
  private static func fireworks() -> ParticleSystem {
    var rocket = ballistic()
    rocket.emission.rate = 20
    rocket.lifetime = .range(0.3, 0.8)
    var death = Trigger(.death, emitter: 1, count: .range(5, 15))
    death.inherit = [.position, .velocity, .color, .rotation, .size]
    death.velocityFactor = 0.3
    var birth = Trigger(.birth, emitter: 2, count: 2)
    birth.inherit = [.position]
    birth.probability = 0.6
    rocket.triggers = [death, birth]
    var sparks = ballistic()
    sparks.launch.spread = 180
    sparks.size.width = Track(from: 1, to: 0)
    sparks.color.base = ColorTrack()
    return system(rocket, sparks, drags())
  }

  /// Copies of an emitter that follow living particles.
  private static func trails() -> ParticleSystem {
    var head = ballistic()
    head.emission.rate = 6
    var living = Trigger(.living, emitter: 1)
    living.inherit = [.position, .color]
    var interval = Trigger(.interval, emitter: 2, count: 3)
    interval.interval = 0.2
    interval.inherit = [.position, .velocity]
    head.triggers = [living, interval]
    var tail = forces()
    tail.emission.rate = 30
    tail.lifetime = .range(0.2, 0.4)
    return system(head, tail, ballistic())
  }
}
