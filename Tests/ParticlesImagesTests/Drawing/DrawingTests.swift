import ParticlesImages
import Testing

@Suite("Drawing")
struct DrawingTests {
  @Test("a colour covers what is behind it as far as it is opaque, or is added to it")
  func blending() {
    var pixel = Pixel(0.5, 0.5, 0.5, 0.2)
    pixel.blend(Pixel(1, 0, 0.5, 0.5), isAdditive: false)
    #expect([pixel.red, pixel.green, pixel.blue, pixel.alpha] == [0.75, 0.25, 0.5, 0.5])
    pixel.blend(Pixel(1, 0, 0.5, 0.5), isAdditive: true)
    #expect([pixel.red, pixel.green, pixel.blue, pixel.alpha] == [1, 0.25, 0.75, 0.5])
    let tinted = Pixel(0.5, 1, 0, 1).tinted(by: Pixel(0.5, 0.5, 1, 0.25))
    #expect([tinted.red, tinted.green, tinted.blue, tinted.alpha] == [0.25, 0.5, 0, 0.25])
  }

  @Test("the longer side of a picture spans −1 to 1; nothing is beside it")
  func sampling() throws {
    let picture = Bitmap(width: 4, height: 2) { x, y in (x < 0 ? 1 : 0, y > 0 ? 1 : 0, 0, 1) }
    let corner = try #require(picture.pixel(atX: -0.9, y: 0.4))
    #expect(corner.red == 1 && corner.green == 1)
    let other = try #require(picture.pixel(atX: 0.9, y: -0.4))
    #expect(other.red == 0 && other.green == 0)
    #expect(picture.pixel(atX: 0, y: 0.6) == nil && picture.pixel(atX: -1.1, y: 0) == nil)
  }

  @Test("the upper and left edges belong to a picture, the lower and right ones do not")
  func edges() throws {
    let picture = Bitmap(width: 2, height: 2) { x, y in (x < 0 ? 1 : 0, y > 0 ? 1 : 0, 0, 1) }
    let corner = try #require(picture.pixel(atX: -1, y: 1))
    #expect(corner.red == 1 && corner.green == 1)
    #expect(picture.pixel(atX: 1, y: 0) == nil && picture.pixel(atX: 0, y: -1) == nil)
  }

  @Test("a pixel is the mean of its samples")
  func samples() {
    let picture = Bitmap(width: 1, height: 1, samples: 2) { x, y in
      Pixel(x < 0 ? 1 : 0, x < 0 && y < 0 ? 1 : 0, 0, 1)
    }
    #expect(picture.pixels == [128, 64, 0, 255])
    let clear = Bitmap(width: 2, height: 1, samples: 3) { _, _ in Pixel(0, 0, 0, 0) }
    #expect(clear.pixels == [UInt8](repeating: 0, count: 8))
  }

  @Test("noise has the random numbers at the points of its grid, and repeats")
  func noise() {
    let noise = Noise { row, column in Double((row * 7 + column * 3) % 11) / 11 }
    #expect(noise.value(2, 1) == 2.0 / 11)
    #expect(noise.value(66, 65) == noise.value(2, 1))
    #expect((0...1).contains(noise.fractal(0.3, 5.7, octaves: 4)))
  }
}
