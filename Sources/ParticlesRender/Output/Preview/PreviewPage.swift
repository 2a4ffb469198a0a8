internal import ParticlesCore

/// A web page of effects that works without a network: pictures, styles and scripts are in the file.
///
/// One card fills the page; more are a catalogue. Texts are escaped, and the page permits no scripts but
/// its own and no connections. It follows the light or dark appearance of the system.
public struct PreviewPage: Sendable {
  /// The title of the page.
  public var title: String
  /// A line below the title, such as a count or a folder; nil by default.
  public var subtitle: String?
  /// The cards, in order.
  public var cards: [PreviewCard]

  /// Creates a page.
  public init(title: String, subtitle: String? = nil, cards: [PreviewCard]) {
    self.title = title
    self.subtitle = subtitle
    self.cards = cards
  }

  /// Writes the page in UTF-8, piece by piece.
  /// - Parameter sink: receives the next bytes.
  /// - Throws: errors of `sink`.
  public func write(to sink: (_ bytes: [UInt8]) throws -> Void) throws {
    func put(_ text: String) throws { try sink(Array(text.utf8)) }
    let isSingle = cards.count == 1
    let plays = cards.contains { if case .frames = $0.media { true } else { false } }
    try put(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
      style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <meta name="generator" content="particles">
      <title>\(title.escapingHTML)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <header><h1>\(title.escapingHTML)</h1>\(subtitle.map { "<p>\($0.escapingHTML)</p>" } ?? "")\
      </header>
      <main class="\(isSingle ? "single" : "catalogue")">

      """)
    for card in cards { try write(card, isSingle: isSingle, put) }
    try put("</main>\n")
    if plays { try put("<script>\n\(Self.player)\n</script>\n") }
    try put("</body>\n</html>\n")
  }

  private func write(
    _ card: PreviewCard, isSingle: Bool, _ put: (String) throws -> Void
  ) throws {
    try put("<article class=\"card\">\n<figure>\n")
    switch card.media {
    case .picture(let bytes, let mimeType, let width, let height):
      try put(
        """
        <div class="stage"><img loading="lazy" alt="\(card.name.escapingHTML)" width="\(width)" \
        height="\(height)" src="data:\(mimeType.escapingHTML);base64,
        """)
      try put(bytes.base64)
      try put("\"></div>\n")
    case .frames(let frames): try write(frames, of: card, put)
    case nil: try put("<div class=\"stage empty\">no picture</div>\n")
    }
    if let caption = card.caption {
      try put("<figcaption>\(caption.escapingHTML)</figcaption>\n")
    }
    try put("</figure>\n")
    let facts = Self.facts(
      of: card, heading: isSingle && card.name == title ? "" : card.name, isSingle)
    if !facts.isEmpty { try put("<div class=\"facts\">\n\(facts)</div>\n") }
    try put("</article>\n")
  }

  /// Returns heading, problems and parameters of a card.
  private static func facts(of card: PreviewCard, heading: String, _ isOpen: Bool) -> String {
    var text = ""
    let format = card.format.map { " <span class=\"format\">\($0.escapingHTML)</span>" } ?? ""
    if !(heading + format).isEmpty { text += "<h2>\(heading.escapingHTML)\(format)</h2>\n" }
    if !card.problems.isEmpty {
      let items = card.problems.map { "<li>\($0.escapingHTML)</li>\n" }.joined()
      text += "<ul class=\"problems\">\n\(items)</ul>\n"
    }
    if !card.parameters.isEmpty {
      let rows = card.parameters.map {
        "<tr><th scope=\"row\">\($0.name.escapingHTML)</th><td>\($0.value.escapingHTML)</td></tr>\n"
      }
      text += """
        <details\(isOpen ? " open" : "")><summary>Parameters</summary>
        <table>
        \(rows.joined())</table>
        </details>

        """
    }
    return text
  }

  /// Writes a picture that is played by the script, and the buttons for it.
  private func write(
    _ frames: PreviewFrames, of card: PreviewCard, _ put: (String) throws -> Void
  ) throws {
    let last = max(0, frames.pictures.count - 1)
    try put(
      """
      <div class="player">
      <div class="stage"><canvas role="img" aria-label="\(card.name.escapingHTML)" \
      width="\(frames.width)" height="\(frames.height)"></canvas></div>
      <noscript><p>Scripts are needed to play the effect.</p></noscript>
      <div class="controls">
      <button type="button" class="play" aria-label="Pause">❚❚</button>
      <input type="range" min="0" max="\(last)" value="0" step="1" aria-label="Frame">
      <output>1 / \(last + 1)</output>
      <select aria-label="Speed">
      <option value="0.1">0.1×</option><option value="0.25">0.25×</option>
      <option value="0.5">0.5×</option><option value="1" selected>1×</option>
      <option value="2">2×</option>
      </select>
      <button type="button" class="back" aria-label="Background">◐</button>
      </div>
      <script type="application/json">{"type":"\(frames.mimeType)","plays":\(frames.plays),\
      "durations":[\(frames.durations.map { "\($0.rounded)" }.joined(separator: ","))],"pictures":[

      """)
    for (index, picture) in frames.pictures.enumerated() {
      try put("\"\(picture)\"\(index < last ? "," : "")\n")
    }
    try put("]}</script>\n</div>\n")
  }
}

extension String {
  /// This text for the content of an element or the value of an attribute in HTML.
  fileprivate var escapingHTML: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text += scalar.isControl ? "\u{FFFD}" : String(scalar)
      }
    }
    return text
  }
}
