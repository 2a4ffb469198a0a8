import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Commands on archives, and diff")
struct ArchiveCommandTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Container(root: SampleTree.small()).write(to: scratch.file("a.particles"), as: .flat)
  }

  private func run(_ words: String..., input: [UInt8] = []) -> Outcome {
    Tool.particles.run(list: words, input: input)
  }

  private func file(_ name: String) -> String { scratch.file(name) }

  private func digest(_ name: String) throws -> String {
    let outcome = run("digest", file(name))
    #expect(outcome.status == .done, "\(outcome.error)")
    return String(outcome.output.prefix(64))
  }

  @Test("convert goes to archives and back with the same digest, document or not")
  func convert() throws {
    for name in ["a.zip", "a.tar"] {
      let out = run("convert", file("a.particles"), "-o", file(name))
      let sentence = "converted \(file("a.particles")) to \(file(name))\n"
      #expect(out == Outcome(status: .done, output: "", error: sentence))
      #expect(run("convert", file(name), "-o", file("\(name).particles")).status == .done)
      #expect(
        try Files.read(file("\(name).particles")) == Files.read(file("a.particles")))
      #expect(
        run("convert", file(name), "-o", file("\(name).d"), "--form", "directory").status == .done)
      #expect(try digest(name) == digest("a.particles") && digest("\(name).d") == digest(name))
      #expect(run("convert", file("a.particles"), "-o", file(name)).status == .failed)
      #expect(run("convert", file("a.particles"), "-o", file(name), "-f").status == .done)
    }
    #expect(run("convert", file("a.zip"), "-o", file("b.tar")).status == .done)
    #expect(try Files.read(file("b.tar")) == Files.read(file("a.tar")))
  }

  @Test("effects in an archive have paths below it, and notes of engines are no documents")
  func searched() throws {
    let effect = try Files.read(Repository.path("Fixtures/effects/pex/snow.pex"))
    let tree = try FileNode(directoryWithFileNodes: [
      "bad.pex": FileNode(regularFileWithContents: Array("<particleEmitterConfig>".utf8)),
      "snow.pex": FileNode(regularFileWithContents: effect),
      "snow.pex.import": FileNode(regularFileWithContents: Array("[remap]".utf8)),
      "text.uid": FileNode(regularFileWithContents: Array("uid://a".utf8)),
    ])
    let name = file("a \"b\".zip")
    try Container(root: tree).write(to: file("tree.particles"), as: .flat)
    #expect(run("convert", file("tree.particles"), "-o", name).status == .done)
    for words in [
      ["validate", "-r", name], ["info", "-r", name, "--json"], ["validate", "-r", name, "--json"],
      ["convert", "-r", name, "--to", "starling", "-o", file("out"), "--dry-run", "--json"],
    ] {
      let outcome = Tool.particles.run(list: words)
      let text = outcome.output + outcome.error
      #expect(!text.contains("/.particles."), "\(words[0]): \(text)")
      #expect(!text.contains(".import"), "\(words[0]): \(text)")
      guard words.last == "--json" else {
        #expect(text.contains("a \"b\".zip/bad.pex"), "\(text)")
        continue
      }
      let json = try JSONParser.parse(Array(outcome.output.utf8))
      #expect(json.denseText.contains("b\\\".zip/bad.pex"), "\(words[0])")
      #expect(json.denseText.contains("text.uid") || words[0] != "convert")
    }
  }

  @Test("pack leaves out files of the system, unless they are wanted, and reports names")
  func packedNames() throws {
    try Files.makeDirectory(file("tree"))
    for name in [".DS_Store", "a", "b:c"] { try Files.create(file("tree/\(name)"), [1]) }
    let plain = run("pack", file("tree"), "-o", file("plain.particles"))
    #expect(plain.status == .done)
    #expect(plain.error.contains("left out .DS_Store, which"))
    #expect(plain.error.contains("tree:b:c: warning: not portable to other systems: "))
    #expect(run("list", file("plain.particles")).output == "a\nb:c\n")
    let all = run("pack", file("tree"), "-o", file("all.particles"), "--all")
    #expect(!all.error.contains("left out"))
    #expect(run("list", file("all.particles")).output == ".DS_Store\na\nb:c\n")
  }

  @Test("the options say what the names do not")
  func options() throws {
    #expect(run("convert", file("a.particles"), "-o", file("x"), "--to", "tar").status == .done)
    #expect(
      run("convert", file("x"), "-o", file("y.zip"), "--to", "particles", "--from", "tar").status
        == .done)
    #expect(try Container(contentsOf: file("y.zip")).form == .flat)
    #expect(run("convert", file("x"), "-o", file("z.particles"), "--from", "zip").status == .failed)
    for words in [["-o", file("q.zip"), "--form", "flat"], ["-o", file("q.tar.gz")]] {
      let outcome = Tool.particles.run(list: ["convert", file("a.particles")] + words)
      #expect(outcome.status == .usage)
    }
    let many = run("convert", file("a.particles"), file("x"), "-o", file("many"), "--to", "zip")
    #expect(many.status == .done)
    #expect(try Files.list(file("many")) == ["a.zip", "x.zip"])
    let formats = run("formats").output
    #expect(formats.contains("zip") && formats.contains("tar"))
  }

  @Test("archives pass through standard input and output")
  func streams() throws {
    let bytes = try Files.read(file("a.particles"))
    let archive = run("convert", "-", "-o", file("a.zip"), "--to", "zip", input: bytes)
    #expect(archive.status == .done)
    let zip = try Files.read(file("a.zip"))
    #expect(run("digest", "-", input: zip).output.prefix(64) == (try digest("a.particles"))[...])
    #expect(run("list", "-", input: zip).output.contains("Notes/latest\n"))
  }

  @Test("what an archive does not keep for everybody is said to those who ask")
  func remarks() throws {
    let verbose = run("convert", file("a.particles"), "-o", file("a.zip"), "--verbose")
    #expect(verbose.error.contains("Notes/latest: "))
    #expect(verbose.error.contains("a symbolic link [convert/fragile]"))
    let json = run("convert", file("a.particles"), "-o", file("b.zip"), "--json").output
    #expect(json.contains("convert/fragile"))
    #expect(run("convert", file("a.particles"), "-o", file("c.zip"), "--strict").status == .done)
  }

  @Test("a hostile archive is refused, and nothing is written")
  func hostile() throws {
    try Files.create(file("bad.zip"), ZIPForge.archive([.init("../evil", [1])]))
    let outcome = run("convert", file("bad.zip"), "-o", file("out"), "--form", "directory")
    #expect(outcome.status == .failed)
    #expect(outcome.error.contains("'../evil'") && outcome.error.contains("[tree/name]"))
    #expect(try Files.status(file("out")) == nil)
  }

  @Test("diff says nothing of equal trees, whatever their forms")
  func same() throws {
    for name in ["a.zip", "a.tar"] {
      _ = run("convert", file("a.particles"), "-o", file(name), "-q")
    }
    try SampleTree.small().write(toDirectory: file("dir"))
    for name in ["a.zip", "a.tar", "dir", "a.particles"] {
      #expect(
        run("diff", file(name), file("a.particles"))
          == Outcome(status: .done, output: "", error: ""))
    }
    let bytes = try Files.read(file("a.tar"))
    #expect(run("diff", file("dir"), "-", input: bytes).status == .done)
    #expect(run("diff", "-", "-", input: bytes).status == .usage)
    #expect(run("diff", file("dir"), file("none")).status == .failed)
    #expect(run("diff", file("dir"), Repository.path("README.md")).status == .failed)
    #expect(run("diff", file("dir")).status == .usage)
  }

  @Test("diff lists what differs, as text and as JSON")
  func different() throws {
    var tree = try SampleTree.small()
    try tree.setFileNode(FileNode(regularFileWithContents: [1]), at: "document.json")
    try tree.setFileNode(FileNode(regularFileWithContents: []), at: "Notes/latest")
    try tree.setFileNode(FileNode(regularFileWithContents: []), at: "new")
    tree.removeFileNode(named: "Scripts")
    try tree.write(toDirectory: file("b"))
    let outcome = run("diff", file("a.particles"), file("b"))
    #expect(
      outcome
        == Outcome(
          status: .answerNo,
          output: """
            ~ Notes/latest: link -> file
            - Scripts
            - Scripts/check
            ~ document.json: contents (22 -> 1 bytes)
            + new

            """, error: ""))
    let json = run("diff", "--json", file("a.particles"), file("b"))
    #expect(json.status == .answerNo)
    let object = try JSONParser.parse(Array(json.output.utf8)).object
    #expect(object?["version"] == .int(1))
    #expect(object?["old"]?.object?["digest"] == .string(try digest("a.particles")))
    let rows = object?["differences"]?.array
    #expect(rows?.count == 5)
    #expect(
      rows?[3] == [
        "path": "document.json", "change": "changed", "size": ["old": .int(22), "new": .int(1)],
      ])
  }

  @Test("diff compares effects of any format by their properties")
  func properties() throws {
    for name in ["old", "new"] { _ = run("new", file(name), "-t", "fire", "-q") }
    #expect(run("edit", file("new"), "emitters[0].emission.rate=120", "-q").status == .done)
    #expect(
      run("diff", file("old"), file("new"))
        == Outcome(
          status: .answerNo, output: "~ emitters[0].emission.rate: 95 -> 120 1/s\n", error: ""))
    let json = try JSONParser.parse(
      Array(run("diff", "--json", file("old"), file("new")).output.utf8))
    let property: JSONValue = [
      "key": "emitters[0].emission.rate", "change": "changed", "old": .int(95), "new": .int(120),
      "unit": "1/s",
    ]
    #expect(json.object?["properties"]?.array == [property])
    #expect(json.object?["differences"]?.array?.isEmpty == true)
    let source = Repository.path("Fixtures/cocos2d/ember.plist")
    #expect(run("convert", source, "-o", file("ember.particles"), "-q").status == .done)
    #expect(run("diff", source, file("ember.particles")).status == .done)
    let other = run("diff", source, Repository.path("Fixtures/cocos2d/ring.plist"))
    #expect(other.status == .answerNo)
    #expect(other.output.contains("\n~ emitters[0].emission.rate: 40 -> 50 1/s\n"))
  }

  @Test("an archive without a document becomes a package, and that is reported")
  func withoutDocument() throws {
    var tree = FileNode.emptyDirectory
    try tree.setFileNode(FileNode(regularFileWithContents: [1]), at: "fire/document.json")
    try tree.setFileNode(FileNode(regularFileWithContents: [2]), at: "notes.txt")
    try Container(root: tree).write(to: file("wrapped.particles"), as: .flat)
    #expect(run("convert", file("wrapped.particles"), "-o", file("w.zip")).status == .done)
    let converted = run("convert", file("w.zip"), "-o", file("w.particles"))
    #expect(converted.status == .done && converted.error.contains("[document/missing]"))
    let validated = run("validate", file("w.zip"))
    #expect(validated.status == .answerNo && validated.output.contains("[document/missing]"))
  }
}
