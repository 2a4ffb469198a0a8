import Foundation
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("The file system")
struct FilesTests {
  @Test("what is created is read, and nothing is created twice")
  func createAndRead() throws {
    let scratch = try Scratch()
    let bytes = SampleTree.noise(200_000, seed: 11)
    try Files.create(scratch.file("a"), bytes)
    #expect(try Files.read(scratch.file("a")) == bytes)
    try Files.create(scratch.file("empty"), [])
    #expect(try Files.read(scratch.file("empty")) == [])
    let error = expectThrows(.fileExists) { try Files.create(scratch.file("a"), [1]) }
    #expect(error?.location == Location(file: scratch.file("a")))
    #expect(try Files.read(scratch.file("a")) == bytes)
    try Files.makeLink(scratch.file("link"), to: "nowhere")
    expectThrows(.fileExists) { try Files.create(scratch.file("link"), [1]) }
  }

  @Test("no more is read than the limit allows")
  func limits() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a"), [UInt8](repeating: 1, count: 100))
    var limits = Limits()
    limits.fileBytes = 100
    #expect(try Files.read(scratch.file("a"), limits: limits).count == 100)
    limits.fileBytes = 99
    let error = expectThrows(.limit) { try Files.read(scratch.file("a"), limits: limits) }
    #expect(error?.location.file == scratch.file("a"))
  }

  @Test("everything is removed, also names that are not UTF-8")
  func removal() throws {
    let scratch = try Scratch()
    let shell = try #require(Run.find("sh"))
    let script = """
      mkdir -p a/b; cd a; touch "$(printf 'x\\377')" b/y; mkdir "$(printf 'z\\377')"
      touch "$(printf 'z\\377/1')"; ln -s ../kept b/link; mkdir ../kept; touch ../kept/1
      """
    #expect(try Run(shell, ["-c", script], in: scratch.path).status == 0)
    expectThrows(.name) { try Files.list(scratch.file("a")) }
    try Files.removeAll(scratch.file("a"))
    #expect(try Files.list(scratch.path) == ["kept"])
    #expect(try Files.list(scratch.file("kept")) == ["1"])
    expectThrows(.fileNotFound) { try Files.removeAll(scratch.file("a")) }
  }

  @Test("names in a directory come in the order of their bytes, hidden ones too")
  func list() throws {
    let scratch = try Scratch()
    for name in ["b", "a", "B", ".hidden", "é", "z", "a b", "10", "9"] {
      try Files.create(scratch.file(name), [])
    }
    #expect(try Files.list(scratch.path) == [".hidden", "10", "9", "B", "a", "a b", "b", "z", "é"])
    expectThrows(.fileNotFound) { try Files.list(scratch.file("none")) }
    expectThrows(.fileNotFound) { try Files.list(scratch.file("a")) }
  }

  @Test("status tells kinds, sizes and permissions, through links or not")
  func status() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a"), [1, 2, 3])
    try Files.create(scratch.file("run"), [], executable: true)
    try Files.makeDirectory(scratch.file("d"))
    try Files.makeLink(scratch.file("link"), to: "a")
    try Files.makeLink(scratch.file("broken"), to: "none")
    let file = try #require(try Files.status(scratch.file("a")))
    #expect(file.kind == .file && file.size == 3 && !file.isExecutable)
    #expect(file.mode & 0o600 == 0o600 && file.mode & 0o111 == 0)
    #expect(try Files.status(scratch.file("run"))?.isExecutable == true)
    #expect(try Files.status(scratch.file("d"))?.kind == .directory)
    #expect(try Files.status(scratch.file("link"))?.kind == .file)
    #expect(try Files.status(scratch.file("link"), followingLinks: false)?.kind == .symbolicLink)
    #expect(try Files.status(scratch.file("broken")) == nil)
    #expect(try Files.status(scratch.file("broken"), followingLinks: false) != nil)
    #expect(try Files.status(scratch.file("none")) == nil)
    #expect(try Files.status(scratch.file("a/b")) == nil)
    #expect(try Files.status("/dev/null")?.kind == .other)
  }

  @Test("the state of a file changes when it is written or replaced")
  func states() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a"), [1])
    let old = try #require(try Files.status(scratch.file("a")))
    #expect(try old.state == OpenFile(reading: scratch.file("a")).status().state)
    try SafeSave.file(scratch.file("a"), replacing: true) { try $0.write([1]) }
    #expect(try #require(try Files.status(scratch.file("a"))).state != old.state)
  }

  @Test("errors of the system carry the path and the rule that fits")
  func errors() throws {
    let scratch = try Scratch()
    for path in ["none", "none/x"].map(scratch.file) {
      #expect(expectThrows(.fileNotFound) { try Files.read(path) }?.location.file == path)
      expectThrows(.fileNotFound) { try Files.removeAll(path) }
      expectThrows(.fileNotFound) { try Files.resolve(path) }
    }
    expectThrows(.fileNotFound) { try Files.makeDirectory(scratch.file("none/x")) }
    expectThrows(.fileExists) { try Files.makeDirectory(scratch.path) }
    let folder = expectThrows(.fileUnreadable) { try Files.read(scratch.path) }
    #expect(folder?.detail == "is a directory")
    let long = scratch.file(String(repeating: "x", count: 300))
    expectThrows(.fileUnwritable) { try Files.create(long, []) }
    expectThrows(.fileUnreadable) { try Files.destination(ofLink: scratch.path) }
  }

  @Test("links are created, read and resolved unchanged")
  func links() throws {
    let scratch = try Scratch()
    try Files.makeLink(scratch.file("link"), to: "../größe/x")
    #expect(try Files.destination(ofLink: scratch.file("link")) == "../größe/x")
    try Files.create(scratch.file("a"), [])
    try Files.makeLink(scratch.file("b"), to: "a")
    #expect(try Files.resolve(scratch.file("b")) == Files.resolve(scratch.file("a")))
  }

  @Test("a directory goes with all that is in it, but not what links lead to")
  func removeAll() throws {
    let scratch = try Scratch()
    try Files.makeDirectory(scratch.file("d"))
    try Files.makeDirectory(scratch.file("d/e"))
    try Files.create(scratch.file("d/e/f"), [])
    try Files.makeDirectory(scratch.file("kept"))
    try Files.create(scratch.file("kept/x"), [])
    try Files.makeLink(scratch.file("d/link"), to: "../kept")
    try Files.removeAll(scratch.file("d"))
    #expect(try Files.list(scratch.path) == ["kept"])
    #expect(try Files.list(scratch.file("kept")) == ["x"])
  }

  @Test("renaming replaces, or refuses to; swapping keeps both")
  func renaming() throws {
    let scratch = try Scratch()
    let (a, b) = (scratch.file("a"), scratch.file("b"))
    try Files.create(a, [1])
    try Files.create(b, [2])
    #expect(expectThrows(.fileExists) { try Files.renameExclusively(a, b) }?.location.file == b)
    #expect(try Files.read(b) == [2])
    if try Files.swap(a, b) {
      #expect(try Files.read(a) == [2] && Files.read(b) == [1])
      expectThrows(.fileNotFound) { try Files.swap(a, scratch.file("c")) }
    }
    try Files.rename(a, b)
    try Files.renameExclusively(b, a)
    #expect(try Files.list(scratch.path) == ["a"])
  }

  @Test("a part of an open file is read at its place; a file that became shorter is noticed")
  func openFile() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a"), (0..<100).map { UInt8($0) })
    let file = try OpenFile(reading: scratch.file("a"))
    var part = [UInt8](repeating: 0, count: 10)
    try part.withUnsafeMutableBytes { try file.read(at: 90, into: $0) }
    #expect(part == (90..<100).map { UInt8($0) })
    let error = expectThrows(.fileChanged) {
      try part.withUnsafeMutableBytes { try file.read(at: 95, into: $0) }
    }
    #expect(error?.location == Location(file: scratch.file("a"), position: .offset(100)))
    #expect(!file.isTerminal)
  }

  @Test("a time of change is restored, and nothing else is")
  func modificationTime() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a"), [1])
    let old = try #require(try Files.status(scratch.file("a"))).state
    let file = try OpenFile(reading: scratch.file("a"))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: file.path)
    #expect(try file.status().state != old)
    try file.setModified(as: old)
    #expect(try file.status().state == old)
  }

  @Test("a file without a descriptor is read as it was, or not at all")
  func parked() throws {
    let scratch = try Scratch()
    let path = scratch.file("a")
    try Files.create(path, [1, 2, 3])
    let file = try OpenFile(reading: path)
    file.makeParkable()
    file.park()
    func contents() throws -> [UInt8] {
      var bytes: [UInt8] = [0, 0, 0]
      try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
      return bytes
    }
    #expect(try contents() == [1, 2, 3] && file.status().size == 3)
    try Files.rename(path, scratch.file("moved"))
    #expect(try contents() == [1, 2, 3] && file.status().size == 3)
    try Files.removeAll(scratch.file("moved"))
    try Files.create(path, [4, 5, 6, 7])
    #expect(try contents() == [1, 2, 3])
    // Where files cannot be kept in this way, the descriptor is still open.
    if file.isParked {
      expectThrows(.fileChanged) { try file.status() }
    } else {
      #expect(try file.status().size == 3)
    }
  }
}
