import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesEffects

/// Sessions and gestures as values: without files, tasks and clocks.
@Suite("Edit sessions as values")
struct EditSessionTests {
  /// The revisions that were told.
  private func revisions(_ session: inout EditSession<Values>) -> [Int] {
    session.takeNews().compactMap { news -> Int? in
      guard case .changed(let number, _, _, _, _) = news else { return nil }
      return number
    }
  }

  @Test("deferred changes advance the revision, and are made when the contents are asked for")
  func deferred() throws {
    var session = EditSession(["a": 0, "b": 0])
    session.isObserved = true
    let calls = Lock(0)
    let drag = try session.beginGesture("Drag", at: 0)
    for value in 1...100 {
      let part = GesturePart<Values>("a") { content in
        calls.withLock { $0 += 1 }
        try content.change("a", to: value)
      }
      try session.deferChange(drag, [part], at: Double(value))
    }
    #expect(calls.withLock(\.self) == 0 && session.hasDeferred)
    #expect(session.revision == 100 && session.isDirty)
    #expect(revisions(&session) == Array(1...100))
    #expect(session.contents()["a"] == 100)
    #expect(calls.withLock(\.self) == 1, "only the last one is made")
    #expect(session.revision == 100)
    #expect(try session.end(drag, at: 101) == nil)
    #expect(session.history.undoNames == ["Drag"] && session.contents()["a"] == 100)
    #expect(try session.walk(1, .undo) == 1)
    #expect(session.contents()["a"] == 0 && !session.isDirty)
  }

  @Test("listeners can compare revisions whose changes were deferred")
  func comparison() throws {
    var session = EditSession(["a": 0])
    session.isObserved = true
    let drag = try session.beginGesture("Drag", at: 0)
    for value in [1, 2] {
      try session.deferChange(drag, [GesturePart("a") { $0["a"] = value }], at: 0)
    }
    let seen = session.takeNews().compactMap { news -> [Int?]? in
      guard case .changed(_, _, _, let old, let new) = news else { return nil }
      return [old?.visible["a"], new?.visible["a"]]
    }
    #expect(seen == [[0, 1], [1, 2]])
  }

  @Test("a deferred change that cannot be made is dropped, the others stay, and the end says so")
  func dropped() throws {
    var session = EditSession(["a": 0, "b": 0])
    let drag = try session.beginGesture("Drag", at: 0)
    try session.change(drag, [GesturePart("a") { try $0.change("a", to: 1) }], at: 0)
    try session.deferChange(
      drag,
      [
        GesturePart("b") { try $0.change("b", to: 2) },
        GesturePart("a") { try $0.change("none", to: 2) },
      ], at: 0)
    let before = session.revision
    #expect(session.contents().values == ["a": 1, "b": 2])
    #expect(session.revision == before + 1, "listeners are told that it is taken back")
    let fault = try session.end(drag, at: 0)
    #expect(fault?.rule == .usage)
    #expect(session.contents().values == ["a": 1, "b": 2])
    #expect(session.history.undoNames == ["Drag"])
  }

  @Test("deferred changes of a gesture that becomes impossible end it")
  func impossible() throws {
    var session = EditSession(["a": 0])
    let drag = try session.beginGesture("Drag", at: 0)
    try session.change(drag, [GesturePart("a") { try $0.change("a", to: 1) }], at: 0)
    try session.deferChange(drag, [GesturePart("a") { try $0.change("a", to: 2) }], at: 0)
    try session.edit("Remove", at: 0) { $0["a"] = nil }
    #expect(session.gestures.isEmpty && session.contents().values == [:])
    let ends = session.takeNews().compactMap { news -> DocumentGesture.End? in
      if case .gestureEnded(drag, let end) = news { end } else { nil }
    }
    #expect(ends == [.impossible])
    #expect(throws: Diagnostic.self) { try session.end(drag, at: 0) }
  }

  @Test("deferred and other changes of two gestures, edits, saves and undo lose nothing")
  func mixture() throws {
    for seed in 0..<60 {
      var random = SeededGenerator(seed: UInt64(seed))
      var session = EditSession(["a": 0, "b": 0, "c": 0])
      var model = ["a": 0, "b": 0, "c": 0]
      let drags = [
        ("a", try session.beginGesture("A", at: 0)), ("b", try session.beginGesture("B", at: 0)),
      ]
      for value in 1...40 {
        let (key, drag) = drags[Int.random(in: 0...1, using: &random)]
        let part = GesturePart<Values>(key) { try $0.change(key, to: value) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<3: try session.deferChange(drag, [part], at: 0)
        case 3: try session.change(drag, [part], at: 0)
        case 4:
          session.set("c", to: value)
          model["c"] = value
          continue
        default:
          session.store()
          #expect(session.known.content.values == model && !session.isDirty, "seed \(seed)")
          continue
        }
        model[key] = value
        if Bool.random(using: &random) { #expect(session.contents().values == model) }
      }
      session.endGestures(at: 0)
      #expect(session.contents().values == model, "seed \(seed)")
      _ = try session.walk(100, .undo)
      #expect(session.contents().values == ["a": 0, "b": 0, "c": 0])
    }
  }

  @Test("what the format changes in a save is no step of undo, which goes back over it")
  func conversion() throws {
    var session = EditSession(["rate": 1, "burst": 0])
    session.set("rate", to: 200)
    session.set("burst", to: 3)
    let before = session.revision
    session.store(reread: Values(["rate": 201, "burst": 0]))
    #expect(session.contents().values == ["rate": 201, "burst": 0])
    #expect(!session.isDirty && session.revision == before + 1)
    #expect(session.history.undoNames == ["Set rate", "Set burst"])
    #expect(try session.walk(1, .undo) == 1)
    #expect(session.contents().values == ["rate": 200, "burst": 0] && session.isDirty)
    #expect(try session.walk(1, .redo) == 1)
    #expect(session.contents().values == ["rate": 201, "burst": 0] && !session.isDirty)
    #expect(try session.walk(2, .undo) == 2)
    #expect(session.contents().values == ["rate": 1, "burst": 0])
    #expect(try session.walk(2, .redo) == 2)
    session.set("rate", to: 300)
    #expect(try session.walk(3, .undo) == 3)
    #expect(session.contents().values == ["rate": 1, "burst": 0])
  }

  @Test("edits of a closed document are taken up; other contents are a change by another program")
  func closed() throws {
    var session = EditSession(["a": 0, "b": 0])
    session.set("a", to: 1)
    session.store()
    let closed = session.closed
    var same = EditSession(["a": 1, "b": 0])
    same.resume(closed)
    #expect(!same.isDirty && same.history.undoNames == ["Set a"])
    #expect(try same.walk(1, .undo) == 1)
    #expect(same.contents().values == ["a": 0, "b": 0] && same.isDirty)
    var other = EditSession(["a": 1, "b": 7])
    other.resume(closed)
    #expect(!other.isDirty)
    #expect(try other.walk(1, .undo) == 1)
    #expect(other.contents().values == ["a": 0, "b": 7])
    var clash = EditSession(["a": 5, "b": 0])
    clash.resume(closed)
    #expect(clash.history.undoName == nil && clash.contents()["a"] == 5)
  }

  @Test("unsaved edits of a closed document can be redone, and are redone by recovery")
  func recovered() throws {
    var session = EditSession(["a": 0])
    session.set("a", to: 1)
    session.store()
    session.set("a", to: 2)
    session.set("a", to: 3)
    var next = EditSession(["a": 1])
    next.resume(session.closed)
    #expect(!next.isDirty && next.history.undoNames == ["Set a"])
    #expect(next.history.redoCount == 2)
    next.recover(Values(["a": 3]), at: 0)
    #expect(next.isDirty && next.contents()["a"] == 3)
    #expect(next.history.undoNames == ["Set a", "Set a", "Set a"])
    next.recover(Values(["a": 9]), at: 0)
    #expect(next.history.undoNames.last == "Recover Changes")
  }
}
