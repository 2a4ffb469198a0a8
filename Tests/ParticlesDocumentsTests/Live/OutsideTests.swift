import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Changes of an open document by other programs.
@Suite("Changes from outside")
struct OutsideTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  private var watching: DocumentConfiguration {
    var configuration = folder.quiet
    configuration.isWatching = true
    return configuration
  }

  @Test("a document without changes is loaded again, which is no step of undo")
  func reload() async throws {
    try folder.write("old", to: "a.txt")
    let document = folder.text("a.txt", watching)
    try await document.open()
    try await document.event({ if case .reloaded = $0 { true } else { false } }) {
      try folder.write("new", to: "a.txt")
    }
    #expect(try await document.text == "new")
    #expect(await document.states == [])
    #expect(try await document.undo() == 0)
    #expect(try await document.text == "new")
    #expect(await !document.hasUnsavedChanges)
  }

  @Test("a directory package whose file is written is loaded again")
  func reloadDirectory() async throws {
    let path = folder.path("fire")
    try folder.fire().container.write(to: path, as: .directory)
    let document = folder.effect("fire", watching)
    try await document.open()
    var other = try folder.fire()
    try other.apply("seed=77")
    let bytes = try other.document()
    try await document.event({ if case .reloaded = $0 { true } else { false } }) {
      try SafeSave.file("\(path)/document.json", replacing: true) { try $0.write(bytes) }
    }
    #expect(try await document.content.document() == bytes)
    // Our own save is no change from outside, and the new folders are watched.
    try await document.edit("Author") { try $0.apply("asset.author=Me") }
    try await document.save()
    try other.apply("asset.author=Me")
    try other.apply("seed=78")
    let again = try other.document()
    try await document.event({ if case .reloaded = $0 { true } else { false } }) {
      try SafeSave.file("\(path)/document.json", replacing: true) { try $0.write(again) }
    }
    #expect(try await document.content.document() == again)
  }

  @Test("changes of different parts are merged when the document is saved")
  func merge() async throws {
    let path = folder.path("fire")
    try folder.fire().container.write(to: path, as: .flat)
    let document = folder.effect("fire")
    try await document.open()
    try await document.edit("Rate") { try $0.apply("emitters[0].emission.rate=7") }
    var other = EffectPackage(try Container(contentsOf: path))
    try other.apply("asset.author=Other")
    #expect(try other.container.save() != nil)
    try await document.save()
    let editor = try EffectEditor(EffectPackage(Container(contentsOf: path)))
    #expect(try editor.value("asset.author") == .string("Other"))
    #expect(try editor.value("emitters[0].emission.rate") == .int(7))
    #expect(await document.states == [])
    #expect(await document.undoNames == ["Rate"])
  }

  @Test("our own saves, other times, and metadata of systems are no changes of other programs")
  func harmless() async throws {
    for form in [Container.Form.flat, .directory] {
      let path = folder.path("fire-\(form)")
      try folder.fire().container.write(to: path, as: form)
      let document = folder.effect("fire-\(form)", watching)
      try await document.open()
      let events = await document.events()
      for number in 0..<3 {
        try await document.edit("Seed") { try $0.apply("seed=\(number)") }
        try await document.save()
        let old = try OpenFile(reading: Repository.path("README.md")).status().state
        if form == .flat {
          try OpenFile(updating: path).setModified(as: old)
        } else {
          try OpenFile(updating: "\(path)/document.json").setModified(as: old)
          try Files.create("\(path)/.DS_Store", [1])
        }
        try await document.lookOutside()
        try await document.edit("Seed") { try $0.apply("seed=\(number + 10)") }
        try await document.save()
        if form == .directory { try Files.removeAll("\(path)/.DS_Store") }
      }
      try await document.close()
      for await event in events {
        switch event {
        case .reloaded, .merged, .conflict, .deleted, .moved, .failed:
          Issue.record("\(form): \(event)")
        default: break
        }
        if case .closed = event { break }
      }
    }
  }

  @Test(
    "a document follows its file through renames, and is saved there", arguments: [true, false])
  func renamed(isText: Bool) async throws {
    let names = ["a.txt", "b.txt"]
    if isText {
      try folder.write("x", to: names[0])
    } else {
      try folder.fire().container.write(to: folder.path(names[0]), as: .flat)
    }
    let target = folder.path("sub/\(names[1])")
    try Files.makeDirectory(folder.path("sub"))
    func follow<Content>(
      _ document: Document<Content>, _ edit: @Sendable (isolated Document<Content>) throws -> Void
    ) async throws {
      try await document.open()
      try await document.edit(edit)
      try await document.event({ if case .moved = $0 { true } else { false } }) {
        try Files.rename(folder.path(names[0]), target)
      }
      #expect(document.path == target)
      #expect(await document.hasUnsavedChanges)
      try await document.save()
      #expect(try folder.names() == ["sub"])
      #expect(await document.states == [])
    }
    if isText {
      try await follow(folder.text(names[0], watching)) { try $0.append("y") }
      #expect(try folder.read("sub/b.txt") == "xy")
    } else {
      try await follow(folder.effect(names[0], watching)) { document in
        try document.edit("Seed") { try $0.apply("seed=5") }
      }
      let editor = try EffectEditor(EffectPackage(Container(contentsOf: target)))
      #expect(try editor.value("seed") == .int(5))
    }
  }

  @Test("a deleted document with changes is in the recovery store, and can be saved elsewhere")
  func deleted() async throws {
    try folder.write("x", to: "a.txt")
    let document = folder.text("a.txt", watching)
    try await document.open()
    try await document.append(" unsaved")
    try await document.event({ if case .deleted = $0 { true } else { false } }) {
      try Files.removeAll(folder.path("a.txt"))
    }
    #expect(await document.states == [.deleted, .changed])
    await expectRule(.fileNotFound) { try await document.save() }
    #expect(try folder.names() == [])
    // Another program sees nothing to recover while this one runs.
    #expect(try await document.recoverable().isEmpty)
    let copy = try await document.save(to: folder.path("b.txt"))
    #expect(try folder.read("b.txt") == "x unsaved")
    try await copy.close()
  }

  @Test("what appears at the path of a new document is not overwritten")
  func appeared() async throws {
    let document = folder.text("a.txt")
    try folder.write("theirs", to: "a.txt")
    await expectRule(.fileExists) { try await document.create(PlainText("ours")) }
    #expect(try folder.read("a.txt") == "theirs")
  }

  @Test("a save waits for a lock until its deadline, and names the holder", .needs("flock"))
  func busy() async throws {
    let path = folder.path("fire")
    try folder.fire().container.write(to: path, as: .flat)
    var configuration = folder.quiet
    configuration.timeout = 0.3
    let document = folder.effect("fire", configuration)
    try await document.open()
    try await document.edit("Seed") { try $0.apply("seed=5") }
    let lock = try OpenFile(reading: path)
    #expect(lock.tryLock())
    do {
      try await document.save()
      Issue.record("it was saved")
    } catch let fault as Diagnostic {
      #expect(fault.rule == .fileBusy)
      if (try? Files.status("/proc/locks")) != nil {
        #expect(fault.found?.contains("process \(RunningProcess.identifier)") == true, "\(fault)")
      }
    }
    lock.unlock()
    try await document.save()
  }

  @Test("programs that have a document open are listed, until they close it or end")
  func presence() async throws {
    try folder.write("x", to: "a.txt")
    let document = folder.text("a.txt")
    #expect(try await document.presenters().isEmpty)
    try await document.open()
    let presenters = try await document.presenters()
    #expect(presenters.map(\.process) == [RunningProcess.identifier])
    // The record of a process that was killed has no lock.
    let records = try Files.list("\(folder.data)/particles/open")
    try Files.create("\(folder.data)/particles/open/\(records[0])/1-x.json", Array("{}".utf8))
    #expect(try await document.presenters() == presenters)
    try await document.close()
    #expect(try await document.presenters().isEmpty)
  }

  @Test("where the system cannot watch, the folder is looked at again and again")
  func polling() async throws {
    let calls = Lock(0)
    let watch = try FolderWatch([folder.data], polling: true, every: 0.01) {
      calls.withLock { $0 += 1 }
    }
    #expect(!watch.isNotified)
    let deadline = Deadline(seconds: 10)
    while calls.withLock(\.self) < 3, !deadline.isOver {
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    #expect(calls.withLock(\.self) >= 3)
  }
}

extension Document {
  fileprivate func edit(_ body: @Sendable (isolated Document) throws -> Void) throws {
    try body(self)
  }
}
