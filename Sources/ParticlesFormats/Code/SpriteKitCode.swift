internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// SpriteKit emitters as Swift. The values come from an archive. Its keys become properties of
// `SKEmitterNode`, under other names.

/// A key of an archive and the property that states it.
struct SpriteKitStatement: Sendable {
  enum Kind: Sendable {
    case number(Double), whole, pair(type: String, labels: (String, String)), sequence
    case choice([String]), hidden
  }

  let key: String
  let property: String
  let kind: Kind

  static let all: [SpriteKitStatement] =
    [
      .init("_hidden", "isHidden", .hidden),
      .init("_position", "position", .pair(type: "CGPoint", labels: ("x", "y"))),
      .init("_zRotation", "zRotation", .number(0)), .init("_xScale", "xScale", .number(1)),
      .init("_yScale", "yScale", .number(1)), .init("_zPosition", "zPosition", .number(0)),
      .init("_birthrate", "particleBirthRate", .number(0)),
      .init("_numParticlesToEmit", "numParticlesToEmit", .whole),
      .init("_lifetime", "particleLifetime", .number(0)),
      .init("_lifetimeVariance", "particleLifetimeRange", .number(0)),
      .init("_startPosition", "particlePosition", .pair(type: "CGPoint", labels: ("x", "y"))),
      .init(
        "_startPositionVariance", "particlePositionRange",
        .pair(type: "CGVector", labels: ("dx", "dy"))),
      .init("_emissionAngle", "emissionAngle", .number(0)),
      .init("_emissionAngleVariance", "emissionAngleRange", .number(0)),
      .init("_startSpeed", "particleSpeed", .number(0)),
      .init("_startSpeedVariance", "particleSpeedRange", .number(0)),
      .init("_acceleration", "Acceleration", .pair(type: "", labels: ("x", "y"))),
      .init("_fieldBitMask", "fieldBitMask", .whole),
      .init("_startRotation", "particleRotation", .number(0)),
      .init("_startRotationVariance", "particleRotationRange", .number(0)),
      .init("_rotationSpeed", "particleRotationSpeed", .number(0)),
      .init("_startSize", "particleSize", .pair(type: "CGSize", labels: ("width", "height"))),
      .init("_startScale", "particleScale", .number(1)),
      .init("_startScaleVariance", "particleScaleRange", .number(0)),
      .init("_scaleSpeed", "particleScaleSpeed", .number(0)),
      .init("_particleScaleSequence", "particleScaleSequence", .sequence),
      .init("_startOpacity", "particleAlpha", .number(1)),
      .init("_startOpacityVariance", "particleAlphaRange", .number(0)),
      .init("_opacitySpeed", "particleAlphaSpeed", .number(0)),
      .init("_particleAlphaSequence", "particleAlphaSequence", .sequence),
      .init("_startColorMix", "particleColorBlendFactor", .number(0)),
      .init("_startColorBlendVariance", "particleColorBlendFactorRange", .number(0)),
      .init("_colorBlendSpeed", "particleColorBlendFactorSpeed", .number(0)),
      .init(
        "_particleColorBlendFactorSequence", "particleColorBlendFactorSequence", .sequence),
    ] + channels + [
      .init("_particleColorSequence", "particleColorSequence", .sequence),
      .init(
        "_particleBlendMode", "particleBlendMode",
        .choice([
          ".alpha", ".add", ".subtract", ".multiply", ".multiplyX2", ".screen", ".replace",
          ".multiplyAlpha",
        ])),
      .init(
        "_particleRenderOrder", "particleRenderOrder",
        .choice([".oldestLast", ".oldestFirst", ".dontCare"])),
      .init("_startZPosition", "particleZPosition", .number(0)),
      .init("_startZPositionVariance", "particleZPositionRange", .number(0)),
      .init("_zPositionSpeed", "particleZPositionSpeed", .number(0)),
    ]

  private static let channels = [("R", "Red"), ("G", "Green"), ("B", "Blue"), ("A", "Alpha")]
    .flatMap { letter, name in
      [
        SpriteKitStatement(
          "_startColorVariance\(letter)", "particleColor\(name)Range", .number(0)),
        SpriteKitStatement("_colorSpeed\(letter)", "particleColor\(name)Speed", .number(0)),
      ]
    }

  init(_ key: String, _ property: String, _ kind: Kind) {
    (self.key, self.property, self.kind) = (key, property, kind)
  }
}

extension Typesetter {
  static let spriteKit = Typesetter(
    conventions: "Lengths are in points, y points up, angles are in radians, times in seconds.",
    gaps: [
      CodeGap(
        path: "motion.speed", capability: .speedCurve,
        detail: "archives have a sequence of speeds, SKEmitterNode has no property for it",
        isUsed: { $0.motion.speed != nil }),
      CodeGap(
        path: "rotation.angle", capability: .rotationCurve,
        detail: "archives have a sequence of rotations, SKEmitterNode has no property for it",
        isUsed: { $0.rotation.angle.to != nil }),
    ],
    write: { bytes, sheet throws(Failure) in
      let context = DecodingContext(fileName: sheet.fileName, limits: sheet.limits)
      let archive = try KeyedDecoder(format: SpriteKitFamily.spriteKit, context: context).open(
        bytes)
      var text = CodeText(.swift)
      text.line("import SpriteKit")
      text.line()
      let emitters = archive.emitters
      guard emitters.count != 1 else {
        sheet.describe(in: &text, "the emitter")
        text.block("func \(sheet.function)() -> SKEmitterNode {", "}") { text in
          emitters[0].typeset(in: &text)
          text.line("return emitter")
        }
        return text
      }
      sheet.describe(in: &text, "a node with the emitters")
      text.block("func \(sheet.function)() -> SKNode {", "}") { text in
        text.line("let node = SKNode()")
        for emitter in emitters {
          text.block("do {", "}") { text in
            emitter.typeset(in: &text)
            text.line("node.addChild(emitter)")
          }
        }
        text.line("return node")
      }
      return text
    })
}

extension KeyedEmitter<SpriteKitFamily> {
  fileprivate func typeset(in text: inout CodeText) {
    let code = text.language
    text.line("let emitter = SKEmitterNode()")
    func state(_ property: String, _ value: String) { text.line("emitter.\(property) = \(value)") }
    if let name = object.string("_name"), !name.isEmpty { state("name", code.string(name)) }
    typesetTexture(in: &text)
    for statement in SpriteKitStatement.all {
      switch statement.kind {
      case .number(let standard):
        let number = number(statement.key, standard)
        if number != standard { state(statement.property, code.number(number)) }
      case .whole:
        let number = object.integer(statement.key) ?? 0
        if number != 0 { state(statement.property, "\(number)") }
      case .hidden: if flag(statement.key) { state(statement.property, "true") }
      case .choice(let names):
        let choice = choice(statement.key, names, names[0])
        if choice != names[0] { state(statement.property, choice) }
      case .pair(let type, let labels):
        guard let pair = try? pair(statement.key), pair != (0, 0) else { continue }
        if type.isEmpty {
          state("\(labels.0)\(statement.property)", code.number(pair.x))
          state("\(labels.1)\(statement.property)", code.number(pair.y))
        } else {
          state(
            statement.property,
            "\(type)(\(labels.0): \(code.number(pair.x)), \(labels.1): \(code.number(pair.y)))")
        }
      case .sequence:
        guard let frames = try? sequence(statement.key) else { continue }
        typeset(frames, as: statement.property, in: &text)
      }
      // The start colour comes before the ranges of its channels.
      if statement.key == "_colorBlendSpeed" { typesetColor(in: &text) }
    }
  }

  private func typesetColor(in text: inout CodeText) {
    let channels = ["R", "G", "B", "A"].map { number("_startColor\($0)") }
    text.line("emitter.particleColor = \(Self.color(channels))")
  }

  private static func color(_ channels: [Double]) -> String {
    let numbers = channels.map(CodeLanguage.swift.number)
    return
      "SKColor(red: \(numbers[0]), green: \(numbers[1]), blue: \(numbers[2]), alpha: \(numbers[3]))"
  }

  private func typesetTexture(in text: inout CodeText) {
    guard let texture = try? object.object("_particleTexture"),
      let name = texture.string("_imgName"), !name.isEmpty
    else { return }
    let code = text.language
    text.line("let texture = SKTexture(imageNamed: \(code.string(name)))")
    if texture.int("_filteringMode") == 0 { text.line("texture.filteringMode = .nearest") }
    guard let part = try? texture.geometry("_textRect", count: 4), part != [0, 0, 1, 1] else {
      return text.line("emitter.particleTexture = texture")
    }
    let numbers = part.map { code.number($0) }
    text.line(
      "let part = CGRect(x: \(numbers[0]), y: \(numbers[1]), width: \(numbers[2]), height: \(numbers[3]))"
    )
    text.line("emitter.particleTexture = SKTexture(rect: part, in: texture)")
  }

  private func typeset(_ frames: KeyFrames, as property: String, in text: inout CodeText) {
    let code = text.language
    let values: [String] =
      switch frames.values {
      case .numbers(let numbers): numbers.map(code.number)
      case .colors(let colors): colors.map { Self.color($0.channels) }
      }
    text.block("emitter.\(property) = SKKeyframeSequence(", ")") { text in
      if case .numbers = frames.values {
        text.line("keyframeValues: [\(values.joined(separator: ", "))] as [Double],")
      } else {
        text.block("keyframeValues: [", "],") { text in
          for value in values { text.line(value + ",") }
        }
      }
      text.line("times: [\(code.list(frames.times))] as [NSNumber]")
    }
    switch frames.interpolation {
    case .linear: break
    case .cubic: text.line("emitter.\(property)?.interpolationMode = .spline")
    case .step: text.line("emitter.\(property)?.interpolationMode = .step")
    }
  }
}

extension ParticleFormat {
  /// Swift code that makes SpriteKit emitters. It is only written.
  public static let swiftSpriteKit = ParticleFormat(
    code: "swift-spritekit", title: "Swift code for SpriteKit", extensions: ["swift"],
    of: .spriteKit, .spriteKit)
}
