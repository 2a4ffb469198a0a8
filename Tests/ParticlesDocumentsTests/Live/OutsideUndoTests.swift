import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments
@testable import ParticlesEffects

/// Undo of open documents that other programs change, with contents of all kinds.
@Suite("Undo among changes from outside")
struct OutsideUndoTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  private func value(_ key: String, at path: String) throws -> JSONValue? {
    try EffectEditor(EffectPackage(Container(contentsOf: path))).value(key)
  }

  /// A document that shares nothing with others of this process.
  private func package(_ form: Container.Form) async throws -> (Document<EffectPackage>, String) {
    let path = folder.path("fire.particles")
    try folder.fire().container.write(to: path, as: form)
    var configuration = folder.quiet
    // The files of a folder are kept where changes by other programs are expected.
    configuration.isWatching = form == .directory
    let document = Document<EffectPackage>(
      storage: PathStorage(path), configuration: configuration)
    try await document.open()
    return (document, path)
  }

  private func saveFromOutside(_ changes: String..., at path: String) throws {
    var other = EffectPackage(try Container(contentsOf: path))
    for change in changes { try other.apply(change) }
    try other.container.save()
  }

  @Test(
    "undo takes back our rate; the lifetime of the other program stays, and is told",
    arguments: Container.Form.allCases)
  func package(form: Container.Form) async throws {
    let (document, path) = try await package(form)
    let old = try value("emitters[0].emission.rate", at: path)
    try await document.edit("Rate") { try $0.apply("emitters[0].emission.rate=77") }
    try await document.autosave()
    try saveFromOutside(
      "emitters[0].lifetime=3.25", "asset.author=Second", at: path)
    let author = try value("asset.author", at: path)
    let life = try value("emitters[0].lifetime", at: path)
    let events = await document.events()
    try await document.lookOutside()
    // A watched document may be looking at the file by itself.
    let deadline = Deadline(seconds: 60)
    while await document.lastOutsideChange?.after == nil, !deadline.isOver {
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    #expect(await document.states == [])
    #expect(await document.undoNames == ["Rate"])
    let change = try #require(await document.lastOutsideChange)
    #expect(change.parts.contains("emitters[0].lifetime"))
    #expect(change.parts.contains("asset.author") && change.endsUndo == nil)
    // Both states are versions.
    let versions = try await document.versions()
    let before = try #require(versions.first { $0.number == change.before })
    let after = try #require(versions.first { $0.number == change.after })
    #expect(
      try await EffectEditor(document.contents(of: before)).value("emitters[0].emission.rate")
        == .int(77))
    #expect(try await EffectEditor(document.contents(of: after)).value("asset.author") == author)

    #expect(try await document.undo() == 1)
    #expect(await document.hasUnsavedChanges)
    try await document.save()
    #expect(try value("emitters[0].emission.rate", at: path) == old)
    #expect(try value("emitters[0].lifetime", at: path) == life)
    #expect(try value("asset.author", at: path) == "Second")
    try await document.redo()
    try await document.close()
    #expect(try value("emitters[0].emission.rate", at: path) == .int(77))
    #expect(try value("asset.author", at: path) == "Second")
    var told: [OutsideChange] = []
    for await event in events {
      if case .outside(let change) = event { told.append(change) }
      if case .closed = event { break }
    }
    #expect(told == [change])
  }

  @Test("steps before and after two changes from outside are undone and redone in order")
  func twoChanges() async throws {
    let (document, path) = try await package(.flat)
    try await document.edit("Rate") { try $0.apply("emitters[0].emission.rate=77") }
    try await document.autosave()
    try saveFromOutside("asset.author=One", at: path)
    try await document.lookOutside()
    try await document.edit("Seed") { try $0.apply("seed=5") }
    try await document.save()
    try saveFromOutside("asset.comment=Two", at: path)
    try await document.lookOutside()
    #expect(await document.undoNames == ["Rate", "Seed"])
    #expect(try await document.undo(2) == 2)
    try await document.save()
    #expect(try value("seed", at: path) != .int(5))
    #expect(try value("emitters[0].emission.rate", at: path) != .int(77))
    #expect(try value("asset.author", at: path) == "One")
    #expect(try value("asset.comment", at: path) == "Two")
    #expect(try await document.redo(2) == 2)
    try await document.save()
    #expect(try value("seed", at: path) == .int(5))
    #expect(try value("emitters[0].emission.rate", at: path) == .int(77))
    #expect(try value("asset.comment", at: path) == "Two")
    try await document.close()
  }

  @Test("unsaved steps stay ours when the other change is merged")
  func merged() async throws {
    let (document, path) = try await package(.flat)
    try await document.edit("Rate") { try $0.apply("emitters[0].emission.rate=77") }
    try saveFromOutside("asset.author=Other", at: path)
    try await document.lookOutside()
    #expect(await document.undoNames == ["Rate"])
    #expect(await document.states == .changed)
    #expect(try await document.undo() == 1)
    // Another program has stored this state.
    #expect(await document.states == [])
    #expect(try await EffectEditor(document.content).value("asset.author") == "Other")
    try await document.close()
  }

  @Test("where both have changed one value, undo ends, names step and value, and says so")
  func clash() async throws {
    let (document, path) = try await package(.flat)
    try await document.edit("Rate") { try $0.apply("emitters[0].emission.rate=77") }
    try await document.edit("Seed") { try $0.apply("seed=5") }
    try await document.save()
    try saveFromOutside("emitters[0].emission.rate=88", at: path)
    try await document.lookOutside()
    #expect(await document.lastOutsideChange?.endsUndo == nil)
    #expect(try await document.undo() == 1)
    do {
      try await document.undo()
      Issue.record("it was undone")
    } catch let fault as Diagnostic {
      #expect(fault.rule == .fileUndo && fault.location.file == path)
      #expect(fault.detail?.contains("'Rate'") == true, "\(fault)")
      #expect(fault.detail?.contains("emitters[0].emission.rate") == true, "\(fault)")
    }
    #expect(await document.lastOutsideChange?.endsUndo == "Rate")
    #expect(await document.undoName == nil)
    #expect(await document.redoName == "Seed")
    // The last step is told with the change.
    try await document.redo()
    try await document.save()
    try saveFromOutside("seed=6", at: path)
    try await document.event({
      if case .outside(let change) = $0 { change.endsUndo == "Seed" } else { false }
    }) { try await document.lookOutside() }
    #expect(await document.undoName == nil)
    try await document.close()
    #expect(try value("emitters[0].emission.rate", at: path) == .int(88))
  }

  @Test("a change from outside is taken back as an edit of ours, and forgotten")
  func takenBack() async throws {
    let (document, path) = try await package(.flat)
    let seed = try value("seed", at: path)
    try saveFromOutside("seed=5", "asset.author=Other", at: path)
    try await document.lookOutside()
    try await document.edit("Author") { try $0.apply("asset.author=Me") }
    try await document.takeBackOutside()
    #expect(await document.lastOutsideChange == nil)
    #expect(await document.undoNames.count == 2)
    try await document.save()
    #expect(try value("seed", at: path) == seed && value("asset.author", at: path) == "Me")
    #expect(try await document.undo() == 1)
    #expect(try await EffectEditor(document.content).value("seed") == .int(5))
    // Nothing is left to be taken back.
    let names = await document.undoNames
    try await document.takeBackOutside()
    #expect(await document.undoNames == names)
    try await document.close()
  }

  @Test("lines of a text are undone by themselves; a change of the same line ends undo")
  func text() async throws {
    try folder.write("a\nb\nc\nd\ne\n", to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    try await document.edit("First") { $0.text = "A\nb\nc\nd\ne\n" }
    try await document.save()
    try folder.write("A\nb\nc\nd\nE\n", to: "a.txt")
    try await document.lookOutside()
    #expect(await document.lastOutsideChange?.parts == [])
    #expect(try await document.undo() == 1)
    #expect(try await document.text == "a\nb\nc\nd\nE\n")
    try await document.redo()
    try await document.save()
    #expect(try folder.read("a.txt") == "A\nb\nc\nd\nE\n")
    try folder.write("x\nb\nc\nd\nE\n", to: "a.txt")
    try await document.lookOutside()
    #expect(await document.lastOutsideChange?.endsUndo == "First")
    #expect(try await document.undo() == 0)
    try await document.close()
    #expect(try folder.read("a.txt") == "x\nb\nc\nd\nE\n")
  }

  @Test(
    "a step in a file of another format leaves the rest of the changed file alone",
    arguments: [("snow.pex", "pex"), ("torch.plist", "plist")])
  func foreign(name: String, kind: String) async throws {
    let source = Repository.path("Fixtures/effects/\(kind)")
    for file in try Files.list(source) where file.hasSuffix(".png") || file == name {
      try Files.create(folder.path(file), try Files.read(Files.joined(source, file)))
    }
    let path = folder.path(name)
    let document = Document<EffectFile>(
      storage: PathStorage(path), configuration: folder.quiet)
    try await document.open()
    let speed = try await document.content.effect.system().emitters[0].launch.speed.mean
    try await document.edit("Speed") {
      try $0.edit { try $0.set("emitters[0].launch.speed", to: "55") }
    }
    try await document.save()
    // A colleague with a text editor: a comment, and another value.
    let opened = try OpenedEffect(path: path)
    var other = try EffectEditor(opened.package)
    try other.set("emitters[0].size.width", to: "33")
    let edited = try EditedFile(
      other.package, changes: other.changes, editedFrom: opened, fileName: name)
    let text = String(decoding: edited.bytes, as: UTF8.self) + "<!-- by hand -->\n"
    try folder.write(text, to: name)
    let size = try OpenedEffect(path: path).package.system().emitters[0].size.width
    try await document.lookOutside()
    #expect(await document.undoNames == ["Speed"])
    #expect(await document.states == [])
    #expect(try await document.undo() == 1)
    try await document.save()
    let emitter = try OpenedEffect(path: path).package.system().emitters[0]
    #expect(abs(emitter.launch.speed.mean - speed) < 0.5 && emitter.size.width == size)
    #expect(try folder.read(name).contains("by hand"))
    try await document.close()
  }

  @Test("a drag with deferred changes goes on over a change from outside, and is saved with it")
  func deferred() async throws {
    let (document, path) = try await package(.flat)
    let drag = try await document.beginGesture("Rate")
    for rate in 1...50 {
      let part = GesturePart<EffectPackage>("rate") {
        try $0.apply("emitters[0].emission.rate=\(rate)")
      }
      try await document.change(drag, [part], deferred: true)
    }
    #expect(await document.revision == 50)
    #expect(await document.states == .changed)
    try saveFromOutside("asset.author=Other", at: path)
    try await document.lookOutside()
    try await document.autosave()
    #expect(try value("emitters[0].emission.rate", at: path) == .int(50))
    #expect(try value("asset.author", at: path) == "Other")
    try await document.end(drag)
    #expect(await document.states == [])
    #expect(await document.undoNames == ["Rate"])
    #expect(try await document.undo() == 1)
    try await document.close()
    #expect(try value("emitters[0].emission.rate", at: path) != .int(50))
    #expect(try value("asset.author", at: path) == "Other")
  }

  @Test("a tick of a drag costs the same in a document of any size")
  func tick() async throws {
    var costs: [Double] = []
    for lines in [10, 400_000] {
      try folder.write(String(repeating: "a line of text\n", count: lines), to: "a.txt")
      let document = folder.text("a.txt")
      try await document.open()
      let drag = try await document.beginGesture("Drag")
      var seconds: [Double] = []
      for number in 0..<200 {
        let part = GesturePart<PlainText>("") { try $0.replaceUTF8(0..<1, with: "\(number)") }
        let start = MonotonicClock.seconds
        try await document.change(drag, [part], deferred: true)
        seconds.append(MonotonicClock.seconds - start)
      }
      costs.append(seconds.sorted()[100])
      try await document.end(drag)
      #expect(try await document.text.hasPrefix("199 line"))
      try await document.close(discarding: true)
    }
    print("a tick of a drag: \(1e6 * costs[0]) µs in 150 B, \(1e6 * costs[1]) µs in 6 MB")
    #expect(costs[1] < 20 * costs[0] + 0.0005)
  }
}
