import ParticlesCLI
import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesTestSupport
import Testing

/// Creates a file whose name is not UTF-8.
private func touch(in folder: String) throws {
  _ = try Run.succeeding(
    "/bin/sh", ["-c", "touch \"$(printf 'gr\\374n.particles')\""], in: folder)
}

private let arePossible: Bool = {
  guard let scratch = try? Scratch() else { return false }
  return withExtendedLifetime(scratch) { (try? touch(in: scratch.path)) != nil }
}()

/// File systems of Linux take names that are no text, such as those of old archives.
@Suite(
  "Names that are no text",
  .enabled(if: arePossible, "the file system refuses such names"))
struct ForeignNameTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Files.makeDirectory(scratch.file("in"))
    try touch(in: scratch.file("in"))
    _ = Tool.particles.run("new", scratch.file("in/ok.particles"), "-q")
  }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  @Test("validate says that there is one, and looks at all others")
  func validate() throws {
    let outcome = run("validate", "-r", scratch.file("in"))
    #expect(outcome.status == .answerNo && outcome.output.contains("[tree/name]"))
    #expect(outcome.error.contains("2 files: 1 error"))
  }

  @Test("convert says that there is one, and converts all others")
  func convert() throws {
    let outcome = run("convert", "-r", scratch.file("in"), "--to", "zip", "-o", scratch.file("out"))
    #expect(outcome.status == .failed && outcome.error.contains("[tree/name]"))
    #expect(try Files.list(scratch.file("out")) == ["ok.zip"])
  }

  @Test("a template of such a name is listed as one that is broken, and hides no other")
  func templates() throws {
    let library = EffectTemplateLibrary(folders: [scratch.file("in")])
    #expect(try library.entries().suffix(2).map(\.name) == ["ok", "?"])
    #expect(try library.package(named: "ok") != nil)
    #expect(try library.package(named: "none") == nil)
  }

  @Test("a folder with such a name in it is not empty")
  func notEmpty() throws {
    try Files.removeAll(scratch.file("in/ok.particles"))
    let new = run("new", scratch.file("in"), "--form", "directory", "--force")
    #expect(new.status == .failed)
    #expect(try Run.succeeding("/bin/ls", [scratch.file("in")]).output.count > 1)
  }
}
