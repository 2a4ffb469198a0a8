import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

// Documents that cannot be closed or saved, that another window removes, and what programs have left.

extension EditorRouteTests {
  private func path(_ name: String) -> String { Files.joined(folder, name) }

  private func states(_ answer: Answer) -> [String] {
    answer.object["document"]?.object?["states"]?.array?.compactMap(\.string) ?? []
  }

  /// Asks for the state of a document until it has, or has not, a word.
  private func state(
    of item: JSONValue, in window: String = "w", has word: String, _ isThere: Bool = true
  ) async throws -> Answer {
    var answer = try await ask("edit-open", ["item": item, "window": .string(window)])
    for _ in 0..<300 where states(answer).contains(word) != isThere {
      try await Task.sleep(nanoseconds: 20_000_000)
      answer = try await ask("edit-open", ["item": item, "window": .string(window)])
    }
    #expect(states(answer).contains(word) == isThere, "\(word): \(states(answer))")
    return answer
  }

  private func waiting() async throws -> [JSONObject] {
    try await ask("background").object["documents"]?.array?.compactMap(\.object) ?? []
  }

  private func entries() async throws -> [JSONObject] {
    try await ask("recovery").object["entries"]?.array?.compactMap(\.object) ?? []
  }

  private func storedRate(_ name: String = "fire.particles") throws -> Double? {
    try value(String(decoding: OpenedEffect(path: path(name)).package.document(), as: UTF8.self))
  }

  /// Ends the program's work on all documents, as its end does.
  private func end() async throws { _ = await server.browser.close() }

  /// The fire with a rate that is not saved, in a folder that is closed, and a text beside it.
  private func unsavable() async throws -> JSONValue {
    try Files.create(path("notes.txt"), Array("text".utf8))
    let (item, _) = try await open()
    try Files.removeAll(path("fire.particles"))
    _ = try await state(of: item, has: "deleted")
    #expect(try await set(item, 50).status == 200)
    return item
  }

  @Test("a document that cannot be closed is no obstacle for the next one in its window")
  func background() async throws {
    let item = try await unsavable()
    let notes = try await ask("find", ["path": .string(path("notes.txt"))])
    let opened = try await ask("open", ["item": try #require(notes.object["id"]), "window": "w"])
    #expect(opened.status == 200 && opened.text == "text", "\(opened.object)")
    let kept = try await waiting()
    #expect(kept.map { $0["id"] } == [item])
    #expect(kept.first?["states"]?.array?.contains("changed") == true)
    // Its contents are in the journal at once, also for a program that is killed now.
    let store = RecoveryStore(dataFolder: scratch.file("home/.local/share"))
    #expect(try store.entries(of: path("fire.particles")).count == 1)
    // The window comes back to it.
    let back = try await ask("edit-open", ["item": item, "window": "w"])
    #expect(try value(back.text) == 50)
    #expect(try await waiting().isEmpty)
    let made = try await ask("rescue", ["item": item, "way": "recreate", "window": "w"])
    #expect(made.status == 200, "\(made.object)")
    #expect(try storedRate() == 50)
  }

  @Test("leaving a document that cannot be closed tells it, and its changes can be given up")
  func leaving() async throws {
    let item = try await unsavable()
    let left = try await ask("close", ["window": "w"])
    #expect(left.status == 200 && left.object["kept"]?.object?["id"] == item)
    let ended = try await ask("rescue", ["item": item, "way": "discard", "window": "w"])
    #expect(ended.status == 200, "\(ended.object)")
    #expect(try await waiting().isEmpty)
    #expect(try await entries().isEmpty)
  }

  @Test(
    "a document that another window moves to the trash keeps its edits, and comes back with them",
    arguments: [false, true])
  func trashed(byUndo isByUndo: Bool) async throws {
    let (item, _) = try await open()
    #expect(try await set(item, 40).status == 200)
    #expect(try await ask("edit-save", ["item": item]).status == 200)
    #expect(try await ask("trash", ["items": [item]]).status == 200)
    let state = try await state(of: item, has: "trashed")
    #expect(states(state).contains("deleted"))
    #expect(try await set(item, 50).status == 200)
    #expect(try Files.status(path("fire.particles")) == nil)
    // Another operation since: only the operation of the document is taken back.
    if !isByUndo {
      let place = try await ask("state").object["place"]
      let made = try await ask("folder", ["location": try #require(place), "name": "made"])
      #expect(made.status == 200, "\(made.object)")
    }
    let back =
      isByUndo
      ? try await ask("undo", [:])
      : try await ask("rescue", ["item": item, "way": "restore", "window": "w"])
    #expect(back.status == 200, "\(back.object)")
    let now = try await self.state(of: item, has: "deleted", false)
    #expect(try value(now.text) == 50)
    #expect(try await ask("edit-save", ["item": item]).status == 200)
    #expect(try storedRate() == 50)
    if !isByUndo { #expect(try Files.status(path("made"))?.kind == .directory) }
    // The item of the folder is the open document.
    let found = try await ask("find", ["path": .string(path("fire.particles"))])
    #expect(found.object["id"] == item)
    #expect(try await entries().isEmpty)
  }

  @Test("a document in the trash is saved as a new one in another folder")
  func copied() async throws {
    try Files.makeDirectory(path("other"))
    let other = try await ask("find", ["path": .string(path("other"))])
    let (item, _) = try await open()
    #expect(try await ask("trash", ["items": [item]]).status == 200)
    _ = try await state(of: item, has: "trashed")
    #expect(try await set(item, 50).status == 200)
    let copy = try await ask(
      "rescue",
      [
        "item": item, "way": "copy", "window": "w", "location": try #require(other.object["id"]),
        "name": "saved.particles",
      ])
    #expect(copy.status == 200, "\(copy.object)")
    #expect(copy.object["copy"]?.object?["name"] == "saved.particles")
    #expect(try storedRate("other/saved.particles") == 50)
    #expect(try await ask("edit-save", ["item": item]).code == "file/closed")
    #expect(try await entries().isEmpty)
  }

  @Test("what a program has left is told when its document is opened, and can be given up")
  func recovered() async throws {
    let item = try await unsavable()
    _ = try await ask("close", ["window": "w"])
    // The program ends, and the document is there again.
    try await end()
    try Files.create(
      path("fire.particles"), try EffectTemplate.fire.package().container.encoded())
    _ = item
    let left = try await entries()
    #expect(left.count == 1 && left[0]["isGone"] == false)
    #expect(left[0]["name"] == "fire.particles" && left[0]["item"] != nil)
    let name = try #require(left[0]["entry"]?.string)
    let picture = try await ask("recovery-contents?entry=\(name)&as=thumbnail&size=48")
    #expect(picture.status == 200 && picture.body.starts(with: [0x89, 0x50]))
    let (again, state) = try await open()
    #expect(state.object["recovered"]?.object?["entry"]?.string == name)
    #expect(try value(state.text) == 50)
    let ended = try await ask("edit-save", ["item": again, "way": "discard"])
    #expect(try value(ended.text) != 50)
    #expect(try await entries().isEmpty)
  }

  @Test("what is left of a document that is gone is saved in another place")
  func recoveredElsewhere() async throws {
    _ = try await unsavable()
    _ = try await ask("close", ["window": "w"])
    try await end()
    let left = try await entries()
    #expect(left.count == 1 && left[0]["isGone"] == true)
    let place = try await ask("state").object["place"]
    let saved = try await ask(
      "recovery",
      [
        "entry": try #require(left[0]["entry"]), "way": "copy", "location": try #require(place),
      ])
    #expect(saved.status == 200, "\(saved.object)")
    #expect(try storedRate() == 50)
    #expect(try await entries().isEmpty)
    let gone = try await ask("recovery", ["entry": "none", "way": "discard"])
    #expect(gone.status == 404)
  }

  @Test("unsaved changes of a text are offered, and taken when the user wants them")
  func offeredText() async throws {
    try Files.create(path("notes.txt"), Array("old".utf8))
    let found = try await ask("find", ["path": .string(path("notes.txt"))])
    let item = try #require(found.object["id"])
    let first = try await ask("open", ["item": item, "window": "w"])
    try Files.removeAll(path("notes.txt"))
    let revision = try #require(first.object["document"]?.object?["revision"])
    let failed = try await ask("text", ["item": item, "text": "new", "revision": revision])
    #expect(failed.status == 404)
    // The program has the text: the page asks for it, and may leave.
    let now = try await ask("open", ["item": item, "window": "w"])
    #expect(now.status == 200 && now.text == "new")
    _ = try await ask("close", ["window": "w"])
    try await end()
    try Files.create(path("notes.txt"), Array("old".utf8))
    let again = try await ask("find", ["path": .string(path("notes.txt"))])
    let id = try #require(again.object["id"])
    let offered = try await ask("open", ["item": id, "window": "w"])
    #expect(offered.text == "old")
    let entry = try #require(offered.object["offered"]?.object?["entry"])
    let shown = try await ask("recovery-contents?entry=\(entry.string ?? "")&as=text")
    #expect(shown.text == "new")
    let taken = try await ask("recovery", ["entry": entry, "way": "take", "item": id])
    #expect(taken.status == 200)
    #expect(try await ask("open", ["item": id, "window": "w"]).text == "new")
  }

  @Test("a change by another program is no step of undo, and can be taken back")
  func outside() async throws {
    let (item, _) = try await open()
    #expect(try await set(item, 40).status == 200)
    #expect(try await ask("edit-save", ["item": item]).status == 200)
    let lifetime = "emitters[0].lifetime"
    var package = try OpenedEffect(path: path("fire.particles")).package
    try package.make([EffectChange(["key": .string(lifetime), "value": 3.25])])
    let bytes = try package.container.encoded()
    try SafeSave.file(path("fire.particles"), replacing: true) { try $0.write(bytes) }
    func stored(_ text: String) throws -> Double? {
      try JSONValue(parsing: Array(text.utf8)).object?["emitters"]?.array?[0].object?["lifetime"]?
        .double
    }
    var state = try await ask("edit-open", ["item": item, "window": "w"])
    for _ in 0..<300 where try stored(state.text) != 3.25 {
      try await Task.sleep(nanoseconds: 20_000_000)
      state = try await ask("edit-open", ["item": item, "window": "w"])
    }
    #expect(try stored(state.text) == 3.25 && value(state.text) == 40)
    #expect(state.object["undo"]?.array == ["Rate"])
    let back = try await ask("rescue", ["item": item, "way": "outside", "window": "w"])
    #expect(back.status == 200, "\(back.object)")
    let now = try await ask("edit-open", ["item": item, "window": "w"])
    #expect(try stored(now.text) != 3.25 && value(now.text) == 40)
  }

  @Test("why a document cannot be saved where it is")
  func obstacle() async throws {
    try Files.setMode(of: path("fire.particles"), 0o444)
    let (_, state) = try await open()
    #expect(states(state).contains("read-only"))
    #expect(state.object["obstacle"]?.object?["kind"] == "file")
    #expect(state.object["obstacle"]?.object?["folder"] == "effects")
  }
}
