import Foundation
import ParticlesModel
import Testing

@testable import ParticlesSimulation

@Suite("Trails")
struct TrailHistoryTests {
  /// A column of its own.
  private static func column<Number>(_ numbers: [Number]) -> AppearanceColumn<Number> {
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
