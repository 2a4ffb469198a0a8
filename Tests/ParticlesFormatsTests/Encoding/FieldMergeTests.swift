import ParticlesFormats
import Testing

@Suite struct FieldMergeTests {
  private typealias Merge = FieldMerge<String, Double>

  private func merge(
    _ source: Merge.Fields, then: Merge.Fields, now: Merge.Fields
  ) -> Merge { Merge(source: source, then: then, now: now) }

  private func text(_ merge: Merge) -> String {
    merge.fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  @Test func whatSaysTheSameStaysAsItStands() {
    // The source spells 1 as 1.25, say because it is a float: nobody edited it.
    let merge = merge(
      [("b", 1.25), ("a", 2)], then: [("a", 2), ("b", 1)], now: [("a", 2), ("b", 1)])
    #expect(merge.isUnchanged && merge.changed.isEmpty)
    #expect(text(merge) == "b=1.25 a=2.0")
  }

  @Test func onlyWhatWasEditedChanges() {
    let merge = merge(
      [("b", 1.25), ("a", 2)], then: [("a", 2), ("b", 1)], now: [("a", 3), ("b", 1)])
    #expect(text(merge) == "b=1.25 a=3.0")
    #expect(merge.changed == ["a"] && !merge.isUnchanged)
  }

  @Test func unknownKeysStay() {
    let merge = merge([("x", 9), ("a", 2)], then: [("a", 2)], now: [("a", 3)])
    #expect(text(merge) == "x=9.0 a=3.0")
  }

  @Test func whatTheSourceLeavesOutIsLeftOutUntilItIsEdited() {
    #expect(
      text(merge([("a", 1)], then: [("a", 1), ("b", 0)], now: [("a", 1), ("b", 0)])) == "a=1.0")
    #expect(
      text(merge([("a", 1)], then: [("a", 1), ("b", 0)], now: [("a", 1), ("b", 5)]))
        == "a=1.0 b=5.0")
  }

  @Test func whatTheEffectNoLongerSaysGoes() {
    let merge = merge([("a", 1), ("b", 2)], then: [("a", 1), ("b", 2)], now: [("a", 1)])
    #expect(text(merge) == "a=1.0")
    #expect(merge.changed == ["b"])
  }

  @Test func aNewValueTakesTheTypeOfTheOld() {
    let merge = FieldMerge<String, String>(
      source: [("a", "float 1")], then: [("a", "1")], now: [("a", "2")],
      adapt: { new, old in old.hasPrefix("float") ? "float \(new)" : new })
    #expect(merge.fields.map(\.value) == ["float 2"])
  }
}
