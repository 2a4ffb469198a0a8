import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

// Orders of pages that have missed something: another opening, a lost answer, a file that is gone.

extension EditorRouteTests {
  @Test(
    "an order on another opening of the document is refused without a text, and changes nothing")
  func openings() async throws {
    let (item, state) = try await open()
    let opening = try #require(state.object["document"]?.object?["opening"])
    #expect(try await set(item, 50, ["opening": opening]).status == 200)
    let old: JSONObject = ["item": item, "opening": "before", "count": 1]
    var structure = old
    structure["operation"] = ["op": "duplicate", "indices": [0]]
    for answer in [
      try await set(item, 60, ["opening": "before"]),
      try await set(item, 60, ["opening": "before", "gesture": "g", "phase": "begin"]),
      try await ask("edit-undo", .object(old)), try await ask("edit-redo", .object(old)),
      try await ask("edit-structure", .object(structure)),
    ] {
      #expect(answer.status == 422 && answer.code == "file/closed" && answer.text.isEmpty)
    }
    let now = try await ask("edit-open", ["item": item, "window": "w"])
    #expect(try value(now.text) == 50 && now.object["undo"]?.array == ["Rate"])
    // It is another one after the document was closed.
    _ = try await ask("close", ["window": "w"])
    let again = try await ask("edit-open", ["item": item, "window": "w"])
    #expect(again.object["document"]?.object?["opening"] != opening)
  }

  @Test("whether an order was made whose answer was lost is told by the text after it")
  func arrived() async throws {
    let (item, state) = try await open()
    let bytes = JSONValue.string(try EffectTemplate.fire.package().container.encoded().base64)
    for operation in [
      ["op": "remove", "indices": [0]], ["op": "duplicate", "indices": [0]],
      ["op": "merge", "name": "a.particles", "bytes": bytes],
    ] as [JSONValue] {
      let before = try await ask("edit-open", ["item": item, "window": "w"])
      let order: JSONObject = ["item": item, "operation": operation]
      var question = order
      question["before"] = .string(before.text)
      #expect(try await ask("edit-structure", .object(question)).object["isDone"] == false)
      let made = try await ask("edit-structure", .object(order))
      #expect(try await ask("edit-structure", .object(question)).object["isDone"] == true)
      let now = try await ask("edit-open", ["item": item, "window": "w"])
      #expect(now.text == made.text && now.text != before.text)
    }
    #expect(state.status == 200)
  }

  @Test("an open effect whose file is gone is shown by a page that is loaded again")
  func gone() async throws {
    let (item, _) = try await open()
    _ = try await set(item, 50)
    let path = Files.joined(folder, "fire.particles")
    try Files.removeAll(path)
    let found = try await ask("find", ["path": .string(path)])
    #expect(found.object["id"] == item)
    let state = try await ask("edit-open", ["item": item, "window": "v"])
    #expect(state.status == 200)
    #expect(try value(state.text) == 50)
  }
}
