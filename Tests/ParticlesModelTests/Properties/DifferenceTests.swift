import ParticlesCore
import ParticlesModel
import Testing

@Suite struct DifferenceTests {
  private func paths(_ edit: (inout ParticleSystem) -> Void) -> [String] {
    let system = Self.system
    var other = system
    edit(&other)
    return system.differences(from: other).map(\.path)
  }

  private static let system: ParticleSystem = {
    var emitter = Emitter(name: "fire")
    emitter.launch.speed = .range(10, 20)
    emitter.size.width = Track(from: 0, to: 5, curve: .linear)
    emitter.forces = [.gravity(Vector(0, -10)), .drag(.euler, strength: 2), .gravity(Vector(1, 0))]
    return ParticleSystem(name: "effect", emitters: [emitter, Emitter(name: "smoke")])
  }()

  @Test func nothingDiffersFromItself() { #expect(paths { _ in }.isEmpty) }

  @Test func aDifferenceStandsAtTheInnermostProperty() {
    #expect(paths { $0.emitters[0].launch.speed = 5 } == ["emitters[0].launch.speed"])
    #expect(paths { $0.emitters[0].size.width.to = 6 } == ["emitters[0].size.width.to"])
    #expect(paths { $0.emitters[1].timing.loop = true } == ["emitters[1].timing.loop"])
    #expect(
      paths { $0.emitters[0].size.width.curve = Curve(through: [(0, 0), (1, 2)]) }
        == ["emitters[0].size.width.curve.keys"])
    #expect(paths { $0.seed += 1 } == ["seed"])
  }

  @Test func valuesAreThoseOfBothDocuments() {
    var other = Self.system
    other.emitters[1].lifetime = 7
    let difference = Self.system.differences(from: other).first
    #expect(difference?.old == .int(1))
    #expect(difference?.new == .int(7))
  }

  @Test func roundingIsNoDifferenceAndMoreIs() {
    #expect(paths { $0.emitters[0].launch.speed = .range(10.000_001, 20) }.isEmpty)
    #expect(paths { $0.emitters[0].launch.speed = .range(10.001, 20) }.count == 1)
    // Whole numbers are not rounded.
    var many = Self.system
    many.seed = 9_000_000
    var more = many
    more.seed += 1
    #expect(many.differences(from: more).map(\.path) == ["seed"])
  }

  @Test func objectsThatAreGoneOrNewAreNamed() {
    #expect(paths { $0.emitters[0].forces.remove(at: 1) } == ["emitters[0].forces[1]"])
    #expect(paths { $0.emitters[0].forces.remove(at: 0) } == ["emitters[0].forces[0]"])
    #expect(
      paths { $0.emitters[0].forces.append(Force(.radial, strength: 1)) }
        == ["emitters[0].forces[3]"])
    #expect(paths { $0.emitters[0].flipbook = Flipbook() } == ["emitters[0].flipbook"])
    #expect(paths { $0.emitters.removeLast() } == ["emitters[1]"])
  }

  @Test func whatStandsInNoTableCounts() {
    #expect(paths { $0.emitters[0].extras = "note" } == ["emitters[0].extras"])
    #expect(paths { $0.extensions["X_y"] = .int(1) } == ["extensions"])
  }

  @Test func statedValuesAreThoseOfTheDocument() {
    var system = ParticleSystem(name: "a", emitters: ["b", "c"].map { Emitter(name: $0) })
    system.emitters[1].lifetime = 3
    let json = system.json
    var values = StatedValues(of: system)
    // Twice: the second time, emitters are known.
    for _ in 0..<2 {
      #expect(values.value(at: "") == json)
      #expect(values.value(at: "name") == json.object?["name"])
      #expect(values.value(at: "emitters") == json.object?["emitters"])
      for index in 0..<2 {
        let emitter = json.object?["emitters"]?.array?[index]
        #expect(values.value(at: "emitters[\(index)]") == emitter)
        #expect(values.value(at: "emitters[\(index)].name") == emitter?.object?["name"])
      }
      #expect(
        values.value(at: "emitters[1].lifetime") == system.emitters[1].json.object?["lifetime"])
      for path in [
        "emitters[2]", "emitters[-1]", "emitters[2].name", "emitters.x", "emitters[0].none",
        "emitters[0].name.x", "emitters[0].forces[7]", "none", "name.x", "name[0]",
      ] {
        #expect(values.value(at: path) == nil, "\(path)")
      }
    }
  }

  @Test func appendedEmittersKeepTheirSpritesAndTargets() {
    func effect(_ name: String) -> ParticleSystem {
      var (parent, child) = (Emitter(name: name), Emitter(name: "\(name) child"))
      parent.triggers = [Trigger(.death, emitter: 1)]
      (parent.sprites, child.sprites) = ([0], [1])
      var system = ParticleSystem(name: name, emitters: [parent, child])
      system.images = [ImageReference(uri: "\(name).png"), ImageReference(uri: "\(name)-2.png")]
      system.sprites = [Sprite(image: 1), Sprite(image: 0)]
      return system
    }
    var system = effect("a")
    system.append(effect("b"))
    #expect(system.emitters.map(\.name) == ["a", "a child", "b", "b child"])
    #expect(system.emitters.map(\.sprites) == [[0], [1], [2], [3]])
    #expect(system.sprites.map(\.image) == [1, 0, 3, 2])
    #expect(system.images.map(\.uri) == ["a.png", "a-2.png", "b.png", "b-2.png"])
    #expect(system.emitters.map { $0.triggers.map(\.emitter) } == [[1], [], [3], []])
  }
}
