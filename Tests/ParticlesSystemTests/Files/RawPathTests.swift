import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Paths that are not UTF-8")
struct RawPathTests {
  @Test("every path has a text, from which its bytes come back")
  func texts() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        UInt8.random(in: 1...255, using: &generator)
      }
      let text = RawPath.text(bytes)
      #expect(RawPath.bytes(text) == bytes)
      #expect(RawPath.isRaw(text) == (String(validating: bytes, as: UTF8.self) == nil))
      #expect(!RawPath.readable(text).utf8.contains(0))
    }
    for path in ["", "a/b", "été", "🔥", "\u{10FFFF}"] {
      #expect(RawPath.text(Array(path.utf8)) == path && !RawPath.isRaw(path))
    }
    let name = RawPath.text([0x67, 0xFC, 0x6E, 0x2E, 0x70])
    #expect(RawPath.shown(name) == "g\\xFCn.p" && name.escapingControls == "g\\xFCn.p")
    #expect(RawPath.readable(name) == "g\u{FFFD}n.p" && Files.pathExtension(of: name) == "p")
    #expect("\(Diagnostic(.fileNotFound, at: Location(file: name)))".hasPrefix("g\\xFCn.p: error"))
  }

  @Test(
    "a zero that is no escape of a high byte is nothing",
    arguments: ["\0", "a\0", "\02f", "\0g1", "\0f", "\0+9"])
  func malformed(path: String) throws {
    #expect(RawPath.bytes(path) == nil)
    #expect(try Files.status(path) == nil)
    #expect(try Files.status("/" + path) == nil)
    expectThrows(.fileNotFound) { try Files.create("/tmp/../" + path, []) }
    expectThrows(.fileNotFound) { try Files.removeAll("/tmp" + path) }
  }

  @Test("files and folders of such names are written, read, linked, moved and removed")
  func files() throws {
    let scratch = try Scratch()
    let folder = RawPath.text(Array(scratch.file("caf").utf8) + [0xE9])
    guard (try? Files.makeDirectory(folder)) != nil else { return }
    func file(_ last: UInt8) -> String { Files.joined(folder, RawPath.text([0x61, last])) }
    try Files.create(file(0xFF), [1, 2])
    #expect(try Files.read(file(0xFF)) == [1, 2])
    #expect(try Files.status(file(0xFF))?.kind == .file)
    expectThrows(.fileExists) { try Files.renameExclusively(file(0xFF), folder) }
    try Files.renameExclusively(file(0xFF), file(0xFE))
    try Files.rename(file(0xFE), file(0xFD))
    try Files.share(file(0xFD), as: file(0xFC))
    try Files.setMode(of: file(0xFC), 0o600)
    try Files.makeLink(file(0xFB), to: "plain")
    #expect(try Files.destination(ofLink: file(0xFB)) == "plain")
    try Files.create(Files.joined(folder, "plain"), [3])
    #expect(try Files.read(file(0xFB)) == [3])
    #expect(try Files.resolve(folder) == folder)
    try SafeSave.file(file(0xFD), replacing: true) { try $0.write([7]) }
    #expect(try Files.read(file(0xFD)) == [7] && Files.read(file(0xFC)) == [1, 2])
    try SafeSave.directory(file(0xFA), replacing: false) {
      try Files.create(Files.joined($0, "x"), [])
    }
    try SafeSave.directory(file(0xFA), replacing: true) {
      try Files.create(Files.joined($0, "y"), [])
    }
    #expect(try Files.list(file(0xFA)) == ["y"])
    var count = 0
    try FolderReader(folder).forEachEntry { _ in count += 1 }
    #expect(count == 5)
    let fault = expectThrows(.fileNotFound) { try Files.read(file(0xC0)) }
    #expect(fault?.location.file == file(0xC0))
    try Files.removeAll(folder)
    #expect(try Files.list(scratch.path) == [])
  }

  @Test("an error of the system has its number")
  func numbers() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a"), [])
    func number(_ body: () throws -> Void) -> Int? {
      do {
        try body()
      } catch let fault as Diagnostic {
        return fault.json.object?["errno"]?.int
      } catch {}
      return nil
    }
    #expect(number { _ = try Files.read(scratch.file("none")) } == 2)
    #expect(number { _ = try Files.read(scratch.file("a/b")) } == 20)
    #expect(number { try Files.makeDirectory(scratch.file("a")) } == 17)
    #expect(number { throw Diagnostic(.fileNotFound) } == nil)
  }
}
