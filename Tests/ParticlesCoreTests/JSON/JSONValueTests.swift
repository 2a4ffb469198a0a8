import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("JSON values and their layout")
struct JSONValueTests {
  @Test("small objects and arrays without objects are on one line, others on several")
  func layout() {
    let value: JSONValue = [
      "name": "spark", "empty": [:], "none": .array([]), "flag": .bool(true), "nothing": .null,
      "keys": .array([.array([.int(0), .double(0.5)]), .array([.int(1), .double(2)])]),
      "emitters": .array([["rate": .int(3)], .int(1), [:]]),
      "deep": .array([.array([["a": .int(1)]])]), "two": ["min": .int(1), "max": "b"],
      "three": ["a": .int(1), "b": .int(2), "c": .int(3)], "nested": ["a": .array([])],
    ]
    #expect(
      value.text == """
        {
          "name": "spark",
          "empty": {},
          "none": [],
          "flag": true,
          "nothing": null,
          "keys": [[0, 0.5], [1, 2]],
          "emitters": [
            {"rate": 3},
            1,
            {}
          ],
          "deep": [
            [
              {"a": 1}
            ]
          ],
          "two": {"min": 1, "max": "b"},
          "three": {
            "a": 1,
            "b": 2,
            "c": 3
          },
          "nested": {
            "a": []
          }
        }

        """)
  }

  @Test("only what must be escaped is escaped")
  func escapes() throws {
    let string = "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}é\u{2028}𝄞e\u{301}"
    let value = JSONValue.string(string)
    #expect(
      value.text == #""\"\\/\b\f\n\r\t\u0000\u001f\u007fé\u2028"# + "𝄞e\u{301}\"\n")
    let read = try #require(try JSONParser.parse(Array(value.text.utf8)).string)
    #expect(Array(read.utf8) == Array(string.utf8))
  }

  @Test("control characters are escaped beside characters of any length")
  func controls() throws {
    for plain in ["", "a", "é", "€", "\u{1F600}"] {
      for control in ["\u{1}", "\u{7F}", "\u{85}", "\u{9F}", "\u{200E}", "\u{2028}"] {
        let string = plain + control + plain
        let text = JSONValue.string(string).line
        #expect(!text.unicodeScalars.contains { $0.isControl })
        #expect(text.contains(plain))
        #expect(try JSONParser.parse(Array(text.utf8)) == .string(string))
      }
    }
  }

  @Test("text that was written is written again, byte for byte")
  func stable() throws {
    let text = """
      {
        "b": 1.50,
        "a": [1, "x", [true, null]],
        "c": [
          {"\\u0001": -0}
        ]
      }

      """
    #expect(try JSONParser.parse(Array(text.utf8)).text == text)
  }

  @Test("every accessor gives its own kind and nothing else")
  func accessors() {
    let values: [JSONValue] = [
      .null, .bool(false), .int(1), "a", .array([.int(1)]), ["a": .int(1)],
    ]
    #expect(values.map(\.bool) == [nil, false, nil, nil, nil, nil])
    #expect(values.map(\.int) == [nil, nil, 1, nil, nil, nil])
    #expect(values.map(\.double) == [nil, nil, 1, nil, nil, nil])
    #expect(values.map(\.string) == [nil, nil, nil, "a", nil, nil])
    #expect(values.map(\.array) == [nil, nil, nil, nil, [.int(1)], nil])
    #expect(values.map(\.object) == [nil, nil, nil, nil, nil, ["a": .int(1)]])
    #expect(
      values.map(\.kind) == [
        "null", "a truth value", "a number", "a string", "an array", "an object",
      ])
  }

  @Test("members keep their place; new ones go to the end")
  func members() {
    var object: JSONObject = ["b": .int(1), "a": .int(2)]
    object["b"] = .int(3)
    object["c"] = .null
    #expect(object.members.map(\.key) == ["b", "a", "c"])
    #expect(object["c"] == .null && object["d"] == nil)
    object["a"] = nil
    object["d"] = nil
    #expect(object.members.map(\.key) == ["b", "c"])
    #expect(!object.isEmpty && JSONObject().isEmpty)
    #expect(object != ["c": .null, "b": .int(3)], "order is part of the value")
  }
}
