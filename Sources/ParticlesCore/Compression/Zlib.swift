internal import CParticlesZlib

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

/// Unpacks one stream from front to back, as its bytes are asked for. Used by one thread at a time.
package final class InflateStream {
  /// How many packed bytes are asked for at once.
  package static let pieceSize = 64 << 10

  /// Whether the stream has come to its end, and its own checksum, if it has one, was right.
  package private(set) var isAtEnd = false

  private let rule: Rule
  private let refill: (UnsafeMutableRawBufferPointer) throws -> Int
  // zlib keeps the address of its state, so it must not move.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: pieceSize)

  /// Begins a stream.
  /// - Parameters:
  ///   - rule: what a damaged or cut stream is reported as.
  ///   - refill: puts the next packed bytes into a buffer and returns how many; 0 at their end.
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

  /// How many packed bytes the stream has taken so far; at its end, how long it is.
  package var consumed: Int { Int(stream.pointee.total_in) }

  /// Fills a buffer with what comes next, and returns how many bytes that were: fewer than fit only
  /// at the end.
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
  /// The checksum of bytes that gave `a`, followed by `count` bytes that gave `b`.
  package static func combine(_ a: UInt32, _ b: UInt32, count: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32_combine(uLong(a), uLong(b), numericCast(count)))
  }
}
