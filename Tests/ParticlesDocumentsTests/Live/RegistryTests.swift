import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Registry of open documents")
struct RegistryTests {
  private let scratch: Scratch
  private let registry = DocumentRegistry()

  init() throws { scratch = try Scratch() }

  private var configuration: DocumentConfiguration {
    DocumentConfiguration(dataFolder: scratch.file("data"))
  }

  @Test("a file has one document under all of its names, also after a save that replaces it")
  func identity() async throws {
    let path = scratch.file("a.txt")
    try Files.create(path, Array("one".utf8))
    try Files.makeLink(scratch.file("link"), to: "a.txt")
    let document = try await registry.document(
      PlainText.self, at: path, configuration: configuration)
    #expect(try await registry.document(PlainText.self, at: scratch.file("link")) === document)
    try await document.open()
    try await document.edit("Type") { $0.text = "two" }
    try await document.save()
    #expect(try await registry.document(PlainText.self, at: path) === document)
    #expect(try await registry.document(PlainText.self, at: scratch.file("link")) === document)
    // Both windows share the undo.
    #expect(try await registry.document(PlainText.self, at: path).undo() == 1)
    try await document.close(discarding: true)
  }

  @Test("a rename by another program is followed; another file at the old path is another document")
  func renamed() async throws {
    let (a, b) = (scratch.file("a.txt"), scratch.file("b.txt"))
    try Files.create(a, Array("one".utf8))
    let document = try await registry.document(PlainText.self, at: a, configuration: configuration)
    try await document.open()
    try Files.rename(a, b)
    try await document.lookOutside()
    #expect(try await registry.document(PlainText.self, at: b) === document)
    try Files.create(a, Array("new".utf8))
    #expect(try await registry.document(PlainText.self, at: a) !== document)
    try await document.close()
  }

  @Test(
    "a file that is open as an effect is not opened as text, and is when nobody has it any more")
  func kinds() async throws {
    let path = scratch.file("a.particles")
    try EffectTemplate.blank(at: path)
    var document: Document<EffectPackage>? = try await registry.document(
      EffectPackage.self, at: path, configuration: configuration)
    do {
      _ = try await registry.document(PlainText.self, at: path)
      Issue.record("it is open twice")
    } catch {
      #expect((error as? Diagnostic)?.rule == .fileBusy)
    }
    #expect(await registry.documents.count == 1)
    #expect(document != nil)
    document = nil
    #expect(await registry.documents.isEmpty)
    _ = try await registry.document(PlainText.self, at: path)
  }

  @Test("each change has a number, an origin, and the files that it has changed")
  func revisions() async throws {
    let path = scratch.file("a.particles")
    try EffectTemplate.blank(at: path)
    let document = try await registry.document(
      EffectPackage.self, at: path, configuration: configuration)
    try await document.open()
    #expect(await document.revision == 0)
    let events = await document.events()
    try await document.edit("Change Seed") { package in
      var system = try package.system()
      system.seed = 7
      try package.setSystem(system)
    }
    try await document.undo()
    try await document.redo()
    try await document.save()
    try await document.edit("Nothing") { _ in }
    #expect(await document.revision == 3)
    try await document.close()
    var found: [DocumentRevision] = []
    for await event in events {
      if case .changed(let revision) = event { found.append(revision) }
      if case .closed = event { break }
    }
    #expect(found.map(\.number) == [1, 2, 3])
    #expect(found.map(\.origin) == [.edit, .undo, .undo])
    #expect(found.map(\.name) == ["Change Seed", "Change Seed", "Change Seed"])
    for revision in found { #expect(try revision.changedFiles() == ["document.json"]) }
  }

  @Test("another program's save is a change from outside; text is one file without a name")
  func outside() async throws {
    let path = scratch.file("a.txt")
    try Files.create(path, Array("one".utf8))
    var settings = configuration
    settings.isWatching = false
    let document = try await registry.document(PlainText.self, at: path, configuration: settings)
    try await document.open()
    let events = await document.events()
    try SafeSave.file(path, replacing: true) { try $0.write(Array("two".utf8)) }
    try await document.lookOutside()
    try await document.close()
    var found: [DocumentRevision] = []
    for await event in events {
      if case .changed(let revision) = event { found.append(revision) }
      if case .closed = event { break }
    }
    #expect(found.map(\.origin) == [.outside])
    #expect(try found.first?.changedFiles() == [""])
  }

  @Test("unsaved contents go into the recovery journal when a document is closed without a save")
  func recovery() async throws {
    let path = scratch.file("a.txt")
    try Files.create(path, Array("one".utf8))
    var settings = configuration
    settings.autosave = .off
    let document = try await registry.document(PlainText.self, at: path, configuration: settings)
    try await document.open()
    try await document.edit("Type") { $0.text = "unsaved" }
    try await document.closeIntoRecovery()
    #expect(await document.states.contains(.closed))
    #expect(String(decoding: try Files.read(path), as: UTF8.self) == "one")
    let entries = try RecoveryStore(dataFolder: scratch.file("data")).entries()
    #expect(entries.count == 1)
    #expect(entries.first?.isInUse == false)
  }
}

extension EffectTemplate {
  /// Writes a package made of the template `blank`.
  fileprivate static func blank(at path: String) throws {
    var container = try all[0].package().container
    try container.save(to: path, as: .flat)
  }
}
