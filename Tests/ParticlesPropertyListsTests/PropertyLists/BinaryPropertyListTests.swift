import ParticlesPropertyLists
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite struct BinaryPropertyListTests {
  /// The root object of a file of these objects.
  private func root(_ objects: [UInt8]...) throws -> BinaryPropertyList.Object {
    let list = try BinaryPropertyList(PropertyListForge.file(objects))
    return list[list.root]
  }

  private func fault(_ bytes: [UInt8]) -> Diagnostic? {
    #expect(throws: Diagnostic.self) { try BinaryPropertyList(bytes) }
  }

  // MARK: What there is

  @Test func scalars() throws {
    #expect(try root([0x00]) == .null)
    #expect(try root([0x08]) == .bool(false))
    #expect(try root([0x09]) == .bool(true))
    #expect(try root([0x33] + PropertyListForge.bigEndian((1.5).bitPattern)) == .date(1.5))
    #expect(try root([0x43, 1, 2, 3]) == .data([1, 2, 3]))
    #expect(try root([0x80, 7]) == .uid(7))
    #expect(try root([0x81, 1, 0]) == .uid(256))
  }

  @Test func integersHaveASignFromEightBytesOn() throws {
    #expect(try root([0x10, 0xFF]) == .integer(255))
    #expect(try root([0x11, 0xFF, 0xFF]) == .integer(65535))
    #expect(try root([0x12, 0xFF, 0xFF, 0xFF, 0xFF]) == .integer(4_294_967_295))
    #expect(try root([0x13] + [UInt8](repeating: 0xFF, count: 8)) == .integer(-1))
    let large = [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8)
    #expect(try root([0x14] + large) == .unsigned(.max))
  }

  @Test func realsKeepTheirWidth() throws {
    #expect(try root([0x22, 0x3F, 0x80, 0, 0]) == .real(1, width: 4))
    #expect(try root([0x23, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0]) == .real(1, width: 8))
  }

  @Test func strings() throws {
    #expect(try root([0x53] + Array("abc".utf8)) == .string("abc"))
    #expect(try root([0x62, 0x00, 0xE9, 0x20, 0xAC]) == .string("é€"))
    #expect(try root([0x62, 0xD8, 0x3D, 0xDD, 0x25]) == .string("🔥"))
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 300)
    #expect(
      try root([0x5F, 0x11, 0x01, 0x2C] + long) == .string(String(repeating: "x", count: 300)))
  }

  @Test func containersReferToObjects() throws {
    #expect(try root([0xA2, 1, 1], [0x10, 5]) == .array([1, 1]))
    #expect(try root([0xC1, 1], [0x10, 5]) == .set([1]))
    #expect(try root([0xD0]) == .dictionary(keys: [], values: []))
  }

  @Test func dictionariesKeepTheirOrder() throws {
    let bytes = ForgedPropertyList.dictionary([
      .init("z", .int(1)), .init("a", .int(2)), .init("m", .int(3)),
    ]).bytes
    let list = try BinaryPropertyList(bytes)
    guard case .dictionary(let keys, _) = list[list.root] else {
      Issue.record("not a dictionary")
      return
    }
    #expect(keys.map { list[$0] } == [.string("z"), .string("a"), .string("m")])
    #expect(list.value(of: "a", in: list.root).map { list[$0] } == .integer(2))
    #expect(list.value(of: "b", in: list.root) == nil)
  }

  @Test func largeDictionariesAreSearchedTheSame() throws {
    let entries = (0..<500).map { ForgedPropertyList.Entry("key\($0 * 7 % 500)", .int($0)) }
    let list = try BinaryPropertyList(ForgedPropertyList.dictionary(entries).bytes)
    for (number, entry) in entries.enumerated() {
      #expect(list.value(of: entry.key, in: list.root).map { list[$0] } == .integer(number))
    }
    #expect(list.value(of: "key500", in: list.root) == nil)
  }

  @Test func equalKeysInDifferentPlacesAreOne() throws {
    // Two strings "k": the dictionary refers to the second, and is found by the first.
    let list = try BinaryPropertyList(
      PropertyListForge.file([
        [0xA2, 1, 3], [0x51, 0x6B], [0x51, 0x6B], [0xD1, 2, 4], [0x10, 9],
      ]))
    #expect(list.value(of: "k", in: 3).map { list[$0] } == .integer(9))
  }

  // MARK: What there should not be

  @Test(
    arguments: [
      [], Array("bplist".utf8), Array("bplist00".utf8), Array("bplist01".utf8),
      Array("12345".utf8), [UInt8](repeating: 0, count: 100),
      Array("bplist00".utf8) + [UInt8](repeating: 0, count: 32),
    ] as [[UInt8]])
  func noPropertyList(bytes: [UInt8]) { #expect(fault(bytes)?.rule == .plist) }

  @Test func everyTruncation() throws {
    let whole = ForgedPropertyList.dictionary([.init("a", .array([.int(1), .string("x")]))]).bytes
    for count in whole.indices { #expect(fault(Array(whole[..<count]))?.rule == .plist) }
    for count in 8..<40 { #expect(fault(Array(whole[..<count]))?.detail == "cut short") }
  }

  @Test(arguments: [0x01, 0x07, 0x0F, 0x15, 0x20, 0x24, 0x30, 0x70, 0x90, 0xB0, 0xE0, 0xF0])
  func unknownMarkers(marker: UInt8) {
    let fault = fault(PropertyListForge.file([[marker] + [UInt8](repeating: 0, count: 40)]))
    #expect(fault?.rule == .plist)
    #expect(fault?.location == .offset(8))
  }

  @Test(arguments: [0x4F, 0x5F, 0x6F, 0xAF, 0xCF, 0xDF])
  func hugeCounts(marker: UInt8) {
    for count in [UInt64(1) << 61, .max, 1 << 62, 1000] {
      let object = [marker, 0x13] + PropertyListForge.bigEndian(count)
      #expect(fault(PropertyListForge.file([object]))?.rule == .plist)
    }
  }

  @Test func countsThatAreNoIntegers() {
    #expect(fault(PropertyListForge.file([[0x4F, 0x09, 0]]))?.rule == .plist)
    #expect(
      fault(PropertyListForge.file([[0x4F, 0x14] + [UInt8](repeating: 0, count: 16)]))?.rule
        == .plist)
  }

  @Test func trailersThatLie() {
    let object: [UInt8] = Array("bplist00".utf8) + [0x09, 8]
    func file(_ offset: Int, _ reference: Int, _ count: Int, _ root: Int, _ table: Int) -> [UInt8] {
      object
        + PropertyListForge.trailer(
          offsetSize: offset, referenceSize: reference, count: count, root: root, table: table)
    }
    #expect(throws: Never.self) { try BinaryPropertyList(file(1, 1, 1, 0, 9)) }
    for bytes in [
      file(0, 1, 1, 0, 9), file(1, 0, 1, 0, 9), file(9, 1, 1, 0, 9), file(1, 1, 0, 0, 9),
      file(1, 1, 2, 0, 9), file(1, 1, 1, 1, 9), file(1, 1, 1, 0, 8), file(1, 1, 1, 0, 10),
      file(1, 1, 1, 0, .max), file(1, 1, 1, 0, -1), file(1, 1, 1, -1, 9),
    ] {
      #expect(fault(bytes)?.rule == .plist)
    }
    #expect(fault(file(9, 1, 1, 0, 9))?.location == .offset(object.count + 6))
    #expect(fault(file(1, 1, -1, 0, 9))?.rule == .plist)
    #expect(fault(file(1, 1, 1 << 40, 0, 9))?.rule == .plist)
  }

  @Test func offsetsOutsideOfTheFile() {
    var bytes = PropertyListForge.file([[0x09]])
    bytes[9] = 7
    #expect(fault(bytes)?.rule == .plist)
    bytes[9] = 9
    #expect(fault(bytes)?.rule == .plist)
    bytes[9] = 200
    #expect(fault(bytes)?.rule == .plist)
  }

  @Test func referencesOutsideOfTheFile() {
    #expect(fault(PropertyListForge.file([[0xA1, 1]]))?.rule == .plist)
  }

  @Test func overlappingObjects() {
    // Two entries of the offset table that lead to one value.
    var bytes = PropertyListForge.file([[0x44, 1, 2, 3, 4], [0x09]])
    bytes[15] = 8
    #expect(fault(bytes)?.rule == .plist)
  }

  @Test func cycles() {
    #expect(fault(PropertyListForge.file([[0xA1, 0]]))?.rule == .plist)
    #expect(fault(PropertyListForge.file([[0xA1, 1], [0xA1, 0]]))?.rule == .plist)
    #expect(fault(PropertyListForge.file([[0xD1, 1, 0], [0x51, 0x6B]]))?.rule == .plist)
    // Out of reach of the root too.
    #expect(fault(PropertyListForge.file([[0x09], [0xC1, 1]]))?.rule == .plist)
  }

  @Test func badText() {
    #expect(fault(PropertyListForge.file([[0x51, 0x80]]))?.rule == .plist)
    #expect(fault(PropertyListForge.file([[0x61, 0xD8, 0x3D]]))?.rule == .plist)
    #expect(fault(PropertyListForge.file([[0x62, 0xDD, 0x25, 0xD8, 0x3D]]))?.rule == .plist)
  }

  @Test func badKeys() {
    #expect(fault(PropertyListForge.file([[0xD1, 1, 1], [0x10, 1]]))?.rule == .plist)
    let twice = PropertyListForge.file([[0xD2, 1, 2, 3, 3], [0x51, 0x6B], [0x51, 0x6B], [0x09]])
    #expect(fault(twice)?.rule == .plist)
  }

  @Test func datesThatAreNone() {
    let date = [0x33] + PropertyListForge.bigEndian(Double.nan.bitPattern)
    #expect(fault(PropertyListForge.file([date]))?.rule == .plist)
  }

  // MARK: What would take too long

  @Test func sharedChildrenAreNotMultiplied() throws {
    // Each array holds the next one twice: two to the power of forty leaves.
    let levels = (1...40).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x09]]
    let clock = ContinuousClock()
    let time = try clock.measure {
      _ = try BinaryPropertyList(PropertyListForge.file(levels))
    }
    #expect(time < .seconds(1))
  }

  @Test func nestingHasALimit() throws {
    func nested(_ levels: Int) -> [UInt8] {
      PropertyListForge.file(
        (1...levels).map { [0xA1] + PropertyListForge.bigEndian(UInt16($0)) } + [[0x09]],
        referenceSize: 2)
    }
    #expect(throws: Never.self) { try BinaryPropertyList(nested(128)) }
    #expect(fault(nested(129))?.rule == .limit)
    #expect(fault(nested(30_000))?.rule == .limit)
  }

  @Test func keysHaveALimit() {
    func file(_ count: Int) -> [UInt8] {
      ForgedPropertyList.dictionary([.init(String(repeating: "k", count: count), .int(1))]).bytes
    }
    #expect(throws: Never.self) { try BinaryPropertyList(file(1024)) }
    #expect(fault(file(1025))?.rule == .limit)
  }

  @Test func sizeHasALimit() {
    var limits = Limits()
    limits.fileBytes = 20
    #expect(throws: Diagnostic.self) {
      try BinaryPropertyList(PropertyListForge.file([[0x09]]), limits: limits)
    }
    limits = Limits()
    limits.objects = 2
    #expect(throws: Diagnostic.self) {
      try BinaryPropertyList(PropertyListForge.file([[0x09], [0x09], [0x09]]), limits: limits)
    }
  }
}
