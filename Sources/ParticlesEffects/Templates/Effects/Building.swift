internal import ParticlesModel

// Short forms for most templates.

extension Emitter {
  /// Creates an emitter at a position in the plane, with one sprite.
  init(_ name: String, sprite: Int, x: Double = 0, y: Double = 0) {
    self.init(name: name)
    sprites = [sprite]
    transform.translation = Vector(x, y)
  }

  func with(_ change: (inout Emitter) -> Void) -> Emitter {
    var emitter = self
    change(&emitter)
    return emitter
  }
}

extension Launch {
  /// Creates a launch at an angle in degrees, with a spread to both sides.
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
  /// A random value for each particle, multiplied by a curve over its life.
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
  /// Stretches particles along the velocity, by this many seconds of flight.
  static func flight(_ seconds: Double) -> Stretch {
    var stretch = Stretch()
    stretch.factor = .constant(seconds)
    return stretch
  }
}

extension Force {
  /// Turbulence with a strength, a scale and a rate of change.
  static func wind(_ strength: Double, scale: Double, speed: Double) -> Force {
    var force = Force(.noise, strength: .constant(strength))
    force.scale = scale
    force.speed = speed
    return force
  }
}

extension Trigger {
  /// Makes another emitter emit at the death of each particle of this emitter.
  static func death(of emitter: Int, count: Value, probability: Double = 1) -> Trigger {
    var trigger = Trigger(.death, emitter: emitter, count: count)
    trigger.inherit = [.position]
    trigger.probability = probability
    return trigger
  }
}
