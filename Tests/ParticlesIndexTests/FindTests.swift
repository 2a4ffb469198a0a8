import ParticlesCore
import ParticlesDatabase
import ParticlesTestSupport
import Testing

@testable import ParticlesIndex

/// Queries over made-up documents, compared with the documents themselves.
@Suite("Answers of the index")
struct FindTests {
  private struct Row: Sendable {
    var path: String
    var name: String
    var alive: Double
    var blend: String
    var rates: [Double]
  }

  private let scratch: Scratch
  private let index: EffectIndex
  private let rows: [Row]

  init() throws {
    scratch = try Scratch()
    var random = SystemRandomNumberGenerator()
    let names = ["Smoke", "fire", "Élan \"x\"", "snow", "big smoke"]
    rows = (0..<300).map { number in
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      return Row(
        path: "/effects/\(number % 7)/\(number).sks", name: name,
        alive: number % 50 == 0 ? .infinity : Double(Int.random(in: 0..<100, using: &random)),
        blend: ["add", "alpha", "screen"][number % 3],
        rates: [Double(number % 10), Double(number % 4)])
    }
    index = try EffectIndex(scratch.file("index.sqlite"), writing: true)
    let rows = rows
    try index.changing { database in
      let writer = IndexRows(database)
      for (number, row) in rows.enumerated() {
        var document = IndexedDocument()
        (document.format, document.name) = ("spritekit", row.name)
        document.digest = String(number % 256, radix: 16)
        document.numbers = ["alive": [row.alive], "emission.rate": row.rates]
        document.words = ["blend": [row.blend]]
        try writer.write(
          document, at: row.path,
          IndexedState(
            size: number, modified: number * 1_000_000_000, device: 1, node: number, entries: 0),
          old: nil, IndexedLook(emitted: 1, vector: [Float(number) / 100, 0]), now: 0)
      }
    }
  }

  private func paths(_ query: String, in folders: [String] = [], limit: Int? = nil) throws
    -> [String]
  {
    let query = try IndexQuery(query, QueryVocabulary(keys: { ["emission.rate"] }))
    return try index.find(query, in: folders, limit: limit) { _ in [1, 0] }.matches.map(\.path)
  }

  private func expected(_ isWanted: (Row) -> Bool) -> [String] {
    rows.filter(isWanted).map(\.path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  @Test("terms, alone and combined, find what the documents say")
  func terms() throws {
    #expect(try paths("smoke") == expected { $0.name.lowercased().contains("smoke") })
    #expect(try paths("name:mo") == expected { $0.name.lowercased().contains("mo") })
    #expect(try paths("elan") == expected { $0.name.hasPrefix("É") })
    #expect(try paths("name:\"élan \\\"X\"") == expected { $0.name.hasPrefix("É") })
    #expect(try paths("alive>50") == expected { $0.alive > 50 })
    #expect(try paths("alive:10..20") == expected { (10...20).contains($0.alive) })
    #expect(try paths("alive<10 or blend:add") == expected { $0.alive < 10 || $0.blend == "add" })
    #expect(
      try paths("not (alive<10 or blend:add) smoke")
        == expected {
          !($0.alive < 10 || $0.blend == "add") && $0.name.lowercased().contains("smoke")
        })
    #expect(try paths("-blend:add") == expected { $0.blend != "add" })
    #expect(try paths("emission.rate>8") == expected { $0.rates.contains { $0 > 8 } })
    #expect(try paths("emission.rate:3") == expected { $0.rates.contains(3) })
    #expect(try paths("path:effects/3/1*.SKS") == expected { $0.path.hasPrefix("/effects/3/1") })
    #expect(try paths("path:/3/") == expected { $0.path.contains("/3/") })
    #expect(try paths("modified<1970-01-01T00:02:00").count == 120)
    #expect(try paths("size:100..110").count == 11 && paths("digest:f").count > 16)
    // A quote with a combining mark is one character.
    #expect(try paths("name:\"an \\\"\u{20DD}x\"").isEmpty && paths("path:[3]/*.sks").isEmpty)
    #expect(try paths("blend:none").isEmpty && paths("nothing").isEmpty)
    #expect(
      try paths("alive>0", in: ["/effects/3"])
        == expected { $0.alive > 0 && $0.path.hasPrefix("/effects/3/") })
    #expect(
      try paths("alive>0", in: ["/effects/3", "/effects/30"]).count
        == expected { $0.alive > 0 && $0.path.hasPrefix("/effects/3/") }.count)
    // Exclusions alone, whose number is known without a list of all.
    let others = expected { $0.blend != "add" }
    for limit in [nil, 1, 1_000] {
      let (matches, total) = try index.find(
        IndexQuery("not blend:add", QueryVocabulary(keys: { [] })), limit: limit)
      #expect(matches.map(\.path) == Array(others.prefix(limit ?? .max)) && total == others.count)
    }
    #expect(try paths("alive>-1", limit: 5) == Array(expected { _ in true }.prefix(5)))
  }

  @Test("what looks like an effect comes in the order of its distance")
  func similar() throws {
    let found = try paths("similar:x")
    #expect(found.count == 201 && found.first == rows[100].path)
    #expect(Set(found[1...2]) == [rows[99].path, rows[101].path])
    #expect(try paths("similar:x blend:add", limit: 1) == [rows[99].path])
    #expect(try paths("-similar:x").count == 99)
  }

  @Test("a row that is written again has no old facts")
  func rewritten() throws {
    try index.changing { database in
      let writer = IndexRows(database)
      var document = IndexedDocument()
      document.numbers = ["alive": [7_777]]
      let state = IndexedState(size: 1, modified: 1, device: 1, node: 1, entries: 0)
      try writer.write(
        document, at: rows[0].path, state, old: writer.identifier(at: rows[0].path), nil, now: 0)
    }
    #expect(try paths("alive:7777") == [rows[0].path])
    #expect(try !paths("blend:add").contains(rows[0].path))
    #expect(try index.vector(at: rows[0].path) == nil)
    for row in rows {
      try index.changing { database in
        let writer = IndexRows(database)
        try writer.remove(#require(try writer.identifier(at: row.path)))
      }
    }
    for table in ["numbers", "words", "details", "vectors", "documents", "texts"] {
      try index.using { database in
        try database.run("SELECT count(*) FROM \(table)") { row in
          #expect(row.integer(0) == 0, "\(table)")
          return false
        }
      }
    }
  }
}
