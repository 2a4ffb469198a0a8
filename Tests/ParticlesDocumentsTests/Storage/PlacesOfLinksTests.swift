import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Symbolic links to documents that are renamed and moved.
@Suite("Places of links")
struct PlacesOfLinksTests {
  private let folder: LiveFolder
  private var store: VersionStore { VersionStore(dataFolder: folder.data) }

  init() throws {
    folder = try LiveFolder()
    try folder.write("text", to: "a.txt")
    try store.add(
      FileNode(regularFileWithContents: Array("text".utf8)), of: folder.path("a.txt"), as: .saved)
    try Files.makeDirectories(folder.path("deep/inner"))
    try Files.makeDirectory(folder.path("other"))
  }

  private func move(_ old: String, _ new: String) throws -> [Diagnostic] {
    try DocumentPlaces.move(folder.path(old), to: folder.path(new), versions: store)
  }

  private func expect(_ link: String, leadsTo text: String? = nil) throws {
    #expect(try folder.read(link) == "text", "\(link)")
    let target = try Files.destination(ofLink: folder.path(link))
    if let text { #expect(target == text) }
    #expect(try store.versions(of: folder.path(link)).count == 1)
    #expect(try store.versions(of: folder.path("a.txt")).count == 1)
  }

  @Test("a link that is renamed keeps its text, and the document its versions")
  func renaming() throws {
    try Files.makeLink(folder.path("link.txt"), to: "a.txt")
    #expect(try move("link.txt", "new.txt").isEmpty)
    try expect("new.txt", leadsTo: "a.txt")
    #expect(try Files.status(folder.path("link.txt"), followingLinks: false) == nil)
    #expect(try store.histories().count == 1)
  }

  @Test("a relative link that is moved leads to the same document")
  func moving() throws {
    try Files.makeLink(folder.path("link.txt"), to: "a.txt")
    #expect(try move("link.txt", "deep/inner/link.txt").isEmpty)
    try expect("deep/inner/link.txt", leadsTo: "../../a.txt")
    #expect(try move("deep/inner/link.txt", "other/link.txt").isEmpty)
    try expect("other/link.txt", leadsTo: "../a.txt")
    #expect(try move("other/link.txt", "back.txt").isEmpty)
    try expect("back.txt", leadsTo: "a.txt")
    // Through a folder that is a link itself: `..` leads above the target of the link.
    try Files.makeLink(folder.path("shortcut"), to: "deep/inner")
    #expect(try move("back.txt", "shortcut/link.txt").isEmpty)
    try expect("deep/inner/link.txt", leadsTo: "../../a.txt")
    #expect(try move("shortcut/link.txt", "other/x.txt").isEmpty)
    try expect("other/x.txt", leadsTo: "../a.txt")
    #expect(try Files.list(folder.path("deep/inner")).isEmpty)
    // An absolute one.
    try Files.makeLink(folder.path("absolute.txt"), to: folder.path("a.txt"))
    #expect(try move("absolute.txt", "deep/absolute.txt").isEmpty)
    try expect("deep/absolute.txt", leadsTo: folder.path("a.txt"))
  }

  @Test("a link does not overwrite, and a link to a link leads to that one")
  func others() throws {
    try Files.makeLink(folder.path("first.txt"), to: "a.txt")
    try Files.makeLink(folder.path("second.txt"), to: "first.txt")
    try folder.write("taken", to: "other/taken.txt")
    expectThrows(.fileExists) { try move("second.txt", "other/taken.txt") }
    #expect(try folder.read("other/taken.txt") == "taken")
    try expect("second.txt", leadsTo: "first.txt")
    #expect(try move("second.txt", "other/second.txt").isEmpty)
    try expect("other/second.txt", leadsTo: "../first.txt")
    try Files.makeLink(folder.path("dangling.txt"), to: "none")
    expectThrows(.fileNotFound) { try move("dangling.txt", "other/dangling.txt") }
    #expect(try Files.destination(ofLink: folder.path("dangling.txt")) == "none")
  }

  @Test("a document moves with its versions; if they cannot, it moves with a warning")
  func failing() throws {
    try folder.database.run(
      "CREATE TRIGGER stays BEFORE UPDATE ON documents BEGIN SELECT RAISE(ABORT, 'it stays'); END")
    let warnings = try move("a.txt", "b.txt")
    #expect(warnings.map(\.rule) == [.fileHistory])
    #expect(try folder.read("b.txt") == "text")
    try folder.database.run("DROP TRIGGER stays")
    #expect(try store.versions(of: folder.path("b.txt")).count == 1)
  }

  @Test("an open document that is reached by a link moves the link")
  func live() async throws {
    try Files.makeLink(folder.path("link.txt"), to: "a.txt")
    let document = folder.text("link.txt")
    try await document.open()
    try await document.move(to: folder.path("deep/link.txt"))
    try await document.append("!")
    try await document.save()
    #expect(try folder.read("a.txt") == "text!")
    #expect(
      try Files.status(folder.path("deep/link.txt"), followingLinks: false)?.kind == .symbolicLink)
    #expect(try store.versions(of: folder.path("a.txt")).count >= 2)
    try await document.close()
  }
}
