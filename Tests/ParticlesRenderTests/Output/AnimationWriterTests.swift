import ParticlesCore
import ParticlesImages
import ParticlesTestSupport
import Testing

@testable import ParticlesRender

/// Returns the file with these frames.
func animation(
  _ format: AnimationFormat, _ frames: [Bitmap], rate: Double = 25,
  options: AnimationWriter.Options = .init()
) throws -> [UInt8] {
  var file: [UInt8] = []
  let writer = try AnimationWriter(
    format, width: frames[0].width, height: frames[0].height,
    timing: FrameTiming(count: frames.count, rate: rate), options: options
  ) { file += $0 }
  for frame in frames { try writer.append(frame) }
  try writer.finish()
  return file
}

@Suite("Writing animations")
struct AnimationWriterTests {
  static let animated: [AnimationFormat] = [.apng, .gif, .webp, .html]

  @Test("the same frames give the same bytes", arguments: AnimationFormat.all)
  func deterministic(format: AnimationFormat) throws {
    let frames = SampleFrames.spots(
      width: 40, height: 30, count: format.isAnimated ? 11 : 1, isOpaque: false)
    let file = try animation(format, frames)
    #expect(!file.isEmpty)
    #expect(try animation(format, frames) == file)
  }

  @Test("a GIF file has the same bytes with any number of threads", arguments: [1, 5, 9, 40])
  func threads(count: Int) throws {
    let frames = SampleFrames.spots(width: 48, height: 40, count: count, isOpaque: false)
    func file(threads: Int) throws -> [UInt8] {
      var file: [UInt8] = []
      let plan = FramePlan(
        width: 48, height: 40, timing: FrameTiming(count: count, rate: 25), options: .init(),
        threads: threads)
      let encoder = try GIFEncoder(plan) { file += $0 }
      for frame in frames { try encoder.append(frame) }
      try encoder.finish()
      return file
    }
    let alone = try file(threads: 1)
    for threads in [2, 3, 16] { #expect(try file(threads: threads) == alone, "\(threads)") }
  }

  @Test(
    "bytes are written before the end, and frames are not collected",
    arguments: [AnimationFormat.gif, .apng])
  func streaming(format: AnimationFormat) throws {
    let frames = SampleFrames.squares(width: 16, height: 12, count: 100, isOpaque: true)
    var sizes: [Int] = []
    var size = 0
    let writer = try AnimationWriter(
      format, width: 16, height: 12, timing: FrameTiming(count: 100, rate: 10)
    ) { size += $0.count }
    for frame in frames {
      try writer.append(frame)
      sizes.append(size)
    }
    #expect(writer.count == 100)
    // A group is at most 32 frames.
    #expect(sizes[0] < sizes[40] && sizes[40] < sizes[80])
    try writer.finish()
    #expect(sizes[99] < size)
  }

  @Test(
    "sizes that a format cannot store are errors with a next step", arguments: AnimationFormat.all)
  func sizes(format: AnimationFormat) {
    func open(_ width: Int, _ height: Int, _ limits: Limits = .standard) throws {
      var options = AnimationWriter.Options()
      options.limits = limits
      _ = try AnimationWriter(
        format, width: width, height: height, timing: .still, options: options
      ) { _ in }
    }
    for (width, height) in [(0, 5), (5, 0), (-1, 5), (Int.max, 1)] {
      let error = expectThrows(.imageOutput) { try open(width, height) }
      #expect(error?.expected != nil && error?.found != nil && error?.hint != nil)
    }
    expectThrows(format == .webp || format == .html ? .imageOutput : .limit) {
      try open(30_000, 30_000)
    }
    switch format {
    case .gif: expectThrows(.imageOutput) { try open(65_536, 2) }
    case .webp, .html: expectThrows(.imageOutput) { try open(16_384, 2) }
    default: break
    }
    var limits = Limits()
    limits.pixels = 99
    expectThrows(.limit) { try open(10, 10, limits) }
    #expect(throws: Never.self) { try open(9, 11, limits) }
  }

  @Test(
    "frames that are missing, too many or of another size are errors",
    arguments: AnimationFormat.all)
  func frames(format: AnimationFormat) throws {
    let writer = try AnimationWriter(format, width: 4, height: 3, timing: .still) { _ in }
    let missing = expectThrows(.imageOutput) { try writer.finish() }
    #expect(missing?.message.contains("expected 1, found 0") == true)
    let other = expectThrows(.imageOutput) { try writer.append(Bitmap(width: 3, height: 4)) }
    #expect(other?.message.contains("expected 4 × 3, found 3 × 4") == true)
    try writer.append(Bitmap(width: 4, height: 3))
    expectThrows(.imageOutput) { try writer.append(Bitmap(width: 4, height: 3)) }
    try writer.finish()
    try writer.finish()
  }

  @Test("other values out of range")
  func values() {
    func open(_ format: AnimationFormat, _ timing: FrameTiming, _ options: AnimationWriter.Options)
      throws
    {
      _ = try AnimationWriter(format, width: 4, height: 3, timing: timing, options: options) { _ in
      }
    }
    let two = FrameTiming(count: 2, rate: 25)
    expectThrows(.imageOutput) { try open(.png, two, .init()) }
    expectThrows(.limit) { try open(.gif, FrameTiming(count: 65_536, rate: 60), .init()) }
    var options = AnimationWriter.Options()
    for plays in [-1, 65_536] {
      options.plays = plays
      for format in Self.animated { expectThrows(.imageOutput) { try open(format, two, options) } }
    }
    options.plays = 1
    for quality in [-1, 101, .nan] {
      options.quality = .lossy(quality)
      for format in [AnimationFormat.webp, .html] {
        expectThrows(.imageOutput) { try open(format, two, options) }
      }
    }
  }

  @Test("a cancelled task stops")
  func cancellation() async throws {
    let task = Task {
      let writer = try AnimationWriter(
        .gif, width: 8, height: 8, timing: FrameTiming(count: 1000, rate: 25)
      ) { _ in }
      withUnsafeCurrentTask { $0?.cancel() }
      try writer.append(Bitmap(width: 8, height: 8))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("errors of the sink are thrown", arguments: AnimationFormat.all)
  func sink(format: AnimationFormat) {
    expectThrows(.fileUnwritable) {
      let writer = try AnimationWriter(format, width: 8, height: 8, timing: .still) { _ in
        throw Diagnostic(.fileUnwritable)
      }
      try writer.append(Bitmap(width: 8, height: 8))
      try writer.finish()
    }
  }

  @Test("pixels over a matte are rounded to the nearest number")
  func matte() {
    let bitmap = Bitmap(width: 2, height: 1, pixels: [3, 200, 0, 128, 255, 9, 0, 0])
    let opaque = OpaquePixels(bitmap, .matte(red: 0, green: 10, blue: 255))
    // 3 · 128 / 255 = 1.51. 200 and 10 mixed 105.4. 255 · 127 / 255.
    #expect(opaque.pixels == [0xFF7F_6902, 0xFFFF_0A00])
    #expect(!opaque.hasHoles)
  }
}
