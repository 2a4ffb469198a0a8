internal import ParticlesCore
internal import ParticlesDocuments

/// The thumbnails that are drawn now: two at a time, and each once.
struct PictureQueue {
  var running: [String: Task<[UInt8], any Error>] = [:]
}

extension Browser {
  /// The thumbnail of a document as PNG, from the cache of the desktop; it is drawn, and kept there, if it is missing or of
  /// another state of the document.
  /// - Parameters:
  ///   - id: the document.
  ///   - size: 128, 256, 512 or 1024 pixels.
  /// - Throws: the error that makes the document unreadable, or ``ParticlesCore/Rule/limit`` if drawing takes more than
  ///   the standard limits allow: about 1.5 s, and 128 MB. The same for each call, until the document changes.
  public func thumbnail(of id: BrowserItem.ID, size: Int) async throws -> [UInt8] {
    let path = try await localFile(of: id)
    guard let folder = ThumbnailCache.folders.first(where: { $0.size == size }) else {
      throw Diagnostic(
        .range, "the size of a thumbnail", expected: "128, 256, 512 or 1024", found: "\(size)")
    }
    let modified = try Files.status(path)?.state.modified
    if let problem = problems[id], problem.state == modified, let fault = problem.problem,
      fault.severity == .error
    {
      throw fault
    }
    let cache = ThumbnailCache(environment.directories.cacheHome)
    if let bytes = cache.read(path, folder.name) { return bytes }
    let key = "\(path)\0\(size)"
    let task: Task<[UInt8], any Error>
    if let running = pictures.running[key] {
      task = running
    } else {
      task = Task { [places] in
        try await Painter.run(within: places) {
          try Task.checkCancellation()
          return try cache.draw(path, folder).bytes
        }
      }
      pictures.running[key] = task
    }
    defer { pictures.running[key] = nil }
    do {
      return try await task.value
    } catch {
      let fault = Self.diagnostic(error, at: path)
      if !(error is CancellationError) { note(fault, of: id, modified) }
      throw fault
    }
  }

  private func note(_ fault: Diagnostic, of id: BrowserItem.ID, _ modified: Double?) {
    problems[id] = (modified, fault)
  }

  /// Opens documents to find their problems. Called for visible rows, after a pause.
  /// - Returns: the items with their problems and formats. Those with others than before are told as events, too.
  public func inspect(_ ids: [BrowserItem.ID]) async -> [BrowserItem] {
    var result: [BrowserItem] = []
    var changed: [BrowserItem.ID: [BrowserItem]] = [:]
    for id in ids.prefix(400) {
      guard !Task.isCancelled, var item = try? await item(id) else { continue }
      if item.format != nil, item.problem == nil,
        problems[id]?.state != item.modified || problems[id] == nil,
        let path = try? await localFile(of: id)
      {
        let fault = await Painter.check(path, within: places)
        problems[id] = (item.modified, fault)
        if fault != nil {
          item.problem = fault
          if let parent = item.parent { changed[parent, default: []].append(item) }
        }
      }
      result.append(item)
    }
    for (folder, items) in changed { tell(items, in: folder) }
    return result
  }
}

/// Draws thumbnails on a thread of its own. There are two, and what is next goes to the one that has less to do.
private actor Painter {
  private let queue = FileQueue()
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  private static let all = [Painter(), Painter()]
  private static let waiting = Lock([0, 0])

  static func run<Result: Sendable>(
    within places: Places, _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    let number = waiting.withLock { waiting in
      let number = waiting[1] < waiting[0] ? 1 : 0
      waiting[number] += 1
      return number
    }
    defer { waiting.withLock { $0[number] -= 1 } }
    return try await all[number].perform { try Places.run(within: places, body) }
  }

  private func perform<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result {
    try body()
  }

  /// The error that makes a document unreadable; nil if there is none.
  static func check(_ path: String, within places: Places) async -> Diagnostic? {
    do {
      try await run(within: places) { _ = try OpenedEffect(path: path).package.system() }
      return nil
    } catch {
      return Browser.diagnostic(error, at: path)
    }
  }
}
