import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Typing")
struct TypingTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  @Test("typing is one step, whatever is saved automatically meanwhile")
  func step() async throws {
    try folder.write("", to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    let clock = ContinuousClock()
    var (last, longest) = (clock.now, Duration.zero)
    for number in 0..<12 {
      try await document.append("\(number % 10)", coalescing: "typing")
      longest = max(longest, clock.now - last)
      last = clock.now
      if number.isMultiple(of: 3) { try await document.autosave() }
    }
    // On a machine that stood still for as long, this was a pause of the typist.
    guard longest < .milliseconds(900) else { return }
    #expect(await document.undoNames == ["Typing"])
    try await document.autosave()
    #expect(await document.states == [])
    #expect(try await document.undo() == 1)
    #expect(try await document.text == "")
    #expect(await document.hasUnsavedChanges)
    try await document.redo()
    #expect(await document.hasUnsavedChanges == false)
    // A save on request is a boundary.
    try await document.append("x", coalescing: "typing")
    try await document.save()
    try await document.append("y", coalescing: "typing")
    #expect(await document.undoNames == ["Typing", "Typing", "Typing"])
  }

  @Test("pauses are measured from the last edit")
  func pauses() {
    var history = EditHistory<PlainText>()
    var text = PlainText("")
    for (number, seconds) in [0, 0.9, 1.8, 2.7, 3.6, 4.7].enumerated() {
      let old = text
      text.text += "\(number)"
      history.add(from: old, to: text, name: "Typing", key: "typing", at: seconds)
      history.markSaved(history.current, automatically: true)
    }
    #expect(history.undoCount == 2)
  }

  @Test("a letter in a text of 20 MB costs milliseconds, and less if its place is told")
  func cost() async throws {
    let line = "0123456789abcdefghijklmnopqrstuvwxyz äöü\n"
    try folder.write(String(repeating: line, count: (20 << 20) / line.utf8.count), to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    try await document.append("first", coalescing: "typing")
    func median(_ body: (Int) async throws -> Void) async throws -> Double {
      var seconds: [Double] = []
      for number in 0..<15 {
        let start = MonotonicClock.seconds
        try await body(number)
        seconds.append(MonotonicClock.seconds - start)
      }
      return seconds.sorted()[seconds.count / 2]
    }
    let appending = try await median { _ in try await document.append("x", coalescing: "typing") }
    let size = try await document.content.utf8Count
    let placing = try await median { number in
      try await document.edit("Typing", coalescing: "place") {
        try $0.replaceUTF8(
          line.utf8.count * 1000 + number..<line.utf8.count * 1000 + number, with: "y")
      }
    }
    let start = MonotonicClock.seconds
    try await document.append("z", coalescing: "typing")
    let first = MonotonicClock.seconds - start
    print(
      "a letter in 20 MB: \(1000 * appending) ms, at a place \(1000 * placing) ms, at the end after "
        + "these \(1000 * first) ms")
    #expect(appending < 0.03)
    #expect(placing < 0.005)
    #expect(try await document.content.utf8Count == size + 16)
    #expect(try await document.undo(2) == 2)
    try await document.redo(2)
    #expect(try await document.content.utf8Count == size + 16)
    #expect(try await document.text.hasSuffix("first" + String(repeating: "x", count: 15) + "z"))
    // The text is brought up to date after an undo, not decoded again.
    #expect(try await document.undo(2) == 2)
    let afterUndo = MonotonicClock.seconds
    try await document.append("u", coalescing: "more")
    let firstAfterUndo = MonotonicClock.seconds - afterUndo
    let next = try await median { _ in try await document.append("v", coalescing: "more") }
    print("after an undo the first \(1000 * firstAfterUndo) ms, then \(1000 * next) ms")
    // A comparison of all bytes took 1.7 s on a busy machine.
    #expect(firstAfterUndo < 0.8)
    #expect(next < 0.03)
    #expect(
      try await document.text.hasSuffix(
        "first" + String(repeating: "x", count: 15) + "u" + String(repeating: "v", count: 15)))
  }

  @Test("a text that was changed elsewhere is brought up to date, not decoded again")
  func upToDate() throws {
    var random = SeededGenerator(seed: 1)
    let parts = ["a", "ä", "ö", "€", "😀", "é", "è", "\n", ""]
    var model = String(repeating: "aäé€\n", count: 20_000)
    var text = PlainText(model)
    for number in 0..<200 {
      let old = text
      let offsets = model.unicodeScalars.indices
      let first = offsets.randomElement(using: &random) ?? model.startIndex
      let end =
        model.unicodeScalars.index(
          first, offsetBy: Int.random(in: 0...3, using: &random), limitedBy: model.endIndex)
        ?? model.endIndex
      let range =
        model.utf8.distance(
          from: model.startIndex, to: first)..<model.utf8.distance(
          from: model.startIndex, to: end)
      let part = parts.randomElement(using: &random) ?? ""
      let before = model
      model.unicodeScalars.replaceSubrange(first..<end, with: part.unicodeScalars)
      try text.replaceUTF8(range, with: part)
      if number.isMultiple(of: 3) {
        // A copy keeps its own text, whoever reads first.
        #expect(Array(old.text.utf8) == Array(before.utf8))
        #expect(Array(text.text.utf8) == Array(model.utf8))
      } else if number % 3 == 1 {
        text.text += "ü"
        model += "ü"
        #expect(Array(text.text.utf8) == Array(model.utf8))
      }
    }
    #expect(Array(text.text.utf8) == Array(model.utf8))
  }

  @Test("a place inside a character, or outside of the text, is an error")
  func places() throws {
    var text = PlainText("aäb")
    for range in [2..<3, 1..<2, 0..<5, -1..<0, 5..<5] {
      expectThrows(.fileText) { try text.replaceUTF8(range, with: "x") }
    }
    #expect(text.text == "aäb" && text.utf8Count == 4)
    try text.replaceUTF8(1..<3, with: "öü")
    #expect(text.text == "aöüb")
    try text.replaceUTF8(6..<6, with: "!")
    #expect(text == PlainText("aöüb!"))
  }

  @Test("texts of many pieces are edited as strings are")
  func pieces() throws {
    for seed in Sample.of(Array(0..<20), 5) {
      var random = SeededGenerator(seed: UInt64(seed))
      var model = Array(
        String(repeating: "abc\n", count: Int.random(in: 0...90_000, using: &random)))
      var text = PlainText(String(model))
      var history = EditHistory<PlainText>()
      var states = [text]
      for number in 0..<25 {
        let old = text
        let first = Int.random(in: 0...model.count, using: &random)
        let last = min(
          model.count, first + Int.random(in: 0...200_000, using: &random) / (1 + number % 9 * 9000)
        )
        let new = Array(
          String(repeating: "\(number)", count: Int.random(in: 0...300, using: &random)))
        model.replaceSubrange(first..<last, with: new)
        switch number % 3 {
        case 0: try text.replaceUTF8(first..<last, with: String(new))
        case 1: text.text = String(model)
        default:
          let start = text.text.index(text.text.startIndex, offsetBy: first)
          let end = text.text.index(text.text.startIndex, offsetBy: last)
          text.text.replaceSubrange(start..<end, with: new)
        }
        if history.add(from: old, to: text, name: "\(number)") { states.append(text) }
        #expect(text.utf8Count == model.count)
        #expect(text.text == String(model), "seed \(seed), edit \(number)")
        #expect(text == PlainText(String(model)))
      }
      for state in states.dropLast().reversed() {
        _ = try history.undo(&text)
        #expect(text == state && text.text == state.text, "seed \(seed)")
      }
      for state in states.dropFirst() {
        _ = try history.redo(&text)
        #expect(text == state, "seed \(seed)")
      }
    }
  }
}
