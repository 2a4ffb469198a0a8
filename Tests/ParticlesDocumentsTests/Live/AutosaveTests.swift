import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
@testable import ParticlesDocuments
@testable import ParticlesEffects
import ParticlesTestSupport
import Testing

/// A storage whose writes fail a number of times.
private final class FailingStorage: DocumentStorage {
  private let inner = MemoryStorage(FileNode(regularFileWithContents: Array("0".utf8)))
  private let failures: Lock<Int>
  /// The times of all writes.
  let writes = Lock<[Double]>([])
  let path: String?

  init(failures: Int, path: String? = nil) {
    self.failures = Lock(failures)
    self.path = path
  }

  var text: String {
    String(decoding: (try? inner.contents?.regularFileContents()) ?? [], as: UTF8.self)
  }

  func read(limits: Limits, progress: DocumentProgress.Report) throws -> StoredContents {
    try inner.read(limits: limits, progress: progress)
  }

  func write(
    _ contents: FileNode, replacing revision: Int?, _ options: StorageOptions
  ) throws -> StoredContents {
    writes.withLock { $0.append(MonotonicClock.seconds) }
    let isFailing = failures.withLock { failures in
      failures -= 1
      return failures >= 0
    }
    if isFailing { throw Diagnostic(.fileUnwritable, "the disk is full") }
    return try inner.write(contents, replacing: revision, options)
  }

  func inspect() -> StorageCondition { inner.inspect() }
  func move(to path: String) throws { try inner.move(to: path) }
  func delete() throws { try inner.delete() }
}

@Suite("Automatic saves that fail")
struct AutosaveTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  private func document(
    _ storage: FailingStorage, window: Double, longest: Double = 300
  ) -> Document<PlainText> {
    var configuration = folder.quiet
    configuration.autosave = .inPlace(seconds: window)
    configuration.longestRetry = longest
    return Document(storage: storage, configuration: configuration)
  }

  @Test("they are tried again with growing delays, which listeners and states show")
  func growing() async throws {
    let storage = FailingStorage(failures: 3)
    let document = document(storage, window: 0.02)
    try await document.open()
    let events = await document.events()
    try await document.event({ if case .saved(automatically: true) = $0 { true } else { false } }) {
      try await document.append("1")
    }
    #expect(storage.text == "01")
    #expect(await document.autosaveRetry == nil)
    #expect(await document.states == [])
    var retries: [AutosaveRetry] = []
    var wasShown = false
    for await event in events {
      if case .retrying(let retry) = event { retries.append(retry) }
      if case .states(let states) = event, states.contains(.savingError) { wasShown = true }
      if case .saved = event { break }
    }
    #expect(retries.map(\.failures) == [1, 2, 3] && wasShown)
    for (delay, expected) in zip(retries.map(\.delay), [0.04, 0.08, 0.16]) {
      #expect(abs(delay - expected) < 1e-9)
    }
    let times = storage.writes.withLock(\.self)
    #expect(times.count == 4)
    for (number, retry) in retries.enumerated() where number + 1 < times.count {
      #expect(times[number + 1] - times[number] >= retry.delay * 0.99)
    }
  }

  @Test("delays have a limit")
  func longest() {
    var retry: AutosaveRetry?
    let delays = (0..<6).map { _ in
      let next = AutosaveRetry(after: retry, window: 1, longest: 20, now: 0)
      retry = next
      return next.delay
    }
    #expect(delays == [2, 4, 8, 16, 20, 20])
    #expect(AutosaveRetry(after: nil, window: 0, longest: 20, now: 0).delay > 0)
  }

  @Test("a request does not wait for the next attempt")
  func request() async throws {
    let storage = FailingStorage(failures: 1)
    let document = document(storage, window: 1000)
    try await document.open()
    try await document.append("1")
    try await document.autosave()
    #expect(await document.autosaveRetry?.failures == 1)
    #expect(await document.states.isSuperset(of: [.savingError, .changed]))
    try await document.autosave()
    #expect(storage.text == "01")
    #expect(await document.autosaveRetry == nil)
  }

  @Test("the recovery journal has each edit meanwhile")
  func journal() async throws {
    let storage = FailingStorage(failures: .max, path: folder.path("a.txt"))
    let document = document(storage, window: 0.02, longest: 100_000)
    try await document.open()
    // The next attempt after the first failure is hours away.
    await document.hasFailed(delay: 10_000)
    for text in ["01", "012", "0123"] {
      try await document.edit("Typing") { $0.text = text }
      let deadline = Deadline(seconds: 120)
      while kept() != text, !deadline.isOver { try await Task.sleep(nanoseconds: 5_000_000) }
      #expect(kept() == text)
    }
    #expect(storage.writes.withLock(\.count) == 1)
    #expect(await document.autosaveRetry?.delay == 20_000)
    try await document.close(discarding: true)
    #expect(await document.autosaveRetry == nil)
  }

  /// A document with the text "01", whose "1" is from an entry of the recovery journal.
  private func recovered() async throws -> (Document<PlainText>, RecoveredContents) {
    try folder.write("0", to: "a.txt")
    let left = folder.text("a.txt")
    try await left.open()
    try await left.append("1")
    try await left.closeIntoRecovery()
    let document = folder.text("a.txt")
    try await document.open()
    let entry = try #require(try await document.left())
    try await document.recover(entry)
    return (document, entry)
  }

  @Test("an entry of the journal that cannot be removed is told, and removed after the next save")
  func leftEntry() async throws {
    let (document, _) = try await recovered()
    try folder.database.run(
      "CREATE TRIGGER stays BEFORE DELETE ON recovery BEGIN SELECT RAISE(ABORT, 'it stays'); END")
    let journal = folder.database.path
    let isTold: @Sendable (DocumentEvent) -> Bool = {
      if case .failed(let error) = $0 {
        (error as? Diagnostic)?.location.file == journal
      } else {
        false
      }
    }
    try await document.event(isTold) { try await document.save() }
    #expect(try folder.read("a.txt") == "01")
    #expect(await document.states == [], "the document is saved")
    #expect(try folder.unsaved().count == 1)
    try folder.database.run("DROP TRIGGER stays")
    try await document.append("2")
    try await document.save()
    #expect(try folder.unsaved().isEmpty)
    #expect(await document.recovered.isEmpty)
    try await document.close()
  }

  @Test("an entry of the journal that its user has removed is nothing to be told")
  func removedEntry() async throws {
    let (document, entry) = try await recovered()
    try document.discard(entry)
    let events = await document.events()
    try await document.save()
    try await document.close()
    for await event in events {
      if case .failed(let error) = event { Issue.record("\(error)") }
      if case .closed = event { break }
    }
    #expect(try folder.read("a.txt") == "01")
  }

  /// The text in the recovery journal.
  private func kept() -> String? {
    let store = RecoveryStore(dataFolder: folder.data)
    guard let entry = try? store.entries().first,
      let bytes = try? store.contents(of: entry).regularFileContents()
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Document {
  /// Makes it a document whose last automatic saves have failed, and whose next attempt is due.
  fileprivate func hasFailed(delay: Double) {
    autosaveRetry = AutosaveRetry(after: nil, window: delay / 2, longest: delay, now: -delay)
  }
}
