internal import ParticlesCore

/// A key of a file, as it is spelled there and as it is meant.
///
/// Files are written by hand, too: `finishCOlorVarianceAlpha`, `- rotationEnd` and
/// `tangentialAccelVariation` are found in published ones. So keys are the same if they are but for
/// case, leading punctuation and that ending.
struct CocosKey: Hashable, Sendable {
  /// As it stands in the file.
  let spelling: String

  private let meaning: String

  /// Creates a key.
  init(_ spelling: String) {
    self.spelling = spelling
    // A key that is a comment is itself only.
    guard !spelling.hasPrefix("//") else {
      meaning = spelling
      return
    }
    var letters = spelling.unicodeScalars.drop { !$0.properties.isAlphabetic }
    while letters.last?.properties.isWhitespace == true { letters.removeLast() }
    let name = String(letters).lowercased()
    let ending = "variation"
    meaning =
      name.isEmpty
      ? spelling : name.hasSuffix(ending) ? name.dropLast(ending.count) + "variance" : name
  }

  /// Creates a key that means nothing, whatever it looks like.
  init(unrelated spelling: String) {
    self.spelling = spelling
    meaning = "//" + spelling
  }

  /// Whether it is there for people only.
  var isComment: Bool { spelling.hasPrefix("//") }

  static func == (a: CocosKey, b: CocosKey) -> Bool { a.meaning == b.meaning }

  func hash(into hasher: inout Hasher) { hasher.combine(meaning) }
}
