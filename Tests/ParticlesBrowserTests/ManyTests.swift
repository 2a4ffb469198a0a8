import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// Many documents at once by the routes of the pages, and the window in which a later call of the tool is shown.
@Suite("Many documents in the browser")
struct ManyTests {
  private func body(_ values: JSONObject) -> RouteRequest {
    RouteRequest(
      number: 1, rest: "", query: [:], body: Array(JSONValue.object(values).denseText.utf8))
  }

  private func object(_ answer: HTTPAnswer) -> JSONObject {
    (try? JSONValue(parsing: answer.body).object) ?? [:]
  }

  private func server(_ fixture: BrowserFixture) throws -> BrowserServer {
    try BrowserServer(fixture.browser, player: PlayerFiles(files: [:], module: nil))
  }

  @Test("effects are compared, then converted into a folder under free names, and undone whole")
  func converting() async throws {
    let fixture = try await BrowserFixture(["out/fire.json": "mine", "broken.pex": "<x"])
    for name in ["fire", "snow"] { try fixture.effect("\(name).particles", name) }
    let server = try server(fixture)
    defer { server.stop() }
    let names = ["fire.particles", "snow.particles", "broken.pex"]
    var ids: [JSONValue] = []
    for name in names { ids.append(.string(try await fixture.id(name))) }
    let compared = object(
      try await server.compare(body(["items": .array(ids), "target": "pixi"])))
    let rows = (compared["rows"]?.array ?? []).map { $0.object ?? [:] }
    #expect(rows.count == 3)
    #expect(rows.map { Files.lastComponent(of: $0["source"]?.string ?? "") } == names)
    #expect(rows.map { $0["difference"] != nil } == [true, true, false])
    #expect(rows[2]["status"] == "failed" && rows[2]["fault"]?.object?["message"] != nil)
    #expect(rows[0]["losses"]?.array?.isEmpty == false)
    #expect(try Files.list(fixture.path("out")) == ["fire.json"], "nothing is written")
    let out = try await fixture.id("out")
    let converted = object(
      try await server.convert(
        body(["items": .array(ids), "target": "pixi", "location": .string(out)])))
    #expect(converted["failed"] == 1 && converted["total"] == 3)
    let written = Set(try Files.list(fixture.path("out")))
    #expect(written.isSuperset(of: ["fire.json", "fire 2.json", "snow.json"]))
    #expect(try fixture.text("out/fire.json") == "mine")
    #expect(await fixture.browser.undoName == "Convert")
    #expect(await fixture.browser.undo().isComplete)
    #expect(try Files.list(fixture.path("out")).filter { $0.hasSuffix(".json") } == ["fire.json"])
    await #expect(throws: Diagnostic.self) {
      try await server.convert(
        body(["items": .array(ids), "target": "pixi", "location": ids[0]]))
    }
  }

  @Test(
    "files whose extension is that of many programs are converted by their contents, also from a long listing"
  )
  func contents() async throws {
    let fixture = try await BrowserFixture(["plain.plist": "<plist version=\"1.0\"><dict/></plist>"]
    )
    for name in ["plist/torch.plist", "plist/snow.plist", "pd-json/torch.json"] {
      try Files.create(
        fixture.path(Files.lastComponent(of: name)),
        Files.read(Repository.path("Fixtures/effects/\(name)")))
    }
    let server = try server(fixture)
    defer { server.stop() }
    let items = try await fixture.browser.list(BrowserQuery(fixture.root)).items
    let ids = items.filter { $0.name != "plain.plist" }.map(\.id)
    #expect(ids.count == 3)
    let outcome = object(
      try await server.convert(
        body(["items": .array(ids.map { .string($0) }), "target": "starling"])))
    #expect(outcome["total"] == .int(3) && outcome["failed"] == .int(0), "\(outcome)")
    // A file that is no effect is refused.
    let plain = try #require(items.first { $0.name == "plain.plist" })
    await #expect(throws: Diagnostic.self) {
      try await server.convert(body(["items": .array([.string(plain.id)]), "target": "starling"]))
    }
  }

  @Test("routes rename several and copy to a folder; failures are told to those that keep a log")
  func routes() async throws {
    let fixture = try await BrowserFixture(["a.txt": "A", "b.txt": "B", "out/": ""])
    let server = try server(fixture)
    defer { server.stop() }
    let (a, b) = (try await fixture.id("a.txt"), try await fixture.id("b.txt"))
    let events = fixture.browser.events()
    let renamed = object(
      try await server.rename(
        body(["items": .array([.string(a), .string(b)]), "names": .array(["c", "d/e"])])))
    #expect(renamed["complete"] == .bool(false))
    #expect(try fixture.text("c.txt") == "A" && fixture.text("b.txt") == "B")
    let told = await BrowserFixture.events(events) { if case .failed = $0 { true } else { false } }
    #expect(told.compactMap(\.line).contains { $0.hasPrefix("failed: tree/name") })
    await #expect(throws: Diagnostic.self) {
      try await server.rename(body(["items": .array([.string(a)]), "names": .array([])]))
    }
    let copy = try #require(Route.find("copy", for: .page).routes.first)
    let out = try await fixture.id("out")
    let answer = try await copy.answer(
      server, body(["items": .array([.string(a), .string(b)]), "location": .string(out)]))
    #expect(object(answer)["complete"] == .bool(true))
    #expect(try Files.list(fixture.path("out")).sorted() == ["b.txt", "c.txt"])
  }

  @Test("a document that could not be opened is not told as closed")
  func unopened() async throws {
    let fixture = try await BrowserFixture()
    try fixture.effect("cut.particles", "fire")
    let bytes = try Files.read(fixture.path("cut.particles"))
    try Files.removeAll(fixture.path("cut.particles"))
    try Files.create(fixture.path("cut.particles"), Array(bytes.prefix(bytes.count / 2)))
    let id = try await fixture.id("cut.particles")
    let events = fixture.browser.events()
    await #expect(throws: Diagnostic.self) { try await fixture.browser.open(id, in: "w") }
    let told = await BrowserFixture.events(events, for: 0.5) { _ in false }
    #expect(!told.contains { $0.line?.hasPrefix("closed") ?? false })
  }

  @Test("a later call is shown in the window that was used last")
  func lastWindow() async throws {
    let fixture = try await BrowserFixture(["a.txt": "A"])
    let server = try server(fixture)
    defer { server.stop() }
    #expect(server.lastWindow == nil)
    func note(_ window: String, closed: Bool = false) async throws {
      _ = try await server.note(body(["window": .string(window), "closed": .bool(closed)]))
    }
    try await note("one")
    try await note("two")
    #expect(server.lastWindow == "two")
    try await note("one")
    #expect(server.lastWindow == "one")
    try await note("one", closed: true)
    #expect(server.lastWindow == "two")
  }
}
