import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
@testable import ParticlesEffects
import ParticlesTestSupport
import Testing

/// Changes as JSON values, as a page orders them.
@Suite("Changes by values")
struct StructuredChangeTests {
  private func editor() throws -> EffectEditor {
    try EffectEditor(try #require(EffectTemplate.named("fire")).package())
  }

  @Test("a value is set, null removes an optional one, and nothing else is checked")
  func values() throws {
    var editor = try editor()
    try editor.set("emitters[0].emission.rate", value: ["min": .int(1), "max": .int(9)])
    try editor.set("emitters[*].name", value: .string("a \"b\""))
    try editor.set("asset.author", value: .string("Me"))
    try editor.set("asset.author", value: .null)
    #expect(try editor.value("emitters[0].emission.rate") == ["min": .int(1), "max": .int(9)])
    #expect(try editor.value("emitters[0].name") == .string("a \"b\""))
    #expect(try editor.value("asset.author") == nil)
    // A wrong track is found by the check of the whole.
    try editor.set("emitters[0].size.width", value: .string("wide"))
    #expect(try editor.findings().contains { $0.severity == .error })
  }

  @Test("values of a wrong type or out of bounds are refused with the rule; nothing has changed")
  func refused() throws {
    var editor = try editor()
    let before = editor.package
    let cases: [(String, JSONValue, Rule)] = [
      ("emitters[0].emission.jitter", .int(2), .range), ("emitters[0].emission.jitter", "x", .type),
      ("emitters[0].enabled", .int(1), .type), ("emitters[0].name", .int(1), .type),
      ("emitters[0].shape.type", "star", .type),
      ("emitters[0].emission.maxAlive", .double(1.5), .type),
      ("emitters[0].none", .int(1), .usage), ("emitters[9].name", "x", .usage),
    ]
    for (key, value, rule) in cases {
      #expect { try editor.set(key, value: value) } throws: { ($0 as? Diagnostic)?.rule == rule }
    }
    #expect(editor.package == before && editor.changes.isEmpty)
  }

  @Test("a text that is changed value by value is that of the parsed text, in any layout")
  func text() throws {
    let package = try #require(EffectTemplate.named("fire")).package()
    let ours = try package.document()
    let dense = Array(try JSONParser.parse(ours).denseText.utf8)
    let lined = Array(String(decoding: ours, as: UTF8.self).replacing("  ", with: "\t").utf8)
    for bytes in [ours, dense, lined] {
      var text = try JSONText(bytes)
      let changes: [([JSONText.Step], JSONValue)] = [
        ([.key("seed")], .int(7)), ([.key("emitters"), .index(0), .key("name")], "x\u{1}\"\\ é"),
        ([.key("emitters"), .index(0), .key("lifetime")], .double(0.125)),
        ([.key("emitters"), .index(0), .key("lifetime")], ["min": .int(1), "max": .int(2)]),
        ([.key("emitters"), .index(0), .key("lifetime")], ["min": .int(3), "max": .int(4)]),
      ]
      for (steps, value) in changes {
        guard text.value(at: steps) != nil else { continue }
        #expect(try text.set(value, at: steps))
        #expect(text.value(at: steps) == value)
        #expect(text.value == (try JSONParser.parse(text.bytes)))
        if bytes == ours { #expect(text.bytes == text.value.bytes) }
      }
    }
  }

  @Test("a value that would exceed a limit is refused, and the text stays")
  func limits() throws {
    var limits = Limits.standard
    limits.fileBytes = 12
    var text = try JSONText(Array(#"{"a": "b"}"#.utf8), limits: limits)
    #expect(throws: Diagnostic.self) { try text.set("0123456789", at: [.key("a")]) }
    #expect(text.bytes == Array(#"{"a": "b"}"#.utf8))
    limits.nesting = 2
    text = try JSONText(Array("[[1]]".utf8), limits: limits)
    #expect(throws: Diagnostic.self) { try text.set(.array([.array([.int(1)])]), at: [.index(0)]) }
  }

  @Test("the parsed text is shared by copies of a package, and not used for other bytes")
  func sharing() throws {
    var package = try #require(EffectTemplate.named("fire")).package()
    var editor = try EffectEditor(package)
    try editor.set("seed", value: .int(1))
    #expect(try EffectEditor(editor.package).value("seed") == .int(1))
    try package.setDocument(Array(#"{"asset": {"version": "1.0"}, "seed": 5}"#.utf8))
    #expect(try EffectEditor(package).value("seed") == .int(5))
  }
}
