import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesTestSupport
import Testing

/// Undo as a value, without files and tasks.
@Suite("Edit history")
struct HistoryTests {
  private typealias History = EditHistory<PlainText>

  @Test("any sequence of edits, undos, redos, groups and saves gives the states of the model")
  func model() throws {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      var history = History()
      history.maximumCount = Int.random(in: 1...12, using: &random)
      history.coalescingInterval = 1
      var content = PlainText("start")
      // The model keeps the text of each state.
      var states = ["start"]
      var position = 0
      var saved: String? = "start"
      var savedPosition: Int? = 0
      var clock = 0.0
      var mergeable: (key: String, seconds: Double)?
      for _ in 0..<120 {
        clock += Double.random(in: 0...0.8, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          let key: String? = Bool.random(using: &random) ? "slider" : nil
          let letter = "abcdefgh".randomElement(using: &random) ?? "x"
          let new = PlainText(content.text.suffix(6) + String(letter) + "\(clock)")
          history.add(from: content, to: new, name: "Edit", key: key, at: clock)
          content = new
          if let key, let last = mergeable, last.key == key, clock - last.seconds <= 1 {
            states[position] = new.text
            states.removeSubrange((position + 1)...)
            if savedPosition == position { savedPosition = nil }
          } else {
            states.removeSubrange((position + 1)...)
            if let place = savedPosition, place > position { savedPosition = nil }
            states.append(new.text)
            position += 1
            if position > history.maximumCount {
              states.removeFirst()
              position -= 1
              if let place = savedPosition { savedPosition = place > 0 ? place - 1 : nil }
            }
          }
          mergeable = key.map { ($0, clock) }
        case 5..<7:
          let name = try history.undo(&content)
          #expect((name != nil) == (position > 0))
          if position > 0 {
            position -= 1
            mergeable = nil
          }
        case 7..<9:
          let name = try history.redo(&content)
          #expect((name != nil) == (position + 1 < states.count))
          if position + 1 < states.count {
            position += 1
            mergeable = nil
          }
        default:
          history.markSaved(history.current)
          (saved, savedPosition) = (content.text, position)
          mergeable = nil
        }
        #expect(content.text == states[position], "seed \(seed)")
        #expect(history.isDirty == (savedPosition != position), "seed \(seed)")
        if !history.isDirty { #expect(content.text == saved) }
        #expect(history.undoCount == position && history.redoCount == states.count - position - 1)
      }
    }
  }

  @Test("groups are undone together, nested ones with the outermost")
  func groups() throws {
    var history = History()
    var content = PlainText("")
    func edit(_ text: String) {
      let new = PlainText(content.text + text)
      history.add(from: content, to: new, name: text)
      content = new
    }
    edit("a")
    var isNew: Bool
    var name: String?
    history.beginGroup("Group", in: content)
    edit("b")
    history.beginGroup("Inner", in: content)
    edit("c")
    name = try history.undo(&content)
    #expect(name == nil)
    #expect(history.isDirty)
    isNew = history.endGroup(in: content)
    #expect(!isNew)
    edit("d")
    isNew = history.endGroup(in: content)
    #expect(isNew)
    #expect(history.undoNames == ["a", "Group"])
    name = try history.undo(&content)
    #expect(name == "Group")
    #expect(content.text == "a")
    name = try history.redo(&content)
    #expect(name == "Group")
    #expect(content.text == "abcd")
    history.beginGroup("Nothing", in: content)
    isNew = history.endGroup(in: content)
    #expect(!isNew)
    #expect(history.undoCount == 2)
  }

  @Test("save, undo, another edit: changed; save, undo, redo: unchanged")
  func savePoint() throws {
    var history = History()
    var content = PlainText("0")
    history.add(from: content, to: PlainText("1"), name: "1")
    content = PlainText("1")
    history.markSaved(history.current)
    _ = try history.undo(&content)
    #expect(history.isDirty)
    _ = try history.redo(&content)
    #expect(!history.isDirty)
    _ = try history.undo(&content)
    // Equal to the saved contents, but another state: nothing compares a large document.
    history.add(from: content, to: PlainText("1"), name: "again")
    #expect(history.isDirty)
  }

  @Test("memory stays within its limit, and the oldest edits are dropped")
  func memory() throws {
    var history = EditHistory<FileTree>()
    history.maximumCost = 200_000
    history.maximumCount = 100_000
    var tree = FileTree()
    var costs: [Int] = []
    for number in 0..<5_000 {
      let old = tree
      let text = "{\"rate\": \(number), \"rest\": \"\(String(repeating: "x", count: 4000))\"}"
      try tree.root.setFileNode(FileNode(regularFileWithContents: Array(text.utf8)), at: "document")
      history.add(from: old, to: tree, name: "Edit")
      costs.append(history.memory)
    }
    #expect(costs.allSatisfy { $0 <= 200_000 } && history.undoCount > 1_000)
    var steps = 0
    while try history.undo(&tree) != nil { steps += 1 }
    #expect(steps > 1_000 && tree.root["document"] != nil)
  }

  @Test("changes of trees go back and forth: contents, links, folders and executable bits")
  func trees() throws {
    for seed in 0..<60 {
      var random = SeededGenerator(seed: UInt64(seed))
      var history = EditHistory<FileTree>()
      var tree = FileTree(root: try SampleTree.small())
      var states = [tree]
      for number in 0..<15 {
        let old = tree
        let path = ["a", "b/c", "b/d", "document.json", "e"].randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<5, using: &random) {
        case 0: tree.root.removeFileNode(at: path)
        case 1: try? tree.root.setFileNode(FileNode(symbolicLinkWithDestination: "a"), at: path)
        case 2: try? tree.root.setFileNode(.emptyDirectory, at: path)
        default:
          let bytes = SampleTree.noise(
            Int.random(in: 0...300, using: &random), seed: UInt64(number))
          let node = FileNode(
            regularFileWithContents: bytes, isExecutable: Bool.random(using: &random))
          try? tree.root.setFileNode(node, at: path)
        }
        if history.add(from: old, to: tree, name: "\(number)") { states.append(tree) }
      }
      for state in states.dropLast().reversed() {
        let name = try history.undo(&tree)
        #expect(name != nil)
        #expect(tree == state, "seed \(seed)")
      }
      for state in states.dropFirst() {
        let name = try history.redo(&tree)
        #expect(name != nil)
        #expect(tree == state, "seed \(seed)")
      }
    }
  }
}
