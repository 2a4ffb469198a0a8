import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesFormats
import ParticlesTestSupport
import Testing

/// Archives with one fault, in most cases made to hurt.
@Suite("Hostile archives")
struct HostileArchiveTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    var rule: Rule
    var testDescription: String
    var format: ParticleFormat
    var bytes: [UInt8]

    static func zip(_ rule: Rule, _ name: String, _ entries: [ZIPForge.Entry]) -> Fault {
      Fault(
        rule: rule, testDescription: "zip: \(name)", format: .zip,
        bytes: ZIPForge.archive(entries))
    }

    static func tar(_ rule: Rule, _ name: String, _ entries: [UInt8]...) -> Fault {
      Fault(
        rule: rule, testDescription: "tar: \(name)", format: .tar,
        bytes: TarForge.archive(entries.flatMap(\.self)))
    }
  }

  static let badNames = [
    "../a", "a/../../b", "/etc/passwd", "a//b", "./../a", "a\\b", "a\u{1B}[2J", "a\u{202E}b", "..",
    "C:\\a", String(repeating: "n", count: 256), "a/./b",
  ]

  static let faults: [Fault] =
    badNames.map { Fault.zip(.name, "the name \($0.prefix(20))", [.init($0)]) }
    + badNames.map {
      Fault.tar(
        .name, "the name \($0.prefix(20))", TarForge.record("path", $0), TarForge.entry("x"))
    } + [
      .zip(.name, "not UTF-8", [.init([0x61, 0xFF]).with { $0.flags = 1 << 11 }]),
      .zip(.name, "a zero in the name", [.init("a\0b")]),
      .zip(.name, "no name", [.init("")]),
      .zip(.name, "the root as a file", [.init(".")]),
      .tar(.name, "the root as a link", TarForge.entry("./", type: "2", link: "a")),
      .zip(.limit, "too deep", [.init(Array(repeating: "d", count: 65).joined(separator: "/"))]),
      .zip(.duplicate, "twice", [.init("a"), .init("a", [1])]),
      .zip(.duplicate, "twice, composed and decomposed", [.init("é"), .init("e\u{301}")]),
      .zip(.twins, "twins", [.init("A.png"), .init("a.png")]),
      .zip(.twins, "twins of folders", [.init("A/x"), .init("a/y")]),
      .zip(.parent, "a file below a file", [.init("a"), .init("a/b")]),
      .zip(.parent, "a file below a link", [.link("a", to: "b"), .init("a/b")]),
      .zip(.link, "a link out", [.link("a", to: "../../etc")]),
      .zip(.link, "an absolute link", [.link("a", to: "/etc/passwd")]),
      .zip(.link, "an empty link", [.link("a", to: "")]),
      .zip(.special, "a device", [.init("a").with { $0.mode = 0o020666 }]),
      .zip(.zip, "a directory with contents", [.init("a/", [1])]),
      .zip(.zipDisagreement, "two names", [.init("a").with { $0.localName = [0x62] }]),
      .zip(.zipDisagreement, "two checksums", [.init("a", [1]).with { $0.localChecksum = 7 }]),
      .zip(
        .zip, "a size that cannot be",
        [
          .init("a", [1]).with {
            $0.size = 9; $0.localSize = 9
          }
        ]),
      .zip(
        .zip, "a bomb by its size",
        [
          .init("a", [3, 0]).with {
            $0.method = 8
            $0.size = 1 << 31
            $0.localSize = 1 << 31
          }
        ]),
      .zip(
        .zip, "a size that deflate cannot reach",
        [
          .init("a", [3, 0]).with {
            $0.method = 8
            $0.size = 3 * 1032
            $0.localSize = 3 * 1032
          }
        ]),
      .zip(.zipDisagreement, "two sizes", [.init("a", [1]).with { $0.localSize = 9 }]),
      .zip(
        .zipDisagreement, "a descriptor that is none",
        [
          .init("a", [1]).with {
            $0.flags = 8
            $0.localSize = 0
            $0.localChecksum = 0
          }
        ]),
      .zip(.zipUnsupported, "encrypted", [.init("a", [1]).with { $0.flags = 1 }]),
      .zip(.zipUnsupported, "LZMA", [.init("a", [1]).with { $0.method = 14 }]),
      .zip(
        .zipContents, "a wrong checksum of nothing",
        [
          .init("a").with {
            $0.checksum = 1; $0.localChecksum = 1
          }
        ]),
      Fault(
        rule: .zip, testDescription: "zip: a wrong count", format: .zip,
        bytes: ZIPForge.archive([.init("a")], count: 2)),
      Fault(
        rule: .zipDisagreement, testDescription: "zip: an archive in the comment", format: .zip,
        bytes: ZIPForge.archive([.init("a")], comment: ZIPForge.archive([.init("b")]))),
      Fault(rule: .zip, testDescription: "zip: nothing", format: .zip, bytes: []),
      Fault(
        rule: .zip, testDescription: "zip: something behind it", format: .zip,
        bytes: ZIPForge.archive([.init("a")]) + [1]),
      .tar(.duplicate, "twice", TarForge.entry("a"), TarForge.entry("a")),
      .tar(.twins, "twins", TarForge.entry("A"), TarForge.entry("a")),
      .tar(
        .parent, "a file below a link", TarForge.entry("a", type: "2", link: "b"),
        TarForge.entry("a/b")),
      .tar(.link, "a link out", TarForge.entry("a", type: "2", link: "../b")),
      .tar(.tar, "a hard link to nothing", TarForge.entry("a", type: "1", link: "b")),
      .tar(.name, "a hard link out", TarForge.entry("a", type: "1", link: "../b")),
      .tar(.special, "a device", TarForge.entry("a", type: "3")),
      .tar(.special, "a pipe", TarForge.entry("a", type: "6")),
      .tar(.tarUnsupported, "a sparse file", TarForge.entry("a", type: "S")),
      .tar(
        .tarUnsupported, "a sparse file of pax", TarForge.record("GNU.sparse.major", "1"),
        TarForge.entry("a")),
      .tar(.tarUnsupported, "one path for all", TarForge.record("path", "a", type: "g")),
      .tar(.tar, "a size that is no number", TarForge.entry("a", size: "9x")),
      .tar(.tar, "a size that lies", TarForge.entry("a", size: "77777777777")),
      .tar(
        .tar, "a size that lies in pax", TarForge.record("size", "\(Int.max)"), TarForge.entry("a")),
      .tar(.tar, "a directory with contents", TarForge.entry("a", type: "5", [1])),
      .tar(.tar, "an extended header without an entry", TarForge.record("path", "a")),
      .tar(.tar, "a damaged record", TarForge.entry("x", type: "x", Array("99 path=a\n".utf8))),
      .tar(
        .tar, "a record longer than its header",
        TarForge.entry("x", type: "x", Array("12 path=a\n".utf8)), TarForge.entry("b")),
      .tar(.tar, "an endless extended header", TarForge.entry("x", type: "x", size: "77777777")),
      Fault(
        rule: .tar, testDescription: "tar: something behind it", format: .tar,
        bytes: TarForge.archive(TarForge.entry("a")) + TarForge.entry("b")),
      Fault(rule: .tar, testDescription: "tar: nothing", format: .tar, bytes: []),
    ]

  @Test("an archive with one fault is refused for that fault", arguments: faults)
  func fault(_ fault: Fault) throws {
    let diagnostic = expectThrows(fault.rule) { try fault.format.unpack(fault.bytes) }
    #expect(diagnostic?.location.file == "archive")
    let location = diagnostic?.location
    let hasPlace = location?.entry != nil || location?.position != nil
    #expect(hasPlace || fault.rule == .limit, "\(diagnostic.debugDescription)")
  }

  @Test("the fixtures are the first of the faults of each rule of archives")
  func fixtures() throws {
    let rules = [
      Rule.duplicate, .zip, .zipDisagreement, .zipContents, .zipUnsupported, .tar, .tarUnsupported,
    ]
    for rule in rules {
      let fault = try #require(Self.faults.first { $0.rule == rule })
      #expect(try Fixture.matches("rules/\(rule.code).\(fault.format.name)", fault.bytes))
    }
    let ignored = ZIPForge.archive([.init("a", [1]).with { $0.trailer = [1, 2, 3] }, .init("b")])
    #expect(try Fixture.matches("rules/\(Rule.zipIgnored.code).zip", ignored))
    let metadata = ZIPForge.archive([.init("._a", [1]), .init("a", [1])])
    #expect(try Fixture.matches("rules/\(Rule.systemFiles.code).zip", metadata))
    let wrapper = ZIPForge.archive([.init("a/document.json", [1])])
    #expect(try Fixture.matches("rules/\(Rule.wrapper.code).zip", wrapper))
    // Is reported on export.
    let portable = TarForge.archive(TarForge.entry("a:b"))
    #expect(try Fixture.matches("rules/\(Rule.portable.code).tar", portable))
    // Shows when it becomes a ZIP archive.
    let link = TarForge.archive(TarForge.entry("a", type: "2", link: "b"))
    #expect(try Fixture.matches("rules/\(Rule.fragile.code).tar", link))
    let root = try ParticleFormat.tar.unpack(link).root
    #expect(try ParticleFormat.zip.packed(root).diagnostics.map(\.rule) == [.fragile])
  }

  @Test("bytes that belong to no entry, and comments, are left out and reported")
  func ignored() throws {
    let gap = ZIPForge.archive([.init("a", [1]).with { $0.trailer = [1, 2, 3] }, .init("b")])
    let container = try ParticleFormat.zip.unpack(gap)
    #expect(container.warnings.map(\.rule) == [.zipIgnored])
    #expect(container.warnings.first?.severity == .warning)
    let comment = try ParticleFormat.zip.unpack(
      ZIPForge.archive([.init("a")], comment: Array("hello".utf8)))
    #expect(comment.warnings.map(\.severity) == [.note])
    let before = try ParticleFormat.zip.unpack(ZIPForge.archive([.init("a")], prefix: [1, 2]))
    #expect(before.warnings.map(\.severity) == [.warning])
  }

  @Test("a size in binary has at most 63 bits")
  func binarySize() throws {
    func archive(_ size: [UInt8]) -> [UInt8] {
      var entry = TarForge.entry("a", [1, 2, 3])
      entry.replaceSubrange(124..<136, with: size)
      entry.replaceSubrange(148..<156, with: Array("        ".utf8))
      let sum = entry[..<512].reduce(0) { $0 + Int($1) }
      entry.replaceSubrange(
        148..<156, with: Array((String(sum, radix: 8) + "\0      ").utf8.prefix(8)))
      return TarForge.archive(entry)
    }
    let three: [UInt8] = [0x80] + [UInt8](repeating: 0, count: 10) + [3]
    let root = try ParticleFormat.tar.unpack(archive(three)).root
    #expect(try root["a"]?.regularFileContents() == [1, 2, 3])
    for place in [0, 1, 3, 4] {
      var wrong = three
      wrong[place] = 0xFF
      expectThrows(.tar) { try ParticleFormat.tar.unpack(archive(wrong)) }
    }
  }

  @Test("the records at the end of a ZIP64 archive agree, or the short one refers to the long one")
  func longEnd() throws {
    func archive(count: UInt16) throws -> [UInt8] {
      let bytes = ZIPForge.archive([.init("a", [1])])
      let end = bytes.count - 22
      let directory = Array(bytes[end + 12..<end + 20])
      func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      // Version 4.5, one disk, one entry, then size and offset of the directory with 64 bits each.
      let long =
        [0x50, 0x4B, 6, 6] + number(44, 8) + [45, 0, 45, 0] + number(0, 8) + number(1, 8)
        + number(1, 8) + directory[..<4] + number(0, 4) + directory[4...] + number(0, 4)
      let locator = [0x50, 0x4B, 6, 7] + number(0, 4) + number(end, 8) + number(1, 4)
      var short = Array(bytes[end...])
      short.replaceSubrange(8..<12, with: number(Int(count), 2) + number(Int(count), 2))
      return bytes[..<end] + long + locator + short
    }
    for count in [1, UInt16.max] {
      let root = try ParticleFormat.zip.unpack(archive(count: count)).root
      #expect(try root["a"]?.regularFileContents() == [1])
    }
    expectThrows(.zipDisagreement) { try ParticleFormat.zip.unpack(archive(count: 2)) }
  }

  @Test("damaged contents show when they are read, each time")
  func damagedContents() throws {
    let entry = ZIPForge.Entry("a", [1, 2, 3]).with {
      $0.checksum = 7
      $0.localChecksum = 7
    }
    let root = try ParticleFormat.zip.unpack(ZIPForge.archive([entry])).root
    for _ in 1...2 {
      let fault = expectThrows(.zipContents) { try root["a"]?.regularFileContents() }
      #expect(fault?.location == Location(file: "archive", entry: "a"))
    }
  }

  @Test("bombs stop at the limits")
  func bombs() throws {
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    let tree = try FileNode(directoryWithFileNodes: [
      "a": FileNode(regularFileWithContents: zeros), "b": FileNode(regularFileWithContents: zeros),
    ])
    for format in ArchiveRoundTripTests.archives {
      let bytes = try format.packed(tree).bytes
      for (limit, value) in [
        (\Limits.entryBytes, 1 << 19), (\.totalBytes, 3 << 19), (\.entries, 1), (\.indexBytes, 1),
      ] as [(WritableKeyPath<Limits, Int>, Int)] {
        var limits = Limits()
        limits[keyPath: limit] = value
        expectThrows(.limit, "\(format.name)") { try format.unpack(bytes, limits: limits) }
      }
    }
    // Directories that are only implied count, too.
    var limits = Limits()
    limits.entries = 10
    let deep = ZIPForge.archive([.init(Array(repeating: "d", count: 20).joined(separator: "/"))])
    expectThrows(.limit) { try ParticleFormat.zip.unpack(deep, limits: limits) }
    // One file under many names.
    limits = Limits()
    limits.totalBytes = 2000
    let links = (0..<20).flatMap { TarForge.entry("b\($0)", type: "1", link: "a") }
    let archive = TarForge.archive(TarForge.entry("a", [UInt8](repeating: 1, count: 150)), links)
    expectThrows(.limit) { try ParticleFormat.tar.unpack(archive, limits: limits) }
  }

  /// Opens and reads everything. Throws diagnostics only, or the test crashes or fails.
  private func survives(_ bytes: [UInt8], _ format: ParticleFormat) -> ContentDigest? {
    do {
      return try format.unpack(bytes).root.treeDigest()
    } catch is Diagnostic {
      return nil
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  @Test("cut at every byte: a diagnostic, or all of it")
  func truncation() throws {
    var tree = FileNode.emptyDirectory
    let text = Array("particle particle particle\n".utf8)
    try tree.setFileNode(FileNode(regularFileWithContents: text), at: "größe/a")
    try tree.setFileNode(FileNode(symbolicLinkWithDestination: "a"), at: "größe/b")
    let digest = try tree.treeDigest()
    for format in ArchiveRoundTripTests.archives {
      let bytes = try format.packed(tree).bytes
      for length in 0..<bytes.count {
        #expect(survives(Array(bytes[..<length]), format) == nil, "\(format.name) \(length)")
      }
      #expect(survives(bytes, format) == digest)
    }
  }

  @Test("many changes: a diagnostic, or a tree")
  func mutations() throws {
    let tree = try SampleTree.small()
    for format in ArchiveRoundTripTests.archives {
      let bytes = try format.packed(tree).bytes
      for seed in Sample.of(Array(0..<3_000), 600) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var mutant = bytes
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let index = Int.random(in: 0..<mutant.count, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: mutant[index] = [0, 0xFF, 0x80, 0x7F].randomElement(using: &generator) ?? 0
          case 1: mutant[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
          case 2: mutant.remove(at: index)
          default: mutant.insert(UInt8.random(in: 0...255, using: &generator), at: index)
          }
        }
        _ = survives(mutant, format)
      }
    }
  }

  @Test("no byte of the contents of a ZIP archive changes unseen")
  func flips() throws {
    let bytes = try ParticleFormat.zip.packed(SampleTree.small()).bytes
    let noise = SampleTree.noise(700, seed: 1)
    let start = try #require(bytes.firstRange(of: noise)?.lowerBound)
    for index in stride(from: start, to: start + 700, by: 7) {
      var mutant = bytes
      mutant[index] ^= 0x10
      #expect(survives(mutant, .zip) == nil)
    }
  }
}
