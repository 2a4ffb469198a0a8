import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("convert")
struct ConversionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }
  private func file(_ name: String) -> String { scratch.file(name) }

  /// A package with an effect that SceneKit shows a little differently, and an image.
  private func make(_ name: String) throws {
    let folder = Files.folder(of: file(name))
    if try Files.status(folder) == nil { try Files.makeDirectory(folder) }
    var emitter = Emitter(name: "Fire")
    emitter.emission.rate = 10
    emitter.launch.speed = 100
    emitter.launch.spread = 20
    emitter.size.aspect = .ratio(1)
    emitter.sprites = [0]
    var system = ParticleSystem(name: "Fire", emitters: [emitter])
    system.images = [ImageReference(uri: "Images/dot.png")]
    system.sprites = [Sprite(image: 0)]
    let package = try EffectPackage(system, images: ["Images/dot.png": [1]])
    try package.container.write(to: file(name), as: .flat)
  }

  @Test("an effect becomes a file of another format, with its image beside, and comes back")
  func thereAndBack() throws {
    try make("fire.particles")
    let there = run("convert", file("fire.particles"), "-o", file("fire.scnp"))
    #expect(there.status == .done && there.output.isEmpty)
    #expect(there.error.contains("\(file("fire.particles")) to \(file("fire.scnp")), dot.png\n"))
    #expect(there.error.contains("  Approximated: spread of directions in the plane 20°, because "))
    #expect(
      there.error.hasSuffix(
        "converted \(file("fire.particles")) to \(file("fire.scnp")), dot.png\n"))
    #expect(try Files.list(scratch.path).sorted() == ["dot.png", "fire.particles", "fire.scnp"])
    #expect(run("convert", file("fire.scnp"), "-o", file("back.particles")).status == .done)
    #expect(run("convert", file("back.particles"), "-o", file("again.scnp")).status == .done)
    #expect(try Files.read(file("again.scnp")) == Files.read(file("fire.scnp")))
  }

  @Test("an output whose extension several formats have is an error that names all of them")
  func ambiguous() throws {
    try make("fire.particles")
    let writable = FormatRegistry.standard.formats.filter(\.canWrite)
    let kinds = Dictionary(
      grouping: writable.flatMap { format in format.extensions.map { ($0, format.name) } }, by: \.0
    ).mapValues { $0.map(\.1) }.filter { $0.value.count > 1 }
    #expect(Set(kinds.keys).isSuperset(of: ["swift", "lua", "json"]), "\(kinds)")
    for (kind, names) in kinds {
      let result = run("convert", file("fire.particles"), "-o", file("fire.\(kind)"))
      #expect(result.status == .usage, "\(kind)")
      #expect(result.error.contains("several formats have the extension .\(kind)"), "\(kind)")
      #expect(
        result.error.contains("choose one with --to: \(names.joined(separator: ", "))"),
        "\(result.error)")
      #expect(try Files.status(file("fire.\(kind)")) == nil, "\(kind)")
      // Each name is a next step that works.
      let out = file("\(kind)/fire.\(kind)")
      try Files.makeDirectory(Files.folder(of: out))
      for name in names {
        let next = run("convert", file("fire.particles"), "--to", name, "-o", out, "--force")
        #expect(next.status == .done, "\(name): \(next.error)")
      }
    }
  }

  @Test("the summary counts each document that --strict refuses")
  func refused() throws {
    try make("in/a.particles")
    let one = run("convert", "-r", file("in"), "--to", "scenekit", "--strict", "-o", file("out/"))
    #expect(one.status == .answerNo)
    #expect(one.error.contains("1 refused because of losses"), "\(one.error)")
    try make("in/b.particles")
    let two = run("convert", "-r", file("in"), "--to", "scenekit", "--strict", "-o", file("out/"))
    #expect(two.error.contains("2 refused because of losses"), "\(two.error)")
  }

  @Test("a dry run prints the report, the worst first, and writes nothing")
  func dryRun() throws {
    try make("fire.particles")
    let words = ["convert", file("fire.particles"), "--to", "scenekit", "--dry-run"]
    let short = Tool.particles.run(list: words)
    #expect(short.status == .done && short.error.isEmpty)
    let report = Tool.particles.run(list: words + ["--verbose"])
    #expect(report.status == .done)
    let lines = report.output.split(separator: "\n")
    let heading = "\(file("fire.particles")) becomes fire.scnp, dot.png; difference 0."
    #expect(lines.first?.hasPrefix(heading) == true, "\(lines)")
    // A single effect is measured.
    let sentences: [(Loss.Level, String)] = [
      (.info, "No visible change"), (.low, "Hardly visible ("),
      (.medium, "Visible side by side ("), (.high, "Looks different ("),
    ]
    let levels = lines.dropFirst().compactMap { line in
      sentences.first { line.contains(". \($0.1)") }?.0
    }
    let known = lines.dropFirst().filter { !$0.hasSuffix(". Not measured") }
    #expect(levels.count == known.count)
    #expect(levels.first == .medium && levels.last == .info)
    #expect(levels == levels.sorted(by: >))
    // Without --verbose, lines without a visible change become one line.
    let notes = levels.count { $0 == .info }
    #expect(notes > 1)
    let told = "  \(notes) technical notes that change nothing visible; --verbose lists them"
    #expect(
      short.output.split(separator: "\n").map(String.init)
        == lines.dropLast(notes).map(String.init) + [told])
    #expect(try Files.list(scratch.path) == ["fire.particles"])
  }

  @Test("losses of one effect are measured, those of several are estimated")
  func levels() throws {
    try make("in/fire.particles")
    func losses(_ words: String...) throws -> (bases: Set<String>, isMeasured: Bool) {
      try losses(words)
    }
    func losses(_ words: [String]) throws -> (bases: Set<String>, isMeasured: Bool) {
      let outcome = Tool.particles.run(
        list: ["convert", "--to", "scenekit", "-n", "--json"] + words)
      let document = try JSONParser.parse(Array(outcome.output.utf8)).object?["files"]?.array?.first
      let losses = (document?.object?["diagnostics"]?.array ?? []).compactMap { $0.object?["loss"] }
      return (
        Set(losses.compactMap { $0.object?["basis"]?.string }),
        document?.object?["difference"] != nil
      )
    }
    let one = try losses(file("in/fire.particles"), "-o", file("out.scnp"))
    #expect(one.isMeasured && one.bases.contains("measured"), "\(one)")
    for words in [["-o", file("out/")], ["--beside"]] {
      let named = try losses([file("in/fire.particles")] + words)
      #expect(named.isMeasured && named.bases.contains("measured"), "\(named)")
    }
    let several = try losses("-r", file("in"), "-o", file("out/"))
    #expect(!several.isMeasured, "\(several)")
    #expect(several.bases == ["estimated", "feature"], "\(several)")
    let quiet = Tool.particles.run(
      list: ["convert", "-q", file("in/fire.particles"), "-o", file("out.scnp")])
    #expect(quiet.status == .done && quiet.output.isEmpty && quiet.error.isEmpty)
  }

  @Test("a loss that cannot be measured is called so, and two empty effects are no equal ones")
  func unknown() throws {
    var emitter = Emitter(name: "a")
    (emitter.emission.rate, emitter.lifetime) = (10, 1)
    emitter.forces = [Force(.noise, strength: 9)]
    emitter.color.opacity = 0
    var package = try EffectPackage(ParticleSystem(name: "a", emitters: [emitter]))
    let path = file("a.particles")
    try package.container.write(to: path, as: .flat)
    func output() -> String {
      Tool.particles.run(
        list: ["convert", path, "--to", "pixi", "-n", "--measure", "-o", file("a.json")]
      ).output
    }
    let empty = output()
    #expect(!empty.contains("; difference"), "\(empty)")
    #expect(
      empty.contains("Not compared: nothing of the effect can be seen, neither before nor after"),
      "\(empty)")
    emitter.color.opacity = 1
    emitter.physics.collides = true
    package = try EffectPackage(ParticleSystem(name: "a", emitters: [emitter]))
    try package.container.write(to: path, as: .flat, replacing: true)
    let seen = output()
    #expect(seen.contains("; difference ") && !seen.contains("Not compared"), "\(seen)")
    #expect(seen.contains("Lost: collision, because ") && seen.contains("supported. Not measured"))
  }

  @Test("the status says whether more is lost than is allowed")
  func limits() throws {
    try make("fire.particles")
    func status(_ words: String...) -> ExitStatus {
      Tool.particles.run(
        list: ["convert", file("fire.particles"), "-o", file("out.scnp"), "-f"] + words
      ).status
    }
    #expect(status("--max-loss", "medium") == .done)
    #expect(status("--max-loss", "low") == .answerNo)
    #expect(try Files.status(file("out.scnp")) != nil)
    try Files.removeAll(file("out.scnp"))
    #expect(status("--max-loss", "low", "--strict") == .answerNo)
    #expect(status("--strict") == .answerNo)
    #expect(try Files.status(file("out.scnp")) == nil)
    #expect(status("--max-loss", "much") == .usage)
  }

  @Test("--measure gives a difference to the effect and to its lines, and a number as --max-loss")
  func measured() throws {
    try make("fire.particles")
    func run(_ words: String...) -> Outcome {
      Tool.particles.run(
        list: ["convert", file("fire.particles"), "-o", file("out.scnp"), "-f"] + words)
    }
    let text = run("--measure").error
    #expect(text.contains("; difference 0."))
    let outcome = run("--measure", "--json")
    let report = try JSONParser.parse(Array(outcome.output.utf8)).object
    let document = report?["files"]?.array?.first?.object
    let whole = try #require(document?["difference"]?.object?["difference"]?.double)
    #expect(whole > 0 && whole < 0.2)
    let similarity = document?["difference"]?.object?["similarity"]?.double ?? 0
    #expect((similarity - (1 - whole)).magnitude < 1e-9)
    let losses = document?["diagnostics"]?.array?.compactMap { $0.object?["loss"]?.object } ?? []
    let spread = try #require(losses.first { $0["path"] == "emitters[0].launch.spread" })
    #expect(spread["estimated"] == .bool(false) && spread["basis"] == "measured")
    #expect(try #require(spread["difference"]?.double) <= whole + 1e-4)
    #expect(losses.contains { $0["estimated"] == .bool(true) && $0["difference"] == nil })
    #expect(run("--max-loss", "0.9").status == .done)
    #expect(run("--max-loss", "0.0001").status == .answerNo)
    try Files.removeAll(file("out.scnp"))
    #expect(run("--max-loss", "0.0001", "--strict").status == .answerNo)
    #expect(try Files.status(file("out.scnp")) == nil)
    for word in ["1.1", "-1", "nan", ""] { #expect(run("--max-loss", word).status == .usage) }
  }

  @Test("simulate --against compares an effect with its written form, and with statistics of that")
  func against() throws {
    try make("fire.particles")
    #expect(run("convert", file("fire.particles"), "-o", file("fire.pex")).status == .done)
    let written = run("simulate", file("fire.particles"), "--against", file("fire.pex"))
    #expect(written.status == .done, "\(written.error)")
    let lines = written.output.split(separator: "\n")
    #expect(lines.count == EffectDifference.Aspect.allCases.count + 1)
    #expect(lines.last?.hasPrefix("difference 0.") == true)
    #expect(run("simulate", file("fire.pex"), "-o", file("fire.json")).status == .done)
    for words in [
      [file("fire.particles"), file("fire.json")], [file("fire.json"), file("fire.particles")],
      [file("fire.json"), file("fire.json")],
    ] {
      let outcome = run("simulate", words[0], "--against", words[1], "--json")
      let report = try JSONParser.parse(Array(outcome.output.utf8)).object
      let similarity = try #require(report?["similarity"]?.double)
      #expect(similarity > 0.9, "\(outcome.output)")
      #expect(report?["aspects"]?.object?["blending"] == nil)
    }
    let more = run("simulate", file("fire.pex"), "--against", file("fire.json"), "--work", "2")
    #expect(more.status == .done, "\(more.error)")
    let both = run("simulate", file("fire.pex"), "--against", file("fire.json"), "--seeds", "3")
    #expect(both.status == .usage)
    #expect(run("simulate", file("fire.pex"), "--against", file("none")).status == .failed)
  }

  @Test("--side-by-side draws the effect before and after, also in a dry run")
  func pictures() throws {
    try make("fire.particles")
    let dry = run(
      "convert", file("fire.particles"), "--to", "scenekit", "-n", "--side-by-side",
      file("both.gif"))
    #expect(dry.status == .done, "\(dry.error)")
    let bytes = try Files.read(file("both.gif"))
    // Two pictures of 256 pixels and a line of 2 between them.
    #expect(bytes.prefix(10) == [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x02, 0x02, 0x00, 0x01])
    #expect(try Files.list(scratch.path).sorted() == ["both.gif", "fire.particles"])
    for name in ["both.gif", "both.txt", "both.png"] {
      let again = run(
        "convert", file("fire.particles"), "--to", "scenekit", "-n", "--side-by-side", file(name))
      #expect(again.status == (name == "both.gif" ? .failed : .usage))
    }
  }

  @Test("the report as JSON has every line with what it is about")
  func json() throws {
    try make("fire.particles")
    let outcome = run("convert", file("fire.particles"), "-o", file("fire.scnp"), "--json")
    let report = try JSONParser.parse(Array(outcome.output.utf8)).object
    #expect(report?["worst"]?.object?["medium"] == .int(1))
    let document = report?["files"]?.array?.first?.object
    #expect(document?["outputs"]?.array?.count == 2)
    let lines = document?["diagnostics"]?.array?.compactMap(\.object) ?? []
    let line = lines.first { $0["loss"]?.object?["path"] == "emitters[0].launch.spread" }
    #expect(line?["code"] == "convert/approximated")
    #expect(line?["loss"]?.object?["feature"] == "spread2D")
    #expect(line?["loss"]?.object?["emitter"] == "Fire")
    #expect(line?["loss"]?.object?["level"] == "low")
  }

  @Test("a folder is converted into one like it; other files are skipped")
  func folder() throws {
    try Files.makeDirectory(file("in"))
    try make("in/a.particles")
    try make("in/deep/b.particles")
    try make("in/deep/c.particles")
    try Files.create(file("in/Info.plist"), Array("<plist><dict/></plist>".utf8))
    try Files.create(file("in/notes.txt"), [1])
    let outcome = run("convert", "-r", file("in"), "--to", "scenekit", "-o", file("out"))
    #expect(outcome.status == .done, "\(outcome.error)")
    #expect(
      outcome.error.contains("5 files: 3 converted, 2 unknown; 3 with differences side by side\n"))
    #expect(try Files.list(file("out/deep")).contains("b.scnp"))
    #expect(try Files.list(file("out")).contains("a.scnp"))
    // A damaged file is reported, and all sound files are converted.
    try Files.create(file("in/bad.scnp"), Array("bplist00".utf8))
    let again = run("convert", "-r", file("in"), "--to", "scenekit", "-o", file("out"), "-f")
    #expect(again.status == .failed)
    #expect(again.error.contains("bad.scnp"))
    #expect(again.error.contains("6 files: 3 converted, 1 failed, 2 unknown;"))
  }

  @Test("the matrix has a row for every capability and says the same as text and as JSON")
  func matrix() throws {
    let text = run("formats", "--matrix").output
    for capability in Capability.all { #expect(text.contains("  \(capability.id)")) }
    let json = try JSONParser.parse(Array(run("formats", "--matrix", "--json").output.utf8))
    let rows = json.object?["capabilities"]?.array ?? []
    #expect(rows.count == Capability.all.count)
    #expect(rows[0].object?["feature"] == "rate")
    #expect(rows[0].object?["formats"]?.object?["scenekit"] == "exact")
  }

  @Test("formats and info say how the law of each engine is known")
  func evidence() throws {
    let json = try JSONParser.parse(Array(run("formats", "--json").output.utf8))
    let formats = json.object?["formats"]?.array ?? []
    for format in formats {
      let name = format["name"]?.string ?? ""
      let engines = format["engines"]?.array ?? []
      #expect(
        engines.isEmpty == ["particles", "zip", "tar", "unitypackage"].contains(name), "\(name)")
      for engine in engines {
        #expect(engine["law"]?.array?.isEmpty == false)
        for line in engine["law"]?.array ?? [] {
          let evidence = line["evidence"]?.string ?? ""
          #expect(EngineLaw.Evidence(rawValue: evidence) != nil && evidence != "specified")
        }
      }
    }
    let phaser = formats.first { $0["name"] == "phaser" }
    #expect(phaser?["engines"]?.array?[0]["law"]?.array?[0]["evidence"] == "recorded")
    let cocos = formats.first { $0["name"] == "cocos2d" }
    #expect(cocos?["engines"]?.array?.map { $0["profile"]?.string }.contains("cocos2d") == true)
    let info = try JSONParser.parse(
      Array(run("info", "--json", "-r", Repository.path("Fixtures/effects/defold")).output.utf8))
    let law = info["files"]?.array?.first?["evidence"]?.array?.first
    #expect(law?["engine"] == "Defold" && law?["law"]?.array?[0]["evidence"] == "assumed")
  }
}

extension JSONValue {
  fileprivate subscript(key: String) -> JSONValue? { object?[key] }
}
