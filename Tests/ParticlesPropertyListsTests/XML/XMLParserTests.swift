import ParticlesPropertyLists
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite struct XMLParserTests {
  private func parse(_ text: String, limits: Limits = .standard) throws -> XMLElement {
    try XMLParser.parse(Array(text.utf8), limits: limits)
  }

  @Test func elements() throws {
    let root = try parse(
      "<?xml version=\"1.0\"?>\n<a x='1' y=\"2 &amp; 3\">\n <b>t<![CDATA[<]]>u</b><c/>\n</a>")
    #expect(root.name == "a")
    #expect(root.attributes == [.init("x", "1"), .init("y", "2 & 3")])
    #expect(root.children.map(\.name) == ["b", "c"])
    #expect(root.children[0].text == "t<u")
    #expect(root.text.isEmpty)
    #expect(root.children[0].place?.description == "line 3, column 2")
    #expect(root["x"] == "1" && root["z"] == nil)
  }

  @Test("elements pay while they are read, and reading ends with the task")
  func budget() async throws {
    let text = "<a>" + String(repeating: "<b c='1'/>", count: 2_000) + "</a>"
    var limits = Limits()
    limits.memory = 4 * 1_024 * 256
    try WorkBudget.run(limits) {
      _ = try parse(text)
      #expect(WorkBudget.work == 3 * 512 && WorkBudget.memory == 3 * 1_024 * 256)
      expectThrows(.limit) { try parse(text) }
    }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try WorkBudget.run(.standard) { try parse(text) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test func encodings() throws {
    let text = "<a>ä</a>"
    var wide: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 {
      wide.append(UInt8(truncatingIfNeeded: unit))
      wide.append(UInt8(truncatingIfNeeded: unit >> 8))
    }
    #expect(try XMLParser.parse(wide).text == "ä")
    var latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8)
    latin.append(0xE4)
    latin += Array("</a>".utf8)
    #expect(try XMLParser.parse(latin).text == "ä")
    expectThrows(.xml) { try XMLParser.parse(Array(latin.suffix(8))) }
  }

  @Test(arguments: [
    "", "<a>", "<a></b>", "<a/><b/>", "<a x=1/>", "<a x='1' x='2'/>", "x", "<a>&b;</a>",
  ])
  func malformed(text: String) {
    let fault = expectThrows(.xml) { try parse(text) }
    #expect(fault?.detail?.contains("line 1, column ") == true)
  }

  /// A few bytes that would become many, or files of others.
  static let laughs = """
    <?xml version="1.0"?>
    <!DOCTYPE a [
    <!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">
    <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
    <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
    <!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">
    ]>
    <a>&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;</a>
    """

  @Test(arguments: [
    laughs, "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
    "<!DOCTYPE a [<!ATTLIST a x CDATA 'default'>]><a/>", "<!DOCTYPE a [<!ENTITY % p 'x'> %p;]><a/>",
    "<!DOCTYPE a SYSTEM 'http://127.0.0.1/a.dtd'><a>&x;</a>", "<!DOCTYPE a []><a/>",
  ])
  func declarations(text: String) {
    expectThrows(.xmlDeclarations) { try parse(text) }
  }

  @Test func whatIsDeclaredElsewhereIsNotLookedAt() throws {
    #expect(try parse("<!DOCTYPE a SYSTEM 'http://127.0.0.1/a.dtd'><a/>").name == "a")
  }

  @Test func limits() throws {
    var limits = Limits()
    limits.nesting = 3
    let deep = "<a><a><a><a/></a></a></a>"
    #expect(try parse(deep, limits: limits).name == "a")
    expectThrows(.limit) { try parse("<a>\(deep)</a>", limits: limits) }
    let abyss = String(repeating: "<a>", count: 100_000)
    expectThrows(.limit) { try parse(abyss) }
    limits.objects = 4
    expectThrows(.limit) { try parse("<a><b/><b/><b x='1'/></a>", limits: limits) }
    limits.fileBytes = 3
    expectThrows(.limit) { try parse("<a/>", limits: limits) }
  }

  @Test func writtenAndReadAgain() throws {
    let element = XMLElement(
      "a", [.init("x", "<&\"\n\t>")],
      children: [XMLElement("b", text: " a\r\nb & ]]> "), XMLElement("c")])
    var read = try parse(element.document())
    (read.place, read.span) = (nil, nil)
    for index in read.children.indices {
      (read.children[index].place, read.children[index].span) = (nil, nil)
    }
    #expect(read == element)
  }
}
