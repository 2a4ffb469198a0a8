import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesRender
import Testing

/// Effects with one change each, whose difference follows from the definition in
/// `Spec/conversion/README.md`.
@Suite("Differences of effects")
struct EffectMeterTests {
  /// A fountain: fading particles that fly up and fall.
  private static func fountain() -> Emitter {
    var emitter = Emitter(name: "Fountain")
    emitter.emission.rate = 60
    emitter.lifetime = .range(1, 1.5)
    emitter.launch.direction = Direction(angle: 90)
    emitter.launch.spread = 20
    emitter.launch.speed = .range(150, 200)
    emitter.forces = [.gravity(Vector(0, -150, 0))]
    emitter.size.width = 12
    emitter.rotation.angle = 30
    emitter.color.base = ColorTrack(.constant(Color(1, 0.5, 0)))
    return emitter
  }

  private static let meter = Result { try EffectMeter(system(fountain())) }

  private static func system(_ emitters: Emitter...) -> ParticleSystem {
    ParticleSystem(name: "Fountain", emitters: emitters)
  }

  private func difference(_ change: (inout Emitter) -> Void) -> EffectDifference {
    var emitter = Self.fountain()
    change(&emitter)
    do {
      return try Self.meter.get().difference(from: Self.system(emitter))
    } catch {
      Issue.record(error)
      return EffectDifference()
    }
  }

  private func expect(
    _ difference: EffectDifference, _ aspect: EffectDifference.Aspect, _ number: Double,
    within tolerance: Double = 0.01, location: SourceLocation = #_sourceLocation
  ) {
    let found = difference.aspects[aspect] ?? -1
    #expect(
      (found - number).magnitude <= tolerance, "\(aspect) \(found) of \(difference.aspects)",
      sourceLocation: location)
  }

  @Test("an effect does not differ from itself")
  func same() {
    #expect(difference { _ in }.whole == 0)
  }

  @Test("each aspect has the number that its definition gives")
  func aspects() {
    expect(difference { $0.emission.rate = 30 }, .count, 0.5)
    expect(difference { $0.size.width = 6 }, .size, 0.5)
    expect(difference { $0.size.width = 48 }, .size, 0.75)
    expect(difference { $0.color.opacity = 0.75 }, .opacity, 0.25)
    expect(difference { $0.color.base = ColorTrack(.constant(Color(1, 0.2, 0))) }, .color, 0.3)
    // Mean directions of length 1 at a distance of 1, and one of length 0.
    expect(difference { $0.rotation.angle = 90 }, .rotation, 0.5)
    expect(difference { $0.rotation.angle = Track(.range(0, 360)) }, .rotation, 0.5, within: 0.02)
    // The mean of 4 to 20 is 12, and its standard deviation 16 / √12 = 4.62, a third of 13 or so.
    let varied = difference { $0.size.width = Track(.range(4, 20)) }
    expect(varied, .variety, 0.385, within: 0.02)
    expect(varied, .size, 0, within: 0.02)
  }

  @Test("a change shows in its own aspects only")
  func separation() {
    let changes: [(EffectDifference.Aspect, (inout Emitter) -> Void)] = [
      (.count, { $0.emission.rate = 30 }), (.size, { $0.size.width = 6 }),
      (.opacity, { $0.color.opacity = 0.5 }), (.rotation, { $0.rotation.angle = 90 }),
      (.blending, { $0.render.blend = Blend(.add) }),
    ]
    for (aspect, change) in changes {
      let difference = difference(change)
      #expect(difference.greatest == aspect)
      // The size of a particle is a part of the extent.
      for (other, number) in difference.aspects where other != aspect {
        #expect(number < 0.03, "\(aspect): \(other) \(number)")
      }
    }
  }

  @Test("places count by the extent of the effect, not by the unit")
  func scale() throws {
    let wider = difference { $0.launch.spread = 40 }
    #expect((wider.aspects[.spread] ?? 0) > 0.05)
    let large = try EffectMeter(Self.system(Self.fountain()).scaled(by: 1000))
    var emitter = Self.fountain()
    emitter.launch.spread = 40
    let difference = try large.difference(from: Self.system(emitter).scaled(by: 1000))
    expect(difference, .spread, wider.aspects[.spread] ?? 0, within: 0.002)
    let meter = try EffectMeter(Self.system(Self.fountain()), length: 0.01)
    #expect(try meter.difference(from: Self.system(Self.fountain()).scaled(by: 0.01)).whole < 0.005)
  }

  @Test("blending and adding differ, and particles that cannot be seen do not count")
  func appearance() throws {
    let adding = difference { $0.render.blend = Blend(.add) }
    #expect((adding.aspects[.blending] ?? 0) > 0.2)
    // The second half of life is invisible in both.
    var (hidden, short) = (Self.fountain(), Self.fountain())
    hidden.lifetime = 2
    hidden.color.opacity = Track(
      from: 0, to: 1,
      curve: Curve(through: [(time: 0, value: 1), (time: 0.5, value: 0), (time: 1, value: 0)]))
    short.lifetime = 1
    short.color.opacity = Track(
      from: 0, to: 1, curve: Curve(through: [(time: 0, value: 1), (time: 1, value: 0)]))
    let difference = try EffectMeter(Self.system(hidden)).difference(from: Self.system(short))
    #expect(difference.whole < 0.02, "\(difference.aspects)")
  }

  @Test("an emitter that is missing counts by its share of the picture")
  func emitters() throws {
    var spark = Self.fountain()
    spark.emission.rate = 6
    let meter = try EffectMeter(Self.system(Self.fountain(), spark))
    let without = try meter.difference(from: Self.system(Self.fountain()))
    // A share of 1 in 11 of the squares.
    expect(without, .count, 0.3, within: 0.02)
    #expect(try meter.difference(from: Self.system(spark)).whole > 0.5)
  }

  @Test("effects that emit after the first five seconds are compared later")
  func late() throws {
    var emitter = Self.fountain()
    emitter.timing.delay = 8
    let meter = try EffectMeter(Self.system(emitter))
    #expect(meter.isEmitting)
    emitter.size.width = 6
    expect(try meter.difference(from: Self.system(emitter)), .size, 0.5)
    emitter.emission.rate = 0
    #expect(try !EffectMeter(Self.system(emitter)).isEmitting)
  }

  /// In the second half, one particle of twice the size is beside a hundred: a weight of 2 · 100 / 101. With the
  /// mean of the numbers, 50.5, the difference would be 0.58.
  @Test("a few particles on one side count little")
  func weights() throws {
    func system(_ second: Double, _ width: Track) -> ParticleSystem {
      var emitter = Emitter(name: "Bursts")
      emitter.emission.rate = 0
      emitter.emission.bursts = [Burst(count: 100)]
      var later = Burst(count: .constant(second))
      later.time = 1
      emitter.emission.bursts.append(later)
      (emitter.timing.duration, emitter.timing.loop) = (2, false)
      emitter.lifetime = 1
      emitter.size.width = width
      return ParticleSystem(name: "Bursts", emitters: [emitter])
    }
    var twice = Track(from: 12, to: 24, curve: Curve([CurveKey(0, 0), CurveKey(0.55, 1)]))
    (twice.curve.interpolation, twice.over) = (.step, .emitter)
    let difference = try EffectMeter(system(100, 12)).difference(from: system(1, twice))
    let weight = 2.0 * 100 / 101
    expect(difference, .size, (weight / (100 + weight)).squareRoot(), within: 0.02)
  }

  /// Four particles in a line, at 256 runs.
  private static func sparks(_ place: Double = 0) -> ParticleSystem {
    var emitter = Emitter(name: "Sparks")
    emitter.emission.rate = 0
    emitter.emission.bursts = [Burst(count: 4)]
    (emitter.timing.duration, emitter.timing.loop) = (1, false)
    emitter.lifetime = 10
    emitter.launch.speed = 0
    emitter.shape = .rect(width: 100, height: 0)
    emitter.shape.transform.translation = Vector(place, 0)
    emitter.size.width = 1
    var system = ParticleSystem(name: "Sparks", emitters: [emitter])
    system.asset.dimension = .plane
    return system
  }

  /// The mean of 1,024 places has the standard error 100 / √12 / √1024 = 0.9, and the difference of two means
  /// 1.28, of an extent of 116.5. The standard error of the deviation is √0.2 of this, of a quarter of the extent.
  @Test("the standard error of no difference is that of its scatter")
  func error() throws {
    let scatter = (0.2).squareRoot() * 1.28 / (116.5 / 4)
    for seed in [UInt64(1), 2_001, 4_001, 6_001] {
      let difference = EffectDifference(
        try EffectRecord.bursts(Self.sparks(), from: seed),
        try EffectRecord.bursts(Self.sparks(), from: seed + 1_000))
      #expect(difference.error > scatter / 4, "\(difference.error)")
      #expect(difference.error < 1.5 * scatter, "\(difference.error)")
    }
  }

  /// Both sides have equal particles, but moved: their distance does not vary, but the extent does.
  @Test("the standard error includes that of the scale")
  func scaleError() throws {
    let records = try [0.0, 50].map { try EffectRecord.bursts(Self.sparks($0), from: 1) }
    #expect(EffectDifference(records[0], records[1]).error < 1e-6)
    let difference = EffectDifference(records[0], records[1], estimatesError: true)
    expect(difference, .position, 50 / 116.5, within: 0.02)
    // Of the deviation of 1,024 places, √(0.2 / 1024).
    let scatter = 50 / 116.5 * (0.2 / 1_024).squareRoot()
    #expect(difference.error > scatter / 4 && difference.error < 2 * scatter, "\(difference.error)")
  }

  @Test("disjoint sets of seeds show no difference, also of rare particles and bursts")
  func noise() throws {
    var sparse = Self.fountain()
    sparse.emission.rate = 2
    var burst = Self.fountain()
    burst.emission.rate = 0
    burst.emission.bursts = [Burst(time: 0.5, count: 5)]
    for emitter in [Self.fountain(), sparse, burst] {
      let meter = try EffectMeter(Self.system(emitter))
      let difference = try meter.stableDifference(from: Self.system(emitter), firstSeed: 5_001)
      #expect(difference.whole <= 0.02, "\(difference.aspects)")
    }
  }
}

extension EffectRecord {
  /// 256 runs in 8 groups.
  fileprivate static func bursts(
    _ system: ParticleSystem, from seed: UInt64
  ) throws -> [EffectRecord] {
    var plan = ParticleStatistics.Plan()
    (plan.seeds, plan.firstSeed, plan.frames, plan.every) = (256, seed, 60, 20)
    return try runs(of: system, profile: system.asset.profile, plan: plan, groups: 8)
  }
}
