import Foundation
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFoundation
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// A storage in memory whose writes fail while it is told to.
private final class StubbornStorage: DocumentStorage {
  private let inner = MemoryStorage(FileNode(regularFileWithContents: Array("0".utf8)))
  private let failing = Lock(false)
  let path: String? = nil

  var isFailing: Bool {
    get { failing.withLock(\.self) }
    set { failing.withLock { $0 = newValue } }
  }

  func read(limits: Limits, progress: DocumentProgress.Report) throws -> StoredContents {
    try inner.read(limits: limits, progress: progress)
  }

  func write(
    _ contents: FileNode, replacing revision: Int?, _ options: StorageOptions
  ) throws -> StoredContents {
    if isFailing { throw Diagnostic(.fileUnwritable, "the disk is full") }
    return try inner.write(contents, replacing: revision, options)
  }

  func inspect() -> StorageCondition { inner.inspect() }
  func move(to path: String) throws { try inner.move(to: path) }
  func delete() throws { try inner.delete() }
}

@Suite("Observed documents")
@MainActor
struct ObservableDocumentTests {
  /// Waits until a condition holds, at most two minutes.
  private func wait(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    until isTrue: () -> Bool
  ) async throws {
    let deadline = Date(timeIntervalSinceNow: 120)
    while !isTrue(), Date() < deadline { try await Task.sleep(nanoseconds: 2_000_000) }
    #expect(isTrue(), what, sourceLocation: sourceLocation)
  }

  private func opened(
    _ storage: StubbornStorage, autosave: DocumentConfiguration.Autosave
  ) async throws -> (Document<PlainText>, ObservableDocument<PlainText>) {
    var configuration = DocumentConfiguration(dataFolder: nil)
    configuration.autosave = autosave
    let document = Document<PlainText>(storage: storage, configuration: configuration)
    try await document.open()
    let model = ObservableDocument(document)
    await model.follow()
    return (document, model)
  }

  @Test("a failure of a save is shown until one succeeds")
  func failure() async throws {
    let storage = StubbornStorage()
    let (document, model) = try await opened(storage, autosave: .inPlace(seconds: 0.01))
    #expect(model.failure == nil && model.content?.text == "0" && model.states == [])
    storage.isFailing = true
    try await document.edit("Typing") { $0.text += "1" }
    try await wait("a failure") { model.failure != nil && model.retry != nil }
    #expect((model.failure as? Diagnostic)?.rule == .fileUnwritable)
    #expect(model.states.contains(.changed))
    storage.isFailing = false
    try await document.save()
    try await wait("no failure after a save") { model.failure == nil && model.retry == nil }
    #expect(model.states == [])
    // Once more: the next failure is shown, too.
    storage.isFailing = true
    try await document.edit("Typing") { $0.text += "2" }
    try await wait("the next failure") { model.failure != nil }
    storage.isFailing = false
    try await wait("an automatic save ends it") { model.failure == nil }
    model.unfollow()
    try await document.close(discarding: true)
  }

  @Test("names of undo and redo, contents and states are those of the document")
  func names() async throws {
    let (document, model) = try await opened(StubbornStorage(), autosave: .off)
    #expect(model.undoName == nil && model.redoName == nil && model.path == nil)
    try await document.edit("One") { $0.text = "1" }
    try await document.edit("Two") { $0.text = "2" }
    try await wait("two edits") { model.undoName == "Two" }
    #expect(model.redoName == nil && model.content?.text == "2" && model.states == .changed)
    try await document.undo()
    try await wait("one is undone") { model.redoName == "Two" }
    #expect(model.undoName == "One" && model.content?.text == "1")
    try await document.undo()
    try await wait("both are undone") { model.undoName == nil }
    #expect(model.redoName == "One" && model.content?.text == "0")
    try await document.close(discarding: true)
    try await wait("it is closed") { model.content == nil }
    #expect(model.states == .closed)
  }

  @Test("what is not followed does not change; following again shows the present state")
  func following() async throws {
    let (document, model) = try await opened(StubbornStorage(), autosave: .off)
    model.unfollow()
    try await document.edit("One") { $0.text = "1" }
    try await Task.sleep(nanoseconds: 50_000_000)
    #expect(model.content?.text == "0" && model.undoName == nil)
    await model.follow()
    #expect(model.content?.text == "1" && model.undoName == "One")
    // Twice at once.
    await model.follow()
    try await document.edit("Two") { $0.text = "2" }
    try await wait("the edit") { model.content?.text == "2" }
    model.unfollow()
    try await document.close(discarding: true)
  }

  @Test("a document that moves has another path and URL")
  func moving() async throws {
    let scratch = try Scratch()
    var configuration = DocumentConfiguration(dataFolder: nil)
    configuration.autosave = .off
    let url = URL(fileURLWithPath: scratch.file("a.txt"))
    let document = try Document<PlainText>(url: url, configuration: configuration)
    try await document.create(PlainText("a"))
    try await document.save()
    let model = ObservableDocument(document)
    #expect(model.path == scratch.file("a.txt") && model.progress == 0)
    await model.follow()
    let target = URL(fileURLWithPath: scratch.file("b.txt"))
    try await document.move(to: target)
    try await wait("the path") { model.path == scratch.file("b.txt") }
    #expect(document.url?.path == target.path)
    await #expect(throws: Diagnostic.self) {
      try await document.move(to: #require(URL(string: "https://x.org/c.txt")))
    }
    #expect(document.url?.path == target.path)
    #expect(throws: Diagnostic.self) {
      try Document<PlainText>(url: #require(URL(string: "https://x.org/c.txt")))
    }
    model.unfollow()
    try await document.close(discarding: true)
  }
}

@Suite("Values for Foundation")
struct FoundationValueTests {
  @Test(
    "JSON values are coded as they are: kinds of numbers, nothing, texts, nested members",
    arguments: [
      "null", "true", "false", "0", "-7", "9007199254740993", "0.5", "-0.00125", #""""#,
      #""a\n\"ä""#, "[]",
      "{}", "[1,[2.5,null],{}]", #"{"a":{"b":[true,false]}}"#,
    ])
  func json(text: String) throws {
    let value = try JSONParser.parse(Array(text.utf8))
    let data = try JSONEncoder().encode(["x": value])
    let back = try JSONDecoder().decode([String: JSONValue].self, from: data)
    #expect(back["x"] == value, "\(String(decoding: data, as: UTF8.self))")
    let foreign = try JSONSerialization.jsonObject(
      with: Data(text.utf8), options: .fragmentsAllowed)
    let ours = try JSONSerialization.jsonObject(with: data)
    func bytes(_ object: Any) throws -> Data {
      try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    }
    #expect(try bytes(ours) == bytes(["x": foreign]))
  }

  @Test("an error has a place, a reason and a next step, where it has them")
  func errors() {
    let bare = Diagnostic(.fileNotFound)
    #expect(
      bare.errorDescription == bare.message && bare.failureReason == Rule.fileNotFound.summary)
    #expect(bare.recoverySuggestion == bare.hint)
    let placed = Diagnostic(.fileNotFound, at: Location(file: "/a/b"), hint: "look there")
    #expect(placed.errorDescription == "/a/b: \(placed.message)")
    let error = placed as NSError
    #expect(error.localizedDescription == placed.errorDescription)
    #expect(error.localizedFailureReason == placed.failureReason)
    #expect(error.localizedRecoverySuggestion == "look there")
    #expect(error.userInfo["rule"] as? String == "file/not-found")
  }

  @Test("nodes and packages have their bytes as data; form and replacing are passed on")
  func data() throws {
    let scratch = try Scratch()
    let node = FileNode(regularFileWithContents: Data([1, 2]), isExecutable: true)
    #expect(node.isExecutable && !FileNode(regularFileWithContents: Data([1])).isExecutable)
    #expect(try FileNode.emptyDirectory.regularFileData() == nil)
    var root = FileNode.emptyDirectory
    try root.setFileNode(node, at: "a")
    var container = Container(root: root)
    let folder = URL(fileURLWithPath: scratch.file("folder"))
    try container.write(to: folder, as: .directory)
    #expect(try Files.status(scratch.file("folder/a"))?.isExecutable == true)
    #expect(throws: Diagnostic.self) { try container.write(to: folder, as: .directory) }
    #expect(throws: Diagnostic.self) { try container.save(to: folder) }
    let file = URL(fileURLWithPath: scratch.file("file"))
    try container.save(to: file)
    #expect(try Files.status(scratch.file("file"))?.kind == .file && container.path == file.path)
    #expect(throws: Diagnostic.self) { try container.write(to: file, as: .flat) }
    try container.write(to: file, as: .flat, replacing: true)
    try container.save(to: URL(fileURLWithPath: scratch.file("second")), as: .directory)
    #expect(try Files.status(scratch.file("second"))?.kind == .directory)
    var limits = Limits()
    limits.entryBytes = 1
    let data = try container.data()
    #expect(throws: Diagnostic.self) { try Container(decoding: data, limits: limits) }
    #expect(throws: Diagnostic.self) { try Container(contentsOf: folder, limits: limits) }
    #expect(throws: Diagnostic.self) { try Container(decoding: data.dropLast()) }
    // A slice of data begins elsewhere.
    #expect(try Container(decoding: (Data([0]) + data).dropFirst()).root == container.root)
  }

  @Test("a version has the date that it was kept at")
  func dates() async throws {
    let scratch = try Scratch()
    var configuration = DocumentConfiguration(dataFolder: scratch.file("data"))
    configuration.autosave = .off
    let document = Document<PlainText>(path: scratch.file("a.txt"), configuration: configuration)
    try await document.create(PlainText("a"))
    try await document.save()
    for version in try await document.versions() {
      #expect(version.date.timeIntervalSince1970 == version.seconds)
    }
    try await document.close(discarding: true)
  }
}
