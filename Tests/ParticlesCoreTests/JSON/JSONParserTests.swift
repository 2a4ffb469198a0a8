import ParticlesCore
import ParticlesTestSupport
import Testing

/// Cases in the manner of JSONTestSuite: what every parser must accept, and what every parser must
/// refuse. What RFC 8259 leaves open is decided here too, under "refused".
@Suite("Reading JSON")
struct JSONParserTests {
  static let accepted = [
    "[]", "{}", " [] ", "[[]]", "[[]   ]", "\t\n\r [1]\n", "null", "true", "false", "0", "\"\"",
    "[null]", "[true,false]", "[1,null,null,null,2]", "[\"a\"]", "[2] ", "[ 4]", "[\n]",
    // Numbers.
    "[-0]", "[-1]", "[-123]", "[0e1]", "[0e+1]", "[0e-1]", "[1E22]", "[1E-2]", "[1E+2]",
    "[123e45]", "[123.456e78]", "[123.456789]", "[1.0]", "[1.000000000000000005]",
    "[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]",
    "[0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999]",
    "[100000000000000000000]", "[1e400]", "[1e-400]",
    // Strings.
    #"["\"\\\/\b\f\n\r\t"]"#, #"["\u0060\u012a\u12AB"]"#, #"["\u0000"]"#, #"["\u001f"]"#,
    #"["\ud801\udc37"]"#, #"["\ud83d\ude39\ud83d\udc8d"]"#, #"["\uDBFF\uDFFF"]"#, #"["\uFFFF"]"#,
    #"["\\u0000"]"#, #"["\\a"]"#, #"["\\n"]"#, #"["a/*b*/c"]"#, "[\"\u{7F}\"]", "[\"\u{2028}\"]",
    "[\"€𝄞\"]", "[\"\u{FFFE}\u{10FFFF}\"]", #"["\u0022"]"#, #"["\u005C"]"#, "\" \"",
    // Objects.
    #"{"a":1}"#, #"{"":0}"#, #"{"a" : [ ] , "b":{}}"#, #"{"foo\u0000bar": 42}"#, #"{"a":{"a":1}}"#,
    #"{"A":1,"a":2}"#, #"{"a":[{"b":{}}]}"#, "{\n\"a\": \"b\"\n}",
    "{\"\u{E9}\": 1, \"e\u{301}\": 2}",
  ]

  @Test("accepted", arguments: accepted)
  func accepts(text: String) throws {
    let value = try JSONParser.parse(Array(text.utf8))
    // Writing and reading again loses nothing.
    #expect(try JSONParser.parse(Array(value.text.utf8)) == value)
  }

  /// A text, and the offset of the reported error.
  static let refused: [(String, Int)] = [
    ("", 0), (" ", 1), ("\u{FEFF}[]", 0), ("[", 1), ("]", 0), ("[1", 2), ("[1,", 3), ("[1,]", 3),
    ("[1,,2]", 3), ("[,1]", 1), ("[,]", 1), ("[1 2]", 3), ("[1:2]", 2), ("[]]", 2), ("[] []", 3),
    ("[][]", 2), ("1 2", 2), ("[1}", 2), ("[\"a\"", 4), ("[\"\" 1]", 4), ("[\"a\",\n4\n,1,", 11),
    ("[\u{0C}]", 1), ("[\u{A0}]", 1), ("[\u{2060}]", 1), ("<.>", 0), ("a", 0), ("*", 0),
    // Words.
    ("[nul]", 1), ("[tru]", 1), ("[fals]", 1), ("nulll", 4), ("[True]", 1), ("[NaN]", 1),
    ("[Infinity]", 1), ("[-Infinity]", 2), ("[-NaN]", 2), ("[undefined]", 1),
    // Numbers.
    ("[+1]", 1), ("[.5]", 1), ("[1.]", 3), ("[1.e1]", 3), ("[-]", 2), ("[-a]", 2), ("[--1]", 2),
    ("[01]", 2), ("[-01]", 3), ("[00]", 2), ("[012.3]", 2), ("[0e]", 3), ("[0e+]", 4),
    ("[1eE2]", 3), ("[1e+]", 4), ("[1.0e-]", 6), ("[1.2.3]", 4), ("[0x1F]", 2), ("[1_000]", 2),
    ("[1 000]", 3),
    ("[1+2]", 2), ("[- 1]", 2), ("[1a]", 2), ("[\u{FF11}]", 1), ("-", 1),
    // Strings.
    ("\"", 0), ("[\"a]", 1), ("['a']", 1), ("[a]", 1), ("[\"\n\"]", 2), ("[\"a\u{0}b\"]", 3),
    ("[\"\t\"]", 2), ("[\"\u{1F}\"]", 2), (#"["\x00"]"#, 3), (#"["\a"]"#, 3), (#"["\'"]"#, 3),
    (#"["\"]"#, 1), (#"["\"#, 3), (#"["\u"]"#, 3), (#"["\u00A"]"#, 3), (#"["\u00G0"]"#, 3),
    (#"["\U0041"]"#, 3), (#"["\u+041"]"#, 3), (#"["\u-041"]"#, 3), (#"["\u 041"]"#, 3),
    (#"["\u"#, 3), ("[\"\\\u{1F300}\"]", 3), ("[\"\\\n\"]", 3),
    // Halves of surrogate pairs.
    (#"["\uD800"]"#, 2), (#"["\uD800a"]"#, 2), (#"["\uDC00"]"#, 2), (#"["\uDC00\uD800"]"#, 2),
    (#"["\uD800\uD800"]"#, 2), (#"["\uD800\u0041"]"#, 2), (#"["\uD800\n"]"#, 9),
    (#"["\uD800\u"]"#, 9), (#"["ab\uDFFF"]"#, 4),
    // Objects.
    ("{", 1), ("{]", 1), ("{,}", 1), ("{a:1}", 1), ("{1:1}", 1), ("{'a':1}", 1), (#"{"a"}"#, 4),
    (#"{"a":}"#, 5), (#"{"a":1"#, 6), (#"{"a":1,}"#, 7), (#"{"a":1,,"b":2}"#, 7), (#"{"a" 1}"#, 5),
    (#"{"a"::1}"#, 5), (#"{"a":1 "b":2}"#, 7), (#"{"a":1]"#, 6), (#"{"a":1}#"#, 7),
    (#"{"a":1}/**/"#, 7), (#"{"a":1}//"#, 7), (#"{"a":/**/1}"#, 5), (#"{null:1}"#, 1),
    (#"{"a":1;"b":2}"#, 6),
    // Keys twice.
    (#"{"a":1,"a":1}"#, 7), (#"{"a":1, "\u0061":2}"#, 8), (#"{"b":{"a":1,"c":2,"a":3}}"#, 18),
  ]

  @Test("refused, with the offset of the fault", arguments: refused)
  func refuses(text: String, offset: Int) {
    let error = expectThrows(.json) { try JSONParser.parse(Array(text.utf8)) }
    #expect(error?.location == .offset(offset), "\(error?.message ?? "")")
  }

  @Test(
    "bytes that are not UTF-8 are refused",
    arguments: [
      [0xFF], [0xC0, 0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xE9], [0x80], [0xE2, 0x82],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xFC, 0x83, 0xBF, 0xBF],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) {
    let quoted = Array("[\"".utf8) + bytes + Array("\"]".utf8)
    #expect(expectThrows(.json) { try JSONParser.parse(quoted) }?.location == .offset(1))
    #expect(expectThrows(.json) { try JSONParser.parse([0x5B] + bytes) }?.location == .offset(1))
  }

  @Test("UTF-16 and byte order marks are refused at the first byte")
  func otherEncodings() {
    let texts: [[UInt8]] = [
      [0xEF, 0xBB, 0xBF, 0x30], [0xFE, 0xFF, 0, 0x30], [0, 0x30], [0xFF, 0xFE, 0x30, 0],
    ]
    for bytes in texts {
      let error = expectThrows(.json) { try JSONParser.parse(bytes) }
      #expect(error?.location == .offset(0))
    }
  }

  @Test("errors name the expected and the found text")
  func messages() {
    func message(_ text: String) -> String? {
      expectThrows(.json) { try JSONParser.parse(Array(text.utf8)) }?.message
    }
    #expect(message("[1 2]") == "not valid JSON (expected ',' or ']', found '2')")
    #expect(message("{\"a\" 1}") == "not valid JSON (expected ':', found '1')")
    #expect(message("[") == "not valid JSON (expected a value, found the end of the text)")
    #expect(message("[\u{E9}]") == "not valid JSON (expected a value, found byte 0xc3)")
    #expect(
      message("{\"a\":1,\"a\":2}") == "not valid JSON: the key 'a' occurs twice in an object")
    #expect(message("[\"a") == "not valid JSON: a string does not end")
  }

  @Test("escapes are decoded")
  func escapes() throws {
    let text = #""\"\\\/\b\f\n\r\tA\u00e9\u20AC\uD834\uDD1E\u0000""#
    #expect(
      try JSONParser.parse(Array(text.utf8)).string
        == "\"\\/\u{8}\u{C}\n\r\tA\u{E9}\u{20AC}\u{1D11E}\u{0}")
  }

  @Test("keys that Unicode takes for equivalent are different keys, in their order")
  func equivalentKeys() throws {
    let text = "{\"\u{E9}\": 1, \"e\u{301}\": 2, \"\u{212A}\": 3}"
    let object = try #require(try JSONParser.parse(Array(text.utf8)).object)
    #expect(object.members.map(\.value.int) == [1, 2, 3])
    #expect(object["\u{E9}"]?.int == 1 && object["e\u{301}"]?.int == 2)
    #expect(object["K"] == nil, "the sign of the kelvin is no K")
  }
}
