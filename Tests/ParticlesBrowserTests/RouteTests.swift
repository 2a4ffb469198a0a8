import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDatabase
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser
@testable import ParticlesIndex

/// What pages ask for, over real connections, with documents on disk.
@Suite("Routes of the browser")
final class RouteTests: Sendable {
  private let scratch: Scratch
  private let folder: String
  private let server: BrowserServer

  init() throws {
    scratch = try Scratch()
    folder = scratch.file("effects")
    for path in [folder, scratch.file("home"), scratch.file("outside")] {
      try Files.makeDirectory(path)
    }
    try Files.create(
      Files.joined(folder, "fire.particles"), try EffectTemplate.fire.package().container.encoded())
    try Files.create(Files.joined(folder, "notes.txt"), Array("one\n".utf8))
    try Files.create(scratch.file("outside/secret.txt"), Array("secret\n".utf8))
    try Files.makeLink(Files.joined(folder, "way"), to: scratch.file("outside"))
    let environment = BrowserEnvironment(variables: ["HOME": scratch.file("home")])
    var hooks = BrowserHooks()
    hooks.questions = [BrowserQuestion("q", "Which?", choices: [("a", "A"), ("b", "B")])]
    hooks.sharing = { _ in
      [
        BrowserAction("com.example.post", title: "Post", changesFiles: false) { _ in .message("ok")
        }
      ]
    }
    let browser = try Browser(
      providers: Browser.standardProviders([folder], environment: environment), hooks: hooks,
      environment: environment)
    var settings = BrowserServer.Settings()
    settings.restoresWindows = true
    server = try BrowserServer(browser, player: PlayerFiles(files: [:], module: nil), settings)
  }

  deinit { server.stop() }

  private struct Answer {
    var status: Int
    var head: String
    var body: [UInt8]
    var object: JSONObject { (try? JSONValue(parsing: body).object) ?? [:] }
  }

  private func ask(_ route: String, _ body: JSONValue? = nil, bytes: [UInt8]? = nil) async throws
    -> Answer
  {
    let contents = bytes ?? body.map { Array($0.denseText.utf8) } ?? []
    let isOrder = body != nil || bytes != nil
    let head =
      "\(isOrder ? "POST" : "GET") /\(server.secret)/\(route) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
      + "Content-Length: \(contents.count)\r\nConnection: close\r\n\r\n"
    let port = server.port
    let answer = try await BackgroundWork().run {
      try LocalClient.exchange(Array(head.utf8) + contents, port: port, seconds: 20)
    }
    let blank = Array("\r\n\r\n".utf8)
    let end = try #require(answer.indices.first { answer[$0...].starts(with: blank) })
    let lines = String(decoding: answer[..<end], as: UTF8.self)
    return Answer(
      status: Int(lines.split(separator: " ")[1]) ?? 0, head: lines,
      body: Array(answer[(end + 4)...]))
  }

  /// The identities of the items by their names, and the identity of the folder.
  private func listing() async throws -> (place: String, items: [String: String]) {
    let state = try await ask("state").object
    let place = try #require(state["place"]?.string)
    let rows = try await ask("list?location=\(place)").object["items"]?.array ?? []
    let pairs = rows.compactMap { row in
      row.array.flatMap { row in row[1].string.flatMap { name in row[0].string.map { (name, $0) } }
      }
    }
    return (place, Dictionary(pairs) { first, _ in first })
  }

  @Test("documents are listed, opened, drawn and described")
  func reading() async throws {
    let (_, items) = try await listing()
    let fire = try #require(items["fire.particles"])
    #expect(items["notes.txt"] != nil)
    let picture = try await ask("thumbnail?item=\(fire)&size=128")
    #expect(picture.status == 200 && picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let effect = try await ask("effect?item=\(fire)")
    #expect(
      try OpenedEffect(bytes: effect.body, name: "x.particles").package.system().emitters.count > 0)
    let stored = try await ask("file?item=\(fire)")
    #expect(stored.body == (try Files.read(Files.joined(folder, "fire.particles"))))
    #expect(stored.head.contains("filename*=UTF-8''fire.particles"))
    let facts = try await ask("information", ["item": .string(fire)]).object
    #expect(facts["path"]?.string?.hasSuffix("effects/fire.particles") == true)
    #expect(facts["facts"]?.object?["files"]?.int ?? 0 > 0 && facts["findings"]?.array == [])
    #expect(try await ask("targets").object["targets"]?.array?.count ?? 0 > 10)
    let conversion = try await ask("conversion?item=\(fire)&target=starling").object
    #expect(conversion["losses"]?.array?.isEmpty == false)
    #expect(conversion["difference"]?.object?["whole"]?.double != nil)
    let converted = try await ask("converted?item=\(fire)&target=starling")
    #expect(converted.status == 200)
    let gif = try await ask("export?item=\(fire)&format=gif&size=16")
    #expect(gif.body.starts(with: Array("GIF89a".utf8)))
    #expect(try await ask("export?item=\(fire)&format=bmp").status == 400)
    let short = try await ask(
      "export?item=\(fire)&format=gif&size=16&fps=5&duration=0.4&loop=once&background=white")
    #expect(short.body.starts(with: Array("GIF89a".utf8)) && short.body.count < gif.body.count / 4)
    for wrong in ["fps=0", "duration=0", "duration=1e9", "duration=x", "loop=x", "background=x"] {
      #expect(try await ask("export?item=\(fire)&format=gif&\(wrong)").status == 400, "\(wrong)")
    }
    #expect(
      try await ask("setting", ["name": "tint", "value": "#12xx"]).status == 422)
    for tint in ["#123456", ""] {
      #expect(try await ask("setting", ["name": "tint", "value": .string(tint)]).status == 200)
    }
    let templates = try await ask("templates").object["templates"]?.array ?? []
    #expect(templates.count > 10)
    #expect(try await ask("template-thumbnail?name=snow").body.starts(with: [0x89, 0x50]))
    #expect(try await ask("template-effect?name=nothing").status == 404)
  }

  @Test("an image that is a link out of the places is not read; one in them is")
  func images() async throws {
    let picture = try await ask("template-thumbnail?name=snow").body
    try Files.create(scratch.file("outside/secret.png"), picture)
    try Files.create(Files.joined(folder, "own.png"), picture)
    try Files.makeLink(Files.joined(folder, "link.png"), to: scratch.file("outside/secret.png"))
    try Files.makeLink(Files.joined(folder, "near.png"), to: "own.png")
    for name in ["own", "link", "near", "way/secret"] {
      let file = name.replacing("/", with: "-")
      try Files.create(
        Files.joined(folder, "\(file).pex"),
        Array(
          """
          <particleEmitterConfig><texture name="\(name).png"/><maxParticles value="9"/>
          <particleLifeSpan value="1"/><startParticleSize value="8"/></particleEmitterConfig>
          """.utf8))
    }
    let (_, items) = try await listing()
    for (name, isFound) in [("own", true), ("near", true), ("link", false), ("way-secret", false)] {
      let item = try #require(items["\(name).pex"])
      for route in ["effect", "converted"] {
        let answer = try await ask("\(route)?item=\(item)&target=starling")
        #expect(answer.status == 200)
        let package = try OpenedEffect(bytes: answer.body, name: "x.particles").package
        var images = 0
        package.container.root.forEachDescendant { path, _ in
          if path.hasSuffix(".png") { images += 1 }
        }
        #expect((images > 0) == isFound, "\(route) \(name)")
      }
    }
    let file = try await ask("file?item=\(try #require(items["link.png"]))")
    #expect(file.status == 404)
  }

  @Test("documents are created, renamed, moved to the trash and taken back")
  func changing() async throws {
    let (place, items) = try await listing()
    let created = try await ask(
      "create", ["location": .string(place), "template": "snow", "name": "snow.particles"])
    let snow = try #require(created.object["id"]?.string)
    #expect(try Files.status(Files.joined(folder, "snow.particles")) != nil)
    let taken = try await ask("rename", ["item": .string(snow), "name": "fire.particles"]).object
    #expect(taken["complete"] == .bool(false))
    let renamed = try await ask("rename", ["item": .string(snow), "name": "white"]).object
    #expect(renamed["complete"] == .bool(true))
    #expect(try Files.status(Files.joined(folder, "white.particles")) != nil)
    let fire = try #require(items["fire.particles"])
    _ = try await ask("trash", ["items": .array([.string(snow), .string(fire)])])
    #expect(try Files.status(Files.joined(folder, "fire.particles")) == nil)
    #expect(try await ask("undo", [:]).object["complete"] == .bool(true))
    #expect(try Files.status(Files.joined(folder, "fire.particles")) != nil)
    let pasted = try await ask("import?location=\(place)&name=a%20b.txt", bytes: Array("x".utf8))
    #expect(pasted.object["name"]?.string == "a b.txt")
    #expect(
      try await ask("paste?location=\(place)", bytes: Array("nothing known".utf8)).status == 422)
    #expect(try await ask("trash", ["items": .array([])]).status == 400)
    #expect(try await ask("trash", "no object").status == 400)
  }

  @Test("a text is edited, and changes of another program are merged")
  func editing() async throws {
    let path = Files.joined(folder, "notes.txt")
    let (_, items) = try await listing()
    let notes = try #require(items["notes.txt"])
    let opened = try await ask("open", ["item": .string(notes), "window": "w"]).object
    #expect(opened["text"]?.string == "one\n")
    let revision = try #require(opened["document"]?.object?["revision"]?.int)
    let saved = try await ask(
      "text", ["item": .string(notes), "text": "one\ntwo\n", "revision": .int(revision)]
    ).object
    #expect(saved["text"]?.string == "one\ntwo\n")
    #expect(try Files.read(path) == Array("one\ntwo\n".utf8))
    #expect(try await ask("close", ["window": "w"]).status == 200)
  }

  @Test("what is outside of the places is not found, also by paths and through links")
  func outside() async throws {
    let (_, items) = try await listing()
    for name in [
      "/etc/passwd", scratch.file("outside/secret.txt"), "\(folder)/../outside/secret.txt",
    ] {
      #expect(try await ask("file?item=\(QueryText.encoded(name))").status == 404, "\(name)")
      #expect(try await ask("find", ["path": .string(name)]).status == 404, "\(name)")
    }
    let link = try #require(items["way"])
    let inner = try await ask("list?location=\(link)")
    let file = try await ask("file?item=\(link)")
    #expect(!String(decoding: inner.body + file.body, as: UTF8.self).contains("secret"))
  }

  @Test("subfolders are searched, and rows have tags, favourites and the folder")
  func searching() async throws {
    let (place, items) = try await listing()
    let sub = try await ask("folder", ["location": .string(place), "name": "sub"]).object
    #expect(sub["kind"]?.string == "folder")
    try Files.create(Files.joined(folder, "sub/fire 2.txt"), [])
    let notes = try #require(items["notes.txt"])
    let tagged = try await ask(
      "tags", ["items": .array([.string(notes)]), "tags": .array(["red", "new"])])
    #expect(tagged.object["complete"] == .bool(true), "\(tagged)")
    #expect(
      try await ask("favourite", ["items": .array([.string(notes)]), "favourite": .bool(true)])
        .status == 200)
    let rows = try await ask("list?location=\(place)").object["items"]?.array ?? []
    let row = try #require(rows.first { $0.array?[0].string == notes }?.array)
    #expect(row[9] == .array(["red", "new"]))
    #expect((row[6].int ?? 0) & 16 == 16)
    let found = try await ask("list?location=\(place)&search=FIRE").object["items"]?.array ?? []
    #expect(found.compactMap { $0.array?[1].string } == ["fire.particles", "fire 2.txt"])
    #expect(found.last?.array?.last == .string("sub"))
    let bad = try await ask("tags", ["items": .array([.string(notes)]), "tags": .array(["a,b"])])
      .object
    #expect(bad["complete"] == .bool(false))
  }

  @Test(
    "a window comes back with its place, selection, view and document; rows come with the state")
  func windows() async throws {
    let (place, items) = try await listing()
    let notes = try #require(items["notes.txt"])
    _ = try await ask(
      "window",
      [
        "window": "w", "location": .string(place), "selection": .array([.string(notes)]),
        "view": .object(["mode": "list"]),
      ])
    _ = try await ask("open", ["item": .string(notes), "window": "w"])
    let state = try await ask("state?window=w&list=100").object
    let window = try #require(state["window"]?.object)
    #expect(window["selection"] == .array([.string(notes)]))
    #expect(window["view"] == .object(["mode": "list"]))
    #expect(window["document"] == .string(notes))
    #expect(state["listing"]?.object?["items"]?.array?.count == items.count)
    let first = try await ask("state?window=w&list=1").object["listing"]?.object
    #expect(first?["items"]?.array?.count == 1)
    #expect(first?["total"] == .int(items.count))
    #expect(try await ask("state?window=w&list=0").status == 400)
    #expect(try await ask("state?window=other").object["window"] == nil)
    #expect(try await ask("window", ["window": "w", "closed": .bool(true)]).status == 200)
    #expect(try await ask("window", ["location": "x"]).status == 400)
    for (length, status) in [(0, 400), (1, 200), (64, 200), (65, 400)] {
      let name = JSONValue.string(String(repeating: "n", count: length))
      #expect(try await ask("window", ["window": name]).status == status, "\(length)")
    }
  }

  @Test("recent documents come in the order in which they were opened, other rows by name")
  func recents() async throws {
    let (place, items) = try await listing()
    func names(_ place: String) async throws -> [String] {
      let rows = try await ask("list?location=\(place)").object["items"]?.array ?? []
      return rows.compactMap { $0.array?[1].string }
    }
    let before = try await names(place)
    for name in ["fire.particles", "notes.txt"] {
      let item = try #require(items[name])
      #expect(try await ask("open", ["item": .string(item), "window": "w"]).status == 200)
    }
    #expect(try await names("recents") == ["notes.txt", "fire.particles"])
    #expect(try await names(place) == before)
    #expect(before.filter { $0 != "way" } == ["fire.particles", "notes.txt"])
  }

  @Test("an export tells each drawn image, in order, and never that all is done")
  func exportProgress() throws {
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.framesPerSecond, plan.duration) = (16, 16, 5, 1)
    let package = try EffectTemplate.fire.package()
    let count = try EffectAnimation(package, plan: plan).timing.count
    for format in [AnimationFormat.gif, nil] {
      let parts = Lock<[Double]>([])
      _ = try BrowserServer.animation(of: package, named: "fire", as: format, plan) { part in
        parts.withLock { $0.append(part) }
      }
      #expect(
        parts.withLock(\.self) == (1...count).map { min(0.99, Double($0) / Double(count)) })
    }
  }

  @Test("actions are offered, run, and cancelled by the name of their job")
  func acting() async throws {
    let (_, items) = try await listing()
    let fire = try #require(items["fire.particles"])
    let offers = try await ask("offers", ["items": .array([.string(fire)])]).object
    #expect(offers["actions"]?.array?.count == 4)
    #expect(offers["sharing"]?.array?.count == 1)
    let shared = try await ask(
      "share", ["service": "com.example.post", "items": .array([.string(fire)])])
    #expect(shared.object["message"]?.string == "ok")
    let checked = try await ask(
      "action",
      ["action": "org.particles-format.validate", "items": .array([.string(fire)]), "job": "1"])
    #expect(checked.object["report"]?.object?["errors"] == .int(0))
    let inspected = try await ask("inspect", ["items": .array([.string(fire)])]).object
    #expect(inspected["items"]?.array?.first?.array?[0] == .string(fire))
    // Cancelled before it begins, with the result of a cancellation while it runs.
    for (route, body): (String, JSONValue?) in [
      ("export?item=\(fire)&format=gif&size=64&job=2", nil),
      ("convert", ["items": .array([.string(fire)]), "target": "starling", "job": "2"]),
    ] {
      #expect(try await ask("cancel", ["job": "2"]).status == 200)
      let answer = try await ask(route, body)
      #expect(answer.status == 409 && answer.object["code"] == "cancelled", "\(answer)")
    }
    #expect(try Files.list(folder).filter { $0.hasSuffix(".pex") }.isEmpty)
    let whole = try await ask("export?item=\(fire)&format=gif&size=16&job=2")
    #expect(whole.status == 200)
  }

  @Test("a question is in the state until it is answered")
  func question() async throws {
    let before = try await ask("state").object["questions"]?.array
    #expect(before?.first?.object?["id"] == "q")
    #expect(try await ask("answer", ["question": "q", "value": "c"]).status == 422)
    #expect(try await ask("answer", ["question": "q", "value": "b"]).status == 200)
    #expect(try await ask("state").object["questions"] == .array([]))
  }

  @Test("a conflict is in the document, and ends with the side that the user chooses")
  func conflict() async throws {
    let (_, items) = try await listing()
    let notes = try #require(items["notes.txt"])
    let opened = try await ask("open", ["item": .string(notes), "window": "w"]).object
    var revision = opened["document"]?.object?["revision"]
    try SafeSave.file(Files.joined(folder, "notes.txt"), replacing: true) {
      try $0.write(Array("theirs\n".utf8))
    }
    // The change may be taken before the edit comes.
    for _ in 0..<20 {
      let answer = try await ask(
        "text", ["item": .string(notes), "text": "ours\n", "revision": revision ?? .null])
      #expect([200, 409].contains(answer.status))
      let now = try await ask("open", ["item": .string(notes), "window": "w"]).object
      revision = now["document"]?.object?["revision"]
      if now["document"]?.object?["clashes"] != nil || answer.status == 200 { break }
    }
    let now = try await ask("open", ["item": .string(notes), "window": "w"]).object
    guard now["document"]?.object?["clashes"] != nil else { return }
    #expect(try await ask("resolve", ["item": .string(notes), "keep": "all"]).status == 400)
    let both = try await ask("resolve", ["item": .string(notes), "keep": "both"]).object
    #expect(both["text"] == "theirs\n")
    #expect(both["beside"]?.object?["name"]?.string?.contains("conflict") == true)
    #expect(both["document"]?.object?["clashes"] == nil)
  }

  @Test("while the index is locked, other requests are answered")
  func locked() async throws {
    let (place, _) = try await listing()
    let made = try Run(
      Run.built("particles"), ["index", folder], environment: ["HOME": scratch.file("home")])
    #expect(made.status == 0, "\(made.errors)")
    let index = try EffectIndex(scratch.file("home/.cache/particles/index.sqlite"), writing: true)
    try index.using { try $0.execute("BEGIN EXCLUSIVE") }
    let found = Task {
      try await self.ask("list?location=\(place)&search=alive%3E0").object["items"]
    }
    // The search waits for the lock.
    try await Task.sleep(nanoseconds: 200_000_000)
    let start = MonotonicClock.seconds
    #expect(try await ask("list?location=\(place)").status == 200)
    #expect(MonotonicClock.seconds - start < 3)
    try index.using { try $0.execute("ROLLBACK") }
    let row = try await found.value?.array?.first?.array
    #expect(row?[1] == "fire.particles")
  }
}
