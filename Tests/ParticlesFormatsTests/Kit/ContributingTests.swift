import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// The format that CONTRIBUTING.md shows: it compiles, and is treated as every other one.
@Suite struct ContributingTests {
  private let formats = FormatRegistry.standard.adding(.jet)
  private let file = """
    {
      "rate": 20, "rateSpread": 5,
      "angle": 0,   "life": 2,
      "colour of the box": "red",
      "speed": 100
    }
    """

  @Test("the page shows the example word for word")
  func page() throws {
    func part(_ text: String, from begin: String, to end: String) throws -> Substring {
      let start = try #require(text.firstRange(of: begin)).upperBound
      return text[start..<(try #require(text[start...].firstRange(of: end)).lowerBound)]
    }
    let code = String(
      decoding: try Files.read(
        Repository.path("Tests/ParticlesFormatsTests/Kit/ContributingExample.swift")),
      as: UTF8.self)
    let page = String(
      decoding: try Files.read(Repository.path("CONTRIBUTING.md")), as: UTF8.self)
    #expect(
      try part(page, from: "```swift\n", to: "```")
        == part(code, from: "// begin example\n", to: "// end example"))
  }

  @Test("it is opened by its content, and what it cannot keep is reported")
  func opening() throws {
    let opened = try OpenedEffect(bytes: Array(file.utf8), name: "a.txt", among: formats)
    let emitter = try opened.package.system().emitters[0]
    #expect(emitter.emission.rate == .range(15, 25))
    #expect(emitter.launch.direction.angle == 90)
    #expect(opened.diagnostics.map(\.rule) == [.uninterpreted])
    #expect(try opened.package.origin(among: formats)?.title == "Jet effect")
  }

  @Test("one changed value is one changed line")
  func editing() throws {
    var package = try OpenedEffect(bytes: Array(file.utf8), name: "a.jet", among: formats).package
    var system = try package.system()
    system.emitters[0].launch.speed = 120
    try package.setSystem(system)
    let exported = try package.exported(as: .jet, fileName: "a.jet", among: formats)
    let text = String(decoding: exported.parts[0].bytes, as: UTF8.self)
    #expect(text == file.replacing("\"speed\": 100", with: "\"speed\": 120"))
    #expect(exported.losses.isEmpty)
  }

  @Test("what it cannot say is reported, whether a row tells of it or not")
  func losses() throws {
    var emitter = Emitter(name: "jet")
    emitter.emission.rate = 10
    emitter.size.height = 3
    emitter.rotation.velocity = 90
    let package = try EffectPackage(ParticleSystem(name: "jet", emitters: [emitter]))
    let losses = try package.exported(as: .jet, fileName: "a.jet", among: formats).losses
    #expect(losses.contains { $0.rule == .lost && $0.loss?.feature == "sizeXY" })
    #expect(losses.contains { $0.loss?.path.hasPrefix("emitters[0].rotation") == true })
    #expect(ParticleFormat.jet.capabilities?[.life] == .exact)
  }

  @Test("what was imported from it and goes elsewhere still tells what stays behind")
  func elsewhere() throws {
    let package = try OpenedEffect(bytes: Array(file.utf8), name: "a.jet", among: formats).package
    let losses = try package.exported(as: .sceneKit, fileName: "a.scnp", among: formats).losses
    #expect(losses.contains { $0.rule == .uninterpreted })
  }

  @Test("it is validated, named where another is recognised, and part of the types")
  func everywhere() throws {
    var jet = ParticleFormat.jet
    jet.lookAlikes = [ForeignKind("a menu of Jet", .json, ["menu"])]
    let known = FormatRegistry.standard.adding(jet)
    let report = try Validator(formats: known).check(Array(file.utf8), named: "a.jet")
    #expect(report.kind == "Jet effect")
    #expect(throws: Diagnostic.self) {
      try OpenedEffect(bytes: Array("{\"menu\": 1}".utf8), name: "x.jet", among: known)
    }
    #expect(known.lookAlike(of: Array("{\"menu\": 1}".utf8)) == "a menu of Jet")
    #expect(known["jet"]?.title == "Jet effect")
    #expect(FormatRegistry.standard["jet"] == nil)
    #expect(ParticleFormat.jet.table?().keys.contains("rateSpread") == true)
  }
}
