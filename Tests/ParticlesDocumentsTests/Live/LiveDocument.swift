import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// A folder with documents, and all that the library keeps about them.
struct LiveFolder: Sendable {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Files.makeDirectory(scratch.file("documents"))
  }

  var data: String { scratch.file("data") }

  /// The store of the data folder.
  var database: StoreDatabase { StoreDatabase(dataFolder: data) }

  /// The entries of the recovery journal.
  func unsaved() throws -> [RecoveredContents] { try RecoveryStore(dataFolder: data).entries() }

  func path(_ name: String) -> String { scratch.file("documents/\(name)") }

  func names() throws -> [String] { try Files.list(scratch.file("documents")) }

  /// Nothing happens by itself.
  var quiet: DocumentConfiguration {
    var configuration = DocumentConfiguration(dataFolder: data)
    configuration.autosave = .off
    configuration.isWatching = false
    return configuration
  }

  func text(
    _ name: String, _ configuration: DocumentConfiguration? = nil
  ) -> Document<PlainText> {
    Document(path: path(name), configuration: configuration ?? quiet)
  }

  func effect(
    _ name: String, _ configuration: DocumentConfiguration? = nil
  ) -> Document<EffectPackage> {
    Document(path: path(name), configuration: configuration ?? quiet)
  }

  func fire() throws -> EffectPackage { try #require(EffectTemplate.named("fire")).package() }

  func write(_ text: String, to name: String) throws {
    try SafeSave.file(path(name), replacing: true) { try $0.write(Array(text.utf8)) }
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Files.read(path(name)), as: UTF8.self)
  }
}

extension Document where Content == PlainText {
  /// Appends to the text.
  func append(_ text: String, coalescing key: String? = nil) throws {
    try edit("Typing", coalescing: key) { $0.text += text }
  }

  var text: String { get throws { try content.text } }
}

extension Document {
  /// Waits for an event for at most two minutes.
  func event(
    _ isWanted: @escaping @Sendable (DocumentEvent) -> Bool,
    after body: @Sendable () async throws -> Void
  ) async throws {
    let events = events()
    try await body()
    let isFound = try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await event in events where isWanted(event) { return true }
        return false
      }
      group.addTask {
        try await Task.sleep(nanoseconds: 120_000_000_000)
        return false
      }
      let first = try await group.next() ?? false
      group.cancelAll()
      return first
    }
    #expect(isFound, "no event")
  }
}

extension Document {
  /// The first entry of the recovery journal. A document that was released writes it on the thread that gave up the last
  /// reference, after weak references are nil. So it is waited for.
  func left() async throws -> RecoveredContents? {
    let deadline = Deadline(seconds: 60)
    while true {
      let entry = try await recoverable().first
      if entry != nil || deadline.isOver { return entry }
      try await Task.sleep(nanoseconds: 5_000_000)
    }
  }
}

/// Expects an asynchronous call to throw a diagnostic of this rule.
func expectRule<Result: Sendable>(
  _ rule: Rule, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Result
) async {
  do {
    _ = try await body()
    Issue.record("nothing was thrown instead of \(rule.code)", sourceLocation: sourceLocation)
  } catch let diagnostic as Diagnostic {
    #expect(diagnostic.rule == rule, "\(diagnostic)", sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
}
