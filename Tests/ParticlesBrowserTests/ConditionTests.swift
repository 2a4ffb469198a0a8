import ParticlesBrowser
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Each operation under each condition: it is done, or the item stays as it was and the result names the reason.
@Suite("Operations under bad conditions")
struct ConditionTests {
  enum Kind: String, CaseIterable, Sendable {
    case rename, duplicate, move, copy, trash, delete, importCopy, importMove, create, restore
  }

  /// The operation on `docs/a.txt`, or with it, whose target folder is `docs/other`.
  func perform(
    _ kind: Kind, _ fixture: BrowserFixture, on name: String = "a.txt"
  ) async throws -> BrowserResult {
    let browser = fixture.browser
    let outside = fixture.scratch.file(name == "a.txt" ? "outside.txt" : name)
    func id() async throws -> BrowserItem.ID { try await fixture.id(name) }
    func other() async throws -> BrowserItem.ID { try await fixture.id("other") }
    let operation: BrowserOperation
    switch kind {
    case .rename: operation = .rename(try await id(), to: "new.txt")
    case .duplicate: operation = .duplicate([try await id()])
    case .move: operation = .move([try await id()], to: try await other())
    case .copy: operation = .copy([try await id()], to: try await other())
    case .trash: operation = .trash([try await id()])
    case .delete: operation = .delete([try await id()])
    case .importCopy: operation = .importFiles([outside], into: try await other(), .copy)
    case .importMove: operation = .importFiles([outside], into: try await other(), .move)
    case .create:
      do {
        let item = try await browser.create(
          template: "text", named: name == "a.txt" ? "new.txt" : name, in: try await other())
        return BrowserResult(source: "", name: "", status: .done, item: item)
      } catch {
        return BrowserResult(
          source: "", name: "", status: .failed, diagnostic: error as? Diagnostic)
      }
    case .restore:
      operation = .restore(try await trashed(fixture).map(\.id), to: try await other())
    }
    return try #require(await browser.perform(operation).results.first)
  }

  /// The trash of the fixture, without the trash of volumes which other tests have mounted.
  private func trashed(_ fixture: BrowserFixture) async throws -> [BrowserItem] {
    try await fixture.browser.list(BrowserQuery(BrowserLocation.trash)).items
      .filter { $0.path?.hasPrefix(fixture.scratch.file("")) == true }
  }

  func fixture(_ kind: Kind, in scratch: Scratch? = nil) async throws -> BrowserFixture {
    let fixture = try await BrowserFixture(
      ["a.txt": "A", "other/": "", "gone.txt": "G"], in: scratch)
    try Files.create(fixture.scratch.file("outside.txt"), Array("O".utf8))
    if kind == .restore {
      _ = await fixture.browser.perform(.trash([try await fixture.id("gone.txt")]))
    }
    return fixture
  }

  /// All regular files below a folder with their contents.
  func tree(_ folder: String) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in try Files.list(folder) {
      let path = "\(folder)/\(name)"
      if try Files.status(path, followingLinks: false)?.kind == .directory {
        found.merge(try tree(path)) { $1 }
      } else {
        found[path] = try Files.read(path)
      }
    }
    return found
  }

  @Test("a folder without write permission", arguments: Kind.allCases)
  func readOnlyFolder(_ kind: Kind) async throws {
    // Root may write everywhere but on a file system that is read-only.
    let isRoot = RunningProcess.user == 0
    let scratch = try Scratch()
    let docs = scratch.file("docs")
    try Files.makeDirectory(docs)
    if isRoot, try Run("/bin/mount", ["-t", "tmpfs", "tmpfs", docs]).status != 0 {
      print("skipped: no file system can be mounted")
      return
    }
    defer {
      _ = try? isRoot ? Run("/bin/umount", ["-l", docs]) : Run("/bin/chmod", ["-R", "755", docs])
    }
    let fixture = try await fixture(kind, in: scratch)
    if isRoot {
      _ = try Run.succeeding("/bin/mount", ["-o", "remount,ro", docs])
    } else {
      _ = try Run.succeeding("/bin/chmod", ["555", docs, fixture.path("other")])
    }
    let before = try tree(docs)
    let result = try await perform(kind, fixture)
    #expect(result.status == .failed, "\(kind)")
    #expect(result.diagnostic?.rule.family == "file", "\(result)")
    #expect(try tree(docs) == before)
    #expect(try Files.read(scratch.file("outside.txt")) == Array("O".utf8))
  }

  @Test("an item that has vanished", arguments: Kind.allCases)
  func vanished(_ kind: Kind) async throws {
    let fixture = try await fixture(kind)
    let id = try await fixture.id("a.txt")
    let other = try await fixture.id("other")
    let trashed = try await trashed(fixture)
    #expect(trashed.map(\.name) == (kind == .restore ? ["gone.txt"] : []))
    try Files.removeAll(fixture.path("a.txt"))
    for item in trashed { try Files.removeAll(#require(item.path)) }
    try Files.removeAll(fixture.scratch.file("outside.txt"))
    let outside = fixture.scratch.file("outside.txt")
    let operation: BrowserOperation
    switch kind {
    case .rename: operation = .rename(id, to: "new.txt")
    case .duplicate: operation = .duplicate([id])
    case .move: operation = .move([id], to: other)
    case .copy: operation = .copy([id], to: other)
    case .trash: operation = .trash([id])
    case .delete: operation = .delete([id])
    case .importCopy: operation = .importFiles([outside], into: other, .copy)
    case .importMove: operation = .importFiles([outside], into: other, .move)
    case .restore: operation = .restore(trashed.map(\.id), to: other)
    case .create:
      // The folder itself.
      try Files.removeAll(fixture.path("other"))
      await #expect {
        _ = try await fixture.browser.create(template: "text", named: "new.txt", in: other)
      } throws: {
        ($0 as? Diagnostic)?.rule == .fileNotFound
      }
      #expect(try Files.list(fixture.docs) == ["gone.txt"])
      return
    }
    let outcome = await fixture.browser.perform(operation)
    #expect(outcome.results.map(\.status) == [.failed], "\(kind)")
    #expect(outcome.results[0].diagnostic?.rule == .fileNotFound, "\(outcome)")
    #expect(outcome.undoName == nil)
    #expect(try Files.list(fixture.path("other")).isEmpty)
  }

  @Test("a symbolic link is the item, not what it leads to", arguments: Kind.allCases)
  func symbolicLink(_ kind: Kind) async throws {
    let fixture = try await fixture(kind)
    try Files.rename(fixture.path("a.txt"), fixture.path("target.txt"))
    try Files.makeLink(fixture.path("a.txt"), to: "target.txt")
    let result = try await perform(kind, fixture)
    #expect(result.status == .done, "\(kind): \(result)")
    #expect(try fixture.text("target.txt") == "A")
    switch kind {
    case .rename: #expect(try fixture.text("new.txt") == "A")
    case .duplicate: #expect(try fixture.text("a copy.txt") == "A")
    // It leads to its old target from its new place.
    case .move, .copy: #expect(try fixture.text("other/a.txt") == "A")
    case .trash, .delete: #expect(try !fixture.exists("a.txt"))
    default: break
    }
    guard kind != .delete else { return }
    #expect(await fixture.browser.undo().isComplete)
    #expect(try fixture.text("a.txt") == "A")
  }

  @Test(
    "another volume", arguments: [Kind.importCopy, .importMove, .move, .copy, .trash],
    [false, true])
  func otherVolume(_ kind: Kind, isPackage: Bool) async throws {
    guard (try? Files.status("/dev/shm"))??.kind == .directory else { return }
    let folder = "/dev/shm/particles-test-\(UInt64.random(in: 0...UInt64.max))"
    try Files.makeDirectory(folder)
    defer { try? Files.removeAll(folder) }
    let scratch = try Scratch()
    let environment = BrowserEnvironment(
      variables: scratch.desktop(["XDG_STATE_HOME": scratch.file("state")]))
    let home = "\(try Files.resolve(scratch.path))/home"
    try Files.makeDirectory(home)
    let name = isPackage ? "p.particles" : "a.txt"
    if isPackage {
      try Files.makeDirectory("\(folder)/\(name)")
      try Files.create("\(folder)/\(name)/document.json", Array("{}".utf8))
    } else {
      try Files.create("\(folder)/\(name)", Array("A".utf8))
    }
    let provider = FolderProvider(
      [home] + ([.importCopy, .importMove].contains(kind) ? [] : [folder]), environment: environment
    )
    let browser = try Browser(
      providers: [provider], environment: environment, registry: DocumentRegistry())
    let root = try #require(await browser.locations().first { $0.path == home }).id
    let path = "\(folder)/\(name)"
    let before = try isPackage ? Files.read("\(path)/document.json") : Files.read(path)
    let operation: BrowserOperation
    switch kind {
    case .importCopy: operation = .importFiles([path], into: root, .copy)
    case .importMove: operation = .importFiles([path], into: root, .move)
    default:
      let id = try #require(try await browser.item(atPath: path)).id
      operation =
        kind == .move ? .move([id], to: root) : kind == .copy ? .copy([id], to: root) : .trash([id])
    }
    let outcome = await browser.perform(operation)
    #expect(outcome.isComplete, "\(outcome)")
    let isLeft = try Files.status(path) != nil
    #expect(isLeft == (kind == .importCopy || kind == .copy))
    if kind != .trash {
      let new = "\(home)/\(name)"
      #expect(try (isPackage ? Files.read("\(new)/document.json") : Files.read(new)) == before)
    }
    #expect(await browser.undo().isComplete)
    if kind == .move || kind == .trash { #expect(try Files.status(path) != nil) }
    #expect(try Files.list(home).isEmpty)
  }

  @Test("a full disk: nothing is half there, and the original stays")
  func fullDisk() async throws {
    // A tiny file system of memory, where the test may mount one.
    let scratch = try Scratch()
    let small = scratch.file("small")
    try Files.makeDirectory(small)
    let mount = try? Run("/bin/mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", small])
    guard mount?.status == 0 else {
      print("skipped: no file system can be mounted")
      return
    }
    defer { _ = try? Run("/bin/umount", ["-l", small]) }
    let fixture = try await BrowserFixture(["big.txt": String(repeating: "x", count: 200_000)])
    let environment = BrowserEnvironment(
      variables: scratch.desktop(["XDG_STATE_HOME": scratch.file("state")]))
    let provider = FolderProvider([fixture.docs, small], environment: environment)
    let browser = try Browser(
      providers: [provider], environment: environment, registry: DocumentRegistry())
    let target = try #require(
      await browser.locations().first { $0.path == (try? Files.resolve(small)) }
    ).id
    let id = try #require(try await browser.item(atPath: fixture.path("big.txt"))).id
    let hosts = fixture.path("big.txt")
    for operation: BrowserOperation in [
      .copy([id], to: target), .move([id], to: target), .importFiles([hosts], into: target, .copy),
      .importFiles([hosts], into: target, .move),
    ] {
      let outcome = await browser.perform(operation)
      #expect(outcome.results.map(\.status) == [.failed], "\(operation)")
      #expect(
        outcome.results[0].diagnostic?.message.contains("no space left") == true, "\(outcome)")
      #expect(try Files.list(small).isEmpty)
      #expect(try fixture.text("big.txt").count == 200_000)
    }
    await #expect(throws: Diagnostic.self) {
      try await browser.add([UInt8](repeating: 7, count: 100_000), named: "b", to: target)
    }
    #expect(try Files.list(small).isEmpty)
  }

  @Test("a name of 255 bytes can be duplicated, trashed and restored")
  func longName() async throws {
    let name = String(repeating: "ä", count: 125) + ".txt"
    let fixture = try await BrowserFixture([name: "L"])
    let id = try await fixture.id(name)
    let copies = await fixture.browser.perform(.duplicate([id, id]))
    #expect(copies.isComplete, "\(copies)")
    #expect(copies.items.allSatisfy { $0.name.utf8.count <= 255 && $0.name.hasSuffix(".txt") })
    #expect(await fixture.browser.perform(.trash([id])).isComplete)
    #expect(await fixture.browser.undo().isComplete)
    #expect(try fixture.text(name) == "L")
  }

  @Test(
    "an open document with changes: it follows, its copy is complete, its contents are kept",
    arguments: Kind.allCases)
  func openDocument(_ kind: Kind) async throws {
    let fixture = try await fixture(kind)
    let browser = fixture.browser
    let id = try await fixture.id("a.txt")
    let document = try await browser.open(id, in: "w")
    _ = try await browser.setText("edited", of: id, from: document.revision)
    let result = try await perform(kind, fixture)
    #expect(result.status == .done, "\(kind): \(result)")
    switch kind {
    case .rename, .move:
      let now = try #require(await browser.documents().first)
      #expect(now.path == fixture.path(kind == .rename ? "new.txt" : "other/a.txt"))
      #expect(now.id == id)
      _ = try await browser.save(id)
      #expect(try fixture.text(kind == .rename ? "new.txt" : "other/a.txt") == "edited")
      #expect(await browser.undo().isComplete)
      #expect(try fixture.text("a.txt") == "edited")
    case .duplicate: #expect(try fixture.text("a copy.txt") == "edited")
    case .copy: #expect(try fixture.text("other/a.txt") == "edited")
    case .trash, .delete:
      // The window that shows it keeps it.
      let now = try #require(await browser.documents().first)
      #expect(now.id == id && now.states.contains("deleted"))
      #expect(now.states.contains("trashed") == (kind == .trash))
      let store = RecoveryStore(dataFolder: fixture.scratch.file("share"))
      let entry = try #require(try store.entries().first)
      let kept = try store.contents(of: entry)
      #expect(try kept.regularFileContents() == Array("edited".utf8))
    default: break
    }
    #expect(await browser.close().isEmpty)
  }
}
