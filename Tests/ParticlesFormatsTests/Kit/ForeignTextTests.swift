import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Texts as other programs write them: byte order marks, words that are not known, keys that occur again.
@Suite("Texts of other programs") struct ForeignTextTests {
  private static func imported(_ bytes: [UInt8], _ name: String) throws -> Imported {
    let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
    return try format.decode(bytes, DecodingContext(fileName: name))
  }

  private static func fixture(_ path: String) throws -> String {
    String(decoding: try Fixture.read("effects/\(path)"), as: UTF8.self)
  }

  /// The bytes after an edit of the first emitter.
  private static func edited(_ imported: Imported, _ name: String) throws -> [UInt8] {
    let package = try imported.package()
    let format = try FormatRegistry.standard.recognising(imported.source, fileName: name)
    let same = try package.exported(as: format, fileName: name)
    #expect(same.parts.first?.bytes == imported.source, "\(name) without an edit")
    var new = package
    var system = try new.system()
    system.emitters[0].launch.direction = Direction(angle: 45)
    try new.setSystem(system)
    return try #require(new.exported(as: format, fileName: name).parts.first?.bytes)
  }

  @Test(
    "a byte order mark is no part of a name, and stays",
    arguments: [
      "libgdx/snow.p", "love/torch.lua", "defold/torch.particlefx", "pd-json/firework.json",
      "phaser/torch.json", "pixi/torch.json", "godot/torch.tscn", "pex/galaxy.pex",
      "plist/galaxy.plist",
    ])
  func mark(path: String) throws {
    let (bytes, name) = (try Fixture.read("effects/\(path)"), Files.lastComponent(of: path))
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let (plain, marked) = (try Self.imported(bytes, name), try Self.imported(mark + bytes, name))
    #expect(marked.system.emitters == plain.system.emitters)
    #expect(marked.diagnostics.map(\.rule) == plain.diagnostics.map(\.rule))
    let new = try Self.edited(marked, name)
    #expect(new == mark + (try Self.edited(plain, name)))
  }

  @Test(
    "a word that is not known has a warning that names what is taken",
    arguments: [
      ("libgdx/snow.p", "shape: ", "donut", "Spawn Shape.shape", "emitted at a point"),
      ("libgdx/snow.p", "spriteMode: ", "twice", "Options.spriteMode", "'single' is used"),
      ("love/torch.lua", "setInsertMode(\"", "left", "setInsertMode", "'top' is used"),
      ("love/torch.lua", "setEmissionArea(\"", "star", "setEmissionArea", "emitted at a point"),
      ("love/torch.lua", "blendMode=\"", "burn", "entry.blendMode", "blended as alpha"),
      (
        "defold/torch.particlefx", "blend_mode: ", "BLEND_MODE_BURN", "blend_mode",
        "blended as alpha"
      ),
      (
        "defold/torch.particlefx", "mode: ", "PLAY_MODE_TWICE", "mode", "the standard value is used"
      ),
      ("pixi/torch.json", "\"blendMode\": \"", "burn", "blendMode", "blended as alpha"),
    ])
  func word(path: String, before: String, word: String, key: String, taken: String) throws {
    let text = try Self.fixture(path)
    let start = try #require(text.firstRange(of: before)?.upperBound, "\(before)")
    let rest = text[start...]
    let end = try #require(rest.firstIndex { !($0.isLetter || $0 == "_" || $0 == "-") })
    let new = text[..<start] + word + text[end...]
    let findings = try Self.imported(Array(new.utf8), Files.lastComponent(of: path)).diagnostics
    let finding = try #require(findings.first { $0.rule == .emitterValue }, "\(findings)")
    #expect(finding.severity == .warning && finding.found?.contains(word) == true)
    #expect(finding.detail?.hasSuffix(taken) == true, "\(finding)")
    #expect(finding.location.position?.description.contains(key) == true, "\(finding)")
  }

  // MARK: Keys that occur again

  @Test(
    "of equal keys the last counts, as in JavaScript, at any depth and with any of JSON's syntaxes")
  func repeated() throws {
    let designer = """
      {"maxParticles": 7, "particleLifespan": 2, "maxParticles": 100, "duration": -1,
       "startParticleSize": 5, "maxParticles" : 40, "speed": 9}
      """
    let read = try Self.imported(Array(designer.utf8), "a.json")
    #expect(read.system.emitters[0].emission.maxAlive == 40)
    let repeated = read.diagnostics.filter { $0.rule == .emitterRepeatedKey }
    #expect(repeated.map(\.location) == [.offset(1), .offset(43)])
    #expect(repeated.allSatisfy { $0.found == "'maxParticles'" && $0.severity == .warning })
    let new = String(decoding: try Self.edited(read, "a.json"), as: UTF8.self)
    #expect(new.ranges(of: "maxParticles").count == 1 && new.contains("\"angle\""), "\(new)")

    let options = """
      {"particles": {"number": {"value": 5, "value": 6}, // one
        "number": {"value": 9, "x": {"a": 1, "a": 2}, "value": 8}, "move": {"enable": true, "speed": 3}}}
      """
    let tree = try Self.imported(Array(options.utf8), "a.json")
    #expect(tree.system.asset.profile == .tsParticles)
    #expect(tree.diagnostics.count { $0.rule == .emitterRepeatedKey } == 4)
    let only = options.replacing("\"number\": {\"value\": 5, \"value\": 6}, // one", with: "")
      .replacing("\"value\": 9, ", with: "").replacing("\"a\": 1, ", with: "")
    let plain = try Self.imported(Array(only.utf8), "a.json")
    #expect(tree.system.emitters == plain.system.emitters)
  }

  @Test("of many such keys, a hundred are listed")
  func many() throws {
    let keys = (0..<250).map { _ in "\"speed\": 1" }.joined(separator: ", ")
    let text = "{\"maxParticles\": 9, \"particleLifespan\": 1, \(keys)}"
    let found = try Self.imported(Array(text.utf8), "a.json").diagnostics.filter {
      $0.rule == .emitterRepeatedKey
    }
    #expect(found.count == 101 && found.last?.found == "149")
  }

  @Test("documents are strict")
  func strict() {
    expectThrows(.json) { try ParticleSystem(decoding: Array("{\"a\": 1, \"a\": 2}".utf8)) }
    let text = Array("[{\"a\": 1, \"a\": 2}]".utf8)
    expectThrows(.json) { try JSONValue(parsing: text) }
    let unique = try? JSONParser.withoutRepeatedKeys(text, limits: .standard)
    #expect(unique.map { String(decoding: $0.text, as: UTF8.self) } == "[{        \"a\": 2}]")
  }

  // MARK: Files of which nothing is known

  @Test("a file of which no value is read is a loss of level high")
  func unknown() throws {
    let scene = """
      [gd_scene format=2]

      [node name="Smoke" type="CPUParticles2D"]
      config/count = 25
      config/life = 0.5

      """
    let read = try Self.imported(Array(scene.utf8), "a.tscn")
    let high = read.diagnostics.filter { $0.lossLevel == .high }
    #expect(high.map(\.rule) == [.uninterpreted] && high.first?.found == "2 values", "\(high)")
    #expect(high.first?.loss?.feature == "values")
    // One known value is enough, and without any value nothing is lost.
    for node in ["lifetime = 2.0\n", ""] {
      let text = scene.replacing("config/count = 25\n", with: node)
        .replacing("config/life = 0.5\n", with: node.isEmpty ? "" : "config/life = 0.5\n")
      let other = try Self.imported(Array(text.utf8), "a.tscn")
      #expect(other.diagnostics.allSatisfy { $0.lossLevel < .high }, "\(other.diagnostics)")
    }
    // The line of a conversion, and of the report.
    let exported = try read.package().exported(as: .cocos2d, fileName: "a.plist")
    let lines = LossLine.lines(of: exported.losses)
    #expect(
      lines.contains { $0.level == .high && $0.text.contains("no value of the file is known") })
  }
}
