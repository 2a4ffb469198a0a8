import ParticlesCore
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

import ParticlesDocuments
@testable import ParticlesEffects

/// The textures for the images of an effect, and the substitutes for missing images.
@Suite("Textures of an effect")
struct EffectTexturesTests {
  private func textures(
    _ sprites: [Sprite], _ files: [String: [UInt8]] = [:], uri: String = "Images/none.png"
  ) throws -> EffectTextures {
    var emitter = Emitter(name: "a")
    emitter.sprites = Array(sprites.indices)
    var system = ParticleSystem(name: "a", emitters: [emitter])
    system.images = [ImageReference(uri: uri)]
    system.sprites = sprites
    let package = try EffectPackage(system, images: files)
    return EffectTextures(package, of: system, limits: .standard)
  }

  @Test(
    "pictures of every format are drawn",
    arguments: ["color.jpg", "lossy.webp", "plain.gif", "table.bmp", "runs.tga"])
  func formats(name: String) throws {
    let bytes = try Files.read(Repository.path("Fixtures/images/\(name)"))
    let path = "Images/\(name)"
    let textures = try textures([Sprite(image: 0)], [path: bytes], uri: path)
    #expect(textures.problems.isEmpty)
    #expect(try textures.bitmaps[0] == Bitmap(decoding: bytes))
  }

  @Test("a problem has the rule of its cause, and the next step")
  func problems() throws {
    let pointer = Array("version https://git-lfs.github.com/spec/v1\noid sha256:5f\n".utf8)
    for (bytes, rule, hint) in [
      (nil, Rule.absentImage, "--images names a folder with images"),
      (pointer, .imageUnchecked, nil),
      (PNG.signature + [1], .image, "replace it by a valid PNG"),
    ] {
      let files = bytes.map { ["Images/none.png": $0] } ?? [:]
      let textures = try textures([Sprite(image: 0)], files)
      #expect(textures.bitmaps[0] == EffectTextures.dot)
      let problem = try #require(textures.problems.first)
      #expect(problem.rule == rule && problem.hint == hint && problem.severity == .warning)
      #expect(problem.detail?.hasSuffix("a soft dot is drawn instead") == true)
      #expect(problem.location == .entry("Images/none.png"))
    }
  }

  // MARK: Missing pictures with frames

  /// The alpha in the middle of each frame, and at its left edge.
  private func alphas(_ bitmap: Bitmap, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [UInt8]
  {
    [(x + width / 2, y + height / 2), (x, y + height / 2), (x + width / 2, y)].map {
      bitmap.pixels[($0.1 * bitmap.width + $0.0) * 4 + 3]
    }
  }

  @Test("a missing flip-book has a whole dot in each frame")
  func flipBook() throws {
    var sprite = Sprite(image: 0)
    sprite.grid = SpriteGrid(columns: 8, rows: 2)
    let bitmap = try #require(try textures([sprite]).bitmaps[0])
    #expect((bitmap.width, bitmap.height) == (8 * 32, 2 * 32))
    for (column, row) in [(0, 0), (3, 1), (7, 1)] {
      let start = (row * 32 * bitmap.width + column * 32) * 4
      for line in 0..<32 {
        let place = start + line * bitmap.width * 4
        let expected = EffectTextures.dot.pixels[line * 128..<line * 128 + 128]
        #expect(bitmap.pixels[place..<place + 128] == expected)
      }
    }
  }

  @Test("sprites that show regions of a missing picture have a dot in each")
  func regions() throws {
    var left = Sprite(image: 0, region: Rectangle(x: 10, y: 4, width: 20, height: 30))
    left.grid = SpriteGrid(columns: 2, rows: 1)
    let right = Sprite(image: 0, region: Rectangle(x: 100, y: 0, width: 50, height: 16))
    let bitmap = try #require(try textures([left, right]).bitmaps[0])
    #expect((bitmap.width, bitmap.height) == (150, 34))
    for (x, width) in [(10, 10), (20, 10)] {
      let alphas = alphas(bitmap, x, 4, width, 30)
      #expect(alphas[0] > 240 && alphas[1] < 60 && alphas[2] < 40, "\(alphas)")
    }
    #expect(alphas(bitmap, 100, 0, 50, 16)[0] > 240)
    #expect(bitmap.pixels[(20 * 150 + 60) * 4 + 3] == 0)
  }

  @Test("giant grids and regions take bounded memory and time")
  func bounds() throws {
    var giant = Sprite(image: 0)
    giant.grid = SpriteGrid(columns: .max, rows: .max)
    #expect(try textures([giant]).bitmaps[0] == EffectTextures.dot)
    let far = Sprite(image: 0, region: Rectangle(x: 1e300, y: -5, width: 1, height: 1))
    #expect(try textures([far]).bitmaps[0] == EffectTextures.dot)
    let whole = Sprite(image: 0, region: Rectangle(x: 0, y: 0, width: 2000, height: 2000))
    let many = [Sprite](repeating: whole, count: 1000)
    let start = ContinuousClock.now
    let textures = try textures(many)
    #expect(textures.bitmaps[0]?.width == 2000)
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
