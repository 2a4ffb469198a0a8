import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("The engine of a file, and what it does not read") struct EngineChoiceTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  private func list(_ keys: [String: String] = [:], named name: String = "a.plist") throws -> String
  {
    let plain = [
      "emitterType": "0", "maxParticles": "20", "particleLifespan": "1", "duration": "-1",
      "positionType": "0", "blendFuncSource": "1", "blendFuncDestination": "771",
      "startColorAlpha": "1", "startParticleSize": "8", "finishParticleSize": "8",
    ]
    let members = plain.merging(keys, uniquingKeysWith: { $1 }).sorted { $0.key < $1.key }.map {
      "<key>\($0)</key><real>\($1)</real>"
    }
    let text =
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(members.joined())</dict></plist>"
    try Files.create(scratch.file(name), Array(text.utf8))
    return scratch.file(name)
  }

  private func file(_ outcome: Outcome) throws -> JSONObject {
    let json = try JSONParser.parse(Array(outcome.output.utf8)).object
    return try #require(json?["files"]?.array?.first?.object)
  }

  @Test("info states the engine, the reason and the others, also of a package")
  func info() throws {
    let path = try list()
    let text = run("info", path).output
    #expect(text.contains("as cocos2d-x simulates it"))
    #expect(text.contains("cocos2d-x: no key or blend factor tells"))
    #expect(text.contains("cocos2d (blends in another way)") && text.contains("--engine"))
    let package = scratch.file("a.particles")
    #expect(run("convert", path, "-o", package, "-q").status == .done)
    for source in [path, package] {
      let found = try file(run("info", "--json", source))
      #expect(found["profile"] == "cocos2d-x")
      let engine = try #require(found["engine"]?.object)
      #expect(engine["profile"] == "cocos2d-x" && engine["ground"] == "usual")
      #expect(engine["reasons"]?.array?.isEmpty == false)
      #expect(
        engine["others"]?.array?.compactMap { $0.object?["profile"]?.string }
          == ["cocos2d", "cocos-creator"])
      #expect(engine["others"]?.array?.first?.object?["drawsEqually"] == .bool(false))
    }
    let pex = Repository.path("Fixtures/starling/ember.pex")
    #expect(try file(run("info", "--json", pex))["engine"] == nil)
  }

  @Test("--engine names the engine for info and convert, and a package keeps it")
  func profile() throws {
    let path = try list(["yCoordFlipped": "-1", "angle": "90", "speed": "10"])
    let found = try file(run("info", "--json", path, "--engine", "cocos2d"))
    #expect(found["profile"] == "cocos2d")
    #expect(found["engine"]?.object?["ground"] == "named")
    let package = scratch.file("a.particles")
    let outcome = run("convert", path, "--engine", "cocos2d", "-o", package)
    #expect(outcome.status == .done)
    #expect(outcome.error.contains("Without effect: cocos2d-html5 does not read yCoordFlipped: "))
    let system = try OpenedEffect(path: package).package.system()
    #expect(system.asset.profile == .cocos2d)
    #expect(system.emitters[0].launch.direction.angle == 90)
    let kept = try file(run("info", "--json", package))
    #expect(kept["engine"]?.object?["profile"] == "cocos2d")
    // The engine can be named for a package, too.
    let other = scratch.file("b.particles")
    #expect(run("convert", package, "--engine", "love", "-o", other, "-q").status == .done)
    #expect(try OpenedEffect(path: other).package.system().asset.profile == .love)
    #expect(run("info", path, "--engine", "none").status == .usage)
    // Another engine ignores a key that the engine of the file reads.
    #expect(!run("validate", path).output.contains("[convert/ignored]"))
    let validate = run("validate", path, "--engine", "cocos2d")
    #expect(validate.status == .done && validate.output.contains("[convert/ignored]"))
    #expect(validate.output.contains("cocos2d-html5 does not read yCoordFlipped: "))
  }

  @Test("a key that the engine does not read is shown by info, validate and convert")
  func ignoredKey() throws {
    let path = Repository.path("Fixtures/rules/convert/ignored.pex")
    let text = "Starling does not read yCoordFlipped: "
    let info = run("info", path).output
    #expect(info.contains("without effect\n  \(text)"), "\(info)")
    let validate = run("validate", path)
    #expect(validate.output.contains(text) && validate.output.contains("[convert/ignored]"))
    #expect(!validate.output.contains("the engine does not read"), "\(validate.output)")
    #expect(validate.status == .done && run("validate", "--strict", path).status == .answerNo)
    let convert = run("convert", path, "--to", "spritekit", "-o", scratch.file("a.sks"))
    #expect(convert.error.contains("Without effect: \(text)"), "\(convert.error)")
    // It is no loss.
    let strict = run(
      "convert", path, "--to", "starling", "--strict", "-o", scratch.file("a.pex"))
    #expect(strict.status == .done, "\(strict.error)")
  }

  @Test("info claims no particles for a stopped clock, and validate finds it")
  func stopped() throws {
    var emitter = Emitter(name: "still")
    emitter.emission.rate = 100
    emitter.lifetime = 2
    emitter.timing.speed = 0
    let package = try EffectPackage(ParticleSystem(name: "still", emitters: [emitter]))
    let path = scratch.file("still.particles")
    try package.container.write(to: path, as: .flat)
    #expect(run("info", path).output.contains("nothing, its clock is stopped"))
    #expect(try file(run("info", "--json", path))["alive"] == .double(0))
    #expect(run("validate", path).output.contains("[document/stopped]"))
    let scene = scratch.file("still.tscn")
    let text = """
      [gd_scene format=2]

      [node name="A" type="CPUParticles2D"]
      amount = 40
      lifetime = 2.0
      speed_scale = 0.0

      """
    try Files.create(scene, Array(text.utf8))
    #expect(try file(run("info", "--json", scene))["alive"] == .double(0))
    #expect(run("validate", scene).output.contains("[document/stopped]"))
  }
}
