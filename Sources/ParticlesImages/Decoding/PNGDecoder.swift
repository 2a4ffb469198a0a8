internal import ParticlesCore

/// PNG files (ISO 15948), decoded by code of our own: the tool and pages have one decoder, and it takes fewer instructions
/// than libpng.
///
/// Pixels and verdicts are those of libpng's simplified interface when it is asked for 8-bit RGBA. Faults that libpng
/// only warns of are no errors here either. `PNGDecoderTests` lists the corners that differ.
enum PNGDecoder {
  static func decode(_ bytes: [UInt8], limits: Limits) throws(Failure) -> Bitmap {
    let head = try PNGHead(bytes)
    try limits.checkImage(width: head.width, height: head.height)
    return try decode(head, PNGData(bytes, at: head.end))
  }

  /// Decodes a picture whose size was checked.
  static func decode(_ head: PNGHead, _ data: PNGData) throws(Failure) -> Bitmap {
    var bitmap = Bitmap(width: head.width, height: head.height)
    let painter = PNGPainter(head)
    // Pixels since the last question whether the picture is still wanted.
    var unasked = Self.pixelsOfQuestion
    for pass in passes where head.isInterlaced == (pass.yStep > 1) {
      let columns = (head.width - pass.x + pass.xStep - 1) / pass.xStep
      guard columns > 0 else { continue }
      var rows = PNGRowReader(columns: columns, bits: head.samples * head.depth)
      for y in stride(from: pass.y, to: head.height, by: pass.yStep) {
        unasked += columns
        if unasked >= Self.pixelsOfQuestion {
          try WorkBudget.spend(work: 0, on: "the rows of a picture")
          unasked = 0
        }
        try rows.read(data) { row in
          bitmap.pixels.withUnsafeMutableBytes { pixels in
            guard let target = pixels.baseAddress else { return }
            painter.paint(
              row, count: columns, on: target + (y * head.width + pass.x) * 4,
              step: pass.xStep * 4)
          }
        }
      }
    }
    try data.end()
    return bitmap
  }

  private static let pixelsOfQuestion = 1 << 14

  /// The first pixel of each pass, and the steps to the next ones. The last pass is for files without interlacing.
  private static let passes: [(x: Int, y: Int, xStep: Int, yStep: Int)] = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
    (0, 0, 1, 1),
  ]
}

// MARK: Chunks

/// The beginning of a chunk.
private struct PNGChunk {
  /// Its bytes.
  static let beginning = 8

  let start: Int
  let length: Int
  /// The four letters as a number.
  let name: UInt32

  init(_ reader: inout ByteReader) throws(Failure) {
    start = reader.position
    length = Int(size: try reader.bigEndian(4))
    name = UInt32(try reader.bigEndian(4))
  }

  /// Whether a reader that does not know the chunk has to give up: its name begins with a capital letter.
  var isCritical: Bool { name & 0x2000_0000 == 0 }

  /// Reads the rest of the chunk.
  /// - Returns: nil if the checksum is wrong.
  /// - Throws: also for a wrong checksum if the chunk is critical.
  func content(_ bytes: [UInt8], _ reader: inout ByteReader) throws(Failure) -> ArraySlice<UInt8>? {
    let content = try reader.read(length)
    let checksum = UInt32(try reader.bigEndian(4))
    if CRC32.checksum(bytes[start + 4..<content.endIndex]) == checksum { return content }
    if isCritical { throw reader.failure("a chunk has the wrong checksum") }
    return nil
  }

  static let (header, palette, data): (UInt32, UInt32, UInt32) =
    (0x4948_4452, 0x504C_5445, 0x4944_4154)
  static let (transparency, gamma, sRGB): (UInt32, UInt32, UInt32) =
    (0x7452_4E53, 0x6741_4D41, 0x7352_4742)
  static let (significantBits, profile, colors): (UInt32, UInt32, UInt32) =
    (0x7342_4954, 0x6943_4350, 0x6348_524D)
  /// Those that decoding looks at, besides critical ones.
  static let used = [transparency, gamma, sRGB, significantBits, profile, colors]
}

/// The chunks before the image data.
struct PNGHead {
  private(set) var (width, height) = (0, 0)
  /// Bits of a sample: 1, 2, 4, 8 or 16.
  private(set) var depth = 0
  /// 0 for gray, 2 for colours, 3 for a palette, 4 for gray with alpha, 6 for colours with alpha.
  private(set) var kind = 0
  private(set) var isInterlaced = false
  /// Red, green and blue of each colour.
  private(set) var palette: [UInt8] = []
  /// The content of `tRNS`.
  private(set) var transparency: [UInt8] = []
  private(set) var gamma = PNGGamma()
  /// How many bits of a sample count. 0 if all do.
  private(set) var significantBits = 0
  /// Where the chunks of image data begin.
  private(set) var end = 0

  private var (hasPalette, hasTransparency) = (false, false)

  /// The longest ancillary chunk that is read. Longer colour profiles belong to printers.
  private static let longest = 64 << 10

  /// The samples of a pixel.
  var samples: Int { [1, 0, 3, 1, 2, 0, 4][kind] }

  /// A number whose most significant byte is the first one.
  static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int {
    var number: UInt32 = 0
    for index in 0..<size { number = number << 8 | UInt32(bytes[place + index]) }
    return Int(clamping: number)
  }

  init(_ bytes: [UInt8]) throws(Failure) {
    var reader = ByteReader(bytes, rule: .image)
    guard bytes.starts(with: PNG.signature) else { throw reader.failure("no signature of PNG") }
    try reader.seek(to: PNG.signature.count)
    while true {
      let chunk = try PNGChunk(&reader)
      if chunk.name == PNGChunk.data { break }
      let content = try chunk.content(bytes, &reader)
      end = reader.position
      guard chunk.isCritical || chunk.length <= Self.longest && PNGChunk.used.contains(chunk.name)
      else { continue }
      guard (width == 0) == (chunk.name == PNGChunk.header) else {
        throw reader.failure("the header is not the first chunk, or not the only one")
      }
      switch chunk.name {
      case PNGChunk.header: try readHeader(Array(content ?? []), reader)
      case PNGChunk.palette where !hasPalette: try readPalette(content ?? [], reader)
      case _ where chunk.isCritical:
        throw reader.failure("a chunk that is not known, or out of place")
      default: if let content { readAncillary(chunk.name, Array(content)) }
      }
    }
    guard width > 0, kind != 3 || hasPalette else {
      throw reader.failure("image data without a \(width > 0 ? "palette" : "header")")
    }
  }

  private mutating func readHeader(_ content: [UInt8], _ reader: ByteReader) throws(Failure) {
    guard content.count == 13 else {
      throw reader.failure("the size of the header", expected: "13", found: "\(content.count)")
    }
    (width, height) = (Self.number(content, 0, 4), Self.number(content, 4, 4))
    (depth, kind, isInterlaced) = (Int(content[8]), Int(content[9]), content[12] == 1)
    // The limit of libpng.
    let most = 1_000_000
    guard (1...most).contains(width), (1...most).contains(height) else {
      throw reader.failure("the size", expected: "1 to \(most)", found: "\(width) × \(height)")
    }
    let isPossible =
      switch kind {
      case 0: [1, 2, 4, 8, 16].contains(depth)
      case 3: [1, 2, 4, 8].contains(depth)
      case 2, 4, 6: depth == 8 || depth == 16
      default: false
      }
    guard isPossible, content[10] == 0, content[11] == 0, content[12] <= 1 else {
      throw reader.failure("a kind of pixels, compression, filter or interlacing that is not known")
    }
  }

  private mutating func readPalette(_ content: ArraySlice<UInt8>, _ reader: ByteReader)
    throws(Failure)
  {
    hasPalette = true
    guard kind & 2 != 0 else { return }
    guard content.count <= 768, content.count % 3 == 0 else {
      if kind == 3 { throw reader.failure("the size of the palette", found: "\(content.count)") }
      return
    }
    guard !content.isEmpty else { throw reader.failure("a palette without colours") }
    palette = Array(content.prefix(kind == 3 ? 3 << depth : 768))
    // Transparency before the palette does not count.
    transparency = []
  }

  private mutating func readAncillary(_ name: UInt32, _ content: [UInt8]) {
    switch name {
    case PNGChunk.transparency: readTransparency(content)
    // The others do not count after the palette.
    case _ where hasPalette: break
    case PNGChunk.gamma where content.count == 4: gamma.set(Self.number(content, 0, 4))
    case PNGChunk.sRGB where content.count == 1: gamma.setSRGB(content[0] < 4)
    case PNGChunk.profile where content.count >= 14:
      gamma.set(profile: content, hasColors: kind & 2 != 0)
    case PNGChunk.significantBits where significantBits == 0:
      let most = kind == 3 ? 8 : depth
      guard content.count == (kind == 3 ? 3 : samples) else { break }
      for bits in content where bits == 0 || bits > most { return }
      significantBits = Int(content.prefix(kind & 2 == 0 ? 1 : 3).max() ?? 0)
    default: break
    }
  }

  private mutating func readTransparency(_ content: [UInt8]) {
    let isPossible =
      switch kind {
      case 0: content.count == 2
      case 2: content.count == 6
      case 3: !content.isEmpty && content.count <= palette.count / 3
      default: false
      }
    guard isPossible, !hasTransparency else { return }
    (transparency, hasTransparency) = (content, true)
  }
}

// MARK: Image data

/// The image data of a file, unpacked.
struct PNGData {
  private let next: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int

  /// Unpacks the chunks of image data.
  init(_ bytes: [UInt8], at start: Int) throws(Failure) {
    let chunks = try PNGDataChunks(bytes, at: start)
    let stream = InflateStream(.automatic, rule: .image) { buffer throws(Failure) in
      try chunks.read(into: buffer)
    }
    next = { buffer throws(Failure) in try stream.read(into: buffer) }
  }

  /// Rows that are unpacked.
  init(rows: [UInt8]) {
    var rest = rows[...]
    next = { buffer in rest.move(to: buffer) }
  }

  /// Fills a buffer.
  func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(Failure) {
    let count = try next(UnsafeMutableRawBufferPointer(buffer))
    guard count == buffer.count else { throw Diagnostic(.image, "rows are missing") }
  }

  /// Checks that the stream ends after the last row, with the right checksum, or goes on. Bytes after that row
  /// are not looked at.
  func end() throws(Failure) {
    var byte: [UInt8] = [0]
    _ = try byte.withUnsafeMutableBufferPointer { byte throws(Failure) in
      try next(UnsafeMutableRawBufferPointer(byte))
    }
  }
}

extension ArraySlice<UInt8> {
  /// Moves the first bytes to a buffer, as many as fit, and returns their number.
  mutating func move(to buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = prefix(buffer.count)
    buffer.copyBytes(from: piece)
    self = self[piece.endIndex...]
    return piece.count
  }
}

/// The contents of the chunks of image data, one after another.
private final class PNGDataChunks {
  private let bytes: [UInt8]
  private var reader: ByteReader
  private var content: ArraySlice<UInt8> = []

  init(_ bytes: [UInt8], at start: Int) throws(Failure) {
    self.bytes = bytes
    reader = ByteReader(bytes, rule: .image)
    try reader.seek(to: start)
    try next()
    // A stream of zlib, not of gzip.
    guard let first = content.first, first & 0x0F == 8 else {
      throw reader.failure("image data that is not compressed by deflate")
    }
  }

  /// Goes on to a chunk with content. There is none at the end.
  private func next() throws(Failure) {
    while content.isEmpty, reader.remaining >= PNGChunk.beginning {
      let chunk = try PNGChunk(&reader)
      if chunk.name == PNGChunk.data {
        content = try chunk.content(bytes, &reader) ?? []
      } else {
        try reader.seek(to: bytes.count)
      }
    }
  }

  /// Copies the next bytes to a buffer and returns their number, or 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    try next()
    return content.move(to: buffer)
  }
}
