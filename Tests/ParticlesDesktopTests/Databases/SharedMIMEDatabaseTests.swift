import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import ParticlesTypes
import Testing

@testable import ParticlesDesktop

@Suite("The shared MIME database")
struct SharedMIMEDatabaseTests {
  /// A folder of data with these files in `mime`.
  private func database(
    _ folders: [[String: [UInt8]]]
  ) throws -> SharedMIMEDatabase {
    let scratch = try Scratch()
    let paths = try folders.enumerated().map { index, files in
      let folder = scratch.file("data\(index)")
      try Files.makeDirectory(folder)
      try Files.makeDirectory(Files.joined(folder, "mime"))
      for (name, bytes) in files { try Files.create(Files.joined(folder, "mime/\(name)"), bytes) }
      return folder
    }
    return try SharedMIMEDatabase(folders: paths)
  }

  private func database(_ files: [String: String]) throws -> SharedMIMEDatabase {
    try database([files.mapValues { Array($0.utf8) }])
  }

  @Test("a whole name ranks first, then the longest suffix, then the weight, then other patterns")
  func weights() throws {
    let database = try database([
      "globs2": """
      # a comment
      80:image/x-heavy:*.z
      50:text/x-plain:*.c
      50:text/x-cpp:*.C:cs
      50:application/gzip:*.gz
      50:application/x-tar-gz:*.tar.gz
      50:text/x-make:makefile
      10:text/x-make:makefile.*
      not a line
      x:text/x-bad:*.bad
      """
    ])
    #expect(database.type(named: "a.tar.gz") == "application/x-tar-gz")
    #expect(database.type(named: "a.GZ") == "application/gzip")
    #expect(database.type(named: "Makefile") == "text/x-make")
    #expect(database.type(named: "makefile.gz") == "application/gzip")
    #expect(database.type(named: "a.c") == "text/x-plain")
    #expect(Set(database.globs(forFileName: "a.C").map(\.type)) == ["text/x-cpp", "text/x-plain"])
    #expect(database.type(named: "a.bad") == SharedMIMEDatabase.unknown)
  }

  @Test("__NOGLOBS__ has no effect on other folders, as in GLib")
  func noGlobs() throws {
    let database = try database([
      ["globs2": Array("50:text/x-a:__NOGLOBS__\n50:text/x-a:*.new\n".utf8)],
      ["globs2": Array("50:text/x-a:*.old\n50:text/x-b:*.b\n".utf8)],
    ])
    #expect(database.type(named: "x.new") == "text/x-a")
    #expect(database.type(named: "x.old") == "text/x-a")
    #expect(database.type(named: "x.b") == "text/x-b")
  }

  /// The four kinds of lines that there are.
  private static let magic: [UInt8] = {
    var magic = Array("MIME-Magic\0\n[80:image/x-nested]\n>0=".utf8)
    magic += [0, 2] + Array("AB\n1>4=".utf8) + [0, 1] + Array("C\n".utf8)
    magic += Array("[60:image/x-range]\n>2=".utf8) + [0, 1] + Array("Z+3\n".utf8)
    magic += Array("[50:image/x-mask]\n>0=".utf8) + [0, 2, 0xF0, 0x0F] + Array("&".utf8)
    magic += [0xF0, 0x0F] + Array("\n".utf8)
    magic += Array("[40:image/x-word]\n>0=".utf8) + [0, 2, 0x12, 0x34] + Array("~2\n".utf8)
    return magic
  }()

  @Test("magic is read: nesting, masks, ranges, words")
  func magic() throws {
    let database = try database([["magic": Self.magic]])
    func told(_ bytes: [UInt8]) -> String { database.recognise(contents: bytes).type }
    #expect(told(Array("ABxxC".utf8)) == "image/x-nested")
    #expect(told(Array("ABxxD".utf8)) == "text/plain")
    #expect(told(Array("\0\0\0\0Z".utf8)) == "image/x-range")
    #expect(told(Array("\0\0\0\0\0Z".utf8)) == SharedMIMEDatabase.unknown)
    #expect(told([0xF7, 0x3F]) == "image/x-mask")
    #expect(told([0x12, 0x34]) == "image/x-word")
  }

  @Test("magic nests at most 32 levels deep")
  func nesting() throws {
    var magic = Array("MIME-Magic\0\n[80:image/x-nested]\n".utf8)
    for level in 0..<100 {
      magic += Array((level == 0 ? ">0=" : "\(level)>0=").utf8) + [0, 1] + Array("A\n".utf8)
    }
    var pattern = try #require(MagicFile(magic).sections.first?.patterns.first)
    var depth = 0
    while let next = pattern.also.first {
      pattern = next
      depth += 1
    }
    #expect(depth == 32)
  }

  @Test("contents without control characters are text")
  func text() throws {
    let database = try database([[String: [UInt8]]()])
    #expect(database.recognise(contents: Array("1, 2\t3\r\n".utf8)).type == "text/plain")
    #expect(database.recognise(contents: [0x20]).type == "text/plain")
    #expect(database.recognise(contents: [0x31, 0x1F]).type == SharedMIMEDatabase.unknown)
  }

  @Test("magic cut at any byte is read as far as it goes")
  func damage() throws {
    let magic = Self.magic
    let whole = MagicFile(magic).sections.count
    #expect(whole == 4)
    for count in magic.indices {
      #expect(MagicFile(Array(magic.prefix(count))).sections.count <= whole)
    }
    var numbers = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      var copy = magic
      let place = Int.random(in: copy.indices, using: &numbers)
      copy[place] = UInt8.random(in: 0...255, using: &numbers)
      for section in MagicFile(copy).sections {
        for pattern in section.patterns { _ = pattern.matches(magic) }
      }
    }
  }

  @Test("kinship is what is stated and what goes without saying")
  func kinship() throws {
    let database = try database([
      "subclasses": "image/x-a application/zip\nimage/x-b image/x-a\nimage/x-b image/x-b\n",
      "aliases": "image/old image/x-a\n",
    ])
    #expect(
      database.ancestry(of: "image/x-b")
        == ["image/x-b", "image/x-a", "application/zip", "application/octet-stream"])
    #expect(database.ancestry(of: "image/old").first == "image/x-a")
    #expect(database.isSubtype("text/x-log", of: "text/plain"))
    #expect(!database.isSubtype("inode/directory", of: SharedMIMEDatabase.unknown))
  }
}

extension SharedMIMEDatabase {
  /// The type of a name.
  func type(named name: String) -> String { recognise(fileName: name).type }
}
