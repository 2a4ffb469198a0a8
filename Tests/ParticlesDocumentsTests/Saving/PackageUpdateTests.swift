import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesTestSupport
import Testing

@Suite("Changing packages in place") struct PackageUpdateTests {
  private let scratch: Scratch
  private let path: String

  init() throws {
    scratch = try Scratch()
    path = scratch.file("a.particles")
  }

  private func create(_ form: Container.Form = .flat, padding: Int = 0) throws {
    var package = try DrawnTemplates.package("fire")
    if padding > 0 {
      // Noise, which does not become smaller.
      var generator = SystemRandomNumberGenerator()
      let bytes = (0..<padding / 8).flatMap { _ in
        withUnsafeBytes(of: generator.next()) { Array($0) }
      }
      try package.container.root.setFileNode(
        FileNode(regularFileWithContents: bytes), at: "Extra/noise")
    }
    try package.container.write(to: path, as: form, replacing: true)
  }

  private func value(_ key: String, at path: String? = nil) throws -> JSONValue? {
    let package = try EffectPackage(Container(contentsOf: path ?? self.path))
    return try EffectEditor(package).value(key)
  }

  /// Sets properties of a package, as another program would do.
  private func set(_ changes: String..., in package: inout EffectPackage) throws {
    var editor = try EffectEditor(package)
    for change in changes { try editor.apply(change) }
    package = editor.package
  }

  private func saveFromOutside(_ change: String) throws {
    try PackageUpdate(path).run { try set(change, in: &$0) }
  }

  @Test("what another program saves meanwhile is kept", arguments: Container.Form.allCases)
  func retry(form: Container.Form) throws {
    try create(form)
    var attempts = 0
    let (_, outcome) = try PackageUpdate(path).run { package in
      attempts += 1
      if attempts == 1 { try saveFromOutside("asset.author=Other") }
      try set("seed=7", in: &package)
    }
    #expect(outcome.attempts == 2 && attempts == 2 && outcome.mode == .replace)
    #expect(try value("seed") == .int(7) && value("asset.author") == "Other")
    #expect(
      try outcome.package.container.root.treeDigest()
        == Container(contentsOf: path).root.treeDigest())
  }

  @Test("of two changes of one property, the later one wins, and is marked")
  func conflict() throws {
    try create()
    var first: [EffectEditor.Change]?
    let (changes, _) = try PackageUpdate(path).run { package in
      var editor = try EffectEditor(package)
      try editor.apply("seed=7")
      try editor.apply("asset.name=Blaze")
      if let first { editor.markConflicts(with: first) } else { try saveFromOutside("seed=5") }
      first = first ?? editor.changes
      package = editor.package
      return editor.changes
    }
    #expect(changes.map(\.isConflict) == [true, false])
    #expect(changes[0].old == .int(5) && changes[0].new == .int(7))
    #expect(try value("seed") == .int(7))
  }

  @Test("with a digest, only that state is changed")
  func expectedDigest() throws {
    try create()
    var update = PackageUpdate(path)
    let digest = try Container(contentsOf: path).root.treeDigest().description
    update.expectedDigest = digest.prefix(8).uppercased()
    try update.run { try set("seed=1", in: &$0) }
    var calls = 0
    expectThrows(.fileChanged) { try update.run { _ in calls += 1 } }
    #expect(calls == 0)
    update.expectedDigest = try Container(contentsOf: path).root.treeDigest().description
    expectThrows(.fileChanged) {
      try update.run { package in
        try saveFromOutside("seed=2")
        try set("seed=3", in: &package)
      }
    }
    #expect(try value("seed") == .int(2))
    update.expectedDigest = String(digest.prefix(7))
    expectThrows(.fileChanged) { try update.run { _ in } }
  }

  @Test("programs that save again and again are waited for until the timeout")
  func timeout() throws {
    try create()
    var update = PackageUpdate(path)
    var (seed, attempts) = (100, 0)
    // A machine under load may be too slow for two attempts in a short time.
    for timeout in [0, 0.1, 1, 10, 60] where attempts < 2 {
      update.timeout = timeout
      attempts = 0
      let start = MonotonicClock.seconds
      expectThrows(.fileChanged) {
        try update.run { package in
          seed += 1
          attempts += 1
          try saveFromOutside("seed=\(seed)")
          try set("seed=1", in: &package)
        }
      }
      #expect(timeout > 0 || attempts == 1)
      #expect(MonotonicClock.seconds - start >= timeout)
      #expect(try value("seed") == .int(seed))
    }
    #expect(attempts > 1)
  }

  @Test("a lock that is not released ends the wait, and one that is released does not")
  func lock() async throws {
    try create()
    let before = try Files.read(path)
    let holder = try OpenFile(reading: path)
    #expect(try holder.lock())
    var update = PackageUpdate(path)
    update.timeout = 0.05
    expectThrows(.fileBusy) { try update.run { try set("seed=1", in: &$0) } }
    #expect(try Files.read(path) == before)
    update.timeout = 60
    async let saved = Task { [update] in
      try update.run { package in
        var editor = try EffectEditor(package)
        try editor.apply("seed=1")
        package = editor.package
      }.outcome.attempts
    }.value
    MonotonicClock.wait(seconds: 0.1)
    holder.unlock()
    #expect(try await saved == 1)
    #expect(try value("seed") == .int(1))
  }

  @Test(
    "a lock that is taken during the change ends the wait, however the package is saved",
    arguments: [0, PackageUpdate.appendingSize])
  func lateLock(padding: Int) throws {
    try create(padding: padding)
    let before = try Files.read(path)
    let holder = try OpenFile(reading: path)
    var update = PackageUpdate(path)
    update.timeout = 0.05
    let start = MonotonicClock.seconds
    let fault = expectThrows(.fileBusy) {
      try update.run { package in
        #expect(try holder.lock())
        try set("seed=1", in: &package)
      }
    }
    #expect(fault?.location == Location(file: path))
    #expect(fault?.detail == "it was locked for 0.05 s")
    #expect(MonotonicClock.seconds - start >= 0.05)
    #expect(try Files.read(path) == before)
    #expect(try Files.list(scratch.path) == ["a.particles"])
    holder.unlock()
    try update.run { try set("seed=1", in: &$0) }
    #expect(try value("seed") == .int(1))
  }

  @Test("a small package is rewritten, a large one is appended to unless that is refused")
  func size() throws {
    try create()
    #expect(try PackageUpdate(path).run { try set("seed=1", in: &$0) }.outcome.mode == .replace)
    #expect(try ContainerReader(.file(path)).generation == 1)
    try create(padding: PackageUpdate.appendingSize)
    let old = try Files.read(path)
    #expect(try PackageUpdate(path).run { try set("seed=1", in: &$0) }.outcome.mode == .append)
    #expect(try ContainerReader(.file(path)).generation == 2)
    #expect(try Files.read(path).starts(with: old))
    var update = PackageUpdate(path)
    update.isRewriting = true
    #expect(try update.run { try set("seed=2", in: &$0) }.outcome.mode == .replace)
    #expect(try ContainerReader(.file(path)).generation == 1)
    #expect(try value("seed") == .int(2))
  }

  @Test("no change and a dry run leave every byte", arguments: Container.Form.allCases)
  func nothing(form: Container.Form) throws {
    try create(form)
    let before = try #require(try Files.status(path)).state
    #expect(try PackageUpdate(path).run { try set("seed=0", in: &$0) }.outcome.mode == .replace)
    let after = try #require(try Files.status(path)).state
    #expect(before != after)
    #expect(try PackageUpdate(path).run { try set("seed=0", in: &$0) }.outcome.mode == nil)
    var update = PackageUpdate(path)
    update.isSaving = false
    #expect(try update.run { try set("seed=9", in: &$0) }.outcome.mode == nil)
    #expect(try Files.status(path)?.state == after)
  }

  @Test("a read-only package is refused unless forced", arguments: Container.Form.allCases)
  func readOnly(form: Container.Form) throws {
    try create(form)
    let document = form == .flat ? path : path + "/document.json"
    try OpenFile(reading: document).setMode(0o444)
    var update = PackageUpdate(path)
    var calls = 0
    expectThrows(.fileReadOnly) { try update.run { _ in calls += 1 } }
    #expect(calls == 0)
    update.isForced = true
    try update.run { try set("seed=1", in: &$0) }
    #expect(try value("seed") == .int(1))
    if form == .flat { #expect(try Files.status(path)?.mode == 0o444) }
  }

  @Test("hard links are kept by appending, and reported if the file is rewritten")
  func hardLinks() throws {
    try create()
    let other = scratch.file("b.particles")
    let run = try Run(try #require(Run.find("ln")), [path, other])
    #expect(run.status == 0)
    let saved = try PackageUpdate(path).run { try set("seed=1", in: &$0) }.outcome
    #expect(saved.mode == .append && saved.diagnostics.isEmpty)
    #expect(try Files.status(path)?.state == Files.status(other)?.state)
    #expect(try value("seed", at: other) == .int(1))
    var update = PackageUpdate(path)
    update.isRewriting = true
    let rewritten = try update.run { try set("seed=2", in: &$0) }.outcome
    #expect(rewritten.diagnostics.map(\.rule) == [.fileLinks])
    #expect(rewritten.diagnostics.first?.found == "1 of them")
    #expect(try value("seed", at: other) == .int(1) && value("seed") == .int(2))
  }

  @Test("a symbolic link is followed and kept")
  func symbolicLink() throws {
    try create()
    let link = scratch.file("link")
    try Files.makeLink(link, to: "a.particles")
    try PackageUpdate(link).run { try set("seed=1", in: &$0) }
    #expect(try Files.status(link, followingLinks: false)?.kind == .symbolicLink)
    #expect(try value("seed") == .int(1))
    expectThrows(.fileNotFound) { try PackageUpdate(scratch.file("none")).run { _ in } }
  }
}
