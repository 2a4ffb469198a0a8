internal import ParticlesCore
internal import ParticlesImages

/// Encodes a web page with one effect: each frame is a WebP picture.
final class PreviewEncoder: FrameEncoder {
  private let plan: FramePlan
  private let sink: ([UInt8]) throws -> Void
  private var waiting: [Bitmap] = []
  private var frames: PreviewFrames

  init(_ plan: FramePlan, _ sink: @escaping ([UInt8]) throws -> Void) {
    self.plan = plan
    self.sink = sink
    frames = PreviewFrames(
      width: plan.width, height: plan.height, plays: plan.options.plays,
      mimeType: AnimationFormat.webp.mimeType,
      durations: (0..<plan.timing.count).map { plan.timing.duration(of: $0) * 1000 })
  }

  func append(_ frame: Bitmap) throws {
    waiting.append(frame)
    if waiting.count >= plan.groupSize { try encode() }
  }

  private func encode() throws {
    let (bitmaps, quality) = (waiting, plan.options.quality ?? .lossy(90))
    waiting.removeAll(keepingCapacity: true)
    try Parallel.ordered(bitmaps.count, state: {}) { index, _ in
      try WebPFile.still(bitmaps[index], quality.ofWebP).base64
    } emit: {
      frames.pictures.append($0)
    }
  }

  func finish() throws {
    try encode()
    var card = plan.options.card
    card.media = .frames(frames)
    try PreviewPage(title: card.name, card: card).write(to: sink)
  }
}
