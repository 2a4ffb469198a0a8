import ParticlesCore
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// Reductions that several families share, and the lines that they report.
@Suite struct SharedReductionTests {
  private func writer(_ change: (inout Emitter) -> Void) -> EmitterWriter<PhaserFamily> {
    var emitter = Emitter(name: "fire")
    change(&emitter)
    var writer = EmitterWriter(
      PhaserFamily.shared, ParticleSystem(name: "Fire", emitters: [emitter]), emitter: 0,
      TreeSurroundings())
    // As before the rows.
    (writer.emitter, writer.losses) = (emitter, [])
    return writer
  }

  @Test(
    "particles that a period begins with are a burst in formats without explosiveness",
    arguments: ["pixi", "pixi-legacy"], [true, false])
  func gathered(name: String, isLooping: Bool) throws {
    var emitter = Emitter(name: "fire")
    emitter.emission.rate = 8
    emitter.emission.explosiveness = 1
    (emitter.timing.duration, emitter.timing.loop) = (2, isLooping)
    let format = try #require(FormatRegistry.standard[name])
    let system = ParticleSystem(name: "Fire", emitters: [emitter])
    let exported = try format.export(system, EncodingContext(fileName: "fire.json"))
    let burst = try #require(
      try format.effect(in: exported).system.emitters.first?.emission.bursts.first)
    #expect(burst.count == 16 && burst.time == 0)
    #expect(isLooping ? burst.interval == 2 && burst.cycles == 0 : burst.cycles == 1)
    let lines = exported.losses.filter { $0.loss?.feature == "explos" }
    #expect(lines.map(\.rule) == [.restated], "\(exported.losses)")
    emitter.emission.explosiveness = 0.5
    let even = try format.export(
      ParticleSystem(name: "Fire", emitters: [emitter]), EncodingContext(fileName: "fire.json"))
    #expect(even.losses.contains { $0.loss?.feature == "explos" && $0.rule == .lost })
  }

  @Test(
    "a rate is written as the time between particles",
    arguments: [
      (20.0, 1.0, false, 0.05, nil), (20, 1, true, 50, nil), (20, 3, false, 0.15, nil),
      (0, 1, false, 1e9, "one particle in 1e9 s"), (0, 1, true, 1e9, "one particle in 1e6 s"),
    ])
  func interval(rate: Double, count: Double, isMilliseconds: Bool, time: Double, line: String?) {
    var writer = writer { _ in }
    #expect(
      writer.interval(ofRate: rate, count: count, isMilliseconds: isMilliseconds) == time)
    #expect(writer.losses.map(\.detail) == (line.map { [$0] } ?? []))
  }

  @Test func burstsBesideARateAreDropped() {
    var writer = writer { $0.emission.bursts = [Burst(count: 5)] }
    _ = writer.interval(ofRate: 20)
    #expect(writer.losses.map(\.rule) == [.lost])
    #expect(writer.losses.first?.loss?.path == "emitters[0].emission.bursts")
  }

  @Test(
    "a rate that is no number becomes its mean",
    arguments: [
      (Value.range(10, 30), "the rate cannot be random"),
      (.ramp(.init(low: 10, high: 30, curve: .linear)), "the rate is constant"),
    ])
  func rate(rate: Value, line: String) {
    var writer = writer {
      $0.emission.rate = rate
      $0.emission.probability = 0.5
    }
    #expect(writer.meanRate() == 20)
    #expect(writer.losses.map(\.detail) == [line])
    #expect(writer.plainRate() == 10)
  }

  @Test func spinBecomesAnAngle() {
    func written(isRelative: Bool, _ change: (inout Emitter) -> Void) -> (Track, Rule?) {
      var writer = writer {
        $0.lifetime = 2
        $0.rotation.angle = Track(.range(10, 20))
        change(&$0)
      }
      let track = writer.angleOverLife(isRelative: isRelative)
      return (track, writer.losses.first?.rule)
    }
    let still = written(isRelative: true) { _ in }
    #expect(still == (Track(.range(10, 20)), nil))
    let steady = written(isRelative: true) { $0.rotation.velocity = 90 }
    #expect(steady == (Track(from: .range(10, 20), to: 180, relative: true), .restated))
    let random = written(isRelative: true) {
      $0.rotation.velocity = 90
      $0.lifetime = .range(1, 3)
    }
    #expect(random.1 == .approximated)
    let ends = written(isRelative: false) {
      $0.rotation.velocity = 90
      $0.rotation.acceleration = 10
    }
    #expect(ends == (Track(from: .range(10, 20), to: 215), .approximated))
    let sampled = written(isRelative: true) {
      $0.rotation.velocity = 90
      $0.rotation.acceleration = 10
    }
    #expect(sampled.0.curve.value(at: 1) == 215)
  }

  @Test func aFactorOfTheSpeedBecomesTheSpeed() {
    var writer = writer { $0.motion.speedMode = .multiply }
    let half = Track(from: 1, to: 0.5)
    let speed = writer.speedOverLife(half, from: 100)
    #expect(speed.curve(lifetime: 1).curve.value(at: 1) == 50)
    #expect(writer.losses.map(\.rule) == [.restated])
    var other = self.writer { $0.motion.speedMode = .replace }
    #expect(other.speedOverLife(half, from: 100) == half)
    #expect(other.losses.map(\.rule) == [.dead])
  }

  @Test func sizesThatAreRandomAtBothEndsShareACurve() {
    var writer = writer { $0.size.width = Track(from: .range(1, 3), to: .range(2, 6)) }
    writer.shareSizeOverLife()
    #expect(writer.emitter.size.width.coupled(lifetime: 1) == nil)
    #expect(writer.losses.map(\.detail) == ["particles share the size over life"])
    writer.shareSizeOverLife()
    #expect(writer.losses.count == 1)
  }

  @Test func coloursThatEightBitsCannotHoldAreReported() throws {
    var writer = writer { _ in }
    writer.explainColorDepth(of: [.white, try #require(Color(hexadecimal: "#8040c0"))])
    #expect(writer.losses.isEmpty)
    writer.explainColorDepth(of: [Color(0.3, 0, 0)])
    writer.explainColorDepth(of: [Color(0.3, 0, 0)])
    #expect(writer.losses.map(\.detail) == ["colours have 8 bits a channel"])
  }

  @Test(
    "values at equal distances hold all points, or are a number of values",
    arguments: [
      ([0.0], [0.0], true), ([0, 1], [0, 1], true), ([0.5, 1], [0, 0.5, 1], true),
      ([0, 0.3], [0, 0.25, 0.5, 0.75, 1], false),
    ])
  func equalSteps(times: [Double], written: [Double], isExact: Bool) {
    let steps = writer { _ in }.equalSteps(times, most: 4, otherwise: 5)
    #expect(steps.times == written)
    #expect(steps.isExact == isExact)
  }

  @Test func aLineHasTwoEndsAboutItsCentre() {
    var line = Shape.line(length: 4, angle: 45)
    line.transform.angle = 45
    line.transform.translation = Vector(1, 2)
    #expect(line.lineEnds == [Vector(1, 0), Vector(1, 4)])
  }
}
