import ParticlesPlatform
import Testing

@testable import ParticlesBrowser

#if canImport(Darwin)
  private let noSignal: CInt = 0
#else
  private let noSignal = CInt(MSG_NOSIGNAL)
#endif

/// A connection to a server, whose bytes the test sends one by one if it wants.
final class Peer {
  private let descriptor: CInt

  init(_ port: Int, seconds: Int = 30) throws {
    descriptor = try LocalClient.connection(to: port, seconds: seconds)
  }

  deinit { close(descriptor) }

  /// - Returns: whether all bytes were taken.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        ParticlesPlatform.send(descriptor, $0.baseAddress, $0.count, noSignal)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  func finish() { shutdown(descriptor, CInt(SHUT_WR)) }

  /// Lets its end break the connection: the peer gets an error.
  func breaksAtEnd() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  /// What comes until there is this text, or the connection ends.
  func read(until end: String? = nil) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end, text.contains(end) { return text }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else {
        // Neither an end nor an error: nobody has answered.
        if count < 0, errno == EAGAIN { Issue.record("the connection stays, and nothing comes") }
        return text
      }
      bytes += buffer[..<count]
    }
  }
}
