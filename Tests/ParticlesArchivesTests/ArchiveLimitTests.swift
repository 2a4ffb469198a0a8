import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The rules of the tree that both kinds of archives share, at their boundaries.
@Suite("Limits and names of archives")
struct ArchiveLimitTests {
  private static func archive(_ format: ParticleFormat, _ files: [(String, [UInt8])]) -> [UInt8] {
    format.name == "zip"
      ? ZIPForge.archive(files.map { .init($0.0, $0.1) })
      : TarForge.archive(files.flatMap { TarForge.entry($0.0, $0.1) })
  }

  private func paths(_ container: Container) -> [String] {
    var paths: [String] = []
    container.root.forEachDescendant { path, _ in paths.append(path) }
    return paths
  }

  @Test("a limit includes its number")
  func limits() throws {
    // Two files in a folder that is implied.
    let files = [
      ("dir/a", SampleTree.noise(20, seed: 1)), ("dir/b", SampleTree.noise(10, seed: 2)),
    ]
    for format in ArchiveRoundTripTests.archives {
      let bytes = Self.archive(format, files)
      for (limit, most) in [
        (\Limits.entries, 3), (\.entryBytes, 20), (\.totalBytes, 30),
      ] as [(WritableKeyPath<Limits, Int>, Int)] {
        var limits = Limits()
        limits[keyPath: limit] = most
        #expect(try paths(format.unpack(bytes, limits: limits)) == ["dir", "dir/a", "dir/b"])
        limits[keyPath: limit] = most - 1
        expectThrows(.limit, "\(format.name)") { try format.unpack(bytes, limits: limits) }
      }
    }
  }

  @Test("the paths of all entries have a limit, implied folders among them")
  func pathBytes() throws {
    let bytes = Self.archive(.tar, [("dir/a", [1]), ("dir/b", [2])])
    var limits = Limits()
    limits.indexBytes = 13
    #expect(try paths(ParticleFormat.tar.unpack(bytes, limits: limits)).count == 3)
    limits.indexBytes = 12
    expectThrows(.limit) { try ParticleFormat.tar.unpack(bytes, limits: limits) }
  }

  @Test("the directory of a ZIP archive has a limit before it is read")
  func directoryBytes() throws {
    let bytes = Self.archive(.zip, [("a", [1]), ("b", [2])])
    var limits = Limits()
    limits.indexBytes = 2 * 47
    #expect(try paths(ParticleFormat.zip.unpack(bytes, limits: limits)).count == 2)
    limits.indexBytes = 2 * 47 - 1
    expectThrows(.limit) { try ParticleFormat.zip.unpack(bytes, limits: limits) }
  }

  @Test(
    "names are normalised: a dot and a slash before them, a slash behind, and composed characters",
    arguments: [
      ("./a", ["a"]), ("a/", ["a"]), ("./a/", ["a"]), ("e\u{301}", ["é"]), (".", []), ("./", []),
    ] as [(String, [String])])
  func names(name: String, expected: [String]) throws {
    for format in ArchiveRoundTripTests.archives {
      let bytes =
        format.name == "zip"
        ? ZIPForge.archive([.init(name).with { $0.mode = 0o040755 }])
        : TarForge.archive(TarForge.entry(name, type: "5"))
      let found = paths(try format.unpack(bytes))
      #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(format.name)")
    }
  }

  @Test(
    "a name leads nowhere else",
    arguments: [
      "././a", "a//", "//a", "/", "", ".//", "./.", "../", "./..", "a/..", "a/.", "a/../b",
    ])
  func wrongNames(name: String) {
    for format in ArchiveRoundTripTests.archives {
      expectThrows(.name, "\(format.name) '\(name)'") {
        try format.unpack(Self.archive(format, [(name, [])]))
      }
    }
  }

  @Test("a link stays inside of the archive, counted from its folder")
  func links() throws {
    func archives(_ name: String, _ target: String) -> [(ParticleFormat, [UInt8])] {
      [
        (.zip, ZIPForge.archive([.link(name, to: target)])),
        (.tar, TarForge.archive(TarForge.entry(name, type: "2", link: target))),
      ]
    }
    for (name, target) in [("a", "b"), ("d/a", "../b"), ("d/e/a", "../../b/c"), ("d/a", "./b")] {
      for (format, bytes) in archives(name, target) {
        #expect(try format.unpack(bytes).root[name]?.symbolicLinkDestination == target)
      }
    }
    for (name, target) in [
      ("a", ".."), ("a", "../b"), ("d/a", "../../b"), ("d/e/a", "../../../b"),
      ("d/a", "b/../../.."),
      ("a", "/b"), ("a", "b\\c"), ("a", "b\u{1}"), ("a", "./../b"),
    ] {
      for (format, bytes) in archives(name, target) {
        expectThrows(.link, "\(format.name) \(name) → \(target)") { try format.unpack(bytes) }
      }
    }
  }

  @Test("nothing is below a file or a link, however deep and in either order")
  func parents() {
    for path in ["a/b", "a/b/c", "a/b/c/d"] {
      for format in ArchiveRoundTripTests.archives {
        let files: [(String, [UInt8])] = [("a", [1]), (path, [])]
        for files in [files, files.reversed()] {
          let fault = expectThrows(.parent, "\(format.name)") {
            try format.unpack(Self.archive(format, files))
          }
          #expect(fault?.found == "a file")
        }
      }
      for files in [
        [ZIPForge.Entry.link("a", to: "b"), .init(path)], [.init(path), .link("a", to: "b")],
      ] {
        let fault = expectThrows(.parent) {
          try ParticleFormat.zip.unpack(ZIPForge.archive(files))
        }
        #expect(fault?.found == "a symbolic link")
      }
    }
  }

  @Test("gzip: several members are one archive; anything else behind them is refused")
  func members() throws {
    let bytes = TarForge.archive(TarForge.entry("a", [1]), TarForge.entry("b", [2]))
    let gzip = Deflate(level: 6)
    let two = gzip.gzip(Array(bytes[..<700])) + gzip.gzip(Array(bytes[700...]))
    #expect(try paths(ParticleFormat.tar.unpack(two)) == ["a", "b"])
    for slack in [[0], [0x1F], [0x1F, 0x8B], [0x50, 0x4B]] as [[UInt8]] {
      expectThrows(.tar) { try ParticleFormat.tar.unpack(two + slack) }
    }
    for count in [1, 8, 9] {
      expectThrows(.tar) { try ParticleFormat.tar.unpack(Array(two.dropLast(count))) }
    }
    var limits = Limits()
    limits.fileBytes = bytes.count
    #expect(try paths(ParticleFormat.tar.unpack(two, limits: limits)).count == 2)
    limits.fileBytes = bytes.count - 1
    expectThrows(.limit) { try ParticleFormat.tar.unpack(two, limits: limits) }
  }
}
