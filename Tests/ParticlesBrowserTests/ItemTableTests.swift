import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

@Suite("Identities of items")
struct ItemTableTests {
  private func entry(
    _ name: String, _ identity: String?, modified: Double? = 1, kind: ProviderEntry.Kind = .file,
    in folder: String = "/docs"
  ) -> ProviderEntry {
    var entry = ProviderEntry(path: "\(folder)/\(name)", name: name, kind: kind, identity: identity)
    entry.modified = modified
    return entry
  }

  private func filled() -> (table: ItemTable, ids: [BrowserItem.ID]) {
    var table = ItemTable()
    let (ids, gone) = table.store(
      [entry("a", "1"), entry("b", "2"), entry("c", nil)], from: "p", in: "root")
    #expect(gone.isEmpty && Set(ids).count == 3)
    return (table, ids)
  }

  @Test(
    "what is still there keeps its identity: by its name, and by its own identity where it was renamed"
  )
  func renamed() {
    var (table, ids) = filled()
    let again = table.store(
      [entry("c", nil), entry("a", "1"), entry("b", "2")], from: "p", in: "root")
    #expect(again.ids == [ids[2], ids[0], ids[1]] && again.gone.isEmpty)
    let moved = table.store(
      [entry("a2", "1"), entry("b", "2"), entry("c", nil)], from: "p", in: "root")
    #expect(moved.ids == ids && moved.gone.isEmpty)
    #expect(table[ids[0]]?.name == "a2" && table.id(named: "a", in: "root") == nil)
    #expect(table.id(named: "a2", in: "root") == ids[0])
    // Two names are exchanged.
    let swapped = table.store(
      [entry("b", "1"), entry("a2", "2"), entry("c", nil)], from: "p", in: "root")
    #expect(swapped.ids == ids && swapped.gone.isEmpty)
  }

  @Test("a file that was replaced under its name keeps it; another one of its number does not")
  func replaced() {
    var (table, ids) = filled()
    let replaced = table.store(
      [entry("a", "9"), entry("b", "2"), entry("c", nil)], from: "p", in: "root")
    #expect(replaced.ids == ids)
    // A new file has the number of a file that is gone, and another time, or is of another kind.
    for other in [entry("new", "2", modified: 7), entry("new", "2", kind: .folder)] {
      var copy = table
      let found = copy.store([entry("a", "9"), other, entry("c", nil)], from: "p", in: "root")
      #expect(found.gone == [ids[1]] && !ids.contains(found.ids[1]))
      #expect(copy[ids[1]] == nil)
    }
  }

  @Test("what is gone is told, once")
  func gone() {
    var (table, ids) = filled()
    let less = table.store([entry("b", "2")], from: "p", in: "root")
    #expect(less.ids == [ids[1]] && Set(less.gone) == [ids[0], ids[2]])
    #expect(table[ids[0]] == nil && table.id(named: "a", in: "root") == nil)
    #expect(table.store([entry("b", "2")], from: "p", in: "root").gone.isEmpty)
    let back = table.store([entry("a", "1"), entry("b", "2")], from: "p", in: "root")
    #expect(back.ids[0] != ids[0] && back.ids[1] == ids[1])
  }

  @Test("some names are taken as all are, and the others are left alone")
  func some() {
    var (table, ids) = filled()
    let renamed = table.store([entry("a2", "1")], named: ["a", "a2"], from: "p", in: "root")
    #expect(renamed.ids == [ids[0]] && renamed.gone.isEmpty)
    #expect(table.id(named: "a", in: "root") == nil && table.id(named: "b", in: "root") == ids[1])
    let gone = table.store([], named: ["b", "none"], from: "p", in: "root")
    #expect(gone.ids.isEmpty && gone.gone == [ids[1]] && table[ids[1]] == nil)
    let new = table.store([entry("d", "4")], named: ["d"], from: "p", in: "root")
    #expect(
      new.gone.isEmpty && !ids.contains(new.ids[0])
        && table.id(named: "d", in: "root") == new.ids[0])
    #expect(table.id(named: "c", in: "root") == ids[2])
    let replaced = table.store([entry("d", "5")], named: ["d"], from: "p", in: "root")
    #expect(replaced.ids == new.ids)
  }

  @Test(
    "an item that we move keeps its identity, and so do those in it; one that had the name is gone")
  func moved() {
    var (table, ids) = filled()
    let folder = table.id(of: entry("dir", "7", kind: .folder), from: "p", in: "root")
    let inner = table.id(of: entry("x", "8", in: "/docs/dir"), from: "p", in: folder)
    let beside = table.id(of: entry("dirx", "6"), from: "p", in: "root")
    table.move(ids[0], to: entry("b", "1"), in: "root")
    #expect(table.id(named: "b", in: "root") == ids[0] && table[ids[1]] == nil)
    #expect(table.id(named: "a", in: "root") == nil)
    table.move(folder, to: entry("new", "7", kind: .folder, in: "/docs/other"), in: "other")
    #expect(table[folder]?.path == "/docs/other/new" && table[folder]?.parent == "other")
    #expect(table[inner]?.path == "/docs/other/new/x" && table[beside]?.path == "/docs/dirx")
    #expect(table.id(named: "x", in: folder) == inner && table.id(named: "dir", in: "root") == nil)
    table.move("unknown", to: entry("z", "1"), in: "root")
    #expect(table.id(named: "z", in: "root") == nil)
    table.remove(folder)
    #expect(table[folder] == nil && table.id(named: "new", in: "other") == nil)
    table.remove(folder)
  }

  @Test("a root has one identity, also as an entry of another folder; providers have their own")
  func roots() {
    var table = ItemTable()
    let root = entry("docs", "1", kind: .folder, in: "")
    let id = table.id(ofRoot: root, from: "p")
    #expect(table.id(ofRoot: root, from: "p") == id && table.id(ofRoot: root, from: "q") != id)
    #expect(table.id(of: root, from: "p", in: "parent") == id)
    #expect(table.store([root], from: "p", in: "other").ids == [id])
    var file = root
    file.kind = .file
    #expect(table.id(of: file, from: "p", in: "third") != id)
    // Items without a folder are known by their paths.
    let loose = table.id(of: entry("a", "1"), from: "p", in: nil)
    #expect(table.id(of: entry("a", "1"), from: "p", in: nil) == loose)
    #expect(table.id(of: entry("a", "1", in: "/else"), from: "p", in: nil) != loose)
    #expect(table.id(of: entry("a", "1"), from: "q", in: nil) != loose)
  }
}

@Suite("Queries of the browser")
struct BrowserQueryTests {
  @Test("a query is read as it is written")
  func roundTrip() throws {
    var query = BrowserQuery("docs")
    #expect(try BrowserQuery(json: query.json) == query)
    #expect(try BrowserQuery(json: ["location": "docs"]) == query)
    (query.sort, query.isReversed, query.foldersFirst, query.search) = (.tag, true, false, "x")
    (query.isRecursive, query.types, query.tag, query.favouritesOnly) = (true, ["a.b"], "red", true)
    (query.start, query.count, query.readsHeads) = (3, 0, true)
    #expect(try BrowserQuery(json: query.json) == query)
    for sort in BrowserQuery.Sort.allCases {
      query.sort = sort
      #expect(try BrowserQuery(json: query.json).sort == sort)
    }
  }

  @Test(
    "a wrong member is named",
    arguments: [
      (#"{}"#, "type", "location"), (#"{"location": 5}"#, "type", "location"),
      (#"{"location": "a", "sort": "x"}"#, "range", "sort"),
      (#"{"location": "a", "sort": 1}"#, "type", "sort"),
      (#"{"location": "a", "reversed": "yes"}"#, "type", "reversed"),
      (#"{"location": "a", "start": -1}"#, "range", "start"),
      (#"{"location": "a", "count": -1}"#, "range", "start"),
      (#"{"location": "a", "start": 0.5}"#, "type", "start"),
      (#"{"location": "a", "types": "b"}"#, "type", "types"),
      (#"{"location": "a", "types": ["b", 1]}"#, "type", "types"),
      (#"{"location": "a", "other": 1}"#, "type", "other"), ("[]", "type", nil), ("5", "type", nil),
    ] as [(String, String, String?)])
  func wrong(text: String, rule: String, key: String?) throws {
    let json = try JSONParser.parse(Array(text.utf8))
    let fault = try #require(throws: Diagnostic.self) { try BrowserQuery(json: json) }
    #expect(fault.rule.code.hasSuffix("/\(rule)"), "\(fault)")
    #expect(fault.location.position == key.map { Location.Position.key($0) })
  }

  @Test("nothing is as a member that is left out")
  func nothing() throws {
    let json: JSONValue = [
      "location": "a", "sort": .null, "types": .null, "count": .null, "tag": .null, "start": .null,
    ]
    #expect(try BrowserQuery(json: json) == BrowserQuery("a"))
  }
}

@Suite("Orders and filters of listings")
struct ListingOrderTests {
  @Test("each order, both ways, with folders first or among the rest")
  func orders() async throws {
    let fixture = try await BrowserFixture([
      "b.txt": "12345", "a10.txt": "1", "a9.txt": "123", "Z.txt": "", "dir/": "", "adir/": "",
    ])
    for (name, seconds) in [("b.txt", 300.0), ("a10.txt", 200), ("a9.txt", 100), ("Z.txt", 400)] {
      try touch(fixture.path(name), 1_700_000_000 + seconds)
    }
    for (name, seconds) in [("dir", 50.0), ("adir", 60)] {
      try touch(fixture.path(name), 1_700_000_000 + seconds)
    }
    func names(_ sort: BrowserQuery.Sort, reversed: Bool = false, foldersFirst: Bool = true)
      async throws -> [String]
    {
      var query = BrowserQuery(fixture.root)
      (query.sort, query.isReversed, query.foldersFirst) = (sort, reversed, foldersFirst)
      return try await fixture.names(query)
    }
    #expect(try await names(.name) == ["adir", "dir", "a9.txt", "a10.txt", "b.txt", "Z.txt"])
    #expect(
      try await names(.name, reversed: true) == [
        "dir", "adir", "Z.txt", "b.txt", "a10.txt", "a9.txt",
      ])
    #expect(
      try await names(.name, foldersFirst: false) == [
        "a9.txt", "a10.txt", "adir", "b.txt", "dir", "Z.txt",
      ])
    #expect(try await names(.modified) == ["adir", "dir", "Z.txt", "b.txt", "a10.txt", "a9.txt"])
    #expect(
      try await names(.modified, reversed: true, foldersFirst: false)
        == ["dir", "adir", "a9.txt", "a10.txt", "b.txt", "Z.txt"])
    #expect(
      try await names(.size, foldersFirst: false) == [
        "b.txt", "a9.txt", "a10.txt", "Z.txt", "adir", "dir",
      ])
  }

  @Test("a part of a listing, and a search in it")
  func parts() async throws {
    let fixture = try await BrowserFixture(
      ["Éclair.txt": "", "eclipse.txt": "", "other.txt": "", ".hidden": "", "dir/": ""])
    func listing(_ change: (inout BrowserQuery) -> Void) async throws -> (
      names: [String], total: Int, unfiltered: Int, start: Int
    ) {
      var query = BrowserQuery(fixture.root)
      change(&query)
      let listing = try await fixture.browser.list(query)
      return (listing.items.map(\.name), listing.total, listing.unfiltered, listing.start)
    }
    #expect(
      try await listing { _ in } == (["dir", "Éclair.txt", "eclipse.txt", "other.txt"], 4, 4, 0))
    #expect(
      try await listing { ($0.start, $0.count) = (1, 2) } == (
        ["Éclair.txt", "eclipse.txt"], 4, 4, 1
      ))
    #expect(try await listing { $0.start = 9 } == ([], 4, 4, 4))
    #expect(try await listing { $0.count = 0 } == ([], 4, 4, 0))
    #expect(try await listing { $0.search = "ECL" } == (["Éclair.txt", "eclipse.txt"], 2, 4, 0))
    #expect(try await listing { $0.search = "r.t" } == (["Éclair.txt", "other.txt"], 2, 4, 0))
    #expect(try await listing { $0.search = "none" } == ([], 0, 4, 0))
    #expect(try await listing { $0.types = ["public.image"] } == (["dir"], 1, 4, 0))
    #expect(try await listing { $0.types = ["public.text"] }.total == 4)
  }

  private func touch(_ path: String, _ seconds: Double) throws {
    _ = try Run.succeeding("/bin/touch", ["-d", "@\(seconds)", path])
  }
}
