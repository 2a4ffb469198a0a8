internal import ParticlesBrowser
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesSystem
internal import ParticlesTypes

extension Command {
  /// Shows documents in the web browser.
  static let browse = Command(
    name: "browse", group: .documents,
    summary: "Browse, create and manage documents in the web browser.",
    discussion: """
      Starts a server for this machine alone, on 127.0.0.1, and opens its page: documents with thumbnails that move, \
      templates, renaming, the trash, conversions. A folder or an archive (ZIP, tar) is shown, a file is shown in \
      its folder and opened. The address is printed on a terminal, and with --no-open or --json. Whoever knows it \
      can do what you can. It changes at each start, and other programs get it in a private file only. Control-C \
      saves and closes all documents.

      A later call hands its arguments to the running one and ends. If the program dies, its pages go on when it is \
      started again, after program and page have proved themselves to each other.
      """,
    arguments: [Argument(.file("path"), arity: .any, "Folders and documents to show.")],
    options: [.keepUnopened, .waitForPages, .viewOnly, .port, .json],
    examples: [
      Example("particles browse", "Browse your documents."),
      Example("particles browse effects", "Browse a folder."),
      Example("particles browse --no-open --port 8080 fire.particles", "Print the address only."),
    ],
    run: { invocation in
      try invocation.browse(invocation.arguments("path"))
    })
}

extension Option {
  static let keepUnopened = Option("no-open", "Print the address, and open no page.")
  static let window = Option("window", "Edit in the web browser.")
  static let viewOnly = Option("read-only", "Change no document.")
  fileprivate static let waitForPages = Option("wait", "End when all pages are closed.")
  static let port = Option(
    "port", value: .text("number"), default: "the last one, or a free one", "The port, 1 to 65535.")
}

extension Invocation {
  /// Shows paths in the running browser, or in a new browser.
  func browse(_ words: [String]) throws -> ExitStatus {
    let paths = try words.map(browsedPath)
    let port = try integer(.port, in: 1...65_535)
    let isReadOnly = flag(.viewOnly)
    let record = try BrowserRecord(
      BrowserRecord.folders(baseDirectories), isReadOnly: isReadOnly)
    guard record.claim() else {
      try handOver(paths, port: port, to: record)
      return .done
    }
    ForwardingPage.removeAll(in: record.folder, olderThan: 60)
    var configuration = BrowserConfiguration()
    configuration.isReadOnly = isReadOnly
    var settings = BrowserServer.Settings()
    settings.forwardingFolder = record.folder
    settings.catchesSignals = true
    if flag(.waitForPages) { settings.secondsWithoutPages = 5 }
    // Named places replace the places of the last session.
    settings.restoresWindows = paths.isEmpty
    let browser = try browser(paths, configuration)
    let server = try server(browser, settings, port: port, after: record.last)
    let address = server.record
    try record.store(address)
    defer { try? record.end(address) }
    if !server.knowsUsers, console.verbosity == .verbose {
      console.tell("connections of other users of this machine cannot be told from yours")
    }
    try tell(address, handedOver: false)
    return try run(server, showing: paths) { _ in .done }
  }

  var baseDirectories: BaseDirectories { BaseDirectories(environment: environment) }

  /// An absolute path, or an address, which the browser judges.
  func browsedPath(_ word: String) throws -> String {
    guard !word.contains("://"), !word.hasPrefix("file:") else { return word }
    let path = word.hasPrefix("/") ? word : Files.joined(try Files.resolve("."), word)
    guard try Files.status(path) != nil else {
      throw Diagnostic(.fileNotFound, at: Location(file: word))
    }
    return try Files.resolve(path)
  }

  /// The browser for some paths: the folders and archives among them are places.
  func browser(_ paths: [String], _ configuration: BrowserConfiguration) throws -> Browser {
    let environment = BrowserEnvironment(variables: environment)
    let archives = paths.compactMap { path -> (path: String, provider: ArchiveProvider)? in
      guard ["zip", "tar"].contains(Files.pathExtension(of: path)) else { return nil }
      // A damaged archive is shown in its folder, with the reason.
      guard let provider = try? ArchiveProvider(path), !provider.isDocument else { return nil }
      return (path, provider)
    }
    // Copying out of an archive needs a folder.
    let folders =
      try paths.filter { try DocumentSet.isPlainFolder($0) }
      + archives.map { Files.folder(of: $0.path) }
    return try Browser(
      providers: Browser.standardProviders(folders, environment: environment)
        + archives.map(\.provider),
      configuration: configuration, environment: environment)
  }

  /// Starts the server: where the last one was, if that is possible.
  func server(
    _ browser: Browser, _ settings: BrowserServer.Settings, port: Int?,
    after last: (port: Int, keys: [String])? = nil
  ) throws -> BrowserServer {
    var settings = settings
    settings.keys = last?.keys ?? []
    let player = PlayerFiles.built
    if let port {
      settings.port = port
      return try BrowserServer(browser, player: player, settings)
    }
    if let last {
      settings.port = last.port
      if let server = try? BrowserServer(browser, player: player, settings) { return server }
      // Another program has the port. Pages of before ask it for a proof, which it does not have.
      settings.port = 0
    }
    return try BrowserServer(browser, player: player, settings)
  }

  /// Shows paths, opens the page, and waits for the end.
  /// - Parameter answer: called with what ended the server, before documents are closed.
  func run(
    _ server: BrowserServer, showing paths: [String],
    _ answer: @escaping @Sendable (BrowserServer.End) throws -> ExitStatus
  ) throws -> ExitStatus {
    defer { server.stop() }
    let log = log(of: server.browser)
    defer { log?.cancel() }
    let failures = try BlockingWait.run { () -> [Diagnostic] in
      var failures: [Diagnostic] = []
      if server.settings.restoresWindows { await server.browser.restoreSession() }
      for path in paths {
        do {
          let item = try await server.browser.reveal(path)
          server.begin(
            at: item.isFolder ? item.id : item.parent ?? item.id,
            item: item.isFolder ? nil : item.id)
        } catch let failure as Diagnostic {
          failures.append(failure.inside(Location(file: path)))
        }
      }
      return failures
    }
    failures.forEach(reportFailure)
    if !flag(.keepUnopened), let page = try server.makeForwardingPage() { try openPage(page) }
    let (end, unsaved) = try BlockingWait.run {
      let end = await server.waitForEnd()
      return (end, await server.browser.close())
    }
    unsaved.forEach(reportFailure)
    let status = try answer(end)
    return unsaved.isEmpty && failures.isEmpty ? status : max(status, .failed)
  }

  /// Prints the address of the first page with `--json`, on a terminal, or if no page is opened. A log does not get it.
  fileprivate func tell(_ address: BrowserRecord.Address, handedOver isHandedOver: Bool) throws {
    if try answer([
      "address": .string(address.page), "port": .int(address.port),
      "handedOver": .bool(isHandedOver),
    ]) {
      return
    }
    guard !flag(.keepUnopened), !console.writesToTerminal else {
      return try console.print(address.page)
    }
    try console.print(
      isHandedOver
        ? "shown by the browser on port \(address.port)" : "browser on port \(address.port)")
  }

  /// With `--verbose`, tells what happens, without contents of documents.
  private func log(of browser: Browser) -> Task<Void, Never>? {
    guard console.verbosity == .verbose else { return nil }
    let events = browser.events()
    return Task { [console] in
      for await event in events {
        if let line = event.line { console.tell(line) }
      }
    }
  }

  /// Hands paths to the running browser.
  fileprivate func handOver(_ paths: [String], port: Int?, to record: BrowserRecord) throws {
    // It may have begun a moment ago.
    let deadline = Deadline(seconds: 5)
    while true {
      do {
        guard let address = record.address() else {
          throw Diagnostic(.fileBusy, "a browser is running, and has no record of its address")
        }
        if let port, port != address.port {
          console.complain("a browser is running already, on port \(address.port)")
        }
        let client = LocalClient(address)
        let answer = try client.ask(
          "show",
          [
            "paths": .array(paths.map(JSONValue.string)), "reveals": .bool(flag(.keepUnopened)),
          ])
        try tell(address, handedOver: true)
        if let page = answer.object?["page"]?.string { try openPage(page) }
        if flag(.waitForPages) { wait(for: client) }
        return
      } catch let failure as Diagnostic {
        // An answer that refuses has no location, and is final.
        guard !deadline.isOver,
          failure.location.file?.hasPrefix("127.0.0.1") ?? (failure.rule == .fileBusy)
        else {
          throw failure
        }
        MonotonicClock.wait(seconds: 0.05)
      }
    }
  }

  /// Waits until the running browser has no pages any more, or has ended.
  private func wait(for client: LocalClient) {
    var quiet = 0
    while quiet < 10 {
      MonotonicClock.wait(seconds: 0.5)
      guard let answer = try? client.ask("windows").object else { return }
      let isSeen = answer["seen"]?.bool ?? false
      quiet = isSeen && answer["pages"]?.int == 0 ? quiet + 1 : 0
    }
  }
}

extension Command {
  /// Lets the user choose documents.
  static let pick = Command(
    name: "pick", group: .documents,
    summary: "Choose documents in the web browser, for scripts.",
    discussion: """
      Opens a page as 'browse' does, in which documents can be chosen, and prints their paths, each on a line. With \
      --save, a folder and a name are chosen, and the path for a new file is printed, and nothing is written. If the \
      user cancels or closes the page, nothing is printed and the status is 130.
      """,
    options: [.many, .pickedType, .null, .savedName, .keepUnopened, .port, .json],
    examples: [
      Example("particles pick", "Choose a document."),
      Example(
        "particles pick --many -0 | xargs -0 particles info", "Choose documents for a command."),
      Example("particles pick --save fire.gif", "Choose where a script will save."),
    ],
    run: { invocation in
      let folders = BrowserRecord.folders(invocation.baseDirectories)
      let folder = try BrowserRecord.folder(folders).path
      var configuration = BrowserConfiguration()
      configuration.allowsMultiple = invocation.flag(.many)
      configuration.allowsCreation = false
      for type in invocation.values(.pickedType) {
        let types = FormatRegistry.standard.types
        if type.contains(".") {
          let known = types.types.map(\.identifier)
          guard known.contains(type) else { throw UsageError.unknown("type", type, among: known) }
          configuration.allowedTypes.append(type)
        } else {
          let known = types.types.flatMap { $0.tags[.filenameExtension] ?? [] }
          guard known.contains(type.lowercased()) else {
            throw UsageError.unknown("type", type, among: known)
          }
          configuration.allowedExtensions.append(type.lowercased())
        }
      }
      var settings = BrowserServer.Settings()
      settings.forwardingFolder = folder
      settings.isPicking = true
      settings.savedName = invocation.value(.savedName)
      settings.catchesSignals = true
      settings.secondsWithoutPages = 5
      let browser = try invocation.browser([], configuration)
      let port = try invocation.integer(.port, in: 1...65_535)
      let server = try invocation.server(browser, settings, port: port)
      // Standard output is for the choice.
      if invocation.flag(.keepUnopened) { invocation.console.tell(server.address) }
      return try invocation.run(server, showing: []) { end in
        guard case .picked(let paths) = end else {
          try invocation.answer(["paths": .array([])])
          return .interrupted
        }
        if try invocation.answer(["paths": .array(paths.map(JSONValue.string))]) { return .done }
        if invocation.flag(.null) {
          try invocation.console.write(paths.flatMap { Array($0.utf8) + [0] })
        } else {
          for path in paths { try invocation.console.print(path) }
        }
        return .done
      }
    })
}

extension Option {
  fileprivate static let many = Option("many", "Allow several documents to be chosen.")
  fileprivate static let pickedType = Option(
    "type", value: .text("type"), repeatable: true,
    "Allow only documents of this type, such as pex or org.particles-format.particles.")
  fileprivate static let null = Option(
    "null", short: "0", "End each path with a zero byte, for names with line breaks.")
  fileprivate static let savedName = Option(
    "save", value: .text("name"), "Choose the place of a new file, with this name at first.")
}
