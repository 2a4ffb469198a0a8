internal import ParticlesCore
internal import ParticlesModel

// SceneKit particle systems as Swift. Keys of archives are mostly names of properties. The shape,
// the colour, the controllers and the spawned systems come from the decoded effect.

/// A key of an archive and the property that states it.
struct SceneKitStatement: Sendable {
  enum Kind: Sendable { case number(Double), flag(Bool), choice([String]) }

  let key: String
  let property: String
  let kind: Kind

  static let all: [SceneKitStatement] = emission + physics + look

  private static let emission: [SceneKitStatement] = [
    spread("emissionDuration", 1), spread("idleDuration", 0), [flag("loops", standard: true)],
    spread("birthRate", 1), [number("warmupDuration", 0), number("speedFactor", 1)],
    [
      choice("birthLocation", ".surface", ".volume", ".vertex"),
      choice("birthDirection", ".constant", ".surfaceNormal", ".random"),
      number("spreadingAngle", 0), flag("isLocal"),
    ], spread("particleVelocity", 0), spread("particleLifeSpan", 1),
  ].flatMap { $0 }

  private static let physics: [SceneKitStatement] = [
    spread("particleMass", 1), spread("particleCharge", 0), spread("particleBounce", 0.7),
    spread("particleFriction", 1),
    [
      flag("particleDiesOnCollision"), flag("affectedByGravity", "isAffectedByGravity"),
      flag("affectedByPhysicsFields", "isAffectedByPhysicsFields"), number("dampingFactor", 0),
    ], spread("particleAngle", 0), spread("particleAngularVelocity", 0),
  ].flatMap { $0 }

  private static let look: [SceneKitStatement] = [
    spread("particleSize", 1), [number("stretchFactor", 0)], spread("particleIntensity", 1),
    [number("imageSequenceColumnCount", 1), number("imageSequenceRowCount", 1)],
    spread("imageSequenceInitialFrame", 0), spread("imageSequenceFrameRate", 0),
    [
      choice("imageSequenceAnimationMode", ".repeat", ".clamp", ".autoReverse"),
      choice("blendMode", ".additive", ".subtract", ".multiply", ".screen", ".alpha", ".replace"),
      choice(
        "sortingMode", ".none", ".projectedDepth", ".distance", ".oldestFirst", ".youngestFirst"),
      choice(
        "orientationMode", ".billboardScreenAligned", ".billboardViewAligned", ".free",
        ".billboardYAligned"),
      flag("lightingEnabled", "isLightingEnabled"), flag("blackPassEnabled", "isBlackPassEnabled"),
      flag("writesToDepthBuffer"),
    ],
  ].flatMap { $0 }

  private static func number(_ key: String, _ standard: Double) -> SceneKitStatement {
    SceneKitStatement(key: key, property: key, kind: .number(standard))
  }

  private static func flag(
    _ key: String, _ property: String? = nil, standard: Bool = false
  ) -> SceneKitStatement {
    SceneKitStatement(key: key, property: property ?? key, kind: .flag(standard))
  }

  private static func choice(_ key: String, _ names: String...) -> SceneKitStatement {
    SceneKitStatement(key: key, property: key, kind: .choice(names))
  }

  private static func spread(_ key: String, _ standard: Double) -> [SceneKitStatement] {
    [number(key, standard), number(key + "Variation", 0)]
  }
}

extension Typesetter {
  static let sceneKit = Typesetter(
    conventions:
      "Lengths are in units of the scene, y points up, angles are in degrees, times in seconds. A variation is the whole width of a range.",
    gaps: [
      gap("timing.fixedStep", .extra, "a fixed time step") { $0.timing.fixedStep != 0 },
      gap("physics.collides", .extra, "collisions without colliderNodes") { $0.physics.collides },
      gap("shape", .shape3D, "a hemisphere") { $0.shape.kind == .hemisphere },
      gap("render.soft", .soft, "soft particles") { $0.render.soft != nil },
    ], losesSeed: true,
    write: { bytes, sheet throws(Failure) in
      let context = DecodingContext(fileName: sheet.fileName, limits: sheet.limits)
      let archive = try KeyedDecoder(format: SceneKitFamily.shared, context: context).open(bytes)
      var text = CodeText(.swift)
      text.line("import SceneKit")
      text.comment("SKColor is NSColor or UIColor.")
      text.line("import SpriteKit")
      text.line()
      sheet.describe(in: &text, "the particle system")
      text.block("func \(sheet.function)() -> SCNParticleSystem {", "}") { text in
        for index in archive.emitters.indices {
          SceneKitCode(archive: archive, index: index).typeset(in: &text)
        }
        for (index, emitter) in archive.system.emitters.enumerated() {
          for trigger in emitter.triggers {
            guard let property = SceneKitCode.events[trigger.event] else { continue }
            text.line("system\(index).\(property) = system\(trigger.emitter)")
          }
        }
        text.line("return system0")
      }
      return text
    })

  private static func gap(
    _ path: String, _ capability: Capability, _ what: String,
    isUsed: @escaping @Sendable (Emitter) -> Bool
  ) -> CodeGap {
    CodeGap(
      path: path, capability: capability,
      detail: "\(what): archives have a key for it, SCNParticleSystem has no property",
      isUsed: isUsed)
  }
}

struct SceneKitCode {
  let archive: OpenedKeyedArchive<SceneKitFamily>
  let index: Int

  static let events: [TriggerEvent: String] = [
    .collision: "systemSpawnedOnCollision", .death: "systemSpawnedOnDying",
    .frame: "systemSpawnedOnLiving",
  ]

  private var archived: KeyedEmitter<SceneKitFamily> { archive.emitters[index] }
  private var emitter: Emitter { archive.system.emitters[index] }
  private var system: String { "system\(index)" }

  private static let code = CodeLanguage.swift

  func typeset(in text: inout CodeText) {
    text.line("let \(system) = SCNParticleSystem()")
    func state(_ property: String, _ value: String) {
      text.line("\(system).\(property) = \(value)")
    }
    for statement in SceneKitStatement.all {
      switch statement.kind {
      case .number(let standard):
        let number = archived.number(statement.key, standard)
        guard number != standard else { continue }
        let isCount = statement.key.hasSuffix("Count")
        state(statement.property, isCount ? "\(Int(saturating: number))" : Self.code.number(number))
      case .flag(let standard):
        let flag = archived.flag(statement.key, standard)
        if flag != standard { state(statement.property, "\(flag)") }
      case .choice(let names):
        let choice = archived.choice(statement.key, names, names[0])
        if choice != names[0] { state(statement.property, choice) }
      }
    }
    for key in ["emittingDirection", "acceleration", "orientationDirection"] {
      guard let vector = archived.vector(key) else { continue }
      state(key, "SCNVector3(\(Self.code.list([vector.x, vector.y, vector.z])))")
    }
    if let shape = Self.geometry(of: emitter.shape) { state("emitterShape", shape) }
    typesetColor(in: &text)
    if let image = Self.imageName(archived) {
      state("particleImage", Self.code.string(image))
    }
    typesetControllers(in: &text)
  }

  private static func imageName(_ archived: KeyedEmitter<SceneKitFamily>) -> String? {
    guard let image = try? SceneKitFamily.shared.image(of: archived) else { return nil }
    return image.references.first.map { Files.lastComponent(of: $0) }
  }

  private static func geometry(of shape: Shape) -> String? {
    let (radius, height) = (code.number(shape.radius), code.number(shape.height))
    func size(_ names: String..., of numbers: [Double]) -> String {
      zip(names, numbers).map { "\($0): \(code.number($1))" }.joined(separator: ", ")
    }
    let lengths = [shape.size.x, shape.size.y, shape.size.z]
    switch shape.kind {
    case .rect: return "SCNPlane(\(size("width", "height", of: lengths)))"
    case .box: return "SCNBox(\(size("width", "height", "length", of: lengths)), chamferRadius: 0)"
    case .sphere: return "SCNSphere(radius: \(radius))"
    case .hemisphere: return "SCNSphere(radius: \(radius))"
    case .cylinder: return "SCNCylinder(radius: \(radius), height: \(height))"
    case .capsule: return "SCNCapsule(capRadius: \(radius), height: \(height))"
    case .tube:
      let inner = code.number((shape.inner * shape.radius).rounded)
      return "SCNTube(innerRadius: \(inner), outerRadius: \(radius), height: \(height))"
    case .torus: return "SCNTorus(ringRadius: \(radius), pipeRadius: \(code.number(shape.pipe)))"
    case .cone:
      let top = max(shape.radius + Angle.tangent(shape.angle) * shape.height, 0)
      return
        "SCNCone(topRadius: \(code.number(top.rounded)), bottomRadius: \(radius), height: \(height))"
    default: return nil
    }
  }

  private func typesetColor(in text: inout CodeText) {
    switch emitter.color.base.from {
    case .constant(let color) where color != .white:
      text.line("\(system).particleColor = \(Self.color(color))")
    case .varied(let varied):
      text.line("\(system).particleColor = \(Self.color(varied.color))")
      guard let jitter = varied.jitter else { return }
      let widths = [jitter.hue, jitter.saturation, jitter.brightness, jitter.alpha].map { 2 * $0 }
      text.line("\(system).particleColorVariation = SCNVector4(\(Self.code.list(widths)))")
    default: break
    }
  }

  private static func color(_ color: Color) -> String {
    let numbers = color.channels.map(code.number)
    return
      "SKColor(red: \(numbers[0]), green: \(numbers[1]), blue: \(numbers[2]), alpha: \(numbers[3]))"
  }

  private func typesetControllers(in text: inout CodeText) {
    typeset(emitter.size.width, as: "size", in: &text)
    typeset(emitter.color.opacity, as: "opacity", in: &text)
    typeset(emitter.rotation.angle, as: "angle", times: .pi / 180, in: &text)
    typeset(emitter.rotation.velocity, as: "angularVelocity", times: .pi / 180, in: &text)
    guard let gradient = emitter.color.base.gradient else { return }
    typeset(
      "color", gradient.keys.map { $0.time }, gradient.keys.map { Self.color($0.color) },
      gradient.interpolation, over: Track(), in: &text)
  }

  private func typeset(
    _ track: Track, as property: String, times factor: Double = 1, in text: inout CodeText
  ) {
    guard track.to != nil else { return }
    let keys = track.curve.keys
    typeset(
      property, keys.map { $0.time }, keys.map { Self.code.number(($0.value * factor).rounded) },
      keys.first?.interpolation ?? track.curve.interpolation, over: track, in: &text)
  }

  private func typeset(
    _ property: String, _ times: [Double], _ values: [String], _ interpolation: Interpolation,
    over track: Track, in text: inout CodeText
  ) {
    text.block("do {", "}") { text in
      text.line("let animation = CAKeyframeAnimation()")
      text.block("animation.values = [", "]") { text in
        for value in values { text.line(value + ",") }
      }
      text.line("animation.keyTimes = [\(Self.code.list(times))]")
      switch interpolation {
      case .linear: break
      case .step: text.line("animation.calculationMode = .discrete")
      case .cubic: text.line("animation.calculationMode = .cubic")
      }
      text.line("let controller = SCNParticlePropertyController(animation: animation)")
      switch track.over {
      case .distance: text.line("controller.inputMode = .overDistance")
      case .speed:
        text.line("controller.inputMode = .overOtherProperty")
        text.line("controller.inputProperty = .velocity")
      default: break
      }
      if let domain = track.domain, domain.upper > domain.lower {
        let scale = 1 / (domain.upper - domain.lower)
        text.line("controller.inputScale = \(Self.code.number(scale))")
        text.line("controller.inputBias = \(Self.code.number(-domain.lower * scale))")
      }
      text.line(
        "\(system).propertyControllers = (\(system).propertyControllers ?? [:]).merging("
          + "[.\(property): controller]) { $1 }")
    }
  }
}

extension ParticleFormat {
  /// Swift code that makes SceneKit particle systems. It is only written.
  public static let swiftSceneKit = ParticleFormat(
    code: "swift-scenekit", title: "Swift code for SceneKit", extensions: ["swift"], of: .sceneKit,
    .sceneKit)
}
