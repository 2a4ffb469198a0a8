import ParticlesContainer
import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

import ParticlesDocuments
@testable import ParticlesEffects

@Suite("Changes between documents")
struct DocumentPatchTests {
  private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  @Test("the program makes changes as pages show them: both have the same examples")
  func examples() throws {
    let bytes = try Files.read(Repository.path("Tests/Browser/editor-patches.json"))
    let examples = try JSONValue(parsing: bytes).array?.compactMap(\.object) ?? []
    #expect(examples.count >= 10)
    for example in examples {
      let document = try #require(example["document"])
      let changes = try EffectChange.list(example["changes"])
      let made = try #require(DocumentPatch.applied(changes, to: document))
      let result = try #require(example["result"])
      #expect(
        DocumentPatch.difference(from: made, to: result) == [], "\(example["name"] ?? .null)")
    }
  }

  @Test("a difference names members, and elements of arrays of one length, and leads to the other")
  func differences() throws {
    let cases = [
      (#"{"a": 1}"#, "{}", ["a"]), ("{}", #"{"a": null}"#, ["a"]),
      (#"{"a": {"b": 1, "c": 2}}"#, #"{"a": {"c": 2, "b": 1}}"#, []),
      (#"{"a": [1, {"b": 1}]}"#, #"{"a": [1, {"b": 2}]}"#, ["a[1].b"]),
      (#"{"a": [1]}"#, #"{"a": [1, 2]}"#, ["a"]), (#"{"a": [1]}"#, #"{"a": {"b": 1}}"#, ["a"]),
      (#"{"a": {"x.y": 1}}"#, #"{"a": {"x.y": 2}}"#, ["a"]),
      (#"{"a": {"__proto__": 1}}"#, #"{"a": {}}"#, ["a"]),
      (#"{"a": {"b": 1, "x.y": 1}}"#, #"{"a": {"b": 2, "x.y": 1}}"#, ["a.b"]),
      (#"{"a": 1, "b": 2, "c": 3}"#, #"{"c": 4, "d": 5}"#, ["c", "d", "a", "b"]),
    ]
    for (old, new, keys) in cases {
      let (old, new) = (try json(old), try json(new))
      let patch = try #require(DocumentPatch.difference(from: old, to: new))
      #expect(patch.compactMap { $0.object?["key"]?.string } == keys)
      let made = DocumentPatch.applied(try EffectChange.list(.array(patch)), to: old)
      #expect(DocumentPatch.difference(from: try #require(made), to: new) == [])
    }
    for (old, new) in [(#"{"x.y": 1}"#, "{}"), ("[1]", "[2]"), ("{}", "3"), (#"{"": 1}"#, "{}")] {
      #expect(DocumentPatch.difference(from: try json(old), to: try json(new)) == nil)
    }
  }

  @Test("changes of a journal are made again, also those of unknown members, all or none")
  func patching() throws {
    var package = try EffectTemplate.fire.package()
    let old = try package.documentValue
    let changes = #"""
      [{"key": "emitters[0].emission.rate", "value": 7}, {"key": "emitters[2]", "unset": true},
       {"key": "unknown", "value": {"a": 1}}, {"key": "unknown.b", "value": 2}]
      """#
    try package.patch(EffectChange.list(try json(changes)))
    #expect(try package.system().emitters.count == 2)
    #expect(try package.documentValue.object?["unknown"] == json(#"{"a": 1, "b": 2}"#))
    let made = try package.documentValue
    for changes in [
      #"[{"key": "seed", "value": 3}, {"key": "nothing.there", "value": 1}]"#,
      #"[{"key": "emitters", "value": 7}]"#, #"[{"key": "emitters[0].x[+]", "value": 1}]"#,
    ] {
      let list = try EffectChange.list(try json(changes))
      #expect(throws: Diagnostic.self) { try package.patch(list) }
      #expect(try package.documentValue == made)
    }
    // And back.
    let back = try #require(DocumentPatch.difference(from: made, to: old))
    try package.patch(EffectChange.list(.array(back)))
    #expect(try DocumentPatch.difference(from: package.documentValue, to: old) == [])
  }
}
