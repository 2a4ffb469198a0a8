import ParticlesCLI
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("particles edit on files of other formats")
struct EditFileTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func file(_ name: String) -> String { scratch.file(name) }

  private func run(_ words: String...) -> Outcome {
    Tool.particles.run(list: words, environment: ["XDG_DATA_HOME": file("data")])
  }

  private func copy(_ fixture: String) throws -> (path: String, lines: [Substring]) {
    let path = file(Files.lastComponent(of: fixture))
    try Files.create(path, Fixture.read("effects/\(fixture)"))
    return (path, try lines(path))
  }

  private func lines(_ path: String) throws -> [Substring] {
    String(decoding: try Files.read(path), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test(
    "one changed value is one changed line, and can be undone",
    arguments: [
      ("pex/torch.pex", "emitters[0].forces[0].vector=[0,41]"),
      ("plist/torch.plist", "emitters[0].forces[0].vector=[0,41]"),
      ("pd-json/torch.json", "emitters[0].forces[0].vector=[0,41]"),
      ("godot/torch.tscn", "emitters[0].lifetime*=1.5"),
      ("love/torch.lua", "emitters[0].lifetime*=1.5"),
      ("phaser/torch.json", "emitters[0].lifetime*=1.5"),
      ("pixi/torch.json", "emitters[0].lifetime*=1.5"),
      ("quarks/torch.json", "emitters[0].lifetime*=1.5"),
      ("tsparticles/pair.json", "emitters[0].lifetime*=1.5"),
    ])
  func oneLine(fixture: String, change: String) throws {
    let (path, old) = try copy(fixture)
    let dry = run("edit", path, change, "--dry-run")
    #expect(dry.status == .done && dry.error.contains("nothing was written"), "\(dry.error)")
    #expect(try lines(path) == old)
    let edit = run("edit", path, change)
    #expect(edit.status == .done && edit.error.hasSuffix("saved \(path)\n"), "\(edit.error)")
    let new = try lines(path)
    #expect(new.count == old.count && zip(old, new).count { $0 != $1 } == 1, "\(edit.error)")
    #expect(
      try Files.list(scratch.path).sorted() == [Files.lastComponent(of: path), "data"].sorted())
    if change.hasSuffix("]") {
      #expect(run("edit", path, change).error == "nothing to change in \(path)\n")
    }
    #expect(run("undo", path).status == .done)
    #expect(try lines(path) == old)
  }

  @Test("an edit of a keyed archive stays one", arguments: ["sks/torch.sks", "scnp/torch.scnp"])
  func archive(fixture: String) throws {
    let (path, _) = try copy(fixture)
    let before = try OpenedEffect(path: path)
    #expect(run("edit", path, "emitters[0].lifetime=3").status == .done)
    let after = try OpenedEffect(path: path)
    #expect(after.kindName == before.kindName)
    #expect(try after.package.system().emitters[0].lifetime == .constant(3))
  }

  @Test("what the format cannot hold is an error, and nothing is written")
  func dropped() throws {
    let (path, old) = try copy("pex/torch.pex")
    let noise = #"emitters[0].forces[+]={"type":"noise","strength":40}"#
    let refused = run("edit", path, "emitters[0].launch.spread=7", noise)
    #expect(refused.status == .failed && refused.error.contains("noise is not supported"))
    #expect(refused.error.contains("\(path) was not changed: its format cannot hold the edit"))
    let nothing = run("edit", path, "asset.generator=Me")
    #expect(
      nothing.status == .failed && nothing.error.contains("was not changed"), "\(nothing.error)")
    let json = run("edit", path, noise, "--json")
    #expect(json.status == .failed && json.output.contains(#""saved": false"#))
    #expect(json.output.contains(#""code": "convert/lost""#))
    #expect(try lines(path) == old)
    // The hint is a way that works.
    let package = run("edit", path, noise, "-o", file("a.particles"))
    #expect(package.status == .done, "\(package.error)")
    #expect(try OpenedEffect(path: file("a.particles")).isPackage)
  }

  @Test("the result goes into another file of the format, with its image; a bare name is an error")
  func output() throws {
    let (path, old) = try copy("pex/torch.pex")
    try Files.create(file("ember.png"), Fixture.read("effects/pex/ember.png"))
    try Files.makeDirectory(file("out"))
    let change = "emitters[0].launch.spread=7"
    #expect(run("edit", path, change, "-o", file("out/b.pex")).status == .done)
    let new = try lines(file("out/b.pex"))
    #expect(zip(old, new).count { $0 != $1 } == 1 && old.count == new.count)
    #expect(try Files.list(file("out")).sorted() == ["b.pex", "ember.png"])
    #expect(run("edit", path, change, "-o", file("out/b.pex")).error.contains("[file/exists]"))
    let bare = run("edit", path, change, "-o", file("bare"))
    #expect(bare.status == .usage && bare.error.contains("bare.particles for a package"))
    #expect(bare.error.contains("bare.pex"))
    #expect(try lines(path) == old)
  }

  @Test("formats without a writer say what to do")
  func onlyRead() throws {
    let path = file("sparks.efkproj")
    try Files.create(path, Fixture.read("effekseer/sparks.efkproj"))
    let edit = run("edit", path, "emitters[0].lifetime=3")
    #expect(edit.status == .failed && edit.error.contains("can only be read"))
    #expect(edit.error.contains("hint: write a package with --output"))
    #expect(run("edit", path, "emitters[0].lifetime=3", "--rewrite").status == .usage)
    #expect(
      run("edit", path, "emitters[0].lifetime=3", "-o", file("a.particles")).status == .done)
  }

  // MARK: Rates

  private func rate(_ path: String, _ index: Int = 0) throws -> Double {
    try OpenedEffect(path: path).package.system().emitters[index].emission.rate.mean
  }

  @Test(
    "a factor for the rate is one for what the file holds, also where that is a capacity",
    arguments: [
      "pex/torch.pex", "plist/torch.plist", "pd-json/torch.json", "godot/torch.tscn",
      "love/torch.lua", "phaser/torch.json", "pixi/torch.json", "quarks/torch.json",
      "libgdx/torch.p", "defold/torch.particlefx", "sks/torch.sks", "scnp/torch.scnp",
    ])
  func rates(fixture: String) throws {
    for factor in [2, 0.5] {
      let path = file("\(factor)-\(Files.lastComponent(of: fixture))")
      try Files.create(path, Fixture.read("effects/\(fixture)"))
      let old = try rate(path)
      let edit = run("edit", path, "emitters[0].emission.rate*=\(factor)")
      #expect(edit.status == .done, "\(edit.error)")
      let new = try rate(path)
      #expect((new / old - factor).magnitude < 0.02, "\(old) became \(new): \(edit.error)")
      let format = try #require(try OpenedEffect(path: path).package.originalFormat()?.name)
      let derives = FormatRegistry.standard[format]?.capabilities?.derivesRate == true
      #expect(edit.error.contains("(the rate follows from it)") == derives, "\(edit.error)")
    }
  }

  @Test("formats whose engines derive the rate are those of the tables")
  func deriving() {
    let names = FormatRegistry.standard.formats.filter { $0.capabilities?.derivesRate == true }
    #expect(
      names.map(\.name) == ["cocos2d", "particle-designer", "starling", "godot4", "godot3"])
  }

  /// A scene of Godot with one node.
  private func scene(_ kind: String, _ format: Int, _ lines: String...) throws -> String {
    let path = file("\(kind)-\(format).tscn")
    let text = "[gd_scene format=\(format)]\n\n[node name=\"C\" type=\"\(kind)\"]\n"
    try Files.create(path, Array((text + lines.map { "\($0)\n" }.joined()).utf8))
    return path
  }

  @Test(
    "the capacity of Godot's nodes for CPU and GPU follows the rate, in the same line of the file",
    arguments: [
      ("CPUParticles2D", 3), ("CPUParticles2D", 2), ("CPUParticles3D", 3), ("CPUParticles", 2),
      ("GPUParticles2D", 3), ("Particles2D", 2), ("GPUParticles3D", 3), ("Particles", 2),
    ])
  func godot(kind: String, format: Int) throws {
    let path = try scene(kind, format, "amount = 50", "lifetime = 2.0")
    #expect(try rate(path) == 25)
    let old = try lines(path)
    let edit = run("edit", path, "emitters[0].emission.rate*=2")
    #expect(
      edit.error == """
        emitters[0].emission.rate: 25 -> 50
        emitters[0].emission.maxAlive: 50 -> 100 (the rate follows from it)
        saved \(path)

        """)
    let new = try lines(path)
    #expect(new == old.map { $0 == "amount = 50" ? "amount = 100" : $0 })
    #expect(try rate(path) == 50)
    let json = run("edit", path, "emitters[0].emission.rate=25", "--json")
    #expect(json.output.contains("\"key\": \"emitters[0].emission.maxAlive\""), "\(json.output)")
    #expect(try lines(path) == old)
    // A capacity of the edit is kept.
    let both = run("edit", path, "emitters[0].emission.rate=50", "emitters[0].emission.maxAlive=60")
    #expect(both.status == .done && !both.error.contains("follows"), "\(both.error)")
    #expect(try lines(path).contains("amount = 60"))
  }

  @Test("a rate that rounds to the present number of particles changes nothing")
  func rounded() throws {
    let path = try scene("CPUParticles2D", 3, "amount = 4", "lifetime = 1.0")
    let edit = run("edit", path, "emitters[0].emission.rate=4.1")
    #expect(edit.status == .failed && edit.error.contains("whole number of particles"))
  }

  @Test("bursts have no rate to multiply, and the change that works is named")
  func bursts() throws {
    let path = file("a.particles")
    _ = run("new", path, "-q")
    #expect(
      run(
        "edit", path, "emitters[0].emission.rate=0", #"emitters[0].emission.bursts=[{"count":8}]"#
      ).status == .done)
    let converted = file("a.json")
    #expect(run("convert", path, "-o", converted, "--to", "quarks").status == .done)
    for path in [path, converted] {
      let old = try Files.read(path)
      let edit = run("edit", path, "emitters[0].emission.rate*=2")
      #expect(edit.status == .answerNo && !edit.error.contains("stores nothing"), "\(edit.error)")
      let words = "emitters[0].emission.rate is 0, so there is nothing to multiply"
      #expect(edit.error.contains("\(words): the emitter emits bursts; use"), "\(edit.error)")
      #expect(try Files.read(path) == old)
      let other = run("edit", path, "emitters[0].emission.bursts[0].count*=2")
      #expect(other.status == .done, "\(other.error)")
      #expect(
        try OpenedEffect(path: path).package.system().emitters[0].emission.bursts[0].count == 16)
    }
  }

  @Test("a damaged file is not touched")
  func damaged() throws {
    let (_, old) = try copy("pex/torch.pex")
    let damaged = file("bad.pex")
    let bytes = Array(old.joined(separator: "\n").utf8.dropLast(40))
    try Files.create(damaged, bytes)
    #expect(run("edit", damaged, "emitters[0].lifetime=3").status == .failed)
    #expect(try Files.read(damaged) == bytes)
  }

  // MARK: Shared resources

  /// A scene whose material is another file of its project.
  private func sharedScene() throws -> (scene: String, material: String) {
    for folder in ["game", "game/fx", "game/mat"] { try Files.makeDirectory(file(folder)) }
    try Files.create(file("game/project.godot"), Array("config_version=5\n".utf8))
    try Files.create(
      file("game/mat/spark.tres"),
      Array(
        """
        [gd_resource type="ParticleProcessMaterial" format=3]

        [resource]
        spread = 15.0

        """.utf8))
    let scene = """
      [gd_scene load_steps=2 format=3]

      [ext_resource type="Material" path="res://mat/spark.tres" id="1_m"]

      [node name="Spark" type="GPUParticles2D"]
      amount = 50
      process_material = ExtResource("1_m")

      """
    try Files.create(file("game/fx/a.tscn"), Array(scene.utf8))
    return (file("game/fx/a.tscn"), file("game/mat/spark.tres"))
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path), as: UTF8.self)
  }

  @Test("a value of a shared resource is refused, edited where it is, or copied, and can be undone")
  func shared() throws {
    let (scene, material) = try sharedScene()
    let (oldScene, oldMaterial) = (try text(scene), try text(material))
    let change = "emitters[0].launch.spread=30"
    let refused = run("edit", scene, change)
    #expect(refused.status != .done && refused.error.contains("res://mat/spark.tres"))
    #expect(refused.error.contains("--shared edit"), "\(refused.error)")
    let edited = run("edit", scene, change, "--shared", "edit")
    #expect(edited.status == .done, "\(edited.error)")
    #expect(edited.error.contains("saved \(material), which other scenes may share"))
    #expect(edited.error.hasSuffix("nothing was changed in \(scene)\n"), "\(edited.error)")
    #expect(try text(scene) == oldScene)
    #expect(try text(material) == oldMaterial.replacing("15.0", with: "30.0"))
    #expect(run("undo", material).status == .done)
    #expect(try text(material) == oldMaterial)
    let copied = run("edit", scene, change, "--shared", "copy")
    #expect(copied.status == .done, "\(copied.error)")
    #expect(try text(material) == oldMaterial)
    #expect(try text(scene).contains("spread = 30.0") && !text(scene).contains("ext_resource"))
    let out = run("edit", scene, change, "--shared", "edit", "-o", file("b.tscn"))
    #expect(out.status == .usage, "\(out.error)")
  }

  @Test("several scenes are edited together, and a resource that they share is changed once")
  func batch() throws {
    let (first, material) = try sharedScene()
    let second = file("game/fx/b.tscn")
    try Files.create(second, Files.read(first))
    let (oldScene, oldMaterial) = (try text(first), try text(material))
    let changes = ["emitters[0].launch.spread*=2", "emitters[0].lifetime=3"]
    let refused = run("edit", first, second, changes[0])
    #expect(refused.status == .failed && refused.error.contains("--shared edit"))
    let edited = run("edit", first, second, changes[0], changes[1], "--shared", "edit", "--json")
    #expect(edited.status == .done, "\(edited.error)")
    #expect(edited.error.contains("saved \(material), which 2 of these documents share"))
    #expect(try text(material) == oldMaterial.replacing("15.0", with: "30.0"))
    for scene in [first, second] {
      #expect(try text(scene) == oldScene + "lifetime = 3.0\n")
    }
    let documents = try JSONParser.parse(Array(edited.output.utf8)).object?["documents"]?.array
    #expect(documents?.compactMap { $0.object?["path"]?.string } == [first, second])
    #expect(documents?.count { $0.object?["saved"] == JSONValue.bool(true) } == 2)
  }

  @Test("several documents are edited together, or none is")
  func batchOfOthers() throws {
    let (first, second) = (try copy("pex/torch.pex").path, try copy("libgdx/torch.p").path)
    let old = try [first, second].map { try Files.read($0) }
    let failed = run("edit", first, second, "emitters[9].lifetime=2")
    #expect(failed.status != .done)
    #expect(try [first, second].map { try Files.read($0) } == old)
    let bad = run("edit", first, second, "emitters[0].emission.rate=-5")
    #expect(bad.status == .failed)
    #expect(try [first, second].map { try Files.read($0) } == old)
    let dry = run("edit", first, second, "emitters[0].lifetime*=2", "--dry-run")
    #expect(dry.status == .done, "\(dry.error)")
    #expect(try [first, second].map { try Files.read($0) } == old)
    #expect(run("edit", first, second, "emitters[0].lifetime*=2").status == .done)
    #expect(try zip([first, second], old).allSatisfy { try Files.read($0) != $1 })
    let out = run("edit", first, second, "emitters[0].lifetime*=2", "-o", file("x.particles"))
    #expect(out.status == .usage && out.error.contains("one document"), "\(out.error)")
  }

  @Test("scenes that need different values of a shared resource are refused together")
  func conflict() throws {
    let (first, material) = try sharedScene()
    // The resource has half of the value in space.
    let second = file("game/fx/b.tscn")
    let extra = """

      [node name="Spark2" type="GPUParticles2D" parent="."]
      process_material = ExtResource("1_m")

      """
    try Files.create(second, Files.read(first) + Array(extra.utf8))
    let old = try text(material)
    let change = "emitters[1].launch.spread=30"
    #expect(run("edit", first, second, change, "--shared", "edit").status != .done)
    #expect(try text(material) == old)
  }

  @Test("--project names the root of a project, and refuses another folder")
  func project() throws {
    let (scene, _) = try sharedScene()
    let moved = file("a.tscn")
    try Files.create(moved, Files.read(scene))
    #expect(run("info", moved, "--json").output.contains("not found"))
    let found = run("info", moved, "--project", file("game"), "--json")
    #expect(found.status == .done && !found.output.contains("not found"), "\(found.output)")
    #expect(run("validate", moved, "--project", file("game")).error.contains("0 warnings"))
    let other = run("info", moved, "--project", file("game/fx"))
    #expect(other.status == .usage && other.error.contains("project.godot"), "\(other.error)")
  }
}
