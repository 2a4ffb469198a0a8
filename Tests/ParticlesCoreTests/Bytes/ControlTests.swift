import ParticlesCore
import ParticlesTestSupport
import Testing

/// Characters that a terminal or an editor obeys, and does not show.
@Suite("Control characters") struct ControlTests {
  private static let scalars = (0...0x10FFFF).compactMap { Unicode.Scalar($0 as UInt32) }

  private static let controls = scalars.filter(\.isControl)

  @Test("the set has C0, C1, line separators, and all characters that change a direction")
  func set() {
    let wanted: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
    ]
    #expect(Self.controls.map(\.value) == wanted.flatMap { Array($0) })
    for scalar in Self.scalars where scalar.properties.isBidiControl {
      #expect(scalar.isControl, "\(scalar.value)")
    }
  }

  @Test("JSON has escapes for all of them, in values and keys, and reads the same text again")
  func json() throws {
    for scalar in Self.controls {
      let text = "é\(scalar)𝄞\(scalar)"
      let value: JSONValue = .object(
        JSONObject(members: [
          .init(key: text, value: .array([.string(text), .object(JSONObject())]))
        ]))
      for written in [value.text, value.line, value.denseText, value.text(indent: "  ")] {
        #expect(try JSONParser.parse(Array(written.utf8)) == value)
        #expect(!written.filter { $0 != "\n" }.hasControls, "\(scalar.value)")
      }
    }
    #expect(JSONValue.string("\u{7F}\u{85}\u{202E}").line == #""\u007f\u0085\u202e""#)
    #expect(JSONValue.string("\u{0}\n\u{8}\"\\").line == #""\u0000\n\b\"\\""#)
  }

  @Test("JSON has no escapes for other characters")
  func plain() {
    var text = ""
    for scalar in Self.scalars where !scalar.isControl && scalar != "\"" && scalar != "\\" {
      text.unicodeScalars.append(scalar)
    }
    #expect(JSONValue.string(text).line == "\"\(text)\"")
    #expect(text.escapingControls == text && !text.hasControls)
  }

  @Test("an edit of a text leaves characters of other places as they are")
  func edited() throws {
    let old = "{\n  \"a\": \"x\u{202E}y\",\n  \"b\": 1,\n  \"c\": \"\"\n}\n"
    var text = try JSONText(Array(old.utf8))
    #expect(try text.set(.string("\u{2066}"), at: [.key("c")]))
    let new = old.replacing("\"c\": \"\"", with: #""c": "\u2066""#)
    #expect(String(decoding: text.bytes, as: UTF8.self) == new)
  }

  @Test("XML has references for those that it can have, and U+FFFD for the others")
  func markup() {
    for quote in [nil, "\"", "'"] as [Unicode.Scalar?] {
      for scalar in Self.controls where scalar != "\t" && scalar != "\n" {
        let written = "a\(scalar)b".escapingMarkup(inside: quote)
        let reference =
          scalar == "\r"
          ? "&#13;" : scalar.value < 0x20 ? "\u{FFFD}" : "&#x\(String(scalar.value, radix: 16));"
        #expect(written == "a\(reference)b")
      }
    }
  }

  @Test("terminals get an escape for each")
  func escaped() {
    for scalar in Self.controls {
      let text = "a\(scalar)b"
      #expect(text.hasControls)
      #expect(text.escapingControls == "a\\u{\(String(scalar.value, radix: 16))}b")
      #expect(text.replacingControls { _ in "" } == "ab")
    }
  }
}
