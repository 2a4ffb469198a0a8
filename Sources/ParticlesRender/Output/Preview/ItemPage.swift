internal import ParticlesCore

/// A web page with a list of items that can be searched, filtered and sorted.
///
/// Each item is an element with the data `text` for the search, `filter`, `kinds`, and one for each order; see
/// ``WebPage/listScript``.
struct ItemPage {
  /// The title of the page.
  var title: String
  /// Lines below the title.
  var subtitles: [String]
  /// Elements below these lines.
  var introduction = ""
  /// Rules that are added to the style sheet of all pages.
  var style: String
  /// The text that the search looks through.
  var searched: String
  /// The name of what is filtered by, and its values with the numbers of items.
  var filter: (name: String, plural: String, values: [(value: String, count: Int)])
  /// The keys of the orders with their names, the first one for the order of the page.
  var orders: [(key: String, name: String)]
  /// The sentences about the items.
  var kinds: SentenceKinds
  /// The script of the player of effects, and elements with its data; nil for a page without it.
  var player: (script: PackedScript, data: any Sequence<String>)?

  /// The values in the order of their first items, and how often they occur.
  static func counts(of values: some Sequence<String>) -> [(value: String, count: Int)] {
    var indices: [String: Int] = [:]
    return values.reduce(into: []) { counts, value in
      if let index = indices[value] {
        counts[index].count += 1
      } else {
        indices[value] = counts.count
        counts.append((value, 1))
      }
    }
  }

  /// Writes the page in UTF-8, piece by piece.
  /// - Parameters:
  ///   - items: the elements.
  ///   - sink: receives the next bytes.
  func write(_ items: some Sequence<String>, to sink: (_ bytes: [UInt8]) throws -> Void) throws {
    let frame = WebPage(
      title: title, style: WebPage.base + style, script: WebPage.listScript,
      player: player?.script)
    func put(_ text: String) throws { try sink(Array(text.utf8)) }
    try put(frame.head)
    try put("<header><h1>\(title.escapingHTML)</h1>\n")
    for line in subtitles { try put("<p>\(line.escapingHTML)</p>\n") }
    try put(introduction + tools + kinds.list + "</header>\n<main class=\"items\">\n")
    for item in items { try put(item) }
    try put("</main>\n")
    if let player { for element in player.data { try put(element) } }
    try put(frame.tail)
  }

  private var tools: String {
    let choices = filter.values.map { value, count in
      let text = value.escapingHTML
      return "<option value=\"\(text)\">\(text) (\(count))</option>\n"
    }
    let orders = orders.map { "<option value=\"\($0.key)\">\($0.name)</option>\n" }
    return """
      <div class="tools" hidden>
      <input type="search" name="search" placeholder="Search \(searched)" aria-label="Search">
      <select name="filter" aria-label="\(filter.name)">
      <option value="">All \(filter.plural)</option>
      \(choices.joined())</select>
      <select name="sort" aria-label="Order">
      \(orders.joined())</select>
      <output></output>
      </div>

      """
  }
}
