internal import ParticlesCore

/// A web page with a grid of many effects, which works without a network: the pictures fill their tiles,
/// and the page searches, filters and sorts. Texts are escaped.
package struct CatalogPage: Sendable {
  /// The title of the page.
  package var title: String
  /// A line below the title, such as a count or a folder; nil by default.
  package var subtitle: String?
  /// The effects, in order.
  package private(set) var cards: [PreviewCard]
  /// Plays the effects on which the pointer rests; nil, the default, for pictures only.
  package var player: Player?
  /// The images of the effects that are played, each once.
  private var images: [[UInt8]] = []
  private var numbers: [ContentDigest: Int] = [:]

  /// The player of effects.
  package struct Player: Sendable {
    package let script: PackedScript
    let module: [UInt8]

    /// - Parameters:
    ///   - script: a module that plays what is in the page.
    ///   - module: the simulation as WebAssembly, as it is or as a gzip stream.
    package init(script: PackedScript, module: [UInt8]) {
      (self.script, self.module) = (script, module)
    }
  }

  /// Creates a page.
  package init(title: String, subtitle: String? = nil, cards: [PreviewCard]) {
    self.title = title
    self.subtitle = subtitle
    self.cards = cards
  }

  /// Adds an effect.
  /// - Parameter images: those that the played effect of the card has, by their paths.
  package mutating func add(_ card: PreviewCard, images: [(path: String, bytes: [UInt8])] = []) {
    var card = card
    for (path, bytes) in images {
      let digest = SHA256.digest(bytes)
      let number = numbers[digest] ?? self.images.count
      if number == self.images.count {
        numbers[digest] = number
        self.images.append(bytes)
      }
      card.played?.images.append((path, number))
    }
    cards.append(card)
  }

  /// Writes the page in UTF-8, piece by piece.
  /// - Parameter sink: receives the next bytes.
  /// - Throws: errors of `sink`.
  package func write(to sink: (_ bytes: [UInt8]) throws -> Void) throws {
    let kinds = SentenceKinds(cards.map(\.messages), plural: "problems")
    let hint =
      player == nil ? nil : "An effect plays while the pointer rests on it, or it has the focus."
    var page = ItemPage(
      title: title, subtitles: [subtitle, hint].compactMap { $0 },
      style: Self.style + (player == nil ? "" : Self.playerStyle),
      searched: "names and paths",
      filter: (
        "Format", "formats", ItemPage.counts(of: cards.map { $0.format ?? Self.unread }.sorted())
      ),
      orders: [
        ("name", "By name"), ("size", "Largest files first"),
        ("particles", "Most particles first"), ("problems", "Most differences first"),
      ], kinds: kinds)
    if let player { page.player = (player.script, data(of: player)) }
    try page.write(cards.lazy.map { tile(of: $0, kinds) }, to: sink)
  }

  /// The module and the images in elements that only the script reads.
  private func data(of player: Player) -> some Sequence<String> {
    (-1..<images.count).lazy.map { number in
      number < 0
        ? Self.element("module-data", "application/wasm", player.module.base85)
        : Self.element("image-\(number)", "application/octet-stream", images[number].base64)
    }
  }

  private static func element(_ name: String, _ type: String, _ text: String) -> String {
    "<script type=\"\(type)\" id=\"\(name)\">\(text)</script>\n"
  }

  /// The filter for files that cannot be read.
  private static let unread = "Cannot be read"

  private func tile(of card: PreviewCard, _ kinds: SentenceKinds) -> String {
    let name = card.name.escapingHTML
    let path = (card.caption ?? card.name).escapingHTML
    let text = "\(card.name) \(card.caption ?? "") \(card.format ?? "")".lowercased().escapingHTML
    let picture =
      card.media == nil
      ? "<div class=\"stage empty\">no picture</div>" : "<div class=\"stage\">\(card.picture)</div>"
    let facts =
      card.parameters.isEmpty
      ? ""
      : """
      <details name="facts"><summary>\(card.particles) particles</summary><div class="sheet">
      <h2>\(name)</h2><p>\(path)</p>
      \(card.parameterTable)</div></details>
      """
    let count = card.problems.count
    let problems =
      count == 0
      ? ""
      : """
      <details name="facts" class="warn"><summary aria-label="\(count) problems" \
      title="\(count) \(count == 1 ? "problem" : "problems")">\(count) ⚠</summary>\
      <div class="sheet">
      <h2>\(name)</h2><p>\(path)</p>
      \(card.problemList)</div></details>
      """
    return """
      <article class="tile" data-text="\(text)" data-name="\(card.name.lowercased().escapingHTML)" \
      data-filter="\((card.format ?? Self.unread).escapingHTML)" data-size="\(card.bytes)" \
      data-particles="\(card.particles)" data-problems="\(count)" \
      data-kinds="\(kinds.indices(of: card.messages))"\(card.played?.attributes ?? "")>\(picture)
      <h3 title="\(name) · \(path)"><span>\(name)</span></h3>
      <div class="meta">\(facts)\(problems)</div></article>

      """
  }
}

extension CatalogPage {
  /// Rules that are added to the style sheet of all pages: square tiles of 128 points and more, and sheets for what opens.
  static let style = """
    .items { display: grid; gap: 6px; grid-template-columns: repeat(auto-fill, minmax(128px, 1fr)) }
    .tile { min-width: 0; background: var(--card); border-radius: 6px }
    .tile .stage { aspect-ratio: 1; border-radius: 6px 6px 0 0; overflow: hidden; content-visibility: auto }
    .stage img { display: block; width: 100%; height: 100%; object-fit: cover }
    h3 { position: relative; height: 1.5em; margin: 0; font-size: 12px; font-weight: 500 }
    h3 span { display: block; padding: 0 5px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
    .tile:hover h3 span, .tile:focus-within h3 span { position: absolute; z-index: 1; bottom: 0; width: 100%;
      white-space: normal; overflow-wrap: anywhere; background: var(--card) }
    .meta { display: flex; justify-content: space-between; min-height: 1.6em; padding: 0 5px 2px; font-size: 11px }
    .meta summary { list-style: none; white-space: nowrap }
    .meta summary::-webkit-details-marker { display: none }
    .warn summary { color: var(--warn) }
    .sheet { position: fixed; z-index: 2; right: 1rem; bottom: 1rem; width: min(28rem, calc(100vw - 2rem));
      max-height: 70vh; overflow: auto; padding: 1rem; background: var(--card); border: 1px solid var(--line);
      border-radius: 10px; box-shadow: 0 8px 30px #0005; font-size: 14px }
    .sheet p { margin: 0; color: var(--soft); overflow-wrap: anywhere }

    """

  /// Rules for the element that plays: it covers the picture.
  static let playerStyle = """
    .tile .stage { position: relative }
    .stage particles-effect { position: absolute; inset: 0; width: 100%; height: 100% }

    """
}

extension PreviewCard {
  /// The problems without their places.
  fileprivate var messages: [String] { problems.map(\.message) }
}
