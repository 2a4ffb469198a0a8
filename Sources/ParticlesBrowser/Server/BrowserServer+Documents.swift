internal import ParticlesCore
internal import ParticlesFormats

extension BrowserServer {
  // MARK: Open documents

  func open(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let id = object["item"]?.string ?? ""
    let document = try await browser.open(id, in: object["window"]?.string ?? "")
    var answer: JSONObject = ["document": document.json]
    answer["obstacle"] = await browser.obstacle(id).map(JSONValue.object)
    if document.kind == .text {
      answer["text"] = try await browser.contents(of: id).text.map(JSONValue.string)
      answer["offered"] = await browser.offeredEntry(id).map { .object(Browser.outline($0)) }
    }
    return HTTPAnswer(.object(answer))
  }

  /// Closes the document of a window. One that cannot be closed goes on in the background, and the answer has it.
  func close(_ request: RouteRequest) async throws -> HTTPAnswer {
    let kept = await browser.leaveDocument(in: try request.object()["window"]?.string ?? "")
    return HTTPAnswer(kept.map { ["kept": $0.json] } ?? [:])
  }

  func setText(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    guard let id = object["item"]?.string, let text = object["text"]?.string,
      let revision = object["revision"]?.int
    else { throw Diagnostic(.usage, expected: "item, text and revision") }
    _ = try await browser.setText(text, of: id, from: revision)
    _ = try await browser.save(id)
    // With the changes of other programs that saving has merged.
    let contents = try await browser.contents(of: id)
    return HTTPAnswer([
      "document": contents.document.json, "text": contents.text.map(JSONValue.string) ?? .null,
    ])
  }

  // MARK: Operations

  func create(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let item = try await browser.create(
      template: object["template"]?.string ?? "", named: object["name"]?.string,
      in: object["location"]?.string ?? "")
    return HTTPAnswer(item.json)
  }

  func makeFolder(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let outcome = await browser.perform(
      .createFolder(object["name"]?.string ?? "", in: object["location"]?.string ?? ""))
    guard let item = outcome.items.first else {
      throw outcome.results.first?.diagnostic ?? Diagnostic(.usage, "the folder")
    }
    return HTTPAnswer(item.json)
  }

  func importBytes(_ request: RouteRequest) async throws -> HTTPAnswer {
    let item = try await browser.add(
      request.body, named: request.value("name"), to: request.value("location"))
    return HTTPAnswer(item.json)
  }

  /// Adds a text whose format is recognised; its name is that of the format.
  func paste(_ request: RouteRequest) async throws -> HTTPAnswer {
    let body = request.body
    let format = try await Workbench().run {
      try FormatRegistry.standard.recognising(body, fileName: "Pasted")
    }
    let kind = format.extensions.first ?? "txt"
    let item = try await browser.add(
      body, named: "Pasted.\(kind)", to: request.value("location"))
    return HTTPAnswer(item.json)
  }

  func rename(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    if object["items"] != nil {
      let (items, names) = (try Self.items(object), object["names"]?.array ?? [])
      guard items.count == names.count else {
        throw Diagnostic(.usage, "the body", expected: "a name for each item")
      }
      let pairs = zip(items, names).map {
        BrowserOperation.Renaming($0, to: $1.string ?? "")
      }
      return HTTPAnswer(told(await browser.perform(.renameAll(pairs))).json)
    }
    let outcome = await browser.perform(
      .rename(object["item"]?.string ?? "", to: object["name"]?.string ?? ""))
    return HTTPAnswer(told(outcome).json)
  }

  func perform(
    _ request: RouteRequest,
    _ operation: ([BrowserItem.ID], JSONObject) throws -> BrowserOperation
  ) async throws -> HTTPAnswer {
    let object = try request.object()
    let outcome = await browser.perform(try operation(Self.items(object), object))
    return HTTPAnswer(told(outcome).json)
  }

  static func items(_ object: JSONObject) throws -> [BrowserItem.ID] {
    let items = object["items"]?.array?.compactMap(\.string) ?? []
    guard !items.isEmpty else { throw Diagnostic(.usage, "the body", expected: "items") }
    return items
  }

  func undo(isRedo: Bool) async -> HTTPAnswer {
    let name = isRedo ? await browser.redoName : await browser.undoName
    let outcome = isRedo ? await browser.redo() : await browser.undo()
    var object = outcome.json.object ?? [:]
    object["name"] = name.map(JSONValue.string)
    // An undone operation is not offered to be undone.
    object["undo"] = nil
    return HTTPAnswer(.object(object))
  }

  func set(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    guard let name = object["name"]?.string else { throw Diagnostic(.usage, expected: "name") }
    try await browser.set(name, to: object["value"] ?? .null)
    return HTTPAnswer([:])
  }

  func pick(_ request: RouteRequest) async throws -> HTTPAnswer {
    guard settings.isPicking else { throw Diagnostic(.usage, "nothing is picked here") }
    let object = try request.object()
    if let name = object["name"]?.string, let folder = object["location"]?.string {
      end(.picked([try await saved(name, in: folder, replaces: object["replaces"]?.bool ?? false)]))
    } else if object["items"] == .null {
      await browser.cancelPicking()
    } else {
      try await browser.pick(Self.items(object))
    }
    return HTTPAnswer([:])
  }

  /// The path of a file that a script will save.
  private func saved(_ name: String, in folder: String, replaces: Bool) async throws -> String {
    guard settings.savedName != nil else { throw Diagnostic(.usage, "nothing is saved here") }
    guard !name.isEmpty, !name.contains("/"), ![".", ".."].contains(name), name.utf8.count <= 255,
      !name.unicodeScalars.contains("\0")
    else { throw Diagnostic(.usage, "the name", expected: "a name of a file", found: "'\(name)'") }
    let path = Files.joined(try await browser.localFile(of: folder), name)
    if let status = try Files.status(path, followingLinks: false),
      !replaces || status.kind == .directory
    {
      throw Diagnostic(
        .fileExists, at: Location(file: path),
        status.kind == .directory ? "it is a folder" : nil, hint: "choose again to replace it")
    }
    return path
  }

  /// Takes over the arguments of another call of the tool.
  func show(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let paths = object["paths"]?.array?.compactMap(\.string) ?? []
    var shown: BrowserItem?
    for path in paths { shown = try await browser.reveal(path) }
    if object["reveals"]?.bool == true, let shown, let parent = shown.parent ?? Optional(shown.id) {
      var event: JSONObject = [
        "event": "reveal", "location": .string(shown.isFolder ? shown.id : parent),
        "item": .string(shown.id), "opens": .bool(!shown.isFolder),
      ]
      event["window"] = lastWindow.map(JSONValue.string)
      tell(.object(event))
    }
    var answer: JSONObject = ["pages": .int(pageCount)]
    if object["reveals"]?.bool != true {
      answer["page"] = try makeForwardingPage(showing: shown?.id).map(JSONValue.string)
    }
    return HTTPAnswer(.object(answer))
  }
}
