import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Where results go") struct PlaceTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    _ = run("new", file("fire.particles"), "-t", "fire", "-q")
  }

  private func file(_ name: String) -> String { scratch.file(name) }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  @Test("--force does not let a document take the place of a folder with other files")
  func folders() throws {
    try Files.makeDirectory(file("work"))
    try Files.create(file("work/mine.txt"), [1])
    let fire = file("fire.particles")
    for words in [["new", file("work")], ["edit", fire, "seed=3", "-o", file("work")]] {
      let outcome = Tool.particles.run(list: words + ["--form", "directory", "--force"])
      #expect(outcome.status == .failed && outcome.error.contains("a folder with other files"))
    }
    #expect(try Files.list(file("work")) == ["mine.txt"])
    try Files.makeDirectory(file("empty"))
    for _ in 1...2 {
      #expect(run("new", file("empty"), "--form", "directory", "-f").status == .done)
    }
  }

  @Test("a package does not get the name of another format")
  func names() throws {
    let fire = file("fire.particles")
    #expect(run("convert", fire, "-o", file("fire"), "--form", "directory", "-q").status == .done)
    for name in ["a.scnp", "a.PEX", "a.zip"] {
      let created = run("new", file(name))
      #expect(created.status == .usage && created.error.contains("particles convert"))
      #expect(run("edit", fire, "seed=3", "-o", file(name)).status == .usage)
      #expect(run("pack", file("fire"), "-o", file(name)).status == .usage)
      #expect(try Files.status(file(name)) == nil)
    }
    #expect(run("new", file("plain")).status == .done)
    #expect(run("new", file("a.b")).status == .usage)
  }

  @Test("a picture does not take the place of its document")
  func thumbnail() throws {
    let fire = file("fire.particles")
    let before = try Files.read(fire)
    try Files.makeLink(file("link.png"), to: "fire.particles")
    for place in [fire, file("link.png")] {
      #expect(run("thumbnail", "-s", "8", fire, place, "--force").status == .usage)
    }
    #expect(try Files.read(fire) == before)
    for name in ["f.jpg", "f.webp", "f.txt"] {
      let outcome = run("thumbnail", "-s", "8", fire, file(name))
      #expect(outcome.status == .usage && outcome.error.contains(".png"), "\(name)")
      #expect(try Files.status(file(name)) == nil)
    }
    for _ in 1...2 {
      #expect(run("thumbnail", "-s", "8", fire, file("p.png"), "-f").status == .done)
    }
  }

  @Test("standard output is one thing")
  func standardOutput() {
    let fire = file("fire.particles")
    for words in [
      ["new", "-"], ["edit", fire, "seed=3", "-o", "-"], ["convert", fire, "-o", "-"],
    ] {
      let outcome = Tool.particles.run(list: words + ["--json"])
      #expect(outcome.status == .usage && outcome.output.contains("\"usage/invalid\""))
      #expect(Tool.particles.run(list: words).status == .done)
    }
    let dry = run("convert", fire, "-o", "-", "--json", "--dry-run")
    #expect(dry.status == .done && (try? JSONParser.parse(Array(dry.output.utf8))) != nil)
  }

  @Test("what an unset variable leaves behind is no path")
  func empty() {
    for words in [["info", ""], ["new", ""], ["convert", file("fire.particles"), "-o", ""]] {
      let outcome = Tool.particles.run(list: words)
      #expect(outcome.status == .usage && outcome.error.contains("empty"))
    }
  }
}
