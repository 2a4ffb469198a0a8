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

  /// Returns the picture made smaller, if needed, to fit into a size. Each pixel is the mean of the
  /// pixels that it covers.
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

  /// Returns a picture between this one and another of equal size. Colours count by their alpha.
  /// - Parameter share: the share of `other`, from 0 to 1.
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

  /// Creates a picture in which every pixel is the mean of several samples.
  /// - Parameters:
  ///   - width: the width in pixels.
  ///   - height: the height in pixels.
  ///   - samples: the number of samples of a pixel in each direction.
  ///   - color: the colour at a point. Axes run from −1 to 1, y upwards.
  package init(
    width: Int, height: Int, samples: Int, color: (_ x: Double, _ y: Double) -> Pixel
  ) {
    let (stepX, stepY) = (2 / Double(width * samples), 2 / Double(height * samples))
    let middle = Double(samples - 1) / 2
    let count = Double(samples * samples)
    self.init(width: width, height: height) { x, y in
      var sum = Pixel(0, 0, 0, 0)
      for row in 0..<samples {
        for column in 0..<samples {
          let color = color(
            x + (Double(column) - middle) * stepX, y + (Double(row) - middle) * stepY)
          sum.red += color.red
          sum.green += color.green
          sum.blue += color.blue
          sum.alpha += color.alpha
        }
      }
      return (sum.red / count, sum.green / count, sum.blue / count, sum.alpha / count)
    }
  }

  /// Returns the pixel at a point, or nil if the point is outside the picture. The longer side of
  /// the picture spans −1 to 1, with its centre at 0. y runs upwards.
  package func pixel(atX x: Double, y: Double) -> Pixel? {
    let longest = Double(max(width, height))
    let column = (x * longest + Double(width)) / 2
    let row = (Double(height) - y * longest) / 2
    guard column >= 0, row >= 0, column < Double(width), row < Double(height) else { return nil }
    let index = (Int(saturating: row) * width + Int(saturating: column)) * 4
    let components = pixels[index..<index + 4].map { Double($0) / 255 }
    return Pixel(components[0], components[1], components[2], components[3])
  }
}

// Textures are white, since particles are tinted, with the shape in alpha.

extension Bitmap {
  /// Creates a round texture whose alpha depends on the distance from the centre. The distance is 1
  /// in the middle of each edge.
  private static func round(size: Int, _ alpha: (_ radius: Double) -> Double) -> Bitmap {
    Bitmap(width: size, height: size) { x, y in (1, 1, 1, alpha((x * x + y * y).squareRoot())) }
  }

  /// Creates a round spot that fades towards its edge, the faster the greater the hardness.
  package static func spot(size: Int, hardness: Double) -> Bitmap {
    round(size: size) { radius in power(0.5 + 0.5 * cosine(min(radius, 1) * .pi), hardness) }
  }

  /// Creates a bright point in a wide, faint halo.
  package static func glow(size: Int) -> Bitmap {
    round(size: size) { radius in
      exponential(-60 * radius * radius) + 0.42 * exponential(-4.2 * radius)
        * radius.smooth(1, 0.35)
    }
  }

  /// Creates a thin ring that is soft on both sides.
  package static func ring(size: Int, width: Double) -> Bitmap {
    round(size: size) { radius in
      let distance = (radius - 0.94 + width) / width
      return exponential(-4 * distance * distance) * radius.smooth(1, 0.95)
    }
  }

  /// Creates a cloud with ragged edges, whose details come from noise.
  package static func cloud(size: Int, noise: Noise) -> Bitmap {
    Bitmap(width: size, height: size) { x, y in
      let radius = (x * x + y * y).squareRoot()
      let detail = noise.fractal(2.1 * x + 5, 2.1 * y + 5, octaves: 5)
      let body = 1 - radius + 1.3 * (detail - 0.5)
      return (
        1, 1, 1, body.smooth(0.02, 0.85) * radius.smooth(1, 0.62) * (0.55 + 0.7 * detail)
      )
    }
  }
}

/// A colour to draw with: components from 0 to 1, not multiplied by alpha.
package struct Pixel: Sendable {
  package var red: Double
  package var green: Double
  package var blue: Double
  package var alpha: Double

  package init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Returns the product of this colour and another, component by component.
  package func tinted(by tint: Pixel) -> Pixel {
    Pixel(red * tint.red, green * tint.green, blue * tint.blue, alpha * tint.alpha)
  }

  /// Draws a colour over this one.
  /// - Parameters:
  ///   - source: the colour in front.
  ///   - isAdditive: whether it is added to the colour behind it, instead of covering that colour.
  package mutating func blend(_ source: Pixel, isAdditive: Bool) {
    let keep = isAdditive ? 1 : 1 - source.alpha
    red = min(red * keep + source.red * source.alpha, 1)
    green = min(green * keep + source.green * source.alpha, 1)
    blue = min(blue * keep + source.blue * source.alpha, 1)
    alpha = max(alpha, source.alpha)
  }
}
