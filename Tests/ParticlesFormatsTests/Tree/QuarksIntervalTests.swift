import ParticlesCore
import ParticlesModel
import Testing

@testable import ParticlesFormats

@Suite("Intervals of three.quarks")
struct QuarksIntervalTests {
  /// All objects of a type in a document.
  private static func objects(_ type: String, in json: JSONValue) -> [JSONObject] {
    if let object = json.object {
      let inner = object.members.flatMap { objects(type, in: $0.value) }
      return object["type"]?.string == type ? [object] + inner : inner
    }
    return (json.array ?? []).flatMap { objects(type, in: $0) }
  }

  @Test(
    "the lower bound of a random value is the first one, also below 0",
    arguments: [(2.0, 5.0), (-5, -2), (-3, 3), (0, 1)])
  func order(low: Double, high: Double) throws {
    var emitter = Emitter(name: "fire")
    (emitter.emission.rate, emitter.lifetime) = (10, .range(1, 4))
    emitter.rotation.angle = Track(.range(low, high))
    emitter.shape = Shape(.sphere)
    let format = try #require(FormatRegistry.standard["quarks"])
    let exported = try format.export(
      ParticleSystem(name: "Fire", emitters: [emitter]), EncodingContext(fileName: "fire.json"))
    let bytes = try #require(exported.parts.first?.bytes)
    let intervals = Self.objects("IntervalValue", in: try JSONParser.parse(bytes))
    let bounds = intervals.compactMap { interval in
      interval["a"]?.double.flatMap { a in interval["b"]?.double.map { (a, $0) } }
    }
    #expect(bounds.contains { $0 == (1, 4) } && bounds.count > 1)
    #expect(bounds.count == intervals.count && bounds.allSatisfy { $0.0 < $0.1 }, "\(bounds)")
    let back = try #require(try format.effect(in: exported).system.emitters.first)
    #expect(back.lifetime.bounds == Interval(1, 4))
    #expect(abs(back.rotation.angle.from.bounds.lower - low) < 1e-6)
    #expect(abs(back.rotation.angle.from.bounds.upper - high) < 1e-6)
  }
}
