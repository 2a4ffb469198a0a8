import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Edits of values at any depth of a text change their own text only.
@Suite struct TreeEditingTests {
  private func edited(_ path: String, _ edit: (inout ParticleSystem) -> Void) throws -> (
    old: String, new: String
  ) {
    let (imported, format) = try TreeCorpusTests.load(Repository.path("Fixtures/effects/\(path)"))
    var package = try imported.package()
    var system = imported.system
    edit(&system)
    try package.setSystem(system)
    let exported = try package.exported(as: format, fileName: Files.lastComponent(of: path))
    let bytes = try #require(exported.parts.first?.bytes)
    return (
      String(decoding: imported.source, as: UTF8.self), String(decoding: bytes, as: UTF8.self)
    )
  }

  /// Expects that an edit replaces one text, found once, by another.
  private func expect(
    _ path: String, _ old: String, becomes new: String,
    at location: SourceLocation = #_sourceLocation, _ edit: (inout ParticleSystem) -> Void
  ) throws {
    let texts = try edited(path, edit)
    #expect(texts.old.ranges(of: old).count == 1, sourceLocation: location)
    #expect(texts.new == texts.old.replacing(old, with: new), sourceLocation: location)
  }

  @Test func pixi() throws {
    try expect("pixi/torch.json", "\"value\": \"ff4400\"", becomes: "\"value\": \"#00ff00\"") {
      $0.emitters[0].color.base.gradient?.keys[1].color = Color(0, 1, 0)
    }
    try expect("pixi/torch.json", "\"radius\": 12", becomes: "\"radius\": 20") {
      $0.emitters[0].shape.radii = Vector2(20, 20)
      $0.emitters[0].shape.inner = 0.2
    }
    // The comment stays.
    try expect("pixi/shower-1.json", "\"max\": 0.9", becomes: "\"max\": 1.5") {
      $0.emitters[0].lifetime = .range(0.5, 1.5)
    }
    try expect("pixi/snow-2.json", "\"blendMode\": \"screen\"", becomes: "\"blendMode\": \"add\"") {
      $0.emitters[0].render.blend = Blend(.add)
    }
  }

  @Test("a libGDX file whose emitters get other names: both, the first one, the last one")
  func renamedLibGDX() throws {
    for renamed in [0..<2, 0..<1, 1..<2] {
      let text = try edited("libgdx/torch.p") { system in
        for index in renamed { system.emitters[index].name = "New \(index)" }
      }
      #expect(text.new.ranges(of: "New ").count == renamed.count)
      #expect(text.new.ranges(of: "- Delay -").count == 2)
    }
  }

  @Test func libGDX() throws {
    // Line ends and the older generation stay.
    try expect("libgdx/galaxy-1.p", "max: 200\r\n", becomes: "max: 250\r\n") {
      $0.emitters[0].emission.maxAlive = 250
    }
    // A share of two ranges is one value with them. Nothing else changes.
    let share = try edited("../engines/libgdx/effect-105.p") { $0.emitters[0].lifetime = 3.25 }
    let difference = share.new.split(separator: "\n").difference(
      from: share.old.split(separator: "\n"))
    let lines = difference.insertions.compactMap { change -> Substring? in
      guard case .insert(_, let line, _) = change else { return nil }
      return line
    }
    #expect(
      lines == [
        "lowMin: 0.0", "lowMax: 0.0", "highMin: 3250.0", "highMax: 3250.0", "scaling0: 1.0",
      ])
    let texts = try edited("libgdx/torch.p") { $0.emitters.removeLast() }
    #expect(texts.old.hasPrefix(texts.new.prefix(texts.new.count - 2)))
    #expect(!texts.new.contains("Smoke") && texts.new.contains("Flame"))
    let more = try edited("libgdx/torch.p") { system in
      var copy = system.emitters[0]
      copy.name = "More"
      system.emitters.append(copy)
    }
    #expect(more.new.hasPrefix(more.old.prefix(more.old.count - 2)))
    #expect(more.new.contains("\nMore\n- Delay -"))
  }

  @Test func love() throws {
    try expect("love/torch.lua", "setSpeed(60, 90)", becomes: "setSpeed(60, 95)") {
      $0.emitters[0].launch.speed = .range(60, 95)
    }
    try expect("love/torch.lua", "blendMode=\"alpha\"", becomes: "blendMode=\"screen\"") {
      $0.emitters[1].render.blend = Blend(.screen)
    }
    // A call that the file does not have follows the last one.
    let texts = try edited("love/torch.lua") { $0.emitters[1].render.sort = .youngestFirst }
    #expect(
      texts.new.contains("ps:setRelativeRotation(true)\nps:setInsertMode(\"bottom\")"))
    #expect(
      texts.new.replacing("\nps:setInsertMode(\"bottom\")", with: "") == texts.old)
  }

  @Test func defold() throws {
    try expect("defold/torch.particlefx", "mode: PLAY_MODE_ONCE", becomes: "mode: PLAY_MODE_LOOP") {
      $0.emitters[1].timing.loop = true
    }
    try expect(
      "defold/torch.particlefx", "points { y: 200.0 }\n    }\n  }",
      becomes: "points { y: 150 }\n    }\n  }"
    ) {
      $0.emitters[0].forces[1].maxDistance = 150
    }
  }

  @Test func quarks() throws {
    try expect("quarks/torch.json", "\"blending\": 2", becomes: "\"blending\": 1") {
      $0.emitters[0].render.blend = Blend(.alpha)
    }
    try expect("quarks/torch.json", "\"radius\": 0.25", becomes: "\"radius\": 0.5") {
      $0.emitters[0].shape.radius = 0.5
    }
    try expect("quarks/torch.json", "./textures/ember.png", becomes: "glow.png") {
      ($0.images[0].name, $0.images[0].uri) = ("glow", "Images/glow.png")
    }
  }

  @Test func tsParticles() throws {
    try expect("tsparticles/pair.json", "\"delay\": 0.25", becomes: "\"delay\": 0.125") {
      $0.emitters[1].emission.bursts[0].interval = 0.125
    }
  }

  @Test("a flat configuration of PixiJS gets the images of the package") func upgrade() throws {
    let (imported, _) = try TreeCorpusTests.load(
      Repository.path("Fixtures/effects/pixi/shower-1.json"))
    var package = try imported.package()
    var system = imported.system
    system.images = [ImageReference()]
    system.images[0].name = "https://example.org/art/spark.png"
    system.images[0].uri = "Images/spark.png"
    system.sprites = [Sprite(image: 0)]
    system.emitters[0].sprites = [0]
    try package.setSystem(system)
    let exported = try package.exported(as: .pixi, fileName: "shower.json")
    let json = try JSONParser.parse(try #require(exported.parts.first?.bytes))
    let behaviors = try #require(json.object?["behaviors"]?.array)
    func config(_ type: String) -> JSONObject? {
      behaviors.first { $0.object?["type"]?.string == type }?.object?["config"]?.object
    }
    #expect(config("textureSingle")?["texture"] == "https://example.org/art/spark.png")
    #expect(config("moveAcceleration")?["minStart"]?.double == 200)
    #expect(config("rotationStatic")?["min"]?.double == 200)
    #expect(config("noRotation") != nil)
    #expect(config("spawnShape")?["type"] == "torus")
    #expect(json.object?["spawnType"] == nil)
  }

  @Test("formats with one emitter get one file for each") func parts() throws {
    let (imported, _) = try TreeCorpusTests.load(Repository.path("Fixtures/effects/libgdx/torch.p"))
    let exported = try imported.package().exported(as: .pixi, fileName: "torch.json")
    #expect(exported.parts.map(\.name) == ["torch.json", "torch-2.json"])
    let all = try imported.package().exported(as: .defold, fileName: "torch.particlefx")
    #expect(all.parts.map(\.emitters) == [[0, 1]])
  }

  @Test("directions over life of libGDX come back; other engines report them as lost")
  func directions() throws {
    let torch = Repository.path("Fixtures/effects/libgdx/torch.p")
    let (imported, _) = try TreeCorpusTests.load(torch)
    var system = imported.system
    let turning = Track(from: .range(100, 140), to: 360, relative: true)
    system.emitters[0].motion.direction = turning
    system.emitters[0].launch.direction = Direction(angle: turning.from)
    system.emitters[0].rotation.align = .velocity
    var package = try imported.package()
    try package.setSystem(system)
    let exported = try package.exported(as: .libGDX, fileName: "torch.p")
    let again = try ParticleFormat.libGDX.decode(
      try #require(exported.parts.first?.bytes), DecodingContext(fileName: "torch.p"))
    let emitter = try #require(again.system.emitters.first)
    #expect(emitter.motion.direction == turning)
    #expect(emitter.launch.direction == Direction(angle: turning.from))
    #expect(emitter.rotation.align == .velocity)
    for format in [ParticleFormat.defold, .cocos2d, .godot3, .sceneKit, .unityCSharp] {
      let lost = try package.exported(as: format, fileName: "torch").losses
      #expect(lost.contains { $0.loss?.feature == "dirCurve" }, "\(format.name)")
    }
  }

  @Test(
    "damaged text is refused with its place",
    arguments: [
      (ParticleFormat.love, "local ps = love.graphics.newParticleSystem(image, 1"),
      (.love, "ps = a.newParticleSystem(i, 1) ps:setSpeed(\"1"), (.love, "--[[ newParticleSystem"),
      (.defold, "emitters { type: EMITTER_TYPE_BOX"), (.defold, "emitters { = }"),
      (.defold, "emitters { id: \"a\n\" }"), (.defold, "emitters { id }"),
    ])
  func damaged(format: ParticleFormat, text: String) {
    let fault = expectThrows(.emitterSyntax) {
      try format.decode(Array(text.utf8), DecodingContext(fileName: "a"))
    }
    #expect(fault?.location.position != nil)
  }
}
