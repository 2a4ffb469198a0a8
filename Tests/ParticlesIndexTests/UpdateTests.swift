import ParticlesCore
import ParticlesDatabase
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesIndex

/// The names of the files that were read.
private final class Reads: Sendable {
  let list = Lock<[String]>([])

  /// Returns the names so far, sorted, and empties the list.
  func drain() -> [String] {
    list.withLock { list in
      defer { list = [] }
      return list.sorted()
    }
  }
}

/// Updates with documents that are made up, so that each read is seen.
@Suite("Updates of the index")
struct UpdateTests {
  private let scratch: Scratch
  private let folder: String
  private let path: String

  init() throws {
    scratch = try Scratch()
    folder = try Files.resolve(scratch.path) + "/effects"
    path = scratch.file("index.sqlite")
    try Files.makeDirectory(folder)
  }

  /// Writes files with a time in the past, so that they are not read twice.
  private func write(_ name: String, _ text: String, daysAgo: Double = 1) throws {
    let path = "\(folder)/\(name)"
    try? Files.removeAll(path)
    try Files.makeDirectories(Files.folder(of: path))
    try Files.create(path, Array(text.utf8))
    try Self.age(path, daysAgo)
  }

  private static func age(_ path: String, _ days: Double) throws {
    try setModified(path, WallClock.seconds - days * 86_400)
  }

  /// The documents are the files ending in `.d`. Their contents are names. `!` makes a problem, `?` no document.
  private func update(_ index: EffectIndex, _ reads: Reads = Reads()) throws
    -> IndexChanges
  {
    let old = try index.snapshot(of: [folder])
    var (documents, others): ([String], [String]) = ([], [])
    var waiting = [folder]
    while let next = waiting.popLast() {
      for name in try Files.list(next) {
        let path = Files.joined(next, name)
        if try Files.status(path)?.kind == .directory, !name.hasSuffix(".d") {
          waiting.append(path)
        } else if name.hasSuffix(".d") {
          documents.append(path)
        } else {
          others.append(path)
        }
      }
    }
    return try index.update(
      IndexedFiles(folders: [folder], documents: documents, others: others), since: old,
      read: { path in
        reads.list.withLock { $0.append(Files.lastComponent(of: path)) }
        let file = try Files.status(path)?.kind == .directory ? "\(path)/text" : path
        let text = String(decoding: try Files.read(file), as: UTF8.self)
        if text.hasPrefix("?") { return nil }
        var document = IndexedDocument()
        (document.format, document.name, document.digest) = ("toy", text, "d\(text)")
        document.numbers = ["alive": [Double(text.utf8.count)], "duration": [.infinity]]
        document.words = ["blend": [text.hasPrefix("a") ? "add" : "alpha"]]
        if text.hasPrefix("!") { document.problems = [Diagnostic(.truncated)] }
        document.look = {
          reads.list.withLock { $0.append("look \(text)") }
          return IndexedLook(emitted: 3, vector: [Float(text.utf8.count), 0])
        }
        return document
      })
  }

  private func names(_ index: EffectIndex, _ query: String) throws -> [String] {
    try index.find(IndexQuery(query)).matches.map {
      String($0.path.dropFirst(folder.utf8.count + 1))
    }
  }

  @Test("what has not changed is not read; what is gone leaves; renames and moves keep their rows")
  func changes() throws {
    let reads = Reads()
    for (name, text) in [
      ("a.d", "apple"), ("b.d", "banana"), ("sub/c.d", "cherry"), ("n.txt", "x"),
    ] {
      try write(name, text)
    }
    let index = try EffectIndex(path, writing: true)
    var changes = try update(index, reads)
    #expect(changes == IndexChanges(read: 3))
    #expect(
      reads.drain() == ["a.d", "b.d", "c.d", "look apple", "look banana", "look cherry"])
    #expect(try names(index, "alive>0") == ["a.d", "b.d", "sub/c.d"])
    #expect(try index.folders() == [folder] && index.count() == 3)

    changes = try update(index, reads)
    #expect(changes == IndexChanges(unchanged: 3) && reads.drain().isEmpty)

    // a.d is changed. b.d is touched, and its look is known by its digest.
    try write("a.d", "avocado")
    try write("b.d", "banana", daysAgo: 2)
    #expect(try update(index, reads) == IndexChanges(read: 2, unchanged: 1))
    #expect(reads.drain() == ["a.d", "b.d", "look avocado"])
    #expect(try names(index, "apple") == [] && names(index, "avocado") == ["a.d"])
    #expect(try names(index, "alive:5") == [])

    // A file of a format that may need others is read where it is moved to another folder.
    try Files.rename("\(folder)/a.d", "\(folder)/renamed.d")
    try Files.rename("\(folder)/sub/c.d", "\(folder)/c.d")
    try Files.removeAll("\(folder)/b.d")
    changes = try update(index, reads)
    #expect(changes == IndexChanges(read: 1, moved: 2, removed: 1))
    #expect(reads.drain() == ["c.d"])
    #expect(try names(index, "alive>0") == ["c.d", "renamed.d"])
    #expect(try names(index, "file:renamed") == ["renamed.d"] && names(index, "file:a.d").isEmpty)
    #expect(try names(index, "banana") == [] && names(index, "emitted:3").count == 2)
    #expect(try names(index, "not alive>6") == ["c.d"])
  }

  @Test("a file that was just written is read again; a directory is one state")
  func states() throws {
    let reads = Reads()
    try write("p.d/text", "pear")
    try write("new.d", "now", daysAgo: 0)
    try Self.age("\(folder)/p.d", 1)
    let index = try EffectIndex(path, writing: true)
    _ = try update(index)
    #expect(try update(index, reads).unchanged == 1)
    #expect(reads.drain() == ["new.d"])
    try write("new.d", "now")
    _ = try update(index)
    try write("p.d/text", "plum")
    #expect(try update(index, reads).unchanged == 1)
    #expect(reads.drain() == ["look plum", "p.d"])
    #expect(try names(index, "plum") == ["p.d"])
    try write("p.d/more", "")
    #expect(try update(index, reads).read == 1)
  }

  @Test("paths that differ only in the normalisation of their characters are two documents")
  func normalisation() throws {
    let (composed, decomposed) = ("\u{E9}.d", "e\u{301}.d")
    #expect(composed == decomposed)
    try write(composed, "one")
    try write(decomposed, "two")
    try write("\u{E9}.txt", "")
    try write("e\u{301}.txt", "")
    let (index, reads) = (try EffectIndex(path, writing: true), Reads())
    #expect(try update(index) == IndexChanges(read: 2))
    #expect(try update(index, reads) == IndexChanges(unchanged: 2) && reads.drain().isEmpty)
    #expect(try names(index, "one").map { Array($0.utf8) } == [Array(composed.utf8)])
    #expect(try names(index, "two").map { Array($0.utf8) } == [Array(decomposed.utf8)])
    // The composed name leaves, and the second file takes it.
    try Files.removeAll("\(folder)/\(composed)")
    #expect(try update(index) == IndexChanges(unchanged: 1, removed: 1))
    try Files.rename("\(folder)/\(decomposed)", "\(folder)/\(composed)")
    #expect(try update(index, reads) == IndexChanges(moved: 1) && reads.drain().isEmpty)
    #expect(try names(index, "two").map { Array($0.utf8) } == [Array(composed.utf8)])
    #expect(!PathKey("/e\u{301}/x").isInside("/\u{E9}") && PathKey("/\u{E9}/x").isInside("/\u{E9}"))
    #expect(PathKey("/a/b").below("/a") == "b" && PathKey("/ab").below("/a") == nil)
    #expect(PathKey("/a").below("/") == "a" && PathKey("/a").below("/a") == nil)
  }

  @Test("while a document is read, other programs write")
  func slow() throws {
    for number in 0..<20 { try write("\(number).d", "text \(number)") }
    let other = try EffectIndex(path, writing: true)
    let index = try EffectIndex(path, writing: true)
    let old = try index.snapshot(of: [folder])
    let paths = (0..<20).map { "\(folder)/\($0).d" }
    let done = Lock(0)
    let slow = paths[19]
    let changes = try index.update(
      IndexedFiles(folders: [folder], documents: paths, others: []), since: old,
      read: { path in
        if path == slow {
          // Others have been passed on, so that there is something to write.
          let end = MonotonicClock.seconds + 5
          while done.withLock({ $0 }) < 8, MonotonicClock.seconds < end {}
          let start = MonotonicClock.seconds
          try other.changing { try $0.execute("INSERT INTO folders VALUES('/other', 0)") }
          #expect(MonotonicClock.seconds - start < 2)
        }
        var document = IndexedDocument()
        document.digest = path
        return document
      }, didRead: { _ in done.withLock { $0 += 1 } })
    #expect(changes.read == 20 && done.withLock { $0 } == 20)
    #expect(try index.folders() == ["/other", folder].sorted() && index.count() == 20)
  }

  @Test("copies that have moved keep their rows, one for each")
  func copies() throws {
    for number in 0..<30 { try write("a\(number).d", "same") }
    let index = try EffectIndex(path, writing: true)
    _ = try update(index)
    let before = try index.using { database in
      var sum = 0
      try database.run("SELECT sum(id) FROM documents") { row in
        sum = row.integer(0)
        return false
      }
      return sum
    }
    try Files.makeDirectory("\(folder)/sub")
    for number in 0..<30 {
      try Files.rename("\(folder)/a\(number).d", "\(folder)/sub/b\(number).d")
    }
    #expect(try update(index) == IndexChanges(read: 30, moved: 30))
    try index.using { database in
      try database.run("SELECT sum(id), count(*) FROM documents") { row in
        #expect(row.integer(0) == before && row.integer(1) == 30)
        return false
      }
    }
  }

  @Test("files that turn out to be no documents are not read again; a document may become one")
  func unknown() throws {
    let reads = Reads()
    try write("x.d", "?no")
    try write("y.d", "yes")
    let index = try EffectIndex(path, writing: true)
    #expect(try update(index).unknown == ["\(folder)/x.d"])
    let snapshot = try index.snapshot(of: [folder])
    #expect(snapshot.isDocument("\(folder)/x.d") == false)
    #expect(snapshot.isDocument("\(folder)/y.d") == true && snapshot.isDocument("/none") == nil)
    try write("y.d", "?any more")
    try write("x.d", "x", daysAgo: 3)
    #expect(try update(index, reads).removed == 1)
    #expect(try names(index, "alive>0") == ["x.d"])
  }

  @Test(
    "a document with a problem is a row with it, and numbers without a bound are greater than all")
  func problems() throws {
    try write("bad.d", "!bad")
    let index = try EffectIndex(path, writing: true)
    _ = try update(index)
    let found = try index.find(IndexQuery("duration>1e300"))
    let row = try index.description(of: #require(found.matches.first))
    #expect(row["problems"]?.array?.first?.object?["code"] == "container/truncated")
    #expect(row["facts"]?.object?["duration"] == .array([.null]))
    #expect(row["facts"]?.object?["emitted"] == .array([.double(3)]) && row["name"] == "!bad")
  }

  @Test("with facts of another version, all documents are read again")
  func renewed() throws {
    try write("a.d", "apple")
    let index = try EffectIndex(path, writing: true)
    _ = try update(index)
    try index.changing { try $0.execute("UPDATE meta SET value = 0") }
    #expect(try update(index) == IndexChanges(read: 1))
    #expect(try update(index) == IndexChanges(unchanged: 1))
  }

  @Test("--forget removes a folder, and documents of others stay")
  func forget() throws {
    try write("a.d", "apple")
    let index = try EffectIndex(path, writing: true)
    _ = try update(index)
    #expect(try index.forget("/none") == nil && index.covers("\(folder)/sub"))
    #expect(try index.forget(folder) == 1)
    #expect(try index.folders().isEmpty && index.count() == 0 && names(index, "apple").isEmpty)
  }

  @Test("an error while a document is stored undoes the batch, and leaves an index that works")
  func failing() throws {
    try write("a.d", "apple")
    let index = try EffectIndex(path, writing: true)
    let old = try index.snapshot(of: [folder])
    let files = IndexedFiles(folders: [folder], documents: ["\(folder)/a.d"], others: [])
    #expect(throws: CancellationError.self) {
      try index.update(files, since: old, read: { _ in throw CancellationError() })
    }
    #expect(try index.count() == 0 && update(index) == IndexChanges(read: 1))
  }

  @Test("several programs update and read at the same time")
  func concurrent() async throws {
    for number in 0..<60 { try write("\(number).d", "text \(number)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          let index = try EffectIndex(path, writing: true)
          _ = try update(index)
          #expect(try index.count() == 60)
        }
      }
      try await group.waitForAll()
    }
    let index = try EffectIndex(path)
    #expect(try names(index, "text").count == 60)
    #expect(try update(EffectIndex(path, writing: true)).unchanged == 60)
  }

  @Test(
    "a file that is no index of this version is refused, and keeps every byte",
    arguments: [
      ("foreign.sqlite", Rule.indexForeign), ("version.sqlite", .indexVersion),
      ("damaged.sqlite", .indexDamaged), ("query.txt", .indexForeign),
    ])
  func refused(name: String, rule: Rule) throws {
    let bytes = try Fixture.read("rules/index/\(name)")
    try Files.create(path, bytes)
    for isWriting in [false, true] {
      let fault = try #require(throws: Diagnostic.self) {
        let index = try EffectIndex(path, writing: isWriting)
        _ = try index.count()
        _ = try names(index, "alive>0")
      }
      #expect(fault.rule == rule, "\(fault)")
      #expect(try Files.read(path) == bytes)
    }
    #expect(try Files.list(scratch.path) == ["effects", "index.sqlite"])
  }

  @Test("damaged pages are an error or an answer, and nothing is written")
  func damaged() throws {
    for number in 0..<40 { try write("\(number).d", "text \(number)") }
    _ = try update(EffectIndex(path, writing: true))
    let sound = try Files.read(path)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<40 {
      var bytes = sound
      let start = Int.random(in: 100..<bytes.count - 64, using: &random)
      for offset in 0..<64 { bytes[start + offset] = UInt8.random(in: 0...255, using: &random) }
      try Files.removeAll(path)
      try Files.create(path, bytes)
      do {
        let index = try EffectIndex(path)
        for query in ["text", "alive>0", "not blend:add", "digest:d", "te"] {
          _ = try index.find(IndexQuery(query))
        }
      } catch let fault as Diagnostic {
        #expect(["index", "file"].contains(fault.rule.family), "\(fault)")
      }
      #expect(try Files.read(path) == bytes)
    }
  }

  @Test("an empty file becomes an index; a missing one is named with the next step")
  func empty() throws {
    #expect { try EffectIndex(path) } throws: { ($0 as? Diagnostic)?.rule == .indexMissing }
    try Files.create(path, [])
    #expect { try EffectIndex(path) } throws: { ($0 as? Diagnostic)?.rule == .indexMissing }
    #expect(try EffectIndex(path, writing: true).count() == 0)
    #expect { try EffectIndex(folder) } throws: { ($0 as? Diagnostic)?.rule == .indexForeign }
  }
}

extension EffectIndex {
  /// The number of documents in all folders.
  func count() throws -> Int {
    try using { database in
      var count = 0
      try database.run("SELECT count(*) FROM documents") { row in
        count = row.integer(0)
        return false
      }
      return count
    }
  }
}
