import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The commands on documents over time.
@Suite("Commands on documents")
struct DocumentCommandTests {
  private let scratch: Scratch
  private var environment: [String: String] { ["XDG_DATA_HOME": scratch.file("data")] }
  private var fire: String { scratch.file("fire.particles") }

  init() throws {
    scratch = try Scratch()
    _ = run("new", fire, "-t", "fire", "-q")
  }

  private func run(_ words: String...) -> Outcome {
    Tool.particles.run(list: words, environment: environment)
  }

  private func seed(_ path: String? = nil) throws -> JSONValue? {
    try EffectEditor(EffectPackage(Container(contentsOf: path ?? fire))).value("seed")
  }

  @Test("edits are undone and redone, until somebody else changes the document")
  func undo() throws {
    let start = try Container(contentsOf: fire).root.treeDigest()
    for number in 1...3 { #expect(run("edit", fire, "seed=\(number)", "-q").status == .done) }
    #expect(run("undo", fire, "--list").output == "seed=3\nseed=2\nseed=1\n")
    #expect(run("undo", fire).error == "undid seed=3\n")
    #expect(try seed() == .int(2))
    #expect(run("undo", fire, "--steps", "5").error == "undid seed=2\nundid seed=1\n")
    #expect(try Container(contentsOf: fire).root.treeDigest() == start)
    #expect(
      run("undo", fire)
        == Outcome(status: .answerNo, output: "", error: "nothing to undo in \(fire)\n"))
    #expect(run("redo", fire, "--json").output.contains("\"seed=1\""))
    #expect(try seed() == .int(1))
    #expect(run("edit", fire, "seed=9", "-q").status == .done)
    #expect(run("redo", fire).status == .answerNo)
    // Another program, which notes nothing.
    var package = EffectPackage(try Container(contentsOf: fire))
    try package.setDocument(package.document() + [0x20])
    try package.container.save()
    let refused = run("undo", fire)
    #expect(refused.status == .failed && refused.error.contains("[file/undo]"))
    #expect(refused.error.contains("particles versions"))
    #expect(try seed() == .int(9))
    #expect(run("undo", scratch.file("none")).status == .failed)
    #expect(Tool.particles.run("undo", fire).error.contains("HOME"))
  }

  @Test("a state that another program has saved is a version before the next edit")
  func outside() throws {
    _ = run("edit", fire, "seed=1", "-q")
    var package = EffectPackage(try Container(contentsOf: fire))
    try package.setDocument(package.document() + [0x20])
    try package.container.save()
    _ = run("edit", fire, "seed=2", "-q")
    let kinds = run("versions", fire).output.split(separator: "\n").map { line in
      ["opened", "saved", "outside"].first { line.contains(" \($0) ") } ?? ""
    }
    #expect(kinds == ["opened", "saved", "outside", "saved"])
  }

  @Test("an edit that cannot be noted is saved with a warning, and 'undo' blames nobody")
  func unwritable() throws {
    _ = run("edit", fire, "seed=1", "-q")
    let data = scratch.file("data")
    try Files.rename(data, scratch.file("away"))
    try Files.create(data, [])
    let edit = run("edit", fire, "seed=2")
    #expect(edit.status == .done && edit.error.contains("[file/history]"))
    #expect(try seed() == .int(2))
    try Files.removeAll(data)
    try Files.rename(scratch.file("away"), data)
    let undo = run("undo", fire)
    #expect(undo.error.contains("[file/undo]") && undo.error.contains("'seed=1'"))
    #expect(!undo.error.contains("another program"))
  }

  @Test("an edit is saved with a warning while another program has locked the versions")
  func locked() throws {
    _ = run("edit", fire, "seed=1", "-q")
    let lock = try StoreDatabase(dataFolder: scratch.file("data")).hold()
    let edit = run("edit", fire, "seed=2")
    #expect(edit.status == .done && edit.error.contains("[file/history]"))
    #expect(edit.error.contains("hint: try again"))
    #expect(try seed() == .int(2))
    try lock.release()
    #expect(run("versions", fire, "verify").status == .done)
  }

  @Test("a new document has no versions of one that was there before")
  func replacement() throws {
    _ = run("edit", fire, "seed=1", "-q")
    #expect(run("new", fire, "--force", "-q").status == .done)
    #expect(run("versions", fire).error == "no versions of \(fire)\n")
    #expect(run("undo", fire).status == .answerNo)
  }

  @Test("versions are listed, shown, restored, deleted and pruned")
  func versions() throws {
    for number in 1...3 { _ = run("edit", fire, "seed=\(number)", "-q") }
    let list = run("versions", fire)
    #expect(list.output.split(separator: "\n").count == 4)
    #expect(list.output.contains("opened") && list.output.contains("seed=3"))
    #expect(run("versions", fire, "show", "2").output.hasPrefix("~ document.json: contents"))
    #expect(run("versions", fire, "show", "4").error == "the document is version 4\n")
    let old = scratch.file("old.particles")
    #expect(run("versions", fire, "show", "2", "-o", old).status == .done)
    #expect(try seed(old) == .int(1))
    #expect(run("versions", fire, "show", "2", "-o", old).error.contains("[file/exists]"))
    #expect(run("versions", fire, "restore", "2").error == "restored version 2 of \(fire)\n")
    #expect(try seed() == .int(1))
    #expect(run("undo", fire).error == "undid Restore Version 2\n")
    #expect(try seed() == .int(3))
    #expect(run("versions", fire, "restore", "77").error.contains("[file/version]"))
    #expect(run("versions", fire, "restore").status == .usage)
    #expect(run("versions", fire, "delete", "2").status == .done)
    #expect(!run("versions", fire, "--json").output.contains("\"number\": 2,"))
    #expect(run("versions", fire, "prune").error == "deleted 0 versions\n")
    #expect(try Files.list(scratch.path) == ["data", "fire.particles", "old.particles"])
  }

  @Test("a text document is created, and never overwrites")
  func text() throws {
    let path = scratch.file("notes.txt")
    #expect(run("new", path).error == "created \(path)\n")
    #expect(try Files.read(path).isEmpty)
    #expect(run("new", path).error.contains("[file/exists]"))
    #expect(run("new", path, "--force").status == .done)
    #expect(run("new", scratch.file("b.md"), "--template", "fire").status == .usage)
    #expect(run("versions", path).error == "no versions of \(path)\n")
  }

  @Test("documents are renamed, moved and copied, with their versions, and nothing is overwritten")
  func places() throws {
    _ = run("edit", fire, "seed=1", "-q")
    _ = run("new", scratch.file("taken.particles"), "-q")
    #expect(run("rename", fire, "taken").error.contains("[file/exists]"))
    for name in [".hidden", "a/b", ""] {
      #expect(run("rename", fire, name).error.contains("[tree/name]"), "\(name)")
    }
    let torch = scratch.file("torch.particles")
    #expect(run("rename", fire, "torch").error == "moved \(fire) to \(torch)\n")
    #expect(run("versions", torch).output.contains("seed=1"))
    try Files.makeDirectory(scratch.file("folder"))
    #expect(run("move", torch, scratch.file("folder")).status == .done)
    let moved = scratch.file("folder/torch.particles")
    #expect(run("undo", moved).error == "undid seed=1\n")
    #expect(run("move", moved, scratch.file("taken.particles")).error.contains("[file/exists]"))
    let copy = scratch.file("folder/torch 2.particles")
    #expect(run("duplicate", moved).error == "copied \(moved) to \(copy)\n")
    #expect(run("duplicate", moved, copy).error.contains("[file/exists]"))
    #expect(try Files.read(copy) == Files.read(moved))
    let folder = scratch.file("fire")
    _ = run("new", folder, "--form", "directory", "-q")
    #expect(run("duplicate", folder).status == .done)
    #expect(
      try Container(contentsOf: folder + " 2").root == Container(contentsOf: folder).root)
    #expect(run("move", moved, folder).error.contains("it is a document"))
    #expect(run("move", scratch.file("none"), scratch.file("x")).error.contains("file/not-found"))
  }
}
