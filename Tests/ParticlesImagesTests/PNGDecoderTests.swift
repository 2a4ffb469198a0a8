import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesImages

/// Our own decoder of PNG beside libpng.
@Suite("Decoding of PNG")
struct PNGDecoderTests {
  /// What a decoder makes of a file.
  enum Verdict: Equatable {
    case picture(Bitmap)
    case refused
  }

  private static func verdict(_ decode: () throws -> Bitmap) throws -> Verdict {
    do { return .picture(try decode()) } catch let fault as Diagnostic {
      #expect(fault.rule == .image || fault.rule == .limit)
      return .refused
    }
  }

  static let limits: Limits = {
    var limits = Limits()
    limits.imagePixels = 1 << 22
    return limits
  }()

  static func ours(_ bytes: [UInt8]) throws -> Verdict {
    try verdict { try PNGDecoder.decode(bytes, limits: limits) }
  }

  static func libpng(_ bytes: [UInt8]) -> Verdict {
    PNGReferee.decode(bytes, limit: limits.imagePixels).map {
      .picture(Bitmap(width: $0.width, height: $0.height, pixels: $0.pixels))
    } ?? .refused
  }

  // MARK: Pixels

  @Test("all kinds of pictures have the pixels that libpng gives, with every filter")
  func kinds() throws {
    for (kind, depths) in PNGForge.kinds {
      for depth in depths {
        for variant in 0..<8 {
          var forge = PNGForge(seed: UInt64(kind * 1000 + depth * 10 + variant))
          (forge.kind, forge.depth) = (kind, depth)
          (forge.isInterlaced, forge.hasTransparency) = (variant & 1 == 1, variant & 2 == 2)
          // libpng 1.6.51 and later versions, and older ones with the same correction, give other pixels of
          // interlaced pictures with 16 bits: each pass overwrites whole rows.
          if depth == 16 { forge.isInterlaced = false }
          // Numbers that a palette does not have are black.
          if kind == 3 { forge.colors = variant & 4 == 4 ? 1 << depth : max(1, 1 << depth - 3) }
          let bytes = forge.file(pieces: variant & 4 == 4 ? 7 : 1)
          let ours = try Self.ours(bytes)
          #expect(ours != .refused)
          #expect(ours == Self.libpng(bytes), "\(kind), \(depth), \(variant)")
        }
      }
    }
  }

  @Test("an interlaced picture has the pixels of one that is not", arguments: PNGForge.kinds)
  func interlacing(kind: Int, depths: [Int]) throws {
    for depth in depths {
      for side in 1...9 {
        var forge = PNGForge(seed: UInt64(side))
        (forge.kind, forge.depth, forge.width, forge.height) = (kind, depth, side, 10 - side)
        forge.chunks = kind == 3 ? [("PLTE", forge.noise(3 << depth))] : []
        let pixels = forge.pixels()
        let plain = try Self.ours(PNGForge.file(forge.parts(pixels)))
        forge.isInterlaced = true
        #expect(plain != .refused)
        #expect(try Self.ours(PNGForge.file(forge.parts(pixels))) == plain, "\(depth), \(side)")
      }
    }
  }

  @Test("every gamma gives the tones that libpng gives", arguments: [8, 16])
  func gamma(depth: Int) throws {
    var forge = PNGForge(seed: 1)
    (forge.kind, forge.depth, forge.width, forge.height) = (0, depth, 256, depth == 16 ? 16 : 1)
    // For 16 bits, all values near the ends, where the tones are dense, and every 16th one.
    let pixels = (0..<forge.width * forge.height).map { [depth == 16 ? $0 * 16 + $0 % 16 : $0] }
    let stream = PNGForge.zlib(forge.rows(pixels))
    var values = [16, 45_455, 47_700, 47_800, 43_200, 43_300, 100_000, 55_556, 625_000_000]
    for _ in 0..<(depth == 16 ? 60 : 400) {
      values.append(forge.number(10_000...300_000))
      values.append(forge.number(16...625_000_000))
    }
    for value in values {
      for bits in depth == 16 ? [16, forge.number(1...16)] : [8] {
        let bytes = PNGForge.file([
          ("IHDR", forge.header), ("gAMA", PNGForge.bigEndian(value)), ("sBIT", [UInt8(bits)]),
          ("IDAT", stream), ("IEND", []),
        ])
        let ours = try Self.ours(bytes)
        #expect(ours != .refused)
        #expect(ours == Self.libpng(bytes), "\(value), \(bits)")
      }
    }
  }

  @Test("what files state about colours counts as for libpng", arguments: [8, 16])
  func colors(depth: Int) throws {
    func gamma(_ value: Int) -> (name: String, content: [UInt8]) {
      ("gAMA", PNGForge.bigEndian(value))
    }
    let sRGB = (name: "sRGB", content: [UInt8(0)])
    let chromaticities = (
      name: "cHRM",
      content: [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].flatMap {
        PNGForge.bigEndian($0)
      }
    )
    let statements = [
      [], [sRGB], [gamma(45_455), sRGB], [sRGB, gamma(45_455)], [sRGB, gamma(46_000)],
      [gamma(100_000), sRGB], [sRGB, gamma(100_000)], [gamma(100_000), chromaticities],
      [chromaticities], [gamma(45_455), gamma(100_000)], [("PLTE", [1, 2, 3]), gamma(70_000)],
      [("PLTE", [1, 2, 3]), sRGB], [("gAMA", [0, 1, 2])], [("sRGB", [])], [("sBIT", [9, 9])],
      [("sBIT", [5, 6, 7, 8]), gamma(100_000)], [("sBIT", [5, 6, 17, 8]), gamma(100_000)],
      [("sBIT", [3, 3, 3, 3]), gamma(100_000)],
      [("gAMA", PNGForge.bigEndian(60_000)), ("abCd", [1])],
    ]
    for (number, chunks) in statements.enumerated() {
      var forge = PNGForge(seed: 3)
      (forge.depth, forge.chunks) = (depth, chunks)
      let bytes = forge.file()
      let ours = try Self.ours(bytes)
      #expect(ours != .refused)
      #expect(ours == Self.libpng(bytes), "\(number)")
    }
  }

  // MARK: Damage

  @Test("wrong files are refused, as by libpng")
  func refusals() throws {
    var forge = PNGForge(seed: 4)
    (forge.kind, forge.colors) = (3, 256)
    let pixels = forge.pixels()
    let (parts, rows) = (forge.parts(pixels), forge.rows(pixels))
    typealias Parts = [(name: String, content: [UInt8])]
    func with(_ change: (inout Parts) -> Void) -> [UInt8] {
      var changed = parts
      change(&changed)
      return PNGForge.file(changed)
    }
    func data(_ bytes: [UInt8]) -> [UInt8] { with { $0[2].content = bytes } }
    var wrongFilter = rows
    wrongFilter[0] = 5
    var wrongSum = parts[2].content
    wrongSum[wrongSum.count - 1] ^= 1
    var files = [
      with { $0.remove(at: 0) }, with { $0.insert($0[0], at: 1) }, with { $0.remove(at: 1) },
      with { $0.insert($0[1], at: 1) }, with { $0.swapAt(1, 2) }, with { $0.remove(at: 2) },
      with { $0[1].content.removeLast() }, with { $0[1].content = [] },
      with { $0.insert(("ABCD", []), at: 1) }, with { $0.insert(("gAMA", [0, 0, 0, 1]), at: 0) },
      with { $0.insert(("IEND", []), at: 1) }, with { $0[0].content.append(0) },
      data(PNGForge.zlib(wrongFilter)), data(PNGForge.zlib(Array(rows.dropLast()))), data([]),
      data(wrongSum), data(Array(wrongSum.dropLast(4))), data(rows),
      data(Deflate(level: 6).gzip(rows)), [], Array("\u{89}PNG".utf8), PNG.signature,
    ]
    for place in 0..<8 { files.append(with { $0[0].content[place] = 0xFF }) }
    for (place, value) in [(3, 0), (7, 0), (8, 3), (8, 16), (9, 1), (10, 1), (11, 1), (12, 2)] {
      files.append(with { $0[0].content[place] = UInt8(value) })
    }
    for (number, file) in files.enumerated() {
      #expect(Self.libpng(file) == .refused, "libpng: \(number)")
      #expect(try Self.ours(file) == .refused, "\(number)")
    }
  }

  @Test(
    "files with changed bytes get the verdict of libpng, and its pixels",
    arguments: [1, 2, 3, 4] as [UInt64])
  func mutants(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (pictures, corners) = (0, 0)
    for number in 0..<1000 {
      var forge = PNGForge.random(seed: seed * 10_000 + UInt64(number))
      let pixels = forge.pixels()
      var parts = forge.parts(pixels)
      var bytes = PNGForge.file(parts)
      func flip(_ bytes: inout [UInt8]) {
        guard let place = bytes.indices.randomElement(using: &random) else { return }
        bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      var isRepaired = false
      let chosen = Int.random(in: parts.indices, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      case 1: flip(&bytes)
      case 2:
        parts.remove(at: chosen)
        bytes = PNGForge.file(parts)
      case 3:
        parts.insert(parts[chosen], at: Int.random(in: parts.indices, using: &random))
        bytes = PNGForge.file(parts)
      default:
        // With the right checksum.
        isRepaired = parts[chosen].name == "IDAT"
        flip(&parts[chosen].content)
        bytes = PNGForge.file(parts)
      }
      // An interlaced picture with 16 bits, as above.
      if bytes.count > 28, bytes[24] == 16, bytes[28] == 1 { continue }
      let (ours, libpng) = (try Self.ours(bytes), Self.libpng(bytes))
      if ours != .refused { pictures += 1 }
      if isRepaired, ours != libpng, ours == .refused || libpng == .refused {
        // The last row comes earlier than before: see below.
        corners += 1
      } else {
        #expect(ours == libpng, "\(number)")
      }
    }
    #expect(pictures > 100 && corners < 5)
  }

  /// Corners in which our verdict is not that of libpng. Besides, `cHRM` is not read, although versions of libpng before
  /// 1.6.47 do not look at `gAMA` and `sRGB` after an impossible one.
  @Test("libpng differs in what follows the last row")
  func corners() throws {
    var forge = PNGForge(seed: 5)
    let pixels = forge.pixels()
    let (parts, rows) = (forge.parts(pixels), forge.rows(pixels))
    let picture = try Self.ours(PNGForge.file(parts))
    // libpng unpacks what is left, without a bound. If it ends too early, it refuses the file.
    let long = PNGForge.zlib(rows + forge.noise(1 << 17))
    for length in [long.count, long.count - 100] {
      var changed = parts
      changed[1].content = Array(long.prefix(length))
      let file = PNGForge.file(changed)
      #expect(try Self.ours(file) == picture)
      #expect(Self.libpng(file) == (length == long.count ? picture : .refused))
    }
    // A wrong checksum of the stream is an error for libpng unless it is in a chunk of its own.
    var sum = Array(parts[1].content.suffix(4))
    sum[0] ^= 1
    var changed = parts
    changed[1].content.removeLast(4)
    changed.insert(("IDAT", sum), at: 2)
    #expect(Self.libpng(PNGForge.file(changed)) == picture)
    #expect(try Self.ours(PNGForge.file(changed)) == .refused)
  }

  // MARK: Limits

  @Test("a giant picture is refused before memory is taken, and no later than its pixels")
  func giants() throws {
    var forge = PNGForge(seed: 6)
    var limits = Limits()
    limits.imagePixels = forge.width * forge.height - 1
    let bytes = forge.file()
    expectThrows(.limit) { try PNGDecoder.decode(bytes, limits: limits) }
    var parts = forge.parts(forge.pixels())
    (forge.width, forge.height) = (1_000_000, 1_000_000)
    parts[0].content = forge.header
    expectThrows(.limit) { try PNGDecoder.decode(PNGForge.file(parts), limits: Limits()) }
    (limits.pixels, limits.imagePixels) = (.max, .max)
    forge.width += 1
    parts[0].content = forge.header
    expectThrows(.image) { try PNGDecoder.decode(PNGForge.file(parts), limits: limits) }
  }

  @Test("a task that is cancelled gets no picture")
  func cancellation() async throws {
    var forge = PNGForge(seed: 7)
    let bytes = forge.file()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try PNGDecoder.decode(bytes, limits: Limits())
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  // MARK: Files

  /// The PNG files below a folder.
  private static func files(_ folder: String) throws -> [String] {
    try Files.list(folder).sorted().flatMap { name in
      let path = Files.joined(folder, name)
      if try Files.status(path)?.kind == .directory { return try files(path) }
      return name.hasSuffix(".png") ? [path] : []
    }
  }

  @Test("pictures of the project have the pixels that libpng gives")
  func fixtures() throws {
    let files = try Self.files(Repository.path("Fixtures"))
    #expect(files.count > 40)
    try compare(files)
  }

  @Test(
    "pictures of other people have the pixels that libpng gives", .enabled(if: Corpus.isPresent))
  func corpus() throws {
    guard let corpus = Repository.corpus else { return }
    let files = try Self.files(corpus)
    #expect(files.count > 60)
    try compare(files)
  }

  private func compare(_ files: [String]) throws {
    for file in files {
      let bytes = try Files.read(file)
      guard let size = PNG.size(of: bytes), size.width * size.height <= 1 << 18,
        !PNG.isAppleVariant(bytes)
      else { continue }
      #expect(try Self.ours(bytes) == Self.libpng(bytes), "\(file)")
    }
  }

  @Test(
    "an old profile of sRGB counts as sRGB, and another profile not", .enabled(if: Corpus.isPresent)
  )
  func profiles() throws {
    guard let corpus = Repository.corpus else { return }
    var profiles: Set<[UInt8]> = []
    for file in try Self.files(corpus) {
      let bytes = try Files.read(file)
      if let start = bytes.firstRange(of: Array("iCCP".utf8))?.lowerBound {
        let length = bytes[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
        profiles.insert(Array(bytes[(start + 4)...].prefix(length)))
      }
    }
    // Only pictures with 16 bits show the difference.
    var forge = PNGForge(seed: 8)
    forge.depth = 16
    let pixels = forge.pixels()
    func picture(_ chunks: [(name: String, content: [UInt8])]) throws -> Verdict {
      forge.chunks = chunks
      return try Self.ours(PNGForge.file(forge.parts(pixels)))
    }
    let (sRGB, plain) = (try picture([("sRGB", [0])]), try picture([]))
    let found = try profiles.map { try picture([("iCCP", $0)]) }
    #expect(found.contains(sRGB) && found.contains(plain))
    #expect(found.allSatisfy { $0 == sRGB || $0 == plain })
  }
}
