import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// A directory package of which one file has changed: only that file is written.
@Suite("Saving one file of a directory")
struct DirectorySaveTests {
  private let scratch: Scratch
  private var path: String { scratch.file("a.particles") }

  init() throws {
    scratch = try Scratch()
    try SampleTree.small().write(toDirectory: path, synchronizing: false)
  }

  private static func text(_ text: String) -> FileNode {
    FileNode(regularFileWithContents: Array(text.utf8))
  }

  /// The identity of the package and of each file in it.
  private func identities() throws -> [String: FileIdentity] {
    var found = ["": try #require(try Files.status(path)).state.identity]
    try FileNode(readingDirectory: path).forEachDescendant { entry, _ in
      let status = try Files.status("\(path)/\(entry)", followingLinks: false)
      found[entry] = try #require(status).state.identity
    }
    return found
  }

  private func changedEntries(_ change: (inout Container) throws -> Void) throws -> [String] {
    let before = try identities()
    var package = try Container(contentsOf: path)
    try change(&package)
    #expect(try package.save() == .replace)
    let after = try identities()
    #expect(try Container(contentsOf: path).root.treeDigest() == package.root.treeDigest())
    #expect(try Files.list(scratch.path) == ["a.particles"])
    return after.filter { before[$0.key] != $0.value }.keys.sorted()
  }

  @Test("only the file that has changed is written, and keeps its permissions")
  func onlyFile() throws {
    try OpenFile(reading: "\(path)/document.json").setMode(0o640)
    let changed = try changedEntries {
      try $0.root.setFileNode(Self.text("new"), at: "document.json")
    }
    #expect(changed == ["document.json"])
    #expect(try Files.status("\(path)/document.json")?.mode == 0o640)
    #expect(try Files.read("\(path)/document.json") == Array("new".utf8))
  }

  @Test("any other change is a new directory, whole or not at all")
  func others() throws {
    #expect(
      try changedEntries {
        try $0.root.setFileNode(Self.text("1"), at: "document.json")
        try $0.root.setFileNode(Self.text("2"), at: "more")
      }.contains(""))
    #expect(try changedEntries { $0.root.removeFileNode(at: "more") }.contains(""))
    #expect(
      try changedEntries {
        try $0.root.setFileNode(
          FileNode(regularFileWithContents: [1], isExecutable: true), at: "document.json")
      }.contains(""))
    #expect(
      try changedEntries {
        try $0.root.setFileNode(
          FileNode(symbolicLinkWithDestination: "x"), at: "document.json")
      }.contains(""))
  }

  @Test("values that were kept read the old contents, and can be saved again")
  func kept() throws {
    var package = try Container(contentsOf: path)
    let (old, digest) = (package, try package.root.treeDigest())
    for number in 0..<3 {
      try package.root.setFileNode(Self.text("\(number)"), at: "document.json")
      try package.save()
    }
    #expect(try old.root.treeDigest() == digest)
    package = old
    #expect(try package.save() == .replace)
    #expect(try Container(contentsOf: path).root.treeDigest() == digest)
  }

  @Test("what another program writes to another file meanwhile is found")
  func conflict() throws {
    var package = try Container(contentsOf: path)
    let other = "\(path)/added"
    let before = try Files.read("\(path)/document.json")
    let contents = FileContents(size: 1) { _, buffer in
      buffer[0] = 1
      try? Files.create(other, [7])
    }
    try package.root.setFileNode(
      FileNode(regularFileWithContents: contents), at: "document.json")
    let fault = expectThrows(.fileChanged) { try package.save() }
    #expect(fault?.location.file == path)
    #expect(try Files.read("\(path)/document.json") == before)
    #expect(try Files.read(other) == [7])
    #expect(try Files.list(scratch.path) == ["a.particles"])
  }

  @Test("a folder on the way that has become a link is not followed")
  func link() throws {
    var package = try Container(contentsOf: path)
    try package.root.setFileNode(Self.text("a"), at: "Folder/note")
    try package.save()
    try Files.rename("\(path)/Folder", "\(path)/Other")
    try Files.makeLink("\(path)/Folder", to: "Other")
    try package.root.setFileNode(Self.text("b"), at: "Folder/note")
    expectThrows(.fileChanged) { try package.save() }
    #expect(try Files.read("\(path)/Other/note") == Array("a".utf8))
  }

  @Test("contents that cannot be read leave everything as it was")
  func failure() throws {
    var package = try Container(contentsOf: path)
    let digest = try package.root.treeDigest()
    let contents = FileContents(size: 3) { _, _ in throw Diagnostic(.fileUnreadable) }
    try package.root.setFileNode(
      FileNode(regularFileWithContents: contents), at: "document.json")
    expectThrows(.fileUnreadable) { try package.save() }
    #expect(try Container(contentsOf: path).root.treeDigest() == digest)
    #expect(try Files.list(scratch.path) == ["a.particles"])
  }
}
