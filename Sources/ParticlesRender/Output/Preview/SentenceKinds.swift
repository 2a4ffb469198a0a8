/// The different sentences about the items on a page, each stated once.
struct SentenceKinds {
  private var indices: [String: Int] = [:]
  private var kinds: [(sentence: String, count: Int)] = []
  private let plural: String

  /// - Parameters:
  ///   - sentences: those of each item; equal ones of an item count once.
  ///   - plural: what they are called.
  init(_ sentences: [[String]], plural: String) {
    self.plural = plural
    for sentence in sentences.lazy.flatMap({ Set($0).sorted() }) {
      if let index = indices[sentence] {
        kinds[index].count += 1
      } else {
        indices[sentence] = kinds.count
        kinds.append((sentence, 1))
      }
    }
  }

  /// The numbers of sentences, separated by spaces.
  func indices(of sentences: [String]) -> String {
    sentences.compactMap { indices[$0] }.map { "\($0)" }.joined(separator: " ")
  }

  /// A list that opens, with a button for each kind, the most frequent first; empty without any.
  var list: String {
    guard !kinds.isEmpty else { return "" }
    let items = kinds.enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map { index, kind in
        "<li><button type=\"button\" value=\"\(index)\" aria-pressed=\"false\">\(kind.count) × "
          + "\(kind.sentence.escapingHTML)</button></li>\n"
      }
    return """
      <details class="kinds"><summary>\(kinds.count) different \(plural); choose one to see where</summary><ul>
      \(items.joined())</ul></details>

      """
  }
}
