import ParticlesCLI
import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesTestSupport
import Testing

/// File systems of Linux take names that are no text, such as those of old archives.
@Suite("Names that are no text") struct ForeignNameTests {
  private let scratch: Scratch
  /// Where the file system takes no such names, there is nothing to test.
  private let isPossible: Bool

  init() throws {
    scratch = try Scratch()
    try Files.makeDirectory(scratch.file("in"))
    let touch = "touch \"$(printf 'gr\\374n.particles')\""
    isPossible = try Run("/bin/sh", ["-c", touch], in: scratch.file("in")).status == 0
    _ = Tool.particles.run("new", scratch.file("in/ok.particles"), "-q")
  }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  @Test("validate says that there is one, and looks at all others")
  func validate() throws {
    guard isPossible else { return }
    let outcome = run("validate", "-r", scratch.file("in"))
    #expect(outcome.status == .answerNo && outcome.output.contains("[tree/name]"))
    #expect(outcome.error.contains("2 files: 1 error"))
  }

  @Test("convert says that there is one, and converts all others")
  func convert() throws {
    guard isPossible else { return }
    let outcome = run("convert", "-r", scratch.file("in"), "--to", "zip", "-o", scratch.file("out"))
    #expect(outcome.status == .failed && outcome.error.contains("[tree/name]"))
    #expect(try Files.list(scratch.file("out")) == ["ok.zip"])
  }

  @Test("a template of such a name is listed as one that is broken, and hides no other")
  func templates() throws {
    guard isPossible else { return }
    let library = EffectTemplateLibrary(folders: [scratch.file("in")])
    #expect(try library.entries().suffix(2).map(\.name) == ["ok", "?"])
    #expect(try library.package(named: "ok") != nil)
    #expect(try library.package(named: "none") == nil)
  }

  @Test("a folder with such a name in it is not empty")
  func notEmpty() throws {
    guard isPossible else { return }
    try Files.removeAll(scratch.file("in/ok.particles"))
    let new = run("new", scratch.file("in"), "--form", "directory", "--force")
    #expect(new.status == .failed)
    #expect(try Run.succeeding("/bin/ls", [scratch.file("in")]).output.count > 1)
  }
}
