internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// One picture with the frames of an animation whose images are files of their own, for the grid of a sprite.
struct ComposedFrames {
  let picture: [UInt8]
  /// The size of a frame. Smaller images are in its middle.
  let (width, height): (Int, Int)
  let grid: SpriteGrid

  /// The most frames.
  private static let mostFrames = 1_000

  /// Composes frames row by row, in nearly as many rows as columns.
  /// - Parameter frames: the bytes of the images, in their order.
  /// - Returns: nil if one of them is no picture, or there are too many pixels.
  init?(_ frames: [[UInt8]], limits: Limits) throws {
    guard (2...Self.mostFrames).contains(frames.count) else { return nil }
    let columns = Int(saturating: Double(frames.count).squareRoot().rounded(.up))
    let rows = (frames.count + columns - 1) / columns
    let most = min(limits.pixels, limits.imagePixels)
    var (pictures, width, height) = ([Bitmap](), 0, 0)
    for frame in frames {
      guard let bitmap = try? Bitmap(decoding: frame, limits: limits) else {
        try Task.checkCancellation()
        return nil
      }
      (width, height) = (max(width, bitmap.width), max(height, bitmap.height))
      let (line, isWide) = (columns * width).multipliedReportingOverflow(by: rows * height)
      guard !isWide, line <= most else { return nil }
      pictures.append(bitmap)
    }
    var whole = Bitmap(width: columns * width, height: rows * height)
    for (index, bitmap) in pictures.enumerated() {
      whole.place(
        bitmap, x: index % columns * width + (width - bitmap.width) / 2,
        y: index / columns * height + (height - bitmap.height) / 2)
    }
    picture = try PNG.encode(whole)
    (self.width, self.height) = (width, height)
    let isFull = columns * rows == frames.count
    grid = SpriteGrid(columns: columns, rows: rows, count: isFull ? nil : frames.count)
  }
}
