import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// A ZIP archive with one stored file `a` of three bytes, whose headers are changed field by field.
@Suite("Fields of ZIP headers")
struct ZIPHeaderTests {
  enum Header: Sendable { case local, central, end }

  struct Change: Sendable, CustomTestStringConvertible {
    var header: Header
    var offset: Int
    var bytes: [UInt8]
    /// Nil if the field has no influence.
    var rule: Rule?
    var what: String

    init(_ header: Header, _ offset: Int, _ bytes: [UInt8], _ rule: Rule?, _ what: String) {
      (self.header, self.offset, self.bytes, self.rule, self.what) =
        (header, offset, bytes, rule, what)
    }

    var testDescription: String { "\(header): \(what)" }
  }

  private static let contents: [UInt8] = [1, 2, 3]

  private static let sound = ZIPForge.archive([.init("a", contents)])

  /// The offsets of the three headers: 30 bytes, a name of one byte and 3 bytes precede the directory.
  private static func start(of header: Header) -> Int {
    switch header {
    case .local: 0
    case .central: 34
    case .end: 34 + 47
    }
  }

  private static func changed(_ changes: [Change]) -> [UInt8] {
    var bytes = sound
    for change in changes {
      let start = start(of: change.header) + change.offset
      bytes.replaceSubrange(start..<start + change.bytes.count, with: change.bytes)
    }
    return bytes
  }

  static let changes: [Change] = [
    Change(.local, 0, [0x51], .zip, "signature"),
    Change(.local, 4, [63, 1], nil, "version"),
    Change(.local, 6, [8, 0], .zipDisagreement, "flag of a descriptor"),
    Change(.local, 6, [1, 0], .zipDisagreement, "flag of encryption"),
    Change(.local, 7, [8], nil, "flag of UTF-8"),
    Change(.local, 8, [8, 0], .zipDisagreement, "method"),
    Change(.local, 10, [9, 9, 9, 9], nil, "time and date"),
    Change(.local, 14, [0], .zipDisagreement, "checksum"),
    Change(.local, 18, [2], .zipDisagreement, "packed size"),
    Change(.local, 22, [2], .zipDisagreement, "size"),
    Change(.local, 26, [0], .zipDisagreement, "length of the name"),
    Change(.local, 28, [1], .zip, "length of the extra field"),
    Change(.local, 29, [0xFF], .zip, "extra field beyond the entries"),
    Change(.local, 30, [0x62], .zipDisagreement, "name"),
    Change(.central, 0, [0x51], .zip, "signature"),
    Change(.central, 4, [63], nil, "version of the writer"),
    Change(.central, 6, [63, 1], nil, "version to read"),
    Change(.central, 8, [8, 0], .zipDisagreement, "flag of a descriptor"),
    Change(.central, 9, [8], nil, "flag of UTF-8"),
    Change(.central, 10, [8, 0], .zipDisagreement, "method"),
    Change(.central, 12, [9, 9, 9, 9], nil, "time and date"),
    Change(.central, 16, [0], .zipDisagreement, "checksum"),
    Change(.central, 20, [2], .zip, "packed size below the size"),
    Change(.central, 20, [4], .zip, "packed size above the size"),
    Change(.central, 24, [2], .zip, "size"),
    Change(.central, 28, [2], .zip, "name beyond the directory"),
    Change(.central, 30, [1], .zip, "extra field beyond the directory"),
    Change(.central, 32, [1], .zip, "comment beyond the directory"),
    Change(.central, 34, [1, 0], .zipUnsupported, "disk"),
    Change(.central, 34, [0xFF, 0xFF], nil, "disk of ZIP64"),
    Change(.central, 36, [1, 0], nil, "internal attributes"),
    Change(.central, 42, [1], .zip, "position inside of the entry"),
    Change(.central, 42, [34], .zip, "position of the directory"),
    Change(.central, 42, [0, 0, 0, 0x7F], .zip, "position behind the archive"),
    Change(.central, 46, [0x62], .zipDisagreement, "name"),
    Change(.end, 0, [0x51], .zip, "signature"),
    Change(.end, 4, [1], .zipUnsupported, "disk"),
    Change(.end, 6, [1], .zipUnsupported, "first disk"),
    Change(.end, 4, [1, 0, 1, 0], .zipUnsupported, "both disks"),
    Change(.end, 4, [0xFF, 0xFF, 0xFF, 0xFF], nil, "both disks of ZIP64"),
    Change(.end, 8, [2], .zipUnsupported, "entries on this disk"),
    Change(.end, 10, [2], .zipUnsupported, "entries"),
    Change(.end, 8, [0, 0, 0, 0], .zip, "no entries"),
    Change(.end, 8, [2, 0, 2, 0], .zip, "two entries"),
    Change(.end, 12, [46], .zip, "size of the directory below it"),
    Change(.end, 12, [48], .zip, "size of the directory above it"),
    Change(.end, 16, [33], .zip, "position before the directory"),
    Change(.end, 16, [35], .zip, "position behind the directory"),
    Change(.end, 20, [1], .zip, "comment beyond the archive"),
  ]

  @Test(
    "a field that contradicts another one is refused; others have no influence", arguments: changes)
  func change(_ change: Change) throws {
    let bytes = Self.changed([change])
    #expect(bytes != Self.sound && bytes.count == Self.sound.count)
    guard let rule = change.rule else {
      let root = try ParticleFormat.zip.unpack(bytes).root
      #expect(try root["a"]?.regularFileContents() == Self.contents)
      #expect(root.children?.count == 1)
      return
    }
    expectThrows(rule) { try ParticleFormat.zip.unpack(bytes).root.treeDigest() }
  }

  @Test(
    "flags of encryption, patches and masked headers are refused in both headers",
    arguments: [UInt16(1), 1 << 5, 1 << 6, 1 << 13])
  func unsupported(flag: UInt16) {
    let entry = ZIPForge.Entry("a", [1]).with { $0.flags = flag }
    expectThrows(.zipUnsupported) { try ParticleFormat.zip.unpack(ZIPForge.archive([entry])) }
  }

  @Test("other flags have no influence", arguments: [UInt16(2), 4, 1 << 4, 1 << 7, 1 << 11])
  func ignoredFlags(flag: UInt16) throws {
    let entry = ZIPForge.Entry("a", [1]).with { $0.flags = flag }
    let root = try ParticleFormat.zip.unpack(ZIPForge.archive([entry])).root
    #expect(try root["a"]?.regularFileContents() == [1])
  }

  @Test("methods but 0 and 8 are refused", arguments: [UInt16(1), 2, 7, 9, 12, 14, 93, 95, 0x108])
  func method(_ method: UInt16) {
    let entry = ZIPForge.Entry("a", [1]).with { $0.method = method }
    expectThrows(.zipUnsupported) { try ParticleFormat.zip.unpack(ZIPForge.archive([entry])) }
  }

  /// The upper half of the attributes is a Unix mode if the host is Unix (3) or macOS (19).
  @Test(
    "kinds of entries by host, mode and the slash at the end",
    arguments: [
      (3, 0o100644, "a", "file"), (3, 0o100744, "a", "program"), (3, 0o100100, "a", "program"),
      (3, 0o100655, "a", "file"), (3, 0o100611, "a", "file"), (3, 0o100645, "a", "file"),
      (19, 0o100744, "a", "program"), (0, 0o100744, "a", "file"), (10, 0o120777, "a", "file"),
      (19, 0o120777, "a", "link"), (3, 0o120777, "a", "link"), (3, 0o120777, "a/", "special"),
      (3, 0o040755, "a", "folder"), (3, 0o040755, "a/", "folder"), (3, 0o100644, "a/", "folder"),
      (3, 0, "a", "file"), (3, 0, "a/", "folder"), (0, 0o020644, "a/", "folder"),
      (3, 0o010644, "a", "special"), (3, 0o020644, "a", "special"), (3, 0o060644, "a", "special"),
      (3, 0o140644, "a", "special"), (19, 0o140644, "a", "special"), (0, 0o140644, "a", "file"),
    ] as [(Int, Int, String, String)])
  func kinds(host: Int, mode: Int, name: String, kind: String) throws {
    let isFolder = kind == "folder"
    let entry = ZIPForge.Entry(name, isFolder ? [] : Array("b".utf8)).with {
      $0.mode = UInt32(mode)
    }
    var bytes = ZIPForge.archive([entry])
    bytes[30 + name.utf8.count + entry.contents.count + 5] = UInt8(host)
    if kind == "special" {
      expectThrows(.special) { try ParticleFormat.zip.unpack(bytes) }
      return
    }
    let node = try #require(try ParticleFormat.zip.unpack(bytes).root["a"])
    #expect(node.isDirectory == isFolder)
    #expect((node.symbolicLinkDestination == "b") == (kind == "link"))
    #expect(node.isExecutable == (kind == "program"))
  }

  /// A data descriptor with or without signature, with lengths of 32 or 64 bits.
  private static func descriptor(
    signature: Bool, width: Int, checksum: UInt32, packed: Int, size: Int
  ) -> [UInt8] {
    var writer = ByteWriter()
    if signature { writer.write([0x50, 0x4B, 7, 8]) }
    writer.u32(checksum)
    writer.littleEndian(UInt64(packed), width)
    writer.littleEndian(UInt64(size), width)
    return writer.bytes
  }

  @Test(
    "a data descriptor of each form agrees with the directory, and belongs to its entry",
    arguments: [true, false], [4, 8])
  func descriptors(signature: Bool, width: Int) throws {
    let checksum = CRC32.checksum(Self.contents)
    func archive(_ checksum: UInt32, _ packed: Int, _ size: Int) -> [UInt8] {
      let entry = ZIPForge.Entry("a", Self.contents).with {
        $0.flags = 8
        $0.localSize = 0
        $0.localChecksum = 0
        $0.trailer = Self.descriptor(
          signature: signature, width: width, checksum: checksum, packed: packed, size: size)
      }
      return ZIPForge.archive([entry, .init("b")])
    }
    let container = try ParticleFormat.zip.unpack(archive(checksum, 3, 3))
    #expect(try container.root["a"]?.regularFileContents() == Self.contents)
    #expect(container.warnings.isEmpty)
    for wrong in [archive(checksum ^ 1, 3, 3), archive(checksum, 2, 3), archive(checksum, 3, 4)] {
      expectThrows(.zipDisagreement) { try ParticleFormat.zip.unpack(wrong) }
    }
  }

  @Test("without the flag, a descriptor is no reason for headers that differ")
  func descriptorWithoutFlag() {
    let entry = ZIPForge.Entry("a", Self.contents).with {
      $0.localSize = 0
      $0.trailer = Self.descriptor(
        signature: true, width: 4, checksum: $0.checksum, packed: 3, size: 3)
    }
    expectThrows(.zipDisagreement) { try ParticleFormat.zip.unpack(ZIPForge.archive([entry])) }
  }

  @Test("entries do not overlap, not even by a byte; gaps of a byte are reported")
  func overlap() throws {
    // The second header is moved by changing its position in the directory.
    let entries = [ZIPForge.Entry("a", Self.contents), ZIPForge.Entry("b", [4])]
    let bytes = ZIPForge.archive(entries)
    let container = try ParticleFormat.zip.unpack(bytes)
    #expect(container.warnings.isEmpty)
    // Both directory entries refer to the first header.
    var twice = ZIPForge.archive([.init("a", Self.contents), .init("a", Self.contents)])
    let second = 2 * 34 + 47 + 42
    #expect(twice[second] == 34)
    twice[second] = 0
    expectThrows(.zip) { try ParticleFormat.zip.unpack(twice) }
    // An entry inside of the contents of another entry.
    let inner = Array(ZIPForge.archive([.init("b", [9])])[..<32])
    var nested = ZIPForge.archive([
      .init("a", inner),
      .init("b", [9]),
    ])
    let position = 31 + 32 + 32 + 47 + 42
    #expect(nested[position] == 63)
    nested[position] = 31
    expectThrows(.zip) { try ParticleFormat.zip.unpack(nested) }
    let gap = ZIPForge.archive([.init("a", [1]).with { $0.trailer = [0] }, .init("b")])
    #expect(try ParticleFormat.zip.unpack(gap).warnings.map(\.rule) == [.zipIgnored])
    let last = ZIPForge.archive([.init("a", [1]).with { $0.trailer = [0] }])
    #expect(try ParticleFormat.zip.unpack(last).warnings.map(\.rule) == [.zipIgnored])
  }
}
