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

@Suite("particles edit") struct EditCommandTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for form in ["flat", "directory"] {
      _ = run("new", file(form), "-t", "fire", "--form", form, "-q")
    }
  }

  private func file(_ name: String) -> String { scratch.file(name) }

  private func run(_ words: String..., input: [UInt8] = []) -> Outcome {
    Tool.particles.run(list: words, input: input)
  }

  private func rate(_ path: String) throws -> JSONValue {
    try EffectPackage(Container(contentsOf: path)).system().emitters[0].emission.rate.json
  }

  @Test("a change is saved in place, in either form", arguments: ["flat", "directory"])
  func inPlace(form: String) throws {
    let path = file(form)
    let outcome = run("edit", path, "emitters[0].emission.rate=120", "asset.author=Me")
    #expect(
      outcome
        == Outcome(
          status: .done, output: "",
          error: """
            emitters[0].emission.rate: 95 -> 120
            asset.author: not set -> "Me"
            saved \(path)

            """))
    #expect(try rate(path) == .int(120))
    let before = try Container(contentsOf: path).root.treeDigest()
    #expect(
      run("edit", path, "emitters[0].emission.rate=120").error == "nothing to change in \(path)\n")
    #expect(run("edit", path, "seed=3", "--dry-run").error.contains("seed: not set -> 3"))
    #expect(try Container(contentsOf: path).root.treeDigest() == before)
  }

  @Test(
    "what does not fit changes nothing, and says what and where", arguments: ["flat", "directory"])
  func refused(form: String) throws {
    let path = file(form)
    let before = try Container(contentsOf: path).root.treeDigest()
    let reference = run("edit", path, "seed=3", "emitters[0].sprites[0]=9")
    #expect(reference.status == .failed && !reference.error.contains("->"))
    #expect(
      reference.error.contains("\(path):document.json:emitters[0].sprites[0]: error: a reference"))
    #expect(run("edit", path, "emitters[0].emission.rate=many").error.contains("[document/type]"))
    let json = run("edit", path, "--json", "emitters[0].emission.rate=many")
    #expect(json.status == .failed && json.output.contains("\"saved\": false"))
    #expect(json.output.contains("\"code\": \"document/type\""))
    let key = run("edit", path, "emitters[0].emision.rate=1")
    #expect(key.status == .usage && key.error.contains("hint: did you mean 'emission'?"))
    let root = run("edit", path, "lifetime=5")
    #expect(root.error.contains("hint: did you mean 'emitters[0].lifetime'?"), "\(root.error)")
    #expect(run("edit", path, "seed").status == .usage)
    #expect(run("edit").status == .usage)
    #expect(run("edit", path, "--form", "flat", "seed=1").status == .usage)
    #expect(run("edit", path, "--image", file("none.png")).error.contains("[file/not-found]"))
    #expect(try Container(contentsOf: path).root.treeDigest() == before)
  }

  @Test("the result can go elsewhere, keeps its form, and replaces nothing unasked")
  func output() throws {
    let before = try Container(contentsOf: file("directory")).root.treeDigest()
    #expect(run("edit", file("directory"), "seed=3", "-o", file("new")).status == .done)
    #expect(try Container(contentsOf: file("new")).form == .directory)
    #expect(try Container(contentsOf: file("directory")).root.treeDigest() == before)
    #expect(run("edit", file("flat"), "seed=3", "-o", file("new")).status == .failed)
    #expect(
      run("edit", file("flat"), "seed=3", "-o", file("b"), "--form", "directory").status == .done)
    #expect(try Container(contentsOf: file("b")).form == .directory)
    let imported = Repository.path("Fixtures/scenekit/ember.particles")
    #expect(run("edit", imported, "seed=3", "-o", file("c")).status == .usage)
    #expect(run("edit", imported, "seed=3", "-o", file("c.particles")).status == .done)
    #expect(try Container(contentsOf: file("c.particles")).form == .flat)
    let bytes = try Files.read(file("flat"))
    #expect(run("edit", "-", "seed=3", input: bytes).error.contains("it is standard input"))
    #expect(run("edit", "-", "seed=3", "-o", file("d"), input: bytes).status == .done)
    #expect(try EffectPackage(Container(contentsOf: file("d"))).system().seed == 3)
  }

  @Test("the images of what is imported are looked for where one says, as 'convert' does")
  func images() throws {
    let source = try Files.read(Repository.path("Fixtures/starling/ember.pex"))
    let text = String(decoding: source, as: UTF8.self)
      .replacing("<texture name=\"\"", with: "<texture name=\"spark.png\"")
    try Files.create(file("a.pex"), Array(text.utf8))
    let picture = try Container(contentsOf: file("flat")).root["Images/ember.png"]
    try Files.makeDirectory(file("pictures"))
    try Files.create(
      file("pictures/spark.png"), try #require(try picture?.regularFileContents()))
    let lost = run("edit", file("a.pex"), "seed=3", "-o", file("lost.particles"))
    #expect(lost.status == .done && lost.error.contains("[convert/missing-image]"))
    let found = run(
      "edit", file("a.pex"), "seed=3", "--from", "starling", "-o", file("found.particles"),
      "--images",
      file("pictures"))
    #expect(found.status == .done && !found.error.contains("[convert/missing-image]"))
  }

  @Test("what is asked for the wrong way is refused before anything is said to be done")
  func order() {
    let form = run("edit", file("flat"), "--form", "flat", "seed=1", "--dry-run")
    #expect(form.status == .usage && !form.error.contains("seed:"))
    let swapped = run("edit", "seed=1", file("flat"))
    #expect(
      swapped.status == .usage && swapped.error.contains("name the document before the changes"))
  }

  @Test("several pictures are embedded by one edit, each for its emitter")
  func pictures() throws {
    let root = try Container(contentsOf: file("flat")).root
    var words: [String] = []
    for (index, name) in ["ember", "smoke"].enumerated() {
      let picture = try #require(try root["Images/\(name).png"]?.regularFileContents())
      try Files.create(file("own \(name).png"), picture)
      words += ["--image", "\(index)=\(file("own \(name).png"))"]
    }
    #expect(Tool.particles.run(list: ["edit", file("flat")] + words).status == .done)
    let edited = try Container(contentsOf: file("flat")).root
    let added = Set(edited["Images"]?.children?.map(\.name) ?? [])
      .subtracting(root["Images"]?.children?.map(\.name) ?? [])
    #expect(added == ["own ember.png", "own smoke.png"])
  }

  @Test("pictures, removals and changes together; as JSON, too")
  func together() throws {
    let picture = try #require(
      try Container(contentsOf: file("flat")).root["Images/ember.png"]?.regularFileContents())
    try Files.create(file("tongue.png"), picture)
    let outcome = run(
      "edit", file("flat"), "--json", "--image", "Flames=\(file("tongue.png"))", "--unset",
      "emitters[Smoke]", "emitters[Flames].size.width=12")
    #expect(outcome.status == .done)
    let json = try #require(try JSONParser.parse(Array(outcome.output.utf8)).object)
    #expect(json["saved"] == .bool(true) && json["path"] == .string(file("flat")))
    let keys = json["changes"]?.array?.compactMap { $0.object?["key"]?.string } ?? []
    #expect(
      keys == [
        "images[3]", "sprites[3]", "emitters[0].sprites", "emitters[0].size.width", "emitters[2]",
      ])
    #expect(
      json["images"]?.array == [
        [
          "uri": "Images/tongue.png", "replaced": .bool(false), "sprite": .int(3),
          "emitter": .int(0),
        ]
      ])
    #expect(run("validate", "--strict", file("flat")).status == .done)
  }

  @Test("--list shows keys with type, unit, range and default")
  func list() throws {
    let text = run("edit", "--list", "emitters[].emission.rate").output
    #expect(
      text.hasPrefix(
        """
        emitters[].emission.rate
            Value; 1/s; at least 0; default 0
            Particles per second.

        """))
    let json = try JSONParser.parse(Array(run("edit", "--list", "--json").output.utf8))
    let keys = json.object?["keys"]?.array ?? []
    #expect(keys.count == SettableKey.all().count)
    #expect(keys.allSatisfy { $0.object?["type"] != nil && $0.object?["summary"] != nil })
    #expect(run("edit", "--list", "nothing").status == .usage)
  }

  @Test("colours, wildcards and relative values; the digest guards against other edits")
  func changes() throws {
    let path = file("flat")
    let digest = run("digest", path).output.prefix(8)
    let outcome = run(
      "edit", path, "emitters[Flames].color=#ff8800", "emitters[*].emission.rate*=2", "seed+=1",
      "--if-unchanged", String(digest), "--json")
    #expect(outcome.status == .done)
    let json = try #require(try JSONParser.parse(Array(outcome.output.utf8)).object)
    #expect(
      json["changes"]?.array?.compactMap { $0.object?["key"]?.string } == [
        "emitters[0].color.base", "emitters[0].emission.rate", "emitters[1].emission.rate",
        "emitters[2].emission.rate", "seed",
      ])
    #expect(try rate(path) == .int(190))
    let saved = try Container(contentsOf: path).root.treeDigest().description
    #expect(json["digest"] == .string(saved))
    let refused = run("edit", path, "seed=9", "--if-unchanged", String(digest))
    #expect(refused.status == .failed && refused.error.contains("[file/changed]"))
    #expect(try Container(contentsOf: path).root.treeDigest().description == saved)
    for words in [
      ["--if-unchanged", "1234567"], ["--if-unchanged", "not a digest"], ["--timeout", "-1"],
      ["--timeout", "1", "-o", file("b")], ["--rewrite", "-o", file("b")],
    ] {
      #expect(Tool.particles.run(list: ["edit", path, "seed=9"] + words).status == .usage)
    }
    #expect(run("edit", path, "meshes[*].uri=a").error.contains("matches no element"))
  }

  @Test(
    "edits that would leave a value out of order are refused, and nothing is written",
    arguments: [
      "emitters[0].lifetime=5..1", "emitters[0].shape.arc=[360,0]", "emitters[0].shape.arc[0]=400",
      "emitters[0].size.width={\"from\":1,\"to\":2,\"range\":[9,2]}",
      "emitters[0].emission.jitter+=3",
      "emitters[0].size.width={\"from\":0,\"to\":1,\"curve\":{\"keys\":[[1,1],[0,0]]}}",
      "emitters[0].lifetime={\"oneOf\":[]}", "preview.fps=0", "sprites[0].grid.count=99",
    ])
  func unsound(change: String) throws {
    let path = file("flat")
    let before = try Files.read(path)
    let outcome = run("edit", path, change)
    #expect(outcome.status == .failed && outcome.error.contains("[document/"), "\(outcome.error)")
    #expect(try Files.read(path) == before)
    // The change fails for a file of another format, too.
    let other = file("ember.pex")
    try Files.create(other, Fixture.read("starling/ember.pex"))
    let edited = run("edit", other, change)
    #expect(edited.status != .done, "\(edited.error)")
    #expect(try Files.read(other) == Fixture.read("starling/ember.pex"))
  }

  @Test("a negative factor exchanges the ends of an interval")
  func intervals() throws {
    let path = file("flat")
    let outcome = run(
      "edit", path, "emitters[0].shape.arc=[10,90]", "emitters[0].shape.arc*=-1")
    #expect(outcome.status == .done, "\(outcome.error)")
    let system = try EffectPackage(Container(contentsOf: path)).system()
    #expect(system.emitters[0].shape.arc.lower == -90)
    #expect(system.emitters[0].shape.arc.upper == -10)
    #expect(run("validate", path).status == .done)
  }

  @Test("a number out of range is refused with its range, unless it is allowed, with a warning")
  func outOfRange() throws {
    let path = file("flat")
    let before = try Files.read(path)
    for change in [
      "emitters[0].emission.rate=-5", "emitters[0].emission.rate-=1e9",
      "emitters[0].emission={\"rate\": -5}",
    ] {
      let refused = run("edit", path, change)
      #expect(refused.status == .failed && refused.error.contains("expected at least 0, found -"))
      #expect(refused.error.contains("--allow-out-of-range saves it with a warning"), "\(refused)")
    }
    #expect(try Files.read(path) == before)
    let edited = run("edit", path, "emitters[0].emission.rate=-5", "--allow-out-of-range")
    let line = "emitters[0].emission.rate: warning: a value is out of range"
    #expect(edited.status == .done && edited.error.contains(line))
    let validated = run("validate", path)
    let place = "warning: emitters[0].emission.rate: a value is out of range"
    #expect(validated.status == .done && validated.output.contains(place))
    // It does not prevent further changes. Another number out of range is refused.
    #expect(run("edit", path, "asset.name=Other").status == .done)
    #expect(run("edit", path, "emitters[0].emission.rate=-6").status == .failed)
    // A plain number is an error of the document, but it can be saved.
    #expect(run("edit", path, "emitters[0].launch.spread=200").status == .failed)
    let plain = run("edit", path, "emitters[0].launch.spread=200", "--allow-out-of-range")
    #expect(plain.status == .done && plain.error.contains("expected 0 to 180, found 200"))
    #expect(run("edit", path, "emitters[0].launch.spread=20").status == .done)
  }
}
