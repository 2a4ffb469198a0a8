import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

// Orders of pages that have missed something: another opening, a lost answer, a file that is gone.

extension EditorRouteTests {
  @Test("an edit of another opening of the document is refused without a text, and changes nothing")
  func openings() async throws {
    let (item, state) = try await open()
    let opening = try #require(state.object["document"]?.object?["opening"])
    #expect(try await set(item, 50, ["opening": opening]).status == 200)
    for order in [
      ["changes": [["key": .string(Self.rate), "value": 60]]], ["kind": "undo"], ["kind": "redo"],
      ["kind": "structure", "operation": ["op": "duplicate", "indices": [0]]],
      [
        "changes": [["key": .string(Self.rate), "value": 60]],
        "gesture": ["tick": 1, "phase": "change"],
      ],
    ] as [JSONObject] {
      var old = order
      old["opening"] = "before"
      let answer = try await edit(item, old)
      #expect(answer.status == 422 && answer.code == "file/closed" && answer.text.isEmpty)
    }
    let now = try await ask("edit-open", ["item": item, "window": "w"])
    #expect(try value(now.text) == 50 && now.object["undo"]?.array == ["Rate"])
    // A new opening begins after the document was closed.
    _ = try await ask("close", ["window": "w"])
    let again = try await ask("edit-open", ["item": item, "window": "w"])
    #expect(again.object["document"]?.object?["opening"] != opening)
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

  @Test("a document that was renamed is found by its path and the identity of its file")
  func renamed() async throws {
    let (item, state) = try await open()
    let identity = try #require(state.object["document"]?.object?["identity"])
    _ = try await ask("close", ["window": "w"])
    let (path, new) = (
      Files.joined(folder, "fire.particles"), Files.joined(folder, "blaze.particles")
    )
    try Files.rename(path, new)
    func found(_ identity: JSONValue?) async throws -> Answer {
      var body: JSONObject = ["path": .string(path)]
      body["identity"] = identity
      return try await ask("find", .object(body))
    }
    #expect(try await found(nil).status == 404)
    #expect(try await found("1-2@3").status == 404)
    let blaze = try await found(identity)
    #expect(blaze.status == 200 && blaze.object["name"] == "blaze.particles", "\(blaze.object)")
    // Another file has taken its name.
    try Files.create(path, try EffectTemplate.fire.package().container.encoded())
    #expect(try await found(identity).object["name"] == "blaze.particles")
    #expect(try await found("1-2@3").object["name"] == "fire.particles")
    _ = item
  }
}
