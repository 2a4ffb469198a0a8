internal import CParticlesBrowserPages
internal import ParticlesCore
package import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesSystem

/// A browser as a local web application: pages on 127.0.0.1 that show a ``Browser`` and call it.
package final class BrowserServer: Sendable {
  /// The settings of a server.
  package struct Settings: Sendable {
    /// The port. Default: 0, which selects a free port.
    package var port = 0
    /// The keys by which pages of earlier starts recognize the program, the newest first. Default: none.
    package var keys: [String] = []
    /// Whether a document is picked.
    package var isPicking = false
    /// The name of the file to save: a folder is picked. Default: nil, which picks documents.
    package var savedName: String?
    /// The folder for files that forward a web browser to the first page. Default: nil, if it knows the address.
    package var forwardingFolder: String?
    /// Whether SIGINT, SIGTERM and SIGHUP end ``waitForEnd()``.
    package var catchesSignals = false
    /// The seconds after which the server ends when the last page is closed. Default: nil, which keeps it running.
    package var secondsWithoutPages: Double?
    /// Whether new pages take over the windows of the last session.
    package var restoresWindows = false

    package init() {}
  }

  /// Why a server ends.
  package enum End: Sendable, Hashable {
    /// By a signal.
    case interrupted
    /// Documents were picked, at these paths.
    case picked([String])
    /// Picking was cancelled.
    case cancelled
    /// All pages were closed.
    case unseen
  }

  private struct State: Sendable {
    var streams: Set<UInt64> = []
    /// The windows that pages show. The last used window is at the end.
    var windows: [String] = []
    var wasSeen = false
    /// The location, and the item in it, that the next page shows first.
    var first: (location: String, item: String?)?
    var end: End?
    var waiting: CheckedContinuation<End, Never>?
    var forwarding: Task<Void, Never>?
    var beating: Task<Void, Never>?
    var http: HTTPServer?
    var access: RequestGuard?
    var proof: PageProof?
    var templates: [String: [UInt8]] = [:]
    var pages: [ForwardingPage] = []
    /// Ends the jobs that run, by the names that pages have given them.
    var jobs: [String: @Sendable () -> Void] = [:]
    /// Jobs that were cancelled before they began.
    var cancelled: Set<String> = []
  }

  package let browser: Browser
  package let settings: Settings
  private let player: PlayerFiles
  private let state = Lock(State())

  private let owners = ConnectionOwner()
  /// The keys that are kept for pages of earlier starts.
  private static let mostKeys = 4

  /// Seconds between lines of a stream without events, by which ended connections are noticed.
  private static let beat = 15.0

  /// Starts a server.
  /// - Parameters:
  ///   - browser: the browser.
  ///   - player: the player for pages. Without a module, the server draws effects.
  ///   - settings: port, keys and end.
  /// - Throws: ``ParticlesCore/Rule/fileUnreadable`` if the port cannot be used.
  package init(_ browser: Browser, player: PlayerFiles, _ settings: Settings = Settings()) throws {
    (self.browser, self.player, self.settings) = (browser, player, settings)
    // The server holds the calls, and this object the server.
    var calls = HTTPServer.Calls { [weak self] in
      self?.judge($0) ?? .refuse(HTTPAnswer(status: 503))
    }
    calls.admits = { [weak self, owners] port in
      self.map { owners.isOurs(from: port, to: $0.port) } ?? false
    }
    calls.closed = { [weak self] number in self?.ended(number) }
    if settings.catchesSignals {
      calls.interrupted = { [weak self] in self?.end(.interrupted) }
    }
    // Requests may come at once: they wait for the lock.
    try state.withLock { state in
      let http = try HTTPServer(port: settings.port, calls: calls)
      let access = RequestGuard(
        host: "127.0.0.1:\(http.port)", secret: RequestGuard.makeSecret(),
        toolSecret: RequestGuard.makeSecret())
      state.proof = PageProof(
        host: access.host,
        keys: Array(([RequestGuard.makeSecret()] + settings.keys).prefix(Self.mostKeys)),
        secret: access.secret)
      (state.http, state.access) = (http, access)
    }
    let events = browser.events()
    let forwarding = Task { [weak self] in
      for await event in events { self?.forward(event) }
    }
    state.withLock { $0.forwarding = forwarding }
  }

  package var port: Int { state.withLock { $0.http?.port ?? 0 } }

  /// The secret in the address of pages, random at each start.
  package var secret: String { state.withLock { $0.access?.secret ?? "" } }

  /// Where later calls of the tool reach the server, and the keys of pages of this and earlier starts.
  package var record: BrowserRecord.Address {
    state.withLock {
      BrowserRecord.Address(
        port: $0.http?.port ?? 0, secret: $0.access?.secret ?? "",
        toolSecret: $0.access?.toolSecret ?? "", keys: $0.proof?.keys ?? [])
    }
  }

  var access: RequestGuard? { state.withLock(\.access) }

  var proof: PageProof? { state.withLock(\.proof) }

  /// The key by which a page recognizes the program after its next start.
  var key: String { proof?.keys.first ?? "" }

  /// Whether connections of other users can be distinguished from the user's own.
  package var knowsUsers: Bool { owners.isKnown }

  /// The address of the first page. It grants all rights of the pages.
  package var address: String { "http://127.0.0.1:\(port)/\(secret)/" }

  /// Whether the module in pages moves effects. If not, the server draws them.
  var hasModule: Bool { player.module != nil }

  /// Sets the location, and an item in it, that the next page shows first.
  package func begin(at location: String, item: String?) {
    state.withLock { $0.first = (location, item) }
    // A web browser takes longer to start than a folder to be read.
    Task { [browser] in
      var query = BrowserQuery(location)
      query.count = 1
      _ = try? await browser.list(query)
    }
  }

  /// Writes the private file that forwards to the first page. It is removed after a minute, or with the server.
  /// - Parameter shown: the item to show.
  package func makeForwardingPage(showing shown: String? = nil) throws -> String? {
    guard let folder = settings.forwardingFolder else { return nil }
    let page = try ForwardingPage(
      to: shown.map { "\(address)?show=\($0)" } ?? address, in: folder)
    state.withLock { $0.pages.append(page) }
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(60))
      page.remove()
      self?.state.withLock { state in state.pages.removeAll { $0.path == page.path } }
    }
    return page.path
  }

  /// The last used window, or nil if unknown.
  var lastWindow: String? { state.withLock(\.windows.last) }

  /// Notes that a window was used, or closed.
  func noteUse(of window: String, isClosed: Bool = false) {
    state.withLock { state in
      state.windows.removeAll { $0 == window }
      if !isClosed { state.windows = state.windows.suffix(63) + [window] }
    }
  }

  func takeFirst() -> (location: String, item: String?)? {
    state.withLock { state in
      defer { state.first = nil }
      return state.first
    }
  }

  // MARK: End

  package func waitForEnd() async -> End {
    await withCheckedContinuation { continuation in
      let end = state.withLock { state in
        if state.end == nil { state.waiting = continuation }
        return state.end
      }
      if let end { continuation.resume(returning: end) }
    }
  }

  func end(_ end: End) {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      if state.end == nil { state.end = end }
      return state.waiting
    }
    waiting?.resume(returning: end)
  }

  /// Closes all connections. Pages then show that the program has ended.
  package func stop() {
    let (http, tasks) = state.withLock { state in
      defer { (state.http, state.forwarding, state.beating) = (nil, nil, nil) }
      return (state.http, [state.forwarding, state.beating])
    }
    for task in tasks { task?.cancel() }
    for page in state.withLock({ $0.pages }) { page.remove() }
    http?.stop()
  }

  // MARK: Requests

  func answer(_ request: HTTPRequest, _ answer: HTTPAnswer) {
    var answer = answer
    if request.method == "HEAD", !answer.isStream { answer.body = [] }
    state.withLock { $0.http }?.answer(request.number, answer)
  }

  // MARK: Events

  /// The number of pages that are connected.
  var pageCount: Int { state.withLock { $0.streams.count } }

  /// Whether a page was ever connected.
  var wasSeen: Bool { state.withLock { $0.wasSeen } }

  func beginStream(_ number: UInt64) -> HTTPAnswer {
    state.withLock { state in
      state.streams.insert(number)
      state.wasSeen = true
      if state.beating == nil {
        state.beating = Task { [weak self] in
          while !Task.isCancelled, self?.sendBeat() ?? false {
            try? await Task.sleep(for: .seconds(Self.beat))
          }
        }
      }
    }
    return HTTPAnswer(
      headers: HTTPAnswer.guarding + [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
      ], body: Array("retry: 1000\n\n".utf8), isStream: true)
  }

  /// - Returns: whether there are streams.
  private func sendBeat() -> Bool {
    let isOver = state.withLock { state in
      if state.streams.isEmpty { state.beating = nil }
      return state.streams.isEmpty
    }
    if !isOver { send(Array(":\n\n".utf8)) }
    return !isOver
  }

  private func ended(_ number: UInt64) {
    let isLast = state.withLock { state in
      state.streams.remove(number) != nil && state.streams.isEmpty
    }
    guard isLast, let seconds = settings.secondsWithoutPages else { return }
    // A page that is loaded again is gone for a moment.
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(seconds))
      if self?.pageCount == 0 { self?.end(.unseen) }
    }
  }

  private func forward(_ event: BrowserEvent) {
    switch event {
    case .picked(let paths): end(.picked(paths))
    case .cancelled: end(.cancelled)
    // The pages concerned get a separate event.
    case .reveal: return
    // Rows are included, so that pages need not list the folder again.
    case .items(let location, let changed, let removed, let revision):
      let shown = changed.filter(browser.configuration.shows)
      let hidden = changed.filter { !browser.configuration.shows($0) }.map(\.id)
      return tell([
        "event": "items", "location": .string(location), "revision": .int(revision),
        "changed": .array(shown.map { Self.row($0) }),
        "removed": .array((removed + hidden).map(JSONValue.string)),
      ])
    default: break
    }
    tell(event.json)
  }

  /// Sends an event to all pages.
  func tell(_ event: JSONValue) { send(Array("data: \(event.denseText)\n\n".utf8)) }

  private func send(_ bytes: [UInt8]) {
    let (http, streams) = state.withLock { ($0.http, $0.streams) }
    for number in streams { http?.send(bytes, to: number) }
  }

  // MARK: Jobs

  /// Does work that a page can cancel by the name of the job.
  /// - Parameter name: the name, unique among pages, or nil for work that cannot be cancelled.
  /// - Throws: `CancellationError` if it was cancelled, or the errors of the work.
  func job<Value: Sendable>(
    _ name: String?, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let name, !name.isEmpty else { return try await body() }
    let task = Task { try await body() }
    let isOver = state.withLock { state in
      state.jobs[name] = { task.cancel() }
      return state.cancelled.remove(name) != nil
    }
    if isOver { task.cancel() }
    defer { state.withLock { $0.jobs[name] = nil } }
    return try await task.value
  }

  /// Cancels a job, also before it begins.
  func cancel(_ name: String) {
    let cancel = state.withLock { state in
      let cancel = state.jobs[name]
      if cancel == nil, state.cancelled.count < 64 { state.cancelled.insert(name) }
      return cancel
    }
    cancel?()
  }

  /// A function that sends the progress of a job to all pages, in steps of a hundredth.
  func progress(of job: String?) -> @Sendable (Double) -> Void {
    guard let job else { return { _ in } }
    let last = Lock(-1)
    return { [weak self] part in
      let percent = Int(saturating: (100 * min(1, max(0, part))).rounded(.down))
      let isNew = last.withLock { last in
        defer { last = max(last, percent) }
        return percent > last
      }
      guard isNew else { return }
      self?.tell([
        "event": "progress", "job": .string(job), "fraction": .double(Double(percent) / 100),
      ])
    }
  }

  // MARK: Files

  func file(_ name: String) throws -> HTTPAnswer {
    guard let bytes = BrowserPages.file(name) else {
      throw Diagnostic(.fileNotFound, at: Location(file: name))
    }
    return HTTPAnswer(bytes, as: BrowserPages.type(of: name), cache: "no-cache")
  }

  func playerFile(_ name: String) throws -> HTTPAnswer {
    if name == "particles.wasm", let module = player.module {
      var answer = HTTPAnswer(module, as: "application/wasm", cache: "no-cache")
      answer.headers.append(("Content-Encoding", "gzip"))
      return answer
    }
    guard name.hasSuffix(".js"), let bytes = player.files[name] else {
      throw Diagnostic(.fileNotFound, at: Location(file: name))
    }
    return HTTPAnswer(bytes, as: BrowserPages.type(of: name), cache: "no-cache")
  }

  /// A page that effects are exported into.
  func page(of package: EffectPackage, title: String) throws -> [UInt8] {
    try PlayerPage(package, title: title).bytes(player)
  }

  /// The bytes for a template, made once and kept.
  func templateFile(
    _ key: String, _ make: @Sendable @escaping () throws -> [UInt8]
  ) async throws -> [UInt8] {
    if let known = state.withLock({ $0.templates[key] }) { return known }
    let bytes = try await BackgroundWork().run(make)
    state.withLock { $0.templates[key] = bytes }
    return bytes
  }
}

/// Judges requests, and takes up pages of earlier starts.
extension BrowserServer {
  /// Judges a request before its body is read.
  func judge(_ request: HTTPRequest) -> HTTPVerdict {
    guard let access else { return .refuse(HTTPAnswer(status: 503)) }
    let place: RequestGuard.Place
    do {
      place = try access.check(request)
    } catch {
      return .refuse(
        (error as? RequestGuard.Refusal).map(HTTPAnswer.init) ?? HTTPAnswer(failure: error))
    }
    let (routes, rest) = Route.find(place.path, for: place.access)
    guard !routes.isEmpty else {
      return .refuse(HTTPAnswer(["message": "no such route"], status: 404))
    }
    let method = request.method == "HEAD" ? "GET" : request.method
    guard let route = routes.first(where: { $0.method.rawValue == method }) else {
      return .refuse(HTTPAnswer(["message": "another method"], status: 405))
    }
    guard let query = QueryText.values(place.query) else {
      return .refuse(HTTPAnswer(["message": "the query is malformed"], status: 400))
    }
    guard !(route.isChanging && browser.configuration.isReadOnly) else {
      return .refuse(
        HTTPAnswer(failure: Diagnostic(.fileReadOnly, "the browser was started with --read-only")))
    }
    return .accept(most: route.mostBytes, isProven: place.access != .anyone) {
      [weak self] request in
      guard let self else { return }
      let call = RouteRequest(number: request.number, rest: rest, query: query, body: request.body)
      Task {
        do {
          answer(request, try await route.answer(self, call))
        } catch {
          failed(error)
          answer(request, HTTPAnswer(failure: error))
        }
      }
    }
  }

  /// Sends an event about a failure, for logs.
  private func failed(_ error: any Error) {
    // Cancelling is no failure.
    guard !(error is CancellationError) else { return }
    browser.hub.send(.failed(Browser.diagnostic(error)))
  }

  /// Returns the outcome of an operation, and sends events about its failures, for logs.
  func told(_ outcome: BrowserOutcome) -> BrowserOutcome {
    for result in outcome.results where result.status == .failed {
      result.diagnostic.map(failed)
    }
    return outcome
  }

  // MARK: Pages of earlier starts

  /// The first part of the proof: see ``PageProof``.
  func askAgain(_ request: RouteRequest) throws -> HTTPAnswer {
    guard let answer = proof?.ask(try request.value("nonce")) else {
      throw Diagnostic(.usage, "'nonce'", expected: "64 hexadecimal digits")
    }
    return HTTPAnswer(answer)
  }

  /// The second part of the proof.
  func openAgain(_ request: RouteRequest) throws -> HTTPAnswer {
    let object = try request.object()
    guard
      let answer = proof?.open(
        object["nonce"]?.string ?? "", proof: object["proof"]?.string ?? "")
    else { return HTTPAnswer(RequestGuard.Refusal(status: 403, reason: "no proof")) }
    return HTTPAnswer(answer)
  }
}

/// The files of the pages, embedded in the executable.
enum BrowserPages {
  static func file(_ name: String) -> [UInt8]? { contents(name).map(Array.init) }

  /// The bytes of the file with this name, which are in the executable, or nil.
  static func contents(_ name: String) -> UnsafeRawBufferPointer? {
    var index = 0
    while let page = particles_browser_page_at(index)?.pointee {
      if String(cString: page.name) == name {
        return UnsafeRawBufferPointer(start: page.start, count: page.size)
      }
      index += 1
    }
    return nil
  }

  /// The names, in order.
  static var names: [String] {
    var names: [String] = []
    while let page = particles_browser_page_at(names.count)?.pointee {
      names.append(String(cString: page.name))
    }
    return names
  }

  /// The media type of a file by its extension.
  static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    case "json": "application/json"
    case "wasm": "application/wasm"
    default: "text/plain; charset=utf-8"
    }
  }
}
