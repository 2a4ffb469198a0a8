package import ParticlesCore
internal import ParticlesImages

/// A web page that shows one effect and works without a network. Texts are escaped.
package struct PreviewPage: Sendable {
  package var title: String
  package var card: PreviewCard

  package init(title: String, card: PreviewCard) {
    self.title = title
    self.card = card
  }

  /// Writes the page in UTF-8, piece by piece.
  /// - Parameter sink: receives the next bytes.
  /// - Throws: errors of `sink`.
  package func write(to sink: (_ bytes: [UInt8]) throws(Failure) -> Void) throws(Failure) {
    let plays = if case .frames = card.media { true } else { false }
    let frame = WebPage(
      title: title, style: WebPage.base + Self.style, script: plays ? Self.player : nil
    )
    func put(_ text: String) throws(Failure) { try sink(Array(text.utf8)) }
    try put(frame.head)
    try put("<header><h1>\(title.escapingHTML)</h1></header>\n<main>\n")
    try write(put)
    try put("</main>\n")
    try put(frame.tail)
  }

  private func write(_ put: (String) throws(Failure) -> Void) throws(Failure) {
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
    _ frames: PreviewFrames, of card: PreviewCard,
    _ put: (String) throws(Failure) -> Void
  ) throws(Failure) {
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

extension PreviewPage {
  /// Rules that are added to the style sheet of all pages.
  static let style = """
    header, main { max-width: 84rem; margin: 0 auto }
    header { margin-bottom: 1.25rem }
    .card { display: flex; flex-wrap: wrap; background: var(--card); border: 1px solid var(--line);
      border-radius: 12px; overflow: hidden }
    figure { flex: 2 1 24rem; margin: 0; min-width: 0 }
    .facts { flex: 1 1 17rem; padding: 1.25rem; min-width: 0 }
    .stage[data-back="checks"] { background: repeating-conic-gradient(#777 0 25%, #999 0 50%) 0 0 / 24px 24px }
    .stage[data-back="light"] { background: #fff }
    .stage img, .stage canvas { display: block; max-width: 100%; height: auto; max-height: 78vh }
    figcaption { padding: .6rem 1rem; color: var(--soft); border-top: 1px solid var(--line) }
    .controls { display: flex; gap: .6rem; align-items: center; padding: .6rem .8rem }
    .controls input { flex: 1; min-width: 4rem; accent-color: var(--accent) }
    .controls output { min-width: 5.5em; text-align: right; font-variant-numeric: tabular-nums; color: var(--soft) }
    .controls button { min-width: 2.4rem; line-height: 1 }
    noscript p { padding: 0 1rem }
    """

  /// The script that plays frames. The browser decodes the frames. Times are kept exactly, so a slow
  /// machine leaves frames out instead of playing slower.
  static let player = """
    "use strict";
    for (const root of document.querySelectorAll(".player")) {
      const data = JSON.parse(root.querySelector("script").textContent);
      const stage = root.querySelector(".stage"), canvas = root.querySelector("canvas");
      const context = canvas.getContext("2d");
      const play = root.querySelector(".play"), slider = root.querySelector("input");
      const output = root.querySelector("output"), speed = root.querySelector("select");
      const starts = [0];
      for (const duration of data.durations) starts.push(starts[starts.length - 1] + duration);
      const total = starts[starts.length - 1];
      const images = data.pictures.map(picture => {
        const image = new Image();
        image.src = `data:${data.type};base64,${picture}`;
        return image;
      });
      let time = 0, shown = -1, rounds = 0, before = null, isPlaying = false;

      const draw = index => {
        const image = images[index];
        if (index === shown || !image.complete || !image.naturalWidth) return;
        context.clearRect(0, 0, canvas.width, canvas.height);
        context.drawImage(image, 0, 0);
        shown = index;
        slider.value = index;
        output.textContent = `${index + 1} / ${images.length}`;
      };
      const frameAt = time => {
        let index = Math.min(starts.length - 2, Math.floor(time / total * (starts.length - 1)));
        while (index > 0 && starts[index] > time) index -= 1;
        while (index < starts.length - 2 && starts[index + 1] <= time) index += 1;
        return index;
      };
      const tick = now => {
        if (!isPlaying) return;
        if (before !== null) time += (now - before) * Number(speed.value);
        before = now;
        if (time >= total) {
          rounds += Math.floor(time / total);
          time %= total;
          if (data.plays > 0 && rounds >= data.plays) { time = starts[starts.length - 2]; set(false); }
        }
        draw(frameAt(time));
        requestAnimationFrame(tick);
      };
      const set = value => {
        isPlaying = value;
        before = null;
        play.textContent = value ? "❚❚" : "▶";
        play.setAttribute("aria-label", value ? "Pause" : "Play");
        if (value) requestAnimationFrame(tick);
      };
      play.addEventListener("click", () => {
        if (!isPlaying && data.plays > 0 && rounds >= data.plays) { rounds = 0; time = 0; }
        set(!isPlaying);
      });
      slider.addEventListener("input", () => {
        set(false);
        time = starts[Number(slider.value)];
        draw(Number(slider.value));
      });
      root.querySelector(".back").addEventListener("click", () => {
        const order = ["", "checks", "light"];
        const next = order[(order.indexOf(stage.dataset.back || "") + 1) % order.length];
        stage.dataset.back = next;
      });
      images[0].addEventListener("load", () => draw(0));
      if (images[0].complete) draw(0);
      if (images.length < 2) root.querySelector(".controls").hidden = true;
      else set(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    }
    """
}

/// Encodes a web page with one effect: each frame is a WebP picture.
final class PreviewEncoder {
  private let plan: FramePlan
  private let sink: ([UInt8]) throws(Failure) -> Void
  private var waiting: [Bitmap] = []
  private var frames: PreviewFrames

  init(_ plan: FramePlan, _ sink: @escaping ([UInt8]) throws(Failure) -> Void) {
    self.plan = plan
    self.sink = sink
    frames = PreviewFrames(
      width: plan.width, height: plan.height, plays: plan.options.plays,
      mimeType: AnimationFormat.webp.mimeType,
      durations: (0..<plan.timing.count).map { plan.timing.duration(of: $0) * 1000 })
  }

  func append(_ frame: Bitmap) throws(Failure) {
    waiting.append(frame)
    if waiting.count >= plan.groupSize { try encode() }
  }

  private func encode() throws(Failure) {
    let (bitmaps, quality) = (waiting, plan.options.quality ?? .lossy(90))
    waiting.removeAll(keepingCapacity: true)
    try Parallel.ordered(bitmaps.count, state: {}) { index, _ throws(Failure) in
      try WebPFile.still(bitmaps[index], quality.ofWebP).base64
    } emit: {
      frames.pictures.append($0)
    }
  }

  func finish() throws(Failure) {
    try encode()
    var card = plan.options.card
    card.media = .frames(frames)
    try PreviewPage(title: card.name, card: card).write(to: sink)
  }
}
