import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import ParticlesRender
import ParticlesSimulation
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesWeb

@Suite("Seamless loops in pages")
struct SeamlessLoopTests {
  private static let frame = 1.0 / 64

  /// An effect that is repeated every two seconds, whose first round is over.
  private func looping(_ template: String) throws -> PlayedEffect {
    let package = try #require(try EffectTemplate.named(template)?.package())
    let effect = try PlayedEffect(package.document(), PlayedEffect.Options())
    try effect.view(.init(width: 64, height: 64))
    effect.repeatSeamlessly(every: 2)
    while effect.time < 8 { effect.advance(by: Self.frame, to: .zero) }
    return effect
  }

  private func pixels(of effect: PlayedEffect) throws -> [UInt8] {
    _ = try effect.paint()
    return try #require(effect.picture).pixels
  }

  private func difference(_ one: [UInt8], _ other: [UInt8]) -> Int {
    zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
  }

  @Test("the picture of a round is that of the round before", arguments: ["fire", "smoke", "rain"])
  func rounds(template: String) throws {
    let effect = try looping(template)
    let first = try pixels(of: effect)
    #expect(effect.shown.count > 1)
    for _ in 0..<128 { effect.advance(by: Self.frame, to: .zero) }
    #expect(effect.time == 10)
    #expect(try pixels(of: effect) == first)
  }

  @Test("pictures change no more at the seam than elsewhere", arguments: ["fire", "smoke", "rain"])
  func seam(template: String) throws {
    let effect = try looping(template)
    for _ in 0..<96 { effect.advance(by: Self.frame, to: .zero) }
    var last = try pixels(of: effect)
    var changes: [Int] = []
    for _ in 0..<64 {
      effect.advance(by: Self.frame, to: .zero)
      let next = try pixels(of: effect)
      changes.append(difference(last, next))
      last = next
    }
    // The round ends after 32 of these frames.
    let atSeam = changes[30...33].max() ?? 0
    let elsewhere = (changes[..<28] + changes[36...]).max() ?? 0
    #expect(atSeam <= elsewhere * 3 / 2, "\(atSeam) at the seam, at most \(elsewhere) elsewhere")
    #expect(elsewhere > 0)
  }

  @Test("a loop is given up")
  func givingUp() throws {
    let effect = try looping("fire")
    effect.repeatSeamlessly(every: 0)
    #expect(effect.time == 0 && effect.shown.count == 1)
    for _ in 0..<300 { effect.advance(by: Self.frame, to: .zero) }
    #expect(effect.shown.count == 1)
  }

  // MARK: Changes

  /// A jet with trails in the world, whose particles live through more than one round.
  private static let jet = """
    {"asset": {"version": "1.0"}, "emitters": [{"space": "world", "emission": {"rate": 24}, "lifetime": 2.5,
      "launch": {"spread": 30, "speed": {"min": 20, "max": 60}}, "size": {"width": 9},
      "forces": [{"type": "gravity", "vector": [0, -30]}],
      "render": {"trail": {"length": 0.4}}}], "preview": {"size": [240, 240]}}
    """

  private func played(_ text: String, rate: Int? = nil) throws -> PlayedEffect {
    let effect = try PlayedEffect(Array(text.utf8), PlayedEffect.Options())
    try effect.view(.init(width: 64, height: 64))
    effect.repeatSeamlessly(every: 2)
    if let rate { try effect.set("emitters[0].emission.rate", to: .int(rate)) }
    return effect
  }

  /// Plays frames while the effect goes along a way that closes after a round. The last frames are drawn, for a
  /// second. A trail is shorter than a second, but its length is known only where frames are drawn.
  private func play(_ effect: PlayedEffect, frames: Int, isMoving: Bool = false) throws {
    for frame in 0..<frames {
      let share = (effect.time + Self.frame).truncatingRemainder(dividingBy: 2) / 2
      let place = ParticleSystem.Vector(isMoving ? 160 * share * (1 - share) : 0, 0, 0)
      effect.advance(by: Self.frame, to: place)
      if frames - frame <= 64 { _ = try effect.paint() }
    }
  }

  @Test("after a change, the loop is that of the changed effect, at the same moment")
  func change() throws {
    let effect = try played(Self.jet)
    try play(effect, frames: 400)
    #expect(effect.time == 6.25)
    try effect.set("emitters[0].emission.rate", to: .int(60))
    #expect(abs(effect.time - 6.25) < 1e-9 && effect.shown.count == 3)
    let fresh = try played(Self.jet, rate: 60)
    #expect(fresh.seek(6.25, most: .max))
    #expect(try pixels(of: effect) == pixels(of: fresh))
    // Particles that cannot go on with other numbers are no reason to begin again.
    try effect.set("emitters[0].size.width", to: ["min": .int(4), "max": .int(9)])
    #expect(abs(effect.time - 6.25) < 1e-9 && effect.shown.count == 3)
  }

  @Test(
    "rounds of moving effects and of trails are those before, also after a change",
    arguments: [false, true])
  func movingRounds(isMoving: Bool) throws {
    let (effect, other) = (try played(Self.jet), try played(Self.jet, rate: 60))
    try play(effect, frames: 512, isMoving: isMoving)
    let before = try pixels(of: effect)
    try play(effect, frames: 128, isMoving: isMoving)
    #expect(try pixels(of: effect) == before && effect.time == 10)
    try effect.set("emitters[0].emission.rate", to: .int(60))
    try play(effect, frames: 512, isMoving: isMoving)
    try play(other, frames: 1152, isMoving: isMoving)
    #expect(abs(effect.time - 18) < 1e-9 && other.time == 18)
    // Moments that are sums of other steps differ in their last bits.
    let (one, two) = (try pixels(of: effect), try pixels(of: other))
    #expect(one != before && difference(one, two) <= 64 * 64, "\(difference(one, two))")
  }

  @Test("a late moment has the particles of all rounds, and is that of any later round")
  func lateMoments() throws {
    let effect = try played(Self.jet)
    #expect(effect.seek(4.25, most: .max))
    let (first, count) = (try pixels(of: effect), effect.shown.count)
    #expect(count == 3)
    for round in [3.0, 32, 200] {
      #expect(effect.seek(round * 2 + 0.25, most: .max))
      #expect(effect.shown.count == count && abs(effect.time - (round * 2 + 0.25)) < 1e-9)
      #expect(try pixels(of: effect) == first)
    }
    // Playing to a time gives equal pictures, except for the last bits of sums.
    let other = try played(Self.jet)
    while other.time < 8.25 { other.advance(by: Self.frame, to: .zero) }
    #expect(
      other.shown.count == count && abs(other.simulation.count - effect.simulation.count) <= 1)
  }

  @Test("rounds share the work of a step, and the time before the start is simulated once")
  func work() throws {
    let text = Self.jet.replacing(
      "\"rate\": 24}", with: "\"rate\": 24}, \"timing\": {\"prewarm\": 20}")
    let effect = try played(text)
    for _ in 0..<130 { effect.advance(by: Self.frame, to: .zero) }
    #expect(effect.shown.count == 2 && effect.simulation.count < 4)
    for _ in 0..<318 { effect.advance(by: Self.frame, to: .zero) }
    // 2.5 s of particles.
    #expect((58...62).contains(effect.shown.reduce(0) { $0 + $1.count }))
    var loop = SeamlessLoop()
    #expect(loop.overlap(of: effect.system) == 1)
    loop.length = 2
    #expect(loop.overlap(of: effect.system) == 3)
    loop.length = 0.1
    #expect(loop.overlap(of: effect.system) == 26)
    var endless = effect.system
    endless.emitters[0].lifetime = 1e9
    #expect(loop.overlap(of: endless) == SeamlessLoop.mostRounds)
  }

  @Test("a moving effect ends a round where it is at the seam, also in the middle of a step")
  func movingSeam() throws {
    let still = """
      {"asset": {"version": "1.0"}, "emitters": [{"lifetime": 9, "emission": {"rate": 200},
      "launch": {"speed": 0}}]}
      """
    for share in [0.25, 0.5, 1] {
      let effect = try played(still)
      effect.repeatSeamlessly(every: 2)
      while effect.time < 1.75 { effect.advance(by: Self.frame, to: .zero) }
      // The seam is at this share of the step.
      effect.advance(by: 0.25 / share, to: ParticleSystem.Vector(100, 0, 0))
      #expect(effect.shown.count == 2)
      let places = effect.shown.map { simulation in
        let look = Appearance()
        simulation.appearance(ofEmitter: 0, into: look)
        return look.x.numbers.prefix(look.count).map(Double.init)
      }
      // Relative to the effect.
      let seam = 100 * share - 100
      #expect(places[0].allSatisfy { $0 <= seam + 0.1 } && places[0].contains { $0 > seam - 10 })
      #expect(places[1].allSatisfy { $0 >= seam - 0.1 })
      #expect(share == 1 || places[1].contains { $0 < seam + 10 })
    }
  }

  @Test("a loop of long rounds goes on with its particles after a change")
  func longRounds() throws {
    let effect = try played(Self.jet)
    effect.repeatSeamlessly(every: 40)
    #expect(effect.seek(41, most: .max))
    let alive = effect.shown.map(\.count)
    try effect.set("emitters[0].emission.rate", to: .int(0))
    #expect(effect.shown.map(\.count) == alive && abs(effect.time - 41) < 1e-9)
  }

  @Test("the player has the bounds of the module")
  func bounds() throws {
    let script = String(
      decoding:
        try Files.read(Repository.path("Sources/ParticlesWeb/Player/playback.js")), as: UTF8.self)
    let (least, most) = (SeamlessLoop.lengths.lowerBound, Int(SeamlessLoop.lengths.upperBound))
    #expect(script.contains("[shortestRound, longestRound] = [\(least), \(most)]"))
    #expect(script.contains("const completeRound = \(SeamlessLoop.mostRounds);"))
  }
}
