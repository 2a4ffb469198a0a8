import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Types on the command line")
struct TypesCommandTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String...) -> Outcome {
    Tool.particles.run(list: ["types"] + words)
  }

  private func json(_ words: String...) throws -> JSONObject {
    let outcome = Tool.particles.run(list: ["types"] + words + ["--json"])
    let object = try JSONParser.parse(Array(outcome.output.utf8)).object
    #expect(object?["version"] == .int(1))
    return try #require(object)
  }

  private func fixture(_ name: String) -> String { Repository.path("Fixtures/rules/types/\(name)") }

  @Test("list prints all types, or those that conform to one")
  func list() throws {
    let lines = run("list").output.split(separator: "\n")
    #expect(lines.count == 549 && lines == lines.sorted { $0.lowercased() < $1.lowercased() })
    let images = run("list", "--conforming-to", "public.image").output
    #expect(images.contains("public.png") && !images.contains("public.json"))
    #expect(try json("list")["types"]?.array?.count == 549)
    let known = run("list", "--with", fixture("content.json")).output
    #expect(known.contains("com.example.drawing") && known.contains(".drawing"))
    #expect(
      run("list", "--conforming-to", "public.pgn").error.contains("did you mean 'public.png'"))
  }

  @Test("show tells what is known of a type, dynamic ones taken apart")
  func show() throws {
    let text = run("show", "PUBLIC.PNG").output
    #expect(text.contains("public.filename-extension  png\n"))
    #expect(text.contains("and so to                  public.content, public.data, public.item\n"))
    let dynamic = run("show", "dyn.ah62d4rv4ge81g6pq").output
    #expect(dynamic.contains("dynamic") && dynamic.contains("sql"))
    #expect(run("show", "com.example.nobody").status == .usage)
    let types = try json("show", "public.png", "public.jpeg")["types"]?.array
    #expect(types?.map { $0.object?["identifier"] } == ["public.png", "public.jpeg"])
  }

  @Test("explain looks at names, disks and contents, and says what decided")
  func explain() throws {
    let path = scratch.file("fire.particles")
    #expect(Tool.particles.run("new", path).status == .done)
    #expect(
      run("explain", path).output.hasPrefix(
        "\(path), a file on disk: org.particles-format.particles\n"))
    try Container(contentsOf: path).write(to: scratch.file("b.particles"), as: .directory)
    #expect(
      run("explain", scratch.file("b.particles")).output.contains("particles-package\n"))
    let name = run("explain", "x.xml").output
    #expect(name.contains("public.xml") && name.contains("it is a public type"))
    #expect(run("explain", "public.png").output == "public.png, an identifier: public.png\n")
    #expect(run("explain", "notes.sql").output.contains("no declared type has the tag"))
    let row = try json("explain", "x.plist")["explanations"]?.array?.first?.object
    #expect(row?["candidates"]?.array?.count == 5 && row?["suffix"] == "plist")
  }

  @Test("explain says who opens a file, as far as files say so")
  func handlers() throws {
    let json = fixture("content.json")
    let text = run("explain", "a.drawing", "--with", json).output
    #expect(text.contains("opened by com.example.draw\n"))
    #expect(text.contains("Editor, Owner of com.example.drawing"))
    #expect(run("explain", "a.png", "--with", json).output.contains("no program opens it"))
    #expect(
      run("explain", "a.drawing", "--role", "Shell", "--with", json).output
        .contains("no program opens it"))
  }

  @Test("who lists all claimants of an extension or MIME type; nobody is a no")
  func who() {
    let key = run("who", ".key")
    #expect(key.status == .done && key.output.contains("sffkey"))
    #expect(run("who", "image/png").output.hasPrefix("image/png, a MIME type: public.png\n"))
    #expect(run("who", "tar.gz").output.contains("gnu-zip-tar-archive"))
    #expect(run("who", "sql").status == .answerNo)
  }

  @Test(
    "lint prints findings as text, JSON and SARIF, and its status says whether there are errors")
  func lint() throws {
    let sample = fixture("structure-apple-sample.plist")
    let outcome = run("lint", sample)
    #expect(outcome.status == .answerNo)
    #expect(outcome.output.contains("\(sample):47:3: error: UTImportedTypeDeclarations[0]: "))
    #expect(outcome.output.contains("[types/role]") && !outcome.output.contains(": note:"))
    #expect(outcome.error == "1 file: 1 error, 1 warning\n")
    #expect(run("lint", sample, "-v").output.contains(": note:"))

    let warned = fixture("role.json")
    #expect(run("lint", warned).status == .done)
    #expect(run("lint", warned, "--strict").status == .answerNo)
    let report = try json("lint", warned, sample)
    #expect(report["errors"] == .int(1) && report["files"]?.array?.count == 2)
    let log = try JSONParser.parse(Array(run("lint", "--sarif", sample).output.utf8)).object
    let results = log?["runs"]?.array?.first?.object?["results"]?.array
    #expect(results?.count == 4)
    #expect(run("lint", "--sarif", "--json", sample).status == .usage)
    #expect(run("lint", scratch.file("nothing"), warned).status == .failed)
  }

  @Test("lint checks an application with its extensions, each under its path")
  func lintApplication() throws {
    let app = Repository.path("Fixtures/info-plists/Draw.app")
    let outcome = run("lint", app)
    #expect(outcome.status == .answerNo)
    let thumbnail = "\(app)/Contents/PlugIns/Thumbnail.appex/Contents/Info.plist"
    #expect(outcome.output.hasPrefix("\(thumbnail):30:5: error: NSExtension."))
    #expect(outcome.error == "4 files: 1 error, 0 warnings\n")
    let paths = try json("lint", app)["files"]?.array?.compactMap { $0.object?["path"]?.string }
    #expect(paths?.first == "\(app)/Contents/Info.plist" && paths?.count == 4)
    let single = Repository.path("Fixtures/info-plists/extension-quick-look.plist")
    #expect(run("lint", single).status == .done)
    #expect(run("lint", single, "-v").output.contains("is an extension without its application"))
    #expect(run("lint", single, "--with", app).status == .done)
    let none = fixture("content.json")
    #expect(run("lint", single, "--with", none).status == .answerNo)
  }

  @Test("lint names an old-style property list and the program that converts it")
  func oldStyle() {
    let outcome = run("lint", Repository.path("Fixtures/info-plists/old-openstep.plist"), "-v")
    #expect(outcome.status == .answerNo && outcome.output.contains("old-style (OpenStep)"))
    #expect(outcome.error.contains("plutil -convert xml1") || outcome.output.contains("plutil"))
  }

  @Test("an untouched property list is exported whole, and every loss is reported")
  func exportWhole() throws {
    let path = Repository.path("Fixtures/info-plists/mac-drawing.plist")
    let outcome = run("export", path)
    #expect(outcome.status == .done && outcome.error.isEmpty)
    for key in [
      "NSDocumentClass", "CFBundleTypeIconFile", "UTTypeIconFiles", "SUFeedURL", "NSServices",
    ] {
      #expect(outcome.output.contains("<key>\(key)</key>"), "\(key)")
    }
    let json = run("export", path, "--format", "json")
    #expect(
      json.error.contains("UTTypeIconFiles: warning: ") && json.error.contains("[convert/lost]"))
  }

  @Test("declare takes role, rank, form, icon and template")
  func declareOptions() throws {
    let template = scratch.file("Blank.book")
    try Files.create(template, [])
    let path = scratch.file("types.json")
    let outcome = run(
      "declare", "com.example.book", "-e", "book", "--package", "--role", "Viewer", "--rank",
      "Default", "--icon", "Book", "--template", "Blank.book", "-o", path)
    #expect(outcome.status == .done)
    #expect(outcome.error.contains("[types/template]") && outcome.error.contains("[types/owner]"))
    let object = try JSONParser.parse(Files.read(path)).object
    let type = object?["exports"]?.array?.first?.object
    #expect(type?["conformsTo"] == .array(["com.apple.package", "public.content"]))
    #expect(type?["icon"] == "Book" && type?["template"] == "Blank.book")
    let claim = object?["claims"]?.array?.first?.object
    #expect(claim?["role"] == "Viewer" && claim?["rank"] == "Default")
    let both = run("declare", "com.example.book", "--package", "--conforms-to", "public.data")
    #expect(both.status == .answerNo && both.error.contains("[types/two-forms]"))
  }

  @Test("declare writes what lint finds nothing in, and nothing that it does")
  func declare() throws {
    let path = scratch.file("types.json")
    let outcome = run(
      "declare", "com.example.drawing", "-e", "drawing", "--title", "Drawing", "-o", path)
    #expect(outcome.status == .done && outcome.error.isEmpty)
    #expect(run("lint", path, "--strict").status == .done)
    #expect(run("show", "com.example.drawing", "--with", path).status == .done)
    #expect(run("declare", "com.example.drawing", "-e", "drawing", "-o", path).status == .failed)
    let bad = run("declare", "com.example.my_drawing", "-e", "drawing")
    #expect(bad.status == .answerNo && bad.output.isEmpty)
    #expect(bad.error.contains("[types/identifier]"))
  }

  @Test("export writes for every system, and what it writes is read and found clean")
  func export() throws {
    for (format, name) in [("plist", "Info.plist"), ("json", "types.json")] {
      let path = scratch.file(name)
      #expect(run("export", "--format", format, "-o", path).status == .done)
      #expect(run("lint", "--strict", path).status == .done)
    }
    #expect(run("export", "--format", "mime").output.contains("application/vnd.particles"))
    let entry = scratch.file("p.desktop")
    #expect(run("export", "--format", "desktop").status == .usage)
    #expect(run("export", "--format", "desktop", "--command", "p %F", "-o", entry).status == .done)
    #expect(run("lint", "--strict", entry).status == .done)
    let thumbnailer = run("export", "--format", "thumbnailer", "--command", "p %i %o").output
    #expect(thumbnailer.contains("TryExec=p\nExec=p %i %o\nMimeType=application/vnd.particles;"))
  }

  @Test("a pipe, a socket or a device is explained and linted at once, without being opened")
  func specialFiles() throws {
    let pipe = scratch.file("ff.png")
    _ = try Run.succeeding("/usr/bin/mkfifo", [pipe])
    let outcome = run("explain", pipe)
    #expect(outcome.status == .done)
    #expect(outcome.output.contains("ff.png, a named pipe on disk: public.item"))
    #expect(run("explain", "/dev/null").output.contains("a character device on disk"))
    #expect(run("explain", "--desktop", pipe).output.contains("on this machine: inode/fifo"))
    for path in [pipe, "/dev/zero"] {
      let outcome = run("lint", path)
      #expect(outcome.status == .failed && outcome.error.contains("[file/unreadable]"))
    }
    let folder = scratch.file("A.app")
    try Files.makeDirectory(folder)
    _ = try Run.succeeding("/usr/bin/mkfifo", [Files.joined(folder, "Info.plist")])
    #expect(run("lint", folder).status == .failed)
  }

  @Test("files for desktops have valid names and commands only, and report what is left out")
  func desktopExport() throws {
    let path = scratch.file("types.json")
    let file = """
      {"version": 1, "application": {"identifier": "com.example.draw", "name": "Draw"},
       "exports": [
         {"identifier": "com.example.drawing", "conformsTo": ["public.data"], "extensions": ["drawing"]},
         {"identifier": "com.example.odd", "conformsTo": ["public.data"], "extensions": ["odd"],
          "mimeTypes": ["not a name", "bad", "text/x;charset=utf-8", "foo/bar"]}],
       "imports": [
         {"identifier": "org.example.sketch", "conformsTo": ["public.data"], "extensions": ["sketch"],
          "mimeTypes": ["application/x-sketch"]}],
       "claims": [{"name": "D", "role": "Editor", "rank": "Owner",
         "types": ["com.example.drawing", "com.example.odd", "org.example.sketch", "public.c-source",
           "dyn.ah62d4rv4ge81g6pq"]}]}
      """
    try Files.create(path, Array(file.utf8))
    let entry = run("export", path, "--format", "desktop", "--command", "draw %F")
    #expect(entry.status == .done)
    #expect(!entry.output.contains("x-dyn") && !entry.output.contains("x-public"))
    #expect(entry.output.contains("application/x-com.example.drawing;"))
    #expect(entry.error.contains("dyn.ah62d4rv4ge81g6pq has no MIME type and is left out"))
    let package = run("export", path, "--format", "mime").output
    #expect(package.contains("<glob pattern=\"*.sketch\"/>"))
    #expect(!package.contains("not a name") && !package.contains("charset"))
    if let validate = Run.optional("desktop-file-validate") {
      try Files.create(scratch.file("d.desktop"), Array(entry.output.utf8))
      let verdict = try Run(validate, [scratch.file("d.desktop")])
      #expect(verdict.status == 0 && verdict.text.isEmpty, "\(verdict.text)")
    }
    if let update = Run.optional("update-mime-database") {
      try Files.makeDirectory(scratch.file("mime"))
      try Files.makeDirectory(scratch.file("mime/packages"))
      try Files.create(scratch.file("mime/packages/d.xml"), Array(package.utf8))
      let verdict = try Run(update, [scratch.file("mime")])
      #expect(verdict.status == 0 && !verdict.errors.contains("nvalid"), "\(verdict.errors)")
    }
    for command in ["draw %Z", "draw %f %F", "draw \"%f", "draw %f | tee", "draw %", " "] {
      #expect(
        run("export", path, "--format", "desktop", "--command", command).status == .usage,
        "\(command)")
    }
    for command in ["draw %i %c %k -- %U", "\"my draw\" %f", "draw 100%% %F"] {
      #expect(
        run("export", path, "--format", "desktop", "--command", command).status == .done,
        "\(command)")
    }
    #expect(run("export", "--format", "thumbnailer", "--command", "t %F %o").status == .usage)
  }

  @Test("a desktop entry without a name or a type is reported")
  func entryWithoutName() throws {
    let path = scratch.file("x.desktop")
    try Files.create(path, Array("[Desktop Entry]\nExec=x %f\nMimeType=image/png;\n".utf8))
    let outcome = run("lint", path)
    #expect(outcome.output.contains("Name") && outcome.output.contains("Type"))
    #expect(outcome.output.contains("[types/structure]"))
  }

  @Test("real effects are explained as effects, and other files in their languages are not")
  func effects() throws {
    let expected = [
      "sks": "spritekit-emitter", "scnp": "scenekit-particle-system",
      "plist": "cocos2d-particle-system", "pex": "starling-particle-system",
      "pd-json/json": "particle-designer-json", "p": "libgdx-particle-effect",
      "lua": "love-particle-systems", "particlefx": "defold-particlefx",
      "pixi/torch.json": "pixi-particle-emitter", "pixi/fountain.json": "pixi-particle-emitter",
      "pixi/json": "pixi-legacy-particle-emitter", "phaser/json": "phaser-particle-emitter",
      "quarks/json": "three-quarks-effect", "tsparticles/json": "tsparticles-options",
      "tscn": "godot4-particles",
    ]
    var seen: Set<String> = []
    let root = Repository.path("Fixtures/effects")
    for folder in try Files.list(root)
    where try Files.status(Files.joined(root, folder))?.kind == .directory {
      for name in try Files.list(Files.joined(root, folder)) {
        let kind = Files.pathExtension(of: name)
        guard
          var type = expected["\(folder)/\(name)"] ?? expected["\(folder)/\(kind)"]
            ?? expected[kind]
        else { continue }
        let path = Files.joined(Files.joined(root, folder), name)
        if kind == "tscn", try Files.read(path).contains("format=2") { type = "godot3-particles" }
        let head = run("explain", path).output.split(separator: "\n").first ?? ""
        #expect(head.hasSuffix(": org.particles-format.\(type)"), "\(head)")
        seen.insert(type)
      }
    }
    #expect(seen == Set(expected.values).union(["godot3-particles"]))
    let others = [
      "a.plist": "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>CFBundleName</key>"
        + "<string>x</string></dict></plist>",
      "a.json": "{\"frames\": {}, \"meta\": {}}", "a.xml": "<particles/>",
    ]
    for (name, text) in others {
      try Files.create(scratch.file(name), Array(text.utf8))
      let head = run("explain", scratch.file(name)).output.split(separator: "\n").first ?? ""
      #expect(head.contains("on disk: ") && !head.contains("particles-format"), "\(head)")
    }
  }

  @Test("a heading does nothing by itself, and says what it is a heading for")
  func heading() {
    let missing = run()
    #expect(missing.status == .usage && missing.error.contains("list, show, explain"))
    #expect(run("lst").error.contains("unknown subcommand 'lst'; did you mean 'list'?"))
    let help = Tool.particles.run("help", "types")
    #expect(help.status == .done && help.output.contains("SUBCOMMANDS:\n  list "))
    #expect(run("--help") == help)
    let list = Tool.particles.run("help", "types", "list")
    #expect(list.output.contains("USAGE: particles types list [<options>]\n"))
    #expect(run("list", "-h") == list && run("-q", "list", "-h") == list)
    #expect(Tool.particles.run("help", "types", "lst").status == .usage)
    #expect(run("list", "--nonsense").error.contains("help: particles help types list\n"))
  }
}
