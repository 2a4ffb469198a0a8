import Foundation
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// The server below the browser: heads, bodies, and connections that give way.
@Suite("HTTP")
struct HTTPServerTests {
  /// A server that answers with the path and the size of the body. `/no` is refused, `/late` is a stream, `/free` proves nothing, `/never` has no answer.
  private static func server(_ bounds: HTTPServer.Bounds = .init(), most: Int = 1 << 20) throws
    -> (server: HTTPServer, numbers: Numbers)
  {
    let numbers = Numbers()
    let weak = Weak()
    let server = try HTTPServer(
      bounds: bounds,
      calls: .init(judge: { head in
        if head.target == "/no" { return .refuse(HTTPAnswer(status: 404)) }
        return .accept(most: most, isProven: head.target != "/free") { request in
          numbers.add(request.number)
          if request.target == "/never" { return }
          let text = "\(request.target) \(request.body.count)\n"
          weak.server?.answer(
            request.number,
            HTTPAnswer(body: Array(text.utf8), isStream: request.target == "/late"))
        }
      }))
    weak.server = server
    return (server, numbers)
  }

  /// The requests that were handed over.
  private final class Numbers: Sendable {
    private let numbers = Lock<[UInt64]>([])
    var all: [UInt64] { numbers.withLock(\.self) }
    func add(_ number: UInt64) { numbers.withLock { $0.append(number) } }
  }

  private final class Flag: Sendable {
    private let state = Lock(false)
    var isSet: Bool { state.withLock(\.self) }
    func set() { state.withLock { $0 = true } }
  }

  /// Does not keep the server, which ends with the test.
  private final class Weak: @unchecked Sendable { weak var server: HTTPServer? }

  private static func get(_ path: String, _ more: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: x\r\n\(more)\r\n"
  }

  @Test(
    "heads that can be read in two ways are refused",
    arguments: [
      (200, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"), (200, "GET / HTTP/1.1\r\nA:b\tc \r\n\r\n"),
      (400, "GET / HTTP/1.1\nHost: x\n\n"), (400, "GET / HTTP/1.1\r\nHost: x\n\r\n\r\n"),
      (400, "GET / HTTP/1.1\r\nHost: x\rY: z\r\n\r\n"), (400, "\r\nGET / HTTP/1.1\r\n\r\n"),
      (400, "\nGET / HTTP/1.1\r\n\r\n"), (400, "\rGET / HTTP/1.1\r\n\r\n"),
      (400, "GET  / HTTP/1.1\r\n\r\n"), (400, "GET /\r\n\r\n"), (400, "GET / a HTTP/1.1\r\n\r\n"),
      (505, "GET / HTTP/1.1\t\r\n\r\n"), (400, "G(T / HTTP/1.1\r\n\r\n"),
      (400, " / HTTP/1.1\r\n\r\n"),
      (505, "GET / HTTP/1.0\r\n\r\n"), (505, "GET / HTTP/2.0\r\n\r\n"),
      (400, "GET / http/1.1\r\n\r\n"),
      (501, "BREW / HTTP/1.1\r\n\r\n"), (501, "get / HTTP/1.1\r\n\r\n"),
      (400, "GET / HTTP/1.1\r\nHost : x\r\n\r\n"), (400, "GET / HTTP/1.1\r\n: x\r\n\r\n"),
      (400, "GET / HTTP/1.1\r\nx\r\n\r\n"), (400, "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n"),
      (400, "GET / HTTP/1.1\r\n A: b\r\n\r\n"), (400, "GET / HTTP/1.1\r\nA: b\0c\r\n\r\n"),
      (400, "GET / HTTP/1.1\r\nA: b\u{7F}\r\n\r\n"), (400, "GET / HTTP/1.1\r\nA: b\u{1B}c\r\n\r\n"),
      (400, "GET /\0 HTTP/1.1\r\n\r\n"), (400, "GET / HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n"),
      (400, "GET / HTTP/1.1\r\nOrigin: a\r\norigin: a\r\n\r\n"),
      (400, "GET / HTTP/1.1\r\nSec-Fetch-Site: a\r\nsec-fetch-site: a\r\n\r\n"),
      (200, "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n"),
      (200, "POST / HTTP/1.1\r\nContent-Length: 007\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nContent-Length: +5\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nContent-Length: 0x5\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nContent-Length: 5, 5\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nContent-Length: \r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nContent-Length: 5 5\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nContent-Length: 9999999999999999999\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nContent-Length: ٣\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nContent-Length: 5\r\ncontent-length: 5\r\n\r\n"),
      (411, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"),
      (411, "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"),
      (400, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"),
      (417, "POST / HTTP/1.1\r\nExpect: coffee\r\n\r\n"),
      (200, "POST / HTTP/1.1\r\nExpect: 100-Continue\r\n\r\n"),
    ])
  func heads(_ status: Int, _ text: String) {
    var found = 200
    do {
      _ = try HTTPHead(Array(text.utf8)[...])
    } catch {
      found = (error as? HTTPHead.Fault)?.status ?? -1
    }
    #expect(found == status)
  }

  @Test(
    "the words of a status are those of RFC 9110",
    arguments: [
      (200, "OK"), (204, "No Content"), (400, "Bad Request"), (403, "Forbidden"),
      (404, "Not Found"), (405, "Method Not Allowed"), (409, "Conflict"), (411, "Length Required"),
      (413, "Content Too Large"), (417, "Expectation Failed"), (422, "Unprocessable Content"),
      (501, "Not Implemented"), (503, "Service Unavailable"), (505, "HTTP Version Not Supported"),
      (599, "Error"),
    ])
  func statusLine(status: Int, words: String) {
    let answer = HTTPAnswer(status: status, headers: [("A", "b")], body: [1, 2])
    func head(isLast: Bool) -> String {
      String(decoding: answer.head(isLast: isLast), as: UTF8.self)
    }
    let start = "HTTP/1.1 \(status) \(words)\r\nA: b\r\n"
    #expect(head(isLast: false) == start + "Content-Length: 2\r\n\r\n")
    #expect(head(isLast: true) == start + "Connection: close\r\nContent-Length: 2\r\n\r\n")
  }

  @Test("a head has its method, target, headers and the size of the body")
  func fields() throws {
    let head = try HTTPHead(
      Array(
        "POST /a?b HTTP/1.1\r\nX-Y:  z, ü \r\nContent-Length: 12\r\nConnection: Close\r\n\r\n".utf8)[
          ...])
    #expect(head.request.method == "POST" && head.request.target == "/a?b")
    #expect(head.request.values("x-y") == ["z, ü"])
    #expect(head.bodySize == 12 && head.isLast && !head.waitsForSign)
    for length in 0..<8 {
      let bytes = Array("\r\n\r\na\r\n\r\n".utf8.prefix(length))
      #expect(HTTPHead.end(in: bytes) == (length < 4 ? nil : 4))
    }
    #expect(HTTPHead.end(in: Array("\r\n\r\na\r\n\r\n".utf8), from: 1) == 9)
  }

  @Test("requests may arrive in any pieces, and are answered in their order on one connection")
  func pieces() throws {
    let (server, _) = try Self.server()
    defer { server.stop() }
    let text =
      Self.get("/a") + "POST /b HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello" + Self.get("/c")
    let bytes = Array(text.utf8)
    for size in [1, 2, 3, 7, 50, bytes.count] {
      let peer = try Peer(server.port)
      for start in stride(from: 0, to: bytes.count, by: size) {
        peer.send(Array(bytes[start..<min(bytes.count, start + size)]))
      }
      let answer = peer.read(until: "/c 0\n")
      let places = ["/a 0\n", "/b 5\n", "/c 0\n"].map { answer.firstRange(of: $0)?.lowerBound }
      #expect(
        places.allSatisfy { $0 != nil }
          && places.compactMap(\.self) == places.compactMap(\.self).sorted())
      #expect(answer.components("HTTP/1.1 200 OK\r\n") == 3)
    }
  }

  @Test("one that has sent all is still answered; Connection: close ends the connection")
  func halves() throws {
    let (server, _) = try Self.server()
    defer { server.stop() }
    let peer = try Peer(server.port)
    peer.send(Self.get("/a"))
    peer.finish()
    #expect(peer.read().contains("/a 0\n"))
    let other = try Peer(server.port)
    other.send(Self.get("/b", "Connection: close\r\n") + Self.get("/c"))
    let answer = other.read()
    #expect(
      answer.contains("/b 0\n") && answer.contains("Connection: close\r\n")
        && !answer.contains("/c"))
  }

  @Test("what is refused is answered before its body is sent, which nobody keeps")
  func judgedFirst() throws {
    let (server, numbers) = try Self.server()
    defer { server.stop() }
    let before = try #require(Self.memory)
    for (path, size, status) in [
      ("/no", 60 << 20, 404), ("/a", 60 << 20, 413), ("/a", 1 << 20 + 1, 413),
    ] {
      let peer = try Peer(server.port)
      peer.send("POST \(path) HTTP/1.1\r\nContent-Length: \(size)\r\n\r\n")
      #expect(peer.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 \(status) "))
    }
    // Peers that send the body in spite of the refusal.
    let piece = [UInt8](repeating: 1, count: 1 << 20)
    for _ in 0..<8 {
      let peer = try Peer(server.port)
      peer.send("POST /no HTTP/1.1\r\nContent-Length: \(60 << 20)\r\n\r\n")
      for _ in 0..<60 where peer.send(piece) {}
    }
    #expect(numbers.all == [])
    let after = try #require(Self.memory)
    #expect(after - before < 32 << 20, "\(before) → \(after)")
  }

  @Test("memory goes back after large bodies")
  func large() throws {
    let (server, _) = try Self.server(most: 64 << 20)
    defer { server.stop() }
    let piece = [UInt8](repeating: 1, count: 1 << 20)
    let before = try #require(Self.memory)
    for _ in 0..<4 {
      let peer = try Peer(server.port, seconds: 20)
      peer.send("POST /a HTTP/1.1\r\nContent-Length: \(40 << 20)\r\n\r\n")
      for _ in 0..<40 { #expect(peer.send(piece)) }
      #expect(peer.read(until: "/a ").contains("/a "))
    }
    let deadline = Deadline(seconds: 5)
    var after = try #require(Self.memory)
    while after - before >= 24 << 20, !deadline.isOver {
      MonotonicClock.wait(seconds: 0.02)
      after = try #require(Self.memory)
    }
    #expect(after - before < 24 << 20, "\(before) → \(after)")
  }

  /// The bytes of memory that this process has.
  private static var memory: Int? {
    let words = (try? Files.read("/proc/self/statm")).map {
      String(decoding: $0, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    }
    return words.flatMap { $0.count > 1 ? $0[1] * 4096 : nil }
  }

  @Test("headers over 16 kB are refused, with and without an end")
  func sizes() throws {
    let (server, _) = try Self.server()
    defer { server.stop() }
    let long = String(repeating: "a", count: 17 << 10)
    for request in [Self.get("/", "X: \(long)\r\n"), Self.get("/\(long)"), long] {
      let peer = try Peer(server.port)
      peer.send(request)
      #expect(peer.read().hasPrefix("HTTP/1.1 400 "))
    }
    let peer = try Peer(server.port)
    peer.send(Self.get("/a", "X: \(String(repeating: "a", count: 16_000))\r\n"))
    #expect(peer.read(until: "/a 0\n").hasPrefix("HTTP/1.1 200 "))
  }

  @Test("a sender that waits for a sign gets it, after the request was judged")
  func sign() throws {
    let (server, _) = try Self.server()
    defer { server.stop() }
    let peer = try Peer(server.port)
    peer.send("POST /a HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    #expect(peer.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    peer.send("abc")
    #expect(peer.read(until: "/a 3\n").hasPrefix("HTTP/1.1 200 "))
    let refused = try Peer(server.port)
    refused.send("POST /no HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    #expect(refused.read().hasPrefix("HTTP/1.1 404 "))
  }

  @Test("when all connections are taken, the oldest that has shown nothing gives way")
  func givesWay() throws {
    let (server, _) = try Self.server(.init(connections: 4))
    defer { server.stop() }
    // Peers that send nothing, send half of a request, or ask for `/free`, which needs no secret.
    let silent = try (0..<4).map { _ in try Peer(server.port) }
    silent[1].send("G")
    silent[2].send(Self.get("/free"))
    #expect(silent[2].read(until: "/free 0\n").hasPrefix("HTTP/1.1 200 "))
    var ours: [Peer] = []
    for turn in 0..<4 {
      let peer = try Peer(server.port)
      peer.send(Self.get("/a"))
      #expect(peer.read(until: "/a 0\n").hasPrefix("HTTP/1.1 200 "), "\(turn)")
      // The oldest one has given way, and no other.
      #expect(silent[turn].read() == "")
      ours.append(peer)
    }
    // Ours stay. A further peer is told that there is no room.
    let more = try Peer(server.port)
    more.send(Self.get("/a"))
    #expect(more.read().hasPrefix("HTTP/1.1 503 "))
    for peer in ours {
      peer.send(Self.get("/b"))
      #expect(peer.read(until: "/b 0\n").hasPrefix("HTTP/1.1 200 "))
    }
    ours.removeLast()
    let deadline = Deadline(seconds: 30)
    var answer = ""
    while !deadline.isOver, !answer.hasPrefix("HTTP/1.1 200 ") {
      let peer = try Peer(server.port)
      peer.send(Self.get("/c", "Connection: close\r\n"))
      answer = peer.read()
    }
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
  }

  @Test("a connection that breaks before its answer makes room at once")
  func broken() throws {
    let (server, numbers) = try Self.server(.init(connections: 1))
    defer { server.stop() }
    var peer: Peer? = try Peer(server.port)
    peer?.send(Self.get("/never"))
    let deadline = Deadline(seconds: 30)
    while numbers.all.isEmpty, !deadline.isOver { MonotonicClock.wait(seconds: 0.005) }
    peer?.breaksAtEnd()
    peer = nil
    var answer = ""
    while !deadline.isOver, !answer.hasPrefix("HTTP/1.1 200 ") {
      let next = try Peer(server.port)
      next.send(Self.get("/a", "Connection: close\r\n"))
      answer = next.read()
    }
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
  }

  @Test("a flood of connections that say half of a request keeps nobody out")
  func flood() throws {
    let (server, _) = try Self.server(.init(connections: 16))
    defer { server.stop() }
    var held: [Peer] = []
    for turn in 0..<200 {
      let peer = try Peer(server.port)
      peer.send("G")
      held.append(peer)
      if held.count > 40 { held.removeFirst() }
      guard turn % 10 == 9 else { continue }
      let ours = try Peer(server.port)
      ours.send(Self.get("/a"))
      #expect(ours.read(until: "/a 0\n").hasPrefix("HTTP/1.1 200 "), "\(turn)")
    }
  }

  @Test("a request that arrives too slowly ends with its connection, also byte by byte")
  func slowness() throws {
    let (server, numbers) = try Self.server(.init(seconds: 0.2))
    defer { server.stop() }
    let peer = try Peer(server.port)
    let start = MonotonicClock.seconds
    for byte in Self.get("/a", "X: \(String(repeating: "a", count: 100))\r\n").utf8 {
      guard peer.send([byte]), MonotonicClock.seconds - start < 1 else { break }
      MonotonicClock.wait(seconds: 0.01)
    }
    #expect(peer.read() == "")
    #expect(numbers.all == [])
    let idle = try Peer(server.port)
    #expect(idle.read() == "")
  }

  @Test("a stream outlives the time that a request may take, and its end is told")
  func stream() async throws {
    let (server, numbers) = try Self.server(.init(seconds: 0.2))
    let peer = try Peer(server.port)
    peer.send(Self.get("/late"))
    #expect(peer.read(until: "/late 0\n").contains("HTTP/1.1 200 OK\r\n"))
    try await Task.sleep(for: .milliseconds(500))
    server.send(Array("later\n".utf8), to: numbers.all[0])
    #expect(peer.read(until: "later\n") == "later\n")
    server.send(Array("last".utf8), to: numbers.all[0])
    server.stop()
    #expect(peer.read() == "last")
  }

  @Test("the end comes at once, also while programs connect again and again")
  func end() async throws {
    let (server, _) = try Self.server()
    let port = server.port
    let flag = Flag()
    // Threads: they would keep tasks of the tests waiting.
    for _ in 0..<4 {
      Thread {
        while !flag.isSet {
          guard let peer = try? Peer(port, seconds: 1) else { continue }
          peer.send(Self.get("/late"))
        }
      }.start()
    }
    try await Task.sleep(nanoseconds: 200_000_000)
    let start = MonotonicClock.seconds
    server.stop()
    #expect(MonotonicClock.seconds - start < 5)
    flag.set()
  }

  @Test("no connection is made, and nothing is read, where it is not admitted")
  func admission() throws {
    let asked = Lock<[Int]>([])
    let server = try HTTPServer(
      calls: .init(
        admits: { port in
          asked.withLock { $0.append(port) }
          return false
        },
        judge: { _ in
          Issue.record("a request was read")
          return .refuse(HTTPAnswer())
        }))
    defer { server.stop() }
    let peer = try Peer(server.port)
    peer.send(Self.get("/a"))
    #expect(peer.read() == "")
    #expect(asked.withLock(\.self).count == 1)
  }
}

extension String {
  /// How often another text is in this one.
  fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
