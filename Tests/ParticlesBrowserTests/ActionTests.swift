import ParticlesBrowser
import ParticlesCore
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Actions, pictures and revealing")
struct ActionTests {
  private static let gif = "org.particles-format.export-gif"

  @Test("actions are offered by type and number, and refused otherwise")
  func offers() async throws {
    var single = BrowserAction("com.example.one", title: "One", types: ["public.plain-text"]) {
      request in
      .message(request.paths.map { Files.lastComponent(of: $0) }.joined(separator: ","))
    }
    single.allowsMultiple = false
    single.changesFiles = false
    single.availability = .menu
    let fixture = try await BrowserFixture(
      ["a.txt": "", "b.txt": "", "sub/": ""], actions: [single])
    try fixture.effect("fire.particles")
    let browser = fixture.browser
    let (a, b, fire) = (
      try await fixture.id("a.txt"), try await fixture.id("b.txt"),
      try await fixture.id("fire.particles")
    )
    func enabled(_ ids: [BrowserItem.ID]) async -> [String] {
      await browser.offers(for: ids).filter(\.isEnabled).map {
        $0.identifier.split(separator: ".").last ?? ""
      }
      .map(String.init)
    }
    #expect(await enabled([a]) == ["one"])
    #expect(await enabled([a, b]).isEmpty)
    #expect(await enabled([fire]) == ["export-gif", "convert", "validate", "compact"])
    #expect(await enabled([fire, a]).isEmpty)
    #expect(await enabled([]).isEmpty)
    #expect(await enabled([try await fixture.id("sub")]).isEmpty)
    let offer = await browser.offers(for: [a, b]).last
    #expect(offer?.reason == "it takes one document")
    #expect(offer?.isInBar == false)
    #expect(try await browser.run("com.example.one", on: [a]).message == "a.txt")
    await #expect(throws: Diagnostic.self) { try await browser.run("com.example.one", on: [fire]) }
    await #expect(throws: Diagnostic.self) { try await browser.run("none", on: [a]) }
  }

  @Test("an action for all types takes the files that can be opened, and each refusal has a reason")
  func reasons() async throws {
    let action = BrowserAction("com.example.any", title: "Any") {
      .message("\($0.paths.count)")
    }
    var configuration = BrowserConfiguration()
    configuration.allowedExtensions = ["txt"]
    let fixture = try await BrowserFixture(
      ["a.txt": "", "b.txt": "", "c.png": "", "sub/": ""], configuration, actions: [action])
    let (a, b) = (try await fixture.id("a.txt"), try await fixture.id("b.txt"))
    let (picture, folder) = (try await fixture.id("c.png"), try await fixture.id("sub"))
    for (ids, reason) in [
      ([a, b], nil), ([], "nothing is selected"), ([a, picture], "it is not for c.png"),
      ([folder], "it is not for sub"), ([a, "none"], "an item is gone"),
    ] as [([BrowserItem.ID], String?)] {
      let offer = await fixture.browser.offers(for: ids).last
      #expect(offer?.reason == reason && offer?.isEnabled == (reason == nil), "\(ids)")
      let outcome = try? await fixture.browser.run("com.example.any", on: ids)
      #expect(outcome?.message == (reason == nil ? "2" : nil))
    }
    configuration.isReadOnly = true
    let viewing = try await BrowserFixture(["a.txt": ""], configuration, actions: [action])
    let offer = await viewing.browser.offers(for: [try await viewing.id("a.txt")]).last
    #expect(offer?.reason == "the browser changes nothing")
  }

  @Test("an action with a wrong declaration is refused, and an own one replaces a built-in one")
  func declarations() async throws {
    func browser(_ actions: [BrowserAction]) throws -> Browser {
      try Browser(
        providers: [], actions: actions, environment: BrowserEnvironment(variables: [:]))
    }
    func action(_ id: String, _ title: String = "T", _ types: [String] = []) -> BrowserAction {
      BrowserAction(id, title: title, types: types) { _ in BrowserActionOutcome() }
    }
    expectThrows(.range) { try browser([action("a"), action("a")]) }
    expectThrows(.range) { try browser([action("a", "")]) }
    expectThrows(.range) { try browser([action("a", "T", ["com.example.undeclared"])]) }
    let own = try browser([action(Self.gif, "Own")])
    let offers = await own.offers(for: [])
    #expect(offers.filter { $0.identifier == Self.gif }.map(\.title) == ["Own"])
  }

  @Test("an exported GIF is beside its document, is told with progress, and can be undone")
  func exportGIF() async throws {
    let fixture = try await BrowserFixture(["snow.gif": "there"])
    try fixture.effect("snow.particles", "blank")
    let events = fixture.browser.events()
    let outcome = try await fixture.browser.run(
      Self.gif, on: [try await fixture.id("snow.particles")], options: ["size": .int(16)], job: "j")
    #expect(outcome.created == [fixture.path("snow 2.gif")])
    #expect(try Files.read(fixture.path("snow 2.gif")).starts(with: Array("GIF89a".utf8)))
    #expect(try fixture.text("snow.gif") == "there")
    let told = await BrowserFixture.events(events) {
      if case .progress(_, "j", 1) = $0 { true } else { false }
    }
    #expect(!told.isEmpty)
    #expect(await fixture.browser.undo().isComplete)
    #expect(try !fixture.exists("snow 2.gif"))
    await #expect(throws: Diagnostic.self) {
      try await fixture.browser.run(
        Self.gif, on: [try await fixture.id("snow.particles")], options: ["size": .int(1)])
    }
  }

  @Test("convert, validate and compact have reports")
  func others() async throws {
    let fixture = try await BrowserFixture()
    try fixture.effect("fire.particles", "fire")
    let fire = try await fixture.id("fire.particles")
    let dry = try await fixture.browser.run(
      "org.particles-format.convert", on: [fire], options: ["to": "starling", "dry": .bool(true)])
    #expect(dry.created.isEmpty)
    #expect(dry.reports.first?.diagnostics.isEmpty == false)
    await #expect(throws: Diagnostic.self) {
      try await fixture.browser.run(
        "org.particles-format.convert", on: [fire], options: ["to": "nothing"])
    }
    let valid = try await fixture.browser.run("org.particles-format.validate", on: [fire])
    #expect(valid.message == "0 errors, 0 warnings")
    let compact = try await fixture.browser.run("org.particles-format.compact", on: [fire])
    #expect(compact.message?.contains("bytes before") == true)
    #expect(try Files.list(fixture.docs) == ["fire.particles"])
  }

  @Test("a thumbnail is kept in the cache of the desktop until the document changes")
  func thumbnails() async throws {
    let fixture = try await BrowserFixture(["notes.txt": "n"])
    try fixture.effect("fire.particles", "fire")
    let fire = try await fixture.id("fire.particles")
    let picture = try await fixture.browser.thumbnail(of: fire, size: 128)
    let size = try #require(PNG.size(of: picture))
    #expect((size.width, size.height) == (128, 128))
    let texts = PNG.texts(of: picture)
    #expect(texts["Thumb::URI"] == FileURI.reference(fixture.path("fire.particles")))
    let cached = fixture.scratch.file("cache/thumbnails/normal")
    let name = MD5.hexDigits(Array(FileURI.reference(fixture.path("fire.particles")).utf8)) + ".png"
    #expect(try Files.list(cached) == [name])
    // A picture that another program has drawn is taken, but no picture of an earlier state.
    var other = picture
    other += [0]
    try Files.removeAll("\(cached)/\(name)")
    try Files.create("\(cached)/\(name)", other)
    #expect(try await fixture.browser.thumbnail(of: fire, size: 128) == other)
    try Files.removeAll(fixture.path("fire.particles"))
    try fixture.effect("fire.particles", "snow")
    _ = try Run.succeeding("/usr/bin/touch", ["-d", "2020-01-01", fixture.path("fire.particles")])
    let again = try await fixture.browser.thumbnail(
      of: try await fixture.id("fire.particles"), size: 128)
    #expect(again != other && again != picture)
    await #expect(throws: Diagnostic.self) {
      try await fixture.browser.thumbnail(of: fire, size: 100)
    }
    let notes = try await fixture.id("notes.txt")
    await #expect(throws: Diagnostic.self) {
      try await fixture.browser.thumbnail(of: notes, size: 128)
    }
  }

  @Test("a file is revealed where it is, imported from elsewhere, and other addresses are refused")
  func reveal() async throws {
    let fixture = try await BrowserFixture(["sub/a.txt": "A"])
    let outside = "\(try Files.resolve(fixture.scratch.path))/outside.txt"
    try Files.create(outside, Array("O".utf8))
    let browser = fixture.browser
    let events = browser.events()
    let inside = try await browser.reveal("file://\(fixture.path("sub/a.txt"))")
    #expect(inside.path == fixture.path("sub/a.txt"))
    let imported = try await browser.reveal(outside, importingInto: fixture.root)
    #expect(imported.path == fixture.path("outside.txt"))
    let told = await BrowserFixture.events(events) {
      if case .reveal(_, imported.id) = $0 { true } else { false }
    }
    #expect(told.contains { if case .reveal(_, inside.id) = $0 { true } else { false } })
    for path in ["https://example.com/x.txt", fixture.path("none.txt")] {
      await #expect(throws: Diagnostic.self) { try await browser.reveal(path) }
    }
    // Without a folder to import into, the file's own becomes a location.
    let there = try await browser.reveal(outside)
    #expect(there.path == outside)
    #expect(await browser.locations().filter { $0.kind == "folder" }.count == 2)
  }

  @Test("information has type, conformances, versions and programs")
  func information() async throws {
    let fixture = try await BrowserFixture(["a.txt": "12345"])
    let information = try await fixture.browser.information(about: try await fixture.id("a.txt"))
    let object = try #require(information.object)
    #expect(object["size"] == .int(5))
    #expect(object["conformsTo"]?.array?.contains("public.text") == true)
    #expect(object["versions"]?.array?.isEmpty == true)
    #expect(object["path"] == .string(fixture.path("a.txt")))
  }

  @Test("the well-known folders of a user are read, relative ones and the home folder left out")
  func userFolders() async throws {
    let scratch = try Scratch()
    let home = try Files.resolve(scratch.path)
    for name in ["Bilder", "My Docs", "config"] { try Files.makeDirectory("\(home)/\(name)") }
    try Files.create(
      "\(home)/config/user-dirs.dirs",
      Array(
        """
        # comment
        XDG_PICTURES_DIR="$HOME/Bilder"
        XDG_DOCUMENTS_DIR="\(home)/My Docs"
        XDG_DESKTOP_DIR="$HOME/"
        XDG_DOWNLOAD_DIR="relative"
        XDG_MUSIC_DIR="$HOME/none"
        XDG_TEMPLATES_DIR="
        XDG_PUBLICSHARE_DIR=$HOME/config
        """.utf8))
    var variables = scratch.desktop()
    variables["HOME"] = home
    variables["XDG_CONFIG_HOME"] = "\(home)/config"
    let environment = BrowserEnvironment(variables: variables)
    let browser = try Browser(
      providers: Browser.standardProviders([], environment: environment), environment: environment)
    let found = await browser.locations()
    #expect(
      found.filter { $0.kind != "volume" }.map(\.kind)
        == ["recents", "home", "documents", "pictures", "trash"])
    #expect(found[2].path == "\(home)/My Docs")
    // One in another is in its folder, also before that is listed, and no second location as a favourite.
    let documents = try await browser.list(BrowserQuery(found[2].id))
    #expect(documents.ancestors.map(\.id) == [found[1].id])
    try await browser.setFavourite(true, [found[2].id])
    #expect(await browser.locations() == found)
    // A folder that is a location has one identity, also where it is listed.
    let listing = try await browser.list(BrowserQuery(found[1].id))
    #expect(listing.items.first { $0.name == "Bilder" }?.id == found[3].id)
  }
}
