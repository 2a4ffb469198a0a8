import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// The identities of the edits of pages, in memory and in the journal.
@Suite("Identities of edits")
struct PageEditsTests {
  /// Makes 1,500 edits of a document, and returns the outcomes of the first one and of the last one, and how many are in memory.
  private func made(_ edits: PageEdits, _ path: String, _ dataFolder: String?) throws -> (
    first: EditOutcome?, last: EditOutcome?, inMemory: Int
  ) {
    let item = "effect"
    _ = edits.begin(item, at: path, in: dataFolder)
    func id(_ number: Int) -> String { "edit-of-a-page-\(number)" }
    for number in 1...1_500 {
      let edit = try EditRequest([
        "item": .string(item), "id": .string(id(number)), "kind": "undo",
      ])
      #expect(
        edits.note(edit, EditOutcome(revision: number), patch: nil, digest: nil) != .failed)
    }
    let inMemory = edits.outcomes.count
    return (edits.outcome(of: id(1)), edits.outcome(of: id(1_500)), inMemory)
  }

  @Test("the journal answers for old ones, of which memory has a thousand at most")
  func journal() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("fire.pex"), [])
    let (first, last, inMemory) = try made(
      PageEdits(), scratch.file("fire.pex"), scratch.file("data"))
    #expect(first?.revision == 1 && last?.revision == 1_500)
    #expect(inMemory <= 1_000)
  }

  @Test("without a journal, memory has all of them")
  func noJournal() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("fire.pex"), [])
    try Files.create(scratch.file("data"), [])
    // A file is where the data folder would be.
    for folder in [nil, scratch.file("data")] {
      let (first, last, inMemory) = try made(PageEdits(), scratch.file("fire.pex"), folder)
      #expect(first?.revision == 1 && last?.revision == 1_500 && inMemory == 1_500)
    }
  }
}
