import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

extension ParticleFormat {
  /// Opens an archive in memory.
  func unpack(_ bytes: [UInt8], limits: Limits = .standard) throws -> Container {
    let files = try OpenedFiles(bytes: bytes, name: "archive", as: self, limits: limits)
    return try #require(files).container
  }
}

@Suite("Archives of ours")
struct ArchiveRoundTripTests {
  static let archives: [ParticleFormat] = [.zip, .tar]

  @Test("a tree comes back with the same digest, and the same bytes are written again")
  func roundTrip() throws {
    for format in Self.archives {
      for tree in [FileNode.emptyDirectory, try SampleTree.small(), try SampleTree.large()] {
        let bytes = try format.packed(tree).bytes
        #expect(try format.packed(tree).bytes == bytes)
        let back = try format.unpack(bytes)
        #expect(back.warnings.isEmpty && back.form == nil)
        #expect(try back.root.treeDigest() == tree.treeDigest(), "\(format.name)")
        #expect(try format.packed(back.root).bytes == bytes)
      }
    }
  }

  @Test("long names, and names of other scripts")
  func names() throws {
    var tree = FileNode.emptyDirectory
    let long = Array(repeating: String(repeating: "n", count: 60), count: 10).joined(separator: "/")
    for path in [long, "größe/é", "粒子/🎆.png", String(repeating: "x", count: 100), "a b", "%41"] {
      try tree.setFileNode(FileNode(regularFileWithContents: Array(path.utf8)), at: path)
    }
    try tree.setFileNode(FileNode(symbolicLinkWithDestination: long), at: "long")
    try tree.setFileNode(FileNode(symbolicLinkWithDestination: "größe/é"), at: "other")
    for format in Self.archives {
      let back = try format.unpack(format.packed(tree).bytes)
      #expect(try back.root.treeDigest() == tree.treeDigest(), "\(format.name)")
    }
  }

  @Test("archives are told by their content, through files, and also compressed")
  func recognition() throws {
    let scratch = try Scratch()
    let tree = try SampleTree.small()
    for format in Self.archives {
      let path = scratch.file("\(format.name).dat")
      _ = try format.pack(tree, to: path)
      let opened = try #require(try OpenedFiles(path: path))
      #expect(opened.archive?.name == format.name)
      #expect(try opened.container.root.treeDigest() == tree.treeDigest())
      expectThrows(.fileExists) { try format.pack(tree, to: path) }
    }
    #expect(try OpenedFiles(bytes: Array("no archive".utf8), name: "a.zip") == nil)
    if let gzip = Run.optional("gzip") {
      _ = try Run.succeeding(gzip, ["-9", scratch.file("tar.dat")])
      let opened = try #require(try OpenedFiles(path: scratch.file("tar.dat.gz")))
      #expect(opened.archive?.name == "tar")
      #expect(try opened.container.root.treeDigest() == tree.treeDigest())
      let bytes = try Files.read(scratch.file("tar.dat.gz"))
      expectThrows(.tar) { try ParticleFormat.tar.unpack(bytes + [1, 2, 3]) }
      expectThrows(.tar) { try ParticleFormat.tar.unpack(bytes.dropLast(1)) }
      var limits = Limits()
      limits.fileBytes = 4096
      expectThrows(.limit) { try ParticleFormat.tar.unpack(bytes, limits: limits) }
    }
  }

  @Test("ZIP reports parts that some programs ignore; tar keeps everything")
  func fragile() throws {
    let tree = try SampleTree.small()
    let diagnostics = try ParticleFormat.zip.packed(tree).diagnostics
    #expect(diagnostics.map(\.rule) == [.fragile, .fragile])
    #expect(diagnostics.map(\.location.entry) == ["Notes/latest", "Scripts/check"])
    #expect(diagnostics.allSatisfy { $0.severity == .note })
    #expect(try ParticleFormat.tar.packed(tree).diagnostics.isEmpty)
  }

  @Test("a link that leads out is not written")
  func links() throws {
    var tree = FileNode.emptyDirectory
    try tree.setFileNode(FileNode(symbolicLinkWithDestination: "../out"), at: "link")
    for format in Self.archives { expectThrows(.link) { try format.packed(tree) } }
  }

  @Test("several threads pack what comes from an archive")
  func threads() throws {
    var tree = try SampleTree.large()
    let text = Array((0..<1_500_000).map { "key \($0 % 977)\n" }.joined().utf8)
    try tree.setFileNode(FileNode(regularFileWithContents: text), at: "Cache/long.txt")
    let package = try Container(root: tree).encoded()
    for format in Self.archives {
      let back = try format.unpack(format.packed(tree).bytes)
      #expect(try back.encoded() == package)
    }
  }

  @Test("contents are read in any order, and in part")
  func partialReading() throws {
    let tree = try SampleTree.large()
    for format in Self.archives {
      let back = try format.unpack(format.packed(tree).bytes).root
      let keys = try #require(tree["Cache/keys.txt"]?.contents)
      let noise = try #require(tree["Cache/noise.bin"]?.contents)
      let otherKeys = try #require(back["Cache/keys.txt"]?.contents)
      let otherNoise = try #require(back["Cache/noise.bin"]?.contents)
      for range in [700_000..<700_100, 0..<10, 5..<900_000, 1_000_000..<1_000_001] {
        #expect(try otherKeys.bytes(in: range) == keys.bytes(in: range))
        #expect(try otherNoise.bytes(in: range) == noise.bytes(in: range))
      }
      #expect(try otherKeys.bytes() == keys.bytes())
    }
  }
}
