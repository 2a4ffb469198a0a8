import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Opening a pipe waits for somebody to write to it, which may be for ever.
@Suite("Named pipes where files should be", .needs("mkfifo"))
struct PipeTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func makePipe(_ name: String) throws -> String {
    let mkfifo = try #require(Run.find("mkfifo"))
    #expect(try Run(mkfifo, [name], in: scratch.path).status == 0)
    return scratch.file(name)
  }

  @Test("a pipe is no package, and that is said at once", .timeLimit(.minutes(1)))
  func package() throws {
    let pipe = try makePipe("a.particles")
    expectThrows(.fileUnreadable) { try ByteSource.file(pipe) }
    expectThrows(.fileUnreadable) { try Container(contentsOf: pipe) }
  }

  @Test("a file that a pipe has replaced since is one that has changed", .timeLimit(.minutes(1)))
  func entry() throws {
    try Files.makeDirectory(scratch.file("p"))
    try Files.create(scratch.file("p/a"), [1, 2])
    let tree = try FileNode(readingDirectory: scratch.file("p"))
    try Files.removeAll(scratch.file("p/a"))
    _ = try makePipe("p/a")
    expectThrows(.fileChanged) { try tree["a"]?.regularFileContents() }
  }
}
