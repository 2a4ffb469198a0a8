import ParticlesCore
import ParticlesDocuments
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// How pages of an earlier start and the program recognize each other. `Tests/Browser/page-again.mjs` has the side of the page.
@Suite("Proofs of pages")
struct PageProofTests {
  private static let host = "127.0.0.1:40123"
  private let keys = (0..<3).map { _ in RequestGuard.makeSecret() }
  private let secret = RequestGuard.makeSecret()
  private var proof: PageProof { PageProof(host: Self.host, keys: keys, secret: secret) }

  /// What a page does with a key.
  private struct Page {
    var key: String
    var host = PageProofTests.host
    let own = RequestGuard.makeSecret()

    func digest(_ use: String, _ other: String) -> [UInt8] {
      let text = "\(use)\n\(host)\n\(own)\n\(other)"
      let bytes = stride(from: 0, to: 64, by: 2).compactMap {
        UInt8(key.dropFirst($0).prefix(2), radix: 16)
      }
      return SHA256.code(of: Array(text.utf8), key: bytes)
    }

    func opened(_ sealed: JSONValue?, _ use: String, _ other: String) -> String {
      let text = sealed?.object?[use]?.string ?? ""
      let bytes = stride(from: 0, to: text.count, by: 2).compactMap {
        UInt8(text.dropFirst($0).prefix(2), radix: 16)
      }
      return zip(bytes, digest(use, other)).map { $0 ^ $1 }.hexDigits
    }
  }

  @Test("the code is that of RFC 4231")
  func code() {
    // Test cases 1 and 2.
    #expect(
      SHA256.code(of: Array("Hi There".utf8), key: Array(repeating: 0x0b, count: 20)).hexDigits
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(
      SHA256.code(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)).hexDigits
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test(
    "a page of any start whose key is kept gets the address and the newest key", arguments: 0..<3)
  func takenUp(start: Int) throws {
    let (proof, page) = (proof, Page(key: keys[start]))
    let question = try #require(proof.ask(page.own)?.object)
    let nonce = try #require(question["nonce"]?.string)
    let proofs = question["proofs"]?.array?.compactMap(\.string)
    #expect(proofs?[start] == page.digest("program", nonce).hexDigits)
    let answer = proof.open(nonce, proof: page.digest("page", nonce).hexDigits)
    #expect(page.opened(answer, "secret", nonce) == secret)
    #expect(page.opened(answer, "key", nonce) == keys[0])
    // Neither keys nor secret are in the sent texts.
    for text in [JSONValue.object(question).denseText, answer?.denseText ?? ""] {
      for kept in keys + [secret] { #expect(!text.contains(kept)) }
    }
  }

  @Test("a number counts once; other keys, other addresses and proofs of the program are refused")
  func refused() throws {
    let (proof, page) = (proof, Page(key: keys[0]))
    func nonce(_ page: Page) throws -> String {
      try #require(proof.ask(page.own)?.object?["nonce"]?.string)
    }
    let first = try nonce(page)
    #expect(proof.open(first, proof: page.digest("page", first).hexDigits) != nil)
    #expect(proof.open(first, proof: page.digest("page", first).hexDigits) == nil)
    let second = try nonce(page)
    #expect(proof.open(second, proof: page.digest("program", second).hexDigits) == nil)
    // A wrong proof has used the number up.
    #expect(proof.open(second, proof: page.digest("page", second).hexDigits) == nil)
    for wrong in [
      Page(key: RequestGuard.makeSecret()), Page(key: secret),
      Page(key: keys[0], host: "127.0.0.1:40124"),
    ] {
      let nonce = try nonce(wrong)
      #expect(proof.open(nonce, proof: wrong.digest("page", nonce).hexDigits) == nil)
    }
    for text in ["", "x", String(repeating: "G", count: 64), secret + "0"] {
      #expect(proof.ask(text) == nil)
      #expect(proof.open(text, proof: text) == nil)
    }
  }

  @Test("open questions are bounded: the oldest gives way")
  func bounded() throws {
    let (proof, page) = (proof, Page(key: keys[0]))
    let first = try #require(proof.ask(page.own)?.object?["nonce"]?.string)
    for _ in 0..<64 { _ = proof.ask(RequestGuard.makeSecret()) }
    #expect(proof.open(first, proof: page.digest("page", first).hexDigits) == nil)
  }

  @Test("each start has another secret; the keys of four starts are kept")
  func starts() throws {
    var settings = BrowserServer.Settings()
    var seen: Set<String> = []
    for start in 1...6 {
      let browser = try Browser(
        providers: [], configuration: BrowserConfiguration(),
        environment: BrowserEnvironment(variables: [:]))
      let server = try BrowserServer(
        browser, player: PlayerFiles(files: [:], module: nil), settings)
      defer { server.stop() }
      let record = server.record
      #expect(record.keys.count == min(start, 4))
      #expect(Array(record.keys.dropFirst()) == Array(settings.keys.prefix(3)))
      for secret in [record.secret, record.toolSecret, record.keys[0]] {
        #expect(seen.insert(secret).inserted)
      }
      (settings.port, settings.keys) = (record.port, record.keys)
    }
  }
}
