import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import Testing

/// Random values and places that a format states in another way: the result looks nearly alike, and the
/// test measures it.
@Suite("Restated values")
struct ReplacedValueTests {
  private typealias Conversion = (difference: EffectDifference, losses: [Diagnostic], text: String)

  private static func converted(
    to target: String, _ change: (inout Emitter) -> Void
  ) throws -> Conversion {
    let format = try #require(FormatRegistry.standard[target])
    return try ReplacedPropertyTests.converted(
      ReplacedPropertyTests.fountain(.plane, change), to: format)
  }

  private static func expect(
    _ result: Conversion, _ aspects: [EffectDifference.Aspect], below limit: Double,
    location: SourceLocation = #_sourceLocation
  ) {
    for aspect in aspects {
      #expect(
        (result.difference.aspects[aspect] ?? 1) < limit, "\(result.difference.aspects)",
        sourceLocation: location)
    }
  }

  /// Without a random size, the variety would be 0.3.
  @Test(
    "sizes that are random at both ends vary as much",
    arguments: ["quarks", "pixi", "pixi-legacy", "phaser", "love"])
  func sizes(target: String) throws {
    let result = try Self.converted(to: target) {
      $0.size.width = Track(from: .range(6, 18), to: .range(12, 24))
    }
    Self.expect(result, [.size], below: 0.03)
    Self.expect(result, [.variety], below: target == "phaser" ? 0.15 : 0.05)
  }

  /// LÖVE picks the start and the end of each particle between both sizes.
  @Test("a size that is random only once varies in LÖVE")
  func size() throws {
    let result = try Self.converted(to: "love") { $0.size.width = Track(.range(6, 18)) }
    Self.expect(result, [.size], below: 0.03)
    Self.expect(result, [.variety], below: 0.12)
    #expect(result.text.contains("setSizeVariation(1)"))
    let line = try #require(result.losses.first { $0.loss?.feature == "sizeSE" })
    #expect(line.rule == .approximated)
  }

  @Test("colours that are random at both ends vary as much in three.quarks")
  func colors() throws {
    let result = try Self.converted(to: "quarks") {
      var start = ColorValue.Range(Color(0.2, 0.4, 0, 0.1), Color(0.8, 0.6, 0.4, 0.3))
      start.mode = .channels
      var end = start
      (end.min, end.max) = (Color(0, 0.5, 0.5, 0.5), Color(0.4, 0.9, 1, 0.9))
      $0.color.base = ColorTrack(from: .range(start), to: .range(end))
    }
    Self.expect(result, [.color, .opacity], below: 0.03)
    Self.expect(result, [.variety], below: 0.1)
  }

  @Test("one of several colours becomes a range in three.quarks")
  func choice() throws {
    let result = try Self.converted(to: "quarks") {
      $0.color.base = ColorTrack(
        .choice(
          ColorValue.Choice([Color(0.9, 0.3, 0.5), Color(0.5, 0.7, 0.5), Color(0.3, 0.5, 0.7)]))
      )
    }
    Self.expect(result, [.color, .variety], below: 0.03)
  }

  /// A third of the particles has a lifetime below 0.
  @Test(
    "particles with a lifetime below 0 are not emitted",
    arguments: ["quarks", "love", "phaser", "defold", "tsparticles"])
  func lives(target: String) throws {
    let result = try Self.converted(to: target) { $0.lifetime = .range(-1, 2) }
    Self.expect(result, [.count], below: 0.06)
    let line = try #require(result.losses.first { $0.loss?.path == "emitters[0].lifetime" })
    #expect(line.rule == .approximated && line.loss?.recipe == "0.67 of the particles")
  }

  /// In a frame, 33 would be emitted.
  @Test("a total of less than two frames is a burst", arguments: ["love", "quarks"])
  func total(target: String) throws {
    let result = try Self.converted(to: target) {
      ($0.emission.rate, $0.emission.total) = (2_000, 10)
    }
    Self.expect(result, [.count], below: 0.06)
    #expect(result.losses.contains { $0.loss?.feature == "total" && $0.loss?.recipe == "a burst" })
  }

  /// 100 places for lives of a second in the mean are filled by 100 particles per second.
  @Test("particles with a lifetime below 0 take no place of a capacity")
  func places() throws {
    let result = try Self.converted(to: "quarks") {
      ($0.emission.rate, $0.lifetime) = (40_000, .range(-2, 2))
      ($0.emission.maxAlive, $0.emission.whenFull) = (100, .wait)
    }
    // It takes two seconds until as many are alive.
    Self.expect(result, [.count], below: 0.45)
  }

  @Test(
    "drag by frames is a limit of the speed in three.quarks",
    arguments: [DragLaw.perFrame60, .exponential])
  func drag(law: DragLaw) throws {
    let result = try Self.converted(to: "quarks") {
      $0.forces = [.drag(law, strength: law == .perFrame60 ? 0.05 : 3)]
    }
    Self.expect(result, [.position, .spread], below: 0.05)
  }

  @Test("directions from a line are a cone from its side in three.quarks", arguments: [90, 40])
  func line(angle: Double) throws {
    let result = try Self.converted(to: "quarks") {
      $0.shape = .rect(width: 200, height: 0)
      $0.shape.transform.angle = angle - 90
      $0.launch.direction = Direction(angle: .constant(angle))
      $0.launch.spread = 15
    }
    Self.expect(result, [.position, .spread], below: 0.06)
    #expect(result.losses.contains { $0.loss?.recipe == "a cone" })
  }

  /// The sector has the height 60. Without a rectangle, a whole circle would emit the particles.
  @Test("a sector of a circle becomes a rectangle", arguments: ["pixi", "pixi-legacy", "love"])
  func sector(target: String) throws {
    let result = try Self.converted(to: target) {
      $0.shape = .ellipse(60, 60)
      $0.shape.arc = Interval(80, 100)
      $0.launch.direction = Direction(.normal)
      $0.launch.spread = 0
    }
    Self.expect(result, [.spread], below: 0.08)
    // LÖVE centres its area at the emitter.
    if target != "love" { Self.expect(result, [.position], below: 0.06) }
  }

  /// The mean distance is 2/3 and the mean square 1/2. The component along the axis of a half disc has the mean
  /// 2/3 · 2/π.
  @Test("the rectangle of a sector has its mean and its deviations")
  func rectangle() {
    var half = Shape.ellipse(1, 1)
    half.arc = Interval(0, 180)
    let up = half.squared
    let mean = 4 / (3 * Double.pi)
    #expect((up.transform.translation.y - mean).magnitude < 1e-9)
    #expect(up.transform.translation.x.magnitude < 1e-9)
    #expect((up.size.x - 3.0.squareRoot()).magnitude < 1e-9)
    #expect((up.size.y - (3 - 12 * mean * mean).squareRoot()).magnitude < 1e-9)
    half.arc = Interval(0, 270)
    #expect(half.squared == half)
  }
}
