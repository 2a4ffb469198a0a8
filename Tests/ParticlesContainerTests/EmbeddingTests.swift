import Foundation
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The functions of `EmbeddingListings.swift`, which the article "Embedding the codec" shows, work.
@Suite("Embedding the codec")
struct EmbeddingTests {
  private let scratch: Scratch
  private var path: String { scratch.file("story.particles") }

  init() throws { scratch = try Scratch() }

  @Test("opening: a file, bytes in memory, an address")
  func opening() throws {
    _ = try create(path)
    #expect(try firstChapter(of: path) == "Once upon a time\n")
    let bytes = try Files.read(path)
    let package = try Container(contentsOf: path)
    #expect(try digest(ofDownload: bytes) == package.root.treeDigest().description)
    #expect(try digest(ofDownload: Array("PK".utf8)) == "something else")
  }

  @Test("a thumbnail is read from an address without reading the film")
  func ranges() throws {
    let film = SampleTree.noise(5_000_000, seed: 1)
    let root = try FileNode(directoryWithFileNodes: [
      "film": FileNode(regularFileWithContents: film), "note": .emptyDirectory,
    ])
    let bytes = try Container(root: root).encoded()
    let fetched = Lock(0)
    let reader = try open("https://example.org/film.particles", size: bytes.count) { range in
      fetched.withLock { $0 += range.count }
      return Array(bytes[range])
    }
    #expect(try thumbnail(of: "film", in: reader) == Array(film[1000..<5000]))
    #expect(try thumbnail(of: "note", in: reader) == nil)
    #expect(try thumbnail(of: "nothing", in: reader) == nil)
    #expect(fetched.withLock { $0 } < 600_000)
    #expect(throws: ShortAnswer.self) {
      try open("https://example.org/film.particles", size: bytes.count) { _ in [] }
    }
  }

  @Test("editing: paths, names that are taken, names that cannot be")
  func editing() throws {
    var package = try create(path)
    #expect(try edit(&package, adding: [1]) == "photo.png")
    #expect(try edit(&package, adding: [2]) == "photo 2.png")
    #expect(package.root["Info/title.txt"] != nil)
    #expect(try rename("photo 2.png", to: "PHOTO.PNG", in: &package) == "PHOTO 2.PNG")
    #expect(try rename("photo.png", to: "a/b", in: &package) == nil)
    #expect(package.root["Photos/photo.png"] != nil)
    expectThrows(.noEntry) { try rename("gone.png", to: "here.png", in: &package) }
    expectThrows(.twins) { try package.root.setFileNode(.emptyDirectory, at: "photos/x") }
  }

  @Test("saving: behind what is there, whole, and not over the work of others")
  func saving() throws {
    var package = try create(path)
    _ = try edit(&package, adding: [1])
    #expect(try autosave(&package))
    #expect(try ContainerReader(.file(path)).generation == 2)
    let same = try Container(contentsOf: path).root.treeDigest() == package.root.treeDigest()
    #expect(same)
    var other = try Container(contentsOf: path)
    _ = try edit(&other, adding: [2])
    #expect(try autosave(&other))
    _ = try edit(&package, adding: [3])
    #expect(try !autosave(&package))
    try close(&other)
    #expect(try ContainerReader(.file(path)).generation == 1)
    expectThrows(.fileExists) { try create(path) }
  }

  @Test("exporting tells how far it is, and stops when it is told to")
  func progress() async throws {
    let film = SampleTree.noise(3_000_000, seed: 2)
    let package = Container(
      root: try FileNode(directoryWithFileNodes: ["f": FileNode(regularFileWithContents: film)]))
    let steps = Lock<[Double]>([])
    try await export(package, to: path) { step in steps.withLock { $0.append(step) } }.value
    #expect(steps.withLock { $0.last == 1 && $0 == $0.sorted() && $0.count > 1 })
    #expect(try Container(contentsOf: path).root["f"]?.contents?.size == film.count)

    // So little that the task needs no second thread. Then it can be cancelled from in between.
    let part = FileNode(regularFileWithContents: Array(film[..<70_000]))
    let short = try Container(
      root: FileNode(directoryWithFileNodes: ["a": part, "b": part, "c": part]))
    let task = export(short, to: scratch.file("cancelled.particles")) { _ in
      withUnsafeCurrentTask { $0?.cancel() }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try Files.list(scratch.path) == ["story.particles"])
  }

  @Test("a copy that was kept goes back")
  func undo() throws {
    var package = try create(path)
    let before = package
    try package.root.setFileNode(.emptyDirectory, at: "Photos")
    try package.save()
    try ParticlesContainerTests.undo(&package, to: before)
    #expect(try Container(contentsOf: path).root["Photos"] == nil)
  }

  @Test("uploads are judged within limits")
  func limits() throws {
    let text = Array("text".utf8)
    func pack(_ bytes: [UInt8]) throws -> [UInt8] {
      let file = FileNode(regularFileWithContents: bytes)
      return try Container(root: FileNode(directoryWithFileNodes: ["a": file])).encoded()
    }
    var package = try pack(text)
    #expect(try judge(package).hasPrefix("accepted: "))
    #expect(try judge(text) == "not a package")
    #expect(try judge(try pack([UInt8](repeating: 0, count: 16 << 20 + 1))) == "too large")
    #expect(try judge(Array(package.dropLast())).hasPrefix("malformed: "))
    let place = try #require(package.firstRange(of: text)).lowerBound
    package[place] ^= 1
    #expect(try judge(package) == "damaged on its way")
  }

  @Test("what is damaged is found, and what is not is saved")
  func damage() throws {
    var package = try create(path)
    let film = FileNode(regularFileWithContents: SampleTree.noise(200_000, seed: 3))
    try package.root.setFileNode(film, at: "film")
    try close(&package)
    #expect(try findings(in: path).isEmpty)
    var bytes = try Files.read(path)
    bytes[bytes.count - 1000] ^= 1
    try Files.removeAll(path)
    try Files.create(path, bytes)
    #expect(try findings(in: path).count == 1)
    #expect(try rescue(path, to: scratch.file("copy.particles")) == ["film"])
    #expect(try firstChapter(of: scratch.file("copy.particles")) == "Once upon a time\n")
  }

  @Test("a pipe is unpacked as it comes")
  func pipe() throws {
    let package = try create(path)
    let handle = try #require(FileHandle(forReadingAtPath: path))
    #expect(try receive(handle, into: scratch.file("story")) == 1)
    let copy = try Container(contentsOf: scratch.file("story"))
    #expect(try copy.root.treeDigest() == package.root.treeDigest())
  }
}
