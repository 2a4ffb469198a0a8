import ParticlesCore
import ParticlesDatabase
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesIndex

/// Queries that are answered by a database of documents that are made up.
@Suite("Answers of the index")
struct FindingTests {
  private let toy: ToyIndex

  init() throws { toy = try ToyIndex() }

  private static func document(
    _ name: String?, alive: Double? = nil, digest: String? = nil, words: [String: [String]] = [:],
    emitters: [String] = [], textures: [String] = [], vector: [Float]? = nil
  ) -> IndexedDocument {
    var document = IndexedDocument()
    (document.name, document.digest, document.words) = (name, digest, words)
    if let alive { document.numbers["alive"] = [alive] }
    (document.emitters, document.textures) = (emitters, textures)
    if let vector { document.look = { IndexedLook(emitted: 1, vector: vector) } }
    return document
  }

  @Test(
    "comparisons include their number or not",
    arguments: [
      ("alive>3", "45"), ("alive>=3", "345"), ("alive<3", "12"), ("alive<=3", "123"),
      ("alive:3", "3"), ("alive=3", "3"), ("alive:2..4", "234"), ("alive:..2", "12"),
      ("alive:4..", "45"), ("not alive:2..4", "15x"), ("-alive>1", "1x"), ("alive>5", ""),
      ("alive<2 or alive>4", "15"), ("alive>1 alive<3", "2"), ("alive>1e300 or alive:1", "1"),
    ])
  func numbers(query: String, expected: String) throws {
    try toy.store(
      (1...5).map { ("\($0)", Self.document(nil, alive: Double($0))) }
        + [("x", Self.document(nil))])
    #expect(try toy.names(query).joined() == expected)
  }

  @Test("times of days and seconds")
  func times() throws {
    for (name, day) in [
      ("a", 86_399.5), ("b", 86_400.25), ("c", 86_401.25), ("d", 172_799.5), ("e", 172_800.25),
    ] {
      try toy.write(name, name)
      try setModified(toy.path(name), day)
    }
    try toy.update(["a", "b", "c", "d", "e"])
    for (query, expected) in [
      ("modified:1970-01-02", "bcd"), ("modified>1970-01-02", "e"), ("modified<1970-01-02", "a"),
      ("modified>=1970-01-02", "bcde"), ("modified<=1970-01-02", "abcd"),
      ("modified:1970-01-02T00:00:00", "b"), ("modified>1970-01-02T00:00:01", "de"),
    ] {
      #expect(try toy.names(query).joined() == expected, "\(query)")
    }
  }

  @Test("texts in each column: long ones, short ones, quotes, case and accents")
  func texts() throws {
    try toy.store([
      ("Flâme.sks", Self.document("Camp \"Fire\"", emitters: ["Spark", "ab"])),
      ("b.sks", Self.document("flame", textures: ["Images/x*y.png"])),
      ("c.pex", Self.document("", emitters: ["glow\nspark"])),
    ])
    for (query, expected) in [
      ("flame", "Flâme.sks b.sks"), ("FLÂ", "Flâme.sks b.sks"), ("file:flame", "Flâme.sks"),
      ("name:flame", "b.sks"), ("emitter:spark", "Flâme.sks c.pex"), ("emitter:ab", "Flâme.sks"),
      ("texture:\"x*y\"", "b.sks"), ("texture:xay", ""), ("name:\"p \\\"fire\\\"\"", "Flâme.sks"),
      ("sk", "Flâme.sks b.sks"), ("name:sk", ""), ("text:png", "b.sks"), ("file:c", "c.pex"),
      ("x", "b.sks c.pex"),
    ] {
      #expect(try toy.names(query).sorted().joined(separator: " ") == expected, "\(query)")
    }
  }

  @Test("paths: a part, a pattern of the end, brackets, and case")
  func paths() throws {
    let names = ["A[1].sks", "a1.sks", "dir/b.pex", "dir/b2.pex"]
    try toy.store(names.map { ($0, Self.document(nil)) })
    for (query, expected) in [
      ("path:dir/b", [2, 3]), ("path:DIR/*.pex", [2, 3]), ("path:b?.pex", [3]),
      ("path:b*.pex", [2, 3]), ("path:a[1]", [0]), ("path:a[1].*", [0]), ("path:*.sks", [0, 1]),
      ("path:*b", []), ("path:b2?pex", [3]),
    ] {
      #expect(try toy.names(query) == expected.map { names[$0] }, "\(query)")
    }
  }

  @Test("words and digests")
  func words() throws {
    let digests = ["00ff", "00fg", "01"].enumerated().map {
      (
        "\($0.offset)",
        Self.document(nil, digest: $0.element, words: ["blend": ["add", "x\($0.offset)"]])
      )
    }
    try toy.store(
      digests + [("3", Self.document(nil, words: ["blend": ["ADD"], "shape": ["add"]]))])
    for (query, expected) in [
      ("digest:00", "01"), ("digest:00f", "0"), ("digest:00FF", "0"), ("digest:0", "012"),
      ("digest:1", ""), ("blend:add", "012"), ("blend:x1", "1"), ("shape:add", "3"),
      ("unit:add", ""), ("blend:add -digest:0", ""), ("not blend:add", "3"),
    ] {
      #expect(try toy.names(query).joined() == expected, "\(query)")
    }
  }

  @Test("effects that look alike, the nearest first: up to a distance of 1, and at least ten")
  func similar() throws {
    try toy.store([
      ("far", Self.document("f", vector: [1.01, 0])), ("edge", Self.document("e", vector: [1, 0])),
      ("near", Self.document("n", vector: [0, 0.25])),
      ("same", Self.document("s", vector: [0, 0])),
      ("twin", Self.document("t", vector: [0, 0])), ("none", Self.document("o")),
      ("other", Self.document("x", vector: [0])),
    ])
    let query = try IndexQuery("similar:x")
    let found = try toy.index.find(query) { path in
      #expect(path == "x")
      return [0, 0]
    }
    #expect(
      found.matches.map { Files.lastComponent(of: $0.path) } == [
        "same", "twin", "near", "edge", "far",
      ])
    #expect(
      found.matches.map(\.distance) == [
        0, 0, 0.25, 1, Double(Float(1.01) * Float(1.01)).squareRoot(),
      ])
    #expect(
      try toy.names("similar:x not name:s", look: [0, 0]) == ["twin", "near", "edge", "far"])
    #expect(try toy.names("similar:x", limit: 3, look: [0, 0]) == ["same", "twin", "near"])
    #expect(try toy.names("similar:x name:n", look: [0, 0]) == ["near"])
    // What another term has found comes last.
    #expect(
      try toy.names("name:f or similar:x or name:o", look: [0, 0])
        == ["same", "twin", "near", "edge", "far", "none"])
    #expect(try toy.names("not similar:x", look: [0, 0]) == ["far", "none", "other"])
    #expect(try toy.names("similar:x", look: []) == [])
  }

  @Test("the ten nearest of all, of those that other terms have found, and of a folder")
  func nearest() throws {
    try toy.store(
      (0..<40).map { number in
        let name = String(number)
        return (
          "\(number % 2 == 0 ? "even" : "odd")/\(name)",
          Self.document(name, vector: [Float(40 - number) * 3, 0])
        )
      })
    func numbers(_ query: String) throws -> [String] {
      try toy.names(query, look: [0, 0]).map { Files.lastComponent(of: $0) }
    }
    #expect(try numbers("similar:x") == (30..<40).reversed().map { String($0) })
    #expect(
      try numbers("path:even similar:x")
        == stride(from: 38, to: 19, by: -2).map { String($0) })
    #expect(try numbers("not similar:x").count == 40)
    #expect(try numbers("path:odd or similar:x").count == 20)
  }

  @Test(
    "a limit is one of the answer, and the number of all is known",
    arguments: [3, 1_000, 1_001, 1_500])
  func limit(count: Int) throws {
    let names = (0..<count).map { "\($0 % 10)/\($0)" }
    try toy.store(names.map { ($0, Self.document(nil, alive: 1)) })
    let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for query in ["alive:1", "not alive:2"] {
      #expect(try toy.names(query) == sorted, "\(query)")
      for limit in [0, 1, 2, count, count + 1] {
        let (matches, total) = try toy.index.find(IndexQuery(query), limit: limit)
        #expect(
          matches.map { String($0.path.dropFirst(toy.folder.utf8.count + 1)) }
            == Array(sorted.prefix(limit)))
        #expect(total == count)
      }
    }
    #expect(try toy.index.find(IndexQuery("not alive:2")).total == count)
  }

  @Test("folders narrow an answer to what is in them")
  func folders() throws {
    let names = ["a/x", "a/b/y", "ab/z", "a0"]
    try toy.store(names.map { ($0, Self.document(nil, alive: 1)) })
    func found(_ folders: [String], _ query: String = "alive:1") throws -> [String] {
      try toy.index.find(IndexQuery(query), in: folders).matches.map {
        String($0.path.dropFirst(toy.folder.utf8.count + 1))
      }
    }
    #expect(try found([toy.path("a")]) == ["a/b/y", "a/x"])
    #expect(try found([toy.path("a/b"), toy.path("ab")]) == ["a/b/y", "ab/z"])
    #expect(try found([toy.path("a")], "not alive:2") == ["a/b/y", "a/x"])
    #expect(try found([toy.path("a/x")]) == [])
    #expect(try found(["/"]) == names.sorted())
    #expect(try found([]) == names.sorted())
  }

  @Test("a description has what is known, and nothing for what is not")
  func descriptions() throws {
    var document = Self.document("", digest: "ab", words: ["blend": ["add"]])
    document.format = "toy"
    try toy.store([("a", document), ("b", Self.document(nil))])
    func description(_ name: String, _ distance: Double?) throws -> JSONObject {
      try toy.index.description(of: IndexMatch(path: toy.path(name), distance: distance))
    }
    let first = try description("a", 0.5)
    #expect(first["name"] == "" && first["format"] == "toy" && first["digest"] == "ab")
    #expect(first["distance"] == .double(0.5) && first["problems"] == .array([]))
    #expect(first["facts"]?.object?["blend"] == .array(["add"]))
    let second = try description("b", nil)
    for key in ["name", "format", "digest", "distance"] { #expect(second[key] == nil, "\(key)") }
    #expect(try description("none", nil).members.map(\.key) == ["path"])
  }

  @Test("the look of a document counts while its file has not changed")
  func vectors() throws {
    try toy.write("a.d", "x")
    let read: @Sendable (String) throws -> IndexedDocument? = { _ in
      Self.document("x", digest: "1", vector: [1, 2])
    }
    func update() throws {
      _ = try toy.index.update(
        IndexedFiles(folders: [toy.folder], documents: [toy.path("a.d")], others: []),
        since: toy.index.snapshot(of: [toy.folder]), read: read)
    }
    try update()
    #expect(try toy.index.vector(at: toy.path("a.d")) == [1, 2])
    #expect(try toy.index.vector(at: toy.path("b.d")) == nil)
    try toy.write("a.d", "xy")
    #expect(try toy.index.vector(at: toy.path("a.d")) == nil)
    try update()
    #expect(try toy.index.vector(at: toy.path("a.d")) == [1, 2])
    try setModified(toy.path("a.d"), WallClock.seconds - 100)
    #expect(try toy.index.vector(at: toy.path("a.d")) == nil)
  }

  @Test("the limits of queries include their numbers")
  func boundaries() throws {
    func reads(_ text: String) -> Bool { (try? IndexQuery(text)) != nil }
    #expect(reads(String(repeating: "a", count: 8_192)))
    #expect(!reads(String(repeating: "a", count: 8_193)))
    #expect(
      !reads(String(repeating: "é", count: 4_097)) && reads(String(repeating: "é", count: 4_096)))
    #expect(
      reads(String(repeating: "a ", count: 200)) && !reads(String(repeating: "a ", count: 201)))
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "a" + String(repeating: ")", count: count)
    }
    #expect(reads(nested(49)) && !reads(nested(50)))
    #expect(
      reads(String(repeating: "-", count: 49) + "a")
        && !reads(String(repeating: "-", count: 50) + "a"))
    #expect(reads("digest:\(String(repeating: "a", count: 64))"))
    #expect(!reads("digest:\(String(repeating: "a", count: 65))"))
  }

  @Test("a text that is no query is none; the fault of one with fields is told")
  func reading() {
    func result(_ text: String) -> (Bool, Bool) {
      let (query, fault) = IndexQuery.reading(text, QueryVocabulary())
      return (query != nil, fault != nil)
    }
    #expect(result("camp fire") == (true, false))
    #expect(result("camp (fire") == (false, false))
    #expect(result("format:sks alive>") == (false, true))
    #expect(result("alive>3") == (true, false))
    #expect(result("nofield:3") == (false, false))
    #expect(IndexQuery.reading("a b", QueryVocabulary()).query?.hasFields == false)
    #expect(IndexQuery.reading("a alive>3", QueryVocabulary()).query?.hasFields == true)
  }

  @Test(
    "a database with views or triggers is no index",
    arguments: [
      "CREATE VIEW extra AS SELECT 1",
      "CREATE TRIGGER extra AFTER INSERT ON folders BEGIN DELETE FROM documents; END",
    ])
  func extras(statement: String) throws {
    try toy.index.changing { try $0.execute(statement) }
    for isWriting in [false, true] {
      expectThrows(.indexDamaged) { try EffectIndex(toy.index.path, writing: isWriting) }
    }
  }

  @Test("an index is a file: no folder, no device; a link leads to it")
  func places() throws {
    for (path, found) in [(toy.folder, "a folder"), ("/dev/null", "a device")] {
      for isWriting in [false, true] {
        let fault = expectThrows(.indexForeign) { try EffectIndex(path, writing: isWriting) }
        #expect(fault?.found == found)
      }
    }
    try Files.makeLink(toy.scratch.file("link"), to: "index.sqlite")
    #expect(try EffectIndex(toy.scratch.file("link")).path == toy.index.path)
    let deep = toy.scratch.file("new/folders/index.sqlite")
    expectThrows(.indexMissing) { try EffectIndex(deep) }
    #expect(try EffectIndex(deep, writing: true).count() == 0)
  }

  @Test("a change that fails leaves nothing, and the index works")
  func rollback() throws {
    #expect(throws: CancellationError.self) {
      try toy.index.changing { database in
        try database.execute("INSERT INTO folders VALUES('/x', 0)")
        throw CancellationError()
      }
    }
    #expect(try toy.index.folders() == [])
    try toy.index.changing { try $0.execute("INSERT INTO folders VALUES('/y', 0)") }
    #expect(try toy.opened().folders() == ["/y"])
  }
}
