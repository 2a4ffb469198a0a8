internal import ParticlesCore

/// TGA files (Truevision, versions 1 and 2): colours, gray and tables of colours, with and without runs.
enum TGA {
  /// The first 18 bytes of a file.
  private struct Header {
    static let size = 18

    var hasTable: Bool
    /// 1 for a table of colours, 2 for colours, 3 for gray, and 8 more for pixels in runs.
    var kind: Int
    var tableStart: Int
    var tableCount: Int
    var tableBits: Int
    var width: Int
    var height: Int
    var bits: Int
    /// The number of bits of alpha, and in which corner the pixels begin.
    var flags: Int
    /// The bytes of a text after the header.
    var textSize: Int

    /// - Returns: nil for bytes that are no header.
    init?(_ bytes: [UInt8]) {
      guard bytes.count >= Self.size, bytes[1] <= 1 else { return nil }
      func number(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
      (textSize, hasTable, kind) = (Int(bytes[0]), bytes[1] == 1, Int(bytes[2]))
      (tableStart, tableCount, tableBits) = (number(3), number(5), Int(bytes[7]))
      (width, height, bits, flags) = (number(12), number(14), Int(bytes[16]), Int(bytes[17]))
      guard width > 0, height > 0, flags & 0xC0 == 0 else { return nil }
      let isPossible =
        switch kind & ~8 {
        case 1: hasTable && bits == 8
        case 2: [15, 16, 24, 32].contains(bits)
        case 3: bits == 8 || bits == 16
        default: false
        }
      guard isPossible else { return nil }
      guard hasTable else {
        // A TGA file without a table does not describe one, but an icon of Windows does.
        if tableStart != 0 || tableCount != 0 { return nil }
        return
      }
      guard tableCount > 0, [15, 16, 24, 32].contains(tableBits) else { return nil }
    }

    /// The bytes of a pixel, or of a colour of the table.
    static func bytes(of bits: Int) -> Int { (bits + 7) / 8 }
  }

  /// Whether these bytes begin like a TGA file. There is no signature at the beginning.
  static func isOne(_ bytes: [UInt8]) -> Bool { Header(bytes) != nil }

  /// Decodes a file. A picture with 32 bits for a pixel has alpha, unless its header states no bit of alpha and alpha is
  /// 0 everywhere.
  static func decode(_ bytes: [UInt8], limits: Limits) throws(Failure) -> Bitmap {
    guard let header = Header(bytes) else { throw Diagnostic(.image, expected: "a header of TGA") }
    try limits.checkImage(header.width * header.height)
    var reader = ByteReader(bytes, rule: .image)
    try reader.seek(to: Header.size)
    _ = try reader.read(header.textSize)
    let hasAlpha = header.flags & 15 > 0
    var table: [UInt8] = []
    if header.hasTable {
      let stored = try reader.read(header.tableCount * Header.bytes(of: header.tableBits))
      table = colors(stored, bits: header.tableBits, isGray: false, hasAlpha)
    }
    let count = header.width * header.height
    let stored = try pixels(&reader, count: count, size: Header.bytes(of: header.bits), header)
    var result: [UInt8]
    switch header.kind & ~8 {
    case 1:
      result = [UInt8](repeating: 0, count: count * 4)
      for (index, number) in stored.enumerated() {
        let place = (Int(number) - header.tableStart) * 4
        let isKnown = place >= 0 && place + 4 <= table.count
        for part in 0..<4 {
          result[index * 4 + part] = isKnown ? table[place + part] : part == 3 ? 255 : 0
        }
      }
    case 2: result = colors(stored[...], bits: header.bits, isGray: false, hasAlpha)
    default: result = colors(stored[...], bits: header.bits, isGray: true, hasAlpha)
    }
    if !hasAlpha { opaque(&result) }
    return Bitmap(
      width: header.width, height: header.height, pixels: placed(result, header))
  }

  /// Makes pixels opaque that are transparent everywhere.
  private static func opaque(_ pixels: inout [UInt8]) {
    let alphas = stride(from: 3, to: pixels.count, by: 4)
    guard alphas.allSatisfy({ pixels[$0] == 0 }) else { return }
    for index in alphas { pixels[index] = 255 }
  }

  /// The stored pixels, with runs expanded.
  private static func pixels(
    _ reader: inout ByteReader, count: Int, size: Int, _ header: Header
  ) throws(Failure) -> [UInt8] {
    guard header.kind >= 8 else { return Array(try reader.read(count * size)) }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(count * size)
    while pixels.count < count * size {
      let head = Int(try reader.byte())
      let length = min((head & 127) + 1, count - pixels.count / size)
      if head < 128 {
        pixels += try reader.read(length * size)
      } else {
        let pixel = try reader.read(size)
        for _ in 0..<length { pixels += pixel }
      }
    }
    return pixels
  }

  /// Red, green, blue and alpha of stored colours, or of stored gray.
  private static func colors(
    _ stored: ArraySlice<UInt8>, bits: Int, isGray: Bool, _ hasAlpha: Bool
  ) -> [UInt8] {
    let size = Header.bytes(of: bits)
    var result = [UInt8](repeating: 255, count: stored.count / size * 4)
    var target = 0
    for place in stride(from: stored.startIndex, to: stored.endIndex, by: size) {
      if isGray {
        for part in 0..<3 { result[target + part] = stored[place] }
        if size == 2 { result[target + 3] = stored[place + 1] }
      } else if size == 2 {
        let pixel = Int(stored[place]) | Int(stored[place + 1]) << 8
        for part in 0..<3 {
          result[target + part] = UInt8((pixel >> (10 - 5 * part) & 31) * 255 / 31)
        }
        if bits == 16, hasAlpha, pixel < 0x8000 { result[target + 3] = 0 }
      } else {
        for part in 0..<3 { result[target + part] = stored[place + 2 - part] }
        if size == 4 { result[target + 3] = stored[place + 3] }
      }
      target += 4
    }
    return result
  }

  /// The pixels in rows from the top, each from the left.
  private static func placed(_ pixels: [UInt8], _ header: Header) -> [UInt8] {
    let (isFromTop, isFromRight) = (header.flags & 0x20 != 0, header.flags & 0x10 != 0)
    if isFromTop, !isFromRight { return pixels }
    var result: [UInt8] = []
    result.reserveCapacity(pixels.count)
    for row in 0..<header.height {
      let start = (isFromTop ? row : header.height - 1 - row) * header.width * 4
      let line = pixels[start..<start + header.width * 4]
      guard isFromRight else {
        result += line
        continue
      }
      for place in stride(from: line.endIndex - 4, through: line.startIndex, by: -4) {
        result += line[place..<place + 4]
      }
    }
    return result
  }
}
