import ParticlesCore
import ParticlesImages
import ParticlesTestSupport
import Testing

@testable import ParticlesRender

@Suite("Preview pages")
struct PreviewPageTests {
  private func text(_ page: PreviewPage) throws -> String {
    var bytes: [UInt8] = []
    try page.write { bytes += $0 }
    return try #require(String(validating: bytes, as: UTF8.self))
  }

  private let hostile = "<script>alert(1)</script>\"' onload=x & \u{202E}"

  private func catalogue() throws -> PreviewPage {
    let picture = try animation(
      .apng, SampleFrames.spots(width: 20, height: 16, count: 3, isOpaque: false))
    var card = PreviewCard(
      name: hostile, format: hostile, caption: hostile,
      media: .picture(bytes: picture, mimeType: "image/apng", width: 20, height: 16))
    card.parameters = [.init(name: hostile, value: hostile), .init(name: "rate", value: "120 /s")]
    card.problems = [hostile, "the image is not in the package"]
    return PreviewPage(
      title: hostile, subtitle: hostile, cards: [card, PreviewCard(name: "empty.pex")])
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
    for page in [try text(catalogue()), try player()] {
      #expect(!page.contains("<script>alert"))
      #expect(!page.contains("\"' onload"))
      #expect(!page.contains("\u{202E}"))
      #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; onload=x &amp;"))
      for pattern in ["http:", "https:", "src=\"/", "url(", "@import", "fetch(", "import("] {
        #expect(!page.contains(pattern), "\(pattern)")
      }
      #expect(page.contains("default-src 'none'"))
    }
  }

  @Test("a catalogue needs no script; a card without a picture has a message")
  func catalogueParts() throws {
    let page = try text(catalogue())
    #expect(!page.contains("<script"))
    #expect(page.contains("no picture") && page.contains("data:image/apng;base64,iVBORw0KGgo"))
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
    let python = try #require(Run.find("python3"))
    let run = try Run(python, ["-c", Self.parser], input: Array(page.utf8))
    #expect(run.status == 0, "\(run.errors)")
    return try #require(try JSONValue(parsing: run.output).object)
  }

  @Test(
    "elements are nested correctly", .enabled(if: Run.find("python3") != nil, "no python3 here"))
  func structure() throws {
    let page = try parsed(text(catalogue()))
    #expect(page["images"]?.int == 1 && page["scripts"]?.int == 0)
    // Title, heading, subtitle, caption, name, format, problem, parameter and value.
    #expect(page["alerts"]?.int == 9)
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

  @Test("the script is valid", .enabled(if: Run.find("node") != nil, "no node here"))
  func script() throws {
    let node = try #require(Run.find("node"))
    let scratch = try Scratch()
    try Files.create(scratch.file("player.js"), Array(PreviewPage.player.utf8))
    _ = try Run.succeeding(node, ["--check", scratch.file("player.js")])
  }
}
