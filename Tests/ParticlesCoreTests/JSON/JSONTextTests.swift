import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("JSON that is changed in its text") struct JSONTextTests {
  /// Layouts that people and programs write. The second layout is ours.
  static let layouts = [
    #"{"a":{"rate":95.0,"odd":[1,[2,3]]},"list":[{"n":1},{"n":2}],"tail":"\u00e9"}"#,
    """
    {
      "a": {
        "rate": 95.0,
        "odd": [1, [2, 3]]
      },
      "list": [
        {
          "n": 1
        },
        {
          "n": 2
        }
      ],
      "tail": "\\u00e9"
    }

    """,
    "{ \"a\" : {\n\t\"rate\" : 95.0 , \"odd\" : [ 1 , [ 2 , 3 ] ] } , \"list\": [ {\"n\":1},\n"
      + "{\"n\" :2} ],\r\n  \"tail\":\"\\u00e9\"}  ",
  ]

  private func text(_ text: String) throws -> JSONText { try JSONText(Array(text.utf8)) }

  private func after(_ before: String, _ change: (inout JSONText) throws -> Bool) throws -> String {
    var text = try text(before)
    #expect(try change(&text))
    #expect(text.value == (try JSONParser.parse(text.bytes)))
    return String(decoding: text.bytes, as: UTF8.self)
  }

  @Test("a value is replaced, and nothing else", arguments: layouts)
  func replace(layout: String) throws {
    let result = try after(layout) { try $0.set(.int(120), at: [.key("a"), .key("rate")]) }
    let place = try #require(layout.firstRange(of: "95.0"))
    #expect(result == layout[..<place.lowerBound] + "120" + layout[place.upperBound...])
    let inner = try after(layout) {
      try $0.set(.int(7), at: [.key("a"), .key("odd"), .index(1), .index(0)])
    }
    #expect(inner.filter { !$0.isWhitespace }.contains("[1,[7,3]]"))
    #expect(inner.utf8.count == layout.utf8.count)
  }

  @Test("what is added and removed again leaves the text as it was", arguments: layouts)
  func addAndRemove(layout: String) throws {
    let places: [[JSONText.Step]] = [
      [.key("a"), .key("new")], [.key("new")], [.key("list"), .index(2)],
      [.key("a"), .key("odd"), .index(2)], [.key("list"), .index(0), .key("m")],
    ]
    for steps in places {
      var text = try text(layout)
      #expect(try text.set(["k": .int(1)], at: steps))
      #expect(text.value(at: steps) == ["k": .int(1)])
      #expect(text.bytes.count > layout.utf8.count)
      #expect(try text.remove(at: steps))
      #expect(String(decoding: text.bytes, as: UTF8.self) == layout, "\(steps)")
    }
  }

  @Test("each element can be removed; the others keep their bytes", arguments: layouts)
  func remove(layout: String) throws {
    for steps in [
      [JSONText.Step.key("a")], [.key("list")], [.key("tail")], [.key("list"), .index(0)],
    ] {
      var text = try text(layout)
      #expect(try text.remove(at: steps))
      #expect(text.value(at: steps) != (try self.text(layout)).value(at: steps))
      // The remaining members are in the text, in their order.
      let prefix = zip(text.bytes, layout.utf8).prefix { $0 == $1 }.count
      let suffix = zip(text.bytes.reversed(), layout.utf8.reversed()).prefix { $0 == $1 }.count
      #expect(prefix + suffix >= text.bytes.count)
    }
  }

  @Test("a new member is inserted in the given order and in the layout of its neighbours")
  func order() throws {
    let order = ["name", "rate", "list", "tail"]
    func adding(_ key: String, to text: String) throws -> String {
      try after(text) { try $0.set(.bool(true), at: [.key(key)], order: order) }
    }
    #expect(
      try adding("rate", to: #"{"name": 1, "tail": 2}"#) == #"{"name": 1, "rate": true, "tail": 2}"#
    )
    #expect(try adding("name", to: #"{"rate":1}"#) == #"{"name":true,"rate":1}"#)
    #expect(
      try adding("other", to: "{\n  \"rate\": 1\n}") == "{\n  \"rate\": 1,\n  \"other\": true\n}")
    #expect(try adding("list", to: "{}") == #"{"list":true}"#)
    #expect(try adding("list", to: "{\n}\n") == "{\"list\": true}\n")
  }

  @Test("a value of several lines is indented like its context")
  func indentation() throws {
    let result = try after(Self.layouts[1]) {
      try $0.set(["min": .int(1), "max": .int(2)], at: [.key("a"), .key("rate")])
    }
    #expect(result.contains("    \"rate\": {\"min\": 1, \"max\": 2},\n"))
  }

  @Test("a text in our layout keeps it, and a dense text stays dense")
  func ownLayout() throws {
    let value = try text(Self.layouts[0]).value
    let member: JSONValue = ["n": .int(1)]
    let values: [JSONValue] = [
      .array([.int(1), .int(2)]), .array([member]), ["x": .array([.int(1)])], ["x": member],
      .int(5), .array([]), "a", .array([.array([.int(1)])]), .array([.array([member])]), .null,
    ]
    for isDense in [false, true] {
      func layout(_ value: JSONValue) -> String { isDense ? value.denseText : value.text }
      var text = try text(layout(value))
      for steps: [JSONText.Step] in [
        [.key("a"), .key("odd"), .index(1)], [.key("a"), .key("odd")], [.key("list"), .index(1)],
        [.key("new")],
      ] {
        for new in values {
          #expect(try text.set(new, at: steps))
          #expect(String(decoding: text.bytes, as: UTF8.self) == layout(text.value))
        }
      }
    }
  }

  @Test("no change makes a text longer than its limit")
  func limit() throws {
    let before = Array(#"{"a": "", "b": 1}"#.utf8)
    var limits = Limits()
    limits.textBytes = 30
    var text = try JSONText(before, limits: limits)
    let long = JSONValue.string(String(repeating: "x", count: 20))
    for key in ["a", "b", "c"] {
      expectThrows(.limit) { try text.set(long, at: [.key(key)]) }
      #expect(text.bytes == before)
    }
  }

  @Test("there is no place below a number, behind the end of an array, or in a missing object")
  func nowhere() throws {
    var text = try text(Self.layouts[0])
    for steps: [JSONText.Step] in [
      [.key("tail"), .key("x")], [.key("list"), .index(3)], [.key("no"), .key("x")],
      [.key("list"), .key("x")], [.key("a"), .index(0)],
    ] {
      #expect(try !text.set(.null, at: steps))
      #expect(try !text.remove(at: steps))
    }
    #expect(String(decoding: text.bytes, as: UTF8.self) == Self.layouts[0])
  }

  @Test("keys are compared after decoding; strings may hold brackets and quotes")
  func strings() throws {
    let odd = #"{"r\u0061te": "]}\"", "s": {"t": "\\"}, "u": 1}"#
    #expect(try after(odd) { try $0.set(.int(2), at: [.key("u")]) }.hasSuffix(#""u": 2}"#))
    #expect(
      try after(odd) { try $0.set(.int(2), at: [.key("rate")]) }
        == #"{"r\u0061te": 2, "s": {"t": "\\"}, "u": 1}"#)
  }

  @Test("members have ranges", arguments: layouts)
  func members(layout: String) throws {
    let text = try text(layout)
    let members = try #require(text.value.object).members
    let ranges = text.members
    #expect(ranges.count == members.count)
    for (range, member) in zip(ranges, members) {
      #expect(try JSONParser.parse(Array(text.bytes[range.key])) == .string(member.key))
      #expect(try JSONParser.parse(Array(text.bytes[range.value])) == member.value)
    }
    #expect(try self.text(" { } ").members.isEmpty)
    #expect(try self.text("[1, 2]").members.isEmpty)
    #expect(try self.text("7").members.isEmpty)
  }
}
