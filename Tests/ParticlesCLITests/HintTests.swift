import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesCLI

@Suite("What to do next is said") struct HintTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Files.makeDirectory(file("effects"))
    _ = run("new", file("effects/a.particles"), "-q")
  }

  private func file(_ name: String) -> String { scratch.file(name) }

  private func run(_ words: String..., input: [UInt8] = []) -> Outcome {
    Tool.particles.run(list: words, input: input)
  }

  @Test("a folder of documents is taken with --recursive")
  func folders() {
    let validated = run("validate", file("effects"))
    #expect(validated.status == .answerNo && validated.error.contains("--recursive"))
    #expect(!run("validate", "-r", file("effects")).error.contains("--recursive"))
    let converted = run("convert", file("effects"), "-o", file("out"))
    #expect(converted.status == .failed && converted.error.contains("hint: use --recursive"))
    let homeless = run("convert", file("effects/a.particles"))
    #expect(homeless.status == .usage && homeless.error.contains("-o fire.json --to pixi"))
  }

  @Test("a path that does not exist: the nearest name, or the folder that is missing")
  func missingPaths() throws {
    let path = file("effects/a.particles")
    func hint(_ words: String...) -> String {
      let outcome = Tool.particles.run(list: words)
      #expect(outcome.status == .failed && outcome.error.contains("[file/not-found]"), "\(words)")
      let lines = (outcome.output + outcome.error).split(separator: "\n")
      return lines.first { $0.hasPrefix("  hint: ") }.map { String($0.dropFirst(8)) } ?? ""
    }
    #expect(hint("info", file("effects/a.partcles")) == "did you mean '\(path)'?")
    #expect(hint("list", file("effects/a.par")) == "did you mean '\(path)'?")
    #expect(
      hint("info", file("efects/deep/a.particles"))
        == "there is no folder '\(file("efects"))'; did you mean '\(file("effects"))'?")
    #expect(
      hint("info", file("other/a.particles"))
        == "there is no folder '\(file("other"))'; create it, or correct the path")
    let far = "no name in the folder is like it; list them with 'ls \(file("effects"))'"
    #expect(hint("info", file("effects/snowstorm")) == far)
    #expect(
      hint("info", "\(path)/x") == "'\(path)' is a file, and not a folder; correct the path")
    try Files.makeLink(file("effects/link.sks"), to: "nowhere")
    #expect(hint("info", file("effects/link.sks")).contains("a link that leads nowhere"))
    // Also of findings, and in JSON.
    for command in ["validate", "info"] {
      let outcome = run(command, "--json", file("effects/a.partcles"))
      #expect(outcome.output.contains("\"hint\": \"did you mean '\(path)'?\""), "\(outcome.output)")
    }
  }

  @Test(
    "a name without letters, an unknown type and no folder are wrong usage, and nothing is made")
  func wrongNames() throws {
    for name in [".particles", " .txt", ".md", "..particles"] {
      let outcome = run("new", file(name))
      #expect(outcome.status == .usage && outcome.error.contains("has no name"), "\(name)")
      #expect(try Files.status(file(name)) == nil, "\(name)")
    }
    #expect(run("new", file("b.c.particles"), "-q").status == .done)
    #expect(
      run("pick", "--type", "pexx").error.contains("unknown type 'pexx'; did you mean 'pex'?"))
    #expect(run("pick", "--type", "org.example.none").status == .usage)
    #expect(run("web").status == .usage)
    #expect(run("web", file("a"), "-o", file("b")).status == .usage)
    // Without the module for pages, there is no player.
    let isBuilt = PlayerFiles.built.module != nil
    #expect(run("web", "-q", "-o", file("site")).status == (isBuilt ? .done : .failed))
    #expect(try (Files.status(file("site/example.html")) != nil) == isBuilt)
  }

  @Test("a property is found by the name that another editor has for it")
  func otherNames() {
    #expect(run("edit", "--list", "start size").output.hasPrefix("emitters[].size.width\n"))
    #expect(run("edit", "--list", "Turbulence").output.hasPrefix("emitters[].forces\n"))
    #expect(run("edit", "--list", "no such name").status == .usage)
  }

  @Test("validate takes standard input, which it cannot repair")
  func standardInput() throws {
    let bytes = try Files.read(file("effects/a.particles"))
    #expect(run("validate", "-", input: bytes).status == .done)
    let cut = run("validate", "-", input: Array(bytes.dropLast(9)))
    #expect(cut.status == .answerNo && cut.output.hasPrefix("-:"))
    #expect(run("validate", "-", "--fix", input: bytes).status == .usage)
  }

  @Test("of few words all are named, and of rules how they look")
  func words() {
    #expect(run("desktop", "x").error.contains("hint: one of install, uninstall, status\n"))
    #expect(run("new", file("b"), "-t", "zzzz").error.contains("hint: one of blank, fire, "))
    #expect(run("validate", "--ignore", "x", file("a")).error.contains("such as image/mismatch"))
    #expect(run("info", "-dash").error.contains("hint: write -- before a path"))
  }

  @Test("what is no package may be something else")
  func foreign() {
    let outcome = run("list", Repository.path("Fixtures/starling/ember.pex"))
    #expect(outcome.error.contains("hint: 'particles info' and 'particles render' take it"))
  }
}
