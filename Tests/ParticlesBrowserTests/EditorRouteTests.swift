import ParticlesContainer
import ParticlesPackages
public import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
internal import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// What the editor asks for, over real connections, with documents on disk.
@Suite("Routes of the editor")
final class EditorRouteTests: Sendable {
  let scratch: Scratch
  let folder: String
  let server: BrowserServer
  static let rate = "emitters[0].emission.rate"

  init() throws {
    scratch = try Scratch()
    folder = scratch.file("effects")
    for path in [folder, scratch.file("home")] { try Files.makeDirectory(path) }
    try Files.create(
      Files.joined(folder, "fire.particles"), try EffectTemplate.fire.package().container.encoded())
    server = try Self.server(of: folder, home: scratch.file("home"))
  }

  /// Begins with the stored data of another program, and ends that program: its later work changes nothing.
  init(after other: EditorRouteTests) async throws {
    scratch = try Scratch()
    folder = other.folder
    try Self.copy(other.scratch.file("home"), to: scratch.file("home"))
    try await other.server.browser.closeDocument(in: "w", discarding: true)
    server = try Self.server(of: folder, home: scratch.file("home"))
  }

  private static func server(of folder: String, home: String) throws -> BrowserServer {
    let environment = BrowserEnvironment(variables: ["HOME": home])
    let browser = try Browser(
      providers: Browser.standardProviders([folder], environment: environment),
      environment: environment, registry: DocumentRegistry())
    return try BrowserServer(browser, player: PlayerFiles(files: [:], module: nil))
  }

  private static func copy(_ path: String, to copy: String) throws {
    guard try Files.status(path)?.kind == .directory else {
      // The index of the log is made again.
      if !path.hasSuffix("-shm") { try Files.create(copy, Files.read(path)) }
      return
    }
    try Files.makeDirectories(copy)
    for name in try Files.list(path, passingOver: { _ in }) {
      try Self.copy(Files.joined(path, name), to: Files.joined(copy, name))
    }
  }

  deinit { server.stop() }

  struct Answer {
    var status: Int
    var body: [UInt8]
    var object: JSONObject { (try? JSONValue(parsing: body).object) ?? [:] }
    var text: String { object["text"]?.string ?? "" }
    var code: String { object["code"]?.string ?? "" }
  }

  func ask(_ route: String, _ body: JSONValue? = nil, bytes: [UInt8]? = nil) async throws
    -> Answer
  {
    let contents = bytes ?? body.map { Array($0.denseText.utf8) } ?? []
    let method = body != nil || bytes != nil ? "POST" : "GET"
    let head =
      "\(method) /\(server.secret)/\(route) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
      + "Content-Length: \(contents.count)\r\nConnection: close\r\n\r\n"
    let port = server.port
    let answer = try await BackgroundWork().run {
      try LocalClient.exchange(Array(head.utf8) + contents, port: port, seconds: 30)
    }
    let blank = Array("\r\n\r\n".utf8)
    let end = try #require(answer.indices.first { answer[$0...].starts(with: blank) })
    let line = String(decoding: answer[..<end], as: UTF8.self)
    return Answer(
      status: Int(line.split(separator: " ")[1]) ?? 0, body: Array(answer[(end + 4)...]))
  }

  /// Opens a document in a window, and returns its item.
  func open(_ name: String = "fire.particles", in window: String = "w") async throws
    -> (item: JSONValue, state: Answer)
  {
    let found = try await ask("find", ["path": .string(Files.joined(folder, name))])
    let item = try #require(found.object["id"])
    let state = try await ask("edit-open", ["item": item, "window": .string(window)])
    #expect(state.status == 200, "\(state.object)")
    return (item, state)
  }

  /// A new identity of an edit.
  static func identity() -> JSONValue {
    .string(
      "edit-\(UInt64.random(in: 1 << 60...UInt64.max))-\(UInt64.random(in: 1 << 60...UInt64.max))")
  }

  /// Asks for an edit, with an identity of its own where there is none.
  func edit(_ item: JSONValue, _ more: JSONObject) async throws -> Answer {
    var body: JSONObject = ["item": item, "window": "w", "name": "Rate", "id": Self.identity()]
    for member in more.members { body[member.key] = member.value }
    return try await ask("edit", .object(body))
  }

  func set(
    _ item: JSONValue, _ value: JSONValue, key: String = rate, _ more: JSONObject = [:]
  ) async throws -> Answer {
    var body: JSONObject = ["changes": [["key": .string(key), "value": value]]]
    for member in more.members { body[member.key] = member.value }
    return try await edit(item, body)
  }

  /// The text of the document as it is now.
  func text(_ item: JSONValue) async throws -> String {
    try await ask("edit-open", ["item": item, "window": "w"]).text
  }

  /// The rate as it is now.
  func rate(_ item: JSONValue) async throws -> Double? { try value(await text(item)) }

  func value(_ text: String) throws -> Double? {
    try JSONValue(parsing: Array(text.utf8)).object?["emitters"]?.array?[0].object?["emission"]?
      .object?["rate"]?.double
  }

  @Test("the properties have their types, defaults and ranges")
  func schema() async throws {
    let rows = try await ask("edit-schema").object["rows"]?.array?.compactMap(\.object) ?? []
    #expect(rows.count > 150)
    let rate = try #require(rows.first { $0["key"] == "emitters[].emission.rate" })
    #expect(rate["unit"] == "1/s" && rate["minimum"]?.double == 0 && rate["standard"] != nil)
    #expect(rate["section"] == "Emission" && rate["usual"]?.array?.count == 2)
    let shape = try #require(rows.first { $0["key"] == "emitters[].shape.type" })
    #expect(shape["values"]?.array?.contains("ellipse") == true)
  }

  @Test(
    "an answer has what a page lacks: nothing, a patch, or the text where its revision is not known"
  )
  func revisions() async throws {
    let (item, state) = try await open()
    #expect(state.object["files"]?.array?.count == 3)
    let first = try #require(state.object["revision"])
    let made = try await set(item, 50, ["revision": first])
    #expect(made.status == 200 && made.object["patch"] == nil && made.object["text"] == nil)
    #expect(made.object["undo"]?.array == ["Rate"])
    let second = try #require(made.object["revision"])
    // Another window has the text, and edits it.
    let other = try await ask("edit-open", ["item": item, "window": "v"])
    let lifetime: JSONValue = [["key": "emitters[1].lifetime", "value": 7]]
    let edited = try await edit(
      item,
      ["window": "v", "revision": other.object["revision"] ?? .null, "changes": lifetime])
    #expect(edited.status == 200 && edited.object["patch"] == nil)
    let stale = try await set(item, 60, ["revision": second])
    #expect(stale.object["patch"] == lifetime && stale.object["text"] == nil)
    #expect(try await rate(item) == 60)
    // A page that asks again gets the missing parts.
    let again = try await ask(
      "edit-open", ["item": item, "window": "w", "revision": second])
    let keys = again.object["patch"]?.array?.compactMap { $0.object?["key"]?.string }
    #expect(Set(keys ?? []) == [Self.rate, "emitters[1].lifetime"])
    for unknown in [.null, 7, .int(.min), .int(.max), "x"] as [JSONValue] {
      let whole = try await set(item, 61, ["revision": unknown])
      #expect(try value(whole.text) == 61 && whole.object["patch"] == nil)
    }
  }

  @Test("a gesture of many changes is one edit, and can be taken back")
  func gestures() async throws {
    let (item, state) = try await open()
    var revision = try #require(state.object["revision"])
    func part(_ id: JSONValue, _ tick: Int, _ phase: JSONValue, _ value: JSONValue?) async throws
      -> Answer
    {
      var body: JSONObject = [
        "id": id, "revision": revision, "gesture": ["tick": .int(tick), "phase": phase],
      ]
      if let value { body["changes"] = [["key": .string(Self.rate), "value": value]] }
      let answer = try await edit(item, body)
      revision = answer.object["revision"] ?? revision
      return answer
    }
    let (drag, other) = (Self.identity(), Self.identity())
    for number in 0..<20 {
      let answer = try await part(drag, number + 1, "change", .int(100 + number))
      #expect(answer.status == 200 && answer.object["patch"] == nil)
      #expect(answer.object["text"] == nil && answer.object["undo"] == nil)
    }
    let ended = try await part(drag, 21, "end", 140)
    #expect(ended.object["undo"]?.array == ["Rate"] && ended.object["patch"] == nil)
    #expect(try await rate(item) == 140)
    _ = try await part(other, 1, "change", 7)
    let cancelled = try await part(other, 2, "cancel", nil)
    #expect(cancelled.object["patch"] == [["key": .string(Self.rate), "value": 140]])
    let undone = try await edit(item, ["kind": "undo", "revision": revision])
    #expect(undone.object["patch"] == [["key": .string(Self.rate), "value": 95]])
    #expect(undone.object["document"]?.object?["redo"] == "Rate")
    _ = try await edit(item, ["kind": "redo"])
    #expect(try await rate(item) == 140)
    for gesture in [
      ["tick": 1, "phase": "sideways"], ["tick": 0, "phase": "end"], ["phase": "end"], 7,
    ] as [JSONValue] {
      #expect(try await set(item, 1, ["gesture": gesture]).status == 400)
    }
    #expect(try await rate(item) == 140)
  }

  @Test("what would make the effect invalid is refused, and changes nothing")
  func refusals() async throws {
    let (item, state) = try await open()
    for (key, value, code) in [
      ("emitters[0].nothing", 1, "usage/invalid"), ("emitters[9].lifetime", 1, "usage/invalid"),
      ("emitters[0].lifetime", "soon", "document/type"), (Self.rate, -5, "document/range"),
      ("emitters[0].sprites", [99], "document/reference"), ("emitters[0]", 3, "document/type"),
    ] as [(String, JSONValue, String)] {
      let answer = try await set(item, value, key: key)
      #expect(answer.status >= 400 && answer.code == code, "\(key): \(answer.code)")
      #expect(answer.object["made"] == nil && answer.object["revision"] != nil)
      #expect(try await text(item) == state.text)
    }
    for body in [
      [:], ["item": item], ["item": item, "changes": [3]], ["item": "x", "changes": []],
    ]
      as [JSONValue]
    {
      #expect(try await ask("edit", body).status >= 400)
    }
    let closed = try await ask("edit-open", ["item": item])
    #expect(closed.status == 400)
  }

  @Test("emitters are added, copied, moved, renamed and removed, and triggers go with them")
  func structure() async throws {
    let (item, _) = try await open()
    func order(_ operation: JSONValue) async throws -> Answer {
      try await edit(item, ["kind": "structure", "name": "Emitters", "operation": operation])
    }
    func names(_ answer: Answer) throws -> [String] {
      try JSONValue(parsing: Array(answer.text.utf8)).object?["emitters"]?.array?.compactMap {
        $0.object?["name"]?.string
      } ?? []
    }
    let first = try await order(["op": "duplicate", "indices": [0]])
    #expect(try names(first) == ["Flames", "Flames 2", "Embers", "Smoke"])
    let trigger: JSONValue = [["event": "death", "emitter": 3, "count": 1]]
    #expect(try await set(item, trigger, key: "emitters[2].triggers").status == 200)
    let moved = try await order(["op": "move", "index": 3, "to": 0])
    #expect(try names(moved) == ["Smoke", "Flames", "Flames 2", "Embers"])
    let target =
      try JSONValue(parsing: Array(moved.text.utf8)).object?["emitters"]?.array?[3]
      .object?["triggers"]?.array?[0].object?["emitter"]?.int ?? 0
    #expect(target == 0)
    #expect(try await order(["op": "remove", "indices": [0]]).status == 400)
    let added = try await order(["op": "add", "values": [["name": "New"]], "at": 1])
    #expect(try names(added)[1] == "New")
    let renamed = try await order(["op": "rename", "index": 1, "name": "Old"])
    #expect(try names(renamed)[1] == "Old")
    #expect(try names(await order(["op": "remove", "indices": [1]])).count == 4)
    let other = try EffectTemplate.fire.package().container.encoded()
    let merged = try await order([
      "op": "merge", "name": "fire.particles", "bytes": .string(other.base64),
    ])
    #expect(try names(merged).count == 7)
    // Images with equal contents are used together.
    #expect(merged.object["files"] == nil || merged.object["files"]?.array?.count == 3)
    for bad in [
      ["op": "fly"], ["op": "move", "index": 99, "to": 0], ["op": "add", "values": [1]], [:],
    ] as [JSONValue] {
      #expect(try await order(bad).status == 400)
    }
  }

  @Test("triggers that refer to no emitter do no harm")
  func danglingTriggers() async throws {
    func broken(_ target: Int) throws -> [UInt8] {
      var system = try EffectTemplate.fire.package().system()
      system.emitters[0].triggers = [Emitter.Trigger(.death, emitter: target)]
      var package = try EffectTemplate.fire.package()
      try package.setSystem(system)
      return try package.container.encoded()
    }
    try Files.create(Files.joined(folder, "broken.particles"), broken(99))
    let (item, _) = try await open("broken.particles")
    for operation in try [
      ["op": "duplicate", "indices": [0]],
      ["op": "merge", "name": "x.particles", "bytes": .string(broken(.max).base64)],
    ] as [JSONValue] {
      let made = try await edit(item, ["kind": "structure", "operation": operation])
      #expect(made.status == 200)
    }
  }

  @Test("images are added, made of numbers, and refused before they are decoded")
  func images() async throws {
    let (item, _) = try await open()
    let id = try #require(item.string)
    for kind in SoftImage.Kind.allCases {
      let image = try await ask("edit-soft?kind=\(kind.rawValue)&size=32")
      #expect(image.body.starts(with: [0x89, 0x50, 0x4E, 0x47]), "\(kind)")
      let path = "\(kind.rawValue).png"
      let state = try await ask(
        "edit-file?item=\(id)&path=\(path)&emitter=0&id=image-0000000000-\(kind)", bytes: image.body
      )
      #expect(state.status == 200, "\(state.object)")
      let found = try await ask("edit-file?item=\(id)&path=Images/\(path)")
      #expect(found.body == image.body)
    }
    for bad in ["kind=cube", "kind=dot&size=0", "kind=dot&softness=x"] {
      #expect(try await ask("edit-soft?\(bad)").status == 400)
    }
    // Headers that state 65,535 × 65,535 pixels, and the 65,500 × 65,500 that a JPEG can have.
    let gif = Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x3B]
    let jpeg: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0xFF, 0xDC, 0xFF, 0xDC, 1, 1, 0x11, 0]
      + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    for bytes in [gif, jpeg] {
      let answer = try await ask(
        "edit-file?item=\(id)&path=x.png&id=bad-image-00000-\(bytes.count)", bytes: bytes)
      #expect(answer.status == 422 && answer.code == "limit/exceeded", "\(answer.object)")
    }
    for bytes in [Array("hello".utf8), [0x89, 0x50, 0x4E, 0x47]] {
      let answer = try await ask(
        "edit-file?item=\(id)&path=x.png&id=bad-image-00000-\(bytes.count)", bytes: bytes)
      #expect(answer.status == 422 && answer.code.hasPrefix("image/"), "\(answer.object)")
    }
    for path in ["document.json", "../fire.particles", "Images/../document.json"] {
      let answer = try await ask("edit-file?item=\(id)&path=\(QueryText.encoded(path))")
      #expect(answer.status == 404, "\(path)")
    }
    // They are saved at once. One file has replaced a picture with its name.
    let stored = try OpenedEffect(path: Files.joined(folder, "fire.particles")).package.system()
    #expect(stored.images.count == 6)
  }

  @Test("findings name their property, and can be mended")
  func findings() async throws {
    // A file that was wrong before: an edit does not make it so.
    let path = Files.joined(folder, "wrong.particles")
    var package = try EffectTemplate.fire.package()
    let text = String(decoding: try package.document(), as: UTF8.self)
    let rate = try #require(text.firstMatch(of: #/"rate": [0-9.]+/#)?.output)
    try package.setDocument(
      Array(text.replacing(rate, with: #""rate": -5"#, maxReplacements: 1).utf8))
    try Files.create(path, try package.container.encoded())
    let (item, _) = try await open("wrong.particles")
    let id = try #require(item.string)
    let found = try await ask("edit-findings?item=\(id)").object["findings"]?.array ?? []
    let mendable = found.compactMap(\.object).filter { $0["fix"] != nil }
    #expect(!mendable.isEmpty, "\(found)")
    for object in mendable {
      guard let code = object["code"] else { continue }
      let mended = try await edit(
        item, ["kind": "fix", "code": code, "key": object["key"] ?? .null])
      #expect(mended.status == 200)
    }
    #expect(try await ask("edit-findings?item=\(id)").object["findings"]?.array == [])
  }

  @Test("versions have pictures, and one is restored as an edit")
  func versions() async throws {
    let (item, _) = try await open()
    let id = try #require(item.string)
    _ = try await set(item, 12)
    #expect(try await ask("edit-save", ["item": item]).object["document"] != nil)
    let versions = try await ask("edit-versions?item=\(id)").object["versions"]?.array ?? []
    let number = try #require(versions.last?.object?["number"]?.int)
    let picture = try await ask("edit-thumbnail?item=\(id)&version=\(number)&size=16")
    #expect(picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(try await ask("edit-effect?item=\(id)&version=\(number)").status == 200)
    #expect(try await ask("edit-thumbnail?item=\(id)&version=99999").status >= 400)
    let restored = try await edit(item, ["kind": "restore", "version": .int(number)])
    #expect(try value(restored.text) == 95)
    #expect(try await edit(item, ["kind": "restore", "version": 99_999]).code == "file/version")
    #expect(try await edit(item, ["kind": "fly"]).status == 400)
    #expect(restored.object["undo"]?.array?.count == 2)
    #expect(try await ask("edit-save", ["item": item, "way": "somehow"]).status == 400)
  }

}

// Bodies of requests as they are written in JSON.
extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  /// Creates a value of a literal.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates a value of a literal.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// Creates a value of a literal.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a value of a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
