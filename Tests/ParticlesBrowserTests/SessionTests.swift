import ParticlesBrowser
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Session, recents, settings and documents of the browser")
struct SessionTests {
  @Test("windows come back; what was renamed meanwhile is found, what was deleted is said")
  func restored() async throws {
    let first = try await BrowserFixture(["a.txt": "A", "b.txt": "B", "c.txt": "C", "sub/": ""])
    var window = await first.browser.window("one")
    var query = BrowserQuery(try await first.id("sub"))
    query.sort = .modified
    window.query = query
    window.selection = [try await first.id("b.txt"), try await first.id("c.txt")]
    window.view = ["scroll": .int(7)]
    _ = await first.browser.update(window)
    _ = try await first.browser.open(try await first.id("a.txt"), in: "one")
    #expect(await first.browser.close().isEmpty)
    try Files.rename(first.path("a.txt"), first.path("renamed.txt"))
    try Files.removeAll(first.path("b.txt"))
    let second = try await BrowserFixture(in: first.scratch)
    let session = await second.browser.restoreSession()
    let back = try #require(session.windows.first)
    #expect(back.name == "one")
    #expect(back.view == ["scroll": .int(7)])
    #expect(back.query?.location == (try await second.id("sub")))
    #expect(back.query?.sort == .modified)
    #expect(back.selection == [try await second.id("c.txt")])
    #expect(back.document == (try await second.id("renamed.txt")))
    #expect(session.losses == ["'\(first.path("b.txt"))' is gone"])
  }

  @Test("a stored session is not stored again, and a closed browser stores none")
  func storedOnce() async throws {
    let first = try await BrowserFixture(["a.txt": "A"])
    await first.browser.select([try await first.id("a.txt")], in: "one")
    let (old, new) = (first.path("a.txt"), first.path("renamed.txt"))
    try await first.browser.saveSession { try Files.rename(old, new) }
    try await Task.sleep(nanoseconds: 200_000_000)
    let second = try await BrowserFixture(in: first.scratch)
    let session = await second.browser.restoreSession()
    #expect(session.windows.first?.selection == [try await second.id("renamed.txt")])
    #expect(session.losses.isEmpty)
    #expect(await first.browser.close().isEmpty)
    _ = await first.browser.window("late")
    try await Task.sleep(nanoseconds: 700_000_000)
    #expect(await second.browser.restoreSession().windows.map(\.name) == ["one"])
  }

  @Test(
    "a new page takes the last window of the session, once; a page that is loaded again its own")
  func taken() async throws {
    let first = try await BrowserFixture(["a.txt": "A", "sub/": ""])
    for name in ["one", "two", "three"] {
      var window = await first.browser.window(name)
      window.query = BrowserQuery(name == "two" ? try await first.id("sub") : first.root)
      window.view = ["scroll": .int(name.utf8.count)]
      _ = await first.browser.update(window)
    }
    // A page that was closed while others stay is not part of the session.
    await first.browser.leaveWindow("three")
    #expect(await first.browser.resumeWindow("one")?.name == "one")
    #expect(await first.browser.resumeWindow("new") == nil)
    #expect(await first.browser.close().isEmpty)
    let second = try await BrowserFixture(in: first.scratch)
    #expect(await second.browser.restoreSession().windows.map(\.name) == ["one", "two"])
    #expect(await second.browser.untakenWindows == 2)
    #expect(await second.browser.resumeWindow("x", takesOver: false) == nil)
    let taken = try #require(await second.browser.resumeWindow("x"))
    #expect(taken.query?.location == (try await second.id("sub")))
    #expect(await second.browser.resumeWindow("one")?.view == ["scroll": .int(3)])
    #expect(await second.browser.resumeWindow("y") == nil)
    // The web browser is closed: all windows at once are the session.
    for name in ["x", "one"] { await second.browser.leaveWindow(name) }
    #expect(await second.browser.close().isEmpty)
    let third = try await BrowserFixture(in: first.scratch)
    #expect(await third.browser.restoreSession().windows.map(\.name) == ["one", "x"])
  }

  @Test("the browser outlives its documents: three in turn, and the selection stays")
  func outlives() async throws {
    let fixture = try await BrowserFixture(["a.txt": "A", "b.txt": "B", "c.txt": "C"])
    let ids = [
      try await fixture.id("a.txt"), try await fixture.id("b.txt"), try await fixture.id("c.txt"),
    ]
    await fixture.browser.select([ids[1]], in: "w")
    for id in ids {
      _ = try await fixture.browser.open(id, in: "w")
      try await fixture.browser.closeDocument(in: "w")
    }
    #expect(await fixture.browser.documents().isEmpty)
    #expect(await fixture.browser.session.windows.first?.selection == [ids[1]])
    // Two windows that open one document at once share it, and it is read once.
    async let one = fixture.browser.open(ids[0], in: "one")
    async let two = fixture.browser.open(ids[0], in: "two")
    #expect(try await [one.id, two.id] == [ids[0], ids[0]])
    #expect(await fixture.browser.documents().count == 1)
    #expect(await fixture.browser.close().isEmpty)
  }

  @Test(
    "after an edit and the end of editing, an event has the new size and time; none without change")
  func rows() async throws {
    let fixture = try await BrowserFixture(["a.txt": "A"])
    let before = try await fixture.browser.list(BrowserQuery(fixture.root)).items[0]
    let events = fixture.browser.events()
    let document = try await fixture.browser.open(before.id, in: "w")
    _ = try await fixture.browser.setText("longer", of: before.id, from: document.revision)
    try await fixture.browser.closeDocument(in: "w")
    let told = await BrowserFixture.events(events) { event in
      guard case .items(_, let changed, _, _) = event else { return false }
      return changed.contains { $0.size == 6 && !$0.isOpen }
    }
    let last = try #require(told.last)
    guard case .items(_, let changed, _, _) = last else {
      Issue.record("no event has the new size")
      return
    }
    #expect((changed.first?.modified ?? 0) >= (before.modified ?? 0))
    try await Task.sleep(nanoseconds: 300_000_000)
    let quiet = fixture.browser.events()
    _ = try await fixture.browser.list(BrowserQuery(fixture.root))
    _ = try Run.succeeding("/bin/cat", [fixture.path("a.txt")])
    let nothing = await BrowserFixture.events(quiet, for: 0.3) { _ in true }
    #expect(nothing.isEmpty, "\(nothing)")
  }

  @Test("rows are told when a document has changes, and when they are saved")
  func unsavedRows() async throws {
    let fixture = try await BrowserFixture(["a.txt": "A"])
    let id = try await fixture.browser.list(BrowserQuery(fixture.root)).items[0].id
    func told(_ hasChanges: Bool, _ change: () async throws -> Void) async throws -> Bool {
      let events = fixture.browser.events()
      try await change()
      let told = await BrowserFixture.events(events) { event in
        guard case .items(_, let changed, _, _) = event else { return false }
        return changed.contains { $0.id == id && $0.hasChanges == hasChanges }
      }
      return told.contains { if case .items = $0 { true } else { false } }
    }
    let document = try await fixture.browser.open(id, in: "w")
    let isTold = try await told(true) {
      _ = try await fixture.browser.setText("B", of: id, from: document.revision)
    }
    let isToldAgain = try await told(false) { _ = try await fixture.browser.save(id) }
    #expect(isTold && isToldAgain)
    _ = await fixture.browser.close()
  }

  @Test("a browser that is read-only opens documents for viewing")
  func viewing() async throws {
    var configuration = BrowserConfiguration()
    configuration.isReadOnly = true
    let fixture = try await BrowserFixture(["a.txt": "A"], configuration)
    let id = try await fixture.id("a.txt")
    let document = try await fixture.browser.open(id, in: "w")
    await #expect(throws: Diagnostic.self) {
      _ = try await fixture.browser.setText("B", of: id, from: document.revision)
      _ = try await fixture.browser.save(id)
    }
    #expect(try fixture.text("a.txt") == "A")
    _ = await fixture.browser.close()
  }

  @Test("a damaged document has one reason, whichever way it is opened")
  func oneWay() async throws {
    let fixture = try await BrowserFixture(["bad.particles": "\0no package"])
    let outside = fixture.scratch.file("bad 2.particles")
    try Files.create(outside, Array("\0no package".utf8))
    let browser = fixture.browser
    let ids = [
      try await browser.list(BrowserQuery(fixture.root)).items[0].id,
      try await browser.reveal(fixture.path("bad.particles")).id,
      try await browser.reveal(outside, importingInto: fixture.root).id,
      try await fixture.id("bad.particles"),
    ]
    var rules: [Rule] = []
    for id in ids {
      do { _ = try await browser.open(id, in: "w") } catch let fault as Diagnostic {
        rules.append(fault.rule)
      }
    }
    #expect(rules.count == 4 && Set(rules).count == 1, "\(rules)")
  }

  @Test("the selection is ordered, without what cannot be selected; one alone is the last")
  func selection() async throws {
    let files = ["a.txt": "", "b.txt": "", "c.png": ""]
    let fixture = try await BrowserFixture(files)
    let (a, b, c) = (
      try await fixture.id("a.txt"), try await fixture.id("b.txt"), try await fixture.id("c.png")
    )
    #expect(await fixture.browser.select([b, c, a, b, "none"], in: "w") == [b, a])
    #expect(await fixture.browser.session.windows.first?.selection == [b, a])
    #expect(await fixture.browser.perform(.rename(b, to: "z")).isComplete)
    #expect(await fixture.browser.session.windows.first?.selection == [b, a])
    #expect(await fixture.browser.perform(.trash([b])).isComplete)
    #expect(await fixture.browser.session.windows.first?.selection == [a])
    var configuration = BrowserConfiguration()
    configuration.allowsMultiple = false
    let single = try await BrowserFixture(files, configuration)
    let ids = [try await single.id("a.txt"), try await single.id("b.txt")]
    #expect(await single.browser.select(ids, in: "w") == [ids[1]])
    await #expect(throws: Diagnostic.self) { try await single.browser.pick(ids) }
    #expect(try await single.browser.pick([ids[0]]) == [single.path("a.txt")])
    await #expect(throws: Diagnostic.self) { try await single.browser.pick([single.root]) }
  }

  @Test("opened documents are recent ones, once, and follow renames; they can be forgotten")
  func recents() async throws {
    let fixture = try await BrowserFixture(["a.txt": "A", "b.txt": "B"])
    let (a, b) = (try await fixture.id("a.txt"), try await fixture.id("b.txt"))
    for id in [a, b, a] { _ = try await fixture.browser.open(id, in: "w") }
    let query = BrowserQuery(BrowserLocation.recents)
    #expect(try await fixture.browser.list(query).items.map(\.id) == [a, b])
    #expect(await fixture.browser.perform(.rename(b, to: "new")).isComplete)
    #expect(try await fixture.names(query) == ["a.txt", "new.txt"])
    var all = BrowserQuery(fixture.root)
    all.sort = .opened
    #expect(try await fixture.names(all) == ["a.txt", "new.txt"])
    try await fixture.browser.forgetRecents([a])
    #expect(try await fixture.names(query) == ["new.txt"])
    try await fixture.browser.forgetRecents()
    #expect(try await fixture.names(query).isEmpty)
    _ = await fixture.browser.close()
  }

  @Test("settings and favourites are stored, told to all, and follow renames")
  func settings() async throws {
    let first = try await BrowserFixture(["sub/": "", "a.txt": ""])
    let events = first.browser.events()
    try await first.browser.set("view", to: "grid")
    let told = await BrowserFixture.events(events) { if case .setting = $0 { true } else { false } }
    #expect(!told.isEmpty)
    let sub = try await first.id("sub")
    try await first.browser.setFavourite(true, [sub, try await first.id("a.txt")])
    #expect(await first.browser.perform(.rename(sub, to: "better")).isComplete)
    let second = try await BrowserFixture(in: first.scratch)
    #expect(await second.browser.settings == ["view": "grid"])
    let favourite = await second.browser.locations().first { $0.kind == "favourite" }
    #expect(favourite?.name == "better")
    var query = BrowserQuery(second.root)
    query.favouritesOnly = true
    #expect(try await second.names(query) == ["better", "a.txt"])
    try await second.browser.set("view", to: .null)
    #expect(await second.browser.settings == [:])
    let database = StoreDatabase(dataFolder: first.scratch.file("share"))
    try database.run("UPDATE states SET value = '{' WHERE name = 'browser-settings'")
    let third = try await BrowserFixture(in: first.scratch)
    #expect(await third.browser.settings == [:])
    let damaged = "SELECT value FROM states WHERE name = 'browser-settings.damaged'"
    #expect(try database.texts(damaged) == ["{"])
  }

  @Test("two windows have one document; it is saved and closed with the last one")
  func documents() async throws {
    let fixture = try await BrowserFixture(["a.txt": "A", "b.txt": "B"])
    let browser = fixture.browser
    let (a, b) = (try await fixture.id("a.txt"), try await fixture.id("b.txt"))
    let opened = try await browser.open(a, in: "one")
    #expect(opened.kind == .text)
    #expect(opened.states.isEmpty)
    #expect(try await browser.open(a, in: "two").windows == ["one", "two"])
    let contents = try await browser.setText("A1", of: a, from: opened.revision)
    #expect(contents.text == "A1")
    #expect(contents.document.states.contains("changed"))
    #expect(try await browser.item(a).hasChanges)
    await #expect(throws: Diagnostic.self) {
      try await browser.setText("A2", of: a, from: opened.revision)
    }
    #expect(try await browser.undoEdit(of: a).redoName == "Edit Text")
    #expect(try await browser.undoEdit(of: a, redo: true).undoName == "Edit Text")
    // Another document in a window closes the first one there.
    _ = try await browser.open(b, in: "one")
    #expect(await browser.documents().count == 2)
    try await browser.closeDocument(in: "two")
    #expect(await browser.documents().map(\.id) == [b])
    #expect(try fixture.text("a.txt") == "A1")
    #expect(try await browser.item(a).isOpen == false)
    #expect(await browser.close().isEmpty)
    #expect(await browser.documents().isEmpty)
  }

  @Test("effects, foreign files and damaged ones: contents, or a reason, and the browser stays")
  func kinds() async throws {
    let fixture = try await BrowserFixture(["bad.particles": "no package", "notes.txt": "n"])
    try fixture.effect("fire.particles", "fire")
    let browser = fixture.browser
    let fire = try await fixture.id("fire.particles")
    #expect(try await browser.item(fire).format == "particles")
    #expect(try await browser.open(fire, in: "w").kind == .effect)
    let contents = try await browser.contents(of: fire)
    #expect(contents.effect?.contains("\"emitters\"") == true)
    let image = try #require(contents.files.first { $0.hasSuffix(".png") })
    #expect(try await browser.file(image, of: fire).starts(with: [0x89, 0x50]))
    await #expect(throws: Diagnostic.self) { try await browser.file("../x", of: fire) }
    // A foreign effect in a text format is edited as text, and is shown.
    let to: JSONValue = ["to": "pixi"]
    let outcome = try await browser.run(
      "org.particles-format.convert", on: [fire], options: to)
    let json = try #require(outcome.created.first)
    let foreign = try #require(try await browser.item(atPath: json))
    #expect(try await browser.open(foreign.id, in: "w").kind == .text)
    let shown = try await browser.contents(of: foreign.id)
    #expect(shown.text?.hasPrefix("{") == true)
    #expect(shown.effect?.contains("\"emitters\"") == true)
    let bad = try await fixture.id("bad.particles")
    await #expect(throws: Diagnostic.self) { try await browser.thumbnail(of: bad, size: 128) }
    let found = await browser.inspect([bad, fire])
    #expect(found.count == 2)
    #expect(found[1].problem == nil)
    #expect(try await browser.item(bad).problem != nil)
    #expect(await browser.close().isEmpty)
  }

  @Test("saves reach the provider, and a document is unsaved until they do")
  func stored() async throws {
    let memory = try MemoryProvider(["one.txt": "1"])
    let fixture = try await BrowserFixture([:], providers: [memory])
    let browser = fixture.browser
    let cloud = try #require(await browser.locations().first { $0.kind == "other" })
    let item = try #require(try await browser.list(BrowserQuery(cloud.id)).items.first)
    func change(_ text: String) async throws {
      let document = try await browser.open(item.id, in: "w")
      _ = try await browser.setText(text, of: item.id, from: document.revision)
    }
    try await change("two")
    try await browser.closeDocument(in: "w")
    #expect(memory.bytes("/cloud/one.txt") == Array("two".utf8))
    // Opened again, it has the saved text.
    try await change("three")
    memory.refuse(Diagnostic(.fileUnwritable, "the cloud is full"))
    await #expect(throws: Diagnostic.self) { try await browser.closeDocument(in: "w") }
    #expect(await browser.documents().first?.states.contains("changed") == true)
    #expect(memory.bytes("/cloud/one.txt") == Array("two".utf8))
    memory.refuse(nil)
    try await browser.closeDocument(in: "w")
    #expect(memory.bytes("/cloud/one.txt") == Array("three".utf8))
    // A text that the cloud refuses is in the recovery journal at the end.
    try await change("four")
    memory.refuse(Diagnostic(.fileUnwritable, "the cloud is full"))
    #expect(await browser.close().count == 1)
    #expect(try RecoveryStore(dataFolder: fixture.scratch.file("share")).entries().count == 1)
  }

  @Test("the title of an open document follows its name at the provider, whoever has changed it")
  func names() async throws {
    let memory = try MemoryProvider(["one.txt": "1"])
    let fixture = try await BrowserFixture([:], providers: [memory])
    let browser = fixture.browser
    let cloud = try #require(await browser.locations().first { $0.kind == "other" })
    let item = try #require(try await browser.list(BrowserQuery(cloud.id)).items.first)
    final class Titles: Sendable {
      private let all = Lock<[String]>([])
      var shown: [String] { all.withLock(\.self) }
      func add(_ title: String) { all.withLock { $0.append(title) } }
    }
    let titles = Titles()
    let events = browser.events()
    let listener = Task {
      for await case .document(let document, what: "moved") in events {
        titles.add(document.displayName)
      }
    }
    defer { listener.cancel() }
    #expect(try await browser.open(item.id, in: "w").displayName == "one")
    _ = await browser.perform(.rename(item.id, to: "cloudy.txt"))
    #expect(await browser.documents().map(\.displayName) == ["cloudy"])
    // Outside of the browser.
    _ = try memory.move("/cloud/cloudy.txt", to: "/cloud", named: "rainy.txt")
    let deadline = Deadline(seconds: 20)
    while !titles.shown.contains("rainy"), !deadline.isOver {
      try await Task.sleep(nanoseconds: 20_000_000)
    }
    #expect(titles.shown.contains("cloudy") && titles.shown.last == "rainy")
    #expect(await browser.documents().map(\.displayName) == ["rainy"])
    // Typed text goes to the new place of the document.
    let document = try #require(await browser.documents().first)
    _ = try await browser.setText("two", of: item.id, from: document.revision)
    try await browser.closeDocument(in: "w")
    #expect(memory.bytes("/cloud/rainy.txt") == Array("two".utf8))
  }

  @Test("a provider that goes leaves the contents of its documents in the recovery journal")
  func gone() async throws {
    let memory = try MemoryProvider(["one.txt": "1"])
    let fixture = try await BrowserFixture([:], providers: [memory])
    let browser = fixture.browser
    let cloud = try #require(await browser.locations().first { $0.kind == "other" })
    let item = try #require(try await browser.list(BrowserQuery(cloud.id)).items.first)
    let document = try await browser.open(item.id, in: "w")
    _ = try await browser.setText("unsaved", of: item.id, from: document.revision)
    memory.set(.gone)
    for _ in 0..<100 {
      if await browser.documents().isEmpty { break }
      try await Task.sleep(nanoseconds: 20_000_000)
    }
    #expect(await browser.documents().isEmpty)
    #expect(try RecoveryStore(dataFolder: fixture.scratch.file("share")).entries().count == 1)
    #expect(await browser.locations().contains { $0.kind == "other" } == false)
  }
}

extension Browser {
  /// Stores the session, and calls `change` before other work of the browser.
  fileprivate func saveSession(then change: @Sendable () throws -> Void) async throws {
    try await saveSession()
    try change()
  }
}
