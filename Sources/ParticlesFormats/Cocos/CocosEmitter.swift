internal import ParticlesCore
internal import ParticlesModel

/// The emitter of a file: how it emits, and how particles move.
struct CocosEmitter {
  let reader: CocosReader
  private let axes: CocosAxes

  init(_ reader: CocosReader) {
    self.reader = reader
    axes = CocosAxes(reader)
  }

  /// The emitter, without name and sprite.
  var emitter: Emitter {
    var emitter = Emitter()
    emitter.timing = timing
    emitter.lifetime = lifetime
    emitter.emission = emission
    emitter.space = space
    emitter.transform.translation = Vector(
      number("sourcePositionx"), number("sourcePositiony") * axes.y)
    if number("emitterType") == 1 {
      emitter.motion.mode = .orbit
      emitter.motion.orbit = orbit(emitter.space)
    } else {
      if number("emitterType") != 0 {
        reader.note(
          .assumed, "emitterType", "the type is taken as 0, gravity",
          found: shortText(number("emitterType")))
      }
      emitter.shape = shape
      emitter.launch = launch
      emitter.forces = forces(emitter.space)
    }
    emitter.rotation = rotation
    emitter.size = size
    emitter.color.base = color
    emitter.render.blend = blend
    if reader.flag("absolutePosition") == true {
      reader.note(.uninterpreted, "absolutePosition", "where the emitter stands on the stage")
    }
    return emitter
  }

  /// A number that is 0 where there is none.
  func number(_ name: String) -> Double { reader.number(name) ?? 0 }

  // MARK: Births

  private var timing: Timing {
    var timing = Timing()
    let duration = number("duration")
    guard duration < 0 else {
      timing.duration = .constant(duration)
      return timing
    }
    if duration != -1, reader.dialect != .starling {
      reader.note(
        .assumed, "duration", "a negative duration is taken as endless", found: shortText(duration))
    }
    return timing
  }

  private var life: Double {
    let life = number("particleLifespan")
    return reader.dialect == .starling ? max(0.01, life) : max(0, life)
  }

  private var lifetime: Value {
    if reader.dialect == .starling, number("particleLifespan") < 0.01 {
      reader.note(
        .assumed, "particleLifespan", "Starling takes it as 0.01",
        found: shortText(number("particleLifespan")))
    }
    return CocosReader.value(life, around: number("particleLifespanVariance"))
  }

  private var emission: Emission {
    var emission = Emission()
    let capacity = min(max(number("maxParticles"), 0), 1e9).rounded(.down)
    emission.maxAlive = Int(capacity)
    emission.whenFull = reader.dialect == .starling ? .spread : .wait
    if reader.dialect == .starling {
      emission.rate = .constant((max(capacity - 1, 0) / life).rounded)
    } else if let rate = reader.number("emissionRate") {
      emission.rate = .constant(max(rate, 0))
      reader.note(
        .assumed, "emissionRate", "the rate is read by some versions of cocos2d only",
        found: shortText(rate))
    } else if life > 0 {
      emission.rate = .constant((capacity / life).rounded)
    } else {
      emission.minAlive = Int(capacity)
      reader.note(
        .assumed, "particleLifespan",
        "without a lifespan all particles are born at once, and again when they are gone")
    }
    return emission
  }

  private var space: EmitterSpace {
    switch reader.number("positionType") {
    case 0: return .world
    case 1: return .parent
    case 2: return .local
    case let other?:
      reader.note(
        .assumed, "positionType", "particles move freely in the world", found: shortText(other))
    case nil where reader.dialect == .cocos2d:
      reader.note(
        .assumed, "positionType", "particles move freely in the world, as in cocos2d-x")
    case nil: break
    }
    return .world
  }

  /// The variance of the place is half of an edge.
  private var shape: Shape {
    let width = 2 * number("sourcePositionVariancex").magnitude
    let height = 2 * number("sourcePositionVariancey").magnitude
    return width == 0 && height == 0 ? Shape() : .rect(width: width, height: height)
  }

  // MARK: Motion

  private var launch: Launch {
    var launch = Launch()
    let angle = number("angle") * axes.y + (axes.isReflected ? 180 : 0)
    launch.direction = Direction(
      angle: CocosReader.value(angle, around: number("angleVariance")))
    launch.speed = reader.value("speed", "speedVariance")
    return launch
  }

  private func forces(_ space: EmitterSpace) -> [Force] {
    let away = axes.isReflected ? -1.0 : 1.0
    var forces: [Force] = []
    let gravity = Vector(number("gravityx") * away, number("gravityy") * away * axes.y)
    if gravity != .zero { forces.append(.gravity(gravity)) }
    let radial = reader.value("radialAcceleration", "radialAccelVariance", times: away)
    if radial != 0 { forces.append(Force(.radial, strength: Track(radial))) }
    let tangential = reader.value(
      "tangentialAcceleration", "tangentialAccelVariance", times: away * axes.y)
    if tangential != 0 { forces.append(Force(.tangential, strength: Track(tangential))) }
    for index in forces.indices where space != .world { forces[index].space = .local }
    return forces
  }

  private func orbit(_ space: EmitterSpace) -> Orbit {
    var orbit = Orbit()
    // Only the height of what goes round is flipped, never its sides.
    let y = axes.isReflected ? -1 : axes.y
    orbit.angle = reader.value("angle", "angleVariance", times: y)
    orbit.angularVelocity = reader.value(
      "rotatePerSecond", "rotatePerSecondVariance", times: y)
    let from = reader.value("maxRadius", "maxRadiusVariance")
    let to = reader.value("minRadius", "minRadiusVariance")
    let staysAtStart = reader.dialect != .starling && number("minRadius") == -1
    orbit.radius = staysAtStart ? Track(from) : CocosEmitter.track(from, to)
    orbit.center = reader.dialect != .starling && space == .world ? .birthEmitter : .emitter
    orbit.phase180 = true
    return orbit
  }

  /// From one value to another; the first alone if they cannot differ.
  static func track(_ from: Value, _ to: Value) -> Track {
    if case .constant = from, from == to { return Track(from) }
    return Track(from: from, to: to)
  }
}

/// Which way a file's axes point.
struct CocosAxes {
  /// 1 if y points up, −1 if it points down.
  private(set) var y = 1.0

  /// Whether motion is reflected in the origin, which is what the flag for a flipped axis does in
  /// cocos2d-x: it flips both.
  private(set) var isReflected = false

  /// The axes of a new file.
  init(_ dialect: CocosDialect) { y = dialect == .starling ? -1 : 1 }

  init(_ reader: CocosReader) {
    let flag = reader.number("yCoordFlipped")
    switch reader.dialect {
    case .cocos2d where flag == -1:
      isReflected = true
      reader.note(
        .assumed, "yCoordFlipped", "motion is reflected in the origin, as in cocos2d-x 3")
    case .particleDesigner where flag == -1:
      y = -1
      reader.note(.assumed, "yCoordFlipped", "y points down")
    case .starling where flag == 1:
      reader.note(
        .assumed, "yCoordFlipped",
        "Particle Designer wrote it, for y that points up; Starling would show it upside down")
    case .starling: y = -1
    default: break
    }
  }
}
