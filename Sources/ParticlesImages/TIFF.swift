package import ParticlesCore

/// Baseline TIFF files (revision 6.0) as effects embed them: 8-bit gray, RGB or RGBA in strips.
/// libtiff is not used: its attack surface is much larger than this subset.
package enum TIFF {
  /// Decodes the first picture of a file to 8-bit RGBA.
  ///
  /// Supports no compression, LZW, PackBits and Deflate, horizontal prediction, interleaved and
  /// planar components, and straight and premultiplied alpha.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/image``, also for files of
  ///   another kind, or of ``ParticlesCore/Rule/limit`` if it has more pixels than the limits allow.
  package static func decode(_ bytes: [UInt8], limits: Limits = .standard) throws(Failure) -> Bitmap
  {
    let layout = try TIFFLayout(TIFFDirectory(bytes), limits: limits)
    var pixels = [UInt8](repeating: 255, count: layout.width * layout.height * 4)
    for (number, strip) in try layout.strips(of: bytes.count).enumerated() {
      try WorkBudget.checkCancellation()
      let content = try layout.unpack(strip, number: number, of: bytes)
      layout.place(content, from: strip, in: &pixels)
    }
    var bitmap = Bitmap(width: layout.width, height: layout.height, pixels: pixels)
    if layout.alpha == .multiplied { bitmap.divideByAlpha() }
    return bitmap
  }
}

/// The integer entries of the first directory of a TIFF file.
package struct TIFFDirectory: Sendable {
  /// Where the values of a tag begin, how many bytes each has, and how many there are.
  private struct Place {
    let start: Int
    let size: Int
    let count: Int
  }

  private let bytes: [UInt8]
  private let isLittle: Bool
  /// The values of each tag. They are read on request, because many tags may share many bytes.
  private var places: [Int: Place] = [:]

  package init(_ bytes: [UInt8]) throws(Failure) {
    self.bytes = bytes
    var reader = ByteReader(bytes, rule: .image)
    let order = Array(try reader.read(2))
    let isLittle = order == [0x49, 0x49]
    self.isLittle = isLittle
    func number(_ size: Int) throws(Failure) -> Int {
      Int(size: try isLittle ? reader.littleEndian(size) : reader.bigEndian(size))
    }
    guard isLittle || order == [0x4D, 0x4D], try number(2) == 42 else {
      throw Diagnostic(.image, at: .offset(0), expected: "a TIFF header: 'II' or 'MM', then 42")
    }
    try reader.seek(to: number(4))
    for _ in 0..<(try number(2)) {
      let (tag, type, count) = try (number(2), number(2), number(4))
      let next = reader.position + 4
      // 1, 3 and 4 are whole numbers of 1, 2 and 4 bytes. No tag of interest has another type.
      if let size = [1: 1, 3: 2, 4: 4][type], count > 0 {
        guard count <= bytes.count / size else {
          throw reader.failure(
            "tag \(tag) has more values than the file has bytes", found: "\(count)")
        }
        if size * count > 4 { try reader.seek(to: number(4)) }
        places[tag] = Place(start: reader.position, size: size, count: count)
        try reader.seek(to: reader.position + size * count)
      }
      try reader.seek(to: next)
    }
  }

  /// The values of a tag, or nil if it is absent.
  package subscript(tag: Int) -> [Int]? {
    guard let place = places[tag] else { return nil }
    return (0..<place.count).map { index in
      let start = place.start + index * place.size
      let value = bytes[start..<(start + place.size)]
      let number: UInt32 =
        isLittle
        ? value.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        : value.reduce(0) { $0 << 8 | UInt32($1) }
      return Int(size: number)
    }
  }
}

extension Bitmap {
  /// Divides colours by alpha.
  fileprivate mutating func divideByAlpha() {
    mapColors { color, alpha in
      alpha == 0 ? 0 : UInt8(min(255, (Int(color) * 255 + Int(alpha) / 2) / Int(alpha)))
    }
  }
}

/// The compression of the strips of a TIFF file.
enum TIFFCompression {
  case none, lzw, packBits, deflate

  /// Creates the compression from the value of tag 259.
  init(_ number: Int) throws(Failure) {
    switch number {
    case 1: self = .none
    case 5: self = .lzw
    case 8, 32946: self = .deflate
    case 32773: self = .packBits
    default:
      throw Diagnostic(
        .image, expected: "no compression, LZW, PackBits or Deflate",
        found: "compression \(number)")
    }
  }

  /// Whether the predictor tag applies. For other compressions, it is ignored.
  var mayPredict: Bool { self == .lzw || self == .deflate }

  /// Decompresses a strip to at most `count` bytes, or fewer if it ends before.
  func unpack(_ strip: ArraySlice<UInt8>, count: Int) throws(Failure) -> [UInt8] {
    switch self {
    case .none: Array(strip.prefix(count))
    case .lzw: try Self.lzw(strip, count: count)
    case .packBits: Self.packBits(strip, count: count)
    case .deflate: try Zlib.inflate(Array(strip), limit: count, rule: .image)
    }
  }

  /// Runs: a byte n from 0 to 127 and n + 1 bytes, or one from −1 to −127 and a byte that
  /// represents 1 − n repetitions.
  private static func packBits(_ strip: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    var output: [UInt8] = []
    var rest = strip
    while output.count < count, let head = rest.popFirst() {
      let length = Int(Int8(bitPattern: head))
      if length >= 0 {
        output += rest.prefix(length + 1)
        rest = rest.dropFirst(length + 1)
      } else if length > -128, let byte = rest.popFirst() {
        output += repeatElement(byte, count: 1 - length)
      }
    }
    return Array(output.prefix(count))
  }

  private static let clear = 256
  private static let end = 257

  /// Codes of 9 to 12 bits, most significant bit first, each one bit wider one code earlier than
  /// would be needed.
  private static func lzw(_ strip: ArraySlice<UInt8>, count: Int) throws(Failure) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(count)
    // Each code is a range of the output so far: its start and length.
    var strings = [(start: Int, length: Int)](repeating: (0, 0), count: 4096)
    var next = 258
    var width = 9
    var previous: (start: Int, length: Int)?
    var (bits, bitCount, place) = (0, 0, strip.startIndex)
    while output.count < count {
      while bitCount < width, place < strip.endIndex {
        bits = bits << 8 | Int(strip[place])
        bitCount += 8
        place += 1
      }
      guard bitCount >= width else { break }
      let code = bits >> (bitCount - width)
      bitCount -= width
      bits &= 1 << bitCount - 1
      if code == end { break }
      if code == clear {
        (next, width, previous) = (258, 9, nil)
        continue
      }
      let start = output.count
      guard code < 256 || code < next || (code == next && previous != nil) else {
        throw Diagnostic(.image, at: .offset(place), "the LZW code is not defined")
      }
      if let previous, next < 4096 {
        // The previous string and the first byte of this one, which follows it in the output.
        strings[next] = (previous.start, previous.length + 1)
        next += 1
        if next + 1 >= 1 << width, width < 12 { width += 1 }
      }
      if code < 256 {
        output.append(UInt8(code))
        previous = (start, 1)
      } else {
        let source = strings[code]
        for offset in 0..<min(source.length, count - start) {
          output.append(output[source.start + offset])
        }
        previous = (start, source.length)
      }
    }
    return output
  }
}

/// The layout of the pixels in a TIFF file, from its tags.
struct TIFFLayout {
  /// The meaning of the first sample after the samples of the colour.
  enum Alpha { case none, straight, multiplied }

  let width: Int
  let height: Int
  let alpha: Alpha

  private let samples: Int
  /// Samples that are colour: one for gray, three for RGB.
  private let colors: Int
  private let isInverted: Bool
  private let isPlanar: Bool
  private let predicts: Bool
  private let rowsPerStrip: Int
  private let compression: TIFFCompression
  private let offsets: [Int]
  private let counts: [Int]?

  /// A strip: some rows of the picture, of all samples or, in planes, of one.
  struct Strip {
    var rows: Range<Int>
    var plane: Int
    var bytes: Range<Int>
  }

  init(_ directory: TIFFDirectory, limits: Limits) throws(Failure) {
    func first(_ tag: Int, _ standard: Int) -> Int { directory[tag]?.first ?? standard }
    func fault(_ expected: String, _ found: String) -> Diagnostic {
      Diagnostic(.image, expected: expected, found: found)
    }
    (width, height) = (first(256, 0), first(257, 0))
    guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height) else {
      throw fault("a width and height of at least 1", "\(width) × \(height)")
    }
    try limits.checkImage(width: width, height: height)

    samples = first(277, 1)
    let photometric = first(262, -1)
    guard (0...2).contains(photometric) else {
      throw fault("gray or RGB", "photometric interpretation \(photometric)")
    }
    colors = photometric == 2 ? 3 : 1
    guard (colors...colors + 4).contains(samples) else {
      throw fault("\(colors) samples of colour, then optional alpha", "\(samples) samples")
    }
    let bits = directory[258] ?? [1]
    guard bits.allSatisfy({ $0 == 8 }), first(339, 1) == 1 else {
      let found = bits.prefix(8).map { "\($0)" }.joined(separator: ", ")
      throw fault("samples of 8 bits", "[\(found)] bits")
    }
    isInverted = photometric == 0
    alpha = samples == colors ? .none : first(338, 2) == 1 ? .multiplied : .straight

    guard first(274, 1) == 1, first(266, 1) == 1 else {
      throw fault("rows from top to bottom", "another orientation")
    }
    guard directory[322] == nil, let offsets = directory[273] else {
      throw fault("strips", directory[322] == nil ? "none" : "tiles")
    }
    isPlanar = first(284, 1) == 2 && samples > 1
    compression = try TIFFCompression(first(259, 1))
    predicts = compression.mayPredict && first(317, 1) == 2
    guard !compression.mayPredict || (1...2).contains(first(317, 1)) else {
      throw fault("no or horizontal prediction", "predictor \(first(317, 1))")
    }
    rowsPerStrip = min(first(278, height), height)
    guard rowsPerStrip > 0 else { throw fault("rows in a strip", "0") }
    self.offsets = offsets
    counts = directory[279]
    let strips = (height + rowsPerStrip - 1) / rowsPerStrip * (isPlanar ? samples : 1)
    guard offsets.count >= strips, (counts?.count ?? strips) >= strips else {
      throw fault("\(strips) strips", "\(offsets.count)")
    }
    try limits.check(strips, { $0.objects }, "strips of an image")
  }

  /// The number of interleaved samples of a pixel.
  private var samplesBeside: Int { isPlanar ? 1 : samples }

  /// Returns the strips of a file, in the order of its list.
  func strips(of fileSize: Int) throws(Failure) -> [Strip] {
    let perPlane = (height + rowsPerStrip - 1) / rowsPerStrip
    var left = fileSize
    return try (0..<perPlane * (isPlanar ? samples : 1)).map { number throws(Failure) in
      let top = number % perPlane * rowsPerStrip
      let rows = top..<min(top + rowsPerStrip, height)
      let start = offsets[number]
      let plain = compression == .none ? size(of: rows) : fileSize - start
      let count = counts?[number] ?? max(0, plain)
      guard start <= fileSize, count <= fileSize - start else {
        throw Diagnostic(
          .image, at: .offset(start), "strip \(number) extends beyond the end of the file",
          expected: "at most \(max(0, fileSize - start)) bytes", found: "\(count)")
      }
      // Overlapping strips would let a small file decompress to a huge picture.
      left -= count
      guard left >= 0 else {
        throw Diagnostic(.image, at: .offset(start), "strip \(number) overlaps others")
      }
      return Strip(rows: rows, plane: number / perPlane, bytes: start..<start + count)
    }
  }

  /// Returns the size of some rows of a strip in bytes.
  private func size(of rows: Range<Int>) -> Int { rows.count * width * samplesBeside }

  /// Returns the samples of a strip.
  func unpack(_ strip: Strip, number: Int, of bytes: [UInt8]) throws(Failure) -> [UInt8] {
    let size = size(of: strip.rows)
    var content = try locating(.offset(strip.bytes.lowerBound)) { () throws(Failure) in
      try compression.unpack(bytes[strip.bytes], count: size)
    }
    guard content.count == size else {
      throw Diagnostic(
        .image, at: .offset(strip.bytes.lowerBound), "strip \(number) is too short",
        expected: "\(size) bytes", found: "\(content.count)")
    }
    if predicts { undoPrediction(of: &content) }
    return content
  }

  /// With prediction, a sample is stored as the difference from the sample of the previous pixel.
  private func undoPrediction(of content: inout [UInt8]) {
    let (row, step) = (width * samplesBeside, samplesBeside)
    for start in stride(from: 0, to: content.count, by: row) {
      for index in start + step..<max(start + row, start + step) {
        content[index] &+= content[index - step]
      }
    }
  }

  /// Copies the samples of a strip into RGBA pixels.
  func place(_ content: [UInt8], from strip: Strip, in pixels: inout [UInt8]) {
    var pixel = strip.rows.lowerBound * width * 4
    let mask: UInt8 = isInverted ? 255 : 0
    for start in stride(from: 0, to: content.count, by: samplesBeside) {
      for offset in 0..<samplesBeside {
        let sample = strip.plane + offset
        let value = content[start + offset]
        if sample == colors {
          pixels[pixel + 3] = value
        } else if colors == 3, sample < 3 {
          pixels[pixel + sample] = value
        } else if sample == 0 {
          for channel in 0..<3 { pixels[pixel + channel] = value ^ mask }
        }
      }
      pixel += 4
    }
  }
}
