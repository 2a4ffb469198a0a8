import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Trash")
struct TrashTests {
  private let scratch: Scratch
  private let trash: Trash

  init() throws {
    scratch = try Scratch()
    trash = Trash(home: scratch.file("share/Trash"), user: RunningProcess.user) { [] }
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path), as: UTF8.self)
  }

  @Test("what is put there has a description, and comes back to where it was")
  func roundTrip() throws {
    let path = scratch.file("Größe 100%.txt")
    try Files.create(path, Array("x".utf8))
    let item = try trash.put(path)
    #expect(try Files.status(path) == nil)
    #expect(try text(item.path) == "x")
    let info = try text(item.info)
    #expect(info.hasPrefix("[Trash Info]\nPath="))
    #expect(info.contains("Gr%C3%B6%C3%9Fe%20100%25.txt\n"))
    #expect(info.contains(/\nDeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n/))
    let found = try #require(trash.items().first)
    #expect(found.original == (try Files.resolve(scratch.path)) + "/Größe 100%.txt")
    #expect(abs((found.seconds ?? 0) - WallClock.seconds) < 5)
    #expect(try Files.resolve(trash.restore(found)) == Files.resolve(path))
    #expect(try text(path) == "x")
    #expect(trash.items().isEmpty)
    #expect(try Files.list(scratch.file("share/Trash/info")).isEmpty)
  }

  @Test("equal names get numbers, and one that is in use again is not overwritten")
  func names() throws {
    let path = scratch.file("a.txt")
    for text in ["1", "2", "3"] {
      try Files.create(path, Array(text.utf8))
      _ = try trash.put(path)
    }
    #expect(trash.items().count == 3)
    #expect(try Files.list(scratch.file("share/Trash/files")) == ["a.2.txt", "a.3.txt", "a.txt"])
    try Files.create(path, Array("new".utf8))
    let item = try #require(trash.item(at: scratch.file("share/Trash/files/a.txt")))
    #expect(try Files.lastComponent(of: trash.restore(item)) == "a 2.txt")
    #expect(try text(path) == "new")
    #expect(try text(scratch.file("a 2.txt")) == "1")
  }

  @Test(
    "a name of 255 bytes, a folder and a broken link can be removed; sizes of folders are noted")
  func kinds() throws {
    let long = String(repeating: "n", count: 251) + ".txt"
    try Files.create(scratch.file(long), [1])
    try Files.makeDirectory(scratch.file("folder"))
    try Files.create(scratch.file("folder/a b"), [UInt8](repeating: 7, count: 1234))
    try Files.makeLink(scratch.file("link"), to: "nowhere")
    for name in [long, "folder", "link"] { _ = try trash.put(scratch.file(name)) }
    #expect(trash.items().count == 3)
    let sizes = try text(scratch.file("share/Trash/directorysizes"))
    #expect(sizes.contains(/^1234 \d+ folder\n$/), "\(sizes)")
    for item in trash.items() { _ = try trash.restore(item) }
    #expect(try Files.read(scratch.file(long)) == [1])
    #expect(try Files.destination(ofLink: scratch.file("link")) == "nowhere")
    #expect(try text(scratch.file("share/Trash/directorysizes")) == "")
  }

  @Test("folders that are gone are made again; what is deleted for good is gone")
  func parents() throws {
    try Files.makeDirectory(scratch.file("folder"))
    try Files.create(scratch.file("folder/a"), [1])
    let item = try trash.put(scratch.file("folder/a"))
    try Files.removeAll(scratch.file("folder"))
    _ = try trash.restore(item)
    #expect(try Files.read(scratch.file("folder/a")) == [1])
    let again = try trash.put(scratch.file("folder/a"))
    try trash.delete(again)
    #expect(trash.items().isEmpty)
    #expect(try Files.status(again.path) == nil)
    expectThrows(.fileNotFound) { try trash.restore(again) }
    expectThrows(.fileNotFound) { try trash.put(scratch.file("folder/a")) }
  }

  @Test("what cannot be moved stays, and leaves no description behind")
  func refused() throws {
    expectThrows(.fileUnwritable) { try trash.put(scratch.file("")) }
    try Files.create(scratch.file("a"), [1])
    let item = try trash.put(scratch.file("a"))
    expectThrows(.fileUnwritable) { try trash.put(item.path) }
    #expect(trash.items().count == 1)
  }

  @Test("a damaged description is an item with a problem, and its file can be restored elsewhere")
  func damaged() throws {
    try Files.create(scratch.file("a"), [1])
    let item = try trash.put(scratch.file("a"))
    try Files.removeAll(item.info)
    try Files.create(item.info, Array("[Trash Info]\nPath=%zz\n".utf8))
    let found = try #require(trash.items().first)
    #expect(found.problem != nil)
    expectThrows(.fileNotFound) { try trash.restore(found) }
    _ = try trash.restore(found, to: scratch.file("b"))
    #expect(try Files.read(scratch.file("b")) == [1])
  }

  @Test(
    "another volume has a trash of its own; a shared folder counts only with the sticky bit",
    .enabled(if: (try? Files.status("/dev/shm"))??.kind == .directory, "there is no /dev/shm"))
  func otherVolume() throws {
    let folder = "/dev/shm/particles-test-\(UInt64.random(in: 0...UInt64.max))"
    try Files.makeDirectory(folder)
    defer { try? Files.removeAll(folder) }
    let device = try Files.status(folder)?.state.identity.device
    guard device != (try Files.status(scratch.path)?.state.identity.device) else { return }
    let user = RunningProcess.user
    let trash = Trash(home: scratch.file("share/Trash"), user: user) { ["/dev/shm"] }
    try Files.create("\(folder)/a b", [1])
    let item = try trash.put("\(folder)/a b")
    #expect(item.path.hasPrefix("/dev/shm/.Trash-\(user)/files/"))
    let info = try text(item.info)
    #expect(info.contains("\nPath=\(Files.lastComponent(of: folder))/a%20b\n"), "\(info)")
    #expect(trash.items().map(\.original).contains("\(folder)/a b"))
    #expect(try trash.restore(item) == "\(folder)/a b")
  }

  @Test("gio reads what we write, and the reverse", .needs("gio"))
  func gio() throws {
    let gio = try #require(Run.find("gio"))
    // A program has its trash in its data folder.
    let environment = scratch.desktop()
    let trash = Trash(environment: environment)
    let home = try Files.resolve(scratch.path)
    try Files.create(scratch.file("ours ä.txt"), [1])
    try Files.create(scratch.file("theirs %.txt"), [2])
    let ours = try trash.put(scratch.file("ours ä.txt"))
    let run = try Run(gio, ["trash", scratch.file("theirs %.txt")], environment: environment)
    guard run.status == 0 else {
      // gio refuses some file systems of containers.
      #expect(run.errors.contains("not supported"), "\(run.errors)")
      return
    }
    let found = trash.items()
    #expect(Set(found.compactMap(\.original)) == ["\(home)/ours ä.txt", "\(home)/theirs %.txt"])
    let theirs = try #require(found.first { $0.path != ours.path })
    #expect(try Files.read(trash.restore(theirs)) == [2])
    // The list of gio itself goes through a daemon. The daemon reads descriptions as key files, with an escaped path.
    guard let python = Run.optional("python3") else { return }
    let script = """
      import configparser, sys, urllib.parse
      file = configparser.RawConfigParser()
      file.optionxform = str
      file.read(sys.argv[1:], encoding="utf-8")
      print(urllib.parse.unquote(file["Trash Info"]["Path"]), len(file["Trash Info"]["DeletionDate"]))
      """
    for item in [ours, theirs] where try Files.status(item.info) != nil {
      let read = try Run.succeeding(python, ["-c", script, item.info])
      #expect(read.text == "\(item.original ?? "") 19\n")
    }
  }
}

extension TrashTests {
  @Test("neither the trash, nor what is in it or around it, is put into it; a new trash goes again")
  func refusedPlaces() throws {
    try Files.makeDirectory(scratch.file("share"))
    for path in [scratch.path, scratch.file("share")] {
      expectThrows(.fileUnwritable) { try trash.put(path) }
      #expect(try Files.list(scratch.file("share")).isEmpty)
    }
    try Files.create(scratch.file("a"), [1])
    let item = try trash.put(scratch.file("a"))
    for path in ["share/Trash", "share/Trash/files", "share/Trash/info", "share"] {
      expectThrows(.fileUnwritable) { try trash.put(scratch.file(path)) }
    }
    expectThrows(.fileUnwritable) { try trash.put(item.info) }
    // A path that only begins like the trash is another place.
    try Files.create(scratch.file("share/Trash2"), [2])
    #expect(try Files.lastComponent(of: trash.put(scratch.file("share/Trash2")).path) == "Trash2")
    #expect(trash.items().count == 2)
  }

  @Test("names in the trash leave room for the description and a number")
  func longNames() throws {
    func put(_ name: String) throws -> String {
      try Files.create(scratch.file(name), [1])
      return try Files.lastComponent(of: trash.put(scratch.file(name)).path)
    }
    let most = 255 - 10 - 8
    let long = String(repeating: "n", count: 255)
    #expect(try put(long) == String(repeating: "n", count: most))
    #expect(try put(long) == String(repeating: "n", count: most) + ".2")
    let named = String(repeating: "n", count: 251) + ".txt"
    #expect(try put(named) == String(repeating: "n", count: most - 4) + ".txt")
    #expect(try put(named) == String(repeating: "n", count: most - 4) + ".2.txt")
    // An extension of 63 bytes stays. A longer extension is no extension.
    let kind = String(repeating: "k", count: 63)
    #expect(
      try put(String(repeating: "n", count: 190) + "." + kind)
        == String(repeating: "n", count: most - 64) + "." + kind)
    #expect(try put("a.\(kind)") == "a.\(kind)" && put("a.\(kind)") == "a.2.\(kind)")
    #expect(try put("a.\(kind)k") == "a" && put("a.\(kind)k") == "a.2")
    let umlauts = String(repeating: "ä", count: 127)
    #expect(try put(umlauts) == String(repeating: "ä", count: most / 2))
    #expect(try put(".hidden") == ".hidden" && put(".hidden") == ".hidden.2")
  }

  @Test(
    "sizes of folders: a line for each that is there; damaged lines and those of others that are gone go"
  )
  func sizes() throws {
    let sizes = scratch.file("share/Trash/directorysizes")
    func lines() throws -> [String] {
      String(decoding: try Files.read(sizes), as: UTF8.self).split(separator: "\n").map {
        $0.split(separator: " ").enumerated().filter { $0.offset != 1 }.map { String($0.element) }
          .joined(separator: " ")
      }
    }
    for (name, size) in [("one two", 5), ("b", 7), ("c", 0)] {
      try Files.makeDirectories(scratch.file("\(name)/sub"))
      try Files.create(scratch.file("\(name)/sub/x"), [UInt8](repeating: 1, count: size))
      try Files.makeLink(scratch.file("\(name)/link"), to: "sub/x")
    }
    _ = try trash.put(scratch.file("one two"))
    let one = try lines()
    #expect(one.count == 1 && one[0].hasSuffix(" one%20two"))
    let b = try trash.put(scratch.file("b"))
    #expect(try lines().count == 2)
    let text = String(decoding: try Files.read(sizes), as: UTF8.self)
    try Files.removeAll(sizes)
    try Files.create(sizes, Array((text + "12 3\nx\n5 6 gone\n5 6 %zz\n").utf8))
    _ = try trash.put(scratch.file("c"))
    #expect(try lines().map { $0.split(separator: " ").last } == ["one%20two", "b", "c"])
    try trash.delete(b)
    #expect(try lines().map { $0.split(separator: " ").last } == ["one%20two", "c"])
  }
}
