internal import ParticlesCore

/// The layout of the pixels in a TIFF file, from its tags.
struct TIFFLayout {
  /// The meaning of the first sample after those of the colour.
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

  init(_ directory: TIFFDirectory, limits: Limits) throws {
    func first(_ tag: Int, _ standard: Int) -> Int { directory[tag]?.first ?? standard }
    func fault(_ expected: String, _ found: String) -> Diagnostic {
      Diagnostic(.image, expected: expected, found: found)
    }
    (width, height) = (first(256, 0), first(257, 0))
    guard (1..<1 << 31).contains(width), (1..<1 << 31).contains(height) else {
      throw fault("a width and height of at least 1", "\(width) × \(height)")
    }
    try limits.checkImage(width * height)

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
      throw fault("samples of 8 bits", "\(bits.prefix(8)) bits")
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
    try limits.check(strips, \.objects, "strips of an image")
  }

  /// The number of interleaved samples of a pixel.
  private var samplesBeside: Int { isPlanar ? 1 : samples }

  /// Returns the strips of a file, in the order of its list.
  func strips(of fileSize: Int) throws -> [Strip] {
    let perPlane = (height + rowsPerStrip - 1) / rowsPerStrip
    var left = fileSize
    return try (0..<perPlane * (isPlanar ? samples : 1)).map { number in
      let top = number % perPlane * rowsPerStrip
      let rows = top..<min(top + rowsPerStrip, height)
      let start = offsets[number]
      let plain = compression == .none ? size(of: rows) : fileSize - start
      let count = counts?[number] ?? max(0, plain)
      guard start + count <= fileSize else {
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
  func unpack(_ strip: Strip, number: Int, of bytes: [UInt8]) throws -> [UInt8] {
    let size = size(of: strip.rows)
    var content = try locating(.offset(strip.bytes.lowerBound)) {
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

  /// With prediction, a sample is stored as the difference from that of the previous pixel.
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
