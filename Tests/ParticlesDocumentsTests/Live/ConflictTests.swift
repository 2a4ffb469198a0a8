import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Conflicts of documents")
struct DocumentConflictTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  /// A document with `ours` in memory and `theirs` in the file.
  private func conflict() async throws -> Document<PlainText> {
    try folder.write("base\n", to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    try await document.edit("Ours") { $0.text = "ours\n" }
    try folder.write("theirs\n", to: "a.txt")
    await expectRule(.fileConflict) { try await document.save() }
    #expect(await document.states.isSuperset(of: [.inConflict, .changed]))
    #expect(try folder.read("a.txt") == "theirs\n")
    let conflict = try #require(await document.conflict)
    #expect(conflict.base.text == "base\n" && conflict.ours.text == "ours\n")
    #expect(conflict.theirs.text == "theirs\n" && !conflict.clashes.isEmpty)
    // Nothing is saved automatically while there is a conflict.
    try await document.autosave()
    await expectRule(.fileConflict) { try await document.save() }
    #expect(try folder.read("a.txt") == "theirs\n")
    return document
  }

  private func versions(_ document: Document<PlainText>) async throws -> [String] {
    var texts: [String] = []
    for version in try await document.versions() {
      texts.append(try await document.contents(of: version).text)
    }
    return texts
  }

  @Test("ours replace theirs, which are kept as a version")
  func ours() async throws {
    let document = try await conflict()
    #expect(try await document.resolve(.ours) == nil)
    try await document.save()
    #expect(try folder.read("a.txt") == "ours\n")
    #expect(try await versions(document).contains("theirs\n"))
    #expect(await document.states == [])
  }

  @Test("theirs stay, and ours are kept as a version")
  func theirs() async throws {
    let document = try await conflict()
    try await document.resolve(.theirs)
    #expect(await document.states.isDisjoint(with: [.inConflict, .changed]))
    #expect(try await document.text == "theirs\n")
    #expect(try await versions(document).contains("ours\n"))
    #expect(try await document.undo() == 1)
    #expect(try await document.text == "ours\n")
  }

  @Test("both stay, side by side")
  func both() async throws {
    let document = try await conflict()
    let beside = try #require(try await document.resolve(.both))
    #expect(try Files.read(beside) == Array("ours\n".utf8))
    #expect(Files.lastComponent(of: beside).hasPrefix("a (conflict "))
    #expect(try folder.read("a.txt") == "theirs\n")
    #expect(try await document.text == "theirs\n")
  }

  @Test("the user makes one of both")
  func contents() async throws {
    let document = try await conflict()
    try await document.resolve(.contents(PlainText("both\n")))
    try await document.save()
    #expect(try folder.read("a.txt") == "both\n")
    #expect(try await versions(document).contains("theirs\n"))
  }

  @Test("a merge takes ours where both have changed the same, and theirs elsewhere")
  func merged() async throws {
    let path = folder.path("fire")
    try folder.fire().container.write(to: path, as: .flat)
    let document = folder.effect("fire")
    try await document.open()
    try await document.edit("Rate") { try $0.apply("emitters[0].emission.rate=7") }
    var other = EffectPackage(try Container(contentsOf: path))
    try other.apply("emitters[0].emission.rate=8")
    try other.apply("asset.author=Other")
    try other.container.save()
    await expectRule(.fileConflict) { try await document.save() }
    #expect(await document.conflict?.clashes == ["emitters[0].emission.rate"])
    try await document.resolve(.merged)
    try await document.save()
    let editor = try EffectEditor(EffectPackage(Container(contentsOf: path)))
    #expect(try editor.value("asset.author") == .string("Other"))
    #expect(try editor.value("emitters[0].emission.rate") == .int(7))
  }

  @Test("a conflict at the end of a program is found by the next one")
  func left() async throws {
    let document = try await conflict()
    // The journal of this program, as the next one finds it.
    #expect(try folder.unsaved().count == 1)
    #expect(try await document.recoverable().isEmpty)
    try await document.close(discarding: true)
    #expect(try folder.unsaved().isEmpty)
  }
}
