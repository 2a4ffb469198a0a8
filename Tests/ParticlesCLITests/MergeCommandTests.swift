import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("particles merge, and documents line by line") struct MergeCommandTests {
  private let scratch: Scratch
  private let merge: [String]

  init() throws {
    scratch = try Scratch()
    merge = ["merge"] + ["base", "ours", "theirs"].map { [scratch] in $0.path(in: scratch) }
    #expect(run("new", "base".path(in: scratch), "-t", "fire", "-q").status == .done)
  }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }
  private func run(_ words: [String], _ more: String...) -> Outcome {
    Tool.particles.run(list: words + more)
  }
  private func file(_ name: String) -> String { name.path(in: scratch) }

  /// Writes the base with changes as `name`.
  private func edit(_ name: String, _ changes: String...) {
    let outcome = run(["edit", file("base")] + changes, "-o", file(name), "-q")
    #expect(outcome.status == .done, "\(outcome.error)")
  }

  private func value(_ key: String, _ name: String = "result") throws -> JSONValue? {
    try EffectEditor(EffectPackage(Container(contentsOf: file(name)))).value(key)
  }

  @Test("changes of both sides are merged; the result has the form of ours")
  func both() throws {
    edit("ours", "emitters[Flames].emission.rate=90", "asset.author=Me")
    edit("theirs", "emitters[Flames].lifetime=2", "emitters[Smoke].name=Fumes")
    let outcome = run(merge, "-o", file("result"))
    #expect(
      outcome == Outcome(status: .done, output: "", error: "wrote \(file("result"))\n"))
    #expect(
      try value("emitters[0].emission.rate") == .int(90) && value("emitters[0].lifetime") == .int(2)
    )
    #expect(try value("emitters[Fumes].name") == "Fumes" && value("asset.author") == "Me")
    #expect(run(merge, "-o", file("result")).error.contains("[file/exists]"))
    #expect(
      run("convert", file("ours"), "-o", file("folder"), "--form", "directory", "-q").status
        == .done)
    let folder = ["merge", file("base"), file("folder"), file("theirs"), "-o"]
    #expect(run(folder, file("merged")).status == .done)
    #expect(try Files.status(file("merged"))?.kind == .directory)
    #expect(run("diff", file("merged"), file("result")).status == .done)
    // In place, as git does it.
    #expect(
      run(merge, "-o", file("ours"), "-f") == Outcome(status: .done, output: "", error: ""))
    #expect(run("diff", file("ours"), file("result")).status == .done)
  }

  @Test("what both have changed is listed with its values, and the result has ours")
  func conflict() throws {
    edit("ours", "emitters[Flames].emission.rate=90", "seed=1")
    edit("theirs", "emitters[Flames].emission.rate=10", "emitters[0].lifetime=2")
    let outcome = run(merge, "-o", file("result"))
    #expect(outcome.status == .answerNo && outcome.output.isEmpty)
    #expect(
      outcome.error.contains("emitters[0].emission.rate: 95 -> 90 in ours, 10 in theirs\n"))
    #expect(outcome.error.contains("1 conflict; the result has our values"))
    #expect(
      try value("emitters[0].emission.rate") == .int(90) && value("emitters[0].lifetime") == .int(2)
    )
    for (side, rate) in [("ours", 90), ("theirs", 10)] {
      let favored = run(merge, "-o", file("result"), "-f", "--favor", side)
      #expect(favored.status == .done && favored.error.contains("95 -> 90 in ours"))
      #expect(try value("emitters[0].emission.rate") == .int(rate) && value("seed") == .int(1))
    }
    let dry = run(merge, "--dry-run", "--json")
    #expect(dry.status == .answerNo)
    let json = try #require(JSONParser.parse(Array(dry.output.utf8)).object)
    let conflicts = json["conflicts"]?.array
    #expect(conflicts?.first?.object?["base"] == .int(95) && conflicts?.count == 1)
    #expect(json["saved"] == .bool(false) && json["path"] == nil)
  }

  @Test("files are merged as a whole, and added on both sides without a base")
  func files() throws {
    for name in ["ours", "theirs"] {
      var package = try Container(contentsOf: file("base"))
      for path in [name, "notes.txt"] {
        try package.root.setFileNode(
          FileNode(regularFileWithContents: Array(name.utf8)), at: path)
      }
      try package.write(to: file(name), as: .flat)
    }
    let outcome = run(merge, "-o", file("result"))
    #expect(outcome.error.contains("notes.txt: both sides have changed it\n"))
    let root = try Container(contentsOf: file("result")).root
    #expect(try root["notes.txt"]?.contents?.bytes() == Array("ours".utf8))
    #expect(root["ours"] != nil && root["theirs"] != nil)
    try Files.create(file("none"), [])
    let added = ["merge", file("none"), file("ours"), file("theirs"), "-n"]
    #expect(run(added).status == .answerNo)
    #expect(run("merge", file("none"), file("ours"), file("ours"), "-n").status == .done)
    #expect(run("merge", file("gone"), file("ours"), file("ours"), "-n").status == .failed)
    #expect(run("merge", "-", "-", file("ours"), "-n").status == .usage)
    #expect(run("merge", file("none"), file("ours"), file("ours")).status == .usage)
  }

  @Test("a merge that would break a reference writes nothing")
  func broken() throws {
    edit("ours", "emitters[Flames].sprites=[2]")
    // The last sprite is used by the smoke only, which goes with it.
    let removal = run(
      "edit", file("base"), "--unset", "emitters[Smoke]", "--unset", "sprites[2]", "-o",
      file("theirs"), "-q")
    #expect(removal.status == .done, "\(removal.error)")
    let outcome = run(merge, "-o", file("result"))
    #expect(outcome.status == .answerNo && outcome.error.contains("[document/reference]"))
    #expect(outcome.error.contains("nothing was written"))
    #expect(try Files.status(file("result")) == nil)
    #expect(run(merge, "-n", "--json").output.contains("document/reference"))
  }

  @Test("a thumbnail in the package is drawn again")
  func thumbnail() throws {
    #expect(run("thumbnail", "--embed", "-s", "16", file("base")).status == .done)
    edit("ours", "emitters[0].emission.rate=90")
    edit("theirs", "emitters[0].lifetime=3")
    #expect(run(merge, "-o", file("result")).status == .done)
    #expect(run("validate", "--strict", file("result")).status == .done)
  }

  @Test("--properties prints one line for each property and file, by names")
  func properties() throws {
    edit("ours", "emitters[Flames].emission.rate=90")
    let lines = ["base", "ours"].map { name in
      run("info", "--properties", file(name)).output.split(separator: "\n")
    }
    #expect(
      zip(lines[0], lines[1]).filter { $0 != $1 }.map { [$0, $1] } == [
        ["emitters[Flames].emission.rate: 95 1/s", "emitters[Flames].emission.rate: 90 1/s"]
      ])
    #expect(lines[0].count == lines[1].count && lines[0].count > 50)
    #expect(lines[0].last?.contains(/Images\/smoke\.png: \d+ bytes, sha256 [0-9a-f]{64}$/) == true)
    let imported = run("info", "--properties", Fixture.path("cocos2d/ember.plist"))
    #expect(imported.status == .done && imported.output.contains("emission.rate: "))
  }

  @Test("--allow-none takes it that there is nothing to check or to draw")
  func nothing() throws {
    try Files.makeDirectory(scratch.file("folder"))
    try Files.create(scratch.file("folder/a.c"), Array("int a;".utf8))
    #expect(run("validate", "-r", scratch.file("folder")).status == .answerNo)
    #expect(run("validate", "-r", "--allow-none", scratch.file("folder")).status == .done)
    let sarif = run("validate", "-r", "--allow-none", "--sarif", scratch.file("folder"))
    #expect(sarif.status == .done && sarif.output.contains("\"runs\""))
    #expect(
      run("thumbnail", "-r", "--allow-none", scratch.file("folder"), "-o", scratch.file("out"))
        .status == .done)
  }

  @Test("desktop files are staged below another root, without a record")
  func staged() throws {
    let words = ["desktop", "install", "--program", "/usr/bin/particles"]
    #expect(run(words, "--root", scratch.file("root")).status == .usage)
    let outcome = run(words, "--prefix", "/usr", "--root", scratch.file("root"))
    #expect(outcome.status == .done && outcome.output.contains("created  /usr/share/mime/packages"))
    let share = scratch.file("root") + "/usr/share"
    #expect(try Files.status(share + "/particles/desktop.json") == nil)
    let entry = String(
      decoding: try Files.read(share + "/applications/particles.desktop"), as: UTF8.self)
    #expect(entry.contains("\nTryExec=/usr/bin/particles\n") && !entry.contains(scratch.path))
    #expect(
      run(words, "--prefix", "/usr", "--root", scratch.file("root")).output.contains("unchanged"))
  }
}

extension String {
  fileprivate func path(in scratch: Scratch) -> String { scratch.file("\(self).particles") }
}
