import ParticlesCore
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// What particles of tsParticles and particles.js look like.
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
      (#""links": {"enable": true, "distance": 9}"#, 2),
      (#""links": {"distance": 9}"#, 1),
      (#""move": {"attract": {"enable": false, "rotateX": 600}, "outModes": {"default": "out"}}"#, 0),
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
}
