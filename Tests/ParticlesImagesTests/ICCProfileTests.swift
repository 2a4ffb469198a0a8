import ParticlesCore
import ParticlesImages
import ParticlesTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Profiles put together tag by tag, judged by the formulas of ICC.1:2010, 10.15 and 10.5.
@Suite("ICC profiles") struct ICCProfileTests {
  private static func bigEndian(_ number: Int, _ size: Int = 4) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func fixed(_ number: Double) -> [UInt8] {
    bigEndian(Int((number * 65536).rounded()))
  }

  private static func profile(_ tags: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 36) + Array("acsp".utf8)
    bytes += [UInt8](repeating: 0, count: 128 - bytes.count) + bigEndian(tags.count)
    var place = bytes.count + 12 * tags.count
    for tag in tags {
      bytes += Array(tag.name.utf8) + bigEndian(place) + bigEndian(tag.bytes.count)
      place += tag.bytes.count
    }
    return bytes + tags.flatMap(\.bytes)
  }

  /// The primaries of sRGB under D50, so that only the curve changes a colour.
  private static func display(_ curve: [UInt8]) -> [UInt8] {
    func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
      Array("XYZ ".utf8) + bigEndian(0) + fixed(x) + fixed(y) + fixed(z)
    }
    return profile([
      ("rXYZ", xyz(0.436_07, 0.222_49, 0.013_92)), ("gXYZ", xyz(0.385_15, 0.716_87, 0.097_08)),
      ("bXYZ", xyz(0.143_07, 0.060_61, 0.714_10)), ("gTRC", curve),
    ])
  }

  /// What the profile makes of a gray, in linear light.
  private static func light(_ curve: [UInt8], _ gray: Double) throws -> Double {
    let space = try #require(ICCProfile(display(curve))?.space)
    let value = space.sRGB([gray, gray, gray]).color[1]
    return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private static func parametric(_ kind: Int, _ numbers: [Double]) -> [UInt8] {
    Array("para".utf8) + bigEndian(0) + bigEndian(kind, 2) + [0, 0] + numbers.flatMap { fixed($0) }
  }

  @Test("the five kinds of parametric curves", arguments: [0.0, 0.02, 0.1, 0.25, 0.5, 0.8, 1])
  func parametric(x: Double) throws {
    let (g, a, b, c, d, e, f) = (2.0, 0.75, 0.125, 0.0625, 0.2, 0.03125, 0.015625)
    func expect(_ kind: Int, _ numbers: [Double], _ value: Double) throws {
      let found = try Self.light(Self.parametric(kind, numbers), x)
      #expect(abs(found - min(max(value, 0), 1)) < 0.001, "kind \(kind)")
    }
    try expect(0, [g], pow(x, g))
    try expect(1, [g, a, -b], x >= b / a ? pow(a * x - b, g) : 0)
    try expect(2, [g, a, -b, c], x >= b / a ? pow(a * x - b, g) + c : c)
    try expect(3, [g, a, b, c, d], x >= d ? pow(a * x + b, g) : c * x)
    try expect(4, [g, a, b, c, d, e, f], x >= d ? pow(a * x + b, g) + e : c * x + f)
  }

  @Test("sampled curves: none, a gamma, and evenly spaced numbers")
  func sampled() throws {
    func curve(_ numbers: [Int]) -> [UInt8] {
      Array("curv".utf8) + Self.bigEndian(0) + Self.bigEndian(numbers.count)
        + numbers.flatMap { Self.bigEndian($0, 2) }
    }
    for x in [0.0, 0.25, 0.4, 0.75, 1] {
      #expect(try abs(Self.light(curve([]), x) - x) < 0.001)
      #expect(try abs(Self.light(curve([0x0200]), x) - x * x) < 0.001)
      let middle = x < 0.5 ? x / 2 : 0.25 + (x - 0.5) * 1.5
      #expect(try abs(Self.light(curve([0, 0x4000, 0xFFFF]), x) - middle) < 0.001)
    }
  }

  @Test("a profile without a matrix or a known curve has no space, and other bytes are none")
  func none() throws {
    #expect(try #require(ICCProfile(Self.display(Self.parametric(5, [1])))).space == nil)
    #expect(try #require(ICCProfile(Self.display(Array("mAB ".utf8)))).space == nil)
    #expect(
      try #require(ICCProfile(Self.profile([("gTRC", Self.parametric(0, [1]))]))).space == nil)
    #expect(ICCProfile([UInt8](repeating: 0, count: 200)) == nil)
    #expect(ICCProfile([]) == nil)
    let named = Self.profile([("desc", Array("sRGB IEC61966-2.1".utf8))])
    #expect(ICCProfile(named)?.isSRGB == true)
    #expect(ICCProfile(Self.display(Self.parametric(0, [1])))?.isSRGB == false)
  }
}
