import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Values of a package that are saved in the background while editing goes on.
@Suite("Snapshots")
struct SnapshotTests {
  private let scratch: Scratch
  private var path: String { scratch.file("a.particles") }

  init() throws { scratch = try Scratch() }

  private static func text(_ text: String) -> FileNode {
    FileNode(regularFileWithContents: Array(text.utf8))
  }

  @Test("nodes are equal by content, whatever holds it")
  func equality() throws {
    let memory = try SampleTree.small()
    let decoded = try Container(decoding: Container(root: memory).encoded()).root
    try memory.write(toDirectory: scratch.file("folder"), synchronizing: false)
    let folder = try FileNode(readingDirectory: scratch.file("folder"))
    #expect(memory == decoded && decoded == folder && folder == memory)
    var other = folder
    try other.setFileNode(Self.text("x"), at: "x")
    #expect(other != folder && folder != .emptyDirectory)
    var executable = Self.text("a")
    executable.isExecutable = true
    #expect(executable != Self.text("a") && Self.text("a") != Self.text("b"))
    #expect(Self.text("a") == Self.text("a") && Self.text("a") != Self.text("ab"))
    let link = FileNode(symbolicLinkWithDestination: "a")
    #expect(link == FileNode(symbolicLinkWithDestination: "a") && link != Self.text("a"))
    #expect(link != FileNode(symbolicLinkWithDestination: "b"))
  }

  @Test("contents that cannot be read are equal to themselves only")
  func unreadable() throws {
    func make() -> FileNode {
      FileNode(
        regularFileWithContents: FileContents(size: 9) { _, _ in throw Diagnostic(.fileChanged) })
    }
    let node = make()
    let copy = node
    #expect(node == copy && node != make() && node != Self.text("123456789"))
    expectThrows(.fileChanged) { try node.matchesContents(of: make()) }
  }

  @Test(
    "a copy is saved in the background while the value is edited",
    arguments: [Container.Form.flat, .directory])
  func background(form: Container.Form) async throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path, as: form)
    for number in 0..<5 {
      try package.root.setFileNode(Self.text("edit \(number)"), at: "Notes/\(number)")
      let snapshot = package
      async let saved = Task {
        var snapshot = snapshot
        try snapshot.save(synchronizing: false)
      }.value
      try package.root.setFileNode(Self.text("later \(number)"), at: "Later/\(number)")
      try await saved
      #expect(try Container(contentsOf: path).root == snapshot.root)
    }
    try package.save()
    #expect(try Container(contentsOf: path).root == package.root)
  }

  @Test("contents in memory that a copy has saved are not written again")
  func writtenOnce() throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path, as: .flat)
    let noise = SampleTree.noise(400_000, seed: 7)
    try package.root.setFileNode(FileNode(regularFileWithContents: noise), at: "noise")
    var sizes: [Int] = []
    for number in 0..<4 {
      try package.root.setFileNode(Self.text("\(number)"), at: "number")
      var copy = package
      try copy.save(mode: .append, synchronizing: false)
      sizes.append(try #require(try Files.status(path)).size)
    }
    #expect(sizes[0] > 400_000 && sizes[3] < sizes[0] + 20_000, "\(sizes)")
    #expect(try Container(contentsOf: path).root == package.root)
  }

  @Test("contents that were made anew with the same bytes are not written again")
  func equalBytes() throws {
    let noise = SampleTree.noise(300_000, seed: 8)
    var package = Container(root: try SampleTree.small())
    try package.root.setFileNode(FileNode(regularFileWithContents: noise), at: "noise")
    try package.save(to: path, as: .flat)
    let size = try #require(try Files.status(path)).size
    try package.root.setFileNode(FileNode(regularFileWithContents: noise), at: "noise")
    #expect(try package.save(mode: .append) == nil)
    #expect(try #require(try Files.status(path)).size == size)
    try package.root.setFileNode(Self.text("x"), at: "x")
    try package.save(mode: .append)
    #expect(try #require(try Files.status(path)).size < size + 4_000)
  }
}

/// Events that are no change by another program.
@Suite("Harmless changes")
struct HarmlessChangeTests {
  private let scratch: Scratch
  private var path: String { scratch.file("a.particles") }

  init() throws { scratch = try Scratch() }

  private static func text(_ text: String) -> FileNode {
    FileNode(regularFileWithContents: Array(text.utf8))
  }

  /// Gives a file another time, as `touch` does.
  private func touch(_ path: String) throws {
    let old = try OpenFile(reading: Repository.path("README.md")).status().state
    try OpenFile(updating: path).setModified(as: old)
  }

  @Test("another time of a remembered flat package is no change, before and after saves")
  func flat() throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path, as: .flat)
    var forgetful = try Container(contentsOf: path)
    try package.rememberContents()
    for (number, mode) in [SaveMode.append, .append, .replace, .append].enumerated() {
      try touch(path)
      try package.root.setFileNode(Self.text("\(number)"), at: "number")
      #expect(try package.save(mode: mode) == mode)
    }
    #expect(try Container(contentsOf: path).root == package.root)
    try forgetful.root.setFileNode(Self.text("x"), at: "x")
    expectThrows(.fileChanged) { try forgetful.save() }
  }

  @Test("another package of the same layout is a change of a remembered one")
  func sameLayout() throws {
    func tree(_ seed: UInt64) throws -> FileNode {
      let noise = FileNode(regularFileWithContents: SampleTree.noise(1000, seed: seed))
      return try FileNode(directoryWithFileNodes: ["a": noise])
    }
    var package = Container(root: try tree(1))
    try package.save(to: path, as: .flat)
    try package.rememberContents()
    let bytes = try Container(root: try tree(2)).encoded()
    try bytes.withUnsafeBytes { try OpenFile(updating: path).write($0, at: 0) }
    try package.root.setFileNode(Self.text("x"), at: "x")
    expectThrows(.fileChanged) { try package.save() }
    #expect(try Files.read(path) == bytes)
  }

  @Test("metadata of systems and other times are no changes of a directory, and metadata stays")
  func directory() throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path, as: .directory)
    try package.rememberContents()
    for number in 0..<3 {
      try Files.create("\(path)/.DS_Store", [1])  // as the Finder does
      try touch("\(path)/document.json")
      try package.root.setFileNode(Self.text("\(number)"), at: "number")
      try package.save()
      #expect(try Files.read("\(path)/.DS_Store") == [1])
      try Files.removeAll("\(path)/.DS_Store")
    }
    let tree = try Container(contentsOf: path).root
    #expect(tree == package.root)
    try Files.create("\(path)/other", [1])
    try package.root.setFileNode(Self.text("x"), at: "x")
    expectThrows(.fileChanged) { try package.save() }
    try Files.removeAll("\(path)/other")
    let document = try Files.read("\(path)/document.json")
    try Files.removeAll("\(path)/document.json")
    try Files.create("\(path)/document.json", document.map { $0 ^ 1 })
    expectThrows(.fileChanged) { try package.save() }
  }
}
