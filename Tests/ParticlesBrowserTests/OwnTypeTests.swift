import ParticlesBrowser
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// A toy: numbers, one on each line.
private struct Numbers: DocumentContent {
  var values: [Int] = []

  init(_ values: [Int]) { self.values = values }

  init(contents: FileNode, limits: Limits) throws {
    let text = String(decoding: try contents.regularFileContents() ?? [], as: UTF8.self)
    values = try text.split(separator: "\n").map { line in
      guard let value = Int(line) else { throw Diagnostic(.range, found: "'\(line)'") }
      return value
    }
  }

  func contents() -> FileNode {
    FileNode(regularFileWithContents: Array(values.map { "\($0)\n" }.joined().utf8))
  }
}

@Suite("Document types of an application")
struct OwnTypeTests {
  private let numbers = BrowserDocumentType(
    Numbers.self, identifier: "com.example.numbers", title: "Numbers", extensions: ["numbers"],
    new: { Numbers([1, 2]) }, text: { "\($0.values.reduce(0, +))" })

  @Test("a toy content is listed, created, opened, edited and picked")
  func toy() async throws {
    let scratch = try Scratch()
    let docs = scratch.file("docs")
    try Files.makeDirectory(docs)
    try Files.create("\(docs)/a.txt", [])
    try Files.create("\(docs)/bad.numbers", Array("x".utf8))
    let environment = BrowserEnvironment(variables: scratch.desktop())
    var configuration = BrowserConfiguration()
    configuration.allowedTypes = ["com.example.numbers"]
    let registry = DocumentRegistry()
    let browser = try Browser(
      providers: [FolderProvider([docs], environment: environment)], configuration: configuration,
      documentTypes: [numbers], environment: environment, registry: registry)
    let root = try #require(await browser.locations().first { $0.kind == "folder" }).id
    #expect(await browser.templates().map(\.name) == ["com.example.numbers"])
    let item = try await browser.create(template: "com.example.numbers", in: root)
    #expect(item.name == "Numbers.numbers")
    #expect(item.type == "com.example.numbers")
    #expect(item.typeTitle == "Numbers")
    let listing = try await browser.list(BrowserQuery(root))
    #expect(listing.items.map(\.isSelectable) == [false, true, true])
    #expect(try await browser.open(item.id, in: "w").kind == .own)
    #expect(try await browser.contents(of: item.id).text == "3")
    let path = try await browser.localFile(of: item.id)
    let document = try await registry.document(Numbers.self, at: path)
    try await document.edit("Add") { $0.values.append(4) }
    #expect(try await browser.contents(of: item.id).text == "7")
    #expect(try await browser.undoEdit(of: item.id).redoName == "Add")
    #expect(try await browser.pick([item.id]) == [path])
    await #expect(throws: Diagnostic.self) { try await browser.open(listing.items[1].id, in: "w") }
    #expect(await browser.close().isEmpty)
  }

  @Test("the example has a type and an action of its own, in less than 150 lines")
  func example() throws {
    let source = try Files.read(Repository.path("Sources/Examples/Browser/main.swift"))
    #expect(source.count { $0 == 10 } < 150)
    let scratch = try Scratch()
    let docs = scratch.file("docs")
    try Files.makeDirectory(docs)
    try Files.create("\(docs)/a.txt", [])
    let commands = """
      new
      add Shopping.shopping red apples
      open Shopping.shopping
      count Shopping.shopping
      rename Shopping.shopping today
      undo
      list
      count a.txt
      quit

      """
    let run = try Run(
      Run.built("ExampleBrowser"), [docs], input: Array(commands.utf8),
      environment: scratch.desktop())
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.text.split(separator: "\n")
    #expect(
      lines.prefix(7) == [
        "Shopping.shopping", "red apples", "1 things", "Shopping.shopping: done",
        "today.shopping: done",
        "(a.txt) public.plain-text", "Shopping.shopping com.example.shopping",
      ])
    #expect(lines.last?.contains("it is not for a.txt") == true)
  }
}
