import ParticlesModel
import Testing

@testable import ParticlesSimulation

/// Where the law of an engine clamps: samples or results, of sizes and of colours.
@Suite("Clamped samples of the simulation")
struct ClampedSampleTests {
  /// Each law, with the least size of its engine.
  static let laws: [(Profile, EngineLaw.Clamping)] = [
    (.neutral, .result), (.cocos2d, .samples), (.cocos2dX, .samples), (.starling, .sizeSamples),
  ]

  private static func look(
    _ profile: Profile, at time: Double = 1e-6, _ change: (inout Emitter) -> Void
  ) -> Appearance {
    var emitter = Emitter(name: "test")
    emitter.emission.bursts = [Burst(count: 500)]
    emitter.lifetime = 2
    change(&emitter)
    let system = ParticleSystem(name: "test", emitters: [emitter])
    let simulation = Simulation(system, profile: profile, seed: 5, capacity: 1_000)
    simulation.advance(by: time)
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    return look
  }

  @Test("the table has a law of each kind")
  func table() {
    for (profile, clamping) in Self.laws where profile != .neutral {
      #expect(profile.law?.clamping == clamping)
    }
  }

  /// Half of the samples are below the bound: they are at it, and none is beyond.
  @Test(
    "samples of colours are within 0 and 1, in each form",
    arguments: [
      ColorValue.range(Color(-1, -1, -1, -1), Color(1, 1, 1, 1)),
      .range(Color(0, 0, 0, 0), Color(2, 2, 2, 2)),
      .range(Color(-2, -2, -2, -2), Color(3, 3, 3, 3)),
      .constant(Color(-1, 0.5, 2, 7)), .range(Color(-1, -1, -1, -1), Color(2, 2, 2, 2), .line),
    ])
  func colors(value: ColorValue) {
    for (profile, clamping) in Self.laws {
      let look = Self.look(profile) { $0.color.base = ColorTrack(value) }
      #expect(look.count == 500)
      for column in [look.red, look.green, look.blue, look.alpha] {
        let numbers = column.map { $0 }
        let isInside = numbers.allSatisfy { (0...1).contains($0) }
        if clamping == .sizeSamples {
          // Drawing clamps the samples. The simulation does not change them.
          continue
        }
        #expect(isInside, "\(profile) \(value)")
      }
    }
  }

  @Test("a colour that changes goes on from the clamped sample")
  func colorChange() {
    func red(_ profile: Profile) -> Double {
      Double(
        Self.look(profile, at: 1) {
          $0.color.base = ColorTrack(.constant(Color(-1, 0, 0, 1)))
          $0.color.base.to = .constant(Color(1, 0, 0, 1))
        }.red[0])
    }
    // In the middle: from 0 to 1, or from −1 to 1.
    #expect((red(.cocos2d) - 0.5).magnitude < 0.02)
    #expect(red(.neutral).magnitude < 0.02)
  }

  @Test("samples of sizes are not below the least one")
  func sizes() {
    for (profile, clamping) in Self.laws {
      let least = Float(profile.law?.leastSize ?? 0)
      let look = Self.look(profile) { $0.size.width = Track(.range(-4, 4)) }
      let widths = look.width.map { $0 }
      #expect(widths.allSatisfy { $0 >= least - 1e-6 && $0 <= 4.0001 }, "\(profile)")
      let share = Double(widths.count { $0 <= least + 1e-6 }) / Double(widths.count)
      #expect((share - (0.5 + Double(least) / 8)).magnitude < 0.1, "\(profile): \(share)")
      // In the middle of its life: from the clamped sample, or from the sample.
      let middle = Self.look(profile, at: 1) {
        $0.size.width = Track(from: -4, to: 4)
      }.width[0]
      let expected = clamping == .result ? 0 : (Double(least) + 4) / 2
      #expect((Double(middle) - expected).magnitude < 0.1, "\(profile): \(middle)")
    }
  }

  @Test("a track has its own range within the bounds of its property")
  func ranges() {
    for (range, expected) in [
      (Interval(-2, 0.25), 0.25), (Interval(0.75, 5), 0.75), (Interval(0.4, 0.6), 0.5),
    ] {
      let look = Self.look(.neutral) {
        $0.color.opacity = Track(0.5)
        $0.color.opacity.range = range
      }
      #expect((Double(look.alpha[0]) - expected).magnitude < 1e-6)
    }
  }
}
