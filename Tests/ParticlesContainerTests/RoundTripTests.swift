import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Paths that are too long")
struct LongPathTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static func path(_ count: Int, of length: Int) -> String {
    (0..<count).map { _ in String(repeating: "d", count: length) }.joined(separator: "/")
  }

  @Test(
    "neither form is written of what nobody would read",
    arguments: [(path(65, of: 1), Rule.limit), (path(20, of: 250), Rule.name)])
  func written(path: String, rule: Rule) throws {
    var tree = FileNode.emptyDirectory
    try tree.setFileNode(FileNode(regularFileWithContents: [1]), at: path)
    for form in Container.Form.allCases {
      expectThrows(rule) { try Container(root: tree).write(to: scratch.file("a"), as: form) }
    }
    expectThrows(rule) { try tree.extract(into: scratch.file("a")) }
    #expect(try Files.list(scratch.path) == [])
  }

  @Test("a directory that holds one is refused")
  func found() throws {
    // The system takes no path of this length, so it is put together of two.
    let (outer, inner) = (Self.path(10, of: 200), Self.path(14, of: 200))
    for path in [outer, "b/" + inner] {
      var folder = scratch.file("p")
      for name in path.split(separator: "/") {
        if try Files.status(folder) == nil { try Files.makeDirectory(folder) }
        folder += "/\(name)"
      }
      try Files.makeDirectory(folder)
    }
    let joined = scratch.file("p/\(outer)/b")
    try Files.rename(scratch.file("p/b"), joined)
    defer { try? Files.rename(joined, scratch.file("p/b")) }
    let error = expectThrows(.name) { try FileNode(readingDirectory: scratch.file("p")) }
    #expect(error?.expected == "at most 4096 bytes" && error?.location.file != nil)
  }
}

@Suite("Packing and opening")
struct RoundTripTests {
  @Test("what is packed comes back, in memory and on disk", arguments: [false, true])
  func roundTrip(large: Bool) throws {
    let tree = try large ? SampleTree.large() : SampleTree.small()
    let bytes = try Container(root: tree).encoded()
    let opened = try Container(decoding: bytes)
    #expect(opened.form == .flat)
    #expect(opened.warnings.isEmpty)
    #expect(try opened.root.matchesContents(of: tree))
    #expect(try opened.root.treeDigest() == tree.treeDigest())

    let scratch = try Scratch()
    try opened.write(to: scratch.file("a.particles"), as: .flat)
    #expect(try Files.read(scratch.file("a.particles")) == bytes)
    try opened.write(to: scratch.file("b.particles"), as: .directory)
    let directory = try Container(contentsOf: scratch.file("b.particles"))
    #expect(directory.form == .directory)
    #expect(try directory.root.matchesContents(of: tree))
    #expect(try directory.encoded() == bytes)
  }

  @Test("the same tree gives the same bytes, in whatever order it was made")
  func canonical() throws {
    let names = (0..<600).map { "n\($0)" }
    func pack(_ names: [String]) throws -> [UInt8] {
      var root = FileNode.emptyDirectory
      for name in names { try root.addRegularFile(withContents: [1], preferredFilename: name) }
      return try Container(root: root).encoded()
    }
    #expect(try pack(names) == pack(names.reversed()))
  }

  @Test("an empty package is 90 bytes, and opens")
  func empty() throws {
    let bytes = try Container().encoded()
    #expect(bytes.count == 16 + 26 + 48)
    let reader = try ContainerReader(.bytes(bytes))
    #expect(reader.entryCount == 0)
    #expect(try reader.entry("x") == nil)
    #expect(try reader.verify().isEmpty)
  }

  @Test("one entry is found and read without the others", arguments: [false, true])
  func randomAccess(large: Bool) throws {
    let tree = try large ? SampleTree.large() : SampleTree.small()
    let bytes = try Container(root: tree).encoded()
    let reader = try ContainerReader(.bytes(bytes))
    var paths = 0
    try tree.forEachDescendant { path, node in
      paths += 1
      let entry = try #require(try reader.entry(path))
      #expect(entry.path == path)
      if let contents = try node.regularFileContents() {
        #expect(try reader.contents(of: entry).bytes() == contents)
      }
    }
    #expect(reader.entryCount == paths)
    for absent in ["", "a", "Images/", "Images/spark.pn", "Images/spark.png0", "zzz", "Notes/größ"]
    {
      #expect(try reader.entry(absent) == nil, "\(absent)")
    }
  }

  @Test("a range inside a large file needs only its blocks")
  func ranges() throws {
    let tree = try SampleTree.large()
    let expected = try #require(try tree["Cache/keys.txt"]?.regularFileContents())
    let reader = try ContainerReader(.bytes(try Container(root: tree).encoded()))
    let contents = reader.contents(of: try #require(try reader.entry("Cache/keys.txt")))
    for range in [
      0..<10, 524_280..<524_300, 1_000_000..<1_150_000, contents.size - 1..<contents.size,
    ] {
      #expect(try contents.bytes(in: range) == Array(expected[range]))
    }
  }

  @Test("verification finds nothing in what we write", arguments: [false, true])
  func verify(large: Bool) throws {
    let tree = try large ? SampleTree.large() : SampleTree.small()
    let reader = try ContainerReader(.bytes(try Container(root: tree).encoded()))
    #expect(try reader.verify(.full).isEmpty)
    #expect(try reader.verify(.quick).isEmpty)
  }

  @Test("contents stay those of the generation that was opened")
  func pinned() throws {
    let scratch = try Scratch()
    let (flat, folder) = (scratch.file("a.particles"), scratch.file("b.particles"))
    let tree = try SampleTree.small()
    try Container(root: tree).write(to: flat, as: .flat)
    try Container(root: tree).write(to: folder, as: .directory)
    let openFlat = try Container(contentsOf: flat)
    let openFolder = try Container(contentsOf: folder)
    var other = tree
    try other.setFileNode(FileNode(regularFileWithContents: [7]), at: "document.json")
    try Container(root: other).write(to: flat, as: .flat, replacing: true)
    try Container(root: other).write(to: folder, as: .directory, replacing: true)
    #expect(try openFlat.root.matchesContents(of: tree))
    expectThrows(.fileChanged) { try openFolder.root.matchesContents(of: tree) }
    #expect(try Container(contentsOf: folder).root.matchesContents(of: other))
  }

  @Test("a symbolic link to a package is written through; permissions stay")
  func safeSave() throws {
    let scratch = try Scratch()
    let file = scratch.file("real.particles")
    try Files.create(file, [1], executable: true)
    try Files.makeLink(scratch.file("link.particles"), to: "real.particles")
    let before = try #require(try Files.status(file))
    let package = Container(root: try SampleTree.small())
    try package.write(to: scratch.file("link.particles"), as: .flat, replacing: true)
    let after = try #require(try Files.status(file, followingLinks: false))
    #expect(after.kind == .file && after.mode == before.mode)
    #expect(try Container(contentsOf: file).root.matchesContents(of: package.root))
    #expect(try Files.list(scratch.path) == ["link.particles", "real.particles"])
  }

  @Test("nothing is overwritten unasked, and nothing is left behind by a failure")
  func refusals() throws {
    let scratch = try Scratch()
    let package = Container(root: try SampleTree.small())
    for form in Container.Form.allCases {
      let path = scratch.file("a-\(form)")
      try package.write(to: path, as: form)
      for other in Container.Form.allCases {
        expectThrows(.fileExists) { try package.write(to: path, as: other) }
        if other != form {
          expectThrows(.fileExists) {
            try package.write(to: path, as: other, replacing: true)
          }
        }
      }
      try package.write(to: path, as: form, replacing: true)
    }
    var broken = package.root
    try broken.setFileNode(FileNode(symbolicLinkWithDestination: "/etc/passwd"), at: "z")
    for form in Container.Form.allCases {
      expectThrows(.link) {
        try Container(root: broken).write(to: scratch.file("b"), as: form)
      }
    }
    #expect(try Files.list(scratch.path) == ["a-directory", "a-flat"])
  }
}
