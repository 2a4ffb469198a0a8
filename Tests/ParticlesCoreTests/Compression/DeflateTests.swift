import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("zlib streams in memory")
struct DeflateTests {
  static let samples: [[UInt8]] = [
    [], [0], Array("particles, particles, particles\n".utf8),
    [UInt8](repeating: 7, count: 300_000), SampleTree.noise(100_000, seed: 5),
  ]

  private func pack(
    _ bytes: [UInt8], level: Int = 6, limit: Int? = nil, isPlain: Bool = false
  ) throws -> [UInt8] {
    let deflate = Deflate(level: level, isPlain: isPlain)
    return try #require(
      bytes.withUnsafeBytes { deflate.zlib($0, limit: limit ?? bytes.count + 1000) })
  }

  /// Returns the decompressed bytes of a stream of `size` bytes, or nil if it is rejected.
  private func unpack(_ stream: [UInt8], size: Int) -> [UInt8]? {
    var isSound = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { output, count in
      let room = UnsafeMutableRawBufferPointer(start: output.baseAddress, count: size)
      isSound = stream.withUnsafeBytes { Inflate.zlib($0, into: room) }
      count = isSound ? size : 0
    }
    return isSound ? bytes : nil
  }

  @Test("what is packed unpacks, by our code and by zlib", arguments: samples, [0, 1, 6, 12])
  func roundTrip(bytes: [UInt8], level: Int) throws {
    let stream = try pack(bytes, level: level)
    #expect(unpack(stream, size: bytes.count) == bytes)
    #expect(try Zlib.inflate(stream, limit: bytes.count, rule: .payload) == bytes)
    #expect(ZlibReferee.inflate(stream, as: .zlib, limit: bytes.count)?.bytes == bytes)
  }

  @Test("nothing is returned where the stream would be longer than the limit")
  func limit() throws {
    let bytes = SampleTree.noise(10_000, seed: 6)
    let deflate = Deflate(level: 6)
    for limit in [-1, 0, 1, 100, 9_999] {
      #expect(bytes.withUnsafeBytes { deflate.zlib($0, limit: limit) } == nil)
    }
    let runs = [UInt8](repeating: 1, count: 10_000)
    let stream = try pack(runs, limit: 9_999)
    #expect(stream.count < 100)
    #expect(unpack(stream, size: runs.count) == runs)
  }

  @Test("a stream of another size is refused")
  func wrongSize() throws {
    let bytes = Self.samples[2]
    let stream = try pack(bytes)
    for size in [0, 1, bytes.count - 1, bytes.count + 1, 2 * bytes.count] {
      #expect(unpack(stream, size: size) == nil, "\(size)")
    }
  }

  @Test("a cut stream, and one that bytes follow, are refused")
  func cutOrFollowed() throws {
    let bytes = Self.samples[2]
    let stream = try pack(bytes)
    for length in 0..<stream.count {
      #expect(unpack(Array(stream[..<length]), size: bytes.count) == nil, "\(length)")
    }
    #expect(unpack(stream + [0], size: bytes.count) == nil)
    #expect(unpack(stream + stream, size: bytes.count) == nil)
  }

  @Test("exactly the streams that zlib accepts are accepted", arguments: [0, 1, 5, 8, 12])
  func asZlib(level: Int) throws {
    var random = SeededGenerator(seed: UInt64(level + 1))
    var (accepted, refused) = (0, 0)
    for number in 0..<25 {
      let bytes = Self.mixture([200, 3000, 70_000][number % 3], &random)
      let stream = try pack(bytes, level: level, isPlain: number % 2 == 0)
      #expect(unpack(stream, size: bytes.count) == bytes)
      for _ in 0..<40 {
        var mutant = stream
        for _ in 0..<Int.random(in: 1...2, using: &random) {
          // Mostly in the codes of the first block.
          let end = Bool.random(using: &random) ? min(60, mutant.count) : mutant.count
          mutant[Int.random(in: 2..<end, using: &random)] ^=
            1 << UInt8.random(in: 0..<8, using: &random)
        }
        // The checksum is made right for what zlib unpacks, as far as it does.
        let body = Array(mutant.dropFirst(2).dropLast(4))
        let judged = ZlibReferee.inflate(body, as: .bare, limit: 1 << 20)
        let expected = judged.flatMap { $0.read == body.count ? $0.bytes : nil } ?? []
        mutant.replaceSubrange((mutant.count - 4)..., with: adler32(expected))
        let isSound = !expected.isEmpty && expected.count == bytes.count
        #expect(unpack(mutant, size: bytes.count) == (isSound ? expected : nil))
        // In pieces, which may be small.
        var pieces = Pieces(body, of: Int.random(in: 1...700, using: &random))
        let (inPieces, consumed) = pieces.inflated(limit: 1 << 20)
        #expect(inPieces == judged?.bytes)
        if let judged { #expect(consumed == judged.read) }
        if isSound { accepted += 1 } else { refused += 1 }
      }
    }
    #expect(accepted > 20 && refused > 20)
  }

  /// Runs, copies at many distances and noise, so that blocks of each type appear.
  static func mixture(_ size: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let alphabet = UInt8.random(in: 0...255, using: &random)
    var bytes: [UInt8] = []
    while bytes.count < size {
      if bytes.count > 10, Bool.random(using: &random) {
        let distance = Int.random(in: 1...min(bytes.count, 40_000), using: &random)
        for _ in 0..<Int.random(in: 3...300, using: &random) {
          bytes.append(bytes[bytes.count - distance])
        }
      } else {
        bytes.append(UInt8.random(in: 0...alphabet, using: &random))
      }
    }
    return bytes
  }

  /// A bare stream that comes in pieces.
  private struct Pieces {
    let (bytes, size): ([UInt8], Int)

    init(_ bytes: [UInt8], of size: Int) { (self.bytes, self.size) = (bytes, size) }

    /// Returns what it unpacks to, or nil if it is refused, and the number of bytes that were taken.
    mutating func inflated(limit: Int) -> ([UInt8]?, consumed: Int) {
      let (bytes, size) = (self.bytes, self.size)
      var position = 0
      let stream = InflateStream(.deflate, rule: .payload) { buffer in
        let count = min(buffer.count, bytes.count - position, size)
        buffer.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
      }
      var output: [UInt8] = []
      do {
        while !stream.isAtEnd, output.count <= limit {
          output += try [UInt8](unsafeUninitializedCapacity: 1000) { piece, count in
            count = try stream.read(into: UnsafeMutableRawBufferPointer(piece))
          }
        }
      } catch { return (nil, stream.consumed) }
      return (output.count <= limit ? output : nil, stream.consumed)
    }
  }

  private func adler32(_ bytes: [UInt8]) -> [UInt8] {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    var writer = ByteWriter()
    writer.u32(b << 16 | a)
    return writer.bytes.reversed()
  }

  @Test("the header must be one that zlib accepts")
  func header() throws {
    let bytes = Self.samples[2]
    let stream = try pack(bytes)
    for method in UInt8.min...UInt8.max {
      for flags in UInt8.min...UInt8.max {
        let other = [method, flags] + stream.dropFirst(2)
        let accepted = unpack(other, size: bytes.count) != nil
        guard accepted || method & 0x0F == 8 else { continue }
        let isZlib = ZlibReferee.inflate(other, as: .zlib, limit: bytes.count)?.bytes == bytes
        #expect(accepted == isZlib, "\(method) \(flags)")
        let isStream = (try? Zlib.inflate(other, limit: bytes.count, rule: .payload)) == bytes
        #expect(isStream == isZlib, "\(method) \(flags)")
      }
    }
  }

  @Test("a damaged stream never unpacks to something else")
  func damaged() throws {
    let bytes = Self.samples[2]
    let stream = try pack(bytes)
    for index in stream.indices {
      for bit in 0..<8 {
        var damaged = stream
        damaged[index] ^= 1 << bit
        let result = unpack(damaged, size: bytes.count)
        #expect(result == nil || result == bytes, "byte \(index), bit \(bit)")
      }
    }
  }
}
