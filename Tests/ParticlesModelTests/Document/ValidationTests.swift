import ParticlesCore
import ParticlesModel
import Testing

/// A test per rule.
struct ValidationTests {
  /// The findings in a document with an image, a sprite and an emitter that `change` spoils.
  private func findings(_ change: (inout ParticleSystem) -> Void) -> [String] {
    var system = ParticleSystem(name: "Test", emitters: [Emitter(name: "one")])
    system.images = [ImageReference(uri: "Images/spark.png")]
    system.sprites = [Sprite(image: 0)]
    change(&system)
    return system.diagnostics().map { "\($0.location) \($0.severity) \($0.rule.code)" }
  }

  @Test func aSoundDocumentIsNotTalkedAbout() {
    #expect(findings { _ in } == [])
  }

  @Test func range() {
    #expect(
      findings { $0.emitters[0].emission.explosiveness = 2 } == [
        "emitters[0].emission.explosiveness error document/range"
      ])
    #expect(
      findings { $0.emitters[0].lifetime = .range(3, 2) } == [
        "emitters[0].lifetime.max error document/range"
      ])
    #expect(
      findings { $0.emitters[0].lifetime = .oneOf([1, 2], weights: [1]) } == [
        "emitters[0].lifetime.weights error document/range"
      ])
    #expect(
      findings { $0.emitters[0].lifetime = .oneOf([]) } == [
        "emitters[0].lifetime.oneOf error document/range"
      ])
    #expect(
      findings { $0.emitters[0].render.blend.mode = .custom } == [
        "emitters[0].render.blend.src error document/range",
        "emitters[0].render.blend.dst error document/range",
      ])
    #expect(
      findings { $0.emitters[0].transform.rotation.w = 3 } == [
        "emitters[0].transform.rotation error document/range"
      ])
    #expect(
      findings { $0.emitters[0].size.width.range = Interval(2, 1) } == [
        "emitters[0].size.width.range error document/range"
      ])
    #expect(
      findings { $0.emitters[0].launch.direction = Direction(vector: .zero) } == [
        "emitters[0].launch.direction.vector error document/range"
      ])
  }

  @Test func constantsThatAreClampedAreAWarningAndRangesNothing() {
    #expect(
      findings { $0.emitters[0].lifetime = -1 } == ["emitters[0].lifetime warning document/range"])
    #expect(findings { $0.emitters[0].lifetime = .range(-1, 1) } == [])
  }

  @Test func reference() {
    #expect(
      findings { $0.sprites[0].image = 1 } == ["sprites[0].image error document/reference"])
    #expect(
      findings { $0.emitters[0].sprites = [0, -1] } == [
        "emitters[0].sprites[1] error document/reference"
      ])
    #expect(
      findings { $0.emitters[0].triggers = [Trigger(.death, emitter: 7)] } == [
        "emitters[0].triggers[0].emitter error document/reference"
      ])
    #expect(findings { $0.roots = [0, 1] } == ["roots[1] error document/reference"])
    #expect(
      findings { $0.emitters[0].shape.mesh = 0 } == [
        "emitters[0].shape.mesh error document/reference"
      ])
  }

  @Test(arguments: ["../up.png", "/etc/passwd", "http://example.org/a.png", "a//b", "", "a\\b"])
  func addressesStayInThePackage(uri: String) {
    #expect(
      findings { $0.images[0].uri = uri } == ["images[0].uri error document/reference"])
  }

  @Test func circles() {
    #expect(
      findings {
        $0.emitters += [Emitter(name: "two"), Emitter(name: "three")]
        $0.emitters[0].triggers = [Trigger(.death, emitter: 1), Trigger(.birth, emitter: 2)]
        $0.emitters[1].triggers = [Trigger(.death, emitter: 2)]
      } == [])
    #expect(
      findings {
        $0.emitters += [Emitter(name: "two")]
        $0.emitters[0].triggers = [Trigger(.death, emitter: 1)]
        $0.emitters[1].triggers = [Trigger(.death, emitter: 0), Trigger(.death, emitter: 1)]
      } == [
        "emitters[1].triggers[0].emitter error document/reference",
        "emitters[1].triggers[1].emitter error document/reference",
      ])
  }

  @Test func longChainsOfEmittersNeedNoStack() {
    var emitters = [Emitter](repeating: Emitter(), count: 20_000)
    for index in 0..<19_999 { emitters[index].triggers = [Trigger(.death, emitter: index + 1)] }
    #expect(ParticleSystem(name: "chain", emitters: emitters).diagnostics().isEmpty)
  }

  @Test func keys() {
    #expect(
      findings { $0.emitters[0].size.width = Track(from: 0, to: 1, curve: Curve()) } == [
        "emitters[0].size.width.curve.keys error document/keys"
      ])
    #expect(
      findings {
        $0.emitters[0].size.width.curve = Curve(through: [(0, 1), (0.5, 1), (0.4, 1)])
      } == ["emitters[0].size.width.curve.keys[2] error document/keys"])
    #expect(
      findings { $0.emitters[0].color.base.gradient = Gradient() } == [
        "emitters[0].color.base.gradient.keys error document/keys"
      ])
    #expect(
      findings {
        $0.emitters[0].color.base.gradient = Gradient(
          [GradientKey(1, .white), GradientKey(0, .clear)])
      } == ["emitters[0].color.base.gradient.keys[1] error document/keys"])
  }

  @Test func unknownKey() {
    #expect(
      findings { $0.emitters[0].timing.additions["dealy"] = .int(1) } == [
        "emitters[0].timing.dealy note document/unknown-key"
      ])
    #expect(findings { $0.emitters[0].timing.extras = .int(1) } == [])
  }
}
