import ParticlesBrowser
import ParticlesCore
import ParticlesTestSupport
import Testing

/// Defaults that an application replaces, one at a time.
@Suite("Hooks of the browser")
struct HookTests {
  private struct Locked: Error {}

  @Test("services for sharing are none by default; those of an application get the selection")
  func sharing() async throws {
    let plain = try await BrowserFixture(["a.txt": "A"])
    let a = try await plain.id("a.txt")
    #expect(await plain.browser.sharingOffers(for: [a]).isEmpty)
    await #expect(throws: Diagnostic.self) {
      try await plain.browser.share("com.example.post", [a])
    }
    let asked = Lock<[[String]]>([])
    var hooks = BrowserHooks()
    hooks.sharing = { items in
      asked.withLock { $0.append(items.map(\.name)) }
      var post = BrowserAction("com.example.post", title: "Post", types: ["public.plain-text"]) {
        .message("posted \($0.paths.map(Files.lastComponent).joined(separator: " "))")
      }
      post.changesFiles = false
      post.allowsMultiple = false
      return [post]
    }
    let fixture = try await BrowserFixture(["a.txt": "A", "b.txt": "B"], hooks: hooks)
    let (one, two) = (try await fixture.id("a.txt"), try await fixture.id("b.txt"))
    let offers = await fixture.browser.sharingOffers(for: [two, one])
    #expect(offers.map(\.isEnabled) == [false])
    #expect(asked.withLock(\.self) == [["b.txt", "a.txt"]])
    #expect(try await fixture.browser.share("com.example.post", [two]).message == "posted b.txt")
    // It is no action of menus.
    #expect(
      await fixture.browser.offers(for: [one]).allSatisfy { $0.identifier != "com.example.post" })
  }

  @Test("a question is asked once; its answer is kept, and can be changed")
  func questions() async throws {
    var hooks = BrowserHooks()
    hooks.questions = [
      BrowserQuestion(
        "place", "Where are new documents kept?", choices: [("cloud", "Cloud"), ("here", "Here")])
    ]
    let first = try await BrowserFixture(hooks: hooks)
    #expect(await first.browser.openQuestions.map(\.identifier) == ["place"])
    #expect(await first.browser.answer(to: "place") == nil)
    await #expect(throws: Diagnostic.self) { try await first.browser.answer("place", with: "moon") }
    await #expect(throws: Diagnostic.self) { try await first.browser.answer("other", with: "here") }
    let events = first.browser.events()
    try await first.browser.answer("place", with: "cloud")
    let told = await BrowserFixture.events(events) { if case .setting = $0 { true } else { false } }
    #expect(!told.isEmpty)
    let second = try await BrowserFixture(hooks: hooks, in: first.scratch)
    #expect(await second.browser.openQuestions.isEmpty)
    #expect(await second.browser.answer(to: "place") == "cloud")
    try await second.browser.answer("place", with: "here")
    #expect(await second.browser.answer(to: "place") == "here")
    // An answer that is not offered any more is none.
    hooks.questions[0].choices.removeLast()
    let third = try await BrowserFixture(hooks: hooks, in: first.scratch)
    #expect(await third.browser.openQuestions.count == 1)
  }

  @Test("templates are chosen, and a document is refused, with the reason of the application")
  func others() async throws {
    var hooks = BrowserHooks()
    hooks.templates = { templates in templates.filter { $0.name == "snow" } }
    hooks.willOpen = { item in if item.name == "b.txt" { throw Locked() } }
    let fixture = try await BrowserFixture(["a.txt": "A", "b.txt": "B"], hooks: hooks)
    #expect(await fixture.browser.templates().map(\.name) == ["snow"])
    _ = try await fixture.browser.open(try await fixture.id("a.txt"), in: "w")
    await #expect(throws: Diagnostic.self) {
      try await fixture.browser.open(try await fixture.id("b.txt"), in: "w")
    }
    // a.txt stays open in the window.
    #expect(await fixture.browser.documents().map(\.path) == [fixture.path("a.txt")])
    _ = await fixture.browser.close()
  }

  @Test("lines of the log name files and results, and have no contents of documents")
  func log() async throws {
    let fixture = try await BrowserFixture(["a.txt": "secret one", "bad.particles": "\0secret two"])
    let (events, saves) = (fixture.browser.events(), fixture.browser.events())
    let a = try await fixture.id("a.txt")
    let document = try await fixture.browser.open(a, in: "w")
    _ = try await fixture.browser.setText("secret three", of: a, from: document.revision)
    _ = try await fixture.browser.save(a)
    // Its events come a moment later, and not after it is closed.
    _ = await BrowserFixture.events(saves) { $0.line?.hasPrefix("saved") == true }
    _ = await fixture.browser.perform(.rename(a, to: "b.txt"))
    await #expect(throws: Diagnostic.self) {
      try await fixture.browser.open(try await fixture.id("bad.particles"), in: "w")
    }
    _ = await fixture.browser.perform(
      .importFiles([fixture.path("none.txt")], into: fixture.root, .copy))
    try await fixture.browser.set("end", to: .bool(true))
    let told = await BrowserFixture.events(events) {
      if case .setting("end", _) = $0 { true } else { false }
    }
    let lines = told.compactMap(\.line)
    for word in ["opened", "edited", "saved", "moved", "closed", "did not import", "set end"] {
      #expect(lines.contains { $0.hasPrefix(word) }, "\(word): \(lines)")
    }
    #expect(lines.contains { $0.contains("b.txt") })
    #expect(!lines.contains { $0.contains("secret") }, "\(lines)")
  }
}
