/// Repeatable random numbers (SplitMix64): the same seed gives the same shapes everywhere.
struct RandomSource {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// A whole number, at least 0 and less than `bound`. The small modulo bias does not matter here.
  mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % bound }

  /// A number, at least 0 and less than 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number between two others.
  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  /// Bytes that nothing compresses.
  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      withUnsafeBytes(of: next().littleEndian) { bytes.append(contentsOf: $0) }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
