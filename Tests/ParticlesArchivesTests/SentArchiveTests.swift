import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Archives as people send them: with a folder around everything, metadata of an operating system, old
/// names, and padding.
@Suite("Archives as people send them")
struct SentArchiveTests {
  private func paths(_ container: Container) -> [String] {
    var paths: [String] = []
    container.root.forEachDescendant { path, _ in paths.append(path) }
    return paths
  }

  @Test("an archive of the Finder: the folder is the package, and resource forks are dropped")
  func finder() throws {
    let container = try ParticleFormat.zip.unpack(Fixture.read("archives/finder.zip"))
    #expect(
      paths(container) == [
        "Images", "Images/ember.png", "Images/flame.png", "Images/smoke.png", "document.json",
      ])
    #expect(container.warnings.map(\.rule) == [.systemFiles, .wrapper])
    #expect(
      container.warnings.map(\.severity) == [.note, .note]
        && container.warnings[0].location.entry == "__MACOSX")
    #expect(container.warnings[0].message.hasSuffix("'__MACOSX', and 2 more"))
  }

  @Test("the same in a tar archive")
  func tar() throws {
    let bytes = TarForge.archive(
      TarForge.entry("fire", type: "5"), TarForge.entry("fire/._document.json", [0]),
      TarForge.entry("fire/document.json", [1]), TarForge.entry("._fire", [0]))
    let container = try ParticleFormat.tar.unpack(bytes)
    #expect(paths(container) == ["document.json"])
    #expect(container.warnings.map(\.rule) == [.systemFiles, .wrapper])
    #expect(container.warnings.allSatisfy { $0.location.file == "archive" })
  }

  @Test(
    "a folder stays if anything is beside it, or if it holds no document",
    arguments: [
      ["fire/document.json", "readme.txt"], ["fire/a.png"],
      ["fire/document.json", "document.json"],
      ["a/fire/document.json"],
    ])
  func noWrapper(names: [String]) throws {
    let container = try ParticleFormat.zip.unpack(ZIPForge.archive(names.map { .init($0) }))
    #expect(Set(names).isSubset(of: paths(container)))
    #expect(container.warnings.isEmpty)
  }

  @Test("names in code page 437, and in the Unicode path field")
  func names() throws {
    let old = try ParticleFormat.zip.unpack(Fixture.read("archives/cp437.zip"))
    #expect(paths(old) == ["café.tx"])
    #expect(try old.root["café.tx"]?.regularFileContents() == Array("1".utf8))

    let name: [UInt8] = [0x63, 0x82]
    func field(_ text: String, for name: [UInt8], version: UInt8 = 1) -> [UInt8] {
      var writer = ByteWriter()
      writer.littleEndian(0x7075, 2)
      writer.littleEndian(UInt64(5 + text.utf8.count), 2)
      writer.byte(version)
      writer.u32(CRC32.checksum(name))
      writer.write(text.utf8)
      return writer.bytes
    }
    func unpacked(_ extra: [UInt8], flags: UInt16 = 0, name: [UInt8] = name) throws -> [String] {
      let entry = ZIPForge.Entry(name).with {
        $0.extra = extra
        $0.flags = flags
      }
      return paths(try ParticleFormat.zip.unpack(ZIPForge.archive([entry])))
    }
    #expect(try unpacked(field("日本", for: name)) == ["日本"])
    // A field for another name, or of a later version, is ignored.
    #expect(try unpacked(field("日本", for: [0x64])) == ["cé"])
    #expect(try unpacked(field("日本", for: name, version: 2)) == ["cé"])
    #expect(try unpacked([0x75, 0x70, 0x40, 0]) == ["cé"])
    let utf8 = Array("é".utf8)
    #expect(try unpacked(field("é", for: utf8), flags: 1 << 11, name: utf8) == ["é"])
    expectThrows(.zipDisagreement) {
      try unpacked(field("日本", for: utf8), flags: 1 << 11, name: utf8)
    }
    expectThrows(.name) { try unpacked(field("../a", for: name)) }
  }

  @Test("zeros after the end are padding; anything else is an error")
  func padding() throws {
    let archive = ZIPForge.archive([.init("a", [1])])
    let padded = try ParticleFormat.zip.unpack(archive + [UInt8](repeating: 0, count: 10_240))
    #expect(paths(padded) == ["a"])
    #expect(padded.warnings.map(\.rule) == [.zipIgnored])
    #expect(padded.warnings.first?.severity == .note)
    let comment = ZIPForge.archive([.init("a")], comment: [0, 0, 0])
    #expect(try ParticleFormat.zip.unpack(comment + [0, 0]).warnings.count == 2)
    expectThrows(.zip) { try ParticleFormat.zip.unpack(archive + [0, 0, 1]) }
    expectThrows(.zip) {
      try ParticleFormat.zip.unpack(archive + [UInt8](repeating: 0, count: (1 << 20) + 1))
    }
  }

  @Test("hard links cannot multiply a small archive")
  func hardLinks() throws {
    let fault = expectThrows(.limit) {
      try ParticleFormat.tar.unpack(Fixture.read("archives/hard-links.tar.gz"))
    }
    #expect(fault?.detail?.hasSuffix("(amplification)") == true)
    // Without gzip, each link costs a block of the archive.
    let links = (0..<100).flatMap { TarForge.entry("b\($0)", type: "1", link: "a") }
    let archive = TarForge.archive(
      TarForge.entry("a", [UInt8](repeating: 1, count: 100_000)), links)
    #expect(try paths(ParticleFormat.tar.unpack(archive)).count == 101)
    var limits = Limits()
    limits.amplification = 10
    expectThrows(.limit) {
      let large = TarForge.entry("a", [UInt8](repeating: 1, count: 1 << 20))
      _ = try ParticleFormat.tar.unpack(TarForge.archive(large, links), limits: limits)
    }
    // At the edge: 101 files of 100,000 bytes and as many entries of 256, less the first MiB.
    limits.amplification = (101 * (100_000 + 256) - (1 << 20) + archive.count - 1) / archive.count
    #expect(try paths(ParticleFormat.tar.unpack(archive, limits: limits)).count == 101)
    limits.amplification -= 1
    expectThrows(.limit) { try ParticleFormat.tar.unpack(archive, limits: limits) }
  }

  @Test("names that are not portable are reported on export")
  func portable() throws {
    let tree = try FileNode(directoryWithFileNodes: [
      "a:b": FileNode(regularFileWithContents: [1]), "b": FileNode(regularFileWithContents: [1]),
    ])
    for format in ArchiveRoundTripTests.archives {
      #expect(try format.packed(tree).diagnostics.map(\.rule) == [.portable])
    }
  }
}
