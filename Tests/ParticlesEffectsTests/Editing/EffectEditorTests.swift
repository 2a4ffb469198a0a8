import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Editing by keys") struct EffectEditorTests {
  private func package(_ template: String = "fire") throws -> EffectPackage {
    try DrawnTemplates.package(template)
  }

  /// A package whose document is this text.
  private func package(document: String) throws -> EffectPackage {
    var root = FileNode.emptyDirectory
    try root.setFileNode(
      FileNode(regularFileWithContents: Array(document.utf8)), at: EffectPackage.documentPath)
    return EffectPackage(Container(root: root))
  }

  private func document(of package: EffectPackage) throws -> String {
    let bytes = try package.container.root[EffectPackage.documentPath]?.regularFileContents()
    return String(decoding: try #require(bytes), as: UTF8.self)
  }

  @Test("a launch that an orbit replaces has no effect, and that is noted")
  func inert() throws {
    var emitter = Emitter(name: "Ring")
    emitter.emission.rate = 10
    emitter.motion.mode = .orbit
    emitter.motion.orbit = Orbit()
    var editor = try EffectEditor(
      EffectPackage(ParticleSystem(name: "Ring", emitters: [emitter]), images: [:]))
    try editor.set("emitters[0].launch.speed", to: "50")
    let found = try editor.findings()
    #expect(found.contains { $0.rule == .inert && $0.severity == .note }, "\(found)")
    try editor.set("emitters[0].motion.mode", to: "ballistic")
    #expect(try editor.findings().allSatisfy { $0.rule != .inert })
  }

  @Test(
    "keys and values as people type them",
    arguments: [
      ("emitters[0].emission.rate", "120", "120"),
      ("emitters[Embers].lifetime", "0.5..2", #"{"min": 0.5, "max": 2}"#),
      (#"emitters["Smoke"].lifetime.max"#, "3.10", "3.10"),
      ("emitters[1].emission.rate", #"{"oneOf":[1,2]}"#, #"{"oneOf": [1, 2]}"#),
      ("emitters[0].render.blend.mode", "screen", #""screen""#),
      ("emitters[0].enabled", "false", "false"),
      ("preview.background", "#ff8000", "[1, 0.502, 0]"),
      ("preview.background", "#0f08", "[0, 1, 0, 0.5333]"),
      ("emitters[Flames].color", "#ff8000", "[1, 0.502, 0]"),
      ("asset.author", "1999", #""1999""#), ("asset.author", "null", nil),
      ("emitters[0].transform.translation[0]", "-.5", "-0.5"),
      ("emitters[0].timing.loop", "true", "true"),
      ("emitters[0].rotation.axis", "screen", #""screen""#),
      ("sprites[0].pivot[1]", "1", "1"),
      ("extras.note", "hello", #""hello""#), ("roots[+]", "0", "0"),
      ("emitters[0].shape.arc[1]", "90", "90"),
      ("extensions.VENDOR_thing", "[1]", "[1]"),
    ] as [(String, String, String?)])
  func values(key: String, value: String, result: String?) throws {
    var editor = try EffectEditor(package())
    try editor.set(key, to: value)
    #expect(editor.changes.last?.new?.text == (try result.map(lines)))
    #expect(try editor.findings().allSatisfy { $0.severity < .error })
    _ = try editor.package.system()
  }

  private func lines(_ json: String) throws -> String {
    try JSONParser.parse(Array(json.utf8)).text
  }

  @Test("only the changed property is rewritten, in documents of any program")
  func bytes() throws {
    let text = """
      {"asset": {"version":"1.0", "sparkle": 1.50e0},
       "emitters": [ {"name":"A", "emission" : {"rate": 1.0, "bursts":[]},
          "unknown" : {"deep": [1,  2,3.00]}, "lifetime": {"max": 2.0, "min": 1e0}} ],
       "x": "\\u0041"}
      """
    var editor = try EffectEditor(package(document: text))
    try editor.set("emitters[A].emission.rate", to: "25.50")
    #expect(
      try document(of: editor.package) == text.replacing("\"rate\": 1.0", with: "\"rate\": 25.50"))
    try editor.set("emitters[0].lifetime.max", to: "9")
    try editor.set("emitters[0].unknown.deep[1]", to: "7")
    let expected = text.replacing("\"rate\": 1.0", with: "\"rate\": 25.50")
      .replacing("\"max\": 2.0", with: "\"max\": 9").replacing("[1,  2,", with: "[1,  7,")
    #expect(try document(of: editor.package) == expected)
    #expect(editor.changes.map(\.key).first == "emitters[0].emission.rate")
  }

  @Test("a canonical document stays canonical", arguments: EffectTemplate.all.map(\.name))
  func canonical(name: String) throws {
    var editor = try EffectEditor(package(name))
    for (key, value) in [
      ("emitters[0].timing.loop", "true"), ("emitters[0].physics.mass", "2..3"),
      ("emitters[0].emission.bursts[+]", #"{"count": 5}"#), ("asset.author", "Somebody"),
      ("emitters[+]", #"{"name": "Another"}"#), ("emitters[Another].transform.scale[1]", "2"),
      ("seed", "18446744073709551615"), ("emitters[0].timing.delay", "1"),
    ] {
      try editor.set(key, to: value)
    }
    let system = try editor.package.system()
    #expect(try document(of: editor.package) == String(decoding: system.encoded(), as: UTF8.self))
    #expect(system.seed == .max && system.emitters.last?.transform.scale.y == 2)
    for key in ["emitters[0].timing.loop", "emitters[0].timing.delay", "asset.author"] {
      try editor.unset(key)
    }
    let again = try editor.package.system()
    #expect(try document(of: editor.package) == String(decoding: again.encoded(), as: UTF8.self))
  }

  @Test("unknown keys are refused with a suggestion")
  func unknownKeys() throws {
    for (key, hint) in [
      ("emitters[0].emision.rate", "did you mean 'emission'?"),
      ("emitters[Ember].enabled", "did you mean 'Embers'?"),
      ("emiters", "did you mean 'emitters'?"),
      ("emitters.emission", "name an element, such as emitters[0]"),
      ("emitters[3].name", "emitters[0] is the first; emitters[+] appends one"),
      ("emitters[0].launch.speed.min.x", "set it as a whole"), ("a..b", "keys look like"),
      ("preview.camera.fov.x", nil), ("preview.duration[0]", "set it as a whole"),
      ("seed[0]", nil), ("emitters[", "keys look like"), ("", "keys look like"),
      ("emitters[0]name", "keys look like"),
      (
        "emitters[0].emission.rate.min", "set it as a whole, such as emitters[0].emission.rate=1..2"
      ),
    ] as [(String, String?)] {
      var editor = try EffectEditor(package())
      do {
        try editor.set(key, to: "1")
        Issue.record("\(key) was set")
      } catch let diagnostic as Diagnostic {
        #expect(diagnostic.rule == .usage)
        #expect(
          hint.map { diagnostic.hint?.contains($0) ?? false } ?? (diagnostic.hint == nil),
          "\(key): \(diagnostic)")
      }
      #expect(editor.changes.isEmpty)
    }
  }

  @Test("invalid new values are reported, existing ones are not")
  func unfitting() throws {
    for (key, value, rule) in [
      ("emitters[0].emission.rate", "-5", Rule.range), ("emitters[0].launch.spread", "200", .range),
      ("emitters[0].sprites[0]", "9", .reference),
      ("emitters[0].color.base.gradient.keys[0][0]", "2", .keys),
      ("emitters[0].triggers[+]", #"{"event": "death", "emitter": 0}"#, .reference),
      ("images[0].sha256", "00", .imageMismatch),
    ] {
      var editor = try EffectEditor(package())
      if rule == .range {
        expectThrows(.range) { try editor.set(key, to: value) }
        expectThrows(.range) { try editor.set(key, value: .int(Int(value)!)) }
        #expect(editor.changes.isEmpty)
        editor.beyond = true
      }
      try editor.set(key, to: value)
      let findings = try editor.findings()
      #expect(findings.contains { $0.rule == rule }, "\(key): \(findings)")
      // Validation sets the severity: a Value out of range is clamped, a plain number is not. An edit that may put it there
      // warns.
      let checked = try Validator().check(editor.package).first { $0.rule == rule }
      let found = findings.first { $0.rule == rule }?.severity
      #expect(found == (rule == .range ? .warning : checked?.severity))
      let isWarning = key.hasSuffix("emission.rate") || rule == .imageMismatch
      #expect(checked?.severity == (isWarning ? .warning : .error))
      var next = try EffectEditor(editor.package)
      try next.set("asset.name", to: "Other")
      #expect(try next.findings().isEmpty)
    }
    // What cannot be told by one number is found with the document.
    var whole = try EffectEditor(package())
    try whole.set("emitters[0].emission", to: #"{"rate": -5}"#)
    #expect(try whole.findings().map(\.severity) == [.error])
    var editor = try EffectEditor(package())
    try editor.set("emitters[0].emission.rate", to: "many")
    #expect(try editor.findings().map(\.rule) == [.type])
    #expect(try editor.findings()[0].hint?.contains("1..4") == true)
    expectThrows(.type) { try editor.set("emitters[0].space", to: "wrld") }
    try editor.set("emitters[0].emission.rate", to: "1")
    #expect(try editor.findings().isEmpty)
  }

  @Test("references to elements after a removed one are adjusted")
  func removal() throws {
    var editor = try EffectEditor(package("rain"))
    expectThrows(.usage) { try editor.unset("emitters[1]") }
    try editor.unset("emitters[0].triggers[0]")
    try editor.unset("emitters[Ripples]")
    var system = try editor.package.system()
    #expect(system.emitters.map(\.name) == ["Rain", "Droplets"])
    #expect(system.emitters[0].triggers.map(\.emitter) == [1])
    try editor.unset("sprites[1]")
    try editor.unset("images[1]")
    system = try editor.package.system()
    #expect(system.emitters[1].sprites == [1] && system.sprites[1].image == 1)
    #expect(system.images.map(\.uri) == ["Images/streak.png", "Images/drop.png"])
    #expect(try editor.findings().allSatisfy { $0.severity < .error })
    expectThrows(.usage) { try editor.unset("asset.version") }
    expectThrows(.usage) { try editor.unset("images[0].uri") }
    let changes = editor.changes
    try editor.unset("emitters[0].motion")
    #expect(editor.changes == changes, "what is not there need not be removed")
  }

  private func picture(_ width: Int) throws -> [UInt8] {
    try PNG.encode(Bitmap(width: width, height: 4) { x, _ in (1, 0, 0, x) })
  }

  @Test("an image of the same name replaces the old one; any other is added")
  func images() throws {
    var editor = try EffectEditor(package())
    let old = try editor.package.system()
    var result = try editor.embed(picture(8), named: "work/flame.png")
    #expect(result.uri == "Images/flame.png" && result.isReplacement)
    #expect(result.sprite == 0 && result.emitter == nil)
    var system = try editor.package.system()
    #expect(system.images.count == 3 && system.images[0].width == 8)
    #expect(system.sprites == old.sprites && system.emitters == old.emitters)

    result = try editor.embed(picture(5), named: "spark.png", shownBy: "Embers")
    #expect(result.uri == "Images/spark.png" && !result.isReplacement)
    #expect(result.sprite == 3 && result.emitter == 1)
    system = try editor.package.system()
    #expect(system.emitters[1].sprites == [3] && system.sprites[3].image == 3)
    #expect(try editor.findings().isEmpty)

    var single = try EffectEditor(package("fireflies"))
    #expect(try single.embed(picture(5), named: "fly.png").emitter == 0)
    #expect(try single.findings().isEmpty)
    expectThrows(.image) { try single.embed(Array("no picture".utf8), named: "a.png") }
    expectThrows(.image) { try single.embed(PNG.signature + [1], named: "a.png") }
    expectThrows(.usage) { try single.embed(picture(5), named: "a.png", shownBy: "Nobody") }
    var blank = try EffectEditor(package("blank"))
    #expect(try blank.embed(picture(5), named: "a.png").emitter == 0)
    #expect(try blank.findings().isEmpty)
  }

  @Test("pictures of every format are embedded; TGA becomes PNG, and what is no picture is named")
  func formats() throws {
    func fixture(_ name: String) throws -> [UInt8] {
      try Files.read(Repository.path("Fixtures/images/\(name)"))
    }
    for (name, type, width) in [
      ("color.jpg", "image/jpeg", 40), ("lossy.webp", "image/webp", 13),
      ("plain.gif", "image/gif", 13), ("alpha.bmp", "image/bmp", 13),
    ] {
      var editor = try EffectEditor(package("blank"))
      _ = try editor.embed(fixture(name), named: name)
      let image = try #require(try editor.package.system().images.last)
      #expect(image.uri == "Images/\(name)" && image.mimeType == type && image.width == width)
      #expect(try editor.findings().isEmpty)
      expectThrows(.image) { try editor.embed(Array(fixture(name).prefix(90)), named: name) }
    }
    var editor = try EffectEditor(package("blank"))
    _ = try editor.embed(fixture("runs.tga"), named: "work/spark.tga")
    let path = "Images/spark.png"
    #expect(try editor.package.system().images.last?.uri == path)
    let stored = try #require(try editor.package.container.root[path]?.regularFileContents())
    #expect(try PNG.decode(stored) == PNG.decode(fixture("expected/runs.tga.png")))
    let pointer = Array("version https://git-lfs.github.com/spec/v1\noid sha256:5f\n".utf8)
    let fault = expectThrows(.image) { try editor.embed(pointer, named: "a.png") }
    #expect(fault?.found == "a Git LFS pointer; `git lfs pull` fetches the file")
    #expect(
      expectThrows(.image) { try editor.embed(Array("<svg/>".utf8), named: "a") }?.found
        == "an SVG picture; export it as PNG")
    let exr: [UInt8] = [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0]
    #expect(try editor.embed(exr, named: "a.exr").uri == "Images/a.exr")
  }

  @Test(
    "a picture takes the place of an image that was not found",
    arguments: ["Images/spark", "Images/spark.png", "Images/Spark.png"])
  func absentImages(uri: String) throws {
    var package = try package("blank")
    var system = try package.system()
    system.images = [ImageReference(name: "art/spark", uri: uri)]
    system.sprites = [Sprite(image: 0)]
    system.sprites[0].grid = SpriteGrid(columns: 2, rows: 2)
    system.emitters[0].sprites = [0]
    try package.setSystem(system)
    #expect(try Validator().check(package).map(\.rule) == [.absentImage])
    var editor = try EffectEditor(package)
    #expect(try editor.embed(picture(8), named: "work/spark.png").isReplacement)
    let image = try #require(try editor.package.system().images.first)
    #expect(image.uri == "Images/spark.png" && image.width == 8 && image.sha256 != nil)
    #expect(try editor.package.system().sprites == system.sprites)
    #expect(try Validator().check(editor.package).isEmpty)
  }

  @Test("every listed key resolves in a document")
  func keys() throws {
    let keys = SettableKey.all()
    #expect(keys.count > 150 && Set(keys.map(\.key)).count == keys.count)
    #expect(keys.contains { $0.key == "emitters[].emission.rate" && $0.unit == "1/s" })
    #expect(!keys.contains { $0.key == "emitters[].timing" })
    #expect(SettableKey.all("emitters[3].timing.l").map(\.key) == ["emitters[].timing.loop"])
    #expect(SettableKey.all("rate").allSatisfy { $0.key.contains(".rate") })
    let parts = SettableKey.all("emitters[].size.width").map(\.key)
    #expect(
      parts.contains("emitters[].size.width.from") && parts.contains("emitters[].size.width.rate"))
    #expect(SettableKey.all("nothing").isEmpty)
  }
}
