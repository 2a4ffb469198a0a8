import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Search in text")
struct StringSearchTests {
  @Test(
    "a text is found where it begins and ends between characters",
    arguments: [
      ("a-b-c", "-", 1), ("a-b-c", "b-c", 2), ("aab", "ab", 1), ("é", "é", 0), ("ab", "abc", nil),
      ("", "a", nil), ("e\u{301}", "e", nil), ("\u{1F469}\u{200D}\u{1F680}", "\u{1F680}", nil),
    ] as [(String, String, Int?)])
  func places(text: String, part: String, place: Int?) {
    let range = text.firstRange(of: part)
    #expect(range.map { text[..<$0.lowerBound].utf8.count } == place)
    #expect(range.map { String(text[$0]) } == (place == nil ? nil : part))
    #expect(text.contains(part) == (place != nil))
  }

  @Test("every text contains the empty one")
  func empty() {
    #expect("".contains("") && "a".contains(""))
    #expect("".firstRange(of: "") == nil)
  }

  @Test("each place is replaced once")
  func replacing() {
    #expect("a-b-".replacing("-", with: "--") == "a--b--")
    #expect("aaa".replacing("aa", with: "b") == "ba")
    #expect("abc".replacing("x", with: "y") == "abc")
  }
}
