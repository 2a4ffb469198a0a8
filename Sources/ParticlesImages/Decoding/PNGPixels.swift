internal import ParticlesCore

// MARK: Rows

/// Reads the rows of a pass and undoes their filters.
struct PNGRowReader {
  /// The type of the filter, and the samples.
  private var (row, above): ([UInt8], [UInt8])
  /// The number of bytes of a row.
  private let size: Int
  /// Bytes from a sample to the sample in the next pixel, at least 1.
  private let distance: Int

  init(columns: Int, bits: Int) {
    (size, distance) = ((columns * bits + 7) / 8, (bits + 7) / 8)
    row = [UInt8](repeating: 0, count: 1 + size)
    above = row
  }

  /// Reads the next row.
  mutating func read(_ data: PNGData, _ body: (UnsafePointer<UInt8>) -> Void) throws(Failure) {
    swap(&row, &above)
    try row.withUnsafeMutableBufferPointer { row throws(Failure) in try data.read(into: row) }
    guard row[0] <= 4 else { throw Diagnostic(.image, "a filter that is not known") }
    let (type, size, distance) = (row[0], size, distance)
    row.withUnsafeMutableBufferPointer { row in
      above.withUnsafeBufferPointer { above in
        // Rows are never empty.
        guard let row = row.baseAddress, let above = above.baseAddress else { return }
        Self.unfilter(type, row + 1, above + 1, size, distance)
        body(UnsafePointer(row + 1))
      }
    }
  }

  /// Adds what the filter predicts from the samples to the left, above, and at the corner between them. Samples of the
  /// first pixel have none to the left.
  private static func unfilter(
    _ type: UInt8, _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ size: Int,
    _ distance: Int
  ) {
    switch type {
    case 0: break
    case 2: for index in 0..<size { row[index] &+= above[index] }
    case 1: add(row, above, size, distance) { left, _, _ in left }
    case 3: add(row, above, size, distance) { left, above, _ in (left &+ above) &>> 1 }
    default: add(row, above, size, distance, nearest)
    }
  }

  /// Returns the neighbour that is nearest to left + above − corner.
  @inline(__always)
  private static func nearest(_ left: Int32, _ above: Int32, _ corner: Int32) -> Int32 {
    func size(_ number: Int32) -> Int32 { max(number, 0 &- number) }
    let (a, b) = (above &- corner, left &- corner)
    let (toLeft, toAbove, toCorner) = (size(a), size(b), size(a &+ b))
    let other = toAbove <= toCorner ? above : corner
    return toLeft <= min(toAbove, toCorner) ? left : other
  }

  /// Adds predictions to the samples of each channel, which do not depend on other channels.
  @inline(__always)
  private static func add(
    _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ size: Int,
    _ distance: Int, _ predict: (_ left: Int32, _ above: Int32, _ corner: Int32) -> Int32
  ) {
    for channel in 0..<distance {
      var (left, corner) = (Int32(0), Int32(0))
      var place = channel
      while place < size {
        let top = Int32(above[place])
        left = (Int32(row[place]) &+ predict(left, top, corner)) & 255
        row[place] = UInt8(truncatingIfNeeded: left)
        (corner, place) = (top, place &+ distance)
      }
    }
  }
}

/// Turns rows into pixels.
struct PNGPainter {
  private let kind: Int
  private let depth: Int
  /// The pixel of each number, for palettes and for gray with at most 8 bits.
  private var colors: [UInt32] = []
  /// The samples of the colour that is transparent. None if there is no such colour.
  private var transparent: [Int] = []
  /// The 8 bits for each sample. Empty if samples stay as they are, or are only shortened.
  private var tones: [UInt8] = []
  /// Bits of a long sample that do not count for its tone.
  private var shift = 0

  init(_ head: PNGHead) {
    (kind, depth) = (head.kind, head.depth)
    let gamma = head.gamma.value ?? (depth == 16 ? PNGGamma.linear : PNGGamma.sRGB)
    if PNGGamma.differs(gamma, 220_000, PNGGamma.linear) {
      if depth == 16 {
        // Tables for more bits would take longer than most pictures.
        shift = min(max(16 - (head.significantBits == 0 ? 16 : head.significantBits), 5), 8)
        tones = PNGGamma.tones(gamma, bits: 16 - shift)
      } else {
        tones = PNGGamma.tones(gamma)
      }
    }
    func tone(_ value: Int) -> UInt8 { tones.isEmpty ? UInt8(value) : tones[value] }
    let transparency = head.transparency
    if kind == 3 {
      // Numbers that the palette does not have are black.
      colors = [UInt32](repeating: 0xFF00_0000, count: 256)
      for number in 0..<head.palette.count / 3 {
        let parts = (0..<3).map { tone(Int(head.palette[3 * number + $0])) }
        let alpha = number < transparency.count ? transparency[number] : 255
        colors[number] = pixel(parts[0], parts[1], parts[2], alpha)
      }
      return
    }
    transparent = stride(from: 0, to: transparency.count, by: 2).map {
      PNGHead.number(transparency, $0, 2) & (1 << head.depth - 1)
    }
    if kind == 0, depth <= 8 {
      let most = 1 << depth - 1
      colors = (0...most).map { number in
        let gray = tone(number * 255 / most)
        return pixel(gray, gray, gray, [number] == transparent ? 0 : 255)
      }
    }
  }

  /// Paints the pixels of a row.
  /// - Parameters:
  ///   - target: the first of the pixels.
  ///   - step: the bytes to the next pixel.
  func paint(
    _ row: UnsafePointer<UInt8>, count: Int, on target: UnsafeMutableRawPointer, step: Int
  ) {
    @inline(__always)
    func put(_ pixel: (Int) -> UInt32) {
      for index in 0..<count {
        (target + index * step).storeBytes(of: pixel(index).littleEndian, as: UInt32.self)
      }
    }
    @inline(__always)
    func long(_ sample: Int) -> Int { Int(row[2 * sample]) << 8 | Int(row[2 * sample + 1]) }
    @inline(__always)
    func short(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: (value * 255 + 32_895) >> 16) }
    @inline(__always)
    func putSamples(_ tone: (Int) -> UInt8, _ alpha: (Int) -> UInt8) {
      switch kind {
      case 0:
        put {
          let gray = tone($0)
          return pixel(gray, gray, gray, 255)
        }
      case 2: put { pixel(tone(3 * $0), tone(3 * $0 + 1), tone(3 * $0 + 2), 255) }
      case 4:
        put {
          let gray = tone(2 * $0)
          return pixel(gray, gray, gray, alpha(2 * $0 + 1))
        }
      default: put { pixel(tone(4 * $0), tone(4 * $0 + 1), tone(4 * $0 + 2), alpha(4 * $0 + 3)) }
      }
    }
    tones.withUnsafeBufferPointer { tones in
      colors.withUnsafeBufferPointer { colors in
        switch (depth, tones.isEmpty) {
        case _ where depth < 8:
          let mask = UInt8(1 << depth - 1)
          put { index in
            let bit = index * depth
            return colors[Int(row[bit >> 3] >> UInt8(8 - depth - bit & 7) & mask)]
          }
        case (8, _) where !colors.isEmpty: put { colors[Int(row[$0])] }
        case (8, true) where kind == 6:
          put {
            UInt32(littleEndian: UnsafeRawPointer(row + 4 * $0).loadUnaligned(as: UInt32.self))
          }
        case (8, true): putSamples({ row[$0] }, { row[$0] })
        case (8, false): putSamples({ tones[Int(row[$0])] }, { row[$0] })
        case (_, true): putSamples({ short(long($0)) }, { short(long($0)) })
        default: putSamples({ tones[long($0) >> shift] }, { short(long($0)) })
        }
      }
    }
    guard !transparent.isEmpty, colors.isEmpty else { return }
    pixels: for index in 0..<count {
      for (part, wanted) in transparent.enumerated() {
        let sample = index * transparent.count + part
        if (depth == 8 ? Int(row[sample]) : long(sample)) != wanted { continue pixels }
      }
      (target + index * step + 3).storeBytes(of: 0, as: UInt8.self)
    }
  }
}

@inline(__always)
private func pixel(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8) -> UInt32 {
  UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
}

// MARK: Gamma

/// How samples are encoded. Numbers are times 100000, as in files.
struct PNGGamma {
  /// Nil if the file does not state it.
  private(set) var value: Int?

  private var (isSRGB, isStated) = (false, false)
  /// Whether chunks contradict each other. Then no later one counts.
  private var isDoubtful = false

  /// The value that is near to sRGB, and that of linear light.
  static let (sRGB, linear) = (45_455, 100_000)

  /// Whether a × b ∕ c is so far from 1 that samples are converted.
  static func differs(_ a: Int, _ b: Int, _ c: Int) -> Bool {
    isSignificant((Double(a) * Double(b) / Double(c) + 0.5).rounded(.down))
  }

  private static func isSignificant(_ number: Double) -> Bool {
    number < 95_000 || number > 105_000
  }

  /// The value of `gAMA`.
  mutating func set(_ stated: Int) {
    guard (16...625_000_000).contains(stated), !isStated else {
      isDoubtful = true
      return
    }
    // `sRGB` counts more than another value.
    if isDoubtful || isSRGB && Self.differs(Self.sRGB, Self.linear, stated) { return }
    (value, isStated) = (stated, true)
  }

  /// sRGB, with an intent that is known.
  mutating func setSRGB(_ isKnown: Bool) {
    guard !isDoubtful else { return }
    guard !isSRGB, isKnown else {
      isDoubtful = true
      return
    }
    (value, isSRGB) = (Self.sRGB, true)
  }

  /// A colour profile. Some old and known ones are sRGB.
  mutating func set(profile content: [UInt8], hasColors: Bool) {
    guard !isDoubtful else { return }
    // A name, its end, and the method of compression.
    guard !isSRGB, let end = content.prefix(80).firstIndex(of: 0), end > 0, end + 1 < content.count,
      content[end + 1] == 0
    else {
      isDoubtful = true
      return
    }
    var source = content[(end + 2)...]
    let stream = InflateStream(.automatic, rule: .image) { source.move(to: $0) }
    func read(_ count: Int) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: count)
      let done = try? bytes.withUnsafeMutableBufferPointer { bytes throws(Failure) in
        try stream.read(into: UnsafeMutableRawBufferPointer(bytes))
      }
      return done == count ? bytes : nil
    }
    // The header of the profile. Colours need a profile of RGB.
    guard let start = read(132),
      PNGHead.number(start, 16, 4) == (hasColors ? 0x5247_4220 : 0x4752_4159)
    else {
      isDoubtful = true
      return
    }
    let size = PNGHead.number(start, 0, 4)
    if let checksums = Self.profiles[size], let rest = read(size - 132),
      checksums.contains(CRC32.checksum(start + rest))
    {
      setSRGB(true)
    }
  }

  /// Sizes and checksums of the profiles that libpng takes for sRGB.
  private static let profiles: [Int: [UInt32]] = [
    3048: [0x3B87_72B9], 3052: [0x427E_BB21], 60_988: [0x306F_D8AE], 60_960: [0xBBEF_7812],
    3024: [0x5D51_29CE], 3144: [0x182E_A552, 0xF29E_526D],
  ]

  /// Returns sRGB of each sample with 8 bits.
  static func tones(_ gamma: Int) -> [UInt8] {
    let exponent = (1e15 / Double(gamma) / 220_000 + 0.5).rounded(.down)
    guard isSignificant(exponent) else { return Array(0...255) }
    return (0...255).map { sample in
      UInt8(saturating: 255 * power(Double(sample) / 255, exponent * 0.00001) + 0.5)
    }
  }

  /// Returns sRGB of each sample with 8 to 11 bits.
  static func tones(_ gamma: Int, bits: Int) -> [UInt8] {
    let exponent = (Double(gamma) * 1e-5 * 220_000 + 0.5).rounded(.down)
    let most = 1 << bits - 1
    var tones: [UInt8] = []
    for tone in 0..<255 {
      // The last sample that is nearer to this tone than to the next one.
      let light = power(Double(tone * 257 + 128) / 65_535, exponent * 0.00001)
      let bound = (Int(saturating: 65_535 * light + 0.5) * most + 32_768) / 65_535
      while tones.count <= bound { tones.append(UInt8(tone)) }
    }
    return tones + [UInt8](repeating: 255, count: most + 1 - tones.count)
  }
}
