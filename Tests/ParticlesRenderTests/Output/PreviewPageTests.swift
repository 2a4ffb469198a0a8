import ParticlesCore
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesRender

@Suite("Preview pages")
struct PreviewPageTests {
  private func text(_ page: CatalogPage) throws -> String {
    var bytes: [UInt8] = []
    try page.write { bytes += $0 }
    return try #require(String(validating: bytes, as: UTF8.self))
  }

  private let hostile = "<script>alert(1)</script>\"' onload=x & \u{202E}"

  private func catalogue() throws -> CatalogPage {
    let picture = try animation(
      .apng, SampleFrames.spots(width: 20, height: 16, count: 3, isOpaque: false))
    var card = PreviewCard(
      name: hostile, format: hostile, caption: hostile,
      media: .picture(bytes: picture, mimeType: "image/apng", width: 20, height: 16))
    card.parameters = [.init(name: hostile, value: hostile), .init(name: "rate", value: "120 /s")]
    card.add(problem: hostile, at: hostile)
    for key in ["a", "b", "b", "c", "d"] {
      card.add(problem: "the image is not in the package", at: key)
    }
    (card.bytes, card.particles) = (1234, 56)
    return CatalogPage(
      title: hostile, subtitle: hostile, cards: [card, PreviewCard(name: "empty.pex")])
  }

  @Test("a catalogue that plays permits its scripts and their worker, and has each image once")
  func playedCatalogue() throws {
    var page = CatalogPage(title: hostile, cards: [])
    page.player = CatalogPage.Player(
      script: PackedScript(loader: "unpack()", script: "play()"), module: [1, 2, 3])
    for number in 0..<3 {
      var card = PreviewCard(name: hostile)
      card.played = PreviewCard.PlayedEffect(
        document: [UInt8(number)], start: 0.5, camera: ["orthoHeight": .int(9)],
        background: "#000000")
      page.add(card, images: [(hostile, [7]), ("b.png", [UInt8(number)])])
    }
    let text = try text(page)
    for script in ["unpack()", WebPage.listScript] {
      #expect(text.contains(script.sourceOfPolicy) && text.contains(">\(script)</script>"))
    }
    let sources = "\("play()".sourceOfPolicy) 'wasm-unsafe-eval'; worker-src blob:\""
    #expect(text.contains(sources) && !text.contains("play()"))
    #expect(!text.contains("<script>alert"))
    #expect(text.contains("id=\"module-data\">\(([1, 2, 3] as [UInt8]).base85)</script>"))
    // One block that all effects have, and three.
    #expect(text.split(separator: "type=\"application/octet-stream\"").count == 5)
    #expect(text.contains("data-effect=\"AQ==\"") && text.contains("[&quot;b.png&quot;, 3]]"))
    page.player = nil
    #expect(try !self.text(page).contains("wasm-unsafe-eval"))
  }

  private func player() throws -> String {
    var options = AnimationWriter.Options()
    options.card = PreviewCard(name: "Fire", format: "particles", caption: hostile)
    options.card.parameters = [.init(name: "rate", value: "120 /s")]
    let frames = SampleFrames.spots(width: 31, height: 17, count: 5, isOpaque: false)
    return String(decoding: try animation(.html, frames, rate: 30, options: options), as: UTF8.self)
  }

  @Test("texts are escaped, and nothing is loaded from elsewhere")
  func escaping() throws {
    for page in [try text(catalogue()), try text(report()), try player()] {
      #expect(!page.contains("<script>alert"))
      #expect(!page.contains("\"' onload"))
      #expect(!page.contains("\u{202E}"))
      #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;' onload=x &amp;"))
      for pattern in ["http:", "https:", "src=\"/", "url(", "@import", "fetch(", "import("] {
        #expect(!page.contains(pattern), "\(pattern)")
      }
      #expect(page.contains("default-src 'none'"))
    }
  }

  private func report() throws -> ConversionPage {
    let picture = try animation(
      .apng, SampleFrames.spots(width: 20, height: 16, count: 3, isOpaque: false))
    var row = ConversionPage.Row(
      input: hostile, output: hostile, score: hostile, level: hostile, rank: 0.5)
    (row.sentences, row.kinds, row.remark) = ([hostile], [hostile], hostile)
    row.picture = .picture(bytes: picture, mimeType: "image/apng", width: 20, height: 16)
    let plain = ConversionPage.Row(
      input: "a.pex", output: "a.sks", score: "none", level: "info", rank: 0)
    var page = ConversionPage(title: hostile, rows: [row, plain])
    (page.subtitles, page.failures) = ([hostile], [hostile])
    return page
  }

  private func text(_ page: ConversionPage) throws -> String {
    var bytes: [UInt8] = []
    try page.write { bytes += $0 }
    return try #require(String(validating: bytes, as: UTF8.self))
  }

  @Test("a tile has a picture or a message, its numbers, and each problem once")
  func catalogueParts() throws {
    let page = try text(catalogue())
    #expect(page.contains("no picture") && page.contains("data:image/apng;base64,iVBORw0KGgo"))
    #expect(
      page.contains(#"data-size="1234" data-particles="56" data-problems="2" data-kinds="0 1""#))
    #expect(
      page.contains("<li>the image is not in the package <span>(a, b, c and 1 more)</span></li>"))
    #expect(page.contains("2 different problems; choose one"))
    #expect(page.contains("2 ⚠</summary>") && page.contains("56 particles</summary>"))
    #expect(page.contains(#"<option value="Cannot be read">Cannot be read (1)</option>"#))
    // The picture fills its tile, and nine tiles are beside each other at 1280 points.
    #expect(page.contains("object-fit: cover") && page.contains("minmax(128px, 1fr)"))
  }

  @Test("a report has the failures, the sentences and the pictures of the effects")
  func reportParts() throws {
    let page = try text(report())
    #expect(page.contains("1 not converted</summary>") && page.contains("Nothing is lost."))
    #expect(page.contains(#"data-difference="0.5" data-problems="1" data-kinds="0""#))
    #expect(page.contains("<span>before</span><span>after</span>"))
  }

  @Test("of many sentences about an effect, the first ones are shown, and others open")
  func manySentences() throws {
    var row = ConversionPage.Row(
      input: "a.pex", output: "a.sks", score: "none", level: "info", rank: 0)
    row.sentences = (1...8).map { "sentence \($0)." }
    #expect(try !text(ConversionPage(title: "a", rows: [row])).contains(" more</summary>"))
    row.sentences += ["sentence 9.", "sentence 10."]
    let page = try text(ConversionPage(title: "a", rows: [row]))
    #expect(page.contains("<li>sentence 8.</li>\n</ul><details><summary>2 more</summary><ul>"))
    #expect(page.components(between: "<li>sentence ", and: ".</li>").count == 10)
  }

  @Test("a page permits its own style and script by their digests, and nothing else")
  func policy() throws {
    for page in [try text(catalogue()), try text(report()), try player()] {
      let policy = try #require(page.split(separator: "Content-Security-Policy\" content=\"").last)
        .prefix { $0 != "\"" }
      for tag in ["style", "script"] {
        let body = page.components(between: "<\(tag)>", and: "</\(tag)>")
        #expect(body.count == 1, "\(tag)")
        let digest = SHA256.digest(Array(body[0].utf8)).bytes.base64
        #expect(policy.contains("\(tag)-src 'sha256-\(digest)'"), "\(tag)")
      }
      #expect(!policy.contains("unsafe") && !page.contains(" style=") && !page.contains(" onclick"))
    }
  }

  /// Checks nesting as browsers do, and returns the scripts and pictures.
  private static let parser = """
    import base64, html.parser, json, sys
    class Parser(html.parser.HTMLParser):
        void = {"meta", "img", "input", "link", "br"}
        def __init__(self):
            super().__init__()
            self.open, self.data, self.images, self.texts = [], [], [], []
        def handle_starttag(self, tag, attributes):
            if tag == "img":
                self.images.append(dict(attributes)["src"])
            if tag not in self.void:
                self.open.append(tag)
        def handle_endtag(self, tag):
            assert self.open.pop() == tag, tag
        def handle_data(self, data):
            if self.open and self.open[-1] == "script":
                self.data.append(data)
            else:
                self.texts.append(data)
    parser = Parser()
    parser.feed(sys.stdin.read())
    parser.close()
    assert not parser.open, parser.open
    result = {"images": len(parser.images), "scripts": len(parser.data),
              "alerts": sum("alert(1)" in text for text in parser.texts)}
    for image in parser.images:
        base64.b64decode(image.split(",", 1)[1], validate=True)
    for script in parser.data:
        if script.lstrip().startswith("{"):
            data = json.loads(script)
            result["durations"] = data["durations"]
            result["pictures"] = data["pictures"]
    print(json.dumps(result))
    """

  private func parsed(_ page: String) throws -> JSONObject {
    let python = try #require(Run.find("python3") ?? Pillow.python)
    let run = try Run(python, ["-c", Self.parser], input: Array(page.utf8))
    #expect(run.status == 0, "\(run.errors)")
    return try #require(try JSONValue(parsing: run.output).object)
  }

  @Test(
    "elements are nested correctly", .enabled(if: Run.find("python3") != nil, "no python3 here"))
  func structure() throws {
    let page = try parsed(text(catalogue()))
    #expect(page["images"]?.int == 1 && page["scripts"]?.int == 1)
    // Title, heading, subtitle, format, kind of problem, name, the sheets' name and path (twice), parameter,
    // value, problem and its place.
    #expect(page["alerts"]?.int == 14)
    let report = try parsed(text(report()))
    #expect(report["images"]?.int == 1 && report["scripts"]?.int == 1)
    // Title, heading, subtitle, failure, level, kind, name, score, output, remark and sentence.
    #expect(report["alerts"]?.int == 11)
  }

  @Test(
    "the frames of a player are pictures with their durations",
    .enabled(if: Pillow.python != nil, Comment(rawValue: Pillow.absence)))
  func frames() throws {
    let page = try parsed(player())
    #expect(page["scripts"]?.int == 2)
    let durations = page["durations"]?.array?.compactMap(\.double) ?? []
    #expect(durations.count == 5 && durations.allSatisfy { abs($0 - 1000 / 30) < 1e-6 })
    let pictures = page["pictures"]?.array?.compactMap(\.string) ?? []
    let originals = SampleFrames.spots(width: 31, height: 17, count: 5, isOpaque: false)
    let decoded = try pictures.map {
      try Pillow([UInt8](base64: $0, rule: .image), fileExtension: "webp").frames[0]
    }
    #expect(decoded.count == 5)
    #expect(SampleFrames.quality(decoded, of: originals) > 38)
  }

  @Test("the scripts are valid", .enabled(if: Run.find("node") != nil, "no node here"))
  func script() throws {
    let node = try #require(Run.find("node"))
    let scratch = try Scratch()
    try Files.create(scratch.file("player.js"), Array(PreviewPage.player.utf8))
    _ = try Run.succeeding(node, ["--check", scratch.file("player.js")])
  }

  /// A page as far as the script of lists needs it: three items, and the tools.
  private static let stage = """
    const listeners = {};
    const element = (name, value) => ({ name, value, addEventListener: (event, run) => {
      listeners[name] = run; } });
    const item = (text, filter, size, kinds) => ({ hidden: false,
      dataset: { text, name: text, filter, size, kinds } });
    const stageItems = [item("fire 10", "pex", "5", "0 1"), item("fire 9", "sks", "70", ""), item("smoke", "pex", "6", "1")];
    const stageList = { children: stageItems, append: (...all) => { stageList.order = all; } };
    const stageTools = { hidden: true, parts: {}, querySelector: name => stageTools.parts[name] };
    stageTools.parts["[name=search]"] = element("search", "");
    stageTools.parts["[name=filter]"] = element("filter", "");
    stageTools.parts["[name=sort]"] = element("sort", "name");
    stageTools.parts["output"] = {};
    const stageKinds = element("kinds");
    stageKinds.querySelectorAll = () => [];
    globalThis.document = { addEventListener: () => {}, querySelectorAll: () => [], querySelector: name =>
      ({ ".items": stageList, ".tools": stageTools, ".kinds": stageKinds })[name] };

    """

  private static let play = """

    const shown = () => items.filter(item => !item.hidden).map(item => item.dataset.text).sort().join();
    const results = [tools.hidden, shown(), output.textContent];
    search.value = "FIRE 9"; listeners.search(); results.push(shown(), output.textContent);
    search.value = ""; filter.value = "pex"; listeners.filter(); results.push(shown());
    filter.value = ""; sort.value = "size"; listeners.sort(); results.push(list.order.map(i => i.dataset.size).join());
    sort.value = "name"; listeners.sort(); results.push(list.order.map(i => i.dataset.text).join());
    listeners.kinds({ target: { closest: () => ({ value: "1" }) } }); results.push(shown());
    listeners.kinds({ target: { closest: () => ({ value: "1" }) } }); results.push(shown());
    console.log(results.join("|"));
    """

  @Test(
    "the script of lists searches, filters and sorts",
    .enabled(if: Run.find("node") != nil, "no node here"))
  func listScript() throws {
    let node = try #require(Run.find("node"))
    let scratch = try Scratch()
    try Files.create(
      scratch.file("list.js"), Array((Self.stage + WebPage.listScript + Self.play).utf8))
    let run = try Run(node, [scratch.file("list.js")])
    #expect(
      run.text
        == "false|fire 10,fire 9,smoke|3|fire 9|1 of 3|fire 10,smoke|70,6,5|fire 9,fire 10,smoke|"
        + "fire 10,smoke|fire 10,fire 9,smoke\n", "\(run.errors)")
  }
}

extension String {
  /// The texts between two marks.
  fileprivate func components(between start: String, and end: String) -> [Substring] {
    split(separator: start, omittingEmptySubsequences: false).dropFirst()
      .compactMap { text in text.firstRange(of: end).map { text[..<$0.lowerBound] } }
  }
}
