internal import ParticlesCore
internal import ParticlesSystem

/// Whether a request is accepted, which its head decides.
enum HTTPVerdict: Sendable {
  /// It is read with its body, and handed over.
  /// - Parameters:
  ///   - most: the bytes that its body may have.
  ///   - isProven: whether the sender has shown a secret.
  ///   - then: called with the request, on the thread of the server. It must not wait.
  case accept(most: Int, isProven: Bool, then: @Sendable (HTTPRequest) -> Void)
  /// It is answered at once. Its body is not kept, and the connection is closed.
  case refuse(HTTPAnswer)
}

/// A server for HTTP/1.1 on 127.0.0.1, on a thread of its own.
final class HTTPServer: Sendable {
  /// The bounds of requests.
  struct Bounds: Sendable {
    /// Bytes of the request line and the headers.
    var headerBytes = 16 << 10
    var connections = 64
    /// Seconds that a request may take to arrive, and that a connection may be idle.
    var seconds = 10.0
  }

  /// The functions that a server calls, on its thread. They must not wait.
  struct Calls: Sendable {
    /// Whether a connection from this port of the machine is taken. Nothing is read of others.
    var admits: @Sendable (_ port: Int) -> Bool = { _ in true }
    /// Judges a request by its head.
    var judge: @Sendable (HTTPRequest) -> HTTPVerdict
    /// A stream has ended, because its connection has.
    var closed: @Sendable (UInt64) -> Void = { _ in }
    /// The user wants the program to end. Nil if signals are not caught.
    var interrupted: (@Sendable () -> Void)?
  }

  private let loop: EventLoop
  private let room: HTTPRoom

  var port: Int { loop.port }

  /// Binds 127.0.0.1.
  /// - Parameter port: the port, or 0 for a free port.
  /// - Throws: ``ParticlesCore/Rule/fileUnreadable`` if it is in use or not permitted.
  init(port: Int = 0, bounds: Bounds = Bounds(), calls: Calls) throws {
    let room = HTTPRoom(bounds, calls)
    loop = try EventLoop(
      port: port,
      calls: .init(
        connected: { room.connected($0, from: $1) }, interrupted: calls.interrupted))
    self.room = room
  }

  deinit { stop() }

  /// Answers a request, from any thread. Requests of closed connections are ignored.
  func answer(_ number: UInt64, _ answer: HTTPAnswer) {
    loop.order { [room] in room.answer(number, answer) }
  }

  /// Sends more of a stream, from any thread.
  func send(_ bytes: [UInt8], to number: UInt64) {
    loop.order { [room] in room.send(bytes, to: number) }
  }

  /// Writes pending answers, for at most a fifth of a second, and closes all connections.
  func stop() { loop.stop({ [room] in room.stop($0) }, finish: room.closeAll) }
}

/// The connections of a server. They belong to its thread.
final class HTTPRoom: @unchecked Sendable {
  let bounds: HTTPServer.Bounds
  let calls: HTTPServer.Calls
  /// In the order in which they were made.
  private var connections: [HTTPConnection] = []
  private var answering: [UInt64: HTTPConnection] = [:]
  private var last: UInt64 = 0
  /// Ends the thread. Nil until the server stops.
  private var end: (() -> Void)?

  init(_ bounds: HTTPServer.Bounds, _ calls: HTTPServer.Calls) {
    (self.bounds, self.calls) = (bounds, calls)
  }

  // MARK: Connections

  /// Takes a connection, or refuses it by nil. None is taken at the end: pages connect again and again, and it would never come.
  func connected(_ stream: EventLoop.Stream, from port: Int) -> HTTPConnection? {
    guard !isStopping, calls.admits(port) else { return nil }
    let connection = HTTPConnection(stream, in: self)
    if connections.count >= bounds.connections {
      if let oldest = connections.first(where: { !$0.isProven && !$0.isOver }) {
        // Whoever has shown nothing gives way.
        oldest.close()
      } else if connections.count >= 2 * bounds.connections {
        return nil
      } else {
        connections.append(connection)
        connection.refuse(HTTPAnswer(status: 503))
        return connection
      }
    }
    connections.append(connection)
    connection.wait()
    return connection
  }

  func remove(_ connection: HTTPConnection) {
    connections.removeAll { $0 === connection }
    if let number = connection.number { answering[number] = nil }
    endIfQuiet()
  }

  /// The number under which a connection is answered.
  func number(for connection: HTTPConnection) -> UInt64 {
    last += 1
    answering[last] = connection
    return last
  }

  func answer(_ number: UInt64, _ answer: HTTPAnswer) {
    guard let connection = answering[number], !connection.isStreaming else { return }
    if !answer.isStream { answering[number] = nil }
    connection.answer(answer)
  }

  func send(_ bytes: [UInt8], to number: UInt64) {
    guard let connection = answering[number], connection.isStreaming else { return }
    connection.send(bytes)
  }

  // MARK: End

  var isStopping: Bool { end != nil }

  func stop(_ end: @escaping () -> Void) {
    self.end = end
    for connection in connections { connection.stop() }
    endIfQuiet()
  }

  private func endIfQuiet() {
    if connections.isEmpty { end?() }
  }

  /// Closes all connections after the end of the thread.
  func closeAll() {
    end = nil
    for connection in connections { connection.close() }
  }
}

/// A connection of a server. It handles one request at a time. It belongs to the thread of the server.
final class HTTPConnection: ConnectionOwning {
  private enum Phase {
    /// Before the end of the head of a request.
    case head
    /// Before the end of its body.
    case body(HTTPHead, then: @Sendable (HTTPRequest) -> Void)
    /// Before its answer.
    case answering
    /// A stream goes on.
    case streaming
    /// The last answer is sent. Then the connection is closed.
    case last
    /// All is sent. Remaining input is read and dropped: closing with unread bytes could discard the answer.
    case lingering
    case closed
  }

  /// The greatest number of bytes of later requests that are kept during an answer.
  private static let mostWaiting = 64 << 10
  /// A body of more bytes is given back to the system.
  private static let largeBody = 1 << 20
  /// Bytes and seconds for reading input after the last answer.
  private static let (mostLingering, lingering) = (1 << 20, 0.2)

  private let stream: EventLoop.Stream
  private unowned let room: HTTPRoom
  private var phase = Phase.head
  /// Bytes that were read and not used.
  private var bytes: [UInt8] = []
  /// Bytes that were searched for the end of a head.
  private var searched = 0
  private var body: [UInt8] = []
  private var (isLast, hasEnded, wasLarge) = (false, false, false)
  private var lingered = 0
  /// The number of the request that is answered.
  private(set) var number: UInt64?
  /// Whether one of its requests has shown that it is ours.
  private(set) var isProven = false

  var isStreaming: Bool { if case .streaming = phase { true } else { false } }

  /// Whether it has had its last answer.
  var isOver: Bool {
    switch phase {
    case .last, .lingering, .closed: true
    default: false
    }
  }

  init(_ stream: EventLoop.Stream, in room: HTTPRoom) { (self.stream, self.room) = (stream, room) }

  /// Begins the time for a request, or for being idle.
  func wait() { stream.wait(room.bounds.seconds) }

  // MARK: Requests

  func came(_ new: UnsafeRawBufferPointer) {
    switch phase {
    case .closed, .last: return
    case .lingering:
      lingered += new.count
      if lingered > Self.mostLingering { close() }
    case .streaming: return
    case .body(let head, let then):
      let count = min(new.count, head.bodySize - body.count)
      body += UnsafeRawBufferPointer(rebasing: new[..<count])
      bytes += UnsafeRawBufferPointer(rebasing: new[count...])
      if body.count == head.bodySize { handOver(head, then) }
    case .answering:
      bytes += new
      if bytes.count > Self.mostWaiting { stream.read(false) }
    case .head:
      // The time of a request begins with its first byte.
      if bytes.isEmpty { wait() }
      bytes += new
      readHead()
    }
  }

  private func readHead() {
    guard let end = HTTPHead.end(in: bytes, from: max(0, searched - 3)) else {
      searched = bytes.count
      if bytes.count > room.bounds.headerBytes { refuse(HTTPAnswer(status: 400)) }
      return
    }
    searched = 0
    guard end <= room.bounds.headerBytes else { return refuse(HTTPAnswer(status: 400)) }
    do {
      let head = try HTTPHead(bytes[..<end])
      bytes.removeFirst(end)
      judge(head)
    } catch {
      refuse(HTTPAnswer(status: (error as? HTTPHead.Fault)?.status ?? 400))
    }
  }

  private func judge(_ head: HTTPHead) {
    isLast = head.isLast
    switch room.calls.judge(head.request) {
    case .refuse(let answer): refuse(answer)
    case .accept(let most, let isProven, let then):
      self.isProven = self.isProven || isProven
      guard head.bodySize <= most else { return refuse(HTTPAnswer(status: 413)) }
      body = []
      body.reserveCapacity(head.bodySize)
      wasLarge = head.bodySize > Self.largeBody
      phase = .body(head, then: then)
      if head.waitsForSign, head.bodySize > bytes.count {
        send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      }
      let rest = bytes
      bytes = []
      rest.withUnsafeBytes { came($0) }
    }
  }

  private func handOver(_ head: HTTPHead, _ then: (HTTPRequest) -> Void) {
    stream.wait(0)
    phase = .answering
    var request = head.request
    (request.body, body) = (body, [])
    let number = room.number(for: self)
    (request.number, self.number) = (number, number)
    then(request)
  }

  // MARK: Answers

  func send(_ bytes: [UInt8]) { stream.send(bytes) }

  /// Answers an unreadable request, and closes.
  func refuse(_ answer: HTTPAnswer) {
    isLast = true
    phase = .answering
    self.answer(answer)
  }

  func answer(_ answer: HTTPAnswer) {
    guard case .answering = phase else { return }
    isLast = isLast || hasEnded || answer.isStream
    send(answer.head(isLast: isLast))
    send(answer.body)
    if answer.isStream {
      phase = .streaming
      return hasEnded ? close() : ()
    }
    number = nil
    if wasLarge { RunningProcess.giveBackMemory() }
    guard !isLast else {
      phase = .last
      bytes = []
      return wait()
    }
    phase = .head
    wait()
    stream.read(true)
    if !bytes.isEmpty { readHead() }
  }

  // MARK: End

  /// All bytes are sent.
  func sent() {
    guard case .last = phase, !stream.isSending else { return }
    guard !hasEnded, !room.isStopping else { return close() }
    phase = .lingering
    stream.finish()
    stream.read(true)
    stream.wait(Self.lingering)
  }

  func ended(isBroken: Bool) {
    hasEnded = true
    guard !isBroken else { return close() }
    switch phase {
    // A program may end its side after the request, and wait for the answer.
    case .answering, .last: isLast = true
    default: close()
    }
  }

  func late() { close() }

  /// The server ends. Answers that were begun are still sent.
  func stop() {
    guard stream.isSending else { return close() }
    phase = .last
    stream.wait(Self.lingering)
  }

  func close() {
    if case .closed = phase { return }
    let wasStreaming = isStreaming
    phase = .closed
    stream.close()
    if wasLarge { RunningProcess.giveBackMemory() }
    if wasStreaming, let number { room.calls.closed(number) }
    // The last use of this object.
    room.remove(self)
  }
}

/// The user who has made a connection to a port of this machine, by Linux's tables of sockets (`/proc/net/tcp`,
/// proc_pid_net(5)).
///
/// Other systems have no such table: all connections count as the user's, and only the secret decides.
struct ConnectionOwner: Sendable {
  /// A socket that has ended has no owner: the table names root in its place.
  private static let states = ["01", "08"]

  /// The texts of the tables, or nil for an unreadable table.
  private let tables: @Sendable () -> [[UInt8]?]
  private let user: UInt32

  /// Looks into the tables of this machine.
  init() {
    self.init(user: RunningProcess.user) {
      ["/proc/net/tcp", "/proc/net/tcp6"].map { try? Files.read($0) }
    }
  }

  /// Reads other tables, for tests.
  init(user: UInt32, tables: @escaping @Sendable () -> [[UInt8]?]) {
    (self.user, self.tables) = (user, tables)
  }

  /// Whether there is a table, so that ``isOurs(from:to:)`` tells users apart.
  var isKnown: Bool { tables().first.flatMap(\.self) != nil }

  /// Whether a connection on 127.0.0.1 was made by the user of this process or by root, who can do all that the user can.
  /// - Parameters:
  ///   - port: the port of the connecting program.
  ///   - server: our port.
  /// - Returns: false also if the connecting program has already closed the connection.
  func isOurs(from port: Int, to server: Int) -> Bool {
    let tables = tables()
    guard tables.first.flatMap(\.self) != nil else { return true }
    // Programs that use sockets for both versions of IP are in the second table.
    let hosts: [[UInt32]] = [[0x7F00_0001], [0, 0, 0xFFFF, 0x7F00_0001]]
    for (table, host) in zip(tables, hosts) {
      let ends = Array("\(Self.text(host, port)) \(Self.text(host, server)) ".utf8)
      // By bytes: a table has a line for each connection of the machine.
      for line in (table ?? []).split(separator: UInt8(ascii: "\n")).dropFirst() {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
          line[colon...].dropFirst(2).starts(with: ends)
        else { continue }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count > 9, Self.states.contains(String(words[3])), words[9] != "0",
          let owner = UInt32(words[7])
        else { return false }
        return owner == user || owner == 0
      }
    }
    return false
  }

  /// An end of a connection, as the tables have it: the address as numbers of 32 bits in the order of bytes of this machine.
  private static func text(_ host: [UInt32], _ port: Int) -> String {
    host.map { digits($0.bigEndian, 8) }.joined() + ":" + digits(UInt32(clamping: port), 4)
  }

  private static func digits(_ number: UInt32, _ count: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}

/// A request of HTTP/1.1.
struct HTTPRequest: Sendable {
  /// The number under which it is answered.
  var number: UInt64 = 0
  /// `GET`, `HEAD`, `POST`, or another method.
  var method: String
  /// The target as it is in the request line.
  var target: String
  /// The headers as they were sent.
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []

  /// The values of a header. Its name is compared without regard to case.
  func values(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }
}

/// The request line and the headers of a request, with the size of its body. Every line ends in CR LF.
///
/// Text that two readers could take in two ways is refused: folded lines, names with spaces, zero bytes, a length with a sign.
struct HTTPHead: Sendable {
  /// A head that is refused.
  struct Fault: Error, Equatable {
    var status: Int
    /// The reason, for tests: it is not sent.
    var reason: String

    static func malformed(_ reason: String) -> Fault { Fault(status: 400, reason: reason) }
  }

  /// The request, without its body.
  var request: HTTPRequest
  /// The bytes of the body.
  var bodySize = 0
  /// Whether the sender waits for a sign before it sends the body.
  var waitsForSign = false
  /// Whether the connection ends after the answer.
  var isLast = false

  /// The methods that are understood. Each route has only some.
  private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]

  /// The index after the empty line that ends a head, or nil if the head is incomplete.
  /// - Parameter start: where the search begins. Earlier bytes were searched before, but for the last three.
  static func end(in bytes: [UInt8], from start: Int = 0) -> Int? {
    let line: [UInt8] = [13, 10, 13, 10]
    guard bytes.count >= start + line.count else { return nil }
    return (start...bytes.count - line.count).first { bytes[$0...].starts(with: line) }
      .map { $0 + line.count }
  }

  /// Reads a head.
  /// - Parameter bytes: up to the empty line, and with it.
  /// - Throws: a ``Fault``.
  init(_ bytes: ArraySlice<UInt8>) throws {
    var lines = try Self.lines(bytes)
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, Self.isToken(words[0]), !words[1].isEmpty else {
      throw Fault.malformed("the request line")
    }
    guard words[2] == "HTTP/1.1" else {
      throw Fault(status: words[2].hasPrefix("HTTP/") ? 505 : 400, reason: "the version")
    }
    guard Self.methods.contains(String(words[0])) else {
      throw Fault(status: 501, reason: "the method")
    }
    request = HTTPRequest(method: String(words[0]), target: String(words[1]))
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), Self.isToken(line[..<colon]) else {
        throw Fault.malformed("a header")
      }
      let value = line[line.index(after: colon)...].trimming { $0 == " " || $0 == "\t" }
      request.headers.append((String(line[..<colon]), String(value)))
    }
    try readFraming()
  }

  private mutating func readFraming() throws {
    for name in [
      "host", "content-length", "origin", "sec-fetch-site", "transfer-encoding", "expect",
    ]
    where request.values(name).count > 1 {
      throw Fault.malformed("\(name) is given twice")
    }
    if let encoding = request.values("transfer-encoding").first {
      // Our pages and the tool always send the size of a body.
      let isKnown = encoding.lowercased() == "chunked" && request.values("content-length").isEmpty
      throw Fault(status: isKnown ? 411 : 400, reason: "a transfer encoding")
    }
    if let text = request.values("content-length").first {
      guard text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let size = Int(text)
      else { throw Fault.malformed("the length of the body") }
      bodySize = size
    }
    if let expected = request.values("expect").first {
      guard expected.lowercased() == "100-continue" else {
        throw Fault(status: 417, reason: "an expectation")
      }
      waitsForSign = true
    }
    isLast = request.values("connection").contains { $0.lowercased().contains("close") }
  }

  /// The lines before the empty line, as text. Bytes that are not UTF-8 are replaced. No name or path of ours has them.
  private static func lines(_ bytes: ArraySlice<UInt8>) throws -> [Substring] {
    for (index, byte) in zip(bytes.indices, bytes) {
      switch byte {
      case 13:
        guard index + 1 < bytes.endIndex, bytes[index + 1] == 10 else {
          throw Fault.malformed("a line ends in CR")
        }
      case 10:
        guard index > bytes.startIndex, bytes[index - 1] == 13 else {
          throw Fault.malformed("a line ends in LF")
        }
      case 9, 32...126, 128...255: break
      default: throw Fault.malformed("a control character")
      }
    }
    let text = String(decoding: bytes.dropLast(4), as: UTF8.self)
    return text.split(separator: "\r\n", omittingEmptySubsequences: false)
  }

  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains($0)
        }
      }
  }
}

extension Substring {
  /// This text without the characters at its begin and its end that match.
  fileprivate func trimming(_ matches: (Character) -> Bool) -> Substring {
    var rest = drop(while: matches)
    while let last = rest.last, matches(last) { rest.removeLast() }
    return rest
  }
}

/// An answer.
struct HTTPAnswer: Sendable {
  var status = 200
  /// The headers, without line breaks in them.
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []
  /// Whether more is sent later. The end of the connection is the end of such an answer.
  var isStream = false

  /// The words behind the status (RFC 9110, section 15).
  private var reason: String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 409: "Conflict"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Error"
    }
  }

  /// The status line and the headers.
  /// - Parameter isLast: whether the connection ends after the answer.
  func head(isLast: Bool) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) \(reason)"]
    lines += headers.map { "\($0.name): \($0.value)" }
    if isLast, !headers.contains(where: { $0.name == "Connection" }) {
      lines.append("Connection: close")
    }
    if !isStream { lines.append("Content-Length: \(body.count)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
