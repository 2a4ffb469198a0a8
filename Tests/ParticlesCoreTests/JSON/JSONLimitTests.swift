import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("JSON under limits")
struct JSONLimitTests {
  private func limits(_ set: (inout Limits) -> Void) -> Limits {
    var limits = Limits()
    set(&limits)
    return limits
  }

  @Test("nesting", arguments: [("[", "]"), ("{\"a\":", "}")])
  func nesting(open: String, close: String) throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(
        (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    #expect(throws: Never.self) { try JSONParser.parse(nested(128)) }
    let error = expectThrows(.limit) { try JSONParser.parse(nested(129)) }
    #expect(error?.location == .offset(129 * open.utf8.count))
    #expect(error?.expected == "at most 128" && error?.found == "129")
    // Without an end, and far deeper than any stack.
    let bottomless = Array(String(repeating: open, count: 100_000).utf8)
    expectThrows(.limit) { try JSONParser.parse(bottomless) }
    let shallow = limits { $0.nesting = 1 }
    #expect(throws: Never.self) { try JSONParser.parse(nested(1), limits: shallow) }
    expectThrows(.limit) { try JSONParser.parse(nested(2), limits: shallow) }
  }

  @Test("values")
  func values() throws {
    let few = limits { $0.objects = 4 }
    #expect(throws: Never.self) { try JSONParser.parse(Array("[1,[2]]".utf8), limits: few) }
    let error = expectThrows(.limit) { try JSONParser.parse(Array("[1,[2,3]]".utf8), limits: few) }
    #expect(error?.location == .offset(6))
    expectThrows(.limit) { try JSONParser.parse(Array("{\"a\":[1,{\"b\":[]}]}".utf8), limits: few) }
  }

  @Test("size, before anything is read")
  func size() throws {
    let short = limits { $0.fileBytes = 4 }
    #expect(try JSONParser.parse(Array("[12]".utf8), limits: short) == .array([.int(12)]))
    expectThrows(.limit) { try JSONParser.parse(Array("#####".utf8), limits: short) }
    let text = limits { $0.textBytes = 4 }
    expectThrows(.limit) { try JSONParser.parse(Array("#####".utf8), limits: text) }
  }

  @Test("keys, numbers and texts have lengths; data that are written as text have none")
  func scalars() throws {
    func text(_ beginning: String, _ count: Int) -> [UInt8] {
      Array("\"\(beginning)\(String(repeating: "A", count: count - beginning.utf8.count))\"".utf8)
    }
    let digits = String(repeating: "1", count: 4_096)
    #expect(throws: Never.self) { try JSONParser.parse(Array("[\(digits)]".utf8)) }
    let number = expectThrows(.limit) { try JSONParser.parse(Array("[1\(digits)]".utf8)) }
    #expect(number?.location == .offset(1) && number?.found == "4097")
    expectThrows(.limit) { try JSONParser.parse(Array("[0.\(digits)]".utf8)) }
    #expect(throws: Never.self) { try JSONParser.parse(Array("{\"\(digits)\": 0}".utf8)) }
    expectThrows(.limit) { try JSONParser.parse(Array("{\"1\(digits)\": 0}".utf8)) }
    #expect(throws: Never.self) { try JSONParser.parse(text("A", 65_536)) }
    let long = expectThrows(.limit) { try JSONParser.parse(text("A", 65_537)) }
    #expect(long?.expected == "at most 65536" && long?.found == "65537")
    for beginning in ["data:,", "iVBORw", " H4sI", "eJ"] {
      #expect(throws: Never.self) { try JSONParser.parse(text(beginning, 100_000)) }
    }
    // Not in base64.
    expectThrows(.limit) { try JSONParser.parse(text("iVBORw-", 100_000)) }
  }

  @Test("text cut anywhere is refused at or before its end")
  func cut() throws {
    let text = Array(#"{"a": [1.5e+3, "\u00e9\ud834\udd1e", true, null], "b": {"c": -0.25}}"#.utf8)
    #expect(throws: Never.self) { try JSONParser.parse(text) }
    for length in 0..<text.count {
      let error = expectThrows(.json) { try JSONParser.parse(Array(text[..<length])) }
      guard case .offset(let offset) = error?.location.position else {
        Issue.record("no offset")
        continue
      }
      #expect(offset <= length)
    }
  }

  @Test("random bytes give a value or a diagnostic")
  func mutations() throws {
    let text = Array(#"{"a": [1.5e+3, "\u00e9\ud834\udd1e", true, null], "b": {"c": -0.25}}"#.utf8)
    var random = SeededGenerator(seed: 8)
    for _ in 0..<20_000 {
      var mutant = text
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: mutant.indices, using: &random)
        mutant[index] =
          Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random)
          : text.randomElement(using: &random) ?? 0
      }
      do {
        let value = try JSONParser.parse(mutant)
        #expect(try JSONParser.parse(Array(value.text.utf8)) == value)
      } catch {
        #expect([.json, .limit].contains(error.rule))
      }
    }
  }
}
