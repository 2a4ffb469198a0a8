import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

import ParticlesDocuments
@testable import ParticlesEffects

/// Undo among changes by other programs, compared with a model that knows nothing of lines and merges.
@Suite("Undo and changes by other programs")
struct OutsideUndoModelTests {
  /// The steps as a list of single values, and the values that are seen and stored.
  private struct Model {
    typealias Step = (key: String, old: Int?, new: Int?)

    var now: [String: Int]
    var stored: [String: Int]
    var past: [Step] = []
    var future: [Step] = []

    init(_ values: [String: Int]) { (now, stored) = (values, values) }

    mutating func set(_ key: String, to value: Int) {
      if now[key] == value { return }
      past.append((key, now[key], value))
      future = []
      now[key] = value
    }

    /// Whether the step has made or found the value.
    func fits(_ step: Step) -> Bool { now[step.key] == step.new || now[step.key] == step.old }

    mutating func undo() -> Bool {
      guard let step = past.last else { return false }
      guard fits(step) else {
        past = []
        return false
      }
      past.removeLast()
      future.append(step)
      now[step.key] = step.old
      return true
    }

    mutating func redo() -> Bool {
      guard let step = future.last else { return false }
      guard fits(step) else {
        future = []
        return false
      }
      future.removeLast()
      past.append(step)
      now[step.key] = step.new
      return true
    }

    mutating func storeOutside(_ key: String, _ value: Int) {
      stored[key] = value
      now[key] = value
      if let step = past.last, !fits(step) { past = [] }
    }
  }

  @Test("any sequence of edits, undos, saves and changes by others gives the values of the model")
  func model() throws {
    let keys = ["a", "b", "c", "d"]
    var (blocked, beside) = (0, 0)
    for seed in Sample.of(Array(0..<400), 150) {
      var random = SeededGenerator(seed: UInt64(seed))
      let start = Dictionary(uniqueKeysWithValues: keys.map { ($0, 0) })
      var session = EditSession(start)
      var model = Model(start)
      for number in 1...60 {
        let key = keys.randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3:
          let value = Int.random(in: 0...4, using: &random)
          session.set(key, to: value)
          model.set(key, to: value)
        case 3..<6:
          let done = (try? session.walk(1, .undo)) ?? 0
          #expect((done == 1) == model.undo(), "seed \(seed), step \(number)")
        case 6..<8:
          let done = (try? session.walk(1, .redo)) ?? 0
          #expect((done == 1) == model.redo(), "seed \(seed), step \(number)")
        case 8:
          session.store()
          model.stored = model.now
        default:
          // Not a value that this program has changed and not saved: that is a conflict.
          guard model.now[key] == model.stored[key] else { continue }
          let value = Int.random(in: 0...4, using: &random)
          var other = model.stored
          other[key] = value
          let hadSteps = !model.past.isEmpty
          let kind = try session.storeOutside(other)
          #expect(kind != .conflict)
          if model.stored[key] == value { continue }
          model.storeOutside(key, value)
          let ended = session.endBlockedUndo()
          #expect((ended != nil) == (hadSteps && model.past.isEmpty), "seed \(seed), \(number)")
          if ended != nil { blocked += 1 }
        }
        if session.history.isBesideLine { beside += 1 }
        let contents = session.contents()
        #expect(contents.values == model.now, "seed \(seed), step \(number)")
        #expect(session.known.content.values == model.stored, "seed \(seed), step \(number)")
        // Unsaved values are never called saved.
        if !session.isDirty { #expect(contents.values == model.stored, "seed \(seed), \(number)") }
        #expect(session.history.undoCount == model.past.count, "seed \(seed), step \(number)")
        #expect(session.history.redoCount == model.future.count, "seed \(seed), step \(number)")
      }
    }
    #expect(blocked > 20 && beside > 500, "\(blocked) ended, \(beside) beside the line")
  }

  @Test("undo takes back what we have changed, and leaves what another program has stored since")
  func undo() throws {
    var session = EditSession(["rate": 1, "life": 1])
    session.set("rate", to: 77)
    session.store()
    #expect(try session.storeOutside(["rate": 77, "life": 9]) == .reloaded)
    #expect(!session.isDirty && session.history.undoNames == ["Set rate"])
    #expect(try session.walk(1, .undo) == 1)
    #expect(session.contents().values == ["rate": 1, "life": 9])
    #expect(session.isDirty)
    #expect(try session.walk(1, .redo) == 1)
    #expect(session.contents().values == ["rate": 77, "life": 9])
    #expect(!session.isDirty)
  }

  @Test("undo back to what another program has stored leaves nothing to save")
  func clean() throws {
    var session = EditSession(["rate": 1, "life": 1])
    session.set("rate", to: 2)
    #expect(try session.storeOutside(["rate": 1, "life": 9]) == .merged)
    #expect(session.isDirty)
    #expect(try session.walk(1, .undo) == 1)
    #expect(session.contents().values == ["rate": 1, "life": 9] && !session.isDirty)
    // Both make an equal change: the stored value is not the value that undo brings back.
    #expect(try session.walk(1, .redo) == 1)
    #expect(try session.storeOutside(["rate": 2, "life": 9, "x": 1]) == .merged)
    #expect(!session.isDirty)
    #expect(try session.walk(1, .undo) == 1)
    #expect(session.contents()["rate"] == 1 && session.isDirty)
  }

  @Test("a step that touches what another program has changed ends undo, and names the part")
  func clash() throws {
    var session = EditSession(["rate": 1, "life": 1])
    session.set("rate", to: 2)
    session.set("life", to: 2)
    session.store()
    #expect(try session.storeOutside(["rate": 5, "life": 2]) == .reloaded)
    #expect(session.endBlockedUndo() == nil)
    #expect(try session.walk(1, .undo) == 1)
    #expect(session.contents().values == ["rate": 5, "life": 1])
    do {
      _ = try session.walk(1, .undo)
      Issue.record("it was undone")
    } catch let fault as Diagnostic {
      #expect(fault.rule == .fileUndo)
      #expect(fault.detail?.hasPrefix("'Set rate': ") == true)
      #expect(fault.detail?.hasSuffix(": rate") == true)
    }
    #expect(session.history.undoName == nil && session.history.redoName == "Set life")
    #expect(try session.walk(1, .redo) == 1)
    #expect(session.contents().values == ["rate": 5, "life": 2])
    // The next step at once.
    #expect(try session.storeOutside(["rate": 5, "life": 7]) != .conflict)
    #expect(session.endBlockedUndo() == "Set life")
    #expect(session.history.undoName == nil)
  }

  @Test("a change of another program is taken back as an edit; what was changed since stays")
  func takeBack() throws {
    var session = EditSession(["rate": 1, "life": 1, "seed": 1])
    #expect(try session.storeOutside(["rate": 5, "life": 6, "seed": 1]) == .reloaded)
    session.set("rate", to: 9)
    session.set("seed", to: 2)
    try session.takeBackOutside(at: 0)
    #expect(session.contents().values == ["rate": 9, "life": 1, "seed": 2])
    #expect(session.isDirty && session.outside == nil)
    #expect(try session.walk(1, .undo) == 1)
    #expect(session.contents().values == ["rate": 9, "life": 6, "seed": 2])
  }

  @Test("a gesture stays open over changes by others, and undo knows their order")
  func gestures() throws {
    var session = EditSession(["rate": 1, "life": 1])
    session.set("rate", to: 2)
    let drag = try session.beginGesture("Drag", at: 0)
    try session.change(drag, [GesturePart("life") { try $0.change("life", to: 5) }], at: 0)
    #expect(try session.storeOutside(["rate": 1, "life": 1, "x": 1]) == .merged)
    #expect(session.contents().values == ["rate": 2, "life": 5, "x": 1])
    #expect(try session.end(drag, at: 0) == nil)
    #expect(session.history.undoNames == ["Set rate", "Drag"])
    #expect(try session.walk(2, .undo) == 2)
    #expect(session.contents().values == ["rate": 1, "life": 1, "x": 1])
    #expect(!session.isDirty)
  }

  @Test("contents that cannot be merged end undo")
  func unmergeable() throws {
    struct Whole: DocumentContent {
      var text: String
      init(contents: FileNode, limits: Limits) throws {
        text = String(decoding: try contents.regularFileContents() ?? [], as: UTF8.self)
      }
      init(_ text: String) { self.text = text }
      func contents() -> FileNode { FileNode(regularFileWithContents: Array(text.utf8)) }
    }
    func loaded(_ text: String, _ revision: Int) -> LoadedContents<Whole> {
      LoadedContents(
        content: Whole(text),
        stored: StoredContents(Whole(text).contents(), revision: revision))
    }
    var session = EditSession(loaded("0", 1), undoCount: 10, undoCost: 1 << 20)
    try session.edit("Edit", at: 0) { $0.text = "1" }
    session.saved(
      Whole("1"), Whole("1").contents(), as: loaded("1", 2).stored, reread: nil,
      state: session.state, automatically: false)
    #expect(try session.mergeStored(loaded("2", 3)) == .reloaded)
    #expect(session.endBlockedUndo() == "Edit")
    #expect(session.contents().text == "2" && session.history.undoName == nil)
  }
}
