import ParticlesCore
import ParticlesPropertyLists
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Expat, through Python, judges our reader of XML: elements, their places, attributes and text, and which documents are
/// well-formed.
@Suite("XML, judged by expat") struct XMLRefereeTests {
  /// What `Tests/Readers/xml_events.py` writes, by our reader.
  private static func events(_ element: XMLElement, into lines: inout [String]) {
    func escaped(_ text: String) -> String {
      var bytes: [UInt8] = []
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\\"): bytes += "\\\\".utf8
        case 0x0A: bytes += "\\n".utf8
        case 0x0D: bytes += "\\r".utf8
        default: bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    let place = element.place.map { "\($0.offset) \($0.line) \($0.column)" } ?? "nowhere"
    lines.append("S \(place) \(element.name)")
    lines += element.attributes.map { "A \($0.name) \(escaped($0.value))" }
    for child in element.children { events(child, into: &lines) }
    lines.append("E \(escaped(element.text))")
  }

  private static func events(_ bytes: [UInt8]) -> [String] {
    do {
      var lines: [String] = []
      events(try XMLParser.parse(bytes) { _ in }, into: &lines)
      return lines
    } catch { return ["F \(error.message)"] }
  }

  /// Compares both readers.
  /// - Returns: how many documents are well-formed.
  private func judge(_ documents: [(name: String, bytes: [UInt8])]) throws -> Int {
    let python = try #require(Run.find("python3"))
    let scratch = try Scratch()
    var list = ""
    var judged: [(name: String, path: String, bytes: [UInt8])] = []
    for (index, document) in documents.enumerated() {
      // A document of an encoding that we do not read has no second opinion.
      guard let encoding = try? XMLEncoding(of: document.bytes, reporting: { _ in }) else {
        continue
      }
      let path = scratch.file("\(index).xml")
      try Files.create(path, document.bytes)
      list += "\(encoding.rawValue) \(path)\n"
      judged.append((document.name, path, document.bytes))
    }
    try Files.create(scratch.file("list"), Array(list.utf8))
    let run = try Run(
      python, [Repository.path("Tests/Readers/xml_events.py"), scratch.file("list")])
    try #require(run.status == 0, "\(run.errors)")
    #expect(run.text == "\(judged.count)\n")
    var wellFormed = 0
    for (name, path, bytes) in judged {
      let theirs = String(decoding: try Files.read(path + ".events"), as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let ours = Self.events(bytes)
      let theirFault = theirs.last { $0.hasPrefix("F ") }
      let ourFault = ours.last { $0.hasPrefix("F ") }
      if theirFault != nil, ourFault != nil { continue }
      // Expat knows the letters of the fourth edition of XML 1.0, and takes half a surrogate for a character.
      let hasLetters = ours.contains { line in
        (line.hasPrefix("S ") || line.hasPrefix("A ")) && line.utf8.contains { $0 >= 0x80 }
      }
      let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
      let hasTarget = text.firstMatch(of: #/<\?[A-Za-z.]*[^\x{00}-\x{7F}]/#) != nil
      if theirFault?.contains("invalid token") == true, hasLetters || hasTarget { continue }
      if ourFault?.contains("bytes that are not UTF-16") == true { continue }
      let difference = zip(ours, theirs).first { $0 != $1 }
      #expect(
        ours == theirs,
        "\(name): \(ourFault ?? theirFault ?? "\(difference ?? ("", ""))")\n\(bytes.count < 2000 ? String(decoding: bytes, as: UTF8.self) : "")"
      )
      if ourFault == nil { wellFormed += 1 }
    }
    return wellFormed
  }

  /// The XML documents below a folder.
  private static func documents(_ folder: String, upTo size: Int) throws -> [(
    name: String, bytes: [UInt8]
  )] {
    var found: [(name: String, bytes: [UInt8])] = []
    for name in try Files.list(folder) {
      let path = Files.joined(folder, name)
      switch try Files.status(path)?.kind {
      case .directory: found += try documents(path, upTo: size)
      case .file:
        let bytes = try Files.read(path)
        let start = bytes.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) }
        if bytes.count <= size, start == UInt8(ascii: "<") { found.append((path, bytes)) }
      default: break
      }
    }
    return found
  }

  @Test("documents of the project", .needs("python3"))
  func fixtures() throws {
    let documents = try Self.documents(Repository.path("Fixtures"), upTo: 1 << 16)
    #expect(try judge(documents) > 80)
  }

  @Test("documents of other people", .needs("python3"), .enabled(if: Corpus.isPresent))
  func corpus() throws {
    guard let corpus = Repository.corpus else { return }
    let documents = try Self.documents(corpus, upTo: 1 << 18)
    #expect(try judge(documents) > 70)
  }

  @Test("documents with changed bytes", .needs("python3"), arguments: [1, 2] as [UInt64])
  func mutants(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces =
      [
        "<", ">", "/", "&", ";", "'", "\"", "=", " ", "\t", "\n", "\r\n", "\r", "]]>", "<!--",
        "-->",
        "--", "<![CDATA[", "]]", "<?", "?>", "<?xml", "<!DOCTYPE a SYSTEM 'b'>", "&#65;", "&#x;",
        "&#x110000;", "&#0;", "&lt;", "&quot", "&b;", "\u{0}", "\u{1}", "\u{E4}", "\u{FFFE}",
        "\u{1F600}", "a", "0", "-", ".", ":", "xmlns", "[", "!", "<a x='1' x='2'/>", "</a>",
      ].map { Array($0.utf8) } + [
        [0xC3], [0x80], [0xED, 0xA0, 0x80], [0xF8], [0xC0, 0x80], [0xFF],
      ]
    var documents = [
      "<?xml version='1.0' encoding='UTF-8' standalone='yes'?><!-- c --><a b='c'>d<e/> f</a>\n",
      "<!DOCTYPE a PUBLIC 'x' \"y\"><a>&amp;<![CDATA[<>]]></a><?b c?>",
      "<a b = 'c\r\n\td' e='&#10;'>\r\r\n</a>",
      "\u{FEFF}<a>\u{E4}\u{1F600}<b/></a>", "<a:b c.d-e='1'><_/></a:b>",
    ].map { Array($0.utf8) }
    let wide = Array("<?xml version='1.0'?><a b='\u{E4}'>\u{1F600} c\n<d/></a>".utf16)
    documents.append(
      [0xFF, 0xFE] + wide.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
    documents.append(wide.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
    documents.append(
      Array("<?xml version='1.0' encoding='windows-1252'?><a>".utf8) + [0x80, 0xE4]
        + Array("<b/></a>".utf8))
    for path in ["effects/plist/snow.plist", "effects/pex/snow.pex"] {
      if let bytes = try? Files.read(Repository.path("Fixtures/\(path)")) {
        documents.append(bytes)
      }
    }
    var changed: [(name: String, bytes: [UInt8])] = []
    for (number, document) in documents.enumerated() {
      for round in 0..<300 {
        var bytes = document
        for _ in 0...Int.random(in: 0...2, using: &random) {
          let place = Int.random(in: 0...bytes.count, using: &random)
          let end = min(bytes.count, place + Int.random(in: 0...3, using: &random))
          let piece = pieces.randomElement(using: &random) ?? []
          bytes.replaceSubrange(
            place..<end, with: Int.random(in: 0...3, using: &random) == 0 ? [] : piece)
        }
        changed.append(("document \(number), round \(round), seed \(seed)", bytes))
      }
    }
    let wellFormed = try judge(changed)
    #expect(wellFormed > 200 && wellFormed < changed.count - 200, "\(wellFormed)")
  }
}
