internal import ParticlesCore

/// The compressed rows of a PNG (ISO 15948, 10), without the file around them: 8-bit RGBA, filtered row
/// by row and compressed by libdeflate, which is several times faster than libpng with zlib.
package final class PNGRows {
  private let deflate: Deflate
  private var filtered: [UInt8] = []
  private var candidate: [UInt8] = []

  /// Creates a compressor, to be used from one thread at a time.
  /// - Parameter level: that of libdeflate, 1 to 12.
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
        // No filter makes smaller ones, as in a row like the one above.
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

  /// Subtracts predictions. The first pixel, which has none to its left, is apart, so that the loop of the others has no
  /// branches and is of vectors.
  @inline(__always)
  private static func subtract(
    _ row: UnsafeBufferPointer<UInt8>, _ result: UnsafeMutableBufferPointer<UInt8>,
    first: (Int) -> UInt8, _ prediction: (Int) -> UInt8
  ) {
    for place in 0..<min(4, row.count) { result[place] = row[place] &- first(place) }
    guard row.count > 4 else { return }
    for place in 4..<row.count { result[place] = row[place] &- prediction(place) }
  }

  /// Returns that of the three neighbours which is nearest to left + above − corner.
  @inline(__always)
  private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let (a, b) = (Int16(above) - Int16(corner), Int16(left) - Int16(corner))
    let (toLeft, toAbove, toCorner) = (abs(a), abs(b), abs(a + b))
    return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner
  }
}
