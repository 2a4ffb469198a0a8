internal import ParticlesCore
internal import ParticlesDocuments

/// Actions, sharing, conflicts and questions.
extension BrowserServer {
  /// Runs an action on documents.
  func act(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let items = try Self.items(object)
    let name = object["job"]?.string ?? ""
    let identifier = object["action"]?.string ?? ""
    let options = object["options"] ?? [:]
    let outcome = try await job(name) { [browser] in
      try await browser.run(identifier, on: items, options: options, job: name)
    }
    return HTTPAnswer(outcome.json)
  }

  /// The actions for some items, and the ways to share them.
  func offers(_ request: RouteRequest) async throws -> HTTPAnswer {
    let items = try Self.items(try request.object())
    return HTTPAnswer([
      "actions": .array(await browser.offers(for: items).map(\.json)),
      "sharing": .array(await browser.sharingOffers(for: items).map(\.json)),
    ])
  }

  func share(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let items = try Self.items(object)
    let outcome = try await browser.share(
      object["service"]?.string ?? "", items, job: object["job"]?.string ?? "")
    return HTTPAnswer(outcome.json)
  }

  func cancelJob(_ request: RouteRequest) async throws -> HTTPAnswer {
    guard let name = try request.object()["job"]?.string, !name.isEmpty else {
      throw Diagnostic(.usage, "the body", expected: "job, the name of a job")
    }
    cancel(name)
    return HTTPAnswer([:])
  }

  /// Ends a conflict of an open document.
  func resolve(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let word = object["keep"]?.string ?? ""
    guard let side = ConflictSide(rawValue: word) else {
      throw Diagnostic(
        .usage, "'keep'", expected: ConflictSide.allCases.map(\.rawValue).joined(separator: ", "),
        found: "'\(word.excerpt)'")
    }
    let id = object["item"]?.string ?? ""
    let (document, beside) = try await browser.resolve(id, keeping: side)
    var answer: JSONObject = ["document": document.json]
    if document.kind == .text {
      answer["text"] = try await browser.contents(of: id).text.map(JSONValue.string)
    }
    answer["beside"] = beside?.json
    return HTTPAnswer(.object(answer))
  }

  func answerQuestion(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    try await browser.answer(
      object["question"]?.string ?? "", with: object["value"]?.string ?? "")
    return HTTPAnswer([:])
  }

  // MARK: Revealing

  /// Shows an item in the file manager of the desktop, or else its folder.
  func revealOutside(_ request: RouteRequest) async throws -> HTTPAnswer {
    let id = try request.object()["item"]?.string ?? ""
    let path = try await browser.localFile(of: id)
    try await Workbench().run { try FileManagers.reveal(path) }
    return HTTPAnswer([:])
  }
}

/// The file manager of the desktop.
private enum FileManagers {
  /// Shows a file: by the interface that file managers share (`org.freedesktop.FileManager1`), or else its folder.
  static func reveal(_ path: String) throws {
    #if os(macOS)
      let calls = [("open", ["-R", path])]
    #else
      // The address is in quotation marks of the text form of GVariant.
      let address = FileURI.reference(path).replacing("'", with: "%27")
      let calls = [
        (
          "gdbus",
          [
            "call", "--session", "--timeout", "3", "--dest", "org.freedesktop.FileManager1",
            "--object-path", "/org/freedesktop/FileManager1", "--method",
            "org.freedesktop.FileManager1.ShowItems", "['\(address)']", "''",
          ]
        ), ("xdg-open", [Files.folder(of: path)]),
      ]
    #endif
    for (program, arguments) in calls {
      if try Program.run(program, arguments) == 0 { return }
    }
    throw Diagnostic(
      .fileUnreadable, at: Location(file: path), "no file manager shows it",
      hint: "copy the path instead")
  }
}
