import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments

/// Entries of the recovery journal that programs have left, hold, or that others have damaged.
@Suite("Entries of the recovery journal")
struct RecoveryEntryTests {
  private let scratch: Scratch
  private let store: RecoveryStore

  init() throws {
    scratch = try Scratch()
    store = RecoveryStore(dataFolder: scratch.file("data"))
  }

  private var journal: String { scratch.file("data/particles/recovery") }
  private var document: String { scratch.file("doc.txt") }

  /// Makes an entry with this description, and contents that are this text.
  @discardableResult
  private func make(
    _ number: String, _ description: String, contents: String? = "text", of path: String? = nil
  ) throws -> String {
    let folder = "\(journal)/\(try RecoveryJournal.key(path ?? document))-\(number)"
    try Files.makeDirectories(folder)
    try Files.create("\(folder)/document.json", Array(description.utf8))
    if let contents {
      let tree = try FileNode(directoryWithFileNodes: [
        "contents": FileNode(regularFileWithContents: Array(contents.utf8))
      ])
      var container = Container(root: tree)
      try container.save(to: "\(folder)/contents.particles")
    }
    return folder
  }

  private func description(lock: String? = nil, holds: [String] = []) -> String {
    var object: JSONObject = ["path": .string(document), "program": "tester"]
    object["lock"] = lock.map(JSONValue.string)
    if !holds.isEmpty { object["holds"] = .array(holds.map(JSONValue.string)) }
    return JSONValue.object(object).text
  }

  /// The lock of a program that runs while the value is kept.
  private func lock(_ name: String) throws -> OpenFile {
    try Files.makeDirectories(scratch.file("data/particles/programs"))
    let file = try OpenFile(
      creating: scratch.file("data/particles/programs/\(name).lock"), mode: 0o600)
    #expect(file.tryLock())
    return file
  }

  @Test("the entry of a program that has begun to run since it was listed is not removed")
  func begun() throws {
    let folder = try make("1", description(lock: "77-x"))
    let entry = try #require(try store.entries().first)
    #expect(!entry.isInUse && entry.program == "tester" && entry.path == document)
    #expect(entry.identifier == "1" && entry.fault == nil && entry.size > 0)
    let running = try lock("77-x")
    let fault = expectThrows(.fileBusy) { try store.discard(entry) }
    #expect(fault?.location.file == document && fault?.detail?.contains("tester") == true)
    #expect(try Files.list(folder).sorted() == ["contents.particles", "document.json"])
    #expect(try store.entries().map(\.isInUse) == [true])
    #expect(try RecoveryJournal.left(of: document, in: scratch.file("data")).isEmpty)
    running.unlock()
    #expect(try RecoveryJournal.left(of: document, in: scratch.file("data")).count == 1)
    try store.discard(entry)
    #expect(try store.entries().isEmpty && Files.list(journal).isEmpty)
    // One that is gone already is no fault of the lock.
    #expect(try RecoveryJournal.entry(entry.folder) == nil)
  }

  @Test("an entry takes those with it that it was continued from, and nothing else")
  func holds() throws {
    try make("1", description())
    try make("2", description(holds: ["1", "3", "../victim", "..", "", "a/b", "ä"]))
    try make("4", description())
    try make("1", description(), of: scratch.file("other.txt"))
    try Files.makeDirectories("\(journal)/victim")
    let entry = try #require(try store.entries(of: document).first { $0.identifier == "2" })
    try store.discard(entry)
    #expect(try store.entries(of: document).map(\.identifier) == ["4"])
    #expect(try store.entries(of: scratch.file("other.txt")).map(\.identifier) == ["1"])
    #expect(try Files.status("\(journal)/victim") != nil)
  }

  @Test("a lock with a path for a name is none; one that is missing is not held")
  func names() throws {
    let running = try lock("77-x")
    for (number, name) in ["../programs/77-x", "/77-x", "none", ""].enumerated() {
      try make("\(number)", description(lock: name))
    }
    #expect(try store.entries().count == 4)
    #expect(try store.entries().allSatisfy { !$0.isInUse })
    running.unlock()
  }

  @Test("damaged descriptions, and entries without contents")
  func damaged() throws {
    let folder = try make("1", "{")
    let entry = try #require(try store.entries(of: document).first)
    #expect(entry.path == document && entry.program == "program" && !entry.isInUse)
    // A program of an earlier version holds the lock of the description.
    let held = try OpenFile(updating: "\(folder)/document.json")
    #expect(held.tryLock())
    #expect(try store.entries().map(\.isInUse) == [true])
    expectThrows(.fileBusy) { try store.discard(entry) }
    held.unlock()
    try make("2", description(), contents: nil)
    let kept = try store.entries().map(\.identifier).sorted()
    #expect(kept == ["1"] || kept == ["1", "2"])
    try Files.create("\(journal)/file", [1])
    #expect(try store.entries().map(\.identifier).sorted() == kept)
    // A description that is no file.
    let third = try make("3", description())
    try Files.removeAll("\(third)/document.json")
    try Files.makeDirectory("\(third)/document.json")
    let broken = try #require(try store.entries().first { $0.identifier == "3" })
    #expect(broken.fault != nil)
    #expect(throws: Diagnostic.self) { try store.contents(of: broken) }
    #expect(
      try RecoveryJournal.left(of: document, in: scratch.file("data")).allSatisfy {
        $0.identifier != "3"
      })
    try store.discard(broken)
    #expect(try Files.status(third) == nil)
  }

  @Test("the newest entry is first; contents are a file or a tree, and read under limits")
  func contents() throws {
    for (number, seconds) in [("1", 1_700_000_000.0), ("2", 1_700_000_200), ("3", 1_700_000_100)] {
      let folder = try make(number, description(), contents: "text \(number)")
      _ = try Run.succeeding("/bin/touch", ["-d", "@\(seconds)", "\(folder)/contents.particles"])
    }
    let entries = try store.entries()
    #expect(entries.map(\.identifier) == ["2", "3", "1"])
    #expect(entries.map(\.seconds) == [1_700_000_200, 1_700_000_100, 1_700_000_000])
    #expect(try store.contents(of: entries[0]).regularFileContents() == Array("text 2".utf8))
    var limits = Limits()
    limits.entryBytes = 5
    #expect(throws: Diagnostic.self) { try store.contents(of: entries[0], limits: limits) }
    let tree = try SampleTree.small()
    let own = try RecoveryJournal(of: document, in: scratch.file("data"))
    try own.keep(tree, madeOf: "d1", holding: ["1", "3"], durably: false)
    let kept = try #require(try store.entries().first { $0.madeOf == "d1" })
    #expect(kept.isInUse && kept.holds == ["1", "3"])
    #expect(try store.contents(of: kept).treeDigest() == tree.treeDigest())
    expectThrows(.fileBusy) { try store.discard(kept) }
    try own.keep(tree, madeOf: nil, holding: [], durably: false)
    #expect(try store.entries().contains { $0.madeOf == "d1" && $0.holds.isEmpty })
    own.discard()
    #expect(try store.entries().count == 3)
  }

  @Test("drafts have a key of their own")
  func drafts() throws {
    let data = scratch.file("data")
    let draft = try RecoveryJournal(of: nil, in: data)
    try draft.keep(FileNode(regularFileWithContents: [1]), madeOf: nil, holding: [], durably: false)
    #expect(try store.entries(keyed: RecoveryJournal.key(nil)).count == 1)
    #expect(try store.entries(of: document).isEmpty && store.entries().count == 1)
    #expect(try store.entries().first?.path == "")
    #expect(try RecoveryJournal.left(of: nil, in: data).isEmpty)
    draft.discard()
    #expect(try RecoveryStore(dataFolder: scratch.file("none")).entries().isEmpty)
  }
}
