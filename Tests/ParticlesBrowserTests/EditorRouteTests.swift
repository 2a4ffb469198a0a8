import ParticlesContainer
public import ParticlesCore
import ParticlesDocuments
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// What the editor asks for, over real connections, with documents on disk.
@Suite("Routes of the editor")
final class EditorRouteTests: Sendable {
  private let scratch: Scratch
  let folder: String
  private let server: BrowserServer
  static let rate = "emitters[0].emission.rate"

  init() throws {
    scratch = try Scratch()
    folder = scratch.file("effects")
    for path in [folder, scratch.file("home")] { try Files.makeDirectory(path) }
    try Files.create(
      Files.joined(folder, "fire.particles"), try EffectTemplate.fire.package().container.encoded())
    let environment = BrowserEnvironment(variables: ["HOME": scratch.file("home")])
    let browser = try Browser(
      providers: Browser.standardProviders([folder], environment: environment),
      environment: environment, registry: DocumentRegistry())
    server = try BrowserServer(browser, player: PlayerFiles(files: [:], module: nil))
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
    let answer = try await Workbench().run {
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

  func set(
    _ item: JSONValue, _ value: JSONValue, key: String = rate, _ more: JSONObject = [:]
  ) async throws -> Answer {
    var body: JSONObject = [
      "item": item, "window": "w", "name": "Rate",
      "changes": [["key": .string(key), "value": value]],
    ]
    for member in more.members { body[member.key] = member.value }
    return try await ask("edit", .object(body))
  }

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

  @Test("a change is made on the revision that the page has, and refused on an older one")
  func revisions() async throws {
    let (item, state) = try await open()
    #expect(state.object["files"]?.array?.count == 3)
    let revision = try #require(state.object["revision"])
    let first = try await set(item, 50, ["revision": revision])
    #expect(first.status == 200)
    #expect(try value(first.text) == 50)
    #expect(first.object["undo"]?.array == ["Rate"])
    // The answer has the text to make the change again on.
    let stale = try await set(item, 60, ["revision": revision])
    #expect(stale.status == 409 && stale.code == "file/conflict")
    #expect(try value(stale.text) == 50)
    let again = try await set(item, 60, ["revision": try #require(stale.object["revision"])])
    #expect(try value(again.text) == 60)
  }

  @Test("a gesture of many changes is one edit, and can be taken back")
  func gestures() async throws {
    let (item, _) = try await open()
    for number in 0..<20 {
      let phase: JSONValue = number == 0 ? "begin" : "change"
      let answer = try await set(item, .int(100 + number), ["gesture": "g", "phase": phase])
      #expect(try value(answer.text) == Double(100 + number))
    }
    let ended = try await set(item, 140, ["gesture": "g", "phase": "end"])
    #expect(ended.object["undo"]?.array == ["Rate"])
    _ = try await set(item, 7, ["gesture": "h", "phase": "begin"])
    let cancelled = try await ask(
      "edit", ["item": item, "window": "w", "gesture": "h", "phase": "cancel"])
    #expect(try value(cancelled.text) == 140)
    let undone = try await ask("edit-undo", ["item": item])
    #expect(try value(undone.text) == 95)
    #expect(undone.object["document"]?.object?["redo"] == "Rate")
    #expect(try value(await ask("edit-redo", ["item": item]).text) == 140)
    #expect(try await set(item, 1, ["gesture": "x", "phase": "sideways"]).status == 400)
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
      #expect(answer.text == state.text)
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
      try await ask("edit-structure", ["item": item, "name": "Emitters", "operation": operation])
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
    let body: JSONObject = ["item": item, "name": "Emitters"]
    for operation in try [
      ["op": "duplicate", "indices": [0]],
      ["op": "merge", "name": "x.particles", "bytes": .string(broken(.max).base64)],
    ] as [JSONValue] {
      var order = body
      order["operation"] = operation
      #expect(try await ask("edit-structure", .object(order)).status == 200)
    }
    let far = try await set(item, 1, ["revision": .int(.min)])
    #expect(far.code == "file/closed" && far.text.isEmpty)
  }

  @Test("images are added, made of numbers, and refused before they are decoded")
  func images() async throws {
    let (item, _) = try await open()
    let id = try #require(item.string)
    for kind in SoftImage.Kind.allCases {
      let image = try await ask("edit-soft?kind=\(kind.rawValue)&size=32")
      #expect(image.body.starts(with: [0x89, 0x50, 0x4E, 0x47]), "\(kind)")
      let path = "\(kind.rawValue).png"
      let state = try await ask("edit-file?item=\(id)&path=\(path)&emitter=0", bytes: image.body)
      #expect(state.status == 200, "\(state.object)")
      let found = try await ask("edit-file?item=\(id)&path=Images/\(path)")
      #expect(found.body == image.body)
    }
    for bad in ["kind=cube", "kind=dot&size=0", "kind=dot&softness=x"] {
      #expect(try await ask("edit-soft?\(bad)").status == 400)
    }
    // Headers that state 65,535 × 65,535 pixels.
    let gif = Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x3B]
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0xFF, 0xFF, 0xFF, 0xFF, 1, 1, 0x11, 0]
    for bytes in [gif, jpeg] {
      let answer = try await ask("edit-file?item=\(id)&path=x.png", bytes: bytes)
      #expect(answer.status == 422 && answer.code == "limit/exceeded", "\(answer.object)")
    }
    for bytes in [Array("hello".utf8), [0x89, 0x50, 0x4E, 0x47]] {
      let answer = try await ask("edit-file?item=\(id)&path=x.png", bytes: bytes)
      #expect(answer.status == 422 && answer.code.hasPrefix("image/"), "\(answer.object)")
    }
    for path in ["document.json", "../fire.particles", "Images/../document.json"] {
      let answer = try await ask("edit-file?item=\(id)&path=\(QueryText.encoded(path))")
      #expect(answer.status == 404, "\(path)")
    }
    // They are saved at once; one has replaced a picture of its name.
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
      let mended = try await ask(
        "edit-fix", ["item": item, "code": code, "key": object["key"] ?? .null])
      #expect(mended.status == 200)
    }
    #expect(try await ask("edit-findings?item=\(id)").object["findings"]?.array == [])
  }

  @Test("presets are files in the user's folder")
  func presets() async throws {
    let saved = try await ask(
      "edit-preset", ["kind": "curve", "name": "Slow in", "value": ["keys": [0, 1]]])
    #expect(saved.object["presets"]?.array?.count == 1)
    let path = scratch.file("home/.local/share/particles/presets/curve/Slow in.json")
    #expect(try Files.status(path) != nil)
    #expect(try await ask("edit-presets?kind=curve").object == saved.object)
    for name in ["../x", "", ".x", "a/b", "a\u{1}"] {
      let bad: JSONValue = ["kind": "curve", "name": .string(name), "value": 1]
      #expect(try await ask("edit-preset", bad).status == 400, "\(name)")
    }
    #expect(try await ask("edit-presets?kind=../../x").status == 400)
    for number in 2...200 {
      try Files.create("\(Files.folder(of: path))/\(number).json", [0x31])
    }
    let full: JSONValue = ["kind": "curve", "name": "One more", "value": 1]
    #expect(try await ask("edit-preset", full).code == "limit/exceeded")
    let other: JSONValue = ["kind": "curve", "name": "2", "value": 1]
    #expect(try await ask("edit-preset", other).status == 200)
    for number in 2...200 { try Files.removeAll("\(Files.folder(of: path))/\(number).json") }
    let removed = try await ask(
      "edit-preset", ["kind": "curve", "name": "Slow in", "value": .null])
    #expect(removed.object["presets"]?.array == [])
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
    let restored = try await ask("edit-restore", ["item": item, "version": .int(number)])
    #expect(try value(restored.text) == 95)
    #expect(restored.object["undo"]?.array?.count == 2)
    #expect(try await ask("edit-save", ["item": item, "way": "somehow"]).status == 400)
  }

  @Test("marks of a target are those of the export and of the capability table")
  func targets() async throws {
    let (item, _) = try await open()
    let id = try #require(item.string)
    let answer = try await ask("edit-target?item=\(id)&target=cocos2d").object
    let marks = answer["marks"]?.array?.compactMap(\.object) ?? []
    #expect(
      marks.contains { $0["isUsed"] == true && $0["key"]?.string?.hasPrefix("emitters[") == true })
    #expect(marks.contains { $0["isUsed"] == false && $0["key"] == "emitters[].render.trail" })
    let shown = try await ask("edit-target-effect?item=\(id)&target=cocos2d")
    let system = try OpenedEffect(bytes: shown.body, name: "x.particles").package.system()
    #expect(!system.emitters.isEmpty)
    #expect(try await ask("edit-target?item=\(id)&target=nothing").status == 400)
    #expect(try await ask("edit-target-effect?item=\(id)&target=effekseer").status == 400)
  }

  @Test("a file of another format is saved on request only, in its format")
  func foreign() async throws {
    let path = Files.joined(folder, "rain.pex")
    let sample = try Files.read(Repository.path("Fixtures/effects/pex/torch.pex"))
    try Files.create(path, sample)
    let (item, state) = try await open("rain.pex")
    let id = try #require(item.string)
    #expect(state.object["format"]?.object?["name"] == "starling")
    #expect(try await set(item, 33).status == 200)
    _ = try await ask("edit-save", ["item": item, "way": "automatic"])
    #expect(try Files.read(path) == sample)
    let losses = try await ask("edit-losses?item=\(id)").object
    #expect(losses["isInPlace"] == true && losses["format"]?.string?.contains("Starling") == true)
    let saved = try await ask("edit-save", ["item": item])
    #expect(saved.status == 200, "\(saved.object)")
    let now = try OpenedEffect(path: path).package.system()
    #expect(abs(now.emitters[0].emission.rate.mean - 33) < 1)
    #expect(try await ask("close", ["window": "w"]).status == 200)
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
