import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesCLI

/// With `--json`, standard output is one document of `Spec/schema/output.schema.json`, also if the
/// command fails.
@Suite("JSON output")
struct JSONOutputTests {
  private static let schemaPath = "Spec/schema/output.schema.json"

  /// Command lines without `--json`, by command: successes first, then failures. `@` is the folder with
  /// the files of `prepare`.
  static let lines: [(command: String, successes: [[String]], failures: [[String]])] = [
    (
      "new", [["@/new.particles", "--template", "snow"], ["@/notes.txt"]],
      [["@/no/folder.particles"], []]
    ),
    ("templates", [[]], [["extra"]]),
    (
      "edit",
      [
        ["@/fire.particles", "emitters[0].emission.rate=50", "--dry-run"],
        ["@/fire.particles", "--image", "@/dot.png", "-o", "@/edited.particles"],
        ["--list", "emitters[].emission"],
      ],
      [
        ["@/none.particles", "seed=1"], ["@/fire.particles", "emitters[0].launch.spread=200"],
        ["@/fire.particles", "nothing=1"],
      ]
    ),
    (
      "undo", [["@/fire.particles"], ["@/fire.particles", "--list"]],
      [["@/none.particles"], ["@/imported.particles"], []]
    ),
    ("redo", [["@/fire.particles"]], [["@/fire.particles"], []]),
    (
      "versions",
      [
        ["@/fire.particles"], ["@/fire.particles", "show", "1"], ["@/fire.particles", "prune"],
        ["@/fire.particles", "restore", "1"], ["--all"], ["@/fire.particles", "verify"],
        ["@/fire.particles", "repair"],
      ],
      [["@/fire.particles", "restore", "99"], ["@/fire.particles", "restore"], []]
    ),
    ("recovery", [[], ["list"]], [["drop", "none"], ["restore"]]),
    (
      "duplicate", [["@/fire.particles", "@/copy.particles"]],
      [["@/fire.particles", "@/copy.particles"], ["@/none.particles"]]
    ),
    (
      "rename", [["@/copy.particles", "renamed"]],
      [["@/renamed.particles", "fire"], ["@/renamed.particles", ".x"]]
    ),
    (
      "move", [["@/renamed.particles", "@/moved.particles"]],
      [["@/moved.particles", "@/fire.particles"], ["@/none.particles", "@/x.particles"]]
    ),
    (
      "info",
      [
        ["@/fire.particles", "@/imported.particles"], ["@/imported.particles", "--properties"],
      ],
      [["@/none.particles"], ["@/fire.particles", "@/none.particles"]]
    ),
    ("validate", [["@/fire.particles", "@/imported.particles"]], [["@/none"], ["@/damaged"], []]),
    ("index", [["@/indexed"], []], [["@/none"], ["@/indexed", "--database", "@/dot.png"]]),
    (
      "find", [["alive>0"], ["name:fire", "@/indexed", "--limit", "1"]],
      [["nothing"], ["alive>"], ["a", "@/folder"], ["a", "--database", "@/dot.png"]]
    ),
    ("list", [["@/fire.particles"], ["@/link"]], [["@/none"], ["--unknown"]]),
    ("digest", [["@/fire.particles", "@/link"]], [["@/none", "@/fire.particles"]]),
    (
      "diff", [["@/fire.particles", "@/fire.particles"]],
      [["@/fire.particles", "@/link"], ["@/fire.particles", "@/none"]]
    ),
    (
      "merge",
      [
        [
          "@/fire.particles", "@/fire.particles", "@/imported.particles", "-o", "@/merge.particles",
        ],
        [
          "@/edited.particles", "@/fire.particles", "@/imported.particles", "-n", "--favor",
          "theirs",
        ],
      ],
      [
        ["@/edited.particles", "@/fire.particles", "@/imported.particles", "-n"],
        ["@/fire.particles", "@/none", "@/fire.particles", "-n"], ["@/fire.particles"],
      ]
    ),
    ("verify", [["@/fire.particles"]], [["@/damaged", "@/none", "@/fire.particles"]]),
    (
      "convert", [["@/fire.particles", "--to", "cocos2d", "--dry-run"]],
      [["@/none", "--to", "cocos2d", "-o", "@/out.plist"], ["@/fire.particles"]]
    ),
    (
      "extract", [["@/fire.particles", "document.json", "-o", "@/extracted"]],
      [
        ["@/fire.particles", "document.json"], ["@/fire.particles", "none", "-o", "@/rest"],
        ["@/none", "-o", "@/rest"],
      ]
    ),
    (
      "pack", [["@/folder", "-o", "@/packed.particles"]],
      [["@/folder", "-o", "-"], ["@/none", "-o", "@/no.particles"], ["@/folder"]]
    ),
    (
      "unpack", [["@/fire.particles", "-o", "@/unpacked"]],
      [["@/damaged", "-o", "@/no"], ["--recover", "@/damaged", "-o", "@/part"], ["@/damaged"]]
    ),
    (
      "compact", [["@/fire.particles"]],
      [["@/none.particles", "@/fire.particles"], ["@/link"], ["@/damaged"]]
    ),
    (
      "thumbnail", [["@/fire.particles", "@/fire.png", "--size", "32"]],
      [["@/fire.particles", "-"], ["@/none", "@/none.png"], ["@/fire.particles", "@/fire.jpg"]]
    ),
    (
      "render",
      [
        ["@/fire.particles", "-o", "@/fire-still.png", "--size", "16"],
        [
          "@/fire.particles", "-o", "@/fire.gif", "--size", "8", "--duration", "0.1", "--fps", "10",
        ],
        ["@/fire.particles", "-o", "@/fire.html", "--size", "8"],
      ],
      [
        ["@/fire.particles", "-o", "@/fire.jpeg"], ["@/none", "-o", "@/none.gif"],
        ["@/fire.particles"], ["@/fire.particles", "--to", "gif", "-o", "-"],
      ]
    ),
    (
      "sheet",
      [
        ["@/fire.particles", "-o", "@/sheet.png", "--size", "8", "--duration", "0.1"],
        ["--contact", "@/fire.particles", "-o", "@/contact.png", "--size", "16"],
      ],
      [
        ["@/fire.particles", "@/imported.particles", "-o", "@/no.png"],
        ["@/none", "-o", "@/no.png"],
        ["--contact", "@/none", "-o", "@/no.png"],
      ]
    ),
    (
      "catalog",
      [["@/fire.particles", "-o", "@/page.html", "--size", "8", "--duration", "0.1"]],
      [["@/none", "-o", "@/no.html"], ["@/fire.particles"]]
    ),
    (
      "simulate",
      [["@/fire.particles", "--frames", "2", "--seeds", "1", "-o", "@/numbers.json"]],
      [["@/fire.particles", "--frames", "2"], ["@/none", "-o", "@/none.json"]]
    ),
    (
      "view", [["@/fire.particles", "--no-open", "--size", "8"]],
      [["@/none", "--no-open"], ["-", "--no-open"]]
    ),
    ("browse", [], [["@/none", "--no-open"], ["--no-open", "--port", "0"]]),
    ("pick", [], [["--no-open", "--port", "0"]]),
    // Without the module for pages, which `make web` builds, there is no player to be written.
    (
      "web", PlayerFiles.built.module == nil ? [] : [["@/player"]],
      [["@/fire.particles"], ["@/site", "--example", "@/none"]]
    ),
    ("formats", [[], ["--matrix"], ["libgdx"]], [["extra"]]),
    ("types list", [["--conforming-to", "public.image"]], [["--conforming-to", "none"]]),
    ("types show", [["public.png"]], [["none"]]),
    ("types explain", [["a.png", "b.particles"]], [["--with", "@/none", "a.png"]]),
    ("types who", [["public.png"]], [["--with", "@/none", "public.png"]]),
    (
      "types declare", [["com.example.b", "-e", "bb", "-o", "@/declared.json"]],
      [["com.example.b", "-e", "bb"], ["not an identifier", "-o", "@/no.json"]]
    ),
    (
      "types export",
      [
        ["@/types.json", "-o", "@/Info.plist"],
        ["@/types.json", "--format", "desktop", "--command", "draw %F", "-o", "@/draw.desktop"],
      ],
      [["@/types.json"], ["@/none", "-o", "@/no.plist"], ["@/damaged.json", "-o", "@/no.plist"]]
    ),
    ("types lint", [["@/types.json"]], [["@/none"], ["@/damaged.json"]]),
    (
      "desktop install", [["--prefix", "@/desktop"], ["--prefix", "/usr", "--root", "@/stage"]],
      [["--prefix", "@/dot.png"]]
    ),
    ("desktop status", [["--prefix", "@/desktop"]], [["--prefix", "@/empty"]]),
    ("desktop uninstall", [["--prefix", "@/desktop"]], [["--unknown"]]),
  ]

  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Files.create(
      scratch.file("damaged"), Fixture.read("rules/container/checksum-block.particles"))
    try Files.create(scratch.file("damaged.json"), Array("{".utf8))
    try Files.create(scratch.file("dot.png"), Fixture.read("scenekit/ember.png"))
    try Files.makeDirectory(scratch.file("folder"))
    for name in ["a", ".DS_Store", "con"] {
      try Files.create(scratch.file("folder/\(name)"), Array("text".utf8))
    }
    try Files.makeDirectory(scratch.file("link"))
    try Files.makeLink(scratch.file("link/a"), to: "b")
    run("new", [scratch.file("fire.particles")])
    run("convert", [Fixture.path("cocos2d/ember.plist"), "-o", scratch.file("imported.particles")])
    run("edit", [scratch.file("fire.particles"), "seed=1"])
    try Files.makeDirectory(scratch.file("indexed"))
    run("new", [scratch.file("indexed/fire.particles"), "--template", "fire"])
    run("types declare", ["com.example.a", "--extension", "aa", "-o", scratch.file("types.json")])
  }

  @discardableResult
  private func run(_ command: String, _ words: [String]) -> Outcome {
    let words = words.map { $0.replacing("@", with: scratch.path) }
    return Tool.particles.run(
      list: command.split(separator: " ").map(String.init) + words,
      environment: [
        "XDG_DATA_HOME": scratch.file("data"), "XDG_CACHE_HOME": scratch.file("cache"),
      ])
  }

  /// The outputs of all command lines, in their order.
  private func outputs() -> [(line: String, command: String, outcome: Outcome, fails: Bool)] {
    Self.lines.flatMap { command, successes, failures in
      (successes.map { ($0, false) } + failures.map { ($0, true) }).map { words, fails in
        let outcome = run(command, words + ["--json"])
        return ("\(command) \(words.joined(separator: " "))", command, outcome, fails)
      }
    }
  }

  @Test("each command with --json has a success and a failure here")
  func complete() {
    let commands = Command.all.flatMap { $0.subcommands.isEmpty ? [$0] : $0.subcommands }
    let printing = commands.filter { $0.options.contains(.json) }.map(\.path)
    #expect(Set(printing) == Set(Self.lines.map(\.command)))
    // The product of help is text, and the product of watch comes from another program.
    #expect(Set(commands.map(\.path)).subtracting(printing) == ["help", "watch"])
    // These run until a user ends them: `make test-browser` compares their documents with the schema. Without the
    // module for pages, `web` has nothing to write.
    let failing = ["browse", "pick"] + (PlayerFiles.built.module == nil ? ["web"] : [])
    #expect(Self.lines.filter(\.successes.isEmpty).map(\.command) == failing)
    #expect(Self.lines.allSatisfy { !$0.failures.isEmpty })
  }

  @Test("standard output is one document, which names the command and the errors")
  func documents() throws {
    for (line, command, outcome, fails) in outputs() {
      #expect((outcome.status == .done) == !fails, "\(line): \(outcome.error)")
      let document = try #require(
        JSONParser.parse(Array(outcome.output.utf8)).object, "\(line): \(outcome.output)")
      #expect(document.members.first?.key == "version", "\(line)")
      guard let name = document["command"] else {
        #expect(outcome.status == .usage, "\(line)")
        #expect(document["diagnostics"]?.array?.count == 1, "\(line)")
        continue
      }
      #expect(name == .string(command), "\(line)")
      if outcome.status == .failed || outcome.status == .usage {
        #expect(outcome.output.contains(#""severity": "error""#), "\(line): \(outcome.output)")
      }
    }
  }

  @Test(
    "the schema accepts all documents, and has each of their members",
    .enabled(if: JSONSchemaOracle.python != nil, "\(JSONSchemaOracle.absence)"))
  func schema() throws {
    let strict = scratch.file("strict.json")
    let schema = try JSONParser.parse(Files.read(Repository.path(Self.schemaPath)))
    try Files.create(strict, Array(Self.closed(schema).text.utf8))
    let outputs = outputs()
    let documents = outputs.map { Array($0.outcome.output.utf8) }
    for path in [Repository.path(Self.schemaPath), strict] {
      let verdicts = try JSONSchemaOracle.verdicts(on: documents, by: path)
      #expect(verdicts.count == outputs.count)
      for (output, verdict) in zip(outputs, verdicts) { #expect(verdict == nil, "\(output.line)") }
    }
    let wrong = ["{}", #"{"version": 1}"#, #"{"version": 1, "command": "list"}"#]
    let refused = try JSONSchemaOracle.verdicts(on: wrong.map { Array($0.utf8) }, by: strict)
    #expect(refused.allSatisfy { $0 != nil })
  }

  @Test("the documents of commands that write files name what was written and left out")
  func written() throws {
    func result(_ command: String, _ words: String...) throws -> JSONObject {
      let outcome = run(command, words + ["--json"])
      return try #require(JSONParser.parse(Array(outcome.output.utf8)).object, "\(outcome.error)")
    }
    let packed = try result("pack", "@/folder", "-o", "@/p.particles")
    #expect(packed["source"] == .string(scratch.file("folder")))
    #expect(packed["files"]?.int == 2 && packed["excluded"]?.array == [.string(".DS_Store")])
    #expect(packed["size"]?.int == (try Files.status(scratch.file("p.particles"))?.size))
    // A name that is not portable is a warning, also in the document.
    let warning = packed["diagnostics"]?.array?.first?.object
    #expect(warning?["severity"] == "warning" && warning?["entry"] == "con")
    let unpacked = try result("unpack", "@/p.particles", "-o", "@/u")
    #expect(unpacked["files"]?.int == 2 && unpacked["path"] == .string(scratch.file("u")))
    #expect(try result("extract", "@/p.particles", "a", "-o", "@/e")["files"]?.int == 1)
    #expect(try Files.list(scratch.file("e"), passingOver: { _ in }) == ["a"])
    let before = try #require(try Files.status(scratch.file("p.particles"))?.size)
    let compacted = try result("compact", "@/p.particles")
    #expect(compacted["files"]?.array?.first?.object?["before"]?.int == before)
    let picture = try result("thumbnail", "@/fire.particles", "@/f.png", "-s", "16")
    #expect(picture["width"]?.int == 16)
    #expect(picture["size"]?.int == (try Files.status(scratch.file("f.png"))?.size))
    // A type whose name is too long for a MIME type cannot be in a desktop entry.
    let long = "com.example." + String(repeating: "a", count: 130)
    let declared = try result("types declare", long, "-e", "aa", "-o", "@/long.json")
    #expect(declared["identifier"] == .string(long))
    let exported = try result(
      "types export", "@/long.json", "--format", "desktop", "--command", "draw %F", "-o", "@/d")
    #expect(exported["excluded"]?.array == [.string(long)])
    // Together with a result on standard output, the option is refused before anything is read.
    for words in [
      ["extract", "@/none", "a"], ["thumbnail", "@/none", "-"], ["types export", "@/none"],
      ["types declare", "com.example.c"], ["pack", "@/none", "-o", "-"],
    ] {
      let outcome = run(words[0], words.dropFirst() + ["--json"])
      #expect(outcome.status == .usage, "\(words)")
      #expect(outcome.output.contains("cannot both go to standard output"), "\(words)")
    }
  }

  /// The schema without members that it does not list, which readers have to expect otherwise.
  private static func closed(_ schema: JSONValue, isRoot: Bool = true) -> JSONValue {
    if case .array(let elements) = schema {
      return .array(elements.map { closed($0, isRoot: false) })
    }
    guard var object = schema.object else { return schema }
    for member in object.members where member.key != "enum" {
      object[member.key] = closed(member.value, isRoot: false)
    }
    let isRecord = object["type"] == "object" && object["properties"] != nil
    if isRecord, !isRoot { object["additionalProperties"] = .bool(false) }
    return .object(object)
  }
}
