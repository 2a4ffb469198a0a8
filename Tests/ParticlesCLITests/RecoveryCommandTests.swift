import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The commands on the versions of all documents, and on unsaved changes.
@Suite("Commands on what is kept of documents")
struct RecoveryCommandTests {
  private let scratch: Scratch
  private var data: String { scratch.file("data") }
  private var environment: [String: String] { ["XDG_DATA_HOME": data] }
  private var database: StoreDatabase { StoreDatabase(dataFolder: data) }
  private var notes: String { scratch.file("notes.txt") }

  init() throws {
    scratch = try Scratch()
    try Files.create(notes, Array("old".utf8))
  }

  private func run(_ words: String...) -> Outcome {
    Tool.particles.run(list: words, environment: environment)
  }

  /// What an application leaves that ends with unsaved contents.
  private func leave(_ text: String) async throws {
    var configuration = DocumentConfiguration(dataFolder: data)
    configuration.autosave = .recovery(seconds: 86_400)
    configuration.isWatching = false
    let before = try RecoveryStore(dataFolder: data).entries().count
    let document = Document<PlainText>(path: notes, configuration: configuration)
    try await document.open()
    try await document.edit("Typing") { $0.text = text }
    try await document.autosave()
    // A copy, because the application removes its entry when it closes the document.
    try database.leaveEntry(named: "left\(before)")
    try await document.close(discarding: true)
  }

  private func names() throws -> [String] {
    let output = run("recovery", "--json").output
    let entries = try JSONParser.parse(Array(output.utf8)).object?["entries"]?.array ?? []
    return entries.compactMap { $0.object?["name"]?.string }
  }

  @Test("commands warn once of unsaved changes in another program, and read what is saved")
  func unsavedElsewhere() async throws {
    let path = scratch.file("fire.particles")
    try Files.create(path, try EffectTemplate.fire.package().container.encoded())
    let words = ["info", path, path]
    #expect(Tool.particles.run(list: words, environment: environment).error.isEmpty)
    var configuration = DocumentConfiguration(dataFolder: data)
    configuration.presenceFolder = data
    configuration.autosave = .off
    configuration.isWatching = false
    let document = Document<EffectPackage>(path: path, configuration: configuration)
    try await document.open()
    // Open without changes: nothing is wrong with the saved file.
    #expect(Tool.particles.run(list: words, environment: environment).error.isEmpty)
    try await document.edit("Rate") { package in
      var system = try package.system()
      system.emitters[0].emission.rate = 77
      try package.setSystem(system)
    }
    // The record is written beside the edit.
    for _ in 0..<200 where run("info", path).error.isEmpty { await Task.yield() }
    let commands = [
      words, ["convert", path, "--to", "starling", "-o", scratch.file("a.pex"), "--force"],
      ["render", path, "-o", scratch.file("a.png"), "--force"], ["validate", path], ["list", path],
    ]
    for command in commands {
      let outcome = Tool.particles.run(list: command, environment: environment)
      #expect(outcome.status == .done, "\(command[0]): \(outcome.error)")
      let told = outcome.error.split(separator: "\n").filter { $0.contains("[file/unsaved]") }
      #expect(told.count == 1, "\(command[0]): \(outcome.error)")
      #expect(told.allSatisfy { $0.contains("\(RunningProcess.identifier)") })
      let quiet = Tool.particles.run(list: command + ["--quiet"], environment: environment)
      #expect(!quiet.error.contains("unsaved"), "\(command[0]): \(quiet.error)")
    }
    let json = run("info", "--json", path)
    #expect(try JSONParser.parse(Array(json.output.utf8)).object != nil)
    try await document.close(discarding: true)
    #expect(run("info", path).error.isEmpty)
  }

  @Test("unsaved changes are listed and restored, with the state before as a version")
  func restore() async throws {
    #expect(run("recovery").error == "no unsaved changes\n")
    try await leave("unsaved")
    let name = try #require(try names().first)
    let list = run("recovery")
    #expect(list.output.contains(notes) && list.output.hasPrefix(name))
    #expect(run("recovery", "restore", name, "-o", scratch.file("copy.txt")).status == .done)
    #expect(try Files.read(scratch.file("copy.txt")) == Array("unsaved".utf8))
    #expect(try names() == [name])
    #expect(run("recovery", "restore", name).error == "restored \(name) to \(notes)\n")
    #expect(try Files.read(notes) == Array("unsaved".utf8))
    #expect(try names().isEmpty)
    #expect(run("undo", notes).error == "undid Recover Changes\n")
    #expect(try Files.read(notes) == Array("old".utf8))
    #expect(run("versions", notes).output.contains("recovered from"))
  }

  @Test("a document that is gone is created again")
  func gone() async throws {
    try await leave("unsaved")
    try Files.removeAll(notes)
    let name = try #require(try names().first)
    #expect(run("recovery", "restore", name).status == .done)
    #expect(try Files.read(notes) == Array("unsaved".utf8))
    try Files.removeAll(notes)
    #expect(run("versions", notes, "restore", "1").status == .done)
    #expect(try Files.read(notes) == Array("unsaved".utf8))
  }

  @Test("entries are dropped; a wrong name is an error")
  func drop() async throws {
    try await leave("one")
    try await leave("two")
    let names = try names()
    #expect(names.count == 2)
    let wrong = run("recovery", "drop", names[0], "none")
    #expect(wrong.status == .failed && wrong.error.contains("no entry 'none'"))
    #expect(try self.names() == [names[1]])
    #expect(run("recovery", "drop").status == .usage)
    #expect(run("recovery", "list", names[1]).status == .usage)
    #expect(run("recovery", "restore", "a", "b", "-o", "x").status == .usage)
    #expect(run("recovery", "drop", names[1], "--json").output.contains("\"names\""))
    #expect(try self.names().isEmpty)
  }

  @Test("entries of an application that is running are neither restored nor dropped")
  func running() async throws {
    var configuration = DocumentConfiguration(dataFolder: data)
    configuration.autosave = .recovery(seconds: 86_400)
    let document = Document<PlainText>(path: notes, configuration: configuration)
    try await document.open()
    try await document.edit("Typing") { $0.text = "typing" }
    try await document.autosave()
    let name = try #require(try names().first)
    #expect(run("recovery").output.contains("in use by"))
    for action in ["restore", "drop"] {
      let outcome = run("recovery", action, name)
      #expect(outcome.status == .failed && outcome.error.contains("[file/busy]"), "\(outcome)")
    }
    #expect(try names() == [name])
    try await document.close(discarding: true)
    #expect(try names().isEmpty)
  }

  @Test("damaged entries are reported, and can be dropped")
  func damaged() async throws {
    try await leave("one")
    let name = try #require(try names().first)
    try database.run("UPDATE contents SET bytes = x'0102'")
    let list = run("recovery")
    #expect(list.status == .done && list.output.contains("damaged"))
    #expect(list.error.contains("its contents are damaged"), "\(list.error)")
    #expect(run("recovery", "restore", name).status == .failed)
    let document = Document<PlainText>(
      path: notes, configuration: DocumentConfiguration(dataFolder: data))
    try await document.open()
    #expect(try await document.recoverable().isEmpty)
    try await document.close()
    #expect(run("recovery", "drop", name).status == .done)
    #expect(try names().isEmpty)
  }

  @Test(
    "an entry of an earlier version that cannot be read is reported, never waited for, and stays",
    .needs("mkfifo"), arguments: ["document.json", "contents.particles"])
  func damagedFolder(file: String) throws {
    let all = "\(data)/particles/recovery"
    let entry = "\(all)/0123-abc"
    try Files.makeDirectories(entry)
    try Files.create("\(entry)/document.json", Array("{\"path\": \"/a\"}".utf8))
    try EffectTemplate.fire.package().container.write(
      to: "\(entry)/contents.particles", as: .flat)
    try Files.removeAll("\(entry)/\(file)")
    _ = try Run.succeeding(try #require(Run.find("mkfifo")), ["\(entry)/\(file)"])
    for _ in 0..<2 {
      let list = run("recovery")
      #expect(list.status == .done && list.output.contains("damaged"))
      #expect(list.error.contains("\(entry).damaged"), "\(list.error)")
    }
    let name = try #require(try names().first)
    #expect(run("recovery", "restore", name).status == .failed)
    #expect(run("recovery", "drop", name).status == .done)
    #expect(try names().isEmpty && Files.list(all) == ["0123-abc.damaged"])
  }

  @Test("all documents with versions are listed; damage is verified and repaired")
  func all() throws {
    let fire = scratch.file("fire.particles")
    #expect(run("versions", "--all").error == "0 documents, 0 bytes\n")
    _ = run("new", fire, "-q")
    _ = run("edit", fire, "seed=1", "-q")
    _ = run("edit", fire, "seed=2", "-q")
    #expect(run("versions", fire, "verify").error == "3 versions: 0 errors\n")
    #expect(run("versions", fire, "repair").error == "nothing to repair in \(fire)\n")
    let list = run("versions", "--all")
    #expect(list.output.hasPrefix("3 versions  2 edits") && list.output.contains(fire))
    #expect(!list.output.contains("gone"))
    #expect(run("versions", "--all", fire).status == .usage)
    #expect(run("versions").status == .usage)
    try Files.rename(fire, scratch.file("away.particles"))
    try Files.removeAll(scratch.file("away.particles"))
    #expect(run("versions", "--all").output.contains("gone "))
    #expect(run("versions", "--all", "--json").output.contains("\"gone\": true"))
    #expect(run("versions", fire, "restore", "2").status == .done)
    // It is in the state before the last edit, which counts as undone.
    #expect(run("undo", fire).error == "undid seed=1\n")

    try database.run(
      """
      UPDATE contents SET bytes = x'01'
      WHERE digest = (SELECT tree FROM versions WHERE number = 1)
      """)
    #expect(run("versions", fire).error.contains("[file/store]"))
    let verify = run("versions", fire, "verify")
    #expect(verify.status == .answerNo && verify.output.contains("the list of files of version 1"))
    #expect(run("versions", fire, "delete", "2").error.contains("[file/store]"))
    #expect(run("versions", "--all").error.contains("[file/store]"))
    #expect(run("versions", fire, "repair", "--json").output.contains("\"repaired\""))
    #expect(run("versions", fire, "verify").status == .done)
  }

  @Test("a document that another program has replaced goes on, with a note")
  func replaced() throws {
    let fire = scratch.file("fire.particles")
    _ = run("new", fire, "-q", "-t", "fire")
    _ = run("edit", fire, "seed=1", "-q")
    _ = run("undo", fire, "-q")
    _ = run("redo", fire, "-q")
    _ = run("edit", fire, "seed=2", "-q")
    #expect(!run("versions", fire).output.contains("outside"))
    _ = run("new", scratch.file("snow.particles"), "-q", "-t", "snow")
    try Files.rename(scratch.file("snow.particles"), fire)
    _ = run("edit", fire, "seed=3", "-q")
    #expect(run("versions", fire).output.contains("replaced from outside"))
  }
}
