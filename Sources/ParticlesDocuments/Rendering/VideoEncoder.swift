internal import ParticlesCore
internal import ParticlesImages
public import ParticlesRender
internal import ParticlesSystem

extension AnimationFormat {
  /// WebM video (VP9), with transparency, written by the program `ffmpeg`.
  public static let webm = video(
    name: "WebM", mimeType: "video/webm", fileExtensions: ["webm"], hasAlpha: true)
  /// MP4 video (H.264), opaque, written by the program `ffmpeg`.
  public static let mp4 = video(
    name: "MP4", mimeType: "video/mp4", fileExtensions: ["mp4", "m4v"], hasAlpha: false)

  /// The formats that the program `ffmpeg` writes.
  public static let videos: [AnimationFormat] = [.webm, .mp4]

  /// Returns the format of files with an extension, in any case, or nil if there is none.
  public static func recognised(byExtension fileExtension: String) -> AnimationFormat? {
    let name = fileExtension.lowercased()
    return (all + videos).first { $0.fileExtensions.contains(name) }
  }

  private static func video(
    name: String, mimeType: String, fileExtensions: [String], hasAlpha: Bool
  ) -> AnimationFormat {
    AnimationFormat(
      name: name, mimeType: mimeType, fileExtensions: fileExtensions, largestSide: 16_384,
      isAnimated: true, hasAlpha: hasAlpha
    ) { plan, sink in
      let encoder = try VideoEncoder(plan, hasAlpha ? .webm : .mp4, sink)
      return FrameEncoder(append: encoder.append, finish: encoder.finish)
    }
  }
}

/// Encodes videos by the program `ffmpeg`: WebM (VP9, with transparency) and MP4 (H.264).
///
/// Frames are written to a pipe as they are, and the file is read back from one without a name, so that
/// nothing remains if this process ends.
final class VideoEncoder {
  /// The name of the program.
  static let program = "ffmpeg"

  private let plan: FramePlan
  private let format: AnimationFormat
  private let sink: ([UInt8]) throws(Failure) -> Void
  private let process: PipedProgram
  /// The number of times that each frame is written: videos have no durations of frames.
  private let repetitions: [Int]
  private var count = 0
  private var isReading = true

  /// - Parameter program: the name of the program in `PATH`.
  init(
    _ plan: FramePlan, _ format: AnimationFormat, program: String = VideoEncoder.program,
    _ sink: @escaping ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    self.plan = plan
    self.format = format
    self.sink = sink
    let interval = (0..<plan.timing.count).map { plan.timing.duration(of: $0) }.min() ?? 1
    let starts = plan.timing.starts.map { Int(saturating: ($0 / interval).rounded()) }
    repetitions = zip(starts, starts.dropFirst()).map { max(1, $1 - $0) }
    let quality: Double
    switch plan.options.quality {
    case .lossy(let number): quality = number
    case .lossless: quality = 100
    case nil: quality = 75
    }
    do {
      process = try PipedProgram(
        program, Self.arguments(plan, format, interval: interval, quality: quality))
    } catch Rule.fileNotFound {
      throw Diagnostic(
        .imageOutput, "\(format.name) files are written by the program '\(program)'",
        expected: "'\(program)' in PATH", found: "no such program",
        hint: "install its package: apt install ffmpeg (Debian, Ubuntu), brew install ffmpeg")
    }
  }

  private static func arguments(
    _ plan: FramePlan, _ format: AnimationFormat, interval: Double, quality: Double
  ) -> [String] {
    let hasAlpha = format.hasAlpha && !plan.options.isOpaque
    let (width, height) = size(of: plan, format)
    // The pixels are sRGB. A video states the matrix that turns them into light and colours.
    let pixels = hasAlpha ? "yuva420p" : "yuv420p"
    let filter =
      "scale=out_color_matrix=bt709:out_range=limited"
      + ":flags=accurate_rnd+full_chroma_int+full_chroma_inp,format=\(pixels)"
    let codec: [String]
    if format == .webm {
      codec = [
        "-c:v", "libvpx-vp9", "-crf", "\(Int(saturating: (60 - quality * 0.5).rounded()))", "-b:v",
        "0",
        "-deadline", "good", "-cpu-used", "5", "-row-mt", "1", "-auto-alt-ref", "0",
      ]
    } else {
      codec = [
        "-c:v", "libx264", "-preset", "medium", "-crf",
        "\(Int(saturating: (45 - quality * 0.35).rounded()))", "-movflags", "+faststart",
      ]
    }
    let rate = FrameTiming(durations: [interval]).fraction(of: 0)
    return [
      "-hide_banner", "-nostdin", "-v", "error", "-f", "rawvideo", "-pixel_format", "rgba",
      "-video_size", "\(width)x\(height)", "-framerate", "\(rate.denominator)/\(rate.numerator)",
      "-i", "pipe:0", "-an", "-vf", filter,
    ] + codec + [
      "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1",
      "-color_range", "tv", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1",
      "-f", format.fileExtensions[0], "-y", "file:\(PipedProgram.outputPath)",
    ]
  }

  /// The size of frames in the file. Players show H.264 with even sizes only.
  private static func size(of plan: FramePlan, _ format: AnimationFormat) -> (Int, Int) {
    format == .mp4
      ? ((plan.width + 1) & ~1, (plan.height + 1) & ~1) : (plan.width, plan.height)
  }

  func append(_ frame: Bitmap) throws(Failure) {
    defer { count += 1 }
    let pixels = fitted(frame)
    for _ in 0..<repetitions[count] where isReading {
      isReading = try pixels.withUnsafeBytes { try process.write($0) }
    }
    // It ended too early: its message is the reason.
    if !isReading { try end() }
  }

  /// The pixels with the last row and column once more, where the size is odd.
  private func fitted(_ frame: Bitmap) -> [UInt8] {
    let (width, height) = Self.size(of: plan, format)
    guard (width, height) != (plan.width, plan.height) else { return frame.pixels }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for y in 0..<height {
      let row = min(y, plan.height - 1) * plan.width * 4
      pixels += frame.pixels[row..<row + plan.width * 4]
      if width > plan.width { pixels += pixels[(pixels.count - 4)...] }
    }
    return pixels
  }

  func finish() throws(Failure) {
    try end()
    guard try process.readOutput(sink) > 0 else {
      throw Diagnostic(.imageOutput, "\(Self.program) wrote an empty file")
    }
  }

  /// Waits for the program, and checks how it ended.
  private func end() throws(Failure) {
    let (status, message) = try process.finish()
    guard status == 0, isReading else {
      throw Diagnostic(
        .imageOutput, "\(Self.program) failed with status \(status)",
        found: message.isEmpty ? nil : message.escapingControls,
        hint: "an \(Self.program) with the encoder "
          + "\(format == .webm ? "libvpx-vp9" : "libx264") is needed; or write .webp or .gif")
    }
  }
}
