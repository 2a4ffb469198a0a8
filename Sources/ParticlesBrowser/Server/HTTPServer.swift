internal import ParticlesCore

/// Whether a request is taken, which its head decides.
enum HTTPVerdict: Sendable {
  /// It is read with its body, and handed over.
  /// - Parameters:
  ///   - most: the bytes that its body may have.
  ///   - isProven: whether the sender has shown a secret.
  ///   - then: called with the request, on the thread of the server. It must not wait.
  case take(most: Int, isProven: Bool, then: @Sendable (HTTPRequest) -> Void)
  /// It is answered at once. Its body is not kept, and the connection is closed.
  case refuse(HTTPAnswer)
}

/// A server for HTTP/1.1 on 127.0.0.1, on a thread of its own.
final class HTTPServer: Sendable {
  /// The bounds of requests.
  struct Bounds: Sendable {
    /// Bytes of the request line and the headers.
    var headerBytes = 16 << 10
    /// Open connections.
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
    /// The user wants the program to end; nil if signals are not caught.
    var interrupted: (@Sendable () -> Void)?
  }

  private let loop: EventLoop
  private let room: HTTPRoom

  /// The port.
  var port: Int { loop.port }

  /// Binds 127.0.0.1.
  /// - Parameter port: the port; 0 for a free one.
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

  /// Answers a request, from any thread; one that is gone is ignored.
  func answer(_ number: UInt64, _ answer: HTTPAnswer) {
    loop.order { [room] in room.answer(number, answer) }
  }

  /// Sends more of a stream, from any thread.
  func send(_ bytes: [UInt8], to number: UInt64) {
    loop.order { [room] in room.send(bytes, to: number) }
  }

  /// Writes what was answered, for at most a fifth of a second, and closes all connections.
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
  /// Ends the thread; nil before that is wanted.
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
