import ParticlesCore
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Pictures of every format that is read. `Fixtures/images/expected` has the pixels that Pillow reads from each.
@Suite("Decoding of pictures")
struct DecodingTests {
  static let folder = Repository.path("Fixtures/images")

  static let names = ((try? FolderReader(folder, followingLinks: false).names { _ in }) ?? [])
    .filter { !$0.hasPrefix(".") && $0.contains(".") }.sorted()

  static func bytes(_ name: String) throws -> [UInt8] {
    try Files.read(Files.joined(folder, name))
  }

  /// The greatest difference of components that two decoders of a lossy format may have.
  static func tolerance(_ name: String) -> Int {
    name.hasSuffix(".jpg") || name == "lossy.webp" ? 2 : 0
  }

  static func difference(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.count == b.count ? zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0 : .max
  }

  @Test("a picture of each format has the pixels that Pillow reads", arguments: names)
  func pixels(name: String) throws {
    let bytes = try Self.bytes(name)
    let picture = try Bitmap(decoding: bytes)
    let expected = try PNG.decode(Self.bytes("expected/\(name).png"))
    #expect((picture.width, picture.height) == (expected.width, expected.height))
    let difference = Self.difference(picture.pixels, expected.pixels)
    #expect(difference <= Self.tolerance(name), "\(name): \(difference)")
    guard Pillow.python != nil else {
      print("skipped: \(Pillow.absence)")
      return
    }
    let other = try Pillow(bytes, fileExtension: Files.pathExtension(of: name))
    #expect(
      Self.difference(picture.pixels, other.frames.first ?? []) <= Self.tolerance(name), "\(name)")
  }

  @Test("the fixtures have every format and kind")
  func kinds() throws {
    let formats = Set(try Self.names.compactMap { ImageFormat(of: try Self.bytes($0))?.name })
    #expect(formats == ["JPEG", "WebP", "GIF", "BMP", "TGA"])
    #expect(Self.names.count > 30)
    // The flags of the frame: rows in four passes.
    let gif = try Self.bytes("interlaced.gif")
    let frame = try #require(gif.firstRange(of: [0x2C, 0, 0, 0, 0, 40, 0, 24, 0])?.upperBound)
    #expect(gif[frame] & 0x40 != 0)
  }

  // MARK: Damage

  @Test("damage at any byte is an error or another picture, in bounded memory", arguments: names)
  func damage(name: String) throws {
    let bytes = try Self.bytes(name)
    var limits = Limits()
    limits.imagePixels = 1 << 16
    var random = SplitMix(seed: UInt64(name.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xFFFF))
    func check(_ bytes: [UInt8]) {
      do {
        let picture = try Bitmap(decoding: bytes, limits: limits)
        #expect(picture.width * picture.height <= 1 << 16)
        #expect(picture.pixels.count == picture.width * picture.height * 4)
      } catch {
        #expect(error is Diagnostic, "\(error)")
      }
    }
    for length in bytes.indices { check(Array(bytes[..<length])) }
    for index in bytes.indices {
      for change: UInt8 in [0x55, 0xFF, 0x80, 1] {
        var damaged = bytes
        damaged[index] ^= change
        check(damaged)
      }
    }
    for _ in 0..<1_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: damaged.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: damaged.insert(UInt8.random(in: 0...255, using: &random), at: index)
        case 1 where damaged.count > 1: damaged.remove(at: index)
        default: damaged[index] = UInt8.random(in: 0...255, using: &random)
        }
      }
      check(damaged)
    }
  }

  @Test("a picture that is cut off is an error", arguments: names)
  func cut(name: String) throws {
    let bytes = try Self.bytes(name)
    // Nothing after the pixels is needed: ends of files, and the footer of TGA.
    let half = Array(bytes.prefix(bytes.count / 2))
    #expect(throws: Diagnostic.self) { try Bitmap(decoding: half) }
  }

  @Test("a header that states a giant picture is refused before memory is taken")
  func giants() throws {
    func spoiled(_ name: String, _ places: [Int], _ bytes: [UInt8]) throws -> [UInt8] {
      var file = try Self.bytes(name)
      for place in places { file.replaceSubrange(place..<place + bytes.count, with: bytes) }
      return file
    }
    let jpeg: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0xFF, 0xDC, 0xFF, 0xDC, 1, 1, 0x11, 0]
      + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    let files = [
      jpeg, try spoiled("plain.gif", [6, 8], [0xFF, 0xFF]),
      try spoiled("colors.bmp", [18, 22], [0, 0, 1, 0]),
      try spoiled("runs-8.bmp", [18, 22], [0, 0, 1, 0]),
      try spoiled("colors.tga", [12, 14], [0xFF, 0xFF]),
      try spoiled("animated.webp", [24, 27], [0xFF, 0x3F, 0]),
    ]
    for (number, file) in files.enumerated() {
      expectThrows(.limit, "\(number)") { try Bitmap(decoding: file) }
    }
    var limits = Limits()
    limits.imagePixels = 13 * 9 - 1
    for name in Self.names {
      expectThrows(.limit) { try Bitmap(decoding: Self.bytes(name), limits: limits) }
    }
    // Sides whose product is more than a number can be.
    let bmp = try spoiled("colors.bmp", [18, 22], [0xFF, 0xFF, 0xFF, 0x7F])
    expectThrows(.image) { try Bitmap(decoding: bmp, limits: Self.unlimited) }
  }

  private static var unlimited: Limits {
    var limits = Limits()
    (limits.pixels, limits.imagePixels) = (.max, .max)
    return limits
  }

  @Test("a JPEG with very many scans is refused, because each takes the time of a picture")
  func scans() throws {
    let bytes = try Self.bytes("progressive.jpg")
    let last = try #require(
      bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    func repeated(_ count: Int) -> [UInt8] {
      bytes[..<last]
        + [[UInt8]](repeating: Array(bytes[last...].dropLast(2)), count: count).joined() + [
          0xFF, 0xD9,
        ]
    }
    #expect(try Bitmap(decoding: repeated(50)).width == 40)
    let fault = expectThrows(.image) { try Bitmap(decoding: repeated(101)) }
    #expect(fault?.detail == "more than 100 scans")
  }

  @Test("a task that is cancelled gets no picture")
  func cancellation() async throws {
    for name in ["color.jpg", "plain.gif", "lossless.webp"] {
      let bytes = try Self.bytes(name)
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try Bitmap(decoding: bytes)
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
  }

  // MARK: Other files

  @Test(
    "a file that is no picture is named, with the next step",
    arguments: [
      (
        "version https://git-lfs.github.com/spec/v1\noid sha256:5f\nsize 12345\n",
        "a Git LFS pointer; `git lfs pull` fetches the file"
      ),
      (
        "<?xml version=\"1.0\"?>\n<!-- a dot -->\n<svg width=\"8\"/>",
        "an SVG picture; export it as PNG"
      ),
      (
        "\u{FEFF} <svg xmlns=\"http://www.w3.org/2000/svg\"/>", "an SVG picture; export it as PNG"
      ),
      ("8BPS\0\u{1}", "a Photoshop picture; export it as PNG"),
      ("hello", "a file that begins with the bytes 68656c6c"), ("", "an empty file"),
    ])
  func others(text: String, found: String) throws {
    let fault = expectThrows(.imageUnchecked) { try Bitmap(decoding: Array(text.utf8)) }
    #expect(fault?.found == found && fault?.severity == .warning)
    // The step is stated once.
    #expect((fault?.hint == nil) == found.contains("; "))
  }

  @Test("OpenEXR is recognised, and not read")
  func openEXR() throws {
    let bytes: [UInt8] = [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0]
    #expect(ImageFormat(of: bytes) == .openEXR)
    #expect(
      expectThrows(.imageUnchecked) { try Bitmap(decoding: bytes) }?.found
        == "an OpenEXR picture; export it as PNG")
  }

  @Test("texts, lists and icons are not taken for TGA")
  func noTGA() throws {
    let icon: [UInt8] = [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 104, 4, 0, 0, 22, 0, 0, 0]
    var cursor = icon
    cursor[2] = 2
    for bytes in [
      icon, cursor, Array("bplist00 and more of it".utf8), [UInt8](repeating: 0, count: 40),
    ] {
      #expect(ImageFormat(of: bytes) == nil)
    }
  }
}

/// A generator whose numbers do not differ between runs.
private struct SplitMix: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var value = seed
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
