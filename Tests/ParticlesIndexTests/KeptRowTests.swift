import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesIndex

/// Which rows an update keeps: rows of folders that cannot be listed, and rows of other programs.
@Suite("Rows that stay")
struct KeptRowTests {
  private let toy: ToyIndex

  init() throws { toy = try ToyIndex() }

  @Test("rows of folders that cannot be listed stay, at any depth; those beside them go")
  func unlisted() throws {
    let names = ["a/x.d", "a/sub/y.d", "ab/z.d", "b/a/w.d", "top.d"]
    for name in names + ["a/n.txt", "a/sub/m.txt", "ab/o.txt"] { try toy.write(name, name) }
    try toy.update(names, others: ["a/n.txt", "a/sub/m.txt", "ab/o.txt"])
    #expect(try toy.names() == names.sorted())
    let changes = try toy.update(["top.d"], unlisted: ["a"])
    #expect(changes == IndexChanges(unchanged: 1, removed: 2))
    #expect(try toy.names() == ["a/sub/y.d", "a/x.d", "top.d"])
    // Rows of files that are no documents stay, too: the files need not be read again.
    let snapshot = try toy.index.snapshot(of: [toy.folder])
    #expect(
      ["a/n.txt", "a/sub/m.txt", "ab/o.txt"].map { snapshot.isDocument(toy.path($0)) }
        == [false, false, nil])
    #expect(try toy.update(["top.d"]).removed == 2)
    #expect(try toy.names() == ["top.d"])
  }

  @Test("a document of an unlisted folder does not become one that is equal to it elsewhere")
  func unlistedIsNotMoved() throws {
    try toy.write("a/x.d", "same")
    try toy.update(["a/x.d"])
    try toy.write("copy.d", "same")
    #expect(try toy.update(["copy.d"], unlisted: ["a"]) == IndexChanges(read: 1))
    #expect(try toy.names() == ["a/x.d", "copy.d"])
  }

  @Test("an unlisted folder that is the indexed one keeps all")
  func unlistedWhole() throws {
    try toy.write("a/x.d", "x")
    try toy.update(["a/x.d"])
    #expect(try toy.update([], unlisted: [""]).removed == 0)
    #expect(try toy.names() == ["a/x.d"])
  }

  @Test("a moved document that another program has written meanwhile has one row")
  func writtenMeanwhile() throws {
    try toy.write("a.d", "apple")
    try toy.update(["a.d"])
    let old = try toy.index.snapshot(of: [toy.folder])
    try Files.makeDirectory(toy.path("sub"))
    try Files.rename(toy.path("a.d"), toy.path("sub/b.d"))
    // It knows only the new place.
    try toy.update(["sub/b.d"], since: toy.index.snapshot(of: []), by: toy.opened())
    #expect(try toy.index.count() == 2)
    #expect(try toy.update(["sub/b.d"], since: old) == IndexChanges(read: 1, moved: 1))
    #expect(try toy.names() == ["sub/b.d"])
    #expect(try toy.names("name:apple") == ["sub/b.d"])
  }

  @Test("a renamed document that another program has written meanwhile has one row")
  func renamedMeanwhile() throws {
    try toy.write("a.d", "apple")
    try toy.update(["a.d"])
    let old = try toy.index.snapshot(of: [toy.folder])
    try Files.rename(toy.path("a.d"), toy.path("b.d"))
    try toy.update(["b.d"], since: toy.index.snapshot(of: []), by: toy.opened())
    #expect(try toy.index.count() == 2)
    #expect(try toy.update(["b.d"], since: old) == IndexChanges(moved: 1))
    #expect(try toy.names() == ["b.d"])
    #expect(try toy.names("file:b.d") == ["b.d"])
  }

  @Test("a rename that another program has noted is noted once")
  func movedMeanwhile() throws {
    try toy.write("a.d", "apple")
    try toy.update(["a.d"])
    let old = try toy.index.snapshot(of: [toy.folder])
    try Files.rename(toy.path("a.d"), toy.path("b.d"))
    #expect(try toy.update(["b.d"], by: toy.opened()).moved == 1)
    #expect(try toy.update(["b.d"], since: old).moved == 1)
    #expect(try toy.names() == ["b.d"])
  }

  @Test("a document that another program has removed meanwhile is no fault")
  func removedMeanwhile() throws {
    try toy.write("a.d", "apple")
    try toy.update(["a.d"])
    let old = try toy.index.snapshot(of: [toy.folder])
    try Files.removeAll(toy.path("a.d"))
    #expect(try toy.update([], by: toy.opened()).removed == 1)
    #expect(try toy.update([], since: old).removed == 1)
    #expect(try toy.index.count() == 0)
  }

  @Test("a changed document with the digest of one that is gone stays itself")
  func sameDigest() throws {
    try toy.write("a.d", "one")
    try toy.write("b.d", "two")
    try toy.update(["a.d", "b.d"])
    try Files.removeAll(toy.path("a.d"))
    try toy.write("b.d", "one ")
    try toy.write("b.d", "one")
    #expect(try toy.update(["b.d"]) == IndexChanges(read: 1, removed: 1))
    #expect(try toy.names() == ["b.d"])
  }

  @Test("progress: the number of documents to read once, and each of them")
  func progress() throws {
    for name in ["a.d", "b.d", "c.d"] { try toy.write(name, name) }
    try toy.update(["a.d"])
    var (counts, paths): ([Int], [String]) = ([], [])
    let names = ["a.d", "b.d", "c.d"].map(toy.path)
    _ = try toy.index.update(
      IndexedFiles(folders: [toy.folder], documents: names, others: []),
      since: toy.index.snapshot(of: [toy.folder]), willRead: { counts.append($0) },
      read: ToyIndex.reading, didRead: { paths.append($0) })
    #expect(counts == [2])
    #expect(paths == ["b.d", "c.d"].map(toy.path))
  }

  @Test("forgetting a folder keeps documents of folders in it and around it, and their other files")
  func forgetting() throws {
    let index = toy.index
    for name in ["a/x.d", "a/in/y.d", "ab/z.d"] { try toy.write(name, name) }
    for name in ["a/n.txt", "a/in/m.txt"] { try toy.write(name, "") }
    func add(_ folder: String, _ documents: [String], _ others: [String]) throws {
      _ = try index.update(
        IndexedFiles(
          folders: [toy.path(folder)], documents: documents.map(toy.path),
          others: others.map(toy.path)),
        since: index.snapshot(of: [toy.path(folder)]), read: ToyIndex.reading)
    }
    try add("a", ["a/x.d", "a/in/y.d"], ["a/n.txt", "a/in/m.txt"])
    try add("a/in", ["a/in/y.d"], ["a/in/m.txt"])
    try add("ab", ["ab/z.d"], [])
    #expect(try index.covers(toy.path("a")) && index.covers(toy.path("a/b/c")))
    #expect(try !index.covers(toy.path("abc")) && !index.covers(toy.folder) && !index.covers("/"))
    #expect(try index.forget(toy.folder) == nil && index.forget(toy.path("a/x.d")) == nil)
    #expect(try index.forget(toy.path("a")) == 1)
    #expect(try toy.names() == ["a/in/y.d", "ab/z.d"])
    #expect(try index.folders() == [toy.path("a/in"), toy.path("ab")])
    let snapshot = try index.snapshot(of: [toy.folder])
    #expect(snapshot.isDocument(toy.path("a/in/m.txt")) == false)
    #expect(snapshot.isDocument(toy.path("a/n.txt")) == nil)
    #expect(try index.forget(toy.path("a/in")) == 1)
    #expect(try toy.names() == ["ab/z.d"])
  }
}
