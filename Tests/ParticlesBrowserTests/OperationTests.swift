import ParticlesBrowser
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Operations of the browser")
struct OperationTests {
  private let files = ["a.txt": "A", "b.txt": "B", "folder/c.txt": "C", "other/": ""]

  @Test(
    "rename keeps the extension and the identity, refuses names in use, and can be undone and redone"
  )
  func rename() async throws {
    let fixture = try await BrowserFixture(files)
    let browser = fixture.browser
    let id = try await fixture.id("a.txt")
    let outcome = await browser.perform(.rename(id, to: "new"))
    #expect(outcome.undoName == "Rename")
    #expect(outcome.items.first?.name == "new.txt")
    #expect(outcome.items.first?.id == id)
    #expect(try fixture.text("new.txt") == "A")
    for (name, rule) in [
      ("b.txt", Rule.fileExists), ("B.TXT", .fileExists), ("x/y", .name), ("", .name),
      (".hidden", .name), (String(repeating: "n", count: 300), .name), ("a\u{7}", .name),
    ] {
      let refused = await browser.perform(.rename(id, to: name))
      #expect(refused.results.first?.diagnostic?.rule == rule, "\(name)")
      #expect(try fixture.text("b.txt") == "B")
      #expect(try fixture.text("new.txt") == "A")
    }
    #expect(await browser.perform(.rename(id, to: "NEW.txt")).isComplete)
    #expect(await browser.undo().isComplete)
    #expect(await browser.undo().isComplete)
    #expect(try fixture.text("a.txt") == "A")
    #expect(await browser.redoName == "Rename")
    #expect(await browser.redo().isComplete)
    #expect(try fixture.exists("new.txt"))
    #expect(try await browser.item(id).name == "new.txt")
  }

  @Test("duplicates have free names, and a batch has a result for each item")
  func duplicate() async throws {
    let fixture = try await BrowserFixture(files)
    let (a, b) = (try await fixture.id("a.txt"), try await fixture.id("b.txt"))
    let outcome = await fixture.browser.perform(.duplicate([a, "unknown", b, a]))
    #expect(outcome.results.map(\.status) == [.done, .failed, .done, .done])
    #expect(outcome.items.map(\.name) == ["a copy.txt", "b copy.txt", "a copy 2.txt"])
    #expect(try fixture.text("a copy 2.txt") == "A")
    #expect(await fixture.browser.undo().results.count == 3)
    #expect(try await fixture.names() == ["folder", "other", "a.txt", "b.txt"])
    #expect(await fixture.browser.redo().isComplete)
    #expect(try fixture.text("a copy.txt") == "A")
  }

  @Test("the result of an operation names the format of the item, also of a new one")
  func formats() async throws {
    let fixture = try await BrowserFixture(files)
    let browser = fixture.browser
    try fixture.effect("fire.particles")
    let fire = try await fixture.id("fire.particles")
    let other = try await fixture.id("other")
    for operation: BrowserOperation in [
      .duplicate([fire]), .rename(fire, to: "flame"), .copy([fire], to: other),
      .importFiles([fixture.path("fire copy.particles")], into: other, .move),
    ] {
      let outcome = await browser.perform(operation)
      #expect(outcome.items.first?.format == "particles", "\(operation): \(outcome)")
    }
    #expect(
      await browser.perform(.duplicate([try await fixture.id("a.txt")])).items[0].format == nil)
  }

  @Test(
    "moves and copies to a folder; a folder is never put into itself, and nothing is overwritten")
  func move() async throws {
    let fixture = try await BrowserFixture(files)
    let browser = fixture.browser
    let (a, folder, other) = (
      try await fixture.id("a.txt"), try await fixture.id("folder"), try await fixture.id("other")
    )
    let plan = await browser.plan(.move([a, folder], to: other))
    #expect(plan.results.map(\.target) == ["a.txt", "folder"].map { fixture.path("other/\($0)") })
    #expect(try fixture.exists("a.txt"))
    let outcome = await browser.perform(.move([a, folder], to: other))
    #expect(outcome.isComplete, "\(outcome)")
    #expect(outcome.items.map(\.id) == [a, folder])
    #expect(try fixture.text("other/folder/c.txt") == "C")
    #expect(await browser.perform(.move([other], to: folder)).results[0].diagnostic != nil)
    #expect(await browser.perform(.copy([other], to: other)).results[0].diagnostic != nil)
    #expect(await browser.perform(.move([a], to: other)).results[0].status == .skipped)
    #expect(await browser.undo().isComplete)
    #expect(try fixture.text("a.txt") == "A")
    try Files.create(fixture.path("other/a.txt"), Array("there".utf8))
    let refused = await browser.perform(.move([a], to: other))
    #expect(refused.results[0].diagnostic?.rule == .fileExists)
    #expect(await browser.perform(.copy([a], to: other)).items.map(\.name) == ["a 2.txt"])
    #expect(try fixture.text("other/a.txt") == "there")
  }

  @Test("the trash: put, listed with the old name, restored, undone, deleted for good")
  func trash() async throws {
    let fixture = try await BrowserFixture(files)
    let browser = fixture.browser
    let (a, folder) = (try await fixture.id("a.txt"), try await fixture.id("folder"))
    #expect(await browser.perform(.trash([a, folder])).undoName == "Move to Trash")
    #expect(try await fixture.names() == ["other", "b.txt"])
    var trash = try await browser.list(BrowserQuery(BrowserLocation.trash))
    #expect(Set(trash.items.map(\.name)) == ["a.txt", "folder"])
    let item = try #require(trash.items.first { $0.name == "a.txt" })
    #expect(item.trashed?.path == fixture.path("a.txt"))
    try Files.create(fixture.path("a.txt"), Array("new".utf8))
    let restored = await browser.perform(.restore([item.id], to: nil))
    #expect(restored.isComplete, "\(restored)")
    #expect(try fixture.text("a.txt") == "new")
    #expect(try fixture.text("a 2.txt") == "A")
    #expect(await browser.undo().isComplete)
    #expect(try !fixture.exists("a 2.txt"))
    let back = await browser.undo()
    #expect(back.results.map(\.status) == [.failed, .done], "\(back)")
    #expect(try fixture.text("folder/c.txt") == "C")
    #expect(try fixture.text("a.txt") == "new")
    trash = try await browser.list(BrowserQuery(BrowserLocation.trash))
    let gone = await browser.perform(.emptyTrash)
    #expect(gone.results.count == trash.total)
    #expect(gone.undoName == nil)
    #expect(try await browser.list(BrowserQuery(BrowserLocation.trash)).total == 0)
  }

  @Test("what was trashed comes back although its folder is gone; redo removes it again")
  func parents() async throws {
    let fixture = try await BrowserFixture(files)
    let browser = fixture.browser
    let c = try await fixture.id("folder/c.txt")
    #expect(await browser.perform(.trash([c])).isComplete)
    try Files.removeAll(fixture.path("folder"))
    // Other tests mount volumes, which have their own trash.
    let trash = try await browser.list(BrowserQuery(BrowserLocation.trash)).items
      .filter { $0.path?.hasPrefix(fixture.scratch.file("")) == true }.map(\.id)
    let plan = await browser.plan(.restore(trash, to: nil))
    #expect(plan.results.map(\.target) == [fixture.path("folder/c.txt")])
    #expect(try !fixture.exists("folder"))
    #expect(await browser.perform(.restore(trash, to: nil)).isComplete)
    #expect(try fixture.text("folder/c.txt") == "C")
  }

  @Test("import copies or moves, with a result and an event for each; none does nothing")
  func importing() async throws {
    let fixture = try await BrowserFixture(files)
    let outside = fixture.scratch.file("outside")
    try Files.makeDirectory(outside)
    for name in ["a.txt", "x.txt"] { try Files.create("\(outside)/\(name)", Array(name.utf8)) }
    let events = fixture.browser.events()
    let paths = ["a.txt", "none.txt", "x.txt"].map { "\(outside)/\($0)" }
    let outcome = await fixture.browser.perform(.importFiles(paths, into: fixture.root, .copy))
    #expect(outcome.results.map(\.status) == [.done, .failed, .done])
    #expect(try fixture.text("a 2.txt") == "a.txt")
    #expect(try fixture.text("a.txt") == "A")
    let told = await BrowserFixture.events(events) {
      if case .undo = $0 { true } else { false }
    }
    var (imported, failed) = ([String](), [String]())
    for event in told {
      if case .imported(let source, _) = event { imported.append(source) }
      if case .failedImport(let source, _) = event { failed.append(source) }
    }
    #expect(imported == [paths[0], paths[2]])
    #expect(failed == [paths[1]])
    let none = await fixture.browser.perform(.importFiles([paths[0]], into: fixture.root, .none))
    #expect(none.results.map(\.status) == [.skipped])
    let moved = await fixture.browser.perform(.importFiles([paths[2]], into: fixture.root, .move))
    #expect(moved.items.map(\.name) == ["x 2.txt"])
    #expect(try Files.status(paths[2]) == nil)
  }

  @Test("a name that another program takes meanwhile gets a number, twice at most")
  func rivals() async throws {
    let memory = try MemoryProvider([:])
    let fixture = try await BrowserFixture(
      ["x.txt": "ours", "y.txt": "ours"], providers: [memory])
    let cloud = try #require(await fixture.browser.locations().first { $0.kind == "other" }).id
    func copy(_ name: String) async throws -> BrowserResult {
      let outcome = await fixture.browser.perform(.copy([try await fixture.id(name)], to: cloud))
      return try #require(outcome.results.first)
    }
    memory.setRivals(["x.txt", "x 2.txt"])
    #expect(try await copy("x.txt").item?.name == "x 3.txt")
    #expect(memory.bytes("/cloud/x 3.txt") == Array("ours".utf8))
    let all = ["y.txt", "y 2.txt", "y 3.txt"]
    memory.setRivals(all)
    let refused = try await copy("y.txt")
    #expect(refused.status == .failed && refused.diagnostic?.rule == .fileExists)
    for name in ["x.txt", "x 2.txt"] + all {
      #expect(memory.bytes("/cloud/\(name)") == Array("rival".utf8), "\(name)")
    }
  }

  @Test(
    "undo of an import by move puts the file back where it was, unless another one is there now")
  func importedByMove() async throws {
    let memory = try MemoryProvider([:])
    let fixture = try await BrowserFixture([:], providers: [memory])
    let browser = fixture.browser
    let cloud = try #require(await browser.locations().first { $0.kind == "other" }).id
    let outside = "\(try Files.resolve(fixture.scratch.path))/x.txt"
    for folder in [fixture.root, cloud] {
      try Files.create(outside, Array("X".utf8))
      let imported = await browser.perform(.importFiles([outside], into: folder, .move))
      #expect(imported.isComplete && imported.undoName == "Import", "\(imported)")
      #expect(try Files.status(outside) == nil)
      let query = BrowserQuery(folder)
      #expect(try await fixture.names(query) == ["x.txt"])
      #expect(await browser.undo().isComplete)
      #expect(try Files.read(outside) == Array("X".utf8))
      #expect(try await fixture.names(query).isEmpty)
      if folder == fixture.root {
        #expect(try await browser.list(BrowserQuery(BrowserLocation.trash)).total == 0)
      }
      #expect(await browser.redo().isComplete)
      #expect(try Files.status(outside) == nil)
      #expect(try await fixture.names(query) == ["x.txt"])
      // Another file has its name: nothing is replaced, and the document stays.
      try Files.create(outside, Array("other".utf8))
      let refused = await browser.undo()
      #expect(refused.results.map(\.diagnostic?.rule) == [.fileExists], "\(refused)")
      #expect(try Files.read(outside) == Array("other".utf8))
      #expect(try await fixture.names(query) == ["x.txt"])
      try Files.removeAll(outside)
    }
    // The note outlives the browser.
    try Files.create(outside, Array("Y".utf8))
    #expect(
      await browser.perform(.importFiles([outside], into: fixture.root, .move)).isComplete)
    let second = try await BrowserFixture(in: fixture.scratch)
    #expect(await second.browser.undo().isComplete)
    #expect(try Files.read(outside) == Array("Y".utf8))
  }

  @Test("documents are created in a temporary place, under names that are free")
  func create() async throws {
    let fixture = try await BrowserFixture(files)
    let browser = fixture.browser
    let templates = await browser.templates()
    #expect(templates.map(\.name).contains("fire"))
    #expect(templates.last?.name == "text")
    let fire = try await browser.create(template: "Fire", in: fixture.root)
    let again = try await browser.create(template: "fire", in: fixture.root, form: .directory)
    #expect([fire.name, again.name] == ["Fire.particles", "Fire 2.particles"])
    #expect(again.kind == .package)
    #expect(try Container(contentsOf: fixture.path("Fire.particles")).form == .flat)
    let text = try await browser.create(template: "text", named: "a", in: fixture.root)
    #expect(text.name == "a 2.txt")
    await #expect(throws: Diagnostic.self) {
      try await browser.create(template: "x", in: fixture.root)
    }
    await #expect(throws: CancellationError.self) {
      try await browser.create(named: "b.txt", pathExtension: "txt", in: fixture.root) { path in
        try Files.create(path, [1])
        throw CancellationError()
      }
    }
    let dropped = try await browser.add([1, 2], named: "../b.txt", to: fixture.root)
    #expect(dropped.name == "b 2.txt")
    #expect(await browser.undoName == "Import")
    for _ in 0..<4 { #expect(await browser.undo().isComplete) }
    #expect(try await fixture.names() == ["folder", "other", "a.txt", "b.txt"])
  }

  @Test("many creators at the same time get names of their own")
  func concurrent() async throws {
    let fixture = try await BrowserFixture()
    let other = try await BrowserFixture(in: fixture.scratch)
    let (one, two) = (fixture.root, other.root)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { [a = fixture.browser, b = other.browser] in
          let (browser, root) = number.isMultiple(of: 2) ? (a, one) : (b, two)
          _ = try await browser.create(template: "text", in: root)
        }
      }
      try await group.waitForAll()
    }
    #expect(try Files.list(fixture.docs).count == 20)
  }

  @Test("a browser that is read-only changes nothing; without creation, documents are not made")
  func readOnly() async throws {
    var configuration = BrowserConfiguration()
    configuration.isReadOnly = true
    let fixture = try await BrowserFixture(files, configuration)
    let (a, other) = (try await fixture.id("a.txt"), try await fixture.id("other"))
    for operation: BrowserOperation in [
      .rename(a, to: "x"), .duplicate([a]), .move([a], to: other), .copy([a], to: other),
      .renameAll([.init(a, to: "x")]), .trash([a]), .delete([a]),
      .importFiles(["/etc/hosts"], into: other, .copy), .createFolder("x", in: other),
    ] {
      let outcome = await fixture.browser.perform(operation)
      #expect(outcome.results.map(\.diagnostic?.rule) == [.fileReadOnly], "\(operation)")
    }
    await #expect(throws: Diagnostic.self) {
      try await fixture.browser.create(template: "text", in: fixture.root)
    }
    #expect(try await fixture.names() == ["folder", "other", "a.txt", "b.txt"])
    #expect(try await fixture.browser.list(BrowserQuery(fixture.root)).location.isWritable == false)
  }

  @Test("the journal outlives the browser; what was changed meanwhile is left alone")
  func journal() async throws {
    let first = try await BrowserFixture(files)
    let (a, b) = (try await first.id("a.txt"), try await first.id("b.txt"))
    #expect(await first.browser.perform(.rename(a, to: "x")).isComplete)
    #expect(await first.browser.perform(.rename(b, to: "y")).isComplete)
    try Files.removeAll(first.path("x.txt"))
    try Files.create(first.path("between"), [1])
    try Files.create(first.path("x.txt"), Array("another".utf8))
    let second = try await BrowserFixture(in: first.scratch)
    #expect(await second.browser.undoName == "Rename")
    #expect(await second.browser.undo().isComplete)
    #expect(try second.text("b.txt") == "B")
    let refused = await second.browser.undo()
    #expect(refused.results.first?.diagnostic?.rule == .fileChanged, "\(refused)")
    #expect(try second.text("x.txt") == "another")
    #expect(await second.browser.undo().results.isEmpty)
  }

  @Test("tags are those of the extended attribute, survive a copy, and can be undone")
  func tags() async throws {
    let fixture = try await BrowserFixture(files)
    let a = try await fixture.id("a.txt")
    let outcome = await fixture.browser.setTags(["red", "two words"], of: [a])
    guard outcome.isComplete else {
      // The file system has no attributes.
      #expect(outcome.results[0].diagnostic?.rule == .fileUnwritable)
      return
    }
    #expect(outcome.items.first?.tags == ["red", "two words"])
    #expect(
      Files.attribute("user.xdg.tags", of: fixture.path("a.txt")) == Array("red,two words".utf8))
    let copy = await fixture.browser.perform(.duplicate([a]))
    #expect(copy.items.first?.tags == ["red", "two words"])
    var query = BrowserQuery(fixture.root)
    query.tag = "red"
    #expect(try await fixture.names(query) == ["a.txt", "a copy.txt"])
    #expect(await fixture.browser.setTags(["a,b"], of: [a]).results[0].diagnostic?.rule == .name)
    #expect(await fixture.browser.undo().isComplete)
    // Pages are told, though the entry does not change.
    _ = try await fixture.names()
    let events = fixture.browser.events()
    #expect(await fixture.browser.undo().isComplete)
    let told = await BrowserFixture.events(events) { if case .items = $0 { true } else { false } }
    guard case .items(_, let changed, _, _) = try #require(told.last) else { return }
    #expect(changed.map(\.id) == [a])
    #expect(changed.map(\.tags) == [[]])
    #expect(try await fixture.item("a.txt").tags.isEmpty)
  }
}
