import ParticlesPropertyLists
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite struct PropertyListValueTests {
  static let value = PropertyListValue.dictionary([
    .init("b", .bool(true)), .init("a", .real("0.50")), .init("i", .integer("0x1F")),
    .init("s", .string(" <x> & y\n")), .init("d", .data([0, 1, 2, 255])),
    .init("t", .date("2011-02-03T04:05:06Z")), .init("l", .array([.bool(false), .dictionary([])])),
  ])

  @Test func xmlKeepsTextsTypesAndOrder() throws {
    #expect(try PropertyListValue(decoding: Self.value.xml) == Self.value)
    let text = String(decoding: Self.value.xml, as: UTF8.self)
    #expect(text.contains("\t<key>a</key>\n\t<real>0.50</real>\n"))
    #expect(text.hasSuffix("</dict>\n</plist>\n"))
  }

  @Test func binaryKeepsNumbersAndOrder() throws {
    let list = PropertyListValue.dictionary([
      .init("z", .real("0.5", width: 4)), .init("y", .integer("-3")),
      .init("x", .array([.string("s")])),
    ])
    #expect(try PropertyListValue(decoding: list.binary) == list)
  }

  @Test(
    "what is no finite number is written as text that can be read",
    arguments: [
      (0xFFF4_0000_0000_0001, "nan"), (0x7FF0_0000_0000_0000, "+infinity"),
      (0xFFF0_0000_0000_0000, "-infinity"),
    ])
  func notFinite(bits: UInt64, text: String) throws {
    var bytes = Array("bplist00".utf8) + [0x23] + PropertyListForge.bigEndian(bits)
    let table = bytes.count
    bytes += [8] + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [1, 0, table] { bytes += PropertyListForge.bigEndian(UInt64(number)) }
    let value = try PropertyListValue(decoding: bytes)
    #expect(value == .real(text))
    #expect(try PropertyListValue(decoding: value.xml) == value)
    #expect(try PropertyListValue(decoding: value.binary) == value)
  }

  @Test(arguments: [
    "<plist/>", "<plist><dict/><dict/></plist>", "<other/>",
    "<plist><dict><key>a</key></dict></plist>",
    "<plist><dict><string>a</string><true/></dict></plist>",
    "<plist><integer>1.5</integer></plist>", "<plist><integer>--0</integer></plist>",
    "<plist><integer>-+1</integer></plist>", "<plist><integer>0x-0</integer></plist>",
    "<plist><real>x</real></plist>", "<plist><data>*</data></plist>", "<plist><what/></plist>",
    "<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>",
    "<plist><string><b/></string></plist>", "<plist><dict>text</dict></plist>",
  ])
  func faults(text: String) {
    let fault = expectThrows(.plist) { try PropertyListValue(decoding: Array(text.utf8)) }
    #expect(fault?.location.position != nil)
  }

  @Test(
    "dates are text in XML and seconds in binary lists, in both directions",
    arguments: [
      ("2001-01-01T00:00:00Z", 0), ("2000-12-31T23:59:59Z", -1),
      ("2000-02-29T12:00:00Z", -26_481_600),
      ("2100-03-01T00:00:01Z", 3_129_235_201), ("1970-01-01T00:00:00Z", -978_307_200),
      ("0001-01-01T00:00:00Z", -63_113_904_000), ("9999-12-31T23:59:59Z", 252_423_993_599),
    ] as [(String, Double)])
  func dates(text: String, seconds: Double) throws {
    let list = PropertyListValue.date(text)
    let binary = try BinaryPropertyList(list.binary)
    #expect(binary[binary.root] == .date(seconds))
    #expect(try PropertyListValue(decoding: list.binary) == list)
    #expect(
      String(decoding: PropertyListValue.date("\(seconds)").xml, as: UTF8.self).contains(text))
  }

  @Test(
    "text that is not a date stays text",
    arguments: ["2001-02-29T00:00:00Z", "2001-13-01T00:00:00Z", "2001-01-01", "x"])
  func noDate(text: String) throws {
    #expect(try PropertyListValue(decoding: PropertyListValue.date(text).binary) == .string(text))
  }

  @Test("fractions of a second are preserved in binary lists")
  func fractions() throws {
    let list = try PropertyListValue(decoding: PropertyListValue.date("0.25").binary)
    #expect(list == .date("0.25"))
    #expect(try PropertyListValue(decoding: list.xml) == .date("2001-01-01T00:00:00Z"))
  }

  @Test("texts of less than 400 bytes are numbers, if they are finite decimal ones")
  func numbers() {
    let digits = "0." + String(repeating: "3", count: 397)
    #expect(digits.double == 1.0 / 3 && (digits + "3").double == nil)
    let numbers: [String: Double] = ["1": 1, "-2.5": -2.5, "+3": 3, ".5": 0.5, "1e3": 1000]
    for (text, number) in numbers { #expect(text.double == number) }
    for text in ["", "inf", "nan", "0x10", "-0X1", "1e999", "one", " 1", "1 "] {
      #expect(text.double == nil, "\(text)")
    }
  }

  @Test("of duplicate keys the last value is used, if the caller accepts them")
  func duplicates() throws {
    let text =
      "<plist><dict><key>a</key><true/><key>b</key><true/><key>a</key><false/></dict></plist>"
    var keys: [String] = []
    let value = try PropertyListValue(decoding: Array(text.utf8)) { keys.append($0.text) }
    #expect(value == .dictionary([.init("a", .bool(false)), .init("b", .bool(true))]))
    #expect(keys == ["a"])
  }

  @Test func sharedChildrenHaveABudget() throws {
    // Each array holds the next one twice: 2^40 values in a few hundred bytes.
    var objects = (0..<40).map { ForgedPlist.array([$0 + 1, $0 + 1]) }
    objects.append(.string("x"))
    let bytes = ForgedPlist.file(objects)
    expectThrows(.limit) { try PropertyListValue(decoding: bytes) }
  }

  @Test("shared children amplify a file no more than the limits allow")
  func sharedChildrenAmplify() throws {
    /// Arrays of 14 that hold the next one: 14 to the power of `levels` texts in few bytes.
    func file(_ levels: Int) -> [UInt8] {
      ForgedPlist.file(
        (0..<levels).map { ForgedPlist.array(Array(repeating: $0 + 1, count: 14)) }
          + [.string("x")])
    }
    #expect(throws: Never.self) { try PropertyListValue(decoding: file(3)) }
    let fault = expectThrows(.limit) { try PropertyListValue(decoding: file(4)) }
    #expect(fault?.message.contains("(amplification)") == true)
    var limits = Limits()
    limits.amplification = .max
    #expect(throws: Never.self) { try PropertyListValue(decoding: file(4), limits: limits) }
  }
}

/// A binary property list whose objects refer to each other by their places, of less than 256.
private enum ForgedPlist {
  case array([Int])
  case string(String)

  static func file(_ objects: [ForgedPlist]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      switch object {
      case .array(let elements):
        bytes.append(0xA0 | UInt8(elements.count))
        bytes += elements.map { UInt8($0) }
      case .string(let text):
        bytes.append(0x50 | UInt8(text.utf8.count))
        bytes += Array(text.utf8)
      }
    }
    let table = bytes.count
    func add(_ number: Int, _ size: Int) {
      for place in (0..<size).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place)))
      }
    }
    for offset in offsets { add(offset, 2) }
    add(0, 6)
    add(2, 1)
    add(1, 1)
    for number in [objects.count, 0, table] { add(number, 8) }
    return bytes
  }
}
