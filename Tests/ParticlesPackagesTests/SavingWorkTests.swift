import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Saving: a place, progress, cancelling")
struct SavingWorkTests {
  private let scratch: Scratch
  private var path: String { scratch.file("a.particles") }

  init() throws { scratch = try Scratch() }

  private static let kinds: [(Container.Form, SaveMode)] = [
    (.flat, .append), (.flat, .replace), (.directory, .automatic),
  ]

  private func noise(_ count: Int, seed: UInt64) -> FileNode {
    FileNode(regularFileWithContents: SampleTree.noise(count, seed: seed))
  }

  @Test("a package made in memory is saved to a path, and from then on there")
  func place() throws {
    for form in Container.Form.allCases {
      let path = scratch.file("\(form)")
      var package = Container(root: try SampleTree.small())
      let digest = try package.root.treeDigest()
      expectThrows(.fileNotFound) { try package.save() }
      try package.save(to: path, as: form)
      #expect(package.form == form)
      #expect(try package.root.treeDigest() == digest)
      #expect(try package.save() == nil, "nothing has changed since")
      try package.root.setFileNode(noise(10, seed: 1), at: "new")
      #expect(try package.save() == (form == .flat ? .append : .replace))
      #expect(try Container(contentsOf: path).root.treeDigest() == package.root.treeDigest())
      expectThrows(.fileExists) { try package.save(to: path, as: form) }
      #expect(try package.save() == nil, "and it is still there")
    }
  }

  @Test("saved to another path, a package goes on from there, and the old one stays")
  func otherPlace() throws {
    let old = Container(root: try SampleTree.small())
    try old.write(to: path, as: .flat)
    let bytes = try Files.read(path)
    var package = try Container(contentsOf: path)
    try package.root.setFileNode(noise(100, seed: 2), at: "new")
    try package.save(to: scratch.file("b"), as: .directory)
    try Files.removeAll(path)
    try Files.create(path, bytes)
    #expect(try package.root["new"]?.regularFileContents()?.count == 100)
    try package.root.setFileNode(noise(100, seed: 3), at: "newer")
    #expect(try package.save() == .replace)
    #expect(try Files.read(path) == bytes)
    #expect(try Container(contentsOf: scratch.file("b")).root["newer"] != nil)
  }

  @Test("what exceeds the limits of a reader can be saved by whoever made it")
  func ownLimits() throws {
    var limits = Limits()
    limits.entries = 3
    try Container(root: try FileNode(directoryWithFileNodes: ["a": noise(1, seed: 1)]))
      .write(to: path, as: .flat)
    var package = try Container(contentsOf: path, limits: limits)
    for index in 0..<5 { try package.root.setFileNode(noise(1, seed: 1), at: "b\(index)") }
    #expect(try package.save(mode: .replace) == .replace)
    #expect(package.root.children?.count == 6)
    expectThrows(.limit) { try Container(contentsOf: path, limits: limits) }
  }

  @Test("every save tells how far it is", arguments: Self.kinds)
  func progress(form: Container.Form, mode: SaveMode) throws {
    var package = Container(root: try FileNode(directoryWithFileNodes: ["a": noise(9, seed: 1)]))
    try package.save(to: path, as: form)
    try package.root.setFileNode(noise(2_000_000, seed: 2), at: "b")
    let steps = Lock<[(Int, Int)]>([])
    try package.save(
      mode: mode, work: WorkOptions { done, total in steps.withLock { $0.append((done, total)) } })
    let seen = steps.withLock(\.self)
    let total = mode == .append ? 2_000_000 : 2_000_009
    #expect(seen.count > 2 || form == .directory)
    #expect(seen.allSatisfy { $0.1 == total } && seen.last?.0 == total)
    #expect(seen.map(\.0) == seen.map(\.0).sorted())
  }

  @Test(
    "a save that is cancelled leaves the old package, nothing beside it, and can be done again",
    arguments: Self.kinds)
  func cancelling(form: Container.Form, mode: SaveMode) async throws {
    var package = Container(root: try FileNode(directoryWithFileNodes: ["a": noise(9, seed: 1)]))
    try package.save(to: path, as: form)
    let old = try package.root.treeDigest()
    let bytes = form == .flat ? try Files.read(path) : []
    for name in ["b", "c", "d"] {
      try package.root.setFileNode(noise(700_000, seed: 2), at: name)
    }
    let edited = package
    let task = Task.detached {
      var mine = edited
      // By the thread of the task, because only this thread shows whether it was cancelled.
      let work = WorkOptions(threads: 1) { _, _ in withUnsafeCurrentTask { $0?.cancel() } }
      try mine.save(mode: mode, work: work)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try Container(contentsOf: path).root.treeDigest() == old)
    if form == .flat { #expect(try Files.read(path) == bytes) }
    #expect(try Files.list(scratch.path) == ["a.particles"])
    try package.save(mode: mode)
    #expect(try Container(contentsOf: path).root.treeDigest() == package.root.treeDigest())
  }

  @Test("what is new is compressed at the level asked for, what is there stays as it is")
  func level() throws {
    let text = Array(String(repeating: "The quick brown fox. ", count: 9000).utf8)
    let root = try FileNode(directoryWithFileNodes: [
      "a": FileNode(regularFileWithContents: text)
    ])
    func size(_ level: CompressionLevel) throws -> Int {
      var package = Container(root: root)
      try package.save(to: path, replacing: true)
      try package.root.setFileNode(noise(9, seed: 1), at: "b")
      try package.root.setFileNode(
        FileNode(regularFileWithContents: text.reversed()), at: "c")
      try package.save(mode: .append, level: level)
      return try #require(try Files.status(path)).size
    }
    #expect(try size(.best) < size(.fast))
  }

  @Test("a small document is compressed more thoroughly than a block of a large one")
  func smallBlocks() throws {
    let text = (0..<1300).map { "\"key \($0 % 37)\": \(($0 &* 7919) % 1000),\n" }.joined()
    func excess(_ count: Int) throws -> Int {
      let bytes = Array(text.utf8.prefix(count))
      let root = try FileNode(directoryWithFileNodes: [
        "a": FileNode(regularFileWithContents: bytes)
      ])
      let fifth = try #require(
        bytes.withUnsafeBytes { Deflate(level: 5).zlib($0, limit: bytes.count) })
      let fast = try #require(
        bytes.withUnsafeBytes { Deflate(level: 1).zlib($0, limit: bytes.count) })
      let frames =
        try Container(root: root).encoded(PackingOptions(level: .fast)).count - fast.count
      return try Container(root: root).encoded().count - frames - fifth.count
    }
    #expect(try excess((16 << 10) + 1) == 0)
    #expect(try excess(4 << 10) < 0)
    #expect(try excess(16 << 10) < 0)
  }

  @Test("the index is compressed where size is all that matters, and only there")
  func indexLevel() throws {
    let root = try FileNode(
      directoryWithFileNodes: Dictionary(
        uniqueKeysWithValues: (0..<2000).map {
          ("a name that is long \($0)", FileNode(regularFileWithContents: []))
        }))
    func size(_ level: CompressionLevel) throws -> Int {
      try Container(root: root).encoded(PackingOptions(level: level)).count
    }
    #expect(try size(.fast) == size(.standard))
    #expect(try 2 * size(.best) < size(.standard))
  }

  @Test("a file that somebody made executable has changed")
  func executable() throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: scratch.file("d"), as: .directory)
    try package.root.setFileNode(noise(1, seed: 1), at: "new")
    try OpenFile(reading: scratch.file("d/document.json")).setMode(0o755)
    expectThrows(.fileChanged) { try package.save() }
  }
}
