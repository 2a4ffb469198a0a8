import ParticlesCore
import ParticlesModel
import Testing

/// Shapes whose extents and offsets are sampled, and the shapes without that replace them.
@Suite struct ShapeSettlingTests {
  /// From 0 to 1 over the emission.
  private let growing = Value.ramp(.init(low: 0, high: 1, curve: .linear))

  @Test func theFormInJSON() throws {
    let json = try JSONParser.parse(
      Array(
        #"""
        {"type": "rect", "size": [20, 10], "extent": [{"low": 0, "high": 1}, 2],
        "offset": [{"min": -1, "max": 1}, 3]}
        """#.utf8))
    let shape = try Shape(json: json, at: .root)
    #expect(shape.extent == ValueScale(growing, 2))
    #expect(shape.offset == ValueVector(.range(-1, 1), 3))
    #expect(shape.json == json)
    #expect(Shape(.rect).json.object?.members.map(\.key) == ["type"])
    let long = try JSONParser.parse(Array(#"{"extent": [1, 2, 3, 4]}"#.utf8))
    #expect(throws: Diagnostic.self) { try Shape(json: long, at: .root) }
    var differences: [PropertyDifference] = []
    var other = shape
    other.offset.y = 4
    shape.compare(other, at: .root, into: &differences)
    #expect(differences.map(\.path) == ["offset"])
    let info = try #require(Shape.property("extent")?.element)
    #expect(info.type == "Value")
  }

  @Test func lengthsAreScaledAndCurvesMended() {
    var emitter = Emitter(name: "a")
    emitter.shape = .rect(width: 20, height: 10)
    emitter.shape.extent.x = growing
    emitter.shape.offset.x = .range(-1, 1)
    let system = ParticleSystem(name: "a", emitters: [emitter]).scaled(by: 3)
    #expect(system.emitters[0].shape.extent.x == growing)
    #expect(system.emitters[0].shape.offset == ValueVector(.range(-3, 3), 0))

    var mended = ParticleSystem(name: "a", emitters: [emitter])
    mended.emitters[0].shape.extent.y = .ramp(
      .init(low: 0, high: 1, curve: Curve([CurveKey(1, 1), CurveKey(0, 0)])))
    #expect(mended.mend().count == 1)
    guard case .ramp(let ramp) = mended.emitters[0].shape.extent.y else {
      Issue.record("no ramp")
      return
    }
    #expect(ramp.curve.keys.map(\.time) == [0, 1])
  }

  @Test func extentsBecomeTheirMean() {
    var shape = Shape.rect(width: 20, height: 10)
    shape.transform.translation = Vector(4, 6)
    shape.extent = ValueScale(growing, 2)
    var expected = Shape.rect(width: 10, height: 20)
    expected.transform.translation = Vector(2, 12)
    #expect(shape.settled() == expected)
    #expect((shape.extentError - 0.53).magnitude < 0.03)
    shape.extent = ValueScale(3, 2)
    #expect(shape.extentError == 0)

    var line = Shape.line(length: 10, angle: 0)
    line.transform.translation = Vector(5, 0)
    line.extent.x = growing
    #expect(
      line.settled()
        == {
          var half = Shape.line(length: 5)
          half.transform.translation = Vector(2.5, 0)
          return half
        }())

    var ball = Shape.sphere(radius: 4)
    ball.extent = ValueScale(growing, growing, growing)
    #expect(ball.settled().transform.scale == Scale(0.5, 0.5, 0.5))
  }

  /// The deviations of places stay.
  @Test func offsetsWidenShapes() {
    var shape = Shape.rect(width: 30, height: 10)
    shape.offset = ValueVector(.range(-10, 30), 7)
    let wide = shape.settled()
    #expect(wide.size == Vector(50, 10) && wide.offset == .zero)
    #expect(wide.transform.translation == Vector(10, 7))

    var point = Shape()
    point.offset.y = .range(-2, 2)
    #expect(point.settled() == .rect(width: 0, height: 4))

    var disc = Shape.ellipse(10, 10)
    disc.offset.x = .range(-15, 15)
    // Variances: 10² ÷ 4 + 30² ÷ 12 = 20² ÷ 4.
    #expect(disc.settled().radii == Vector2(20, 10))
    disc.placement = .edge
    #expect(!disc.takesOffset && disc.settled().radii == Vector2(10, 10))
    #expect(disc.settled(offsets: false) == disc)
  }
}
