internal import CZlib

/// Foreign streams of unknown length, read by zlib piece by piece under a limit.
package enum Zlib {
  /// What stands around the compressed data.
  package enum Wrapping: CInt {
    /// zlib or gzip, told apart by the first bytes.
    case automatic = 47
    /// Nothing: a bare deflate stream (RFC 1951).
    case deflate = -15
  }

  /// Unpacks a stream.
  /// - Parameter limit: the most bytes that may come out.
  /// - Throws: `rule` where the stream is damaged or cut, or does not fill `bytes`, with the offset
  ///   at which that showed;
  ///   ``Rule/limit`` where it holds more than `limit`.
  package static func inflate(
    _ bytes: [UInt8], as wrapping: Wrapping = .automatic, limit: Int, rule: Rule
  ) throws -> [UInt8] {
    var stream = z_stream()
    guard particles_inflateInit2(&stream, wrapping.rawValue) == Z_OK else {
      fatalError("out of memory")
    }
    defer { inflateEnd(&stream) }

    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var input = bytes
    return try input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      while true {
        let status = piece.withUnsafeMutableBufferPointer { piece in
          stream.next_out = piece.baseAddress
          stream.avail_out = UInt32(piece.count)
          return CZlib.inflate(&stream, Z_NO_FLUSH)
        }
        output += piece.prefix(piece.count - Int(stream.avail_out))
        guard output.count <= limit else {
          throw Diagnostic(
            .limit, at: .offset(Int(stream.total_in)), "bytes that a stream unpacks to",
            expected: "at most \(limit)", found: "more")
        }
        if status == Z_STREAM_END && stream.avail_in == 0 { return output }
        guard status == Z_OK else {
          let reason =
            switch status {
            case Z_STREAM_END: "bytes follow the compressed stream"
            case Z_NEED_DICT: "it needs a dictionary"
            default: stream.msg.map { String(cString: $0) } ?? "it ends too early"
            }
          throw Diagnostic(rule, at: .offset(Int(stream.total_in)), reason)
        }
      }
    }
  }
}
