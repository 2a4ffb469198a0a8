import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments
@testable import ParticlesEffects

/// Saves in formats that cannot hold all that was edited.
@Suite("Saves with losses")
struct LossySaveTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  @Test("after a save with losses the document is what was saved, and undo goes back over it")
  func reread() async throws {
    let source = Repository.path("Fixtures/effects/pex")
    for file in try Files.list(source) where file.hasSuffix(".png") || file == "snow.pex" {
      try Files.create(folder.path(file), try Files.read(Files.joined(source, file)))
    }
    let document = Document<EffectFile>(
      path: folder.path("snow.pex"), configuration: folder.quiet)
    try await document.open()
    let before = try folder.read("snow.pex")
    try await document.edit("Rate") {
      try $0.edit { try $0.set("emitters[0].emission.rate", to: "17") }
    }
    try await document.edit("Bursts") {
      try $0.edit { try $0.apply(#"emitters[0].emission.bursts=[{"time": 1, "count": 5}]"#) }
    }
    let lost = Set(try await document.content.saving().dropped.map(\.message))
    try await document.edit("Accept") { $0.acceptedLosses = lost }
    let revision = await document.revision
    try await document.event({
      if case .changed(let change) = $0 { change.origin == .save } else { false }
    }) { try await document.save() }
    #expect(await document.states == [])
    #expect(await document.revision == revision + 1)
    // The document shows the values that another program reads.
    let shown = try await document.content.effect.system()
    let stored = try OpenedEffect(path: folder.path("snow.pex")).package.system()
    #expect(shown.differences(from: stored).isEmpty)
    #expect(shown.emitters[0].emission.bursts.isEmpty)
    #expect(try await document.content.saving().dropped.isEmpty)
    // Nothing is left to save.
    let time = try Files.status(folder.path("snow.pex"))?.state
    try await document.save()
    #expect(try Files.status(folder.path("snow.pex"))?.state == time)
    #expect(await document.undoNames == ["Rate", "Bursts", "Accept"])
    #expect(try await document.undo() == 1)
    #expect(try await document.content.effect.system().emitters[0].emission.bursts.count == 1)
    #expect(try await document.redo() == 1)
    #expect(await document.states == [])
    #expect(try await document.undo(3) == 3)
    try await document.save()
    #expect(try folder.read("snow.pex") == before)
    try await document.close()
  }
}
