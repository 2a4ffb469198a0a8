import ParticlesModel
import Testing

@testable import ParticlesSimulation

@Suite("Lines between near particles")
struct LinkLinesTests {
  private static func lines(_ places: [SIMD3<Float>], distance: Double) -> LinkLines {
    let look = Appearance()
    look.count = places.count
    look.x = TrailHistoryTests.column(places.map(\.x))
    look.y = TrailHistoryTests.column(places.map(\.y))
    look.z = TrailHistoryTests.column(places.map(\.z))
    var links = Emitter.Links()
    links.distance = distance
    return LinkLines(links: links, look: look)
  }

  private static func random(_ count: Int, depth: Float) -> [SIMD3<Float>] {
    var numbers = SystemRandomNumberGenerator()
    return (0..<count).map { _ in
      SIMD3(
        Float.random(in: -50...50, using: &numbers), Float.random(in: -50...50, using: &numbers),
        Float.random(in: -1...1, using: &numbers) * depth)
    }
  }

  @Test("the grid finds the pairs that a comparison of all finds", arguments: [Float(0), 50])
  func all(depth: Float) {
    for distance in [0.5, 7, 30, 1_000] {
      let places = Self.random(120, depth: depth)
      let found = Self.lines(places, distance: distance).pairs(atMost: 100_000)
      #expect(!found.isCut)
      var wanted: [[Int]: Double] = [:]
      for first in places.indices {
        for second in places.indices where second > first {
          let way = SIMD3<Double>(places[first]) - SIMD3<Double>(places[second])
          let share = (way * way).sum().squareRoot() / distance
          if share < 1 { wanted[[first, second]] = share }
        }
      }
      #expect(found.pairs.count == wanted.count)
      for pair in found.pairs {
        let share = wanted[[min(pair.first, pair.second), max(pair.first, pair.second)]]
        #expect(share.map { ($0 - pair.share).magnitude < 1e-9 } == true)
      }
    }
  }

  @Test("of more pairs than the limit, the first ones are found, and it is noted")
  func limit() {
    let places = [SIMD3<Float>](repeating: SIMD3(1, 2, 3), count: 100_000)
    let found = Self.lines(places, distance: 5).pairs(atMost: LinkLines.most)
    #expect(found.pairs.count == 20_000 && found.isCut)
    #expect(found.pairs.map { max($0.first, $0.second) }.max() == 200)
    let few = Self.lines(Array(places.prefix(10)), distance: 5).pairs(atMost: 45)
    #expect(few.pairs.count == 45 && !few.isCut)
  }

  @Test(
    "distances and places without bounds find nothing, and do not trap",
    arguments: [0, -1, 1e-300, 1e300, .infinity, .nan] as [Double])
  func wild(distance: Double) {
    let wild: [Float] = [0, 1e38, -1e38, .infinity, -.infinity, .nan]
    let places = wild.flatMap { x in wild.map { SIMD3(x, $0, 0) } }
    let found = Self.lines(places, distance: distance).pairs(atMost: 1_000)
    #expect(found.pairs.allSatisfy { $0.share < 1 })
  }
}
