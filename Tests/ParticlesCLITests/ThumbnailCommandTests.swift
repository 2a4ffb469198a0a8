import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("particles thumbnail") struct ThumbnailCommandTests {
  private let scratch: Scratch
  private var fire: String { scratch.file("fire.particles") }

  init() throws {
    scratch = try Scratch()
    _ = run("new", scratch.file("fire.particles"), "-t", "fire", "-q")
  }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  private func tree() throws -> FileNode { try Container(contentsOf: fire).root }

  @Test("a thumbnail is put into a package, in place, and nothing else changes")
  func embed() throws {
    let before = try tree()
    let outcome = run("thumbnail", "--embed", "-s", "48", fire)
    #expect(outcome == Outcome(status: .done, output: "", error: "saved \(fire)\n"))
    var after = try tree()
    let bytes = try #require(try after["QuickLook/Thumbnail.png"]?.contents?.bytes())
    #expect(try PNG.decode(bytes).width == 48)
    after.removeFileNode(at: "QuickLook")
    #expect(try after.matchesContents(of: before))
    #expect(
      run("thumbnail", "--embed", "-s", "48", fire).error == "nothing to change in \(fire)\n")
    #expect(run("validate", "--strict", fire).status == .done)
    #expect(run("thumbnail", "--embed", "--preview", "-s", "16", fire).status == .done)
    #expect(try tree()["QuickLook/Preview.webp"] != nil)
    // A picture of the requested size has equal pixels in the file and in the package.
    let picture = scratch.file("a.png")
    #expect(run("thumbnail", "-s", "16", fire, picture).status == .done)
    let embedded = try #require(try tree()["QuickLook/Thumbnail.png"]?.contents?.bytes())
    #expect(try PNG.decode(Files.read(picture)) == PNG.decode(embedded))
  }

  @Test("an embedded thumbnail is no edit: no version is kept, and there is nothing to undo")
  func versions() throws {
    let environment = scratch.desktop()
    func run(_ words: String...) -> Outcome {
      Tool.particles.run(list: words, environment: environment)
    }
    #expect(run("thumbnail", "--embed", "-s", "16", fire).status == .done)
    #expect(run("undo", fire).error.contains("nothing to undo"))
    #expect(run("versions", "--json", fire).output.contains("\"versions\": []"))
    #expect(run("edit", fire, "seed=4").status == .done)
    #expect(run("undo", fire).status == .done)
  }

  @Test("an edit draws the thumbnail again, and a change by another program is reported")
  func edit() throws {
    #expect(run("thumbnail", "--embed", "-s", "32", fire).status == .done)
    let old = try tree()["QuickLook/Thumbnail.png"]?.contents?.bytes()
    let outcome = run("edit", fire, "emitters[0].emission.rate=10")
    #expect(outcome.status == .done && !outcome.error.contains("thumbnail"), "\(outcome.error)")
    #expect(try tree()["QuickLook/Thumbnail.png"]?.contents?.bytes() != old)
    #expect(run("validate", "--strict", fire).status == .done)
    // Another program changes the document only.
    var container = try Container(contentsOf: fire)
    let document = try #require(try container.root["document.json"]?.contents?.bytes())
    let text = String(decoding: document, as: UTF8.self)
      .replacing("\"rate\": 10", with: "\"rate\": 20")
    try container.root.setFileNode(
      FileNode(regularFileWithContents: Array(text.utf8)), at: "document.json")
    try container.write(to: fire, as: .flat, replacing: true)
    let report = run("validate", fire)
    #expect(report.status == .done && (report.output + report.error).contains("[thumbnail/stale]"))
    #expect(run("validate", "--fix", fire).status == .done)
    #expect(run("validate", "--strict", fire).status == .done)
    #expect(try tree()["document.json"]?.contents?.bytes() == Array(text.utf8))
  }

  @Test("the thumbnail of another program is replaced only if that is asked for")
  func foreign() throws {
    var container = try Container(contentsOf: fire)
    try container.root.setFileNode(
      FileNode(regularFileWithContents: [1, 2]), at: "QuickLook/Thumbnail.png")
    try container.write(to: fire, as: .flat, replacing: true)
    let outcome = run("thumbnail", "--embed", "-s", "8", fire)
    #expect(outcome.status == .failed && outcome.error.contains("[file/exists]"))
    #expect(run("edit", fire, "seed=4").status == .done)
    #expect(try tree()["QuickLook/Thumbnail.png"]?.contents?.bytes() == [1, 2])
    #expect(run("thumbnail", "--embed", "-s", "8", "--force", fire).status == .done)
    #expect(try tree()["QuickLook/Thumbnail.png"]?.contents?.bytes() != [1, 2])
  }

  @Test("previews do not get into other formats, and packages without them stay without")
  func others() throws {
    let plain = scratch.file("plain.particles")
    try Files.create(plain, Files.read(fire))
    #expect(run("thumbnail", "--embed", "-s", "8", fire).status == .done)
    #expect(run("diff", plain, fire).status == .done)
    for (path, name) in [(plain, "a.pex"), (fire, "b.pex")] {
      #expect(run("convert", path, "-o", scratch.file(name), "-q").status == .done)
    }
    #expect(try Files.read(scratch.file("a.pex")) == Files.read(scratch.file("b.pex")))
    #expect(run("edit", plain, "seed=4").status == .done)
    #expect(try Container(contentsOf: plain).root["QuickLook"] == nil)
  }

  @Test("what cannot be asked for is a usage error, and changes nothing")
  func usage() throws {
    let before = try Files.read(fire)
    let picture = scratch.file("a.png")
    for words in [
      [fire], ["--embed", fire, picture], ["--preview", fire, picture], ["--embed", "-"],
      ["--embed", "--in-place", fire], ["--embed", "-s", "0", fire],
      ["-r", fire, picture], [scratch.file("*.particles"), picture], [fire, fire, picture],
      ["--embed", Repository.path("Fixtures/effects/pex/torch.pex")],
    ] {
      let outcome = Tool.particles.run(list: ["thumbnail"] + words, input: before)
      #expect(outcome.status == .usage, "\(words) \(outcome.error)")
    }
    #expect(try Files.read(fire) == before && Files.status(picture) == nil)
  }
}
