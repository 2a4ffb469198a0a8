internal import ParticlesCore

/// A web page that shows one effect and works without a network. Texts are escaped.
package struct PreviewPage: Sendable {
  /// The title of the page.
  package var title: String
  /// The effect.
  package var card: PreviewCard

  /// Creates a page.
  package init(title: String, card: PreviewCard) {
    self.title = title
    self.card = card
  }

  /// Writes the page in UTF-8, piece by piece.
  /// - Parameter sink: receives the next bytes.
  /// - Throws: errors of `sink`.
  package func write(to sink: (_ bytes: [UInt8]) throws -> Void) throws {
    let plays = if case .frames = card.media { true } else { false }
    let frame = WebPage(
      title: title, style: WebPage.base + Self.style, script: plays ? Self.player : nil
    )
    func put(_ text: String) throws { try sink(Array(text.utf8)) }
    try put(frame.head)
    try put("<header><h1>\(title.escapingHTML)</h1></header>\n<main>\n")
    try write(put)
    try put("</main>\n")
    try put(frame.tail)
  }

  private func write(_ put: (String) throws -> Void) throws {
    try put("<article class=\"card\">\n<figure>\n")
    switch card.media {
    case .picture: try put("<div class=\"stage\">\(card.picture)</div>\n")
    case .frames(let frames): try write(frames, of: card, put)
    case nil: try put("<div class=\"stage empty\">no picture</div>\n")
    }
    if let caption = card.caption {
      try put("<figcaption>\(caption.escapingHTML)</figcaption>\n")
    }
    try put("</figure>\n")
    let format = card.format.map { " <span class=\"format\">\($0.escapingHTML)</span>" } ?? ""
    let heading = (card.name == title ? "" : card.name.escapingHTML) + format
    let facts =
      (heading.isEmpty ? "" : "<h2>\(heading)</h2>\n") + card.problemList
      + (card.parameters.isEmpty
        ? ""
        : "<details open><summary>Parameters</summary>\n\(card.parameterTable)</details>\n")
    if !facts.isEmpty { try put("<div class=\"facts\">\n\(facts)</div>\n") }
    try put("</article>\n")
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
