import ParticlesContainer
import ParticlesPackages
import ParticlesCore
@testable import ParticlesDocuments
@testable import ParticlesEffects
import ParticlesTestSupport
import Testing

/// Changes that go on for a while, such as drags.
@Suite("Gestures")
struct GestureTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  /// A text of lines `key=value`, each of which can be changed and merged by itself.
  private struct Lines: DocumentContent {
    var values: [String: String] = [:]

    init(contents: FileNode, limits: Limits) throws {
      let text = String(decoding: try contents.regularFileContents() ?? [], as: UTF8.self)
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: "=", maxSplits: 1)
        values[String(parts[0])] = String(parts.last ?? "")
      }
    }

    var text: String {
      values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined()
    }

    func contents() -> FileNode { FileNode(regularFileWithContents: Array(text.utf8)) }

    /// Changes a line that there is.
    mutating func change(_ key: String, to value: String) throws {
      guard values[key] != nil else { throw Diagnostic(.usage, "no '\(key)'") }
      values[key] = value
    }

    static func merge(base: Self, ours: Self, theirs: Self) -> DocumentMerge<Self>? {
      var (result, clashes) = (theirs, [String]())
      for key in Set(base.values.keys).union(ours.values.keys)
      where ours.values[key] != base.values[key] {
        if theirs.values[key] != base.values[key], theirs.values[key] != ours.values[key] {
          clashes.append(key)
        }
        result.values[key] = ours.values[key]
      }
      return DocumentMerge(result, clashes: clashes)
    }
  }

  private func open(_ text: String = "a=0\nb=0\n") async throws -> Document<Lines> {
    try folder.write(text, to: "x.txt")
    let document = Document<Lines>(path: folder.path("x.txt"), configuration: folder.quiet)
    try await document.open()
    return document
  }

  @Test("a drag of 1,000 changes is one edit, which undo takes back")
  func drag() async throws {
    let document = try await open()
    let drag = try await document.beginGesture("Drag")
    for value in 1...1000 {
      try await document.change(drag) { try $0.change("a", to: "\(value)") }
    }
    #expect(try await document.content.values["a"] == "1000")
    #expect(await document.undoNames == [])
    #expect(await document.revision == 1000)
    try await document.end(drag)
    #expect(await document.undoNames == ["Drag"])
    #expect(try await document.undo() == 1)
    #expect(try await document.content.text == "a=0\nb=0\n")
    #expect(await document.states == [])
    try await document.redo()
    #expect(try await document.content.text == "a=1000\nb=0\n")
    await expectRule(.fileGesture) { try await document.end(drag) }
    await expectRule(.fileGesture) { try await document.change(drag) { $0.values = [:] } }
  }

  @Test("a gesture may end with the name that its edit has, such as what has become of a value")
  func names() async throws {
    let document = try await open()
    let drag = try await document.beginGesture("Drag")
    try await document.change(drag) { try $0.change("a", to: "7") }
    try await document.end(drag, named: "Drag: 0 → 7")
    #expect(await document.undoNames == ["Drag: 0 → 7"])
  }

  @Test("a save in the middle of a drag stores the present state, and neither splits nor ends it")
  func saving() async throws {
    for isAutomatic in [true, false] {
      let document = try await open()
      let drag = try await document.beginGesture("Drag")
      try await document.change(drag) { try $0.change("a", to: "1") }
      #expect(await document.states == .changed)
      if isAutomatic { try await document.autosave() } else { try await document.save() }
      #expect(try folder.read("x.txt") == "a=1\nb=0\n")
      #expect(await document.states == [])
      try await document.change(drag) { try $0.change("a", to: "2") }
      #expect(await document.states == .changed)
      try await document.autosave()
      try await document.end(drag)
      // The saved change is the edit.
      #expect(await document.states == [])
      #expect(await document.undoNames == ["Drag"])
      try await document.undo()
      #expect(try await document.content.text == "a=0\nb=0\n")
      #expect(await document.states == .changed)
      try await document.close()
      #expect(try folder.read("x.txt") == "a=0\nb=0\n")
    }
  }

  @Test("quick drags are not joined, also with edits of the same name and key")
  func quick() async throws {
    let document = try await open()
    for value in 1...3 {
      let drag = try await document.beginGesture("Drag")
      try await document.change(drag) { try $0.change("a", to: "\(value)") }
      try await document.end(drag)
    }
    try await document.edit("Drag", coalescing: "a") { try $0.change("a", to: "4") }
    #expect(await document.undoNames == ["Drag", "Drag", "Drag", "Drag"])
    try await document.undo()
    #expect(try await document.content.values["a"] == "3")
  }

  @Test("cancelling restores the contents, and the saved state if nothing was saved meanwhile")
  func cancelling() async throws {
    let document = try await open()
    try await document.edit("Edit") { try $0.change("b", to: "7") }
    try await document.save()
    let drag = try await document.beginGesture("Drag")
    try await document.change(drag) { try $0.change("a", to: "1") }
    await document.cancel(drag)
    #expect(try await document.content.text == "a=0\nb=7\n")
    #expect(await document.states == [])
    #expect(await document.undoNames == ["Edit"])
    let second = try await document.beginGesture("Drag")
    try await document.change(second) { try $0.change("a", to: "2") }
    try await document.autosave()
    await document.cancel(second)
    #expect(await document.states == .changed)
    try await document.save()
    #expect(try folder.read("x.txt") == "a=0\nb=7\n")
    await document.cancel(second)
  }

  @Test("a drag that ends where it began is no edit; a change that throws changes nothing")
  func nothing() async throws {
    let document = try await open()
    let drag = try await document.beginGesture("Drag")
    try await document.change(drag) { try $0.change("a", to: "1") }
    await expectRule(.usage) {
      try await document.change(drag) { try $0.change("none", to: "1") }
    }
    #expect(try await document.content.values["a"] == "1")
    try await document.change(drag) { try $0.change("a", to: "0") }
    try await document.end(drag)
    #expect(await document.undoNames == [])
    #expect(await document.states == [])
  }

  @Test("parts of a gesture are changed by themselves")
  func parts() async throws {
    let document = try await open()
    let drag = try await document.beginGesture("Move")
    try await document.change(
      drag,
      [
        GesturePart("a") { try $0.change("a", to: "1") },
        GesturePart("b") { try $0.change("b", to: "2") },
      ])
    try await document.change(drag, part: "a") { try $0.change("a", to: "3") }
    #expect(try await document.content.text == "a=3\nb=2\n")
    // The closures are applied to the contents before the gesture.
    try await document.change(drag, part: "a") { $0.values["a"]? += "+" }
    try await document.change(drag, part: "a") { $0.values["a"]? += "+" }
    #expect(try await document.content.text == "a=0+\nb=2\n")
    try await document.end(drag)
    #expect(await document.undoNames == ["Move"])
  }

  @Test("gestures of two windows are an edit each, in the order in which they end")
  func several() async throws {
    let document = try await open()
    let first = try await document.beginGesture("First")
    let second = try await document.beginGesture("Second")
    for value in 1...5 {
      try await document.change(first) { try $0.change("a", to: "\(value)") }
      try await document.change(second) { try $0.change("b", to: "\(value)") }
    }
    try await document.autosave()
    #expect(await document.openGestures.map(\.gesture) == [first, second])
    try await document.end(second)
    #expect(try await document.content.text == "a=5\nb=5\n")
    #expect(await document.states == [])
    try await document.change(first) { try $0.change("a", to: "6") }
    try await document.end(first)
    #expect(await document.undoNames == ["Second", "First"])
    try await document.undo()
    #expect(try await document.content.text == "a=0\nb=5\n")
    try await document.undo()
    #expect(try await document.content.text == "a=0\nb=0\n")
  }

  @Test("edits, groups, undo and redo are made beneath an open gesture")
  func beneath() async throws {
    let document = try await open()
    try await document.edit("Edit") { try $0.change("b", to: "1") }
    let drag = try await document.beginGesture("Drag")
    try await document.change(drag) { try $0.change("a", to: "9") }
    try await document.undo()
    #expect(try await document.content.text == "a=9\nb=0\n")
    try await document.redo()
    #expect(try await document.content.text == "a=9\nb=1\n")
    try await document.group("Group") { document in
      try document.edit("x") { try $0.change("b", to: "2") }
      try document.edit("y") { try $0.change("b", to: "3") }
      #expect(throws: Diagnostic.self) { try document.beginGesture("No") }
    }
    #expect(try await document.content.text == "a=9\nb=3\n")
    try await document.end(drag)
    #expect(await document.undoNames == ["Edit", "Group", "Drag"])
    try await document.undo(2)
    #expect(try await document.content.text == "a=0\nb=1\n")
  }

  @Test("a gesture ends when its changes cannot be made any more")
  func impossible() async throws {
    let document = try await open()
    let drag = try await document.beginGesture("Drag")
    try await document.change(drag) { try $0.change("a", to: "9") }
    try await document.event({
      if case .gestureEnded(drag, .impossible) = $0 { true } else { false }
    }) { try await document.edit("Remove") { $0.values["a"] = nil } }
    #expect(try await document.content.text == "b=0\n")
    await expectRule(.fileGesture) {
      try await document.change(drag) { try $0.change("a", to: "1") }
    }
    await document.cancel(drag)
    #expect(await document.undoNames == ["Remove"])
  }

  @Test("closing and saving elsewhere end a gesture as an edit; discarding drops it")
  func closing() async throws {
    let document = try await open()
    var drag = try await document.beginGesture("Drag")
    try await document.change(drag) { [value = "1"] in try $0.change("a", to: value) }
    try await document.close()
    #expect(try folder.read("x.txt") == "a=1\nb=0\n")
    await expectRule(.fileClosed) { try await document.change(drag) { $0.values = [:] } }
    try await document.open()
    drag = try await document.beginGesture("Drag")
    try await document.change(drag) { try $0.change("a", to: "2") }
    let copy = try await document.save(to: folder.path("y.txt"))
    #expect(try folder.read("y.txt") == "a=2\nb=0\n")
    // The first one is of the time before it was closed.
    #expect(await copy.undoNames == ["Drag", "Drag"])
    drag = try await copy.beginGesture("Drag")
    try await copy.change(drag) { try $0.change("a", to: "3") }
    try await copy.close(discarding: true)
    #expect(try folder.read("y.txt") == "a=2\nb=0\n")
  }

  @Test("reverting ends a gesture, and can be undone")
  func reverting() async throws {
    let document = try await open()
    let drag = try await document.beginGesture("Drag")
    try await document.change(drag) { try $0.change("a", to: "1") }
    try await document.revert()
    #expect(try await document.content.text == "a=0\nb=0\n")
    await expectRule(.fileGesture) { try await document.end(drag) }
    #expect(await document.undoNames == ["Drag", "Revert"])
    try await document.undo()
    #expect(try await document.content.text == "a=1\nb=0\n")
  }

  @Test("changes by another program are taken beneath a gesture", arguments: [false, true])
  func outside(isSaved: Bool) async throws {
    let document = try await open()
    let drag = try await document.beginGesture("Drag")
    try await document.change(drag) { try $0.change("a", to: "1") }
    if isSaved { try await document.autosave() }
    try folder.write(isSaved ? "a=1\nb=5\n" : "a=0\nb=5\n", to: "x.txt")
    try await document.lookOutside()
    #expect(try await document.content.text == "a=1\nb=5\n")
    #expect(await document.states == (isSaved ? [] : .changed))
    try await document.change(drag) { try $0.change("a", to: "2") }
    try await document.end(drag)
    #expect(await document.undoNames == ["Drag"])
    try await document.undo()
    #expect(try await document.content.text == "a=0\nb=5\n")
  }

  @Test("a drag goes on over a change by another program; edits before it may be in conflict")
  func clash() async throws {
    let document = try await open()
    let drag = try await document.beginGesture("Drag")
    try await document.change(drag) { try $0.change("a", to: "1") }
    try await document.autosave()
    try folder.write("a=7\nb=0\n", to: "x.txt")
    try await document.lookOutside()
    // The value of the second program is stored, and the drag goes on.
    #expect(await document.states == .changed)
    try await document.end(drag)
    #expect(await document.undoNames == ["Drag"])
    try await document.undo()
    #expect(try await document.content.values["a"] == "7")

    try await document.edit("Edit") { try $0.change("a", to: "2") }
    let next = try await document.beginGesture("Drag")
    try await document.change(next) { try $0.change("b", to: "2") }
    try folder.write("a=8\nb=0\n", to: "x.txt")
    try await document.lookOutside()
    #expect(await document.states.contains(.inConflict))
    #expect(await document.conflict?.ours.values["a"] == "2")
    try await document.change(next) { try $0.change("b", to: "3") }
    try await document.resolve(.ours)
    #expect(try await document.content.text == "a=2\nb=3\n")
    await expectRule(.fileGesture) { try await document.end(next) }
    try await document.save()
    #expect(try folder.read("x.txt") == "a=2\nb=3\n")
  }

  @Test("a document that is released during a gesture leaves its contents in the recovery journal")
  func released() async throws {
    try await {
      let document = try await open()
      let drag = try await document.beginGesture("Drag")
      try await document.change(drag) { try $0.change("a", to: "1") }
    }()
    let document = Document<Lines>(path: folder.path("x.txt"), configuration: folder.quiet)
    try await document.open()
    let entry = try #require(try await document.left())
    try await document.recover(entry)
    #expect(try await document.content.values["a"] == "1")
  }
}
