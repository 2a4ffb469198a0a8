import Testing

@testable import ParticlesBench

@Suite struct FigureTests {
  @Test(
    arguments: [
      ([], nil), ([3], 3), ([9, 1, 2], 2), ([4, 1, 2, 9], 3),
    ] as [([Double], Double?)])
  func median(values: [Double], expected: Double?) {
    #expect(Sample.median(values) == expected)
  }

  @Test func memoryIsJudgedByItsWorst() {
    let samples = [5, 40, 6].map { Sample(wall: 1, processor: 1, memory: $0) }
    #expect(Sample.median(of: samples)?.memory == 40)
  }

  @Test(arguments: [
    (0.0000000372, "37.2 ns"), (0.0000009996, "1.00 µs"), (0.0000145, "14.5 µs"),
    (0.00012, "120 µs"), (0.0009996, "1.00 ms"), (0.0123, "12.3 ms"),
    (0.37, "370 ms"), (8.314, "8.31 s"),
  ])
  func times(seconds: Double, text: String) {
    #expect(Text.time(seconds) == text)
  }

  @Test(arguments: [
    (1.25, 1, "1.3"), (-0.04, 1, "0.0"), (-2.5, 2, "-2.50"), (3.004, 3, "3.004"), (7, 0, "7"),
  ])
  func decimals(value: Double, digits: Int, text: String) {
    #expect(Decimal.fixed(value, digits) == text)
  }

  @Test func columnsAreAligned() {
    var table = TextTable(right: [1])
    table.add(["a", "1", ""])
    table.add(["bcd", "10"])
    #expect(table.text == "a     1\nbcd  10\n")
  }

  @Test(
    arguments: [
      (Goal.find(.pack, .big, peer: "zip -6"), 1, 6.5, 1, true),
      (Goal.find(.pack, .big, peer: "zip -6"), 1, 6.4, 1, false),
      (Goal.find(.pack, .big, peer: "zip -6"), 1, 9, 1.01, false),
      (Goal.find(.list, .tiny, peer: "true"), 0.0015, 0.0005, nil, true),
      (Goal.find(.list, .tiny, peer: "true"), 0.0016, 0.0005, nil, false),
      (Goal.find(.replace, .many, peer: "cp"), 1.2, 1, nil, true),
      (Goal.find(.append, .big, peer: nil), 0.0003, nil, nil, true),
      (Goal.find(.appendSynced, .tiny, peer: "sqlite3 -A"), 2, 1, nil, false),
    ] as [(Goal?, Double, Double?, Double?, Bool)])
  func goals(goal: Goal?, ours: Double, theirs: Double?, size: Double?, met: Bool) throws {
    let goal = try #require(goal)
    #expect(goal.isMet(ours: ours, theirs: theirs, sizeRatio: size) == met)
  }
}
