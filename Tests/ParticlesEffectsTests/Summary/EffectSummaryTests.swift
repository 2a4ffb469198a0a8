import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import Testing

@Suite("Summaries of effects")
struct EffectSummaryTests {
  @Test("duration of effects")
  func duration() throws {
    func duration(_ change: (inout Emitter) -> Void) throws -> Double? {
      var emitter = Emitter(name: "A")
      change(&emitter)
      let system = ParticleSystem(name: "A", emitters: [emitter])
      return try EffectSummary(EffectPackage(system)).duration
    }
    #expect(try duration { _ in } == 0)
    #expect(try duration { $0.emission.rate = 1 } == nil)
    #expect(
      try duration {
        $0.emission.rate = 1
        $0.timing.duration = .range(2, 3)
        $0.timing.delay = 1
      } == 4)
    #expect(
      try duration {
        $0.timing.duration = 2
        $0.timing.loop = true
      } == nil)
    #expect(try duration { $0.emission.bursts = [Burst(time: 1.5, count: 3)] } == 1.5)
    #expect(
      try duration {
        var burst = Burst(count: 3)
        burst.cycles = 0
        $0.emission.bursts = [burst]
      } == nil)
  }
}
