import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
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

  private var database: StoreDatabase { StoreDatabase(dataFolder: scratch.file("data")) }
  private var document: String { scratch.file("doc.txt") }

  /// Makes an entry, as a program leaves it that has ended.
  private func make(
    _ name: String, lock: String? = nil, holds: [String] = [], contents: String = "text",
    of path: String? = nil, seconds: Double? = nil
  ) throws {
    do {
      let journal = try RecoveryJournal(
        of: path ?? document, in: scratch.file("data"), named: name, program: "tester",
        seconds: seconds)
      try journal.keep(
        FileNode(regularFileWithContents: Array(contents.utf8)), madeOf: nil, holding: holds,
        durably: false)
    }
    if let lock { try database.run("UPDATE recovery SET lock = '\(lock)' WHERE name = '\(name)'") }
  }

  /// Makes the folder of an entry as programs of earlier versions kept it.
  private func makeFolder(
    _ name: String, _ description: String, contents: String? = "text"
  ) throws -> String {
    let folder = scratch.file("data/particles/recovery/\(try VersionStore.key(document))-\(name)")
    try Files.makeDirectories(folder)
    try Files.create("\(folder)/document.json", Array(description.utf8))
    if let contents {
      let tree = try FileNode(directoryWithFileNodes: [
        "contents": FileNode(regularFileWithContents: Array(contents.utf8))
      ])
      try Container(root: tree).write(to: "\(folder)/contents.particles", as: .flat)
    }
    return folder
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
    try make("1", lock: "77-x")
    let entry = try #require(try store.entries().first)
    #expect(!entry.isInUse && entry.program == "tester" && entry.path == document)
    #expect(entry.identifier == "1" && entry.fault == nil && entry.size > 0)
    let running = try lock("77-x")
    let fault = expectThrows(.fileBusy) { try store.discard(entry) }
    #expect(fault?.location.file == document && fault?.detail?.contains("tester") == true)
    #expect(try store.entries().map(\.isInUse) == [true])
    #expect(try RecoveryJournal.left(of: document, in: scratch.file("data")).isEmpty)
    running.unlock()
    #expect(try RecoveryJournal.left(of: document, in: scratch.file("data")).count == 1)
    try store.discard(entry)
    #expect(try store.entries().isEmpty)
    #expect(try database.integer("SELECT count(*) FROM contents") == 0)
    // To discard an entry that is gone already is no fault.
    try store.discard(entry)
  }

  @Test("an entry takes those with it that it was continued from, and nothing else")
  func holds() throws {
    try make("1")
    try make("2", holds: ["1", "3", "../victim", "..", "", "a/b", "ä"])
    try make("4")
    try make("1", of: scratch.file("other.txt"))
    let entry = try #require(try store.entries(of: document).first { $0.identifier == "2" })
    try store.discard(entry)
    #expect(try store.entries(of: document).map(\.identifier) == ["4"])
    #expect(try store.entries(of: scratch.file("other.txt")).map(\.identifier) == ["1"])
  }

  @Test("a lock with a path for a name is none; one that is missing is not held")
  func names() throws {
    let running = try lock("77-x")
    for (number, name) in ["../programs/77-x", "/77-x", "none", ""].enumerated() {
      try make("\(number)", lock: name)
    }
    #expect(try store.entries().count == 4)
    #expect(try store.entries().allSatisfy { !$0.isInUse })
    running.unlock()
  }

  @Test("the folders of earlier versions are taken over, unless their program is running")
  func folders() throws {
    let path = JSONValue.string(document).denseText
    let folder = try makeFolder(
      "1", "{\"path\": \(path), \"program\": \"old\", \"base\": \"d0\", \"holds\": [\"0\"]}")
    // A program of the earliest versions holds the lock of the description.
    let held = try OpenFile(updating: "\(folder)/document.json")
    #expect(held.tryLock())
    #expect(try store.entries().isEmpty && Files.status(folder) != nil)
    held.unlock()
    _ = try Run.succeeding("/bin/touch", ["-d", "@1700000000", "\(folder)/contents.particles"])
    let entry = try #require(try store.entries(of: document).first)
    #expect(entry.identifier == "1" && entry.program == "old" && entry.seconds == 1_700_000_000)
    #expect(entry.madeOf == "d0" && entry.holds == ["0"] && !entry.isInUse)
    #expect(try store.contents(of: entry).regularFileContents() == Array("text".utf8))
    #expect(try Files.status(scratch.file("data/particles/recovery")) == nil)
    // A program that ended before it removed the folder.
    _ = try makeFolder("1", "{\"path\": \(path)}", contents: "other")
    let again = try store.entries(of: document)
    let texts = try again.map { try store.contents(of: $0).regularFileContents() }
    #expect(texts == [Array("text".utf8)])
  }

  @Test("folders of earlier versions that cannot be read stay, and are told")
  func damagedFolders() throws {
    let first = try makeFolder("1", "{")
    let second = try makeFolder("2", "{}", contents: nil)
    let third = try makeFolder("3", "{}")
    try Files.removeAll("\(third)/document.json")
    try Files.makeDirectory("\(third)/document.json")
    let entries = try store.entries()
    let places = entries.compactMap(\.fault?.location.file).sorted()
    #expect(places == ["\(first).damaged", "\(third).damaged"])
    // Its program has ended before it kept anything.
    #expect(try Files.status(second) == nil)
    for entry in entries {
      #expect(throws: Diagnostic.self) { try store.contents(of: entry) }
      try store.discard(entry)
    }
    #expect(try RecoveryJournal.left(of: document, in: scratch.file("data")).isEmpty)
    #expect(try store.entries().isEmpty && Files.status("\(first).damaged") != nil)
  }

  @Test("the newest entry is first; contents are a file or a tree, and read under limits")
  func contents() throws {
    for (number, seconds) in [("1", 1_700_000_000.0), ("2", 1_700_000_200), ("3", 1_700_000_100)] {
      try make(number, contents: "text \(number)", seconds: seconds)
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
    #expect(try store.entries(at: "").count == 1)
    #expect(try store.entries(of: document).isEmpty && store.entries().count == 1)
    #expect(try store.entries().first?.path == "")
    #expect(try RecoveryJournal.left(of: nil, in: data).isEmpty)
    draft.discard()
    #expect(try RecoveryStore(dataFolder: scratch.file("none")).entries().isEmpty)
  }
}
