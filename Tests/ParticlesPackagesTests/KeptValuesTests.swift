import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// A container is a value: copies that were kept are an undo list, in both forms.
@Suite("Containers that are kept")
struct KeptValuesTests {
  private let scratch: Scratch
  private var path: String { scratch.file("a.particles") }

  init() throws { scratch = try Scratch() }

  private static func text(_ text: String) -> FileNode {
    FileNode(regularFileWithContents: Array(text.utf8))
  }

  private static let ways: [(form: Container.Form, mode: SaveMode)] = [
    (.flat, .append), (.flat, .replace), (.flat, .automatic), (.directory, .automatic),
  ]

  private func digestOnDisk() throws -> ContentDigest {
    try Container(contentsOf: path).root.treeDigest()
  }

  @Test("an older value is written again when it is saved", arguments: ways)
  func undo(form: Container.Form, mode: SaveMode) throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path, as: form)
    let before = package
    let digest = try before.root.treeDigest()
    try package.root.setFileNode(Self.text("changed"), at: "document.json")
    package.root.removeFileNode(at: "Images")
    try package.save(mode: mode, synchronizing: false)
    #expect(try digestOnDisk() != digest)

    package = before
    #expect(try package.save(mode: mode, synchronizing: false) != nil)
    #expect(try digestOnDisk() == digest)

    // Undone, edited, saved.
    package = before
    try package.root.setFileNode(Self.text("note"), at: "Notes/new")
    try package.save(mode: mode, synchronizing: false)
    #expect(try digestOnDisk() == package.root.treeDigest())
    #expect(try Container(contentsOf: path).verify().isEmpty)
  }

  @Test("every kept value stays readable and comparable, and can be saved", arguments: ways)
  func kept(form: Container.Form, mode: SaveMode) throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path, as: form)
    var random = SeededGenerator(seed: 5)
    var kept: [(value: Container, digest: ContentDigest)] = []
    for number in 0..<12 {
      kept.append((package, try package.root.treeDigest()))
      // Contents are moved, changed, added and removed.
      let noise = SampleTree.noise(Int.random(in: 0...90_000, using: &random), seed: UInt64(number))
      try package.root.setFileNode(
        FileNode(regularFileWithContents: noise), at: "n\(number % 5)")
      if number % 4 == 1, let node = package.root.removeFileNode(at: "n\(number % 5)") {
        try package.root.setFileNode(node, at: "moved/\(number)")
        try package.root.setFileNode(node, at: "copied/\(number)")
      }
      if number % 6 == 5 { package.root.removeFileNode(at: "Notes") }
      try package.save(mode: mode, synchronizing: false)
    }
    for (value, digest) in kept { #expect(try value.root.treeDigest() == digest) }
    let changes = try kept[11].value.root.differences(from: kept[0].value.root)
    #expect(changes.contains { $0.path == "n0" && $0.change == .added })
    for (value, digest) in kept.reversed() + kept {
      var value = value
      try value.save(mode: mode, synchronizing: false)
      #expect(try digestOnDisk() == digest)
      #expect(try value.root.treeDigest() == digest)
    }
    for (value, digest) in kept { #expect(try value.root.treeDigest() == digest) }
    #expect(try Files.list(scratch.path) == ["a.particles"])
  }

  @Test("an older value that is appended to a new file reads from that file")
  func moved() throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path, as: .flat)
    var before = package
    try package.root.setFileNode(Self.text("changed"), at: "Notes/new")
    try package.save(mode: .replace)
    #expect(try before.save(mode: .append) == .append)
    let now = try #require(before.root["document.json"]?.contents)
    #expect(try now.isSame(as: #require(package.root["document.json"]?.contents)))
    #expect(try digestOnDisk() == before.root.treeDigest())
  }

  @Test(
    "another program's change is refused for every copy",
    arguments: [Container.Form.flat, .directory])
  func conflict(form: Container.Form) throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path, as: form)
    var copy = package
    var other = try Container(contentsOf: path)
    try other.root.setFileNode(Self.text("other"), at: "other")
    try other.save()
    for value in [package, copy] {
      var value = value
      try value.root.setFileNode(Self.text("mine"), at: "mine")
      expectThrows(.fileChanged) { try value.save() }
    }
    copy = try Container(contentsOf: path)
    #expect(copy.root["other"] != nil && copy.root["mine"] == nil)
  }

  @Test("a save that fails leaves every kept value as it was", arguments: ways)
  func failure(form: Container.Form, mode: SaveMode) throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path, as: form)
    let before = package
    let digest = try before.root.treeDigest()
    let unreadable = FileContents(size: 70_000) { _, _ in throw Diagnostic(.fileChanged) }
    try package.root.setFileNode(FileNode(regularFileWithContents: unreadable), at: "bad")
    package.root.removeFileNode(at: "document.json")
    expectThrows(.fileChanged) { try package.save(mode: mode, synchronizing: false) }
    #expect(try before.root.treeDigest() == digest && digestOnDisk() == digest)
    var again = before
    try again.root.setFileNode(Self.text("x"), at: "x")
    try again.save(mode: mode, synchronizing: false)
    #expect(try before.root.treeDigest() == digest)
  }

  @Test(
    "a kept value costs no descriptor",
    .enabled(if: (try? Files.status("/proc/self/fd")) != nil, "no /proc"),
    arguments: [(Container.Form.flat, 1200), (.directory, 120)])
  func descriptors(form: Container.Form, count: Int) throws {
    /// Descriptors of files in the folder of the test, or removed from it.
    func descriptors() throws -> Int {
      try Files.list("/proc/self/fd").count {
        (try? Files.destination(ofLink: "/proc/self/fd/\($0)"))?.contains(scratch.path) == true
      }
    }
    var package = Container(root: try SampleTree.small())
    try package.save(to: path, as: form)
    var kept: [Container] = []
    for number in 0..<count {
      kept.append(package)
      try package.root.setFileNode(Self.text("state \(number)"), at: "document.json")
      try package.save(synchronizing: false)
    }
    #expect(try descriptors() <= 2)
    for number in [1, count / 2, count - 1] {
      #expect(
        try kept[number].root["document.json"]?.regularFileContents()
          == Array("state \(number - 1)".utf8))
    }
  }
}
