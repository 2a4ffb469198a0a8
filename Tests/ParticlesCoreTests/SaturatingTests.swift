import ParticlesCore
import Testing

@Suite("Integers made of floating-point numbers")
struct SaturatingTests {
  @Test(
    "numbers beyond the range become its ends",
    arguments: [0x1p63, 0x1p64, 0x1.8p64, 1e19, 1e300, .greatestFiniteMagnitude, .infinity])
  func ends(_ number: Double) {
    #expect(Int(saturating: number) == .max)
    #expect(Int(saturating: -number) == .min)
    #expect(Int64(saturating: number) == .max)
    #expect(
      UInt64(saturating: number)
        == (number == 0x1p63 ? 1 << 63 : number == 1e19 ? 10_000_000_000_000_000_000 : .max))
    #expect(UInt64(saturating: -number) == 0)
    #expect(UInt8(saturating: number) == 255)
    #expect(UInt8(saturating: -number) == 0)
    #expect(Int32(saturating: number) == .max)
    #expect(Int32(saturating: -number) == .min)
    #expect(UInt16(saturating: Float(number)) == .max)
  }

  @Test("NaN, zero and subnormal numbers become 0")
  func zero() {
    for number in [
      .nan, -.nan, .signalingNaN, 0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
      0.999_999_999_999_999_9, -0.5,
    ] as [Double] {
      #expect(Int(saturating: number) == 0)
      #expect(UInt8(saturating: number) == 0)
      #expect(UInt64(saturating: number) == 0)
    }
    #expect(Int(saturating: Float.nan) == 0)
    #expect(Int(saturating: Float.leastNonzeroMagnitude) == 0)
  }

  @Test("within the range, the integer part is that of the standard library")
  func within() {
    var numbers: [Double] = [
      0x1p62, 0x1.fffffffffffffp62, -0x1p63, 255, 255.5, 256, -1, -1.5, 65_535, 65_536, 0x1p52,
      0x1p53 - 1,
    ]
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      numbers.append(
        Double(
          sign: Bool.random(using: &generator) ? .plus : .minus, exponent: .random(in: -3...62),
          significand: .random(in: 1..<2)))
    }
    for number in numbers {
      #expect(Int(saturating: number) == Int(number), "\(number)")
      if number >= 0 { #expect(UInt64(saturating: number) == UInt64(number), "\(number)") }
      #expect(UInt8(saturating: number) == UInt8(min(max(number, 0), 255)), "\(number)")
      #expect(
        Int32(saturating: number) == Int32(min(max(number, -0x1p31), 0x1p31 - 1)), "\(number)")
      #expect(
        Int(saturating: Float(number)) == Int(exactly: Float(number).rounded(.towardZero)) ?? .max,
        "\(number)")
    }
  }
}
