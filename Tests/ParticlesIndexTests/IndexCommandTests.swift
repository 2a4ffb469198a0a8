import ParticlesCLI
import ParticlesCore
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesIndex

/// `particles index` and `particles find` as programs.
@Suite("The commands index and find")
struct IndexCommandTests {
  private let scratch: Scratch
  private let tool = Run.built("particles")
  private let folder: String

  init() throws {
    scratch = try Scratch()
    folder = scratch.file("effects")
    try Files.makeDirectories("\(folder)/sub")
    try copy("effects/pex/torch.pex", to: "torch.pex")
    try copy("effects/pex/ember.png", to: "ember.png")
    try copy("rules/container/checksum-block.particles", to: "damaged.particles")
    try copy("rules/limit/exceeded-depth.particles", to: "hostile.particles")
    try Files.create("\(folder)/notes.txt", Array("no effect".utf8))
  }

  private func copy(_ fixture: String, to name: String) throws {
    try Files.create("\(folder)/\(name)", Fixture.read(fixture))
    try setModified("\(folder)/\(name)", WallClock.seconds - 3_600)
  }

  private func run(_ words: String...) throws -> Run {
    try Run(
      tool, words, in: scratch.path,
      environment: ["XDG_CACHE_HOME": scratch.file("cache"), "HOME": scratch.path])
  }

  private var database: String { scratch.file("cache/particles/index.sqlite") }

  @Test("a folder is indexed, asked, brought up to date and forgotten")
  func flow() throws {
    let missing = try run("find", "smoke")
    #expect(missing.status == 2 && missing.errors.contains("[index/missing]"))
    #expect(missing.errors.contains("hint: make one with 'particles index FOLDER'"))
    let first = try run("index", "effects")
    #expect(first.status == 0 && first.text.isEmpty)
    #expect(first.errors == "3 documents: 3 read, 2 with errors; 2 unknown\n", "\(first.errors)")
    #expect(try run("index").errors == "3 documents: 3 unchanged, 2 with errors; 2 unknown\n")

    // Damaged and hostile documents are rows with their problems.
    let faulty = try run("find", "errors>0")
    #expect(faulty.text == "effects/damaged.particles\neffects/hostile.particles\n")
    #expect(try run("find", "problem:limit/exceeded").text == "effects/hostile.particles\n")
    let torch = "effects/torch.pex\n"
    #expect(try run("find", "ember").text == torch)
    #expect(try run("find", "format:starling alive>100 blend:add emission.rate>160").text == torch)
    #expect(try run("find", "-0", "torch", "effects").text == "effects/torch.pex\0")
    #expect(try run("find", "similar:effects/torch.pex").text == torch)
    let none = try run("find", "nothing")
    #expect(none.status == 1 && none.text.isEmpty && none.errors.isEmpty)
    let wrong = try run("find", "alive>many")
    #expect(wrong.status == 64 && wrong.text.isEmpty)
    #expect(wrong.errors.contains("character 7 (expected a number, found 'many') [index/query]"))

    // A copy beside another image looks as the original does in the index, and is at a distance of 0.
    #expect(try run("new", "effects/sub/snow.particles", "--template", "snow").status == 0)
    try Files.rename("\(folder)/torch.pex", "\(folder)/lamp.pex")
    try Files.removeAll("\(folder)/damaged.particles")
    let second = try run("index", "effects", "--json")
    let json = try #require(JSONParser.parse(second.output).object)
    #expect(json["read"]?.int == 1 && json["moved"]?.int == 1 && json["removed"]?.int == 1)
    #expect(json["faulty"]?.int == 1 && json["documents"]?.int == 3)
    #expect(try run("find", "alive>0").text == "effects/lamp.pex\neffects/sub/snow.particles\n")
    #expect(try run("find", "alive>0", "effects/sub").text == "effects/sub/snow.particles\n")

    // A folder that is not there keeps its rows, and is an error.
    try Files.rename(folder, scratch.file("away"))
    let away = try run("index")
    #expect(away.status == 2 && away.errors.contains("[file/not-found]"))
    #expect(away.errors.contains("hint: mount its volume, or remove it with"))
    #expect(try run("find", "snow").status == 0)
    #expect(try run("index", "--forget", folder).status == 0)
    #expect(try run("find", "snow").status == 1)
  }

  @Test("thumbnails are drawn once, for all programs of the desktop, and JSON has their files")
  func thumbnails() throws {
    func shown() throws -> String? {
      let json = try JSONParser.parse(run("find", "torch", "--json").output).object
      let file = try #require(json?["files"]?.array?.first?.object)
      return file["thumbnail"]?.string
    }
    #expect(try run("index", "effects").status == 0)
    #expect(try shown() == nil)
    let first = try run("index", "--thumbnails")
    #expect(first.status == 0 && first.errors.contains(", 1 drawn"), "\(first.errors)")
    let file = try #require(try shown())
    #expect(file.hasPrefix(scratch.file("cache/thumbnails/large/")))
    let bytes = try Files.read(file)
    let again = try JSONParser.parse(run("index", "--thumbnails", "--json").output).object
    #expect(again?["thumbnails"]?.int == 0 && again?["documents"]?.int == 3)
    #expect(try Files.read(file) == bytes)
    // One of an earlier state of the document is none, until it is drawn again.
    try setModified("\(folder)/torch.pex", WallClock.seconds - 1_800)
    #expect(try run("index").status == 0 && shown() == nil)
    #expect(try run("index", "--thumbnails").status == 0 && shown() == file)
    #expect(try Files.read(file) != bytes)
    // A cache that cannot be written is an error. The index does not change.
    try Files.removeAll(scratch.file("cache/thumbnails"))
    try Files.create(scratch.file("cache/thumbnails"), [])
    let failed = try run("index", "--thumbnails")
    #expect(failed.status == 2 && failed.errors.contains("cache/thumbnails"), "\(failed.errors)")
    #expect(try run("find", "torch").status == 0)
  }

  @Test("of the picture of an answer only the texts are read", .needs("strace"))
  func texts() throws {
    #expect(try run("index", "--thumbnails", "effects").status == 0)
    let file =
      scratch.file("cache/thumbnails/large/")
      + (try #require(try Files.list(scratch.file("cache/thumbnails/large")).first))
    // A picture that does not compress, and a picture whose texts are behind something long.
    let texts = PNG.texts(of: try Files.read(file)).map { ($0.key, $0.value) }
    var random = SystemRandomNumberGenerator()
    let pixels = (0..<256 * 256 * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
    let noise = try PNG.encode(Bitmap(width: 256, height: 256, pixels: pixels))
    let large = PNG.adding(texts, to: noise)
    let late = PNG.adding(
      [("Comment", String(repeating: "a", count: 10_000))] + texts, to: noise)
    #expect(large.count > 100_000)
    let strace = try #require(Run.find("strace"))
    for (picture, most) in [(large, 4_096), (late, 1 << 20)] {
      try Files.removeAll(file)
      try Files.create(file, picture)
      let log = scratch.file("log")
      let found = try Run(
        strace,
        [
          "-f", "-y", "-e", "trace=read,pread64", "-o", log, tool, "find", "torch",
          "--json",
        ], in: scratch.path,
        environment: ["XDG_CACHE_HOME": scratch.file("cache"), "HOME": scratch.path])
      #expect(found.status == 0 && found.text.contains(file), "\(found.text)\(found.errors)")
      let lines = String(decoding: try Files.read(log), as: UTF8.self).split(separator: "\n")
      let counts = lines.filter { $0.contains("thumbnails/large") }
        .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
      let sum = counts.reduce(0, +)
      #expect(sum > 0 && sum <= most, "\(counts)")
    }
  }

  @Test("names that differ only in the normalisation of their characters are two documents")
  func normalisation() throws {
    try copy("effects/pex/torch.pex", to: "sub/\u{E9}.pex")
    try copy("effects/pex/torch.pex", to: "sub/e\u{301}.pex")
    #expect(try run("index", "effects").errors.hasPrefix("5 documents: 5 read"))
    let found = try run("find", "-0", "format:starling", "effects/sub")
    let expected = "effects/sub/e\u{301}.pex\0effects/sub/\u{E9}.pex\0"
    #expect(found.output == Array(expected.utf8))
    #expect(try run("index").errors.hasPrefix("5 documents: 5 unchanged"))
  }

  @Test("another program reads the same numbers from the database", .needs("python3"))
  func reader() throws {
    #expect(try run("index", "effects").status == 0)
    let script = """
      import sqlite3, struct, sys
      index = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
      def one(text): return index.execute(text).fetchone()[0]
      print(hex(one("PRAGMA application_id")), one("PRAGMA user_version"), one("PRAGMA integrity_check"))
      print(one("SELECT count(*) FROM documents"), one("SELECT count(*) FROM others"))
      print(one("SELECT count(*) FROM texts WHERE texts MATCH 'ember'"))
      print(one("SELECT value FROM numbers JOIN keys ON keys.id = key WHERE name = 'alive'"))
      print(len(struct.unpack('<38f', one("SELECT vector FROM vectors"))))
      """
    let python = try #require(Run.find("python3"))
    let read = try Run.succeeding(python, ["-c", script, database])
    #expect(read.text == "0x50545849 1 ok\n3 2\n1\n180.0\n38\n")
  }

  @Test("a database of another program is refused, and not changed")
  func foreign() throws {
    let other = scratch.file("bookmarks.sqlite")
    let bytes = try Fixture.read("rules/index/foreign.sqlite")
    try Files.create(other, bytes)
    for words in [["index", "effects"], ["find", "a"], ["index", "--forget", "effects"]] {
      let run = try Run(tool, words + ["--database", other], in: scratch.path)
      #expect(run.status == 2 && run.errors.contains("[index/foreign]"), "\(run.errors)")
    }
    #expect(try Files.read(other) == bytes)
  }

  @Test("a run that is killed leaves an index that the next one completes")
  func killed() throws {
    for number in 0..<200 { try copy("effects/pex/torch.pex", to: "sub/\(number).pex") }
    try Files.create("\(folder)/sub/ember.png", Fixture.read("effects/pex/ember.png"))
    let environment = ["XDG_CACHE_HOME": scratch.file("cache"), "HOME": scratch.path]
    for seconds in [0.05, 0.15, 0.3] {
      _ = try Run(
        tool, ["index", "effects"], in: scratch.path, environment: environment, killedAfter: seconds
      )
      if try Files.status(database)?.kind == .file {
        #expect([0, 1, 2].contains(try run("find", "torch").status))
      }
    }
    #expect(try run("index", "effects").status == 0)
    #expect(try run("find", "format:starling").text.split(separator: "\n").count == 201)
    let again = try run("index")
    #expect(again.errors.hasPrefix("203 documents: 203 unchanged"), "\(again.errors)")
  }

  @Test("help, and a name with a control character")
  func names() throws {
    let help = try run("help", "--verbose", "find").text
    for field in QueryField.all { #expect(help.contains(field.name)) }
    try copy("effects/pex/torch.pex", to: "a\nb.pex")
    #expect(try run("index", "effects").status == 0)
    #expect(try run("find", "file:a file:b.pex").text == "effects/a\\u{a}b.pex\n")
    #expect(try run("find", "-0", "file:a file:b.pex").text == "effects/a\nb.pex\0")
  }
}
