import ParticlesCore
import Testing

@Suite struct TextEditsTests {
  private func edited(_ text: String, _ change: (inout TextEdits) -> Void) -> String {
    var edits = TextEdits(Array(text.utf8))
    change(&edits)
    return String(decoding: edits.bytes, as: UTF8.self)
  }

  @Test func editsAreAppliedInTheOrderOfTheText() {
    #expect(edited("") { _ in } == "")
    #expect(edited("abc") { _ in } == "abc")
    #expect(edited("") { $0.insert("x".utf8, at: 0) } == "x")
    let text = edited("0123456789") {
      $0.replace(8..<10, with: "end".utf8)
      $0.replace(2..<4, with: [])
      $0.insert("b".utf8, at: 4)
      $0.replace(0..<1, with: "z".utf8)
    }
    #expect(text == "z1b4567end")
  }

  @Test func insertionsAtOneOffsetKeepTheirOrder() {
    let text = edited("abcd") {
      $0.replace(2..<3, with: [])
      $0.insert("1".utf8, at: 2)
      $0.insert("2".utf8, at: 2)
    }
    #expect(text == "ab12d")
  }

  @Test(arguments: [
    ("a\n\n  b", "\n  "), ("a\r\n\tb", "\r\n\t"), ("a\r\r b", "\r "), ("a \t b", " \t "),
    ("ab", ""),
    ("a  \r\nb", "\r\n"),
  ])
  func gaps(text: String, gap: String) {
    let edits = TextEdits(Array(text.utf8))
    #expect(edits.source[edits.gap(before: edits.source.count - 1)] == ArraySlice(gap.utf8))
    #expect(edits.afterSpace(1) == edits.source.count - 1)
  }

  @Test func gapsAtTheBeginning() {
    let edits = TextEdits(Array(" \n x  ".utf8))
    #expect(edits.gap(before: 3) == 1..<3)
    #expect(edits.gap(before: 1) == 0..<1)
    #expect(edits.afterSpace(4) == 6)
  }
}
