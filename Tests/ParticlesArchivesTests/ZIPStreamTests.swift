import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Compressed contents that are shorter, longer or other than the headers state.
@Suite("Streams in ZIP archives")
struct ZIPStreamTests {
  enum Kind: String, CaseIterable, Sendable { case empty, short, long, link, folder }

  private static func bytes(of kind: Kind) -> [UInt8] {
    switch kind {
    case .empty, .folder: []
    case .short: Array("particles".utf8)
    // Longer than a piece of the decompression.
    case .long: SampleTree.noise(600_000, seed: 5)
    case .link: Array("target".utf8)
    }
  }

  /// An entry with these packed bytes as contents. Size and checksum are for the plain bytes.
  private static func entry(
    _ kind: Kind, packed: [UInt8], size: Int? = nil, checksum: UInt32? = nil
  ) -> ZIPForge.Entry {
    let plain = bytes(of: kind)
    return ZIPForge.Entry(kind == .folder ? "a/" : "a", packed).with {
      $0.method = 8
      $0.size = size ?? plain.count
      $0.localSize = $0.size
      $0.checksum = checksum ?? CRC32.checksum(plain)
      $0.localChecksum = $0.checksum
      if kind == .link { $0.mode = 0o120777 }
      if kind == .folder { $0.mode = 0o040755 }
    }
  }

  private static func stream(of kind: Kind) throws -> [UInt8] {
    let plain = bytes(of: kind)
    // An empty block of fixed codes.
    if plain.isEmpty { return [3, 0] }
    return try #require(
      plain.withUnsafeBytes { Deflate(level: 6).bare($0, limit: plain.count + 1_000) })
  }

  private func read(_ entry: ZIPForge.Entry) throws -> ContentDigest {
    try ParticleFormat.zip.unpack(ZIPForge.archive([entry])).root.treeDigest()
  }

  @Test("a stream that fills its entry is read", arguments: Kind.allCases)
  func sound(kind: Kind) throws {
    let entry = Self.entry(kind, packed: try Self.stream(of: kind))
    let node = try ParticleFormat.zip.unpack(ZIPForge.archive([entry])).root["a"]
    switch kind {
    case .folder: #expect(node?.isDirectory == true)
    case .link: #expect(node?.symbolicLinkDestination == "target")
    case .empty, .short, .long: #expect(try node?.regularFileContents() == Self.bytes(of: kind))
    }
  }

  @Test(
    "bytes behind the stream are refused", arguments: Kind.allCases, [[0], [1, 2, 3]] as [[UInt8]])
  func slack(kind: Kind, slack: [UInt8]) throws {
    let entry = Self.entry(kind, packed: try Self.stream(of: kind) + slack)
    let fault = expectThrows(.zipContents) { try read(entry) }
    #expect(fault?.detail == "packed bytes")
    #expect(fault?.location == Location(file: "archive", entry: "a"))
  }

  @Test("a stream that is cut short is refused", arguments: Kind.allCases)
  func cut(kind: Kind) throws {
    let entry = Self.entry(kind, packed: try Self.stream(of: kind).dropLast())
    expectThrows(.zip) { try read(entry) }
  }

  @Test("a stream with more or fewer bytes than stated is refused", arguments: [Kind.short, .long])
  func sizes(kind: Kind) throws {
    let (plain, packed) = (Self.bytes(of: kind), try Self.stream(of: kind))
    let fewer = Self.entry(
      kind, packed: packed, size: plain.count - 1, checksum: CRC32.checksum(plain.dropLast()))
    #expect(expectThrows(.zipContents) { try read(fewer) }?.found == "more")
    let more = Self.entry(kind, packed: packed, size: plain.count + 1)
    #expect(expectThrows(.zipContents) { try read(more) }?.expected == "\(plain.count + 1)")
    // An entry that states no bytes is checked when the archive is opened.
    let none = Self.entry(kind, packed: packed, size: 0, checksum: 0)
    expectThrows(.zipContents) { try ParticleFormat.zip.unpack(ZIPForge.archive([none])) }
  }

  @Test("a wrong checksum is refused", arguments: Kind.allCases, [0, 8] as [UInt16])
  func checksum(kind: Kind, method: UInt16) throws {
    let packed = method == 8 ? try Self.stream(of: kind) : Self.bytes(of: kind)
    let entry = Self.entry(kind, packed: packed, checksum: 7).with { $0.method = method }
    #expect(expectThrows(.zipContents) { try read(entry) }?.found != nil)
  }

  @Test("links are short text in UTF-8")
  func links() throws {
    let invalid = ZIPForge.Entry("a", [0x62, 0xFF]).with { $0.mode = 0o120777 }
    expectThrows(.link) { try read(invalid) }
    func link(_ count: Int) -> ZIPForge.Entry {
      // Components of at most 255 bytes each.
      let text = String((1...count).map { $0 % 200 == 0 && $0 != count ? "/" : "n" })
      return .link("a", to: text)
    }
    #expect(throws: Never.self) { try read(link(EntryPath.pathLimit)) }
    expectThrows(.link) { try read(link(EntryPath.pathLimit + 1)) }
  }

  @Test("stored contents are read at any place, also behind a damaged piece elsewhere")
  func places() throws {
    let noise = SampleTree.noise(1_200_000, seed: 9)
    for method in [0, 8] as [UInt16] {
      let packed =
        method == 0
        ? noise
        : try #require(noise.withUnsafeBytes { Deflate(level: 1).bare($0, limit: 1_300_000) })
      let entry = ZIPForge.Entry("a", packed).with {
        $0.method = method
        ($0.size, $0.localSize) = (noise.count, noise.count)
        ($0.checksum, $0.localChecksum) = (CRC32.checksum(noise), CRC32.checksum(noise))
      }
      let root = try ParticleFormat.zip.unpack(ZIPForge.archive([entry])).root
      let contents = try #require(root["a"]?.contents)
      // Pieces have 524,288 bytes.
      for range in [
        524_287..<524_289, 0..<1, 1_199_999..<1_200_000, 524_288..<1_048_577, 1..<1_200_000,
      ] {
        #expect(try contents.bytes(in: range) == Array(noise[range]))
      }
    }
  }
}
