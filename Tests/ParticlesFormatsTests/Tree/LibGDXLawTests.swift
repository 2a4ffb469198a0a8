import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// What libGDX makes of blocks that depend on each other (`ParticleEmitter.java`, 1.9.8).
@Suite struct LibGDXLawTests {
  private static func scaled(_ name: String, _ points: [(Double, Double)], high: Double = 10)
    -> String
  {
    var lines = [
      "- \(name) -", "active: true", "lowMin: 0.0", "lowMax: 0.0", "highMin: \(high)",
      "highMax: \(high)", "relative: false", "scalingCount: \(points.count)",
    ]
    for (index, point) in points.enumerated() { lines.append("scaling\(index): \(point.1)") }
    lines.append("timelineCount: \(points.count)")
    for (index, point) in points.enumerated() { lines.append("timeline\(index): \(point.0)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func emitter(_ blocks: [String: String]) throws -> (Emitter, [Diagnostic]) {
    var text = String(
      decoding: try Files.read(Repository.path("Fixtures/effects/libgdx/torch.p")), as: UTF8.self)
    for (name, block) in blocks {
      let begin = try #require(text.firstRange(of: "- \(name) -")).lowerBound
      let rest = text[text.index(after: begin)...]
      let end = try #require(rest.firstRange(of: "\n- ")).lowerBound
      text = String(text[..<begin]) + block + String(text[text.index(after: end)...])
    }
    let imported = try ParticleFormat.libGDX.decode(
      Array(text.utf8), DecodingContext(fileName: "a.p"))
    return (imported.system.emitters[0], imported.diagnostics)
  }

  /// updateParticle() sets a rotation only in the branches that this lists.
  @Test func alignment() throws {
    let aligned =
      "- Options -\nattached: false\ncontinuous: true\naligned: true\nadditive: true\nbehind: false\n"
    let one = [(0.0, 1.0)]
    let two = [(0.0, 1.0), (1.0, 0.5)]
    let off = "active: false\n"
    for (velocity, angle, rotation, expected) in [
      (true, one, nil, RotationAlign.birth), (true, one, one, .birth), (true, one, two, .birth),
      (true, two, nil, .none), (true, two, one, .none), (true, two, two, .velocity),
      (false, one, nil, .none), (false, one, one, .birth), (false, one, two, .none),
      (false, two, two, .none),
    ] as [(Bool, [(Double, Double)], [(Double, Double)]?, RotationAlign)] {
      let (emitter, diagnostics) = try Self.emitter([
        "Options": aligned, "Angle": Self.scaled("Angle", angle),
        "Velocity": velocity ? Self.scaled("Velocity", one) : "- Velocity -\n" + off,
        "Rotation": rotation.map { Self.scaled("Rotation", $0) } ?? "- Rotation -\n" + off,
      ])
      #expect(emitter.rotation.align == expected)
      #expect(diagnostics.contains { $0.rule == .dead } == (expected == .none))
    }
  }

  /// getScale() computes the line of the first two points before the first one, too.
  @Test func theFirstLineReachesTheStart() throws {
    let (emitter, _) = try Self.emitter([
      "Velocity": Self.scaled("Velocity", [(0.5, 1), (1, 0.5)])
    ])
    let curve = try #require(emitter.motion.speed?.curve)
    #expect(curve.value(at: 0) == 1.5 && curve.value(at: 0.25) == 1.25)
    let (single, _) = try Self.emitter(["Velocity": Self.scaled("Velocity", [(0.5, 0.5)])])
    #expect(single.launch.speed == .constant(5) || single.launch.speed.mean == 5)
  }

  /// activateParticle() leaves the place as it is where an ellipse has no width or height.
  @Test func anEllipseWithoutWidthIsAPoint() throws {
    let (emitter, _) = try Self.emitter([
      "Spawn Shape": "- Spawn Shape -\nshape: ellipse\nedges: true\nside: both\n",
      "Spawn Width": Self.scaled("Spawn Width", [(0, 1)], high: 0).replacing(
        "active: true\n", with: ""),
      "Angle": Self.scaled("Angle", [(0, 1)], high: 45),
    ])
    #expect(emitter.shape.kind == .point)
    #expect(emitter.launch.direction == Direction(angle: 45))
  }

  /// An aligned rotation needs two points while the direction changes.
  @Test func alignmentIsWritten() throws {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 10
    emitter.timing.duration = 1
    emitter.timing.loop = true
    emitter.lifetime = 1
    emitter.launch.speed = 10
    emitter.rotation.align = .velocity
    emitter.rotation.angle = 30
    emitter.motion.direction = Track(from: 0, to: 90)
    emitter.launch.direction = Direction(angle: 0)
    var system = ParticleSystem(name: "a", emitters: [emitter])
    system.asset.unit = .pixel
    let result = try ParticleFormat.libGDX.export(system, EncodingContext(fileName: "a.p"))
    let again = try ParticleFormat.libGDX.decode(
      try #require(result.parts.first?.bytes), DecodingContext(fileName: "a.p")
    ).system.emitters[0]
    #expect(again.rotation.align == .velocity)
    #expect(again.rotation.angle.mean(lifetime: 1) == 30)
  }
}
