package import ParticlesCore
internal import ParticlesPlatform

/// Asks a server on 127.0.0.1, as a later call of the tool does.
package struct LocalClient: Sendable {
  private let address: BrowserRecord.Address

  package init(_ address: BrowserRecord.Address) { self.address = address }

  /// Asks, or orders something if there is a body.
  /// - Returns: the value of the answer.
  /// - Throws: the answer's ``ParticlesCore/Diagnostic``, or ``ParticlesCore/Rule/fileUnreadable`` without one.
  package func ask(_ route: String, _ body: JSONValue? = nil) throws -> JSONValue {
    let contents = body.map { Array($0.denseText.utf8) } ?? []
    let head = """
      \(body == nil ? "GET" : "POST") /\(address.toolSecret)/\(route) HTTP/1.1\r
      Host: 127.0.0.1:\(address.port)\r
      Content-Length: \(contents.count)\r
      Connection: close\r
      \r

      """
    let answer = try Self.exchange(Array(head.utf8) + contents, port: address.port)
    let blank = Array("\r\n\r\n".utf8)
    guard
      let end = answer.indices.first(where: { answer[$0...].starts(with: blank) }),
      let status = String(decoding: answer.prefix(16), as: UTF8.self).split(separator: " ")
        .dropFirst().first.flatMap({ Int($0) })
    else { throw Self.failure(address.port, "the answer is none of a browser") }
    let value = try? JSONValue(parsing: Array(answer[(end + blank.count)...]))
    guard status == 200, let value else {
      let message = value?.object?["message"]?.string ?? "status \(status)"
      throw Diagnostic(.fileUnreadable, message, hint: value?.object?["hint"]?.string)
    }
    return value
  }

  private static func failure(_ port: Int, _ reason: String) -> Diagnostic {
    Diagnostic(
      .fileUnreadable, at: Location(file: "127.0.0.1:\(port)"), reason,
      hint: "end the other 'particles browse' and try again")
  }

  /// Sends bytes, and returns all received bytes until the connection is closed.
  /// - Parameter seconds: how long to wait for each piece.
  package static func exchange(
    _ bytes: [UInt8], port: Int, seconds: Int = 10
  ) throws -> [UInt8] {
    let descriptor = try connection(to: port, seconds: seconds)
    defer { close(descriptor) }
    var sent = 0
    while sent < bytes.count {
      #if canImport(Darwin)
        let flags: CInt = 0
      #else
        let flags = CInt(MSG_NOSIGNAL)
      #endif
      let count = bytes[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, flags)
      }
      // The server may answer before it has read all.
      guard count > 0 else { break }
      sent += count
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return answer }
      answer += buffer[..<count]
    }
  }

  /// Connects to a port of 127.0.0.1.
  /// - Parameter seconds: how long to wait for each piece.
  /// - Returns: the descriptor of the connection.
  package static func connection(to port: Int, seconds: Int) throws -> CInt {
    #if canImport(Glibc)
      let kind = CInt(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw failure(port, "there are no sockets left") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    let connected = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      let reason = String(cString: strerror(errno)).lowercased()
      close(descriptor)
      throw failure(port, "nothing answers: \(reason)")
    }
    return descriptor
  }
}
