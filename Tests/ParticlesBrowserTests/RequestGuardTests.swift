import ParticlesCore
import Testing

@testable import ParticlesBrowser

/// Requests that are refused before anything is read for them.
@Suite("Guard of requests")
struct RequestGuardTests {
  private static let secret = String(repeating: "0123456789abcdef", count: 4)
  private static let gate = RequestGuard(host: "127.0.0.1:40123", secret: secret)

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
    "headers: one host, no other origin, no other site, and nothing that readers take in two ways",
    arguments: [
      ([("Host", "127.0.0.1:40123")], nil), ([("HOST", "127.0.0.1:40123"), ("x", "a\tb")], nil),
      ([], 403), ([("Host", "localhost:40123")], 403), ([("Host", "127.0.0.1")], 403),
      ([("Host", "127.0.0.1:40123 ")], 403), ([("Host", "127.0.0.1:40124")], 403),
      ([("Host", "127.0.0.1:40123"), ("host", "127.0.0.1:40123")], 400),
      ([("Host", "127.0.0.1:40123"), ("Origin", "http://127.0.0.1:40123")], nil),
      ([("Host", "127.0.0.1:40123"), ("Origin", "https://127.0.0.1:40123")], 403),
      ([("Host", "127.0.0.1:40123"), ("Origin", "http://127.0.0.1:40124")], 403),
      ([("Host", "127.0.0.1:40123"), ("Origin", "null")], 403),
      ([("Host", "127.0.0.1:40123"), ("Origin", "")], 403),
      (
        [
          ("Host", "127.0.0.1:40123"), ("Origin", "http://127.0.0.1:40123"),
          ("origin", "http://127.0.0.1:40123"),
        ], 400
      ),
      ([("Host", "127.0.0.1:40123"), ("Content-Length", "1"), ("content-length", "1")], 400),
      ([("Host", "127.0.0.1:40123"), ("Transfer-Encoding", "a"), ("transfer-encoding", "b")], 400),
      ([("Host", "127.0.0.1:40123"), ("Sec-Fetch-Site", "none"), ("sec-fetch-site", "none")], 400),
      ([("Host", "127.0.0.1:40123"), ("Cookie", "1"), ("Cookie", "2")], nil),
      ([("Host ", "127.0.0.1:40123")], 400), ([("Host", "127.0.0.1:40123"), ("", "a")], 400),
      ([("Host", "127.0.0.1:40123"), ("a b", "c")], 400),
      ([("Host", "127.0.0.1:40123"), ("a:", "c")], 400),
      ([("Host", "127.0.0.1:40123"), ("a", "b\r\nc")], 400),
      ([("Host", "127.0.0.1:40123"), ("a", "b\0")], 400),
      ([("Host", "127.0.0.1:40123"), ("a", "b\u{7F}")], 400),
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
