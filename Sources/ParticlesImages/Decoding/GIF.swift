internal import ParticlesCore

/// GIF files (versions 87a and 89a). The first frame is read.
///
/// A reader of our own: giflib has no bounds on the size of pictures.
enum GIF {
  private struct Frame {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    var isInterlaced: Bool
  }

  /// Decodes the first frame in its place on the screen. Around the frame, the screen is transparent. It grows if the
  /// frame is larger.
  static func decode(_ bytes: [UInt8], limits: Limits) throws(Failure) -> Bitmap {
    var reader = ByteReader(bytes, rule: .image)
    try reader.seek(to: 6)
    let (width, height) = try (number(&reader), number(&reader))
    try limits.checkImage(width: width, height: height)
    let flags = try reader.byte()
    _ = try reader.read(2)
    let shared = try colors(flags, &reader)
    var transparent: Int?
    while true {
      switch try reader.byte() {
      case 0x21:
        let label = try reader.byte()
        let content = try blocks(&reader)
        if label == 0xF9, content.count >= 4 {
          transparent = content[0] & 1 == 0 ? nil : Int(content[3])
        }
      case 0x2C:
        let (x, y) = try (number(&reader), number(&reader))
        let (ownWidth, ownHeight) = try (number(&reader), number(&reader))
        let flags = try reader.byte()
        let frame = Frame(
          x: x, y: y, width: ownWidth, height: ownHeight, isInterlaced: flags & 0x40 != 0)
        guard let colors = try colors(flags, &reader) ?? shared else {
          throw reader.failure("a frame without a table of colours")
        }
        guard frame.width > 0, frame.height > 0 else {
          throw reader.failure("a frame without pixels")
        }
        let screen = (max(width, frame.x + frame.width), max(height, frame.y + frame.height))
        try limits.checkImage(screen.0 * screen.1)
        let numbers = try unpack(&reader, count: frame.width * frame.height)
        var bitmap = Bitmap(width: screen.0, height: screen.1)
        draw(numbers, frame, colors, transparent, on: &bitmap)
        return bitmap
      case let mark: throw reader.failure("expected a frame", found: "0x\([mark].hexDigits)")
      }
    }
  }

  private static func number(_ reader: inout ByteReader) throws(Failure) -> Int {
    Int(size: try reader.littleEndian(2))
  }

  /// The table of colours that the flags of a screen or frame announce, 3 bytes for each. Nil if there is none.
  private static func colors(_ flags: UInt8, _ reader: inout ByteReader) throws(Failure) -> [UInt8]?
  {
    flags & 0x80 == 0 ? nil : Array(try reader.read(3 << (Int(flags & 7) + 1)))
  }

  /// The contents of blocks of at most 255 bytes up to an empty one.
  private static func blocks(_ reader: inout ByteReader) throws(Failure) -> [UInt8] {
    var content: [UInt8] = []
    while case let count = Int(try reader.byte()), count > 0 { content += try reader.read(count) }
    return content
  }

  /// Unpacks the numbers of the colours of a frame, row by row (LZW with codes of 2 to 12 bits).
  private static func unpack(_ reader: inout ByteReader, count: Int) throws(Failure) -> [UInt8] {
    let bits = Int(try reader.byte())
    guard (1...8).contains(bits) else {
      throw reader.failure("bits of a colour", expected: "1 to 8", found: "\(bits)")
    }
    var codes = GIFCodes(try allBlocks(&reader), bits: bits)
    var numbers: [UInt8] = []
    numbers.reserveCapacity(count)
    while numbers.count < count {
      guard try codes.next(into: &numbers, most: count) else {
        throw reader.failure("pixels are missing", expected: "\(count)", found: "\(numbers.count)")
      }
    }
    return numbers
  }

  /// The blocks of a frame. The last block, and the empty one after it, may be missing: then pixels may be missing, too.
  private static func allBlocks(_ reader: inout ByteReader) throws(Failure) -> [UInt8] {
    var content: [UInt8] = []
    while !reader.isAtEnd, case let count = Int(try reader.byte()), count > 0 {
      content += try reader.read(min(count, reader.remaining))
    }
    return content
  }

  private static func draw(
    _ numbers: [UInt8], _ frame: Frame, _ colors: [UInt8], _ transparent: Int?,
    on bitmap: inout Bitmap
  ) {
    var table = [UInt8](repeating: 0, count: 1024)
    for number in 0..<256 {
      if 3 * number + 2 < colors.count {
        for part in 0..<3 { table[4 * number + part] = colors[3 * number + part] }
      }
      table[4 * number + 3] = number == transparent ? 0 : 255
    }
    var place = 0
    for row in rows(of: frame) {
      var target = ((frame.y + row) * bitmap.width + frame.x) * 4
      for _ in 0..<frame.width {
        let color = Int(numbers[place]) * 4
        for part in 0..<4 { bitmap.pixels[target + part] = table[color + part] }
        place += 1
        target += 4
      }
    }
  }

  /// The rows of a frame in the order in which a file has them.
  private static func rows(of frame: Frame) -> [Int] {
    guard frame.isInterlaced else { return Array(0..<frame.height) }
    return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
      stride(from: first, to: frame.height, by: step)
    }
  }
}

/// The codes of a frame. A code is short for a run of numbers that was unpacked before, so the table has places in the
/// output instead of the runs.
private struct GIFCodes {
  private static let most = 4096

  private let bytes: [UInt8]
  private let bits: Int
  private var place = 0
  private var (rest, restBits) = (0, 0)

  private var starts = [Int](repeating: 0, count: most)
  private var lengths = [Int](repeating: 0, count: most)
  private var (known, size) = (0, 0)
  /// The run of the previous code, or nil after the table was emptied.
  private var previous: (start: Int, length: Int)?

  init(_ bytes: [UInt8], bits: Int) {
    (self.bytes, self.bits) = (bytes, bits)
    empty()
  }

  private mutating func empty() {
    (known, size, previous) = ((1 << bits) + 2, bits + 1, nil)
  }

  /// Appends the run of the next code.
  /// - Parameter most: the numbers that the frame has. Further numbers are left out.
  /// - Returns: false at the end.
  /// - Throws: ``Rule/image`` for a code that has no run yet.
  mutating func next(into numbers: inout [UInt8], most: Int) throws(Failure) -> Bool {
    while restBits < size {
      guard place < bytes.count else { return false }
      rest |= Int(bytes[place]) << restBits
      (place, restBits) = (place + 1, restBits + 8)
    }
    let code = rest & ((1 << size) - 1)
    (rest, restBits) = (rest >> size, restBits - size)
    let clear = 1 << bits
    if code == clear {
      empty()
      return true
    }
    guard code != clear + 1 else { return false }
    // The previous run and the first number of this run, which follows it in the output, form a new run.
    if let previous, known < Self.most {
      (starts[known], lengths[known]) = (previous.start, previous.length + 1)
      known += 1
      if known == 1 << size, size < 12 { size += 1 }
    }
    let start = numbers.count
    if code < clear {
      numbers.append(UInt8(code))
    } else {
      guard code < known else {
        throw Diagnostic(
          .image, "a code without a run", expected: "less than \(known)", found: "\(code)")
      }
      // One at a time, because a run may reach into itself.
      for index in 0..<min(lengths[code], most - start) {
        numbers.append(numbers[starts[code] + index])
      }
    }
    previous = (start, numbers.count - start)
    return true
  }
}
