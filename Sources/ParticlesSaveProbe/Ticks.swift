import ParticlesBrowser
import ParticlesCore
import ParticlesDocuments
internal import ParticlesPlatform

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
    let answer = try await Workbench().run { try exchange(Array(request.utf8)) }
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
