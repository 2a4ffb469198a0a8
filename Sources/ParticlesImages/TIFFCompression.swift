internal import ParticlesCore

/// The compression of the strips of a TIFF file.
enum TIFFCompression {
  case none, lzw, packBits, deflate

  /// Creates the compression from the value of tag 259.
  init(_ number: Int) throws {
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

  /// Whether the predictor tag applies; it is ignored for other compressions.
  var mayPredict: Bool { self == .lzw || self == .deflate }

  /// Decompresses a strip to at most `count` bytes; fewer if it ends before.
  func unpack(_ strip: ArraySlice<UInt8>, count: Int) throws -> [UInt8] {
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
  private static func lzw(_ strip: ArraySlice<UInt8>, count: Int) throws -> [UInt8] {
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
