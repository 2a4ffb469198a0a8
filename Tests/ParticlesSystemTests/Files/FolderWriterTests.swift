import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Writing below a folder")
struct FolderWriterTests {
  @Test("nothing on the way may be a link", arguments: [false, true])
  func links(stepwise: Bool) throws {
    let scratch = try Scratch()
    for name in ["in", "in/d", "out"] { try Files.makeDirectory(scratch.file(name)) }
    try Files.makeLink(scratch.file("in/link"), to: "../out")
    try Files.makeLink(scratch.file("in/d/back"), to: ".")
    try Files.makeLink(scratch.file("in/file"), to: "../out/new")
    let folder = try FolderWriter(scratch.file("in"), stepwise: stepwise)
    for path in ["link/a", "d/back/a", "link/b/c"] {
      #expect(throws: Diagnostic.self) { try folder.createFile(path) }
      #expect(throws: Diagnostic.self) { try folder.makeDirectory(path) }
      #expect(throws: Diagnostic.self) { try folder.makeLink(path, to: "x") }
      #expect((try? folder.status(path)) ?? nil == nil)
    }
    expectThrows(.fileExists) { try folder.createFile("file") }
    expectThrows(.fileExists) { try folder.createFile("link") }
    try folder.createFile("d/a").write([1])
    #expect(try Files.read(scratch.file("in/d/a")) == [1])
    #expect(try Files.list(scratch.file("out")) == [])
  }

  @Test("nothing is written through folders that are swapped with links", arguments: [false, true])
  func race(stepwise: Bool) throws {
    let scratch = try Scratch()
    for name in ["in", "in/a", "in/a/b", "out", "out/b"] {
      try Files.makeDirectory(scratch.file(name))
    }
    try Files.makeLink(scratch.file("link"), to: "out")
    let folder = try FolderWriter(scratch.file("in"), stepwise: stepwise)
    let swapper = Swapper(scratch.file("in/a"), scratch.file("link"))
    var (written, refused, number) = (0, 0, 0)
    let start = ContinuousClock.now
    // On a busy machine, until the swapping thread has had its turns.
    while start.duration(to: .now) < .seconds(1)
      || min(swapper.swaps, written, refused) <= 100 && start.duration(to: .now) < .seconds(20)
    {
      number += 1
      do {
        switch number % 4 {
        case 0: try folder.createFile("a/b/\(number)").write([1])
        case 1: try folder.makeDirectory("a/b/\(number)")
        case 2: try folder.makeLink("a/\(number)", to: "b")
        default: try folder.replace("a/r") { try folder.createFile($0).write([1]) }
        }
        written += 1
      } catch is Diagnostic {
        refused += 1
      }
    }
    let swaps = swapper.stop()
    #expect(try Files.list(scratch.file("out")) == ["b"])
    #expect(try Files.list(scratch.file("out/b")) == [])
    #expect(swaps > 100 && written > 100 && refused > 100, "\(swaps), \(written), \(refused)")
  }
}
