import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("particles info") struct InfoCommandTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A template as a directory, whose size and digest do not depend on how pictures are compressed.
  private func directory(_ name: String) throws -> String {
    var package = try #require(EffectTemplate.named(name)).package()
    var system = try package.system()
    for index in system.images.indices {
      system.images[index].sha256 = nil
      try package.container.root.setFileNode(
        FileNode(regularFileWithContents: [UInt8](repeating: 0, count: 1000)),
        at: system.images[index].uri)
    }
    try package.setSystem(system)
    try package.container.write(to: scratch.file(name), as: .directory)
    return scratch.file(name)
  }

  private func run(_ words: String...) -> Outcome { Tool.particles.run(list: words) }

  /// The output, without lines that differ between machines.
  private func plain(_ text: String) -> String {
    text.replacing(scratch.path, with: "DIR").replacing(Repository.root, with: "ROOT")
  }

  @Test("what it says", arguments: ["blank", "fire", "rain", "explosion"])
  func text(name: String) throws {
    let outcome = run("info", try directory(name))
    #expect(outcome.status == .done && outcome.error.isEmpty)
    try Golden.check(
      plain(outcome.output), against: "Tests/ParticlesCLITests/Golden/info-\(name).txt")
  }

  @Test("of an imported effect it tells where it came from, and what was lost on the way")
  func origin() throws {
    let outcome = run("info", Repository.path("Fixtures/scenekit/ember.particles"))
    try Golden.check(
      plain(outcome.output), against: "Tests/ParticlesCLITests/Golden/info-imported.txt")
    let package = scratch.file("a.particles")
    let source = Repository.path("Fixtures/scenekit/ember.particles")
    #expect(run("convert", source, "-o", package, "-q").status == .done)
    let again = run("info", package).output
    #expect(again.contains("Source/original.particles"))
    // The package knows as much as the file that it was made of.
    let losses = outcome.output.split(separator: "\n").drop { !$0.hasPrefix("not taken") }
    #expect(again.split(separator: "\n").drop { !$0.hasPrefix("not taken") } == losses)
    var container = try Container(contentsOf: package)
    try container.root.setFileNode(
      FileNode(regularFileWithContents: [1]), at: "Source/original.particles")
    try container.save()
    #expect(run("info", package).output.contains("modified since the import"))
  }

  @Test("of a folder the documents are counted, each once", arguments: [1, 2, 3])
  func counts(_ count: Int) throws {
    try Files.makeDirectory(scratch.file("in"))
    for number in 0..<count { _ = run("new", scratch.file("in/\(number).particles"), "-q") }
    try Files.create(scratch.file("in/notes.txt"), Array("text".utf8))
    let number = count == 1 ? "1 document" : "\(count) documents"
    for words in [[], ["--properties"], ["--json"], ["--json", "--properties"]] {
      let outcome = Tool.particles.run(list: ["info", "-r", scratch.file("in")] + words)
      #expect(outcome.status == .done && outcome.error == "\(number); 1 unknown\n", "\(words)")
    }
  }

  @Test("all of it as JSON, for several files")
  func json() throws {
    let outcome = run("info", "--json", try directory("rain"), try directory("blank"))
    let json = try #require(try JSONParser.parse(Array(outcome.output.utf8)).object)
    let files = try #require(json["files"]?.array)
    try Golden.check(
      plain(files.map(\.text).joined()), against: "Tests/ParticlesCLITests/Golden/info.json.txt")
    let some = run("info", "--json", scratch.file("none"), scratch.file("rain"))
    #expect(some.status == .failed && some.error.contains("[file/not-found]"))
    #expect(try JSONParser.parse(Array(some.output.utf8)).object?["files"]?.array?.count == 1)
  }
}
