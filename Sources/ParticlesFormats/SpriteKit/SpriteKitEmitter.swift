internal import ParticlesCore
internal import ParticlesModel

/// An archived `SKEmitterNode`, asked for the parts of an emitter.
struct SpriteKitEmitter {
  let object: ArchivedObject

  init(_ object: ArchivedObject) { self.object = object }

  /// The emitter, without sprite and place.
  func emitter(name: String) throws -> Emitter {
    var emitter = Emitter(name: name)
    // A file cannot name the node whose world particles would be left in.
    emitter.space = .local
    emitter.enabled = !(object.bool("_hidden") ?? false)
    emitter.emission = emission()
    emitter.lifetime = value("_lifetime", "_lifetimeVariance")
    emitter.shape = try shape()
    emitter.launch = launch()
    emitter.forces = try forces()
    emitter.motion = try motion()
    emitter.physics.fieldMask = fieldMask()
    emitter.rotation = try rotation()
    emitter.color = try tint(lifetime: emitter.lifetime)
    emitter.render = render()
    return emitter
  }

  // MARK: Keys

  /// The key under which a property stands: the archive's own, or the name of the property, which
  /// programs other than Apple's have used.
  func key(_ archived: String) -> String {
    guard object.index(of: archived) == nil, let name = SpriteKitKey.propertyNames[archived],
      object.index(of: name) != nil
    else { return archived }
    return name
  }

  // MARK: Numbers

  func number(_ archived: String, _ standard: Double = 0) -> Double {
    object.number(key(archived), standard)
  }

  /// A number with the full width of its range under another key.
  func value(_ center: String, _ width: String, _ standard: Double = 0) -> Value {
    Value(center: number(center, standard), halfWidth: number(width) / 2)
  }

  /// An angle in degrees.
  func angle(_ archived: String) -> Double {
    let key = key(archived)
    guard let radians = object.double(key) else { return 0 }
    guard radians.magnitude < 1e15 else {
      object.mismatch(key, expected: "an angle below 1e15", found: "\(radians)")
      return 0
    }
    return Angle.degrees(radians)
  }

  /// Two numbers as text, bare or in an `NSValue`.
  func pair(_ archived: String) throws -> (x: Double, y: Double)? {
    guard let numbers = try object.geometry(key(archived), count: 2) else { return nil }
    return (numbers[0], numbers[1])
  }

  func note(_ rule: Rule, _ archived: String, _ detail: String, found: String? = nil) {
    object.note(rule, key(archived), detail, found: found)
  }

  // MARK: What is left

  /// Reports what has no home in the model, unless it says nothing.
  /// - Returns: the keys that were not taken over: those without a home, and those in whose place
  ///   a sequence stands.
  func reportRest() throws -> [String] {
    var homeless: [String] = []
    for key in object.unaskedKeys {
      if let plain = SpriteKitKey.plainNumbers[key], object.number(key, plain) == plain { continue }
      guard try SpriteKitKey.plainNumbers[key] != nil || !object.isEmpty(key) else { continue }
      guard !SpriteKitKey.passedOver.contains(key) else { continue }
      homeless.append(key)
      guard !SpriteKitKey.isKnown(key) else { continue }
      object.reportUninterpreted(key, found: object.value(key).map(\.summary))
    }
    return homeless
  }
}

extension ArchivedObject {
  /// So many numbers out of text such as `{{0, 0}, {1, 1}}`, bare or in an `NSValue`.
  func geometry(_ key: String, count: Int) throws -> [Double]? {
    let text: String
    switch value(key) {
    case nil: return nil
    case .string(let bare)?: text = bare
    case .object?:
      guard let object = try object(key) else { return nil }
      text =
        ["NS.pointval", "NS.sizeval", "NS.rectval"].lazy.compactMap { object.string($0) }.first
        ?? ""
    case let other?:
      mismatch(key, expected: "\(count) numbers as text", found: other.kind)
      return nil
    }
    let words = text.prefix(512).split { "{}, \t".contains($0) }
    let numbers = words.compactMap { Double($0) }.filter { $0.isFinite && $0.magnitude < 1e15 }
    guard numbers.count == count, words.count == count else {
      mismatch(key, expected: "\(count) numbers as text", found: "'\(text.excerpt)'")
      return nil
    }
    // A negative zero is what an editor makes of a zero that it turned upside down.
    return numbers.map { ($0 + 0).tidy }
  }
}

/// Angles, which SpriteKit has in radians.
package enum Angle {
  /// Radians in degrees: of 32-bit radians, the shortest number of degrees that is the same angle
  /// as such a float, as nobody meant the digits behind it.
  package static func degrees(_ radians: Double) -> Double {
    guard radians.magnitude > 1e-30 else { return 0 }
    let degrees = radians * 180 / .pi
    let float = Float(radians)
    guard Double(float) == radians else { return degrees.rounded }
    var scale = 1.0
    for _ in 0...9 {
      let short = (degrees * scale).rounded() / scale
      if Float(short * .pi / 180) == float { return short }
      scale *= 10
    }
    return degrees
  }

  /// Degrees in radians.
  package static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
