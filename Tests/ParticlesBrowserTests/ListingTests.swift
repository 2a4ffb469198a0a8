import ParticlesBrowser
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Listings of the browser")
struct ListingTests {
  @Test("names are in natural order, folders first, hidden files left out")
  func order() async throws {
    let fixture = try await BrowserFixture([
      "b 10.txt": "", "B 9.txt": "x", "a.txt": "", "zoo/": "", ".hidden": "", "picture.png": "",
    ])
    #expect(
      try await fixture.names() == ["zoo", "a.txt", "B 9.txt", "b 10.txt", "picture.png"])
    var query = BrowserQuery(fixture.root)
    query.isReversed = true
    query.foldersFirst = false
    #expect(try await fixture.names(query).first == "zoo")
    query.sort = .size
    #expect(try await fixture.names(query).last == "B 9.txt")
    let listing = try await fixture.browser.list(BrowserQuery(fixture.root))
    #expect(listing.items.map(\.isSelectable) == [true, true, true, true, false])
    #expect(listing.items.map(\.type)[1] == "public.plain-text")
    #expect(listing.location.isWritable)
    #expect(listing.items.allSatisfy { $0.parent == fixture.root })
  }

  @Test("search ignores case and accents, filters keep folders, ranges are slices")
  func filter() async throws {
    let fixture = try await BrowserFixture([
      "Élan.txt": "", "planet.txt": "", "fire.json": "{}", "sub/elan 2.txt": "",
      "sub/deep/x.txt": "",
    ])
    var query = BrowserQuery(fixture.root)
    query.search = "ELAN"
    #expect(try await fixture.names(query) == ["Élan.txt"])
    query.isRecursive = true
    #expect(try await fixture.names(query) == ["Élan.txt", "elan 2.txt"])
    query = BrowserQuery(fixture.root)
    query.types = ["public.json"]
    #expect(try await fixture.names(query) == ["sub", "fire.json"])
    query = BrowserQuery(fixture.root)
    (query.start, query.count) = (1, 2)
    let listing = try await fixture.browser.list(query)
    #expect(listing.items.map(\.name) == ["Élan.txt", "fire.json"])
    #expect(listing.total == 4)
    query.start = 99
    #expect(try await fixture.names(query).isEmpty)
  }

  @Test("others are hidden on request; only declared types or extensions can be opened")
  func allowed() async throws {
    var configuration = BrowserConfiguration()
    configuration.others = .hidden
    configuration.allowedExtensions = ["fx"]
    let fixture = try await BrowserFixture(["a.fx": "", "b.txt": "", "c/": ""], configuration)
    #expect(try await fixture.names() == ["c", "a.fx"])
    let text = try await fixture.item("b.txt")
    await #expect(throws: Diagnostic.self) { try await fixture.browser.open(text.id, in: "w") }
  }

  @Test(
    "a rename, a replaced file and a new file from outside are told within 300 ms; identities stay")
  func changes() async throws {
    let fixture = try await BrowserFixture(["a.txt": "1", "b.txt": "2"])
    let before = try await fixture.browser.list(BrowserQuery(fixture.root))
    let (a, b) = (before.items[0].id, before.items[1].id)
    let events = fixture.browser.events()
    let start = MonotonicClock.seconds
    try Files.rename(fixture.path("a.txt"), fixture.path("renamed.txt"))
    try SafeSave.file(fixture.path("b.txt"), replacing: true) { try $0.write(Array("new".utf8)) }
    try Files.create(fixture.path("c.txt"), [])
    let found = await BrowserFixture.events(events) { event in
      if case .items(_, let changed, _, _) = event {
        changed.contains { $0.name == "c.txt" }
      } else {
        false
      }
    }
    #expect(MonotonicClock.seconds - start < 1)
    #expect(!found.isEmpty)
    let after = try await fixture.browser.list(BrowserQuery(fixture.root))
    #expect(after.items.map(\.name) == ["b.txt", "c.txt", "renamed.txt"])
    #expect(after.items[0].id == b)
    #expect(after.items[2].id == a)
    #expect(after.revision > before.revision)
  }

  @Test("after a storm of renames, the listing is that of a fresh browser")
  func storm() async throws {
    let files = Dictionary(uniqueKeysWithValues: (0..<100).map { ("f\($0).txt", "\($0)") })
    let fixture = try await BrowserFixture(files)
    let ids = try await fixture.browser.list(BrowserQuery(fixture.root)).items
    for round in 0..<10 {
      for number in 0..<100 {
        let old = round == 0 ? "f\(number).txt" : "f\(number) r\(round - 1).txt"
        try Files.rename(fixture.path(old), fixture.path("f\(number) r\(round).txt"))
      }
    }
    let expected = (0..<100).map { "f\($0) r9.txt" }
    for _ in 0..<50 where try await fixture.names() != expected {
      try await Task.sleep(nanoseconds: 50_000_000)
    }
    let after = try await fixture.browser.list(BrowserQuery(fixture.root)).items
    #expect(after.map(\.name) == expected)
    #expect(Set(after.map(\.id)) == Set(ids.map(\.id)))
  }

  @Test("the order of 10,000 documents is found once; slices and searches follow at once")
  func many() async throws {
    let fixture = try await BrowserFixture()
    for number in 0..<2_000 { try Files.create(fixture.path("doc\(number).txt"), []) }
    var query = BrowserQuery(fixture.root)
    query.count = 40
    let listing = try await fixture.browser.list(query)
    #expect(listing.total == 2_000)
    #expect(listing.items.map(\.name) == (0..<40).map { "doc\($0).txt" })
    query.search = "199"
    let found = try await fixture.browser.list(query)
    #expect(found.total == 12)
    #expect(found.unfiltered == 2_000)
  }

  @Test("nothing outside of the opened folders is found, also not through symbolic links")
  func confined() async throws {
    let fixture = try await BrowserFixture(["a.txt": ""])
    let outside = fixture.scratch.file("outside")
    try Files.makeDirectory(outside)
    try Files.create("\(outside)/secret.txt", [1])
    try Files.makeLink(fixture.path("link"), to: outside)
    try Files.makeLink(fixture.path("file"), to: "\(outside)/secret.txt")
    #expect(try await fixture.browser.item(atPath: "\(outside)/secret.txt") == nil)
    let link = try await fixture.item("link")
    await #expect(throws: Diagnostic.self) { try await fixture.browser.list(BrowserQuery(link.id)) }
    let file = try await fixture.item("file")
    await #expect(throws: Diagnostic.self) { try await fixture.browser.localFile(of: file.id) }
    await #expect(throws: Diagnostic.self) { try await fixture.browser.list(BrowserQuery("none")) }
    await #expect(throws: Diagnostic.self) { try await fixture.browser.item("") }
  }

  @Test(
    "names with control characters are shown escaped, and those that are not UTF-8 can be renamed")
  func strangeNames() async throws {
    let fixture = try await BrowserFixture(["new\nline\u{202E}.txt": ""])
    let item = try #require(try await fixture.browser.list(BrowserQuery(fixture.root)).items.first)
    #expect(item.displayName == "new\\u{a}line\\u{202e}.txt")
    #expect(item.name == "new\nline\u{202E}.txt")
    _ = try Run.succeeding(
      "/bin/sh", ["-c", "printf x > \"$1/$(printf 'bad\\377')\"", "sh", fixture.docs])
    for _ in 0..<40 where try await fixture.names().count < 2 {
      try await Task.sleep(nanoseconds: 50_000_000)
    }
    let bad = try #require(
      try await fixture.browser.list(BrowserQuery(fixture.root)).items.first {
        $0.name == "bad\\xFF"
      })
    #expect(bad.problem?.rule == .name)
    #expect(!bad.isSelectable)
    let outcome = await fixture.browser.perform(.rename(bad.id, to: "good.txt"))
    #expect(outcome.isComplete, "\(outcome)")
    #expect(try fixture.text("good.txt") == "x")
  }

  @Test("two providers are in one browser; pending, gone and replaced ones are told")
  func providers() async throws {
    let memory = try MemoryProvider(["one.txt": "1", "two.txt": "2"])
    let fixture = try await BrowserFixture(["a.txt": ""], providers: [memory])
    // A provider is little work.
    let source = try Files.read(Repository.path("Tests/ParticlesBrowserTests/MemoryProvider.swift"))
    #expect(String(decoding: source, as: UTF8.self).split(separator: "\n").count < 120)
    memory.setPending("/cloud/one.txt")
    let cloud = try #require(await fixture.browser.locations().first { $0.kind == "other" })
    let listing = try await fixture.browser.list(BrowserQuery(cloud.id))
    #expect(listing.items.map(\.name) == ["one.txt", "two.txt"])
    #expect(listing.items.map(\.state) == [.pending, .remote])
    // A document that is being uploaded can be removed at once, and comes back.
    let outcome = await fixture.browser.perform(.trash([listing.items[0].id]))
    #expect(outcome.isComplete)
    #expect(try await fixture.names(BrowserQuery(cloud.id)) == ["two.txt"])
    #expect(await fixture.browser.undo().isComplete)
    #expect(try await fixture.names(BrowserQuery(cloud.id)) == ["one.txt", "two.txt"])
    // Between providers.
    let copy = await fixture.browser.perform(.copy([listing.items[1].id], to: fixture.root))
    #expect(copy.isComplete, "\(copy)")
    #expect(try fixture.text("two.txt") == "2")
    let events = fixture.browser.events()
    memory.set(.unavailable("no network"))
    _ = await BrowserFixture.events(events) { if case .locations = $0 { true } else { false } }
    let problem = await fixture.browser.locations().first { $0.kind == "other" }?.problem
    #expect(problem == nil || problem == "no network")
    let refused = await fixture.browser.perform(.trash([listing.items[1].id]))
    #expect(refused.results.map(\.status) == [.failed])
  }
}
