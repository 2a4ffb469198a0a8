import ParticlesCore
import ParticlesPropertyLists
import ParticlesTestSupport
import Testing

@Suite("Encodings of XML") struct XMLEncodingTests {
  /// A document in two bytes for each code unit.
  private static func wide(_ text: String, little: Bool, hasMark: Bool = true) -> [UInt8] {
    ((hasMark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
      return little ? bytes.reversed() : bytes
    }
  }

  private static func declared(_ name: String, _ text: [UInt8]) -> [UInt8] {
    Array("<?xml version='1.0' encoding=\"\(name)\" ?><a>".utf8) + text + Array("</a>".utf8)
  }

  private func parse(_ bytes: [UInt8]) throws -> (root: XMLElement, findings: [Diagnostic]) {
    var findings: [Diagnostic] = []
    let root = try XMLParser.parse(bytes) { findings.append($0) }
    return (root, findings)
  }

  @Test(
    "UTF-16 in both orders, with and without a mark, whatever is declared",
    arguments: [true, false], ["", "UTF-16", "utf-8", "windows-1252"])
  func wide(little: Bool, name: String) throws {
    let head = name.isEmpty ? "" : "<?xml version='1.0' encoding='\(name)'?>"
    for hasMark in [true, false] {
      let bytes = Self.wide("\(head)<a>\u{E4}\u{20AC}</a>", little: little, hasMark: hasMark)
      let (root, findings) = try parse(bytes)
      #expect(root.text == "\u{E4}\u{20AC}" && findings.isEmpty && root.span == nil)
      #expect(bytes.asASCII.beginsWithText("<") && bytes.asASCII.contains("</a>"))
    }
  }

  @Test(
    "single bytes are read in the encoding that is declared",
    arguments: [
      ("ISO-8859-1", [0xE4, 0xFC] as [UInt8], "\u{E4}\u{FC}"), ("latin1", [0xDF], "\u{DF}"),
      ("windows-1252", [0xE4, 0x80, 0x93], "\u{E4}\u{20AC}\u{201C}"), ("CP1252", [0x9F], "\u{178}"),
      ("US-ASCII", [0x41], "A"), ("UTF-8", [0xC3, 0xA4], "\u{E4}"),
      ("utf8", [0xC3, 0xA4], "\u{E4}"),
    ])
  func single(name: String, bytes: [UInt8], text: String) throws {
    let (root, findings) = try parse(Self.declared(name, bytes))
    #expect(root.text == text && findings.isEmpty)
    // Only text in UTF-8 is edited in place.
    #expect((root.span != nil) == name.lowercased().hasPrefix("utf"))
  }

  @Test("an encoding that is not known is named", arguments: ["KOI8-R", "shift_jis", "UTF-7"])
  func unknown(name: String) throws {
    let fault = expectThrows(.xml) { try parse(Self.declared(name, [0x41])) }
    #expect(
      fault?.detail == "the encoding '\(name)' is not known" && fault?.location == .offset(30))
    let wide = expectThrows(.xml) { try parse([0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0]) }
    #expect(wide?.detail == "the encoding 'UTF-32' is not known" && wide?.location == .offset(0))
  }

  @Test(
    "bytes that do not fit are read as windows-1252, and reported where they are",
    arguments: [
      ("UTF-8", [0x41, 0xE4] as [UInt8]), ("us-ascii", [0xC3, 0xA4]),
      ("UTF-8", [0xC3, 0xA4, 0xFC]),
    ])
  func wrong(name: String, bytes: [UInt8]) throws {
    let document = Self.declared(name, bytes)
    let (root, findings) = try parse(document)
    #expect(root.text.unicodeScalars.count == bytes.count && root.span == nil)
    #expect(findings.map(\.rule) == [.xmlEncoding])
    let finding = try #require(findings.first)
    let place = try #require(
      document.firstIndex { name == "us-ascii" ? $0 > 0x80 : $0 == bytes.last })
    #expect(finding.location == .offset(place) && finding.expected == name)
    #expect(finding.detail == "read as windows-1252")
    // A reader that cannot report refuses it.
    if name == "UTF-8" { expectThrows(.xml) { try XMLParser.parse(document) } }
  }

  @Test("every byte of windows-1252 is the character of its standard")
  func windows() throws {
    // From the table of the Encoding Standard (WHATWG). The five bytes without a character are control characters.
    let marks =
      "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ"
    let bytes = Array(UInt8(0x80)...0xFF)
    let (root, findings) = try parse(Self.declared("windows-1252", bytes))
    let others = (UInt8(0xA0)...0xFF).map { Character(Unicode.Scalar($0)) }
    #expect(root.text.unicodeScalars.count == 128 && findings.isEmpty)
    #expect(root.text == marks + String(others))
  }

  @Test(
    "a declaration without a whole encoding names none",
    arguments: [
      "<?xml encoding?><a>\u{E4}</a>", "<?xml encoding ?><a>\u{E4}</a>",
      "<?xml version='1.0' encoding=?><a>\u{E4}</a>", "<?xml encoding= ><a/>",
      "<?xml encoding=\"x>",
    ])
  func incomplete(text: String) {
    // Of the parser or of nothing, but not about an encoding.
    let fault = #expect(throws: Diagnostic.self) { try parse(Array(text.utf8)) }
    #expect(fault?.rule == .xml && fault?.detail?.contains("encoding '") != true)
  }

  @Test("text in single bytes is not in UTF-16, which is reported")
  func narrow() throws {
    let (root, findings) = try parse(Self.declared("UTF-16", [0xC3, 0xA4]))
    #expect(root.text == "\u{E4}" && findings.map(\.rule) == [.xmlEncoding])
    #expect(findings.first?.detail == "read as UTF-8")
  }
}
