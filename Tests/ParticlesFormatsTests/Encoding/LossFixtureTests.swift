import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Documents that lose one thing each on their way to SceneKit.
@Suite struct LossFixtureTests {
  @Test(arguments: [Rule.lost, .clamped, .dead, .restated])
  func eachLosesOneThing(rule: Rule) throws {
    let system = try ParticleSystem(decoding: Fixture.read("rules/\(rule.code).json"))
    #expect(system.diagnostics().isEmpty)
    let exported = try ParticleFormat.sceneKit.export(
      system, EncodingContext(fileName: "result.scnp"))
    let lines = exported.losses.filter { $0.loss?.feature != Capability.metadata.id }
    #expect(lines.map(\.rule) == [rule])
  }
}
