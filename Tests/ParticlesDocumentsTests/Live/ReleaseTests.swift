import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments
@testable import ParticlesEffects

/// A storage that reads when it is told to.
private final class SlowStorage: DocumentStorage {
  private let inner = MemoryStorage(FileNode(regularFileWithContents: Array("0".utf8)))
  let reads = Lock(0)
  let gate = Signal()

  var path: String? { nil }

  func read(limits: Limits, progress: DocumentProgress.Report) throws -> StoredContents {
    reads.withLock { $0 += 1 }
    gate.wait()
    gate.send()
    return try inner.read(limits: limits, progress: progress)
  }

  func write(
    _ contents: FileNode, replacing revision: Int?, _ options: StorageOptions
  ) throws -> StoredContents {
    try inner.write(contents, replacing: revision, options)
  }

  func inspect() -> StorageCondition { inner.inspect() }
  func move(to path: String) throws { try inner.move(to: path) }
  func delete() throws { try inner.delete() }
}

@Suite("Documents that are released, drafts, and cancelled calls")
struct ReleaseTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  @Test(
    "the edits of a document that nobody closes are in the recovery journal",
    arguments: [true, false])
  func released(hasAutosave: Bool) async throws {
    try folder.write("0", to: "a.txt")
    var configuration = folder.quiet
    if hasAutosave { configuration.autosave = .inPlace(seconds: 1000) }
    weak var released: Document<PlainText>?
    do {
      let document = folder.text("a.txt", configuration)
      try await document.open()
      try await document.append("1")
      released = document
    }
    #expect(released == nil)
    #expect(try folder.read("a.txt") == "0")
    let second = folder.text("a.txt")
    try await second.open()
    let entry = try #require(try await second.left())
    try await second.recover(entry)
    #expect(try await second.text == "01")
    try await second.save()
    #expect(try await second.recoverable().isEmpty)
    // Nothing is kept of a document without changes.
    try await second.close()
    do {
      let document = folder.text("a.txt")
      try await document.open()
    }
    try await second.open()
    #expect(try await second.recoverable().isEmpty)
  }

  @Test(
    "a draft without a path is in the recovery journal, until it is saved to a path",
    arguments: [true, false])
  func draft(isReleased: Bool) async throws {
    var configuration = folder.quiet
    configuration.autosave = .inPlace(seconds: 1000)
    func make() -> Document<PlainText> {
      Document(storage: MemoryStorage(), configuration: configuration)
    }
    do {
      let document = make()
      try await document.create(PlainText(""))
      #expect(try await document.recoverable().isEmpty)
      try await document.append("a draft")
      if !isReleased {
        try await document.autosave()
        #expect(await document.hasUnsavedChanges)
        #expect(try folder.unsaved().count == 1)
        // Its program is running.
        #expect(try await document.recoverable().isEmpty)
      }
    }
    let document = make()
    try await document.create(PlainText(""))
    let entry = try #require(try await document.left())
    #expect(entry.path.isEmpty)
    try await document.recover(entry)
    #expect(try await document.text == "a draft")
    let saved = try await document.save(to: folder.path("b.txt"))
    #expect(try folder.read("b.txt") == "a draft")
    #expect(try await make().recoverable().isEmpty)
    try await saved.close()
  }

  @Test("an opening goes on while anybody waits for it")
  func opening() async throws {
    let storage = SlowStorage()
    let document = Document<PlainText>(storage: storage, configuration: folder.quiet)
    let first = Task { try await document.open() }
    while storage.reads.withLock(\.self) == 0 { await Task.yield() }
    let second = Task { try await document.open() }
    while await document.phase.callers.count < 2 { await Task.yield() }
    first.cancel()
    // It ends at once, while the file is still being read.
    await #expect(throws: CancellationError.self) { try await first.value }
    storage.gate.send()
    try await second.value
    #expect(try await document.text == "0")
    #expect(storage.reads.withLock(\.self) == 1)
  }

  @Test("an opening ends when everybody has left, and the next one begins anew")
  func abandoned() async throws {
    let storage = SlowStorage()
    let document = Document<PlainText>(storage: storage, configuration: folder.quiet)
    let calls = (0..<3).map { _ in Task { try await document.open() } }
    while await document.phase.callers.count < 3 { await Task.yield() }
    for call in calls { call.cancel() }
    for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
    let next = Task { try await document.open() }
    storage.gate.send()
    try await next.value
    #expect(try await document.text == "0")
  }

  @Test("opening tells how far it is")
  func progress() async throws {
    try folder.write(String(repeating: "0123456789abcdef", count: 1 << 19), to: "a.txt")
    let document = folder.text("a.txt")
    let events = await document.events()
    try await document.open()
    try await document.close()
    var fractions: [Double] = []
    for await event in events {
      if case .progress(let progress) = event { fractions.append(progress.fraction) }
      if case .closed = event { break }
    }
    #expect(fractions.count > 4 && fractions == fractions.sorted() && fractions.last == 1)
  }
}
