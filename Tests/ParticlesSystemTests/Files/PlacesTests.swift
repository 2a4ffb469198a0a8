import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Calls that do not leave places. A folder in the place is a link that leads outside, as if it had been exchanged between
/// a check and the call.
@Suite("Places that calls do not leave", .needs("find"))
struct PlacesTests {
  private let scratch: Scratch
  private let top: String
  private let places = Places()

  init() throws {
    scratch = try Scratch()
    top = try Files.resolve(scratch.path)
    for folder in ["in", "in/real", "out", "out/folder"] { try Files.makeDirectory(path(folder)) }
    for (name, text) in [
      ("in/own", "own"), ("in/real/f", "real"), ("out/f", "secret"), ("out/folder/f", "secret"),
    ] {
      try Files.create(path(name), Array(text.utf8))
    }
    try Files.makeLink(path("in/sub"), to: path("out"))
    try Files.makeLink(path("in/file"), to: path("out/f"))
    try Files.makeLink(path("out/link"), to: "f")
    places.set([(path: path("in"), real: path("in"))])
  }

  private func path(_ name: String) -> String { "\(top)/\(name)" }

  private func text(_ name: String) throws -> String {
    String(decoding: try Files.read(path(name)), as: UTF8.self)
  }

  /// The files outside: paths, contents, times and permissions.
  private func outside() throws -> [String] {
    let find = try #require(Run.find("find"))
    return try Run.succeeding(find, [path("out"), "-printf", "%p %y %s %m %T@ %C@\n"]).text
      .split(separator: "\n").map(String.init).sorted()
  }

  /// Calls with paths in `sub`, and with the link `file`.
  private static let calls: [(name: String, call: @Sendable (String) throws -> Void)] = [
    ("read", { _ = try Files.read("\($0)/sub/f") }),
    ("read a regular file", { _ = try OpenFile(readingRegular: "\($0)/sub/f") }),
    ("read at once", { _ = try OpenFile(readingAtOnce: "\($0)/sub/f") }),
    ("read deeper", { _ = try Files.read("\($0)/sub/folder/f") }),
    ("read by a link", { _ = try Files.read("\($0)/file") }),
    ("read by dots", { _ = try Files.read("\($0)/../out/f") }),
    ("read by dots of a folder", { _ = try Files.read("\($0)/real/../../out/f") }),
    ("follow", { _ = try OpenFile.following("\($0)/sub/f") }),
    ("update", { _ = try OpenFile(updating: "\($0)/sub/f") }),
    ("update by a link", { _ = try OpenFile(updatingRegular: "\($0)/file") }),
    ("create", { try Files.create("\($0)/sub/new", [1]) }),
    ("list", { _ = try Files.list("\($0)/sub") }),
    ("list deeper", { _ = try Files.list("\($0)/sub/folder") }),
    ("write below", { _ = try FolderWriter("\($0)/sub") }),
    ("make a folder", { try Files.makeDirectory("\($0)/sub/new") }),
    ("make folders", { try Files.makeDirectories("\($0)/sub/folder/new/newer") }),
    ("make a link", { try Files.makeLink("\($0)/sub/new", to: "f") }),
    ("read a link", { _ = try Files.destination(ofLink: "\($0)/sub/link") }),
    ("share from outside", { try Files.share("\($0)/sub/f", as: "\($0)/new") }),
    ("share to outside", { try Files.share("\($0)/own", as: "\($0)/sub/new") }),
    ("rename from outside", { try Files.rename("\($0)/sub/f", "\($0)/new") }),
    ("rename to outside", { try Files.rename("\($0)/own", "\($0)/sub/f") }),
    ("move from outside", { try Files.renameExclusively("\($0)/sub/f", "\($0)/new") }),
    ("move to outside", { try Files.renameExclusively("\($0)/own", "\($0)/sub/new") }),
    ("swap", { _ = try Files.swap("\($0)/own", "\($0)/sub/f") }),
    ("remove", { try Files.removeAll("\($0)/sub/f") }),
    ("remove a folder", { try Files.removeAll("\($0)/sub/folder") }),
    ("tag", { try Files.setAttribute("user.test", of: "\($0)/sub/f", to: [1]) }),
    ("tag by a link", { try Files.setAttribute("user.test", of: "\($0)/file", to: [1]) }),
    ("save", { try SafeSave.file("\($0)/sub/f", replacing: true) { try $0.write([1]) } }),
    ("save by a link", { try SafeSave.file("\($0)/file", replacing: true) { try $0.write([1]) } }),
    ("save anew", { try SafeSave.file("\($0)/sub/new", replacing: false) { try $0.write([1]) } }),
    ("save a folder", { try SafeSave.directory("\($0)/sub/folder", replacing: true) { _ in } }),
    ("resolve", { _ = try Files.resolve("\($0)/sub/f") }),
    ("resolve a link", { _ = try Files.target(of: "\($0)/file") }),
  ]

  @Test("no call reaches what is outside, and none changes it", arguments: calls.map(\.name))
  func confined(_ name: String) throws {
    let call = try #require(Self.calls.first { $0.name == name }).call
    let before = try outside()
    let inside = try Files.list(path("in"))
    _ = Places.run(within: places) {
      #expect(throws: Diagnostic.self) { try call(path("in")) }
    }
    #expect(try outside() == before)
    #expect(try Files.list(path("in")) == inside)
    #expect(try text("in/own") == "own")
  }

  @Test("without places, each of these calls does", arguments: calls.map(\.name))
  func unbound(_ name: String) throws {
    let call = try #require(Self.calls.first { $0.name == name }).call
    do {
      try call(path("in"))
    } catch let fault as Diagnostic where name.hasPrefix("tag") {
      print("skipped: files have no attributes here: \(fault)")
    }
  }

  @Test("what is outside has no status, attributes or entries")
  func facts() throws {
    try Places.run(within: places) {
      #expect(try Files.status(path("in/sub/f")) == nil)
      #expect(try Files.status(path("in/sub/f"), followingLinks: false) == nil)
      #expect(try Files.status(path("in/file")) == nil)
      #expect(try Files.status(path("in/file"), followingLinks: false)?.kind == .symbolicLink)
      #expect(OpenFile(unnamedFor: path("in/sub/new"), mode: 0o600) == nil)
      #expect(Files.attribute("user.test", of: path("in/sub/f")) == nil)
      var seen: [String] = []
      try FolderReader(path("in")).forEachEntry {
        if $0.target != nil { seen.append(String(decoding: $0.name, as: UTF8.self)) }
      }
      #expect(seen.isEmpty)
    }
  }

  @Test("links are renamed and removed themselves, and followed to what is in a place")
  func links() throws {
    try Files.makeLink(path("in/whole"), to: path("in/real"))
    try Files.makeLink(path("in/near"), to: "real/f")
    try Files.makeLink(path("in/real/far"), to: path("in/own"))
    try Places.run(within: places) {
      #expect(try text("in/whole/f") == "real")
      #expect(try text("in/near") == "real")
      #expect(try text("in/real/far") == "own")
      #expect(try Files.status(path("in/whole"))?.kind == .directory)
      #expect(try Files.list(path("in/whole")) == ["f", "far"])
      try SafeSave.file(path("in/near"), replacing: true) { try $0.write(Array("new".utf8)) }
      try Files.create(path("in/whole/made"), [1])
      try Files.rename(path("in/file"), path("in/whole/link"))
      try Files.removeAll(path("in/real/link"))
      try Files.removeAll(path("in/sub"))
      #expect(try text("in/real/../own") == "own")
    }
    #expect(try text("in/real/f") == "new")
    #expect(try Files.list(path("in/real")) == ["f", "far", "made"])
    #expect(try text("out/f") == "secret")
  }

  @Test("a place that is replaced by a link is gone; another folder at its path is opened")
  func replaced() throws {
    try Places.run(within: places) {
      #expect(try text("in/own") == "own")
      try Files.rename(path("in"), path("old"))
      expectThrows(.fileNotFound) { try text("in/own") }
      try Files.makeLink(path("in"), to: path("out"))
      expectThrows(.fileNotFound) { try text("in/f") }
      expectThrows(.fileNotFound) { try Files.list(path("in")) }
      try Files.removeAll(path("in"))
      try Files.makeDirectory(path("in"))
      #expect(try Files.list(path("in")).isEmpty)
      try Files.create(path("in/own"), Array("second".utf8))
      #expect(try text("in/own") == "second")
      #expect(try text("old/own") == "own")
    }
    #expect(try text("out/f") == "secret")
  }

  @Test("a folder around a place that is replaced by a link does not move the place")
  func replacedAround() throws {
    let inner = Places()
    inner.set([(path: path("in/real"), real: path("in/real"))])
    try Files.makeDirectory(path("out/real"))
    try Files.create(path("out/real/f"), Array("secret".utf8))
    try Files.rename(path("in"), path("old"))
    try Files.makeLink(path("in"), to: path("out"))
    _ = Places.run(within: inner) {
      expectThrows(.fileNotFound) { try text("in/real/f") }
    }
  }

  @Test("a place in another place is an entry of that")
  func nested() throws {
    places.set([path("in"), path("in/real")].map { (path: $0, real: $0) })
    try Places.run(within: places) {
      #expect(try Files.status(path("in/real"), followingLinks: false)?.kind == .directory)
      #expect(try text("in/real/f") == "real")
      try Files.rename(path("in/real"), path("in/other"))
      expectThrows(.fileNotFound) { try text("in/real/f") }
      try Files.makeLink(path("in/real"), to: path("out"))
      expectThrows(.fileNotFound) { try text("in/real/f") }
      expectThrows(.fileNotFound) { try Files.list(path("in/real")) }
      try Files.removeAll(path("in/real"))
      let found = try text("in/other/f")
      #expect(found == "real")
    }
    #expect(try text("out/f") == "secret")
  }

  @Test("own folders are not bound, but places in them are; other paths are as always")
  func own() throws {
    let places = Places(own: [path("in/sub"), path("in/real")])
    places.set([(path: path("in"), real: path("in"))])
    try Places.run(within: places) {
      let texts = try [text("in/sub/f"), text("out/f")]
      #expect(texts == ["secret", "secret"])
      expectThrows(.fileNotFound) { try text("in/file") }
    }
    try Files.makeLink(path("in/real/way"), to: path("out"))
    Places.run(within: Places(joining: [places, self.places])) {
      #expect((try? text("in/real/way/f")) == "secret")
    }
    places.set([(path: path("in/real"), real: path("in/real"))])
    _ = Places.run(within: places) {
      expectThrows(.fileNotFound) { try text("in/real/way/f") }
    }
  }

  @Test("the places of a queue, of a task, and of the threads that work for one")
  func threads() async throws {
    #expect(Places.current == nil)
    let (places, file) = (places, path("in/sub/f"))
    try await BackgroundWork(within: places).run {
      #expect(Places.current === places)
      let found = Lock(0)
      try Parallel.forEach(64, threads: 4, state: {}) { _, _ in
        if (try? Files.read(file)) != nil { found.withLock { $0 += 1 } }
      }
      #expect(found.withLock(\.self) == 0)
      Places.run(within: nil) { #expect(Places.current == nil) }
      #expect(Places.current === places)
    }
    #expect(try await BackgroundWork().run { try Files.read(file) } == Array("secret".utf8))
    await Places.run(taskWithin: places) {
      #expect((try? await BackgroundWork().run { try Files.read(file) }) == nil)
      #expect((try? Files.read(file)) == nil)
    }
    #expect(Places.current == nil)
  }

  @Test("25,000 exchanges of a folder for a link: nothing of outside is read or changed")
  func swapping() throws {
    try Files.removeAll(path("in/sub"))
    try Files.makeLink(path("in/sub"), to: path("out"))
    try Files.create(path("out/secret"), [])
    let before = try outside()
    let swapper = Swapper(path("in/real"), path("in/sub"))
    let deadline = MonotonicClock.seconds + 3
    var (inside, outside, unbound, made) = (0, 0, 0, 0)
    while swapper.swaps < 25_000, MonotonicClock.seconds < deadline {
      Places.run(within: places) {
        switch try? text("in/real/f") {
        case "real": inside += 1
        case nil: break
        default: outside += 1
        }
        if (try? Files.create(path("in/real/new"), [1])) != nil { made += 1 }
        try? Files.rename(path("in/real/new"), path("in/real/newer"))
        try? Files.removeAll(path("in/real/newer"))
        try? Files.removeAll(path("in/real/secret"))
      }
      if (try? text("in/real/f")) == "secret" { unbound += 1 }
    }
    _ = swapper.stop()
    #expect(outside == 0)
    #expect(inside > 0 && made > 0)
    // Otherwise the test tells nothing.
    #expect(unbound > 0)
    #expect(try self.outside() == before)
  }
}
