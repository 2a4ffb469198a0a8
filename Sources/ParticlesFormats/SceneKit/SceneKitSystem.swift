internal import ParticlesCore
internal import ParticlesModel

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

  /// A number. Garbage below all measure, which old editors left behind, is zero.
  func number(_ key: String, _ standard: Double) -> Double {
    guard let number = object.double(key) else { return standard }
    guard number.magnitude < 1e15 else {
      object.mismatch(key, expected: "a number below 1e15", found: "\(number)")
      return standard
    }
    return number.tidy
  }

  /// A number that must not be less than `least`.
  func number(_ key: String, _ standard: Double, atLeast least: Double) -> Double {
    let found = number(key, standard)
    guard found < least else { return found }
    object.reader.report(
      Diagnostic(
        .approximated, at: .key(object.path(of: key)), expected: "at least \(least)",
        found: "\(found)"))
    return least
  }

  /// A number with a variation beside it, which is the full width of the range around it.
  func value(
    _ key: String, _ standard: Double, scope: Scope = .particle, per divisor: Double = 1
  ) -> Value {
    let center = (number(key, standard) / divisor).rounded
    let width = number(key + "Variation", 0) / divisor
    guard width != 0 else { return .constant(center) }
    // Of a decimal number and its half, sums may end in digits that nobody wrote.
    let half = width.magnitude / 2
    return .range((center - half).rounded, (center + half).rounded, scope: scope)
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

  /// One of the names behind the numbers of an enumeration; the first stands for nothing.
  func choice<Choice>(_ key: String, _ choices: [Choice], _ standard: Choice) -> Choice {
    guard let number = object.int(key) else { return standard }
    guard choices.indices.contains(number) else {
      object.mismatch(key, expected: "0 to \(choices.count - 1)", found: "\(number)")
      return standard
    }
    return choices[number]
  }

  func note(_ rule: Rule, _ key: String, _ detail: String, found: String? = nil) {
    object.reader.report(
      Diagnostic(rule, at: .key(object.path(of: key)), detail, found: found))
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
