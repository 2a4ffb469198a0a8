import ParticlesCLI
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("particles desktop") struct DesktopCommandTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String...) -> Outcome {
    Tool.particles.run(list: ["desktop"] + words, environment: ["HOME": scratch.file("home")])
  }

  @Test("what cannot be chosen as a default is refused before anything is installed")
  func refused() throws {
    let prefix = scratch.file("prefix")
    #expect(run("install", "--prefix", prefix, "--default").status == .usage)
    #expect(try Files.status(prefix) == nil)
    #expect(run("install", "--program", "no/such/tool").error.contains("[file/not-found]"))
    #expect(try Files.status(scratch.file("home")) == nil)
  }

  @Test("the desktop runs a program by its absolute path, or by a name in PATH")
  func program() throws {
    let entry = scratch.file("home/.local/share/applications/particles.desktop")
    #expect(run("install", "--program", "../../../../../../../../../bin/sh").status == .done)
    var text = String(decoding: try Files.read(entry), as: UTF8.self)
    #expect(text.contains("\nExec=/"))
    #expect(run("install", "--program", "particles").status == .done)
    text = String(decoding: try Files.read(entry), as: UTF8.self)
    #expect(text.contains("\nExec=particles info"))
  }

  @Test("to uninstall leaves a home as it was")
  func uninstall() throws {
    try Files.makeDirectory(scratch.file("home"))
    #expect(run("install", "--default", "--program", "particles").status == .done)
    #expect(run("uninstall").status == .done)
    #expect(try Files.list(scratch.file("home")).isEmpty)
  }
}
