import ParticlesBrowser
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
internal import ParticlesPlatform
import ParticlesSystem

/// A scripted session with a text or an effect, for tests that kill it: each edit is saved automatically and
/// then acknowledged with a line.
///
///     ParticlesSaveProbe session <document> <data folder> place|journal|hold <edits>
///
/// Nothing happens by a timer, so that a run makes equal system calls each time. With `hold`, the program edits and
/// saves again and again until it is killed, or its standard input ends, as it does with the test.
enum Session {
  static func run(
    _ path: String, data: String, inPlace: Bool, edits: Int, holding isHeld: Bool = false
  ) async throws {
    var configuration = DocumentConfiguration(dataFolder: data)
    configuration.autosave = .off
    configuration.isWatching = false
    configuration.presenceFolder = nil
    // The window is longer than the session, which saves by itself.
    if !inPlace { configuration.autosave = .recovery(seconds: 86_400) }
    if path.hasSuffix(".txt") {
      let document = Document<PlainText>(path: path, configuration: configuration)
      if isHeld { return try await hold(document) }
      try await session(document, inPlace: inPlace, edits) { $0.text = "state \($1)\n" }
    } else {
      let document = Document<FileTree>(path: path, configuration: configuration)
      try await session(document, inPlace: inPlace, edits) { tree, number in
        let node = FileNode(regularFileWithContents: Array("state \(number)\n".utf8))
        try tree.root.setFileNode(node, at: "state")
      }
    }
  }

  /// Whether there is nothing more to read.
  private static var inputHasEnded: Bool {
    var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    return poll(&input, 1, 0) > 0 && read(0, &byte, 1) <= 0
  }

  /// Edits a text and saves it, wherever that is possible, until the program is killed or its input ends.
  private static func hold(_ document: Document<PlainText>) async throws {
    try await document.open()
    var number = 0
    while !inputHasEnded {
      try await document.edit("Edit") { [number] in $0.text = "state \(number)\n" }
      try await document.autosave()
      number += 1
      try await Task.sleep(nanoseconds: 5_000_000)
    }
  }

  private static func session<Content>(
    _ document: Document<Content>, inPlace: Bool, _ edits: Int,
    _ edit: @Sendable (inout Content, Int) throws -> Void
  ) async throws {
    try await document.open()
    for number in 1...edits {
      try await document.edit("Edit") { try edit(&$0, number) }
      try await document.autosave()
      if inPlace == (await document.hasUnsavedChanges) { exit(3) }
      acknowledge("\(number)")
    }
    // The program ends without a save, as a crash does.
  }

  /// Edits a document together with other processes: each edit adds a file of its own, and is acknowledged
  /// when it is saved.
  ///
  ///     ParticlesSaveProbe share <document> <data folder> <name> <edits>
  static func share(_ path: String, data: String, name: String, edits: Int) async throws {
    var configuration = DocumentConfiguration(dataFolder: data)
    configuration.autosave = .off
    configuration.timeout = 60
    configuration.keepsVersions = false
    let document = Document<FileTree>(path: path, configuration: configuration)
    try await document.open()
    for number in 0..<edits {
      let node = FileNode(regularFileWithContents: Array("\(number)".utf8))
      try await document.edit("Edit") { try $0.root.setFileNode(node, at: "\(name)/\(number)") }
      try await document.save()
      acknowledge("\(name)/\(number)")
    }
    try await document.close()
  }

  /// One system call for each line, without a buffer that a signal could lose.
  private static func acknowledge(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}

/// Many documents in a process that may have few descriptors.
///
///     ParticlesSaveProbe many <folder> <data folder> <documents> <descriptors>
///
/// Prints how many descriptors and threads there are when all documents are open. Prints `done` when all have been
/// edited, moved and saved.
enum ManyDocuments {
  static func run(_ folder: String, data: String, count: Int, limit: Int) async throws {
    try Files.makeDirectories("\(folder)/sub")
    let image = FileNode(
      regularFileWithContents: (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) })
    let kinds = ["txt", "flat", "folder"]
    for number in 0..<count {
      let root = try FileNode(directoryWithFileNodes: [
        "state": FileNode(regularFileWithContents: Array("0".utf8)), "image": image,
      ])
      let path = "\(folder)/\(number).\(kinds[number % 3])"
      switch number % 3 {
      case 0: try Files.create(path, Array("0".utf8))
      case 1: try Container(root: root).write(to: path, as: .flat)
      default: try Container(root: root).write(to: path, as: .directory)
      }
    }
    var few = rlimit()
    getrlimit(.init(RLIMIT_NOFILE.rawValue), &few)
    few.rlim_cur = rlim_t(limit)
    setrlimit(.init(RLIMIT_NOFILE.rawValue), &few)
    var configuration = DocumentConfiguration(dataFolder: data)
    configuration.keepsVersions = false
    let documents = (0..<count).map {
      Document<FileTree>(path: "\(folder)/\($0).\(kinds[$0 % 3])", configuration: configuration)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for document in documents { group.addTask { try await document.open() } }
      try await group.waitForAll()
    }
    let descriptors = try Files.list("/proc/self/fd").count
    let threads = try Files.list("/proc/self/task").count
    print("\(descriptors) \(threads)")
    // Another program deletes a document and moves others. Contents that were not read yet are still there.
    for number in stride(from: 1, to: count, by: 10) {
      let name = "\(number).\(kinds[number % 3])"
      if number % 20 == 1 {
        try Files.removeAll("\(folder)/\(name)")
      } else {
        try Files.rename("\(folder)/\(name)", "\(folder)/sub/\(name)")
      }
    }
    for (number, document) in documents.enumerated() {
      if number % 10 == 1 {
        try await document.lookOutside()
        if number % 20 == 1 {
          guard await document.states.contains(.deleted) else { exit(3) }
        } else {
          guard document.path?.contains("/sub/") ?? false else { exit(4) }
        }
      }
      try await document.edit("Edit") { tree in
        let new = FileNode(regularFileWithContents: Array("1".utf8))
        if number % 3 == 0 { tree.root = new } else { try tree.root.setFileNode(new, at: "state") }
      }
      try await document.saveAnyway()
      guard let path = document.path else { exit(5) }
      let stored = number % 3 == 0 ? nil : try Container(contentsOf: path).root
      let state = try stored?["state"]?.regularFileContents() ?? Files.read(path)
      guard state == [UInt8(ascii: "1")] else { exit(6) }
      if let stored, stored["image"] != image { exit(7) }
    }
    print("done")
  }

  /// Uses up all descriptors, and opens documents then.
  ///
  ///     ParticlesSaveProbe exhaust <folder> <data folder> <documents> <descriptors>
  static func exhaust(_ folder: String, data: String, count: Int, limit: Int) async throws {
    try Files.makeDirectories(folder)
    for number in 0..<count { try Files.create("\(folder)/\(number)", Array("0".utf8)) }
    var few = rlimit()
    getrlimit(.init(RLIMIT_NOFILE.rawValue), &few)
    few.rlim_cur = rlim_t(limit)
    setrlimit(.init(RLIMIT_NOFILE.rawValue), &few)
    var open: [OpenFile] = []
    func useUp() -> any Error {
      do {
        while true { open.append(try OpenFile(reading: folder)) }
      } catch {
        return error
      }
    }
    print("\(useUp())")
    var failed = 0
    for number in 0..<count {
      // The runtime reads files of /proc now and then. A document may take the descriptor that is free afterwards.
      for _ in 0..<5 {
        _ = useUp()
        let document = Document<PlainText>(
          path: "\(folder)/\(number)", configuration: DocumentConfiguration(dataFolder: data))
        do {
          try await document.open()
          try await document.close()
        } catch {
          failed += 1
          break
        }
      }
    }
    print("\(failed) of \(count) failed")
    open = []
    let document = Document<PlainText>(
      path: "\(folder)/0", configuration: DocumentConfiguration(dataFolder: data))
    try await document.open()
    try await document.edit("Edit") { $0.text += "1" }
    try await document.close()
    print("done")
  }
}

/// Ticks of a slider in the effect editor, over one connection, for the ledger of costs.
///
///     ParticlesSaveProbe ticks <document> <ticks>
///
/// Prints the answers to the ticks, so that their bytes are counted.
struct Ticks {
  private let server: BrowserServer
  private let connection: CInt

  static func run(_ document: String, count: Int) async throws {
    let path = try Files.resolve(document)
    let environment = BrowserEnvironment()
    var configuration = BrowserConfiguration()
    configuration.autosave = .off
    let browser = try Browser(
      providers: Browser.standardProviders([Files.folder(of: path)], environment: environment),
      configuration: configuration, environment: environment, registry: DocumentRegistry())
    let server = try BrowserServer(browser, player: PlayerFiles(files: [:], module: nil))
    let ticks = try Ticks(
      server: server, connection: LocalClient.connection(to: server.port, seconds: 100))
    try await ticks.run(path, count: count)
    server.stop()
  }

  private func run(_ path: String, count: Int) async throws {
    let found = try await ask("find", ["path": .string(path)])
    let state = try await ask("edit-open", ["item": found["id"] ?? .null, "window": "w"])
    var order: JSONObject = ["window": "w", "name": "Rate", "id": "ticks-of-one-slider"]
    order["item"] = found["id"]
    order["opening"] = state["document"]?.object?["opening"]
    order["revision"] = state["revision"]
    for tick in 1...count {
      order["gesture"] = ["tick": .int(tick), "phase": "change"]
      let change: JSONObject = [
        "key": "emitters[0].emission.rate", "value": .int(50 + tick % 10),
      ]
      order["changes"] = .array([.object(change)])
      let answer = try await ask("edit", .object(order))
      order["revision"] = answer["revision"]
      print(JSONValue.object(answer).denseText)
    }
  }

  private struct Failure: Error { var answer: String }

  private func ask(_ route: String, _ body: JSONValue) async throws -> JSONObject {
    let contents = body.denseText
    let request = """
      POST /\(server.secret)/\(route) HTTP/1.1\r
      Host: 127.0.0.1:\(server.port)\r
      Content-Length: \(contents.utf8.count)\r
      \r
      \(contents)
      """
    // The server needs the threads of tasks.
    let answer = try await BackgroundWork().run { try exchange(Array(request.utf8)) }
    guard let object = try JSONParser.parse(answer).object else {
      throw Failure(answer: String(decoding: answer, as: UTF8.self))
    }
    return object
  }

  /// Sends a request, and returns the body of the answer.
  private func exchange(_ request: [UInt8]) throws -> [UInt8] {
    guard send(connection, request, request.count, 0) == request.count else {
      throw Failure(answer: "nothing is sent")
    }
    var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { throw Failure(answer: String(decoding: answer, as: UTF8.self)) }
      answer += buffer[..<count]
      // The body is an object, and no header has a brace.
      guard let end = answer.firstIndex(of: UInt8(ascii: "{")) else { continue }
      let head = String(decoding: answer[..<end], as: UTF8.self).lowercased()
      let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
      if let size = length.flatMap({ Int($0.dropFirst(16)) }), answer.count == end + size {
        return Array(answer[end...])
      }
    }
  }
}
