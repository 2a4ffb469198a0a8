import ParticlesImages
import ParticlesModel
import Testing

@testable import ParticlesRender

@Suite("What can be seen in a picture")
struct PictureLookTests {
  private static let backgrounds: [ParticleSystem.Color?] = [
    nil, ParticleSystem.Color(0, 0, 0), ParticleSystem.Color(0.3, 0.5, 1),
    ParticleSystem.Color(0.93, 0.93, 0.95),
  ]

  @Test("the pixels that differ from the background are counted, and framed")
  func count() {
    var random = SystemRandomNumberGenerator()
    for (width, height, share) in [(1, 1, 1), (7, 3, 2), (33, 9, 30), (40, 20, 2_000)] {
      for background in Self.backgrounds {
        let bytes = [background?.red ?? 0, background?.green ?? 0, background?.blue ?? 0].map {
          Int(($0 * 255).rounded())
        }
        var pixels: [UInt8] = []
        var seen: [(x: Int, y: Int)] = []
        for place in 0..<width * height {
          // Most are like the background, and some at the bound of what can be seen.
          let isOther = Int.random(in: 0..<share, using: &random) == 0
          let far = isOther ? Int.random(in: 20...29, using: &random) : 3
          let channel = Int.random(in: 0..<(background == nil ? 1 : 3), using: &random)
          var pixel = bytes + [background == nil ? 0 : 255]
          let number = background == nil ? 3 : channel
          pixel[number] += pixel[number] > 128 ? -far : far
          pixels += pixel.map { UInt8($0) }
          if far > 24 { seen.append((place % width, place / width)) }
        }
        let look = PictureLook(
          Bitmap(width: width, height: height, pixels: pixels), background: background)
        #expect(look.visible == seen.count)
        #expect(look.left == seen.map(\.x).min() ?? .max && look.right == seen.map(\.x).max() ?? -1)
        #expect(look.top == seen.map(\.y).min() ?? .max && look.bottom == seen.map(\.y).max() ?? -1)
      }
    }
  }
}
