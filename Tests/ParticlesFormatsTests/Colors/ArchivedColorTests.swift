import ParticlesPropertyLists
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct ArchivedColorTests {
  private func decode(
    _ entries: ForgedValue.Entry..., of classes: [String] = ["NSColor", "NSObject"]
  ) throws -> (color: [Double]?, rules: [Rule]) {
    let object = try ArchiveReader().open(ArchiveForge.archive(.object(classes, entries)))
    let color = try ArchivedColor.sRGB(of: object)
    return (color, object.reader.diagnostics.map(\.rule))
  }

  private func expect(
    _ result: (color: [Double]?, rules: [Rule]), _ color: [Double], _ rules: [Rule] = [],
    within tolerance: Double = 1e-4, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(result.rules == rules, sourceLocation: sourceLocation)
    #expect(result.color?.count == 4, sourceLocation: sourceLocation)
    for (a, b) in zip(result.color ?? [], color) {
      #expect(abs(a - b) < tolerance, "\(a) is not \(b)", sourceLocation: sourceLocation)
    }
  }

  private func text(_ text: String) -> ForgedValue { .inline(.data(Array(text.utf8) + [0])) }
  private func space(_ number: Int) -> ForgedValue.Entry { .init("NSColorSpace", .int(number)) }

  private func custom(_ entries: ForgedValue.Entry...) -> ForgedValue.Entry {
    .init("NSCustomColorSpace", .object(["NSColorSpace", "NSObject"], entries))
  }

  /// The four colours of Apple's sample, and their values in sRGB.
  @Test(arguments: [
    ("1 0.6205450464 0.4425844387 0", [1, 0.6862, 0.5157, 0]),
    ("1 0.3561770378 0", [1, 0.4458, 0, 1]),
    ("0.4177455357 0.1777486227 0", [0.4976, 0.2384, 0, 1]),
    ("0 0 0 0", [0, 0, 0, 0]),
    ("1 1 1", [1, 1, 1, 1]),
  ])
  func genericRGB(text: String, expected: [Double]) throws {
    expect(try decode(.init("NSRGB", self.text(text)), space(1)), expected)
  }

  @Test func grayStaysGray() throws {
    expect(try decode(.init("NSWhite", text("1")), space(3)), [1, 1, 1, 1], within: 1e-12)
    expect(try decode(.init("NSWhite", text("0 0.5")), space(3)), [0, 0, 0, 0.5])
    expect(
      try decode(.init("NSWhite", text("0.5")), space(3)), [0.5716, 0.5716, 0.5716, 1],
      within: 1e-3)
    expect(try decode(.init("NSWhite", text("0.5")), space(4)), [0.5, 0.5, 0.5, 1])
  }

  @Test func deviceRGBIsTakenAsItIs() throws {
    let result = try decode(.init("NSRGB", text("0.1 0.2 0.3 0.4")), space(2))
    #expect(result.color == [0.1, 0.2, 0.3, 0.4])
  }

  @Test func componentsComeFirst() throws {
    let components = ForgedValue.Entry("NSComponents", text("0.25 0.5 0.75 1"))
    let rgb = ForgedValue.Entry("NSRGB", text("0 0 0"))
    expect(
      try decode(components, rgb, space(1), custom(.init("NSID", .int(7)))), [0.25, 0.5, 0.75, 1])
    expect(
      try decode(components, rgb, space(1), custom()), [0.25, 0.5, 0.75, 1], [.assumed])
    expect(
      try decode(
        .init("NSComponents", text("0.5 1")), .init("NSWhite", text("0.4")), space(3),
        custom(.init("NSID", .int(9)))), [0.5, 0.5, 0.5, 1])
    // Without components, a space of their own says nothing new.
    expect(
      try decode(rgb, space(1), custom(.init("NSID", .int(1)))), [0, 0, 0, 1])
  }

  @Test func displayP3() throws {
    let p3 = custom(.init("NSSpaceID", .int(12)))
    expect(
      try decode(.init("NSComponents", text("0.5 0.5 0.5 1")), space(1), p3), [0.5, 0.5, 0.5, 1],
      within: 1e-3)
    expect(
      try decode(.init("NSComponents", text("1 0 0 1")), space(1), p3), [1, 0, 0, 1],
      [.approximated])
  }

  @Test func inks() throws {
    expect(
      try decode(.init("NSCMYK", text("1 0 0 0.5")), space(5)), [0, 0.5, 0.5, 1], [.approximated])
    expect(
      try decode(.init("NSCYMK", text("0 0 0 0 0.5")), space(5)), [1, 1, 1, 0.5], [.approximated])
  }

  @Test func namedColoursHaveAConcreteOneBehind() throws {
    let concrete = ForgedValue.object(
      ["NSColor", "NSObject"], [.init("NSRGB", text("1 0 0")), space(2)])
    expect(
      try decode(
        .init("NSColorName", .string("red")), .init("NSColor", concrete), space(6)), [1, 0, 0, 1])
    let nameless = try decode(.init("NSColorName", .string("red")), space(6))
    #expect(nameless.color == nil)
    #expect(nameless.rules == [.archiveValue])
  }

  @Test func uiColors() throws {
    let classes = ["UIDeviceRGBColor", "UIColor", "NSObject"]
    expect(
      try decode(
        .init("UIColorComponentCount", .int(4)), .init("UIRed", .inline(.float(0.1))),
        .init("UIRed-Double", .real(0.25)), .init("UIGreen", .real(0.5)),
        .init("UIBlue", .real(0.75)), .init("UIAlpha", .real(0.5)), space(2), of: classes),
      [0.25, 0.5, 0.75, 0.5])
    expect(
      try decode(
        .init("UIColorComponentCount", .int(2)), .init("UIWhite", .real(0.5)),
        .init("UIAlpha", .real(1)), of: ["UIDeviceWhiteColor", "UIColor"]), [0.5, 0.5, 0.5, 1])
  }

  @Test(
    "a colour with a profile is sRGB, with a remark if the profile does not name it",
    arguments: [("sRGB IEC61966-2.1", true), ("Monitor", false), ("", false)])
  func profiles(name: String, isNamed: Bool) throws {
    let wide = name.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    for letters in [Array(name.utf8), wide] {
      let profile = [UInt8](repeating: 0, count: 36) + Array("acsp".utf8) + letters
      let result = try decode(
        .init("NSComponents", text("0.5 0.5 0.5 1")), space(1),
        custom(.init("NSICC", .data(profile))))
      expect(result, [0.5, 0.5, 0.5, 1], isNamed ? [] : [.assumed])
    }
  }

  @Test(arguments: ["", " ", "one", "1 x", "1 2 3 4 5 6", "nan nan nan", "inf 0 0"])
  func textThatIsNoColor(text: String) throws {
    let result = try decode(.init("NSRGB", self.text(text)), space(1))
    #expect(result.color == nil)
    #expect(result.rules.contains(.archiveValue))
  }

  @Test func whatIsNoColor() throws {
    #expect(try decode(space(10)).color == nil)
    #expect(try decode(space(77)).color == nil)
    #expect(try decode().color == nil)
  }

  // MARK: Writing

  @Test(arguments: [
    Color(0, 0, 0), Color(1, 1, 1, 0), Color(0.3048642576, 0.1301914304, 0.02316023782, 0.5),
  ])
  func writtenColoursReadBack(color: Color) throws {
    for archivable in [Archivable.deviceColor(color), .sRGBColor(color)] {
      let object = try ArchiveReader().open(KeyedArchiver.encode(archivable))
      let read = try ArchivedColor.sRGB(of: object)
      #expect(read == [color.red, color.green, color.blue, color.alpha])
      #expect(object.reader.diagnostics.isEmpty)
    }
  }

  /// The calibrated twins of colours that AppKit wrote in both spaces.
  @Test(arguments: [
    ([0.8211605299, 0.8202985025, 0.8543980013], [0.7805116177, 0.7781341076, 0.8202204704]),
    ([0.5453562737, 0.5672945976, 1], [0.4705934525, 0.4706712961, 0.9986751676]),
    ([1, 0.1575276548, 0.04283429006], [0.9862722754, 0.03511692211, 0.05284817517]),
    ([1, 1, 1], [1, 0.99997437, 0.9999912977]),
  ])
  func calibratedTwins(sRGB: [Double], generic: [Double]) throws {
    guard case .object(let object) = Archivable.sRGBColor(Color(sRGB[0], sRGB[1], sRGB[2])),
      case .inline(.data(let bytes))? = object["NSRGB"]
    else {
      Issue.record("no colour")
      return
    }
    let numbers = String(decoding: bytes.dropLast(), as: UTF8.self).split(separator: " ")
      .compactMap { Double($0) }
    #expect(numbers.count == 3 && bytes.last == 0)
    for (number, expected) in zip(numbers, generic) { #expect(abs(number - expected) < 0.003) }
  }
}
