// A browser in a terminal, with a type of documents and an action of its own.
//
//     ExampleBrowser FOLDER
//
// Commands: list, new, open NAME, add NAME TEXT, rename NAME NAME, trash NAME, count NAME, undo, redo, quit.

import Particles
import ParticlesBrowser

/// A shopping list: a line of text for each thing.
struct Shopping: DocumentContent {
  var things: [String] = []

  init() {}

  init(contents: FileNode, limits: Limits) throws {
    let bytes = try contents.regularFileContents() ?? []
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Diagnostic(.fileText) }
    things = text.split(separator: "\n").map(String.init)
  }

  func contents() -> FileNode {
    FileNode(regularFileWithContents: Array(things.map { "\($0)\n" }.joined().utf8))
  }
}

/// The type of the documents.
let shopping = BrowserDocumentType(
  Shopping.self, identifier: "com.example.shopping", title: "Shopping", extensions: ["shopping"],
  new: { Shopping() }, text: { $0.things.joined(separator: ", ") })

/// An action that is offered for shopping lists.
let count: BrowserAction = {
  var action = BrowserAction("com.example.count", title: "Count", types: ["com.example.shopping"]) {
    request in
    var total = 0
    for path in request.paths {
      let document = try await DocumentRegistry.shared.document(Shopping.self, at: path)
      try await document.open()
      total += try await document.content.things.count
    }
    return .message("\(total) things")
  }
  action.changesFiles = false
  return action
}()

/// The commands.
struct Terminal {
  let browser: Browser
  let folder: BrowserItem.ID

  func item(_ name: String) async throws -> BrowserItem.ID {
    let listing = try await browser.list(BrowserQuery(folder))
    guard let item = listing.items.first(where: { $0.name == name }) else {
      throw Diagnostic(.fileNotFound, at: Location(file: name))
    }
    return item.id
  }

  func tell(_ outcome: BrowserOutcome) {
    for result in outcome.results {
      print(result.diagnostic?.description ?? "\(result.name): \(result.status.rawValue)")
    }
  }

  func run(_ words: [String]) async throws {
    switch (words.first, words.count) {
    case ("list", 1):
      for item in try await browser.list(BrowserQuery(folder)).items {
        print(item.isSelectable ? item.displayName : "(\(item.displayName))", item.type)
      }
    case ("new", 1):
      print(try await browser.create(template: shopping.identifier, in: folder).name)
    case ("open", 2):
      let id = try await item(words[1])
      _ = try await browser.open(id, in: "terminal")
      print(try await browser.contents(of: id).text ?? "")
    case ("add", 3):
      let path = try await browser.localFile(of: item(words[1]))
      let document = try await DocumentRegistry.shared.document(Shopping.self, at: path)
      try await document.open()
      try await document.edit("Add Thing") { $0.things.append(words[2]) }
      try await document.save()
    case ("rename", 3): tell(await browser.perform(.rename(try await item(words[1]), to: words[2])))
    case ("trash", 2): tell(await browser.perform(.trash([try await item(words[1])])))
    case ("count", 2):
      print(try await browser.run("com.example.count", on: [item(words[1])]).message ?? "")
    case ("undo", 1): tell(await browser.undo())
    case ("redo", 1): tell(await browser.redo())
    default: print("list, new, open, add, rename, trash, count, undo, redo, quit")
    }
  }
}

guard CommandLine.arguments.count == 2 else {
  print("usage: ExampleBrowser FOLDER")
  throw CancellationError()
}
var configuration = BrowserConfiguration()
configuration.allowedTypes = [shopping.identifier]
let browser = try Browser(
  providers: Browser.standardProviders([CommandLine.arguments[1]]), configuration: configuration,
  documentTypes: [shopping], actions: [count])
guard let folder = await browser.locations().first(where: { $0.kind == "folder" }) else {
  throw CancellationError()
}
let terminal = Terminal(browser: browser, folder: folder.id)
while let line = readLine() {
  let words = line.split(separator: " ", maxSplits: 2).map(String.init)
  if words == ["quit"] { break }
  do { try await terminal.run(words) } catch { print(error) }
}
for fault in await browser.close() { print(fault) }
