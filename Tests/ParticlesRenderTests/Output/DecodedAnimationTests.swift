import ParticlesCore
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesRender

/// Pillow is an independent decoder of all formats.
@Suite(
  "Animations, decoded by Pillow",
  .enabled(if: Pillow.python != nil, Comment(rawValue: Pillow.absence)))
struct DecodedAnimationTests {
  private func options(_ plays: Int) -> AnimationWriter.Options {
    var options = AnimationWriter.Options()
    options.plays = plays
    return options
  }

  /// Frames of every kind.
  static let animations: [[Bitmap]] = [
    SampleFrames.spots(width: 61, height: 47, count: 14, isOpaque: true),
    SampleFrames.spots(width: 61, height: 47, count: 14, isOpaque: false),
    SampleFrames.squares(width: 40, height: 30, count: 21, isOpaque: true),
    SampleFrames.squares(width: 40, height: 30, count: 21, isOpaque: false),
    SampleFrames.noise(width: 23, height: 19, count: 5, seed: 3),
    SampleFrames.noise(width: 1, height: 1, count: 3, seed: 4),
    [Bitmap](repeating: Bitmap(width: 5, height: 4), count: 4),
    SampleFrames.sparse(width: 23, height: 19, count: 6, seed: 12),
  ]

  @Test("APNG: every pixel, duration and the number of plays", arguments: animations)
  func apng(frames: [Bitmap]) throws {
    for plays in [0, 1, 3] {
      let file = try animation(.apng, frames, rate: 30, options: options(plays))
      let decoded = try Pillow(file, fileExtension: "apng")
      #expect(decoded.format == "PNG")
      #expect(decoded.frames == frames.map(\.pixels))
      #expect(decoded.durations.count == frames.count)
      #expect(decoded.durations.allSatisfy { abs($0 - 1000 / 30) < 1e-9 })
      #expect(decoded.loop == plays)
    }
  }

  @Test("PNG: every pixel", arguments: animations)
  func png(frames: [Bitmap]) throws {
    let file = try animation(.png, [frames[0]])
    #expect(try Pillow(file, fileExtension: "png").frames == [frames[0].pixels])
    #expect(try PNG.decode(file) == frames[0])
  }

  @Test("lossless WebP: every visible pixel, and the times", arguments: animations)
  func losslessWebP(frames: [Bitmap]) throws {
    let file = try animation(.webp, frames, rate: 30, options: options(2))
    let decoded = try Pillow(file, fileExtension: "webp")
    // Equal frames are one.
    let different = frames.indices.filter {
      $0 == 0
        || SampleFrames.visible(frames[$0].pixels) != SampleFrames.visible(frames[$0 - 1].pixels)
    }
    #expect(decoded.frames.count == different.count)
    for (pixels, number) in zip(decoded.frames, different) {
      #expect(SampleFrames.visible(pixels) == SampleFrames.visible(frames[number].pixels))
    }
    if different.count > 1 {
      #expect(decoded.loop == 2)
      let total = (Double(frames.count) * 1000 / 30).rounded()
      #expect(decoded.durations.reduce(0, +) == total)
    }
  }

  @Test("lossy WebP is close and smaller")
  func lossyWebP() throws {
    let frames = Self.animations[0]
    var lossy = options(0)
    lossy.quality = .lossy(90)
    let file = try animation(.webp, frames, options: lossy)
    let decoded = try Pillow(file, fileExtension: "webp")
    #expect(decoded.frames.count == frames.count)
    #expect(SampleFrames.quality(decoded.frames, of: frames) > 40)
    #expect(try file.count < animation(.webp, frames).count / 2)
  }

  @Test(
    "GIF with few colours: every pixel", arguments: [animations[2], animations[3], animations[6]])
  func exactGIF(frames: [Bitmap]) throws {
    let decoded = try Pillow(animation(.gif, frames), fileExtension: "gif")
    #expect(decoded.frames.map(SampleFrames.visible) == frames.map(\.pixels))
    #expect(decoded.durations == [Double](repeating: 40, count: frames.count))
    #expect(decoded.loop == 0)
  }

  @Test("GIF with many colours is close, and keeps what does not change")
  func closeGIF() throws {
    let frames = Self.animations[0]
    let decoded = try Pillow(animation(.gif, frames), fileExtension: "gif")
    #expect(decoded.frames.count == frames.count)
    #expect(SampleFrames.quality(decoded.frames, of: frames) > 42)
    for number in frames.indices.dropFirst() {
      let (now, before) = (decoded.frames[number], decoded.frames[number - 1])
      for index in frames[number].pixels.indices
      where frames[number].pixels[index / 4 * 4..<index / 4 * 4 + 4]
        == frames[number - 1].pixels[index / 4 * 4..<index / 4 * 4 + 4]
      { #expect(now[index] == before[index]) }
      // The background is exact, so that particles leave no traces.
      for index in stride(from: 0, to: now.count, by: 4)
      where frames[number].pixels[index..<index + 3].allSatisfy({ $0 == 0 }) {
        #expect(now[index..<index + 3].allSatisfy { $0 == 0 })
      }
    }
  }

  @Test("GIF with a matte is that of frames drawn over it")
  func matte() throws {
    var matte = options(0)
    matte.transparency = .matte(red: 0, green: 0, blue: 0)
    let clear = SampleFrames.spots(width: 61, height: 47, count: 6, isOpaque: false)
    let decoded = try Pillow(animation(.gif, clear, options: matte), fileExtension: "gif")
    #expect(SampleFrames.quality(decoded.frames, of: clear) > 42)
    #expect(
      decoded.frames.allSatisfy { frame in
        stride(from: 3, to: frame.count, by: 4).allSatisfy { frame[$0] == 255 }
      })
  }

  @Test("GIF with a threshold: each frame has the opaque pixels of its own and no others")
  func threshold() throws {
    var threshold = options(0)
    threshold.transparency = .threshold
    for frames in [1, 4, 5, 7].map({ Self.animations[$0] }) {
      let decoded = try Pillow(
        animation(.gif, frames, options: threshold), fileExtension: "gif")
      #expect(decoded.frames.count == frames.count)
      for (frame, original) in zip(decoded.frames, frames) {
        for index in stride(from: 3, to: frame.count, by: 4) {
          #expect(frame[index] == (original.pixels[index] < 128 ? 0 : 255))
        }
      }
    }
  }

  @Test("GIF with dithered transparency keeps the mean opacity, and each opaque pixel its colour")
  func dithered() throws {
    let frames = Self.animations[1]
    let decoded = try Pillow(animation(.gif, frames), fileExtension: "gif")
    for (frame, original) in zip(decoded.frames, frames) {
      let alphas = stride(from: 3, to: frame.count, by: 4)
      let (sum, exact) = (
        alphas.reduce(0) { $0 + Int(frame[$1]) }, alphas.reduce(0) { $0 + Int(original.pixels[$1]) }
      )
      #expect(abs(Double(sum - exact)) < 0.03 * Double(exact) + 2000)
      for index in alphas {
        if original.pixels[index] == 0 { #expect(frame[index] == 0) }
        if original.pixels[index] == 255 { #expect(frame[index] == 255) }
      }
    }
  }

  @Test("GIF that begins with nothing")
  func emptyBeginning() throws {
    let frames =
      [Bitmap](repeating: Bitmap(width: 23, height: 19), count: 40)
      + SampleFrames.noise(width: 23, height: 19, count: 3, seed: 8)
    let decoded = try Pillow(animation(.gif, frames), fileExtension: "gif")
    #expect(decoded.frames.count == 43)
    #expect(decoded.frames[..<40].allSatisfy { $0.allSatisfy { $0 == 0 } })
    #expect(SampleFrames.quality(Array(decoded.frames[40...]), of: Array(frames[40...])) > 5)
  }

  @Test("delays of GIF add up", arguments: [24, 29.97, 30, 50, 60, 100])
  func delays(rate: Double) throws {
    let frames = SampleFrames.squares(width: 16, height: 12, count: 41, isOpaque: true)
    let decoded = try Pillow(animation(.gif, frames, rate: rate), fileExtension: "gif")
    #expect(decoded.durations.allSatisfy { $0 >= 20 })
    #expect(abs(decoded.durations.reduce(0, +) - 41_000 / rate) <= 10)
  }

  @Test("the number of plays of GIF: NETSCAPE counts repetitions")
  func plays() throws {
    let frames = Self.animations[2]
    for (plays, loop) in [(0, 0), (1, nil), (2, 1), (65_535, 65_534)] as [(Int, Int?)] {
      let decoded = try Pillow(
        animation(.gif, frames, options: options(plays)), fileExtension: "gif")
      #expect(decoded.loop == loop)
      #expect(decoded.frames.count == frames.count)
    }
    let still = try Pillow(animation(.gif, [frames[0]]), fileExtension: "gif")
    #expect(still.loop == nil && still.frames.count == 1)
  }
}

@Suite("Animations, decoded by other programs")
struct ForeignDecoderTests {
  private static let frames = SampleFrames.spots(width: 61, height: 47, count: 14, isOpaque: false)

  /// The pixels that ffmpeg decodes.
  private func decode(_ file: [UInt8], _ name: String) throws -> [UInt8] {
    let ffmpeg = try #require(Run.find("ffmpeg"))
    let scratch = try Scratch()
    try Files.create(scratch.file(name), file)
    return try Run.succeeding(
      ffmpeg,
      [
        "-v", "error", "-i", scratch.file(name), "-vsync", "passthrough", "-f", "rawvideo",
        "-pix_fmt", "rgba", "-",
      ]
    ).output
  }

  @Test("ffmpeg: APNG", .enabled(if: Run.find("ffmpeg") != nil, "no ffmpeg here"))
  func apng() throws {
    for frames in DecodedAnimationTests.animations where frames[0].width > 1 {
      #expect(try decode(animation(.apng, frames), "in.apng") == frames.flatMap(\.pixels))
    }
  }

  @Test("ffmpeg: GIF", .enabled(if: Run.find("ffmpeg") != nil, "no ffmpeg here"))
  func gif() throws {
    for frames in [DecodedAnimationTests.animations[2], DecodedAnimationTests.animations[3]] {
      let pixels = try decode(animation(.gif, frames), "in.gif")
      #expect(SampleFrames.visible(pixels) == frames.flatMap(\.pixels))
    }
  }

  @Test(
    "webpmux: number, times and plays", .enabled(if: Run.find("webpmux") != nil, "no webpmux here"))
  func webp() throws {
    var options = AnimationWriter.Options()
    options.plays = 7
    let scratch = try Scratch()
    try Files.create(
      scratch.file("in.webp"), animation(.webp, Self.frames, rate: 30, options: options))
    let webpmux = try #require(Run.find("webpmux"))
    let text = try Run.succeeding(webpmux, ["-info", scratch.file("in.webp")]).text
    #expect(text.contains("Canvas size: 61 x 47"))
    #expect(text.contains("Loop Count : 7"))
    #expect(text.contains("Number of frames: 14"))
  }
}
