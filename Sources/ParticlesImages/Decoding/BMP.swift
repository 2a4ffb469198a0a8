internal import ParticlesCore

/// Bitmaps of Windows and OS/2 (`.bmp`): tables of colours, 16, 24 and 32 bits, masks and runs.
enum BMP {
  /// The pixels of a file as its headers describe them.
  private struct Layout {
    var width: Int
    var height: Int
    var isFromTop: Bool
    var bits: Int
    var compression: Compression
    /// Where the pixels begin.
    var start: Int
    /// Colours with 4 bytes each, for files with at most 8 bits for a pixel.
    var table: [UInt8] = []
    /// Red, green, blue and alpha, for files with 16 or 32 bits.
    var masks: [Int] = []

    /// The bytes of a row, which ends at a multiple of 4.
    var stride: Int { (width * bits + 31) / 32 * 4 }

    func row(_ number: Int) -> Int { isFromTop ? number : height - 1 - number }
  }

  private enum Compression: Int { case none, runs8, runs4, masks, masksWithAlpha = 6 }

  /// Decodes a file. As in browsers, the fourth byte of pixels with 32 bits is alpha only if a mask is stated for it.
  static func decode(_ bytes: [UInt8], limits: Limits) throws(Failure) -> Bitmap {
    let layout = try layout(of: bytes)
    try limits.checkImage(layout.width * layout.height)
    if layout.compression == .runs4 || layout.compression == .runs8 {
      return shown(try numbersInRuns(bytes, layout), layout)
    }
    // The last row may end at its last pixel.
    let needed = layout.stride * (layout.height - 1) + (layout.width * layout.bits + 7) / 8
    guard needed <= bytes.count - layout.start else {
      throw Diagnostic(
        .image, "pixels are missing", expected: "\(needed) bytes",
        found: "\(bytes.count - layout.start)")
    }
    return layout.bits <= 8
      ? shown(numbers(bytes, layout), layout) : colors(bytes, layout)
  }

  // MARK: Headers

  private static func layout(of bytes: [UInt8]) throws(Failure) -> Layout {
    var reader = ByteReader(bytes, rule: .image)
    try reader.seek(to: 10)
    func number(_ size: Int) throws(Failure) -> Int {
      Int(size: try reader.littleEndian(size))
    }
    let start = try number(4)
    let header = try number(4)
    guard start <= bytes.count else {
      throw reader.failure("the pixels begin after the end of the file")
    }
    let isOld = header == 12
    guard isOld || header >= 40 && header <= 124 else {
      throw reader.failure(
        "the size of the header", expected: "12, or 40 to 124", found: "\(header)")
    }
    let width = try number(isOld ? 2 : 4)
    // The height of a picture from the top is negative.
    let stated = try isOld ? number(2) : Int(Int32(truncatingIfNeeded: number(4)))
    _ = try number(2)
    let bits = try number(2)
    var (kind, used) = (0, 0)
    if !isOld {
      kind = try number(4)
      _ = try reader.read(12)
      used = try number(4)
    }
    guard let compression = Compression(rawValue: kind), header != 64 || kind < 3 else {
      throw reader.failure(
        "a compression that is not read", expected: "0 to 3, or 6", found: "\(kind)")
    }
    let most = 1 << 28
    guard width > 0, width <= most, stated != 0, abs(stated) <= most else {
      throw reader.failure("the size", expected: "1 to \(most)", found: "\(width) × \(stated)")
    }
    var layout = Layout(
      width: width, height: abs(stated), isFromTop: stated < 0, bits: bits,
      compression: compression, start: start)
    let isPossible =
      switch compression {
      case .none: [1, 2, 4, 8, 16, 24, 32].contains(bits)
      case .runs8: bits == 8
      case .runs4: bits == 4
      case .masks, .masksWithAlpha: bits == 16 || bits == 32
      }
    guard isPossible else { throw reader.failure("\(bits) bits for a pixel") }
    var end = 14 + header
    if compression == .masks || compression == .masksWithAlpha {
      try reader.seek(to: 14 + 40)
      let hasAlpha = compression == .masksWithAlpha || header >= 56
      for _ in 0..<(hasAlpha ? 4 : 3) { layout.masks.append(try number(4)) }
      if !hasAlpha { layout.masks.append(0) }
      end = max(end, reader.position)
    } else if bits == 16 {
      layout.masks = [0x7C00, 0x3E0, 0x1F, 0]
    } else if bits == 32 {
      layout.masks = [0xFF0000, 0xFF00, 0xFF, 0]
    }
    if bits <= 8 {
      let most = used == 0 ? 1 << bits : min(used, 1 << bits)
      layout.table = table(bytes, from: end, size: isOld ? 3 : 4, most: most, layout)
    }
    return layout
  }

  /// The table of colours with 4 bytes each. If a file has fewer colours than its headers state, the rest are black.
  private static func table(
    _ bytes: [UInt8], from start: Int, size: Int, most: Int, _ layout: Layout
  ) -> [UInt8] {
    let end = min(layout.start > start ? layout.start : bytes.count, bytes.count)
    return (0..<1 << layout.bits).flatMap { number -> [UInt8] in
      let place = start + number * size
      guard number < most, place + size <= end else { return [0, 0, 0, 255] }
      return [bytes[place + 2], bytes[place + 1], bytes[place], 255]
    }
  }

  // MARK: Pixels

  /// The numbers of colours, row by row from the top.
  private static func numbers(_ bytes: [UInt8], _ layout: Layout) -> [UInt8] {
    var numbers = [UInt8](repeating: 0, count: layout.width * layout.height)
    let (bits, each) = (layout.bits, 8 / layout.bits)
    for row in 0..<layout.height {
      let start = layout.start + row * layout.stride
      let target = layout.row(row) * layout.width
      for column in 0..<layout.width {
        let shift = 8 - bits * (column % each + 1)
        numbers[target + column] =
          bytes[start + column / each] >> UInt8(shift) & UInt8(1 << bits - 1)
      }
    }
    return numbers
  }

  /// The numbers of colours of a file with runs of equal pixels. Pixels outside of all runs have colour 0.
  private static func numbersInRuns(_ bytes: [UInt8], _ layout: Layout) throws(Failure) -> [UInt8] {
    var numbers = [UInt8](repeating: 0, count: layout.width * layout.height)
    var reader = ByteReader(bytes, rule: .image)
    try reader.seek(to: layout.start)
    let isHalf = layout.compression == .runs4
    var (column, row) = (0, 0)
    func put(_ number: UInt8) {
      if column < layout.width, row < layout.height {
        numbers[layout.row(row) * layout.width + column] = number
      }
      column += 1
    }
    // The end of the last row may be missing.
    while row < layout.height,
      !(reader.isAtEnd && row == layout.height - 1 && column >= layout.width)
    {
      let (count, value) = try (Int(reader.byte()), reader.byte())
      guard count == 0 else {
        for index in 0..<count { put(isHalf ? index % 2 == 0 ? value >> 4 : value & 15 : value) }
        continue
      }
      switch value {
      case 0: (column, row) = (0, row + 1)
      case 1: return numbers
      case 2:
        column += Int(try reader.byte())
        row += Int(try reader.byte())
      default:
        let size = isHalf ? (Int(value) + 1) / 2 : Int(value)
        let content = Array(try reader.read(size))
        for index in 0..<Int(value) {
          put(
            isHalf
              ? index % 2 == 0 ? content[index / 2] >> 4 : content[index / 2] & 15 : content[index])
        }
        // Numbers that are written out end at a multiple of 2. The last byte may be missing.
        if size % 2 == 1, !reader.isAtEnd { _ = try reader.byte() }
      }
    }
    return numbers
  }

  private static func shown(_ numbers: [UInt8], _ layout: Layout) -> Bitmap {
    var bitmap = Bitmap(width: layout.width, height: layout.height)
    for (index, number) in numbers.enumerated() {
      for part in 0..<4 { bitmap.pixels[index * 4 + part] = layout.table[Int(number) * 4 + part] }
    }
    return bitmap
  }

  /// The picture of a file with 16, 24 or 32 bits for a pixel.
  private static func colors(_ bytes: [UInt8], _ layout: Layout) -> Bitmap {
    var bitmap = Bitmap(width: layout.width, height: layout.height)
    let size = layout.bits / 8
    let parts = layout.masks.map { mask in
      (mask: mask, shift: mask.trailingZeroBitCount, most: mask >> mask.trailingZeroBitCount)
    }
    for row in 0..<layout.height {
      var place = layout.start + row * layout.stride
      var target = layout.row(row) * layout.width * 4
      for _ in 0..<layout.width {
        if size == 3 {
          for part in 0..<3 { bitmap.pixels[target + part] = bytes[place + 2 - part] }
          bitmap.pixels[target + 3] = 255
        } else {
          var pixel = 0
          for index in (0..<size).reversed() { pixel = pixel << 8 | Int(bytes[place + index]) }
          for (number, part) in parts.enumerated() {
            let value = part.most == 0 ? 0 : (pixel & part.mask) >> part.shift * 255 / part.most
            bitmap.pixels[target + number] = number == 3 && part.most == 0 ? 255 : UInt8(value)
          }
        }
        place += size
        target += 4
      }
    }
    return bitmap
  }
}
