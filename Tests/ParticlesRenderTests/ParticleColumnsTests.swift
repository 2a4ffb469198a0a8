import ParticlesTestSupport
import Testing

@testable import ParticlesRender

/// Columns beside an array of the same particles.
@Suite("Columns of particles")
struct ParticleColumnsTests {
  @Test("removal keeps the others in order, whether old or new particles are removed")
  func removal() {
    var generator = SeededGenerator(seed: 3)
    let columns = ParticleColumns(width: 5)
    columns.hasDepth = true
    var model: [UInt64] = []
    var next: UInt64 = 0
    var holes: UnsafeMutableBufferPointer<Int>?
    defer { holes?.deallocate() }
    for round in 0..<400 {
      // Some are appended while the holes of the round before are open.
      for _ in 0..<Int.random(in: 0...90, using: &generator) {
        let place = columns.append(ordinal: next)
        for column in 0..<5 { columns[column][place] = Self.number(next, column) }
        model.append(next)
        next += 1
      }
      columns.closeUp()
      holes?.deallocate()
      // Mostly old ones in some rounds, mostly new ones in others, anything in the rest.
      let places = model.indices.filter { place in
        let share = Double(place) / Double(model.count)
        let chance = round % 3 == 0 ? (1 - share) * 0.2 : round % 3 == 1 ? share * 0.2 : 0.07
        return Double.random(in: 0..<1, using: &generator) < chance
      }
      let kept = UnsafeMutableBufferPointer<Int>.allocate(capacity: places.count)
      _ = kept.initialize(fromContentsOf: places)
      holes = kept
      columns.removeLater(UnsafeBufferPointer(kept))
      if round % 4 == 0 { columns.closeUp() }
      for place in places.reversed() { model.remove(at: place) }
      guard columns.count == model.count, columns.openPlaces > 0 || Self.agree(columns, model)
      else {
        Issue.record("round \(round)")
        return
      }
    }
    columns.closeUp()
    #expect(Self.agree(columns, model))
    let all = Array(model.indices)
    all.withUnsafeBufferPointer { columns.remove($0) }
    #expect(columns.count == 0)
  }

  private static func number(_ ordinal: UInt64, _ column: Int) -> Float {
    Float(ordinal) * 8 + Float(column)
  }

  private static func agree(_ columns: ParticleColumns, _ model: [UInt64]) -> Bool {
    model.indices.allSatisfy { place in
      columns.ordinals[place] == model[place]
        && (1..<5).allSatisfy { columns[$0][place] == number(model[place], $0) }
    }
  }
}
