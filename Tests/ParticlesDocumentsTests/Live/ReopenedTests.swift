import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesTestSupport
import Testing

/// Edits of documents that are closed and opened again while the program runs.
@Suite("Undo after closing")
struct ReopenedTests {
  private let folder: LiveFolder
  private let registry = DocumentRegistry()

  init() throws { folder = try LiveFolder() }

  private func text(_ name: String) async throws -> Document<PlainText> {
    let document = try await registry.document(
      PlainText.self, at: folder.path(name), configuration: folder.quiet)
    try await document.open()
    return document
  }

  @Test("a document that nobody keeps has its steps when it is opened again")
  func steps() async throws {
    try folder.write("a\nb\nc\n", to: "a.txt")
    do {
      let document = try await text("a.txt")
      try await document.edit("First") { $0.text = "A\nb\nc\n" }
      try await document.edit("Last") { $0.text = "A\nb\nC\n" }
      try await document.undo()
      try await document.close()
    }
    #expect(await registry.documents.isEmpty)
    let document = try await text("a.txt")
    #expect(await document.states == [])
    #expect(await document.undoNames == ["First"])
    #expect(await document.redoName == "Last")
    #expect(try await document.redo() == 1)
    #expect(try await document.undo(2) == 2)
    #expect(try await document.text == "a\nb\nc\n")
    try await document.close()
    #expect(try folder.read("a.txt") == "a\nb\nc\n")
  }

  @Test("what another program has stored meanwhile stays, and ends undo where both touch a line")
  func outside() async throws {
    try folder.write("a\nb\nc\n", to: "a.txt")
    let first = try await text("a.txt")
    try await first.edit("First") { $0.text = "A\nb\nc\n" }
    try await first.close()
    try folder.write("A\nb\nC\n", to: "a.txt")
    let second = try await text("a.txt")
    #expect(await second.states == [])
    #expect(try await second.undo() == 1)
    #expect(try await second.text == "a\nb\nC\n")
    try await second.redo()
    try await second.close()
    try folder.write("x\nb\nC\n", to: "a.txt")
    let third = try await text("a.txt")
    #expect(await third.undoName == nil)
    #expect(await third.states == [])
    try await third.close()
  }

  @Test("unsaved steps come back with the contents of the recovery journal")
  func recovered() async throws {
    try folder.write("0", to: "a.txt")
    let first = try await text("a.txt")
    try await first.edit("First") { $0.text = "1" }
    try await first.save()
    try await first.edit("Second") { $0.text = "2" }
    try await first.closeIntoRecovery()
    let second = try await text("a.txt")
    #expect(try await second.text == "1")
    #expect(await second.undoNames == ["First"])
    #expect(await second.redoName == "Second")
    try await second.recover(try #require(try await second.left()))
    #expect(try await second.text == "2")
    #expect(await second.undoNames == ["First", "Second"])
    #expect(await second.states == .changed)
    try await second.close()
    #expect(try folder.read("a.txt") == "2")
    #expect(try RecoveryStore(dataFolder: folder.data).entries().isEmpty)
  }

  @Test("the steps of the last 32 documents are kept")
  func bounded() async throws {
    for number in 0..<34 {
      try folder.write("0", to: "\(number).txt")
      let document = try await text("\(number).txt")
      try await document.edit("Edit") { $0.text = "1" }
      try await document.close()
    }
    for (number, isKept) in [(0, false), (1, false), (2, true), (33, true)] {
      let document = try await text("\(number).txt")
      #expect(await (document.undoName != nil) == isKept, "\(number)")
      try await document.close()
    }
  }

  @Test("a file that was replaced by contents of another kind has no steps")
  func otherKind() async throws {
    let path = folder.path("a.particles")
    try folder.fire().container.write(to: path, as: .flat)
    do {
      let document = try await registry.document(
        EffectPackage.self, at: path, configuration: folder.quiet)
      try await document.open()
      try await document.edit("Seed") { try $0.apply("seed=5") }
      try await document.close()
    }
    try folder.write("text", to: "a.particles")
    let document = try await text("a.particles")
    #expect(await document.undoName == nil)
    try await document.close()
  }
}
