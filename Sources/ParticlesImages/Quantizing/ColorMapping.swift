/// Replaces the colours of pixels by numbers of a palette.
///
/// Ordered dithering between two colours: each cell of the histogram has the nearest colour of the
/// palette and a second one, so that the line between them comes close to the cell. A pixel gets the
/// second one if its place on that line is above the threshold of its place in the picture. So there is
/// no more noise than the distance of two neighbouring colours, and none where a colour is exact.
package final class ColorMapping {
  /// The two colours of a cell. A pixel is at `base` + `slope` · (red, green, blue) on the line between
  /// them, at 0 on the first and at 1 on the second.
  private struct Pair {
    var slope: SIMD4<Float>
    var first: UInt8
    var second: UInt8
  }

  private var pairs: [Pair] = []
  private var exact: ExactColors?
  /// A colour that is exact in the palette, and its pair.
  private var background: (color: UInt32, pair: Pair)?
  private let histogram: ColorHistogram

  /// Distances of two colours, squared, below which no eye sees a step; they are not dithered, which
  /// saves bytes.
  private static let invisible: Float = 6 * 6
  /// A colour this near (squared) is taken alone if that is better than a mixture.
  private static let near: Float = 6 * 6
  /// A colour this near (squared) needs no mixture, whose noise is a greater error, and many bytes.
  private static let exactly: Float = 6 * 6
  /// How much the noise of dithering counts beside an error of the mean.
  private static let noise: Float = 0.5

  /// Whether the palette has all colours of the pixels.
  package var isExact: Bool { exact != nil }

  /// Creates a mapping for pixels that a histogram has counted.
  package init(_ histogram: ColorHistogram) { self.histogram = histogram }

  /// Prepares the mapping to a palette.
  /// - Parameters:
  ///   - palette: the colours.
  ///   - color: a colour that is kept exactly if the palette has it.
  package func prepare(_ palette: Palette, background color: UInt32 = 0) {
    background = palette.colors.firstIndex(of: color).map {
      (color, Pair(slope: .zero, first: UInt8($0), second: UInt8($0)))
    }
    let colors = ExactColors(palette.colors)
    exact = isExact(colors) ? colors : nil
    guard exact == nil else { return }
    let search = NearestColor(palette.colors.map { SIMD4(color: $0) })
    pairs.removeAll(keepingCapacity: true)
    for cell in histogram.cells {
      pairs.append(Self.pair(for: ColorPoint(cell).color3, search))
    }
  }

  /// Returns the mean squared distance of pixels from the nearest colours, in the units of
  /// ``ColorPoint``.
  package func error(of palette: Palette) -> Double {
    guard !isExact(ExactColors(palette.colors)) else { return 0 }
    guard !palette.colors.isEmpty else { return .infinity }
    let search = NearestColor(palette.colors.map { SIMD4(color: $0) })
    var (sum, weight) = (0.0, 0.0)
    // A fourth of the cells is enough for a decision.
    let step = histogram.cells.count > 1024 ? 4 : 1
    for index in stride(from: 0, to: histogram.cells.count, by: step) {
      let point = ColorPoint(histogram.cells[index])
      let offset = point.color3 - search.points[search.index(of: point.color3)]
      sum += Double((offset * offset).sum()) * point.weight
      weight += point.weight
    }
    return weight > 0 ? sum / weight : 0
  }

  /// Whether all pixels have colours of a palette.
  private func isExact(_ colors: ExactColors) -> Bool {
    !histogram.exact.isOverfull
      && histogram.exact.colors.allSatisfy { colors.number(of: $0) != nil }
  }

  /// Returns the best pair of colours for a point.
  private static func pair(for point: SIMD4<Float>, _ search: NearestColor) -> Pair {
    let first = search.index(of: point)
    let start = search.points[first]
    let offset = point - start
    let distance = (offset * offset).sum()
    guard distance > exactly else {
      return Pair(slope: .zero, first: UInt8(first), second: UInt8(first))
    }
    var best = SIMD8<Float>(repeating: distance <= near ? distance : .infinity)
    var groups = SIMD8<Int32>(repeating: -1)
    for group in 0..<search.red.count {
      let (r, g, b) = (
        search.red[group] - start.x, search.green[group] - start.y, search.blue[group] - start.z
      )
      let length = r * r + g * g + b * b
      var along = r * offset.x + g * offset.y + b * offset.z
      along.replace(with: 0, where: along .< 0)
      let share = along / length
      // The distance from the line, and the variance of a mixture of both colours.
      let gain = along * share
      let cost = distance - gain + noise * along * (1 - share)
      // A mixture has to halve the error of the mean at least, or it only adds noise.
      let isBetter = cost .< best .& gain .> 0.5 * distance .& length .> invisible
      best.replace(with: cost, where: isBetter)
      groups.replace(with: Int32(truncatingIfNeeded: group), where: isBetter)
    }
    var lane = 0
    for other in 1..<8 where best[other] < best[lane] { lane = other }
    guard groups[lane] >= 0 else {
      return Pair(slope: .zero, first: UInt8(first), second: UInt8(first))
    }
    let second = Int(groups[lane]) * 8 + lane
    let line = search.points[second] - start
    let length = (line * line).sum()
    var slope = line / length * ColorPoint.weights
    slope.w = -(line * start).sum() / length
    return Pair(slope: slope, first: UInt8(first), second: UInt8(second))
  }

  /// Writes the number of each pixel in the palette.
  /// - Parameters:
  ///   - pixels: counted by the histogram, row by row; 0 for pixels to leave out.
  ///   - rectangle: their place in the picture.
  ///   - none: the number for pixels to leave out.
  ///   - numbers: as many as pixels.
  package func map(
    _ pixels: UnsafeBufferPointer<UInt32>, in rectangle: PixelRectangle, none: UInt8,
    to numbers: UnsafeMutableBufferPointer<UInt8>
  ) {
    if let exact {
      for index in pixels.indices {
        numbers[index] = pixels[index] == 0 ? none : UInt8(exact.number(of: pixels[index]) ?? 0)
      }
      return
    }
    let mask = DitherMatrix.side - 1
    DitherMatrix.blueNoise.thresholds.withUnsafeBufferPointer { thresholds in
      pairs.withUnsafeBufferPointer { pairs in
        var index = 0
        for y in rectangle.y {
          let row = (y & mask) * DitherMatrix.side
          var last: UInt32 = 0
          var pair = Pair(slope: .zero, first: none, second: none)
          var place: Float = 0
          for x in rectangle.x {
            let pixel = pixels[index]
            if pixel == 0 {
              numbers[index] = none
            } else {
              if pixel != last {
                last = pixel
                if let background, pixel == background.color {
                  pair = background.pair
                } else {
                  pair = pairs[histogram.cell(of: pixel)]
                }
                place =
                  Float(pixel & 255) * pair.slope.x + Float(pixel >> 8 & 255) * pair.slope.y
                  + Float(pixel >> 16 & 255) * pair.slope.z + pair.slope.w
              }
              numbers[index] = place > thresholds[row + x & mask] ? pair.second : pair.first
            }
            index += 1
          }
        }
      }
    }
  }
}
