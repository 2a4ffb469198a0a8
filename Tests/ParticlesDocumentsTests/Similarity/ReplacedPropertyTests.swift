import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import Testing

/// Properties that a format does not support, and that are restated by others: the result looks nearly the
/// same, which is measured.
@Suite("Restated properties")
struct ReplacedPropertyTests {
  private static func fountain(
    _ dimension: Dimension = .plane, _ change: (inout Emitter) -> Void
  ) -> ParticleSystem {
    var emitter = Emitter(name: "Fountain")
    emitter.emission.rate = 60
    emitter.lifetime = .range(1, 1.5)
    emitter.launch.speed = .range(80, 100)
    emitter.launch.direction = Direction(angle: 70)
    emitter.launch.spread = 25
    emitter.size.width = 12
    emitter.size.aspect = .ratio(1)
    change(&emitter)
    var system = ParticleSystem(name: "Fountain", emitters: [emitter])
    system.asset.dimension = dimension
    return system
  }

  private static func converted(
    _ system: ParticleSystem, to format: ParticleFormat
  ) throws -> (difference: EffectDifference, losses: [Diagnostic], text: String) {
    let package = try EffectPackage(system)
    let exported = try package.exported(as: format, fileName: "a.\(format.extensions[0])")
    let measured = try ConversionMeasurement(
      of: package, exported: exported, as: format, measuresLines: false)
    return (
      measured.difference ?? EffectDifference(), exported.losses,
      String(decoding: exported.parts[0].bytes, as: UTF8.self)
    )
  }

  @Test("directions in three.quarks are arcs and cones")
  func directions() throws {
    let fan = try Self.converted(Self.fountain { _ in }, to: .quarks)
    #expect((fan.difference.aspects[.spread] ?? 1) < 0.03, "\(fan.difference.aspects)")
    #expect((fan.difference.aspects[.position] ?? 1) < 0.03)
    let file = try JSONValue(parsing: Array(fan.text.utf8))
    let children = file.object?["object"]?.object?["children"]?.array
    let node = try #require(children?.first?.object)
    // An arc of 50° that begins at 45°: the first column of the matrix is (cos 45°, sin 45°).
    let shape = try #require(node["ps"]?.object?["shape"]?.object)
    #expect(shape["type"]?.string == "circle")
    let arc = try #require(shape["arc"]?.double)
    #expect((arc - 50 * Double.pi / 180).magnitude < 1e-9)
    let matrix = (node["matrix"]?.array ?? []).compactMap { $0.double }
    let half = 0.5.squareRoot()
    #expect(matrix.count == 16 && matrix.prefix(2).allSatisfy { ($0 - half).magnitude < 1e-9 })
    let all = try Self.converted(
      Self.fountain {
        $0.launch.direction = Direction(angle: .range(-270, 450))
        $0.launch.spread = 0
      }, to: .quarks)
    #expect(all.difference.whole < 0.05, "\(all.difference.aspects)")
    let cone = try Self.converted(
      Self.fountain(.space) {
        $0.launch.direction = Direction(vector: Vector(0, 1, 0))
        $0.launch.spread = 20
      }, to: .quarks)
    #expect((cone.difference.aspects[.spread] ?? 1) < 0.15, "\(cone.difference.aspects)")
    #expect((cone.difference.aspects[.position] ?? 1) < 0.05, "\(cone.difference.aspects)")
    // Gravity does not turn with the emitter.
    let falling = try Self.converted(
      Self.fountain {
        $0.space = .local
        $0.forces = [.gravity(Vector(0, -80, 0))]
      }, to: .quarks)
    #expect((falling.difference.aspects[.position] ?? 1) < 0.03, "\(falling.difference.aspects)")
  }

  @Test(
    "a total ends emission", arguments: ["love", "libgdx", "defold", "quarks", "godot4", "pixi"])
  func total(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    let result = try Self.converted(Self.fountain { $0.emission.total = 45 }, to: format)
    #expect((result.difference.aspects[.count] ?? 1) < 0.1, "\(result.difference.aspects)")
    let line = try #require(result.losses.first { $0.loss?.feature == "total" })
    #expect(line.rule == .approximated)
    // An end that comes first stays. Godot emits for one lifetime.
    guard target != "godot4" else { return }
    let short = try Self.converted(
      Self.fountain {
        $0.emission.total = 450
        ($0.timing.duration, $0.timing.loop) = (2, false)
      }, to: format)
    #expect((short.difference.aspects[.count] ?? 1) < 0.1, "\(short.difference.aspects)")
  }

  @Test("alignment becomes angles", arguments: ["phaser", "tsparticles"])
  func alignment(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    let result = try Self.converted(
      Self.fountain {
        ($0.rotation.align, $0.rotation.alignOffset) = (.velocity, 10)
        $0.rotation.angle = 5
      }, to: format)
    #expect((result.difference.aspects[.rotation] ?? 1) < 0.05, "\(result.difference.aspects)")
    #expect(result.losses.contains { $0.rule == .lost && $0.loss?.feature == "align" })
  }
}
