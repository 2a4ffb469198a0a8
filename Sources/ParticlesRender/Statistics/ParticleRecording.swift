package import ParticlesCore
package import ParticlesModel
internal import ParticlesSimulation

/// Every particle of every frame of one run, as lines of JSON in the form of recordings of engines:
/// a header, then one line for each frame and emitter.
///
/// Each line has three members. `count` is the number of living particles. `born` has a row of
/// `birthFields` for each particle that is seen for the first time. `rows` has a row of `fields` for
/// each living particle. Numbers have eight significant digits.
package final class ParticleRecording {
  private let simulation: Simulation
  private let plan: ParticleStatistics.Plan
  private let view: EngineUnits
  private let appearance = Appearance()
  /// The number of the next particle that has not been seen, for each emitter.
  private var next: [UInt64]

  /// Prepares a run.
  /// - Parameters:
  ///   - system: the effect.
  ///   - profile: the law to follow. By default, the effect names it.
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
    view = EngineUnits(profile ?? system.asset.profile, system.asset.dimension)
    next = system.emitters.map { _ in 0 }
  }

  /// Whether particles were left out because an emitter reached the capacity.
  package var isOverCapacity: Bool { simulation.isOverCapacity }

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

/// Selects the visible particles for the comparison of two effects, and converts lengths and sizes to one
/// unit.
struct ParticleSelection: Sendable {
  /// The lens for one emitter.
  struct EmitterLens: Sendable {
    /// The factor of lengths.
    var length: Double
    /// The place of the emitter, counted from the first one.
    var offset: SIMD4<Double>
    /// Factors of width and height.
    var size: SIMD2<Double>
    /// Whether particles without alpha leave the picture as it is.
    var hidesTransparent: Bool
    /// The size, in the unit of the document, below which particles cannot be seen.
    var leastSize: Double
    /// Whether particles that cannot be seen count, too.
    var showsAll: Bool

    /// The opacity below which particles cannot be seen.
    static let leastAlpha = 0.01
    /// The size below which particles cannot be seen, as a share of the greatest size that the emitter specifies.
    static let leastShare = 0.02

    @inline(__always)
    func shows(_ particle: ViewedParticle) -> Bool {
      showsAll
        || particle.width.magnitude > leastSize && particle.height != 0
          && (!hidesTransparent || particle.color.w > Self.leastAlpha)
    }

    @inline(__always)
    func adjust(_ particle: inout ViewedParticle) {
      particle.place = (particle.place + offset) * length
      particle.velocity *= length
      particle.width *= size.x
      particle.height *= size.y
    }
  }

  /// One for each emitter.
  let emitters: [EmitterLens]

  /// - Parameters:
  ///   - length: the factor of lengths.
  ///   - showsAll: whether particles that cannot be seen count, too.
  ///   - isScaled: whether sizes that are factors of the image stay factors.
  ///   - isRelative: whether places count from the emitters.
  init(
    _ system: ParticleSystem, profile: ParticleSystem.Profile, length: Double, showsAll: Bool,
    isScaled: Bool, isRelative: Bool
  ) {
    let frames = SpriteFrames(system, images: [:])
    let first = system.emitters.first?.transform.translation ?? .zero
    emitters = system.emitters.map { emitter in
      let place = emitter.transform.translation
      let state = BlendState(emitter.render.blend, profile.drawing)
      let factors = emitter.space == .local ? emitter.transform.scale : .one
      return EmitterLens(
        length: length,
        offset: isRelative
          ? [place.x - first.x, place.y - first.y, place.z - first.z, 0] : .zero,
        size: (isScaled && emitter.size.mode == .textureScale
          ? SIMD2(1, 1) : Self.size(emitter, system, frames, length: length))
          * SIMD2(factors.x.magnitude, factors.y.magnitude),
        hidesTransparent: state.isTintPremultiplied || state.source == .sourceAlpha,
        leastSize: Self.greatestSize(emitter) * EmitterLens.leastShare, showsAll: showsAll)
    }
  }

  /// The greatest width over a life.
  private static func greatestSize(_ emitter: Emitter) -> Double {
    let (width, life) = (emitter.size.width, max(emitter.lifetime.mean, 0))
    let sizes = (0...16).map { step -> Double in
      let share = Double(step) / 16
      let size = width.value(
        at: width.over == .age ? share * life : share, age: share * life,
        from: width.from.bounds.upper, to: width.to?.bounds.upper ?? 0,
        rate: width.rate.bounds.upper)
      return size.isFinite ? size.magnitude : 0
    }
    return sizes.max() ?? 0
  }

  /// The factors that turn a size of the document into edges.
  private static func size(
    _ emitter: Emitter, _ system: ParticleSystem, _ frames: SpriteFrames, length: Double
  ) -> SIMD2<Double> {
    let sprites = frames.sprites(of: emitter)
    var pixels = SIMD2<Double>.zero
    for sprite in sprites {
      let scale = system.sprites[sprite].scale
      pixels += frames.size(of: sprite) / (scale > 0 ? scale : 1)
    }
    pixels = sprites.isEmpty ? frames.size(of: nil) : pixels / Double(sprites.count)
    if emitter.size.mode == .textureScale { return pixels * length }
    guard emitter.size.height == nil else { return SIMD2(length, length) }
    let ratio = emitter.size.aspect.ratio(of: pixels.y > 0 ? pixels.x / pixels.y : 1)
    return SIMD2(length, ratio > 0 && ratio.isFinite ? length / ratio : length)
  }
}

/// A particle in the units and axes of an engine.
struct ViewedParticle {
  var place: SIMD4<Double>
  var velocity: SIMD4<Double>
  /// Degrees.
  var angle: Double
  var color: SIMD4<Double>
  var width: Double
  var height: Double
  var age: Double
  var life: Double
}

/// The particles of an emitter at a moment, in the units and axes of an engine.
///
/// Columns and settings are looked up once: references to their memory, counted for each particle, take
/// longer than everything else.
struct ViewedParticles {
  private let look: Appearance
  private let (x, y, z): (Numbers, Numbers, Numbers)
  private let (velocityX, velocityY, velocityZ): (Numbers, Numbers, Numbers)
  private let (angle, width, height): (Numbers, Numbers, Numbers)
  private let (red, green, blue, alpha): (Numbers, Numbers, Numbers, Numbers)
  private let (intensity, age, life): (Numbers, Numbers, Numbers)

  private typealias Numbers = UnsafeBufferPointer<Float>

  private let up: Double
  private let handedness: Double
  private let turn: EngineUnits.Turn
  /// The origin of places, and whether the transform of the emitter is undone.
  private let (origin, isLocal): (Vector?, Bool)
  private let transform: Transform

  /// - Parameter emitter: of the particles.
  init(_ look: Appearance, view: EngineUnits, emitter: Emitter) {
    self.look = look
    (x, y, z) = (look.x.numbers, look.y.numbers, look.z.numbers)
    (velocityX, velocityY) = (look.velocityX.numbers, look.velocityY.numbers)
    velocityZ = look.velocityZ.numbers
    (angle, width, height) = (look.angle.numbers, look.width.numbers, look.height.numbers)
    (red, green, blue) = (look.red.numbers, look.green.numbers, look.blue.numbers)
    (alpha, intensity) = (look.alpha.numbers, look.intensity.numbers)
    (age, life) = (look.age.numbers, look.life.numbers)
    up = view.isDown ? -1 : 1
    handedness = view.isClockwise ? -1 : 1
    turn = view.turn
    transform = emitter.transform
    origin = view.isRelative ? emitter.transform.translation : nil
    isLocal = !view.isRelative && view.isLocal && emitter.space == .local
  }

  var count: Int { look.count }

  @inline(__always)
  subscript(index: Int) -> ViewedParticle {
    var seen = Vector(Double(x[index]), Double(y[index]), Double(z[index]))
    var moving = Vector(
      Double(velocityX[index]), Double(velocityY[index]), Double(velocityZ[index]))
    if let origin {
      seen = Vector(seen.x - origin.x, seen.y - origin.y, seen.z - origin.z)
    } else if isLocal {
      (seen, moving) = (transform.unmoved(seen), transform.unturned(moving))
    }
    let velocity = SIMD4(moving.x, moving.y * up, moving.z, 0)
    var angle = Double(angle[index]) * handedness
    switch turn {
    case .stated: break
    case .nearest: angle -= 360 * (angle / 360).rounded()
    case .fromZero:
      // Below the x axis of the engine the arc tangent is negative.
      if velocity.y < 0 || velocity.y == 0 && velocity.x < 0 { angle += 360 }
    }
    let intensity = Double(intensity[index])
    return ViewedParticle(
      place: SIMD4(seen.x, seen.y * up, seen.z, 0), velocity: velocity, angle: angle,
      color: SIMD4(
        Double(red[index]) * intensity, Double(green[index]) * intensity,
        Double(blue[index]) * intensity, Double(alpha[index])),
      width: Double(width[index]), height: Double(height[index]), age: Double(age[index]),
      life: Double(life[index]))
  }
}
