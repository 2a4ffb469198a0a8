import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesIndex

@Suite("Queries")
struct QueryTests {
  private let vocabulary = QueryVocabulary(
    keys: { ["emission.rate", "shape.type", "lifetime"] },
    words: { $0 == "blend" ? ["add", "alpha"] : nil })

  private func shape(_ text: String) throws -> String {
    Self.shape(try IndexQuery(text, vocabulary).expression)
  }

  /// An expression as a text.
  private static func shape(_ expression: IndexQuery.Expression) -> String {
    switch expression {
    case .all(let parts): "(" + parts.map(shape).joined(separator: " & ") + ")"
    case .any(let parts): "(" + parts.map(shape).joined(separator: " | ") + ")"
    case .not(let part): "!\(shape(part))"
    case .text(let columns, let text): "\(columns.count)'\(text)'"
    case .word(let key, let word): "\(key)=\(word)"
    case .number(let key, let range):
      "\(key)\(range.includesLower ? "[" : "(")\(range.lower);\(range.upper)\(range.includesUpper ? "]" : ")")"
    case .digest(let digits): "#\(digits)"
    case .path(let path): "@\(path)"
    case .similar(let path): "~\(path)"
    }
  }

  @Test(
    "operators, fields and values",
    arguments: [
      ("smoke", "4'smoke'"), ("\"two \\\"words\"", "4'two \"words'"),
      ("a b or c", "((4'a' & 4'b') | 4'c')"), ("a AND (b OR not c)", "(4'a' & (4'b' | !4'c'))"),
      ("-blend:ADD -x", "(!blend=add & !4'x')"), ("a-b", "4'a-b'"), ("order", "4'order'"),
      ("\"or\"", "4'or'"), ("file:boss", "1'boss'"),
      ("alive>500", "alive(500.0;inf]"), ("alive<=4k", "alive[-inf;4000.0]"),
      ("size=1Mi", "size[1048576.0;1048576.0]"), ("emitters:2..3", "emitters[2.0;3.0]"),
      ("emitters:..3", "emitters[-inf;3.0]"), ("duration:-1.5e1..", "duration[-15.0;inf]"),
      ("emitters.emission.rate>=1", "emission.rate[1.0;inf]"),
      ("lifetime:2", "(lifetime[2.0;2.0] | lifetime=2)"), ("shape.type:rect", "shape.type=rect"),
      ("modified:1970-01-02", "modified[86400.0;172800.0)"),
      ("modified>1970-01-02", "modified[172800.0;inf]"),
      ("modified<1970-01-02T00:00:01", "modified[-inf;86401.0)"),
      ("digest:AB12", "#ab12"), ("path:x/*.sks", "@x/*.sks"),
      ("similar:\"a b.sks\" format:pex", "(~a b.sks & format=pex)"), ("(((a)))", "4'a'"),
    ])
  func shapes(text: String, expected: String) throws { #expect(try shape(text) == expected) }

  @Test(
    "an error names the character, what is expected there, and what was found",
    arguments: [
      ("", "character 1 (expected a term, such as format:spritekit, found the end)"),
      ("  ", "character 3 (expected a term, such as format:spritekit, found the end)"),
      ("alive>abc", "character 7 (expected a number, found 'abc')"),
      ("alive>", "character 7 (expected a number, found the end)"),
      ("alive:9..2", "character 7 (expected the lesser number first, found '9..2')"),
      ("alive:..", "character 7 (expected numbers with '..' between them, found '..')"),
      ("x colour:red", "character 3 (expected a field, found 'colour')"),
      ("(a or b", "character 8 (expected a closing parenthesis for character 1, found the end)"),
      ("a)", "character 2 (expected a term or the end, found ')')"),
      ("a or", "character 5 (expected a term, found the end)"),
      ("or a", "character 1 (expected a term, found 'or')"),
      ("name:\"x", "character 8 (expected a closing quote for character 6, found the end)"),
      ("name:\"\"", "character 6 (expected a text, found an empty text)"),
      ("\"a\"b", "character 4 (expected a space or the end, found 'b')"),
      ("blend:adds", "character 7 (expected a blend, found 'adds')"),
      ("format<3", "character 7 (expected ':' after 'format', found '<3')"),
      ("digest:xyz", "character 8 (expected 1 to 64 hexadecimal digits, found 'xyz')"),
      (
        "modified:soon",
        "character 10 (expected a day such as 2026-11-01, or a time such as 2026-11-01T09:30:00, found 'soon')"
      ),
      (
        "similar:a similar:b",
        "character 11 (expected one term 'similar' at most, found 'similar:b')"
      ),
      ("alive>nan", "character 7 (expected a number, found 'nan')"),
      ("()", "character 2 (expected a term, found ')')"),
    ])
  func errors(text: String, expected: String) throws {
    let fault = try #require(throws: Diagnostic.self) { try shape(text) }
    #expect(fault.rule == .indexQuery)
    #expect(fault.message == "the query cannot be understood: \(expected)")
  }

  @Test("similar words are proposed")
  func hints() throws {
    func hint(_ text: String) throws -> String? {
      try #require(throws: Diagnostic.self) { try shape(text) }.hint
    }
    #expect(try hint("blnd:add") == "did you mean 'blend'?")
    #expect(try hint("emision.rate>1") == "did you mean 'emission.rate'?")
    #expect(try hint("blend:adds") == "did you mean 'add'?")
    #expect(try hint("blend:zzz") == "one of add, alpha")
  }

  @Test("limits: bytes, levels, terms")
  func limits() throws {
    for text in [
      String(repeating: "(", count: 60), String(repeating: "not ", count: 60) + "a",
      String(repeating: "a ", count: 201), String(repeating: "a", count: 9_000),
      String(repeating: "-", count: 5_000) + "a",
    ] {
      #expect { try shape(text) } throws: { ($0 as? Diagnostic)?.rule == .indexQuery }
    }
    #expect(try !shape(String(repeating: "a ", count: 200)).isEmpty)
  }

  @Test("no text makes the parser fail in another way")
  func anyText() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "(", ")", "\"", "\\", "-", " ", "or", "not", "alive", ">", ":", "..", "5", "e", "\u{301}",
      "modified", "similar", "é", "\u{0}", "blend",
    ]
    for _ in 0..<2_000 {
      let count = Int.random(in: 0..<12, using: &random)
      let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
        .joined()
      do {
        _ = try shape(text)
      } catch {
        #expect((error as? Diagnostic)?.rule == .indexQuery, "\(text)")
      }
    }
  }

  @Test("the specification has the table of fields, and every fixture breaks the rule")
  func specification() throws {
    let page = String(decoding: try Files.read(Repository.path("Spec/finding.md")), as: UTF8.self)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    for field in QueryField.all {
      let row = rows.first {
        $0.hasPrefix("| `\(field.name)` |") && $0.hasSuffix(" \(field.summary) |")
      }
      #expect(row != nil, "\(field.name): \(field.summary)")
      // Every example can be read.
      #expect(throws: Never.self) { try IndexQuery(field.example) }
    }
    let fixture = try Files.read(Repository.path("Fixtures/rules/index/query.txt"))
    let query = String(decoding: fixture, as: UTF8.self)
    #expect { try shape(query) } throws: { ($0 as? Diagnostic)?.rule == .indexQuery }
  }
}
