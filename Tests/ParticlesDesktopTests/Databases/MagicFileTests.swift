import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDesktop
@testable import ParticlesTypes

/// The file `magic` of a MIME database, byte by byte.
@Suite("Magic of a MIME database")
struct MagicFileTests {
  private static func file(_ text: String) -> [UInt8] {
    Array("MIME-Magic\0\n".utf8) + Array(text.utf8)
  }

  private func types(_ text: String) -> [String] {
    MagicFile(Self.file(text)).sections.map(\.type)
  }

  private func matches(_ line: String, _ head: [UInt8]) -> Bool {
    let sections = MagicFile(Self.file("[50:a/b]\n\(line)\n")).sections
    return sections.first?.patterns.contains { $0.matches(head) } ?? false
  }

  @Test("values, masks, words and ranges")
  func lines() {
    #expect(
      matches(">0=\0\u{2}AB", Array("AB".utf8)) && !matches(">0=\0\u{2}AB", Array("xAB".utf8)))
    #expect(matches(">2=\0\u{1}A", Array("xxA".utf8)) && !matches(">2=\0\u{1}A", Array("xA".utf8)))
    // A range of three places.
    for (text, isMatch) in [("A", true), ("xA", true), ("xxA", true), ("xxxA", false)] {
      #expect(matches(">0=\0\u{1}A+3", Array(text.utf8)) == isMatch, "\(text)")
    }
    #expect(
      !matches(">0=\0\u{1}A+0", Array("xA".utf8)) && matches(">0=\0\u{1}A+0", Array("A".utf8)))
    // The mask has the bits that count: 0x5F is an underscore.
    #expect(matches(">0=\0\u{1}A&_", Array("a".utf8)) && !matches(">0=\0\u{1}A&_", Array("b".utf8)))
    #expect(matches(">0=\0\u{2}AB~2", Array("AB".utf8)))
    #expect(matches(">0=\0\u{1}A+1later", Array("A".utf8)))
  }

  @Test("a nested line counts with the line that it is in")
  func nesting() {
    let text = "[50:a/b]\n>0=\0\u{1}A\n1>1=\0\u{1}B\n2>2=\0\u{1}C\n1>1=\0\u{1}D\n>0=\0\u{1}Z\n"
    let patterns = MagicFile(Self.file(text)).sections.first?.patterns ?? []
    #expect(patterns.count == 2)
    for (head, isMatch) in [
      ("ABC", true), ("AD", true), ("AB", false), ("A", false), ("xBC", false), ("Z", true),
      ("ABD", false),
    ] {
      #expect(patterns.contains { $0.matches(Array(head.utf8)) } == isMatch, "\(head)")
    }
  }

  @Test("priorities are from 0 to 100")
  func priorities() {
    for (text, expected) in [("0", 0), ("50", 50), ("100", 100), ("101", 100), ("999999999", 100)] {
      let section = MagicFile(Self.file("[\(text):a/b]\n>0=\0\u{1}A\n")).sections.first
      #expect(section?.patterns.map(\.priority) == [expected])
    }
  }

  @Test(
    "reading stops at the first error, and keeps what was before it",
    arguments: [
      "[x:c/d]\n>0=\0\u{1}A\n", "[5c/d]\n", "[5:c/d\n", "[5:c/d]>0=\0\u{1}A\n", "c\n",
      "[1234567890:c/d]\n>0=\0\u{1}A\n",
    ])
  func sections(text: String) {
    let first = "[50:a/b]\n>0=\0\u{1}A\n"
    #expect(types(first + text).first == "a/b")
    #expect(types(first + text).count == 1)
    #expect(!types(text + first).contains("a/b"))
    #expect(MagicFile(Array("MIME-Magic\0".utf8) + Array(first.utf8)).sections.isEmpty)
    #expect(MagicFile([]).sections.isEmpty)
  }

  @Test(
    "a line that is cut off or no line ends its section",
    arguments: [
      ">0=\0\u{5}AB\n", ">0=\0\u{1}A", ">0=\0\u{1}A&", ">=\0\u{1}A\n", ">0\0\u{1}A\n",
      "0=\0\u{1}A\n",
      ">1234567890=\0\u{1}A\n", ">0=\0",
    ])
  func damaged(line: String) {
    let section = MagicFile(Self.file("[50:a/b]\n>1=\0\u{1}B\n\(line)")).sections.first
    #expect(section?.patterns.count == 1)
  }

  @Test("values may hold line feeds and brackets")
  func binary() {
    let text = "[50:a/b]\n>0=\0\u{3}\n[x\n[60:c/d]\n>0=\0\u{1}A\n"
    #expect(types(text) == ["a/b", "c/d"])
    #expect(MagicFile(Self.file(text)).sections[0].patterns[0].matches(Array("\n[x".utf8)))
  }
}

/// Recognition by a database of a few types that are made up.
@Suite("Recognition by a MIME database")
struct MIMERecognitionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func database(
    _ globs: String, magic: String = "", more: [(String, String)] = []
  ) throws -> SharedMIMEDatabase {
    let folder = scratch.file("data\(UInt64.random(in: 0...UInt64.max))/mime")
    try Files.makeDirectories(folder)
    for (name, text) in [("globs2", globs), ("magic", "MIME-Magic\0\n\(magic)")] + more {
      try Files.create("\(folder)/\(name)", Array(text.utf8))
    }
    return try SharedMIMEDatabase(folders: [Files.folder(of: folder)])
  }

  @Test(
    "literal names come before suffixes, the longest suffix before others, and weights decide",
    arguments: [
      ("makefile", "t/literal"), ("Makefile", "t/literal"), ("MAKEFILE", "t/literal"),
      ("a.gz", "t/gz"),
      ("a.TAR.gz", "t/tar"), ("README", "t/case"), ("Readme", "t/readme"), ("a.c", "t/c"),
      ("readme.1", "t/readme"),
      ("x.heavy", "t/heavy"), ("x.none", nil), (".gz", "t/gz"), ("gz", nil),
      ("data7.log", "t/digits"),
    ] as [(String, String?)])
  func names(name: String, type: String?) throws {
    let database = try database(
      """
      # comment
      50:t/literal:makefile
      50:t/case:README:cs
      50:t/gz:*.gz
      50:t/tar:*.tar.gz
      50:t/cpp:*.C:cs
      50:t/cpp:*.C
      50:t/c:*.c
      50:t/readme:readme*
      10:t/light:*.heavy
      60:t/heavy:*.heavy
      50:t/digits:data[0-9].*
      x:t/bad:*.none
      50:t/bad
      50:t/bad:
      50:t/bad:__NOGLOBS__

      """)
    let found = database.recognise(fileName: name)
    #expect(found.type == type ?? SharedMIMEDatabase.unknown)
    #expect((found.basis == .none) == (type == nil))
  }

  private func recognised(
    _ database: SharedMIMEDatabase, _ name: String, _ head: String
  ) throws -> SharedMIMEDatabase.Recognition {
    let path = scratch.file("file")
    try? Files.removeAll(path)
    try Files.create(path, Array(head.utf8))
    return try database.recognise(name, #require(try Files.status(path))) { try Files.read(path) }
  }

  @Test("contents decide between several names, and from priority 80 on against them")
  func contents() throws {
    let magic =
      "[80:t/strong]\n>0=\0\u{1}S\n[79:t/weak]\n>0=\0\u{1}W\n[50:t/b]\n>0=\0\u{1}B\n"
      + "[50:application/x-desktop]\n>0=\0\u{1}D\n"
    let database = try database(
      "50:t/a:*.x\n50:t/b:*.x\n50:t/sub:*.y\n50:t/a:*.y\n50:t/one:*.one\n", magic: magic,
      more: [("subclasses", "t/sub t/b\n")])
    func type(_ name: String, _ head: String) throws -> String {
      try recognised(database, name, head).type
    }
    #expect(try type("f.x", "none") == "t/a" && type("f.x", "B") == "t/b")
    #expect(try type("f.y", "B") == "t/sub" && type("f.y", "none") == "t/sub")
    #expect(try type("f.x", "S") == "t/strong" && type("f.x", "W") == "t/a")
    // One name alone decides.
    #expect(try type("f.one", "S") == "t/one" && type("f", "S") == "t/strong")
    #expect(try type("f", "W") == "t/weak" && type("f", "none") == "text/plain")
    // A program is not recognised by its contents.
    #expect(try type("f", "D") == "text/plain" && recognised(database, "f", "D").basis == .text)
    #expect(try recognised(database, "f", "") == .init(type: "text/plain", basis: .empty))
    #expect(try recognised(database, "f.x", "B").basis == .patternAndContents("*.x"))
  }

  @Test(
    "text has no control characters, or few of them",
    arguments: [
      ("plain\ttext\r\nä", true), ("a\u{8}b\u{C}", true), ("a\u{0}", false), ("a\u{1}", false),
      ("a\u{7F}", true), (String(repeating: "a", count: 128) + "\u{0}", true),
      (String(repeating: "a", count: 127) + "\u{0}", false),
      (String(repeating: "a", count: 127) + "\u{8}\u{7F}", false),
    ])
  func text(head: String, isText: Bool) throws {
    let found = try database("").recognise(contents: Array(head.utf8))
    #expect((found.type == "text/plain") == isText)
  }

  @Test("types have their aliases and supertypes, the implicit ones among them")
  func types() throws {
    let database = try database(
      "",
      more: [
        ("aliases", "t/old t/new\nt/old t/other\nbad\nt/x t/y t/z\n"),
        ("subclasses", "t/new t/base\nt/new t/base\nt/base t/new\ntext/x t/new\nbad\n"),
      ])
    #expect(database.canonical("T/OLD") == "t/new" && database.canonical("t/none") == "t/none")
    #expect(database.ancestry(of: "t/old") == ["t/new", "t/base"])
    #expect(database.parents(of: "text/x") == ["t/new", "text/plain"])
    #expect(database.parents(of: "text/plain") == ["application/octet-stream"])
    #expect(
      database.parents(of: "inode/fifo") == []
        && database.parents(of: "application/octet-stream") == [])
    #expect(database.declaredAncestry(of: "text/x") == ["text/x", "t/new", "t/base"])
    #expect(
      database.isSubtype("t/old", of: "t/base") && !database.isSubtype("t/other", of: "t/base"))
    #expect(database.isSubtype("t/other", of: "application/octet-stream"))
    #expect(!database.isSubtype("inode/fifo", of: "application/octet-stream"))
  }
}
