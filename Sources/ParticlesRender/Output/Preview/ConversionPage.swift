package import ParticlesCore

/// A web page about the conversion of many effects, which works without a network: the effects that differ
/// most first, each with its moving picture before and after, and the sentences of its loss report. Texts
/// are escaped.
package struct ConversionPage: Sendable {
  /// A converted effect.
  package struct Row: Sendable {
    /// The path of the document.
    package var input: String
    /// The path of the result.
    package var output: String
    /// How much it differs, in words, such as "difference 0.12" or "high (estimated)".
    package var score: String
    /// The level of the difference, for the filter.
    package var level: String
    /// A number to sort by: greater means more different.
    package var rank: Double
    /// The sentences, the worst first.
    package var sentences: [String] = []
    /// The sentences without the values of this effect, for the list of all sentences.
    package var kinds: [String] = []
    /// A moving picture, before on the left and after on the right. Nil if there is none.
    package var picture: PreviewCard.Media?
    /// Why there is no picture, or another remark. Nil if there is none.
    package var remark: String?

    /// Creates a row without sentences and picture.
    package init(input: String, output: String, score: String, level: String, rank: Double) {
      self.input = input
      self.output = output
      self.score = score
      self.level = level
      self.rank = rank
    }
  }

  package var title: String
  /// Lines below the title: the conversions, and which effects have pictures.
  package var subtitles: [String] = []
  /// Documents that were not converted, with the reason.
  package var failures: [String] = []
  /// The effects, in the order of the page.
  package var rows: [Row]

  package init(title: String, rows: [Row]) {
    self.title = title
    self.rows = rows
  }

  /// Writes the page in UTF-8, piece by piece.
  /// - Parameter sink: receives the next bytes.
  /// - Throws: errors of `sink`.
  package func write(to sink: (_ bytes: [UInt8]) throws(Failure) -> Void) throws(Failure) {
    let kinds = SentenceKinds(rows.map { $0.kinds }, plural: "losses")
    let page = ItemPage(
      title: title, subtitles: subtitles, introduction: failureList, style: Self.style,
      searched: "names and sentences",
      filter: ("Level", "levels", ItemPage.counts(of: rows.map { $0.level })),
      orders: [
        ("difference", "Most different first"), ("name", "By name"),
        ("problems", "Most losses first"),
      ], kinds: kinds)
    try page.write(rows.lazy.map { article(of: $0, kinds.indices(of: $0.kinds)) }, to: sink)
  }

  private var failureList: String {
    guard !failures.isEmpty else { return "" }
    let items = failures.map { "<li>\($0.escapingHTML)</li>\n" }.joined()
    let isOpen = failures.count <= 10 ? " open" : ""
    return """
      <details\(isOpen)><summary>\(failures.count) not converted</summary>
      <ul class="problems">
      \(items)</ul></details>

      """
  }

  private func article(of row: Row, _ kinds: String) -> String {
    let text = ([row.input, row.output] + row.sentences).joined(separator: " ").lowercased()
    let card = PreviewCard(name: "\(row.input) before and after", media: row.picture)
    let picture =
      row.picture == nil
      ? ""
      : "<div class=\"stage\">\(card.picture)</div><p class=\"sides\"><span>before</span><span>after</span></p>"
    let sentences = Self.list(row.sentences.prefix(Self.mostShown))
    let rest = row.sentences.dropFirst(Self.mostShown)
    let more =
      rest.isEmpty
      ? "" : "<details><summary>\(rest.count) more</summary>\(Self.list(rest))</details>"
    let remark = row.remark.map { "<p>\($0.escapingHTML)</p>\n" } ?? ""
    return """
      <article class="row" data-text="\(text.escapingHTML)" data-name="\(row.input.lowercased().escapingHTML)" \
      data-filter="\(row.level.escapingHTML)" data-difference="\(row.rank)" \
      data-problems="\(row.sentences.count)" data-kinds="\(kinds)"><div class="pair">\(picture)</div>
      <div class="text"><h2>\(row.input.escapingHTML)</h2>
      <p>\(row.score.escapingHTML) <span>becomes \(row.output.escapingHTML)</span></p>
      \(remark)\(sentences.isEmpty ? "<p>Nothing is lost.</p>" : sentences + more)</div></article>

      """
  }
}

extension ConversionPage {
  /// The most sentences of an effect that are shown at once. More are shown on request.
  private static let mostShown = 8

  private static func list(_ sentences: some Collection<String>) -> String {
    guard !sentences.isEmpty else { return "" }
    return "<ul>\n\(sentences.map { "<li>\($0.escapingHTML)</li>\n" }.joined())</ul>"
  }

  /// Rules that are added to the style sheet of all pages.
  static let style = """
    .row { display: flex; flex-wrap: wrap; gap: 1rem; margin: .6rem 0; padding: .6rem; background: var(--card);
      border-radius: 8px; content-visibility: auto; contain-intrinsic-size: auto 200px }
    .pair { flex: 0 0 322px; max-width: 100% }
    .pair:empty { flex-basis: 0 }
    .stage img { display: block; width: 100%; height: auto }
    .sides { display: flex; margin: 0; color: var(--soft); font-size: .8rem }
    .sides span { flex: 1; text-align: center }
    .text { flex: 1 1 20rem; min-width: 0 }
    .text p { margin: 0 }
    .text p span, .text ul { color: var(--soft); font-size: .88rem; overflow-wrap: anywhere }
    .text ul { margin: .3rem 0 0; padding-left: 1.2rem }
    """
}

/// The different sentences about the items on a page, each stated once.
struct SentenceKinds {
  private var indices: [String: Int] = [:]
  private var kinds: [(sentence: String, count: Int)] = []
  private let plural: String

  /// - Parameters:
  ///   - sentences: for each item. Equal sentences of an item count once.
  ///   - plural: the word for several sentences, for example "losses".
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

  /// A list that opens, with a button for each kind, the most frequent first. Empty if there are no kinds.
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
