internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// An archived `SCNParticleSystem`, asked for the parts of an emitter.
struct SceneKitSystem {
  let object: ArchivedObject

  init(_ object: ArchivedObject) { self.object = object }

  /// The emitter, without sprites and triggers.
  func emitter(name: String) throws -> Emitter {
    var emitter = Emitter(name: name)
    emitter.space = object.bool("isLocal") ?? false ? .local : .world
    emitter.timing = timing()
    emitter.emission = emission(&emitter.timing)
    emitter.shape = try shape()
    emitter.launch = launch()
    emitter.lifetime = value("particleLifeSpan", 1)
    emitter.physics = physics()
    emitter.forces = forces()
    emitter.rotation = rotation()
    emitter.size = size()
    emitter.color = try tint()
    emitter.flipbook = flipbook()
    emitter.render = render()
    try applyControllers(to: &emitter)
    return emitter
  }

  // MARK: Numbers

  func number(_ key: String, _ standard: Double) -> Double { object.number(key, standard) }

  func number(_ key: String, _ standard: Double, atLeast least: Double) -> Double {
    object.number(key, standard, atLeast: least)
  }

  /// A number with a variation beside it, which is the full width of the range around it.
  func value(
    _ key: String, _ standard: Double, scope: Scope = .particle, per divisor: Double = 1
  ) -> Value {
    Value(
      center: (number(key, standard) / divisor).rounded,
      width: number(key + "Variation", 0) / divisor, scope: scope)
  }

  /// Three or four floats, least significant byte first, or nil if there are none.
  func vector(_ key: String, count: Int) -> [Double]? {
    guard let bytes = object.data(key) else { return nil }
    var numbers: [Double] = []
    for start in stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).prefix(count) {
      let pattern = bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      numbers.append(Double(Float(bitPattern: pattern)))
    }
    guard bytes.count == 4 * count, numbers.allSatisfy({ $0.isFinite && $0.magnitude < 1e15 })
    else {
      object.mismatch(key, expected: "\(count) floats", found: "\(bytes.count) bytes")
      return nil
    }
    return numbers.map(\.tidy)
  }

  func choice<Choice>(_ key: String, _ choices: [Choice], _ standard: Choice) -> Choice {
    object.choice(key, choices, standard)
  }

  func note(_ rule: Rule, _ key: String, _ detail: String, found: String? = nil) {
    object.note(rule, key, detail, found: found)
  }

  // MARK: What is left

  /// Reports what nobody asked for, and what was asked for and has no home in the model.
  func reportRest() {
    // Read by others, or said by something else already.
    for key in ["seed", "propertyControllers", "particleImage"] { _ = object.index(of: key) }
    if object.int("renderingMode") ?? 0 != 0 {
      object.reportUninterpreted("renderingMode", found: object.value("renderingMode")?.summary)
    }
    if ![0, 1].contains(object.double("fresnelExponent") ?? 0) {
      object.reportUninterpreted("fresnelExponent", found: object.value("fresnelExponent")?.summary)
    }
    object.reportUnasked()
  }
}

extension Double {
  /// This number without the last digits that arithmetic adds to decimal numbers: 0.3 instead of
  /// 0.30000000000000004. A number that is not much shorter without them is left alone.
  var rounded: Double {
    let short = (self * 1e12).rounded() / 1e12
    guard short.isFinite, short.description.count + 5 < description.count else { return self }
    return short
  }
}
