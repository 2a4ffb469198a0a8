import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// A folder in a place that becomes a link to a folder outside.
@Suite("Places of the browser", .needs("find", "grep"))
struct PlaceTests {
  private let fixture: BrowserFixture
  private let folders: FolderProvider
  private let outside: String

  init() async throws {
    fixture = try await BrowserFixture([
      "sub/a.txt": "inside", "sub/b.txt": "inside", "sub/deep/c.txt": "inside", "own.txt": "own",
    ])
    folders = try #require(fixture.browser.trashProvider)
    outside = Files.joined(try Files.resolve(fixture.scratch.path), "outside")
    try Files.makeDirectories("\(outside)/deep")
    for name in ["a.txt", "b.txt", "secret.txt", "deep/c.txt"] {
      try Files.create("\(outside)/\(name)", Array("secret".utf8))
    }
    try Files.makeLink(fixture.path("link"), to: outside)
  }

  private func state(_ folder: String, _ form: String = "%p %y %s %m %T@ %C@\n") throws -> [String]
  {
    let find = try #require(Run.find("find"))
    return try Run.succeeding(find, [folder, "-printf", form]).text.split(separator: "\n")
      .map(String.init).sorted()
  }

  /// Calls of a provider for items in `sub`, by the paths that it had when it was listed.
  private static let calls:
    [(name: String, call: @Sendable (FolderProvider, BrowserFixture) async throws -> Void)] = [
      ("entries", { _ = try await $0.entries(in: $1.path("sub")) }),
      ("entries deeper", { _ = try await $0.entries(in: $1.path("sub/deep")) }),
      ("local file", { _ = try await $0.localFile(of: $1.path("sub/a.txt")) }),
      (
        "add",
        {
          _ = try await $0.add(
            $1.path("own.txt"), to: $1.path("sub"), named: "new.txt", moving: false)
        }
      ),
      (
        "add by moving",
        {
          _ = try await $0.add(
            $1.path("own.txt"), to: $1.path("sub"), named: "new.txt", moving: true)
        }
      ),
      (
        "duplicate",
        {
          _ = try await $0.add(
            $1.path("sub/a.txt"), to: $1.path(""), named: "copy.txt", moving: false)
        }
      ),
      ("rename", { _ = try await $0.move($1.path("sub/a.txt"), to: $1.path("sub"), named: "x") }),
      ("move out", { _ = try await $0.move($1.path("sub/a.txt"), to: $1.docs, named: "x") }),
      ("move in", { _ = try await $0.move($1.path("own.txt"), to: $1.path("sub"), named: "x") }),
      ("give back", { try await $0.giveBack($1.path("sub/a.txt"), to: $1.scratch.file("x")) }),
      ("trash", { _ = try await $0.remove($1.path("sub/a.txt"), permanently: false) }),
      ("trash a folder", { _ = try await $0.remove($1.path("sub/deep"), permanently: false) }),
      ("delete", { _ = try await $0.remove($1.path("sub/a.txt"), permanently: true) }),
      ("delete a folder", { _ = try await $0.remove($1.path("sub/deep"), permanently: true) }),
    ]

  /// Makes `sub` a link to the folder outside.
  private func exchange() throws {
    #expect(try Files.swap(fixture.path("sub"), fixture.path("link")))
  }

  @Test("a provider neither reads nor changes what is outside", arguments: calls.map(\.name))
  func providers(_ name: String) async throws {
    try exchange()
    let (before, inside) = (try state(outside), try state(fixture.docs, "%p %s\n"))
    let call = try #require(Self.calls.first { $0.name == name }).call
    await #expect(throws: Diagnostic.self) { try await call(folders, fixture) }
    #expect(try state(outside) == before)
    #expect(try state(fixture.docs, "%p %s\n") == inside)
    #expect(try Files.status(fixture.scratch.file("x")) == nil)
    #expect(folders.trash.items().isEmpty)
    #expect(try await folders.entry(at: fixture.path("sub/a.txt")) == nil)
  }

  @Test(
    "the same calls after the check of the path, as a race makes them", arguments: calls.map(\.name)
  )
  func races(_ name: String) async throws {
    // The provider believes that the folder outside is a place, as it does between its check and the call.
    let trusting = FolderProvider(
      [fixture.docs, outside],
      environment: BrowserEnvironment(variables: fixture.scratch.desktop()))
    trusting.places.set([(path: fixture.docs, real: fixture.docs)])
    try exchange()
    let before = try state(outside)
    let call = try #require(Self.calls.first { $0.name == name }).call
    // A path alone is not a call.
    _ = try? await call(trusting, fixture)
    #expect(try state(outside) == before)
    for path in try Files.list(fixture.docs) where path.hasSuffix(".txt") {
      #expect(try fixture.text(path) == "own")
    }
    #expect(try Files.status(fixture.scratch.file("x")) == nil)
    #expect(trusting.trash.items().isEmpty)
  }

  @Test("what was in the trash is restored into no folder outside")
  func restoring() async throws {
    let item = try #require(
      try await folders.remove(fixture.path("sub/a.txt"), permanently: false))
    try exchange()
    let before = try state(outside)
    await #expect(throws: Diagnostic.self) {
      try await folders.move(item, to: fixture.path("sub"), named: "a.txt")
    }
    #expect(try state(outside) == before)
    try exchange()
    _ = try await folders.move(item, to: fixture.path("sub"), named: "a.txt")
    #expect(try fixture.text("sub/a.txt") == "inside")
  }

  @Test("operations of the browser: documents, folders, tags, actions and thumbnails")
  func operations() async throws {
    let browser = fixture.browser
    try fixture.effect("sub/e.particles")
    var container = try #require(EffectTemplate.named("fire")).package().container
    try container.save(to: "\(outside)/e.particles", as: .flat)
    let (folder, text, effect) = (
      try await fixture.id("sub"), try await fixture.id("sub/a.txt"),
      try await fixture.id("sub/e.particles")
    )
    try exchange()
    let before = try state(outside)
    await #expect(throws: Diagnostic.self) { try await browser.open(text, in: "w") }
    await #expect(throws: Diagnostic.self) { try await browser.thumbnail(of: effect, size: 128) }
    await #expect(throws: Diagnostic.self) {
      try await browser.create(template: "text", in: folder)
    }
    await #expect(throws: Diagnostic.self) {
      try await browser.add([1], named: "x.txt", to: folder)
    }
    for operation: BrowserOperation in [
      .createFolder("new", in: folder), .duplicate([text]), .trash([text]), .delete([text]),
      .rename(text, to: "x.txt"), .move([text], to: fixture.root),
    ] {
      let outcome = await browser.perform(operation)
      #expect(outcome.results.allSatisfy { $0.status != .done }, "\(operation): \(outcome)")
    }
    #expect(await browser.setTags(["red"], of: [text]).results.first?.status == .failed)
    for action in ["export-gif", "compact"] {
      await #expect(throws: Diagnostic.self) {
        try await browser.run("org.particles-format.\(action)", on: [effect])
      }
    }
    #expect(try state(outside) == before)
    #expect(try Files.list(fixture.docs) == ["link", "own.txt", "sub"])
  }

  @Test("an open document neither shows nor changes a file of its name outside")
  func openDocument() async throws {
    let id = try await fixture.id("sub/a.txt")
    let document = try await fixture.browser.open(id, in: "w")
    try exchange()
    let before = try state(outside)
    _ = try? await fixture.browser.setText("changed", of: id, from: document.revision)
    _ = try? await fixture.browser.save(id)
    try await Task.sleep(nanoseconds: 1_500_000_000)
    #expect(try state(outside) == before)
    let text = (try? await fixture.browser.contents(of: id))?.text
    #expect(text != "secret")
    try exchange()
    _ = try? await fixture.browser.save(id)
    _ = await fixture.browser.close()
    #expect(try state(outside) == before)
  }

  @Test("a place that becomes a link is not followed, and another folder at its path is listed")
  func replacedPlace() async throws {
    let old = fixture.scratch.file("old")
    try Files.rename(fixture.docs, old)
    try Files.makeLink(fixture.docs, to: outside)
    _ = await folders.roots()
    await #expect(throws: Diagnostic.self) { try await folders.entries(in: fixture.docs) }
    #expect(try await folders.entry(at: fixture.path("secret.txt")) == nil)
    try Files.removeAll(fixture.docs)
    try Files.makeDirectory(fixture.docs)
    try Files.create(fixture.path("new.txt"), [1])
    #expect(try await folders.entries(in: fixture.docs).entries.map(\.name) == ["new.txt"])
  }

  @Test("25,000 exchanges of a folder for a link: nothing of outside is read or changed")
  func swapping() async throws {
    let before = try state(outside)
    let imported = fixture.scratch.file("import.txt")
    try Files.create(imported, Array("import".utf8))
    let swapper = Swapper(fixture.path("sub"), fixture.path("link"))
    let deadline = MonotonicClock.seconds + 20
    var (done, secrets, number) = ([0, 0, 0, 0, 0, 0], 0, 0)
    func count(_ index: Int, _ body: () async throws -> Void) async {
      if (try? await body()) != nil { done[index] += 1 }
    }
    while swapper.swaps < 25_000 || done.contains(0), MonotonicClock.seconds < deadline {
      number += 1
      let (path, name) = (fixture.path("sub/a.txt"), "n\(number).txt")
      for _ in 0..<20 {
        await count(0) {
          let file = try await folders.localFile(of: path)
          let bytes = try await fixture.browser.workbench.run { try Files.read(file) }
          if bytes == Array("secret".utf8) { secrets += 1 }
        }
      }
      await count(1) {
        let names = try await folders.entries(in: fixture.path("sub")).entries.map(\.name)
        if names.contains("secret.txt") { secrets += 1 }
      }
      await count(2) {
        _ = try await folders.add(imported, to: fixture.path("sub"), named: name, moving: false)
      }
      await count(3) {
        _ = try await folders.move(fixture.path("sub/\(name)"), to: fixture.docs, named: name)
      }
      await count(4) { _ = try await folders.remove(fixture.path(name), permanently: true) }
      _ = try? await folders.remove(fixture.path("sub/secret.txt"), permanently: true)
      await count(5) {
        guard let item = try await folders.remove(fixture.path("sub/b.txt"), permanently: false)
        else { return }
        _ = try? await folders.move(item, to: fixture.path("sub"), named: "b.txt")
      }
    }
    _ = swapper.stop()
    #expect(secrets == 0)
    #expect(done.allSatisfy { $0 > 0 }, "\(done)")
    #expect(try state(outside) == before)
    let grep = try #require(Run.find("grep"))
    let found = try Run(grep, ["-rl", "secret", fixture.docs, fixture.scratch.file("share")])
    #expect(found.text.isEmpty)
  }
}
