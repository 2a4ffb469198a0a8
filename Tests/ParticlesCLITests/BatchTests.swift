import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Folders of documents, which `convert`, `validate` and `info` find alike.
@Suite("Many documents")
struct BatchTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Files.makeDirectory(scratch.file("in"))
  }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }
  private func file(_ name: String) -> String { scratch.file(name) }

  private func create(_ name: String, _ text: String) throws {
    try Files.create(file("in/\(name)"), Array(text.utf8))
  }

  /// A package with an effect and an image.
  private func make(_ name: String, image: [UInt8] = [1]) throws {
    var emitter = Emitter(name: "Fire")
    emitter.sprites = [0]
    var system = ParticleSystem(name: "Fire", emitters: [emitter])
    system.images = [ImageReference(uri: "Images/smoke.png")]
    system.sprites = [Sprite(image: 0)]
    let package = try EffectPackage(system, images: ["Images/smoke.png": image])
    try package.container.write(to: file(name), as: .flat)
  }

  private func json(_ outcome: Outcome) throws -> JSONObject {
    try #require(try JSONParser.parse(Array(outcome.output.utf8)).object)
  }

  private func paths(_ object: JSONObject) -> [String] {
    (object["files"]?.array ?? []).compactMap { $0.object?["path"]?.string }.sorted()
  }

  private func unknown(_ object: JSONObject) -> [String] {
    (object["unknown"]?.array ?? []).compactMap(\.string).sorted()
  }

  @Test("damaged effects are errors, for every command; junk with a shared extension is unknown")
  func damaged() throws {
    for kind in ["sks", "scnp", "pex", "plist", "json"] { try create("a.\(kind)", "junk") }
    try create("b.plist", "<?xml version=\"1.0\"?><plist><dict><key>maxParticles</key><real>1")
    try create("b.sks", "bplist00\u{1}\u{2}")
    let validated = run("validate", "-r", file("in"))
    #expect(validated.status == .answerNo)
    #expect(validated.error.contains("5 files: 5 errors, 0 warnings; 2 unknown"))
    let converted = run("convert", "-r", file("in"), "-o", file("out"))
    #expect(converted.status == .failed)
    #expect(converted.error.hasSuffix("7 files: 0 converted, 5 failed, 2 unknown\n"))
    #expect(try Files.status(file("out")) == nil)
    #expect(run("info", "-r", file("in")).status == .failed)
  }

  @Test("validate, convert and info find the same documents, and count the other files")
  func sameSet() throws {
    try make("in/fire.particles")
    try make("in/no-extension")
    try create("Info.plist", "<plist><dict/></plist>")
    try create("package.json", "{\"name\": 1}")
    try create("notes.txt", "text")
    let commands = [
      ["validate", "-r", file("in"), "--json"], ["info", "-r", file("in"), "--json"],
      ["convert", "-r", file("in"), "--to", "scenekit", "-n", "--json"],
    ]
    for words in commands {
      let outcome = Tool.particles.run(list: words)
      #expect(outcome.status == .done, "\(outcome.error)")
      let object = try json(outcome)
      #expect(paths(object) == [file("in/fire.particles"), file("in/no-extension")])
      #expect(
        unknown(object) == ["Info.plist", "notes.txt", "package.json"].map { file("in/\($0)") })
      let text = Tool.particles.run(list: words.filter { $0 != "--json" } + ["-v"])
      for name in ["Info.plist", "notes.txt", "package.json"] {
        #expect(text.error.contains("not a document: \(file("in/\(name)"))"))
      }
      #expect(text.error.contains("3 unknown"))
    }
  }

  @Test("the numbers of a conversion add up")
  func sum() throws {
    for name in ["a", "b", "c"] { try make("in/\(name).particles") }
    try create("broken.pex", "junk")
    try create("notes.txt", "text")
    try create("package.json", "{}")
    _ = run("convert", file("in/b.particles"), "--to", "scenekit", "-o", file("out/"))
    let outcome = run(
      "convert", "-r", file("in"), "--to", "scenekit", "-o", file("out"), "--skip-existing",
      "--json")
    let summary = try #require(try json(outcome)["summary"]?.object)
    let expected: [String: JSONValue] = [
      "seen": 6, "converted": 2, "refused": 0, "failed": 1, "skipped": 1, "unknown": 2,
    ].mapValues(JSONValue.int)
    #expect(
      Dictionary(uniqueKeysWithValues: summary.members.map { ($0.key, $0.value) }) == expected)
    let files = try json(outcome)["files"]?.array ?? []
    #expect(
      files.compactMap { $0.object?["outcome"]?.string }
        == ["converted", "skipped", "failed", "converted"])
    #expect(outcome.error.contains("6 files: 2 converted, 1 failed, 1 skipped, 2 unknown"))
  }

  @Test("no documents at all is a negative result", arguments: ["validate", "info", "convert"])
  func nothing(_ command: String) throws {
    try create("notes.txt", "text")
    let more = command == "convert" ? ["-o", file("out")] : []
    let outcome = Tool.particles.run(list: [command, "-r", file("in")] + more)
    #expect(outcome.status == .answerNo)
    #expect(outcome.error.contains("no documents found"))
    #expect(try Files.status(file("out")) == nil)
  }

  @Test("--force never replaces the image of another effect")
  func foreignImages() throws {
    try make("A.particles", image: [1])
    try make("B.particles", image: [2])
    try Files.makeDirectory(file("out"))
    #expect(run("convert", file("A.particles"), "-o", file("out/A.scnp")).status == .done)
    let outcome = run("convert", file("B.particles"), "-o", file("out/B.scnp"), "--force")
    #expect(outcome.status == .done)
    #expect(outcome.error.contains("B-smoke.png"))
    #expect(try Files.read(file("out/smoke.png")) == [1])
    let b = try OpenedEffect(path: file("out/B.scnp")).package.container
    #expect(try b.root["Images/B-smoke.png"]?.contents?.bytes() == [2])
    let a = try OpenedEffect(path: file("out/A.scnp")).package.container
    #expect(try a.root["Images/smoke.png"]?.contents?.bytes() == [1])
  }

  @Test("--fail-fast stops, --keep-going does not")
  func stopping() throws {
    for name in ["a", "c"] { try make("in/\(name).particles") }
    try create("b.particles", "junk")
    let words = ["convert", "-r", file("in"), "--to", "scenekit", "-o"]
    let stopped = Tool.particles.run(list: words + [file("x"), "--fail-fast"])
    #expect(stopped.status == .failed)
    #expect(stopped.error.contains("3 files: 1 converted, 1 failed, 1 skipped"))
    #expect(try Files.list(file("x")).sorted() == ["a.scnp", "smoke.png"])
    let all = Tool.particles.run(list: words + [file("y"), "--keep-going"])
    #expect(all.status == .failed && all.error.contains("3 files: 2 converted, 1 failed"))
    let both = Tool.particles.run(list: words + [file("z"), "--keep-going", "--fail-fast"])
    #expect(both.status == .usage)
  }

  @Test("documents of the same name are converted, each to a name of its own")
  func sameNames() throws {
    try make("in/fire.particles")
    try make("in/smoke.particles")
    let pex = Repository.path("Fixtures/effects/pex")
    let name = try #require(try Files.list(pex).filter { $0.hasSuffix(".pex") }.min())
    try Files.create(file("in/fire.pex"), Files.read("\(pex)/\(name)"))
    let outcome = run("convert", "-r", file("in"), "--to", "spritekit", "-o", file("out"), "-v")
    #expect(outcome.status == .done, "\(outcome.error)")
    let names = try Files.list(file("out")).filter { $0.hasSuffix(".sks") }.sorted()
    #expect(names == ["fire-particles.sks", "fire-pex.sks", "smoke.sks"])
    #expect(outcome.error.contains("another document has the same name"))
  }

  @Test(
    "an extension that cannot be written is refused with a list of those that can",
    arguments: ["x.blend", "smoke3.png", "z.tar.xz", "a.b/fire.effect"])
  func extensions(_ name: String) throws {
    try make("fire.particles")
    let outcome = run("convert", file("fire.particles"), "-o", file(name))
    #expect(outcome.status == .usage)
    let kind = Files.pathExtension(of: name)
    #expect(outcome.error.contains("no format has the extension .\(kind)"))
    #expect(outcome.error.contains("hint: formats that can be written: .particles, .zip,"))
    #expect(try Files.list(scratch.path).sorted() == ["fire.particles", "in"])
  }

  @Test("new, edit and pack refuse them, too; a folder may have any name")
  func packageExtensions() throws {
    try make("fire.particles")
    for words in [
      ["new", file("a.png")], ["edit", file("fire.particles"), "-o", file("a.blend")],
      ["pack", file("fire.particles"), "-o", file("a.bin")],
    ] {
      let outcome = Tool.particles.run(list: words)
      #expect(outcome.status == .usage && outcome.error.contains("end the name in .particles"))
    }
    #expect(run("new", file("a.1"), "--form", "directory").status == .done)
    try make("in/b.particles")
    #expect(run("convert", "-r", file("in"), "-o", file("out-1.0")).status == .done)
    #expect(try Files.list(file("out-1.0")) == ["b.particles"])
    #expect(
      run("convert", file("fire.particles"), "-o", file("c.d"), "--form", "flat").status == .done)
  }

  @Test("a missing image is counted by itself and is no loss; --strict of validate refuses it")
  func missingImage() throws {
    let plist = """
      <plist><dict><key>maxParticles</key><real>10</real><key>particleLifespan</key><real>1</real>
      <key>emitterType</key><real>0</real><key>textureFileName</key><string>no.png</string></dict></plist>
      """
    try create("a.plist", plist)
    func status(_ words: String...) -> ExitStatus {
      Tool.particles.run(
        list: ["convert", "-r", file("in"), "-o", file("out"), "--force"] + words
      ).status
    }
    #expect(status() == .done)
    #expect(status("--max-loss", "info") == .done)
    let report = run("convert", "-r", file("in"), "-o", file("out"), "--force")
    #expect(report.error.contains("1 image not found in 1 effect; "))
    let dry = run("convert", file("in/a.plist"), "--to", "starling", "-n", "--json").output
    let document = try JSONParser.parse(Array(dry.utf8)).object?["files"]?.array?.first?.object
    #expect(document?["missingImages"] == .int(1))
    #expect(document?["files"]?.array?.count == 1)
    #expect(document?["outputs"] == .array([]))
    #expect(run("validate", "-r", file("in")).status == .done)
    #expect(run("validate", "-r", file("in"), "--strict").status == .answerNo)
  }
}
