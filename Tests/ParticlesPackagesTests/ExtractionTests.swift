import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Extracting into a folder that others change")
struct ExtractionTests {
  @Test("thousands of files, and not one outside")
  func race() throws {
    let scratch = try Scratch()
    for name in ["in", "in/a", "out", "out/b"] { try Files.makeDirectory(scratch.file(name)) }
    try Files.makeLink(scratch.file("link"), to: "out")
    var tree = FileNode.emptyDirectory
    for number in 0..<2000 {
      let file = FileNode(regularFileWithContents: Array("\(number)".utf8))
      try tree.setFileNode(file, at: "a/b/f\(number)")
    }
    let swapper = Swapper(scratch.file("in/a"), scratch.file("link"))
    var attempts = 0
    let start = ContinuousClock.now
    while start.duration(to: .now) < .seconds(2)
      || min(swapper.swaps, attempts * 10) <= 100 && start.duration(to: .now) < .seconds(20)
    {
      attempts += 1
      // Ends at the first link that it finds in its way. The next attempt goes on.
      try? tree.extract(into: scratch.file("in"), replacing: true)
    }
    let swaps = swapper.stop()
    #expect(try Files.list(scratch.file("out")) == ["b"])
    #expect(try Files.list(scratch.file("out/b")) == [])
    #expect(swaps > 100 && attempts > 10, "\(swaps) swaps, \(attempts) attempts")
  }
}

@Suite("What is extracted")
struct ExtractedTests {
  @Test("a link that leads out is refused, whether something stands in its place or not")
  func links() throws {
    let scratch = try Scratch()
    let link = FileNode(symbolicLinkWithDestination: "../out")
    let tree = try FileNode(directoryWithFileNodes: ["link": link])
    for isThere in [false, true] {
      let folder = scratch.file("\(isThere)")
      try Files.makeDirectory(folder)
      if isThere { try Files.create("\(folder)/link", [1]) }
      let error = expectThrows(.link) { try tree.extract(into: folder, replacing: true) }
      #expect(error?.location.entry == "link")
      #expect(try Files.list(folder) == (isThere ? ["link"] : []))
    }
  }
}

@Suite("What stands in the way of extracting")
struct ObstacleTests {
  @Test("only what can be replaced is said to be", arguments: [false, true])
  func hints(replacing: Bool) throws {
    let scratch = try Scratch()
    let tree = try FileNode(directoryWithFileNodes: [
      "d": .emptyDirectory, "f": FileNode(regularFileWithContents: [1]),
    ])
    func failure(_ prepare: () throws -> Void) throws -> Diagnostic? {
      for name in try Files.list(scratch.path) { try Files.removeAll(scratch.file(name)) }
      try prepare()
      return expectThrows(.fileExists) {
        try tree.extract(into: scratch.path, replacing: replacing)
      }
    }
    let hint = "choose another folder, or move it away"
    let folder = try failure { try Files.makeDirectory(scratch.file("f")) }
    #expect(folder?.detail == "a folder" && folder?.hint == hint)
    let link = try failure { try Files.makeLink(scratch.file("d"), to: "f") }
    #expect(link?.detail == "not a folder" && link?.hint == hint)
    if !replacing {
      let file = try failure { try Files.create(scratch.file("f"), []) }
      #expect(file?.detail == nil && file?.hint == Rule.fileExists.hint)
    }
  }
}

@Suite("Extracting large files")
struct LargeExtractionTests {
  /// 2 MB of zeros. Calls `happening` for each piece after the first.
  private func tree(_ happening: @escaping @Sendable () -> Void) throws -> FileNode {
    let contents = FileContents(size: 2_000_000) { offset, buffer in
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      if offset > 0 { happening() }
    }
    return try FileNode(directoryWithFileNodes: [
      "large": FileNode(regularFileWithContents: contents),
      "small": FileNode(regularFileWithContents: [1, 2, 3]),
    ])
  }

  @Test("progress counts every byte, and ends with all of them")
  func progress() throws {
    let scratch = try Scratch()
    let reports = Lock<[Int]>([])
    let options = WorkOptions { done, total in
      #expect(total == 2_000_003)
      reports.withLock { $0.append(done) }
    }
    try tree {}.extract(into: scratch.file("out"), work: options)
    let seen = reports.withLock(\.self)
    #expect(seen.count > 3 && seen == seen.sorted() && seen.last == 2_000_003)
  }

  @Test("a cancelled task stops inside of a file")
  func cancellation() async throws {
    let scratch = try Scratch()
    let tree = try tree { withUnsafeCurrentTask { $0?.cancel() } }
    let task = Task { [out = scratch.file("out")] in try tree.extract(into: out) }
    await #expect(throws: CancellationError.self) { try await task.value }
    let size = try Files.status(scratch.file("out/large"))?.size
    #expect(size == Layout.blockSize, "one piece, and not the one that came with the wish")
    #expect(try Files.status(scratch.file("out/small")) == nil)
  }
}
