import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
  static let rule = Rule(
    "test/rule", .warning, "something is odd", spec: "cli.md#usage", hint: "make it even")

  @Test("a message is the summary and what the occurrence adds")
  func message() {
    func message(_ detail: String?, _ expected: String?, _ found: String?) -> String {
      Diagnostic(Self.rule, detail, expected: expected, found: found).message
    }
    #expect(message(nil, nil, nil) == "something is odd")
    #expect(message("a", nil, nil) == "something is odd: a")
    #expect(message(nil, "2", nil) == "something is odd (expected 2)")
    #expect(message(nil, nil, "3") == "something is odd (found 3)")
    #expect(message("a", "2", "3") == "something is odd: a (expected 2, found 3)")
  }

  @Test("severity and hint are those of the rule by default")
  func defaults() {
    #expect(Diagnostic(Self.rule).severity == .warning)
    #expect(Diagnostic(Self.rule).hint == "make it even")
    #expect(Diagnostic(Self.rule).location == .unknown)
    let other = Diagnostic(Self.rule, severity: .note, hint: "leave it")
    #expect(other.severity == .note && other.hint == "leave it")
  }

  @Test("a description has place, severity, message and code")
  func description() {
    #expect(Diagnostic(Self.rule).description == "warning: something is odd [test/rule]")
    let place = Location(file: "a.particles", entry: "document.json", position: .key("seed"))
    #expect(
      Diagnostic(Self.rule, at: place, found: "3").description
        == "a.particles:document.json:seed: warning: something is odd (found 3) [test/rule]")
    #expect(
      Diagnostic(Self.rule, at: .offset(120), severity: .error).description
        == "byte 120: error: something is odd [test/rule]")
    #expect(
      Diagnostic(Self.rule, at: .entry("x"), severity: .note).description
        == "x: note: something is odd [test/rule]")
  }

  @Test(
    "what could forge lines or drive a terminal is shown as an escape",
    arguments: [
      ("plain", "plain"), ("größe 𝄞 e\u{301}", "größe 𝄞 e\u{301}"), ("a\nb", "a\\u{a}b"),
      ("a\r\nb", "a\\u{d}\\u{a}b"), ("\u{1B}[2J", "\\u{1b}[2J"), ("\u{0}", "\\u{0}"),
      ("\t", "\\u{9}"), ("\u{7F}\u{80}\u{9F}\u{A0}", "\\u{7f}\\u{80}\\u{9f}\u{A0}"),
      ("\u{200E}\u{200F}", "\\u{200e}\\u{200f}"), ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
      ("\u{202A}\u{202E}\u{202F}", "\\u{202a}\\u{202e}\u{202F}"),
      ("\u{2065}\u{2066}\u{2069}", "\u{2065}\\u{2066}\\u{2069}"), ("\u{200D}", "\u{200D}"),
    ])
  func escaping(text: String, shown: String) {
    #expect(text.escapingControls == shown)
    #expect(Diagnostic(Self.rule, text).message == "something is odd: \(shown)")
    #expect(
      Diagnostic(Self.rule, at: Location(file: text)).description
        == "\(shown): warning: something is odd [test/rule]")
  }

  @Test("missing parts of a location are taken from the outer one")
  func inside() {
    let outer = Location(file: "f", entry: "e", position: .offset(1))
    #expect(Location.unknown.inside(outer) == outer)
    #expect(outer.inside(.unknown) == outer)
    #expect(Location.key("k").inside(outer).description == "f:e:k")
    #expect(Location.entry("x").inside(outer).description == "f:x:byte 1")
    #expect(Location(file: "g").inside(outer).description == "g:e:byte 1")
    #expect(Location.unknown.description == "")
    #expect(Diagnostic(Self.rule, at: .key("k")).inside(outer).location.description == "f:e:k")
  }

  @Test("errors of other kinds pass through")
  func locatingErrors() {
    struct Other: Error {}
    #expect(throws: Other.self) { try locating(.entry("e")) { throw Other() } }
    let error = expectThrows(Self.rule) {
      try locating(.entry("e")) {
        try locating(.offset(7)) { throw Diagnostic(Self.rule) }
      }
    }
    #expect(error?.location.description == "e:byte 7")
    #expect(throws: Never.self) { try locating(.unknown) {} }
  }

  @Test("a catch names the rule")
  func catching() throws {
    func fail(_ error: any Error) throws { throw error }
    func caught(_ error: any Error) -> String {
      do {
        try fail(error)
        return "nothing"
      } catch Rule.checksum {
        return "checksum"
      } catch Self.rule {
        return "own"
      } catch {
        return "other"
      }
    }
    struct Other: Error {}
    #expect(caught(Diagnostic(.checksum, at: .offset(3))) == "checksum")
    #expect(caught(Diagnostic(.checksum, severity: .note)) == "checksum")
    #expect(caught(Diagnostic(Rule("test/rule", .error, "another text", spec: ""))) == "own")
    #expect(caught(Diagnostic(.frame)) == "other")
    #expect(caught(Other()) == "other")
  }

  @Test("rules are the same if their codes are; severities ascend")
  func rules() {
    let same = Rule("test/rule", .error, "another text", spec: "")
    #expect(same == Self.rule && Set([same, Self.rule]).count == 1)
    #expect(Self.rule.family == "test")
    #expect(Severity.allCases.sorted() == [.note, .warning, .error])
    #expect(Severity.note < .warning && !(Severity.error < .error))
  }
}
