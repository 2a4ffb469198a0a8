import ParticlesCore
import ParticlesDesktop
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesTypes

/// Files that we write for a desktop, and what the programs of a desktop make from them.
@Suite("The desktop itself", .serialized)
struct DesktopTests {
  private let scratch: Scratch
  private let environment: [String: String]

  init() throws {
    scratch = try Scratch()
    environment = scratch.desktop()
  }

  private func particles(_ arguments: String...) throws -> Run {
    try Run(Run.built("particles"), arguments, environment: environment)
  }

  @Test("the real programs take our files for what we say they are, and forget it again")
  func installed() throws {
    #expect(try particles("desktop", "install", "--default").status == 0)
    let document = scratch.file("fire.particles")
    #expect(try particles("new", document, "--template", "fire").status == 0)
    let mimeType = "application/vnd.particles"
    let desktop = try Desktop(environment: environment)
    #expect(desktop.mimeTypes.recognise(fileName: "a.particles").type == mimeType)
    #expect(desktop.mimeTypes.recognise(contents: try Files.read(document)).type == mimeType)
    #expect(desktop.defaultProgram(for: mimeType)?.identifier == "particles.desktop")
    if let gio = Run.optional("gio") {
      let info = try Run.succeeding(
        gio, ["info", "-a", "standard::content-type", document], environment: environment)
      #expect(info.text.contains("standard::content-type: \(mimeType)"), "\(info.text)")
      // Without the name, the first bytes say it.
      try Files.rename(document, scratch.file("nameless"))
      let nameless = try Run.succeeding(
        gio, ["info", "-a", "standard::content-type", scratch.file("nameless")],
        environment: environment)
      #expect(nameless.text.contains(mimeType), "\(nameless.text)")
      try Files.rename(scratch.file("nameless"), document)
      let handlers = try Run.succeeding(gio, ["mime", mimeType], environment: environment)
      #expect(handlers.text.contains("particles.desktop"), "\(handlers.text)")
    }
    if let tool = Run.optional("xdg-mime") {
      // Outside of a desktop it asks `mimetype`, or else `file`, which knows nothing of these types.
      if Run.optional("mimetype") != nil {
        let type = try Run.succeeding(
          tool, ["query", "filetype", document], environment: environment)
        #expect(type.text == mimeType + "\n")
      }
      let handler = try Run.succeeding(
        tool, ["query", "default", mimeType], environment: environment)
      #expect(handler.text == "particles.desktop\n")
    }
    if let tool = Run.optional("mimetype") {
      let type = try Run.succeeding(tool, ["-b", document], environment: environment)
      #expect(type.text == mimeType + "\n")
      for (language, title) in [("de", "Particles-Dokument"), ("fr", "Particles document")] {
        let type = try Run.succeeding(
          tool, ["--language", language, "--describe", "-b", document], environment: environment)
        #expect(type.text == title + "\n")
      }
    }
    let thumbnailer = try Files.read(scratch.file("share/thumbnailers/particles.thumbnailer"))
    let entry = KeyFile(String(decoding: thumbnailer, as: UTF8.self))
    let command = entry["Exec", in: "Thumbnailer Entry"] ?? ""
    let picture = scratch.file("small.png")
    let words = command.replacing("%s", with: "64").replacing("%i", with: document)
      .replacing("%o", with: picture).split(separator: " ").map(String.init)
    #expect(try Run(words[0], Array(words.dropFirst()), environment: environment).status == 0)
    #expect(try Files.read(picture).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    if let tool = Run.optional("desktop-file-validate") {
      let path = scratch.file("share/applications/particles.desktop")
      let verdict = try Run(tool, [path], environment: environment)
      #expect(verdict.status == 0 && verdict.text.isEmpty, "\(verdict.text)")
    }
    let odd = scratch.file("it's a \"fire\" $1.particles")
    try Files.rename(document, odd)
    let scripts = scratch.file("share/nautilus/scripts/Particles")
    let script = Files.joined(scripts, "Convert to SceneKit particle system")
    for _ in 1...2 { _ = try Run.succeeding(script, [odd], environment: environment) }
    let results = try Files.list(scratch.path).filter { $0.hasSuffix(".scnp") }
    // One file for each of the three emitters.
    #expect(
      results
        == ["$1 2-2", "$1 2-3", "$1 2", "$1-2", "$1-3", "$1"].map { "it's a \"fire\" \($0).scnp" })
    #expect(try particles("desktop", "uninstall").status == 0)
    #expect(try Files.status(scratch.file("share")) == nil)
    #expect(try Files.status(scratch.file("config")) == nil)
  }

  /// Where two readers of one database may differ, and why.
  private static let explained = [
    "mimetype x.raw-disk-image.xz":
      "it takes *.raw-disk-image.xz, for its hyphens, for a pattern that comes after *.xz"
  ]

  private static let databases = ["/usr/local/share", "/usr/share"]

  @Test(
    "every pattern of the installed database means to us what it means to mimetype",
    .needs("mimetype"),
    .enabled(
      if: (try? SharedMIMEDatabase(folders: databases))?.globs.isEmpty == false,
      "no shared MIME database"))
  func globs() throws {
    let tool = try #require(Run.find("mimetype"))
    let database = try SharedMIMEDatabase(folders: Self.databases)
    // A name for each pattern: what may vary is filled with something that fits.
    let names = Set(database.globs.map { Glob.example(of: $0.pattern.pattern) }).sorted()
    for name in names { try Files.create(scratch.file(name), Array("x\n".utf8)) }
    let paths = names.map { scratch.file($0) }
    let run = try Run.succeeding(tool, ["-b"] + paths, environment: environment)
    let answers = run.text.split(separator: "\n").map(String.init)
    #expect(answers.count == names.count)
    compare(names, answers, database, "mimetype")
  }

  private func compare(
    _ names: [String], _ answers: [String], _ database: SharedMIMEDatabase, _ reader: String
  ) {
    for (name, answer) in zip(names, answers) {
      let ours = database.globs(forFileName: name).map(\.type)
      // Several types may have equal rights. The reader chooses the type that is named.
      let agrees = ours.map(database.canonical).contains(database.canonical(answer))
      #expect(
        agrees || Self.explained["\(reader) \(name)"] != nil,
        "\(name): we say \(ours), \(reader) says \(answer)")
    }
  }
}
