import ParticlesDocuments
import ParticlesImages
import ParticlesModel
import ParticlesRender
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
}
