import ParticlesCore
import ParticlesDocuments
import ParticlesPlatform
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// What the server refuses, over real connections.
@Suite("Server of the browser")
struct ServerTests {
  private static func server(
    _ settings: BrowserServer.Settings = BrowserServer.Settings(), readOnly: Bool = false
  ) throws -> BrowserServer {
    var configuration = BrowserConfiguration()
    configuration.isReadOnly = readOnly
    let browser = try Browser(
      providers: [], configuration: configuration, environment: BrowserEnvironment(variables: [:]))
    return try BrowserServer(
      browser, player: PlayerFiles(files: ["element.js": Array("1".utf8)], module: [1]), settings)
  }

  /// Sends a request and returns the whole answer. `HOST` and `SECRET` are replaced.
  private static func ask(_ server: BrowserServer, _ request: String) async throws -> String {
    let text = request.replacing("HOST", with: "127.0.0.1:\(server.port)")
      .replacing("SECRET", with: server.secret).replacing("TOOL", with: server.record.toolSecret)
      .replacing("\n", with: "\r\n")
    let port = server.port
    // The threads of tasks, of which the server needs one, must not wait.
    let answer = try await BackgroundWork().run {
      try LocalClient.exchange(Array(text.utf8), port: port, seconds: 5)
    }
    return String(decoding: answer, as: UTF8.self)
  }

  private static func status(_ answer: String) -> Int? {
    answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  private static let end = "Connection: close\n\n"

  @Test(
    "requests that are not those of our pages are refused",
    arguments: [
      (200, "GET /SECRET/ HTTP/1.1\nHost: HOST\n"),
      (200, "GET /SECRET/ HTTP/1.1\nHost: HOST\nSec-Fetch-Site: none\n"),
      (
        200,
        "GET /assets/main.js HTTP/1.1\nHost: HOST\nSec-Fetch-Site: same-origin\nOrigin: http://HOST\n"
      ),
      // Wrong or no secret.
      (403, "GET / HTTP/1.1\nHost: HOST\n"),
      (
        403,
        "GET /0000000000000000000000000000000000000000000000000000000000000000/ HTTP/1.1\nHost: HOST\n"
      ),
      (403, "GET /SECRET0/ HTTP/1.1\nHost: HOST\n"),
      // Another host or origin.
      (403, "GET /SECRET/ HTTP/1.1\nHost: example.com\n"),
      (403, "GET /SECRET/ HTTP/1.1\nHost: localhost\n"),
      (403, "GET /SECRET/ HTTP/1.1\n"),
      (403, "GET /SECRET/ HTTP/1.1\nHost: HOST\nOrigin: http://example.com\n"),
      (403, "GET /SECRET/ HTTP/1.1\nHost: HOST\nOrigin: null\n"),
      // What two readers take in two ways.
      (400, "GET http://HOST/SECRET/ HTTP/1.1\nHost: HOST\n"),
      (400, "GET /SECRET/ HTTP/1.1\nHost: HOST\nHost: HOST\n"),
      (400, "POST /SECRET/undo HTTP/1.1\nHost: HOST\nContent-Length: 0\nContent-Length: 0\n"),
      (400, "GET /SECRET/ HTTP/1.1\nHost : HOST\n"),
      (400, "GET /SECRET/ HTTP/1.1\nHost: HOST\nX Y: z\n"),
      (400, "GET /SECRET/ HTTP/1.1\nHost: HOST\nX: a\n b\n"),
      (400, "GET /SECRET/ HTTP/1.1\nHost: HOST\nX: a\0b\n"),
      (400, "POST /SECRET/undo HTTP/1.1\nHost: HOST\nContent-Length: +5\n"),
      (400, "POST /SECRET/undo HTTP/1.1\nHost: HOST\nTransfer-Encoding: xchunked\n"),
      (411, "POST /SECRET/undo HTTP/1.1\nHost: HOST\nTransfer-Encoding: chunked\n"),
      // Routes of the tool and routes of pages are apart.
      (404, "POST /SECRET/show HTTP/1.1\nHost: HOST\nContent-Length: 0\n"),
      (404, "GET /SECRET/windows HTTP/1.1\nHost: HOST\n"),
      (404, "GET /TOOL/state HTTP/1.1\nHost: HOST\n"),
      (200, "GET /TOOL/windows HTTP/1.1\nHost: HOST\n"),
      // Files that do not differ between users, but are not for other sites.
      (200, "GET /assets/main.js HTTP/1.1\nHost: HOST\n"),
      (403, "GET /assets/main.js HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\n"),
      (403, "GET /assets/main.js HTTP/1.1\nHost: example.com\n"),
      (400, "GET /again HTTP/1.1\nHost: HOST\n"),
      (403, "GET /again?nonce=1 HTTP/1.1\nHost: HOST\nOrigin: http://example.com\n"),
      // Requests from other sites. A file may open the first page.
      (403, "GET /SECRET/state HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\n"),
      (403, "GET /SECRET/ HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\n"),
      (
        403,
        "GET /SECRET/ HTTP/1.1\nHost: HOST\nSec-Fetch-Site: same-site\nSec-Fetch-Mode: no-cors\nSec-Fetch-Dest: image\n"
      ),
      (
        200,
        "GET /SECRET/ HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\nSec-Fetch-Dest: document\n"
      ),
      (
        403,
        "GET /SECRET/ HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\nSec-Fetch-Dest: iframe\n"
      ),
      // Paths.
      (400, "GET /assets/../assets/main.js HTTP/1.1\nHost: HOST\n"),
      (400, "GET /assets/%2e%2e/main.js HTTP/1.1\nHost: HOST\n"),
      (400, "GET //assets/main.js HTTP/1.1\nHost: HOST\n"),
      (404, "GET /assets/main.jsx HTTP/1.1\nHost: HOST\n"),
      (404, "GET /player/README.md HTTP/1.1\nHost: HOST\n"),
      (404, "GET /SECRET HTTP/1.1\nHost: HOST\n"),
      (404, "GET /SECRET/nothing HTTP/1.1\nHost: HOST\n"),
      (405, "GET /SECRET/trash HTTP/1.1\nHost: HOST\n"),
      (405, "POST /SECRET/state HTTP/1.1\nHost: HOST\n"),
      (400, "GET /SECRET/state?path=%FF HTTP/1.1\nHost: HOST\n"),
      (400, "GET /SECRET/state?path=a&path=b HTTP/1.1\nHost: HOST\n"),
      (404, "GET /SECRET/file?item=../../etc/passwd HTTP/1.1\nHost: HOST\n"),
      (404, "GET /SECRET/file?item=/etc/passwd HTTP/1.1\nHost: HOST\n"),
      // No HTTP.
      (400, "GARBAGE\n"),
      (501, "BREW /SECRET/ HTTP/1.1\nHost: HOST\n"),
    ])
  func refusals(_ status: Int, _ request: String) async throws {
    let server = try Self.server()
    defer { server.stop() }
    let answer = try await Self.ask(server, request + Self.end)
    #expect(Self.status(answer) == status, "\(request)\n\(answer.prefix(300))")
    // Nothing of the reason, and nothing of the secret.
    if status == 403 { #expect(answer.hasSuffix("\r\n\r\n"), "\(answer)") }
  }

  @Test("all answers have the headers that keep other pages away")
  func headers() async throws {
    let server = try Self.server()
    defer { server.stop() }
    for path in ["SECRET/", "assets/main.js", "player/particles.wasm", "SECRET/state", "SECRET/x"] {
      let answer = try await Self.ask(
        server, "GET /\(path) HTTP/1.1\nHost: HOST\n" + Self.end)
      let head = answer.prefix(
        upTo: answer.firstRange(of: "\r\n\r\n")?.lowerBound ?? answer.endIndex)
      #expect(
        head.contains(
          "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"))
      #expect(!head.contains("unsafe-inline"))
      #expect(head.contains("Referrer-Policy: no-referrer"))
      #expect(head.contains("X-Content-Type-Options: nosniff"))
      #expect(head.contains("Cache-Control: no-"))
      #expect(!head.lowercased().contains("set-cookie"))
    }
    let page = try await Self.ask(server, "GET /SECRET/ HTTP/1.1\nHost: HOST\n" + Self.end)
    #expect(page.contains("<document-collection"))
    // No code and no style in the page: the policy would refuse it.
    #expect(!page.contains("<style") && !page.contains(" style=") && !page.contains("<script>"))
  }

  @Test("--read-only refuses every route that changes documents")
  func readOnly() async throws {
    let server = try Self.server(readOnly: true)
    defer { server.stop() }
    let changing = Route.all.filter(\.isChanging)
    #expect(changing.allSatisfy { $0.method == .post })
    let others = Route.all.filter { $0.method == .post && !$0.isChanging }
    #expect(
      others.map(\.path).sorted() == [
        "action", "again", "answer", "cancel", "close", "compare", "edit-open", "favourite", "find",
        "information", "inspect", "offers", "open", "pick", "reveal", "setting", "share", "show",
        "window",
      ])
    for route in changing {
      let answer = try await Self.ask(
        server,
        "POST /SECRET/\(route.path) HTTP/1.1\nHost: HOST\nContent-Length: 2\n" + Self.end + "{}")
      #expect(Self.status(answer) == 403, "\(route.path)")
      #expect(answer.contains("file/read-only"), "\(answer)")
    }
  }

  @Test("the last page that is closed ends a server that waits for that")
  func unseen() async throws {
    var settings = BrowserServer.Settings()
    settings.secondsWithoutPages = 0.01
    let server = try Self.server(settings)
    let text = "GET /\(server.secret)/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
    let port = server.port
    let answer = try await BackgroundWork().run {
      let page = try Peer(port)
      page.send(text)
      return page.read(until: "text/event-stream")
    }
    #expect(answer.contains("text/event-stream"))
    // The end of a connection is noticed when something is written to it.
    for _ in 0..<20 {
      server.tell(["event": "test"])
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(await server.waitForEnd() == .unseen)
    server.stop()
  }

  @Test("the pages in the executable are the folder of the pages")
  func pages() throws {
    let folder = Repository.path("Sources/ParticlesBrowser/Pages")
    let names = try Files.list(folder).flatMap { name -> [String] in
      let path = Files.joined(folder, name)
      guard try Files.status(path)?.kind == .directory else { return [name] }
      return try Files.list(path).map { "\(name)/\($0)" }
    }
    #expect(BrowserPages.names == names.sorted())
  }

  @Test("queries are UTF-8 in percent-encoding")
  func queries() {
    #expect(QueryText.values("a=%C3%BC+b&c=") == ["a": "ü b", "c": ""])
    #expect(QueryText.values("") == [:])
    for bad in ["a", "a=%", "a=%zz", "a=%FF", "a=1&a=2"] { #expect(QueryText.values(bad) == nil) }
    #expect(QueryText.encoded("a ü\n\"") == "a%20%C3%BC%0A%22")
  }
}
