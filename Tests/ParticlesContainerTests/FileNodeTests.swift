import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("File nodes")
struct FileNodeTests {
  @Test("a taken name is made unique, readable or as Apple's file wrappers do")
  func uniqueNames() throws {
    var node = FileNode.emptyDirectory
    #expect(try node.addRegularFile(withContents: [1], preferredFilename: "a.txt") == "a.txt")
    #expect(try node.addRegularFile(withContents: [2], preferredFilename: "a.txt") == "a 2.txt")
    #expect(try node.addRegularFile(withContents: [3], preferredFilename: "A.TXT") == "A 3.TXT")
    #expect(
      try node.addRegularFile(
        withContents: [4], preferredFilename: "a.txt", uniquing: .appleCompatible)
        == "1__#$!@%!#__a.txt")
    #expect(try node.addRegularFile(withContents: [5], preferredFilename: ".rc") == ".rc")
    #expect(try node.addRegularFile(withContents: [6], preferredFilename: ".rc") == ".rc 2")
    #expect(try node["a.txt"]?.regularFileContents() == [1])
    #expect(try node["A 3.TXT"]?.regularFileContents() == [3])
  }

  @Test("thousands of files of one name are named in order, without trying each number again")
  func manyOfOneName() throws {
    for style in [FileNode.UniqueNameStyle.readable, .appleCompatible] {
      var node = FileNode.emptyDirectory
      let start = ContinuousClock.now
      var last = ""
      for _ in 0..<16_000 {
        last = try node.addRegularFile(
          withContents: [], preferredFilename: "Größe 2.txt", uniquing: style)
      }
      #expect(last == (style == .readable ? "Größe 2 16000.txt" : "15999__#$!@%!#__Größe 2.txt"))
      // Trying all numbers took more than a minute.
      #expect(ContinuousClock.now - start < .seconds(20))
      // A number that is free again is the next one.
      let (free, next) =
        style == .readable
        ? ("Größe 2 77.txt", "Größe 2 16001.txt")
        : ("77__#$!@%!#__Größe 2.txt", "16000__#$!@%!#__Größe 2.txt")
      #expect(node.removeFileNode(named: free) != nil)
      for expected in [free, next] {
        #expect(
          try node.addRegularFile(
            withContents: [], preferredFilename: "Größe 2.txt", uniquing: style) == expected)
      }
    }
  }

  @Test("replacing never renames, renaming keeps the node, removing gives it back")
  func editing() throws {
    var node = try FileNode(directoryWithFileNodes: [
      "a": FileNode(regularFileWithContents: [1]), "b": FileNode(regularFileWithContents: [2]),
    ])
    let before = node
    try node.replaceFileNode(named: "a", with: FileNode(symbolicLinkWithDestination: "b"))
    #expect(node.children?.map(\.name) == ["a", "b"])
    #expect(node["a"]?.symbolicLinkDestination == "b")
    #expect(try node.renameFileNode(named: "a", preferredFilename: "B") == "B 2")
    #expect(node.children?.map(\.name) == ["B 2", "b"])
    #expect(node.removeFileNode(named: "B 2")?.isSymbolicLink == true)
    #expect(node.removeFileNode(named: "B 2") == nil)
    expectThrows(.noEntry) {
      try node.replaceFileNode(named: "x", with: .emptyDirectory)
    }
    expectThrows(.noEntry) {
      try node.renameFileNode(named: "x", preferredFilename: "y")
    }
    expectThrows(.name) {
      try node.renameFileNode(named: "b", preferredFilename: "../b")
    }
    #expect(node.children?.map(\.name) == ["b"])
    #expect(try before["a"]?.regularFileContents() == [1], "a copy is a value of its own")
  }

  @Test("what stands at a path is removed and given back, and nothing else changes")
  func removingByPath() throws {
    var node = FileNode.emptyDirectory
    for path in ["a/b/c", "a/b/d", "e/f"] {
      try node.setFileNode(FileNode(regularFileWithContents: Array(path.utf8)), at: path)
    }
    let before = node
    #expect(try node.removeFileNode(at: "a/b/c")?.regularFileContents() == Array("a/b/c".utf8))
    #expect(node.removeFileNode(at: "a/b/c") == nil)
    #expect(node.removeFileNode(at: "a/x/c") == nil)
    #expect(node.removeFileNode(at: "e/f/g") == nil, "a file has no children")
    #expect(node.removeFileNode(at: "") == nil)
    #expect(node.removeFileNode(at: "e/f") != nil && node["e"]?.children?.isEmpty == true)
    #expect(node.removeFileNode(at: "a")?["b/d"] != nil)
    #expect(node.children?.map(\.name) == ["e"])
    #expect(before["a/b/c"] != nil, "a copy is a value of its own")
    try node.setFileNode(.emptyDirectory, at: "u\u{308}/x")
    #expect(node.removeFileNode(at: "\u{FC}/x") != nil, "in whatever form the path is")
  }

  @Test("a node is moved with all below it; directories are created, and nothing is replaced")
  func moving() throws {
    var node = FileNode.emptyDirectory
    for path in ["a/b/c", "a/b/d", "e"] {
      try node.setFileNode(FileNode(regularFileWithContents: Array(path.utf8)), at: path)
    }
    let before = node
    try node.moveFileNode(at: "a/b", to: "x/y")
    #expect(try node["x/y/d"]?.regularFileContents() == Array("a/b/d".utf8))
    #expect(node["a"]?.children?.isEmpty == true && before["a/b/c"] != nil)
    try node.moveFileNode(at: "x/y", to: "X2")
    try node.moveFileNode(at: "X2", to: "x2")
    #expect(node["x2/c"] != nil && node["X2"] == nil, "another case is another name")
    try node.moveFileNode(at: "/x2/", to: "x2")
    expectThrows(.noEntry) { try node.moveFileNode(at: "none", to: "f") }
    expectThrows(.noEntry) { try node.moveFileNode(at: "", to: "f") }
    expectThrows(.fileExists) { try node.moveFileNode(at: "x2/c", to: "e") }
    expectThrows(.fileExists) { try node.moveFileNode(at: "x2/c", to: "x2") }
    expectThrows(.name) { try node.moveFileNode(at: "e", to: "") }
    expectThrows(.name) { try node.moveFileNode(at: "e", to: "../e") }
    expectThrows(.parent) { try node.moveFileNode(at: "x2/c", to: "e/c") }
    expectThrows(.twins) { try node.moveFileNode(at: "x2/c", to: "E") }
    #expect(try node["x2/c"]?.regularFileContents() == Array("a/b/c".utf8))
    #expect(try node["e"]?.regularFileContents() == [UInt8(ascii: "e")])
  }

  @Test(
    "a file or directory is not moved into itself",
    arguments: [("a", "a/b"), ("d", "d/x/y"), ("d/x", "d/x/x"), ("a", "//a/b/"), ("d", "D/y")])
  func movingIntoItself(from: String, to: String) throws {
    var node = FileNode.emptyDirectory
    for path in ["a", "d/x/z"] {
      try node.setFileNode(FileNode(regularFileWithContents: Array(path.utf8)), at: path)
    }
    let before = node
    do {
      try node.moveFileNode(at: from, to: to)
      Issue.record("\(from) is in \(to)")
    } catch let fault as Diagnostic {
      #expect(fault.rule == .parent && fault.location == .entry(from))
      #expect(fault.expected == "a path that is not below '\(from)'" && fault.found == "'\(to)'")
    }
    #expect(try node.matchesContents(of: before))
    var paths: [String] = []
    node.forEachDescendant { path, _ in paths.append(path) }
    #expect(paths == ["a", "d", "d/x", "d/x/z"])
  }

  @Test(
    "names that cannot stand in a package",
    arguments: [
      "", ".", "..", "a/b", "a\\b", "a\u{0}", "a\n", "\u{7F}", "a\u{202E}b", "a\u{85}",
      String(repeating: "x", count: 256),
    ])
  func badNames(name: String) {
    expectThrows(.name) { try FileNode(directoryWithFileNodes: [name: .emptyDirectory]) }
    var node = FileNode.emptyDirectory
    expectThrows(.name) {
      try node.addFileNode(.emptyDirectory, preferredFilename: name)
    }
    #expect(node.children?.isEmpty == true)
  }

  @Test(
    "names are composed, and twins refused",
    arguments: [("é", "e\u{301}"), ("ß", "SS"), ("Σ", "ς")])
  func unicode(a: String, b: String) throws {
    var node = FileNode.emptyDirectory
    try node.setFileNode(.emptyDirectory, at: a)
    expectThrows(.twins) {
      try FileNode(directoryWithFileNodes: [
        a + "x": .emptyDirectory, b.uppercased() + "X": .emptyDirectory,
      ])
    }
    #expect(node[a] != nil, "however the path is written")
    let composed = try #require(node.children?.first?.name)
    #expect(composed.unicodeScalars.count == 1)
  }

  @Test("a path makes its directories, and does not pass through files")
  func paths() throws {
    var node = FileNode.emptyDirectory
    try node.setFileNode(FileNode(regularFileWithContents: [1]), at: "a/b/c")
    #expect(node["a/b"]?.isDirectory == true)
    #expect(node["a/b/c/d"] == nil)
    expectThrows(.parent) { try node.setFileNode(.emptyDirectory, at: "a/b/c/d") }
    #expect(try node["a/b/c"]?.regularFileContents() == [1])
  }

  @Test("matching looks at names, kinds, executable bits, links and contents")
  func matching() throws {
    let tree = try SampleTree.small()
    #expect(try tree.matchesContents(of: tree))
    let changes: [(inout FileNode) throws -> Void] = [
      { $0.removeFileNode(named: "document.json") },
      { try $0.setFileNode(FileNode(regularFileWithContents: [1]), at: "document.json") },
      { try $0.setFileNode(.emptyDirectory, at: "Notes/latest") },
      { try $0.setFileNode(FileNode(symbolicLinkWithDestination: "x"), at: "Notes/latest") },
      { try $0.setFileNode(.emptyDirectory, at: "Notes/new") },
      {
        var script = try #require($0["Scripts/check"])
        script.isExecutable = false
        try $0.setFileNode(script, at: "Scripts/check")
      },
    ]
    var digests = [try tree.treeDigest()]
    for change in changes {
      var copy = tree
      try change(&copy)
      #expect(try !copy.matchesContents(of: tree))
      digests.append(try copy.treeDigest())
    }
    #expect(Set(digests).count == digests.count, "every change changes the digest")
  }

  @Test("what is put into a folder costs the same at every depth")
  func depth() throws {
    func time(_ folder: String) throws -> Duration {
      var node = FileNode.emptyDirectory
      return try ContinuousClock().measure {
        for index in 0..<8000 { try node.setFileNode(.emptyDirectory, at: folder + "f\(index)") }
        for index in 0..<8000 { node.removeFileNode(at: folder + "f\(index)") }
      }
    }
    let (shallow, deep) = (try time(""), try time("a/b/"))
    #expect(deep < shallow * 8, "\(deep) instead of \(shallow)")
  }

  @Test("what cannot be put anywhere leaves everything as it was")
  func refusedPaths() throws {
    var tree = try SampleTree.small()
    let before = try tree.treeDigest()
    for path in [
      "document.json/b", "Notes/latest/b", "NOTES/x", "Notes/new/..", "Notes/new/x\u{7}/y",
    ] {
      #expect(throws: Diagnostic.self) { try tree.setFileNode(.emptyDirectory, at: path) }
      #expect(tree.removeFileNode(at: path) == nil)
      #expect(try tree.treeDigest() == before, "\(path)")
    }
  }

  @Test("adding ten thousand files takes no time worth mentioning", .timeLimit(.minutes(1)))
  func manyFiles() throws {
    var node = FileNode.emptyDirectory
    for index in 0..<10_000 {
      try node.addRegularFile(withContents: [], preferredFilename: "file \(index)")
    }
    #expect(node.children?.count == 10_000)
  }
}
