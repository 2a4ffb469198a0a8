import ParticlesEffects
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Journals, records and names of documents")
struct RecordTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  /// A document that is saved automatically into the recovery journal.
  private func journaled(_ name: String) -> Document<PlainText> {
    var configuration = folder.quiet
    configuration.autosave = .recovery(seconds: 86_400)
    return folder.text(name, configuration)
  }

  @Test("a save removes the journal")
  func journal() async throws {
    try folder.write("0", to: "a.txt")
    let document = journaled("a.txt")
    try await document.open()
    try await document.append("1")
    try await document.autosave()
    #expect(try folder.unsaved().count == 1)
    #expect(try folder.read("a.txt") == "0")
    try await document.save()
    #expect(try folder.unsaved().isEmpty)
    #expect(try folder.read("a.txt") == "01")
  }

  @Test("a journal of hundreds of states has the last one only")
  func growth() async throws {
    try folder.write("0", to: "a.txt")
    let document = journaled("a.txt")
    try await document.open()
    for _ in 0..<200 {
      try await document.append("x")
      try await document.autosave()
    }
    #expect(try folder.database.integer("SELECT count(*) FROM recovery") == 1)
    // The text, and the list of files.
    #expect(try folder.database.integer("SELECT count(*) FROM contents") == 2)
    #expect(try folder.database.integer("SELECT sum(stored) FROM contents") ?? 0 < 500)
    let entry = try #require(try folder.unsaved().first)
    let text = try RecoveryStore(dataFolder: folder.data).contents(of: entry)
    #expect(try text.regularFileContents()?.count == 201)
    try await document.close(discarding: true)
    #expect(try folder.database.integer("SELECT count(*) FROM contents") == 0)
  }

  @Test("journals of many documents need one lock; that of a document nobody closed is offered")
  func locks() async throws {
    var documents: [Document<PlainText>] = []
    for number in 0..<20 {
      try folder.write("0", to: "\(number).txt")
      documents.append(journaled("\(number).txt"))
      try await documents[number].open()
      try await documents[number].append("1")
      try await documents[number].autosave()
    }
    let store = RecoveryStore(dataFolder: folder.data)
    let entries = try store.entries()
    #expect(entries.count == 20 && entries.allSatisfy { $0.isInUse && $0.fault == nil })
    let programs = "\(folder.data)/particles/programs"
    // Besides the store, and the records of open documents, which may be written now.
    let open = try Files.list("/proc/self/fd").compactMap { name in
      try? Files.destination(ofLink: "/proc/self/fd/\(name)")
    }.filter { path in
      path.hasPrefix("\(folder.data)/particles/") && !path.contains("/store.sqlite")
        && !path.hasPrefix("\(folder.data)/particles/open/")
    }
    #expect(try Files.list(programs).count == 1)
    #expect(open.count <= 1, "\(open)")
    // Its contents are in the journal, and no longer in use, though the program runs.
    documents.removeFirst()
    for _ in 0..<1_000 {
      if try !store.entries().allSatisfy(\.isInUse) { break }
      try await Task.sleep(nanoseconds: 2_000_000)
    }
    let left = try #require(try store.entries().first { !$0.isInUse })
    #expect(left.path.hasSuffix("/0.txt") && left.fault == nil)
    for document in documents { try await document.close(discarding: true) }
  }

  @Test("an entry that was taken stays until the document is saved")
  func recovered() async throws {
    try folder.write("0", to: "a.txt")
    let first = journaled("a.txt")
    try await first.open()
    try await first.append("1")
    try await first.autosave()
    // As a program leaves it that was killed: nothing holds the lock of the copy.
    try folder.database.leaveEntry(named: "copy")
    try await first.close(discarding: true)

    let second = folder.text("a.txt")
    try await second.open()
    let entry = try #require(try await second.left())
    try await second.recover(entry)
    #expect(try await second.text == "01")
    #expect(try await second.recoverable().count == 1)
    try await second.save()
    #expect(try await second.recoverable().isEmpty)
    #expect(try folder.read("a.txt") == "01")
  }

  @Test("an entry of a file that was changed since is a conflict, until the user decides")
  func changedSince() async throws {
    try folder.write("0", to: "a.txt")
    let first = journaled("a.txt")
    try await first.open()
    try await first.append("1")
    try await first.autosave()
    try folder.database.leaveEntry(named: "copy")
    try await first.close(discarding: true)

    // Of the file as it was, the entry is taken.
    let second = folder.text("a.txt")
    try await second.open()
    try await second.recoverMerging(#require(try await second.left()))
    #expect(try await second.text == "01")
    #expect(await second.conflict == nil)
    try await second.close(discarding: true)
    try folder.write("2", to: "a.txt")
    let third = folder.text("a.txt")
    try await third.open()
    try await third.recoverMerging(#require(try await third.left()))
    #expect(await third.conflict?.theirs.text == "2")
    await expectRule(.fileConflict) { try await third.save() }
    #expect(try folder.read("a.txt") == "2")
    try folder.write("3", to: "a.txt")
    try await third.lookOutside()
    #expect(await third.conflict?.theirs.text == "3")
    try await third.resolve(.ours)
    try await third.save()
    #expect(try folder.read("a.txt") == "01")
    #expect(try await third.recoverable().isEmpty)
    try await third.close()
  }

  @Test("a record of a program that has ended does not count, and is removed")
  func presenters() async throws {
    try folder.write("0", to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    #expect(try await document.presenters().count == 1)
    let open = "\(folder.data)/particles/open"
    let records = "\(open)/\(try #require(try Files.list(open).first))"
    let own = try #require(try Files.list(records).first)
    try Files.create("\(records)/7-left.json", try Files.read("\(records)/\(own)"))
    #expect(try await document.presenters().count == 1)
    #expect(try Files.list(records) == [own])
  }

  @Test("another time of a text is no change, other bytes of the same size are")
  func touched() throws {
    try folder.write("abc", to: "a.txt")
    let storage = PathStorage(folder.path("a.txt"))
    _ = try storage.read(limits: .standard, progress: { _, _ in })
    let old = try OpenFile(reading: Repository.path("README.md")).status().state
    let file = try OpenFile(updating: folder.path("a.txt"))
    try file.setModified(as: old)
    #expect(storage.inspect() == .unchanged)
    try Array("abd".utf8).withUnsafeBytes { try file.write($0, at: 0) }
    try file.setModified(as: old)
    #expect(storage.inspect() == .changed)
  }

  @Test("a file that a save has renamed out of the way was not moved")
  func replaced() throws {
    try folder.write("abc", to: "a.txt")
    let storage = PathStorage(folder.path("a.txt"))
    _ = try storage.read(limits: .standard, progress: { _, _ in })
    try Files.renameExclusively(folder.path("a.txt"), folder.path(".a.txt.1.tmp"))
    #expect(storage.inspect() == .missing)
    try folder.write("abd", to: "a.txt")
    #expect(storage.inspect() == .changed)
    try Files.renameExclusively(folder.path(".a.txt.1.tmp"), folder.path("b.txt"))
    #expect(storage.inspect() == .moved(to: folder.path("b.txt")))
  }

  @Test("free names differ in more than upper and lower case")
  func names() throws {
    for name in ["Fire.txt", "fire 2.txt", "FIRE (a).txt"] { try folder.write("x", to: name) }
    #expect(try DocumentNames.free(beside: folder.path("Fire.txt")) == folder.path("Fire 3.txt"))
    #expect(
      try DocumentNames.free(beside: folder.path("Fire.txt"), "a") == folder.path("Fire (a) 2.txt"))
  }
}
