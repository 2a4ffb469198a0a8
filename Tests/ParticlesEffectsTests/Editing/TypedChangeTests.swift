import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

import ParticlesDocuments
@testable import ParticlesEffects

@Suite("Changes as text") struct TypedChangeTests {
  private func editor() throws -> EffectEditor {
    try EffectEditor(DrawnTemplates.package("fire"))
  }

  @Test("the operator is the character before the first = outside of brackets")
  func splitting() {
    for (text, key, operation, value) in [
      ("a=1", "a", nil, "1"), ("a*=1", "a", .multiply, "1"), ("a+=1", "a", .add, "1"),
      ("a-=1", "a", .subtract, "1"), ("a=*=1", "a", nil, "*=1"), ("a=", "a", nil, ""),
      ("e[*].a=2", "e[*].a", nil, "2"), ("e[*]*=2", "e[*]", .multiply, "2"),
      (#"e["x=y"].a=2"#, #"e["x=y"].a"#, nil, "2"),
      (#"extras["a-"]=2"#, #"extras["a-"]"#, nil, "2"),
    ] as [(String, String, RelativeChange.Operation?, String)] {
      let change = TypedChange(text)
      #expect(change?.key == key && change?.operation == operation && change?.value == value)
    }
    #expect(TypedChange("seed") == nil && TypedChange("=1") == nil && TypedChange("e[=]") == nil)
  }

  @Test("numbers and their ranges are checked without the document, and other values with it")
  func alone() throws {
    let package = try DrawnTemplates.package("fire")
    let check = try #require(PropertyCheck("emitters[0].lifetime", in: package))
    for value: JSONValue in [.int(5), .int(0), ["min": .int(1), "max": .int(2)]] {
      #expect(try check.check(value), "\(value.line)")
    }
    for value: JSONValue in [
      ["min": .int(2), "max": .int(1)], ["min": .int(1)], ["max": .int(1), "scope": "cycle"],
      ["min": .int(1), "max": .int(2), "scope": "cycle"], ["oneOf": .array([.int(1)])],
    ] {
      #expect(try !check.check(value), "\(value.line)")
    }
    for value: JSONValue in [.int(-1), ["min": .int(-1), "max": .int(2)]] {
      let fault = expectThrows(.range) { try check.check(value) }
      #expect(fault?.found == value.line)
    }
    let flag = try #require(PropertyCheck("emitters[0].enabled", in: package))
    #expect(try flag.check(.bool(false)))
    expectThrows(.type) { try flag.check("maybe") }
    #expect(PropertyCheck("emitters[0].none", in: package) == nil)
  }

  @Test(
    "relative changes of numbers, ranges, choices, ramps, tracks and vectors",
    arguments: [
      ("95", "*=1.5", "142.5"), ("0.1", "*=3", "0.3"), ("5", "+=.5", "5.5"), ("5", "-=7", "-2"),
      (
        #"{"min": 1, "max": 2, "scope": "cycle"}"#, "*=2",
        #"{"min": 2, "max": 4, "scope": "cycle"}"#
      ),
      (#"{"min": 1, "max": 2}"#, "*=-1", #"{"min": -2, "max": -1}"#),
      (#"{"min": 1, "max": 2}"#, "+=3", #"{"min": 4, "max": 5}"#),
      (#"{"oneOf": [1, 4], "weights": [1, 2]}"#, "*=2", #"{"oneOf": [2, 8], "weights": [1, 2]}"#),
      (
        #"{"low": 1, "high": {"min": 1, "max": 2}}"#, "+=1",
        #"{"low": 2, "high": {"min": 2, "max": 3}}"#
      ),
      (
        #"{"low": 1, "high": 2, "relative": true}"#, "+=1",
        #"{"low": 2, "high": 2, "relative": true}"#
      ),
      (
        #"{"from": 1, "to": 2, "rate": 3, "range": [0, 9]}"#, "*=2",
        #"{"from": 2, "to": 4, "rate": 6, "range": [0, 18]}"#
      ),
      (
        #"{"from": 1, "to": 2, "rate": 3, "range": [0, 9]}"#, "-=1",
        #"{"from": 0, "to": 1, "rate": 3, "range": [-1, 8]}"#
      ),
      (#"{"to": 2}"#, "+=1", #"{"to": 3, "from": 1}"#),
      ("[1, 2]", "*=2", "[2, 4]"), ("[1, 2]", "+=[1, -1]", "[2, 1]"),
      (#""red""#, "*=2", nil), ("[1, 2]", "+=1", nil), ("[1, 2]", "+=[1]", nil),
      ("1", "*=two", nil),
      ("true", "+=1", nil), ("{}", "*=2", nil), ("1", "*=[2]", nil),
    ] as [(String, String, String?)])
  func relative(old: String, change: String, new: String?) throws {
    var editor = try editor()
    try editor.set("extras.value", to: old)
    guard let new else {
      expectThrows(.usage) { try editor.apply("extras.value\(change)") }
      return
    }
    try editor.apply("extras.value\(change)")
    #expect(try editor.value("extras.value") == JSONParser.parse(Array(new.utf8)))
  }

  @Test("a refused change of a vector names the operand that it needs; others, what can be changed")
  func refusal() throws {
    var editor = try editor()
    try editor.set("extras.value", to: "[1, 2]")
    for change in ["+=1", "-=[1]"] {
      let fault = expectThrows(.usage) { try editor.apply("extras.value\(change)") }
      #expect(fault?.expected == "a vector of the same size")
      #expect(fault?.hint?.contains("=VALUE") != true)
    }
    let product = expectThrows(.usage) { try editor.apply("extras.value*=[1, 2]") }
    #expect(product?.expected == nil)
    #expect(product?.hint?.contains("extras.value=VALUE") == true)
  }

  @Test("a relative change of a value that is not set starts from its default")
  func defaults() throws {
    var editor = try editor()
    #expect(try editor.value("emitters[0].color.intensity") == .int(1))
    try editor.apply("emitters[0].color.intensity*=1.5")
    #expect(try editor.value("emitters[0].color.intensity") == .double(1.5))
    try editor.apply("seed+=2.6")
    #expect(try editor.value("seed") == .int(3))
    #expect(try editor.value("asset.author") == nil)
    expectThrows(.usage) { try editor.apply("emitters[0].color.base*=2") }
    expectThrows(.usage) { try editor.apply("preview.background*=2") }
    expectThrows(.usage) { try editor.apply("seed") }
    expectThrows(.usage) { _ = try editor.value("sed") }
  }

  @Test("[*] selects every element, also in nested arrays, and never none")
  func wildcards() throws {
    var editor = try editor()
    try editor.apply("emitters[*].enabled=false")
    #expect(editor.changes.map(\.key) == (0..<3).map { "emitters[\($0)].enabled" })
    try editor.apply("emitters[*].emission.bursts[+]={\"count\": 4}")
    try editor.apply("emitters[*].emission.bursts[*].count*=2")
    let bursts = try (0..<3).map { try editor.value("emitters[\($0)].emission.bursts[0].count") }
    #expect(bursts == [.int(8), .int(8), .int(8)])
    try editor.apply("emitters[*].color=#00ff00")
    #expect(
      try editor.value("emitters[2].color.base") == JSONValue.array([.int(0), .int(1), .int(0)]))
    try editor.unset("emitters[*].emission.bursts[*]")
    #expect(try editor.value("emitters[1].emission.bursts") == JSONValue.array([]))
    #expect(try editor.findings().allSatisfy { $0.severity < .error })
    for change in ["meshes[*].uri=a", "emitters[*].emission.bursts[*].count=1", "seed[*]=1"] {
      expectThrows(.usage) { try editor.apply(change) }
    }
  }
}
