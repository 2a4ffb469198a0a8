internal import ParticlesCore

/// A connection of a server, which has one request after the other. It belongs to the thread of the server.
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
    /// All is sent; what still comes is thrown away, because to close a connection with unread bytes may take the answer away.
    case lingering
    case closed
  }

  /// Bytes of later requests that are kept while one is answered.
  private static let mostWaiting = 64 << 10
  /// A body of more bytes is given back to the system.
  private static let largeBody = 1 << 20
  /// Bytes and seconds for what comes after the last answer.
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
    case .take(let most, let isProven, let then):
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

  /// Answers what cannot be read, and closes.
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
