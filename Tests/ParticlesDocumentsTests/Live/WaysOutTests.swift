import Foundation
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The states that other programs bring about, and the ways out.
@Suite("Ways out of conflicts, damage and deletion")
struct WaysOutTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  /// The forms of documents.
  enum Form: CaseIterable, Sendable { case text, flat, directory }

  private static let old = SampleTree.noise(3 << 20, seed: 3)

  /// A changed document of a form, whose file has contents that are read on access.
  private func changed(_ form: Form) async throws -> Document<FileTree> {
    let path = folder.path("a.particles")
    let root = try FileNode(directoryWithFileNodes: [
      "image": FileNode(regularFileWithContents: Self.old),
      "state": FileNode(regularFileWithContents: Array("old".utf8)),
    ])
    switch form {
    case .text: try Files.create(path, Self.old)
    case .flat: try Container(root: root).write(to: path, as: .flat)
    case .directory: try Container(root: root).write(to: path, as: .directory)
    }
    var configuration = folder.quiet
    // The files of a folder are kept where changes by other programs are expected.
    configuration.isWatching = form == .directory
    let document = Document<FileTree>(path: path, configuration: configuration)
    try await document.open()
    try await document.edit("Edit") { tree in
      let new = FileNode(regularFileWithContents: Array("ours".utf8))
      if form == .text { tree.root = new } else { try tree.root.setFileNode(new, at: "state") }
    }
    return document
  }

  /// Whether a path has our contents, in the form of the document.
  private func hasOurs(_ form: Form, at path: String) throws -> Bool {
    if form == .text { return try Files.read(path) == Array("ours".utf8) }
    let container = try Container(contentsOf: path)
    return try container.root["state"]?.regularFileContents() == Array("ours".utf8)
      && container.root["image"]?.regularFileContents() == Self.old
      && container.form == (form == .flat ? .flat : .directory)
  }

  private func delete() throws { try Files.removeAll(folder.path("a.particles")) }

  @Test("a deleted document is recreated where it was", arguments: Form.allCases, [true, false])
  func recreated(form: Form, isForced: Bool) async throws {
    let document = try await changed(form)
    try delete()
    try await document.lookOutside()
    #expect(await document.states == [.deleted, .changed])
    await expectRule(.fileNotFound) { try await document.save() }
    if isForced { try await document.saveAnyway() } else { try await document.recreate() }
    #expect(try hasOurs(form, at: folder.path("a.particles")))
    #expect(await document.states == [])
    // It is the document again: other changes are noticed, and undo goes on.
    try await document.lookOutside()
    #expect(try await document.undo() == 1)
    try await document.save()
    if form != .text {
      let root = try Container(contentsOf: folder.path("a.particles")).root
      #expect(try root["state"]?.regularFileContents() == Array("old".utf8))
    }
  }

  @Test("a deleted document is saved elsewhere, or given up", arguments: Form.allCases)
  func elsewhere(form: Form) async throws {
    let document = try await changed(form)
    try delete()
    try await document.lookOutside()
    let copy = try await document.save(
      to: folder.path("b.particles"), as: form == .directory ? .directory : .flat)
    #expect(try hasOurs(form, at: folder.path("b.particles")))
    try Files.removeAll(folder.path("b.particles"))
    try await copy.lookOutside()
    #expect(await copy.states == .deleted)
    try await copy.discard()
    #expect(await copy.states == .closed)
    #expect(try folder.names().isEmpty)
  }

  @Test("what appeared where a document was deleted is not overwritten by recreating it")
  func appeared() async throws {
    let document = try await changed(.text)
    try delete()
    try await document.lookOutside()
    try folder.write("theirs", to: "a.particles")
    await expectRule(.fileExists) { try await document.recreate() }
    #expect(await document.states.isSuperset(of: [.inConflict, .changed]))
    #expect(try folder.read("a.particles") == "theirs")
    try await document.saveAnyway()
    #expect(try hasOurs(.text, at: folder.path("a.particles")))
    #expect(await document.states == [])
  }

  /// A changed text, and then bytes of another program that are none.
  private func undecodable() async throws -> (Document<PlainText>, [UInt8]) {
    try folder.write("base", to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    try await document.edit("Ours") { $0.text = "ours" }
    let theirs: [UInt8] = [0xFF, 0xFE, 0x41, 0]
    try SafeSave.file(folder.path("a.txt"), replacing: true) { try $0.write(theirs) }
    try await document.lookOutside()
    #expect(await document.states == [.undecodable, .changed])
    #expect(try await document.text == "ours")
    await expectRule(.fileConflict) { try await document.save() }
    try await document.autosave()
    #expect(try Files.read(folder.path("a.txt")) == theirs)
    return (document, theirs)
  }

  @Test("what cannot be read is replaced on request, and kept", arguments: [true, false])
  func saved(hasVersions: Bool) async throws {
    let (document, theirs) = try await undecodable()
    if !hasVersions {
      // Versions cannot be written.
      let database = folder.database.path
      if try Files.status(database) != nil { try Files.removeAll(database) }
      try Files.makeDirectories(database)
    }
    try await document.saveAnyway()
    #expect(try folder.read("a.txt") == "ours")
    #expect(await document.states == [])
    if hasVersions {
      let store = VersionStore(dataFolder: folder.data)
      let path = folder.path("a.txt")
      let kept = try #require(try store.versions(of: path).first { $0.kind == .conflict })
      #expect(try store.contents(of: kept.number, of: path).regularFileContents() == theirs)
      #expect(try folder.names() == ["a.txt"])
    } else {
      let name = try #require(try folder.names().first { $0 != "a.txt" })
      #expect(try Files.read(folder.path(name)) == theirs)
    }
  }

  @Test("our side of unreadable contents is saved elsewhere, or given up as a version")
  func leaving() async throws {
    let (document, theirs) = try await undecodable()
    let copy = try await document.save(to: folder.path("b.txt"))
    #expect(try folder.read("b.txt") == "ours")
    try await copy.close()
    try Files.removeAll(folder.path("a.txt"))
    let (second, _) = try await undecodable()
    try await second.discard()
    #expect(await second.states == .closed)
    #expect(try Files.read(folder.path("a.txt")) == theirs)
    let store = VersionStore(dataFolder: folder.data)
    let last = try #require(try store.versions(of: folder.path("a.txt")).last)
    let contents = try store.contents(of: last.number, of: folder.path("a.txt"))
    #expect(try contents.regularFileContents() == Array("ours".utf8))
  }

  @Test("a file that can be read again ends the state")
  func healed() async throws {
    let (document, _) = try await undecodable()
    try folder.write("base", to: "a.txt")
    try await document.lookOutside()
    #expect(await document.states == .changed)
    try await document.save()
    #expect(try folder.read("a.txt") == "ours")
  }

  @Test("contents that cannot be read, and are then deleted, are deleted")
  func deletedAfterDamage() async throws {
    let (document, _) = try await undecodable()
    try Files.removeAll(folder.path("a.txt"))
    try await document.lookOutside()
    #expect(await document.states == [.deleted, .changed])
    try await document.saveAnyway()
    #expect(try folder.read("a.txt") == "ours")
    #expect(await document.states == [])
  }

  @Test("contents that are as they were before they could not be read end the state")
  func restored() async throws {
    try folder.write("base", to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    try await document.edit("Ours") { $0.text = "ours" }
    let path = folder.path("a.txt")
    let before = try #require(try Files.status(path)).state
    func overwrite(_ bytes: [UInt8]) throws {
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      try file.write(contentsOf: Data(bytes))
      try file.close()
    }
    try overwrite([0xFF, 0xFE, 0x41, 0])
    try await document.lookOutside()
    #expect(await document.states == [.undecodable, .changed])
    try overwrite(Array("base".utf8))
    try OpenFile(reading: path).setModified(as: before)
    try await document.lookOutside()
    #expect(await document.states == .changed)
  }

  @Test(
    "a package that was damaged or replaced by something else", arguments: [true, false],
    [true, false])
  func damaged(isDirectory: Bool, isFolder: Bool) async throws {
    let path = folder.path("fire.particles")
    try folder.fire().container.write(to: path, as: isDirectory ? .directory : .flat)
    var configuration = folder.quiet
    configuration.isWatching = isDirectory
    let document = folder.effect("fire.particles", configuration)
    try await document.open()
    try await document.edit("Seed") { try $0.apply("seed=9") }
    try Files.removeAll(path)
    if isFolder {
      try Files.makeDirectory(path)
      try Files.makeDirectory("\(path)/a:b\u{1}")
    } else {
      try Files.create(path, Array("nothing of the kind".utf8))
    }
    try await document.lookOutside()
    #expect(await document.states == [.undecodable, .changed])
    try await document.saveAnyway()
    let stored = try Container(contentsOf: path)
    #expect(stored.form == (isDirectory ? .directory : .flat))
    #expect(try EffectEditor(EffectPackage(stored)).value("seed") == .int(9))
    #expect(await document.states == [])
    try await document.edit("Seed") { try $0.apply("seed=10") }
    try await document.save()
    #expect(try EffectEditor(EffectPackage(Container(contentsOf: path))).value("seed") == .int(10))
  }

  // MARK: Conflicts

  /// A document in conflict, whose file another program changes again.
  private func conflict() async throws -> Document<PlainText> {
    try folder.write("base\n", to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    try await document.edit("Ours") { $0.text = "ours\n" }
    try folder.write("second\n", to: "a.txt")
    try await document.lookOutside()
    #expect(await document.conflict?.theirs.text == "second\n")
    try folder.write("third\n", to: "a.txt")
    return document
  }

  @Test("another change during a conflict is a new conflict")
  func refreshed() async throws {
    let document = try await conflict()
    try await document.event({ if case .conflict = $0 { true } else { false } }) {
      try await document.lookOutside()
    }
    #expect(await document.conflict?.theirs.text == "third\n")
    #expect(await document.conflict?.base.text == "base\n")
    // The second program takes everything back.
    try folder.write("base\n", to: "a.txt")
    try await document.lookOutside()
    #expect(await document.states == .changed)
    #expect(await document.conflict == nil)
    try await document.save()
    #expect(try folder.read("a.txt") == "ours\n")
  }

  @Test("resolving looks at the file first", arguments: [true, false])
  func resolved(isSeen: Bool) async throws {
    let document = try await conflict()
    if isSeen { try await document.lookOutside() }
    try await document.resolve(.theirs)
    #expect(try await document.text == "third\n")
    #expect(await document.states == [])
    #expect(try folder.read("a.txt") == "third\n")
    try await document.append("more\n")
    try await document.save()
    #expect(try folder.read("a.txt") == "third\nmore\n")
  }

  @Test("our side replaces the third state, which is kept")
  func ours() async throws {
    let document = try await conflict()
    try await document.resolve(.ours)
    try await document.save()
    #expect(try folder.read("a.txt") == "ours\n")
    var kept: [String] = []
    for version in try await document.versions() {
      kept.append(try await document.contents(of: version).text)
    }
    #expect(kept.contains("third\n"))
  }

  @Test("contents that were made of the second state do not replace the third one")
  func stale() async throws {
    let document = try await conflict()
    await expectRule(.fileConflict) {
      try await document.resolve(.contents(PlainText("ours and second\n")))
    }
    #expect(await document.conflict?.theirs.text == "third\n")
    try await document.resolve(.contents(PlainText("ours and third\n")))
    try await document.save()
    #expect(try folder.read("a.txt") == "ours and third\n")
  }

  @Test("a conflict ends when the file is deleted; the other side stays as a version")
  func deletedInConflict() async throws {
    let document = try await conflict()
    try Files.removeAll(folder.path("a.txt"))
    await expectRule(.fileNotFound) { try await document.resolve(.theirs) }
    #expect(await document.states == [.deleted, .changed])
    #expect(try await document.text == "ours\n")
    try await document.recreate()
    #expect(try folder.read("a.txt") == "ours\n")
  }
}
