internal import ParticlesCore
internal import ParticlesSystem

/// Refuses requests that do not come from our pages, by their heads.
struct RequestGuard: Sendable {
  /// Who may ask for something.
  enum Access: Sendable, Hashable {
    /// Every admitted caller: files that are equal for everybody, and the proofs of pages.
    case anyone
    /// Pages, which know the secret of the address.
    case page
    /// Later calls of the tool, which know a secret that no page has.
    case tool
  }

  /// `127.0.0.1:40123`: browsers send it in `Host`.
  let host: String
  /// The first part of the paths of pages.
  let secret: String
  /// The first part of the paths of the tool.
  let toolSecret: String

  /// Creates a secret: 64 hexadecimal digits.
  static func makeSecret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<PageProof.size).map { _ in UInt8.random(in: 0...255, using: &random) }.hexDigits
  }

  static func isSecret(_ text: String) -> Bool {
    text.utf8.count == 2 * PageProof.size
      && text.utf8.allSatisfy {
        ("0"..."9").contains(Character(Unicode.Scalar($0)))
          || ("a"..."f").contains(Character(Unicode.Scalar($0)))
      }
  }

  /// Who asks, the path below the secret, and the query behind it.
  struct Place: Sendable, Equatable {
    var access = Access.page
    var path: String
    var query: String
  }

  /// A refusal, with the reason for tests. Pages do not get the reason.
  struct Refusal: Error, Equatable {
    var status: Int
    var reason: String
    /// Whether a window shows the answer, so that it needs a text.
    var isShown = false
  }

  /// Checks a request.
  /// - Returns: its place.
  /// - Throws: a ``Refusal``.
  func check(_ request: HTTPRequest) throws -> Place {
    guard let target = Self.target(request.target) else {
      throw Refusal(status: 400, reason: "the target is no plain path")
    }
    guard request.values("host") == [host] else {
      throw Refusal(status: 403, reason: "another host")
    }
    if let origin = request.values("origin").first, origin != "http://\(host)" {
      throw Refusal(status: 403, reason: "another origin")
    }
    guard let place = try place(target) else {
      throw Refusal(
        status: 403, reason: "no secret", isShown: Self.isNavigation(request))
    }
    switch request.values("sec-fetch-site").first {
    case nil, "same-origin", "none": break
    case _ where place == Place(path: "", query: place.query) && Self.isNavigation(request): break
    default: throw Refusal(status: 403, reason: "from another site")
    }
    return place
  }

  private func place(_ target: (path: String, query: String)) throws -> Place? {
    let path = target.path.dropFirst()
    let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first else { return nil }
    if ["assets", "player"].contains(first) && parts.count == 2 || path == "again" {
      return Place(access: .anyone, path: String(path), query: target.query)
    }
    let isPage = Self.isEqual(first, secret)
    guard isPage || Self.isEqual(first, toolSecret) else { return nil }
    guard parts.count == 2 else { throw Refusal(status: 404, reason: "no path") }
    return Place(access: isPage ? .page : .tool, path: String(parts[1]), query: target.query)
  }

  /// The private file forwards to the first page. Browsers treat that request as a request from another site.
  private static func isNavigation(_ request: HTTPRequest) -> Bool {
    request.method == "GET" && request.values("sec-fetch-mode") == ["navigate"]
      && request.values("sec-fetch-dest") == ["document"]
  }

  /// Compares without an early end, so that the time reveals nothing.
  static func isEqual(_ text: some StringProtocol, _ other: String) -> Bool {
    let (a, b) = (Array(text.utf8), Array(other.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Path and query of a target in origin form. Rejects `..`, empty parts, escapes of the path, and bytes outside
  /// ASCII.
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

  /// The answer to a refused request: the status alone. A window with an address of an earlier start gets a page with the
  /// next step.
  init(_ refusal: RequestGuard.Refusal) {
    self.init(status: refusal.status, headers: Self.guarding + [("Cache-Control", "no-store")])
    guard refusal.isShown, let page = BrowserPages.file("again.html") else { return }
    headers.append(("Content-Type", BrowserPages.type(of: "again.html")))
    body = page
  }

  init(_ json: JSONValue, status: Int = 200) {
    self.init(Array(json.denseText.utf8), as: "application/json", status: status)
  }

  /// An answer with bytes.
  /// - Parameter cache: what the browser may keep. Default: nothing.
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

/// How a page of an earlier start and the program recognize each other. A program that has taken the port learns
/// nothing useful. Each side answers the peer's random number with a digest (HMAC with SHA-256, RFC 2104) of both
/// numbers. No request contains the key. The answer to the page's proof has the new address, which only the key opens.
final class PageProof: Sendable {
  /// The bytes of keys, secrets and random numbers.
  static let size = 32
  /// Seconds within which a page has to answer.
  private static let patience = 10.0
  /// Questions that are open at a time.
  private static let mostQuestions = 64

  /// The address of the server, so that an answer is of no use at another port.
  let host: String
  /// The keys of this start and of earlier starts, the newest first, in hexadecimal digits.
  let keys: [String]
  /// The secret of the address, which pages get.
  let secret: String

  init(host: String, keys: [String], secret: String) {
    (self.host, self.keys, self.secret) = (host, keys, secret)
  }

  private let questions = Lock<[(page: String, program: String, time: Double)]>([])

  /// The first part: the number of the program, and its proofs, one for each key.
  /// - Parameter page: the number of the page, 64 hexadecimal digits.
  /// - Returns: nil for another text.
  func ask(_ page: String) -> JSONValue? {
    guard RequestGuard.isSecret(page) else { return nil }
    let program = RequestGuard.makeSecret()
    questions.withLock { questions in
      if questions.count >= Self.mostQuestions { questions.removeFirst() }
      questions.append((page, program, MonotonicClock.seconds))
    }
    return [
      "nonce": .string(program),
      "proofs": .array(keys.map { .string(digest($0, "program", page, program).hexDigits) }),
    ]
  }

  /// The second part: the secret of the address and the newest key, each sealed.
  /// - Parameters:
  ///   - program: the number of the program. It counts once, and for ten seconds.
  ///   - proof: the proof of the page.
  /// - Returns: nil if the page has no key of ours.
  func open(_ program: String, proof: String) -> JSONValue? {
    let question = questions.withLock { questions in
      questions.firstIndex { $0.program == program }.map { questions.remove(at: $0) }
    }
    guard let question, MonotonicClock.seconds - question.time < Self.patience else { return nil }
    for key in keys {
      let expected = digest(key, "page", question.page, program).hexDigits
      guard RequestGuard.isEqual(proof, expected) else { continue }
      func sealed(_ value: String, _ name: String) -> JSONValue {
        let pad = digest(key, name, question.page, program)
        return .string(zip(value.bytesOfHexDigits, pad).map { $0 ^ $1 }.hexDigits)
      }
      return ["secret": sealed(secret, "secret"), "key": sealed(keys[0], "key")]
    }
    return nil
  }

  /// The digest of four lines: the use, the address, both numbers.
  private func digest(_ key: String, _ use: String, _ page: String, _ program: String) -> [UInt8] {
    SHA256.code(
      of: Array([use, host, page, program].joined(separator: "\n").utf8), key: key.bytesOfHexDigits)
  }
}

extension String {
  /// The bytes of pairs of hexadecimal digits. Other characters are skipped.
  fileprivate var bytesOfHexDigits: [UInt8] {
    let digits = utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
