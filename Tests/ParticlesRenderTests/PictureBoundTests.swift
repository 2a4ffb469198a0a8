import ParticlesCore
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesRender

/// What can be seen in a picture, and what a writer of pictures refuses.
@Suite("Bounds of pictures")
struct PictureBoundTests {
  private func picture(_ level: UInt8, at places: [(x: Int, y: Int)]) -> Bitmap {
    var pixels = [UInt8](repeating: 0, count: 16 * 12 * 4)
    for (x, y) in places {
      for channel in 0..<4 { pixels[(y * 16 + x) * 4 + channel] = level }
    }
    return Bitmap(width: 16, height: 12, pixels: pixels)
  }

  @Test("a picture is cut if something is at a border, and only then")
  func borders() {
    for x in 0..<16 {
      for y in 0..<12 {
        let look = PictureLook(picture(255, at: [(x, y), (8, 6)]), background: nil)
        #expect(look.isCut == (x == 0 || x == 15 || y == 0 || y == 11), "\(x), \(y)")
        #expect(look.visible == (x == 8 && y == 6 ? 1 : 2))
        #expect((look.left, look.right) == (min(x, 8), max(x, 8)))
        #expect((look.top, look.bottom) == (min(y, 6), max(y, 6)))
      }
    }
    let empty = PictureLook(picture(0, at: []), background: nil)
    #expect(!empty.isCut && empty.isPoor && empty.visible == 0)
  }

  @Test("a pixel can be seen if it differs by more than 24 of 255")
  func contrast() {
    for (level, isSeen) in [(24, false), (25, true), (255, true)] {
      for background in [nil, ParticleSystem.Color.black] {
        let look = PictureLook(picture(UInt8(level), at: [(3, 3)]), background: background)
        #expect((look.visible == 1) == isSeen, "\(level)")
      }
    }
    #expect(PictureLook(picture(0, at: []), background: .white).visible == 16 * 12)
  }

  @Test("few pixels are next to nothing: 40 of 128 × 128")
  func poor() {
    #expect(PictureLook.enough(width: 128, height: 128) == 40)
    #expect(PictureLook.enough(width: 256, height: 256) == 80)
    #expect(PictureLook.enough(width: 1, height: 1) == 1)
  }

  @Test(
    "the number of plays and the quality have bounds",
    arguments: [
      (0, 0, true), (65_535, 100, true), (-1, 50, false), (65_536, 50, false), (1, -1, false),
      (1, 101, false),
    ])
  func writerOptions(plays: Int, quality: Int, isRight: Bool) {
    var options = AnimationWriter.Options()
    (options.plays, options.quality) = (plays, .lossy(Double(quality)))
    let timing = FrameTiming(count: 2, rate: 10)
    func write() throws {
      _ = try AnimationWriter(
        .webp, width: 4, height: 4, timing: timing, options: options, sink: { _ in })
    }
    if isRight {
      #expect(throws: Never.self) { try write() }
    } else {
      let fault = #expect(throws: Diagnostic.self) { try write() }
      #expect(fault?.rule == .imageOutput)
    }
  }

  @Test("a pixel of a GIF that differs little stays as before, unless it is transparent")
  func settling() throws {
    /// More colours than a palette has, with others at some places.
    func frame(_ changes: [Int: [UInt8]]) -> OpaquePixels {
      var pixels = [UInt8]()
      for place in 0..<1024 {
        pixels += changes[place] ?? [UInt8(place % 32 * 8), UInt8(place / 32 * 8), 128, 255]
      }
      return OpaquePixels(Bitmap(width: 32, height: 32, pixels: pixels), .dithered)
    }
    let (dark, none): ([UInt8], [UInt8]) = ([1, 1, 1, 255], [0, 0, 0, 0])
    let before = frame([10: dark, 11: none, 12: dark, 13: [90, 90, 90, 255]])
    let changes: [Int: [UInt8]] = [
      10: none, 11: dark, 12: [2, 1, 1, 255], 13: [91, 90, 92, 255], 14: [0, 255, 0, 255],
    ]
    let after = frame(changes)
    for exact in [UInt32(0x1234_5678), after.pixels[13]] {
      var frames = [before, after]
      try OpaquePixels.settle(&frames, from: 1, 9, exact: exact)
      #expect(frames[0].pixels == before.pixels)
      #expect(frames[1].pixels[10] == 0 && frames[1].pixels[11] == after.pixels[11])
      #expect(frames[1].pixels[12] == before.pixels[12])
      #expect(
        frames[1].pixels[13] == (exact == after.pixels[13] ? after : before).pixels[13])
      #expect(frames[1].pixels[14] == after.pixels[14])
      #expect(frames[1].pixels[15...] == before.pixels[15...])
    }
  }

  @Test("a texture is the part of its image that exists, or none")
  func textures() throws {
    let image = picture(255, at: [])
    let all = try #require(SpriteTexture(image))
    #expect((all.width, all.height) == (16, 12))
    let turned = try #require(SpriteTexture(image, region: (1, 2, 3, 4), isRotated: true))
    #expect((turned.width, turned.height) == (4, 3))
    let cut = try #require(SpriteTexture(image, region: (10, 9, 100, 100)))
    #expect((cut.width, cut.height) == (6, 3))
    for (x, y, width, height) in [
      (0, 0, 0, 4), (0, 0, 4, 0), (0, 0, -1, 4), (0, 0, 4, -1), (16, 0, 4, 4), (0, 12, 4, 4),
    ] {
      #expect(SpriteTexture(image, region: (x, y, width, height)) == nil)
    }
  }

  @Test("numbers have their significant digits, and are 0 if they are not finite")
  func digits() {
    let numbers: [(Double, Int, Double)] = [
      (123.456, 4, 123.5), (0.001234567, 3, 0.00123), (-98765, 2, -99000), (0, 3, 0),
      (.infinity, 3, 0), (.nan, 3, 0), (1, 1, 1), (9.99, 2, 10), (1e-20, 3, 1e-20),
    ]
    for (number, digits, expected) in numbers {
      let found = number.significant(digits)
      #expect(abs(found - expected) <= abs(expected) * 1e-12, "\(number): \(found)")
    }
  }

  @Test("angles are compared as PixiJS states them, by its version")
  func views() {
    var plain = Emitter(name: "a")
    plain.rotation.align = .velocity
    var turning = plain
    turning.rotation.velocity = 5
    var upright = plain
    upright.rotation.align = .none
    var ring = plain
    ring.launch.direction.mode = .normal
    typealias Turn = EngineUnits.Turn
    for (profile, turns) in [
      (ParticleSystem.Profile.pixi3, [Turn.nearest, .stated, .stated, .nearest]),
      (.pixi5, [.stated, .stated, .stated, .fromZero]),
      (.phaser, [.stated, .stated, .stated, .stated]),
    ] {
      let units = EngineUnits(profile, .plane)
      let found = [plain, turning, upright, ring].map { units.view(of: $0, profile).turn }
      #expect(found == turns, "\(profile.rawValue)")
    }
  }
}
