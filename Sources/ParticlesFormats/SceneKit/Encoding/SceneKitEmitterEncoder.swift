internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Says an emitter in the keys of an `SCNParticleSystem`, without the systems that it spawns.
struct SceneKitEmitterEncoder: EmitterEncoding {
  let system: ParticleSystem
  let emitter: Emitter

  /// Where the emitter stands in the document.
  let path: String

  /// The keys with their values, in the order in which they are written.
  private(set) var fields: [(key: String, value: Archivable)] = []

  /// The property controllers by name.
  var controllers: [(key: String, value: Archivable)] = []

  /// What cannot be said exactly.
  var losses: [Diagnostic] = []

  /// The mean lifetime in seconds.
  var lifetime: Double { emitter.lifetime.mean }

  /// - Parameters:
  ///   - imageName: the name of the image that it shows, without folders.
  ///   - isSpawned: whether another system spawns it.
  ///   - oldAngle: whether the angle has the key that it had until 2015.
  init(
    _ system: ParticleSystem, emitter index: Int, imageName: String?, isSpawned: Bool,
    oldAngle: Bool
  ) {
    self.system = system
    emitter = system.emitters[index]
    path = "emitters[\(index)]"
    encodeTiming()
    encodeShape()
    encodeLaunch()
    encodePhysics()
    encodeForces()
    encodeMotion()
    encodeRotation(key: oldAngle ? "particleInitialAngle" : "particleAngle")
    encodeSize()
    encodeColor()
    encodeSprite(imageName)
    encodeRender()
    encodeTransform()
    set("seed", integer: isSpawned ? 0 : Int(truncatingIfNeeded: system.seed))
    // Private to SceneKit, and always there.
    set("fresnelExponent", number: 0)
    set("renderingMode", integer: 0)
  }

  // MARK: Fields

  mutating func set(_ key: String, _ value: Archivable) { fields.append((key, value)) }

  mutating func set(_ key: String, number: Double) { set(key, .double(number)) }

  mutating func set(_ key: String, integer: Int) { set(key, .integer(integer)) }

  mutating func set(_ key: String, flag: Bool) { set(key, .bool(flag)) }

  /// Floats, least significant byte first.
  mutating func set(_ key: String, vector: [Double]) {
    let bytes = vector.flatMap { number in
      let pattern = Float(number).bitPattern
      return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: pattern >> $0) }
    }
    set(key, .inline(.data(bytes)))
  }

  /// A number with the full width of the range around it.
  mutating func set(
    _ key: String, _ value: Value, _ capability: Capability, at place: String,
    scope: Scope = .particle, times factor: Double = 1
  ) {
    let (center, half, isExact) = value.spread
    if !isExact {
      lose(
        .approximated, capability, at: place, "SceneKit draws any number between two",
        recipe: half == 0 ? "the mean" : "least and greatest number")
    } else if half != 0, value.scope != scope {
      lose(
        .approximated, capability, at: place,
        "SceneKit draws it for each \(scope == .particle ? "particle" : "period")")
    }
    set(key, number: (center * factor).rounded)
    set(key + "Variation", number: (2 * half * factor).rounded)
  }

  /// A number that is never random.
  mutating func set(
    constant key: String, _ value: Value, _ capability: Capability, at place: String
  ) {
    if !value.isConstant {
      lose(.approximated, capability, at: place, "\(key) is never random", recipe: "the mean")
    }
    set(key, number: value.mean)
  }

  private mutating func encodeTransform() {
    guard emitter.transform != Transform() else { return }
    lose(
      .lost, .extra, at: "transform", "the node that holds the system has to be moved",
      level: .medium)
  }
}
