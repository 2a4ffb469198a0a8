internal import ParticlesCore
internal import ParticlesImages

/// Encodes PNG and APNG files.
///
/// A frame stores the rectangle that changed. Its pixels replace the old pixels. If all changed pixels are opaque, the
/// frame may instead be drawn over the old frame, with transparent pixels where nothing changed.
final class APNGEncoder {
  private let plan: FramePlan
  private let sink: ([UInt8]) throws(Failure) -> Void
  private let isAnimated: Bool
  private var waiting: [Bitmap] = []
  private var previous: Bitmap?
  private var written = 0
  /// Numbers the chunks of an animation.
  private var sequence = 0

  init(
    _ plan: FramePlan, isAnimated: Bool,
    _ sink: @escaping ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    self.plan = plan
    self.sink = sink
    self.isAnimated = isAnimated
    var head = PNGFile.head(width: plan.width, height: plan.height)
    if isAnimated {
      head += PNGFile.animation(frames: plan.timing.count, plays: plan.options.plays)
    }
    try sink(head)
  }

  func append(_ frame: Bitmap) throws(Failure) {
    waiting.append(frame)
    if waiting.count >= plan.groupSize { try encode() }
  }

  func finish() throws(Failure) {
    try encode()
    try sink(PNGFile.end)
  }

  /// A compressed frame.
  private struct Piece: Sendable {
    var rectangle: PixelRectangle
    var blend: PNGFile.Blend
    var stream: [UInt8]
  }

  private func encode() throws(Failure) {
    let (frames, before, whole) = (waiting, previous, plan.whole)
    waiting.removeAll(keepingCapacity: true)
    try Parallel.ordered(
      frames.count, state: { PNGRows() },
      work: { index, rows in
        Self.piece(frames[index], after: index > 0 ? frames[index - 1] : before, whole, rows)
      }, emit: write)
    previous = frames.last ?? previous
  }

  private static func piece(
    _ frame: Bitmap, after before: Bitmap?, _ whole: PixelRectangle, _ rows: PNGRows
  ) -> Piece {
    guard let before else {
      return Piece(
        rectangle: whole, blend: .source,
        stream: rows.compress(frame.pixels, width: frame.width, whole))
    }
    var rectangle = changes(of: frame, after: before)
    if rectangle.isEmpty { rectangle = PixelRectangle(x: 0..<1, y: 0..<1) }
    let piece = Piece(
      rectangle: rectangle, blend: .source,
      stream: rows.compress(frame.pixels, width: frame.width, rectangle))
    guard let drawn = drawnOver(frame, before, rectangle) else { return piece }
    let stream = rows.compress(drawn, width: frame.width, rectangle)
    return stream.count < piece.stream.count
      ? Piece(rectangle: rectangle, blend: .over, stream: stream) : piece
  }

  private static func changes(of frame: Bitmap, after before: Bitmap) -> PixelRectangle {
    frame.pixels.withUnsafeBytes { bytes in
      before.pixels.withUnsafeBytes { other in
        let (pixels, old) = (bytes.bindMemory(to: UInt32.self), other.bindMemory(to: UInt32.self))
        return PixelRectangle(boundsIn: frame.width, frame.height) { pixels[$0] != old[$0] }
      }
    }
  }

  /// Returns the pixels of a frame, with transparent pixels where nothing changed. Returns nil if
  /// that cannot be drawn over the old frame, or too few pixels are unchanged to save bytes.
  private static func drawnOver(
    _ frame: Bitmap, _ before: Bitmap, _ rectangle: PixelRectangle
  ) -> [UInt8]? {
    var pixels = [UInt8](repeating: 0, count: frame.pixels.count)
    var unchanged = 0
    let isPossible = pixels.withUnsafeMutableBytes { result in
      frame.pixels.withUnsafeBytes { bytes in
        before.pixels.withUnsafeBytes { other in
          let (new, old) = (bytes.bindMemory(to: UInt32.self), other.bindMemory(to: UInt32.self))
          let result = result.bindMemory(to: UInt32.self)
          for y in rectangle.y {
            for index in y * frame.width + rectangle.x.lowerBound..<y * frame.width
              + rectangle.x.upperBound
            {
              if new[index] == old[index] {
                unchanged += 1
              } else if UInt32(littleEndian: new[index]) >> 24 == 255 {
                result[index] = new[index]
              } else {
                return false
              }
            }
          }
          return true
        }
      }
    }
    return isPossible && unchanged * 4 >= rectangle.count ? pixels : nil
  }

  private func write(_ piece: Piece) throws(Failure) {
    var bytes: [UInt8] = []
    if isAnimated {
      var control = ByteWriter()
      control.bigEndian(UInt64(nextNumber()), 4)
      let (x, y) = (piece.rectangle.x, piece.rectangle.y)
      for value in [x.count, y.count, x.lowerBound, y.lowerBound] {
        control.bigEndian(UInt64(value), 4)
      }
      let delay = plan.timing.fraction(of: written)
      control.bigEndian(UInt64(delay.numerator), 2)
      control.bigEndian(UInt64(delay.denominator), 2)
      // No frame is removed after it was shown. The next frame replaces its pixels.
      control.write([0, piece.blend.rawValue])
      bytes += PNGFile.chunk("fcTL", control.bytes)
    }
    if written == 0 {
      bytes += PNGFile.chunk("IDAT", piece.stream)
    } else {
      var content = ByteWriter()
      content.bigEndian(UInt64(nextNumber()), 4)
      bytes += PNGFile.chunk("fdAT", content.bytes + piece.stream)
    }
    written += 1
    try sink(bytes)
  }

  private func nextNumber() -> Int {
    defer { sequence += 1 }
    return sequence
  }
}

/// The chunks of a PNG or APNG (ISO 15948, and the extension by Mozilla that is part of PNG 3).
enum PNGFile {
  /// How a frame changes the picture before it.
  enum Blend: UInt8 {
    /// Its pixels replace the old ones, with their transparency.
    case source = 0
    /// Its pixels are drawn over the old ones.
    case over = 1
  }

  /// Returns the signature and the header of an 8-bit RGBA picture in sRGB.
  static func head(width: Int, height: Int) -> [UInt8] {
    var header = ByteWriter()
    header.bigEndian(UInt64(width), 4)
    header.bigEndian(UInt64(height), 4)
    header.write([8, 6, 0, 0, 0])
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header.bytes)
      + chunk("sRGB", [0])
  }

  /// Returns the chunk that makes a picture an animation.
  /// - Parameter plays: 0 for ever.
  static func animation(frames: Int, plays: Int) -> [UInt8] {
    var content = ByteWriter()
    content.bigEndian(UInt64(frames), 4)
    content.bigEndian(UInt64(plays), 4)
    return chunk("acTL", content.bytes)
  }

  /// Returns a chunk: length, name, content and checksum.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    PNGChunks.chunk(name, content)
  }

  /// The last chunk.
  static let end = chunk("IEND", [])
}
