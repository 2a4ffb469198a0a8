import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDesktop
@testable import ParticlesTypes

@Suite("Actions in file managers")
struct FileActionsTests {
  private let scratch: Scratch
  /// A folder whose name has what shells and entries treat specially.
  private let folder: String

  init() throws {
    scratch = try Scratch()
    folder = scratch.file("a b'\"$c%d`e\\")
    try Files.makeDirectory(folder)
  }

  private static let names = [
    "plain", "two words", "it's", "\"quoted\"", "-x", "$HOME `id` \\ %f", "\n",
  ]

  /// A program that writes its arguments, each with a NUL at its end, into a file, or fails.
  private func program(failing: Bool = false) throws -> String {
    let path = Files.joined(folder, "tool")
    let text =
      failing
      ? "#!/bin/sh\necho http://127.0.0.1:1/secret/\necho \"no <b>$2</b> & more\" >&2\nexit 7\n"
      : "#!/bin/sh\nprintf '%s\\0' \"$@\" > '\(scratch.file("arguments"))'\n"
    try Files.create(path, Array(text.utf8), executable: true)
    return path
  }

  private func install(_ program: String, isOfUser: Bool = true) throws -> DesktopInstallation {
    let installation = DesktopInstallation.particles(
      in: Files.joined(folder, "share"), isOfUser: isOfUser, executable: program,
      types: [.particles], translations: { $0 == "Export as GIF" ? ["de": "Als GIF 100%"] : [:] }
    ) { types in
      [
        FileAction(
          "gif", name: "Export as GIF", arguments: ["render", "--beside"], mimeTypes: types)
      ]
    }
    _ = try installation.install()
    return installation
  }

  private func place(_ path: String) -> String { Files.joined(folder, "share/\(path)") }

  private func text(_ path: String) throws -> String {
    String(decoding: try Files.read(place(path)), as: UTF8.self)
  }

  private var arguments: [String] {
    get throws {
      try Files.read(scratch.file("arguments")).split(
        separator: 0, omittingEmptySubsequences: false
      )
      .dropLast().map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test("Nautilus passes any file name as one argument")
  func nautilus() throws {
    _ = try install(try program())
    let script = place("nautilus/scripts/Particles/Export as GIF")
    _ = try Run.succeeding(script, Self.names, in: scratch.path)
    #expect(try arguments == ["render", "--beside", "--"] + Self.names)
  }

  @Test("what Nemo makes of its action is one argument for each file name")
  func nemo() throws {
    _ = try install(try program())
    let file = KeyFile(try text("nemo/actions/particles-gif.nemo_action"))
    let group = "Nemo Action"
    #expect(file["Quote", in: group] == "double" && file["Selection", in: group] == "notnone")
    #expect(file["Mimetypes", in: group] == "application/vnd.particles;")
    // Nemo replaces %F by the quoted names, and lets GLib split the line as a shell does.
    let quoted = Self.names.map { name in
      "\"" + name.map { "\"\\`$".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
    try run(
      command: try #require(file["Exec", in: group]).replacing("\\\\", with: "\\"),
      quoted.joined(separator: " "))
  }

  @Test("what KDE makes of its service menu is one argument for each file name")
  func kde() throws {
    _ = try install(try program())
    let path = "kio/servicemenus/particles-gif.desktop"
    let file = KeyFile(try text(path))
    #expect(file["MimeType", in: "Desktop Entry"] == "application/vnd.particles;")
    #expect(file["Actions", in: "Desktop Entry"] == "gif;")
    #expect(try Files.status(place(path))?.isExecutable == true)
    let quoted = Self.names.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
    try run(
      command: try #require(file["Exec", in: "Desktop Action gif"]).replacing("\\\\", with: "\\"),
      quoted.joined(separator: " "))
    guard let validator = Run.optional("desktop-file-validate") else { return }
    // It knows the types of KDE, but none of their keys. An application has equal keys.
    let application = try text(path).replacing(
      "Type=Service\n", with: "Type=Application\nExec=true\n")
    try Files.create(scratch.file("a.desktop"), Array(application.utf8))
    let verdict = try Run(validator, [scratch.file("a.desktop")])
    #expect(verdict.status == 0 && verdict.text.isEmpty, "\(verdict.text)")
  }

  /// Runs a command line with the names in the place of the field code, as a shell splits it.
  private func run(command: String, _ names: String) throws {
    let line = command.replacing("%%", with: "\u{1}").replacing("%F", with: names)
      .replacing("\u{1}", with: "%")
    _ = try Run.succeeding("/bin/sh", ["-c", line], in: scratch.path)
    #expect(try arguments == ["render", "--beside", "--"] + Self.names)
  }

  @Test(
    "the messages of a command that fails are shown as they are, and nothing of its output",
    arguments: ["zenity", "kdialog", "notify-send", "xmessage"])
  func failure(dialog: String) throws {
    let program = try program(failing: true)
    _ = try install(program)
    let programs = scratch.file("bin")
    try Files.makeDirectory(programs)
    let fake =
      "#!/bin/sh\n{ printf '%s\\0' \"$@\"; test -t 0 || cat; } > '\(scratch.file("arguments"))'\n"
    try Files.create(Files.joined(programs, dialog), Array(fake.utf8), executable: true)
    for name in ["sed", "cat"] {
      let path = try #require(Run.find(name))
      try Files.makeLink(Files.joined(programs, name), to: path)
    }
    let script = place("nautilus/scripts/Particles/Export as GIF")
    let run = try Run(script, ["x"], environment: ["PATH": programs])
    #expect(run.status == 7)
    let told = String(decoding: try Files.read(scratch.file("arguments")), as: UTF8.self)
    #expect(!told.contains("http://"), "\(told)")
    // What takes tags is given none.
    let isMarkup = ["kdialog", "notify-send"].contains(dialog)
    #expect(
      told.contains(
        isMarkup ? "no &lt;b&gt;--beside&lt;/b&gt; &amp; more" : "no <b>--beside</b> & more"),
      "\(told)")
  }

  @Test("an installation for all users has no scripts of Nautilus; to uninstall removes every menu")
  func uninstall() throws {
    for isOfUser in [false, true] {
      let installation = try install(try program(), isOfUser: isOfUser)
      #expect(try (Files.status(place("nautilus")) != nil) == isOfUser)
      #expect(try installation.status().changes.allSatisfy { $0.change == .unchanged })
      _ = try installation.uninstall()
      #expect(try Files.list(folder) == ["tool"])
      try Files.removeAll(Files.joined(folder, "tool"))
    }
  }
}
