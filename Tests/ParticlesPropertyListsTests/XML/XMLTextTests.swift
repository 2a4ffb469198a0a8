import ParticlesCore
import ParticlesPropertyLists
import Testing

@Suite struct XMLTextTests {
  private let text = """
    \u{FEFF}<?xml version='1.0' encoding='utf-8'?>\r
    <!-- <a> --><a\tx = 'it&apos;s >'\r
      y="2" >\r
    \t<?pi <b/> ?>\r
    \t<b>1<!-- c --> 2</b > <!-- about b -->  \r
    \r
    \t<c />   <d></d><e z="1"
         y='/>'/>\r
    \t<f><g/></f><!-- of
      f -->\r
    </a>

    """

  private func edited(
    _ text: String, _ change: (inout XMLText, XMLElement) -> Void
  ) throws -> String {
    let bytes = Array(text.utf8)
    let root = try XMLParser.parse(bytes)
    var edits = try #require(XMLText(bytes, root: root))
    #expect(edits.bytes == bytes)
    change(&edits, root)
    _ = try XMLParser.parse(edits.bytes)
    return String(decoding: edits.bytes, as: UTF8.self)
  }

  /// Expects that an edit replaces the only place where `old` is.
  private func expect(
    _ old: String, becomes new: String, _ change: (inout XMLText, XMLElement) -> Void,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(text.ranges(of: old).count == 1, sourceLocation: location)
    #expect(try edited(text, change) == text.replacing(old, with: new), sourceLocation: location)
  }

  @Test func spans() throws {
    let bytes = Array(text.utf8)
    let root = try XMLParser.parse(bytes)
    func slice(_ range: Range<Int>?) -> String {
      range.map { String(decoding: bytes[$0], as: UTF8.self) } ?? "nil"
    }
    #expect(slice(root.span?.tag) == "<a\tx = 'it&apos;s >'\r\n  y=\"2\" >")
    #expect(slice(root.span?.end) == "</a>")
    let spans = root.children.map(\.span)
    #expect(spans.map { slice($0?.tag) }[..<3] == ["<b>", "<c />", "<d>"])
    #expect(spans.map { slice($0?.end) } == ["</b >", "", "</d>", "", "</f>"])
    #expect(slice(spans[0]?.range) == "<b>1<!-- c --> 2</b >")
    #expect(slice(spans[1]?.range) == "<c />")
    #expect(slice(spans[3]?.range) == "<e z=\"1\"\n     y='/>'/>")
    #expect(slice(spans[4]?.range) == "<f><g/></f>")
  }

  @Test func otherEncodingsHaveNoSpans() throws {
    let wide: [UInt8] = [0xFF, 0xFE] + "<a/>".utf8.flatMap { [$0, 0] }
    var bare = Array(wide.dropFirst(2))
    #expect(try XMLParser.parse(wide).span == nil)
    #expect((try? XMLParser.parse(bare))?.span == nil)
    bare = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a/>".utf8)
    let root = try XMLParser.parse(bare)
    #expect(root.span == nil)
    #expect(XMLText(bare, root: root) == nil)
  }

  @Test func elements() throws {
    try expect("1<!-- c --> 2", becomes: "3 &lt;") {
      $0.replace($1.children[0], with: XMLElement("b", text: "3 <"))
    }
    try expect("<b>1<!-- c --> 2</b >", becomes: "<h>3</h>") {
      $0.replace($1.children[0], with: XMLElement("h", text: "3"))
    }
    try expect("<c />", becomes: "<c>3</c>") {
      $0.replace($1.children[1], with: XMLElement("c", text: "3"))
    }
    try expect("<d></d>", becomes: "<d>3</d>") {
      $0.replace($1.children[2], with: XMLElement("d", text: "3"))
    }
    let space = try edited("<a><b>\n 1\t</b></a>") {
      $0.replace($1.children[0], with: XMLElement("b", text: "2"), isTrimmed: true)
    }
    #expect(space == "<a><b>\n 2\t</b></a>")
  }

  @Test func removed() throws {
    try expect("\r\n\t<b>1<!-- c --> 2</b >", becomes: "") { $0.remove([$1.children[0]]) }
    try expect("\r\n\t<c />   <d></d>", becomes: "") { $0.remove(Array($1.children[1...2])) }
    try expect("   <d></d>", becomes: "") { $0.remove([$1.children[2]]) }
    let empty = try edited("<a>\n  <b/>\n</a>") { $0.remove($1.children) }
    #expect(empty == "<a>\n</a>")
  }

  @Test func inserted() throws {
    // Behind comments of its line and before the white space at its end, in its layout.
    try expect("-->  \r\n\r\n", becomes: "-->  \r\n\t<n>&amp;</n>\r\n\r\n") {
      $0.insert([XMLElement("n", text: "&")], besides: [$1.children[0]])
    }
    try expect("\t<c />", becomes: "\t<n />\r\n\t<c />") {
      $0.insert([XMLElement("n")], besides: [$1.children[1]], isBefore: true)
    }
    try expect("<d></d>", becomes: "<d></d>\r\n\t<n />   <m/>") {
      $0.insert([XMLElement("n"), XMLElement("m")], besides: Array($1.children[1...2]))
    }
    try expect("y='/>'/>", becomes: "y='/>'/><n k='\"&apos;'/>") {
      $0.insert([XMLElement("n", [.init("k", "\"'")])], besides: [$1.children[3]])
    }
    // A comment of several lines is about the element before it, or not.
    try expect("<f><g/></f>", becomes: "<f><g/></f>\r\n\t<n/>") {
      $0.insert([XMLElement("n")], besides: [$1.children[4]])
    }
  }

  @Test func attributes() throws {
    try expect("it&apos;s >", becomes: "&apos;\"&lt;") { $0.setAttribute(0, of: $1, to: "'\"<") }
    try expect("y=\"2\"", becomes: "y=\"'&quot;\"") { $0.setAttribute(1, of: $1, to: "'\"") }
    try expect("y='/>'", becomes: "y=''") { $0.setAttribute(1, of: $1.children[3], to: "") }
    try expect("y=\"2\"", becomes: "y=\"2\"\r\n  n=\"1\"\r\n  m=\"2\"") {
      $0.add(.init("n", "1"), to: $1)
      $0.add(.init("m", "2"), to: $1)
    }
    try expect("<c />", becomes: "<c n=\"1\" />") { $0.add(.init("n", "1"), to: $1.children[1]) }
    try expect("<d>", becomes: "<d n=\"1\">") { $0.add(.init("n", "1"), to: $1.children[2]) }
    try expect("\tx = 'it&apos;s >'", becomes: "") { $0.removeAttribute(0, of: $1) }
    try expect("\r\n  y=\"2\"", becomes: "") { $0.removeAttribute(1, of: $1) }
  }
}
