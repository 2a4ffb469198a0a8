import Foundation
import ParticlesModel
import Testing

@testable import ParticlesSimulation

@Suite("Trails")
struct TrailHistoryTests {
  /// A column of its own.
  static func column<Number>(_ numbers: [Number]) -> AppearanceColumn<Number> {
    let memory = Memory<Number>(numbers.count)
    _ = memory.buffer.initialize(from: numbers)
    guard let base = memory.buffer.baseAddress else { return AppearanceColumn() }
    return AppearanceColumn(UnsafePointer(base), count: numbers.count, of: memory)
  }

  private final class Memory<Number> {
    let buffer: UnsafeMutableBufferPointer<Number>

    init(_ count: Int) { buffer = .allocate(capacity: count) }

    deinit { buffer.deallocate() }
  }

  @Test("points of a trail are those that were recorded, the end in between")
  func trailPoints() {
    var trail = Emitter.Trail()
    trail.length = 1
    let history = TrailHistory(trail)
    let look = Appearance()
    look.count = 1
    look.ordinal = Self.column([3])
    let zero = Self.column([Float(0)])
    (look.z, look.velocityX, look.velocityY, look.velocityZ) = (zero, zero, zero, zero)
    for frame in 0...20 {
      // Half a second to the right, then up.
      let time = Double(frame) / 10
      look.x = Self.column([Float(min(time, 1.3))])
      look.y = Self.column([Float(max(0, time - 1.3))])
      history.record(look, at: time)
    }
    let points = history.points(of: 3, age: 10, at: 2)
    #expect(points.first?.share == 0 && points.last?.share == 1)
    #expect((points.last!.place.x - 1).magnitude < 1e-6)
    #expect(points.contains { ($0.place.x - 1.3).magnitude < 1e-6 && $0.place.y.magnitude < 1e-6 })
    #expect(history.points(of: 4, age: 10, at: 2).isEmpty)
    // An end between two samples.
    let short = history.points(of: 3, age: 0.25, at: 2)
    #expect(short.last?.share == 0.25)
    #expect((short.last!.place.y - 0.45).magnitude < 1e-5)
    for frame in 0...5_000 { history.record(look, at: 2 + Double(frame) / 1_000) }
    #expect(history.points(of: 3, age: 10, at: 7).count <= 52)
  }

  @Test(
    "a trail that is longer than any life or run keeps its shape, in a bounded number of points",
    arguments: [
      (length: 1e9, life: 2.0), (length: 1e9, life: 1e9), (length: 5_000, life: .infinity),
    ])
  func longTrail(_ item: (length: Double, life: Double)) {
    var trail = Emitter.Trail()
    trail.length = item.length
    let history = TrailHistory(trail, longestLife: item.life)
    let look = Appearance()
    look.count = 1
    look.ordinal = Self.column([3])
    let zero = Self.column([Float(0)])
    (look.z, look.velocityX, look.velocityY, look.velocityZ) = (zero, zero, zero, zero)
    for frame in 0...60 {
      // Half a circle.
      let angle = Double.pi * Double(frame) / 60
      look.x = Self.column([Float(cos(angle))])
      look.y = Self.column([Float(sin(angle))])
      history.record(look, at: Double(frame) / 30)
    }
    let points = history.points(of: 3, age: 2, at: 2)
    #expect(points.count >= 9 && !history.isReduced)
    #expect(points.contains { $0.place.y > 0.98 })
    for frame in 61...20_000 { history.record(look, at: Double(frame) / 30) }
    #expect(history.points(of: 3, age: 600, at: 20_000 / 30.0).count <= 102)
  }

  @Test("trails of many particles have fewer points, which is noted")
  func manyTrails() {
    var trail = Emitter.Trail()
    trail.length = 1
    let history = TrailHistory(trail, mostOfAll: 100)
    let look = Appearance()
    (look.count, look.ordinal) = (10, Self.column((0..<10).map { UInt64($0) }))
    let zero = Self.column([Float](repeating: 0, count: 10))
    (look.x, look.y, look.z) = (zero, zero, zero)
    (look.velocityX, look.velocityY, look.velocityZ) = (zero, zero, zero)
    for frame in 0...60 { history.record(look, at: Double(frame) / 60) }
    #expect(history.isReduced)
    #expect(history.points(of: 3, age: 10, at: 1).count <= 14)
  }

  @Test("time that runs backwards begins new trails")
  func restart() {
    var trail = Emitter.Trail()
    trail.length = 1
    let history = TrailHistory(trail)
    let look = Appearance()
    look.count = 1
    look.ordinal = Self.column([3])
    let zero = Self.column([Float(0)])
    (look.y, look.z, look.velocityX, look.velocityY, look.velocityZ) = (
      zero, zero, zero, zero, zero
    )
    look.x = zero
    history.record(look, at: 0.2)
    history.record(look, at: 2)
    look.x = Self.column([Float(5)])
    history.record(look, at: 0.5)
    let points = history.points(of: 3, age: 10, at: 0.5)
    #expect(!points.isEmpty && points.allSatisfy { $0.place.x == 5 })
  }
}

extension TrailHistoryTests {
  /// A particle at a place on the axis x, with a velocity along it.
  private static func look(_ x: Double, velocity: Double = 0) -> Appearance {
    let look = Appearance()
    (look.count, look.ordinal) = (1, column([3]))
    (look.x, look.velocityX) = (column([Float(x)]), column([Float(velocity)]))
    let zero = column([Float(0)])
    (look.y, look.z, look.velocityY, look.velocityZ) = (zero, zero, zero, zero)
    return look
  }

  private static func history(_ length: Double, life: Double = .infinity) -> TrailHistory {
    var trail = Emitter.Trail()
    trail.length = length
    return TrailHistory(trail, longestLife: life)
  }

  @Test(
    "the end of a trail is between the two samples around it, also when older ones are dropped",
    arguments: [0.3, 0.26, 0.7, 1.3])
  func oldestSample(step: Double) {
    let history = Self.history(1)
    let place: (Double) -> Double = { $0 * $0 }
    for frame in 0...40 {
      let time = Double(frame) * step
      // Without a velocity, nothing is gained from the sample that is left.
      history.record(Self.look(place(time)), at: time)
      guard time >= 1 else { continue }
      let points = history.points(of: 3, age: 1e3, at: time)
      let end = (time - 1) / step
      let (before, behind) = (end.rounded(.down), end.rounded(.down) + 1)
      let expected =
        place(before * step) + (place(behind * step) - place(before * step)) * (end - before)
      #expect(points.last?.share == 1, "\(time)")
      #expect(((points.last?.place.x ?? .nan) - expected).magnitude < 1e-3, "\(time)")
      // The samples in between are all there, from the particle on.
      #expect(points.count == Int((1 / step).rounded(.down)) + 2 || step > 1 && points.count == 2)
      for (first, second) in zip(points, points.dropFirst()) { #expect(first.share < second.share) }
    }
  }

  @Test(
    "before the first sample, a trail goes on against the velocity, as far as the particle is old")
  func beginning() {
    let history = Self.history(1)
    history.record(Self.look(5, velocity: 2), at: 0.5)
    let points = history.points(of: 3, age: 0.25, at: 0.5)
    #expect(points.map(\.share) == [0, 0.25] && points.map(\.place.x) == [5, 4.5])
    #expect(history.points(of: 3, age: 9, at: 0.5).map(\.place.x) == [5, 3])
    history.record(Self.look(6, velocity: 9), at: 1)
    #expect(history.points(of: 3, age: 9, at: 1).map(\.place.x) == [6, 5, 4])
    #expect(history.points(of: 3, age: 0, at: 1).isEmpty)
    #expect(history.points(of: 3, age: -1, at: 1).isEmpty)
  }

  @Test("places are relative to an origin, which may move")
  func origin() {
    let history = Self.history(10)
    for frame in 0...4 {
      let time = Double(frame)
      history.record(Self.look(1), at: time, from: SIMD3(time, 2 * time, -time))
    }
    let points = history.points(of: 3, age: 4, at: 4)
    let expected = (0...4).reversed().map { step -> SIMD3<Double> in
      let number = Double(step)
      return SIMD3<Double>(1 + number, 2 * number, -number)
    }
    #expect(points.map(\.place) == expected)
  }

  @Test("particles that are gone leave no samples; a number that is used again begins anew")
  func gone() {
    let history = Self.history(10)
    history.record(Self.look(1), at: 0)
    let none = Appearance()
    history.record(none, at: 1)
    #expect(history.points(of: 3, age: 5, at: 1).isEmpty)
    history.record(Self.look(7), at: 2)
    #expect(history.points(of: 3, age: 5, at: 2).allSatisfy { $0.place.x == 7 })
  }

  @Test("a history goes on as one of the same time alone")
  func continued() {
    let history = Self.history(1, life: 5)
    #expect(history.continued(as: Self.history(1, life: 5)) === history)
    #expect(history.continued(as: Self.history(2, life: 5)) == nil)
    #expect(history.continued(as: Self.history(1, life: 6)) == nil)
    #expect(
      history.continued(as: TrailHistory(Emitter.Trail(), longestLife: 5, mostOfAll: 3)) == nil)
  }
}
