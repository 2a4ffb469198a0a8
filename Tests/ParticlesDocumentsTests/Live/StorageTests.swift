import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments
@testable import ParticlesEffects

/// A storage of an application, with a gate in each write.
private final class GatedStorage: DocumentStorage {
  private let inner = MemoryStorage(FileNode(regularFileWithContents: Array("0".utf8)))
  private let gate = Lock<(@Sendable () throws -> Void)?>(nil)

  /// Runs in the next write, on the thread of the document.
  func setGate(_ body: @escaping @Sendable () throws -> Void) { gate.withLock { $0 = body } }

  var path: String? { nil }
  var text: String {
    String(decoding: (try? inner.contents?.regularFileContents()) ?? [], as: UTF8.self)
  }

  func read(limits: Limits, progress: DocumentProgress.Report) throws -> StoredContents {
    try inner.read(limits: limits, progress: progress)
  }

  func write(
    _ contents: FileNode, replacing revision: Int?, _ options: StorageOptions
  ) throws -> StoredContents {
    let body = gate.withLock { gate in
      defer { gate = nil }
      return gate
    }
    try body?()
    return try inner.write(contents, replacing: revision, options)
  }

  func inspect() -> StorageCondition { inner.inspect() }
  func move(to path: String) throws { try inner.move(to: path) }
  func delete() throws { try inner.delete() }
}

@Suite("Saving through a storage")
struct StorageTests {
  private let folder: LiveFolder
  private let storage = GatedStorage()
  private let document: Document<PlainText>

  init() throws {
    folder = try LiveFolder()
    document = Document(storage: storage, configuration: folder.quiet)
  }

  /// Runs asynchronous work while a write waits for it.
  private func duringWrite(_ body: @escaping @Sendable () async throws -> Void) {
    storage.setGate {
      let signal = Signal()
      Task {
        try? await body()
        signal.send()
      }
      signal.wait()
    }
  }

  @Test("a storage in memory replaces what it was asked to replace, and nothing else")
  func memory() throws {
    let storage = MemoryStorage()
    let nodes = (0..<4).map { FileNode(regularFileWithContents: [$0]) }
    let first = try storage.write(nodes[0], replacing: nil, StorageOptions()).revision
    expectThrows(.fileExists) { try storage.write(nodes[1], replacing: nil, StorageOptions()) }
    for revision in [first - 1, first + 1] {
      expectThrows(.fileChanged) {
        try storage.write(nodes[1], replacing: revision, StorageOptions())
      }
    }
    #expect(storage.contents == nodes[0] && storage.inspect() == .unchanged)
    #expect(try storage.write(nodes[1], replacing: first, StorageOptions()).revision > first)
    #expect(storage.contents == nodes[1])
    var options = StorageOptions()
    options.isOverwriting = true
    for (node, revision) in [(nodes[2], nil), (nodes[3], first)] as [(FileNode, Int?)] {
      _ = try storage.write(node, replacing: revision, options)
      #expect(storage.contents == node)
    }
    storage.contents = nodes[0]
    #expect(storage.inspect() == .changed)
    storage.contents = nil
    #expect(storage.inspect() == .missing)
  }

  @Test("edits during a save stay unsaved, and the save does not wait for them")
  func during() async throws {
    try await document.open()
    try await document.append("1")
    duringWrite { [document] in try await document.append("2") }
    try await document.save()
    #expect(storage.text == "01")
    #expect(await document.hasUnsavedChanges)
    #expect(try await document.undo() == 1)
    #expect(await document.hasUnsavedChanges == false)
    #expect(try await document.redo() == 1)
    try await document.close()
    #expect(storage.text == "012")
  }

  @Test("a call during a save returns when its own edit is saved")
  func joining() async throws {
    try await document.open()
    try await document.append("1")
    let second = Lock<Task<Void, any Error>?>(nil)
    duringWrite { [document] in
      try await document.append("2")
      second.withLock { $0 = Task { try await document.save() } }
    }
    try await document.save()
    try await second.withLock(\.self)?.value
    #expect(storage.text == "012")
    #expect(await document.states == [])
  }

  @Test("what was read before a save is not taken after it")
  func stale() async throws {
    try await document.open()
    let before = try await document.access.read()
    try await document.append("1")
    try await document.save()
    try await document.mergeStored(before)
    #expect(try await document.text == "01")
    #expect(await document.states == [])
  }

  @Test("closing without saving waits for a save that runs")
  func closing() async throws {
    try await document.open()
    try await document.append("1")
    let events = await document.events()
    let closing = Lock<Task<Void, any Error>?>(nil)
    duringWrite { [document] in
      try await document.append("2")
      closing.withLock { $0 = Task { try await document.close(discarding: true) } }
      while await !document.states.contains(.editingDisabled) { await Task.yield() }
    }
    try await document.save()
    try await closing.withLock(\.self)?.value
    #expect(storage.text == "01")
    var isSaved = false
    events: for await event in events {
      switch event {
      case .saved: isSaved = true
      case .closed: break events
      default: break
      }
    }
    #expect(isSaved, "the document was closed before the save ended")
  }

  @Test("an undo during a save is no lost edit")
  func undone() async throws {
    try await document.open()
    try await document.append("1")
    duringWrite { [document] in try await document.undo() }
    try await document.save()
    #expect(storage.text == "01")
    #expect(try await document.text == "0")
    #expect(await document.hasUnsavedChanges)
    try await document.save()
    #expect(storage.text == "0")
  }

  @Test("edits while the document is saved elsewhere are refused, not lost")
  func elsewhere() async throws {
    try folder.write("x", to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    async let copy = document.save(to: folder.path("b.txt"))
    // Each edit is in the document that stays, or refused.
    var accepted = ""
    for number in 0..<50 {
      do {
        try await document.append("\(number % 10)")
        accepted += "\(number % 10)"
      } catch {
        #expect(
          (error as? Diagnostic)?.rule == .fileBusy || (error as? Diagnostic)?.rule == .fileClosed)
      }
    }
    #expect(try await copy.text == "x" + accepted)
  }

  @Test("a failing write keeps the old contents and the changes, and the next one succeeds")
  func failure() async throws {
    try await document.open()
    try await document.append("1")
    storage.setGate { throw Diagnostic(.fileUnwritable) }
    await expectRule(.fileUnwritable) { try await document.close() }
    #expect(storage.text == "0")
    #expect(await document.states == [.savingError, .changed])
    storage.setGate { throw Diagnostic(.fileUnwritable) }
    try? await document.autosave()
    #expect(storage.text == "0")
    try await document.close()
    #expect(storage.text == "01")
  }
}
