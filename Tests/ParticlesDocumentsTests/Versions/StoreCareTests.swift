import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDatabase
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments

/// What happens to stores without a document, beyond the limits, and with damage.
@Suite("Care of the versions of all documents")
struct StoreCareTests {
  private let folder: LiveFolder
  private var store: VersionStore { VersionStore(dataFolder: folder.data) }
  private let day = 86_400.0

  init() throws { folder = try LiveFolder() }

  private func node(_ text: String, padding: Int = 0) -> FileNode {
    FileNode(
      regularFileWithContents: Array(text.utf8)
        + SampleTree.noise(padding, seed: UInt64(text.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })))
  }

  /// Writes a document and keeps its versions.
  private func keep(_ name: String, _ texts: String..., padding: Int = 0) throws {
    try folder.write(texts.last ?? "", to: name)
    for text in texts {
      try store.add(node(text, padding: padding), of: folder.path(name), as: .saved)
    }
  }

  private func change(_ statement: String, _ values: [SQLite.Value] = []) throws {
    try store.store.write { try $0.run(statement, values) }
  }

  private func number(_ query: String) throws -> Int? {
    try store.store.read { try $0.integer(query) } ?? nil
  }

  private func count(_ name: String) throws -> Int {
    try store.versions(of: folder.path(name)).count
  }

  @Test("versions of documents that are gone are removed after 90 days; others stay")
  func gone() throws {
    for name in ["there", "gone", "deleted", "back"] { try keep(name, name, "\(name) 2") }
    for name in ["gone", "deleted", "back"] { try Files.removeAll(folder.path(name)) }
    try store.end(folder.path("deleted"))
    // Whole seconds, so that sums are exact.
    let now = WallClock.seconds.rounded()
    // A document that another program has deleted is counted from the first look.
    #expect(try store.sweep(at: now).documents.isEmpty)
    #expect(try store.sweep(at: now + 89 * day).documents.isEmpty)
    try folder.write("back 2", to: "back")
    let removed = try store.sweep(at: now + 91 * day).documents
    #expect(Set(removed.map(Files.lastComponent)) == ["gone", "deleted"])
    #expect(try count("there") == 2 && count("back") == 2)
    #expect(try count("gone") == 0 && count("deleted") == 0)
    #expect(try number("SELECT count(*) FROM documents") == 2)
    #expect(try number("SELECT count(DISTINCT document) FROM versions") == 2)
    // Being away begins anew.
    try Files.removeAll(folder.path("back"))
    #expect(try store.sweep(at: now + 92 * day).documents.isEmpty)
    #expect(try count("back") == 2)
    #expect(try store.sweep(at: now + 182 * day - 1).documents.isEmpty)
    #expect(try store.sweep(at: now + 182 * day).documents.count == 1)
    #expect(try count("back") == 0 && count("there") == 2)
  }

  @Test(
    "versions that another document has displaced are removed after 90 days, with their contents")
  func displaced() throws {
    try keep("a", "one", "two", padding: 100_000)
    try store.begin(folder.path("a"))
    #expect(try store.histories().map { $0.gone != nil } == [true])
    var short = store
    short.limits.goneSeconds = 10 * day
    #expect(try short.sweep(at: WallClock.seconds + 9 * day).documents.isEmpty)
    #expect(try short.sweep(at: WallClock.seconds + 11 * day).documents.count == 1)
    #expect(try store.histories().isEmpty)
    #expect(try number("SELECT count(*) FROM contents") == 0)
  }

  @Test("beyond the total limit, the oldest versions of all documents are removed, gone ones first")
  func total() throws {
    // Each state is a file of 100 kB.
    try keep("old", "old 1", "old 2", "old 3", padding: 100_000)
    try keep("new", "new 1", "new 2", "new 3", padding: 100_000)
    try keep("gone", "gone 1", "gone 2", padding: 100_000)
    try Files.removeAll(folder.path("gone"))
    var small = store
    small.limits.totalBytes = 1_200_000
    #expect(try small.sweep().versions == 0)
    small.limits.totalBytes = 650_000
    let outcome = try small.sweep()
    #expect(outcome.versions == 3 && outcome.bytes <= 650_000, "\(outcome)")
    #expect(try count("gone") == 0 && count("old") == 2 && count("new") == 3)
    // The newest one of a document that is there stays.
    small.limits.totalBytes = 1
    #expect(try small.sweep().versions == 3)
    #expect(try count("old") == 1 && count("new") == 1)
    for name in ["old", "new"] { #expect(try store.verify(folder.path(name)).isEmpty) }
  }

  @Test("a version that is added enforces the limits, once a day")
  func daily() throws {
    try keep("a", "1")
    let state = StoredState("swept", in: store.store)
    let first = try state.read()
    try keep("gone", "1")
    try Files.removeAll(folder.path("gone"))
    try store.end(folder.path("gone"))
    var strict = store
    strict.limits.goneSeconds = -1
    try strict.add(node("2"), of: folder.path("a"), as: .saved)
    #expect(try first != nil && state.read() == first && count("gone") == 1)
    try state.write(.double(WallClock.seconds - 2 * day))
    try strict.add(node("3"), of: folder.path("a"), as: .saved)
    #expect(try count("gone") == 0 && count("a") == 3)
    #expect(try #require(try state.read()?.double) > WallClock.seconds - 3600)
  }

  @Test("all documents are listed with what is kept of them")
  func histories() throws {
    try keep("a", "1", "2")
    try store.addEdit("Edit", of: folder.path("a"), from: node("1"), to: node("2"))
    try keep("b", "1")
    try Files.removeAll(folder.path("b"))
    let all = try store.histories()
    #expect(all.map { Files.lastComponent(of: $0.path ?? "") } == ["a", "b"])
    #expect(all.map(\.versions) == [2, 1] && all.map(\.edits) == [1, 0])
    #expect(all.map { $0.gone != nil } == [false, true])
    #expect(all.allSatisfy { $0.bytes > 100 && $0.faults.isEmpty })
  }

  // MARK: Damage

  @Test("nothing is removed while a list of files is damaged; a repair removes the version")
  func damagedListing() throws {
    let path = folder.path("a")
    try keep("a", "1", "2", "3", padding: 100_000)
    let tree = try #require(try store.versions(of: path).first { $0.number == 2 }).tree
    let key = SQLite.Value.blob(try #require(StoredContentRows.key(tree)))
    let sound = try #require(
      try store.store.read { try StoredContentRows(database: $0).row(tree)?.bytes } ?? nil)
    try change("UPDATE contents SET bytes = x'0102' WHERE digest = ?", [key])
    #expect(try store.faults(of: path).map(\.rule) == [.fileStore])
    #expect(try !store.verify(path).isEmpty)
    expectThrows(.fileStore) { try store.delete([1], of: path) }
    expectThrows(.fileStore) { try store.prune(path) }
    try Files.removeAll(folder.path("a"))
    for days in [200, 400] {
      let sweep = try store.sweep(at: WallClock.seconds + Double(days) * day)
      #expect(sweep.documents.isEmpty && sweep.diagnostics.count == (days > 200 ? 1 : 0))
    }
    try folder.write("3", to: "a")
    // Another version, and the damage is still there.
    try store.add(node("4"), of: path, as: .saved)
    #expect(try store.versions(of: path).map(\.number) == [1, 2, 3, 4])
    try change("UPDATE contents SET bytes = ? WHERE digest = ?", [.blob(sound), key])
    #expect(try store.verify(path).isEmpty)
    #expect(try store.contents(of: 2, of: path).matchesContents(of: node("2", padding: 100_000)))

    try change("UPDATE contents SET bytes = x'0102' WHERE digest = ?", [key])
    #expect(try store.repair(path).count == 1)
    #expect(try store.verify(path).isEmpty)
    #expect(try store.versions(of: path).map(\.number) == [1, 3, 4])
    #expect(try store.repair(path).isEmpty)
  }

  @Test("a list of edits that is damaged is reported, and not written over")
  func damagedTrail() throws {
    let path = folder.path("a")
    try keep("a", "1", "2")
    try store.addEdit("Edit", of: path, from: node("1"), to: node("2"))
    try change("UPDATE edits SET changes = substr(changes, 2)")
    expectThrows(.fileStore) { try store.trail(of: path) }
    expectThrows(.fileStore) {
      try store.addEdit("More", of: path, from: node("2"), to: node("3"))
    }
    expectThrows(.fileStore) { try store.prune(path) }
    try change("UPDATE edits SET changes = '[' || changes")
    #expect(try store.trail(of: path).undoNames == ["Edit"])
    try change("UPDATE edits SET changes = '{'")
    #expect(try store.repair(path).map(\.rule) == [.fileStore])
    try store.addEdit("More", of: path, from: node("2"), to: node("3"))
    #expect(try store.trail(of: path).undoNames == ["More"])
  }
}
