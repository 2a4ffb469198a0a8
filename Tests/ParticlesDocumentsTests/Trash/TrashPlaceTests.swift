import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Untrusted descriptions in the trash of a volume: restoring never leads out of the volume.
@Suite("Places in the trash of a volume")
struct TrashPlaceTests {
  private let scratch: Scratch
  private let volume: String
  private let user = RunningProcess.user

  init() throws {
    scratch = try Scratch()
    volume = try Files.resolve(scratch.path) + "/volume"
    try Files.makeDirectory(volume)
  }

  private func trash(home: String? = nil) -> Trash {
    let volume = volume
    return Trash(home: home, user: user) { [volume, volume] }
  }

  private func makeFolders(_ path: String) throws {
    for name in ["files", "info"] { try Files.makeDirectories("\(path)/\(name)") }
  }

  /// Puts a file with a description into a folder of the trash.
  private func put(_ name: String, in folder: String, _ info: String) throws {
    try makeFolders(folder)
    try Files.create("\(folder)/files/\(name)", Array("contents".utf8))
    try Files.create("\(folder)/info/\(name).trashinfo", Array(info.utf8))
  }

  private var own: String { "\(volume)/.Trash-\(user)" }

  /// `VOLUME` is the path of the volume.
  static let outside = [
    "../x", "..", "../../etc/x", "d/../x", "d/../../x", "d/..", "%2E%2E/x", "%2e%2E%2Fx", "..%2Fx",
    "d%2F..%2F..%2Fx", "/etc/x", "%2Fetc%2Fx", "//etc/x", "/", "VOLUME", "VOLUMEx/y", "VOLUME/../x",
    "VOLUME/d/../../x", "out/x", "out/d/x", "out/new/x", "in/back/x", "VOLUME/out/x", "dangling/x",
    "dangling/d/x", "", "%", "%4", "%zz", "%00", "a%00b", "%FF", "a%C3",
  ]

  static let inside = [
    ("x", "x"), ("d/x", "d/x"), ("new/folder/x", "new/folder/x"), ("a%20b", "a b"),
    ("%C3%A4", "ä"), ("..x", "..x"), ("x..", "x.."), ("d/..x/y", "d/..x/y"), ("...", "..."),
    ("in/x", "in/x"), ("VOLUME/x", "x"), ("VOLUME/d/x", "d/x"), ("a=b", "a=b"), ("%25", "%"),
  ]

  /// A folder `d`, and links to a folder in the volume, out of the volume, and to nothing outside.
  private func makeLinks() throws -> String {
    let other = scratch.file("other")
    try Files.makeDirectory(other)
    try Files.makeDirectory("\(other)/d")
    try Files.makeDirectory("\(volume)/d")
    try Files.makeLink("\(volume)/out", to: other)
    try Files.makeLink("\(volume)/in", to: "d")
    try Files.makeLink("\(volume)/d/back", to: "../../other")
    try Files.makeLink("\(volume)/dangling", to: "../other/none")
    return other
  }

  @Test(
    "a path that leads out of the volume is not known, and nothing is moved there",
    arguments: outside)
  func leaving(path: String) throws {
    let other = try makeLinks()
    let text = path.replacing("VOLUME", with: volume)
    try put("x", in: own, "[Trash Info]\nPath=\(text)\nDeletionDate=2026-01-02T03:04:05\n")
    let item = try #require(trash().items().first)
    #expect(item.original == nil && item.problem?.rule == .fileUnreadable, "\(item)")
    #expect(item.seconds != nil)
    #expect(trash().item(at: "\(own)/files/x") == item)
    expectThrows(.fileNotFound) { try trash().restore(item) }
    #expect(try Files.list(other) == ["d"] && Files.list("\(other)/d").isEmpty)
    #expect(
      try Files.status("\(own)/files/x") != nil && Files.status("\(own)/info/x.trashinfo") != nil)
    #expect(try Files.list(scratch.path).sorted() == ["other", "volume"])
  }

  @Test("a path in the volume is where the file comes back to", arguments: inside)
  func staying(path: String, expected: String) throws {
    _ = try makeLinks()
    let text = path.replacing("VOLUME", with: volume)
    try put("x", in: own, "[Trash Info]\nPath=\(text)\nDeletionDate=2026-01-02T03:04:05\n")
    let item = try #require(trash().items().first)
    #expect(item.original == "\(volume)/\(expected)" && item.problem == nil)
    #expect(try trash().restore(item) == "\(volume)/\(expected)")
    #expect(try Files.read("\(volume)/\(expected)") == Array("contents".utf8))
    #expect(trash().items().isEmpty)
    #expect(try Files.list("\(own)/info").isEmpty && Files.list("\(own)/files").isEmpty)
  }

  @Test(
    "the first line of a key counts; without one of both, the file can still be restored elsewhere")
  func lines() throws {
    for (text, original, hasTime) in [
      ("Path=a\nPath=b\n", "a", false), ("Path=../a\nPath=b\n", nil, false),
      ("DeletionDate=2026-01-02T03:04:05\nDeletionDate=x\nPath=a\n", "a", true),
      ("DeletionDate=x\nDeletionDate=2026-01-02T03:04:05\nPath=a", "a", false),
      ("path=a\n", nil, false), (" Path=a\n", nil, false), ("Path\n", nil, false),
      ("Path=a\r\nDeletionDate=2026-01-02T03:04:05\r\n", "a", true), ("", nil, false),
    ] as [(String, String?, Bool)] {
      try put("x", in: own, "[Trash Info]\n\(text)")
      let item = try #require(trash().items().first)
      #expect(item.original == original.map { "\(volume)/\($0)" }, "\(text)")
      #expect((item.seconds != nil) == hasTime, "\(text)")
      #expect(try trash().restore(item, to: "\(volume)/there") == "\(volume)/there")
      try Files.removeAll("\(volume)/there")
    }
  }

  @Test("the trash of the home folder holds absolute paths alone")
  func home() throws {
    let home = scratch.file("share/Trash")
    let trash = trash(home: home)
    for (path, original) in [
      ("/tmp/x", "/tmp/x"), ("%2Ftmp%2Fx", "/tmp/x"), ("x", nil), ("../x", nil), ("", nil),
    ] as [(String, String?)] {
      try put("x", in: home, "[Trash Info]\nPath=\(path)\n")
      #expect(trash.items().map(\.original) == [original], "\(path)")
      try Files.removeAll(home)
    }
  }

  @Test("a folder of the trash counts if nobody else can have made it")
  func folders() throws {
    let info = "[Trash Info]\nPath=x\n"
    func names() -> [String] { trash().items().map { Files.lastComponent(of: $0.path) } }
    let shared = "\(volume)/.Trash"
    try put("shared", in: "\(shared)/\(user)", info)
    // Without the sticky bit, other users may exchange its contents.
    #expect(names().isEmpty)
    _ = try Run.succeeding("/bin/chmod", ["1777", shared])
    #expect(names() == ["shared"])
    #expect(trash().items().first?.original == "\(volume)/x")
    try put("own", in: own, info)
    #expect(Set(names()) == ["shared", "own"])
    // The trash of another user.
    try put("other", in: "\(volume)/.Trash-\(user + 1)", info)
    try put("more", in: "\(shared)/\(user + 1)", info)
    #expect(Set(names()) == ["shared", "own"])
    // Links instead of folders.
    try Files.rename(shared, "\(volume)/elsewhere")
    try Files.makeLink(shared, to: "elsewhere")
    try Files.rename(own, "\(volume)/own")
    try Files.makeLink(own, to: "own")
    #expect(names().isEmpty)
  }

  @Test("an item has a file and a description that is a file itself")
  func items() throws {
    try put("a", in: own, "[Trash Info]\nPath=a\n")
    try Files.create("\(own)/files/b", [])
    try Files.create("\(own)/info/c.trashinfo", Array("Path=c\n".utf8))
    try Files.create("\(own)/files/d", [])
    try Files.makeLink("\(own)/info/d.trashinfo", to: "a.trashinfo")
    try Files.create("\(own)/files/e", [])
    try Files.makeDirectory("\(own)/info/e.trashinfo")
    try Files.create("\(own)/info/f.other", Array("Path=f\n".utf8))
    try Files.create("\(own)/files/f", [])
    // A link that leads nowhere is an item, too.
    try Files.makeLink("\(own)/files/g", to: "nowhere")
    try Files.create("\(own)/info/g.trashinfo", Array("Path=g\n".utf8))
    #expect(Set(trash().items().map { Files.lastComponent(of: $0.path) }) == ["a", "g"])
    for name in ["b", "c", "d", "e", "f"] {
      #expect(trash().item(at: "\(own)/files/\(name)") == nil, "\(name)")
    }
    for path in ["\(own)/info/a", "\(own)/a", "\(volume)/a", "\(own)/files"] {
      #expect(trash().item(at: path) == nil, "\(path)")
    }
  }

  @Test("the newest item is first; those without a time are last")
  func order() throws {
    for (name, time) in [("a", "2026-01-02T00:00:00"), ("b", ""), ("c", "2026-01-03T00:00:00")] {
      try put(name, in: own, "[Trash Info]\nPath=\(name)\nDeletionDate=\(time)\n")
    }
    #expect(trash().items().map { Files.lastComponent(of: $0.path) } == ["c", "a", "b"])
  }
}
