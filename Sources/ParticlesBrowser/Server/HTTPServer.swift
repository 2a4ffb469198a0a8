internal import CParticlesEvent
internal import CParticlesHTTP
internal import ParticlesCore
internal import ParticlesPlatform

/// A request, read completely.
struct HTTPRequest: Sendable {
  /// The number under which it is answered.
  var number: UInt64 = 0
  /// `GET`, `HEAD`, `POST`, or another one.
  var method: String
  /// The target as it is in the request line.
  var target: String
  /// The headers as they were sent.
  var headers: [(name: String, value: String)] = []
  /// The body.
  var body: [UInt8] = []

  /// The values of a header; its name is compared without regard to case.
  func values(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }
}

/// An answer.
struct HTTPAnswer: Sendable {
  /// The status.
  var status = 200
  /// The headers, without line breaks in them.
  var headers: [(name: String, value: String)] = []
  /// The body.
  var body: [UInt8] = []
  /// Whether more is sent later.
  var isStream = false

  /// The words behind the status.
  var reason: String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 422: "Unprocessable Content"
    default: "Error"
    }
  }
}

/// A server for HTTP/1.1 on 127.0.0.1, on a thread of its own.
final class HTTPServer: Sendable {
  /// The bounds of requests.
  struct Bounds: Sendable {
    /// Bytes of the request line and the headers.
    var headerBytes = 16 << 10
    /// Bytes of a body.
    var bodyBytes = 64 << 20
    /// Open connections.
    var connections = 64
    /// Seconds that a request may take to arrive, and that a connection may be idle.
    var seconds = 10.0
  }

  /// The functions that a server calls, on its thread. They must not wait.
  struct Calls: Sendable {
    var request: @Sendable (HTTPRequest) -> Void
    /// A stream has ended, because its connection has.
    var closed: @Sendable (UInt64) -> Void = { _ in }
    /// The user wants the program to end; nil if signals are not caught.
    var interrupted: (@Sendable () -> Void)?
  }

  fileprivate final class Context: Sendable {
    let calls: Calls
    init(_ calls: Calls) { self.calls = calls }

    static func calls(of context: UnsafeMutableRawPointer) -> Calls {
      Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().calls
    }
  }

  private struct Handle: @unchecked Sendable { var server: OpaquePointer? }

  private let handle: Lock<Handle>
  private let context: Unmanaged<Context>

  /// The port.
  let port: Int

  /// The version of the library below, with which the program was linked.
  static var libraryVersion: String { String(cString: event_get_version()) }

  /// Binds 127.0.0.1.
  /// - Parameter port: the port; 0 for a free one.
  /// - Throws: ``ParticlesCore/Rule/fileUnreadable`` if it is in use or not permitted.
  init(port: Int = 0, bounds: Bounds = Bounds(), calls: Calls) throws {
    let context = Unmanaged.passRetained(Context(calls))
    let limits = particles_http_limits(
      header_bytes: bounds.headerBytes, body_bytes: bounds.bodyBytes,
      connections: CInt(bounds.connections),
      milliseconds: CInt(clamping: Int(saturating: bounds.seconds * 1000)))
    let functions = particles_http_calls(
      context: context.toOpaque(),
      request: { Context.calls(of: $0).request(HTTPRequest($1.pointee)) },
      closed: { Context.calls(of: $0).closed($1) },
      interrupted: { Context.calls(of: $0).interrupted?() })
    var failure: CInt = 0
    guard
      let server = particles_http_start(
        CInt(port), limits, functions, calls.interrupted == nil ? 0 : 1, &failure)
    else {
      context.release()
      throw Diagnostic(
        .fileUnreadable, at: Location(file: "127.0.0.1:\(port)"),
        "the server cannot use this port: \(String(cString: strerror(failure)).lowercased())",
        hint: "leave out --port, or name another one")
    }
    self.context = context
    self.port = Int(particles_http_port(server))
    handle = Lock(Handle(server: server))
  }

  deinit {
    stop()
    context.release()
  }

  /// Answers a request, from any thread.
  func answer(_ number: UInt64, _ answer: HTTPAnswer) {
    let lines = answer.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    handle.withLock { handle in
      guard let server = handle.server else { return }
      answer.body.withUnsafeBytes {
        particles_http_answer(
          server, number, CInt(answer.status), answer.reason, lines, $0.baseAddress, $0.count,
          answer.isStream ? 1 : 0)
      }
    }
  }

  /// Sends more of a stream, from any thread.
  func send(_ bytes: [UInt8], to number: UInt64) {
    handle.withLock { handle in
      guard let server = handle.server else { return }
      bytes.withUnsafeBytes { buffer in
        guard let start = buffer.baseAddress else { return }
        particles_http_send(server, number, start, buffer.count)
      }
    }
  }

  /// Writes what was answered, and closes all connections.
  func stop() {
    let server = handle.withLock { handle in
      defer { handle.server = nil }
      return Handle(server: handle.server)
    }
    if let server = server.server { particles_http_stop(server) }
  }
}

extension HTTPRequest {
  fileprivate init(_ request: particles_http_request) {
    self.init(
      number: request.number, method: String(cString: request.method),
      target: String(cString: request.target))
    for index in 0..<Int(request.header_count) {
      let (name, value) = (request.headers[2 * index], request.headers[2 * index + 1])
      headers.append((String(cString: name), String(cString: value)))
    }
    body = Array(UnsafeRawBufferPointer(start: request.body, count: request.body_size))
  }
}
