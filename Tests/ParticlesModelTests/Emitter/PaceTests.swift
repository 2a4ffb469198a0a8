import ParticlesCore
import ParticlesModel
import Testing
import ParticlesPlatform

/// An emitter whose clock runs at a speed of its own, and an equal emitter without such a speed.
@Suite struct PaceTests {
  // MARK: What changes

  /// Where the tables of an emitter stand in it. Arrays are meant by their first element.
  private static let places = [
    "Emitter": "", "Timing": "timing", "Emission": "emission", "Burst": "emission.bursts",
    "Launch": "launch", "Motion": "motion", "Orbit": "motion.orbit", "Force": "forces",
    "Rotation": "rotation", "Track": "rotation.angle", "Stretch": "size.stretch",
    "ColorTrack": "color.base", "Flipbook": "flipbook", "Trail": "render.trail",
    "Trigger": "triggers",
  ]

  /// How often a unit is per second.
  private static let powers = [
    "s": -1, "1/s": 1, "unit/s": 1, "°/s": 1, "unit/s²": 2, "°/s²": 2,
  ]

  /// Every property that counts in seconds, by what the tables say of its unit.
  @Test func whatCountsInSecondsChangesAndNothingIsForgotten() throws {
    for table in PropertyCatalog().objects where table.title != "Preview" {
      for property in table.properties {
        guard let unit = property.unit, let power = Self.powers[unit] else { continue }
        // The step of the simulation is no matter of the emitter's clock.
        if property.key == "fixedStep" { continue }
        let place = try #require(Self.places[table.title], "\(table.title)")
        let path =
          (place.isEmpty ? [] : place.split(separator: ".").map(String.init))
          + [property.key]
        let plain = try #require(try emitter(with: path, property.type).atPlainPace)
        let number = try #require(plain.json.number(at: path), "\(path)")
        #expect(number == 6 * pow(4, Double(power)), "\(path)")
        #expect(plain.timing.speed == 1)
      }
    }
  }

  /// An emitter with the speed 4, of which one property has the number 6.
  private func emitter(with path: [String], _ type: String) throws -> Emitter {
    let number: JSONValue = .int(6)
    var value: JSONValue =
      switch type {
      case "vector of Tracks": .array([number, number])
      case "colour rate": .array([number, number, number, number])
      default: number
      }
    for (depth, key) in path.enumerated().reversed() {
      var object = JSONObject()
      // The required members.
      let parent = depth > 0 ? path[depth - 1] : ""
      if parent == "forces" { object["type"] = "gravity" }
      if parent == "triggers" { (object["event"], object["emitter"]) = ("death", .int(0)) }
      object[key] = value
      let isElement = ["bursts", "forces", "triggers"].contains(parent)
      value = isElement ? .array([.object(object)]) : .object(object)
    }
    var emitter = try Emitter(json: value, at: .root)
    emitter.timing.speed = 4
    return emitter
  }

  @Test func whatDoesNotCountInSecondsStays() throws {
    var emitter = Emitter(name: "fire")
    emitter.shape = .rect(width: 3, height: 4)
    emitter.size.width = Track(from: 1, to: .range(2, 3), curve: .linear)
    emitter.color.opacity = Track(from: 1, to: 0)
    emitter.emission.maxAlive = 40
    emitter.timing.fixedStep = 0.02
    emitter.timing.speed = 3
    var plain = emitter
    plain.timing.speed = 1
    plain.lifetime = .constant(1 / 3.0)
    #expect(emitter.atPlainPace == plain)
    #expect(plain.atPlainPace == plain)
  }

  @Test(arguments: [0, 1e-9, 1e9]) func whatStandsStillOrRacesHasNoOtherPace(speed: Double) {
    var emitter = Emitter(name: "fire")
    emitter.timing.speed = speed
    #expect(emitter.atPlainPace == nil)
  }

  // MARK: What it means

  /// A particle of an emitter, moved by the rules of the specification.
  private struct Particle {
    let emitter: Emitter
    let draw: Double
    var age = 0.0
    var position: Double
    var velocity: Double
    var turn = 0.0

    init(_ emitter: Emitter, draw: Double) {
      self.emitter = emitter
      self.draw = draw
      position = 0.5
      velocity = emitter.launch.speed.sample(draw)
    }

    func value(_ track: Track) -> Double {
      let domain = track.domain ?? .unit
      let input =
        switch track.over {
        case .age: (age - domain.lower) / (domain.upper - domain.lower)
        case .speed: (abs(velocity) - domain.lower) / (domain.upper - domain.lower)
        default: age / emitter.lifetime.sample(draw)
        }
      let from = track.from.sample(draw)
      var value = from
      if let to = track.to?.sample(draw) {
        value += (track.relative ? to : to - from) * track.curve.value(at: min(max(input, 0), 1))
      }
      value += track.rate.sample(draw) * age
      return track.range?.clamp(value) ?? value
    }

    mutating func step(_ dt: Double) {
      let h = dt * emitter.timing.speed
      age += h
      for force in emitter.forces where force.kind != .drag {
        let strength = value(force.strength)
        switch force.kind {
        case .gravity: velocity += h * value(force.vector.x)
        case .radial: velocity += h * strength * pow(position.magnitude, -force.falloff)
        default: velocity += h * strength * (velocity < 0 ? -1 : 1)
        }
      }
      for force in emitter.forces where force.kind == .drag {
        let (s, v) = (value(force.strength), velocity)
        switch force.law {
        case .perFrame60: velocity *= pow(1 - s, 60 * h)
        case .exponential: velocity *= exp(-s * h)
        case .euler: velocity *= 1 - min(s * h, 1)
        case .constant: velocity -= min(s * h, abs(v)) * (v < 0 ? -1 : 1)
        case .limit:
          if abs(v) > force.limit {
            velocity -= min(s * h, 1) * (abs(v) - force.limit) * (v < 0 ? -1 : 1)
          }
        }
      }
      var speed = velocity
      if let track = emitter.motion.speed {
        speed = emitter.motion.speedMode == .replace ? value(track) : speed * value(track)
      }
      if let most = emitter.motion.maxSpeed.map(value) { speed = min(max(speed, -most), most) }
      position += h * (speed + value(emitter.motion.drift.x))
      turn += h * value(emitter.rotation.velocity)
    }

    /// The visible properties.
    var look: [Double] {
      [
        position, value(emitter.size.width), value(emitter.color.opacity),
        emitter.color.base.rate.red * age,
        value(emitter.rotation.angle) + turn
          + emitter.rotation.acceleration.sample(draw) * age * age / 2,
        age / emitter.lifetime.sample(draw),
      ]
    }
  }

  private static func moving(_ change: (inout Emitter) -> Void) -> Emitter {
    var emitter = Emitter(name: "fire")
    emitter.lifetime = .range(2, 4)
    emitter.launch.speed = .range(8, 12)
    emitter.forces = [.gravity(Vector(-3, 0))]
    change(&emitter)
    return emitter
  }

  private static let emitters: [Emitter] =
    [
      moving {
        $0.forces[0].vector.x = Track(from: -1, to: 5)
        $0.forces[0].vector.x.over = .age
        $0.forces[0].vector.x.domain = Interval(0.5, 2)
        $0.rotation.angle = Track(from: .range(0, 90), rate: 20)
        $0.rotation.velocity = Track(from: 10, to: .oneOf([30, 50]))
        $0.rotation.acceleration = .range(5, 15)
      },
      moving {
        var radial = Force(.radial, strength: Track(from: 4, to: 2))
        radial.falloff = 2
        $0.forces += [radial, Force(.linear, strength: 1.5)]
        $0.size.width = Track(from: 1, to: 4)
        $0.size.width.over = .speed
        $0.size.width.domain = Interval(5, 10)
        $0.color.opacity = Track(from: 1, rate: -0.4)
        $0.color.opacity.range = .unit
        $0.color.base.rate = ColorRate(0.1, 0, 0, 0)
      },
      moving {
        $0.motion.speed = Track(from: 3, to: 1)
        $0.motion.drift = VectorTrack(Track(from: 0, to: 2), 0)
        $0.motion.maxSpeed = Track(from: 20, to: 7)
      },
      moving {
        $0.motion.speed = Track(from: 3, to: 1)
        $0.motion.speedMode = .replace
      },
    ]
    + [DragLaw.perFrame60, .exponential, .euler, .constant, .limit].map { law in
      moving {
        var drag = Force.drag(law, strength: law == .perFrame60 ? 0.02 : 0.7)
        drag.limit = 5
        $0.forces.append(drag)
      }
    }

  @Test(arguments: emitters, [0.25, 3.0])
  func particlesAreTheSameAtEveryMoment(emitter: Emitter, speed: Double) throws {
    var emitter = emitter
    emitter.timing.speed = speed
    let plain = try #require(emitter.atPlainPace)
    for draw in [0, 0.4, 0.99] {
      var (one, other) = (Particle(emitter, draw: draw), Particle(plain, draw: draw))
      for _ in 0..<120 {
        one.step(1.0 / 120)
        other.step(1.0 / 120)
        for (a, b) in zip(one.look, other.look) {
          #expect((a - b).magnitude <= 1e-9 * max(1, a.magnitude), "\(one.look) \(other.look)")
        }
      }
    }
  }

  @Test func particlesAreBornAtTheSameMoments() throws {
    var emitter = Emitter(name: "fire")
    emitter.timing.delay = .range(1, 2)
    emitter.timing.duration = 4
    emitter.timing.idle = .oneOf([1, 3])
    emitter.emission.rate = .range(5, 20)
    emitter.timing.speed = 2.5
    let plain = try #require(emitter.atPlainPace)
    /// The time of the birth of a number, in a period of a number.
    func birth(_ number: Double, _ period: Double, _ emitter: Emitter, _ draw: Double) -> Double? {
      let timing = emitter.timing
      guard let duration = timing.duration?.sample(draw) else { return nil }
      let clock =
        timing.delay.sample(draw) + period * (duration + timing.idle.sample(draw))
        + number / emitter.emission.rate.sample(draw)
      return clock / timing.speed
    }
    for (number, draw) in zip([1.0, 3, 9, 27], [0, 0.3, 0.6, 0.9]) {
      let one = try #require(birth(number, 2, emitter, draw))
      let other = try #require(birth(number, 2, plain, draw))
      #expect((one - other).magnitude < 1e-9)
    }
  }
}

extension JSONValue {
  /// The first number at a path of keys. A key of an array means its first element.
  fileprivate func number(at path: [String]) -> Double? {
    var value = self
    for key in path {
      if case .array(let elements) = value, let first = elements.first { value = first }
      guard let next = value.object?[key] else { return nil }
      value = next
    }
    if case .array(let elements) = value, let first = elements.first { value = first }
    return value.double
  }
}
