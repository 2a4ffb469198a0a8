internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform

// Turbulence of process materials of Godot 4.

/// The law of the turbulence of Godot 4 (`particle_process_material.cpp` of Godot 4.3): in each step, the velocity turns
/// towards a noise direction by a share, the influence, and keeps its magnitude.
private enum Turbulence {
  /// The frequency of the noise, in features per unit, for the value 0 of `turbulence_noise_scale`. At 10 it is 0.
  static let mostFrequency = 4.0
  static let mostScale = 10.0
  static let leastFrequency = 1e-3

  /// The size of features for a value of `turbulence_noise_scale`.
  static func features(_ scale: Double) -> Double {
    let root = (min(max(scale, 0), mostScale) / mostScale).squareRoot().squareRoot()
    return (1 / max(mostFrequency * (1 - root), leastFrequency)).rounded
  }

  /// The value of `turbulence_noise_scale` for a size of features.
  static func scale(_ features: Double) -> Double {
    let root = 1 - min(1 / max(features, 1e-9) / mostFrequency, 1)
    return (root * root * root * root * mostScale).rounded
  }

  /// The acceleration that an influence of 1 has: the speed that particles of a node have on average, times the steps of a
  /// second.
  static func acceleration(_ emitter: Emitter) -> Double {
    let fall = emitter.forces.filter { $0.kind == .gravity }.reduce(0.0) {
      let (x, y, z) = ($1.vector.x.from.mean, $1.vector.y.from.mean, $1.vector.z.from.mean)
      return $0 + Vector(x, y, z).length
    }
    let speed = emitter.launch.speed.mean.magnitude + fall * max(emitter.lifetime.mean, 0) / 2
    return speed / (emitter.timing.fixedStep > 0 ? emitter.timing.fixedStep : 1 / 60)
  }
}

extension GodotReader {
  /// Adds the turbulence as noise, which changes the velocity at the same rate, and does not keep its magnitude.
  func decodeTurbulence(of emitter: inout Emitter) throws {
    guard kind.path("turbulence_enabled") != nil, flag("turbulence_enabled") else { return }
    let influence = range("turbulence_influence", 0.1)
    guard influence != 0 else { return }
    let factor = Turbulence.acceleration(emitter)
    guard factor > 0 else {
      return note(
        .dead, "turbulence_enabled", "turbulence turns velocities, and nothing moves the particles")
    }
    let strength = influence.scaled(by: factor)
    var force = Force(.noise, strength: Track(strength))
    if let curve = try curve("turbulence_influence_over_life") {
      force.strength = Track(from: 0, to: strength, curve: curve)
    }
    force.scale = Turbulence.features(number("turbulence_noise_scale", 9))
    let speed = vector("turbulence_noise_speed") ?? .zero
    let random = number("turbulence_noise_speed_random", 0.2)
    force.speed = Vector(speed.length, random).length.rounded
    force.space = emitter.space == .local ? .local : .world
    emitter.forces.append(force)
    note(
      .approximated, "turbulence_enabled",
      "turbulence turns velocities; here noise accelerates particles at the same rate")
    let displacement = range("turbulence_initial_displacement")
    guard displacement != 0 else { return }
    note(
      .uninterpreted, "turbulence_initial_displacement", "particles begin where the shape has them",
      found: "\(shortText(displacement.mean)) on average", severity: .note)
  }
}

extension EmitterWriter<GodotFamily> {
  /// Whether the first noise can be written as turbulence.
  var writesTurbulence: Bool { kind.path("turbulence_enabled") != nil }

  /// Writes the first force of the kind noise.
  mutating func encodeTurbulence() {
    guard writesTurbulence else { return }
    guard let index = emitter.forces.firstIndex(where: { $0.kind == .noise }) else {
      return set("turbulence_enabled", flag: false)
    }
    let (force, place) = (emitter.forces[index], "forces[\(index)]")
    let factor = Turbulence.acceleration(emitter)
    guard factor > 0 else {
      lose(.lost, .noise, at: place, "turbulence turns velocities, and nothing moves the particles")
      return set("turbulence_enabled", flag: false)
    }
    set("turbulence_enabled", flag: true)
    lose(
      .approximated, .noise, at: place,
      "turbulence turns velocities, and does not accelerate particles",
      recipe: "the share of the speed by which noise changes it in a step")
    let strength = force.strength.scaled(by: 1 / factor)
    put(
      "turbulence_influence", strength.isPlainValue ? strength.from : strength.randomFactor, .noise,
      at: "\(place).strength")
    if !strength.isPlainValue {
      put(
        "turbulence_influence_over_life", curve: strength.curve(lifetime: lifetime).curve, .noise,
        at: "\(place).strength")
    }
    set("turbulence_noise_scale", Turbulence.scale(force.scale))
    set("turbulence_noise_speed_random", force.speed.rounded)
  }
}
