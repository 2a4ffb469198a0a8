internal import ParticlesCore

extension Bitmap {
  /// Creates a picture in which every pixel is the mean of several samples.
  /// - Parameters:
  ///   - width: the width in pixels.
  ///   - height: the height in pixels.
  ///   - samples: the number of samples of a pixel in each direction.
  ///   - color: the colour at a point; axes run from −1 to 1, y upwards.
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
  /// the picture spans −1 to 1, with its centre at 0; y runs upwards.
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
