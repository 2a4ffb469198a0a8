import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import Testing

@Suite("Thumbnails")
struct EffectThumbnailTests {
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
    let thumbnail = try EffectThumbnail(
      package([small, large], [square(0, 0, 1), square(1, 1, 1)]))
    let picture = thumbnail.bitmap(size: 32)
    #expect(pixel(picture, 1, 1) == [255, 128, 0, 255])
    #expect(pixel(picture, 16, 16) == [0, 0, 255, 255])
  }

  @Test("images are upright")
  func upright() throws {
    let image = Bitmap(width: 4, height: 4) { _, y in y > 0 ? (1, 0, 0, 1) : (0, 0, 1, 1) }
    #expect(pixel(image, 0, 0) == [255, 0, 0, 255], "the first row is the top")
    var emitter = Emitter(name: "a")
    emitter.size.width = Track(40)
    let picture = try EffectThumbnail(package([emitter], [image])).bitmap(size: 16)
    #expect(pixel(picture, 8, 1) == [255, 0, 0, 255])
    #expect(pixel(picture, 8, 14) == [0, 0, 255, 255])
  }

  @Test("additive blending adds light")
  func additive() throws {
    let a = Emitter(name: "a")
    var b = Emitter(name: "b")
    b.render.blend = Blend(.add)
    let thumbnail = try EffectThumbnail(package([a, b], [square(1, 0, 0), square(0, 1, 0)]))
    #expect(pixel(thumbnail.bitmap(size: 8), 4, 4) == [255, 255, 0, 255])
  }

  @Test("every template has a picture of the size asked for")
  func templates() throws {
    for template in EffectTemplate.all {
      let picture = try EffectThumbnail(template.package()).bitmap(size: 64)
      #expect(picture.width == 64 && picture.height == 64)
      #expect(Set(picture.pixels).count > 8, "\(template.name) shows something")
    }
  }

  @Test("without an image there is a dot, and without emitters the background")
  func nothing() throws {
    let dot = try EffectThumbnail(
      EffectPackage(ParticleSystem(name: "a", emitters: [Emitter(name: "a")])))
    #expect(pixel(dot.bitmap(size: 33), 16, 16)[0] > 240)
    let none = try EffectThumbnail(EffectPackage(ParticleSystem(name: "a", emitters: [])))
    #expect(Set(none.bitmap(size: 4).pixels).count == 3)
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
    let dot = try EffectThumbnail(package, limits: limits).bitmap(size: 8)
    // A dot does not cover the corners.
    #expect(pixel(dot, 0, 0) == [0, 0, 0, 255])
    #expect(try pixel(EffectThumbnail(package).bitmap(size: 8), 0, 0) != [0, 0, 0, 255])
  }
}
