package import ParticlesCore
package import ParticlesModel
internal import ParticlesSimulation

/// Every particle of every frame of one run, as lines of JSON in the form of recordings of engines:
/// a header, then one line for each frame and emitter.
///
/// Each line has `count`, the number of living particles; `born`, a row of `birthFields` for each
/// particle that is seen for the first time; and `rows`, a row of `fields` for each living particle.
/// Numbers have eight significant digits.
package final class ParticleRecording {
  private let simulation: Simulation
  private let plan: ParticleStatistics.Plan
  private let view: EngineView
  private let appearance = Appearance()
  /// The number of the next particle that has not been seen, for each emitter.
  private var next: [UInt64]

  /// Prepares a run.
  /// - Parameters:
  ///   - system: the effect.
  ///   - profile: the law to follow; by default the one that the effect names.
  ///   - plan: frames, their length, the first seed and the capacity count.
  package init(
    of system: ParticleSystem, profile: ParticleSystem.Profile? = nil,
    plan: ParticleStatistics.Plan = ParticleStatistics.Plan()
  ) {
    simulation = Simulation(
      system, profile: profile, seed: plan.firstSeed, capacity: plan.capacity,
      team: .suited(to: system, capacity: plan.capacity),
      budget: plan.budget(stepsPerResult: 64, runs: 1, results: plan.frames))
    self.plan = plan
    view = EngineView(profile ?? system.asset.profile, system.asset.dimension)
    next = system.emitters.map { _ in 0 }
  }

  /// Whether particles were left out because an emitter reached the capacity.
  package var isOverCapacity: Bool { simulation.isOverCapacity }

  /// The header.
  package func header(_ origin: ParticleStatistics.Origin) -> JSONValue {
    var members = ParticleStatistics.header(
      origin, plan: plan, profile: simulation.profile, view: view)
    members.append(
      JSONObject.Member(key: "seed", value: .int(Int(truncatingIfNeeded: plan.firstSeed))))
    members.append(
      JSONObject.Member(key: "birthFields", value: .array(Self.birthFields.map { .string($0) })))
    members.append(
      JSONObject.Member(key: "fields", value: .array(fields.map { .string($0) })))
    return .object(JSONObject(members: members))
  }

  private static let birthFields = ["id", "life"]

  private var fields: [String] {
    ["id", "x", "y", "z", "vx", "vy", "vz", "rot", "r", "g", "b", "a", "age"] + view.sizeNames
  }

  /// Runs a frame.
  /// - Returns: a line for each emitter.
  package func frame(_ number: Int) -> [JSONValue] {
    simulation.advance(by: 1 / plan.framesPerSecond)
    let emitters = simulation.system.emitters
    return emitters.indices.map { emitter in
      simulation.appearance(ofEmitter: emitter, into: appearance)
      var (born, rows): ([JSONValue], [JSONValue]) = ([], [])
      let particles = ViewedParticles(appearance, view: view, emitter: emitters[emitter])
      for index in 0..<appearance.count {
        let id = appearance.ordinal[index]
        let particle = particles[index]
        if id >= next[emitter] {
          born.append(Self.row(id, [particle.life]))
          next[emitter] = id + 1
        }
        let (place, velocity, color) = (particle.place, particle.velocity, particle.color)
        rows.append(
          Self.row(
            id,
            [
              place.x, place.y, place.z, velocity.x, velocity.y, velocity.z, particle.angle,
              color.x, color.y, color.z, color.w, particle.age, particle.width, particle.height,
            ]))
      }
      return [
        "frame": .int(number), "emitter": .int(emitter), "count": .int(appearance.count),
        "born": .array(born), "rows": .array(rows),
      ]
    }
  }

  private static func row(_ id: UInt64, _ numbers: [Double]) -> JSONValue {
    .array(
      [.int(Int(truncatingIfNeeded: id))] + numbers.map { .double($0.significant(8)) })
  }
}
