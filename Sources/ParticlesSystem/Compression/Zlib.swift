internal import CParticlesZlib
package import ParticlesCore

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
  /// - Throws: `rule` with an offset if the stream is damaged or truncated, or if bytes follow it,
  ///   ``Rule/limit`` if it unpacks to more than `limit` bytes, and `CancellationError` if the current
  ///   task is cancelled.
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
      try Task.checkCancellation()
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

  /// Whether the end of the stream was reached. Its checksum, if any, has then been verified.
  package private(set) var isAtEnd = false

  private let rule: Rule
  private let refill: (UnsafeMutableRawBufferPointer) throws -> Int
  // Allocated, because zlib stores the address of its state.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: pieceSize)

  /// Creates a stream.
  /// - Parameters:
  ///   - rule: the rule that reports a damaged or truncated stream.
  ///   - refill: copies the next compressed bytes to a buffer and returns their number, or 0 at the end.
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

  /// The number of compressed bytes consumed so far. At the end, this is the length of the stream.
  package var consumed: Int { Int(stream.pointee.total_in) }

  /// Fills a buffer with the next decompressed bytes and returns their number. Only at the end is the
  /// number less than the size of the buffer.
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

/// Compression and checksums by zlib, for builds without libdeflate.
package final class ZlibCompressor {
  private let level: CInt

  /// Creates a compressor. zlib has no levels above 9.
  package init(level: Int) { self.level = CInt(min(level, 9)) }

  /// Writes a stream of `bytes` to `output` and returns its length, or 0 if it does not fit. zlib sees the end of a
  /// stream without a trailer only if `output` has a byte left.
  package func compress(
    _ bytes: UnsafeRawBufferPointer, as wrapping: DeflateWrapping,
    into output: UnsafeMutableRawBufferPointer
  ) -> Int {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    defer { stream.deallocate() }
    stream.initialize(to: z_stream())
    guard particles_deflateInit2(stream, level, wrapping.rawValue) == Z_OK else {
      fatalError("out of memory, or no compression level \(level)")
    }
    defer { deflateEnd(stream) }
    // zlib counts in 32 bits, and does not change its input.
    var (read, written) = (0, 0)
    while true {
      let piece = UInt32(clamping: bytes.count - read)
      let room = UInt32(clamping: output.count - written)
      stream.pointee.next_in = bytes.baseAddress.map {
        UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self) + read)
      }
      stream.pointee.avail_in = piece
      stream.pointee.next_out = output.baseAddress.map {
        $0.assumingMemoryBound(to: UInt8.self) + written
      }
      stream.pointee.avail_out = room
      let isLast = read + Int(piece) == bytes.count
      let status = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
      read += Int(piece - stream.pointee.avail_in)
      written += Int(room - stream.pointee.avail_out)
      if status == Z_STREAM_END { return written }
      guard status == Z_OK, written < output.count else { return 0 }
    }
  }

  /// The most bytes that a gzip stream of `count` bytes has: stored blocks take less than a 32nd more.
  package func longestGzip(of count: Int) -> Int { count + count >> 5 + 64 }

  package static func crc32(_ bytes: UnsafeRawBufferPointer, _ seed: UInt32) -> UInt32 {
    UInt32(
      truncatingIfNeeded: crc32_z(
        uLong(seed), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        numericCast(bytes.count)))
  }
}
