import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

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
    let browser = try Browser(
      providers: Browser.standardProviders([folder], environment: environment),
      environment: environment)
    server = try BrowserServer(browser, player: PlayerFiles(files: [:], module: nil))
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
    let answer = try await Workbench().run {
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
    #expect(facts["facts"]?.array?.isEmpty == false && facts["findings"]?.array == [])
    #expect(try await ask("targets").object["targets"]?.array?.count ?? 0 > 10)
    let conversion = try await ask("conversion?item=\(fire)&target=starling").object
    #expect(conversion["losses"]?.array?.isEmpty == false)
    #expect(conversion["difference"]?.object?["whole"]?.double != nil)
    let converted = try await ask("converted?item=\(fire)&target=starling")
    #expect(converted.status == 200)
    let gif = try await ask("export?item=\(fire)&format=gif&size=16")
    #expect(gif.body.starts(with: Array("GIF89a".utf8)))
    #expect(try await ask("export?item=\(fire)&format=bmp").status == 400)
    let templates = try await ask("templates").object["templates"]?.array ?? []
    #expect(templates.count > 10)
    #expect(try await ask("template-thumbnail?name=snow").body.starts(with: [0x89, 0x50]))
    #expect(try await ask("template-effect?name=nothing").status == 404)
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
}
