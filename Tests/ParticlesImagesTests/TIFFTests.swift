import ParticlesCore
import ParticlesImages
import ParticlesTestSupport
import Testing

@Suite struct TIFFTests {
  static let compressions = [1, 5, 8, 32773]

  @Test("every combination of what is read", arguments: compressions, [false, true])
  func combinations(compression: Int, isPlanar: Bool) throws {
    for isLittle in [false, true] {
      for samples in 1...4 {
        for predictor in compression == 5 || compression == 8 ? [1, 2] : [1] {
          var forge = TIFFForge()
          (forge.compression, forge.isPlanar, forge.isLittle) = (compression, isPlanar, isLittle)
          (forge.samples, forge.predictor) = (samples, predictor)
          forge.photometric = samples < 3 ? 1 : 2
          let bitmap = try TIFF.decode(forge.file)
          #expect((bitmap.width, bitmap.height) == (5, 4))
          #expect(bitmap.pixels == expected(forge), "\(forge)")
        }
      }
    }
  }

  /// Red, green, blue and alpha of what a forge was given.
  private func expected(_ forge: TIFFForge) -> [UInt8] {
    let content = forge.content
    return stride(from: 0, to: content.count, by: forge.samples).flatMap { start -> [UInt8] in
      let pixel = Array(content[start..<start + forge.samples])
      switch forge.samples {
      case 1: return [pixel[0], pixel[0], pixel[0], 255]
      case 2: return [pixel[0], pixel[0], pixel[0], pixel[1]]
      case 3: return pixel + [255]
      default: return pixel
      }
    }
  }

  @Test func longStreamsOfLZW() throws {
    var forge = TIFFForge()
    (forge.width, forge.height, forge.rowsPerStrip, forge.compression) = (90, 90, 90, 5)
    #expect(try TIFF.decode(forge.file).pixels == forge.content)
  }

  @Test func whiteMayBeZero() throws {
    var forge = TIFFForge()
    (forge.samples, forge.photometric) = (1, 0)
    let pixels = try TIFF.decode(forge.file).pixels
    #expect(pixels.first == 255 - forge.content[0])
  }

  @Test func multipliedColorsAreDivided() throws {
    var forge = TIFFForge()
    (forge.width, forge.height, forge.extra) = (1, 1, 1)
    var file = forge.file
    file.replaceSubrange(8..<12, with: [50, 100, 200, 100])
    #expect(try TIFF.decode(file).pixels == [128, 255, 255, 100])
    file.replaceSubrange(8..<12, with: [50, 100, 200, 0])
    #expect(try TIFF.decode(file).pixels == [0, 0, 0, 0])
  }

  @Test(
    "what is not read is refused",
    arguments: [
      [258: [16, 16, 16, 16]], [259: [7]], [262: [3]], [262: []], [277: [9]], [256: [0]],
      [273: [8]], [273: [100_000, 8]], [279: [1, 1]], [278: [0]], [266: [2]], [274: [3]],
      [322: [16]], [257: [40000]],
    ] as [[Int: [Int]]])
  func refused(tags: [Int: [Int]]) throws {
    var forge = TIFFForge()
    forge.tags = tags
    expectThrows(.image) { try TIFF.decode(forge.file) }
  }

  @Test("a tag with more values than the file has bytes is refused, and named")
  func values() throws {
    var file = TIFFForge().file
    let directory = Int(file[4]) << 24 | Int(file[5]) << 16 | Int(file[6]) << 8 | Int(file[7])
    // The number of values of the first tag.
    file.replaceSubrange(directory + 6..<directory + 10, with: [0, 0xFF, 0xFF, 0xFF])
    let fault = expectThrows(.image) { try TIFF.decode(file) }
    #expect(fault?.detail?.contains("has more values than the file has bytes") == true)
  }

  @Test func limits() throws {
    var limits = Limits()
    limits.pixels = 19
    expectThrows(.limit) { try TIFF.decode(TIFFForge().file, limits: limits) }
    limits.pixels = 20
    #expect(try TIFF.decode(TIFFForge().file, limits: limits).width == 5)
  }

  @Test("strips that share their bytes would be unpacked again and again")
  func overlap() throws {
    var forge = TIFFForge()
    (forge.height, forge.rowsPerStrip) = (64, 1)
    let file = forge.file
    forge.tags = [273: [Int](repeating: 8, count: 64), 279: [Int](repeating: 400, count: 64)]
    #expect(file.count < 64 * 400)
    let fault = expectThrows(.image) { try TIFF.decode(forge.file) }
    #expect(fault?.detail?.contains("overlaps") == true)
  }

  @Test(
    "whatever is done to the bytes ends with a picture or a diagnostic", arguments: compressions)
  func mutants(compression: Int) throws {
    var random = SeededGenerator(seed: UInt64(compression))
    var forge = TIFFForge()
    forge.compression = compression
    let file = forge.file
    for _ in 0..<2000 {
      var mutant = file
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        mutant[Int.random(in: mutant.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { mutant.removeLast(Int.random(in: 0..<40, using: &random)) }
      _ = try? TIFF.decode(mutant)
    }
  }

  @Test(
    "libtiff sees the same pixels",
    .enabled(if: LibTIFF.isInstalled, "tiff2rgba is not installed"),
    arguments: compressions)
  func libtiff(compression: Int) throws {
    var forge = TIFFForge()
    (forge.compression, forge.width, forge.height) = (compression, 40, 30)
    for samples in [3, 4] {
      forge.samples = samples
      #expect(
        try LibTIFF.pixels(of: forge.file) == LibTIFF.multiplied(TIFF.decode(forge.file).pixels))
    }
  }
}
