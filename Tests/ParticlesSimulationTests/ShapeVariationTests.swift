import ParticlesModel
import Testing

@testable import ParticlesSimulation

/// Shapes that change while an emitter emits, and random offsets.
@Suite("Shapes over time")
struct ShapeVariationTests {
  /// Places of particles, 2,000 a second, by the second of their emission.
  private static func places(_ shape: Shape, seconds: Int) -> [[(x: Double, y: Double)]] {
    var emitter = Emitter(name: "test")
    emitter.emission.rate = 2_000
    emitter.timing.duration = 4
    emitter.timing.loop = true
    emitter.lifetime = 10
    emitter.shape = shape
    let simulation = Simulation(
      ParticleSystem(name: "test", emitters: [emitter]), seed: 11, capacity: 20_000)
    simulation.advance(by: Double(seconds))
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    var places = Array(repeating: [(x: Double, y: Double)](), count: seconds)
    for index in 0..<look.count {
      let moment = Double(seconds) - Double(look.age[index])
      places[min(max(Int(moment), 0), seconds - 1)].append(
        (Double(look.x[index]), Double(look.y[index])))
    }
    return places
  }

  private static func mean(_ numbers: [Double]) -> Double {
    numbers.reduce(0, +) / Double(numbers.count)
  }

  @Test("extents follow their ramps over the periods of the emitter")
  func extents() {
    var shape = Shape.line(length: 40)
    shape.transform.translation = Vector(20, 0)
    shape.extent.x = .ramp(
      .init(low: 0.5, high: 1, curve: Curve([CurveKey(0, 0), CurveKey(0.5, 1)], .step)))
    shape.offset = ValueVector(3, .range(-5, 5))
    let places = Self.places(shape, seconds: 6)
    for (second, length) in [20.0, 20, 40, 40, 20, 20].enumerated() {
      let (x, y) = (places[second].map(\.x), places[second].map(\.y))
      #expect(x.count > 1_900)
      #expect(x.allSatisfy { 2.99...(3.01 + length) ~= $0 })
      #expect((Self.mean(x) - 3 - length / 2).magnitude < length * 0.03)
      #expect(y.allSatisfy { -5.01...5.01 ~= $0 })
      #expect((Self.mean(y.map { $0 * $0 }) - 100.0 / 12).magnitude < 0.6)
    }
  }

  @Test("offsets are sampled for each particle, independently of its place in the shape")
  func offsets() {
    var shape = Shape.rect(width: 10, height: 0)
    shape.offset.x = .range(-5, 5)
    let x = Self.places(shape, seconds: 2).joined().map(\.x)
    #expect((Self.mean(x.map { $0 * $0 }) - 200.0 / 12).magnitude < 0.8)
    var point = Shape()
    point.extent.x = 0
    point.offset.x = .range(-5, 5)
    let alone = Self.places(point, seconds: 2).joined().map(\.x)
    #expect((Self.mean(alone.map { $0 * $0 }) - 100.0 / 12).magnitude < 0.4)
  }
}
