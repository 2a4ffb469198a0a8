import ParticlesTestSupport
import Testing

@testable import ParticlesImages

@Suite("Composing pictures")
struct ComposingTests {
  private func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
    Array(bitmap.pixels[(y * bitmap.width + x) * 4..<(y * bitmap.width + x) * 4 + 4])
  }

  @Test("characters of the font are different, and the rest is a box")
  func font() {
    var seen: [[UInt8]: Character] = [:]
    for code in UInt8(0x20)..<0x7F {
      let character = Character(Unicode.Scalar(code))
      let rows = PixelFont.rows(of: character)
      #expect(rows.count == PixelFont.height && rows.allSatisfy { $0 < 32 })
      #expect(seen[rows] == nil, "\(character)")
      seen[rows] = character
    }
    #expect(PixelFont.rows(of: "é") == PixelFont.rows(of: "e"))
    #expect(PixelFont.rows(of: "火") == PixelFont.rows(of: "\u{FFFD}"))
    // A capital L is a vertical and a horizontal line.
    #expect(PixelFont.rows(of: "L") == [16, 16, 16, 16, 16, 16, 31, 0, 0])
  }

  @Test("text is drawn in place, and cut at the edges")
  func text() {
    var bitmap = Bitmap(width: 14, height: 16)
    bitmap.draw("LL", x: 1, y: 1, scale: 2, color: (9, 8, 7))
    #expect(pixel(bitmap, 1, 1) == [9, 8, 7, 255] && pixel(bitmap, 2, 2) == [9, 8, 7, 255])
    #expect(pixel(bitmap, 3, 2) == [0, 0, 0, 0] && pixel(bitmap, 13, 1) == [9, 8, 7, 255])
    bitmap.draw("W", x: -3, y: -3, color: (1, 1, 1))
    bitmap.draw("W", x: 12, y: 12, color: (1, 1, 1))
  }

  @Test("drawing over a picture is the over operator of straight colours")
  func over() {
    var random = SeededGenerator(seed: 2)
    func noise() -> Bitmap {
      Bitmap(
        width: 16, height: 16,
        pixels: (0..<1024).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    let (back, front) = (noise(), noise())
    var result = back
    result.draw(front, x: 0, y: 0)
    for index in stride(from: 0, to: 1024, by: 4) {
      let (a, b) = (Double(front.pixels[index + 3]) / 255, Double(back.pixels[index + 3]) / 255)
      let alpha = a + b * (1 - a)
      #expect(abs(Double(result.pixels[index + 3]) - alpha * 255) <= 0.51)
      for component in index..<index + 3 where alpha > 0 {
        let exact =
          (Double(front.pixels[component]) * a + Double(back.pixels[component]) * b * (1 - a))
          / alpha
        #expect(abs(Double(result.pixels[component]) - exact) <= 0.51)
      }
    }
  }

  @Test("smaller pictures keep mean colour and opacity")
  func fitting() {
    let picture = Bitmap(width: 100, height: 50) { x, _ in x < 0 ? (1, 0, 0, 1) : (0, 0, 1, 0) }
    let small = picture.fitting(width: 10, height: 10)
    #expect(small.width == 10 && small.height == 5)
    #expect(pixel(small, 4, 2) == [255, 0, 0, 255] && pixel(small, 5, 2)[3] == 0)
    // Transparent pixels have no part in the colour.
    #expect(pixel(picture.fitting(width: 1, height: 1), 0, 0) == [255, 0, 0, 128])
    #expect(picture.fitting(width: 100, height: 50) == picture)
    #expect(picture.fitting(width: 7, height: 1000).width == 7)
  }

  @Test("the bounds of pixels are those of a search of all")
  func bounds() {
    var random = SeededGenerator(seed: 6)
    for count in [0, 1, 2, 3, 7, 40] {
      for _ in 0..<20 {
        let selected = Set((0..<count).map { _ in Int.random(in: 0..<13 * 9, using: &random) })
        let bounds = PixelRectangle(boundsIn: 13, 9) { selected.contains($0) }
        let (x, y) = (selected.map { $0 % 13 }, selected.map { $0 / 13 })
        guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max()
        else {
          #expect(bounds.isEmpty)
          continue
        }
        #expect(bounds == PixelRectangle(x: left..<right + 1, y: top..<bottom + 1))
      }
    }
  }
}
