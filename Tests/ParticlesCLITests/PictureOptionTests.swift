import ParticlesCLI
import ParticlesCore
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Frame, moment and background of pictures are stated, and set by options.
@Suite("Options of pictures") struct PictureOptionTests {
  private let scratch: Scratch
  private var ember: String { Repository.path("Fixtures/cocos2d/ember.plist") }

  init() throws { scratch = try Scratch() }

  private func render(_ words: String...) throws -> (row: JSONObject, bytes: [UInt8]) {
    let output = scratch.file("a.png")
    let outcome = Tool.particles.run(
      list: ["render", ember, "-o", output, "--size", "64", "--json", "--force"] + words)
    #expect(outcome.status == .done, "\(outcome.error)")
    let json = try JSONParser.parse(Array(outcome.output.utf8))
    let row = try #require(json.object?["files"]?.array?.first?.object)
    return (row, try Files.read(output))
  }

  @Test("what was chosen gives the same picture when it is set")
  func roundTrip() throws {
    let chosen = try render()
    let start = try #require(chosen.row["start"]?.double)
    let camera = try #require(chosen.row["camera"])
    let background = try #require(chosen.row["background"]?.string)
    #expect(background == "#12121a")
    let set = try render(
      "--at", "\(start)", "--camera", camera.text, "--background", background)
    #expect(set.row["camera"] == camera)
    // In a frame that is given, particles may be thinner than 2 pixels.
    let pixels = try [chosen, set].map { try PNG.decode($0.bytes).pixels }
    let difference = zip(pixels[0], pixels[1]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(difference) / Double(pixels[0].count) < 3)
    let other = try render("--camera", "0,10,400", "--background", "RebeccaPurple")
    #expect(other.row["background"]?.string == "#663399")
    #expect(other.row["camera"]?.object?["orthoHeight"]?.double == 400)
    let corner = try PNG.decode(other.bytes).pixels.prefix(4)
    #expect(Array(corner) == [0x66, 0x33, 0x99, 0xFF])
    #expect(try render("--background", "light").row["background"]?.string == "#ededf2")
    #expect(
      try render("--background", "transparent").row["background"]?.string == "transparent")
  }

  @Test("mistakes are explained")
  func mistakes() {
    for (words, part) in [
      (["--background", "blakc"], "needs a colour, not"),
      (["--camera", "near"], "needs a camera, not"),
      (["--camera", "1,2"], "needs a camera, not"), (["--camera", "1,2,0"], "needs a camera, not"),
      (["--camera", #"{"fov": "x"}"#], "--camera"), (["--camera", "{"], "needs a camera, not"),
    ] {
      let outcome = Tool.particles.run(list: ["render", ember, "-o", "x.png"] + words)
      #expect(outcome.status == .usage && outcome.error.contains(part), "\(outcome.error)")
    }
  }

  @Test("sheets, catalogs and thumbnails state it, too")
  func others() throws {
    for words in [
      ["sheet", ember, "-o", scratch.file("s.png"), "--duration", "0.2", "--size", "16"],
      ["thumbnail", ember, scratch.file("t.png"), "-s", "32"],
    ] {
      let outcome = Tool.particles.run(list: words + ["--json"])
      let object = try JSONParser.parse(Array(outcome.output.utf8)).object
      #expect(object?["camera"]?.object != nil && object?["start"] != nil, "\(outcome.error)")
    }
    for words in [
      ["sheet", "--contact", ember, "-o", scratch.file("c.png"), "--size", "16"],
      ["catalog", ember, "-o", scratch.file("c.html"), "--size", "16", "--duration", "0.2"],
    ] {
      let outcome = Tool.particles.run(list: words + ["--json"])
      let json = try JSONParser.parse(Array(outcome.output.utf8))
      let picture = json.object?["pictures"]?.array?.first?.object
      #expect(picture?["source"]?.string == ember, "\(outcome.error)")
      #expect(picture?["background"]?.string == "#12121a")
    }
  }
}
