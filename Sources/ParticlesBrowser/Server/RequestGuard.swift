internal import ParticlesCore

/// Refuses requests that do not come from our pages, before anything is read for them.
struct RequestGuard: Sendable {
  /// The bytes of the secret: 256 bits.
  static let secretBytes = 32

  /// `127.0.0.1:40123`: browsers send it in `Host`.
  let host: String
  /// The first part of all paths.
  let secret: String

  /// Creates a secret: 64 hexadecimal digits.
  static func makeSecret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<secretBytes).map { _ in UInt8.random(in: 0...255, using: &random) }.hexDigits
  }

  static func isSecret(_ text: String) -> Bool {
    text.utf8.count == 2 * secretBytes
      && text.utf8.allSatisfy {
        ("0"..."9").contains(Character(Unicode.Scalar($0)))
          || ("a"..."f").contains(Character(Unicode.Scalar($0)))
      }
  }

  /// The path below the secret, and the query behind it.
  struct Place: Sendable, Equatable {
    var path: String
    var query: String
  }

  /// A refusal, with the reason for tests and logs; pages are not told it.
  struct Refusal: Error, Equatable {
    var status: Int
    var reason: String
  }

  /// Checks a request.
  /// - Returns: its place below the secret.
  /// - Throws: a ``Refusal``.
  func check(_ request: HTTPRequest) throws -> Place {
    // Names with spaces, as in `Host :`, and headers of several lines are read in different ways.
    guard
      request.headers.allSatisfy({ header in
        !header.name.isEmpty && header.name.utf8.allSatisfy(Self.isToken)
          && header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
      })
    else { throw Refusal(status: 400, reason: "a header is malformed") }
    for name in ["host", "content-length", "origin", "sec-fetch-site", "transfer-encoding"]
    where request.values(name).count > 1 {
      throw Refusal(status: 400, reason: "\(name) is given twice")
    }
    guard let target = Self.target(request.target) else {
      throw Refusal(status: 400, reason: "the target is no plain path")
    }
    guard request.values("host") == [host] else {
      throw Refusal(status: 403, reason: "another host")
    }
    if let origin = request.values("origin").first, origin != "http://\(host)" {
      throw Refusal(status: 403, reason: "another origin")
    }
    let parts = target.path.dropFirst().split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, isOurs(first) else {
      throw Refusal(status: 403, reason: "no secret")
    }
    guard parts.count == 2 else { throw Refusal(status: 404, reason: "no path") }
    let place = Place(path: String(parts[1]), query: target.query)
    switch request.values("sec-fetch-site").first {
    case nil, "same-origin", "none": break
    case _ where place.path.isEmpty && Self.isNavigation(request): break
    default: throw Refusal(status: 403, reason: "from another site")
    }
    return place
  }

  /// The private file forwards to the first page; browsers take that for a request from another site.
  private static func isNavigation(_ request: HTTPRequest) -> Bool {
    request.method == "GET" && request.values("sec-fetch-mode") == ["navigate"]
      && request.values("sec-fetch-dest") == ["document"]
  }

  /// Compares without an early end, so that the time tells nothing.
  private func isOurs(_ text: Substring) -> Bool {
    let (a, b) = (Array(text.utf8), Array(secret.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  /// Path and query of a target in origin form, without `..`, empty parts, escapes of the path and other bytes than
  /// those of ASCII.
  private static func target(_ text: String) -> (path: String, query: String)? {
    guard text.utf8.first == UInt8(ascii: "/"), text.utf8.count <= 8192,
      text.utf8.allSatisfy({
        $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#")
      })
    else { return nil }
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = halves[0]
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard !path.contains("%"), !parts.dropLast().contains(""), !parts.contains("."),
      !parts.contains("..")
    else { return nil }
    return (String(path), halves.count > 1 ? String(halves[1]) : "")
  }
}

extension HTTPAnswer {
  /// The headers of all answers.
  static let guarding: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
        + "img-src 'self' blob: data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"
    ),
    ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
  ]

  /// The answer to a refused request: nothing but the status.
  init(_ refusal: RequestGuard.Refusal) {
    self.init(
      status: refusal.status,
      headers: Self.guarding + [("Connection", "close"), ("Cache-Control", "no-store")])
  }

  /// An answer with a value.
  init(_ json: JSONValue, status: Int = 200) {
    self.init(Array(json.denseText.utf8), as: "application/json", status: status)
  }

  /// An answer with bytes.
  /// - Parameter cache: what the browser may keep; nothing by default.
  init(_ bytes: [UInt8], as type: String, status: Int = 200, cache: String = "no-store") {
    self.init(
      status: status,
      headers: Self.guarding + [("Content-Type", type), ("Cache-Control", cache)], body: bytes)
  }

  /// The answer to a request that failed.
  init(failure: any Error) {
    if failure is CancellationError {
      self.init(["code": "cancelled", "message": "it was cancelled"], status: 409)
      return
    }
    guard let diagnostic = failure as? Diagnostic else {
      self.init(["message": .string("\(failure)")], status: 422)
      return
    }
    let status =
      switch diagnostic.rule {
      case .fileNotFound: 404
      case .usage: 400
      case .fileConflict, .fileExists: 409
      case .fileReadOnly: 403
      default: 422
      }
    self.init(diagnostic.json, status: status)
  }
}
