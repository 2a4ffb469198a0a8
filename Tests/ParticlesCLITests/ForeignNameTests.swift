import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
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

/// File systems of Linux take names that are no text, for example names from old archives.
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

  @Test("a document of such a name is read, changed and converted, if it is named itself")
  func named() throws {
    let path = RawPath.text(Array(scratch.file("gr").utf8) + [0xFC] + Array("n.particles".utf8))
    try Files.rename(scratch.file("in/ok.particles"), path)
    #expect(try Run.succeeding("/bin/ls", [scratch.path]).output.contains([0x72, 0xFC, 0x6E]))
    #expect(run("info", path).output.contains("gr\\xFCn.particles"))
    #expect(run("validate", path).status == .done)
    #expect(run("list", path).output.contains("document.json"))
    #expect(run("edit", path, "seed=5").status == .done)
    #expect(run("info", path, "--properties").output.contains("seed"))
    for (format, kind) in [("starling", "pex"), ("spritekit", "sks"), ("zip", "zip")] {
      let output = RawPath.text(Array(scratch.file("gr").utf8) + [0xFC] + Array("n.\(kind)".utf8))
      let outcome = run("convert", path, "--to", format, "-o", output, "--force")
      #expect(outcome.status == .done, "\(outcome.error)")
      #expect(run("info", output).status == .done)
    }
    let folder = RawPath.text(Array(scratch.file("gr").utf8) + [0xFC])
    #expect(run("unpack", path, "-o", folder).status == .done)
    #expect(run("validate", folder).status == .done)
    #expect(
      run("render", path, "-o", Files.joined(folder, "a.png"), "--size", "16").status == .done)
    #expect(try Files.list(folder).contains("a.png"))
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
