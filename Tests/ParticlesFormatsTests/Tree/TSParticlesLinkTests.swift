import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// Lines between near particles, in files of tsParticles and particles.js.
@Suite("Links of tsParticles")
struct TSParticlesLinkTests {
  private static func imported(_ particles: String) throws -> Imported {
    try ParticleFormat.tsParticles.decode(
      Array("{\"particles\": {\(particles)}}".utf8), DecodingContext(fileName: "a.json"))
  }

  private static func links(
    _ distance: Double, _ width: Double, _ opacity: Double, _ color: String
  ) throws -> Emitter.Links {
    var links = Emitter.Links()
    (links.distance, links.width, links.opacity) = (distance, width, opacity)
    links.color = try #require(ParticleSystem.Color(hexadecimal: color))
    return links
  }

  @Test(
    "links are those of the file, or of the engine",
    arguments: [
      (
        ##""links": {"enable": true, "distance": 150, "width": 2, "color": "#f00", "opacity": 0.4}"##,
        [150, 2, 0.4], "#ff0000"
      ),
      (#""links": {"enable": true, "color": {"value": "00ff00"}}"#, [100, 1, 1], "#00ff00"),
      (
        #""lineLinked": {"enable": true, "opacity": 3}, "number": {"limit": 5}"#, [100, 1, 1],
        "#ffffff"
      ),
      (#""line_linked": {"enable": true, "distance": 150, "width": 0}"#, [150, 1, 1], "#ffffff"),
      (##""line_linked": {"distance": 90, "color": "#123456"}"##, [90, 1, 1], "#123456"),
      (#""size": {"anim": {}}"#, [100, 1, 1], "#ffffff"),
    ] as [(String, [Double], String)])
  func read(particles: String, numbers: [Double], color: String) throws {
    let imported = try Self.imported(particles)
    let wanted = try Self.links(numbers[0], numbers[1], numbers[2], color)
    #expect(imported.system.emitters[0].render.links == wanted)
    #expect(!imported.diagnostics.contains { $0.rule == .uninterpreted })
  }

  @Test(
    "there are none where the engine draws none",
    arguments: [
      #""links": {"distance": 150}"#, #""links": {"enable": true, "width": 0}"#,
      #""links": {"enable": true, "distance": 0}"#, #""links": {"enable": true, "opacity": 0}"#,
      #""line_linked": {"enable": false, "distance": 150}"#, #""size": {"animation": {}}"#,
    ])
  func off(particles: String) throws {
    let imported = try Self.imported(particles)
    #expect(imported.system.emitters[0].render.links == nil)
    #expect(!imported.diagnostics.contains { $0.rule == .uninterpreted })
  }

  @Test(
    "options of links that are not drawn are reported",
    arguments: [
      (#""triangles": {"enable": true}"#, Rule.uninterpreted),
      (#""frequency": 0.5"#, .approximated),
      (#""color": "random""#, .approximated), (##""color": ["#fff", "#000"]"##, .approximated),
      (#""consent": true"#, .approximated), (#""shadow": {"enable": true}"#, .uninterpreted),
      (#""warp": true"#, .approximated),
    ])
  func options(option: String, rule: Rule) throws {
    let imported = try Self.imported(#""links": {"enable": true, \#(option)}"#)
    #expect(imported.system.emitters[0].render.links != nil)
    let found = imported.diagnostics.filter { "\($0.location)".contains("links") }
    #expect(found.map(\.rule) == [rule], "\(found)")
  }

  private static let file = """
    {
      "particles": {
        "number": { "value": 80 },
        "KEY": { "enable": true, "distance": 150, "color": "#fff", "opacity": 0.4 }
      }
    }
    """

  @Test(
    "an edited link is one changed value of the file, in both engines",
    arguments: ["links", "lineLinked", "line_linked"],
    [
      ("none", "", ""), ("distance", "150", "90"), ("opacity", "0.4", "0.8"),
      ("color", "#fff", "#ff0000"), ("off", "\"enable\": true", "\"enable\": false"),
    ])
  func written(key: String, change: (what: String, old: String, new: String)) throws {
    let source = Self.file.replacing("KEY", with: key)
    let imported = try ParticleFormat.tsParticles.decode(
      Array(source.utf8), DecodingContext(fileName: "a.json"))
    var system = imported.system
    switch change.what {
    case "distance": system.emitters[0].render.links?.distance = 90
    case "opacity": system.emitters[0].render.links?.opacity = 0.8
    case "color": system.emitters[0].render.links?.color = ParticleSystem.Color(1, 0, 0)
    case "off": system.emitters[0].render.links = nil
    default: break
    }
    var package = try imported.package()
    try package.setSystem(system)
    let exported = try package.exported(as: .tsParticles, fileName: "a.json")
    let text = String(decoding: try #require(exported.parts.first?.bytes), as: UTF8.self)
    let wanted = change.old.isEmpty ? source : source.replacing(change.old, with: change.new)
    #expect(text == wanted)
    #expect(exported.losses.isEmpty, "\(exported.losses)")
  }

  @Test("a new file has them, and formats without lines lose them with the level high")
  func converted() throws {
    var emitter = Emitter()
    emitter.emission.rate = 5
    emitter.render.links = try Self.links(70, 2, 0.5, "#336699")
    var system = ParticleSystem()
    system.emitters = [emitter]
    system.asset.unit = .pixel
    let package = try EffectPackage(system)
    let exported = try package.exported(as: .tsParticles, fileName: "a.json")
    #expect(!exported.losses.contains { $0.loss?.path.contains("links") == true })
    let bytes = try #require(exported.parts.first?.bytes)
    let back = try ParticleFormat.tsParticles.decode(bytes, DecodingContext(fileName: "a.json"))
    #expect(back.system.emitters[0].render.links == emitter.render.links)
    for format in FormatRegistry.standard.formats where format.name != "tsparticles" {
      guard case .effect(_, .some) = format.content else { continue }
      let losses = try package.exported(as: format, fileName: "a").losses
      let found = losses.filter { $0.loss?.path == "emitters[0].render.links" }
      #expect(found.map(\.loss?.level) == [.high], "\(format.name): \(losses)")
    }
  }
}
