import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

// Edits are made once: requests that are repeated, late, forged, or come to the next program.

extension EditorRouteTests {
  private func emitters(_ item: JSONValue) async throws -> Int {
    try JSONValue(parsing: Array(await text(item).utf8)).object?["emitters"]?.array?.count ?? 0
  }

  private static let duplicate: JSONObject = [
    "kind": "structure", "operation": ["op": "duplicate", "indices": [0]],
  ]

  @Test("a request that is repeated is answered again, and its edit is not made again")
  func repeated() async throws {
    let (item, state) = try await open()
    let count = try await emitters(item)
    var order = Self.duplicate
    order["id"] = Self.identity()
    order["revision"] = state.object["revision"]
    let first = try await edit(item, order)
    #expect(first.status == 200 && first.object["patch"] != nil)
    for _ in 0..<3 {
      let again = try await edit(item, order)
      #expect(again.status == 200 && again.object["made"] == first.object["made"])
      #expect(again.object["patch"] == first.object["patch"])
    }
    #expect(try await emitters(item) == count + 1)
    // Two at once, such as the orders of a page and of a tab that is its duplicate.
    order["id"] = Self.identity()
    let both = order
    async let one = edit(item, both)
    async let two = edit(item, both)
    let made = try await [one, two].map { $0.object["made"] }
    #expect(made[0] == made[1] && made[0] != nil)
    #expect(try await emitters(item) == count + 2)
    // An undo that is repeated.
    let undo: JSONObject = ["kind": "undo", "id": Self.identity()]
    for _ in 0..<3 { #expect(try await edit(item, undo).status == 200) }
    #expect(try await emitters(item) == count + 1)
  }

  @Test("a refused request is refused again, also when its edit would be accepted by then")
  func refusedAgain() async throws {
    let (item, _) = try await open()
    let id = Self.identity()
    let move: JSONObject = [
      "kind": "structure", "id": id, "operation": ["op": "move", "index": 3, "to": 0],
    ]
    let first = try await edit(item, move)
    #expect(first.status == 400 && first.object["made"] == nil)
    _ = try await edit(item, Self.duplicate)
    let again = try await edit(item, move)
    #expect(again.status == 400 && again.code == first.code)
    #expect(again.object["message"] == first.object["message"])
    var other = move
    other["id"] = Self.identity()
    #expect(try await edit(item, other).status == 200)
  }

  @Test("of the parts of a gesture the last one counts, in whatever order they arrive")
  func ticks() async throws {
    let (item, _) = try await open()
    let id = Self.identity()
    func part(_ tick: Int, _ phase: JSONValue, _ value: JSONValue) async throws -> Answer {
      try await set(item, value, ["id": id, "gesture": ["tick": .int(tick), "phase": phase]])
    }
    _ = try await part(3, "change", 30)
    for old in [1, 2, 3] { #expect(try await part(old, "change", .int(old)).status == 200) }
    #expect(try await rate(item) == 30)
    let refused = try await part(4, "change", -1)
    #expect(refused.status == 422)
    #expect(try await part(4, "change", 5).code == refused.code)
    #expect(try await rate(item) == 30)
    _ = try await part(5, "end", 50)
    for late in [4, 5, 6, 99] { #expect(try await part(late, "change", 7).status == 200) }
    #expect(try await part(100, "cancel", 8).status == 200)
    #expect(try await rate(item) == 50)
    // A refused end keeps the accepted changes.
    let other = Self.identity()
    for (tick, phase, value) in [(1, "change", 60), (2, "end", -1)] as [(Int, JSONValue, Int)] {
      _ = try await set(
        item, .int(value), ["id": other, "gesture": ["tick": .int(tick), "phase": phase]])
    }
    let now = try await ask("edit-open", ["item": item, "window": "w"])
    #expect(try value(now.text) == 60 && now.object["undo"]?.array == ["Rate", "Rate"])
  }

  @Test("the next values of a number are checked at once, and are made when they are needed")
  func postponed() async throws {
    let (item, state) = try await open()
    let id = Self.identity()
    func part(_ tick: Int, _ value: JSONValue, _ phase: JSONValue = "change") async throws -> Answer
    {
      try await set(item, value, ["id": id, "gesture": ["tick": .int(tick), "phase": phase]])
    }
    var last = state.object["revision"]?.int ?? 0
    for tick in 1...20 {
      let answer = try await part(tick, .int(100 + tick))
      let revision = try #require(answer.object["revision"]?.int)
      #expect(answer.status == 200 && revision > last)
      last = revision
    }
    let refused = try await part(21, -5)
    #expect(refused.code == "document/range", "\(refused.object)")
    #expect(try await part(22, ["much"]).object["made"] == nil)
    #expect(try await rate(item) == 120)
    #expect(try await part(23, 130, "end").status == 200)
    #expect(try await rate(item) == 130)
    let now = try await ask("edit-open", ["item": item, "window": "w"])
    #expect(now.object["undo"]?.array == ["Rate"])
  }

  @Test("a value that cannot be made any more is refused when its gesture ends")
  func postponedInVain() async throws {
    let (item, _) = try await open()
    let (id, last) = (Self.identity(), try await emitters(item) - 1)
    let key = "emitters[\(last)].emission.rate"
    func part(_ tick: Int, _ value: JSONValue, _ phase: JSONValue = "change") async throws -> Answer
    {
      try await set(
        item, value, key: key, ["id": id, "gesture": ["tick": .int(tick), "phase": phase]])
    }
    for tick in 1...3 { #expect(try await part(tick, .int(60 + tick)).status == 200) }
    let removal: JSONObject = [
      "kind": "structure", "window": "other",
      "operation": ["op": "remove", "indices": [.int(last)]],
    ]
    #expect(try await edit(item, removal).status == 200)
    let end = try await part(4, 70, "end")
    #expect(end.status == 400 && end.object["made"] == nil, "\(end.object)")
    #expect(try await emitters(item) == last)
  }

  @Test("an identity that is none is refused, and one of another edit makes nothing")
  func forged() async throws {
    let (item, state) = try await open()
    for id in [
      .null, 7, "", "short", .string(String(repeating: "x", count: 65)), "0123456789abcdef'; --",
      "0123456789abcdef\n", .string(String(repeating: "ü", count: 16)), ["a": 1],
    ] as [JSONValue] {
      let answer = try await set(item, 1, ["id": id])
      #expect(answer.status == 400 && answer.code == "usage/invalid", "\(answer.object)")
    }
    let long = try await set(item, 1, ["id": .string(String(repeating: "x", count: 100_000))])
    #expect(long.code == "limit/exceeded")
    #expect(try await text(item) == state.text)
    let id = Self.identity()
    _ = try await set(item, 50, ["id": id])
    for forged in [
      ["changes": [["key": .string(Self.rate), "value": 60]]], Self.duplicate, ["kind": "undo"],
      [
        "changes": [["key": .string(Self.rate), "value": 60]],
        "gesture": ["tick": 9, "phase": "change"],
      ],
    ] as [JSONObject] {
      var order = forged
      (order["id"], order["window"]) = (id, "other")
      #expect(try await edit(item, order).status == 200)
    }
    #expect(try await rate(item) == 50)
    #expect(try await emitters(item) == 3)
  }

  @Test("the next program makes the edits again that were answered and not saved, and knows them")
  func killed() async throws {
    let (item, _) = try await open()
    let (first, second, third) = (Self.identity(), Self.identity(), Self.identity())
    let drag = Self.identity()
    _ = try await set(item, 50, ["id": first])
    var order = Self.duplicate
    order["id"] = second
    _ = try await edit(item, order)
    let refused = try await set(item, -5, ["id": third])
    _ = try await set(
      item, 70, key: "emitters[1].emission.rate",
      ["id": drag, "gesture": ["tick": 1, "phase": "change"]])
    let before = try await text(item)
    let next = try await EditorRouteTests(after: self)
    let (again, state) = try await next.open()
    #expect(
      try JSONValue(parsing: Array(state.text.utf8)) == JSONValue(parsing: Array(before.utf8)))
    // An automatic save may have stored the first ones.
    let steps = state.object["undo"]?.array ?? []
    #expect(steps == Array(["Rate", "Rate"].suffix(steps.count)))
    // The page sends the unanswered orders again, with their identities.
    #expect(try await next.set(again, 50, ["id": first]).status == 200)
    #expect(try await next.edit(again, order).status == 200)
    #expect(try await next.set(again, -5, ["id": third]).code == refused.code)
    let now = try await next.text(again)
    #expect(now == state.text)
    // The gesture goes on, and can be taken back.
    _ = try await next.edit(again, ["id": drag, "gesture": ["tick": 2, "phase": "cancel"]])
    let ended = try JSONValue(parsing: Array(await next.text(again).utf8))
    let rate = ended.object?["emitters"]?.array?[1].object?["emission"]?.object?["rate"]?.double
    #expect(rate == 50)
    // An order that is saved and closed is not made again. Its identity stays known.
    #expect(try await next.ask("edit-save", ["item": again]).status == 200)
    _ = try await next.edit(again, ["kind": "undo"])
    #expect(try await next.ask("close", ["window": "w"]).status == 200)
    let last = try await EditorRouteTests(after: next)
    let (once, stored) = try await last.open()
    #expect(stored.object["undo"]?.array == [])
    #expect(try await last.edit(once, order).status == 200)
    #expect(try await last.text(once) == stored.text)
  }

  @Test("edits go on without a journal, with a warning", arguments: [true, false])
  func withoutJournal(isOpen: Bool) async throws {
    let folder = scratch.file("home/.local/share/particles")
    let path = "\(folder)/store.sqlite"
    func block() throws {
      if try Files.status(path) != nil { try Files.removeAll(path) }
      try Files.makeDirectories(path)
    }
    if !isOpen { try block() }
    let (item, _) = try await open()
    if isOpen { try block() }
    #expect(try await set(item, 50).status == 200)
    #expect(try await rate(item) == 50)
    let id = Self.identity()
    for value in [60, 61] { _ = try await set(item, .int(value), ["id": id]) }
    #expect(try await rate(item) == 60)
    guard isOpen else { return }
    // The next edit is in the journal of a new store.
    try Files.removeAll(path)
    for part in ["-wal", "-shm"] where try Files.status(path + part) != nil {
      try Files.removeAll(path + part)
    }
    #expect(try await set(item, 70).status == 200)
    let database = StoreDatabase(dataFolder: scratch.file("home/.local/share"))
    #expect(try database.texts("SELECT name FROM made") == ["Rate"])
    #expect(
      try database.integer("SELECT count(*) FROM edited JOIN made ON document = edited.id") == 1)
  }
}
