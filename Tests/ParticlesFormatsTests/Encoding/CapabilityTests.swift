import ParticlesFormats
import Testing

@Suite struct CapabilityTests {
  @Test func everyCapabilityHasANameOfItsOwn() {
    #expect(Set(Capability.all.map(\.id)).count == Capability.all.count)
    #expect(Capability.all.allSatisfy { !$0.title.isEmpty })
  }

  @Test func whoeverWritesHasAColumnWithoutContradictions() {
    for format in ParticleFormat.all where !format.isArchive {
      #expect((format.abilities != nil) == format.canWrite, "\(format.name)")
      guard let abilities = format.abilities else { continue }
      #expect(abilities.exact.isDisjoint(with: abilities.approximated), "\(format.name)")
      let known = Set(Capability.all)
      #expect(abilities.exact.union(abilities.approximated).isSubset(of: known))
    }
  }
}
