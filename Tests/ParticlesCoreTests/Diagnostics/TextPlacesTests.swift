import ParticlesCore
import Testing

@Suite("Lines and columns")
struct TextPlacesTests {
  private func place(_ position: Location.Position, in text: String) -> [Int]? {
    var places = TextPlaces(Array(text.utf8))
    return places?.place(of: position).map { [$0.line, $0.column] }
  }

  @Test("columns count code points, and offsets outside of the text are at its ends")
  func offsets() {
    let text = "a\nöb\r\n\nc"
    for (offset, expected) in [
      (0, [1, 1]), (1, [1, 2]), (2, [2, 1]), (4, [2, 2]), (5, [2, 3]), (7, [3, 1]), (8, [4, 1]),
      (9, [4, 2]), (100, [4, 2]), (-1, [1, 1]),
    ] {
      #expect(place(.offset(offset), in: text) == expected, "\(offset)")
    }
  }

  @Test("bytes that are not text have no lines")
  func binary() {
    #expect(TextPlaces([]) == nil && TextPlaces([0x61, 0]) == nil && TextPlaces([0xFF]) == nil)
  }

  @Test(
    "keys of JSON, or the nearest object that contains them",
    arguments: [
      ("a", [2, 3]), ("a.b[1]", [2, 17]), ("a.b[1].c", [2, 18]), ("a.b[7]", [2, 9]),
      ("d", [3, 3]), ("d.e", [3, 3]),
    ])
  func json(key: String, expected: [Int]) {
    #expect(place(.key(key), in: "{\n  \"a\": {\"b\": [0,{\"c\": 1}]},\n  \"d\": 2\n}") == expected)
  }

  @Test("a key that no object has")
  func missing() {
    #expect(place(.key("x"), in: "{\"a\": 1}") == nil)
    #expect(place(.key("x"), in: "{\"a\": ") == nil)
    #expect(place(.key("x"), in: "<plist><dict></dict></plist>") == nil)
    #expect(place(.key("x"), in: "<a") == nil && place(.key("x"), in: "<") == nil)
    #expect(place(.key("x"), in: "y=1\n") == nil)
  }

  @Test(
    "keys of property lists",
    arguments: [
      ("types", [3, 1]), ("types[0].id", [4, 9]), ("types[1].id", [6, 1]), ("types[1]", [5, 1]),
      ("id", [9, 1]), ("types[0].none", [4, 1]),
    ])
  func propertyList(key: String, expected: [Int]) {
    let text = """
      <?xml version="1.0"?><!-- <key>types</key> -->
      <plist version="1.0"><dict>
      <key>types</key><array>
      <dict>  <key>id</key><string>a</string><key>empty</key><dict/></dict>
      <dict>
      <key>id</key><string>b</string>
      </dict>
      </array>
      <key>id</key><true/>
      </dict></plist>
      """
    #expect(place(.key(key), in: text) == expected)
  }

  @Test("elements and attributes of other XML, and lines of desktop entries")
  func others() {
    let xml = "<root>\n  <speed value=\"1\"/>\n  <size\n min=\"2\"/>\n</root>"
    #expect(place(.key("speed"), in: xml) == [2, 3])
    #expect(place(.key("size.min"), in: xml) == [4, 2])
    let entry = "[Desktop Entry]\nName=a\nNames=b\nMimeType = c\n"
    #expect(place(.key("Name"), in: entry) == [2, 1])
    #expect(place(.key("MimeType[0]"), in: entry) == [4, 1])
  }

  @Test("keys that contain spaces or brackets, and the first of equal keys")
  func lineKeys() {
    let text = "- Life -\nName[de]=a\nName=b\nName=c\n\na b c d e f=1\n"
    for (key, line) in [("- Life", 1), ("-", 1), ("Name", 2), ("a b", 6), ("a b c d e f", 6)] {
      #expect(place(.key("x[\"\(key)\"]"), in: text)?.first == line, "\(key)")
    }
    #expect(place(.key("d"), in: text) == nil)
  }

  @Test("columns of long lines")
  func longLines() {
    let text = "a\n" + String(repeating: "ö", count: 10_000) + "x\nb"
    #expect(place(.offset(2 + 4094), in: text) == [2, 2048])
    #expect(place(.offset(2 + 4096), in: text) == [2, 2049])
    #expect(place(.offset(2 + 20_000), in: text) == [2, 10_001])
    #expect(place(.offset(text.utf8.count), in: text) == [3, 2])
  }

  @Test("the lines are read once, however many keys are searched for")
  func manyKeys() throws {
    // A search of all lines for each key would take hours.
    let text = (0..<50_000).map { "key\($0)=\($0)\n" }.joined()
    var places = try #require(TextPlaces(Array(text.utf8)))
    for index in 0..<50_000 where places.place(of: .key("key\(index)"))?.line != index + 1 {
      Issue.record("key\(index)")
    }
    for index in 0..<50_000 where places.place(of: .key("none\(index)")) != nil {
      Issue.record("none\(index)")
    }
  }
}
