import ParticlesCLI
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Results beside their inputs") struct BesideTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    _ = run("new", scratch.file("a b'.particles"), "-t", "sparks", "-q")
  }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  private var path: String { scratch.file("a b'.particles") }

  @Test("pictures get names that are free, and no file is replaced")
  func render() throws {
    try Files.create(scratch.file("A B'.gif"), [1])
    for _ in 1...2 {
      let outcome = run(
        "render", "--beside", "--to", "gif", "--size", "8", "--duration", "0.1", "--", path)
      #expect(outcome.status == .done, "\(outcome.error)")
    }
    #expect(
      try Set(Files.list(scratch.path))
        == ["A B'.gif", "a b'.particles", "a b' 2.gif", "a b' 3.gif"])
    #expect(try Files.read(scratch.file("A B'.gif")) == [1])
    #expect(try Files.read(scratch.file("a b' 2.gif")).starts(with: Array("GIF89a".utf8)))
  }

  @Test("an effect that becomes several files gets a name that is free for all of them")
  func convert() throws {
    _ = run("new", scratch.file("fire.particles"), "-t", "fire", "-q")
    try Files.create(scratch.file("fire-2.pex"), [1])
    let fire = scratch.file("fire.particles")
    for _ in 1...2 {
      let outcome = run("convert", "--beside", "--to", "starling", "-q", "--", fire, path)
      #expect(outcome.status == .done, "\(outcome.error)")
    }
    let names = try Set(Files.list(scratch.path))
    #expect(
      names.isSuperset(of: [
        "fire 2.pex", "fire 2-2.pex", "fire 2-3.pex", "fire 3.pex", "fire 3-2.pex", "a b'.pex",
        "a b' 2.pex",
      ]), "\(names)")
    #expect(try Files.read(scratch.file("fire-2.pex")) == [1] && !names.contains("fire.pex"))
  }

  @Test(
    "with --single an effect that would become several files is an error, and nothing is written")
  func single() throws {
    let fire = scratch.file("fire.particles")
    _ = run("new", fire, "-t", "fire", "-q")
    let result = scratch.file("fire.pex")
    for words in [["--dry-run"], []] {
      let outcome = Tool.particles.run(
        list: ["convert", "--single", fire, "-o", result] + words)
      #expect(outcome.status == .failed)
      #expect(outcome.error.contains("fire.pex, fire-2.pex"), "\(outcome.error)")
    }
    #expect(try Files.list(scratch.path).sorted() == ["a b'.particles", "fire.particles"])
    let snow = Repository.path("Fixtures/effects/plist/snow.plist")
    #expect(run("convert", "--single", snow, "-o", result).status == .done)
    #expect(run("convert", "--single", fire, "-o", scratch.file("fire.sks")).status == .done)
  }

  @Test("a package that is converted to a package gets another name")
  func package() throws {
    #expect(run("convert", "--beside", "-q", path).status == .done)
    #expect(try Files.list(scratch.path) == ["a b' 2.particles", "a b'.particles"])
  }

  @Test("options that name results exclude --beside")
  func usage() throws {
    for words in [
      ["convert", "--beside", "-o", "x"], ["convert", "--beside", "--skip-existing"],
      ["convert", "--beside", "--force"], ["render", "--beside", "-o", "x.gif"],
      ["render", "--beside", "--to", "frames"], ["render", "--beside", "--force"],
    ] {
      #expect(Tool.particles.run(list: words + [path]).status == .usage, "\(words)")
    }
    #expect(run("render", "--beside", "-").status == .usage)
    #expect(try Files.list(scratch.path) == ["a b'.particles"])
  }
}
