import ParticlesCLI
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("formats NAME, and files that are no packages")
struct FormatDetailsTests {
  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  @Test(
    "every feature is in one of three groups, and every switch has its evidence",
    arguments: FormatRegistry.standard.formats.map(\.name))
  func features(name: String) throws {
    let format = try #require(FormatRegistry.standard[name])
    let outcome = run("formats", name)
    #expect(outcome.status == .done && outcome.output.hasPrefix("\(name)  \(format.title)\n"))
    if let capabilities = format.capabilities {
      let exact = Capability.all.count { capabilities[$0] == .exact }
      let lost = Capability.all.count { capabilities[$0] == .lost }
      #expect(exact == 0 || outcome.output.contains("Exact (\(exact))\n"))
      #expect(lost == 0 || outcome.output.contains("Not supported (\(lost))\n"))
      let text = outcome.output.split(separator: "\n").joined(separator: " ")
        .split(separator: " ").joined(separator: " ")
      for capability in Capability.all { #expect(text.contains(capability.title)) }
    }
    let evidence = format.evidence
    #expect(outcome.output.contains("Engine: ") != evidence.isEmpty)
    let first = evidence.filter { $0.engine == evidence.first?.engine }
    for line in first { #expect(outcome.output.contains("  \(line.evidence.rawValue) ")) }
    let all = run("formats", name, "-v").output
    for line in evidence { #expect(all.contains(line.name)) }
    #expect(outcome.output.split(separator: "\n").count < 70)
  }

  @Test("an extension shows each of its formats; what is unknown is an error")
  func extensions() throws {
    let scenes = run("formats", ".tscn").output
    #expect(scenes.contains("godot4  Godot 4") && scenes.contains("godot3  Godot 3"))
    #expect(run("formats", "particles").output.contains("Holds every feature exactly"))
    #expect(run("formats", "libgd").error.contains("did you mean 'libgdx'?"))
    #expect(run("formats", "libgdx", "--matrix").status == .usage)
    let json = try JSONParser.parse(Array(run("formats", "libgdx", "--json").output.utf8))
    let formats = json.object?["formats"]?.array ?? []
    #expect(formats.count == 1)
    #expect(formats.first?.object?["features"]?.array?.count == Capability.all.count)
    #expect(formats.first?.object?["engines"]?.array?.isEmpty == false)
  }

  @Test("commands for packages name a file of another format, and what takes it")
  func otherFiles() throws {
    let scratch = try Scratch()
    let scene = scratch.file("torch.tscn")
    try Files.create(scene, Fixture.read("effects/godot/torch.tscn"))
    for words in [
      ["list", scene], ["list", "-l", scene], ["verify", scene], ["digest", scene],
      ["compact", scene], ["unpack", scene, "-o", scratch.file("u")],
      ["extract", scene, "document.json", "-o", scratch.file("e")],
      ["pack", scene, "-o", scratch.file("p.particles")],
    ] {
      let outcome = Tool.particles.run(list: words)
      #expect(outcome.status > .done, "\(words)")
      let text = outcome.output + outcome.error
      #expect(text.contains("found a file of the format godot4: Godot 4 particles"), "\(text)")
      #expect(text.contains("hint: 'particles info' and 'particles render' take it"), "\(text)")
      #expect(text.contains("'particles convert \(scene) -o torch.particles' makes a package"))
    }
    let text = scratch.file("a.txt")
    try Files.create(text, Array("hello".utf8))
    #expect(run("list", text).error.contains("[container/signature]"))
    let list = scratch.file("Info.plist")
    try Files.create(list, Array("{\"skeleton\": 1, \"bones\": []}".utf8))
    #expect(run("list", list).error.contains("found a skeleton of Spine"))
  }
}
