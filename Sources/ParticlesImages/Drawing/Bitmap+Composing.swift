internal import ParticlesCore

extension Bitmap {
  /// Copies a picture, transparency included, to a place where it fits completely.
  package mutating func place(_ picture: Bitmap, x: Int, y: Int) {
    let source = picture.pixels
    for row in 0..<picture.height {
      let from = row * picture.width * 4
      let to = ((y + row) * width + x) * 4
      pixels.replaceSubrange(
        to..<to + picture.width * 4, with: source[from..<from + picture.width * 4])
    }
  }

  /// Draws a picture over this one, at a place where it fits completely.
  package mutating func draw(_ picture: Bitmap, x: Int, y: Int) {
    for row in 0..<picture.height {
      for column in 0..<picture.width {
        let from = (row * picture.width + column) * 4
        let to = ((y + row) * width + x + column) * 4
        let front = Int(picture.pixels[from + 3])
        let back = Int(pixels[to + 3]) * (255 - front)
        let alpha = front * 255 + back
        guard front > 0, alpha > 0 else { continue }
        for component in 0..<3 {
          let sum =
            Int(picture.pixels[from + component]) * front * 255
            + Int(pixels[to + component]) * back
          pixels[to + component] = UInt8((sum + alpha / 2) / alpha)
        }
        pixels[to + 3] = UInt8((alpha + 127) / 255)
      }
    }
  }

  /// Returns the picture made smaller, if needed, to fit into a size; each pixel is the mean of those
  /// that it covers.
  package func fitting(width most: Int, height highest: Int) -> Bitmap {
    guard width > most || height > highest else { return self }
    let scale = max(Double(width) / Double(most), Double(height) / Double(highest))
    let (newWidth, newHeight) = (
      min(most, max(1, Int(saturating: (Double(width) / scale).rounded()))),
      min(highest, max(1, Int(saturating: (Double(height) / scale).rounded())))
    )
    var result = Bitmap(width: newWidth, height: newHeight)
    for y in 0..<newHeight {
      let rows = Self.covered(y, of: newHeight, by: height)
      for x in 0..<newWidth {
        let columns = Self.covered(x, of: newWidth, by: width)
        // Colours count by their alpha.
        var (red, green, blue, alpha) = (0, 0, 0, 0)
        for row in rows {
          for column in columns {
            let index = (row * width + column) * 4
            let weight = Int(pixels[index + 3])
            red += Int(pixels[index]) * weight
            green += Int(pixels[index + 1]) * weight
            blue += Int(pixels[index + 2]) * weight
            alpha += weight
          }
        }
        guard alpha > 0 else { continue }
        let place = (y * newWidth + x) * 4
        let count = rows.count * columns.count
        for (offset, sum) in [red, green, blue].enumerated() {
          result.pixels[place + offset] = UInt8((sum + alpha / 2) / alpha)
        }
        result.pixels[place + 3] = UInt8((alpha + count / 2) / count)
      }
    }
    return result
  }

  /// The pixels of a longer side that a pixel of a shorter one covers.
  private static func covered(_ place: Int, of count: Int, by longer: Int) -> Range<Int> {
    let start = place * longer / count
    return start..<max(start + 1, (place + 1) * longer / count)
  }
}

extension Bitmap {
  /// Returns a picture between this one and another of the same size. Colours count by their alpha.
  /// - Parameter share: that of the other picture, from 0 to 1.
  package func mixed(with other: Bitmap, share: Double) -> Bitmap {
    let right = Int(saturating: (min(max(share, 0), 1) * 256).rounded())
    let left = 256 - right
    var result = self
    result.pixels.withUnsafeMutableBufferPointer { result in
      other.pixels.withUnsafeBufferPointer { other in
        for index in stride(from: 0, to: min(result.count, other.count), by: 4) {
          let (a, b) = (Int(result[index + 3]) * left, Int(other[index + 3]) * right)
          guard a + b > 0 else { continue }
          for component in index..<index + 3 {
            let sum = Int(result[component]) * a + Int(other[component]) * b
            result[component] = UInt8((sum + (a + b) / 2) / (a + b))
          }
          result[index + 3] = UInt8((a + b + 128) >> 8)
        }
      }
    }
    return result
  }
}
