internal import CParticlesZlib

/// Decompresses untrusted streams of unknown length with zlib, piece by piece and under a limit.
package enum Zlib {
  /// The header and trailer around the compressed data.
  package enum Wrapping: CInt {
    /// zlib or gzip, detected from the first bytes.
    case automatic = 47
    /// None: a raw deflate stream (RFC 1951).
    case deflate = -15
  }

  /// Decompresses a stream.
  /// - Parameter limit: the maximum number of decompressed bytes.
  /// - Throws: `rule` with an offset if the stream is damaged or truncated, or if bytes follow it;
  ///   ``Rule/limit`` if it unpacks to more than `limit` bytes.
  package static func inflate(
    _ bytes: [UInt8], as wrapping: Wrapping = .automatic, limit: Int, rule: Rule
  ) throws -> [UInt8] {
    var position = 0
    let stream = InflateStream(wrapping, rule: rule) { buffer in
      let count = min(buffer.count, bytes.count - position)
      buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }
    var output: [UInt8] = []
    while !stream.isAtEnd {
      output += try [UInt8](unsafeUninitializedCapacity: InflateStream.pieceSize) { piece, count in
        count = try stream.read(into: UnsafeMutableRawBufferPointer(piece))
      }
      guard output.count <= limit else {
        throw Diagnostic(
          .limit, at: .offset(stream.consumed), "bytes that a stream unpacks to",
          expected: "at most \(limit)", found: "more")
      }
    }
    guard stream.consumed == bytes.count else {
      throw Diagnostic(rule, at: .offset(stream.consumed), "bytes follow the compressed stream")
    }
    return output
  }
}

/// Decompresses one stream from front to back, on demand. Not thread-safe.
package final class InflateStream {
  /// The number of compressed bytes that are requested at once.
  package static let pieceSize = 64 << 10

  /// Whether the end of the stream was reached; its checksum, if any, has been verified then.
  package private(set) var isAtEnd = false

  private let rule: Rule
  private let refill: (UnsafeMutableRawBufferPointer) throws -> Int
  // Allocated, because zlib stores the address of its state.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: pieceSize)

  /// Creates a stream.
  /// - Parameters:
  ///   - rule: the rule that reports a damaged or truncated stream.
  ///   - refill: copies the next compressed bytes to a buffer and returns their number; 0 at the end.
  package init(
    _ wrapping: Zlib.Wrapping, rule: Rule,
    refill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    self.rule = rule
    self.refill = refill
    stream.initialize(to: z_stream())
    guard particles_inflateInit2(stream, wrapping.rawValue) == Z_OK else {
      fatalError("out of memory")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// The number of compressed bytes consumed so far; at the end, the length of the stream.
  package var consumed: Int { Int(stream.pointee.total_in) }

  /// Fills a buffer with the next decompressed bytes and returns their number, which is less than the
  /// size of the buffer only at the end.
  package func read(into output: UnsafeMutableRawBufferPointer) throws -> Int {
    var done = 0
    while done < output.count, !isAtEnd {
      if stream.pointee.avail_in == 0 {
        stream.pointee.avail_in = UInt32(try refill(UnsafeMutableRawBufferPointer(input)))
        stream.pointee.next_in = input.baseAddress
      }
      let room = UInt32(clamping: output.count - done)
      stream.pointee.next_out = (output.baseAddress?.assumingMemoryBound(to: UInt8.self))
        .map { $0 + done }
      stream.pointee.avail_out = room
      let status = CParticlesZlib.inflate(stream, Z_NO_FLUSH)
      done += Int(room - stream.pointee.avail_out)
      isAtEnd = status == Z_STREAM_END
      guard isAtEnd || status == Z_OK else {
        let reason =
          status == Z_NEED_DICT
          ? "it needs a dictionary"
          : stream.pointee.msg.map { String(cString: $0) } ?? "it ends too early"
        throw Diagnostic(rule, at: .offset(consumed), reason)
      }
    }
    return done
  }
}

extension CRC32 {
  /// Returns the checksum of bytes with checksum `a`, followed by `count` bytes with checksum `b`.
  package static func combine(_ a: UInt32, _ b: UInt32, count: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32_combine(uLong(a), uLong(b), numericCast(count)))
  }
}
