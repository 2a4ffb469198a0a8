internal import ParticlesCore
internal import ParticlesDocuments

/// Documents that cannot be closed or saved, and what programs have left.
extension BrowserServer {
  func background() async -> HTTPAnswer {
    HTTPAnswer(["documents": .array(await browser.backgroundDocuments().map(\.json))])
  }

  /// A way out for a document that cannot be saved, or whose file is gone.
  func rescue(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    guard let way = Rescue(rawValue: try object.text("way")) else {
      throw Diagnostic(
        .usage, "'way'", expected: Rescue.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let id = try object.text("item")
    let copy = try await browser.rescue(
      id, by: way, in: object["window"]?.string ?? "", to: object["location"]?.string,
      named: object["name"]?.string)
    var answer: JSONObject = [:]
    answer["copy"] = copy?.json
    answer["document"] = (try? await browser.document(id))?.json
    return HTTPAnswer(.object(answer))
  }

  // MARK: Recovered contents

  /// The unsaved contents that programs have left, with the items of their documents.
  func recovered() async throws -> HTTPAnswer {
    var rows: [JSONValue] = []
    for entry in try await browser.recoveredEntries() {
      var row = Browser.outline(entry)
      row["isGone"] = .bool(entry.path.isEmpty || ((try? Files.status(entry.path)) ?? nil) == nil)
      if let item = await browser.document(of: entry) {
        row["item"] = .string(item.id)
        row["parent"] = item.parent.map(JSONValue.string)
      }
      rows.append(.object(row))
    }
    return HTTPAnswer(["entries": .array(rows)])
  }

  /// Takes recovered contents into an open document, writes them elsewhere, or removes them.
  func recover(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let entry = try object.text("entry")
    var answer: JSONObject = [:]
    switch try object.text("way") {
    case "take": _ = try await browser.takeRecovered(object.text("item"), entry)
    case "copy":
      answer["copy"] = try await browser.saveRecovered(
        entry, as: object["name"]?.string, in: object.text("location")
      ).json
    case "discard": try await browser.discardRecovered(entry)
    case let way:
      throw Diagnostic(.usage, "'way'", expected: "take, copy or discard", found: way)
    }
    return HTTPAnswer(.object(answer))
  }

  /// The contents of an entry: an effect for the player, a picture, or a text.
  func recoveredContents(_ request: RouteRequest) async throws -> HTTPAnswer {
    let entry = try request.value("entry")
    switch try request.value("as") {
    case "text":
      guard let text = try await browser.recoveredText(entry) else { throw Diagnostic(.fileText) }
      return HTTPAnswer(["text": .string(text)])
    case "effect":
      let package = try await browser.recoveredEffect(entry)
      let bytes = try await Workbench().run { try package.forPlayer() }
      return HTTPAnswer(bytes, as: "application/vnd.particles")
    case "thumbnail":
      return try await thumbnail(
        of: browser.recoveredEffect(entry), size: request.number("size", in: 16...1024, or: 128))
    case let kind:
      throw Diagnostic(.usage, "'as'", expected: "text, effect or thumbnail", found: kind)
    }
  }
}
