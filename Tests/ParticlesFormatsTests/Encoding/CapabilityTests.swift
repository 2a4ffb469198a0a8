import ParticlesFormats
import Testing

@Suite struct CapabilityTests {
  @Test func everyCapabilityHasANameOfItsOwn() {
    #expect(Set(Capability.all.map(\.id)).count == Capability.all.count)
    #expect(Capability.all.allSatisfy { !$0.title.isEmpty })
  }

  @Test func whoeverWritesHasAColumnWithoutContradictions() {
    for format in FormatRegistry.standard.formats where !format.isArchive {
      #expect((format.capabilities != nil) == format.canWrite, "\(format.name)")
      guard let capabilities = format.capabilities else { continue }
      #expect(capabilities.exact.isDisjoint(with: capabilities.approximated), "\(format.name)")
      let known = Set(Capability.all)
      #expect(capabilities.exact.union(capabilities.approximated).isSubset(of: known))
    }
  }

  /// A partly supported property is not called exact: SceneKit loses the place and the hollow of a
  /// shape in space, and a format without depth knows its shadow at best.
  @Test func noFormatSaysAllOfAShapeInSpace() {
    #expect(ParticleFormat.sceneKit.capabilities?[.shape3D] == .approximated)
    #expect(ParticleFormat.cocos2d.capabilities?[.shape3D] == .approximated)
    #expect(ParticleFormat.spriteKit.capabilities?[.shape3D] == .approximated)
  }
}
