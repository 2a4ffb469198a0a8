internal import ParticlesCore

/// The chunks of a PNG.
package enum PNGChunks {
  /// Returns a chunk: length, name, content and checksum.
  package static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    chunk(Array(name.utf8), content[...])
  }

  static func chunk(_ name: [UInt8], _ content: ArraySlice<UInt8>) -> [UInt8] {
    var writer = ByteWriter()
    writer.bigEndian(UInt64(content.count), 4)
    writer.write(name)
    writer.write(content)
    writer.bigEndian(UInt64(CRC32.checksum(writer.bytes.dropFirst(4))), 4)
    return writer.bytes
  }

  /// Whether these bytes are a complete PNG file whose chunks all have the right checksums.
  package static func areSound(in bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: PNG.signature) else { return false }
    var position = PNG.signature.count
    // Length, name and checksum.
    while bytes.count - position >= 12 {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { return false }
      let checksum = position + 8 + length
      let stated = bytes[checksum..<checksum + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard CRC32.checksum(bytes[(position + 4)..<checksum]) == stated else { return false }
      let isLast = bytes[(position + 4)..<(position + 8)].elementsEqual("IEND".utf8)
      position = checksum + 4
      if isLast { return position == bytes.count }
    }
    return false
  }
}

/// The compressed rows of a PNG (ISO 15948, 10), without the file around them: 8-bit RGBA, filtered row
/// by row and compressed by libdeflate. This is several times faster than libpng with zlib.
package final class PNGRows {
  private let deflate: Deflate
  private var filtered: [UInt8] = []
  private var candidate: [UInt8] = []

  /// Creates a compressor, to be used from one thread at a time.
  /// - Parameter level: the level of libdeflate, 1 to 12.
  package init(level: Int = 6) { deflate = Deflate(level: level) }

  /// Returns the zlib stream of a rectangle of a picture.
  package func compress(_ pixels: [UInt8], width: Int, _ rectangle: PixelRectangle) -> [UInt8] {
    let length = rectangle.x.count * 4
    let stride = length + 1
    filtered = [UInt8](repeating: 0, count: stride * rectangle.y.count)
    candidate = [UInt8](repeating: 0, count: length)
    let zeros = [UInt8](repeating: 0, count: length)
    pixels.withUnsafeBufferPointer { pixels in
      filtered.withUnsafeMutableBufferPointer { filtered in
        candidate.withUnsafeMutableBufferPointer { candidate in
          zeros.withUnsafeBufferPointer { zeros in
            for (number, y) in rectangle.y.enumerated() {
              let start = (y * width + rectangle.x.lowerBound) * 4
              let row = UnsafeBufferPointer(rebasing: pixels[start..<start + length])
              // There is nothing above the first row.
              let above =
                number == 0
                ? zeros
                : UnsafeBufferPointer(
                  rebasing: pixels[start - width * 4..<start - width * 4 + length])
              let place = number * stride
              Self.filter(
                row, above,
                to: UnsafeMutableBufferPointer(
                  rebasing: filtered[place..<place + stride]), candidate)
            }
          }
        }
      }
    }
    // Larger than any output of libdeflate, whose blocks of plain bytes add 5 bytes each.
    let limit = filtered.count + filtered.count / 1000 + 1024
    return filtered.withUnsafeBytes { deflate.zlib($0, limit: limit) } ?? []
  }

  /// Writes the type of the filter and the filtered row, with the filter that makes the smallest
  /// absolute differences, as libpng does.
  private static func filter(
    _ row: UnsafeBufferPointer<UInt8>, _ above: UnsafeBufferPointer<UInt8>,
    to output: UnsafeMutableBufferPointer<UInt8>, _ candidate: UnsafeMutableBufferPointer<UInt8>
  ) {
    var least = UInt64.max
    let best = UnsafeMutableBufferPointer(rebasing: output[1...])
    for type in 0..<5 {
      switch type {
      case 0: _ = candidate.update(fromContentsOf: row)
      case 1: subtract(row, candidate, first: { _ in 0 }) { row[$0 - 4] }
      case 2: subtract(row, candidate, first: { above[$0] }) { above[$0] }
      case 3:
        subtract(row, candidate, first: { above[$0] >> 1 }) { place in
          let (left, above) = (row[place - 4], above[place])
          // The mean, rounded down, without overflow.
          return left & above &+ (left ^ above) >> 1
        }
      default:
        subtract(row, candidate, first: { above[$0] }) { place in
          paeth(row[place - 4], above[place], above[place - 4])
        }
      }
      let sum = differences(candidate)
      if sum < least {
        least = sum
        output[0] = UInt8(type)
        _ = best.update(fromContentsOf: candidate)
        // The differences are all 0, as in a row that equals the row above. No filter makes smaller differences.
        if sum == 0 { return }
      }
    }
  }

  /// Returns the sum of the absolute differences. Parts of a row have sums of 32 bits, of which a vector holds many.
  private static func differences(_ candidate: UnsafeMutableBufferPointer<UInt8>) -> UInt64 {
    var sum: UInt64 = 0
    var start = 0
    while start < candidate.count {
      let end = min(candidate.count, start + 1 << 16)
      var part: UInt32 = 0
      for place in start..<end {
        let byte = candidate[place]
        part &+= UInt32(min(byte, 0 &- byte))
      }
      sum += UInt64(part)
      start = end
    }
    return sum
  }

  /// Subtracts predictions. The first pixel, without a left neighbour, is apart, so that the loop for later pixels has
  /// no branches and uses vectors.
  @inline(__always)
  private static func subtract(
    _ row: UnsafeBufferPointer<UInt8>, _ result: UnsafeMutableBufferPointer<UInt8>,
    first: (Int) -> UInt8, _ prediction: (Int) -> UInt8
  ) {
    for place in 0..<min(4, row.count) { result[place] = row[place] &- first(place) }
    guard row.count > 4 else { return }
    for place in 4..<row.count { result[place] = row[place] &- prediction(place) }
  }

  /// Returns the neighbour (left, above or corner) nearest to left + above − corner.
  @inline(__always)
  private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let (a, b) = (Int16(above) - Int16(corner), Int16(left) - Int16(corner))
    let (toLeft, toAbove, toCorner) = (abs(a), abs(b), abs(a + b))
    return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner
  }
}

extension PNG {
  /// Bytes of the longest text that is read.
  private static let longestText = 4 << 10

  /// Returns the texts (`tEXt`) before the image data, by keyword, and only the first text of each keyword.
  ///
  /// A damaged chunk, and everything after it, is left out. Pixels are not decoded.
  package static func texts(of bytes: [UInt8]) -> [String: String] { scan(bytes).texts }

  /// Returns the texts in the first bytes of a file, or nil if the bytes end before the image data.
  package static func texts(ofStart bytes: [UInt8]) -> [String: String]? {
    let found = scan(bytes)
    return found.isComplete ? found.texts : nil
  }

  /// - Returns: the texts, and whether the image data follows them.
  private static func scan(_ bytes: [UInt8]) -> (texts: [String: String], isComplete: Bool) {
    var (texts, isComplete): ([String: String], Bool) = ([:], false)
    guard bytes.starts(with: signature) else { return (texts, false) }
    var reader = ByteReader(bytes, rule: .image)
    func next(_ reader: inout ByteReader) throws(Failure) -> (
      name: String, content: ArraySlice<UInt8>
    )? {
      guard !reader.isAtEnd else { return nil }
      let length = Int(size: try reader.bigEndian(4))
      let start = reader.position
      let name = String(decoding: try reader.read(4), as: UTF8.self)
      guard name != "IDAT" else {
        isComplete = true
        return nil
      }
      try reader.seek(to: start + 4 + length)
      let checksum = try reader.bigEndian(4)
      let content = bytes[start + 4..<start + 4 + length]
      guard name == "tEXt", length <= longestText else { return (name, []) }
      return CRC32.checksum(bytes[start..<start + 4 + length]) == checksum ? (name, content) : nil
    }
    do {
      _ = try reader.read(signature.count)
      while let chunk = try next(&reader) {
        guard let end = chunk.content.firstIndex(of: 0) else { continue }
        // Latin-1, as the format requires.
        func text(_ bytes: ArraySlice<UInt8>) -> String {
          String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
        let key = text(chunk.content[..<end])
        if texts[key] == nil { texts[key] = text(chunk.content[(end + 1)...]) }
      }
    } catch {}
    return (texts, isComplete)
  }

  /// Returns the width and height that the header states, or nil for other files.
  package static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.starts(with: signature) else { return nil }
    var reader = ByteReader(bytes, rule: .image)
    // Signature, length and name of the header.
    guard (try? reader.read(16)) != nil, let width = try? reader.bigEndian(4),
      let height = try? reader.bigEndian(4), width > 0, height > 0
    else { return nil }
    return (Int(width), Int(height))
  }

  /// Returns a PNG with texts after its header.
  /// - Parameters:
  ///   - texts: keywords and values in ASCII.
  ///   - bytes: a file that ``encode(_:)`` returned.
  package static func adding(_ texts: [(key: String, value: String)], to bytes: [UInt8]) -> [UInt8]
  {
    // Signature (8 bytes) and header (25 bytes).
    let end = 33
    let chunks = texts.flatMap {
      PNGChunks.chunk("tEXt", Array($0.key.utf8) + [0] + Array($0.value.utf8))
    }
    return bytes[..<end] + chunks + bytes[end...]
  }
}
