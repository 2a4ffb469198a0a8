import ParticlesCLI
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("The origin of a package")
struct OriginTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func file(_ name: String) -> String { scratch.file(name) }
  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  private func copy(_ fixture: String, to name: String) throws {
    try Files.create(file(name), Fixture.read(fixture))
  }

  @Test(
    "an output whose extension several formats have gets the format that the effect came from",
    arguments: [
      ("godot/torch.tscn", "godot4"), ("pixi/torch.json", "pixi"), ("phaser/torch.json", "phaser"),
      ("quarks/torch.json", "quarks"), ("tsparticles/pair.json", "tsparticles"),
      ("pd-json/torch.json", "particle-designer"), ("love/torch.lua", "love"),
    ])
  func sharedExtension(fixture: String, format: String) throws {
    let kind = Files.pathExtension(of: fixture)
    try copy("effects/\(fixture)", to: "in.\(kind)")
    #expect(run("convert", file("in.\(kind)"), "-o", file("a.particles"), "-q").status == .done)
    for (index, words) in [[], ["--to", kind], ["--to", ".\(kind)"]].enumerated() {
      let output = file("back\(index).\(kind)")
      let back = Tool.particles.run(
        list: ["convert", file("a.particles"), "-o", output] + words)
      #expect(back.status == .done, "\(back.error)")
      #expect(
        back.error.contains("(\(format)); \(output) is written in this format\n"), "\(back.error)")
      #expect(try Files.read(output) == Files.read(file("in.\(kind)")))
    }
    // The imported file itself has an origin, too.
    #expect(run("convert", file("in.\(kind)"), "-o", file("b.\(kind)"), "-q").status == .done)
    #expect(try Files.read(file("b.\(kind)")) == Files.read(file("in.\(kind)")))
  }

  @Test("--to original writes each effect of a folder in its own format, with its edits")
  func original() throws {
    try Files.makeDirectory(file("in"))
    for (fixture, name) in [("pex/torch.pex", "a"), ("love/torch.lua", "b")] {
      let kind = Files.pathExtension(of: fixture)
      try copy("effects/\(fixture)", to: "\(name).\(kind)")
      _ = run("convert", file("\(name).\(kind)"), "-o", file("in/\(name).particles"), "-q")
    }
    _ = run("edit", file("in/a.particles"), "emitters[0].launch.spread=7", "-q")
    _ = run("new", file("in/c.particles"), "-q")
    let all = run("convert", "-r", file("in"), "--to", "original", "-o", file("out"))
    #expect(all.status == .failed)
    #expect(
      all.error.contains("c.particles: error: cannot be written: the effect was not imported"))
    #expect(try Files.list(file("out")).sorted() == ["a.pex", "b.lua"])
    #expect(try Files.read(file("out/b.lua")) == Files.read(file("b.lua")))
    let (old, new) = try (lines(file("a.pex")), lines(file("out/a.pex")))
    #expect(old.count == new.count && zip(old, new).count { $0 != $1 } == 1)
    #expect(
      run("convert", file("in/a.particles"), "--to", "original", "--form", "flat", "-o", file("x"))
        .status == .usage)
  }

  private func lines(_ path: String) throws -> [Substring] {
    String(decoding: try Files.read(path), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test(
    "a file of a format that is only read comes back as long as nothing was edited",
    arguments: ["vortex/torch.json", "effekseer/sparks.efkproj", "caemitter/sparks.plist"])
  func onlyRead(fixture: String) throws {
    let kind = Files.pathExtension(of: fixture)
    try copy(fixture, to: "in.\(kind)")
    #expect(run("convert", file("in.\(kind)"), "-o", file("a.particles"), "-q").status == .done)
    let back = run("convert", file("a.particles"), "-o", file("back.\(kind)"))
    #expect(back.status == .done && back.error.contains(" comes from: "), "\(back.error)")
    #expect(try Files.read(file("back.\(kind)")) == Fixture.read(fixture))
    #expect(
      run("convert", file("a.particles"), "--to", "original", "-o", file("b")).status == .done)
    _ = run("edit", file("a.particles"), "emitters[0].lifetime*=2", "-q")
    let edited = run("convert", file("a.particles"), "--to", "original", "-o", file("c"))
    #expect(edited.status == .failed && edited.error.contains("emitters[0].lifetime"))
    #expect(try Files.status(file("c")) == nil)
  }

  @Test("an output without an extension is asked about on a terminal, and an error elsewhere")
  func extensionless() throws {
    _ = run("new", file("a.particles"), "-q")
    let words = ["convert", file("a.particles"), "-o", file("out")]
    let error = Tool.particles.run(list: words)
    #expect(error.status == .usage && error.error.contains("has no extension"))
    #expect(error.error.contains(".particles, .zip,") && error.error.contains("--to"))
    let hint = error.error.split(separator: "\n").first { $0.contains("hint:") } ?? ""
    #expect(hint.components(of: ".json").count == 2, "an extension is said once: \(hint)")
    #expect(try Files.status(file("out")) == nil)
    func ask(_ answer: String) -> Outcome {
      Tool.particles.run(
        list: words + ["-q"], input: Array(answer.utf8), inputIsTerminal: true,
        errorIsTerminal: true)
    }
    #expect(
      ask("").status == .usage && ask("\n").status == .usage && ask("tiff\n").status == .usage)
    #expect(ask(" pex \n").status == .done)
    #expect(try OpenedEffect(path: file("out")).kindName == "Starling particle system")
    #expect(
      run("convert", file("a.particles"), "-o", file("d"), "--form", "directory").status == .done)
  }

  @Test("what --to does not know is an error that lists the words")
  func unknownTarget() throws {
    _ = run("new", file("a.particles"), "-q")
    let wrong = run("convert", file("a.particles"), "--to", "nonsense", "-n")
    #expect(wrong.status == .usage && wrong.error.contains("original"))
    let near = run("convert", file("a.particles"), "--to", "starlin", "-n")
    #expect(near.error.contains("did you mean 'starling'?"))
    let readOnly = run("convert", file("a.particles"), "--to", "effekseer", "-n")
    #expect(readOnly.status == .usage && readOnly.error.contains("cannot be written"))
  }
}

extension Substring {
  fileprivate func components(of text: String) -> [Substring] {
    var (rest, parts) = (self, [Substring]())
    while let range = rest.firstRange(of: text) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts + [rest]
  }
}
