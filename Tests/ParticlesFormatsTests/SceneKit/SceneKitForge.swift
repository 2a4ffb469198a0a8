import ParticlesTestSupport

/// Builds archived SceneKit particle systems: a valid effect, and variants with one fault each.
enum SceneKitForge {
  /// The archive of a system: everything at the editor's defaults except `changes`. A change to a
  /// key that is not among the defaults adds it.
  static func archive(_ changes: ForgedValue.Entry...) -> [UInt8] {
    ArchiveForge.archive(system(changes))
  }

  /// A system with everything at the editor's defaults except `changes`.
  static func system(_ changes: [ForgedValue.Entry]) -> ForgedValue {
    var entries = defaults
    for change in changes {
      if let index = entries.firstIndex(where: { $0.key == change.key }) {
        entries[index] = change
      } else {
        entries.append(change)
      }
    }
    return .object(["SCNParticleSystem", "NSObject"], entries)
  }

  private static let reals: [(String, Double)] = [
    ("birthRate", 1), ("birthRateVariation", 0), ("dampingFactor", 0), ("emissionDuration", 1),
    ("emissionDurationVariation", 0), ("fixedTimeStep", 0), ("fresnelExponent", 0),
    ("idleDuration", 0), ("idleDurationVariation", 0), ("imageSequenceFrameRate", 0),
    ("imageSequenceFrameRateVariation", 0), ("imageSequenceInitialFrame", 0),
    ("imageSequenceInitialFrameVariation", 0), ("particleAngle", 0), ("particleAngleVariation", 0),
    ("particleAngularVelocity", 0), ("particleAngularVelocityVariation", 0),
    ("particleBounce", 0.7), ("particleBounceVariation", 0), ("particleCharge", 0),
    ("particleChargeVariation", 0), ("particleFriction", 1), ("particleFrictionVariation", 0),
    ("particleIntensity", 1), ("particleIntensityVariation", 0), ("particleLifeSpan", 1),
    ("particleLifeSpanVariation", 0), ("particleMass", 1), ("particleMassVariation", 0),
    ("particleSize", 1), ("particleSizeVariation", 0), ("particleVelocity", 0),
    ("particleVelocityVariation", 0), ("speedFactor", 1), ("spreadingAngle", 0),
    ("stretchFactor", 0), ("warmupDuration", 0),
  ]

  private static let integers: [(String, Int)] = [
    ("birthDirection", 0), ("birthLocation", 0), ("blendMode", 0),
    ("imageSequenceAnimationMode", 0), ("imageSequenceColumnCount", 1),
    ("imageSequenceRowCount", 1), ("orientationMode", 0), ("renderingMode", 0), ("seed", 0),
    ("sortingMode", 0),
  ]

  private static let flags: [(String, Bool)] = [
    ("affectedByGravity", false), ("affectedByPhysicsFields", false), ("blackPassEnabled", false),
    ("isLocal", false), ("lightingEnabled", false), ("loops", true),
    ("particleDiesOnCollision", false), ("physicsCollisionsEnabled", false),
    ("softParticlesEnabled", false),
  ]

  private static let defaults: [ForgedValue.Entry] =
    reals.map { .init($0.0, .real($0.1)) } + integers.map { .init($0.0, .int($0.1)) }
    + flags.map { .init($0.0, .bool($0.1)) } + [
      .init("acceleration", .vector(0, 0, 0)), .init("emittingDirection", .vector(0, 0, 1)),
      .init("orientationDirection", .vector(0, 0, 0)),
      .init("particleColorVariation", .vector(0, 0, 0, 0)),
      .init("particleColor", color("1 1 1")), .init("propertyControllers", .dictionary([])),
    ]

  /// A device RGB colour, in a nested archive.
  static func color(_ components: String) -> ForgedValue {
    .data(ArchiveForge.archive(deviceColor(components)))
  }

  /// A colour as device RGB: `"1 0.5 0"`, and alpha if it is not 1.
  static func deviceColor(_ components: String) -> ForgedValue {
    .object(
      ["NSColor", "NSObject"],
      [
        .init("NSRGB", .inline(.data(Array(components.utf8) + [0]))),
        .init("NSColorSpace", .int(2)),
      ])
  }

  static func image(_ path: String) -> ForgedValue {
    .dictionary([.init("path", .string(path))])
  }

  /// A plane as emitter shape.
  static func plane(_ width: Double, _ height: Double) -> ForgedValue {
    .object(
      ["SCNPlane", "SCNGeometry", "NSObject"],
      [
        .init("width", .real(width)), .init("height", .real(height)),
        .init("cornerRadius", .real(0)), .init("widthSegmentCount", .int(1)),
        .init("heightSegmentCount", .int(1)), .init("cornerSegmentCount", .int(10)),
        .init("primitiveType", .int(0)), .init("subdivisionLevel", .int(0)),
        .init("materials", .array([])),
      ])
  }

  /// A controller over life, with an animation of either encoding.
  static func controller(_ animation: ForgedValue) -> ForgedValue {
    .object(
      ["SCNParticlePropertyController", "NSObject"],
      [
        .init("inputMode", .int(0)), .init("inputScale", .real(1)), .init("inputBias", .real(0)),
        .init("animation", animation),
      ])
  }

  /// The older encoding of an animation.
  static func coreAnimation(
    _ times: [Double], _ values: [ForgedValue], mode: String
  ) -> ForgedValue {
    .data(
      ArchiveForge.archive(
        .object(
          ["CAKeyframeAnimation", "CAPropertyAnimation", "CAAnimation", "NSObject"],
          [
            .init("keyTimes", proxy(times.map { .real($0) })),
            .init("calculationMode", .string(mode)), .init("duration", .boxed(.real(1))),
            .init("values", proxy(values)),
            .init(
              "__CACodingContents",
              .array(["calculationMode", "duration", "keyTimes", "values"].map { .string($0) })),
          ])))
  }

  private static func proxy(_ elements: [ForgedValue]) -> ForgedValue {
    .object(["LKNSArrayCodingProxy", "NSObject"], [.init("array", .array(elements))])
  }

  /// The newer encoding of an animation: blobs of floats, most significant byte first.
  /// - Parameters:
  ///   - values: a row for each key, of one number or the four of a colour.
  ///   - slopes: for a cubic curve, the slope at each key.
  static func c3d(
    _ times: [Double], _ values: [[Float]], slopes: [Double]? = nil
  ) -> ForgedValue {
    let isColor = values.first?.count == 4
    var controller: [ForgedValue.Entry] = [
      .init("keyframeVersion", .string("0.12")), .init("calculationMode", .int(0)),
      .init("interpolationMode", .int(0)),
    ]
    func blob(_ name: String, _ type: Int, _ stride: Int, _ bytes: [UInt8]) {
      controller.append(.init(name, source(type, stride, times.count)))
      controller.append(.init("\(name)-data", .data(bytes)))
    }
    blob("keytimes", 6, 8, times.flatMap { PropertyListForge.bigEndian($0.bitPattern) })
    blob(
      "values", isColor ? 13 : 1, isColor ? 16 : 4,
      values.flatMap { $0.flatMap { PropertyListForge.bigEndian($0.bitPattern) } })
    if let slopes {
      let zeros = [UInt8](repeating: 0, count: 4 * times.count)
      for name in ["tensionValues", "continuityValues", "biasValues"] { blob(name, 1, 4, zeros) }
      let steps = zip(times.dropFirst(), times).map { $0 - $1 }
      let before = [steps.first ?? 1] + steps
      let behind = steps + [steps.last ?? 1]
      blob("inTangents", 8, 8, zip(before, slopes).flatMap(tangent))
      blob("outTangents", 8, 8, zip(behind, slopes).flatMap(tangent))
    }
    let animation: [ForgedValue.Entry] = [
      .init("type", .string("keyframedAnimation")), .init("duration", .real(1)),
      .init("speed", .real(1)), .init("repeatCount", .real(0)), .init("autoreverses", .int(0)),
      .init("removeOnCompletion", .int(1)), .init("keyframeController", .dictionary(controller)),
    ]
    return .dictionary([
      .init("class", .string("keyframe")), .init("animation", .dictionary(animation)),
    ])
  }

  private static func tangent(_ step: Double, _ slope: Double) -> [UInt8] {
    [Float(step), Float(slope * step)].flatMap { PropertyListForge.bigEndian($0.bitPattern) }
  }

  private static func source(_ type: Int, _ stride: Int, _ count: Int) -> ForgedValue {
    .dictionary([
      .init("attributes", .dictionary([])),
      .init(
        "accessor",
        .dictionary([
          .init("componentsType", .int(type)), .init("componentsPerValue", .int(1)),
          .init("offset", .int(0)), .init("padding", .int(0)), .init("stride", .int(stride)),
          .init("valuesCount", .int(count)), .init("sourceTypeID", .int(0)),
        ])),
    ])
  }
}

/// Embers rising from a fire: the effect of the fixtures in `scenekit/`.
extension SceneKitForge {
  private static let colorTimes = [0, 0.2, 0.6, 1]
  private static let colors: [[Float]] = [
    [1, 0.9, 0.6, 0], [1, 0.7, 0.3, 1], [0.9, 0.25, 0.05, 0.8], [0.3, 0, 0, 0],
  ]
  private static let sizeTimes = [0, 0.25, 1]
  private static let sizes: [Double] = [0.25, 1, 0]

  /// With the older encoding of curves: archives inside the archive.
  static let ember = archive(
    ember(
      color: coreAnimation(
        colorTimes,
        colors.map { deviceColor($0.map(\.description).joined(separator: " ")) }, mode: "linear"),
      size: coreAnimation(sizeTimes, sizes.map { .real($0) }, mode: "cubic")))

  /// With the newer encoding of curves: dictionaries and blobs.
  static let emberC3D = archive(
    ember(
      color: c3d(colorTimes, colors),
      size: c3d(
        sizeTimes, sizes.map { [Float($0)] },
        // Slopes of the lines through the neighbouring keys, as the editor writes them.
        slopes: [3, -0.25, -1 / 0.75])))

  private static func archive(_ changes: [ForgedValue.Entry]) -> [UInt8] {
    ArchiveForge.archive(system(changes))
  }

  private static func ember(color: ForgedValue, size: ForgedValue) -> [ForgedValue.Entry] {
    [
      .init("birthRate", .real(60)), .init("birthRateVariation", .real(20)),
      .init("particleLifeSpan", .real(2)), .init("particleLifeSpanVariation", .real(1)),
      .init("particleVelocity", .real(1.2)), .init("particleVelocityVariation", .real(0.6)),
      .init("particleSize", .real(0.1)), .init("particleSizeVariation", .real(0.06)),
      .init("particleAngleVariation", .real(360)),
      .init("particleAngularVelocityVariation", .real(90)),
      .init("emittingDirection", .vector(0, 1, 0)), .init("spreadingAngle", .real(40)),
      .init("acceleration", .vector(0.1, 0.5, 0)), .init("stretchFactor", .real(0.02)),
      .init("sortingMode", .int(1)), .init("warmupDuration", .real(1)),
      .init("emitterShape", plane(2, 0.5)), .init("particleImage", image("ember.png")),
      .init(
        "propertyControllers",
        .dictionary([.init("Color", controller(color)), .init("Size", controller(size))])),
    ]
  }
}
