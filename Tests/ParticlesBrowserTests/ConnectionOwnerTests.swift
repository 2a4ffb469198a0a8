import ParticlesCore
import ParticlesPlatform
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// Whose a connection is.
@Suite("Owners of connections")
struct ConnectionOwnerTests {
  /// A program that other users may run, too.
  private static let python = "/usr/bin/python3"

  private static let head =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

  /// A line of the table: both ends, the state, the user and the number of the socket.
  private static func line(
    _ ends: String, state: String = "01", user: Int = 1000, socket: Int = 77
  ) -> String {
    "   0: \(ends) \(state) 00000000:00000000 00:00000000 00000000  \(user)        0 \(socket) 1 0 20 4 30 10 -1\n"
  }

  private static func isOurs(_ lines: [String], _ six: [String] = []) -> Bool {
    ConnectionOwner(user: 1000) {
      [lines, six].map { Array(($0.reduce(head, +)).utf8) }
    }.isOurs(from: 0xBEEF, to: 0x9CBB)
  }

  private static let ends = "0100007F:BEEF 0100007F:9CBB"
  private static let mapped =
    "0000000000000000FFFF00000100007F:BEEF 0000000000000000FFFF00000100007F:9CBB"

  @Test("a connection of the user or of root is taken, in either table")
  func ours() {
    #expect(Self.isOurs([Self.line(Self.ends)]))
    #expect(Self.isOurs([Self.line(Self.ends, user: 0)]))
    #expect(Self.isOurs([Self.line(Self.ends, state: "08")]))
    #expect(Self.isOurs([], [Self.line(Self.mapped)]))
    let others = (0..<50).map { Self.line("0100007F:\(1000 + $0) 0100007F:9CBB", user: 7) }
    #expect(Self.isOurs(others + [Self.line(Self.ends)]))
  }

  @Test("one of another user, one that has ended, and one that is in no table are not")
  func foreign() {
    #expect(!Self.isOurs([Self.line(Self.ends, user: 1001)]))
    #expect(!Self.isOurs([], [Self.line(Self.mapped, user: 1001)]))
    // The table says root of a socket whose program has closed it.
    for state in ["04", "05", "06", "07"] {
      #expect(!Self.isOurs([Self.line(Self.ends, state: state, user: 0, socket: 0)]))
    }
    #expect(!Self.isOurs([Self.line(Self.ends, user: 0, socket: 0)]))
    #expect(!Self.isOurs([]))
    // Our own end of the connection has both addresses exchanged.
    #expect(!Self.isOurs([Self.line("0100007F:9CBB 0100007F:BEEF")]))
    #expect(!Self.isOurs([Self.line("0200007F:BEEF 0100007F:9CBB")]))
    #expect(!Self.isOurs(["   0: \(Self.ends)\n"]))
  }

  @Test("without a table, the secret alone decides")
  func unknown() {
    let owner = ConnectionOwner(user: 1000) { [nil, nil] }
    #expect(!owner.isKnown && owner.isOurs(from: 1, to: 2))
  }

  @Test(
    "another user gets no answer, and none of its connections counts",
    .enabled(
      if: RunningProcess.user == 0 && Run.find("setpriv") != nil, "only root can be another user"),
    .enabled(if: ConnectionOwner().isKnown, "there is no table of sockets here"),
    .enabled(
      if: (try? Files.status(python))??.isExecutable == true,
      "there is no Python that another user may run"))
  func anotherUser() async throws {
    let setpriv = try #require(Run.find("setpriv"))
    let judged = Lock(0)
    let holder = Lock<HTTPServer?>(nil)
    let owners = ConnectionOwner()
    let server = try HTTPServer(
      bounds: .init(connections: 8),
      calls: .init(
        admits: { port in
          holder.withLock { $0 }.map { owners.isOurs(from: port, to: $0.port) } ?? false
        },
        judge: { _ in
          judged.withLock { $0 += 1 }
          return .refuse(HTTPAnswer(status: 404))
        }))
    holder.withLock { $0 = server }
    defer { holder.withLock { $0 = nil } }
    // It sends a request on each of 100 connections at once, and prints the answers. It also closes some before the answer.
    let program = """
      import socket, sys
      open_, got = [], 0
      for turn in range(100):
        peer = socket.create_connection(("127.0.0.1", \(server.port)), 5)
        try:
          peer.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
        except OSError: pass
        if turn % 2: peer.close()
        else: open_.append(peer)
      for peer in open_:
        try: got += len(peer.recv(100))
        except OSError: pass
      print(got)
      """
    let port = server.port
    let foreign = try Run.succeeding(
      setpriv, ["--reuid=65534", "--regid=65534", "--clear-groups", Self.python, "-c", program])
    #expect(foreign.text == "0\n")
    #expect(judged.withLock(\.self) == 0)
    let own = try await BackgroundWork().run {
      try LocalClient.exchange(
        Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), port: port, seconds: 5)
    }
    #expect(String(decoding: own, as: UTF8.self).hasPrefix("HTTP/1.1 404 "))
  }
}
