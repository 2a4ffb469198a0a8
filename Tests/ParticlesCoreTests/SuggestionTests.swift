import ParticlesCore
import Testing

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "axc", 1),
    ("kitten", "sitting", 3), ("ABC", "abc", 0),
  ])
  func distance(a: String, b: String, distance: Int) {
    #expect(Suggestion.distance(a, b) == distance)
    #expect(Suggestion.distance(b, a) == distance)
  }

  @Test(arguments: [
    ("valdiate", "validate"), ("val", "validate"), ("lsit", "list"), ("inof", "info"),
    ("zzz", nil), ("", nil), ("-", nil), ("in", nil),
  ])
  func nearest(word: String, guess: String?) {
    let commands = ["new", "info", "inspect", "list", "extract", "validate"]
    #expect(Suggestion.nearest(to: word, among: commands) == guess)
  }
}
