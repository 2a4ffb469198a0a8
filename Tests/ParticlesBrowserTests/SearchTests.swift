import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// Searches of folders, with the index that the browser makes for them.
@Suite("Searches of the browser")
struct SearchTests {
  private func fixture() async throws -> BrowserFixture {
    let fixture = try await BrowserFixture(["notes.txt": "one\n", "deep/down/": ""])
    try fixture.effect("fire.particles", "fire")
    try fixture.effect("deep/snow.particles", "snow")
    try fixture.effect("deep/down/blue fire.particles", "fire")
    return fixture
  }

  private func search(
    _ words: String, _ fixture: BrowserFixture, makingIndex makesIndex: Bool = false
  ) async throws -> BrowserListing {
    var query = BrowserQuery(fixture.root)
    (query.search, query.isRecursive, query.makesIndex) = (words, true, makesIndex)
    return try await fixture.browser.list(query)
  }

  /// Waits until the index was made that a search has begun.
  private func indexed(_ fixture: BrowserFixture) async throws {
    let events = fixture.browser.events()
    // On a machine that is busy the search may end at its limit of time, and would only offer to make the index.
    let answer = try await search("alive>0", fixture, makingIndex: true)
    // An earlier search may have begun it, and it may have ended.
    guard answer.indexing != nil else { return }
    #expect(answer.indexJob == fixture.root)
    let told = await BrowserFixture.events(events, for: 30) {
      if case .progress("org.particles-format.index", fixture.root, 1) = $0 { true } else { false }
    }
    #expect(!told.isEmpty)
  }

  @Test(
    "a search of a folder that is not indexed makes the index, tells it, and finds by contents then"
  )
  func made() async throws {
    let fixture = try await fixture()
    let first = try await search("alive>0", fixture)
    #expect(first.items.isEmpty && first.indexing != nil)
    let named = try await search("fire", fixture)
    #expect(named.items.map(\.name) == ["blue fire.particles", "fire.particles"])
    try await indexed(fixture)
    let answer = try await search("alive>0", fixture)
    #expect(answer.items.count == 3 && answer.indexing == nil)
    #expect(try await search("alive>0 name:snow", fixture).items.map(\.name) == ["snow.particles"])
    #expect(try await search("note", fixture).items.map(\.name) == ["notes.txt"])
    // A field of texts alone is a query, too: the index answers, and files are not searched.
    #expect(try await search("text:note", fixture).items.isEmpty)
    let wrong = try await search("alive>many", fixture)
    #expect(wrong.items.isEmpty && wrong.problems.map(\.rule) == [.indexQuery])
    #expect(try await search("(", fixture).problems.isEmpty)
    try Files.removeAll(fixture.path("deep/snow.particles"))
    #expect(try await search("alive>0", fixture).items.count == 2)
  }

  @Test("a document that is new is in the index after the next search, and pages are told")
  func updated() async throws {
    let fixture = try await fixture()
    try await indexed(fixture)
    try fixture.effect("new.particles", "snow")
    await fixture.browser.forgetIndexPauses()
    let events = fixture.browser.events()
    let before = try await search("alive>0", fixture)
    #expect(before.indexing == nil && before.indexJob == fixture.root)
    _ = await BrowserFixture.events(events, for: 30) {
      if case .progress("org.particles-format.index", fixture.root, 1) = $0 { true } else { false }
    }
    #expect(try await search("alive>0", fixture).items.count == 4)
  }

  @Test("what looks alike comes nearest first, with its distance")
  func similar() async throws {
    let fixture = try await fixture()
    try await indexed(fixture)
    let answer = try await search("similar:fire.particles", fixture)
    try #require(answer.items.count == 3)
    let distances = answer.items.map { answer.distances[$0.id] ?? -1 }
    #expect(distances == distances.sorted() && distances[0] == 0 && distances[1] == 0)
    #expect(answer.items[2].name == "snow.particles" && distances[2] > 0)
    let row = BrowserServer.row(answer.items[2], distance: distances[2]).array
    #expect(row?.count == 12 && row?[11].double.map { abs($0 - distances[2]) < 0.001 } == true)
    // It was written after it was indexed.
    try Files.removeAll(fixture.path("fire.particles"))
    try fixture.effect("fire.particles", "snow")
    let later = try await search("similar:fire.particles", fixture)
    #expect(later.items.first?.name == "snow.particles" && later.items.count == 3)
    #expect(try await search("similar:none.particles", fixture).items.isEmpty)
  }

  @Test(
    "a search that finds nothing offers what would: words of it, names spelled alike, terms, formats"
  )
  func offers() async throws {
    let fixture = try await fixture()
    func offers(_ words: String) async throws -> [String] {
      try await search(words, fixture).offers.map { "\($0.search) \($0.total)" }
    }
    #expect(try await offers("fier") == ["fire 2"])
    #expect(try await offers("fire red") == ["fire 2"])
    #expect(try await offers("fire") == [])
    #expect(try await offers("xylophone") == [])
    try await indexed(fixture)
    #expect(try await offers("alive>0 name:rain") == ["alive>0 3"])
    #expect(try await offers("particl") == [])
    #expect(try await offers("format:partic") == ["format:particles 3"])
  }

  @Test("an index that cannot be made is a problem of the answer, once it was tried")
  func unwritable() async throws {
    let fixture = try await fixture()
    try Files.makeDirectories(fixture.scratch.file("cache"))
    try Files.create(fixture.scratch.file("cache/particles"), [])
    _ = try await search("alive>0", fixture)
    var problems: [Diagnostic] = []
    for _ in 0..<100 where problems.isEmpty {
      try await Task.sleep(nanoseconds: 20_000_000)
      problems = try await search("alive>0", fixture).problems
    }
    #expect(problems.count == 1)
  }

  @Test(
    "spelling: letters that are missing, added, others or exchanged",
    arguments: [
      ("explosoin", "explosion"), ("explsion", "explosion"), ("explossion", "explosion"),
      ("eksplosion", "explosion"), ("smok", "smoke"), ("smole", "smoke"), ("msoke", "smoke"),
      ("smo", nil), ("smolle", "smoke"), ("sparkle", nil),
    ] as [(String, String?)])
  func spelling(_ typed: String, _ meant: String?) {
    var offers = SearchOffers()
    for name in ["explosion.pex", "smoke 2.plist", "rain.particles"] { offers.note(name) }
    #expect(offers.offers(for: typed).map(\.search).first == meant, "\(typed)")
  }
}

extension Browser {
  /// Lets the next search bring indexes up to date that were up to date a moment ago.
  fileprivate func forgetIndexPauses() { indexUpdates.waits = [:] }
}
