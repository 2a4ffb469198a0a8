import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Commands")
struct CommandTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String..., input: [UInt8] = []) -> Outcome {
    Tool.particles.run(list: words, input: input)
  }

  private func file(_ name: String) -> String { scratch.file(name) }

  @Test("new creates a document in either form and never overwrites unasked")
  func new() throws {
    for form in Container.Form.allCases {
      let path = file("\(form)")
      let outcome = run("new", path, "--template", "fire", "--form", form.rawValue)
      #expect(outcome.status == .done && outcome.output.isEmpty)
      #expect(outcome.error == "created \(path) from 'fire' (4 files)\n")
      #expect(try Container(contentsOf: path).form == form)
      let again = run("new", path)
      #expect(again.status == .failed && again.error.contains("[file/exists]"))
      #expect(run("new", path, "--form", form.rawValue, "--force", "-q").status == .done)
    }
    let unknown = run("new", file("x"), "--template", "fier")
    #expect(unknown.status == .usage && unknown.error.contains("fire"))
    #expect(try Files.status(file("x")) == nil)
  }

  @Test("list shows paths, kinds and sizes, as text and as JSON")
  func list() throws {
    try Container(root: SampleTree.small()).write(to: file("a"), as: .flat)
    #expect(
      run("list", file("a")).output == """
        Images/
        Images/spark.png
        Notes/
        Notes/a/
        Notes/a/empty
        Notes/a-a.txt
        Notes/größe/
        Notes/latest
        Scripts/
        Scripts/check
        document.json

        """)
    let long = run("list", "-l", file("a")).output
    #expect(long.contains("x    17  Scripts/check\n"))
    #expect(long.contains("l        Notes/latest -> ../Images/spark.png\n"))
    let json = try JSONParser.parse(Array(run("list", "--json", file("a")).output.utf8))
    #expect(json.object?["version"] == .int(1))
    #expect(json.object?["entries"]?.array?.count == 11)
  }

  @Test("a list of many pieces is that of one")
  func longList() throws {
    let empty = FileNode(regularFileWithContents: [])
    let folder = try FileNode(
      directoryWithFileNodes: Dictionary(
        uniqueKeysWithValues: (1000..<5000).map { ("\($0).txt", empty) }))
    let root = try FileNode(directoryWithFileNodes: ["a folder of many": folder])
    try Container(root: root).write(to: file("a"), as: .flat)
    let lines = (1000..<5000).map { "a folder of many/\($0).txt\n" }
    let text = "a folder of many/\n" + lines.joined()
    #expect(run("list", file("a")).output == text)
    // A pipe takes each piece at once.
    let pieces = Lock<[Int]>([])
    let console = Console(
      input: Console.Source(isTerminal: false) { _ in [] },
      output: Console.Sink(isTerminal: false) { piece in pieces.withLock { $0.append(piece.count) }
      },
      error: Console.Sink(isTerminal: false) { _ in }, environment: [:])
    #expect(Tool.particles.run(["list", file("a")], console: console) == .done)
    let sizes = pieces.withLock(\.self)
    #expect(sizes.reduce(0, +) == text.utf8.count && sizes.allSatisfy { $0 <= 65_536 }, "\(sizes)")
  }

  @Test("extract gives one file to standard output, or entries to a folder")
  func extract() throws {
    try Container(root: SampleTree.small()).write(to: file("a"), as: .flat)
    #expect(run("extract", file("a"), "Scripts/check").output == "#!/bin/sh\nexit 0\n")
    let named = run("extract", file("a"), "Scripts/check", "-o", "-")
    #expect(named.output == "#!/bin/sh\nexit 0\n")
    #expect(run("extract", file("a"), "Notes").status == .usage)
    #expect(run("extract", file("a"), "Notes", "document.json").status == .usage)
    let missing = run("extract", file("a"), "nothing")
    #expect(missing.status == .failed && missing.error.contains("[tree/no-entry]"))

    #expect(run("extract", file("a"), "Notes/", "Scripts/check", "-o", file("out")).status == .done)
    let out = try Container(contentsOf: file("out")).root
    #expect(out.children?.map(\.name) == ["Notes", "Scripts"])
    #expect(out["Scripts/check"]?.isExecutable == true)
    #expect(out["Notes/latest"]?.symbolicLinkDestination == "../Images/spark.png")
    let again = run("extract", file("a"), "Scripts", "-o", file("out"))
    #expect(again.status == .failed && again.error.contains("[file/exists]"))
    #expect(run("extract", file("a"), "-f", "-o", file("out")).status == .done)
    #expect(try Container(contentsOf: file("out")).root.matchesContents(of: SampleTree.small()))
  }

  @Test("extract of one file looks at no other page of the tree")
  func extractOne() throws {
    var tree = FileNode.emptyDirectory
    for number in 1000..<1600 {
      try tree.setFileNode(
        FileNode(regularFileWithContents: Array("\(number)".utf8)), at: "files/\(number)")
    }
    var bytes = try Container(root: tree).encoded()
    // The first page: its entries are lost, but the rest can be read.
    bytes[Layout.headerSize + Layout.frameHeaderSize + 4] ^= 0xFF
    try Files.create(file("damaged.particles"), bytes)
    #expect(run("extract", file("damaged.particles"), "files//1599/").output == "1599")
    #expect(run("extract", file("damaged.particles"), "files/1000").status == .failed)
    #expect(run("extract", file("damaged.particles"), "files/1598", "files/1599").status == .failed)
    #expect(run("extract", file("damaged.particles"), "").status == .failed)
    #expect(run("list", file("damaged.particles")).status == .failed)
  }

  @Test("extract does not follow a link that stands in its way")
  func extractLinks() throws {
    try Container(root: SampleTree.small()).write(to: file("a"), as: .flat)
    try Files.makeDirectory(file("outside"))
    try Files.makeDirectory(file("out"))
    try Files.makeLink(file("out/Notes"), to: "../outside")
    #expect(run("extract", file("a"), "Notes", "-f", "-o", file("out")).status == .failed)
    try Files.makeDirectory(file("out/Scripts"))
    try Files.create(file("outside/check"), [1])
    try Files.makeLink(file("out/Scripts/check"), to: "../../outside/check")
    #expect(run("extract", file("a"), "Scripts", "-f", "-o", file("out")).status == .done)
    #expect(try Files.read(file("outside/check")) == [1])
    #expect(try Files.list(file("outside")) == ["check"])
  }

  @Test("pack, unpack and digest agree")
  func pack() throws {
    let tree = try SampleTree.small()
    try tree.write(toDirectory: file("dir"))
    #expect(run("pack", file("dir"), "-o", file("a")).status == .done)
    #expect(run("unpack", file("a"), "-o", file("again")).status == .done)
    let digest = try tree.treeDigest().description
    let outcome = run("digest", file("dir"), file("a"), file("again"))
    #expect(
      outcome.output == ["dir", "a", "again"].map { "\(digest)  \(file($0))\n" }.joined())
    #expect(run("pack", file("dir")).status == .usage)
    #expect(run("unpack", file("a")).status == .usage)
    let partial = run("digest", file("a"), file("none"), file("dir"))
    #expect(partial.status == .failed)
    #expect(partial.output.split(separator: "\n").count == 2)
  }

  @Test("a hyphen stands for standard input")
  func standardInput() throws {
    let tree = try SampleTree.small()
    let bytes = try Container(root: tree).encoded()
    let outcome = Tool.particles.run("digest", "-", input: bytes)
    #expect(outcome.output == "\(try tree.treeDigest())  -\n")
    #expect(run("verify", "-", input: bytes).status == .done)
    #expect(run("verify", "-", input: Array(bytes.dropLast())).status == .answerNo)
    #expect(run("unpack", "-", "-o", file("out"), input: bytes).status == .done)
    #expect(try Container(contentsOf: file("out")).root.matchesContents(of: tree))
  }

  @Test("verify looks at every byte, compact drops what is dead")
  func verify() throws {
    try Container(root: SampleTree.small()).write(to: file("a"), as: .flat)
    let fresh = try Files.read(file("a"))
    var package = try Container(contentsOf: file("a"))
    try package.root.setFileNode(FileNode(regularFileWithContents: [1]), at: "x")
    try package.save(mode: .append)
    package.root.removeFileNode(named: "x")
    try package.save(mode: .append)
    #expect(run("verify", file("a")).status == .done)
    #expect(run("compact", file("a")).status == .done)
    #expect(try Files.read(file("a")) == fresh)
    let fault = Repository.path("Fixtures/rules/container/checksum-block.particles")
    for words in [["verify", fault], ["verify", "--quick", fault]] {
      let outcome = Tool.particles.run(list: words)
      #expect(outcome.status == .answerNo && outcome.output.contains("[container/checksum]"))
    }
    #expect(run("verify", file("none")).status == .failed)
  }

  @Test(
    "a fault that the last save has replaced is refused by verify and by validate --strict alone")
  func replaced() throws {
    #expect(run("new", file("fire"), "--template", "fire").status == .done)
    // The kind of the entry is 9.
    let page: [UInt8] = [0, 1, UInt8(ascii: "a"), 9]
    let tree = try Container(contentsOf: file("fire")).root
    let bytes = try PackageForge.package(page: page, replacedBy: tree)
    try Files.create(file("a"), bytes)
    for words in [["info"], ["list"], ["digest"], ["validate"]] {
      let outcome = Tool.particles.run(list: words + [file("a")])
      #expect(outcome.status == .done, "\(words): \(outcome.output)\(outcome.error)")
    }
    for out in [["unpack", file("a"), "-o", file("b")], ["unpack", "-", "-o", file("c")]] {
      #expect(Tool.particles.run(list: out, input: bytes).status == .done)
    }
    #expect(
      run("digest", file("b")).output.prefix(64) == run("digest", file("c")).output.prefix(64))
    for words in [["verify"], ["verify", "--quick"], ["validate", "--strict"]] {
      let outcome = Tool.particles.run(list: words + [file("a")])
      #expect(outcome.status == .answerNo, "\(words)")
      #expect(outcome.output.contains("[container/index]"), "\(words): \(outcome.output)")
    }
    #expect(run("compact", file("a")).status == .done)
    #expect(run("verify", file("a")).status == .done)
  }

  @Test("unpack --recover saves what is intact, and says what is not")
  func recover() throws {
    let bytes = try Container(root: SampleTree.large()).encoded()
    try Files.create(file("cut"), Array(bytes.dropLast(bytes.count / 2)))
    #expect(run("unpack", file("cut"), "-o", file("out")).status == .failed)
    let outcome = run("unpack", "--recover", file("cut"), "-o", file("out"))
    #expect(outcome.status == .answerNo)
    #expect(
      outcome.error.contains("[tree/lost]") && outcome.error.contains("[container/truncated]"))
    #expect(try Container(contentsOf: file("out")).root["Cache/keys.txt"]?.contents?.size ?? 0 > 0)
  }

  @Test("levels differ in size alone")
  func levels() throws {
    try SampleTree.large().write(toDirectory: file("dir"))
    var sizes: [Int] = []
    for level in CompressionLevel.allCases {
      #expect(
        run("pack", file("dir"), "-o", file(level.rawValue), "--level", level.rawValue).status
          == .done)
      sizes.append(try #require(try Files.status(file(level.rawValue))).size)
      #expect(
        try Container(contentsOf: file(level.rawValue)).root.treeDigest()
          == SampleTree.large().treeDigest())
    }
    #expect(sizes == sizes.sorted(by: >) && Set(sizes).count == sizes.count)
  }

  @Test("validate says what is wrong, and the status says whether")
  func validate() throws {
    _ = run("new", file("a.particles"), "-t", "fire", "-q")
    let good = run("validate", file("a.particles"))
    #expect(good == Outcome(status: .done, output: "", error: "1 file: 0 errors, 0 warnings\n"))
    let fault = Repository.path("Fixtures/rules/tree/twins.particles")
    let bad = run("validate", fault, file("a.particles"))
    #expect(bad.status == .answerNo)
    #expect(bad.output.hasPrefix("\(fault):a.png: error: two names differ in case only"))
    #expect(bad.output.hasSuffix("[tree/twins]\n"))
    #expect(run("validate", file("none"), fault).status == .failed)
    let json = try JSONParser.parse(Array(run("validate", "--json", fault).output.utf8))
    #expect(json.object?["errors"] == .int(1))
    let torn = Repository.path("Fixtures/rules/container/torn.particles")
    #expect(run("validate", torn).output.contains("[container/torn]"))
  }

  @Test("validate finds packages of both forms in folders, and keeps their order")
  func validateFolders() throws {
    for folder in ["all", "all/b", "all/.hidden", "all/plain"] {
      try Files.makeDirectory(file(folder))
    }
    _ = run("new", file("all/c.particles"), "-q")
    _ = run("new", file("all/b/snow"), "-t", "snow", "--form", "directory", "-q")
    _ = run("new", file("all/.hidden/x.particles"), "-q")
    _ = run("new", file("all/flat"), "-q")
    try Files.makeLink(file("all/plain/link"), to: "..")
    try Files.create(file("all/plain/notes.txt"), Array("no package".utf8))
    try Files.create(file("all/a.particles"), Array("damaged".utf8))
    let outcome = run("validate", "--json", "-r", file("all"), file("all/flat"))
    #expect(outcome.status == .answerNo)
    let report = try JSONParser.parse(Array(outcome.output.utf8)).object
    #expect(
      report?["files"]?.array?.compactMap { $0.object?["path"]?.string }
        == ["all/a.particles", "all/b/snow", "all/c.particles", "all/flat", "all/flat"].map(file))
    #expect(run("validate", "-r", file("all/plain")).status == .answerNo)
    #expect(run("validate", file("all/b")).output.contains("[document/missing]"))
    #expect(run("validate", "-r", file("none")).status == .failed)
  }

  @Test("rules can be ignored, and warnings counted")
  func ignore() throws {
    let fault = Fixture.path("rules/image/mismatch.particles")
    #expect(run("validate", fault).status == .done)
    #expect(run("validate", "--strict", fault).status == .answerNo)
    let ignoring = run("validate", "--strict", "--ignore", "image/mismatch", fault)
    #expect(ignoring == Outcome(status: .done, output: "", error: "1 file: 0 errors, 0 warnings\n"))
    let unknown = run("validate", "--ignore", "image/mismtach", fault)
    #expect(unknown.status == .usage && unknown.error.contains("did you mean 'image/mismatch'?"))
  }

  @Test("findings as SARIF are a log of the standard, also of what could not be opened")
  func sarif() throws {
    let fault = Fixture.path("rules/document/range.particles")
    let outcome = run("validate", "--sarif", fault, file("none"))
    #expect(outcome.status == .failed)
    #expect(outcome.error.contains("[file/not-found]"))
    let log = try JSONParser.parse(Array(outcome.output.utf8))
    #expect(SARIFStructure.problems(of: log) == [])
    let results = log.object?["runs"]?.array?.first?.object?["results"]?.array
    #expect(
      results?.compactMap { $0.object?["ruleId"]?.string }
        == ["document/range", "file/not-found"])
    #expect(run("validate", "--sarif", "--json", fault).status == .usage)
  }

  @Test("convert goes from form to form without a change, and takes several files")
  func convert() throws {
    _ = run("new", file("a.particles"), "-t", "sparks", "-q")
    _ = run("new", file("b.particles"), "-t", "snow", "-q")
    #expect(
      run("convert", file("a.particles"), "-o", file("d"), "--form", "directory").status == .done)
    #expect(run("convert", file("d"), "-o", file("c.particles")).status == .done)
    #expect(try Files.read(file("c.particles")) == Files.read(file("a.particles")))

    let many = run("convert", file("a.particles"), file("b.particles"), "-o", file("many"))
    #expect(many.status == .done)
    #expect(try Files.list(file("many")) == ["a.particles", "b.particles"])
    #expect(run("convert", file("a.particles")).status == .usage)
    let unknown = run("convert", Repository.path("README.md"), "-o", file("x.particles"))
    #expect(unknown.status == .failed && unknown.error.contains("[convert/unknown-format]"))
    #expect(try Files.status(file("x.particles")) == nil)
  }

  @Test("info tells what a document is")
  func info() throws {
    _ = run("new", file("a.particles"), "-t", "smoke", "-q")
    let text = run("info", file("a.particles")).output
    #expect(text.contains("kind       flat package, "))
    #expect(text.contains("  Images/smoke-1.png  128 × 128  "))
    let json = try JSONParser.parse(Array(run("info", "--json", file("a.particles")).output.utf8))
    let row = json.object?["files"]?.array?.first?.object
    #expect(row?["name"] == "Smoke")
    #expect(row?["size"]?.int == (try Files.status(file("a.particles"))?.size))
  }

  @Test("templates of the user are listed, used by name, and broken ones are said to be so")
  func templates() throws {
    let folder = file("data/particles/templates")
    for path in [file("data"), file("data/particles"), folder] { try Files.makeDirectory(path) }
    let environment = ["XDG_DATA_HOME": file("data"), "XDG_DATA_DIRS": file("none")]
    func run(_ words: String...) -> Outcome {
      Tool.particles.run(list: words, environment: environment)
    }
    _ = run("new", "\(folder)/mine.particles", "-t", "snow", "-q")
    try Files.create("\(folder)/bad.particles", [1, 2, 3])
    let listing = run("templates")
    #expect(listing.status == .done && listing.output.contains("\nfire "))
    let lines = listing.output.split(separator: "\n").suffix(2)
    #expect(lines.first?.hasPrefix("bad ") ?? false)
    #expect(lines.first?.contains("broken: not a .particles package") ?? false)
    #expect(lines.last?.hasPrefix("mine ") ?? false)
    #expect(lines.last?.hasSuffix("\(folder)/mine.particles") ?? false)
    let json = try JSONParser.parse(Array(run("templates", "--json").output.utf8))
    let rows = json.object?["templates"]?.array ?? []
    #expect(rows.last?.object?["path"] == .string("\(folder)/mine.particles"))
    #expect(rows.dropLast().last?.object?["problem"]?.object?["code"] == "container/signature")

    #expect(
      run("new", file("a"), "-t", "mine").error == "created \(file("a")) from 'mine' (3 files)\n")
    #expect(try Files.read(file("a")) == Files.read("\(folder)/mine.particles"))
    #expect(run("new", file("b"), "-t", "bad").status == .failed)
    let unknown = run("new", file("b"), "-t", "mime")
    #expect(unknown.status == .usage && unknown.error.contains("did you mean 'mine'?"))
    #expect(try Files.status(file("b")) == nil)
  }

  @Test("templates and formats are listed")
  func listings() {
    #expect(run("templates").output.contains("fire"))
    #expect(run("formats").output.contains("scenekit"))
  }

  @Test("the reference in the specification is what the commands say")
  func reference() throws {
    let text = run("help", "--markdown").output
    try Golden.checkSection(
      "commands", of: "Spec/cli.md", is: String(text.reversed().drop(while: \.isNewline).reversed())
    )
  }

  @Test("every command shows help, and its examples name it", arguments: Command.all.map(\.name))
  func help(name: String) throws {
    let screen = run("help", name)
    #expect(screen.status == .done)
    #expect(screen == run(name, "--help"))
    let command = try #require(Tool.particles.command(name))
    // A heading has the examples of its commands.
    for command in command.subcommands.isEmpty ? [command] : command.subcommands {
      #expect(!command.examples.isEmpty)
      #expect(command.examples.allSatisfy { $0.commandLine.hasPrefix("particles \(command.path)") })
    }
  }
}
