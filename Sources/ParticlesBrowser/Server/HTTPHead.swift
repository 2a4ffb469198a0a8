internal import ParticlesCore

/// A request of HTTP/1.1.
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

/// The request line and the headers of a request, with the size of its body. Every line ends in CR LF.
///
/// Text that two readers could take in two ways is refused: folded lines, names with spaces, zero bytes, a length with a sign.
struct HTTPHead: Sendable {
  /// A head that is refused.
  struct Fault: Error, Equatable {
    /// The status of the answer.
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

  /// The methods that are understood. Routes have only some of them.
  private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]

  /// The place behind the empty line that ends a head; nil if it has not come.
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
      // Our pages and the tool know the sizes of what they send.
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

  /// The lines before the empty one, as text: bytes that are not UTF-8 are replaced, and no name or path of ours has them.
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
  /// The status.
  var status = 200
  /// The headers, without line breaks in them.
  var headers: [(name: String, value: String)] = []
  /// The body.
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
