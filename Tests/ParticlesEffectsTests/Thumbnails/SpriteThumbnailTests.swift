import ParticlesCore
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import Testing

import ParticlesDocuments
@testable import ParticlesEffects

@Suite("Pictures of effects without particles")
struct SpriteThumbnailTests {
  private func draw(
    _ package: EffectPackage, limits: Limits = .standard, size: Int
  ) throws -> Bitmap {
    try SpriteThumbnail(package.system(), of: package, limits: limits).bitmap(size: size)
  }

  /// An effect whose emitters show squares of one colour each.
  private func package(_ emitters: [Emitter], _ images: [Bitmap]) throws -> EffectPackage {
    var system = ParticleSystem(name: "a", emitters: emitters)
    var files: [String: [UInt8]] = [:]
    for (index, image) in images.enumerated() {
      files["Images/\(index).png"] = try PNG.encode(image)
      system.images.append(ImageReference(uri: "Images/\(index).png"))
      system.sprites.append(Sprite(image: index))
      system.emitters[index].sprites = [index]
    }
    system.preview.background = Color(0, 0, 0)
    return try EffectPackage(system, images: files)
  }

  private func square(_ red: Double, _ green: Double, _ blue: Double) -> Bitmap {
    Bitmap(width: 4, height: 4) { _, _ in (red, green, blue, 1) }
  }

  private func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
    let index = (y * bitmap.width + x) * 4
    return Array(bitmap.pixels[index..<index + 4])
  }

  @Test("images are tinted, and small particles lie on large ones")
  func layers() throws {
    var (large, small) = (Emitter(name: "large"), Emitter(name: "small"))
    large.size.width = Track(40)
    large.color.base = ColorTrack(.constant(Color(1, 0.5, 0)))
    small.size.width = Track(20)
    let package = try package([small, large], [square(0, 0, 1), square(1, 1, 1)])
    let picture = try draw(package, size: 32)
    #expect(pixel(picture, 1, 1) == [255, 128, 0, 255])
    #expect(pixel(picture, 16, 16) == [0, 0, 255, 255])
  }

  @Test("images share a limit of pixels, and those that exceed it are soft dots")
  func sharedPixels() throws {
    let package = try package(
      [Emitter(name: "a"), Emitter(name: "b"), Emitter(name: "c")],
      [square(0, 0, 1), square(1, 1, 1), square(1, 0, 0)])
    var limits = Limits()
    limits.pixels = 2 * 16
    let textures = try EffectTextures(package, of: package.system(), limits: limits)
    #expect(textures.problems.count == 1)
    #expect(textures.problems.first?.detail?.contains("pixels of an image") == true)
    #expect((0..<3).map { textures.bitmaps[$0]?.width } == [4, 4, EffectTextures.dot.width])
    var images = DecodedImages(package, limits: limits)
    for _ in 0..<3 { _ = try images.bitmap(at: "Images/0.png") }
    _ = try images.bitmap(at: "Images/1.png")
    #expect(throws: Diagnostic.self) { try images.bitmap(at: "Images/2.png") }
  }

  @Test("images are upright")
  func upright() throws {
    let image = Bitmap(width: 4, height: 4) { _, y in y > 0 ? (1, 0, 0, 1) : (0, 0, 1, 1) }
    #expect(pixel(image, 0, 0) == [255, 0, 0, 255], "the first row is the top")
    var emitter = Emitter(name: "a")
    emitter.size.width = Track(40)
    let picture = try draw(package([emitter], [image]), size: 16)
    #expect(pixel(picture, 8, 1) == [255, 0, 0, 255])
    #expect(pixel(picture, 8, 14) == [0, 0, 255, 255])
  }

  @Test("additive blending adds light")
  func additive() throws {
    let a = Emitter(name: "a")
    var b = Emitter(name: "b")
    b.render.blend = Blend(.add)
    let picture = try draw(package([a, b], [square(1, 0, 0), square(0, 1, 0)]), size: 8)
    #expect(pixel(picture, 4, 4) == [255, 255, 0, 255])
  }

  @Test("without an image there is a dot, and without emitters the background")
  func nothing() throws {
    let dot = try EffectPackage(ParticleSystem(name: "a", emitters: [Emitter(name: "a")]))
    #expect(try pixel(draw(dot, size: 33), 16, 16)[0] > 240)
    let none = try EffectPackage(ParticleSystem(name: "a", emitters: []))
    #expect(Set(try draw(none, size: 4).pixels).count == 3)
  }

  @Test("an image that is larger than a file may be is not read")
  func limits() throws {
    var emitter = Emitter(name: "a")
    emitter.size.width = Track(40)
    let noise = Bitmap(width: 64, height: 64) { x, y in (abs(x * y), abs(x), abs(y), 1) }
    let package = try package([emitter], [noise])
    var limits = Limits.standard
    limits.fileBytes = try package.document().count
    try #require(PNG.encode(noise).count > limits.fileBytes)
    let dot = try draw(package, limits: limits, size: 8)
    // A dot does not cover the corners.
    #expect(pixel(dot, 0, 0) == [0, 0, 0, 255])
    #expect(try pixel(draw(package, size: 8), 0, 0) != [0, 0, 0, 255])
  }
}
