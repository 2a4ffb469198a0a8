internal import ParticlesCore
internal import ParticlesImages

/// Encodes GIF files.
///
/// A frame stores the rectangle that changed. In the rectangle, unchanged pixels are transparent,
/// so they keep their colours and cannot flicker. If pixels become transparent in the next frame,
/// the rectangle contains them and is cleared after it was shown.
final class GIFEncoder {
  private let plan: FramePlan
  private let sink: ([UInt8]) throws(Failure) -> Void
  private let schedule: DelaySchedule

  private var appended = 0
  /// The number of items of the schedule that were taken from the appended frames, and written.
  private var taken = 0
  private var written = 0
  private var waiting: [Bitmap] = []
  /// Converted frames that are not written yet.
  private var ready: [OpaquePixels] = []
  /// The colour of the background of the first frame.
  private var background: UInt32 = 0
  private let quality: GIFQuality
  /// The last written frame, and the rectangle that is cleared after it.
  private var previous: OpaquePixels?
  private var cleared = PixelRectangle.empty
  private var file: GIFFile?

  init(_ plan: FramePlan, _ sink: @escaping ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    self.plan = plan
    self.sink = sink
    quality = plan.options.isSmall ? .small : .standard
    schedule = DelaySchedule(plan.timing, unit: 100, least: 2)
  }

  func append(_ frame: Bitmap) throws(Failure) {
    defer { appended += 1 }
    guard taken < schedule.items.count, schedule.items[taken].frame == appended else { return }
    taken += 1
    waiting.append(frame)
    let size = file == nil ? max(plan.groupSize, plan.sampleSize) : plan.groupSize
    if waiting.count >= size { try encode(isEnd: false) }
  }

  func finish() throws(Failure) {
    try encode(isEnd: true)
    try sink(GIFFile.trailer)
  }

  /// Keeps pixels that hardly differ from the pixels shown already, so that they need not be stored again.
  /// - Parameter first: the first of the ready frames that this was not done for.
  private func settle(from first: Int) throws(Failure) {
    if first == 0, let frame = ready.first {
      let histogram = ColorHistogram()
      frame.pixels.withUnsafeBufferPointer { histogram.count($0) }
      background = histogram.longestRun
    }
    try OpaquePixels.settle(&ready, from: max(first, 1), quality.change, exact: background)
  }

  /// Where a frame differs from its neighbours.
  private struct Bounds {
    /// Pixels that differ from the previous frame.
    var changed = PixelRectangle.empty
    /// Opaque pixels.
    var solid = PixelRectangle.empty
    /// Opaque pixels that are transparent in the next frame.
    var vanishing = PixelRectangle.empty
  }

  /// Writes all frames that wait, but the last one, as the next frame decides how it is cleared.
  private func encode(isEnd: Bool) throws(Failure) {
    let (bitmaps, transparency) = (waiting, plan.options.transparency)
    waiting.removeAll(keepingCapacity: true)
    try Parallel.ordered(bitmaps.count, state: {}) { index, _ in
      OpaquePixels(bitmaps[index], transparency)
    } emit: {
      ready.append($0)
    }
    try settle(from: ready.count - bitmaps.count)
    let count = isEnd ? ready.count : ready.count - 1
    guard count > 0 else { return }
    let (frames, before) = (ready, previous)
    let pieces = try pieces(of: frames, after: before, count)
    let file: GIFFile
    if let begun = self.file {
      file = begun
    } else {
      file = try begin(frames.prefix(max(2, plan.sampleSize)))
    }
    self.file = file
    let quality = quality
    try Parallel.ordered(
      count, state: { GIFFrameMapper(file, quality) },
      work: { index, mapper in
        mapper.encode(
          frames[index], after: index > 0 ? frames[index - 1] : before, pieces[index])
      }, emit: sink)
    previous = frames[count - 1]
    ready.removeFirst(count)
    written += count
  }

  /// Writes the head of the file, with the colours of the first frames.
  private func begin(_ frames: ArraySlice<OpaquePixels>) throws(Failure) -> GIFFile {
    let histogram = ColorHistogram()
    let step = max(1, frames.count / 4)
    for index in stride(from: frames.count - 1, through: 0, by: -step) {
      frames[index].pixels.withUnsafeBufferPointer { histogram.count($0) }
    }
    let background = histogram.longestRun
    var palette = Palette(of: histogram, count: 255, background: background)
    palette.colors.append(0)
    let file = GIFFile(
      width: plan.width, height: plan.height, palette: palette, background: background)
    let isStill = schedule.items.count == 1
    try sink(file.head(plays: isStill ? nil : plan.options.plays))
    return file
  }

  /// Returns the pieces that the first frames store.
  private func pieces(
    of frames: [OpaquePixels], after before: OpaquePixels?, _ count: Int
  ) throws(Failure) -> [GIFPiece] {
    let (width, height) = (plan.width, plan.height)
    var bounds: [Bounds] = []
    try Parallel.ordered(count, state: {}) { index, _ in
      Self.bounds(
        of: frames[index], after: index > 0 ? frames[index - 1] : before,
        before: index + 1 < frames.count ? frames[index + 1] : nil, width, height)
    } emit: {
      bounds.append($0)
    }
    return bounds.enumerated().map { index, bounds in
      // The first frame covers everything, for readers that expect it.
      let isFirst = written + index == 0
      let redrawn = bounds.solid.intersection(cleared)
      var piece = GIFPiece(
        rectangle: isFirst
          ? plan.whole : bounds.changed.union(redrawn).union(bounds.vanishing),
        redrawn: isFirst ? plan.whole : cleared, isCleared: !bounds.vanishing.isEmpty,
        delay: schedule.items[written + index].delay)
      if piece.rectangle.isEmpty { piece.rectangle = PixelRectangle(x: 0..<1, y: 0..<1) }
      cleared = piece.isCleared ? piece.rectangle : .empty
      return piece
    }
  }

  private static func bounds(
    of frame: OpaquePixels, after before: OpaquePixels?, before next: OpaquePixels?, _ width: Int,
    _ height: Int
  ) -> Bounds {
    var bounds = Bounds()
    frame.pixels.withUnsafeBufferPointer { pixels in
      if let before {
        before.pixels.withUnsafeBufferPointer { before in
          // Pixels that became transparent were cleared.
          bounds.changed = PixelRectangle(boundsIn: width, height) {
            pixels[$0] != before[$0] && pixels[$0] != 0
          }
        }
        if before.hasHoles || frame.hasHoles {
          bounds.solid = PixelRectangle(boundsIn: width, height) { pixels[$0] != 0 }
        }
      }
      if let next, next.hasHoles {
        next.pixels.withUnsafeBufferPointer { next in
          bounds.vanishing = PixelRectangle(boundsIn: width, height) {
            next[$0] == 0 && pixels[$0] != 0
          }
        }
      }
    }
    return bounds
  }
}

/// How far colours may be from the colours of the frames: squared differences of red, green and blue together.
struct GIFQuality: Sendable {
  /// Pixels that change by no more than this are not stored again.
  let change: Int
  /// A pixel may get a colour whose error exceeds the least error by this much.
  let choice: Int

  /// About two units of each component: not seen, and about as much as the colours of the palette are
  /// away.
  static let standard = GIFQuality(change: 12, choice: 20)
  /// About eight units.
  static let small = GIFQuality(change: 200, choice: 240)
}

/// The part of a frame that a GIF stores.
struct GIFPiece: Sendable {
  var rectangle: PixelRectangle
  /// Where nothing of the frame before is left.
  var redrawn: PixelRectangle
  /// Whether the rectangle becomes transparent after the frame was shown.
  var isCleared: Bool
  /// In hundredths of a second.
  var delay: Int
}

/// Chooses the colours of frames and encodes them. Each thread has its own mapper.
final class GIFFrameMapper {
  private let file: GIFFile
  private let quality: GIFQuality
  private let compressor = GIFCompressor()
  private let histogram = ColorHistogram()
  private let mapping: ColorMapping
  private var pixels: [UInt32] = []

  /// A mean squared error that no eye sees: with less, the colours of the file suffice.
  private static let good = 1.0
  /// Own colours are worth their bytes if they lower the error to this part.
  private static let better = 0.8

  init(_ file: GIFFile, _ quality: GIFQuality) {
    self.file = file
    self.quality = quality
    mapping = ColorMapping(histogram)
  }

  func encode(
    _ frame: OpaquePixels, after before: OpaquePixels?, _ piece: GIFPiece
  ) -> [UInt8] {
    select(from: frame, after: before, piece)
    histogram.removeAll()
    pixels.withUnsafeBufferPointer { histogram.count($0) }
    // Some readers clear to an opaque colour if a frame has no transparent one.
    let hasNone = piece.isCleared || pixels.contains(0)
    let palette = ownPalette(hasNone: hasNone)
    mapping.prepare(
      palette ?? Palette(file.palette.colors.dropLast()), background: file.background)
    let none = palette?.colors.count ?? file.palette.colors.count - 1
    let numbers = [UInt8](unsafeUninitializedCapacity: pixels.count) { numbers, count in
      count = pixels.count
      pixels.withUnsafeBufferPointer {
        mapping.map($0, in: piece.rectangle, none: UInt8(truncatingIfNeeded: none), to: numbers)
      }
    }
    var colors = palette
    if hasNone { colors?.colors.append(0) }
    let data = numbers.withUnsafeBufferPointer { numbers in
      pixels.withUnsafeBufferPointer { pixels in
        compressor.compress(
          GIFCompressor.Pixels(numbers: numbers, colors: pixels),
          palette?.colors ?? Array(file.palette.colors.dropLast()),
          bits: (colors ?? file.palette).bits,
          tolerance: mapping.isExact ? 0 : quality.choice, exact: file.background)
      }
    }
    return file.bytes(
      of: GIFFile.Frame(
        rectangle: piece.rectangle, palette: colors, transparent: hasNone ? none : nil,
        delay: piece.delay, isCleared: piece.isCleared), data)
  }

  /// Returns colours for the counted pixels, or nil if the colours of the file are good enough.
  private func ownPalette(hasNone: Bool) -> Palette? {
    let error = mapping.error(of: Palette(file.palette.colors.dropLast()))
    guard error > Self.good else { return nil }
    let own = Palette(
      of: histogram, count: hasNone ? 255 : 256, background: file.background)
    return mapping.error(of: own) <= error * Self.better ? own : nil
  }

  /// Collects the pixels of the rectangle, with 0 for transparent and unchanged pixels.
  private func select(from frame: OpaquePixels, after before: OpaquePixels?, _ piece: GIFPiece) {
    let rectangle = piece.rectangle
    pixels = [UInt32](repeating: 0, count: rectangle.count)
    frame.pixels.withUnsafeBufferPointer { frame in
      (before?.pixels ?? []).withUnsafeBufferPointer { before in
        pixels.withUnsafeMutableBufferPointer { pixels in
          var index = 0
          for y in rectangle.y {
            let row = y * file.width
            let redrawn = piece.redrawn.y.contains(y) ? piece.redrawn.x : 0..<0
            for x in rectangle.x {
              let pixel = frame[row + x]
              if before.isEmpty || pixel != before[row + x] || redrawn.contains(x) {
                pixels[index] = pixel
              }
              index += 1
            }
          }
        }
      }
    }
  }
}

/// Parts of GIF files (version 89a).
struct GIFFile: Sendable {
  let width: Int
  let height: Int
  /// The colours of frames without own ones. The last one is for pixels without a colour.
  let palette: Palette
  /// A colour that every palette has exactly, so that no trace of a particle is left on it.
  let background: UInt32

  /// A frame.
  struct Frame {
    var rectangle: PixelRectangle
    /// Own colours, or nil for the colours of the file.
    var palette: Palette?
    /// The palette number of transparent pixels, or nil if there are none.
    var transparent: Int?
    /// In hundredths of a second.
    var delay: Int
    /// Whether the rectangle becomes transparent before the next frame.
    var isCleared: Bool
  }

  /// Returns the beginning of a file: header, colours and, for animations, how often it is played.
  /// - Parameter plays: 0 for ever, or nil for a still picture.
  func head(plays: Int?) -> [UInt8] {
    var head = ByteWriter()
    head.write(Array("GIF89a".utf8))
    for side in [width, height] { head.littleEndian(UInt64(side), 2) }
    // A table of colours, of 8 bits each.
    head.write([0xF0 | UInt8(palette.bits - 1), 0, 0])
    head.write(Self.table(palette))
    // The block counts repetitions after the first time. Without the block, the animation is not repeated.
    if let plays, plays != 1 {
      head.write([0x21, 0xFF, 11])
      head.write(Array("NETSCAPE2.0".utf8))
      head.write([3, 1])
      head.littleEndian(UInt64(plays == 0 ? 0 : plays - 1), 2)
      head.write([0])
    }
    return head.bytes
  }

  /// Returns the bytes of a frame.
  /// - Parameter data: its compressed pixels.
  func bytes(of frame: Frame, _ data: [UInt8]) -> [UInt8] {
    var bytes = ByteWriter()
    // Graphic control: how it is disposed of, and whether a colour is transparent.
    bytes.write([
      0x21, 0xF9, 4, (frame.isCleared ? 8 : 4) | (frame.transparent == nil ? 0 : 1),
    ])
    bytes.littleEndian(UInt64(frame.delay), 2)
    bytes.write([UInt8(frame.transparent ?? 0), 0, 0x2C])
    let (x, y) = (frame.rectangle.x, frame.rectangle.y)
    for number in [x.lowerBound, y.lowerBound, x.count, y.count] {
      bytes.littleEndian(UInt64(number), 2)
    }
    if let palette = frame.palette {
      bytes.write([0x80 | UInt8(palette.bits - 1)])
      bytes.write(Self.table(palette))
    } else {
      bytes.write([0])
    }
    return bytes.bytes + data
  }

  /// The last byte of a file.
  static let trailer: [UInt8] = [0x3B]

  private static func table(_ palette: Palette) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 << palette.bits)
    for color in palette.colors {
      bytes += [UInt8(color & 255), UInt8(color >> 8 & 255), UInt8(color >> 16 & 255)]
    }
    return bytes + [UInt8](repeating: 0, count: (3 << palette.bits) - bytes.count)
  }
}

extension Palette {
  /// The number of bits of a number in the palette of a file, at least 1.
  var bits: Int {
    var bits = 1
    while 1 << bits < colors.count { bits += 1 }
    return bits
  }
}

/// A frame without partial transparency. A pixel is red | green << 8 | blue << 16 | 255 << 24, or 0 if
/// it is transparent.
struct OpaquePixels: Sendable {
  private(set) var pixels: [UInt32]
  let hasHoles: Bool
  /// Whether there are more colours than a palette has.
  let hasManyColors: Bool

  init(_ bitmap: Bitmap, _ transparency: AnimationWriter.Transparency) {
    var hasHoles = false
    pixels = bitmap.pixels.withUnsafeBytes { bytes in
      let source = bytes.bindMemory(to: UInt32.self)
      return [UInt32](unsafeUninitializedCapacity: source.count) { result, count in
        count = source.count
        hasHoles = Self.convert(source, width: bitmap.width, transparency, to: result)
      }
    }
    self.hasHoles = hasHoles
    hasManyColors = Self.areMany(pixels)
  }

  /// Converts pixels and returns whether any became transparent.
  private static func convert(
    _ source: UnsafeBufferPointer<UInt32>, width: Int,
    _ transparency: AnimationWriter.Transparency, to result: UnsafeMutableBufferPointer<UInt32>
  ) -> Bool {
    var hasHoles = false
    let solid: UInt32 = 0xFF00_0000
    switch transparency {
    case .matte(let red, let green, let blue):
      let matte = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | solid
      var (last, color) = (UInt32(0), matte)
      for index in source.indices {
        let pixel = UInt32(littleEndian: source[index])
        if pixel != last { (last, color) = (pixel, draw(pixel, over: matte)) }
        result[index] = color
      }
    case .threshold:
      for index in source.indices {
        let pixel = UInt32(littleEndian: source[index])
        let isSolid = pixel >= 0x8000_0000
        result[index] = isSolid ? pixel | solid : 0
        if !isSolid { hasHoles = true }
      }
    case .dithered:
      let mask = DitherMatrix.side - 1
      let thresholds = DitherMatrix.blueNoise.thresholds.map { UInt32(saturating: 255 * $0) }
      for y in 0..<source.count / width {
        // Moved against the thresholds of the colours, with which it would otherwise correlate.
        let row = ((y + 13) & mask) * DitherMatrix.side
        for x in 0..<width {
          let index = y * width + x
          let pixel = UInt32(littleEndian: source[index])
          let isSolid = pixel >> 24 > thresholds[row + ((x + 7) & mask)]
          result[index] = isSolid ? pixel | solid : 0
          if !isSolid { hasHoles = true }
        }
      }
    }
    return hasHoles
  }

  /// The pixels of a frame that one thread takes.
  private static let band = 4_096

  /// Keeps the previous frame's pixels where a frame differs by no more than a squared distance. Frames of few
  /// colours, which are exact in a file, are not changed. A frame depends on the previous frame, so threads share
  /// bands of pixels and not frames.
  /// - Parameters:
  ///   - first: the first frame that may change, at least 1.
  ///   - exact: a colour that is always kept.
  static func settle(
    _ frames: inout [OpaquePixels], from first: Int, _ most: Int, exact: UInt32
  ) throws(Failure) {
    guard first < frames.count else { return }
    let haveManyColors = frames[first...].map { $0.hasManyColors }
    try frames.withUnsafeMutableBufferPointer { frames throws(Failure) in
      let changed = UnsafeMutableBufferPointer(rebasing: frames[(first - 1)...])
      try lend(changed) { lent throws(Failure) in
        nonisolated(unsafe) let pixels = lent
        let count = pixels[0].count
        try Parallel.forEach((count + band - 1) / band, state: {}) { piece, _ in
          let range = piece * band..<min(count, (piece + 1) * band)
          for index in haveManyColors.indices where haveManyColors[index] {
            settle(pixels[index + 1], on: pixels[index], in: range, most, exact: exact)
          }
        }
      }
    }
  }

  private static func settle(
    _ pixels: UnsafeMutableBufferPointer<UInt32>, on before: UnsafeMutableBufferPointer<UInt32>,
    in range: Range<Int>, _ most: Int, exact: UInt32
  ) {
    for index in range {
      let (new, old) = (pixels[index], before[index])
      guard new != old, new != exact, old != 0, new != 0 else { continue }
      let r = Int32(new & 255) - Int32(old & 255)
      let g = Int32(new >> 8 & 255) - Int32(old >> 8 & 255)
      let b = Int32(new >> 16 & 255) - Int32(old >> 16 & 255)
      if r &* r &+ g &* g &+ b &* b <= most { pixels[index] = old }
    }
  }

  /// Lends the pixels of all frames for changes.
  private static func lend(
    _ frames: UnsafeMutableBufferPointer<OpaquePixels>,
    _ lent: [UnsafeMutableBufferPointer<UInt32>] = [],
    to body: ([UnsafeMutableBufferPointer<UInt32>]) throws(Failure) -> Void
  ) throws(Failure) {
    guard lent.count < frames.count else { return try body(lent) }
    try frames[lent.count].pixels.withUnsafeMutableBufferPointer { pixels throws(Failure) in
      try lend(frames, lent + [pixels], to: body)
    }
  }

  /// Whether there are more colours than a palette has.
  private static func areMany(_ pixels: [UInt32]) -> Bool {
    var colors = ExactColors()
    var last: UInt32 = 0
    for pixel in pixels where pixel != last {
      last = pixel
      if pixel != 0 { colors.insert(pixel) }
      if colors.isOverfull { return true }
    }
    return false
  }

  /// Returns a colour over an opaque one.
  private static func draw(_ pixel: UInt32, over matte: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    var result: UInt32 = 0xFF00_0000
    for shift in [0, 8, 16] as [UInt32] {
      let (front, back) = (pixel >> shift & 255, matte >> shift & 255)
      result |= ((front * alpha + back * (255 - alpha) + 127) / 255) << shift
    }
    return result
  }
}
