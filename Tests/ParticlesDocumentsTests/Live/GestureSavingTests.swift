import ParticlesEffects
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
@testable import ParticlesDocuments
import ParticlesTestSupport
import Testing

/// Automatic saves while gestures begin and end: unsaved changes are always planned to be saved.
@Suite("Saves of gestures")
struct GestureSavingTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  private func open(autosave: DocumentConfiguration.Autosave = .off) async throws -> Document<
    PlainText
  > {
    try folder.write("0", to: "x.txt")
    var configuration = folder.quiet
    configuration.autosave = autosave
    let document = folder.text("x.txt", configuration)
    try await document.open()
    return document
  }

  @Test(
    "a drag back to where it began, saved there, ends without unsaved changes",
    arguments: [true, false])
  func back(isCancelled: Bool) async throws {
    let document = try await open()
    let drag = try await document.beginGesture("Drag")
    try await document.change(drag) { $0.text = "1" }
    try await document.change(drag) { $0.text = "0" }
    try await document.autosave()
    #expect(await document.states == [])
    if isCancelled { await document.cancel(drag) } else { try await document.end(drag) }
    #expect(await document.states == [])
    #expect(await document.undoNames == [])
    try await document.close()
  }

  @Test(
    "a drag back that was saved in the middle is saved after its end", arguments: [true, false])
  func middle(isCancelled: Bool) async throws {
    let document = try await open(autosave: .inPlace(seconds: 0.01))
    let drag = try await document.beginGesture("Drag")
    try await document.event({ if case .saved = $0 { true } else { false } }) {
      try await document.change(drag) { $0.text = "1" }
    }
    #expect(try folder.read("x.txt") == "1")
    try await document.event({ if case .states([]) = $0 { true } else { false } }) {
      try await document.change(drag) { $0.text = "0" }
      if isCancelled { await document.cancel(drag) } else { try await document.end(drag) }
    }
    while await document.hasUnsavedChanges { try await Task.sleep(nanoseconds: 5_000_000) }
    #expect(try folder.read("x.txt") == "0")
    try await document.close()
  }

  /// Waits until the recovery journal has a text, and the automatic save that kept it is over.
  private func expectKept(_ text: String, of document: Document<PlainText>) async throws {
    let journal = RecoveryStore(dataFolder: folder.data)
    func kept() -> [UInt8]? {
      try? journal.entries().first.flatMap { try journal.contents(of: $0).regularFileContents() }
    }
    let deadline = Deadline(seconds: 30)
    while kept() != Array(text.utf8), !deadline.isOver {
      try await Task.sleep(nanoseconds: 2_000_000)
    }
    while await !document.hasKept, !deadline.isOver {
      try await Task.sleep(nanoseconds: 2_000_000)
    }
    #expect(kept() == Array(text.utf8))
  }

  @Test("an undo to the saved state beneath a drag plans that the journal keeps the drag")
  func beneathJournal() async throws {
    let document = try await open(autosave: .recovery(seconds: 0.01))
    try await document.edit("First") { $0.text = "1" }
    try await document.save()
    let drag = try await document.beginGesture("Drag")
    try await document.change(drag) { $0.text += "a" }
    try await expectKept("1a", of: document)
    try await document.edit("Second") { $0.text = "2" }
    try await expectKept("2a", of: document)
    // Without the drag, this is the saved text, and needs no save.
    try await document.undo()
    try await expectKept("1a", of: document)
    try await document.close(discarding: true)
  }

  @Test("undoing to the saved state beneath a drag plans the save of the drag")
  func beneath() async throws {
    let document = try await open()
    let drag = try await document.beginGesture("Drag")
    try await document.edit("First") { $0.text = "1" }
    try await document.save()
    try await document.change(drag) { $0.text += "a" }
    try await document.edit("Second") { $0.text = "2" }
    try await document.undo()
    #expect(try await document.text == "1a")
    #expect(await document.hasUnsavedChanges)
    try await document.autosave()
    #expect(try folder.read("x.txt") == "1a")
    try await document.close()
  }
}

extension Document {
  /// Whether the recovery journal has the present contents.
  fileprivate var hasKept: Bool { plan.keptPoint == session?.state }
}
