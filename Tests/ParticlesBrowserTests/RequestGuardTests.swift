import ParticlesCore
import Testing

@testable import ParticlesBrowser

/// Requests that are refused by their heads.
@Suite("Guard of requests")
struct RequestGuardTests {
  private static let secret = String(repeating: "0123456789abcdef", count: 4)
  private static let tool = String(repeating: "fedcba9876543210", count: 4)
  private static let gate = RequestGuard(
    host: "127.0.0.1:40123", secret: secret, toolSecret: tool)

  private static func request(
    _ path: String, _ headers: [(String, String)] = [("Host", "127.0.0.1:40123")],
    method: String = "GET"
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, target: path.replacing("SECRET", with: secret),
      headers: headers.map { (name: $0.0, value: $0.1) })
  }

  private func refusal(_ request: HTTPRequest) -> Int? {
    do {
      _ = try Self.gate.check(request)
      return nil
    } catch {
      return (error as? RequestGuard.Refusal)?.status ?? -1
    }
  }

  @Test(
    "paths below the secret are taken, with their query",
    arguments: [
      ("/SECRET/", "", ""), ("/SECRET/list", "list", ""), ("/SECRET/list?a=1", "list", "a=1"),
      ("/SECRET/list?a=%2F&b=?", "list", "a=%2F&b=?"), ("/SECRET/assets/a.js", "assets/a.js", ""),
      ("/SECRET/a/", "a/", ""), ("/SECRET/?", "", ""), ("/SECRET/..a/b..", "..a/b..", ""),
    ])
  func places(target: String, path: String, query: String) throws {
    let place = try Self.gate.check(Self.request(target))
    #expect(place == RequestGuard.Place(path: path, query: query))
  }

  @Test("who asks is told by the path: pages, the tool, or anyone for what is the same for all")
  func access() throws {
    for (target, access, path) in [
      ("/SECRET/list", RequestGuard.Access.page, "list"),
      ("/SECRET/assets/a.js", .page, "assets/a.js"),
      ("/\(Self.tool)/show", .tool, "show"), ("/\(Self.tool)/", .tool, ""),
      ("/assets/a.js", .anyone, "assets/a.js"),
      ("/player/particles.wasm", .anyone, "player/particles.wasm"),
      ("/again", .anyone, "again"), ("/again?nonce=1", .anyone, "again"),
    ] {
      let place = try Self.gate.check(Self.request(target))
      #expect(place.access == access && place.path == path, "\(target)")
    }
    for target in ["/assets", "/again/", "/again/x", "/assetsx/a.js", "/xagain", "/state"] {
      #expect(refusal(Self.request(target)) == 403, "\(target)")
    }
    // No route for one kind of access is a route for another.
    for route in Route.all {
      for access in [RequestGuard.Access.anyone, .page, .tool] {
        let (found, _) = Route.find(
          route.path + (route.path.hasSuffix("/") ? "x" : ""), for: access)
        #expect(
          found.contains { $0.path == route.path } == (access == route.access), "\(route.path)")
      }
    }
    #expect(Set(Route.all.filter { $0.access == .tool }.map(\.path)) == ["show", "windows"])
    #expect(
      Set(Route.all.filter { $0.access == .anyone }.map(\.path)) == ["assets/", "player/", "again"])
  }

  @Test("a window with an address of before is told what to do; nobody else is")
  func again() {
    func request(_ headers: [(String, String)], _ method: String = "GET") -> HTTPAnswer? {
      let all = [("Host", "127.0.0.1:40123")] + headers
      do {
        _ = try Self.gate.check(
          Self.request("/\(String(repeating: "0", count: 64))/", all, method: method))
        return nil
      } catch {
        return (error as? RequestGuard.Refusal).map(HTTPAnswer.init)
      }
    }
    let window = [("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]
    let shown = request(window)
    #expect(shown?.status == 403)
    let text = String(decoding: shown?.body ?? [], as: UTF8.self)
    #expect(text.contains("particles browse"))
    #expect(shown?.headers.contains { $0.name == "Content-Security-Policy" } == true)
    for other in [[], [window[0]], [window[0], ("Sec-Fetch-Dest", "iframe")]] {
      #expect(request(other)?.body.isEmpty == true)
    }
    #expect(request(window, "POST")?.body.isEmpty == true)
  }

  @Test(
    "other targets are refused",
    arguments: [
      ("", 400), ("SECRET/list", 400), ("http://127.0.0.1:40123/SECRET/list", 400), ("*", 400),
      ("/SECRET/../list", 400), ("/SECRET/./list", 400), ("/SECRET/a//b", 400), ("//SECRET/a", 400),
      ("/SECRET/..", 400), ("/SECRET/.", 400), ("/SECRET/%61", 400), ("/%53ECRET/a", 400),
      ("/SECRET/a b", 400), ("/SECRET/a\\b", 400), ("/SECRET/a#b", 400), ("/SECRET/ä", 400),
      ("/SECRET/a\u{7F}", 400), ("/SECRET/list?ä", 400), ("/", 403), ("/list", 403),
      ("/SECRETx/list", 403), ("/SECRE/list", 403), ("/xSECRET/list", 403), ("/?SECRET", 403),
      ("/SECRET", 404),
    ])
  func targets(target: String, status: Int) {
    #expect(refusal(Self.request(target)) == status, "\(target)")
  }

  @Test("a target has at most 8,192 bytes; a secret has every character right")
  func bounds() {
    let rest = 8_192 - "/\(Self.secret)/".utf8.count
    #expect(refusal(Self.request("/SECRET/" + String(repeating: "a", count: rest))) == nil)
    #expect(refusal(Self.request("/SECRET/" + String(repeating: "a", count: rest + 1))) == 400)
    for place in [0, 1, 31, 62, 63] {
      var wrong = Array(Self.secret.utf8)
      wrong[place] = wrong[place] == 0x30 ? 0x31 : 0x30
      #expect(refusal(Self.request("/\(String(decoding: wrong, as: UTF8.self))/a")) == 403)
    }
    #expect(refusal(Self.request("/\(Self.secret.uppercased())/a")) == 403)
  }

  @Test(
    "headers: one host, no other origin, no other site",
    arguments: [
      ([("Host", "127.0.0.1:40123")], nil), ([("HOST", "127.0.0.1:40123"), ("x", "a\tb")], nil),
      ([], 403), ([("Host", "localhost:40123")], 403), ([("Host", "127.0.0.1")], 403),
      ([("Host", "127.0.0.1:40123 ")], 403), ([("Host", "127.0.0.1:40124")], 403),
      ([("Host", "127.0.0.1:40123"), ("host", "127.0.0.1:40123")], 403),
      ([("Host", "127.0.0.1:40123"), ("Origin", "http://127.0.0.1:40123")], nil),
      ([("Host", "127.0.0.1:40123"), ("Origin", "https://127.0.0.1:40123")], 403),
      ([("Host", "127.0.0.1:40123"), ("Origin", "http://127.0.0.1:40124")], 403),
      ([("Host", "127.0.0.1:40123"), ("Origin", "null")], 403),
      ([("Host", "127.0.0.1:40123"), ("Origin", "")], 403),
      ([("Host", "127.0.0.1:40123"), ("Cookie", "1"), ("Cookie", "2")], nil),
      ([("Host", "127.0.0.1:40123"), ("Sec-Fetch-Site", "same-origin")], nil),
      ([("Host", "127.0.0.1:40123"), ("Sec-Fetch-Site", "none")], nil),
      ([("Host", "127.0.0.1:40123"), ("Sec-Fetch-Site", "same-site")], 403),
      ([("Host", "127.0.0.1:40123"), ("Sec-Fetch-Site", "cross-site")], 403),
    ] as [([(String, String)], Int?)])
  func headers(headers: [(String, String)], status: Int?) {
    #expect(refusal(Self.request("/SECRET/list", headers)) == status, "\(headers)")
  }

  @Test("the private file may forward a window to the first page, and nothing else to another")
  func forwarding() {
    func request(
      _ path: String, _ method: String = "GET", mode: String = "navigate", dest: String = "document"
    ) -> HTTPRequest {
      Self.request(
        path,
        [
          ("Host", "127.0.0.1:40123"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", mode),
          ("Sec-Fetch-Dest", dest),
        ], method: method)
    }
    #expect(refusal(request("/SECRET/")) == nil && refusal(request("/SECRET/?a")) == nil)
    #expect(refusal(request("/SECRET/list")) == 403 && refusal(request("/SECRET/", "POST")) == 403)
    #expect(refusal(request("/SECRET/", "HEAD")) == 403)
    #expect(refusal(request("/SECRET/", mode: "no-cors")) == 403)
    #expect(refusal(request("/SECRET/", dest: "iframe")) == 403)
  }

  @Test("a secret has 64 digits in lower case, others each time")
  func secrets() {
    let made = (0..<20).map { _ in RequestGuard.makeSecret() }
    #expect(Set(made).count == 20 && made.allSatisfy(RequestGuard.isSecret))
    #expect(RequestGuard.isSecret(Self.secret))
    for wrong in [
      "", String(Self.secret.dropLast()), Self.secret + "0", Self.secret.uppercased(),
      Self.secret.replacing("0", with: "g"), String(repeating: "ä", count: 32),
    ] {
      #expect(!RequestGuard.isSecret(wrong), "\(wrong)")
    }
  }

  @Test("statuses of faults; a refusal has no text")
  func statuses() {
    for (rule, status) in [
      (Rule.fileNotFound, 404), (.usage, 400), (.fileConflict, 409), (.fileExists, 409),
      (.fileReadOnly, 403), (.range, 422), (.fileUnwritable, 422), (.limit, 422),
    ] {
      #expect(HTTPAnswer(failure: Diagnostic(rule)).status == status, "\(rule.code)")
    }
    #expect(HTTPAnswer(failure: CancellationError()).status == 409)
    let refused = HTTPAnswer(RequestGuard.Refusal(status: 403, reason: "secret words"))
    #expect(refused.status == 403 && refused.body.isEmpty)
    #expect(!refused.headers.contains { $0.value.contains("secret words") })
    for answer in [refused, HTTPAnswer(.null), HTTPAnswer([1], as: "a/b")] {
      #expect(answer.headers.contains { $0 == ("X-Frame-Options", "DENY") })
      #expect(answer.headers.contains { $0 == ("Cache-Control", "no-store") })
      #expect(answer.headers.contains { $0 == ("X-Content-Type-Options", "nosniff") })
    }
  }
}
