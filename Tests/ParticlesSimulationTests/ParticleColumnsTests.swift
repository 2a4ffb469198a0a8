import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesSimulation

/// Columns beside an array of equal particles.
@Suite("Columns of particles")
struct ParticleColumnsTests {
  @Test(
    "removal keeps the others in order, whether old or new particles are removed",
    arguments: [5, 6])
  func removal(width: Int) {
    var generator = SeededGenerator(seed: 3)
    let columns = ParticleColumns(width: width)
    columns.hasDepth = true
    var model: [UInt64] = []
    var next: UInt64 = 0
    let team = WorkerTeam(threads: 3)
    for round in 0..<400 {
      let count = Int.random(in: 0...90, using: &generator)
      // Some at once, and some one by one.
      if round % 5 == 0 {
        columns.append(count, from: next, on: round % 2 == 0 ? team : nil)
      }
      for index in 0..<count {
        let place =
          round % 5 == 0 ? model.count : columns.append(ordinal: next)
        for column in 0..<width { columns[column][place] = Self.number(next, column) }
        model.append(next)
        next += 1
        guard place == model.count - 1 else {
          Issue.record("round \(round): particle \(index) is at \(place)")
          return
        }
      }
      // Mostly old ones in some rounds, mostly new ones in others, anything in the rest.
      let places = model.indices.filter { place in
        let share = Double(place) / Double(model.count)
        let chance = round % 3 == 0 ? (1 - share) * 0.2 : round % 3 == 1 ? share * 0.2 : 0.07
        return Double.random(in: 0..<1, using: &generator) < chance
      }
      places.withUnsafeBufferPointer { columns.remove($0, on: round % 2 == 0 ? team : nil) }
      for place in places.reversed() { model.remove(at: place) }
      guard columns.count == model.count, Self.agree(columns, model, width) else {
        Issue.record("round \(round)")
        return
      }
    }
    let all = Array(model.indices)
    all.withUnsafeBufferPointer { columns.remove($0) }
    #expect(columns.count == 0)
  }

  @Test("removal from more particles than the caches hold")
  func many() {
    let columns = ParticleColumns(width: 4)
    columns.hasDepth = true
    let count = 300_000
    for ordinal in 0..<UInt64(count) {
      let place = columns.append(ordinal: ordinal)
      columns[3][place] = Float(ordinal)
    }
    // The old ones move up, and then the new ones down.
    let dead = [1, 2, 40, 100_000, 200_000, 270_000, 299_990]
    Array(dead[..<5]).withUnsafeBufferPointer { columns.remove($0) }
    [dead[5] - 5, dead[6] - 5].withUnsafeBufferPointer { columns.remove($0) }
    let kept = (0..<UInt64(count)).filter { !dead.contains(Int($0)) }
    #expect(columns.count == kept.count)
    #expect(kept.indices.allSatisfy { columns.ordinals[$0] == kept[$0] })
    #expect(kept.indices.allSatisfy { columns[3][$0] == Float(kept[$0]) })
  }

  @Test("chunks have every place once, in equal parts for threads", arguments: [1, 2, 3])
  func division(threads: Int) {
    let columns = ParticleColumns(width: 4)
    for ordinal in 0..<9_000 { _ = columns.append(ordinal: UInt64(ordinal)) }
    // Columns begin in the middle of a cache line then.
    [0, 1, 2, 3, 4].withUnsafeBufferPointer { columns.remove($0) }
    for first in [0, 1, 8, 17, 5_000, 8_994, 8_995] {
      for end in [first, first + 1, 8_995, 5_000_000] where end >= first {
        let chunks = Chunk.Division(first..<end, of: columns, threads: threads)
        let places = (0..<chunks.count).map { chunks[$0] }
        let most = end > 8_995 ? Chunk.largeSize : Chunk.size
        #expect(places.allSatisfy { !$0.isEmpty && $0.count <= most })
        #expect(zip(places, places.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect((places.first?.lowerBound ?? first) == first)
        #expect((places.last?.upperBound ?? end) == end)
        // All but the outer ones are whole cache lines, in every column.
        #expect(places.dropFirst().allSatisfy { ($0.lowerBound + 5) % ParticleColumns.line == 0 })
        if end - first > 4_000 {
          let part = (end - first) / threads
          #expect((places.count + threads - 1) / threads * chunks.size <= part + part / 64 + 48)
        }
      }
    }
  }

  private static func number(_ ordinal: UInt64, _ column: Int) -> Float {
    Float(ordinal) * 8 + Float(column)
  }

  private static func agree(
    _ columns: ParticleColumns, _ model: [UInt64], _ width: Int
  ) -> Bool {
    model.indices.allSatisfy { place in
      columns.ordinals[place] == model[place]
        && (1..<width).allSatisfy { columns[$0][place] == number(model[place], $0) }
    }
  }
}
