import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesTestSupport
import Testing

/// What a document keeps of its edits, over a long time of editing.
@Suite("Memory of edits")
struct EditMemoryTests {
  @Test("the list of undo is a plateau: edits beyond its bound need no memory")
  func plateau() throws {
    var history = EditHistory<EffectPackage>()
    history.maximumCount = 100
    var package = try EffectTemplate.fire.package()
    var sizes: [Int] = []
    for number in 1...600 {
      let old = package
      try package.editValid { try $0.set("emitters[0].emission.rate", value: .int(100 + number)) }
      history.add(from: old, to: package, name: "Rate")
      if number % 200 == 0 { sizes.append(history.memory) }
    }
    #expect(history.undoCount == 100)
    #expect(Set(sizes).count == 1, "\(sizes)")
    // An edit of one number is stored as the bytes that changed, not as a document.
    #expect(history.memory < 100 * 512)
  }
}
