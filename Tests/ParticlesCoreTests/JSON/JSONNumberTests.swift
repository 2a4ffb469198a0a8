import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Numbers in JSON")
struct JSONNumberTests {
  /// Bits and text from appendix B of RFC 8785, and the edges of the rules of ECMAScript.
  static let vectors: [(Double, String)] =
    [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"),
      (0x0000_0000_0000_0001, "5e-324"), (0x8000_0000_0000_0001, "-5e-324"),
      (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
      (0x4340_0000_0000_0000, "9007199254740992"), (0xC340_0000_0000_0000, "-9007199254740992"),
      (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
      (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
      (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
      (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
      (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
      (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
      (0x41B3_DE43_5555_5557, "333333333.33333343"),
      (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
      (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ].map { (Double(bitPattern: $0.0), $0.1) } + [
      (1, "1"), (-1, "-1"), (0.1, "0.1"), (-0.5, "-0.5"), (1.5, "1.5"), (100, "100"),
      (1e20, "100000000000000000000"), (1e21, "1e+21"), (1.5e21, "1.5e+21"), (1e-6, "0.000001"),
      (1e-7, "1e-7"), (1.25e-7, "1.25e-7"), (0.000001234, "0.000001234"), (1e22, "1e+22"),
      (1.2345678901234568e20, "123456789012345680000"), (1e100, "1e+100"),
      (9_007_199_254_740_991, "9007199254740991"), (9_007_199_254_740_994, "9007199254740994"),
      (-9_007_199_254_740_991, "-9007199254740991"),
      (2_251_799_813_685_248.5, "2251799813685248.5"),
      (9_223_372_036_854_775_808, "9223372036854776000"), (.pi, "3.141592653589793"),
      (2.2250738585072014e-308, "2.2250738585072014e-308"), (12345.678, "12345.678"),
    ]

  @Test("text of doubles is that of RFC 8785, but for negative zero", arguments: vectors)
  func text(value: Double, text: String) {
    #expect(JSONNumber(value).text == text)
    #expect(JSONNumber(value).double == value)
  }

  @Test("the text of any double reads back as that double, and is valid JSON")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 9)
    var count = 0
    while count < 10_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      count += 1
      let number = JSONNumber(value)
      #expect(Double(number.text) == value, "\(number.text)")
      #expect(try JSONParser.parse(Array(number.text.utf8)) == .number(number))
    }
  }

  @Test("so it is for the numbers that people write, and for singles")
  func everydayNumbers() {
    var random = SeededGenerator(seed: 10)
    for _ in 0..<10_000 {
      let decimal = Double(Int.random(in: -99_999...99_999, using: &random)) / 1000
      #expect(Double(JSONNumber(decimal).text) == decimal)
      #expect(JSONNumber(decimal).text.utf8.count <= 7)
      let single = Float.random(in: -1000...1000, using: &random)
      #expect(JSONNumber(Double(single)).double.map { Float($0) } == single)
    }
  }

  @Test("integers are written with all their digits")
  func integers() {
    #expect(JSONNumber(Int.max).text == "9223372036854775807")
    #expect(JSONNumber(Int.min).text == "-9223372036854775808")
    #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
    #expect(JSONNumber(0).text == "0")
  }

  private func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

  @Test(
    "integers are read with all their digits",
    arguments: [
      ("0", 0), ("-0", 0), ("1e3", 1000), ("1.0", 1), ("2.50E1", 25), ("1.5", nil), ("1e-1", nil),
      ("9007199254740991", 9_007_199_254_740_991), ("9007199254740993", 9_007_199_254_740_993),
      ("-9007199254740993", -9_007_199_254_740_993), ("9223372036854775807", .max),
      ("-9223372036854775808", .min), ("9223372036854775808", nil), ("1e400", nil), ("1e30", nil),
      ("\"1\"", nil), ("true", nil), ("null", nil),
    ] as [(String, Int?)])
  func readIntegers(text: String, value: Int?) throws {
    #expect(try parse(text).int == value)
  }

  @Test("numbers keep their text; those beyond a double have no value")
  func texts() throws {
    for text in ["1.0", "1E+2", "0.10", "-0", "1e400", "123456789012345678901234567890"] {
      let value = try parse(text)
      #expect(value.text == text + "\n")
    }
    #expect(try parse("1e400").double == nil)
    #expect(try parse("-1e400").double == nil)
    #expect(try parse("1e-400").double == 0)
    #expect(try parse("-0").double?.sign == .minus)
    #expect(try parse("\"1\"").double == nil)
  }
}
