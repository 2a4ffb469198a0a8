internal import CParticlesCompression

/// Compresses bytes in memory: natively with libdeflate, and with our own code for pages and without the trait
/// `FastLibraries`.
///
/// Levels are 0…12, as in libdeflate. The output may change between versions of the library, so
/// nothing may be identified by its compressed bytes.
package final class Deflate {
  private let deflater: OpaquePointer

  /// Creates a compressor, to be used from one thread at a time.
  /// - Parameter isPlain: whether our own code compresses in all builds, for tests.
  package init(level: Int, isPlain: Bool = false) {
    guard let deflater = particles_deflater_new(CInt(level), isPlain) else {
      fatalError("out of memory, or no compression level \(level)")
    }
    self.deflater = deflater
  }

  deinit { particles_deflater_free(deflater) }

  private func compress(
    _ bytes: UnsafeRawBufferPointer, _ wrapping: particles_wrapping,
    into output: UnsafeMutableRawBufferPointer
  ) -> Int {
    particles_deflate(
      deflater, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, wrapping,
      output.baseAddress?.assumingMemoryBound(to: UInt8.self), output.count)
  }

  /// Writes a zlib stream (RFC 1950) of `bytes` to `output` and returns its length, or nil if it does
  /// not fit.
  package func zlib(
    _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? {
    let count = compress(bytes, PARTICLES_ZLIB, into: output)
    return count > 0 ? count : nil
  }

  private func stream(
    _ bytes: UnsafeRawBufferPointer, _ wrapping: particles_wrapping, limit: Int
  ) -> [UInt8]? {
    guard limit > 0 else { return nil }
    let stream = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      count = compress(bytes, wrapping, into: UnsafeMutableRawBufferPointer(output))
    }
    return stream.isEmpty ? nil : stream
  }

  /// Returns a zlib stream of `bytes`, or nil if it would be longer than `limit` bytes.
  package func zlib(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    stream(bytes, PARTICLES_ZLIB, limit: limit)
  }

  /// Returns a raw deflate stream (RFC 1951) of `bytes`, as in ZIP archives, or nil if it would be
  /// longer than `limit` bytes.
  package func bare(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    stream(bytes, PARTICLES_BARE, limit: limit)
  }

  /// Returns a gzip stream (RFC 1952) of `bytes` without name and time, so that equal bytes give
  /// equal streams.
  package func gzip(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes {
      stream($0, PARTICLES_GZIP, limit: particles_deflate_bound($0.count)) ?? []
    }
  }
}

/// The CRC-32 of ISO 3309, as in PNG and gzip.
package enum CRC32 {
  /// Returns the checksum of `bytes`, continuing from `seed`, the checksum of earlier bytes (0 at
  /// the beginning).
  /// - Parameter isPlain: whether our own code computes it in all builds, for tests.
  package static func checksum(
    _ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0, isPlain: Bool = false
  ) -> UInt32 {
    particles_crc32(
      seed, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, isPlain)
  }

  /// Returns the checksum of `bytes`, continuing from `seed`, the checksum of earlier bytes (0 at
  /// the beginning).
  package static func checksum(_ bytes: some Collection<UInt8>, seed: UInt32 = 0) -> UInt32 {
    bytes.withContiguousStorageIfAvailable { checksum(UnsafeRawBufferPointer($0), seed: seed) }
      ?? Array(bytes).withUnsafeBytes { checksum($0, seed: seed) }
  }

  /// Returns the checksum of bytes with checksum `a`, followed by `count` bytes with checksum `b`.
  package static func combine(_ a: UInt32, _ b: UInt32, count: Int) -> UInt32 {
    particles_crc32_combine(a, b, UInt64(count))
  }
}

/// Decompresses zlib streams of known size. Accepts every stream that zlib accepts, at about three
/// times its speed.
package enum Inflate {
  /// The header of two bytes and the checksum of four.
  private static let (headerSize, trailerSize) = (2, 4)

  /// Decompresses a zlib stream (RFC 1950) that fills `output` exactly.
  /// - Returns: false if the stream is damaged, needs a dictionary, unpacks to another length, or is
  ///   followed by more bytes. The contents of `output` are then undefined.
  package static func zlib(
    _ stream: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let size = stream.count - headerSize - trailerSize
    guard size > 0, isHeader(stream[0], stream[1]), let start = stream.baseAddress else {
      return false
    }
    // C needs an address also where there is nothing to write.
    var nothing: UInt8 = 0
    let isSound = withUnsafeMutablePointer(to: &nothing) { nothing in
      particles_inflate(
        start.assumingMemoryBound(to: UInt8.self) + headerSize, size,
        output.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nothing, output.count)
    }
    let checksum = stream.loadUnaligned(fromByteOffset: headerSize + size, as: UInt32.self)
    return isSound
      && particles_adler32(
        1, output.baseAddress?.assumingMemoryBound(to: UInt8.self), output.count)
        == UInt32(bigEndian: checksum)
  }

  /// Whether these are the first bytes of a stream: the method is deflate, the window has at most
  /// 32 KiB, no dictionary is needed, and the check bits are right.
  private static func isHeader(_ method: UInt8, _ flags: UInt8) -> Bool {
    method & 0x0F == 8 && method >> 4 <= 7 && flags & 0x20 == 0
      && (Int(method) << 8 | Int(flags)).isMultiple(of: 31)
  }
}

/// Decompresses untrusted streams of unknown length under a limit.
package enum Zlib {
  /// The header and trailer around the compressed data.
  package enum Wrapping {
    /// zlib (RFC 1950) or gzip (RFC 1952), detected from the first bytes.
    case automatic
    /// None: a raw deflate stream (RFC 1951).
    case deflate
  }

  /// Decompresses a stream.
  /// - Parameter limit: the maximum number of decompressed bytes.
  /// - Throws: `rule` with an offset if the stream is damaged or truncated, or if bytes follow it,
  ///   ``Rule/limit`` if it unpacks to more than `limit` bytes, and `CancellationError` if the current
  ///   task is cancelled.
  package static func inflate(
    _ bytes: [UInt8], as wrapping: Wrapping = .automatic, limit: Int, rule: Rule
  ) throws(Failure) -> [UInt8] {
    var position = 0
    let stream = InflateStream(wrapping, rule: rule) { buffer in
      let count = min(buffer.count, bytes.count - position)
      buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }
    var output: [UInt8] = []
    while !stream.isAtEnd {
      try WorkBudget.checkCancellation()
      try stream.readPiece { output += $0 }
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
  /// The number of compressed bytes that are requested at once, at most.
  package static let pieceSize = 64 << 10

  /// Whether the end of the stream was reached. Its checksum, if any, has then been verified.
  package private(set) var isAtEnd = false

  /// The part of a stream that is read next.
  private enum Part { case header, body, trailer }

  /// The kind of checksum in the trailer, and its value for the bytes up to here.
  private enum Checksum {
    case none
    case adler(UInt32)
    case crc(UInt32, size: UInt32)
  }

  private let wrapping: Zlib.Wrapping
  private let rule: Rule
  private let refill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  private let inflater: OpaquePointer
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
  /// The bytes of `input` that were not used yet.
  private var unused = 0..<0
  /// The number of bytes that were put into `input`.
  private var received = 0
  /// Whether the source has no more bytes.
  private var isAll = false
  /// Decompressed bytes that were not returned yet.
  private var piece = UnsafeRawBufferPointer(start: nil, count: 0)
  private var part = Part.header
  private var checksum = Checksum.none

  /// Creates a stream.
  /// - Parameters:
  ///   - rule: the rule that reports a damaged or truncated stream.
  ///   - refill: copies the next compressed bytes to a buffer and returns their number, or 0 at the end.
  package init(
    _ wrapping: Zlib.Wrapping, rule: Rule,
    refill: @escaping (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) {
    guard let inflater = particles_inflater_new() else { fatalError("out of memory") }
    (self.wrapping, self.rule, self.refill, self.inflater) = (wrapping, rule, refill, inflater)
  }

  deinit {
    particles_inflater_free(inflater)
    input.deallocate()
  }

  /// The number of compressed bytes consumed so far. At the end, this is the length of the stream.
  package var consumed: Int { received - unused.count }

  /// Fills a buffer with the next decompressed bytes and returns their number. Only at the end is the
  /// number less than the size of the buffer.
  package func read(into output: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    var done = 0
    while done < output.count, !isAtEnd {
      if piece.isEmpty { try advance() }
      let count = min(piece.count, output.count - done)
      UnsafeMutableRawBufferPointer(rebasing: output[done...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: piece[..<count]))
      piece = UnsafeRawBufferPointer(rebasing: piece[count...])
      done += count
    }
    return done
  }

  /// Calls `body` with the next decompressed bytes: none at the end, and 96 KiB at most.
  package func readPiece(_ body: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
    if piece.isEmpty { try advance() }
    body(piece)
    piece = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Decompresses a piece, or reads the header or the trailer.
  private func advance() throws(Failure) {
    switch part {
    case .header:
      if wrapping == .automatic { try readHeader() }
      part = .body
    case .body: try inflate()
    case .trailer:
      try readTrailer()
      isAtEnd = true
    }
  }

  private func inflate() throws(Failure) {
    var start: UnsafePointer<UInt8>?
    var (taken, size) = (unused.count, 0)
    // An address of the buffer, which is never empty.
    guard let bytes = input.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let state = particles_inflater_run(
      inflater, bytes + unused.lowerBound, &taken, isAll, &start, &size)
    unused = unused.lowerBound + taken..<unused.upperBound
    piece = UnsafeRawBufferPointer(start: start, count: size)
    switch checksum {
    case .none: break
    case .adler(let sum): checksum = .adler(particles_adler32(sum, start, size))
    case .crc(let sum, let before):
      checksum = .crc(
        CRC32.checksum(piece, seed: sum), size: before &+ UInt32(truncatingIfNeeded: size))
    }
    switch state {
    case PARTICLES_INFLATER_INPUT: try fill()
    case PARTICLES_INFLATER_END: part = .trailer
    case PARTICLES_INFLATER_DAMAGED: throw fault("the compressed bytes are damaged")
    case PARTICLES_INFLATER_CUT: throw cut
    default: break
    }
  }

  /// Adds bytes of the source to those that are not used.
  private func fill() throws(Failure) {
    let rest = UnsafeRawBufferPointer(rebasing: input[unused])
    input.copyMemory(from: rest)
    let count = try refill(UnsafeMutableRawBufferPointer(rebasing: input[rest.count...]))
    received += count
    unused = 0..<rest.count + count
    isAll = count == 0
  }

  private func fault(_ detail: String) -> Diagnostic {
    Diagnostic(rule, at: .offset(consumed), detail)
  }

  private var cut: Diagnostic { fault("it ends too early") }

  /// The next byte of the header or the trailer.
  private func nextByte() throws(Failure) -> UInt8 {
    if unused.isEmpty, !isAll { try fill() }
    guard let place = unused.first else { throw cut }
    unused = place + 1..<unused.upperBound
    return input[place]
  }

  private func readHeader() throws(Failure) {
    let (first, second) = (try nextByte(), try nextByte())
    if first == 0x1F, second == 0x8B { return try readGzipHeader() }
    guard (Int(first) << 8 | Int(second)).isMultiple(of: 31) else {
      throw fault("incorrect header check")
    }
    guard first & 0x0F == 8 else { throw fault("unknown compression method") }
    guard first >> 4 <= 7 else { throw fault("invalid window size") }
    guard second & 0x20 == 0 else { throw fault("it needs a dictionary") }
    checksum = .adler(1)
  }

  /// Reads the header of gzip after its first two bytes.
  private func readGzipHeader() throws(Failure) {
    var sum = CRC32.checksum([0x1F, 0x8B])
    func next() throws(Failure) -> UInt8 {
      let byte = try nextByte()
      sum = CRC32.checksum(CollectionOfOne(byte), seed: sum)
      return byte
    }
    guard try next() == 8 else { throw fault("unknown compression method") }
    let flags = try next()
    guard flags & 0xE0 == 0 else { throw fault("unknown header flags set") }
    // The time, how it was compressed, and the system.
    for _ in 0..<6 { _ = try next() }
    if flags & 4 != 0 {
      let count = Int(try next()) | Int(try next()) << 8
      for _ in 0..<count { _ = try next() }
    }
    // The name and the comment end with a zero.
    for flag: UInt8 in [8, 16] where flags & flag != 0 { while try next() != 0 {} }
    if flags & 2 != 0 {
      let stated = UInt16(truncatingIfNeeded: sum)
      guard try nextByte() == stated & 0xFF, try nextByte() == stated >> 8 else {
        throw fault("header crc mismatch")
      }
    }
    checksum = .crc(0, size: 0)
  }

  private func readTrailer() throws(Failure) {
    func number(isBig: Bool) throws(Failure) -> UInt32 {
      var number: UInt32 = 0
      for _ in 0..<4 { number = number << 8 | UInt32(try nextByte()) }
      return isBig ? number : number.byteSwapped
    }
    switch checksum {
    case .none: break
    case .adler(let sum):
      guard try number(isBig: true) == sum else { throw fault("incorrect data check") }
    case .crc(let sum, let size):
      guard try number(isBig: false) == sum else { throw fault("incorrect data check") }
      guard try number(isBig: false) == size else { throw fault("incorrect length check") }
    }
  }
}
