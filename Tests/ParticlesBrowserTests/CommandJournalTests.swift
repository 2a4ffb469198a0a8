import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

@Suite("Journal of the browser")
struct CommandJournalTests {
  private typealias Step = CommandJournal.Step

  private let scratch: Scratch
  private let stored: StoredState

  init() throws {
    scratch = try Scratch()
    stored = StoredState("journal", in: UserStore.of(dataFolder: scratch.path))
  }

  private static let steps: [Step] = [
    .moved(provider: "p", from: "a", to: "b", identity: "1@2"),
    .moved(provider: "p", from: "a", to: "b", identity: nil),
    .made(provider: "p", path: "a", identity: "1"), .made(provider: "p", path: "a", identity: nil),
    .brought(provider: "q", from: "a", to: "b", identity: "3"),
    .brought(provider: "q", from: "a", to: "b", identity: nil),
    .returned(provider: "p", from: "a", to: "b"), .trashed(provider: "p", from: "a", to: "b"),
    .tagged(provider: "p", path: "a", from: ["x", "y"], to: []),
    .tagged(provider: "p", path: "a", from: [], to: ["z"]),
  ]

  @Test("what was noted is read again by the next browser")
  func roundTrip() {
    var journal = CommandJournal(stored)
    for step in Self.steps { journal.add("One", [step]) }
    journal.add("All", Self.steps)
    let read = CommandJournal(stored)
    #expect(read.done.map(\.steps) == Self.steps.map { [$0] } + [Self.steps])
    #expect(read.done.last?.name == "All" && read.undone.isEmpty)
    #expect(read.done.allSatisfy { abs($0.seconds - WallClock.seconds) < 60 })
  }

  @Test("undo and redo take the last operation; a new one ends what could be redone")
  func order() {
    var journal = CommandJournal(stored)
    for name in ["a", "b"] { journal.add(name, [Self.steps[0]]) }
    journal.add("nothing", [])
    let last = journal.popNext(redo: false)
    #expect(last?.name == "b" && journal.popNext(redo: true) == nil)
    if let last { journal.put(last, redo: false) }
    #expect(journal.done.map(\.name) == ["a"] && journal.undone.map(\.name) == ["b"])
    #expect(CommandJournal(stored).undone.map(\.name) == ["b"])
    if let redone = journal.popNext(redo: true) { journal.put(redone, redo: true) }
    #expect(journal.done.map(\.name) == ["a", "b"] && journal.undone.isEmpty)
    if let again = journal.popNext(redo: false) { journal.put(again, redo: false) }
    journal.add("nothing", [])
    #expect(journal.undone.count == 1)
    journal.add("c", [Self.steps[1]])
    #expect(journal.done.map(\.name) == ["a", "c"] && journal.undone.isEmpty)
    #expect(CommandJournal(stored).undone.isEmpty)
    // An operation of which nothing could be taken back is not noted.
    journal.put(CommandJournal.Command(name: "x", steps: [], seconds: 0), redo: false)
    #expect(journal.undone.isEmpty)
  }

  @Test("200 operations are kept, for 30 days")
  func limits() throws {
    var journal = CommandJournal(nil)
    for number in 1...201 { journal.add("\(number)", [Self.steps[0]]) }
    #expect(journal.done.count == 200 && journal.done.first?.name == "2")
    func command(_ name: String, days: Double) -> JSONValue {
      CommandJournal.Command(
        name: name, steps: [Self.steps[0]], seconds: WallClock.seconds - days * 86_400
      ).json
    }
    try stored.write([
      "version": .int(1),
      "done": .array([command("old", days: 30.01), command("new", days: 29.99)]),
      "undone": .array([command("older", days: 31), command("newer", days: 1)]),
    ])
    let read = CommandJournal(stored)
    #expect(read.done.map(\.name) == ["new"] && read.undone.map(\.name) == ["newer"])
  }

  @Test(
    "a step that is damaged is left out, and an operation without steps",
    arguments: [
      #"{"kind": "moved", "provider": "p", "from": "a"}"#,
      #"{"kind": "moved", "from": "a", "to": "b"}"#, #"{"kind": "made", "provider": "p"}"#,
      #"{"kind": "trashed", "provider": "p", "to": "b"}"#, #"{"kind": "tagged", "provider": "p"}"#,
      #"{"kind": "returned", "provider": "p", "from": 5, "to": "b"}"#,
      #"{"kind": "brought", "provider": "p", "path": "b"}"#, #"{"kind": "other", "provider": "p"}"#,
      #"{"provider": "p", "path": "a"}"#, "5", "null",
    ])
  func damaged(step: String) throws {
    let now = WallClock.seconds
    let text = """
      {"done": [
        {"name": "a", "seconds": \(now), "steps": [\(step)]}, {"seconds": \(now), "steps": []},
        {"name": "b", "seconds": \(now), "steps": [\(step), {"kind": "made", "provider": "p", "path": "x"}]},
        {"name": "c", "steps": []}, 7
      ], "undone": 5}
      """
    try stored.write(JSONParser.parse(Array(text.utf8)))
    let read = CommandJournal(stored)
    #expect(read.done.map(\.name) == ["b"])
    #expect(read.done.first?.steps == [.made(provider: "p", path: "x", identity: nil)])
    #expect(read.undone.isEmpty)
  }

  @Test("a value that is no JSON is kept aside, and the journal begins anew")
  func unreadable() throws {
    try stored.write(.int(1))
    let database = StoreDatabase(dataFolder: scratch.path)
    try database.run("UPDATE states SET value = '{'")
    var journal = CommandJournal(stored)
    #expect(journal.done.isEmpty)
    #expect(try database.texts("SELECT name || value FROM states") == ["journal.damaged{"])
    journal.add("a", [Self.steps[0]])
    #expect(CommandJournal(stored).done.count == 1)
  }
}

@Suite("Planned names")
struct PlannedNamesTests {
  private func names(_ taken: [String]) -> PlannedNames {
    var names = PlannedNames()
    names.begin("f", taken)
    return names
  }

  @Test(
    "a name that is taken gets a number before its extension",
    arguments: [
      ("a.txt", nil, true, "a.txt", []), ("a.txt", nil, true, "a 2.txt", ["a.txt"]),
      ("a.txt", nil, true, "a 2.txt", ["A.TXT"]),
      ("a.txt", nil, true, "a 3.txt", ["a.txt", "A 2.txt"]),
      ("a.txt", "copy", true, "a copy.txt", ["a.txt"]),
      ("a.txt", "copy", true, "a copy 2.txt", ["a.txt", "a copy.txt"]),
      ("a.b", nil, false, "a.b 2", ["a.b"]), ("a", nil, true, "a 2", ["a"]),
      (".txt", nil, true, ".txt 2", [".txt"]), ("a.", nil, true, "a. 2", ["a."]),
      ("a.b.c", nil, true, "a.b 2.c", ["a.b.c"]),
    ] as [(String, String?, Bool, String, [String])])
  func unique(name: String, comment: String?, hasExtension: Bool, expected: String, taken: [String])
  {
    var names = self.names(taken)
    #expect(names.unique(name, in: "f", comment: comment, hasExtension: hasExtension) == expected)
    // It is taken from now on, in this folder only.
    #expect(names.isTaken(expected.uppercased(), in: "f") && !names.isTaken(expected, in: "g"))
  }

  @Test("names are at most 255 bytes long, with number and extension")
  func long() {
    let stem = String(repeating: "n", count: 251)
    var names = names(["\(stem).txt"])
    #expect(names.unique("\(stem).txt", in: "f") == String(repeating: "n", count: 249) + " 2.txt")
    let umlauts = String(repeating: "ä", count: 127)
    names.reserve(umlauts, in: "f")
    #expect(names.unique(umlauts, in: "f") == String(repeating: "ä", count: 126) + " 2")
    #expect(names.unique("\(umlauts)n", in: "f") == "\(umlauts)n")
  }

  @Test("a name that moves away is free, until another item takes it")
  func free() {
    var names = names(["a", "b"])
    names.free("A", in: "f")
    #expect(!names.isTaken("a", in: "f") && names.isTaken("B", in: "f"))
    names.reserve("a", in: "f")
    #expect(names.isTaken("a", in: "f"))
    names.free("a", in: "f")
    #expect(!names.isTaken("a", in: "f"))
    names.reserve("new", in: "f")
    names.free("NEW", in: "f")
    #expect(!names.isTaken("new", in: "f"))
    // A folder is begun once.
    names.begin("f", ["other"])
    #expect(!names.isTaken("other", in: "f") && names.knows("f") && !names.knows("g"))
  }
}

@Suite("Tags of files")
struct FileTagsTests {
  @Test(
    "tags are names without commas and control characters; others are refused, and nothing is written"
  )
  func tags() throws {
    let scratch = try Scratch()
    let path = scratch.file("a")
    try Files.create(path, [])
    #expect(FileTags.read(path) == [] && FileTags.read(scratch.file("none")) == [])
    for tag in ["", "a,b", "a\nb", "\u{7F}", "x\u{0}"] {
      expectThrows(.name, "\(tag)") { try FileTags.write(["good", tag], to: path) }
      #expect(FileTags.read(path) == [])
    }
    guard (try? FileTags.write(["red", "two words"], to: path)) != nil else {
      print("skipped: the file system has no attributes")
      return
    }
    #expect(FileTags.read(path) == ["red", "two words"])
    try Files.setAttribute(FileTags.attribute, of: path, to: Array("a, b,,  c d ,".utf8))
    #expect(FileTags.read(path) == ["a", "b", "c d "])
    try FileTags.write([], to: path)
    #expect(FileTags.read(path) == [] && Files.attribute(FileTags.attribute, of: path) == nil)
  }
}
