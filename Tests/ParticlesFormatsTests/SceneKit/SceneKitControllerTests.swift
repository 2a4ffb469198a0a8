import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct SceneKitControllerTests {
  private func emitter(_ changes: ForgedValue.Entry...) throws -> (Emitter, [Rule]) {
    try decodeSceneKitEmitter(changes)
  }

  private func controlled(
    _ name: String, _ animation: ForgedValue, _ changes: ForgedValue.Entry...
  ) throws -> (Emitter, [Rule]) {
    guard case .object(let classes, var entries) = SceneKitForge.controller(animation) else {
      throw Diagnostic(.usage)
    }
    for change in changes { entries.removeAll { $0.key == change.key } }
    entries += changes
    return try emitter(
      .init("particleSize", .real(2)),
      .init("propertyControllers", .dictionary([.init(name, .object(classes, entries))])))
  }

  private func curve(_ values: Double..., mode: String = "linear") -> ForgedValue {
    let times = values.indices.map { Double($0) / Double(max(values.count - 1, 1)) }
    return SceneKitForge.coreAnimation(times, values.map { .real($0) }, mode: mode)
  }

  @Test func sizeIsMultiplied() throws {
    let (emitter, rules) = try controlled("Size", curve(1, 0))
    #expect(rules.isEmpty)
    #expect(emitter.size.width == Track(from: 0, to: 2, curve: Curve(through: [(0, 1), (1, 0)])))
  }

  @Test func otherProperties() throws {
    let track = Track(from: 0, to: 1, curve: Curve(through: [(0, 1), (1, 0)]))
    #expect(try controlled("Opacity", curve(1, 0)).0.color.opacity == track)
    // Apple documents both in radians.
    let turn = Track(from: 0, to: 1, curve: Curve(through: [(0, 180), (1, 0)]))
    #expect(try controlled("Angle", curve(.pi, 0)).0.rotation.angle == turn)
    #expect(try controlled("AngularVelocity", curve(.pi, 0)).0.rotation.velocity == turn)
    #expect(try controlled("Bounce", curve(1, 0)).1 == [.uninterpreted])
    #expect(try controlled("Color", curve(1, 0)).1 == [.uninterpreted])
  }

  @Test func modesOfCurves() throws {
    #expect(
      try controlled("Opacity", curve(1, 0, mode: "discrete")).0.color.opacity.curve.interpolation
        == .step)
    #expect(
      try controlled("Opacity", curve(1, 0, mode: "cubic")).0.color.opacity.curve.interpolation
        == .cubic)
    #expect(try controlled("Opacity", curve(1, 0, mode: "paced")).1 == [.approximated])
    #expect(try controlled("Opacity", curve(1, 0, mode: "wobbly")).1 == [.archiveValue])
  }

  @Test func stepsMayHaveAnEnd() throws {
    let steps = SceneKitForge.coreAnimation([0, 0.5, 1], [.real(1), .real(0)], mode: "discrete")
    let (emitter, rules) = try controlled("Opacity", steps)
    #expect(rules.isEmpty)
    #expect(emitter.color.opacity.curve.keys == [CurveKey(0, 1), CurveKey(0.5, 0)])
  }

  @Test func inputsAreScaled() throws {
    // The curve runs through in the first half of the life.
    let (emitter, rules) = try controlled(
      "Opacity", curve(1, 0), .init("inputScale", .real(2)), .init("inputBias", .real(0)))
    #expect(rules.isEmpty)
    #expect(emitter.color.opacity.curve.keys.map(\.time) == [0, 0.5])
    // Backwards, from 1 to 0.
    let (mirrored, _) = try controlled(
      "Opacity", curve(1, 0), .init("inputScale", .real(-1)), .init("inputBias", .real(1)))
    #expect(mirrored.color.opacity.curve.keys == [CurveKey(0, 0), CurveKey(1, 1)])
    let (still, notes) = try controlled("Opacity", curve(1, 0), .init("inputScale", .real(0)))
    #expect(still.color.opacity == 1)
    #expect(notes == [.uninterpreted])
  }

  @Test func inputsOtherThanLife() throws {
    let (far, rules) = try controlled(
      "Opacity", curve(1, 0), .init("inputMode", .int(1)), .init("inputScale", .real(0.1)))
    #expect(rules == [.assumed])
    #expect(far.color.opacity.over == .distance)
    #expect(far.color.opacity.domain == Interval(0, 10))
    let (fast, none) = try controlled(
      "Opacity", curve(1, 0), .init("inputMode", .int(2)),
      .init("inputProperty", .string("Velocity")))
    #expect(none.isEmpty)
    #expect(fast.color.opacity.over == .speed)
    let (_, notes) = try controlled(
      "Opacity", curve(1, 0), .init("inputMode", .int(2)), .init("inputProperty", .string("Life2")))
    #expect(notes == [.uninterpreted])
  }

  @Test func controllersThatSayNothing() throws {
    #expect(try controlled("Size", .null).1 == [.uninterpreted])
    #expect(try controlled("Size", .data([1, 2])).1 == [.archiveValue])
    #expect(try controlled("Size", curve()).0.size.width == 2)
    #expect(try controlled("Size", SceneKitForge.coreAnimation([0], [], mode: "linear")).1 == [])
    #expect(
      try controlled("Size", SceneKitForge.coreAnimation([0, 1], [.real(1)], mode: "linear")).1
        == [.archiveValue])
  }

  @Test func keysOutOfOrderAreSorted() throws {
    let (emitter, rules) = try controlled(
      "Opacity", SceneKitForge.coreAnimation([1, 0], [.real(5), .real(6)], mode: "linear"))
    #expect(emitter.color.opacity.curve.keys == [CurveKey(0, 6), CurveKey(1, 5)])
    #expect(rules == [.approximated])
  }

  @Test func numbersThatJSONCannotHoldDoNotArise() throws {
    let close = SceneKitForge.c3d([0, 1e-29, 1], [[1], [0], [1]], slopes: [0, 1e10, 0])
    let bent = close.replacing("biasValues-data", by: .data([UInt8](repeating: 0x3F, count: 12)))
    for animation in [close, bent] {
      let (emitter, _) = try controlled("Opacity", animation)
      #expect(!emitter.json.text.isEmpty)
    }
    let brief = close.replacing("duration", by: .real(1e-300))
    let found = try controlled("Opacity", brief).1
    #expect(found == [.archiveValue])
    let (emitter, rules) = try emitter(
      .init("emissionDuration", .real(1e-29)), .init("birthRate", .real(9e14)),
      .init("particleSize", .real(1e300)), .init("speedFactor", .real(-1)),
      .init("spreadingAngle", .real(720)))
    #expect(rules == [.approximated, .approximated, .archiveValue])
    #expect(!emitter.json.text.isEmpty)
  }

  @Test func storedSlopesThatSayMoreAreKept() throws {
    let (emitter, rules) = try controlled(
      "Opacity", SceneKitForge.c3d([0, 0.5, 1], [[1], [0.5], [0]], slopes: [0, -2, 0]))
    #expect(rules.isEmpty)
    #expect(emitter.color.opacity.curve.keys.map(\.outSlope) == [0, -2, 0])
    #expect(emitter.color.opacity.curve.keys.map(\.inSlope) == [0, -2, 0])
  }
}
