import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("The life of a document")
struct LifeCycleTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  @Test("a document that is viewed shows changes of others, and cannot be changed")
  func viewing() async throws {
    try folder.write("one", to: "a.txt")
    var configuration = folder.quiet
    configuration.isViewing = true
    let document = folder.text("a.txt", configuration)
    try await document.open()
    #expect(await document.states == .readOnly)
    await expectRule(.fileReadOnly) { try await document.append("!") }
    await expectRule(.fileReadOnly) { try await document.undo() }
    await expectRule(.fileReadOnly) { try await document.save() }
    await expectRule(.fileReadOnly) { try await document.rename(to: "b") }
    await expectRule(.fileReadOnly) { try await document.delete() }
    await expectRule(.fileReadOnly) {
      try await document.update("Edit") { text, _ in text.text += "!" }
    }
    await expectRule(.fileReadOnly) {
      try await folder.text("new.txt", configuration).create(PlainText("x"))
    }
    try folder.write("two", to: "a.txt")
    try await document.lookOutside()
    #expect(try await document.text == "two")
    try await document.close()
    #expect(try folder.names() == ["a.txt"] && folder.read("a.txt") == "two")
  }

  @Test("a text is created, edited, saved, closed and opened again")
  func text() async throws {
    let document = folder.text("notes.txt")
    #expect(await document.states == .closed)
    await expectRule(.fileNotFound) { try await document.open() }
    await expectRule(.fileClosed) { try await document.append("x") }
    try await document.create(PlainText("one\n"))
    #expect(try folder.read("notes.txt") == "one\n")
    #expect(await document.states == [])
    try await document.append("two\n")
    #expect(await document.states == .changed)
    try await document.save()
    #expect(try folder.read("notes.txt") == "one\ntwo\n")
    try await document.append("three\n")
    try await document.close()
    #expect(await document.states == .closed)
    #expect(try folder.read("notes.txt") == "one\ntwo\nthree\n")
    try await document.close()
    try await document.open()
    #expect(try await document.text == "one\ntwo\nthree\n")
    await expectRule(.fileExists) {
      try await folder.text("notes.txt").create(PlainText("other"))
    }
    #expect(document.displayName == "notes")
    #expect(try folder.names() == ["notes.txt"])
  }

  @Test("an effect in both forms, saved by edits", arguments: [Container.Form.flat, .directory])
  func effect(form: Container.Form) async throws {
    let path = folder.path("fire.particles")
    try folder.fire().container.write(to: path, as: form)
    let document = folder.effect("fire.particles")
    try await document.open()
    for number in 1...5 {
      try await document.edit("Change Rate") { package in
        var system = try package.system()
        system.emitters[0].emission.rate = .constant(Double(number))
        try package.setSystem(system)
      }
      try await document.save()
      let stored = EffectPackage(try Container(contentsOf: path))
      #expect(try stored.system().emitters[0].emission.rate == .constant(Double(number)))
      #expect(try await stored.container.root == document.content.container.root)
    }
    #expect(try await document.undo(3) == 3)
    try await document.save()
    let stored = EffectPackage(try Container(contentsOf: path))
    #expect(try stored.system().emitters[0].emission.rate == .constant(2))
    #expect(stored.container.form == form)
    try await document.close()
  }

  @Test("a document in memory passes through the same life")
  func memory() async throws {
    let storage = MemoryStorage()
    let document = Document<PlainText>(storage: storage, configuration: folder.quiet)
    await expectRule(.fileNotFound) { try await document.open() }
    try await document.create(PlainText("a"))
    try await document.append("b")
    try await document.save()
    #expect(try storage.contents?.regularFileContents() == Array("ab".utf8))
    storage.contents = FileNode(regularFileWithContents: Array("theirs".utf8))
    try await document.lookOutside()
    #expect(try await document.text == "theirs")
    await expectRule(.fileNotFound) { try await document.rename(to: "x") }
    try await document.append("!")
    try await document.close()
    #expect(try storage.contents?.regularFileContents() == Array("theirs!".utf8))
  }

  @Test("concurrent calls open once, and a listener that comes late is told")
  func opening() async throws {
    try folder.write("x", to: "a.txt")
    let document = folder.text("a.txt")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await document.open() } }
      try await group.waitForAll()
    }
    var events: [String] = []
    for await event in await document.events().prefix(2) { events.append("\(event)") }
    #expect(events == ["opened", "states(open)"])
    // The file is read again only after a change.
    async let closing: Void = document.close()
    async let again: Void = document.open()
    _ = try await (closing, again)
    try await document.open()
    #expect(try await document.text == "x")
  }

  @Test(
    "events end when the document is closed, and begin anew when it is opened again",
    .timeLimit(.minutes(1)))
  func endOfEvents() async throws {
    try folder.write("x", to: "a.txt")
    let document = folder.text("a.txt")
    for _ in 0..<2 {
      try await document.open()
      let events = await document.events()
      let listener = Task { await events.reduce(into: []) { $0.append("\($1)") } }
      try await document.close()
      let all = await listener.value
      #expect(all.first == "opened" && all.last == "closed")
    }
  }

  @Test("two documents at one path share what is open, and do not overwrite each other")
  func shared() async throws {
    try folder.fire().container.write(to: folder.path("a"), as: .flat)
    let (one, two) = (folder.effect("a"), folder.effect("a"))
    try await one.open()
    try await two.open()
    if (try? Files.status("/proc/self/fd")) != nil {
      let path = folder.path("a")
      let open = try Files.list("/proc/self/fd").count {
        (try? Files.destination(ofLink: "/proc/self/fd/\($0)")) == path
      }
      #expect(open <= 2, "the package, and what follows it")
    }
    try await one.edit("1") { try $0.apply("seed=1") }
    try await two.edit("2") { try $0.apply("asset.author=Two") }
    try await one.save()
    try await two.save()
    let editor = try EffectEditor(EffectPackage(Container(contentsOf: folder.path("a"))))
    #expect(try editor.value("seed") == .int(1))
    #expect(try editor.value("asset.author") == .string("Two"))
  }

  @Test("a save that fails keeps the changes and the file, and is reported")
  func failure() async throws {
    let document = folder.text("a.txt")
    try await document.create(PlainText("old"))
    try await document.append(" new")
    try OpenFile(updating: folder.path("a.txt")).setMode(0o444)
    await expectRule(.fileReadOnly) { try await document.save() }
    #expect(await document.states == [.savingError, .readOnly, .changed])
    await expectRule(.fileReadOnly) { try await document.close() }
    #expect(try folder.read("a.txt") == "old")
    #expect(try await document.text == "old new")
    try OpenFile(reading: folder.path("a.txt")).setMode(0o644)
    try await document.save()
    #expect(await document.states == [])
    #expect(try folder.read("a.txt") == "old new")
  }

  @Test("save as, duplicate, rename, move and delete never overwrite")
  func places() async throws {
    let document = folder.text("a.txt")
    try await document.create(PlainText("a"))
    try folder.write("b", to: "b.txt")
    for name in ["b", "b.txt"] {
      await expectRule(.fileExists) { try await document.rename(to: name) }
    }
    for name in ["", ".x", "x/y"] {
      await expectRule(.name) { try await document.rename(to: name) }
    }
    await expectRule(.fileExists) { try await document.duplicate(to: folder.path("b.txt")) }
    await expectRule(.fileExists) { try await document.save(to: folder.path("b.txt")) }
    #expect(try folder.read("b.txt") == "b")
    try await document.append("!")
    try await document.rename(to: "c")
    #expect(document.path == folder.path("c.txt"))
    #expect(try folder.read("c.txt") == "a")
    try await document.save()
    #expect(try folder.read("c.txt") == "a!")
    #expect(try await document.duplicate() == folder.path("c 2.txt"))
    #expect(try await document.duplicate() == folder.path("c 3.txt"))
    try await document.append("?")
    let copy = try await document.save(to: folder.path("d.txt"))
    #expect(await document.states == .closed)
    #expect(await copy.states == [])
    #expect(try folder.read("d.txt") == "a!?")
    #expect(try folder.read("c.txt") == "a!")
    #expect(try await copy.undo() == 1)
    #expect(try await copy.text == "a!")
    try await copy.delete()
    #expect(try folder.names() == ["b.txt", "c 2.txt", "c 3.txt", "c.txt"])
  }

  @Test("an effect in a directory is moved with its contents")
  func moveDirectory() async throws {
    try folder.fire().container.write(to: folder.path("fire"), as: .directory)
    let document = folder.effect("fire")
    try await document.open()
    try await document.edit("Seed") { try $0.apply("seed=9") }
    try await document.rename(to: "flame")
    let root = try await document.content.container.root
    try root.forEachDescendant { _, node in _ = try node.regularFileContents() }
    try await document.save()
    #expect(try Container(contentsOf: folder.path("flame")).root == root)
    #expect(try folder.names() == ["flame"])
  }

  @Test("revert drops changes, can be undone, and keeps them as a version")
  func revert() async throws {
    let document = folder.text("a.txt")
    try await document.create(PlainText("saved"))
    try await document.append(" unsaved")
    try await document.revert()
    #expect(try await document.text == "saved")
    #expect(await document.states == [])
    #expect(try await document.versions().map(\.kind).contains(.replaced))
    #expect(try await document.undo() == 1)
    #expect(try await document.text == "saved unsaved")
    #expect(await document.hasUnsavedChanges)
  }

  @Test("closing without saving drops changes")
  func discarding() async throws {
    let document = folder.text("a.txt")
    try await document.create(PlainText("saved"))
    try await document.append(" unsaved")
    try await document.close(discarding: true)
    #expect(try folder.read("a.txt") == "saved")
  }

  @Test("a group is one edit, and none if it fails")
  func groups() async throws {
    let document = folder.text("a.txt")
    try await document.create(PlainText(""))
    try await document.group("Paste") { document in
      try document.append("a")
      try document.append("b")
      #expect(try document.text == "ab")
    }
    #expect(await document.undoNames == ["Paste"])
    await expectRule(.fileText) {
      try await document.group("Fail") { document in
        try document.append("c")
        throw Diagnostic(.fileText)
      }
    }
    #expect(try await document.text == "ab")
    #expect(try await document.undo() == 1)
    #expect(try await document.text == "")
    #expect(await document.redoName == "Paste")
  }

  @Test("a cancelled save leaves the old file and the changes")
  func cancelling() async throws {
    let document = folder.text("a.txt")
    try await document.create(PlainText("old"))
    try await document.append(" new")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await document.save()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try folder.read("a.txt") == "old")
    #expect(await document.states == .changed)
    try await document.save()
    #expect(try folder.read("a.txt") == "old new")
  }

  @Test("edits can be undone after the document was opened again")
  func reopening() async throws {
    var configuration = folder.quiet
    configuration.keepsEdits = true
    let first = folder.text("a.txt", configuration)
    try await first.create(PlainText("0"))
    for number in 1...3 { try await first.edit("Edit \(number)") { $0.text += "\(number)" } }
    try await first.close()
    let second = folder.text("a.txt", configuration)
    try await second.open()
    #expect(await second.states == [])
    #expect(await second.undoNames == ["Edit 1", "Edit 2", "Edit 3"])
    #expect(try await second.undo(2) == 2)
    #expect(try await second.text == "01")
    try await second.close()
    // Another program has changed it: the edits do not fit any more.
    try folder.write("else", to: "a.txt")
    let third = folder.text("a.txt", configuration)
    try await third.open()
    #expect(await third.undoName == nil)
  }
}

extension EffectPackage {
  /// Makes a change as the tool does.
  mutating func apply(_ change: String) throws {
    var editor = try EffectEditor(self)
    try editor.apply(change)
    self = editor.package
  }
}
