import ParticlesPropertyLists
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite struct PropertyListWritingTests {
  /// What a file is read and written as.
  private func rewritten(_ bytes: [UInt8]) throws -> [UInt8] {
    try BinaryPropertyList(bytes, limits: longTexts).encoded()
  }

  /// Texts whose length takes four bytes are longer than any that files have.
  private let longTexts: Limits = {
    var limits = Limits()
    limits.scalarBytes = 1 << 20
    return limits
  }()

  @Test func everyKindOfObjectComesBack() throws {
    let forged: [[UInt8]] = [
      [0x00], [0x08], [0x09], [0x10, 0xFF], [0x11, 0x01, 0x00], [0x12, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x13] + [UInt8](repeating: 0xFF, count: 8),
      [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8),
      [0x22, 0x3F, 0x80, 0, 0], [0x23, 0x80] + [UInt8](repeating: 0, count: 7),
      [0x33] + PropertyListForge.bigEndian((1.5).bitPattern), [0x43, 1, 2, 3],
      [0x53] + Array("abc".utf8), [0x62, 0x00, 0xE9, 0x20, 0xAC], [0x80, 7], [0x81, 1, 0],
      [0xA0], [0xC0], [0xD0],
    ]
    for object in forged {
      let file = PropertyListForge.file([object])
      #expect(try rewritten(file) == file, "\(object)")
    }
  }

  @Test func countsOfFifteenAndMoreStandBehindTheMarker() throws {
    for count in [14, 15, 255, 256, 70_000] {
      let text = [UInt8](repeating: UInt8(ascii: "x"), count: count)
      let marker: [UInt8] =
        switch count {
        case ..<15: [0x50 | UInt8(count)]
        case ..<256: [0x5F, 0x10, UInt8(count)]
        case ..<65536: [0x5F, 0x11] + PropertyListForge.bigEndian(UInt16(count))
        default: [0x5F, 0x12] + PropertyListForge.bigEndian(UInt32(count))
        }
      let written = try rewritten(PropertyListForge.file([marker + text]))
      #expect(written.dropFirst(8).starts(with: marker + text))
      guard case .scalar(.string(let read)) = try BinaryPropertyList(written, limits: longTexts)[0]
      else {
        Issue.record("no string")
        continue
      }
      #expect(read.utf8.count == count)
    }
  }

  @Test func referencesAndOffsetsAreAsWideAsTheyMustBe() throws {
    for count in [1, 254, 255, 256, 70_000] {
      let bytes = KeyedArchiver.encode(.array((0..<count).map { .integer($0) }))
      let archive = try KeyedArchive(bytes)
      let sizes = Array(bytes.suffix(26).prefix(2))
      let objects = archive.plist.objects.count
      #expect(sizes[1] == (objects <= 256 ? 1 : objects <= 65536 ? 2 : 4))
      #expect(sizes[0] == (bytes.count < 300 ? 1 : bytes.count < 65536 ? 2 : 4))
    }
  }

  // MARK: Archives

  @Test func aClassIsWrittenOnceAndBehindItsFirstObject() throws {
    let bytes = KeyedArchiver.encode(.array([.array([]), .data([1]), .array([])]))
    let archive = try KeyedArchive(bytes)
    let list = try #require(archive.plist.value(of: "$objects", in: archive.plist.root))
    guard case .array(let objects) = archive.plist[list] else { return }
    let names = objects.map { archive.className(of: $0) ?? "-" }
    #expect(
      names == [
        "-", "NSMutableArray", "NSMutableArray", "-", "NSMutableData", "-", "NSMutableArray",
      ])
  }

  @Test func equalScalarsBehindReferencesAreOne() throws {
    let bytes = KeyedArchiver.encode(
      .array([.string("a"), .shared(.integer(1)), .string("a"), .shared(.bool(true))]))
    let archive = try KeyedArchive(bytes)
    guard case .array(let elements) = archive.value(at: archive.root) else { return }
    let targets = elements.map { archive.resolve($0) }
    #expect(targets[0] == targets[2])
    #expect(Set(targets).count == 3)
  }

  @Test func theTextOfNilIsNotNil() throws {
    let archive = try KeyedArchive(
      KeyedArchiver.encode(.array([.string("$null"), .inline(.string("$null")), .null])))
    guard case .array(let elements) = archive.value(at: archive.root) else { return }
    #expect(elements.map { archive.value(at: $0) } == [.string("$null"), .string("$null"), .null])
  }

  @Test func zeroAndNegativeZeroAreTwo() throws {
    let archive = try KeyedArchive(KeyedArchiver.encode(.array([.double(0), .double(-0.0)])))
    guard case .array(let elements) = archive.value(at: archive.root) else { return }
    let signs = elements.map { index -> FloatingPointSign? in
      guard case .scalar(.real(let value, 8)) = archive.value(at: index) else { return nil }
      return value.sign
    }
    #expect(signs == [.plus, .minus])
  }

  @Test func aCircleIsKeptAsOne() throws {
    // An object that refers to itself, as nodes do to their parents.
    let circle = ArchiveForge.file(
      root: .uid(1), objects: [.string("$null"), .dictionary([.init("self", .uid(1))])])
    let archive = try KeyedArchive(circle)
    let kept = KeyedArchiver.encode(.kept(try #require(archive.top.first).index), keeping: archive)
    #expect(try ArchiveContent(kept) == ArchiveContent(archive))
  }
}

// MARK: - What others wrote

struct PropertyListCorpusWritingTests {
  static let files =
    Corpus.files("sks", "sks") + Corpus.files("scnp", "scnp")
    + Corpus.files("apple-particles", "particles")
    + Corpus.files("other/sks-not-an-emitter", "sks")

  /// Files in which a key stands in two equal strings, which become one when they are read.
  static let withTwins = 16

  @Test func filesComeBackByteForByte() throws {
    var different: [String] = []
    for path in Self.files {
      let bytes = try Files.read(path)
      let written = try BinaryPropertyList(bytes).encoded()
      #expect(written.count == bytes.count)
      #expect(try ArchiveContent(written) == ArchiveContent(bytes))
      if written != bytes { different.append(Files.lastComponent(of: path)) }
    }
    // The project's own archives have no such strings.
    #expect(different.count == (Corpus.isPresent ? Self.withTwins : 0), "\(different)")
  }

  @Test(arguments: files) func archivesAreKeptWhole(path: String) throws {
    let archive = try KeyedArchive(Files.read(path))
    let written = Self.kept(archive)
    let (new, old) = (try ArchiveContent(written), ArchiveContent(archive))
    #expect(new.differences(from: old) == [])
    // Written by us, it is written again without a change.
    #expect(try Self.kept(KeyedArchive(written)).count == written.count)
  }

  @Test(.needs("python3"))
  func pythonReadsTheSame() throws {
    let python = try #require(Run.find("python3"))
    let scratch = try Scratch()
    for (number, path) in Self.files.enumerated() {
      let bytes = try Files.read(path)
      try Files.create(scratch.file("\(number).old"), bytes)
      try Files.create(scratch.file("\(number).list"), BinaryPropertyList(bytes).encoded())
      try Files.create(scratch.file("\(number).kept"), Self.kept(KeyedArchive(bytes)))
    }
    let run = try Run(
      python, ["-c", Self.script, "\(Self.files.count)"], in: scratch.path)
    #expect(run.status == 0 && run.text == "same\n", "\(run.text)\(run.errors)")
  }

  /// The whole of an archive, written anew.
  static func kept(_ archive: KeyedArchive) -> [UInt8] {
    let others = archive.top.filter { $0.key != "root" }
    return KeyedArchiver.encode(
      .kept(archive.top.first { $0.key == "root" }?.index ?? archive.root),
      top: others.map { .init($0.key, .kept($0.index)) }, keeping: archive)
  }

  /// Compares lists as they are, and archives with their references followed.
  private static let script = """
    import plistlib, sys
    def read(name):
        with open(name, 'rb') as file: return plistlib.load(file, fmt=plistlib.FMT_BINARY)
    def follow(archive):
        objects, seen = archive['$objects'], {}
        def text(value):
            if isinstance(value, plistlib.UID):
                target = objects[value.data]
                if not isinstance(target, dict): return '->' + text(target)
                if value.data in seen: return '->%d' % seen[value.data]
                seen[value.data] = len(seen)
                return '->' + text(target)
            if isinstance(value, list): return '[%s]' % ','.join(map(text, value))
            if isinstance(value, dict):
                return '{%s}' % ','.join('%r:%s' % (key, text(value[key])) for key in sorted(value))
            return type(value).__name__ + repr(value)
        return text(archive['$top'])
    for number in range(int(sys.argv[1])):
        old, new, kept = (read('%d.%s' % (number, kind)) for kind in ('old', 'list', 'kept'))
        assert repr(old) == repr(new), number
        assert follow(old) == follow(kept), number
    print('same')
    """
}
