package import ParticlesCore
internal import ParticlesModel

/// A web page with a grid of many effects, which works without a network: the pictures fill their tiles,
/// and the page searches, filters and sorts. Texts are escaped.
package struct CatalogPage: Sendable {
  package var title: String
  /// A line below the title, such as a count or a folder. Nil by default.
  package var subtitle: String?
  /// The effects, in order.
  package private(set) var cards: [PreviewCard]
  /// Plays the effects on which the pointer rests. With nil, the default, the page has pictures only.
  package var player: Player?
  /// The images of the effects that are played, each once.
  private var images: [[UInt8]] = []
  private var numbers: [ContentDigest: Int] = [:]

  /// The player of effects.
  package struct Player: Sendable {
    package let script: PackedScript
    let module: [UInt8]

    /// - Parameters:
    ///   - script: a module that plays the effects in the page.
    ///   - module: the simulation as WebAssembly, as it is or as a gzip stream.
    package init(script: PackedScript, module: [UInt8]) {
      (self.script, self.module) = (script, module)
    }
  }

  package init(title: String, subtitle: String? = nil, cards: [PreviewCard]) {
    self.title = title
    self.subtitle = subtitle
    self.cards = cards
  }

  /// Adds an effect.
  /// - Parameter images: the images of the card's played effect, by their paths.
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
  package func write(to sink: (_ bytes: [UInt8]) throws(Failure) -> Void) throws(Failure) {
    let kinds = SentenceKinds(cards.map { $0.messages }, plural: "problems")
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
    page.player = player?.script
    try page.write(cards.lazy.map { tile(of: $0, kinds) }, data: data, to: sink)
  }

  /// The module and the images in elements that only the script reads.
  private var data: some Sequence<String> {
    (player == nil ? 0..<0 : -1..<images.count).lazy.map { number in
      number < 0
        ? Self.element("module-data", "application/wasm", player?.module.base85 ?? "")
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
  fileprivate var messages: [String] { problems.map { $0.message } }
}

/// A picture on a web page with its name, format, parameters and problems. It is a part of a ``PreviewPage``.
package struct PreviewCard: Sendable {
  /// A picture as it is embedded.
  package enum Media: Sendable {
    /// A file that browsers show by themselves.
    case picture(bytes: [UInt8], mimeType: String, width: Int, height: Int)
    /// A picture for each frame, which the page plays, with a button, a slider and a choice of speeds.
    case frames(PreviewFrames)
  }

  /// A name and a value in the table of parameters.
  package struct Parameter: Sendable, Hashable {
    package var name: String
    /// The value with its unit.
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A problem, and where it is.
  package struct Problem: Sendable, Hashable {
    package var message: String
    /// The keys or other places with this problem, without duplicates. May be empty.
    package var places: [String]

    package init(_ message: String, places: [String] = []) {
      self.message = message
      self.places = places
    }
  }

  /// The heading, such as the name of a file.
  package var name: String
  /// The format of the file, shown beside the name.
  package var format: String?
  /// A sentence below the picture.
  package var caption: String?
  /// The picture, or nil to show a message in its place.
  package var media: Media?
  package var parameters: [Parameter] = []
  /// Problems. Each message is stated once, see ``add(problem:at:)``.
  package var problems: [Problem] = []
  /// The size of the file in bytes, or 0 if it is not known, as for a folder.
  package var bytes = 0
  /// An upper bound of the number of particles alive at once.
  package var particles = 0
  /// The effect, for a page that plays it. With nil, the default, there is a picture only.
  package var played: PlayedEffect?

  /// Creates a card without picture, parameters and problems.
  package init(name: String, format: String? = nil, caption: String? = nil, media: Media? = nil) {
    self.name = name
    self.format = format
    self.caption = caption
    self.media = media
  }
}

extension PreviewCard {
  /// Adds a problem. If its message exists already, only the place is added.
  package mutating func add(problem message: String, at place: String? = nil) {
    let place = place.map { [$0] } ?? []
    if let index = problems.firstIndex(where: { $0.message == message }) {
      problems[index].places += place.filter { !problems[index].places.contains($0) }
    } else {
      problems.append(Problem(message, places: place))
    }
  }

  /// The picture as an element. Empty if there is none, and for frames, which a script plays.
  var picture: String {
    guard case .picture(let bytes, let mimeType, let width, let height) = media else { return "" }
    return """
      <img loading="lazy" decoding="async" alt="\(name.escapingHTML)" width="\(width)" \
      height="\(height)" src="data:\(mimeType.escapingHTML);base64,\(bytes.base64)">
      """
  }

  /// The problems as a list. Empty if there are none.
  var problemList: String {
    guard !problems.isEmpty else { return "" }
    let items = problems.map { problem in
      let shown = problem.places.prefix(3).joined(separator: ", ")
      let more = problem.places.count > 3 ? " and \(problem.places.count - 3) more" : ""
      let places = shown.isEmpty ? "" : " <span>(\((shown + more).escapingHTML))</span>"
      return "<li>\(problem.message.escapingHTML)\(places)</li>\n"
    }
    return "<ul class=\"problems\">\n\(items.joined())</ul>\n"
  }

  var parameterTable: String {
    let rows = parameters.map {
      "<tr><th scope=\"row\">\($0.name.escapingHTML)</th><td>\($0.value.escapingHTML)</td></tr>\n"
    }
    return "<table>\n\(rows.joined())</table>\n"
  }

  /// An effect as a page has it in it.
  package struct PlayedEffect: Sendable {
    /// The document as a gzip stream.
    package var document: [UInt8]
    /// The moment of the picture, in seconds.
    package var start: Double
    /// The camera of the picture, as in a document.
    package var camera: JSONValue
    /// The background of the picture, as a colour of CSS.
    package var background: String
    /// The paths of its images with the numbers that they have in the page.
    var images: [(path: String, number: Int)] = []

    /// Creates an effect without images.
    package init(document: [UInt8], start: Double, camera: JSONValue, background: String) {
      (self.document, self.start) = (document, start)
      (self.camera, self.background) = (camera, background)
    }

    /// The data as attributes of an element.
    var attributes: String {
      let view: JSONValue = [
        "start": .finite(start), "camera": camera, "background": .string(background),
        "images": .array(images.map { .array([.string($0.path), .int($0.number)]) }),
      ]
      return " data-view=\"\(view.line.escapingHTML)\" data-effect=\"\(document.base64)\""
    }
  }
}

/// Compressed frames with their durations, for a page that plays them.
package struct PreviewFrames: Sendable {
  /// The width of every frame in pixels.
  package let width: Int
  /// The height of every frame in pixels.
  package let height: Int
  /// How often they are played, with 0 for ever.
  package var plays: Int
  let mimeType: String
  /// Each frame in base64.
  var pictures: [String] = []
  /// Milliseconds of each frame.
  var durations: [Double]
}
