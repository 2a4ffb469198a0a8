import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesRender

@Suite("Times of frames")
struct FrameTimingTests {
  @Test("delays of GIF are at least 2, none is late by more than 1, and the total is true")
  func hundredths() {
    for rate in [
      0.5, 1, 7, 10, 12, 15, 23.976, 24, 25, 29.97, 30, 33, 48, 50, 59.94, 60, 90, 120, 1000,
    ] {
      for count in [1, 2, 3, 10, 59, 60, 61, 240] {
        let timing = FrameTiming(count: count, rate: rate)
        let items = DelaySchedule(timing, unit: 100, least: 2).items
        let sum = items.reduce(0) { $0 + $1.delay }
        let exact = timing.total * 100
        #expect(abs(Double(sum) - max(exact, 2)) <= 0.5 + 1e-9, "\(count) at \(rate)")
        #expect(items.allSatisfy { $0.delay >= 2 })
        #expect(items.first?.frame == 0)
        #expect(zip(items, items.dropFirst()).allSatisfy { $0.frame < $1.frame })
        var start = 0
        for item in items {
          #expect(abs(Double(start) - Double(item.frame) * 100 / rate) <= 1 + 1e-6)
          start += item.delay
        }
        // No frame is left out without need.
        if rate <= 50 { #expect(items.count == count, "\(count) at \(rate)") }
      }
    }
  }

  @Test("60 frames per second become 50: every sixth frame is left out")
  func sixty() {
    let items = DelaySchedule(FrameTiming(count: 60, rate: 60), unit: 100, least: 2).items
    #expect(items.count == 50)
    #expect(items.allSatisfy { $0.delay == 2 })
    let steps = zip(items, items.dropFirst()).map { $1.frame - $0.frame }
    #expect(steps.allSatisfy { $0 <= 2 })
  }

  @Test("30 frames per second: delays of 3 and 4 are spread evenly")
  func thirty() {
    let items = DelaySchedule(FrameTiming(count: 30, rate: 30), unit: 100, least: 2).items
    #expect(items.prefix(6).map(\.delay) == [3, 4, 3, 3, 4, 3])
  }

  @Test("own durations")
  func durations() {
    let timing = FrameTiming(durations: [0.1, 0.005, 0.005, 0.005, 0.1, 0.2])
    let items = DelaySchedule(timing, unit: 100, least: 2).items
    #expect(items.reduce(0) { $0 + $1.delay } == 42)
    #expect(items.map(\.frame) == [0, 1, 4, 5] && items.map(\.delay) == [10, 2, 10, 20])
    #expect(timing.starts.count == 7)
  }

  @Test("durations are exact fractions")
  func fractions() {
    func fraction(_ timing: FrameTiming) -> [Int] {
      let fraction = timing.fraction(of: 0)
      return [Int(fraction.numerator), Int(fraction.denominator)]
    }
    for rate in [1, 2, 3, 7, 12, 24, 30, 50, 60, 144, 1000] {
      #expect(fraction(FrameTiming(count: 2, rate: Double(rate))) == [1, rate])
    }
    #expect(fraction(FrameTiming(count: 2, rate: 29.97)) == [100, 2997])
    #expect(fraction(FrameTiming(count: 2, rate: 30000 / 1001)) == [1001, 30000])
    #expect(fraction(FrameTiming(durations: [2.5])) == [5, 2])
    #expect(fraction(FrameTiming(durations: [655.35])) == [13107, 20])
    for duration in [0.0012345, 3.14159265, 0.1 + 0.2, 600.123] {
      let fraction = FrameTiming(durations: [duration]).fraction(of: 0)
      let value = Double(fraction.numerator) / Double(fraction.denominator)
      #expect(abs(value - duration) < 2e-5 * duration)
    }
  }

  @Test("durations and numbers out of range are errors")
  func ranges() {
    for rate in [0, -1, .nan, .infinity, 1001, 0.001] {
      expectThrows(.imageOutput) { try FrameTiming(count: 2, rate: rate).check(.standard) }
    }
    for durations in [[], [0.1, 0], [0.1, 700], [.nan]] {
      expectThrows(.imageOutput) { try FrameTiming(durations: durations).check(.standard) }
    }
    expectThrows(.imageOutput) { try FrameTiming(count: -3, rate: 30).check(.standard) }
    expectThrows(.limit) { try FrameTiming(count: 65_536, rate: 60).check(.standard) }
    var limits = Limits()
    limits.frames = 65_536
    #expect(throws: Never.self) { try FrameTiming(count: 65_536, rate: 60).check(limits) }
  }
}
