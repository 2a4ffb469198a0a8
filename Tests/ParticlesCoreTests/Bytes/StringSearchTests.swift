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

  @Test("bytes are searched at each place")
  func bytes() {
    let bytes = Array("xaabcé".utf8)
    for part in ["", "x", "a", "aa", "ab", "abc", "bcé", "é", "xaabcé"] {
      #expect(bytes.contains(part), "\(part)")
    }
    for part in ["aaa", "ac", "éx", "xaabcéx", "b\u{301}"] {
      #expect(!bytes.contains(part), "\(part)")
    }
    #expect([UInt8]().contains("") && ![UInt8]().contains("a"))
  }

  @Test(
    "a text begins after a byte order mark and white space",
    arguments: ["", "\u{FEFF}", " \n\t", "\u{FEFF}\r\n "])
  func beginning(space: String) {
    for text in ["<a>", "{", "<"] {
      #expect(Array((space + text + "…").utf8).beginsWithText(text))
    }
    #expect(!Array((space + "x<a>").utf8).beginsWithText("<a>"))
    #expect(!Array(space.utf8).beginsWithText("<a>"))
  }

  @Test("a number that is a float gets the text of the float, and no other number changes")
  func tidy() {
    for value in [0.1, -0.3, 1.0 / 3, 12_345.678, 1e20, 0] {
      let float = Double(Float(value))
      #expect(float.tidy == Double(Float(value).description))
      #expect(Float(float.tidy) == Float(value))
    }
    #expect(Double(Float(0.1)).tidy == 0.1)
    for value in [0.1, 1.0 / 3, 0.123_456_789_012_34, -987_654_321.123_45, 1e-7 / 3] {
      #expect(value.tidy == value)
    }
    #expect(1e-31.tidy == 0)
  }
}
