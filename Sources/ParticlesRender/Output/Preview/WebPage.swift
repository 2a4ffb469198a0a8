internal import ParticlesCore

/// The frame of a web page that works without a network: pictures, styles and scripts are in the file.
///
/// The page permits its own style and its own script, by their digests, pictures that are in it, and
/// nothing else. It follows the light or dark appearance of the system.
struct WebPage {
  var title: String
  var style: String
  var script: String?
  /// The script that loads the player of effects, or nil for a page without a player.
  var player: PackedScript?

  /// The text before the elements of the body.
  var head: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
    style-src \(style.sourceOfPolicy); script-src \(scripts)">
    <meta name="generator" content="particles">
    <title>\(title.escapingHTML)</title>
    <style>\(style)</style>
    </head>
    <body>

    """
  }

  /// The scripts that the policy permits: the scripts in the page, and the packed script that the player's script
  /// loads. Effects are simulated by WebAssembly, in a worker.
  private var scripts: String {
    let sources = [script?.sourceOfPolicy, player?.sources].compactMap { $0 }.joined(separator: " ")
    guard player != nil else { return sources.isEmpty ? "'none'" : sources }
    return sources + " 'wasm-unsafe-eval'; worker-src blob:"
  }

  /// The text after them: the scripts, and the end of the page.
  var tail: String {
    (script.map { "<script>\($0)</script>\n" } ?? "")
      + (player.map { "<script id=\"player\">\($0.loader)</script>\n" } ?? "")
      + "</body>\n</html>\n"
  }
}

/// A script that is packed in a loader script, which unpacks it and adds it to the page.
package struct PackedScript: Sendable {
  /// The script that is in the page.
  package let loader: String
  /// The sources of a policy that permits both, by their digests.
  package let sources: String

  package init(loader: String, script: String) {
    self.loader = loader
    sources = "\(loader.sourceOfPolicy) \(script.sourceOfPolicy)"
  }
}

extension String {
  /// The source expression of a content security policy that permits this text in a page.
  package var sourceOfPolicy: String { "'sha256-\(SHA256.digest(Array(utf8)).bytes.base64)'" }

  /// This text for the content of an element or the value of an attribute in HTML.
  package var escapingHTML: String {
    replacingControls { _ in "\u{FFFD}" }.escapingMarkup(inside: "\"")
  }
}

extension WebPage {
  /// The style of all pages.
  static let base = """
    :root { color-scheme: light dark; --page: #f5f5f7; --card: #fff; --text: #1c1c20; --soft: #61616b;
      --line: #dcdce2; --accent: #b3470b; --warn: #8a5a00; --warnback: #fff4dc }
    @media (prefers-color-scheme: dark) {
      :root { --page: #131316; --card: #1d1d22; --text: #ececf1; --soft: #a0a0ab; --line: #34343c;
        --accent: #ff9d5c; --warn: #ffce73; --warnback: #33290f }
    }
    * { box-sizing: border-box }
    [hidden] { display: none !important }
    body { margin: 0; padding: 1rem; background: var(--page); color: var(--text);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
    h1 { margin: 0; font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere }
    h2 { margin: 0 0 .4rem; font-size: 1rem; overflow-wrap: anywhere }
    header p { margin: .15rem 0 0; color: var(--soft) }
    .format { display: inline-block; padding: 0 .5em; border: 1px solid var(--line); border-radius: 99px;
      color: var(--soft); font-size: .8rem; font-weight: 500 }
    button, select, input { font: inherit; color: inherit; background: transparent; border: 1px solid var(--line);
      border-radius: 8px; padding: .2rem .5rem; min-height: 2rem }
    button, select, summary { cursor: pointer }
    select, input[type=search] { background: var(--card) }
    button:focus-visible, select:focus-visible, input:focus-visible, summary:focus-visible {
      outline: 2px solid var(--accent); outline-offset: 1px }
    .problems { margin: .4rem 0 .8rem; padding: .5rem .8rem .5rem 1.8rem; border-radius: 8px; color: var(--warn);
      background: var(--warnback); font-size: .88rem; overflow-wrap: anywhere }
    .problems span { color: var(--soft) }
    summary { color: var(--soft) }
    table { width: 100%; margin-top: .4rem; border-collapse: collapse; font-size: .88rem }
    th, td { padding: .3rem 0; border-top: 1px solid var(--line); vertical-align: top; text-align: left;
      overflow-wrap: anywhere }
    th { padding-right: 1rem; font-weight: 500; color: var(--soft) }
    td { font-variant-numeric: tabular-nums }
    .stage { display: flex; justify-content: center; align-items: center; background: #0b0b0e }
    .stage.empty { aspect-ratio: 1; color: #8a8a94; font-size: .8rem }
    .tools { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .6rem 0 }
    .tools input { flex: 1 1 12rem; max-width: 26rem }
    .tools select { max-width: 100% }
    .tools output { color: var(--soft); font-variant-numeric: tabular-nums }
    .kinds ul { margin: .4rem 0; padding: 0; list-style: none; max-height: 40vh; overflow: auto }
    .kinds button { margin: 2px 0; text-align: left; overflow-wrap: anywhere }
    .kinds [aria-pressed=true] { border-color: var(--accent); color: var(--accent) }
    @media print { body { background: #fff } .controls, .tools { display: none } }

    """

  /// The script of pages with a list of items: it searches, filters and sorts them by the data of each.
  /// Without scripts the list is complete, and the tools are hidden.
  static let listScript = """
    "use strict";
    const list = document.querySelector(".items"), tools = document.querySelector(".tools");
    const items = [...list.children], find = name => tools.querySelector(`[name=${name}]`);
    const search = find("search"), filter = find("filter"), sort = find("sort");
    const output = tools.querySelector("output"), kinds = document.querySelector(".kinds");
    let kind = null, order = null;
    const numbers = new Set(["size", "particles", "problems", "difference"]);
    const compare = key => numbers.has(key)
      ? (a, b) => Number(b.dataset[key]) - Number(a.dataset[key])
      : (a, b) => a.dataset[key].localeCompare(b.dataset[key], undefined, { numeric: true });
    const update = () => {
      const words = search.value.toLowerCase().split(/\\s+/).filter(word => word);
      let count = 0;
      for (const item of items) {
        const isShown = words.every(word => item.dataset.text.includes(word))
          && (!filter.value || item.dataset.filter === filter.value)
          && (kind === null || item.dataset.kinds.split(" ").includes(kind));
        item.hidden = !isShown;
        if (isShown) count += 1;
      }
      output.textContent = count === items.length ? `${count}` : `${count} of ${items.length}`;
      if (order !== sort.value) {
        order = sort.value;
        list.append(...items.sort(compare(order)));
      }
    };
    if (kinds) kinds.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (!button) return;
      kind = kind === button.value ? null : button.value;
      for (const other of kinds.querySelectorAll("button")) {
        other.setAttribute("aria-pressed", other.value === kind);
      }
      update();
    });
    search.addEventListener("input", update);
    filter.addEventListener("change", update);
    sort.addEventListener("change", update);
    document.addEventListener("keydown", event => {
      if (event.key !== "Escape") return;
      for (const open of document.querySelectorAll("details[open]")) open.open = false;
    });
    tools.hidden = false;
    order = sort.value;
    update();
    """
}

/// A web page with a list of items that can be searched, filtered and sorted.
///
/// Each item is an element with the data `text` for the search, `filter`, `kinds`, and one for each order, see
/// ``WebPage/listScript``.
struct ItemPage {
  var title: String
  /// Lines below the title.
  var subtitles: [String]
  /// Elements below these lines.
  var introduction = ""
  /// Rules that are added to the style sheet of all pages.
  var style: String
  /// The text that the search looks through.
  var searched: String
  /// The name of the property to filter by, and its values with the numbers of items.
  var filter: (name: String, plural: String, values: [(value: String, count: Int)])
  /// The keys of the orders with their names, the first one for the order of the page.
  var orders: [(key: String, name: String)]
  /// The sentences about the items.
  var kinds: SentenceKinds
  /// The script of the player of effects. Nil for a page without a player.
  var player: PackedScript?

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
  ///   - data: elements with the data of the player.
  ///   - sink: receives the next bytes.
  func write(
    _ items: some Sequence<String>, data: some Sequence<String> = [String](),
    to sink: (_ bytes: [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let frame = WebPage(
      title: title, style: WebPage.base + style, script: WebPage.listScript,
      player: player)
    func put(_ text: String) throws(Failure) { try sink(Array(text.utf8)) }
    try put(frame.head)
    try put("<header><h1>\(title.escapingHTML)</h1>\n")
    for line in subtitles { try put("<p>\(line.escapingHTML)</p>\n") }
    try put(introduction + tools + kinds.list + "</header>\n<main class=\"items\">\n")
    for item in items { try put(item) }
    try put("</main>\n")
    for element in data { try put(element) }
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
