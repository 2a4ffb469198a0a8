import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Updates of documents in place") struct UpdateTests {
  private let folder: LiveFolder
  private let path: String

  init() throws {
    folder = try LiveFolder()
    path = folder.path("a.particles")
  }

  private func create(_ form: Container.Form = .flat, padding: Int = 0) throws {
    var package = try #require(EffectTemplate.named("fire")).package()
    if padding > 0 {
      // Noise, which does not become smaller.
      let noise = SampleTree.noise(padding, seed: 1)
      try package.container.root.setFileNode(
        FileNode(regularFileWithContents: noise), at: "Extra/noise")
    }
    try package.container.write(to: path, as: form, replacing: true)
  }

  private func value(_ key: String, at path: String? = nil) throws -> JSONValue? {
    let package = try EffectPackage(Container(contentsOf: path ?? self.path))
    return try EffectEditor(package).value(key)
  }

  /// Saves a change as another program does.
  private func saveFromOutside(_ change: String) throws {
    var package = EffectPackage(try Container(contentsOf: path))
    try package.apply(change)
    try package.container.save()
  }

  private func document(timeout: Double = 60, at path: String? = nil) -> Document<EffectPackage> {
    var configuration = folder.quiet
    configuration.timeout = timeout
    // As another process: nothing is shared with other documents of this one.
    return Document(storage: PathStorage(path ?? self.path), configuration: configuration)
  }

  /// Runs asynchronous work while a change, on the thread for the files of the document, waits for it.
  private func during(_ body: @escaping @Sendable () async throws -> Void) {
    let signal = Signal()
    Task {
      do { try await body() } catch { Issue.record("\(error)") }
      signal.send()
    }
    signal.wait()
  }

  @Test("what another program saves meanwhile is kept", arguments: Container.Form.allCases)
  func retry(form: Container.Form) async throws {
    try create(form)
    let attempts = Lock(0)
    let document = document()
    let outcome = try await document.update("Seed") { package, _ in
      let number = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if number == 1 { try saveFromOutside("asset.author=Other") }
      try package.apply("seed=7")
    }
    #expect(outcome.attempts == 2 && attempts.withLock(\.self) == 2 && outcome.mode == .replace)
    #expect(try value("seed") == .int(7) && value("asset.author") == "Other")
    let stored = try Container(contentsOf: path).root.treeDigest()
    #expect(try outcome.content.container.root.treeDigest() == stored)
    #expect(try await document.content.container.root.treeDigest() == stored)
    #expect(await document.states == [])
    #expect(await document.undoNames == ["Seed"])
  }

  @Test("of two changes of one property, the later one wins, and is marked")
  func conflict() async throws {
    try create()
    let outcome = try await document().update("Seed") {
      package, first -> [EffectEditor.Change] in
      var editor = try EffectEditor(package)
      try editor.apply("seed=7")
      try editor.apply("asset.name=Blaze")
      if let first { editor.markConflicts(with: first) } else { try saveFromOutside("seed=5") }
      package = editor.package
      return editor.changes
    }
    #expect(outcome.result.map(\.isConflict) == [true, false])
    #expect(outcome.result[0].old == .int(5) && outcome.result[0].new == .int(7))
    #expect(try value("seed") == .int(7))
  }

  @Test("a relative change is made on the new value")
  func relative() async throws {
    try create()
    try saveFromOutside("seed=10")
    try await document().update("Seed") { package, first -> Bool in
      if first == nil { try saveFromOutside("seed=20") }
      try package.apply("seed*=2")
      return true
    }
    #expect(try value("seed") == .int(40))
  }

  @Test("edits of other tasks meanwhile are merged, and stay unsaved")
  func otherTasks() async throws {
    try create()
    let document = document()
    try await document.open()
    let outcome = try await document.update("Seed") { package, _ in
      during { try await document.edit("Author") { try $0.apply("asset.author=Me") } }
      try package.apply("seed=7")
    }
    #expect(outcome.attempts == 1)
    #expect(try value("seed") == .int(7) && value("asset.author") == nil)
    #expect(await document.hasUnsavedChanges)
    try await document.save()
    #expect(try value("seed") == .int(7) && value("asset.author") == "Me")
  }

  @Test("unsaved edits before the update are saved with it")
  func unsavedBefore() async throws {
    try create()
    let document = document()
    try await document.open()
    try await document.edit("Author") { try $0.apply("asset.author=Me") }
    try await document.update("Seed") { package, _ in try package.apply("seed=7") }
    #expect(try value("seed") == .int(7) && value("asset.author") == "Me")
    #expect(await !document.hasUnsavedChanges)
    #expect(try await document.undo(2) == 2)
    try await document.save()
    #expect(try value("asset.author") == nil)
  }

  @Test("closing waits for an update")
  func closing() async throws {
    try create()
    let document = document()
    try await document.open()
    let closing = Lock<Task<Void, any Error>?>(nil)
    let outcome = try await document.update("Seed") { package, _ in
      during {
        closing.withLock { $0 = Task { try await document.close() } }
        while await !document.states.contains(.editingDisabled) { await Task.yield() }
      }
      try package.apply("seed=7")
    }
    #expect(outcome.isSaved)
    try await closing.withLock(\.self)?.value
    #expect(await document.states == .closed)
    #expect(try value("seed") == .int(7))
  }

  @Test("with a digest, only that state is changed")
  func expectedDigest() async throws {
    try create()
    var options = UpdateOptions()
    let digest = try Container(contentsOf: path).root.treeDigest().description
    options.expectedDigest = digest.prefix(8).uppercased()
    try await document().update("Seed", options) { package, _ in try package.apply("seed=1") }
    let calls = Lock(0)
    await expectRule(.fileChanged) { [options] in
      try await document().update("Seed", options) { _, _ in calls.withLock { $0 += 1 } }
    }
    #expect(calls.withLock(\.self) == 0)
    options.expectedDigest = try Container(contentsOf: path).root.treeDigest().description
    await expectRule(.fileChanged) { [options] in
      try await document().update("Seed", options) { package, _ in
        try saveFromOutside("seed=2")
        try package.apply("seed=3")
      }
    }
    #expect(try value("seed") == .int(2))
    let present = try Container(contentsOf: path).root.treeDigest().description
    options.expectedDigest = String(present.prefix(7))
    await expectRule(.fileChanged) { [options] in
      try await document().update("Seed", options) { _, _ in }
    }
  }

  @Test("programs that save again and again are waited for until the timeout")
  func timeout() async throws {
    try create()
    let seed = Lock(100)
    let attempts = Lock(0)
    // A machine under load may be too slow for two attempts in a short time.
    for timeout in [0, 0.1, 1, 10, 60] where attempts.withLock(\.self) < 2 {
      attempts.withLock { $0 = 0 }
      let start = MonotonicClock.seconds
      await expectRule(.fileChanged) {
        try await document(timeout: timeout).update("Seed") { package, _ in
          attempts.withLock { $0 += 1 }
          let number = seed.withLock { seed in
            seed += 1
            return seed
          }
          try saveFromOutside("seed=\(number)")
          try package.apply("seed=1")
        }
      }
      #expect(timeout > 0 || attempts.withLock(\.self) == 1)
      #expect(MonotonicClock.seconds - start >= timeout)
      #expect(try value("seed") == .int(seed.withLock(\.self)))
    }
    #expect(attempts.withLock(\.self) > 1)
  }

  @Test(
    "a lock that is not released ends the wait, and one that is released does not",
    arguments: Container.Form.allCases)
  func lock(form: Container.Form) async throws {
    try create(form)
    let before = try Container(contentsOf: path).root.treeDigest()
    let holder = try OpenFile(reading: path)
    #expect(try holder.lock())
    await expectRule(.fileBusy) {
      try await document(timeout: 0.05).update("Seed") { package, _ in
        try package.apply("seed=1")
      }
    }
    #expect(try Container(contentsOf: path).root.treeDigest() == before)
    async let saved = document(timeout: 120).update("Seed") { package, _ in
      try package.apply("seed=1")
    }
    try await Task.sleep(nanoseconds: 100_000_000)
    holder.unlock()
    #expect(try await saved.attempts == 1)
    #expect(try value("seed") == .int(1))
  }

  @Test(
    "a lock that is taken during the change ends the wait, however the package is saved",
    arguments: [0, StorageOptions.appendingSize])
  func lateLock(padding: Int) async throws {
    try create(padding: padding)
    let before = try Files.read(path)
    let holder = try OpenFile(reading: path)
    let start = MonotonicClock.seconds
    do {
      try await document(timeout: 0.05).update("Seed") { package, _ in
        #expect(try holder.lock())
        try package.apply("seed=1")
      }
      Issue.record("it was saved")
    } catch let fault as Diagnostic {
      #expect(fault.rule == .fileBusy && fault.location == Location(file: path))
      #expect(fault.detail == "it was locked for 0.05 s")
    }
    #expect(MonotonicClock.seconds - start >= 0.05)
    #expect(try Files.read(path) == before)
    #expect(try folder.names() == ["a.particles"])
    holder.unlock()
    try await document().update("Seed") { package, _ in try package.apply("seed=1") }
    #expect(try value("seed") == .int(1))
  }

  @Test("a small package is rewritten, a large one is appended to unless that is refused")
  func size() async throws {
    try create()
    func update(_ change: String, rewriting: Bool = false) async throws -> Container.SaveMode? {
      var options = UpdateOptions()
      options.isRewriting = rewriting
      return try await document().update("Seed", options) { package, _ in
        try package.apply(change)
      }.mode
    }
    #expect(try await update("seed=1") == .replace)
    #expect(try ContainerReader(.file(path)).generation == 1)
    try create(padding: StorageOptions.appendingSize)
    let old = try Files.read(path)
    #expect(try await update("seed=1") == .append)
    #expect(try ContainerReader(.file(path)).generation == 2)
    #expect(try Files.read(path).starts(with: old))
    #expect(try await update("seed=2", rewriting: true) == .replace)
    #expect(try ContainerReader(.file(path)).generation == 1)
    #expect(try value("seed") == .int(2))
  }

  @Test("no change and a dry run leave every byte", arguments: Container.Form.allCases)
  func nothing(form: Container.Form) async throws {
    try create(form)
    func update(_ change: String, saving: Bool = true) async throws -> Bool {
      var options = UpdateOptions()
      options.isSaving = saving
      return try await document().update("Seed", options) { package, _ in
        try package.apply(change)
      }.isSaved
    }
    #expect(try await update("seed=0"))
    let after = try #require(try Files.status(path)).state
    #expect(try await !update("seed=0"))
    #expect(try await !update("seed=9", saving: false))
    #expect(try Files.status(path)?.state == after)
    #expect(try value("seed") == .int(0))
  }

  @Test("a read-only package is refused unless forced", arguments: Container.Form.allCases)
  func readOnly(form: Container.Form) async throws {
    try create(form)
    let file = form == .flat ? path : path + "/document.json"
    try OpenFile(reading: file).setMode(0o444)
    let calls = Lock(0)
    await expectRule(.fileReadOnly) {
      try await document().update("Seed") { _, _ in calls.withLock { $0 += 1 } }
    }
    #expect(calls.withLock(\.self) == 0)
    var options = UpdateOptions()
    options.isForced = true
    try await document().update("Seed", options) { package, _ in try package.apply("seed=1") }
    #expect(try value("seed") == .int(1))
    #expect(try Files.status(file)?.mode == 0o444)
  }

  @Test("hard links are kept by appending, and reported if the file is rewritten")
  func hardLinks() async throws {
    try create()
    let other = folder.path("b.particles")
    let run = try Run(try #require(Run.find("ln")), [path, other])
    #expect(run.status == 0)
    let saved = try await document().update("Seed") { package, _ in try package.apply("seed=1") }
    #expect(saved.mode == .append && saved.diagnostics.isEmpty)
    #expect(try Files.status(path)?.state == Files.status(other)?.state)
    #expect(try value("seed", at: other) == .int(1))
    var options = UpdateOptions()
    options.isRewriting = true
    let rewritten = try await document().update("Seed", options) { package, _ in
      try package.apply("seed=2")
    }
    #expect(rewritten.diagnostics.map(\.rule) == [.fileLinks])
    #expect(rewritten.diagnostics.first?.found == "1 of them")
    #expect(try value("seed", at: other) == .int(1) && value("seed") == .int(2))
  }

  @Test("a symbolic link is followed and kept")
  func symbolicLink() async throws {
    try create()
    let link = folder.path("link")
    try Files.makeLink(link, to: "a.particles")
    try await document(at: link).update("Seed") { package, _ in try package.apply("seed=1") }
    #expect(try Files.status(link, followingLinks: false)?.kind == .symbolicLink)
    #expect(try value("seed") == .int(1))
    await expectRule(.fileNotFound) {
      try await document(at: folder.path("none")).update("Nothing") { _, _ in }
    }
  }

  @Test("the edit and the states before and after it are kept")
  func versions() async throws {
    try create()
    let document = document()
    try await document.update("Set Seed") { package, _ in try package.apply("seed=1") }
    #expect(try await document.versions().map(\.kind) == [.opened, .saved])
    let store = VersionStore(dataFolder: folder.data)
    #expect(try store.trail(of: path).undoNames == ["Set Seed"])
  }
}
