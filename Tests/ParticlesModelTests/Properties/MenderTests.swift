import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesModel

/// Effects with any values, made sound.
@Suite("Values that are made sound") struct MenderTests {
  static let seeds: [UInt64] = Sample.of(Array(0..<600), 60)

  private func faults(_ system: ParticleSystem) -> [Diagnostic] {
    system.diagnostics().filter {
      $0.rule == .keys || $0.rule == .range && !($0.expected ?? "").contains("because the mode is")
    }
  }

  @Test("after settling, checks find no value out of range or out of order", arguments: seeds)
  func settled(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    var system = try ParticleSystem(json: random.document())
    let before = faults(system)
    let changes = system.settle()
    #expect(changes.isEmpty == before.isEmpty)
    #expect(faults(system).isEmpty, "\(faults(system))")
    let once = system
    #expect(system.settle().isEmpty && system == once, "one time is enough")
    #expect(try ParticleSystem(decoding: system.encoded()) == system)
  }

  @Test("a sound document stays as it is", arguments: seeds)
  func sound(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let system = try random.validDocument()
    var copy = system
    let changes = copy.settle()
    #expect(changes.isEmpty == faults(system).isEmpty)
    #expect(changes.isEmpty == (copy == system))
  }

  @Test("repairs move numbers to their bounds, and leave other values alone", arguments: seeds)
  func repaired(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    var system = try ParticleSystem(json: random.document())
    let before = Set(faults(system).map { "\($0.location)" })
    let repairs = system.mend()
    let left = Set(faults(system).map { "\($0.location)" })
    #expect(left.isSubset(of: before), "no new ones: \(left.subtracting(before))")
    #expect(repairs.isEmpty || left.count < before.count)
    var again = system
    #expect(again.mend().isEmpty && again == system)
  }

  /// A value of an emitter after settling, and the reported changes.
  private func settled<Value>(
    _ set: (inout Emitter) -> Void, _ get: (Emitter) -> Value
  ) -> (value: Value, lines: [String]) {
    var emitter = Emitter(name: "a")
    set(&emitter)
    var system = ParticleSystem(name: "a", emitters: [emitter])
    let changes = system.settle()
    #expect(faults(system).isEmpty)
    return (get(system.emitters[0]), changes.map { "\($0.kind) \($0.repair)" })
  }

  @Test("bounds, orders and what has no allowed value near it")
  func values() {
    var (interval, lines) = settled(
      { $0.shape.arc = Interval(30, -330) }, { $0.shape.arc })
    #expect(interval == Interval(-330, 30))
    #expect(
      lines == [
        "order emitters[0].shape.arc: fixed: exchanged the ends of [30, -330] [document/range]"
      ])
    (interval, lines) = settled(
      {
        $0.size.width = Track(from: 1, to: 2); $0.size.width.range = Interval(.infinity, -.infinity)
      },
      { $0.size.width.range ?? .unit })
    #expect(
      interval.lower == -.greatestFiniteMagnitude && interval.upper == .greatestFiniteMagnitude)
    #expect(lines.count == 3)

    let chance = settled({ $0.emission.probability = 7 }, { $0.emission.probability })
    #expect(chance.value == 1)
    #expect(
      chance.lines == [
        "bound emitters[0].emission.probability: fixed: limited 7 to 1 [document/range]"
      ])
    let life = settled({ $0.lifetime = -2 }, { $0.lifetime })
    #expect(life.value == 0 && life.lines.first?.hasPrefix("sample ") == true)
    let range = settled({ $0.launch.speed = .range(3, 1) }, { $0.launch.speed })
    #expect(range.value == .range(1, 3))
    let wide = settled({ $0.lifetime = .range(-3, 1) }, { $0.lifetime })
    #expect(wide.value == .range(-3, 1) && wide.lines.isEmpty, "samples are clamped")

    let nothing = settled({ $0.lifetime = .constant(.nan) }, { $0.lifetime })
    #expect(
      nothing.value == Emitter().lifetime && nothing.lines.first?.hasPrefix("replacement") == true)
    let speed = settled({ $0.timing.speed = .nan }, { $0.timing.speed })
    #expect(speed.value == 1)
    let burst = settled(
      { emitter in
        emitter.emission.bursts = [Burst(time: -1, count: 3), Burst(count: .range(.nan, 1))]
        emitter.emission.bursts[0].interval = 0
      }, { $0.emission.bursts })
    #expect(burst.value == [Burst(time: 0, count: 3), Burst(count: 1)])
    let aspect = settled({ $0.size.aspect = .ratio(0) }, { $0.size.aspect })
    #expect(aspect.value == .sprite)
    let direction = settled(
      { $0.launch.direction = Direction(vector: .zero) }, { $0.launch.direction })
    #expect(direction.value == Direction())
    let blend = settled({ $0.render.blend.mode = .custom }, { $0.render.blend })
    #expect(blend.value == Blend())
    let shape = settled(
      {
        $0.shape = Shape(.points)
        $0.shape.positions = [Vector(.nan, 0), Vector(1, 2)]
        $0.shape.normals = [.up, .up]
      }, { $0.shape })
    #expect(shape.value.positions == [Vector(1, 2)] && shape.value.normals.isEmpty)
    #expect(settled({ $0.shape = Shape(.mesh) }, { $0.shape.kind }).value == .point)
    let soft = settled(
      {
        var soft = Softness()
        (soft.near, soft.far) = (3, -1)
        $0.render.soft = soft
      }, { $0.render.soft?.near })
    #expect(soft.value == 0)
    let quaternion = settled(
      { $0.transform.rotation = Quaternion(0, 1e200, 0, -1e200) }, { $0.transform.rotation })
    #expect((quaternion.value.y - 0.5.squareRoot()).magnitude < 1e-9)
    #expect(
      settled({ $0.transform.rotation = Quaternion(0, 0, 0, 0) }, { $0.transform.rotation }).value
        == .identity)
  }

  @Test("keys are sorted, and those without a time are left out")
  func keys() {
    let curve = settled(
      {
        $0.size.width = Track(
          from: 0, to: 1,
          curve: Curve([
            CurveKey(1, 2), CurveKey(.nan, 5), CurveKey(0, .infinity, inSlope: .nan, outSlope: 1),
          ]))
      }, { $0.size.width.curve.keys })
    #expect(
      curve.value == [CurveKey(0, .greatestFiniteMagnitude, outSlope: 1), CurveKey(1, 2)])
    let empty = settled(
      { $0.size.width = Track(from: 0, to: 1, curve: Curve()) }, { $0.size.width.curve })
    #expect(empty.value == .linear)
    let pick = settled(
      { $0.color.base = ColorTrack(.gradient(ColorValue.Pick(Gradient()))) }, { $0.color.base })
    #expect(pick.value == ColorTrack())
    let domain = settled(
      {
        $0.size.width = Track(from: 0, to: 1)
        $0.size.width.over = .speed
        $0.size.width.domain = Interval(2, 2)
      }, { $0.size.width.domain })
    #expect(domain.value == nil)
  }

  @Test("regions are cut to their image, and grids to their places")
  func sprites() {
    var system = ParticleSystem(name: "a", emitters: [])
    system.images = [ImageReference(uri: "Images/a.png")]
    (system.images[0].width, system.images[0].height) = (8, 4)
    system.sprites = (0..<3).map { _ in Sprite(image: 0) }
    system.sprites[0].region = Rectangle(x: 6, y: 0, width: 4, height: 9)
    system.sprites[1].region = Rectangle(x: -1, y: 0, width: 4, height: 2)
    system.sprites[2].grid = SpriteGrid(columns: 2, rows: -1, count: 9)
    #expect(system.settle().count == 4)
    #expect(system.sprites[0].region == Rectangle(x: 6, y: 0, width: 2, height: 4))
    #expect(system.sprites[1].region == Rectangle(x: 0, y: 0, width: 4, height: 2))
    #expect(system.sprites[2].grid == SpriteGrid(columns: 2, rows: 1, count: 2))
    #expect(system.diagnostics().isEmpty)
  }
}
