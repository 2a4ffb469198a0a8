import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("zlib streams in memory")
struct DeflateTests {
  static let samples: [[UInt8]] = [
    [], [0], Array("particles, particles, particles\n".utf8),
    [UInt8](repeating: 7, count: 300_000), SampleTree.noise(100_000, seed: 5),
  ]

  private func pack(_ bytes: [UInt8], level: Int = 6, limit: Int? = nil) throws -> [UInt8] {
    let deflate = Deflate(level: level)
    return try #require(
      bytes.withUnsafeBytes { deflate.zlib($0, limit: limit ?? bytes.count + 1000) })
  }

  /// Returns the decompressed bytes of a stream of `size` bytes; nil if it is rejected.
  private func unpack(_ stream: [UInt8], size: Int) -> [UInt8]? {
    var isSound = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { output, count in
      let room = UnsafeMutableRawBufferPointer(start: output.baseAddress, count: size)
      isSound = stream.withUnsafeBytes { Inflate().zlib($0, into: room) }
      count = isSound ? size : 0
    }
    return isSound ? bytes : nil
  }

  @Test("what is packed unpacks, by libdeflate and by zlib", arguments: samples, [0, 1, 6, 12])
  func roundTrip(bytes: [UInt8], level: Int) throws {
    let stream = try pack(bytes, level: level)
    #expect(unpack(stream, size: bytes.count) == bytes)
    #expect(try Zlib.inflate(stream, limit: bytes.count, rule: .payload) == bytes)
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

  @Test("threads may share one decompressor")
  func shared() async throws {
    let inflate = Inflate()
    let bytes = Self.samples[3]
    let stream = try pack(bytes)
    let results = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          var output = [UInt8](repeating: 0, count: bytes.count)
          let isSound = output.withUnsafeMutableBytes { output in
            stream.withUnsafeBytes { inflate.zlib($0, into: output) }
          }
          return isSound && output == bytes
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results == [Bool](repeating: true, count: 16))
  }
}
