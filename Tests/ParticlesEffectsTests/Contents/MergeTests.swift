import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Three-way merges of contents.
@Suite("Merges")
struct MergeTests {
  private func text(_ base: String, _ ours: String, _ theirs: String) throws -> DocumentMerge<
    PlainText
  > {
    try #require(
      try PlainText.merge(base: PlainText(base), ours: PlainText(ours), theirs: PlainText(theirs)))
  }

  @Test("texts are merged by lines")
  func lines() throws {
    let base = "one\ntwo\nthree\nfour\n"
    let merged = try text(base, "ONE\ntwo\nthree\nfour\n", "one\ntwo\nthree\nFOUR\nfive\n")
    #expect(merged.content.text == "ONE\ntwo\nthree\nFOUR\nfive\n" && merged.clashes.isEmpty)
    let other = try text(base, "one\ntwo\nthree\nFOUR\nfive\n", "ONE\ntwo\nthree\nfour\n")
    #expect(other.content.text == merged.content.text)
    let clash = try text(base, "one\n2\nthree\nfour\n", "one\nII\nthree\nfour\n")
    #expect(!clash.clashes.isEmpty && clash.content.text == "one\n2\nthree\nfour\n")
    let same = try text(base, "one\n2\nthree\nfour\n", "one\n2\nthree\nfour\n")
    #expect(same.clashes.isEmpty && same.content.text == "one\n2\nthree\nfour\n")
    let removed = try text(base, "two\nthree\nfour\n", "one\ntwo\nthree\n")
    #expect(removed.content.text == "two\nthree\n" && removed.clashes.isEmpty)
  }

  @Test("any merge of changes of different lines has both, whichever side is ours")
  func anyLines() throws {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let lines = (0..<12).map { "line \($0)" }
      func changed(_ range: Range<Int>) -> [String] {
        var lines = lines
        let new = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          "\(Int.random(in: 0..<4, using: &random))"
        }
        lines.replaceSubrange(range, with: new)
        return lines
      }
      let (first, second) = (changed(1..<3), changed(7..<10))
      var both = first
      both.replaceSubrange(
        (first.count - 5)..<(first.count - 2), with: second[7..<second.count - 2])
      func joined(_ lines: [String]) -> String { lines.map { "\($0)\n" }.joined() }
      let merged = try text(joined(lines), joined(first), joined(second))
      let other = try text(joined(lines), joined(second), joined(first))
      #expect(merged.content.text == joined(both), "seed \(seed)")
      #expect(other.content.text == joined(both), "seed \(seed)")
    }
  }

  private func fire() throws -> EffectPackage {
    try #require(EffectTemplate.named("fire")).package()
  }

  private func edited(_ package: EffectPackage, _ changes: String...) throws -> EffectPackage {
    var editor = try EffectEditor(package)
    for change in changes { try editor.apply(change) }
    return editor.package
  }

  @Test(
    "changes that are sound alone and not together are a clash, and our value stays sound",
    arguments: [
      (
        "emitters[0].lifetime={\"min\":1,\"max\":10}", "emitters[0].lifetime.min=8",
        "emitters[0].lifetime.max=5", "emitters[0].lifetime.max"
      ),
      (
        "emitters[0].shape.arc=[0,360]", "emitters[0].shape.arc[0]=200",
        "emitters[0].shape.arc[1]=100", "emitters[0].shape.arc"
      ),
      (
        "emitters[0].size.width={\"from\":0,\"to\":1,\"range\":[0,9]}",
        "emitters[0].size.width.range=[7,9]", "emitters[0].size.width.range[1]=3",
        "emitters[0].size.width.range"
      ),
      (
        "emitters[0].size.width={\"from\":0,\"to\":1,\"curve\":{\"keys\":[[0,1],[0.5,2],[1,3]]}}",
        "emitters[0].size.width.curve.keys[1]=[0.9,2]",
        "emitters[0].size.width.curve.keys[2]=[0.7,2]", "emitters[0].size.width.curve.keys[2]"
      ),
      (
        "emitters[0].render.soft={\"near\":1,\"far\":9}", "emitters[0].render.soft.near=6",
        "emitters[0].render.soft.far=2", "emitters[0].render.soft.far"
      ),
      (
        "sprites[0].grid={\"columns\":4,\"rows\":4,\"count\":4}", "sprites[0].grid.columns=1",
        "sprites[0].grid.count=16", "sprites[0].grid.count"
      ),
      (
        "emitters[0].lifetime={\"oneOf\":[1,2],\"weights\":[1,2]}",
        "emitters[0].lifetime.weights=[3,4]",
        "emitters[0].lifetime={\"oneOf\":[1,2,3],\"weights\":[1,2,3]}", "emitters[0].lifetime"
      ),
    ] as [(String, String, String, String)])
  func unsound(start: String, mine: String, other: String, key: String) throws {
    let base = try edited(fire(), start)
    let (ours, theirs) = (
      try edited(base, mine, "seed=7"), try edited(base, other, "asset.author=Me")
    )
    for (a, b) in [(ours, theirs), (theirs, ours)] {
      let merge = try #require(try EffectPackage.merge(base: base, ours: a, theirs: b))
      let merged = try merge.content.system()
      #expect(merged.seed == 7 && merged.asset.author == "Me", "other changes are there")
      #expect(merged.diagnostics().allSatisfy { $0.severity < .error }, "\(merged.diagnostics())")
      #expect(merge.clashes.contains { $0.hasPrefix(key) || key.hasPrefix($0) }, "\(merge.clashes)")
    }
  }

  @Test("the value of our side is found where emitters have other indices")
  func unsoundElsewhere() throws {
    let base = try edited(fire(), "emitters[Smoke].lifetime={\"min\":1,\"max\":10}")
    let ours = try edited(base, "emitters[Smoke].lifetime.min=8")
    var moved = try edited(base, "emitters[Smoke].lifetime.max=5")
    var system = try moved.system()
    system.emitters.insert(Emitter(name: "New"), at: 0)
    try moved.setSystem(system)
    let merge = try #require(try EffectPackage.merge(base: base, ours: ours, theirs: moved))
    let merged = try merge.content.system()
    #expect(merged.diagnostics().allSatisfy { $0.severity < .error })
    #expect(merged.emitters.first { $0.name == "Smoke" }?.lifetime == .range(8, 10))
    #expect(try merged.emitters.count == base.system().emitters.count + 1)
    #expect(merge.clashes.count == 1, "\(merge.clashes)")
  }

  @Test("effects are merged by property, and the text of the document stays")
  func properties() throws {
    let base = try fire()
    let ours = try edited(base, "emitters[0].emission.rate=11", "asset.author=Me")
    let theirs = try edited(base, "emitters[0].lifetime=3", "emitters[1].emission.rate=12")
    let merge = try #require(try EffectPackage.merge(base: base, ours: ours, theirs: theirs))
    #expect(merge.clashes.isEmpty)
    let wanted = try edited(
      base, "emitters[0].emission.rate=11", "asset.author=Me", "emitters[0].lifetime=3",
      "emitters[1].emission.rate=12")
    #expect(try merge.content.system() == wanted.system())
    #expect(try merge.content.document().count == wanted.document().count)
  }

  @Test("the same property is a clash that is named, and ours is kept")
  func clash() throws {
    let base = try fire()
    let ours = try edited(base, "emitters[0].emission.rate=11", "seed=5")
    let theirs = try edited(base, "emitters[0].emission.rate=12", "asset.comment=theirs")
    let merge = try #require(try EffectPackage.merge(base: base, ours: ours, theirs: theirs))
    #expect(merge.clashes == ["emitters[0].emission.rate"])
    let editor = try EffectEditor(merge.content)
    #expect(try editor.value("emitters[0].emission.rate") == .int(11))
    #expect(try editor.value("asset.comment") == .string("theirs"))
    #expect(try editor.value("seed") == .int(5))
  }

  @Test("an emitter that one side has added or removed is merged by name")
  func emitters() throws {
    let base = try fire()
    let names = try base.system().emitters.map(\.name)
    try #require(names.count > 2)
    let ours = try edited(base, "emitters[0].emission.rate=11")
    var editor = try EffectEditor(base)
    try editor.unset("emitters[1]")
    let merge = try #require(
      try EffectPackage.merge(base: base, ours: ours, theirs: editor.package))
    let emitters = try merge.content.system().emitters
    #expect(emitters.map(\.name) == [names[0]] + names.dropFirst(2) && merge.clashes.isEmpty)
    #expect(emitters[0].emission.rate == .constant(11))
  }

  @Test("files are merged by their contents")
  func files() throws {
    func file(_ text: String) -> FileNode { FileNode(regularFileWithContents: Array(text.utf8)) }
    let base = FileTree(
      root: try FileNode(directoryWithFileNodes: ["a": file("a"), "b": file("b"), "c": file("c")]))
    var (ours, theirs) = (base, base)
    try ours.root.setFileNode(file("A"), at: "a")
    ours.root.removeFileNode(at: "b")
    try ours.root.setFileNode(file("both"), at: "new/both")
    try theirs.root.setFileNode(file("C"), at: "c")
    try theirs.root.setFileNode(file("theirs"), at: "new/theirs")
    try theirs.root.setFileNode(file("both"), at: "new/both")
    let merge = try #require(try FileTree.merge(base: base, ours: ours, theirs: theirs))
    #expect(merge.clashes.isEmpty)
    let wanted = try FileNode(directoryWithFileNodes: [
      "a": file("A"), "c": file("C"),
      "new": try FileNode(directoryWithFileNodes: ["both": file("both"), "theirs": file("theirs")]),
    ])
    #expect(merge.content.root == wanted)
    // Deleted here, changed there: the change is kept and named.
    try theirs.root.setFileNode(file("B"), at: "b")
    let clash = try #require(try FileTree.merge(base: base, ours: ours, theirs: theirs))
    #expect(clash.clashes == ["b"] && clash.content.root["b"] == file("B"))
  }

  @Test("text that is not UTF-8 is refused, and a byte order mark stays")
  func encodings() throws {
    func read(_ bytes: [UInt8]) throws -> PlainText {
      try PlainText(contents: FileNode(regularFileWithContents: bytes), limits: .standard)
    }
    expectThrows(.fileText) { try read([0xFF, 0xFE, 0x41, 0]) }
    expectThrows(.fileText) { try read([0x41, 0x80]) }
    expectThrows(.fileText) { try PlainText(contents: .emptyDirectory, limits: .standard) }
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF, 0x41, 0x0D, 0x0A]
    let text = try read(marked)
    #expect(text.text.utf8.count == 3 && text.hasMark)
    #expect(try text.contents().regularFileContents() == marked)
  }
}
