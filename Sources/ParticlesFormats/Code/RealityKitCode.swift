internal import ParticlesCore
internal import ParticlesModel

extension Typesetter {
  static let realityKit = Typesetter(
    conventions:
      "Lengths are in metres, y points up, angles are in radians, times in seconds. A variation is to both sides.",
    write: { bytes, sheet throws(Failure) in
      let values = try CodeValues(bytes, .realityKit, .swift, sheet.limits)
      var text = CodeText(.swift)
      text.line("import RealityKit")
      text.line()
      let spawns = values.reader.spawns
      sheet.describe(in: &text, "the component")
      sheet.describe(spawns, in: &text)
      let parameters =
        "image: TextureResource?" + spawns.parameters { "\($0): ParticleEmitterComponent" }
      text.block("func \(sheet.function)(\(parameters)) -> ParticleEmitterComponent {", "}") {
        $0.realityKit(values)
      }
      return text
    })
}

extension CodeText {
  fileprivate mutating func realityKit(_ values: CodeValues) {
    let (reader, radians) = (values.reader, CodeValues.radians)
    line("var component = ParticleEmitterComponent()")
    func state(_ property: String, _ value: String) { line("component.\(property) = \(value)") }
    state("timing", timing(values))
    let size = ["shapeWidth", "shapeHeight", "shapeDepth"].map { values.number($0) }
    switch reader.text("shape") {
    case "rect", "box":
      state("emitterShape", ".box")
      state("birthLocation", ".volume")
      state("emitterShapeSize", "[\(language.list(size))]")
    case "sphere":
      state("emitterShape", ".sphere")
      state("birthLocation", ".volume")
      state("emitterShapeSize", "[\(language.list([2 * size[0], 2 * size[0], 2 * size[0]]))]")
    default: state("emitterShape", ".point")
    }
    let center = ["shapeX", "shapeY", "shapeZ"].map { values.number($0) }
    if center != [0, 0, 0] { comment("Move the entity by (\(language.list(center))).") }
    state("birthDirection", ".local")
    state("emissionDirection", "[\(language.list(values.direction))]")
    state("speed", values.text("speed"))
    variationOf("speed", "speedVariation", values)
    state("particlesInheritTransform", "\(reader.flag("isLocal") ?? false)")
    let period = values.number("duration", -1)
    state(
      "mainEmitter.birthRate",
      language.number((values.number("rate") * (period < 0 ? 1 : period)).rounded))
    state("mainEmitter.lifeSpan", values.text("life", 1))
    // These have variations of their own by default.
    state("mainEmitter.lifeSpanVariation", language.number(values.half("life")))
    state("mainEmitter.size", values.text("size", 1))
    state("mainEmitter.sizeVariation", language.number(values.half("size")))
    state("mainEmitter.sizeMultiplierAtEndOfLifespan", values.text("sizeAtEnd", 1))
    state("mainEmitter.angle", values.text("rotation", times: radians))
    variationOf("rotation", "mainEmitter.angleVariation", values, times: radians)
    state("mainEmitter.angularSpeed", values.text("spin", times: radians))
    variationOf("spin", "mainEmitter.angularSpeedVariation", values, times: radians)
    state("mainEmitter.spreadingAngle", values.text("spread", times: radians))
    let gravity = ["gravityX", "gravityY", "gravityZ"].map { values.number($0) }
    state("mainEmitter.acceleration", "[\(language.list(gravity))]")
    realityKitMotion(values)
    realityKitLook(values)
    realityKitFrames(values)
    if let spawn = reader.spawns.first { realityKitSpawn(spawn) }
    if values.number("burst") > 0 {
      state("burstCount", values.text("burst"))
      line("component.burst()")
    }
    line("return component")
  }

  private func timing(_ values: CodeValues) -> String {
    func seconds(_ number: Double) -> String { ".init(duration: \(language.number(number)))" }
    let (duration, warmUp) = (values.number("duration", -1), values.text("warmUp"))
    guard duration >= 0, values.reader.flag("loops") != true else {
      return ".repeating(warmUp: \(warmUp), emit: \(seconds(duration < 0 ? 1 : duration)), "
        + "idle: \(seconds(values.number("idle"))))"
    }
    return ".once(warmUp: \(warmUp), emit: \(seconds(duration)))"
  }

  private mutating func variationOf(
    _ key: String, _ property: String, _ values: CodeValues, times factor: Double = 1
  ) {
    let half = values.half(key)
    if half != 0 { line("component.\(property) = \(language.number((half * factor).rounded))") }
  }

  private mutating func realityKitMotion(_ values: CodeValues) {
    for (key, property) in [
      ("drag", "dampingFactor"), ("stretch", "stretchFactor"), ("noiseStrength", "noiseStrength"),
    ] where values.number(key) != 0 {
      line("component.mainEmitter.\(property) = \(values.text(key))")
    }
    guard values.number("noiseStrength") != 0 else { return }
    line("component.mainEmitter.noiseScale = \(values.text("noiseScale", 1))")
    line("component.mainEmitter.noiseAnimationSpeed = \(values.text("noiseSpeed"))")
  }

  private mutating func realityKitFrames(_ values: CodeValues) {
    guard let grid = values.reader.grid else { return }
    func whole(_ number: Double) -> String { "\(Int(saturating: min(max(number, 0), 65536)))" }
    line("var sequence = ParticleEmitterComponent.ParticleEmitter.ImageSequence()")
    func state(_ property: String, _ value: String) { line("sequence.\(property) = \(value)") }
    state("columnCount", "\(grid.columns)")
    state("rowCount", "\(grid.rows)")
    state("initialFrame", whole(values.number("frameStart")))
    state("initialFrameVariation", whole(values.half("frameStart")))
    state("frameRate", values.text("frameRate"))
    state("frameRateVariation", language.number(values.half("frameRate")))
    let modes = ["looping", "playOnce", "autoReverse"]
    state("animationMode", ".\(modes[min(max(Int(saturating: values.number("frameMode")), 0), 2)])")
    line("component.mainEmitter.imageSequence = sequence")
  }

  private mutating func realityKitSpawn(_ spawn: CodeSpawn) {
    let occasions: [TriggerEvent: String] = [.birth: "onBirth", .frame: "onUpdate"]
    line("component.spawnedEmitter = \(spawn.parameter).mainEmitter")
    line("component.spawnOccasion = .\(occasions[spawn.event] ?? "onDeath")")
    let factor = spawn.inherited.contains(.velocity) ? spawn.velocityFactor : 0
    line("component.spawnVelocityFactor = \(language.number(factor))")
    line("component.spawnInheritsParentColor = \(spawn.inherited.contains(.color))")
  }

  private mutating func realityKitLook(_ values: CodeValues) {
    func color(_ key: String) -> String? {
      values.reader.list(key).map { list in
        let channels = list.map(language.number)
        return
          ".single(.init(red: \(channels[0]), green: \(channels[1]), blue: \(channels[2]), alpha: \(channels[3])))"
      }
    }
    let start = color("color") ?? ".single(.white)"
    if let end = color("colorAtEnd") {
      block("component.mainEmitter.color = .evolving(", ")") { text in
        text.line("start: \(start),")
        text.line("end: \(end)")
      }
    } else {
      line("component.mainEmitter.color = .constant(\(start))")
    }
    line("component.mainEmitter.opacityCurve = .constant")
    let blends = [".alpha", ".additive", ".opaque"]
    line(
      "component.mainEmitter.blendMode = \(blends[min(Int(saturating: values.number("blend")), 2)])"
    )
    line("component.mainEmitter.image = image")
  }
}

extension CodeValues {
  var direction: [Double] {
    if let x = reader.number("directionX"), let y = reader.number("directionY"),
      let z = reader.number("directionZ")
    {
      return [x, y, z]
    }
    let (x, y) = Angle.turned(1, 0, by: number("angle", 90))
    return [x.rounded, y.rounded, 0]
  }
}
