import Particles
import ParticlesContainer
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Completions that ask the tool", .needs("bash"))
struct CompletionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func proposals(_ words: [String]) throws -> [String] {
    let tool = Run.built("particles")
    let script = try Run(tool, ["help", "--completions", "bash"]).text
    let list = ([tool] + words).map { "'\($0)'" }.joined(separator: " ")
    let run = try Run(
      try #require(Run.find("bash")), ["-s"],
      input: Array(
        """
        export HOME='\(scratch.path)' XDG_DATA_HOME='\(scratch.path)'
        \(script)
        COMP_WORDS=(\(list))
        COMP_CWORD=\(words.count)
        _particles
        for word in "${COMPREPLY[@]}"; do echo "$word"; done
        """.utf8), in: scratch.path)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    return run.text.split(separator: "\n").map(String.init)
  }

  @Test("templates of the user, rules, keys and package entries are proposed")
  func lookups() throws {
    for folder in ["particles", "particles/templates"] {
      try Files.makeDirectory(scratch.file(folder))
    }
    let package = try #require(EffectTemplate.named("sparks")).package().container
    try package.write(to: scratch.file("particles/templates/storm.particles"), as: .flat)
    try package.write(to: scratch.file("a.particles"), as: .flat)
    #expect(try proposals(["new", "-t", "s"]).contains("storm"))
    #expect(try proposals(["new", "--template", "=", "st"]) == ["storm"])
    #expect(try proposals(["validate", "--ignore", "image/mism"]) == ["image/mismatch"])
    #expect(
      try proposals(["edit", "a.particles", "emitters[0].emission.ra"])
        == ["emitters[0].emission.rate", "emitters[0].emission.ratePerDistance"])
    #expect(try proposals(["extract", "a.particles", "doc"]).contains("document.json"))
    #expect(
      try proposals(["extract", "-q", "a.particles", "Im"]) == ["Images", "Images/spark.png"])
    #expect(try proposals(["help", "types", "ex"]) == ["explain", "export"])
    #expect(try proposals(["help", "convert", ""]).isEmpty)
  }

  @Test("fish proposes the same", .enabled(if: Run.find("fish") != nil, "fish is not installed"))
  func fish() throws {
    let fish = try #require(Run.find("fish"))
    let tool = Run.built("particles")
    let script = try Run.succeeding(tool, ["help", "--completions", "fish"]).text
    try Files.create(scratch.file("particles.fish"), Array(script.utf8))
    try Files.create(scratch.file("picture.png"), [])
    func proposals(_ line: String) throws -> [String] {
      let run = try Run.succeeding(
        fish, ["--no-config", "-c", "source particles.fish; complete -C '\(line)'"],
        in: scratch.path,
        environment: scratch.desktop(["PATH": "\(Files.folder(of: tool)):/usr/bin:/bin"]))
      return run.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try proposals("particles convert ").contains("picture.png"))
    #expect(try proposals("particles convert --to sc") == ["scenekit"])
    #expect(try proposals("particles help conv") == ["convert"])
    #expect(try proposals("particles help types ex") == ["explain", "export"])
    #expect(try proposals("particles help convert ").isEmpty)
    #expect(try proposals("particles help types lint ").isEmpty)
    #expect(try proposals("particles help convert --").allSatisfy { $0 != "--recursive" })
  }
}
