import ParticlesModel
import Testing

/// The lists of the parameters of kinds and the tables of properties have equal keys.
@Suite struct ParametersTests {
  @Test func shapes() {
    let common: Set = [
      "type", "placement", "distribution", "sweep", "transform", "extent", "offset",
    ]
    #expect(ShapeKind.allParameters.union(common) == Set(Shape.keys))
    #expect(ShapeKind.allParameters.isDisjoint(with: common))
  }

  @Test func forces() {
    let common: Set = ["type", "space"]
    #expect(ForceKind.allParameters.union(common) == Set(Force.keys))
    #expect(ForceKind.allParameters.isDisjoint(with: common))
  }

  @Test func whatAKindDoesNotUseIsIgnored() {
    #expect(Shape(.line).ignores("radius") && !Shape(.line).ignores("length"))
    #expect(!Shape(.line).ignores("sweep") && !Shape(.line).ignores("x-unknown"))
    #expect(Force(.noise).ignores("law") && !Force(.noise).ignores("octaves"))
    #expect(Force.drag(.euler, strength: 1).ignores("limit"))
    #expect(!Force.drag(.limit, strength: 1).ignores("limit"))
  }
}
