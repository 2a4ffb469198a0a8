import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Shapes that change over a period of the emitter, or have a random offset: formats that have them, and
/// the reports for further formats.
@Suite struct ShapeExtentTests {
  private static let growing = Value.ramp(.init(low: 0.25, high: 1, curve: .linear))

  private static func system(_ shape: Shape) -> ParticleSystem {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 10
    emitter.timing.duration = 2
    emitter.timing.loop = true
    emitter.lifetime = 1
    emitter.shape = shape
    var system = ParticleSystem(name: "a", emitters: [emitter])
    system.asset.unit = .pixel
    return system
  }

  private static func exported(
    _ shape: Shape, _ format: ParticleFormat
  ) throws -> (shape: Shape, losses: [Loss]) {
    let result = try format.export(system(shape), EncodingContext(fileName: "a"))
    let again = try format.decode(
      try #require(result.parts.first?.bytes), DecodingContext(fileName: "a"))
    return (again.system.emitters[0].shape, result.losses.compactMap(\.loss))
  }

  @Test func libGDX() throws {
    for kind in ["square", "line", "ellipse"] {
      let block = """
        - Spawn Shape -
        shape: \(kind)\(kind == "ellipse" ? "\nedges: true\nside: top" : "")
        - Spawn Width -
        lowMin: 10.0
        lowMax: 10.0
        highMin: 30.0
        highMax: 40.0
        relative: false
        scalingCount: 2
        scaling0: 0.0
        scaling1: 1.0
        timelineCount: 2
        timeline0: 0.0
        timeline1: 0.5
        - Spawn Height -
        lowMin: 0.0
        lowMax: 0.0
        highMin: 8.0
        highMax: 8.0
        relative: false
        scalingCount: 1
        scaling0: 1.0
        timelineCount: 1
        timeline0: 0.0

        """
      let plain = String(
        decoding: try Files.read(Repository.path("Fixtures/effects/libgdx/torch.p")), as: UTF8.self)
      let begin = try #require(plain.firstRange(of: "- Spawn Shape -")).lowerBound
      let end = try #require(plain.firstRange(of: "- X Scale -")).lowerBound
      let text = (plain[..<begin] + block + plain[end...]).replacing(
        "- X Offset - \nactive: false\n",
        with: """
          - X Offset -
          active: true
          lowMin: -3.0
          lowMax: 5.0
          highMin: 0.0
          highMax: 0.0
          relative: false
          scalingCount: 1
          scaling0: 1.0
          timelineCount: 1
          timeline0: 0.0

          """)
      let imported = try ParticleFormat.libGDX.decode(
        Array(text.utf8), DecodingContext(fileName: "a.p"))
      #expect(!imported.diagnostics.contains { $0.severity > .note && $0.rule != .missingImage })
      let shape = imported.system.emitters[0].shape
      var width = Value.ramp(
        .init(
          low: 0.25, high: .range(0.75, 1, scope: .cycle), curve: .lines([(0, 0), (0.5, 1)])))
      width.scope = .cycle
      #expect(shape.extent == ValueScale(width, 1), "\(kind)")
      #expect(shape.offset == ValueVector(.range(-3, 5), 0))
      switch kind {
      case "square": #expect(shape.size == Vector(40, 8))
      case "line": #expect(shape.transform.translation == Vector(20, 4))
      default: #expect(shape.radii == Vector2(20, 4))
      }
      // Written anew, without the source.
      let again = try Self.exported(shape, .libGDX)
      var differences: [PropertyDifference] = []
      shape.compare(again.shape, at: .root, into: &differences)
      #expect(differences.isEmpty, "\(differences)")
      #expect(!again.losses.contains { $0.feature.hasPrefix("sh") && $0.level > .info })
    }
  }

  @Test func defold() throws {
    var shape = Shape.rect(width: 40, height: 8)
    shape.extent.x = .ramp(
      .init(
        low: .range(-0.1, 0.1), high: 1,
        curve: Curve(
          [
            CurveKey(0, 0.2, inSlope: 0.5, outSlope: 0.5),
            CurveKey(1, 0.9, inSlope: 1, outSlope: 1),
          ],
          .cubic), relative: true))
    let result = try Self.exported(shape, .defold)
    #expect(!result.losses.contains { $0.feature == "shCurve" && $0.level > .info })
    // The factor counts from the greatest size.
    let factor = result.shape.extent.x.scaled(by: result.shape.size.x)
    for (progress, expected) in [(0.0, 8.0), (1, 36)] {
      #expect((factor.sample(0.5, progress: progress) - expected).magnitude < 1e-4)
      #expect(
        (factor.sample(1, progress: progress) - factor.sample(0, progress: progress) - 8).magnitude
          < 1e-4)
    }
  }

  /// Every other format gets the mean, and says so.
  @Test func others() throws {
    var shape = Shape.rect(width: 40, height: 8)
    shape.extent.x = Self.growing
    shape.offset = ValueVector(.range(-15, 15), 2)
    var count = 0
    for format in FormatRegistry.standard.formats {
      guard case .effect(_, _?) = format.content, let capabilities = format.capabilities,
        capabilities[.shapeCurve] != .exact
      else { continue }
      let result = try format.export(Self.system(shape), EncodingContext(fileName: "a"))
      let lines = result.losses.compactMap(\.loss)
      let extent = lines.first { $0.feature == "shCurve" }
      #expect(extent.map { $0.level > .info } == true, "\(format.name)")
      #expect(extent?.emitter == "a" && extent?.path == "emitters[0].shape.extent")
      #expect(extent?.metric?.value ?? 0 > 0.2)
      let offset = lines.first { $0.feature == "shOffset" }
      #expect(offset?.recipe == "a wider shape of equal deviation", "\(format.name)")
      count += 1
    }
    #expect(count > 12)
    // 25 wide on average, with the offset √(25² + 30²).
    let pixi = try Self.exported(shape, .pixi)
    #expect((pixi.shape.size.x - 1525.0.squareRoot()).magnitude < 1e-3)
    #expect(pixi.shape.transform.translation.y.magnitude == 2)
  }
}
