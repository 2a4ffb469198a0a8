import ParticlesCore
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("PNG")
struct PNGTests {
  private func picture() -> Bitmap {
    Bitmap(width: 17, height: 5) { x, y in (x, y, x * y, (x + 1) / 2) }
  }

  @Test("a picture survives writing and reading")
  func roundTrip() throws {
    let picture = picture()
    let bytes = try PNG.encode(picture)
    #expect(ImageFormat(of: bytes) == .png)
    #expect(try PNG.decode(bytes) == picture)
    #expect(try PNG.encode(picture) == bytes)
  }

  @Test("a picture that is written fast has the same pixels, also for libpng")
  func fast() throws {
    for picture in [picture(), Bitmap(width: 1, height: 1) { _, _ in (9, 8, 7, 6) }] {
      let bytes = PNG.encodeFast(picture)
      #expect(PNGChunks.areSound(in: bytes))
      #expect(try PNG.decode(bytes) == picture)
      #expect(PNG.texts(of: PNG.adding([("Title", "x")], to: bytes)) == ["Title": "x"])
    }
  }

  @Test("reading ends with the next row when its task is cancelled")
  func cancellation() async throws {
    let bytes = try PNG.encode(Bitmap(width: 40, height: 40) { x, y in (x, y, 0, 255) })
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try PNG.decode(bytes)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try PNG.decode(bytes).width == 40)
  }

  @Test("texts are read as Pillow reads them, and pixels stay the same")
  func texts() throws {
    let plain = try PNG.encode(picture())
    let texts = [("Particles:Source", "0123"), ("Title", ""), ("Particles:Source", "second")]
    let bytes = PNG.adding(texts, to: plain)
    #expect(try PNG.decode(bytes) == picture())
    #expect(PNG.texts(of: bytes) == ["Particles:Source": "0123", "Title": ""])
    #expect(PNG.texts(of: plain).isEmpty && PNG.texts(of: Array("text".utf8)).isEmpty)
    let size = try #require(PNG.size(of: bytes))
    #expect(size == (17, 5) && PNG.size(of: Array(bytes.prefix(20))) == nil)
    guard let python = Pillow.python else {
      print("skipped: \(Pillow.absence)")
      return
    }
    let scratch = try Scratch()
    try Files.create(scratch.file("a.png"), PNG.adding([("Source", "x y"), ("B", "1")], to: plain))
    let script = "import sys; from PIL import Image; print(Image.open(sys.argv[1]).text)"
    let run = try Run.succeeding(python, ["-c", script, scratch.file("a.png")])
    #expect(run.text == "{'Source': 'x y', 'B': '1'}\n")
  }

  @Test("the first bytes of a file have its texts if the image data is among them")
  func startingTexts() throws {
    let bytes = PNG.adding([("A", "1"), ("B", "2")], to: try PNG.encode(picture()))
    let data = try #require(bytes.firstRange(of: Array("IDAT".utf8))).upperBound
    for length in 0...bytes.count {
      let found = PNG.texts(ofStart: Array(bytes[..<length]))
      #expect(found == (length < data ? nil : ["A": "1", "B": "2"]), "\(length)")
    }
  }

  @Test("damaged and very long texts are not read")
  func damagedTexts() throws {
    let plain = try PNG.encode(picture())
    let bytes = PNG.adding([("A", "1"), ("B", "2")], to: plain)
    let place = try #require(bytes.firstRange(of: Array("A\01".utf8))).lowerBound
    for offset in place - 8..<place + 7 {
      var damaged = bytes
      damaged[offset] ^= 1
      #expect(PNG.texts(of: damaged)["A"] == nil)
    }
    for length in 0..<place + 7 { #expect(PNG.texts(of: Array(bytes[..<length])).isEmpty) }
    let long = PNG.adding([("A", String(repeating: "a", count: 5000)), ("B", "2")], to: plain)
    #expect(PNG.texts(of: long) == ["B": "2"])
  }

  @Test("noise, which does not compress, fits too")
  func noise() throws {
    let noise = SampleTree.noise(64 * 64 * 4, seed: 9)
    var index = -1
    let picture = Bitmap(width: 64, height: 64) { _, _ in
      index += 1
      let pixel = noise[(index * 4)..<(index * 4 + 4)].map { Double($0) / 255 }
      return (pixel[0], pixel[1], pixel[2], pixel[3])
    }
    #expect(try PNG.decode(try PNG.encode(picture)) == picture)
  }

  @Test("pixels are where they should be: x to the right, y upwards")
  func orientation() {
    let picture = Bitmap(width: 2, height: 2) { x, y in (x > 0 ? 1 : 0, y > 0 ? 1 : 0, 0, 1) }
    #expect(
      picture.pixels == [0, 255, 0, 255, 255, 255, 0, 255, 0, 0, 0, 255, 255, 0, 0, 255])
  }

  @Test("a picture cut at any byte is an error, and one with changed bytes never more than that")
  func damage() throws {
    let bytes = try PNG.encode(picture())
    for length in 0..<bytes.count - 12 {
      expectThrows(.image) { try PNG.decode(Array(bytes[..<length])) }
    }
    for offset in bytes.indices {
      var damaged = bytes
      damaged[offset] ^= 0x55
      do { _ = try PNG.decode(damaged) } catch { #expect(error is Diagnostic) }
    }
  }

  @Test("a header that promises a giant picture is refused before memory is taken")
  func bomb() throws {
    var bytes = try PNG.encode(picture())
    bytes.replaceSubrange(16..<24, with: [0, 0, 0x7F, 0xFF, 0, 0, 0x7F, 0xFF])
    var crc = ByteWriter()
    crc.u32(CRC32.checksum(bytes[12..<29]))
    bytes.replaceSubrange(29..<33, with: crc.bytes.reversed())
    expectThrows(.limit) { try PNG.decode(bytes) }
    var limits = Limits()
    limits.pixels = 80
    expectThrows(.limit) { try PNG.decode(try PNG.encode(picture()), limits: limits) }
  }

  @Test("a chunk costs no more than is there, and text costs nothing")
  func chunks() throws {
    let picture = Bitmap(width: 2, height: 1) { x, _ in (x, 0.5, 0, 1) }
    let bytes = try PNG.encode(picture)
    func inserting(_ chunk: [UInt8]) throws -> Bitmap {
      try PNG.decode(Array(bytes[..<33]) + chunk + bytes[33...])
    }
    // 1.5 GB of text that is not there. libpng would clear memory for it.
    let huge = expectThrows(.image) {
      try inserting([0x5B, 0, 0, 0x19] + Array("tEXtSoftware".utf8))
    }
    #expect(huge?.location.position == .offset(41))
    // Text that unpacks to a megabyte and is not even zlib's: nobody looks at it.
    func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
      let body = Array(kind.utf8) + content
      func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
      }
      return bigEndian(UInt32(content.count)) + body + bigEndian(CRC32.checksum(body))
    }
    #expect(try inserting(chunk("zTXt", [0x61, 0, 0, 1, 2, 3])) == picture)
    #expect(try inserting(chunk("gAMA", [0, 0, 0xB1, 0x8F])) == picture)
    // An unknown critical chunk changes the meaning of all chunks, however long it is.
    for count in [4, 70_000] {
      expectThrows(.image) {
        try inserting(chunk("ABCD", [UInt8](repeating: 0, count: count)))
      }
    }
  }

  @Test("what is no PNG is recognised for what it is")
  func formats() {
    #expect(ImageFormat(of: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(ImageFormat(of: Array("MM\0*".utf8)) == .tiff)
    #expect(ImageFormat(of: Array("text".utf8)) == nil)
    #expect(ImageFormat(of: []) == nil)
  }
}

@Suite("Apple's variant of PNG")
struct ApplePNGTests {
  /// A picture of 2 × 1 pixels, blue, green, red, alpha, multiplied by alpha.
  private func crushed(
    _ row: [UInt8] = [0, 0x40, 0x20, 0x10, 0x80, 0, 0, 255, 255], behind: [UInt8] = []
  ) throws -> [UInt8] {
    func bigEndian(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
      let body = Array(kind.utf8) + content
      return bigEndian(UInt32(content.count)) + body + bigEndian(CRC32.checksum(body))
    }
    let zlib = try #require(row.withUnsafeBytes { Deflate(level: 6).zlib($0, limit: 100) })
    return PNG.signature + chunk("CgBI", [0x50, 0, 0x20, 2])
      + chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 1, 8, 6, 0, 0, 0])
      + chunk("IDAT", zlib.dropFirst(2).dropLast(4) + behind) + chunk("IEND", [])
  }

  @Test("colours are put in order and divided by alpha")
  func decode() throws {
    let bytes = try crushed()
    #expect(PNG.isAppleVariant(bytes))
    #expect(try PNG.decode(bytes).pixels == [0x20, 0x40, 0x80, 0x80, 255, 0, 0, 255])
  }

  @Test("colours of pixels without alpha are kept")
  func transparent() throws {
    let bytes = try crushed([0, 0x40, 0x20, 0x10, 0, 0, 0, 255, 255])
    #expect(try PNG.decode(bytes).pixels == [0x10, 0x20, 0x40, 0, 255, 0, 0, 255])
  }

  @Test("damage is an error")
  func damage() throws {
    let bytes = try crushed()
    for length in 16..<bytes.count - 4 {
      expectThrows(.image) { try PNG.decode(Array(bytes[..<length])) }
    }
    for offset in 16..<bytes.count {
      var damaged = bytes
      damaged[offset] ^= 0x41
      do { _ = try PNG.decode(damaged) } catch { #expect(error is Diagnostic) }
    }
    expectThrows(.image) { try PNG.decode(try crushed([0, 1, 2])) }
    expectThrows(.image) { try PNG.decode(try crushed(behind: [0])) }
  }

  @Test("a giant header is refused before memory is taken")
  func bomb() throws {
    var bytes = try crushed()
    // A million, the most of the format.
    bytes.replaceSubrange(32..<40, with: [0, 0x0F, 0x42, 0x40, 0, 0x0F, 0x42, 0x40])
    expectThrows(.limit) { try PNG.decode(bytes) }
    for byte in [0, 0xFF] as [UInt8] {
      bytes.replaceSubrange(32..<40, with: [UInt8](repeating: byte, count: 8))
      expectThrows(.image) { try PNG.decode(bytes) }
    }
  }
}
