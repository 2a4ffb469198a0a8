import ParticlesBrowser
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// This program and another program have changed one line of a text differently.
@Suite("Conflicts of open documents")
struct ConflictTests {
  /// A browser whose document `a.txt` is in conflict: "ours" in memory, "theirs" on disk.
  private func conflicting() async throws -> (fixture: BrowserFixture, id: BrowserItem.ID) {
    let fixture = try await BrowserFixture(["a.txt": "base\nend\n"])
    let id = try await fixture.id("a.txt")
    let document = try await fixture.browser.open(id, in: "w")
    #expect(document.clashes == nil)
    _ = try await fixture.browser.setText("ours\nend\n", of: id, from: document.revision)
    try SafeSave.file(fixture.path("a.txt"), replacing: true) {
      try $0.write(Array("theirs\nend\n".utf8))
    }
    await #expect(throws: Diagnostic.self) { try await fixture.browser.save(id) }
    let now = try #require(await fixture.browser.documents().first)
    #expect(now.states.contains("in conflict"), "\(now.states)")
    #expect(now.clashes != nil)
    return (fixture, id)
  }

  @Test("one side stays, or both; the other side is kept", arguments: ConflictSide.allCases)
  func resolve(_ side: ConflictSide) async throws {
    let (fixture, id) = try await conflicting()
    let (document, beside) = try await fixture.browser.resolve(id, keeping: side)
    #expect(document.clashes == nil)
    #expect(!document.states.contains("in conflict"))
    let ours = "ours\nend\n", theirs = "theirs\nend\n"
    switch side {
    case .ours, .merged: #expect(try fixture.text("a.txt") == ours)
    case .theirs, .both: #expect(try fixture.text("a.txt") == theirs)
    }
    #expect(try await fixture.browser.contents(of: id).text == (try fixture.text("a.txt")))
    #expect((beside != nil) == (side == .both))
    if let path = beside?.path { #expect(try Files.read(path) == Array(ours.utf8)) }
    let store = VersionStore(dataFolder: fixture.scratch.file("share"))
    let kept = try store.versions(of: fixture.path("a.txt")).filter { $0.kind == .conflict }
    if side != .both { #expect(kept.count == 1) }
    #expect(await fixture.browser.close().isEmpty)
  }

  @Test("closing leaves a conflict alone; the end of the program keeps our side")
  func closing() async throws {
    let (fixture, id) = try await conflicting()
    await #expect(throws: Diagnostic.self) { try await fixture.browser.closeDocument(in: "w") }
    #expect(await fixture.browser.documents().map(\.id) == [id])
    await #expect(throws: Diagnostic.self) {
      try await fixture.browser.resolve("none", keeping: .ours)
    }
    // The end of the program keeps our side in the recovery journal.
    let faults = await fixture.browser.close()
    #expect(faults.map(\.rule) == [.fileConflict])
    #expect(try fixture.text("a.txt") == "theirs\nend\n")
    let store = RecoveryStore(dataFolder: fixture.scratch.file("share"))
    let entry = try #require(try store.entries().first)
    #expect(try store.contents(of: entry).regularFileContents() == Array("ours\nend\n".utf8))
  }
}
