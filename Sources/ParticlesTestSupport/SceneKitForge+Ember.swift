/// Embers rising from a fire: the effect of the fixtures in `scenekit/`.
extension SceneKitForge {
  private static let colorTimes = [0, 0.2, 0.6, 1]
  private static let colors: [[Float]] = [
    [1, 0.9, 0.6, 0], [1, 0.7, 0.3, 1], [0.9, 0.25, 0.05, 0.8], [0.3, 0, 0, 0],
  ]
  private static let sizeTimes = [0, 0.25, 1]
  private static let sizes: [Double] = [0.25, 1, 0]

  /// With the older encoding of curves: archives inside the archive.
  package static let ember = archive(
    ember(
      color: coreAnimation(
        colorTimes,
        colors.map { deviceColor($0.map(\.description).joined(separator: " ")) }, mode: "linear"),
      size: coreAnimation(sizeTimes, sizes.map { .real($0) }, mode: "cubic")))

  /// With the newer encoding of curves: dictionaries and blobs.
  package static let emberC3D = archive(
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
