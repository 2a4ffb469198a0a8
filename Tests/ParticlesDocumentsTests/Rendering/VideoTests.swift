import ParticlesCore
import ParticlesImages
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments
@testable import ParticlesRender

@Suite("Videos")
struct VideoTests {
  private static let hasProgram = Run.find("ffmpeg") != nil
  private static let absence: Comment = "no ffmpeg here"

  private static func plan(_ width: Int, _ height: Int, _ timing: FrameTiming) -> FramePlan {
    FramePlan(width: width, height: height, timing: timing, options: .init())
  }

  /// Frames with a soft spot that moves, over black or over nothing.
  private static func spots(
    width: Int, height: Int, count: Int, isOpaque: Bool
  ) -> [Bitmap] {
    (0..<count).map { frame in
      Bitmap(width: width, height: height) { x, y in
        let (dx, dy) = (x + 0.5 - Double(frame) / Double(count), y)
        let light = max(0, 1 - 2 * (dx * dx + dy * dy))
        return isOpaque ? (light, light / 2, 0, 1) : (1, 0.5, 0, light)
      }
    }
  }

  /// The frames of a file in this format.
  private static func file(
    _ format: AnimationFormat, _ frames: [Bitmap], _ timing: FrameTiming,
    quality: AnimationWriter.Quality? = nil
  ) throws -> [UInt8] {
    var file: [UInt8] = []
    var options = AnimationWriter.Options()
    options.quality = quality
    let writer = try AnimationWriter(
      format, width: frames[0].width, height: frames[0].height, timing: timing, options: options
    ) { file += $0 }
    for frame in frames { try writer.append(frame) }
    try writer.finish()
    return file
  }

  /// The frames that ffmpeg decodes.
  private static func decode(_ file: [UInt8], _ name: String, size: Int) throws -> [[UInt8]] {
    let scratch = try Scratch()
    try Files.create(scratch.file(name), file)
    let decoder = name.hasSuffix("webm") ? ["-c:v", "libvpx-vp9"] : []
    let pixels = try Run.succeeding(
      #require(Run.find("ffmpeg")),
      ["-v", "error"] + decoder + [
        "-i", scratch.file(name), "-vsync", "passthrough", "-vf", "scale=in_color_matrix=bt709",
        "-f", "rawvideo", "-pix_fmt", "rgba", "-",
      ]
    ).output
    return stride(from: 0, to: pixels.count, by: size).map { Array(pixels[$0..<$0 + size]) }
  }

  @Test("formats are recognised by extension")
  func extensions() {
    #expect(AnimationFormat.recognised(byExtension: "GIF") == .gif)
    #expect(AnimationFormat.recognised(byExtension: "htm") == .html)
    #expect(AnimationFormat.recognised(byExtension: "jpeg") == nil)
    #expect(AnimationFormat.recognised(byExtension: "") == nil)
    #expect(AnimationFormat.recognised(byExtension: "m4v") == .mp4)
    let extensions = (AnimationFormat.all + AnimationFormat.videos).flatMap(\.fileExtensions)
    #expect(Set(extensions).count == extensions.count)
  }

  @Test("WebM has all frames, their transparency and their time", .enabled(if: hasProgram, absence))
  func webm() throws {
    let frames = Self.spots(width: 64, height: 48, count: 9, isOpaque: false)
    let timing = FrameTiming(count: 9, rate: 25, pause: 0.2)
    let file = try Self.file(.webm, frames, timing, quality: .lossy(95))
    let decoded = try Self.decode(file, "in.webm", size: 64 * 48 * 4)
    // The pause is five frames more.
    #expect(decoded.count == 14)
    for (frame, original) in zip(decoded, frames) {
      let error = stride(from: 3, to: frame.count, by: 4).reduce(0) {
        $0 + abs(Int(frame[$1]) - Int(original.pixels[$1]))
      }
      #expect(Double(error) / Double(frame.count / 4) < 3)
    }
  }

  @Test("MP4 is opaque, and has even sides", .enabled(if: hasProgram, absence))
  func mp4() throws {
    let frames = Self.spots(width: 33, height: 21, count: 5, isOpaque: true)
    let file = try Self.file(.mp4, frames, FrameTiming(count: 5, rate: 25))
    let decoded = try Self.decode(file, "in.mp4", size: 34 * 22 * 4)
    #expect(decoded.count == 5)
    var sum = 0
    for (frame, original) in zip(decoded, frames) {
      for y in 0..<21 {
        for x in 0..<33 {
          for part in 0..<3 {
            sum += abs(
              Int(frame[(y * 34 + x) * 4 + part]) - Int(original.pixels[(y * 33 + x) * 4 + part]))
          }
        }
      }
    }
    #expect(Double(sum) / Double(5 * 21 * 33 * 3) < 6)
  }

  @Test("without the program, its package is named")
  func absentProgram() {
    let fault = expectThrows(.imageOutput) {
      _ = try VideoEncoder(Self.plan(4, 4, .still), .webm, program: "no-such-ffmpeg") { _ in }
    }
    #expect(
      fault?.message.contains("WebM files are written by the program 'no-such-ffmpeg'") == true)
    #expect(fault?.hint?.contains("apt install ffmpeg") == true)
  }

  @Test(
    "a program that fails is reported with its status and its message", arguments: ["false", "ls"])
  func failure(program: String) throws {
    let fault = expectThrows(.imageOutput) {
      let encoder = try VideoEncoder(
        Self.plan(256, 256, FrameTiming(count: 40, rate: 25)), .mp4, program: program
      ) { _ in }
      for _ in 0..<40 { try encoder.append(Bitmap(width: 256, height: 256)) }
      try encoder.finish()
    }
    #expect(fault?.message.contains("ffmpeg failed with status") == true)
    if program == "ls" { #expect(fault?.found?.isEmpty == false) }
  }

  @Test("a program that writes nothing is a failure")
  func empty() throws {
    expectThrows(.imageOutput) {
      let encoder = try VideoEncoder(Self.plan(4, 4, .still), .mp4, program: "true") { _ in }
      try? encoder.append(Bitmap(width: 4, height: 4))
      try encoder.finish()
    }
  }
}
