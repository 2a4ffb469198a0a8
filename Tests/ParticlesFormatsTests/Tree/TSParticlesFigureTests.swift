import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// The images and figures of particles, and the options that are not read.
@Suite("Figures of tsParticles")
struct TSParticlesFigureTests {
  /// The effect of particles of the canvas.
  static func imported(_ particles: String, rest: String = "") throws -> Imported {
    let text = #"{"particles": {"number": {"value": 12}, \#(particles)}\#(rest)}"#
    return try ParticleFormat.tsParticles.decode(
      Array(text.utf8), DecodingContext(fileName: "a.json"))
  }

  @Test(
    "an image is shown only by the figure that shows images",
    arguments: [
      (#""circle""#, false), (#""star""#, false), (#"["circle", "edge"]"#, false), ("null", false),
      (#""image""#, true), (#""images""#, true), (#"["image"]"#, true),
    ])
  func images(type: String, isShown: Bool) throws {
    let imported = try Self.imported(
      #""shape": {"type": \#(type), "image": {"src": "img/github.svg", "width": 100}}"#)
    #expect(imported.system.images.contains { $0.name.hasSuffix("github.svg") } == isShown)
    #expect(imported.diagnostics.contains { $0.rule == .missingImage } == isShown)
    #expect(!imported.diagnostics.contains { $0.rule == .uninterpreted })
  }

  @Test(
    "what switches nothing on is no loss",
    arguments: [
      (#""links": {"enable": false, "distance": 9}"#, 0),
      (#""links": {"enable": true, "distance": 9}"#, 0),
      (#""links": {"enable": true, "triangles": {"enable": true}}"#, 1),
      (#""links": {"distance": 9}"#, 0),
      (#""links": {"enable": true, "opacity": 0}"#, 0),
      (#""move": {"attract": {"enable": false, "rotateX": 600}, "outModes": "out"}"#, 0),
      (#""move": {"outModes": {"default": "out"}}"#, 0),
      (#""move": {"attract": {"enable": true, "rotateX": 600}, "outModes": "destroy"}"#, 3),
      (#""move": {"vibrate": false, "warp": 0}"#, 0), (#""move": {"vibrate": true}"#, 1),
      (#""shape": {"stroke": {"width": 0, "color": "black"}, "polygon": {"nb_sides": 5}}"#, 0),
      (#""shape": {"type": "circle", "options": {"star": {"inset": 2}, "close": true}}"#, 1),
      (#""reduceDuplicates": false, "stroke": [{"width": 0}]"#, 0),
    ])
  func idle(particles: String, losses: Int) throws {
    let imported = try Self.imported(particles)
    let found = imported.diagnostics.filter { $0.rule == .uninterpreted }
    #expect(found.count == losses, "\(found)")
  }

  @Test(
    "figures are pictures of their size",
    arguments: [
      ("{}", ["circle"], 1), (#"{"type": "circle"}"#, ["circle"], 1),
      (#"{"type": "square"}"#, [], 0.70711), (#"{"type": "edge"}"#, [], 0.70711),
      (#"{"type": "triangle"}"#, ["triangle"], 1.13),
      (#"{"type": "polygon", "polygon": {"nb_sides": 4}}"#, ["polygon-4"], 1.32),
      (#"{"type": "star"}"#, ["star-5"], 2),
      (#"{"type": "star", "options": {"star": {"sides": 7, "inset": 3}}}"#, ["star-7"], 3),
      (#"{"type": ["circle", "star"]}"#, ["circle", "star-5"], 2),
      (#"{"type": "circle", "stroke": {"width": 1, "color": "black"}}"#, ["circle"], 1.25),
    ])
  func sizes(shape: String, pictures: [String], extent: Double) throws {
    let imported = try Self.imported(#""size": {"value": 2}, "shape": \#(shape)"#)
    #expect(imported.system.images.map(\.name) == pictures)
    let emitter = imported.system.emitters[0]
    #expect((emitter.size.width.from.mean - 4 * extent).magnitude < 1e-4)
    #expect(emitter.spriteSelection == (pictures.count > 1 ? .random : .first))
    #expect(!imported.diagnostics.contains { $0.severity >= .warning })
    for image in imported.system.images {
      let picture = try Bitmap(decoding: try #require(imported.images[image.uri]))
      let alphas = stride(from: 3, to: picture.pixels.count, by: 4).map { picture.pixels[$0] }
      // Something is inside, and the corner is not.
      #expect(alphas[32 * 64 + 32] == 255 && alphas[0] == 0, "\(image.name)")
    }
  }

  @Test("the star of particles.js is filled where its sides cross")
  func turnedStar() throws {
    let imported = try Self.imported(
      #""line_linked": {}, "move": {"enable": false}, "shape": {"type": "star"}"#)
    let picture = try Bitmap(decoding: try #require(imported.images["Images/star-5.png"]))
    let filled = stride(from: 3, to: picture.pixels.count, by: 4).count { picture.pixels[$0] > 127 }
    // Five points around a pentagon: the golden ratio makes the area 0.31 of the square of a side.
    let pixels = 3.192 / (2 * 1.82) * 64
    #expect((Double(filled) / (pixels * pixels) - 0.31).magnitude < 0.02)
  }

  @Test(
    "a stroke has its colour, if particles can be tinted so",
    arguments: [
      ("#ffffff", "#ff0000", [255, 0, 0], false), ("#808080", "#400000", [128, 0, 0], false),
      ("#800000", "#ffffff", [255, 0, 0], true), ("random", "#000000", [0, 0, 0], false),
    ])
  func strokes(color: String, stroke: String, ink: [UInt8], isTinted: Bool) throws {
    let imported = try Self.imported(
      """
      "color": {"value": "\(color)"}, "size": {"value": 4},
      "shape": {"type": "edge", "stroke": {"width": 2, "color": "\(stroke)"}}
      """)
    let picture = try Bitmap(decoding: try #require(imported.images["Images/square.png"]))
    // In the middle of the upper edge.
    #expect(Array(picture.pixels[(2 * 64 + 32) * 4..<(2 * 64 + 32) * 4 + 3]) == ink)
    let isReported = imported.diagnostics.contains { $0.detail?.contains("strokes") == true }
    #expect(isReported == isTinted)
  }

  @Test("squares among other figures get a white image where one is needed", arguments: [0, 1, 2])
  func squares(place: Int) throws {
    let figures = (0..<3).map { $0 == place ? "square" : $0 == 1 ? "star" : "circle" }
    let emitters = figures.map { #"{"particles": {"shape": {"type": "\#($0)"}}}"# }
    let text = """
      {"particles": {"number": {"value": 0}}, "emitters": [\(emitters.joined(separator: ","))]}
      """
    let imported = try ParticleFormat.tsParticles.decode(
      Array(text.utf8), DecodingContext(fileName: "a.json"))
    let exported = try imported.package().exported(as: .cocos2d, fileName: "a.plist")
    #expect(exported.parts.count == 3)
    #expect(!exported.losses.contains { $0.rule == .changed }, "\(exported.losses)")
  }

  @Test(
    "characters of the font of the project are pictures, others are circles and named",
    arguments: [
      (#"{"type": "char", "character": {"value": "A"}}"#, ["char-41"], []),
      (
        #"{"type": "character", "options": {"char": [{"value": ["*", "Ä"]}]}}"#,
        ["char-2a", "char-c4"], []
      ),
      (#"{"type": "char"}"#, ["char-2a"], []),
      (
        #"{"type": ["char", "star"], "character": {"value": ["A", "\u2603"]}}"#,
        ["char-41", "circle", "star-5"], ["'☃'"]
      ),
      (
        #"{"type": "char", "character": {"value": "too long a text"}}"#, ["circle"],
        ["'too long a text'"]
      ),
      (#"{"type": "heart"}"#, ["circle"], ["'heart'"]),
    ] as [(String, [String], [String])])
  func characters(shape: String, pictures: [String], others: [String]) throws {
    let imported = try Self.imported(#""shape": \#(shape)"#)
    #expect(imported.system.images.map(\.name) == pictures)
    let found = imported.diagnostics.filter { $0.rule == .uninterpreted }.compactMap(\.found)
    #expect(found == others)
    let isDrawn = pictures.contains { $0.hasPrefix("char") }
    #expect(imported.diagnostics.contains { $0.rule == .approximated } == isDrawn)
  }

  @Test("a character is on a line below the centre, a fifth of a radius for each pixel of the font")
  func letter() throws {
    let imported = try Self.imported(
      #""size": {"value": 10}, "shape": {"type": "char", "character": {"value": "L"}}"#)
    // 0.9 radii up and down.
    #expect(imported.system.emitters[0].size.width.from == 18)
    let picture = try Bitmap(decoding: try #require(imported.images["Images/char-4c.png"]))
    func alpha(_ x: Double, _ y: Double) -> UInt8 {
      let column = Int(((x / 0.9 + 1) / 2 * 64).rounded(.down))
      let row = Int(((y / 0.9 + 1) / 2 * 64).rounded(.down))
      return picture.pixels[(row * 64 + column) * 4 + 3]
    }
    // The stem, the foot on the line, and nothing below and to the upper right.
    #expect(alpha(-0.4, -0.8) == 255 && alpha(0.4, 0.4) == 255)
    #expect(alpha(0, 0.7) == 0 && alpha(0.3, -0.5) == 0 && alpha(-0.7, 0) == 0)
  }
}
