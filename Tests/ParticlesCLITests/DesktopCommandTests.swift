import ParticlesCLI
import ParticlesCore
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import ParticlesTypes
import Testing

@Suite("particles desktop") struct DesktopCommandTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String...) -> Outcome {
    Tool.particles.run(
      list: ["desktop"] + words,
      environment: ["HOME": scratch.file("home"), "PATH": "/usr/bin:/bin"])
  }

  @Test("what cannot be chosen as a default is refused before anything is installed")
  func refused() throws {
    let prefix = scratch.file("prefix")
    #expect(run("install", "--prefix", prefix, "--default").status == .usage)
    #expect(try Files.status(prefix) == nil)
    #expect(run("install", "--program", "no/such/tool").error.contains("[file/not-found]"))
    for program in ["/nope", "/etc", "/etc/passwd", "no-such-program"] {
      let outcome = run("install", "--program", program)
      #expect(outcome.status == .failed && outcome.error.contains("[file/not-found]"), "\(program)")
    }
    #expect(try Files.status(scratch.file("home")) == nil)
  }

  @Test("the desktop runs a program by its absolute path, or by a name in PATH")
  func program() throws {
    let entry = scratch.file("home/.local/share/applications/particles.desktop")
    #expect(run("install", "--program", "../../../../../../../../../bin/sh").status == .done)
    var text = String(decoding: try Files.read(entry), as: UTF8.self)
    let script = scratch.file("home/.local/share/particles/run-action")
    func command() throws -> String { String(decoding: try Files.read(script), as: UTF8.self) }
    #expect(
      text.contains("\nExec=\(script) browse --wait -- %F\n")
        && text.contains("\nTerminal=false\n"))
    // It runs a command that there is.
    #expect(Tool.particles.command("browse") != nil)
    #expect(text.contains("\nTryExec=/"))
    #expect(try command().contains("$('/"))
    #expect(run("install", "--program", "env").status == .done)
    text = String(decoding: try Files.read(entry), as: UTF8.self)
    #expect(text.contains("\nTryExec=env\n"))
    #expect(try command().contains("$('env' "))
  }

  @Test("a program outside of /usr is reported, since the sandbox of GNOME does not contain it")
  func sandbox() throws {
    #expect(!run("install", "--program", "/usr/bin/env").error.contains("[desktop/program]"))
    let program = scratch.file("tool")
    try Files.create(program, [], executable: true)
    let outcome = run("install", "--program", program)
    #expect(outcome.status == .done && outcome.error.contains("[desktop/program]"))
  }

  @Test("all formats have a type, an icon, a thumbnailer and an entry, and go again")
  func formats() throws {
    try Files.makeDirectory(scratch.file("home"))
    #expect(run("install", "--program", "env").status == .done)
    #expect(run("status", "--program", "env").status == .done)
    let data = scratch.file("home/.local/share")
    func text(_ path: String) throws -> String {
      String(decoding: try Files.read(Files.joined(data, path)), as: UTF8.self)
    }
    let types = FormatRegistry.standard.formats.flatMap(\.types)
    #expect(types.count >= 5)
    let names = types.compactMap { $0.tags[.mimeType].first } + ["application/vnd.particles"]
    for name in names {
      #expect(try text("mime/packages/particles.xml").contains("<mime-type type=\"\(name)\">"))
      #expect(try text("applications/particles.desktop").contains("\(name);"))
      #expect(try text("thumbnailers/particles.thumbnailer").contains("\(name);"))
      let icon = name.replacing("/", with: "-")
      #expect(try text("icons/hicolor/scalable/mimetypes/\(icon).svg").contains("<svg"))
    }
    let written = FormatRegistry.standard.formats.filter { $0.canWrite && !$0.isArchive }
    #expect(written.count >= 5)
    for name in ["gif", "particles"] + written.map(\.name) {
      let menu = try text("kio/servicemenus/particles-\(name).desktop")
      let command = name == "gif" ? "render" : "convert"
      #expect(menu.contains("/run-action \(command) --beside --to \(name) -- %F\n"))
      #expect(try text("nemo/actions/particles-\(name).nemo_action").contains(" --to \(name) "))
      let own =
        name == "particles"
        ? ["application/vnd.particles"]
        : FormatRegistry.standard[name]?.types.compactMap { $0.tags[.mimeType].first } ?? []
      for type in names { #expect(menu.contains("\(type);") != own.contains(type), "\(name)") }
    }
    let scripts = try Files.list(Files.joined(data, "nautilus/scripts/Particles"))
    #expect(scripts.count == written.count + 2 && scripts.contains("Export as GIF"))
    #expect(run("uninstall").status == .done)
    #expect(try Files.list(scratch.file("home")).isEmpty)
  }

  @Test("to uninstall leaves a home as it was")
  func uninstall() throws {
    try Files.makeDirectory(scratch.file("home"))
    #expect(run("install", "--default", "--program", "env").status == .done)
    #expect(run("uninstall").status == .done)
    #expect(try Files.list(scratch.file("home")).isEmpty)
  }
}
