internal import CParticlesGIF
internal import ParticlesCore
internal import ParticlesImages

/// Parts of GIF files, written by giflib. Each frame is a small file of its own, without its header, so
/// that frames can be compressed at the same time.
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
    /// A number in the palette for each pixel of the rectangle.
    var numbers: [UInt8]
    /// Own colours; nil for those of the file.
    var palette: Palette?
    /// The number of transparent pixels; nil if there are none.
    var transparent: Int?
    /// In hundredths of a second.
    var delay: Int
    /// Whether the rectangle becomes transparent before the next frame.
    var isCleared: Bool
  }

  /// Returns the beginning of a file: header, colours and, for animations, how often it is played.
  /// - Parameter plays: 0 for ever; nil for a still picture.
  func head(plays: Int?) throws -> ArraySlice<UInt8> {
    let file = try write { file in
      // The block counts repetitions after the first time; without it, there are none.
      if let plays, plays != 1 {
        let repeats = plays == 0 ? 0 : plays - 1
        try check(EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE), file)
        try check(EGifPutExtensionBlock(file, 11, "NETSCAPE2.0"), file)
        let block: [UInt8] = [1, UInt8(repeats & 255), UInt8(repeats >> 8)]
        try check(EGifPutExtensionBlock(file, 3, block), file)
        try check(EGifPutExtensionTrailer(file), file)
      }
    }
    return file.dropLast()
  }

  /// Returns the bytes of a frame.
  func bytes(of frame: Frame) throws -> ArraySlice<UInt8> {
    var numbers = frame.numbers
    let headerSize = 13 + 3 * palette.paddedCount
    let file = try write { file in
      var control = GraphicsControlBlock(
        DisposalMode: frame.isCleared ? DISPOSE_BACKGROUND : DISPOSE_DO_NOT,
        UserInputFlag: false, DelayTime: Int32(frame.delay),
        TransparentColor: frame.transparent.map { Int32($0) } ?? NO_TRANSPARENT_COLOR)
      var block = [UInt8](repeating: 0, count: 4)
      _ = EGifGCBToExtension(&control, &block)
      try check(EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, block), file)
      let map = frame.palette.flatMap(Self.map)
      defer { if let map { GifFreeMapObject(map) } }
      let (x, y) = (frame.rectangle.x, frame.rectangle.y)
      try check(
        EGifPutImageDesc(
          file, Int32(x.lowerBound), Int32(y.lowerBound), Int32(x.count), Int32(y.count), false,
          map), file)
      try numbers.withUnsafeMutableBufferPointer { numbers in
        for row in 0..<y.count {
          let line = numbers.baseAddress.map { $0 + row * x.count }
          try check(EGifPutLine(file, line, Int32(x.count)), file)
        }
      }
    }
    return file.dropFirst(headerSize).dropLast()
  }

  /// The last byte of a file.
  static let trailer: [UInt8] = [0x3B]

  /// Collects what giflib writes.
  private final class Output { var bytes: [UInt8] = [] }

  /// Returns a file with header and trailer.
  private func write(_ body: (UnsafeMutablePointer<GifFileType>) throws -> Void) throws
    -> ArraySlice<UInt8>
  {
    let output = Output()
    var code: CInt = 0
    let opened = EGifOpen(
      Unmanaged.passUnretained(output).toOpaque(),
      { file, bytes, count in
        guard let data = file?.pointee.UserData else { return 0 }
        let output = Unmanaged<Output>.fromOpaque(data).takeUnretainedValue()
        output.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        return count
      }, &code)
    guard let file = opened else { throw Self.failure(code) }
    do {
      EGifSetGifVersion(file, true)
      let map = Self.map(palette)
      defer { if let map { GifFreeMapObject(map) } }
      try check(EGifPutScreenDesc(file, Int32(width), Int32(height), 8, 0, map), file)
      try body(file)
    } catch {
      EGifCloseFile(file, nil)
      throw error
    }
    guard EGifCloseFile(file, &code) == GIF_OK else { throw Self.failure(code) }
    return output.bytes[...]
  }

  private static func map(_ palette: Palette) -> UnsafeMutablePointer<ColorMapObject>? {
    var colors = palette.colors.map {
      GifColorType(
        Red: UInt8($0 & 255), Green: UInt8($0 >> 8 & 255), Blue: UInt8($0 >> 16 & 255))
    }
    while colors.count < palette.paddedCount {
      colors.append(GifColorType(Red: 0, Green: 0, Blue: 0))
    }
    return GifMakeMapObject(CInt(colors.count), colors)
  }

  private func check(_ status: CInt, _ file: UnsafeMutablePointer<GifFileType>) throws {
    guard status == GIF_OK else { throw Self.failure(file.pointee.Error) }
  }

  private static func failure(_ code: CInt) -> Diagnostic {
    Diagnostic(.imageOutput, GifErrorString(code).map { String(cString: $0) } ?? "giflib failed")
  }
}

extension Palette {
  /// The number of colours in a file: a power of two, at least 2.
  fileprivate var paddedCount: Int {
    var count = 2
    while count < colors.count { count *= 2 }
    return count
  }
}
