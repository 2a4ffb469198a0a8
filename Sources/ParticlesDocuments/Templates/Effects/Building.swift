internal import ParticlesModel

// Short forms of what most templates say.

extension Emitter {
  /// Creates an emitter at a place in the plane, whose particles show a sprite.
  init(_ name: String, sprite: Int, x: Double = 0, y: Double = 0) {
    self.init(name: name)
    sprites = [sprite]
    transform.translation = Vector(x, y)
  }
}

extension Launch {
  /// Creates a launch at an angle in degrees, which particles deviate from to both sides.
  init(angle: Value = 90, spread: Double = 0, speed: Value) {
    self.init()
    direction = Direction(angle: angle)
    self.spread = spread
    self.speed = speed
  }

  /// In any direction.
  static func everywhere(speed: Value) -> Launch {
    var launch = Launch(speed: speed)
    launch.direction = Direction(.random)
    return launch
  }
}

extension Track {
  /// A value that is drawn at birth, multiplied by a curve over life.
  static func times(_ value: Value, _ points: (time: Double, value: Double)...) -> Track {
    Track(from: 0, to: value, curve: Curve(through: points))
  }
}

extension ColorTrack {
  /// Colours over life.
  static func over(_ keys: (time: Double, color: Color)...) -> ColorTrack {
    ColorTrack(gradient: Gradient(keys.map { GradientKey($0.time, $0.color) }))
  }

  /// One of several colours.
  static func oneOf(_ colors: Color...) -> ColorTrack {
    ColorTrack(.choice(ColorValue.Choice(colors)))
  }
}

extension Stretch {
  /// Along the velocity, by so many seconds of flight.
  static func flight(_ seconds: Double) -> Stretch {
    var stretch = Stretch()
    stretch.factor = .constant(seconds)
    return stretch
  }
}

extension Force {
  /// Gusts that change from place to place: how strong they are, how large, and how fast they
  /// change.
  static func wind(_ strength: Double, scale: Double, speed: Double) -> Force {
    var force = Force(.noise, strength: .constant(strength))
    force.scale = scale
    force.speed = speed
    return force
  }
}

extension Trigger {
  /// Lets another emitter emit particles where one of this emitter dies.
  static func death(of emitter: Int, count: Value, probability: Double = 1) -> Trigger {
    var trigger = Trigger(.death, emitter: emitter, count: count)
    trigger.inherit = [.position]
    trigger.probability = probability
    return trigger
  }
}
