import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments

@Suite("The journal of edits")
struct EditJournalTests {
  private let scratch: Scratch
  private let path: String

  init() throws {
    scratch = try Scratch()
    path = scratch.file("docs/fire.particles")
    try Files.makeDirectories(scratch.file("docs"))
    try Files.create(path, [1])
  }

  private func row(
    _ id: String, _ value: Int?, open isOpen: Bool = false, refused isRefused: Bool = false
  ) -> EditJournal.Row {
    let change = value.map { JSONValue.object(["key": "seed", "value": .int($0)]) }
    return EditJournal.Row(
      id: id, window: "w", name: "Seed", kind: "changes", tick: isOpen ? value : nil,
      isOpen: isOpen, revision: value ?? 0, patch: change.map { .array([$0]) },
      digest: value.map { "digest \($0)" },
      refusal: isRefused ? (422, .object(["code": "document/range"])) : nil)
  }

  /// What a program has stored that is killed now, for the next one.
  private func next(_ folder: String, named name: String) throws -> EditJournal {
    func copy(_ old: String, _ new: String) throws {
      guard try Files.status(old)?.kind == .directory else {
        if !old.hasSuffix("-shm") { try Files.create(new, Files.read(old)) }
        return
      }
      try Files.makeDirectories(new)
      for name in try Files.list(old, passingOver: { _ in }) {
        try copy(Files.joined(old, name), Files.joined(new, name))
      }
    }
    try copy(scratch.file(folder), scratch.file(name))
    return try EditJournal(dataFolder: scratch.file(name))
  }

  private func begin(_ journal: EditJournal, _ path: String) throws -> (
    document: Int, left: [EditJournal.Row]
  ) {
    try journal.begin(path, identity: FolderListing.stamp(of: path))
  }

  @Test("the next program gets what is not saved, in order, gestures that go on last, once")
  func left() throws {
    let journal = try EditJournal(dataFolder: scratch.file("a"))
    let (document, none) = try begin(journal, path)
    #expect(none.isEmpty)
    try journal.note(row("saved", 1), of: document)
    try journal.saved(document, path, identity: FolderListing.stamp(of: path))
    try journal.note(row("drag", 2, open: true), of: document)
    for value in 3...5 { try journal.note(row("edit \(value)", value), of: document) }
    try journal.note(row("drag", 6, open: true), of: document)
    try journal.note(row("refused", nil, refused: true), of: document)
    // A program that runs keeps its own.
    #expect(try begin(journal, path).left.isEmpty)
    let other = try next("a", named: "b")
    let (number, left) = try begin(other, path)
    #expect(left.map(\.id) == ["edit 3", "edit 4", "edit 5", "drag"])
    #expect(left[3].isOpen && left[3].tick == 6 && left[0].digest == "digest 3")
    #expect(try other.row("saved")?.patch == nil && other.row("saved")?.revision == 1)
    #expect(try other.row("refused")?.refusal?.status == 422)
    #expect(try other.row("none") == nil)
    // It ends, too: nothing is lost before a save.
    let third = try next("b", named: "c")
    #expect(try begin(third, path).left.count == 4)
    try other.saved(number, path, identity: nil)
    #expect(try begin(next("b", named: "d"), path).left.map(\.id) == ["drag"])
    try other.end(number)
    let last = try next("b", named: "e")
    #expect(try begin(last, path).left.isEmpty)
    #expect(try last.row("drag")?.isOpen == false)
  }

  @Test("a renamed document has its edits, and not the file that has its name")
  func renamed() throws {
    let journal = try EditJournal(dataFolder: scratch.file("a"))
    try journal.note(row("edit", 1), of: begin(journal, path).document)
    let new = scratch.file("docs/blaze.particles")
    try Files.rename(path, new)
    try Files.create(path, [2])
    let other = try next("a", named: "b")
    #expect(try begin(other, path).left.isEmpty)
    #expect(try begin(other, new).left.map(\.id) == ["edit"])
    // A save replaces the file under its name.
    try Files.removeAll(new)
    try Files.create(new, [3])
    #expect(try begin(next("b", named: "c"), new).left.map(\.id) == ["edit"])
  }
}
