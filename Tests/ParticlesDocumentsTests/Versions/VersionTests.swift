import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDatabase
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments

@Suite("Versions")
struct VersionTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  private var store: VersionStore { VersionStore(dataFolder: folder.data) }

  private func tree(_ text: String, images: Int = 1) throws -> FileNode {
    var tree = try FileNode(directoryWithFileNodes: [
      "document.json": FileNode(regularFileWithContents: Array(text.utf8)),
      "link": FileNode(symbolicLinkWithDestination: "document.json"),
      "empty": .emptyDirectory,
    ])
    for number in 0..<images {
      let noise = FileNode(
        regularFileWithContents: SampleTree.noise(50_000, seed: UInt64(number)),
        isExecutable: number == 0)
      try tree.setFileNode(noise, at: "Images/\(number).png")
    }
    return tree
  }

  /// The room of everything that is kept.
  private func room() throws -> Int { try store.contentStore.room() }

  private func change(_ statement: String, _ values: [SQLite.Value] = []) throws {
    try store.store.write { try $0.run(statement, values) }
  }

  @Test("documents with the same contents share them, and none needs the others")
  func shared() throws {
    let (one, two) = (folder.path("a"), folder.path("b"))
    try store.add(try tree("x", images: 4), of: one, as: .saved)
    let before = try room()
    try store.add(try tree("y", images: 4), of: two, as: .saved)
    #expect(try room() < before + 10_000)
    try store.delete([1], of: one)
    let contents = try store.contents(of: 1, of: two)
    #expect(try contents.matchesContents(of: tree("y", images: 4)))
    #expect(try room() > 200_000)
    try store.delete([1], of: two)
    #expect(try room() < 150_000)
    #expect(try store.store.read { try $0.integer("SELECT count(*) FROM contents") } == 0)
  }

  @Test("damaged contents are not shared")
  func damagedPool() throws {
    try store.add(try tree("x"), of: folder.path("a"), as: .saved)
    try change("UPDATE contents SET bytes = zeroblob(length(bytes)) WHERE size = 50000")
    expectThrows(.fileVersion) {
      _ = try store.contents(of: 1, of: folder.path("a")).matchesContents(of: tree("x"))
    }
    for name in ["b", "c"] {
      try store.add(try tree("x"), of: folder.path(name), as: .saved)
      #expect(try store.contents(of: 1, of: folder.path(name)).matchesContents(of: tree("x")))
    }
  }

  @Test("every version is read as it was kept; unchanged files need no room")
  func contents() throws {
    let path = folder.path("a")
    let trees = try (0..<10).map { try tree("state \($0)", images: 4) }
    for tree in trees { #expect(try store.add(tree, of: path, as: .saved) != nil) }
    #expect(try store.add(trees[9], of: path, as: .saved) == nil, "the same state again")
    let versions = try store.versions(of: path)
    #expect(versions.map(\.number) == Array(1...10))
    for (version, tree) in zip(versions, trees) {
      #expect(try store.contents(of: version.number, of: path).matchesContents(of: tree))
    }
    #expect(try room() < 400_000)
    expectThrows(.fileVersion) { try store.contents(of: 11, of: path) }
    expectThrows(.fileVersion) { try store.contents(of: 1, of: folder.path("b")) }
    #expect(try store.versions(of: folder.path("b")).isEmpty)
  }

  @Test("deleted versions free their room, and their numbers are not used again")
  func deleting() throws {
    let path = folder.path("a")
    for number in 0..<4 {
      try store.add(try tree("\(number)", images: number + 1), of: path, as: .saved)
    }
    let before = try room()
    try store.delete([4], of: path)
    #expect(try room() < before - 45_000)
    try store.delete([1, 2], of: path)
    #expect(try store.versions(of: path).map(\.number) == [3])
    #expect(try store.contents(of: 3, of: path).matchesContents(of: tree("2", images: 3)))
    expectThrows(.fileVersion) { try store.delete([2], of: path) }
    // The newest number is not free either, nor after all versions are gone.
    #expect(try store.add(try tree("4"), of: path, as: .saved)?.number == 5)
    try store.delete([3, 5], of: path)
    #expect(try store.add(try tree("5"), of: path, as: .saved)?.number == 6)
  }

  @Test("every byte of the contents is covered by a digest")
  func damage() throws {
    let path = folder.path("a")
    for number in 0..<3 { try store.add(try tree("\(number)"), of: path, as: .saved) }
    var rows: [(id: Int, bytes: [UInt8])] = []
    _ = try store.store.read { database in
      try database.run("SELECT id, bytes FROM contents") {
        rows.append(($0.integer(0), $0.bytes(1)))
        return true
      }
    }
    var random = SeededGenerator(seed: 4)
    for (id, bytes) in rows {
      for _ in 0..<3 {
        var damaged = bytes
        damaged[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(
          in: 1...255, using: &random)
        try change("UPDATE contents SET bytes = ? WHERE id = ?", [.blob(damaged), .integer(id)])
        #expect(try !store.verify(path).isEmpty, "\(id)")
      }
      try change("UPDATE contents SET bytes = ? WHERE id = ?", [.blob(bytes), .integer(id)])
    }
    #expect(try store.verify(path).isEmpty)
    try change("UPDATE contents SET bytes = substr(bytes, 2) WHERE size = 50000")
    expectThrows(.fileVersion) {
      try store.contents(of: 1, of: path).forEachDescendant { _, node in
        _ = try node.regularFileContents()
      }
    }
  }

  @Test("versions are found after another program has renamed the document, and after a move")
  func renames() async throws {
    try folder.write("x", to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    try await document.append("y")
    try await document.save()
    let count = try await document.versions().count
    #expect(count == 2)
    try await document.rename(to: "b")
    #expect(try store.versions(of: folder.path("b.txt")).count == count)
    #expect(try store.versions(of: folder.path("a.txt")).isEmpty)
    try await document.close()
    try Files.rename(folder.path("b.txt"), folder.path("c.txt"))
    #expect(try store.versions(of: folder.path("c.txt")).count == count)
  }

  @Test("restoring keeps the name and the state before, and can be undone")
  func restoring() async throws {
    try folder.write("0", to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    for number in 1...3 {
      try await document.append("\(number)")
      try await document.save()
    }
    try await document.append(" unsaved")
    let versions = try await document.versions()
    #expect(versions.map(\.kind) == [.opened, .saved, .saved, .saved])
    try await document.restore(versions[1])
    #expect(try await document.text == "01")
    #expect(await document.hasUnsavedChanges)
    let last = try #require(try await document.versions().last)
    #expect(last.kind == .replaced)
    #expect(try await document.contents(of: last).text == "0123 unsaved")
    #expect(try await document.undo() == 1)
    #expect(try await document.text == "0123 unsaved")
  }

  @Test("old versions are thinned: all of a day, hourly for a week, daily for a month, weekly")
  func thinning() throws {
    let path = folder.path("a")
    for number in 0..<4 { try store.add(try tree("\(number)", images: 0), of: path, as: .saved) }
    try store.add(try tree("conflict", images: 0), of: path, as: .conflict)
    let day = 86_400.0
    let now = try #require(try store.versions(of: path).last).seconds
    #expect(try store.prune(path, at: now + 0.5 * day) == 0)
    // All are from one hour, so the last saved version stays, and the version of the conflict.
    #expect(try store.prune(path, at: now + 2 * day) == 3)
    #expect(try store.versions(of: path).map(\.number) == [4, 5])
    #expect(try store.prune(path, at: now + 400 * day) == 0)
    var small = store
    small.limits.count = 1
    for number in 0..<3 { try small.add(try tree("n\(number)", images: 0), of: path, as: .saved) }
    #expect(try small.prune(path) == 3)
    #expect(try small.versions(of: path).map(\.number) == [5, 8])
    small.limits.bytes = 1
    try small.add(try tree("last", images: 2), of: path, as: .saved)
    #expect(try small.prune(path) == 1)
    #expect(try small.versions(of: path).map(\.number) == [5, 9])
  }

  @Test("edits of programs that have ended are undone and redone, unless the document was changed")
  func trail() throws {
    let path = folder.path("a")
    var present = try tree("0")
    for number in 1...3 {
      let next = try tree("\(number)")
      try store.addEdit("Edit \(number)", of: path, from: present, to: next)
      present = next
    }
    func step(_ isUndoing: Bool) throws -> String? {
      try store.stepEdit(of: path, undoing: isUndoing, from: present) { present = $0 }
    }
    #expect(try step(true) == "Edit 3" && present == tree("2"))
    #expect(try step(true) == "Edit 2" && present == tree("1"))
    #expect(try step(false) == "Edit 2" && present == tree("2"))
    #expect(try store.trail(of: path).redoNames == ["Edit 3"])
    try store.prune(path)
    #expect(try step(true) == "Edit 2" && step(true) == "Edit 1" && present == tree("0"))
    #expect(try step(true) == nil)
    present = try tree("else")
    expectThrows(.fileUndo) { try step(false) }
  }

  @Test("an edit that was noted but not saved counts as undone, and can be taken back")
  func interrupted() throws {
    let path = folder.path("a")
    var present = try tree("0")
    try store.addEdit("One", of: path, from: present, to: tree("1"))
    present = try tree("1")
    let takeBack = try store.addEdit("Two", of: path, from: present, to: tree("2"))
    // Its program was ended before the save.
    #expect(try store.stepEdit(of: path, undoing: true, from: present) { present = $0 } == "One")
    #expect(try present == tree("0"))
    try takeBack()
    #expect(try store.trail(of: path).redoNames == ["One"])
    #expect(try store.stepEdit(of: path, undoing: false, from: present) { present = $0 } == "One")
    #expect(try store.trail(of: path).undoNames == ["One"])
    // Undone, but the program was ended before it noted that.
    present = try tree("0")
    #expect(try store.stepEdit(of: path, undoing: true, from: present) { present = $0 } == nil)
  }

  // MARK: Identity

  /// Writes a text, and returns the number of the file.
  private func write(_ text: String, to name: String) throws -> String {
    try folder.write(text, to: name)
    return try #require(try Files.status(folder.path(name))).state.identity.description
  }

  /// Makes the row of the only document one of a file with another number, as if that had been used again.
  private func give(_ file: String, born: String?) throws {
    try change(
      "UPDATE documents SET file = ?, born = ?",
      [.text(file), born.map { .text($0) } ?? .null])
  }

  private func text(_ text: String) -> FileNode {
    FileNode(regularFileWithContents: Array(text.utf8))
  }

  @Test("a new file with the number of a deleted one has none of its versions, which stay")
  func reusedNumber() throws {
    _ = try write("old", to: "a")
    try store.add(text("old"), of: folder.path("a"), as: .saved)
    try Files.removeAll(folder.path("a"))
    let number = try write("fresh", to: "b")
    for born in ["1.5", nil] {
      try give(number, born: born)
      #expect(try store.versions(of: folder.path("b")).isEmpty, "\(born ?? "")")
    }
    _ = try write("from elsewhere", to: "a")
    #expect(try store.versions(of: folder.path("a")).count == 1)
  }

  @Test("a new document has none of a deleted one with its number and its contents")
  func begun() throws {
    _ = try write("same", to: "a")
    try store.add(text("same"), of: folder.path("a"), as: .saved)
    try Files.removeAll(folder.path("a"))
    try give(write("same", to: "b"), born: nil)
    try store.begin(folder.path("b"))
    #expect(try store.versions(of: folder.path("b")).isEmpty)
    #expect(try store.versions(of: folder.path("a")).count == 1)
  }

  @Test("a file that was renamed is known by its birth time, or by its files")
  func renamedFile() throws {
    let number = try write("old", to: "a")
    try store.add(text("old"), of: folder.path("a"), as: .saved)
    try Files.rename(folder.path("a"), folder.path("b"))
    let born = Files.birth(of: folder.path("b"))
    try folder.write("changed in place", to: "c")
    if born != nil { #expect(try store.versions(of: folder.path("b")).count == 1) }
    try Files.rename(folder.path("b"), folder.path("d"))
    try give(number, born: nil)
    #expect(try store.versions(of: folder.path("d")).count == 1)
  }

  @Test("a document that is there again after its deletion has its versions, another one has not")
  func ended() throws {
    let path = folder.path("a")
    _ = try write("old", to: "a")
    try store.add(text("old"), of: path, as: .saved)
    for (contents, count) in [("old", 1), ("other", 0)] {
      try Files.removeAll(path)
      try store.end(path)
      #expect(try store.versions(of: path).count == 1)
      _ = try write(contents, to: "a")
      #expect(try store.versions(of: path).count == count, "\(contents)")
    }
    try store.add(text("other"), of: path, as: .saved)
    #expect(try store.versions(of: path).count == 1)
    let kept = try store.store.read {
      try $0.integer("SELECT count(*) FROM documents WHERE aside IS NOT NULL")
    }
    #expect(kept == 1)
  }
}
